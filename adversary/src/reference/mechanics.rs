//! The equations of motion of a model between events.
use super::constraint_row::ConstraintRow;
use super::elements::{ContactElement, ContactMode, ControlElement, SpringElement, StopElement, StopMode};
use super::linear::solve;
use super::signal::derivatives;
use crate::model::{Control, Load, Signal};
use stiction::core::Input;

/// A compiled model.
pub struct Mechanics {
    pub n: usize,
    pub inertia: Vec<f64>,
    /// Position of each body where the coordinates are zero, and its coordinate and scale.
    pub bodies: Vec<(usize, f64, f64)>,
    pub(super) weights: Vec<(usize, f64)>,
    pub springs: Vec<SpringElement>,
    pub contacts: Vec<ContactElement>,
    pub stops: Vec<StopElement>,
    pub(super) forces: Vec<(usize, Signal)>,
    pub controls: Vec<ControlElement>,
    pub(super) signals: Vec<Signal>,
    pub len: usize,
    /// Length of the run.
    pub span: f64,
    /// An instant within the present smooth piece of all signals.
    pub piece: f64,
    /// Rate at which memories that change are led astray, over their size.
    pub memory_drift: f64,
    pub contact_modes: Vec<ContactMode>,
    pub stop_modes: Vec<StopMode>,
    // results of the last evaluation
    pub motions: Vec<[f64; 3]>,
    pub acceleration: Vec<f64>,
    /// Largest acceleration of every coordinate so far, without the forces of constraints.
    pub top_acceleration: Vec<f64>,
    pub spring_forces: Vec<f64>,
    pub loads: Vec<f64>,
    /// Constraint forces of contacts and stops, zero where there is none.
    pub reactions: Vec<f64>,
    pub(super) outputs: Vec<f64>,
    pub(super) references: Vec<f64>,
    pub dy: Vec<f64>,
    pub(super) rates: Vec<f64>,
}

/// Speed in the direction of sliding at which a law is evaluated at rest.
const TINY: f64 = 1e-200;

