//! Resets of the state at transitions: how the derivative E of the state at the event passes through them.
use super::super::components::{NormalLoad, StopKind, StopMode};
use super::super::impact_law::StopContact;
use super::super::normal_load::load_at;
use super::saltation::SAME_DERIVATIVE;
use super::shadow::Shadow;
use super::{RELATIVE_CHANGE, Sensitivity, SensitivityFlagKind, derivative};
use SensitivityFlagKind::{Accumulation, Grazing, Simultaneous};
use stiction_core::Input;

/// The state after a reset of the velocities at a time and a state; none if it has no solution.
type VelocityReset<'a> = dyn Fn(&mut Shadow<'_>, f64, &mut [f64]) -> Option<()> + 'a;

impl Sensitivity<'_> {
    /// An impact: `y` is the state just before it, `restitution` that of each stop as it was applied.
    pub fn pass_impact(&mut self, contacts: &[StopContact], restitution: &[f64], (t, y): (f64, &[f64])) {
        let stops = &self.base.flow.components.stops;
        let ends = |(c, e): (&StopContact, &f64)| *e == 0.0 && stops[c.stop].parameters.restitution > 0.0;
        let ended: Vec<bool> = contacts.iter().zip(restitution).map(ends).collect();
        let strike = |shadow: &mut Shadow<'_>, t: f64, y: &mut [f64]| {
            let stops = &shadow.flow.components.stops;
            // the coefficient of its own system, unless the series of bounces ends
            let own =
                |(c, ended): (&StopContact, &bool)| if *ended { 0.0 } else { stops[c.stop].parameters.restitution };
            let own: Vec<f64> = contacts.iter().zip(&ended).map(own).collect();
            shadow.flow.set_motions(t);
            shadow.flow.strike(contacts, &own, y).map(|_| ())
        };
        self.check_struck_together(contacts, (t, y));
        self.pass_velocities((t, y), &strike);
        if ended.contains(&true) {
            for k in 0..self.parameters.len() {
                self.flag(t, k, Accumulation);
            }
        }
    }
    /// Stops that are struck at the same instant stay together only if the parameter changes none of their distances there.
    fn check_struck_together(&mut self, contacts: &[StopContact], (t, y): (f64, &[f64])) {
        let open: Vec<usize> = contacts
            .iter()
            .map(|c| c.stop)
            .filter(|&stop| {
                let stop = &self.base.flow.components.stops[stop];
                stop.mode == StopMode::Free && stop.kind == StopKind::Displacement
            })
            .collect();
        if open.len() < 2 {
            return;
        }
        for k in 0..self.parameters.len() {
            let mut apart = false;
            for &stop in &open {
                let place = |shadow: &mut Shadow<'_>| {
                    shadow.flow.set_motions(t);
                    let stop = &shadow.flow.components.stops[stop];
                    let x = stop.row.x(y, &shadow.flow.motions);
                    let (low, high) = (x - stop.parameters.lo, stop.parameters.hi - x);
                    if low < high { low } else { -high }
                };
                let base = place(&mut self.base);
                let parameter = &mut self.parameters[k];
                let varied = [0, 1].map(|i: usize| place(&mut parameter.varied[i]));
                let row = self.base.flow.components.stops[stop].row;
                let (mut by_y, mut size) = (0.0, 0.0);
                for (i, c) in row.coordinates() {
                    by_y += c * parameter.s[i];
                    size += (c * parameter.s[i]).abs();
                }
                let by_p = parameter.quotient(base, varied);
                apart |= (by_y + by_p).abs() > SAME_DERIVATIVE * (size + by_p.abs());
            }
            if apart && !self.parameters[k].lost {
                self.flag(t, k, Simultaneous);
            }
        }
    }
    /// A series of bounces at a stop has become lower than the tolerance: its distance and speed will stay within it. What the
    /// parameter still does to them is that of a body at rest on the stop: E is projected onto rest there, as a plastic impact
    /// projects the velocities.
    pub fn end_series(&mut self, stop: usize, (t, y): (f64, &[f64])) {
        let end = |shadow: &mut Shadow<'_>, y: &[f64]| {
            shadow.flow.set_motions(t);
            let (stop, motions) = (&shadow.flow.components.stops[stop], &shadow.flow.motions);
            let (low, high) = (stop.parameters.lo, stop.parameters.hi);
            let x = stop.row.x(y, motions);
            [x - if (x - low).abs() < (x - high).abs() { low } else { high }, stop.row.v(y, motions)]
        };
        let base = end(&mut self.base, y);
        let row = self.base.flow.components.stops[stop].row;
        let mut answer = vec![0.0; self.base.flow.components.n];
        self.base.flow.release_all(y);
        self.base.flow.answer(&row, &mut answer);
        self.base.stale = true;
        let own: f64 = row.coordinates().map(|(i, c)| c * answer[i]).sum();
        for k in 0..self.parameters.len() {
            if self.parameters[k].lost {
                continue;
            }
            let parameter = &mut self.parameters[k];
            parameter.in_series = true;
            let [a, b] = [0, 1].map(|i: usize| end(&mut parameter.varied[i], y));
            let x = row.coordinates().map(|(i, c)| c * parameter.s[i]).sum::<f64>()
                + parameter.quotient(base[0], [a[0], b[0]]);
            let v = row.own_speed(&parameter.s) + parameter.quotient(base[1], [a[1], b[1]]);
            for (i, &vi) in self.base.flow.components.vi.iter().enumerate() {
                parameter.s[i] -= answer[i] * x / own;
                parameter.s[vi] -= answer[i] * v / own;
            }
            self.flag(t, k, Accumulation);
        }
    }
    /// The sliding velocity of contact `c` is brought to zero by an impulse, in state `y`, where the stops `closed` are closed.
    pub fn pass_arrest(&mut self, c: usize, closed: &[StopContact], (t, y): (f64, &[f64])) {
        let arrest = |shadow: &mut Shadow<'_>, t: f64, y: &mut [f64]| {
            shadow.flow.set_motions(t);
            let row = shadow.flow.components.contacts[c].row;
            shadow.flow.arrest(&row, closed, y).map(|_| ())
        };
        self.pass_velocities((t, y), &arrest);
    }
    /// A reset of the velocities by impulses. It is piecewise linear in the velocities, so that its difference quotient along E is
    /// exact while the same stops are struck.
    fn pass_velocities(&mut self, (t, y): (f64, &[f64]), reset: &VelocityReset<'_>) {
        let vi = self.base.flow.components.vi.clone();
        let mut after = y.to_vec();
        let mut solved = reset(&mut self.base, t, &mut after).is_some();
        for k in 0..self.parameters.len() {
            self.parameters[k].is_reset = true;
            if self.parameters[k].lost {
                continue;
            }
            let (e, dt) = (self.parameters[k].s.clone(), self.parameters[k].dt);
            let factor = self.factor(y, &e);
            let factor = if factor == 0.0 { RELATIVE_CHANGE } else { factor };
            let mut moved = |x: f64| {
                let mut moved = y.to_vec();
                moved.iter_mut().zip(&e).for_each(|(y, e)| *y += x * e);
                solved &= reset(&mut self.base, t + x * dt, &mut moved).is_some();
                moved
            };
            let [up, down] = [moved(factor), moved(-factor)];
            let parameter = &mut self.parameters[k];
            let varied = [0, 1].map(|i: usize| {
                let (shadow, mut moved) = (&mut parameter.varied[i], y.to_vec());
                solved &= reset(shadow, t, &mut moved).is_some();
                shadow.stale = true;
                moved
            });
            for &v in &vi {
                let by_y = (up[v] - down[v]) / (2.0 * factor);
                parameter.s[v] = by_y + parameter.quotient(after[v], [varied[0][v], varied[1][v]]);
            }
            if !solved || !dt.is_finite() {
                self.flag(t, k, Grazing);
            }
        }
        self.base.stale = true;
    }
    /// The states of contact `c` have jumped from `z` at the input `u`.
    pub fn pass_jump(&mut self, c: usize, z: &[f64], u: Input<f64>, (t, y): (f64, &[f64])) {
        for k in 0..self.parameters.len() {
            self.parameters[k].is_reset = true;
            if self.parameters[k].lost {
                continue;
            }
            if !self.parameters[k].dt.is_finite() {
                self.flag(t, k, Grazing);
                continue;
            }
            let du = self.input_along(k, c, (t, y));
            let parameter = &mut self.parameters[k];
            let contact = &self.base.flow.components.contacts[c];
            let mut dz = parameter.memory[c].clone();
            contact.which.iter().enumerate().for_each(|(j, &i)| dz[i] = parameter.s[contact.at + j]);
            contact.law.jump_along(z, &mut dz, &u, &du, &parameter.laws[c]);
            for (j, &i) in contact.which.iter().enumerate() {
                parameter.s[contact.at + j] = dz[i];
                dz[i] = 0.0;
            }
            parameter.memory[c] = dz;
        }
    }
    /// The derivative by parameter `k` of velocity and load of contact `c` at the event.
    fn input_along(&mut self, k: usize, c: usize, (t, y): (f64, &[f64])) -> Input<f64> {
        let (e, dt) = (self.parameters[k].s.clone(), self.parameters[k].dt);
        let input = |shadow: &mut Shadow<'_>, t: f64, y: &[f64]| {
            shadow.flow.set_motions(t);
            let load = load_at(&mut shadow.flow, c, t, y);
            [shadow.flow.components.contacts[c].row.v(y, &shadow.flow.motions), load]
        };
        let base = input(&mut self.base, t, y);
        let [first, second] = [0, 1].map(|i: usize| input(&mut self.parameters[k].varied[i], t, y));
        let factor = self.factor(y, &e);
        let factor = if factor == 0.0 { RELATIVE_CHANGE } else { factor };
        let mut along = |which: usize| {
            let mut moved = y.to_vec();
            derivative(factor, |x| {
                moved.iter_mut().zip(y).zip(&e).for_each(|((to, y), e)| *to = y + x * e);
                input(&mut self.base, t + x * dt, &moved)[which]
            })
        };
        let (v, load) = (along(0), along(1));
        let constant = matches!(self.base.flow.components.contacts[c].normal_load, NormalLoad::Constant(_));
        let parameter = &self.parameters[k];
        Input {
            v: v + parameter.quotient(base[0], [first[0], second[0]]),
            load: if constant { 0.0 } else { load } + parameter.quotient(base[1], [first[1], second[1]]),
        }
    }
}
