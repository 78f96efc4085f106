//! Steps in the logarithm of the sliding speed, for laws that are singular at rest.
//!
//! The force of rate and state varies with ln v over tens of decades of speed. A Rosenbrock step in v is one Newton step on
//! that logarithm, which ends below zero when the speed falls by more than a factor e. In w = ln v the same balance,
//! `m·e^w·w′ = F − a·N·w − …`, is linear in the stiff term however small m or v may be, and an error of w is a relative error
//! of v. So the sliding velocity s of such a contact is replaced by w with `s = c·sinh w`: linear below the speed c at which
//! the law itself becomes linear, a logarithm above.
//!
//! Let `s = R·v + d(t)` with the contact's row R and the driven velocity d, and let B be directions in the velocities with
//! `R·B = 1`. Stages stay increments of v: multiplied by `∂v/∂w = B·s′(w₀)`, the Rosenbrock equations in w are those in v with
//! three changes, so that the Jacobian, the elimination of positions and the quadratures are shared with all other systems:
//!
//! - a stage is evaluated at `s = c·sinh(w₀ + δ/s′(w₀))` in place of `s₀ + δ`, with δ = R times the increment of v, which is summed without
//!   v itself: where two surfaces move, s may be far below the rounding of their velocities, and is noted beside them from step to step;
//! - the rate of s found there is multiplied by `s′(w₀)/s′(w)`;
//! - the Jacobian of the velocities gains `B·κ·R` with `κ = −(ds/dt)·s/s′(w₀)²`, the derivative of that factor.
use super::components::{ConstraintRow, ContactMode};
use super::cusp::FORCE_ROUNDING;
use super::flow::{Flow, TINY};
use super::jacobian::Jacobian;
use super::regularisation::RESOLVED_RATIO;
use super::step_size::min_step;

/// A contact is inertial if its inertia force is this many times the change of its friction over a factor e in speed. Its speed
/// then changes at an almost constant rate, which is a straight line in v and a curve in w. Where both forces are alike,
/// either variable will do.
const INERTIAL: f64 = 10.0;

/// The part of the time until rest that a step may take towards it. At rest the slope of the law is unbounded, and a step to it would err by a part
/// of what the law changes on the way, which its estimate need not show: so the speed is approached geometrically, until all that
/// the law still changes is below the tolerance. Then a step may pass rest: friction changes by less than 1/[`INERTIAL`] of the inertia force on
/// average, and whether the speed becomes zero, or follows a balance below, is seen from there.
const TOWARDS_REST: f64 = 0.75;

/// The speed below which a law with a cusp is stepped in s itself, over its start speed: at the start speed w is a logarithm but for
/// a hundredth, so that the growth rate a·R·c·s^(a−1) of an exponent a up to 0.99 is less than the rate −(ds/dt)/s that the logarithm adds.
const LINEAR_BELOW_START: f64 = 0.1;

/// A row that responds with less than this part of its own response, if others are to keep their velocities, follows from
/// those: what is left is rounding.
const INDEPENDENT: f64 = 1e-9;

/// A direction in the velocities: indices in the state vector, and components.
pub(super) type Direction = Vec<(usize, f64)>;

/// Derivatives of a driven velocity, from itself on, at the start and at the end of a step.
type DrivenVelocity = [[f64; 3]; 2];

/// The driven velocity at a fraction of a step of length `h`: the quintic polynomial through values and derivatives at both ends.
fn driven_at([[a, da, dda], [b, db, ddb]]: DrivenVelocity, (theta, h): (f64, f64)) -> f64 {
    if a == b && da == 0.0 && db == 0.0 {
        return a;
    }
    let (da, db, dda, ddb) = (h * da, h * db, 0.5 * h * h * dda, 0.5 * h * h * ddb);
    let rest = b - a - da - dda;
    let slope = db - da - 2.0 * dda;
    let curvature = ddb - dda;
    let c3 = 10.0 * rest - 4.0 * slope + curvature;
    let c4 = -15.0 * rest + 7.0 * slope - 2.0 * curvature;
    let c5 = 6.0 * rest - 3.0 * slope + curvature;
    a + theta * (da + theta * (dda + theta * (c3 + theta * (c4 + theta * c5))))
}