impl Mechanics {
    /// The velocity of contact `c` as its law sees it.
    pub fn law_velocity(&self, c: usize, y: &[f64]) -> f64 {
        match self.contact_modes[c] {
            ContactMode::Slides(side) => {
                let v = self.contacts[c].row.v(&y[self.n..2 * self.n], &self.motions);
                let still = self.contacts[c].row.coordinates.is_empty()
                    && v == 0.0
                    && self.contacts[c].row.driven(&self.motions, 2) == 0.0;
                if still { 0.0 } else { side * (side * v).max(TINY) }
            }
            _ => 0.0,
        }
    }
    /// Input of the law of contact `c`; loads and motions are those of the last evaluation.
    pub fn input(&self, c: usize, y: &[f64]) -> Input<f64> {
        Input { v: self.law_velocity(c, y), load: self.loads[c] }
    }
    /// The limits of the force of contact `c` at rest.
    pub fn limits(&self, c: usize, y: &[f64]) -> [f64; 2] {
        let contact = &self.contacts[c];
        let (z, u) = (&y[contact.at..contact.at + contact.len], Input { v: 0.0, load: self.loads[c] });
        let middle = contact.law.force(z, &u);
        let warm = contact.warm(y);
        [middle - contact.law.hold(z, &u, -1.0), middle + contact.law.hold(z, &u, 1.0)].map(|force| warm * force)
    }
    fn set_springs(&mut self, y: &[f64]) {
        for (spring, force) in self.springs.iter().zip(&mut self.spring_forces) {
            let [x, v] = spring.stretch(&y[..self.n], &y[self.n..2 * self.n], &self.motions);
            *force = spring.force(x, v);
        }
    }
    /// Evaluates the motions, springs, loads and controllers at an instant.
    pub fn set_instant(&mut self, t: f64, y: &[f64]) {
        for (motion, signal) in self.motions.iter_mut().zip(&self.signals) {
            *motion = derivatives(signal, t, self.piece);
        }
        self.set_springs(y);
        for (contact, load) in self.contacts.iter().zip(&mut self.loads) {
            *load = match &contact.load {
                Load::Nominal => 1.0,
                Load::Signal(signal) => derivatives(signal, t, self.piece)[0],
                Load::Spring(spring, gain) => gain * self.spring_forces[*spring],
            };
        }
        for (k, element) in self.controls.iter().enumerate() {
            self.references[k] = derivatives(&element.control.reference, t, self.piece)[0];
            let limit = element.control.limit;
            let sampled = element.control.period.is_some();
            self.outputs[k] = if sampled { element.held } else { self.unlimited_output(k, y).clamp(-limit, limit) };
        }
    }
    /// The output of continuous controller `k` before it is limited.
    pub fn unlimited_output(&self, k: usize, y: &[f64]) -> f64 {
        let element = &self.controls[k];
        let error = self.references[k] - element.row.x(&y[..self.n], &self.motions);
        let v = element.row.v(&y[self.n..2 * self.n], &self.motions);
        let Control { gains, ki, .. } = &element.control;
        gains[0] * error - gains[1] * v + ki * y[element.at]
    }
    /// Lets the sampled controllers that are due at `t` act.
    pub fn sample(&mut self, t: f64, start: f64, y: &[f64]) {
        for element in &mut self.controls {
            let Control { gains, ki, reference, limit, period, .. } = &element.control;
            let Some(period) = period else { continue };
            if start + element.count as f64 * period > t + 1e-9 * period {
                continue;
            }
            let error = derivatives(reference, t, t)[0] - element.row.x(&y[..self.n], &self.motions);
            let v = element.row.v(&y[self.n..2 * self.n], &self.motions);
            element.held = (gains[0] * error - gains[1] * v + ki * element.integral).clamp(-limit, *limit);
            element.integral += error * period;
            element.count += 1;
        }
    }
    /// Evaluates the right-hand side in the present modes. `without`: leave out the forces of what holds.
    pub fn evaluate(&mut self, t: f64, y: &[f64], without: bool) {
        self.set_instant(t, y);
        let n = self.n;
        let mut force = std::mem::take(&mut self.acceleration);
        force.fill(0.0);
        for (on, signal) in &self.forces {
            let (c, scale, _) = self.bodies[*on];
            force[c] += scale * derivatives(signal, t, self.piece)[0];
        }
        for ((c, weight), (_, scale, start)) in self.weights.iter().zip(&self.bodies) {
            if *weight != 0.0 {
                force[*c] -= scale * weight * (start + scale * y[*c]).sin();
            }
        }
        for (spring, f) in self.springs.iter().zip(&self.spring_forces) {
            spring.row.coordinates.iter().for_each(|(i, c)| force[*i] -= c * f);
            if let Some(error) = &spring.error {
                force[error.coordinate] += error.at(&y[..n])[1] * f;
            }
        }
        for (element, u) in self.controls.iter().zip(&self.outputs) {
            element.row.coordinates.iter().for_each(|(i, c)| force[*i] += c * u);
        }
        let mut rates = std::mem::take(&mut self.rates);
        for c in 0..self.contacts.len() {
            let u = self.input(c, y);
            let contact = &self.contacts[c];
            let f = contact.law.flow(&y[contact.at..contact.at + contact.len], &u, &mut rates[..contact.len]);
            let f = match self.contact_modes[c] {
                ContactMode::Slides(_) => contact.warm(y) * f,
                ContactMode::Holds => 0.0,
                ContactMode::Pinned(side) => self.limits(c, y)[usize::from(side > 0.0)],
            };
            let contact = &self.contacts[c];
            contact.row.coordinates.iter().for_each(|(i, x)| force[*i] -= x * f);
            let memory = contact.at..contact.at + contact.len;
            for (i, rate) in memory.zip(&rates) {
                self.dy[i] = if *rate == 0.0 { 0.0 } else { rate + self.memory_drift * y[i].abs() };
            }
            if let Some((at, [capacity, conductance, _])) = contact.heating {
                // what rests has no power, whatever its force
                let power = f * contact.row.v(&y[n..2 * n], &self.motions);
                let power = if matches!(self.contact_modes[c], ContactMode::Slides(_)) { power } else { 0.0 };
                self.dy[at] = (power - conductance * y[at]) / capacity;
            }
        }
        self.rates = rates;
        force.iter_mut().zip(&self.inertia).for_each(|(force, m)| *force /= m);
        self.top_acceleration.iter_mut().zip(&force).for_each(|(top, a)| *top = top.max(a.abs()));
        self.acceleration = force;
        self.reactions.fill(0.0);
        if !without {
            self.constrain();
        }
        for (element, reference) in self.controls.iter().zip(&self.references) {
            self.dy[element.at] = reference - element.row.x(&y[..n], &self.motions);
        }
        self.dy[..n].copy_from_slice(&y[n..2 * n]);
        self.dy[n..2 * n].copy_from_slice(&self.acceleration);
    }
    /// The constraints that hold: indices of contacts, then of stops after them.
    pub fn held(&self) -> Vec<usize> {
        let contacts = self.contact_modes.iter().enumerate().filter(|(_, mode)| **mode == ContactMode::Holds);
        let stops = self.stop_modes.iter().enumerate().filter(|(_, mode)| **mode != StopMode::Open);
        let all: Vec<usize> = contacts.map(|(i, _)| i).chain(stops.map(|(i, _)| self.contacts.len() + i)).collect();
        all.into_iter().filter(|&i| !self.row(i).coordinates.is_empty()).collect()
    }
    /// The row of a contact, or of a stop after the contacts.
    pub fn row(&self, i: usize) -> &ConstraintRow {
        match self.contacts.get(i) {
            Some(contact) => &contact.row,
            None => &self.stops[i - self.contacts.len()].row,
        }
    }
    /// The matrix `J M⁻¹ Jᵀ` of these constraints.
    pub fn mobility(&self, which: &[usize]) -> Vec<Vec<f64>> {
        let entry = |a: usize, b: usize| {
            let (a, b) = (self.row(a), self.row(b));
            let pairs = a.coordinates.iter().flat_map(|x| b.coordinates.iter().map(move |y| (x, y)));
            pairs.filter(|(x, y)| x.0 == y.0).map(|(x, y)| x.1 * y.1 / self.inertia[x.0]).sum()
        };
        which.iter().map(|&a| which.iter().map(|&b| entry(a, b)).collect()).collect()
    }
    /// The accelerations of these constraints' displacements.
    pub fn row_accelerations(&self, which: &[usize]) -> Vec<f64> {
        let of = |row: &ConstraintRow| row.linear(&self.acceleration) + row.driven(&self.motions, 2);
        which.iter().map(|&i| of(self.row(i))).collect()
    }
    /// Adds the forces that keep the held constraints from accelerating.
    fn constrain(&mut self) {
        let held = self.held();
        if held.is_empty() {
            return;
        }
        let b = self.row_accelerations(&held);
        let Some(forces) = solve(&self.mobility(&held), &b, false) else { return };
        for (&i, force) in held.iter().zip(forces) {
            self.reactions[i] = force;
            for (k, c) in self.row(i).coordinates.clone() {
                self.acceleration[k] -= c * force / self.inertia[k];
            }
        }
        // what is held and accelerates by no more than the rounding of its forces stands still, for any time
        for &i in &held {
            for (k, _) in self.row(i).coordinates.clone() {
                if self.acceleration[k].abs() < 1e-13 * self.top_acceleration[k] {
                    self.acceleration[k] = 0.0;
                }
            }
        }
    }
    /// Changes velocities by impulses along these rows so that each row's velocity changes by this much.
    pub fn change_velocities(&self, y: &mut [f64], which: &[usize], change: &[f64]) {
        let Some(impulses) = solve(&self.mobility(which), change, false) else { return };
        self.apply_impulses(y, which, &impulses);
    }
    /// Changes positions, heavy bodies least, so that each row's displacement changes by this much.
    pub fn change_positions(&self, y: &mut [f64], which: &[usize], change: &[f64]) {
        let Some(shifts) = solve(&self.mobility(which), change, false) else { return };
        for (&i, p) in which.iter().zip(&shifts) {
            for (k, c) in &self.row(i).coordinates {
                y[*k] += c * p / self.inertia[*k];
            }
        }
    }
    pub fn apply_impulses(&self, y: &mut [f64], which: &[usize], impulses: &[f64]) {
        for (&i, p) in which.iter().zip(impulses) {
            for (k, c) in &self.row(i).coordinates {
                y[self.n + k] += c * p / self.inertia[*k];
            }
        }
    }
}

/// Which smooth piece of the force of spring `s` holds in a state, for events at its kinks: a line of its table; or the gap, one of
/// its surfaces, and there whether the damping force is limited.
pub fn spring_piece(mechanics: &Mechanics, s: usize, y: &[f64]) -> usize {
    let spring = &mechanics.springs[s];
    let x = spring.row.x(&y[..mechanics.n], &mechanics.motions) - spring.rest;
    if spring.gap.is_some() {
        let (press, v) =
            (spring.stiffness * spring.depth(x), spring.row.v(&y[mechanics.n..2 * mechanics.n], &mechanics.motions));
        let damping = spring.damping * v;
        let limited = if damping > press.abs() { 2 } else { usize::from(damping < -press.abs()) };
        return if press == 0.0 { 0 } else { 1 + 3 * usize::from(press > 0.0) + limited };
    }
    spring.table.iter().position(|point| x < point[0]).unwrap_or(spring.table.len())
}
