//! The right-hand side of the equations of motion between events.
use super::components::{Components, ConstraintRow, ContactMode, ContactState, NormalLoad, SpringState, StopMode};
use super::groups::RigidGroups;
use super::jacobian::Gradient;
use super::linear_part::LinearPart;
use super::modes::ConstraintForces;
use super::spring_state::SpringForce;
use super::taylor::TaylorStepper;
use crate::system::{Dynamics, Plant, Signal, SignalDerivatives, System};

/// A speed that carries only a sign [m/s]: far below any physical speed, and far above underflow when multiplied.
pub(super) const TINY: f64 = 1e-200;
/// Forces, accelerations, load factors and guards up to this size come only from evaluating a law at ±[`TINY`] and count as zero: the
/// square root of it, so that no slope below the inverse of this makes more of it.
pub(super) const NEGLIGIBLE: f64 = 1e-100;

/// The equations of motion in the present modes of contacts and stops.
pub(super) struct Flow<'s> {
    pub components: Components<'s>,
    pub groups: RigidGroups,
    pub(super) plants: Vec<(Plant, usize)>,
    pub(super) dynamics: Vec<Dynamics>,
    /// Start of the step: signals are continued from the piece that holds there.
    pub from: f64,
    /// Relative tolerance of the velocities.
    pub rtol: f64,
    pub motions: Vec<SignalDerivatives>,
    /// Generalised forces without constraint forces, and accelerations.
    pub force: Vec<f64>,
    pub(super) force_by_t: Vec<f64>,
    pub acceleration: Vec<f64>,
    pub evaluations: u64,
    /// Whether the next evaluation also differentiates the contact laws.
    pub(super) differentiates: bool,
    pub(super) gradient: Gradient,
    pub(super) rows: Vec<f64>,
    pub constraint_forces: ConstraintForces,
    /// The complementarity problem had no solution.
    pub no_stick_slip_solution: bool,
    pub linear_part: LinearPart,
    pub taylor: TaylorStepper,
}

/// Indices of the three powers: work done on the system, friction, damping.
pub(super) const WORK: usize = 0;
pub(super) const FRICTION: usize = 1;
pub(super) const DAMPING: usize = 2;