/// The velocity of a body that follows a prescribed motion in the step under way: no variable, but a function of the time.
#[derive(Debug)]
struct FollowerSpeed {
    /// Index in the state vector, and number of the motion with a factor.
    v: usize,
    motion: (usize, f64),
    driven: DrivenVelocity,
}

impl FollowerSpeed {
    fn now(&self, flow: &Flow<'_>) -> [f64; 3] {
        let (k, factor) = self.motion;
        [1, 2, 3].map(|order| factor * flow.motions[k][order])
    }
}

/// The velocity of a body that sticks to another: that of the first of their group, over its scale and times its own.
#[derive(Debug)]
struct MemberSpeed {
    v: usize,
    first: usize,
    scales: [f64; 2],
}

impl MemberSpeed {
    #[inline(always)]
    fn of(&self, first: f64) -> f64 {
        first / self.scales[0] * self.scales[1]
    }
}

/// The sliding velocity of one contact in the step under way.
#[derive(Debug)]
struct LogSpeed {
    contact: usize,
    /// Its row, in which what follows a motion counts as that motion.
    row: ConstraintRow,
    /// The speed c below which the law is linear [m/s or rad/s].
    linear_below: f64,
    /// At the start of the step: s and ds/dw.
    s: f64,
    slope: f64,
    /// Derivative of the law's force by s.
    damping: f64,
    /// ds/dw at the latest evaluation.
    slope_now: f64,
    /// Derivative of the factor on the rate of s by w, over ds/dw.
    kappa: f64,
    /// Speed below which nothing is known: the absolute tolerance, if the other surface is at rest. One that moves does work with the whole force
    /// of the law, however slow the sliding: there the absolute tolerance of speeds would not bound the error of the energy. Between two bodies
    /// it is the rounding of their velocities, since the sums of stages have in common what both change by.
    unresolved: f64,
    /// Rounding of the rate of s, as a step sees it: it is the difference of accelerations, each from a balance of forces.
    rate_rounding: f64,
    /// The rate at which a change of s decays: its damping times the response of s to a force.
    decay: f64,
    /// B.
    direction: Direction,
    driven: DrivenVelocity,
}

impl LogSpeed {
    /// R times the increments of a state.
    #[inline(always)]
    fn increment(&self, increments: &[f64]) -> f64 {
        self.row.speeds().map(|(v, c)| c * increments[v]).sum()
    }
    /// The sliding velocity after an increment δ: c·sinh(w₀ + δ/s′(w₀)). Up to a factor e by the theorem of addition: the change then has all its digits, where
    /// w₀ itself would round s to ε·w₀ of it, which other contacts may feel that slide far more slowly. Beyond, that sum would cancel where the speed falls.
    #[inline(always)]
    fn speed(&self, increment: f64) -> f64 {
        let change = increment / self.slope;
        if change.abs() > 1.0 {
            return self.linear_below * ((self.s / self.linear_below).asinh() + change).sinh();
        }
        let half = (0.5 * change).sinh();
        self.s + (2.0 * self.s * half * half + self.slope * change.sinh())
    }
    /// ds/dw at a sliding velocity.
    #[inline(always)]
    fn slope_at(&self, s: f64) -> f64 {
        s.hypot(self.linear_below)
    }
    /// Whether the speed alone determines the only velocity it depends on, which is then set without cancellation.
    fn is_alone(&self) -> bool {
        self.row.nq == 1 && self.direction.len() == 1
    }
}

/// The sliding velocities that are stepped in their logarithm.
#[derive(Debug)]
pub(super) struct LogSpeeds {
    list: Vec<LogSpeed>,
    followers: Vec<FollowerSpeed>,
    /// Bodies that stick together have one velocity, before those of the list are set: the stiff friction of one of them magnifies the rounding by
    /// which their stages differ, and the velocities are aligned at the end of the step.
    members: Vec<MemberSpeed>,
    /// The longest step for contacts that are inertial: a Rosenbrock step in v that is longer than the time in which the slope at
    /// its start would damp a change of v does not see that the slope falls with the speed.
    pub longest: f64,
    /// Whether speeds may change by decades within the resolution of the time.
    pub is_fast: bool,
    /// Scratch: the state at which a stage is evaluated.
    state: Vec<f64>,
    /// Derivatives of the positions' rates by time.
    by_t: Vec<f64>,
    /// The sum of the stages at the end of the step.
    end: Vec<f64>,
}

