//! Sensitivities at transitions: the derivative of the time of an event, and the jump of S.
use super::super::components::StopMode;
use super::super::event_locator::Guard;
use super::super::flow::Flow;
use super::super::law_guards::guards_at;
use super::super::normal_load::load_at;
use super::shadow::Shadow;
use super::{RELATIVE_CHANGE, Sensitivity, SensitivityFlagKind, derivative};
use SensitivityFlagKind::{Grazing, Simultaneous, SpeedExtremum};

/// The difference along the motion by which the rate of a guard is computed, as a fraction of the step. A step resolves the
/// motion, `ωh < 1`: the fourth order leaves 1e-12 of the rate, and rounding `ε/1e-3` of it.
const TIME_CHANGE: f64 = 1e-3;
/// Relative rounding of a difference of forces at their limits.
const GUARD_ROUNDING: f64 = 1e-14;
/// Derivatives of event times that agree to this fraction are the same: each is a quotient of derivatives that are known to about
/// `rtol` or 1e-10.
pub(super) const SAME_DERIVATIVE: f64 = 1e-4;
/// A jump of the rates below this fraction of them is rounding; and a rate below [`ONLY_A_SIGN`] comes from evaluating a law at
/// a speed that has only a sign.
const RATE_ROUNDING: f64 = 1e-12;
const ONLY_A_SIGN: f64 = 1e-100;

/// What causes a transition.
pub(in super::super) enum Cause {
    Guard(Guard),
    /// A breakpoint of a signal or a controller.
    Breakpoint,
}

/// A guard function along the motion.
struct GuardRate {
    rate: f64,
    /// Whether the guard may only touch zero, as far as the accuracy of the run can tell.
    grazes: bool,
}

impl Shadow<'_> {
    /// The value of a guard at time `t` in state `y`.
    fn guard(&mut self, guard: Guard, t: f64, y: &[f64]) -> f64 {
        let Self { flow, rates, .. } = self;
        flow.set_motions(t);
        match guard {
            Guard::Velocity(c) => flow.components.contacts[c].row.v(y, &flow.motions),
            Guard::Law(c, k) => {
                let mut out = vec![0.0; flow.components.contacts[c].guard_signs.len() + 1];
                guards_at(flow, c, y, t, 0.0, &mut out);
                out[k]
            }
            Guard::Acceleration(c) => {
                flow.rhs(t, y, rates);
                flow.sliding_acceleration(c)
            }
            Guard::Spring(s, kind) => {
                let spring = &flow.components.springs[s];
                let (x, v) = (spring.row.x(y, &flow.motions), spring.row.v(y, &flow.motions));
                spring.piece.map_or(f64::INFINITY, |piece| spring.piece_guard(piece, kind, x, v))
            }
            Guard::Load(c) => {
                let load = load_at(flow, c, t, y);
                flow.components.contacts[c].load_factor(load)
            }
            Guard::Upper(c) | Guard::Lower(c) => {
                flow.rhs(t, y, rates);
                flow.solve_constraint_forces();
                let contact = &flow.components.contacts[c];
                let (low, high) = contact.limits();
                if guard == Guard::Upper(c) { high - contact.constraint_force } else { contact.constraint_force - low }
            }
            Guard::StopForce(b) => {
                flow.rhs(t, y, rates);
                flow.solve_constraint_forces();
                let stop = &flow.components.stops[b];
                if let StopMode::At(end) = stop.mode { stop.constraint_force * end } else { 0.0 }
            }
            Guard::GearSpeed(_) | Guard::GearFlank(_) | Guard::GearLimit(..) => flow.gear_guard(guard, t, y, rates),
            Guard::Engage(b) => -flow.components.stops[b].row.v(y, &flow.motions),
            Guard::Floor(b) | Guard::Ceiling(b) => {
                let stop = &flow.components.stops[b];
                let x = stop.row.x(y, &flow.motions);
                if guard == Guard::Floor(b) { x - stop.parameters.lo } else { stop.parameters.hi - x }
            }
        }
    }
    /// The derivative of a guard that is linear in the state along a direction; none for other guards.
    fn linear_guard(&self, guard: Guard, direction: &[f64]) -> Option<f64> {
        let parts = &self.flow.components;
        let along = |pairs: &mut dyn Iterator<Item = (usize, f64)>| pairs.map(|(i, c)| c * direction[i]).sum::<f64>();
        match guard {
            Guard::Velocity(c) => Some(along(&mut parts.contacts[c].row.speeds())),
            Guard::Engage(b) => Some(-along(&mut parts.stops[b].row.speeds())),
            Guard::Floor(b) => Some(along(&mut parts.stops[b].row.coordinates())),
            Guard::Ceiling(b) => Some(-along(&mut parts.stops[b].row.coordinates())),
            Guard::Spring(s, kind) => Some(parts.springs[s].guard_along(kind, direction)),
            _ => None,
        }
    }
}

