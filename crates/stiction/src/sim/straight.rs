//! The right-hand side of small systems whose springs and controllers are linear and whose motions are even: all but the
//! contacts is then linear in state and time, with coefficients that stay the same from one event to the next.
#![allow(
    clippy::needless_range_loop,
    reason = "index loops of known length are what the compiler unrolls, and read like the formula"
)]
use super::flow::{DAMPING, FRICTION, Flow, TINY, WORK, sided};
use super::jacobian::Jacobian;
use super::parts::{Law, Mode, Parts, Row, Steer, Weight};
use super::rosenbrock::add;
use crate::system::{Jet, Moment};
use stiction_core::Input;

/// Most coordinates, and most numbers of the state.
const MOST: usize = 4;
const WIDE: usize = 8;

/// A number that is linear in time and state.
#[derive(Clone, Copy, Debug, Default)]
struct Linear {
    at: f64,
    by_t: f64,
    by: [f64; WIDE],
}

impl Linear {
    /// A displacement.
    fn place(row: &Row, motions: &[Jet]) -> Self {
        let [x, v] = [0, 1].map(|order| row.driven(motions, order));
        let mut out = Self { at: row.offset + x, by_t: v, ..Self::default() };
        row.coordinates().for_each(|(i, c)| out.by[i] += c);
        out
    }
    /// Its velocity.
    fn speed(row: &Row, motions: &[Jet]) -> Self {
        let mut out = Self { at: row.driven(motions, 1), ..Self::default() };
        row.speeds().for_each(|(i, c)| out.by[i] += c);
        out
    }
    /// Row `r` of a controller, from its derivatives at zero.
    fn control(steer: &Steer<'_>, r: usize, motions: &[Jet]) -> Self {
        let ny = steer.measures.len();
        let row = &steer.rows[r * (2 + ny + steer.states)..][..2 + ny + steer.states];
        let mut out = Self { at: row[0], by_t: row[1], ..Self::default() };
        for ((measure, speed), slope) in steer.measures.iter().zip(&row[2..]) {
            let seen = if *speed { Self::speed(measure, motions) } else { Self::place(measure, motions) };
            out.add(&seen, *slope);
        }
        row[2 + ny..].iter().enumerate().for_each(|(k, slope)| out.by[steer.at + k] += slope);
        out
    }
    fn add(&mut self, other: &Self, gain: f64) {
        self.at += gain * other.at;
        self.by_t += gain * other.by_t;
        add(&mut self.by, gain, &other.by);
    }
    #[inline(always)]
    fn value<const W: usize>(&self, t: f64, y: &[f64; W]) -> f64 {
        let mut x = self.at + self.by_t * t;
        for i in 0..W.min(WIDE) {
            x += self.by[i] * y[i];
        }
        x
    }
}

/// A contact that slides: where its velocities stand, what they weigh, how its force accelerates them, and its speed at
/// rest. A second end that is not there weighs nothing.
#[derive(Clone, Copy, Debug)]
struct Slide {
    v: [usize; 2],
    c: [f64; 2],
    gain: [f64; 2],
    drift: f64,
}

impl Slide {
    #[inline(always)]
    fn speed(&self, y: &[f64]) -> f64 {
        self.c[0] * y[self.v[0]] + self.c[1] * y[self.v[1]] + self.drift
    }
}

/// What does not change between events.
#[derive(Clone, Debug, Default)]
pub(super) struct Straight {
    /// Whether the system is of this kind, in the modes it is in.
    pub holds: bool,
    /// Which of all that were noted this is.
    number: u64,
    /// When time begins.
    from: f64,
    /// Rates of all numbers of the state: at zero, by time, and by each number.
    at: [f64; WIDE],
    by_t: [f64; WIDE],
    by: [[f64; WIDE]; WIDE],
    /// The work done through prescribed motions.
    work: Linear,
    /// Forces of signals and controllers on the coordinates, if any: they do work, too.
    pushed: bool,
    outer: [Linear; MOST],
    /// Forces that are not linear in time: which, the velocity they act on, its weight and gain.
    uneven: Vec<(usize, usize, f64, f64)>,
    /// Coefficients of damping, if any.
    damps: bool,
    damping: [[f64; MOST]; MOST],
    vi: [usize; MOST],
    slides: Vec<Slide>,
}