impl Default for LogSpeeds {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            followers: Vec::new(),
            members: Vec::new(),
            longest: f64::INFINITY,
            is_fast: false,
            state: Vec::new(),
            by_t: Vec::new(),
            end: Vec::new(),
        }
    }
}

impl LogSpeeds {
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
    pub fn clear(&mut self) {
        self.list.clear();
        self.followers.clear();
        self.members.clear();
        (self.longest, self.is_fast) = (f64::INFINITY, false);
    }
    /// Whether contact `c` is stepped in the logarithm of its speed.
    pub fn has(&self, c: usize) -> bool {
        self.list.iter().any(|it| it.contact == c)
    }
    /// Chooses the contacts for a step from `y0` at time `t`, and adds to rates and Jacobian what the change of variable asks for.
    pub fn begin(&mut self, flow: &mut Flow<'_>, t: f64, y0: &[f64], f0: &mut [f64], jacobian: &mut Jacobian) {
        self.clear();
        if !flow.components.contacts.iter().any(|contact| contact.singular_at_rest) {
            return;
        }
        flow.set_motions(t);
        flow.update_start_speeds(y0, false);
        flow.update_regularisations(y0);
        for c in 0..flow.components.contacts.len() {
            if let Some(it) = Self::candidate(flow, c, y0) {
                self.list.push(it);
            }
        }
        self.is_fast = !self.list.is_empty();
        self.leave_inertial(flow, (y0, f0));
        // where contacts depend on each other, the slowest, whose force is steepest, come first
        self.list.sort_by(|a, b| a.s.abs().total_cmp(&b.s.abs()));
        let rows: Vec<ConstraintRow> = self.list.iter().map(|it| it.row).collect();
        let mut directions = independent_directions(flow, &rows).into_iter();
        self.list.retain_mut(|it| match directions.next().flatten() {
            Some(direction) => {
                it.direction = direction;
                true
            }
            None => false,
        });
        let n = flow.components.n;
        self.by_t.clear();
        self.by_t.resize(n, 0.0);
        for it in &mut self.list {
            let own: f64 = it.row.speeds().map(|(v, c)| c * f0[v]).sum();
            let acceleration = it.driven[0][1];
            it.kappa = -(own + acceleration) * it.s / (it.slope * it.slope);
            if it.row.nq + it.row.nm > 1 {
                let size: f64 = it.row.speeds().map(|(v, c)| (c * f0[v]).abs()).sum();
                it.rate_rounding = FORCE_ROUNDING * (size + acceleration.abs());
            }
        }
        if !self.list.is_empty() {
            self.followers.extend(flow.groups.driven.iter().map(|&(i, motion, factor)| {
                let mut it =
                    FollowerSpeed { v: flow.components.vi[i], motion: (motion, factor), driven: [[0.0; 3]; 2] };
                it.driven = [it.now(flow); 2];
                it
            }));
            let vi = &flow.components.vi;
            let member = |(i, first, scales): (usize, usize, _)| MemberSpeed { v: vi[i], first: vi[first], scales };
            self.members.extend(flow.groups.members().map(member));
        }
        // at constant w the velocities change with the driven ones: by so much less in the variables
        let along = |it: &LogSpeed| {
            let [_, acceleration, jerk] = it.driven[0];
            it.direction.iter().map(move |&(i, b)| (i, b * acceleration, b * jerk)).collect::<Vec<_>>()
        };
        let mut less: Vec<_> = self.list.iter().flat_map(along).collect();
        less.extend(self.followers.iter().map(|it| (it.v, -it.driven[0][1], -it.driven[0][2])));
        for (i, by, by_t) in less.into_iter().filter(|&(_, by, by_t)| by != 0.0 || by_t != 0.0) {
            f0[i] += by;
            jacobian.by_t[i - n] += by_t;
            for row in 0..jacobian.by_t.len() {
                if jacobian.by_u.columns(row).contains(&(i - n)) {
                    jacobian.by_t[row] -= by * jacobian.by_u.get(row, i - n);
                }
            }
            let power = jacobian.power[i];
            jacobian.power_t.iter_mut().zip(power).for_each(|(by_t, p)| *by_t -= by * p);
            if let Some(q) = flow.components.vi.iter().position(|&v| v == i) {
                self.by_t[q] -= by;
            }
        }
        // exactly zero: followers have no stages
        for it in &self.followers {
            (f0[it.v], jacobian.by_t[it.v - n]) = (0.0, 0.0);
        }
        for it in &self.list {
            for &(i, b) in &it.direction {
                it.row.speeds().for_each(|(j, c)| jacobian.by_u.add(i - n, j - n, b * it.kappa * c));
            }
        }
    }
    /// Contact `c`, if it slides and its law is steeper at rest than at its speed.
    fn candidate(flow: &mut Flow<'_>, c: usize, y0: &[f64]) -> Option<LogSpeed> {
        let (contact, motions) = (&mut flow.components.contacts[c], &flow.motions);
        let (ContactMode::Slip(side), true) = (contact.mode, contact.singular_at_rest) else { return None };
        let s = contact.known_speed(contact.row.v(y0, motions));
        contact.load_memory(y0);
        let start_speed = contact.cusp.map_or(0.0, |cusp| cusp.start_speed);
        if contact.cusp.is_some() && start_speed == 0.0 {
            // no cusp in this state
            return None;
        }
        let side = if s == 0.0 { side } else { s.signum() };
        let sample = s.abs().max(contact.min_regularisation_speed).max(start_speed);
        let (linear_below, damping) = contact.linear_speed(side, sample)?;
        let linear_below = linear_below.max(LINEAR_BELOW_START * start_speed).max(TINY);
        let row = flow.groups.reduced(&contact.row);
        let driven = [1, 2, 3].map(|k| row.driven(motions, k));
        let unresolved = match (row.nq, row.nm) {
            (1, 0) => contact.min_regularisation_speed / RESOLVED_RATIO,
            (1, _) => 0.0,
            _ => contact.velocity_rounding(y0, motions),
        };
        let mut it = LogSpeed {
            contact: c,
            row,
            linear_below,
            s,
            slope: 0.0,
            damping,
            slope_now: 0.0,
            kappa: 0.0,
            unresolved: unresolved.max(start_speed),
            rate_rounding: 0.0,
            decay: 0.0,
            direction: Vec::new(),
            driven: [driven; 2],
        };
        it.slope = it.slope_at(s);
        Some(it)
    }
    /// Takes the inertial contacts out of the list.
    fn leave_inertial(&mut self, flow: &Flow<'_>, (y0, f0): (&[f64], &[f64])) {
        let Self { list, longest, .. } = self;
        let mut answer = vec![0.0; flow.components.n];
        list.retain_mut(|it| {
            flow.answer(&it.row, &mut answer);
            let response: f64 = it.row.coordinates().map(|(i, c)| c * answer[i]).sum();
            let rate = it.damping * response;
            it.decay = rate.max(0.0);
            let own: f64 = it.row.speeds().map(|(v, c)| c * f0[v]).sum();
            let own = own + it.driven[0][1];
            let inertial = own.abs() > INERTIAL * rate * it.slope;
            if inertial && own * it.s < 0.0 {
                // A speed that is not known changes no sooner than one that is
                let until_rest = it.s.abs().max(it.unresolved) / own.abs();
                let size: f64 = it.row.speeds().map(|(v, c)| (c * y0[v]).abs()).sum();
                let allowed = flow.rtol * size + flow.components.contacts[it.contact].min_regularisation_speed;
                let share =
                    if rate * it.slope * until_rest <= allowed { 1.0 / (1.0 - 1.0 / INERTIAL) } else { TOWARDS_REST };
                *longest = longest.min(share * until_rest);
            }
            if inertial && rate > 0.0 {
                *longest = longest.min(1.0 / rate);
            } else if own * it.s > 0.0 && flow.components.contacts[it.contact].cusp.is_some() {
                // near the start speed any change of w is within the allowed error, but the time that it takes is not: in the rising part a
                // step is no longer than a factor e in speed would take at its first rate
                *longest = longest.min(it.slope / own.abs());
            }
            !inertial
        });
    }
    /// The state at time `t` for which a sum of stages stands. The sliding velocities follow from the sums themselves, with all their digits,
    /// and the velocities from them: added to the velocities first, the sums would be known to the rounding of those.
    fn bend(&mut self, flow: &mut Flow<'_>, t: f64, (y0, increments): (&[f64], &[f64]), y: &mut [f64]) {
        y.iter_mut().zip(y0).zip(increments).for_each(|((y, y0), increment)| *y = y0 + increment);
        if self.list.iter().any(|it| it.row.nm > 0) || !self.followers.is_empty() {
            flow.set_motions(t);
        }
        for it in &mut self.followers {
            it.driven[1] = it.now(flow);
            y[it.v] = it.driven[1][0];
        }
        self.members.iter().for_each(|it| y[it.v] = it.of(y[it.first]));
        for it in &mut self.list {
            let s = it.speed(it.increment(increments));
            it.slope_now = it.slope_at(s);
            it.driven[1] = [1, 2, 3].map(|k| it.row.driven(&flow.motions, k));
            let now = it.driven[1][0];
            if it.is_alone() {
                y[it.row.v[0]] = (s - now) / it.row.q[0].1;
            } else {
                let change = s - it.row.own_speed(y) - now;
                it.direction.iter().for_each(|&(i, b)| y[i] += b * change);
            }
        }
        self.note_speeds(flow, (t, y), |it| it.speed(it.increment(increments)));
    }
    /// Notes the sliding velocities in state `y` at time `t` beyond the rounding of its velocities, and of the time at which those of driven bodies
    /// are taken.
    fn note_speeds(&self, flow: &mut Flow<'_>, (t, y): (f64, &[f64]), speed: impl Fn(&LogSpeed) -> f64) {
        for it in &self.list {
            let acceleration = it.row.driven(&flow.motions, 2).abs();
            let contact = &mut flow.components.contacts[it.contact];
            let rounding = contact.velocity_rounding(y, &flow.motions) + min_step(t) * acceleration;
            contact.noted_speed = [speed(it), rounding];
        }
    }
    /// The same in a state at a fraction of the step, for which the motions are set; `increments` gives a component of the sum of stages there.
    pub fn note_speeds_at(&self, flow: &mut Flow<'_>, now: (f64, &[f64]), increments: impl Fn(usize) -> f64) {
        self.note_speeds(flow, now, |it| it.speed(it.row.speeds().map(|(v, c)| c * increments(v)).sum()));
    }
    /// Rates of a stage, given as the start and a sum of stages; the rates are those of such sums.
    pub fn rates(
        &mut self,
        flow: &mut Flow<'_>,
        t: f64,
        (y0, increments): (&[f64], &[f64]),
        rate: &mut [f64],
        powers: &mut [f64; 4],
    ) {
        let mut state = std::mem::take(&mut self.state);
        state.resize(increments.len(), 0.0);
        self.bend(flow, t, (y0, increments), &mut state);
        flow.rates(t, &state, rate, powers);
        self.state = state;
        self.followers.iter().for_each(|it| rate[it.v] = 0.0);
        for it in &self.list {
            let own: f64 = it.row.speeds().map(|(v, c)| c * rate[v]).sum();
            let scaled = it.slope / it.slope_now * (own + it.driven[1][1]);
            if it.is_alone() {
                rate[it.row.v[0]] = scaled / it.row.q[0].1;
            } else {
                it.direction.iter().for_each(|&(i, b)| rate[i] += b * (scaled - own));
            }
        }
    }
    /// The derivatives of the rates of positions by time.
    pub fn positions_by_t(&self) -> &[f64] {
        &self.by_t
    }
    /// The end of a step, from the sum of its stages.
    pub fn end(&mut self, flow: &mut Flow<'_>, t: f64, (y0, increments): (&[f64], &[f64]), y1: &mut [f64]) {
        self.end.clear();
        self.end.extend_from_slice(increments);
        self.bend(flow, t, (y0, increments), &mut y1[..increments.len()]);
    }
    /// Component `i` of the sum of stages at the end of the step.
    #[inline(always)]
    pub fn increment_at_end(&self, i: usize) -> f64 {
        self.end[i]
    }
    /// Component `i` of the state at a fraction of the step; `increments` gives a component of the sum of stages there.
    pub fn at(&self, i: usize, (theta, h): (f64, f64), y0: &[f64], increments: impl Fn(usize) -> f64) -> f64 {
        // as in `bend`
        let before = |i: usize| {
            if let Some(it) = self.followers.iter().find(|it| it.v == i) {
                return driven_at(it.driven, (theta, h));
            }
            match self.members.iter().find(|it| it.v == i) {
                Some(it) => it.of(y0[it.first] + increments(it.first)),
                None => y0[i] + increments(i),
            }
        };
        let mut x = before(i);
        for it in &self.list {
            let Some(&(_, b)) = it.direction.iter().find(|&&(v, _)| v == i) else { continue };
            let increment: f64 = it.row.speeds().map(|(v, c)| c * increments(v)).sum();
            let (s, now) = (it.speed(increment), driven_at(it.driven, (theta, h)));
            if it.is_alone() {
                return (s - now) / it.row.q[0].1;
            }
            let own: f64 = it.row.speeds().map(|(v, c)| c * before(v)).sum();
            x += b * (s - own - now);
        }
        x
    }
    /// Takes the errors of the sliding velocities of the list out of `last`, and returns the sum of the squared ratios of these
    /// errors to what is allowed in a step of length `h`. An error of w is a relative error of the speed.
    pub fn error(&self, rtol: f64, h: f64, last: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        for it in &self.list {
            let error: f64 = it.row.speeds().map(|(v, c)| c * last[v]).sum();
            it.direction.iter().for_each(|&(i, b)| last[i] -= b * error);
            // what rounding leaves unknown of the change within the step, or of what decays meanwhile
            let unresolved = it.unresolved + it.rate_rounding / (1.0 / h + it.decay);
            let ratio = error / it.slope / (rtol + unresolved / it.slope.max(it.slope_now));
            sum += ratio * ratio;
        }
        sum
    }
}