impl Sensitivity<'_> {
    /// The derivative of a guard along a direction in state space.
    fn guard_along(&mut self, guard: Guard, (t, y): (f64, &[f64]), direction: &[f64]) -> f64 {
        if let Some(slope) = self.base.linear_guard(guard, direction) {
            return slope;
        }
        let factor = self.factor(y, direction);
        let mut moved = y.to_vec();
        derivative(factor, |x| {
            moved.iter_mut().zip(y).zip(direction).for_each(|((to, y), d)| *to = y + x * d);
            self.base.guard(guard, t, &moved)
        })
    }
    /// The rate of a guard along the motion, `g_y·f + g_t`, from values within `span` of the event. `exact`: the state has no
    /// truncation error.
    ///
    /// Grazing: if the rate is r and the second derivative b, a guard that is moved by more than `r²/2b` is no longer crossed. Where
    /// the errors of the state move it that far, the run cannot tell a crossing from a touch.
    fn guard_rate(&mut self, guard: Guard, (t, y): (f64, &[f64]), span: f64, exact: bool) -> GuardRate {
        let f = self.before.clone();
        let mut moved = y.to_vec();
        let mut value = |x: f64| {
            moved.iter_mut().zip(y).zip(&f).for_each(|((to, y), f)| *to = y + x * f);
            self.base.guard(guard, t + x, &moved)
        };
        let tau = TIME_CHANGE * span;
        let rate = match guard {
            // velocity and acceleration of the displacement, without a difference
            Guard::Floor(b) | Guard::Ceiling(b) => {
                value(0.0);
                let v = self.base.flow.components.stops[b].row.v(y, &self.base.flow.motions);
                if guard == Guard::Floor(b) { v } else { -v }
            }
            Guard::Velocity(c) => {
                self.base.rates(t, y);
                self.base.flow.sliding_acceleration(c)
            }
            _ => derivative(tau, &mut value),
        };
        // along the true motion: its second derivative also has the rates of the rates
        let rate_at = |run: &mut Self, x: f64| {
            let moved: Vec<f64> = y.iter().zip(&f).map(|(y, f)| y + x * f).collect();
            let rates = run.base.rates(t + x, &moved)[..run.numbers].to_vec();
            let along = run.guard_along(guard, (t + x, &moved), &rates);
            let by_t = derivative(tau, |x| run.base.guard(guard, t + x, y));
            along + by_t
        };
        let bend = (rate_at(self, tau) - rate_at(self, -tau)) / (2.0 * tau);
        let mut error = 0.0;
        let mut unit = vec![0.0; self.numbers];
        for i in 0..self.numbers {
            unit[i] = 1.0;
            let slope = self.guard_along(guard, (t, y), &unit);
            unit[i] = 0.0;
            let rounding = 16.0 * f64::EPSILON * y[i].abs();
            error += slope.abs() * if exact { rounding } else { self.atol[i] + self.rtol * y[i].abs() };
        }
        if let Guard::Upper(c) | Guard::Lower(c) = guard {
            let contact = &self.base.flow.components.contacts[c];
            let (low, high) = contact.limits();
            error += GUARD_ROUNDING * (low.abs() + high.abs());
        }
        let crosses = rate != 0.0 && rate.is_finite() && rate * rate > 2.0 * bend.abs() * error;
        GuardRate { rate, grazes: !crosses }
    }
    /// The derivative of the time of a crossing by parameter `k`, given the rate of the guard.
    fn crossing_time(&mut self, k: usize, guard: Guard, (t, y): (f64, &[f64]), rate: &GuardRate) -> f64 {
        let s = self.parameters[k].s.clone();
        let by_y = self.guard_along(guard, (t, y), &s);
        let base = self.base.guard(guard, t, y);
        let parameter = &mut self.parameters[k];
        let [a, b] = [0, 1].map(|i: usize| parameter.varied[i].guard(guard, t, y));
        let by_p = parameter.quotient(base, [a, b]);
        let moves = by_y + by_p;
        if moves == 0.0 {
            // the parameter does not move the guard, whether it is crossed or touched
            return 0.0;
        }
        if rate.grazes { f64::NAN } else { -moves / rate.rate }
    }
    /// The derivatives of the time of a breakpoint: NaN where breakpoints that meet are moved apart.
    fn breakpoint_times(&mut self, t: f64) -> Vec<f64> {
        let middle = 0.5 * (self.last_breakpoint + t);
        let base = self.base.breakpoints(middle);
        let active: Vec<usize> = (0..base.len()).filter(|&i| base[i] <= t).collect();
        let mut out = Vec::with_capacity(self.parameters.len());
        for parameter in &mut self.parameters {
            let [first, second] = [0, 1].map(|k: usize| parameter.varied[k].breakpoints(middle));
            for (varied, times) in parameter.varied.iter_mut().zip([&first, &second]) {
                varied.next_piece = active.iter().fold(t, |start, &i| start.max(times[i]));
            }
            let mut found: Option<f64> = None;
            for &i in &active {
                let dt = parameter.quotient(base[i], [first[i], second[i]]);
                found = Some(match found {
                    Some(other) if (dt - other).abs() > SAME_DERIVATIVE * (dt.abs() + other.abs()) => f64::NAN,
                    Some(other) => other,
                    None => dt,
                });
            }
            out.push(found.unwrap_or(0.0));
        }
        self.last_breakpoint = t;
        out
    }
    /// Begins a transition at time `t` in state `y`, before anything changes: `span` is a time that resolves the motion.
    pub fn begin_transition(&mut self, run: &Flow<'_>, cause: &Cause, (t, y): (f64, &[f64]), span: f64, exact: bool) {
        self.follow(run);
        self.before = self.base.rates(t, y)[..self.numbers].to_vec();
        self.parameters.iter_mut().for_each(|parameter| parameter.in_series = false);
        let stop = match *cause {
            Cause::Guard(Guard::Floor(b) | Guard::Ceiling(b)) => Some(b),
            _ => None,
        };
        let times: Vec<f64> = match *cause {
            Cause::Guard(guard) => {
                let rate = self.guard_rate(guard, (t, y), span, exact);
                match stop {
                    Some(stop) if rate.grazes && self.last_stop == Some(stop) => {
                        self.end_series(stop, (t, y));
                        vec![0.0; self.parameters.len()]
                    }
                    _ => (0..self.parameters.len()).map(|k| self.crossing_time(k, guard, (t, y), &rate)).collect(),
                }
            }
            Cause::Breakpoint => self.breakpoint_times(t),
        };
        self.last_stop = stop;
        self.at_spring_kink = matches!(cause, Cause::Guard(Guard::Spring(..)));
        let together = t - self.last_transition <= 1e-14 * t.abs().max(1e-3);
        for (k, dt) in times.into_iter().enumerate().filter(|(k, _)| !self.parameters[*k].lost).collect::<Vec<_>>() {
            let parameter = &mut self.parameters[k];
            (parameter.dt, parameter.is_reset) = (dt, false);
            let last = parameter.last_dt;
            if dt.is_finite() {
                parameter.s.iter_mut().zip(&self.before).for_each(|(s, f)| *s += f * dt);
            }
            if together && (dt - last).abs() > SAME_DERIVATIVE * (dt.abs() + last.abs()) {
                self.flag(t, k, Simultaneous);
            }
        }
    }
    /// The modes at the start of the run are decided.
    pub fn start(&mut self, run: &Flow<'_>, (t, y): (f64, &[f64])) {
        for varied in self.parameters.iter_mut().flat_map(|parameter| &mut parameter.varied) {
            varied.find_piece_end(t);
        }
        self.follow(run);
        self.check_constraints((t, y));
    }
    /// Ends a transition at time `t` in state `y`.
    pub fn end_transition(&mut self, run: &Flow<'_>, (t, y): (f64, &[f64])) {
        if self.last_breakpoint == t {
            // a new piece of the signals begins; its middle is beyond every change of the parameters
            let end = self.base.breakpoints(t).into_iter().fold(f64::INFINITY, f64::min);
            let middle = if end.is_finite() { 0.5 * (t + end) } else { t };
            for varied in self.parameters.iter_mut().flat_map(|parameter| &mut parameter.varied) {
                varied.piece_start = varied.next_piece;
                varied.find_piece_end(middle.max(varied.piece_start));
            }
        }
        // the force of a spring is continuous at its kinks: where no other mode changes, f⁺ = f⁻ but for the error of the located
        // instant, and S⁺ = S⁻ whether the time of the event has a derivative or not
        let is_kink = self.at_spring_kink && self.base.has_modes_of(run);
        self.follow(run);
        let after = self.base.rates(t, y)[..self.numbers].to_vec();
        let jump = |(a, b): (&f64, &f64)| (a - b).abs() > RATE_ROUNDING * (a.abs() + b.abs()) + ONLY_A_SIGN;
        let jumps = !is_kink && after.iter().zip(&self.before).any(jump);
        for k in 0..self.parameters.len() {
            let parameter = &mut self.parameters[k];
            let dt = std::mem::replace(&mut parameter.dt, 0.0);
            parameter.last_dt = dt;
            if parameter.lost {
                continue;
            }
            if dt.is_finite() {
                parameter.s.iter_mut().zip(&after).for_each(|(s, f)| *s -= f * dt);
            } else if jumps || parameter.is_reset {
                // where neither rates nor states jump, the time of the event does not matter
                self.flag(t, k, Grazing);
            }
        }
        self.last_transition = t;
        let contacts = &run.components.contacts;
        if contacts.iter().any(|contact| contact.law.extremum(&contact.memory) != 0.0) {
            (0..self.parameters.len()).for_each(|k| self.flag(t, k, SpeedExtremum));
        }
        self.check_constraints((t, y));
    }
    /// The sensitivities must keep what sticks at rest and what is in contact there. They do not where more than the event's own
    /// guard was met at this instant, as by coincidence.
    pub fn check_constraints(&mut self, (t, y): (f64, &[f64])) {
        let base = self.base.constraints(t, y);
        if base.is_empty() {
            return;
        }
        let mut moved = y.to_vec();
        for k in 0..self.parameters.len() {
            if self.parameters[k].lost {
                continue;
            }
            let (s, size) = (self.parameters[k].s.clone(), self.parameters[k].size);
            let factor = self.factor(y, &s);
            let mut violations = vec![[0.0; 2]; base.len()];
            if factor > 0.0 {
                // displacements and velocities are linear in the state
                moved.iter_mut().zip(y).zip(&s).for_each(|((to, y), s)| *to = y + factor * s);
                let there = self.base.constraints(t, &moved);
                for ((out, a), b) in violations.iter_mut().zip(&there).zip(&base) {
                    *out = [0, 1].map(|i: usize| (a[i] - b[i]) / factor);
                }
            }
            let parameter = &mut self.parameters[k];
            let [first, second] = [0, 1].map(|i: usize| parameter.varied[i].constraints(t, y));
            for (i, out) in violations.iter_mut().enumerate() {
                for side in 0..2 {
                    out[side] += parameter.quotient(base[i][side], [first[i][side], second[i][side]]);
                }
            }
            // a derivative that is zero but for rounding and the error of the run, measured on the scale of all states
            let n = self.base.flow.components.n;
            let scale = |range: std::ops::Range<usize>| {
                range.map(|i| s[i].abs() + self.scale(i, y) / size).fold(0.0_f64, f64::max)
            };
            let allowed = [scale(0..n), scale(n..self.numbers)].map(|x| x * (1e3 * self.rtol + RELATIVE_CHANGE));
            if violations.iter().any(|x| x[0].abs() > allowed[0] || x[1].abs() > allowed[1]) {
                self.flag(t, k, Grazing);
            }
        }
    }
}
