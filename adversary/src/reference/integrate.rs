//! One run of the reference: explicit steps with a local error bound, each shorter than a share of the run; every change of a
//! mode ends a step, and is located by taking the step again with other lengths until the last bits of time agree.
use super::Leeway;
use super::elements::{ContactMode, StopMode};
use super::guards::{GuardKind, GuardSigns, guards};
use super::mechanics::Mechanics;
use super::signal::{breakpoints, period};
use crate::model::{Model, ROWS};
use std::time::{Duration, Instant};

/// How closely a run is made.
#[derive(Clone, Copy, Debug)]
pub struct Accuracy {
    /// Local error of a step, relative to the largest value of each state so far.
    pub tolerance: f64,
    /// Shares of the run, and eighths of this of a period, that are the longest step.
    pub shares: f64,
    /// Most steps, those taken again included.
    pub steps: usize,
}

/// Most time of a run. The number of steps ends nearly all long runs before; this is for steps with very many modes.
const LONGEST: Duration = Duration::from_secs(20);

/// Why the reference cannot follow a system.
#[derive(Clone, Debug, PartialEq)]
pub enum ReferenceError {
    /// The model is invalid.
    Invalid(String),
    /// A law whose memory changes at every step, by jumps, and not only between and at events.
    JumpsAtEveryStep,
    /// More steps than allowed: stiff, or many events.
    TooManySteps,
    /// Events follow each other without progress in time.
    NoProgress,
    /// No forces satisfy the conditions at rest.
    NoSolutionAtRest,
    /// More constraints at rest than are enumerated.
    TooManyAtRest,
    /// No impulses satisfy the impact law.
    NoImpact,
    /// A number that is not finite.
    NotFinite,
    /// Shorter steps do not bring the runs closer to each other.
    NotConverged,
}

/// A run under way.
pub struct Integration {
    pub m: Mechanics,
    pub t: f64,
    pub y: Vec<f64>,
    pub signs: GuardSigns,
    /// Largest speed of every coordinate so far.
    pub top_speed: Vec<f64>,
    /// Rebounds below this share of the largest speed end in contact.
    pub smallest_rebound: f64,
    pub leeway: Leeway,
    pub largest: Vec<f64>,
    accuracy: Accuracy,
    steps: usize,
    deadline: Instant,
}

// Coefficients of Dormand and Prince (1980), order 5 with an estimate of order 4.
const A: [&[f64]; 6] = [
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
const NODES: [f64; 6] = [1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];
const ERROR: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339_200.0, 22.0 / 525.0, -1.0 / 40.0];