/// For each row a direction in which bodies, in their present groups, change its velocity by one and that of the other rows not at
/// all: their response to forces along the rows. None for a row that does not respond, or whose velocity follows from the
/// rows before it.
pub(super) fn independent_directions(flow: &Flow<'_>, rows: &[ConstraintRow]) -> Vec<Option<Direction>> {
    let (n, vi) = (flow.components.n, &flow.components.vi);
    let mut touched = vec![false; n];
    let mut apart = !flow.groups.is_full;
    for (i, _) in rows.iter().flat_map(|row| row.coordinates()) {
        apart &= !std::mem::replace(&mut touched[i], true);
    }
    if apart {
        let single = |row: &ConstraintRow| {
            let inverse = |i: usize| flow.groups.inverse[i];
            let own: f64 = row.coordinates().map(|(i, c)| c * c * inverse(i)).sum();
            let components = row.coordinates().map(|(i, c)| (vi[i], c * inverse(i) / own));
            (own > 0.0).then(|| components.filter(|&(_, b)| b != 0.0).collect())
        };
        return rows.iter().map(single).collect();
    }
    let along = |row: &ConstraintRow, b: &[f64]| row.coordinates().map(|(i, c)| c * b[i]).sum::<f64>();
    let mut chosen: Vec<Option<Vec<f64>>> = Vec::with_capacity(rows.len());
    for row in rows {
        let mut b = vec![0.0; n];
        flow.answer(row, &mut b);
        let alone = along(row, &b);
        for (other, direction) in rows.iter().zip(&chosen) {
            if let Some(direction) = direction {
                let part = along(other, &b);
                b.iter_mut().zip(direction).for_each(|(b, d)| *b -= part * d);
            }
        }
        let own = along(row, &b);
        if !(alone > 0.0 && own > INDEPENDENT * alone) {
            chosen.push(None);
            continue;
        }
        b.iter_mut().for_each(|b| *b /= own);
        for direction in chosen.iter_mut().flatten() {
            let part = along(row, direction);
            direction.iter_mut().zip(&b).for_each(|(d, b)| *d -= part * b);
        }
        chosen.push(Some(b));
    }
    let sparse = |b: Vec<f64>| vi.iter().copied().zip(b).filter(|&(_, b)| b != 0.0).collect();
    chosen.into_iter().map(|b| b.map(sparse)).collect()
}
