//! Components that signals switch on and off: what changes at the instant, see [`Switch`](crate::system::Switch).
//!
//! Between two such instants a component that is off is another component without a force, so that nothing else has to know of
//! switches: a spring without stiffness and damping, a contact with a law without a force, a stop without ends.
use super::SimErrorKind;
use super::components::{Components, ContactMode, ContactState, NormalLoad, StopKind, StopMode, StopState};
use super::flow::Flow;
use crate::SimError;
use crate::system::{OpenLaw, Signal, SignalDerivatives, Spring, SwitchedPart, System};

/// A switch as the solver uses it.
pub(super) struct SwitchState<'s> {
    /// 1 where it is on.
    pub signal: &'s Signal,
    is_on: bool,
    target: Target<'s>,
}

/// What it switches, and what takes the place of what is switched now.
enum Target<'s> {
    Spring(usize, &'s Spring),
    Contact(usize, Box<ContactState<'s>>),
    Stop(usize),
    LossyGear(usize),
}

impl<'s> SwitchState<'s> {
    /// The switches of a system, all of them on.
    pub fn all(system: &'s System, contacts: &[ContactState<'s>]) -> Vec<Self> {
        // freewheels and gears follow the stops
        let first = system.stops.len();
        let own = system.switches.iter().filter_map(|switch| {
            let target = match switch.part {
                SwitchedPart::Spring(k) => Target::Spring(k, switch.open_spring.as_ref()?),
                SwitchedPart::Contact(c) => {
                    Target::Contact(c, Box::new(contacts[c].without_friction(switch.open_law.as_ref()?)))
                }
                SwitchedPart::Stop(k) => Target::Stop(k),
                SwitchedPart::Gear(k) => Target::Stop(first + system.freewheels.len() + k),
                SwitchedPart::LossyGear(g) => Target::LossyGear(g),
            };
            Some(Self { signal: &switch.enable, is_on: true, target })
        });
        let freewheels = system.freewheels.iter().enumerate();
        let freewheels = freewheels.map(|(k, joint)| (k, &joint.component.enable)).filter(|(_, signal)| {
            // one that is never switched needs no switch
            !signal.is_constant() || signal.at(0.0) != 1.0
        });
        let freewheels = freewheels.map(|(k, signal)| Self { signal, is_on: true, target: Target::Stop(first + k) });
        own.chain(freewheels).collect()
    }
    /// Whether its signal has another value from time `t` on.
    fn has_switched(&self, t: f64) -> bool {
        (self.signal.at(t) == 1.0) != self.is_on
    }
}

impl<'s> ContactState<'s> {
    /// The same contact while it is off.
    fn without_friction(&self, law: &'s OpenLaw) -> Self {
        Self {
            name: self.name,
            law,
            row: self.row,
            normal_load: NormalLoad::Constant(1.0),
            load_map: [0.0, 1.0],
            which: self.which.clone(),
            at: self.at,
            memory: self.memory.clone(),
            mode: self.mode,
            guard_signs: vec![-1.0; self.guard_signs.len()],
            load: [1.0, 0.0],
            constraint_force: 0.0,
            force: 0.0,
            slip_start: f64::NEG_INFINITY,
            came_to_rest: false,
            creep_side: 0.0,
            restarts: 0,
            rest_time: f64::NEG_INFINITY,
            memory_at_rest: self.memory_at_rest.clone(),
            starting_position: self.starting_position,
            has_moved: false,
            told_side: 0.0,
            regularisation_speed: f64::MIN_POSITIVE,
            min_regularisation_speed: f64::MIN_POSITIVE,
            singular_at_rest: false,
            has_rate_cusp: false,
            cusp: None,
            critical_speeds: None,
            noted_speed: [f64::NAN; 2],
            slope_speed: f64::MIN_POSITIVE,
            noisy: false,
            own_states: self.own_states,
            noise_position: None,
            jump_free: true,
            fully_continuous: self.which.len() == self.memory.len(),
            rates: vec![0.0; self.rates.len()],
            rates2: vec![0.0; self.rates2.len()],
            rows: vec![0.0; self.rows.len()],
            gear: self.gear,
            is_on: false,
        }
    }
    /// Takes over the state of a contact for which it is from now on. Its bristles are relaxed; what is no memory of its law stays.
    fn replace(&mut self, old: &Self, x: f64) {
        self.memory.copy_from_slice(&old.memory);
        self.memory[..self.own_states].fill(0.0);
        if let Some(i) = self.starting_position.or(old.starting_position) {
            self.memory[i] = x;
        }
        (self.mode, self.has_moved, self.told_side, self.gear) = (old.mode, old.has_moved, old.told_side, old.gear);
        (self.slip_start, self.rest_time) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        (self.came_to_rest, self.creep_side, self.constraint_force) = (false, 0.0, 0.0);
    }
}

