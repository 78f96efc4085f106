//! Components that a signal switches on and off: a clutch, a brake that is released, a stop that is drawn back.
//!
//! A component that is off exerts no force. The signal is 1 or 0 and changes at its breakpoints alone, where the simulator ends a step, so that
//! the instant is exact. Positions do not jump there, and velocities only where a rigid gear or a freewheel closes. What the component
//! remembers is lost, and no energy comes from a switch:
//!
//! - a spring that is switched off loses its elastic energy. Switched on, it is coupled as it lies there, like the shaft behind a clutch:
//!   without elastic energy at the present displacement, from which it counts. A gap that lies open there stays where it is;
//! - the bristles of a contact relax. Switched on, it is one that has never moved, and sticks or slides by the usual rule;
//! - a rigid gear that is switched on brings the speeds of its places into its ratio by a plastic impact, which takes energy and conserves momentum;
//! - a stop that is switched on allows the displacements between its ends, and the present one has to be one of them.
use super::build::problem;
use super::heated_law::{Heating, STATES as HEATING_STATES};
use super::{Connection, Contact, Node, Signal, Spring, SwitchedGear, System, SystemError, SystemErrorKind};
use stiction_core::Input;
use stiction_core::registry::DynLaw;

/// Most breakpoints of a signal at which its values are checked.
const MAX_BREAKPOINTS: usize = 100_000;

/// What a switch switches: the number of a component among those of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchedPart {
    /// A spring, a gear with a stiffness, or a planetary gear.
    Spring(usize),
    /// A contact.
    Contact(usize),
    /// A stop.
    Stop(usize),
    /// A rigid gear without losses.
    Gear(usize),
    /// A rigid gear with losses.
    LossyGear(usize),
}

/// A switch of a component.
pub struct Switch {
    /// The component.
    pub part: SwitchedPart,
    /// 1 where it is on, 0 where it is off.
    pub enable: Signal,
    /// What takes the place of a spring that is off.
    pub(crate) open_spring: Option<Spring>,
    /// What takes the place of the law of a contact that is off.
    pub(crate) open_law: Option<OpenLaw>,
}