impl<'s> Flow<'s> {
    pub fn new(system: &'s System) -> Self {
        let components = Components::new(system);
        let n = components.n;
        let plants: Vec<_> = system.plants.iter().map(|&(_, plant, first)| (plant, first)).collect();
        Self {
            groups: RigidGroups::new(n),
            dynamics: vec![Dynamics::default(); plants.len()],
            plants,
            from: 0.0,
            rtol: 0.0,
            motions: vec![[0.0; 4]; components.motions.len()],
            force: vec![0.0; n],
            force_by_t: vec![0.0; n],
            acceleration: vec![0.0; n],
            evaluations: 0,
            differentiates: false,
            gradient: Gradient::default(),
            rows: Vec::new(),
            constraint_forces: ConstraintForces::default(),
            no_stick_slip_solution: false,
            linear_part: LinearPart::default(),
            taylor: TaylorStepper::default(),
            components,
        }
    }
    /// Length of the state vector.
    pub fn len(&self) -> usize {
        self.components.n + self.components.nu + 3
    }
    /// Half bandwidth of the Jacobian, if a banded matrix pays off.
    pub fn band(&self) -> Option<usize> {
        let Components { nu, springs, contacts, controllers, .. } = &self.components;
        // the speed of a contact between bodies is one variable in steps in its logarithm, which couples their neighbours
        let has_gears = !self.components.lossy_gears.is_empty();
        let coupled = contacts.iter().any(|contact| contact.singular_at_rest && contact.row.nq > 1);
        if *nu < 24 || !self.plants.is_empty() || !controllers.is_empty() || coupled || has_gears {
            return None;
        }
        let mut band = 0;
        let mut span = |places: &[usize]| {
            if let (Some(lo), Some(hi)) = (places.iter().min(), places.iter().max()) {
                band = band.max(hi - lo);
            }
        };
        for SpringState { row, error_row, .. } in springs {
            let mut places = row.v[..row.nq].to_vec();
            places.extend(&error_row.v[..error_row.nq]);
            span(&places);
        }
        for contact in contacts {
            let mut places = contact.row.v[..contact.row.nq].to_vec();
            if !contact.which.is_empty() {
                places.extend([contact.at, contact.at + contact.which.len() - 1]);
            }
            if let NormalLoad::Spring(k, _) = contact.normal_load {
                let SpringState { row, error_row, .. } = &springs[k];
                places.extend(row.v[..row.nq].iter().chain(&error_row.v[..error_row.nq]));
            }
            span(&places);
        }
        (3 * band + 1 < *nu).then_some(band)
    }
    /// Forms rigid groups of the bodies that stick together or to the ground, and of those in contact with stops; updates all that
    /// depends on modes.
    pub fn regroup(&mut self) {
        self.form_groups();
        self.update_linear_part();
    }
    /// The groups and constraints alone, for the right-hand side in modes that are still to be decided.
    pub(super) fn form_groups(&mut self) {
        self.groups.reset();
        self.hold_gears();
        for contact in &self.components.contacts {
            if contact.sticks_by_itself() {
                self.groups.hold(&contact.row);
            }
        }
        for stop in &self.components.stops {
            if stop.mode != StopMode::Free {
                self.groups.hold(&stop.row);
            }
        }
        self.groups.settle(&self.components.masses, !self.plants.is_empty());
        self.constraint_forces.note(&self.components);
    }
    pub fn has_plants(&self) -> bool {
        !self.plants.is_empty()
    }
    #[inline(always)]
    pub fn set_motions(&mut self, t: f64) {
        let from = self.from;
        for (jet, signal) in self.motions.iter_mut().zip(&self.components.motions) {
            match signal {
                // at rest or at constant velocity only the values that change are written
                Signal::Constant(x) => jet[0] = *x,
                Signal::Ramp { offset, slope, start, end } if from >= *start && from < *end => {
                    jet[0] = offset + slope * (t - start);
                    jet[1] = *slope;
                }
                _ => *jet = signal.eval(t, from),
            }
        }
    }
    /// Computes mass matrices and bias forces of the plants; the latter are added to `force`.
    pub(super) fn set_plants(&mut self, y: &[f64]) {
        if self.plants.is_empty() {
            return;
        }
        for (k, &(plant, first)) in self.plants.iter().enumerate() {
            let count = plant.axes().len();
            let v = &y[self.components.vi[first]..];
            // the two velocities of a plant are not adjacent if contacts act on its first coordinate
            let v = [v[0], y[self.components.vi[first + count - 1]]];
            self.dynamics[k] = plant.dynamics(&y[first..first + count], &v[..count]);
            for i in 0..count {
                self.force[first + i] -= self.dynamics[k].bias[i];
            }
        }
        let (plants, dynamics, masses) = (&self.plants, &self.dynamics, &self.components.masses);
        let mass = |i: usize, j: usize| entry(plants, dynamics, masses, i, j);
        // a singular matrix keeps its last inverse; a run that starts with one is refused
        self.groups.invert(mass);
    }
    /// Entry of the mass matrix.
    pub fn mass(&self, i: usize, j: usize) -> f64 {
        entry(&self.plants, &self.dynamics, &self.components.masses, i, j)
    }
    /// Accelerations from forces.
    fn accelerate(&mut self) {
        let RigidGroups { inverse, full, is_full, driven, .. } = &self.groups;
        let n = self.components.n;
        if *is_full {
            if !driven.is_empty() && !self.plants.is_empty() {
                // the inertia force of a driven coordinate on the other coordinates of its plant
                for &(j, k, factor) in driven {
                    for i in 0..n {
                        self.force[i] -= if i == j {
                            0.0
                        } else {
                            entry(&self.plants, &self.dynamics, &self.components.masses, i, j)
                                * factor
                                * self.motions[k][2]
                        };
                    }
                }
            }
            for i in 0..n {
                self.acceleration[i] = (0..n).map(|j| full[i * n + j] * self.force[j]).sum();
            }
        } else {
            for ((a, by), force) in self.acceleration.iter_mut().zip(inverse).zip(&self.force) {
                *a = by * force;
            }
        }
        for &(i, k, factor) in driven {
            self.acceleration[i] = factor * self.motions[k][2];
        }
    }
    /// Rates of the whole state vector with the energies; updates contact states, loads, forces and accelerations.
    pub fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        let mut power = [0.0; 4];
        self.rates(t, y, dy, &mut power);
        self.components.contacts.iter_mut().for_each(|contact| contact.load_memory(y));
        let at = self.components.n + self.components.nu;
        dy[at..at + 3].copy_from_slice(&power[..3]);
    }
    /// Updates what a row of the trace shows beside the state: motions, forces of springs, signals and controllers, loads,
    /// contact states, and the constraint forces. `dy` is scratch space.
    pub fn observe(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        if self.constraint_forces.any() || !self.components.lossy_gears.is_empty() {
            self.rhs(t, y, dy);
            self.solve_constraint_forces();
            self.share_torques_at_rest();
            return;
        }
        self.set_motions(t);
        let Self {
            components: Components { springs, contacts, applied_forces, controllers, .. }, motions, from, ..
        } = self;
        for applied in applied_forces.iter_mut() {
            applied.force = applied.signal.value(t, *from);
        }
        for spring in springs.iter_mut() {
            let v = if spring.parameters.damping == 0.0 { 0.0 } else { spring.v(y, motions) };
            spring.force = spring.at(spring.x(y, motions), v).total;
        }
        for controller in controllers.iter_mut() {
            controller.act(t, *from, y, motions, dy);
        }
        for contact in contacts.iter_mut() {
            contact.load[0] = contact.normal_load.at(t, *from, springs, controllers);
            contact.load_memory(y);
        }
    }
    /// Rates of all states but the energies, and the three powers. Contact states are updated only where they are not read
    /// directly from the state vector.
    pub fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64], powers: &mut [f64; 4]) {
        self.evaluations += 1;
        self.set_motions(t);
        let Self {
            components: Components { springs, contacts, applied_forces, controllers, vi, .. },
            motions,
            force,
            from,
            differentiates,
            ..
        } = self;
        for (i, &v) in vi.iter().enumerate() {
            dy[i] = y[v];
            force[i] = 0.0;
        }
        let mut power = [0.0; 3];
        for spring in springs.iter_mut() {
            let v = if spring.parameters.damping == 0.0 { 0.0 } else { spring.v(y, motions) };
            let SpringForce { total: f, damping, .. } = spring.at(spring.x(y, motions), v);
            power[DAMPING] += damping * v;
            spring.force = f;
            spring.subtract_force(f, y, motions, force);
            if spring.row.nm > 0 {
                power[WORK] += f * spring.driven_speed(y, motions);
            }
        }
        for applied in applied_forces.iter_mut() {
            let f = applied.signal.value(t, *from);
            applied.force = f;
            applied.row.subtract_force(-f, force);
            power[WORK] += f * applied.row.own_speed(y);
        }
        for controller in controllers.iter_mut() {
            controller.act(t, *from, y, motions, dy);
            if let Some(row) = &controller.on {
                row.subtract_force(-controller.output, force);
                power[WORK] += controller.output * row.own_speed(y);
            }
        }
        for contact in contacts.iter_mut() {
            contact.load[0] = contact.normal_load.at(t, *from, springs, controllers);
            let (v, f) = match contact.mode {
                ContactMode::Slip(side) => {
                    let v = contact.known_speed(contact.row.v(y, motions));
                    let f = if *differentiates {
                        contact.differentiate(Some(side), v, y, dy)
                    } else {
                        contact.slide(side, v, y, dy)
                    };
                    (v, f)
                }
                ContactMode::Stuck | ContactMode::Pinned(_) => {
                    if *differentiates && !contact.which.is_empty() {
                        contact.differentiate(None, 0.0, y, dy);
                    }
                    contact.rest(y, dy);
                    match contact.mode {
                        ContactMode::Pinned(side) => (0.0, contact.pinned_force(side)),
                        _ => (0.0, 0.0),
                    }
                }
            };
            contact.force = f;
            if f != 0.0 {
                contact.row.subtract_force(f, force);
                power[FRICTION] += f * v;
                if contact.row.nm > 0 {
                    power[WORK] += f * contact.row.driven(motions, 1);
                }
            }
        }
        if self.groups.is_simple {
            for (i, &v) in self.components.vi.iter().enumerate() {
                let a = self.groups.inverse[i] * self.force[i];
                self.acceleration[i] = a;
                dy[v] = a;
            }
        } else {
            self.set_plants(y);
            self.accelerate();
            self.turn_gears(y, &mut power);
            for (&a, &v) in self.acceleration.iter().zip(&self.components.vi) {
                dy[v] = a;
            }
            for &(i, k, factor) in &self.groups.driven {
                power[WORK] += factor * self.motions[k][1] * self.reaction(i);
            }
        }
        let [work, friction, damping] = power;
        *powers = [work, friction, damping, 0.0];
    }
    /// Rate of the sliding velocity of contact `c`, from the accelerations of the last [`Flow::rhs`].
    pub fn sliding_acceleration(&self, c: usize) -> f64 {
        let row = &self.components.contacts[c].row;
        let own: f64 = row.coordinates().map(|(i, c)| c * self.acceleration[i]).sum();
        own + row.driven(&self.motions, 2)
    }
    /// Whether a force does work and moves nothing: that of a contact which slides, or of a spring, between surfaces that all are at rest or follow
    /// prescribed motions, or what carries a body along with a motion. No state but the energies shows the error of such a force.
    pub fn has_unfelt_power(&self) -> bool {
        let unfelt = |row: &ConstraintRow| row.coordinates().all(|(i, _)| self.groups.is_held(i));
        let slides = |contact: &ContactState<'_>| matches!(contact.mode, ContactMode::Slip(_)) && unfelt(&contact.row);
        !self.groups.driven.is_empty()
            || self.components.contacts.iter().any(slides)
            || self.components.springs.iter().any(|spring| unfelt(&spring.row))
    }
    /// Sum of the sizes of all forces, and of those that carry bodies along with prescribed motions, in the latest evaluation [N or N·m]: times an
    /// error of positions the error that it leaves in an energy.
    pub fn force_size(&self) -> f64 {
        let Components { springs, contacts, applied_forces, controllers, .. } = &self.components;
        let contacts: f64 = contacts.iter().map(|contact| contact.force.abs()).sum();
        let springs: f64 = springs.iter().map(|spring| spring.force.abs()).sum();
        let applied: f64 = applied_forces.iter().map(|applied| applied.force.abs()).sum();
        let outputs: f64 = controllers.iter().filter(|one| one.on.is_some()).map(|one| one.output.abs()).sum();
        let carried: f64 = self.groups.driven.iter().map(|&(i, _, factor)| (factor * self.reaction(i)).abs()).sum();
        contacts + springs + applied + outputs + carried
    }
    /// Constraint force on coordinate `i`: inertia force less the applied forces.
    pub fn reaction(&self, i: usize) -> f64 {
        if self.plants.is_empty() {
            return self.components.masses[i] * self.acceleration[i] - self.force[i];
        }
        let inertia: f64 = (0..self.components.n).map(|j| self.mass(i, j) * self.acceleration[j]).sum();
        // `force` already contains the inertia forces of driven coordinates
        let pulled: f64 = self
            .groups
            .driven
            .iter()
            .map(|&(j, k, f)| if i == j { 0.0 } else { self.mass(i, j) * f * self.motions[k][2] })
            .sum();
        inertia - self.force[i] - pulled
    }
    /// Kinetic and potential energy \[J\].
    pub fn energy(&mut self, t: f64, y: &[f64]) -> f64 {
        self.set_motions(t);
        self.force.fill(0.0);
        self.set_plants(y);
        let vi = &self.components.vi;
        let springs: f64 = self.components.springs.iter().map(|s| s.energy(s.x(y, &self.motions))).sum();
        let moving: f64 = if self.plants.is_empty() {
            self.components.masses.iter().zip(vi).map(|(m, &v)| 0.5 * m * y[v] * y[v]).sum()
        } else {
            let n = self.components.n;
            (0..n * n).map(|k| 0.5 * y[vi[k / n]] * self.mass(k / n, k % n) * y[vi[k % n]]).sum()
        };
        springs + moving + self.dynamics.iter().map(|d| d.potential).sum::<f64>()
    }
}

/// Entry of the mass matrix.
fn entry(plants: &[(Plant, usize)], dynamics: &[Dynamics], masses: &[f64], i: usize, j: usize) -> f64 {
    for ((plant, first), d) in plants.iter().zip(dynamics) {
        let range = *first..first + plant.axes().len();
        if range.contains(&i) && range.contains(&j) {
            return d.mass[i - first][j - first];
        }
    }
    if i == j { masses[i] } else { 0.0 }
}