impl Integration {
    /// Prepares a run.
    pub fn new(model: &Model, accuracy: Accuracy, leeway: Leeway) -> Result<Self, ReferenceError> {
        if model.contacts.iter().any(|contact| contact.law.name == "hysteresis") {
            // it carries a band of speeds along, which only its jumps move
            return Err(ReferenceError::JumpsAtEveryStep);
        }
        let (m, y) = Mechanics::new(model).map_err(ReferenceError::Invalid)?;
        let signs = GuardSigns {
            laws: m.contacts.iter().map(|contact| vec![-1.0; contact.law.guard_count()]).collect(),
            loads: vec![1.0; m.contacts.len()],
            springs: vec![0; m.springs.len()],
            saturations: vec![1.0; m.controls.len()],
        };
        let top_speed = y[m.n..2 * m.n].iter().map(|v| v.abs()).collect();
        let largest = y.iter().map(|x| x.abs()).collect();
        let smallest_rebound = 1e-3 * accuracy.tolerance;
        let (t, steps) = (model.start, 0);
        let deadline = Instant::now() + LONGEST;
        Ok(Self { m, t, y, signs, top_speed, smallest_rebound, leeway, largest, accuracy, steps, deadline })
    }
    /// Runs to the end; one row of [`Model::columns`] per instant of [`Model::row_time`], and the rounding of every column.
    pub fn run(mut self, model: &Model) -> Result<(Vec<Vec<f64>>, Vec<f64>), ReferenceError> {
        let mut ends = Vec::new();
        let mut longest = (model.end - model.start) / self.accuracy.shares;
        for signal in model.clone().signals_mut() {
            breakpoints(signal, &mut ends);
            longest = longest.min(period(signal, model.end) * 8.0 / self.accuracy.shares);
        }
        for control in &model.controls {
            if let Some(period) = control.period {
                let count = ((model.end - model.start) / period).ceil();
                ends.extend((0..count as usize).map(|k| model.start + k as f64 * period));
            }
        }
        let kinks = ends.clone();
        let rows: Vec<f64> = (0..=ROWS).map(|k| model.row_time(k)).collect();
        ends.extend(&rows);
        ends.retain(|t| *t > model.start && *t <= model.end);
        ends.sort_by(f64::total_cmp);
        ends.dedup();
        let mut out = Vec::new();
        let mut h = longest * 1e-3;
        let mut begin = model.start;
        let interval = (model.end - model.start) / ROWS as f64;
        let mut shares = self.leeway.memory.clone().into_iter();
        for (k, end) in [model.start].iter().chain(&ends).enumerate() {
            if k > 0 {
                self.advance(*end, longest, &mut h)?;
            }
            if rows.contains(end) {
                out.push(self.row(model));
                self.m.memory_drift = shares.next().unwrap_or(0.0) / interval;
            }
            if k > 0 && !kinks.contains(end) {
                continue;
            }
            // the next smooth piece
            begin = begin.max(*end);
            let next = ends.get(k).copied().unwrap_or(begin);
            self.m.piece = 0.5 * (begin + next);
            self.m.set_instant(self.t, &self.y);
            self.m.sample(self.t, model.start, &self.y);
            self.enter_piece()?;
        }
        let span = model.end - model.start;
        let rounding = self.m.bodies.iter().flat_map(|(c, scale, _)| {
            let speed = 1e-13 * scale.abs() * self.m.top_acceleration[*c] * span;
            [speed * span, speed]
        });
        let mut rounding: Vec<f64> = rounding.collect();
        rounding.resize(model.columns().len(), 0.0);
        Ok((out, rounding))
    }
    /// At the start of a smooth piece velocities of motions, forces and loads may have jumped.
    fn enter_piece(&mut self) -> Result<(), ReferenceError> {
        self.m.set_instant(self.t, &self.y);
        self.note_speeds();
        self.release_moving();
        let mut hit = Vec::new();
        for (s, stop) in self.m.stops.iter().enumerate().filter(|(s, _)| self.m.stop_modes[*s] == StopMode::Open) {
            let x = stop.row.x(&self.y[..self.m.n], &self.m.motions);
            let (at, v) = (self.m.contacts.len() + s, stop.row.v(&self.y[self.m.n..2 * self.m.n], &self.m.motions));
            if stop.one_way && v >= -super::guards::speed_noise(&self.m, at, &self.top_speed) {
                hit.push((s, 1.0));
            }
            for (end, limit) in [(-1.0, stop.lo), (1.0, stop.hi)] {
                if limit.is_finite() && end * (limit - x) <= 1e-15 * (x.abs() + limit.abs()) {
                    hit.push((s, end));
                }
            }
        }
        if !hit.is_empty() {
            self.impact(&hit)?;
        }
        let contacts = self.m.contacts.len();
        self.settle(&vec![false; contacts], &vec![None; contacts], false)?;
        self.update_signs();
        Ok(())
    }
    fn note_speeds(&mut self) {
        let v = &self.y[self.m.n..2 * self.m.n];
        self.top_speed.iter_mut().zip(v).for_each(|(top, v)| *top = top.max(v.abs()));
        self.largest.iter_mut().zip(&self.y).for_each(|(top, x)| *top = top.max(x.abs()));
    }
    /// The compared columns of the present instant.
    fn row(&mut self, model: &Model) -> Vec<f64> {
        self.m.evaluate(self.t, &self.y, false);
        let n = self.m.n;
        let bodies =
            self.m.bodies.iter().flat_map(|(c, scale, start)| [start + scale * self.y[*c], scale * self.y[n + c]]);
        let driven = (0..model.contacts.len()).filter(|&c| model.is_driven(model.contacts[c].ends)).map(|c| {
            let contact = &self.m.contacts[c];
            let (u, [low, high]) = (self.m.input(c, &self.y), self.m.limits(c, &self.y));
            // prescribed rest says nothing about a force that may be any within its limits
            let open = u.v == 0.0 && high > low;
            let cold = contact.law.force(&self.y[contact.at..contact.at + contact.len], &u);
            if open { f64::NAN } else { contact.warm(&self.y) * cold }
        });
        bodies.chain(driven).collect()
    }
    /// One step of length `h` from the present state: the new state and its estimated error over the bound.
    fn step(&mut self, h: f64) -> (Vec<f64>, f64) {
        let (len, t) = (self.m.len, self.t);
        self.m.evaluate(t, &self.y, false);
        let mut k: Vec<Vec<f64>> = vec![self.m.dy.clone()];
        let mut y = self.y.clone();
        for (a, c) in A.iter().zip(NODES) {
            for i in 0..len {
                y[i] = self.y[i] + h * a.iter().zip(&k).map(|(a, k)| a * k[i]).sum::<f64>();
            }
            self.m.evaluate(t + c * h, &y, false);
            k.push(self.m.dy.clone());
        }
        let mut worst = 0.0f64;
        for i in 0..len {
            let error: f64 = h * ERROR.iter().zip(&k).map(|(e, k)| e * k[i]).sum::<f64>();
            let scale = self.largest[i].max(y[i].abs());
            // forces that cancel leave their rounding as acceleration
            let n = self.m.n;
            let noise = match i {
                i if i < n => self.m.top_acceleration[i] * h,
                i if i < 2 * n => self.m.top_acceleration[i - n],
                _ => k[0][i].abs(),
            };
            worst = worst.max(error.abs() / (self.accuracy.tolerance * scale + 1e-14 * h * noise + 1e-290));
            if !y[i].is_finite() {
                worst = f64::INFINITY;
            }
        }
        (y, worst)
    }
    /// Guards beyond zero in a state; `before` are the values at the start of the step.
    fn fired(&mut self, t: f64, y: &[f64], before: &[(GuardKind, f64, f64)]) -> Vec<GuardKind> {
        self.m.evaluate(t, y, false);
        let now = guards(&self.m, y, &self.signs, &self.top_speed);
        now.iter()
            .zip(before)
            .filter(|((_, g, noise), (_, g0, _))| *g < -noise && (*g0 >= -noise || *g < 2.0 * g0))
            .map(|((kind, _, _), _)| *kind)
            .collect()
    }
    /// Integrates until `end`.
    fn advance(&mut self, end: f64, longest: f64, h: &mut f64) -> Result<(), ReferenceError> {
        let mut without_progress = 0;
        while self.t < end {
            self.steps += 1;
            let slow = self.steps.is_multiple_of(256) && Instant::now() > self.deadline;
            if slow || self.steps > self.accuracy.steps {
                return Err(ReferenceError::TooManySteps);
            }
            let left = end - self.t;
            let last = *h >= left;
            let length = if last { left } else { h.min(0.5 * left).min(longest) };
            let (y, error) = self.step(length);
            if error > 1.0 {
                *h = length * if error.is_finite() { (0.9 * error.powf(-0.2)).clamp(0.1, 0.9) } else { 0.1 };
                if self.t + *h == self.t {
                    return Err(ReferenceError::NoProgress);
                }
                continue;
            }
            self.m.evaluate(self.t, &self.y, false);
            let before = guards(&self.m, &self.y, &self.signs, &self.top_speed);
            let fired = self.fired(self.t + length, &y, &before);
            let within = if fired.is_empty() { self.excursion(length, &y, &before) } else { None };
            let (length, y, fired) = within.unwrap_or((length, y, fired));
            if fired.is_empty() {
                self.t = if last { end } else { self.t + length };
                self.y = y;
                self.note_speeds();
                *h = (length * (0.9 * error.max(1e-10).powf(-0.2)).clamp(0.2, 5.0)).min(longest);
                without_progress = 0;
                self.correct_sides();
                continue;
            }
            let (length, y, fired) = self.locate(length, y, fired, &before);
            if self.t + length == self.t {
                without_progress += 1;
                if without_progress > 30 {
                    return Err(ReferenceError::NoProgress);
                }
            } else {
                without_progress = 0;
            }
            let at_once = length <= 1e-13 * longest;
            (self.t, self.y) = (self.t + length, y);
            self.note_speeds();
            self.m.set_instant(self.t, &self.y);
            self.transition(&fired, at_once)?;
            *h = h.min(1e-2 * longest);
        }
        Ok(())
    }
    /// A shorter step after which a guard is beyond zero that has returned at the end of this one, to state `end`. Where to look, the cubic through
    /// both ends of the step says, and parabolas through the guards along it; what counts is the state after a step of that length.
    fn excursion(
        &mut self,
        length: f64,
        end: &[f64],
        before: &[(GuardKind, f64, f64)],
    ) -> Option<(f64, Vec<f64>, Vec<GuardKind>)> {
        const PLACES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
        let start = self.y.clone();
        self.m.evaluate(self.t, &start, false);
        let first = self.m.dy.clone();
        self.m.evaluate(self.t + length, end, false);
        let last = self.m.dy.clone();
        let cubic = |share: f64| -> Vec<f64> {
            let (rest, n) = (1.0 - share, start.len());
            let slopes = |i: usize| rest * first[i] - share * last[i];
            let chord = |i: usize| rest * start[i] + share * end[i];
            let bend = |i: usize| (rest - share) * (end[i] - start[i]);
            (0..n).map(|i| chord(i) + share * rest * (length * slopes(i) - bend(i))).collect()
        };
        let values = PLACES.map(|share| {
            let y = cubic(share);
            self.m.evaluate(self.t + share * length, &y, false);
            guards(&self.m, &y, &self.signs, &self.top_speed)
        });
        let mut suspects = Vec::new();
        for (k, (_, _, noise)) in before.iter().enumerate() {
            let g = |j: usize| values[j][k].1;
            for j in (1..4).filter(|&j| g(j) <= g(j - 1) && g(j) <= g(j + 1)) {
                let curvature = g(j - 1) - 2.0 * g(j) + g(j + 1);
                let slope = 0.5 * (g(j + 1) - g(j - 1));
                let aside = if curvature > 0.0 { (-slope / curvature).clamp(-1.0, 1.0) } else { 0.0 };
                let lowest = g(j) + aside * (slope + 0.5 * aside * curvature);
                if lowest < -noise {
                    suspects.push(PLACES[j] + 0.25 * aside);
                }
            }
        }
        suspects.sort_by(f64::total_cmp);
        suspects.into_iter().find_map(|share| {
            self.steps += 1;
            let (y, _) = self.step(share * length);
            let fired = self.fired(self.t + share * length, &y, before);
            (!fired.is_empty()).then_some((share * length, y, fired))
        })
    }
    /// The shortest step after which a guard is beyond zero, to the last bits, and which guards.
    fn locate(
        &mut self,
        length: f64,
        y: Vec<f64>,
        fired: Vec<GuardKind>,
        before: &[(GuardKind, f64, f64)],
    ) -> (f64, Vec<f64>, Vec<GuardKind>) {
        let (mut low, mut high) = (0.0, length);
        let mut found = (y, fired);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high || self.t + low == self.t + high {
                break;
            }
            self.steps += 1;
            let (y, _) = self.step(middle);
            let fired = self.fired(self.t + middle, &y, before);
            if fired.is_empty() {
                low = middle;
            } else {
                high = middle;
                found = (y, fired);
            }
        }
        (high, found.0, found.1)
    }
    /// A velocity that changed its sign within rounding: the law sees the side on which it is.
    fn correct_sides(&mut self) {
        for c in 0..self.m.contacts.len() {
            if let ContactMode::Slides(side) = self.m.contact_modes[c] {
                let v = self.m.row(c).v(&self.y[self.m.n..2 * self.m.n], &self.m.motions);
                if side * v < 0.0 {
                    self.m.contact_modes[c] = ContactMode::Slides(-side);
                }
            }
        }
    }
}