impl Components<'_> {
    /// Whether a component is switched on or off at time `t`.
    pub fn has_switched(&self, t: f64) -> bool {
        self.switches.iter().any(|switch| switch.has_switched(t))
    }
    /// The components that are switched at time `t`: their numbers, as of [`System::parts`], and whether they are on from then on.
    pub fn switching_at(&self, t: f64) -> Vec<(usize, bool)> {
        let part = |switch: &SwitchState<'_>| match switch.target {
            Target::Contact(c, _) => c,
            Target::Stop(k) => self.contacts.len() + k,
            Target::Spring(k, _) => self.contacts.len() + self.stops.len() + k,
            Target::LossyGear(g) => self.contacts.len() + self.stops.len() + self.springs.len() + g,
        };
        self.switches.iter().filter(|switch| switch.has_switched(t)).map(|one| (part(one), !one.is_on)).collect()
    }
    /// Everything is on or off as its signal says at the start of a run.
    pub fn set_switches(&mut self, t: f64) {
        for k in 0..self.switches.len() {
            if self.switches[k].has_switched(t) {
                self.flip(k);
            }
        }
    }
    /// Puts the other component in the place of the one that switch `k` switches.
    fn flip(&mut self, k: usize) {
        let switch = &mut self.switches[k];
        switch.is_on = !switch.is_on;
        match &mut switch.target {
            Target::Spring(k, other) => std::mem::swap(&mut self.springs[*k].parameters, other),
            Target::Contact(c, other) => {
                std::mem::swap(&mut self.contacts[*c], other);
                self.contacts[*c].mode = other.mode;
            }
            Target::Stop(k) => self.stops[*k].is_on = switch.is_on,
            Target::LossyGear(g) => self.lossy_gears[*g].switch(switch.is_on),
        }
        self.form_trains();
    }
    /// What a run that continues this one has to know of the switches.
    pub fn save_switches(&self) -> Vec<Option<f64>> {
        let shift = |switch: &SwitchState<'_>| match switch.target {
            Target::Spring(k, _) => self.springs[k].shift,
            Target::Contact(..) | Target::Stop(_) | Target::LossyGear(_) => 0.0,
        };
        self.switches.iter().map(|switch| switch.is_on.then(|| shift(switch))).collect()
    }
    /// Takes over what [`Components::save_switches`] gave.
    pub fn load_switches(&mut self, saved: &[Option<f64>]) {
        for (k, saved) in saved.iter().enumerate().take(self.switches.len()) {
            if self.switches[k].is_on != saved.is_some() {
                self.flip(k);
            }
            if let (Target::Spring(s, _), Some(shift)) = (&self.switches[k].target, saved) {
                let spring = &mut self.springs[*s];
                spring.move_rest(shift - spring.shift);
            }
        }
    }
}

/// What was switched at an instant.
#[derive(Default)]
pub(super) struct Switched {
    /// Elastic energy of springs that were switched off \[J\].
    pub lost: f64,
    /// The contacts that were switched.
    pub contacts: Vec<usize>,
}

impl Flow<'_> {
    /// Switches all components whose signals change at time `t`, in state `y`, in which positions are known to `tolerance`.
    pub(super) fn switch_components(&mut self, t: f64, y: &mut [f64], tolerance: f64) -> Result<Switched, SimError> {
        let before = self.energy(t, y);
        let (motions, mut contacts) = (&self.motions, Vec::new());
        for k in 0..self.components.switches.len() {
            if !self.components.switches[k].has_switched(t) {
                continue;
            }
            if let Target::Contact(c, _) = self.components.switches[k].target {
                self.components.contacts[c].load_memory(y);
            }
            self.components.flip(k);
            let Components { springs, contacts: all, stops, switches, .. } = &mut self.components;
            let is_on = switches[k].is_on;
            match &switches[k].target {
                Target::Spring(k, _) => {
                    let spring = &mut springs[*k];
                    if is_on {
                        spring.relax(y, motions);
                    } else {
                        // what its rest has moved is forgotten, so that its stretch is the same in runs that continue one another
                        spring.move_rest(-spring.shift);
                    }
                    let (x, v) = (spring.row.x(y, motions), spring.row.v(y, motions));
                    spring.piece = spring.has_kinks().then(|| spring.piece_at(x, v));
                }
                Target::Contact(c, old) => {
                    let contact = &mut all[*c];
                    contact.replace(old, contact.row.x(y, motions));
                    contact.store(y);
                    // explicit methods integrate the bare law on both sides of zero
                    if contact.mode != ContactMode::Slip(0.0) {
                        let v = contact.row.nonzero_speed(y, motions);
                        contact.mode = ContactMode::Slip(v.map_or(1.0, f64::signum));
                    }
                    contacts.push(*c);
                }
                Target::Stop(k) => stops[*k].close(y, motions, (t, tolerance))?,
                Target::LossyGear(_) => (),
            }
        }
        self.components.form_trains();
        Ok(Switched { lost: before - self.energy(t, y), contacts })
    }
}

impl StopState<'_> {
    /// It was switched on or off in state `y`.
    fn close(&mut self, y: &[f64], motions: &[SignalDerivatives], (t, tolerance): (f64, f64)) -> Result<(), SimError> {
        self.mode = StopMode::Free;
        if self.kind == StopKind::Gear {
            // with another speed it is closed by a blow
            if self.is_on && self.row.nonzero_speed(y, motions).is_none() {
                self.mode = StopMode::At(1.0);
            }
            return Ok(());
        }
        if !self.is_on || self.kind == StopKind::Velocity || !self.row.responds() {
            return Ok(());
        }
        let (x, near) = (self.row.x(y, motions), self.row.position_rounding(y, motions));
        let gaps = [x - self.parameters.lo, self.parameters.hi - x];
        if gaps.iter().any(|gap| *gap < -near - tolerance) {
            return Err(SimError::Run { t, kind: SimErrorKind::ClosesOutside { stop: self.name.to_owned(), x } });
        }
        if self.row.nonzero_speed(y, motions).is_none() {
            let end = gaps.iter().position(|gap| *gap <= near);
            self.mode = end.map_or(StopMode::Free, |end| StopMode::At([-1.0, 1.0][end]));
        }
        Ok(())
    }
}
