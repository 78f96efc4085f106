//! The right-hand side of small systems whose springs and controllers are linear and whose motions are even: all but the
//! contacts is then linear in state and time, with coefficients that stay the same from one event to the next.
#![allow(
    clippy::needless_range_loop,
    reason = "index loops of known length are what the compiler unrolls, and read like the formula"
)]
use super::flow::Flow;
use super::parts::{Law, Mode, Parts, Row, Steer, Weight};
use super::rosenbrock::add;
use crate::system::{ControllerInput, SignalDerivatives};

/// Most coordinates, and most numbers of the state.
const MOST: usize = 4;
pub(super) const WIDE: usize = 8;

/// A number that is linear in time and state.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Linear {
    pub at: f64,
    pub by_t: f64,
    pub by: [f64; WIDE],
}

impl Linear {
    /// A displacement.
    fn place(row: &Row, motions: &[SignalDerivatives]) -> Self {
        let [x, v] = [0, 1].map(|order| row.driven(motions, order));
        let mut out = Self { at: row.offset + x, by_t: v, ..Self::default() };
        row.coordinates().for_each(|(i, c)| out.by[i] += c);
        out
    }
    /// Its velocity.
    fn speed(row: &Row, motions: &[SignalDerivatives]) -> Self {
        let mut out = Self { at: row.driven(motions, 1), ..Self::default() };
        row.speeds().for_each(|(i, c)| out.by[i] += c);
        out
    }
    /// Row `r` of a controller, from its derivatives at zero.
    fn control(steer: &Steer<'_>, r: usize, motions: &[SignalDerivatives]) -> Self {
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
    pub fn value<const W: usize>(&self, t: f64, y: &[f64; W]) -> f64 {
        let mut x = self.at + self.by_t * t;
        for i in 0..W.min(WIDE) {
            x += self.by[i] * y[i];
        }
        x
    }
}

/// The same where positions and velocities are all that counts: fewer products, for what is computed most often.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Line {
    at: f64,
    by_t: f64,
    by_q: [f64; MOST],
    by_v: [f64; MOST],
}

impl Line {
    fn new(full: &Linear, vi: &[usize]) -> Self {
        let mut out = Self { at: full.at, by_t: full.by_t, ..Self::default() };
        for (i, &v) in vi.iter().enumerate() {
            (out.by_q[i], out.by_v[i]) = (full.by[i], full.by[v]);
        }
        out
    }
    #[inline(always)]
    pub fn value<const N: usize>(&self, t: f64, q: &[f64; N], v: &[f64; N]) -> f64 {
        let mut x = self.at + self.by_t * t;
        for i in 0..N {
            x += self.by_q[i] * q[i] + self.by_v[i] * v[i];
        }
        x
    }
}

/// A contact that slides: where its velocities stand, what they weigh, how its force accelerates them, and its speed at
/// rest. A second end that is not there weighs nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slide {
    pub v: [usize; 2],
    pub c: [f64; 2],
    pub gain: [f64; 2],
    pub drift: f64,
}

impl Slide {
    #[inline(always)]
    pub fn speed(&self, y: &[f64]) -> f64 {
        self.c[0] * y[self.v[0]] + self.c[1] * y[self.v[1]] + self.drift
    }
}

/// What does not change between events.
#[derive(Clone, Debug, Default)]
pub(super) struct Straight {
    /// Whether the system is of this kind, in the modes it is in.
    pub holds: bool,
    /// Which of all that were noted this is.
    pub number: u64,
    /// When time begins.
    pub from: f64,
    /// Rates of all numbers of the state: at zero, by time, and by each number.
    pub at: [f64; WIDE],
    pub by_t: [f64; WIDE],
    pub by: [[f64; WIDE]; WIDE],
    /// Whether controllers have states of their own; else accelerations are as good by lines.
    pub steered: bool,
    pub lines: [Line; MOST],
    /// The work done through prescribed motions.
    pub work: Linear,
    pub work_line: Line,
    /// Forces of signals and controllers on the coordinates, if any: they do work, too.
    pub pushed: bool,
    pub outer: [Linear; MOST],
    /// Forces that are not linear in time: which, the velocity they act on, its weight and gain.
    pub uneven: Vec<(usize, usize, f64, f64)>,
    /// Coefficients of damping, if any.
    pub damps: bool,
    pub damping: [[f64; MOST]; MOST],
    pub vi: [usize; MOST],
    pub slides: Vec<Slide>,
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
            && motions.iter().all(|signal| signal.is_piecewise_linear())
            && steers.iter().all(|steer| linear(&steer.law))
            && springs.iter().all(|s| s.what.curve.is_none() && (s.what.damping == 0.0 || s.row.nm == 0))
            && rubs.iter().all(|rub| {
                let flows = match rub.mode {
                    Mode::Slip(_) => rub.whole,
                    // what has no memory is at rest when held
                    Mode::Stuck => rub.whole && rub.which.is_empty(),
                    Mode::Pinned(_) => false,
                };
                flows && rub.row.nq > 0 && matches!(rub.weight, Weight::Constant(_))
            });
        if self.straight.holds {
            self.note_straight();
        }
        self.note_exact();
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
                if push.signal.is_piecewise_linear() {
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
                control.partials(
                    &ControllerInput { t: from, from, y: &steer.y },
                    &[0.0; WIDE][..steer.states],
                    &mut steer.rows,
                );
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
            s.lines[i] = Line::new(&rates[parts.vi[i]], &parts.vi);
        }
        s.steered = parts.steers.iter().any(|steer| steer.states > 0);
        s.work_line = Line::new(&s.work, &parts.vi);
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
}

impl Straight {
    /// Time since it was noted.
    pub fn since(&self, t: f64) -> f64 {
        t - self.from
    }
}