impl Flow<'_> {
    /// Notes what does not change from here to the next event.
    pub(super) fn straighten(&mut self) {
        let Parts { n, nu, springs, rubs, steers, bumps, motions, .. } = &self.parts;
        let linear = |law: &Law<'_>| !matches!(law, Law::Continuous(control) if !control.is_linear());
        self.straight.holds = (1..=MOST).contains(n)
            && n + nu <= WIDE
            && self.groups.is_simple
            && bumps.is_empty()
            && motions.len() <= MOST
            && motions.iter().all(|signal| signal.is_even())
            && steers.iter().all(|steer| linear(&steer.law))
            && springs.iter().all(|s| s.what.curve.is_none() && (s.what.damping == 0.0 || s.row.nm == 0))
            && rubs.iter().all(|rub| {
                matches!((rub.mode, &rub.weight), (Mode::Slip(_), Weight::Constant(_))) && rub.whole && rub.row.nq > 0
            });
        if self.straight.holds {
            self.note_straight();
        }
    }
    fn note_straight(&mut self) {
        let Self { parts, groups, straight: s, from, .. } = self;
        let (n, from) = (parts.n, *from);
        (s.number, s.from) = (s.number + 1, from);
        let mut jets = [[0.0; 4]; MOST];
        for (jet, signal) in jets.iter_mut().zip(&parts.motions) {
            *jet = signal.eval(from, from);
        }
        let (mut force, mut rates) = ([Linear::default(); MOST], [Linear::default(); WIDE]);
        (s.work, s.outer, s.damping) = (Linear::default(), force, [[0.0; MOST]; MOST]);
        for spring in &parts.springs {
            let (row, damping) = (&spring.row, spring.what.damping);
            let mut f = Linear::default();
            f.add(&Linear::place(row, &jets), spring.what.stiffness);
            f.at -= spring.what.stiffness * spring.what.rest;
            f.add(&Linear::speed(row, &jets), damping);
            s.work.add(&f, row.driven(&jets, 1));
            for (i, a) in row.coordinates() {
                force[i].add(&f, -a);
                row.coordinates().for_each(|(j, b)| s.damping[i][j] += damping * a * b);
            }
        }
        s.damps = parts.springs.iter().any(|spring| spring.what.damping != 0.0);
        s.pushed = !parts.pushes.is_empty() || parts.steers.iter().any(|steer| steer.on.is_some());
        s.uneven.clear();
        for (k, push) in parts.pushes.iter().enumerate() {
            let [at, by_t, ..] = push.signal.eval(from, from);
            let f = Linear { at, by_t, ..Linear::default() };
            for ((i, c), (v, _)) in push.row.coordinates().zip(push.row.speeds()) {
                if push.signal.is_even() {
                    s.outer[i].add(&f, c);
                } else {
                    s.uneven.push((k, v, c, c * groups.inverse[i]));
                }
            }
        }
        for steer in &mut parts.steers {
            let mut output = Linear { at: steer.output, ..Linear::default() };
            if let Law::Continuous(control) = steer.law {
                steer.y.fill(0.0);
                control.partials(&Moment { t: from, from, y: &steer.y }, &[0.0; WIDE][..steer.states], &mut steer.rows);
                output = Linear::control(steer, 0, &jets);
                (0..steer.states).for_each(|k| rates[steer.at + k] = Linear::control(steer, 1 + k, &jets));
            }
            if let Some(row) = &steer.on {
                row.coordinates().for_each(|(i, c)| s.outer[i].add(&output, c));
            }
        }
        for i in 0..n {
            s.vi[i] = parts.vi[i];
            rates[i].by[parts.vi[i]] = 1.0;
            rates[parts.vi[i]].add(&force[i], groups.inverse[i]);
            rates[parts.vi[i]].add(&s.outer[i], groups.inverse[i]);
        }
        for i in 0..WIDE {
            (s.at[i], s.by_t[i]) = (rates[i].at, rates[i].by_t);
            (0..WIDE).for_each(|j| s.by[j][i] = rates[i].by[j]);
        }
        s.slides.clear();
        for rub in &mut parts.rubs {
            if let Weight::Constant(load) = rub.weight {
                rub.load[0] = load;
                let Row { q, v, .. } = rub.row;
                let gain = q.map(|(i, c)| c * groups.inverse[i]);
                s.slides.push(Slide { v, c: q.map(|(_, c)| c), gain, drift: rub.row.driven(&jets, 1) });
            }
        }
    }
    /// [`Flow::rates`] of such a system with `N` coordinates and `U` other numbers.
    #[inline(never)]
    pub(super) fn straight_rates<const N: usize, const U: usize, const W: usize>(
        &mut self,
        t: f64,
        y: &[f64; W],
        powers: &mut [f64; 4],
    ) -> [f64; W] {
        self.evaluations += 1;
        let s = &self.straight;
        let since = t - s.from;
        let mut rates = [0.0; W];
        for i in 0..W.min(WIDE) {
            rates[i] = s.at[i] + since * s.by_t[i];
        }
        for j in 0..(N + U).min(WIDE) {
            for i in 0..W.min(WIDE) {
                rates[i] += y[j] * s.by[j][i];
            }
        }
        let (mut work, mut friction, mut damping) = (s.work.value(since, y), 0.0, 0.0);
        if s.pushed {
            for i in 0..N {
                work += s.outer[i].value(since, y) * y[s.vi[i]];
            }
            for &(k, v, c, gain) in &s.uneven {
                let f = self.parts.pushes[k].signal.eval(t, self.from)[0];
                rates[v] += gain * f;
                work += c * f * y[v];
            }
        }
        for (slide, rub) in s.slides.iter().zip(&mut self.parts.rubs) {
            // a contact may turn unseen, without an event
            let Mode::Slip(side) = rub.mode else { continue };
            let (slip, at, k) = (slide.speed(y), rub.at, rub.which.len());
            let u = Input { v: slip, load: rub.load[0] };
            let f = sided(rub.law, &y[at..at + k], side, u, &mut rates[at..at + k], &mut rub.rates2);
            rates[slide.v[0]] -= slide.gain[0] * f;
            if N > 1 {
                rates[slide.v[1]] -= slide.gain[1] * f;
            }
            friction += f * slip;
            work += f * slide.drift;
        }
        if s.damps {
            for i in 0..N {
                for j in 0..N {
                    damping += y[s.vi[i]] * s.damping[i][j] * y[s.vi[j]];
                }
            }
        }
        *powers = [work, friction, damping, 0.0];
        rates
    }
    /// [`Flow::jacobian`] of such a system.
    pub(super) fn straight_jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        dy: &mut [f64],
        powers: &mut [f64; 4],
        out: &mut Jacobian,
    ) {
        self.evaluations += 1;
        let s = &self.straight;
        let (n, all, since) = (self.parts.n, self.parts.n + self.parts.nu, t - s.from);
        if out.number == s.number {
            out.by_u.copy_from(&out.base);
        } else {
            s.constants(out, n, all);
        }
        let mut state = [0.0; WIDE];
        state[..all].copy_from_slice(&y[..all]);
        let mut rates = s.at;
        add(&mut rates, since, &s.by_t);
        for j in 0..all {
            add(&mut rates, state[j], &s.by[j]);
            out.power[j] = [s.work.by[j], 0.0, 0.0, 0.0];
        }
        *powers = [s.work.value(since, &state), 0.0, 0.0, 0.0];
        out.power_t[WORK] = s.work.by_t;
        if s.damps {
            for i in 0..n {
                for j in 0..n {
                    let (v, w) = (s.vi[i], s.damping[i][j] * y[s.vi[j]]);
                    powers[DAMPING] += y[v] * w;
                    out.power[v][DAMPING] += 2.0 * w;
                }
            }
        }
        if s.pushed {
            for (f, &v) in s.outer[..n].iter().zip(&s.vi) {
                let u = f.value(since, &state);
                powers[WORK] += u * y[v];
                out.power_t[WORK] += f.by_t * y[v];
                out.power[v][WORK] += u;
                for j in 0..all {
                    out.power[j][WORK] += f.by[j] * y[v];
                }
            }
            for &(k, v, c, gain) in &s.uneven {
                let [f, by_t, ..] = self.parts.pushes[k].signal.eval(t, self.from);
                rates[v] += gain * f;
                out.by_t[v - n] = s.by_t[v];
                powers[WORK] += c * f * y[v];
                out.power[v][WORK] += c * f;
                out.power_t[WORK] += c * by_t * y[v];
            }
            for &(k, v, _, gain) in &s.uneven {
                out.by_t[v - n] += gain * self.parts.pushes[k].signal.eval(t, self.from)[1];
            }
        }
        dy[..all].copy_from_slice(&rates[..all]);
        for (slide, rub) in s.slides.iter().zip(&mut self.parts.rubs) {
            let Mode::Slip(side) = rub.mode else { continue };
            let (slip, at, k) = (slide.speed(y), rub.at, rub.which.len());
            let u = Input { v: if slip * side > 0.0 { slip } else { side * TINY }, load: rub.load[0] };
            rub.law.partials(&y[at..at + k], &u, &rub.which, false, &mut rub.rows);
            let ends = rub.row.nq;
            let (force, memory) = rub.rows.split_at(3 + k);
            let (f, by_v, by_z) = (force[0], force[1], &force[3..]);
            powers[FRICTION] += f * slip;
            powers[WORK] += f * slide.drift;
            for e in 0..ends {
                let (v, c, gain) = (slide.v[e], slide.c[e], slide.gain[e]);
                dy[v] -= gain * f;
                for o in 0..ends {
                    out.by_u.add(v - n, slide.v[o] - n, -gain * slide.c[o] * by_v);
                }
                for (l, by_z) in by_z.iter().enumerate() {
                    out.by_u.add(v - n, at + l - n, -gain * by_z);
                }
                out.power[v][FRICTION] += c * (by_v * slip + f);
                out.power[v][WORK] += c * by_v * slide.drift;
            }
            for (l, by_z) in by_z.iter().enumerate() {
                out.power[at + l][FRICTION] += by_z * slip;
                out.power[at + l][WORK] += by_z * slide.drift;
            }
            for (r, row) in memory.chunks_exact(3 + k).enumerate() {
                dy[at + r] = row[0];
                for e in 0..ends {
                    out.by_u.add(at + r - n, slide.v[e] - n, slide.c[e] * row[1]);
                }
                for (l, x) in row[3..].iter().enumerate() {
                    out.by_u.add(at + r - n, at + l - n, *x);
                }
            }
        }
    }
}

impl Straight {
    /// Writes what of the Jacobian stays the same.
    fn constants(&self, out: &mut Jacobian, n: usize, all: usize) {
        out.clear();
        for i in n..all {
            for (j, &v) in self.vi[..n].iter().enumerate() {
                out.by_q.set(i - n, v - n, self.by[j][i]);
            }
            for j in n..all {
                out.by_u.set(i - n, j - n, self.by[j][i]);
            }
            out.by_t[i - n] = self.by_t[i];
        }
        out.base.copy_from(&out.by_u);
        out.number = self.number;
    }
}
