//! One step: what acts on the bodies, then rounds until every contact lies on its graph.
use super::rounds::HARD;
use super::{Network, SlipEvent};
use crate::SimError;
use crate::sim::SimErrorKind;
use crate::sim::parts::Weight;
use std::ops::Range;

/// Rounds before sweeps are tried, and after.
const ROUNDS: usize = 40;
/// How often a step may be halved.
const HALVES: u32 = 10;

impl Network<'_> {
    /// Advances by `h`. Returns the quake that ended in this step, if one did.
    ///
    /// # Errors
    /// [`SimError::Run`] if `h` is not positive, a number grows beyond all bounds, or the contacts do not settle.
    pub fn step(&mut self, h: f64) -> Result<Option<SlipEvent>, SimError> {
        if h.is_nan() || h <= 0.0 || h == f64::INFINITY {
            return Err(self.trouble(SimErrorKind::InvalidOption { key: "step", value: h, requirement: "positive" }));
        }
        self.halve(h, 0)
    }
    fn halve(&mut self, h: f64, depth: u32) -> Result<Option<SlipEvent>, SimError> {
        match self.attempt(h)? {
            None => Ok(self.commit(h)),
            Some(c) if depth == HALVES => {
                Err(self.trouble(SimErrorKind::Chatter { contact: self.net.rubs[c].name.to_owned() }))
            }
            Some(_) => {
                self.cost.halves += 1;
                let first = self.halve(0.5 * h, depth + 1)?;
                Ok(self.halve(0.5 * h, depth + 1)?.or(first))
            }
        }
    }
    /// Finds the velocities at the end; returns a contact that does not settle, if there is one.
    pub(super) fn attempt(&mut self, h: f64) -> Result<Option<usize>, SimError> {
        self.cost.steps += 1;
        self.receive(h);
        if !self.wake(h) {
            return Ok(None);
        }
        self.assemble(h);
        let contacts = self.contacts();
        self.prepare(contacts, h);
        self.aim(self.window.clone(), h);
        let mut wrong = None;
        for round in 0..2 * ROUNDS {
            if round == ROUNDS {
                if !self.sweep(h) {
                    break;
                }
                self.cost.sweeps += 1;
            }
            self.solve(h)?;
            wrong = self.judge(h, round % ROUNDS > ROUNDS / 2);
            // a neighbour of what is computed may feel the slip now
            let wider = self.reach();
            if wrong.is_none() && wider == self.window {
                return Ok(None);
            }
            self.widen(wider, h);
        }
        Ok(wrong.or(Some(0)))
    }
    /// Values and speeds of the signals at the end of the step. A motion's speed is its mean over the step, so that what
    /// rides on it does not drift.
    fn receive(&mut self, h: f64) {
        let (t, next, at) = (self.t, self.t + h, self.t + self.theta * h);
        for (signal, input) in self.net.signals.iter().zip(&mut self.inputs) {
            let ([x, v, a, _], [y, w, b, _]) = (signal.eval(t, t), signal.eval(next, next));
            let value = if self.theta == 1.0 { y } else { signal.at(at) };
            *input = [value, if v == w && a == 0.0 && b == 0.0 { w } else { (y - x) / h }];
        }
    }
    /// The matrix without friction: `M + h·θ·D + h²·θ²·K`.
    fn assemble(&mut self, h: f64) {
        if self.length == h && self.net.bent.is_empty() {
            return;
        }
        self.length = h;
        let part = self.theta * h;
        self.matrix.combine([(&self.net.damping, part), (&self.net.stiffness, part * part)]);
        for (i, m) in self.net.masses.iter().enumerate() {
            self.matrix.add(i, i, *m);
        }
        self.bend(part * part);
    }
    /// The tangents of springs with a curve.
    fn bend(&mut self, weight: f64) {
        for &k in &self.net.bent {
            let spring = &self.net.springs[k];
            let hard = spring.pull(self.stretch(k)).1;
            for (a, (i, ci)) in spring.row.coordinates().enumerate() {
                for (j, cj) in spring.row.coordinates().take(a + 1) {
                    self.matrix.add(i, j, weight * hard * ci * cj);
                }
            }
        }
    }
    /// Stretch of a spring if the bodies stay where they are.
    pub(super) fn stretch(&self, k: usize) -> f64 {
        let row = &self.net.springs[k].row;
        let bodies: f64 = row.coordinates().map(|(i, c)| c * self.x[i]).sum();
        row.offset + bodies + row.m[..row.nm].iter().map(|&(k, c)| c * self.inputs[k][0]).sum::<f64>()
    }
    /// The right side without friction, for these bodies.
    pub(super) fn aim(&mut self, bodies: Range<usize>, h: f64) {
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
        for &k in &self.net.bent {
            let spring = &self.net.springs[k];
            let (force, hard) = spring.pull(self.stretch(k));
            let speed: f64 = spring.row.coordinates().map(|(i, c)| c * self.v[i]).sum();
            let force = force + self.theta * h * late * hard * speed;
            for (i, c) in spring.row.coordinates().filter(|(i, _)| bodies.contains(i)) {
                self.right[i] -= h * c * force;
            }
        }
    }
    /// Loads, limits and the first tangents of these contacts.
    pub(super) fn prepare(&mut self, contacts: Range<usize>, h: f64) {
        for c in contacts {
            let rub = &self.net.rubs[c];
            let (plain, firm, still) = (rub.plain, rub.firm, rub.row.nm == 0);
            // the tangent of the step before still holds for a plain law
            if plain && still && if self.points[c].held { firm } else { self.points[c].slope != 0.0 } {
                continue;
            }
            self.points[c].driven = rub.row.m[..rub.row.nm].iter().map(|&(k, c)| c * self.inputs[k][1]).sum();
            if !plain {
                self.weigh(c, self.t + h);
                self.limit(c, h);
            }
            if !self.points[c].held {
                self.tangent(c, self.points[c].speed, h);
            } else if !firm {
                self.points[c].slope = HARD * self.feels(c, h);
                self.points[c].speed = 0.0;
            }
        }
    }
    /// Normal load at time `t`; that of a spring at the beginning of the step.
    pub(super) fn weigh(&mut self, c: usize, t: f64) {
        self.points[c].load = match self.net.rubs[c].weight {
            Weight::Constant(load) => load,
            Weight::Signal(signal) => signal.at(t),
            Weight::Spring(k, gain) => gain * self.net.springs[k].pull(self.stretch(k)).0,
            Weight::Control(_) => 1.0,
        };
    }
    /// The set of forces of a contact that rests for `h`.
    pub(super) fn limit(&mut self, c: usize, h: f64) {
        let (rub, rest) = (&self.net.rubs[c], self.input(c, 0.0));
        let z = &mut self.scratch[..rub.law.len()];
        z.copy_from_slice(&self.memory[rub.at..rub.at + rub.law.len()]);
        let middle = rub.law.sample(z, &rest, h);
        let [down, up] = [-1.0, 1.0].map(|dir| rub.law.hold(z, &rest, dir));
        (self.points[c].low, self.points[c].high) = (middle - down, middle + up);
    }
}
