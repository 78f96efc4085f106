//! One step: forces on the bodies, then Newton iterations until every contact is on its graph.
use super::newton::PENALTY_STIFFNESS;
use super::{Network, SlipEvent};
use crate::SimError;
use crate::sim::SimErrorKind;
use crate::sim::components::NormalLoad;
use std::ops::Range;

/// Most Newton iterations before sweeps are tried, and again after them.
const MAX_ITERATIONS: usize = 40;
/// Most successive halvings of a step.
const MAX_HALVINGS: u32 = 10;

impl Network<'_> {
    /// Advances by `h`. Returns the slip event that ended in this step, if any.
    ///
    /// # Errors
    /// [`SimError::Run`] if `h` is not positive, a state is not finite, or the contacts do not converge.
    pub fn step(&mut self, h: f64) -> Result<Option<SlipEvent>, SimError> {
        if h.is_nan() || h <= 0.0 || h == f64::INFINITY {
            return Err(self.error_now(SimErrorKind::InvalidOption { key: "step", value: h, requirement: "positive" }));
        }
        self.step_or_halve(h, 0)
    }
    fn step_or_halve(&mut self, h: f64, depth: u32) -> Result<Option<SlipEvent>, SimError> {
        match self.solve_step(h)? {
            None => Ok(self.commit(h)),
            Some(c) if depth == MAX_HALVINGS => {
                Err(self.error_now(SimErrorKind::Chatter { contact: self.net.contacts[c].name.to_owned() }))
            }
            Some(_) => {
                self.statistics.halved_steps += 1;
                let first = self.step_or_halve(0.5 * h, depth + 1)?;
                Ok(self.step_or_halve(0.5 * h, depth + 1)?.or(first))
            }
        }
    }
    /// Finds the velocities at the end; returns a contact that does not converge, if there is one.
    pub(super) fn solve_step(&mut self, h: f64) -> Result<Option<usize>, SimError> {
        self.statistics.steps += 1;
        self.sample_signals(h);
        if !self.select_window(h) {
            return Ok(None);
        }
        self.assemble(h);
        let contacts = self.contacts();
        self.prepare(contacts, h);
        self.assemble_rhs(self.window.clone(), h);
        let mut wrong = None;
        for round in 0..2 * MAX_ITERATIONS {
            if round == MAX_ITERATIONS {
                if !self.sweep(h) {
                    break;
                }
                self.statistics.sweeps += 1;
            }
            self.solve(h)?;
            wrong = self.update_contacts(h, round % MAX_ITERATIONS > MAX_ITERATIONS / 2);
            // a slip may affect bodies next to the window
            let wider = self.affected_window();
            if wrong.is_none() && wider == self.window {
                return Ok(None);
            }
            self.widen(wider, h);
        }
        Ok(wrong.or(Some(0)))
    }
    /// Samples the signals at the end of the step. The rate of a motion is its mean over the step, so that bodies that stick to
    /// it do not drift.
    fn sample_signals(&mut self, h: f64) {
        let (t, next, at) = (self.t, self.t + h, self.t + self.theta * h);
        for (signal, input) in self.net.signals.iter().zip(&mut self.inputs) {
            let ([x, v, a, _], [y, w, b, _]) = (signal.eval(t, t), signal.eval(next, next));
            let value = if self.theta == 1.0 { y } else { signal.at(at) };
            *input = [value, if v == w && a == 0.0 && b == 0.0 { w } else { (y - x) / h }];
        }
    }
    /// The matrix without friction: `M + h·θ·D + h²·θ²·K`.
    fn assemble(&mut self, h: f64) {
        if self.length == h && self.net.nonlinear_springs.is_empty() {
            return;
        }
        self.length = h;
        let part = self.theta * h;
        self.matrix.combine([(&self.net.damping, part), (&self.net.stiffness, part * part)]);
        for (i, m) in self.net.masses.iter().enumerate() {
            self.matrix.add(i, i, *m);
        }
        self.add_spring_tangents(part * part);
    }
    /// Adds the tangents of nonlinear springs.
    fn add_spring_tangents(&mut self, weight: f64) {
        for &k in &self.net.nonlinear_springs {
            let spring = &self.net.springs[k];
            let hard = spring.elastic(self.stretch(k)).1;
            for (a, (i, ci)) in spring.row.coordinates().enumerate() {
                for (j, cj) in spring.row.coordinates().take(a + 1) {
                    self.matrix.add(i, j, weight * hard * ci * cj);
                }
            }
        }
    }
    /// Stretch of a spring with the bodies at their present positions.
    pub(super) fn stretch(&self, k: usize) -> f64 {
        let row = &self.net.springs[k].row;
        let bodies: f64 = row.coordinates().map(|(i, c)| c * self.x[i]).sum();
        row.offset + bodies + row.m[..row.nm].iter().map(|&(k, c)| c * self.inputs[k][0]).sum::<f64>()
    }
    /// The right-hand side without friction, for these bodies.
    pub(super) fn assemble_rhs(&mut self, bodies: Range<usize>, h: f64) {
        let (n, late) = (self.net.n, 1.0 - self.theta);
        for i in bodies.clone() {
            let mut force = self.net.preload[i] - self.net.stiffness.row_times(i, &self.x, 0, n);
            for drive in &self.net.drives[self.net.from[i]..self.net.from[i + 1]] {
                let [value, speed] = self.inputs[drive.signal];
                force += drive.value * value + drive.speed * speed;
            }
            if late > 0.0 {
                force -= self.theta * h * late * self.net.stiffness.row_times(i, &self.v, 0, n);
                force -= late * self.net.damping.row_times(i, &self.v, 0, n);
            }
            self.right[i] = self.net.masses[i] * self.v[i] + h * force;
        }
        for &k in &self.net.nonlinear_springs {
            let spring = &self.net.springs[k];
            let (force, hard) = spring.elastic(self.stretch(k));
            let speed: f64 = spring.row.coordinates().map(|(i, c)| c * self.v[i]).sum();
            let force = force + self.theta * h * late * hard * speed;
            for (i, c) in spring.row.coordinates().filter(|(i, _)| bodies.contains(i)) {
                self.right[i] -= h * c * force;
            }
        }
    }
    /// Loads, limits and initial tangents of these contacts.
    pub(super) fn prepare(&mut self, contacts: Range<usize>, h: f64) {
        for c in contacts {
            let contact = &self.net.contacts[c];
            let (constant, eliminates_body, still) =
                (contact.has_constant_limits, contact.eliminates_body, contact.row.nm == 0);
            // the tangent of the previous step is still valid for a law with constant limits
            if constant && still && if self.points[c].held { eliminates_body } else { self.points[c].slope != 0.0 } {
                continue;
            }
            self.points[c].driven = contact.row.m[..contact.row.nm].iter().map(|&(k, c)| c * self.inputs[k][1]).sum();
            if !constant {
                self.update_load(c, self.t + h);
                self.update_limits(c, h);
            }
            if !self.points[c].held {
                self.tangent(c, self.points[c].speed, h);
            } else if !eliminates_body {
                self.points[c].slope = PENALTY_STIFFNESS * self.effective_impedance(c, h);
                self.points[c].speed = 0.0;
            }
        }
    }
    /// Updates the normal load to time `t`; that of a spring is taken at the start of the step.
    pub(super) fn update_load(&mut self, c: usize, t: f64) {
        self.points[c].load = match self.net.contacts[c].normal_load {
            NormalLoad::Constant(load) => load,
            NormalLoad::Signal(signal) => signal.at(t),
            NormalLoad::Spring(k, gain) => gain * self.net.springs[k].elastic(self.stretch(k)).0,
            NormalLoad::Control(_) => 1.0,
        };
    }
    /// Updates the force limits of a contact that rests for `h`.
    pub(super) fn update_limits(&mut self, c: usize, h: f64) {
        let (contact, rest) = (&self.net.contacts[c], self.input(c, 0.0));
        let z = &mut self.scratch[..contact.law.len()];
        z.copy_from_slice(&self.memory[contact.at..contact.at + contact.law.len()]);
        let middle = contact.law.sample(z, &rest, h);
        let [down, up] = [-1.0, 1.0].map(|dir| contact.law.hold(z, &rest, dir));
        (self.points[c].low, self.points[c].high) = (middle - down, middle + up);
    }
}
