//! What stays the same from one event to the next, as the kernel wants it.
#![allow(
    clippy::needless_range_loop,
    reason = "index loops of known length are what the compiler unrolls, and read like the formula"
)]
use super::super::linear_part::{AffineForm, LinearPart};
use super::lap::Slopes;
use super::{Numbers, WIDE, add};

/// A number that is linear in time and state.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Line {
    pub at: f64,
    pub by_t: f64,
    pub by: Numbers,
}

impl Line {
    fn new(full: &AffineForm) -> Self {
        let mut by = [0.0; WIDE];
        by.copy_from_slice(&full.by[..WIDE]);
        Self { at: full.at, by_t: full.by_t, by }
    }
    #[inline(always)]
    pub fn value(&self, since: f64, y: &Numbers) -> f64 {
        let [a, b, c, d] = self.by;
        let first = y[1].mul_add(b, y[0].mul_add(a, self.at));
        first + y[3].mul_add(d, y[2].mul_add(c, self.by_t * since))
    }
}

/// Rates are `at + t·by_t + Σ y_j·by[j]`, less `gain` times the contact's force on the velocity.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Course {
    /// When time begins.
    pub from: f64,
    pub at: Numbers,
    pub by_t: Numbers,
    pub by: [Numbers; WIDE],
    /// The sliding velocity is `c·v + drift`.
    pub c: f64,
    pub drift: f64,
    pub gain: f64,
    pub load: f64,
    pub side: f64,
    /// The speed below which slopes are those there.
    pub quiet: f64,
    /// The power of prescribed motions; the force of signals and controllers, which do work, too; damping.
    pub work: Line,
    pub outer: Line,
    pub pushed: bool,
    pub damping: f64,
    pub rtol: f64,
    pub atol: Numbers,
    /// One over how many numbers the state has.
    pub share: f64,
}

impl Course {
    pub fn new(rtol: f64, atol: &[f64]) -> Self {
        // what is not there makes no error
        let mut all = [1.0; WIDE];
        all[..atol.len()].copy_from_slice(atol);
        Self { rtol, atol: all, share: 1.0 / atol.len() as f64, ..Self::default() }
    }
    pub fn note(&mut self, s: &LinearPart, load: f64) {
        self.from = s.from;
        self.at.copy_from_slice(&s.at[..WIDE]);
        self.by_t.copy_from_slice(&s.by_t[..WIDE]);
        for j in 0..WIDE {
            self.by[j].copy_from_slice(&s.by[j][..WIDE]);
        }
        let slide = &s.sliding_contacts[0];
        (self.c, self.drift, self.gain, self.load) = (slide.c[0], slide.drift, slide.gain[0], load);
        (self.work, self.outer, self.damping) = (Line::new(&s.work), Line::new(&s.outer[0]), s.damping[0][0]);
        self.pushed = s.has_outer_forces;
    }
    /// The sliding velocity.
    #[inline(always)]
    pub fn slip(&self, y: &Numbers) -> f64 {
        self.c * y[1] + self.drift
    }
    /// The rates but for the contact's.
    #[inline(always)]
    pub fn linear(&self, since: f64, y: &Numbers) -> Numbers {
        let mut r = self.at;
        add(&mut r, 1.0, &self.change(0, since, y));
        r
    }
    /// How they change over a time `since` with a change `y` of the state. Of the contact's memory, `len` numbers, they
    /// know nothing.
    #[inline(always)]
    pub fn change(&self, len: usize, since: f64, y: &Numbers) -> Numbers {
        let (mut r, mut sum) = ([0.0; WIDE], [0.0; WIDE]);
        add(&mut r, since, &self.by_t);
        for i in 0..WIDE {
            sum[i] = y[1].mul_add(self.by[1][i], y[0] * self.by[0][i]);
        }
        for j in 2 + len..WIDE {
            add(&mut r, y[j], &self.by[j]);
        }
        add(&mut r, 1.0, &sum);
        r
    }
    /// Work, friction and damping at force `f`.
    #[inline(always)]
    pub fn powers(&self, since: f64, y: &Numbers, slip: f64, f: f64) -> Numbers {
        let mut work = f.mul_add(self.drift, self.work.value(since, y));
        if self.pushed {
            work = self.outer.value(since, y).mul_add(y[1], work);
        }
        [work, f * slip, self.damping * y[1] * y[1], 0.0]
    }
    /// Their derivatives by the state and by time.
    #[inline(always)]
    pub fn slopes_of_powers(
        &self,
        s: &Slopes,
        since: f64,
        y: &Numbers,
        slip: f64,
        by: &mut [Numbers; WIDE],
        by_t: &mut Numbers,
    ) {
        let Self { work, outer, c, drift, .. } = self;
        *by = [[0.0; WIDE]; WIDE];
        for i in 0..WIDE {
            by[i][0] = work.by[i] + outer.by[i] * y[1];
        }
        by[1] = [
            by[1][0] + outer.value(since, y) + c * s.by_v * drift,
            c * (s.by_v * slip + s.f),
            2.0 * self.damping * y[1],
            0.0,
        ];
        for i in 0..2 {
            by[2 + i][0] += s.by_w[i] * drift;
            by[2 + i][1] += s.by_w[i] * slip;
        }
        *by_t = [work.by_t + outer.by_t * y[1], 0.0, 0.0, 0.0];
    }
}