impl System {
    /// Switches a spring, contact, stop or freewheel by a signal: on where it is 1, off where it is 0.
    ///
    /// # Errors
    /// [`SystemError`] if no such component has this name, or if the signal has other values or changes between its breakpoints.
    pub fn switch(&mut self, name: &str, enable: Signal) -> Result<(), SystemError> {
        check_switch(name, &enable)?;
        if let Some(joint) = self.freewheels.iter_mut().find(|joint| joint.name == name) {
            joint.component.enable = enable;
            return Ok(());
        }
        let spring = self.springs.iter().position(|joint| joint.name == name).map(SwitchedPart::Spring);
        let contact = || self.contacts.iter().position(|joint| joint.name == name).map(SwitchedPart::Contact);
        let stop = || self.stops.iter().position(|joint| joint.name == name).map(SwitchedPart::Stop);
        let gear = || self.switched_gears.iter().position(|joint| joint.name == name).map(SwitchedPart::Gear);
        let lossy = || self.lossy_gears.iter().position(|joint| joint.name == name).map(SwitchedPart::LossyGear);
        let Some(part) = spring.or_else(contact).or_else(stop).or_else(gear).or_else(lossy) else {
            return Err(problem(name, SystemErrorKind::NothingToSwitch));
        };
        match part {
            SwitchedPart::Spring(k) if self.springs[k].component.curve.as_ref().is_some_and(|f| !f.pulls_back()) => {
                return Err(problem(name, SystemErrorKind::SwitchedCurve));
            }
            SwitchedPart::Contact(k) if self.contacts[k].component.has_given_position() => {
                return Err(problem(name, SystemErrorKind::SwitchedPosition));
            }
            _ => (),
        }
        let open_spring = match part {
            SwitchedPart::Spring(k) => {
                let spring = &self.springs[k].component;
                Some(Spring { stiffness: 0.0, damping: 0.0, curve: None, gap: None, ..spring.clone() })
            }
            _ => None,
        };
        let open_law = match part {
            SwitchedPart::Contact(c) => Some(OpenLaw::new(&self.contacts[c].component)),
            _ => None,
        };
        self.switches.retain(|switch| switch.part != part);
        // a gear that is never switched is one of those all the same
        let is_gear = matches!(part, SwitchedPart::Gear(_));
        if is_gear || !(enable.is_constant() && enable.at(0.0) == 1.0) {
            self.switches.push(Switch { part, enable, open_spring, open_law });
        }
        Ok(())
    }
    /// Couples two bodies by a rigid gear while a signal is 1: `v_a = ratio·v_b`. Bodies keep their coordinates; when the signal becomes 1 while their
    /// speeds are not in this ratio, a plastic impact brings them there.
    ///
    /// # Errors
    /// [`SystemError`] for a ratio of zero, two places that cannot be coupled, or a signal that is not 0 or 1.
    pub fn switched_gear(
        &mut self,
        name: &str,
        a: Node,
        b: Node,
        gear: SwitchedGear,
        enable: Signal,
    ) -> Result<(), SystemError> {
        self.free(name)?;
        let ratio = gear.ratio;
        if !ratio.is_finite() || ratio == 0.0 || !(1.0 / ratio).is_finite() {
            let requirement = "finite and not zero";
            return Err(problem(name, SystemErrorKind::InvalidValue { key: "ratio", value: ratio, requirement }));
        }
        check_switch(name, &enable)?;
        self.check_coupling(name, [a, b])?;
        let taken = self.take(name);
        self.switched_gears.push(Connection { name: taken, ends: [a, b], component: gear });
        self.switch(name, enable)
    }
    /// Checks that two places have coordinates of their own, which a rigid gear between them may have changed.
    pub(super) fn check_coupling(&self, name: &str, [a, b]: [Node; 2]) -> Result<(), SystemError> {
        match (self.coordinate_of(a), self.coordinate_of(b)) {
            (Some((first, _)), Some((second, _))) if first != second => Ok(()),
            _ => Err(problem(name, SystemErrorKind::InvalidGear)),
        }
    }
    /// The name of the component of a switch.
    pub fn switched_name(&self, switch: &Switch) -> &str {
        match switch.part {
            SwitchedPart::Spring(k) => &self.springs[k].name,
            SwitchedPart::Contact(k) => &self.contacts[k].name,
            SwitchedPart::Stop(k) => &self.stops[k].name,
            SwitchedPart::Gear(k) => &self.switched_gears[k].name,
            SwitchedPart::LossyGear(k) => &self.lossy_gears[k].name,
        }
    }
    /// The switches, with the names of their components.
    pub fn switches(&self) -> impl Iterator<Item = (&str, &Switch)> {
        self.switches.iter().map(|switch| (self.switched_name(switch), switch))
    }
    /// Whether a component is on at time `t`.
    pub(crate) fn is_on(&self, part: SwitchedPart, t: f64) -> bool {
        self.switches.iter().find(|switch| switch.part == part).is_none_or(|switch| switch.enable.at(t) == 1.0)
    }
}

/// Checks that a signal has the values 0 and 1 alone, and jumps between them.
pub(super) fn check_switch(name: &str, enable: &Signal) -> Result<(), SystemError> {
    if !enable.is_piecewise_constant() {
        return Err(problem(name, SystemErrorKind::NotASwitch { key: "enable" }));
    }
    let mut next = enable.next_breakpoint(f64::NEG_INFINITY);
    let mut value = enable.at(if next.is_finite() { next.next_down() } else { 0.0 });
    for _ in 0..MAX_BREAKPOINTS {
        if value != 0.0 && value != 1.0 {
            let requirement = "1, which is on, or 0, which is off";
            return Err(problem(name, SystemErrorKind::InvalidValue { key: "enable", value, requirement }));
        }
        if !next.is_finite() {
            break;
        }
        value = enable.at(next);
        next = enable.next_breakpoint(next);
    }
    Ok(())
}

