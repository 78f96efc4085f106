//! The guards of a law in a state, and which of them mark a kink, where rates are continuous and only their slopes jump.
//!
//! A law may follow its kink: while `elasto-plastic` slides, its deflection approaches the steady one, and their difference is a guard. Its
//! sign is then that of the error of a step, and changes in every other one. So a kink is crossed only if its guard exceeds what
//! the error that a step may have makes of it. A crossing by less is not known to happen; a step that takes no notice of it errs by the
//! change of slope at the kink times as much, which is within its tolerance.
use super::components::ContactMode;
use super::event_locator::{EventLocator, Guard, ZeroCrossing};
use super::flow::Flow;
use super::normal_load::load_at;
use super::root_finding::first_crossing;
use super::rosenbrock::Step;
use stiction_core::Input;

impl EventLocator {
    /// The first zero of guard `k` of the law of contact `c` beyond which it exceeds `noise`, or beyond a kink what the error of a step makes
    /// of it, if it comes before `best`. `values` are those at the sample points.
    pub(super) fn first_kink_or_jump(
        &mut self,
        flow: &mut Flow<'_>,
        step: &Step,
        (c, k): (usize, usize),
        (values, side, noise): (&[f64; 5], f64, f64),
        best: &Option<ZeroCrossing>,
    ) -> Option<f64> {
        let guard = Guard::Law(c, k);
        // a guard that is beyond its zero from the start has passed a kink without notice: there is no zero to be located
        let is_beyond = values[0] * side < -noise
            && first_crossing(values, side, noise)
                .is_some_and(|(lo, _)| best.is_none_or(|crossing| crossing.theta > lo));
        let mut tolerance = if is_beyond { self.kink_tolerance(flow, step, (c, k), 0.0) } else { None };
        if tolerance.is_none_or(|tolerance| values[0].abs() > tolerance) {
            let theta = self.first_beyond(flow, step, guard, (values, side, noise), best)?;
            tolerance = self.kink_tolerance(flow, step, (c, k), theta);
            if tolerance.is_none_or(|tolerance| values[0].abs() > tolerance) {
                return Some(theta);
            }
        }
        let noise = tolerance.map_or(noise, |tolerance| noise.max(tolerance));
        let found = self.first_beyond(flow, step, guard, (values, side, noise), best);
        if found.is_none() {
            // the sign stays, so that a crossing which goes on is found later
            self.guard_rounding[c][k - 1] = noise;
        }
        found
    }
    /// What the error that a step may have makes of guard `k` of the law of contact `c`, if the guard marks no more than a kink: no
    /// state jumps at the fraction `theta` of the step, and the contact does not come to rest there.
    fn kink_tolerance(&mut self, flow: &mut Flow<'_>, step: &Step, (c, k): (usize, usize), theta: f64) -> Option<f64> {
        let g = self.value(flow, step, Guard::Law(c, k), theta);
        let t = step.t + theta * step.h;
        let contact = &mut flow.components.contacts[c];
        let (own, slips) = (contact.row.v(&self.state, &flow.motions), contact.mode);
        let v = if let ContactMode::Slip(side) = slips { contact.one_sided_velocity(side, own) } else { 0.0 };
        let u = Input { v, load: contact.load[0] };
        contact.rates.copy_from_slice(&contact.memory);
        contact.law.jump(&mut contact.rates, &u);
        if contact.rates != contact.memory || contact.law.band(&u) > 0.0 {
            return None;
        }
        // a step is accepted if the mean square of the errors of its states, relative to their tolerances, is at most one
        let (rtol, share) = (flow.rtol, (self.atol.len() as f64).sqrt());
        let allowed = |i: usize, y: &[f64]| share * (self.atol[i] + rtol * y[i].abs());
        let speed: f64 = contact.row.speeds().map(|(i, c)| c.abs() * allowed(i, &self.state)).sum();
        let states = contact.at..contact.at + contact.which.len();
        let mut sum = 0.0;
        if v != 0.0 {
            guards_at(flow, c, &self.state, t, speed, &mut self.guards);
            sum += (self.guards[k] - g).abs();
        }
        for i in states {
            let kept = self.state[i];
            self.state[i] += allowed(i, &self.state);
            guards_at(flow, c, &self.state, t, 0.0, &mut self.guards);
            sum += (self.guards[k] - g).abs();
            self.state[i] = kept;
        }
        Some(sum)
    }
}

/// The guards of contact `c` in state `y`, with motions and loads at time `t` and a sliding speed that is larger by `faster`.
pub(super) fn guards_at(flow: &mut Flow<'_>, c: usize, y: &[f64], t: f64, faster: f64, out: &mut [f64]) {
    let load = load_at(flow, c, t, y);
    let contact = &mut flow.components.contacts[c];
    contact.load[0] = load;
    contact.load_memory(y);
    let v = match contact.mode {
        ContactMode::Slip(side) => {
            let v = contact.one_sided_velocity(side, contact.row.v(y, &flow.motions));
            v + faster.copysign(v)
        }
        _ => 0.0,
    };
    let count = contact.guard_signs.len() + 1;
    contact.law.guards(&contact.memory, &Input { v, load: contact.load[0] }, &mut out[..count]);
}