/// The law of a contact that is off: no force, in the layout of the law that it stands for. What has warmed up cools down.
pub(crate) struct OpenLaw {
    flows: Vec<bool>,
    guards: usize,
    heating: Option<Heating>,
}

impl OpenLaw {
    fn new(contact: &Contact) -> Self {
        let law = &contact.law;
        Self {
            flows: (0..law.len()).map(|i| law.flows(i)).collect(),
            guards: law.guard_count(),
            heating: contact.heating,
        }
    }
    /// Index of the temperature, if there is one, and the rate at which it falls [1/s].
    fn cooling(&self) -> Option<(usize, f64)> {
        let Heating { capacity, conductance, .. } = self.heating?;
        Some(((self.flows.len() - HEATING_STATES) + 1, conductance / capacity))
    }
}

impl DynLaw for OpenLaw {
    fn len(&self) -> usize {
        self.flows.len()
    }
    fn is_linear(&self) -> bool {
        self.flows.is_empty()
    }
    fn settles(&self) -> bool {
        true
    }
    fn guard_count(&self) -> usize {
        self.guards
    }
    fn force(&self, _: &[f64], _: &Input<f64>) -> f64 {
        0.0
    }
    fn rate(&self, z: &[f64], _: &Input<f64>, out: &mut [f64]) {
        out.fill(0.0);
        if let Some((i, rate)) = self.cooling() {
            out[i] = -rate * z[i];
        }
    }
    fn flows(&self, i: usize) -> bool {
        self.flows[i]
    }
    fn flow(&self, z: &[f64], u: &Input<f64>, rate: &mut [f64]) -> f64 {
        self.rate(z, u, rate);
        0.0
    }
    fn partials(&self, z: &[f64], _: &Input<f64>, which: &[usize], _: bool, rows: &mut [f64]) {
        rows.fill(0.0);
        let width = 3 + which.len();
        if let Some((i, rate)) = self.cooling()
            && let Some(k) = which.iter().position(|&own| own == i)
        {
            rows[(1 + k) * width] = -rate * z[i];
            rows[(1 + k) * width + 3 + k] = -rate;
        }
    }
    fn settled(&self, _: &Input<f64>, out: &mut [f64]) {
        out.fill(0.0);
    }
    fn steady(&self, _: &Input<f64>) -> f64 {
        0.0
    }
    fn step(&self, z: &mut [f64], _: &Input<f64>, dt: f64) {
        if let Some((i, rate)) = self.cooling() {
            z[i] *= (-rate * dt).exp();
        }
    }
    fn sample(&self, z: &mut [f64], u: &Input<f64>, dt: f64) -> f64 {
        self.step(z, u, dt);
        0.0
    }
    fn tangent(&self, _: &[f64], _: &Input<f64>, _: f64) -> [f64; 2] {
        [0.0; 2]
    }
    fn hold(&self, _: &[f64], _: &Input<f64>, _: f64) -> f64 {
        0.0
    }
    fn band(&self, _: &Input<f64>) -> f64 {
        0.0
    }
    fn guards(&self, _: &[f64], u: &Input<f64>, out: &mut [f64]) {
        out.fill(-1.0);
        if let Some(first) = out.first_mut() {
            *first = u.v;
        }
    }
    fn extremum(&self, _: &[f64]) -> f64 {
        0.0
    }
    fn slides(&self, _: &[f64]) -> f64 {
        0.0
    }
    fn jump(&self, _: &mut [f64], _: &Input<f64>) {}
    fn jump_along(&self, _: &[f64], _: &mut [f64], _: &Input<f64>, _: &Input<f64>, _: &[f64]) {}
    fn flow_by_parameters(&self, _: &[f64], _: &Input<f64>, _: &[f64], rate: &mut [f64]) -> f64 {
        rate.fill(0.0);
        0.0
    }
    fn parameters(&self, _: &mut [f64]) -> usize {
        0
    }
}
