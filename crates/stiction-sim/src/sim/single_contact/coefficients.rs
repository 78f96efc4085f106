//! The coefficients of the linear part, which are constant from one event to the next.
#![allow(
    clippy::needless_range_loop,
    reason = "index loops of known length are what the compiler unrolls, and read like the formula"
)]
use super::super::linear_part::{AffineForm, LinearPart};
use super::law::LawSlopes;
use super::{Numbers, STATE_MAX, add};

/// A number that is linear in time and state.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LinearForm {
    pub at: f64,
    pub by_t: f64,
    pub by: Numbers,
}

impl LinearForm {
    fn new(full: &AffineForm) -> Self {
        let mut by = [0.0; STATE_MAX];
        by.copy_from_slice(&full.by[..STATE_MAX]);
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
pub(super) struct Coefficients {
    /// When time begins.
    pub from: f64,
    pub at: Numbers,
    pub by_t: Numbers,
    pub by: [Numbers; STATE_MAX],
    /// The sliding velocity is `c·v + drift`.
    pub c: f64,
    pub drift: f64,
    pub gain: f64,
    pub side: f64,
    /// Below this speed the slopes of the law are taken at this speed.
    pub slope_speed: f64,
    /// The power of prescribed motions; the force of signals and controllers, which do work, too; damping.
    pub work: LinearForm,
    pub outer: LinearForm,
    pub pushed: bool,
    pub damping: f64,
    pub rtol: f64,
    pub atol: Numbers,
    /// One over how many numbers the state has.
    pub share: f64,
}

impl Coefficients {
    pub fn new(rtol: f64, atol: &[f64]) -> Self {
        // unused numbers of the state have no error
        let mut all = [1.0; STATE_MAX];
        all[..atol.len()].copy_from_slice(atol);
        Self { rtol, atol: all, share: 1.0 / atol.len() as f64, ..Self::default() }
    }
    pub fn update(&mut self, s: &LinearPart) {
        self.from = s.from;
        self.at.copy_from_slice(&s.at[..STATE_MAX]);
        self.by_t.copy_from_slice(&s.by_t[..STATE_MAX]);
        for j in 0..STATE_MAX {
            self.by[j].copy_from_slice(&s.by[j][..STATE_MAX]);
        }
        let slide = &s.sliding_contacts[0];
        (self.c, self.drift, self.gain) = (slide.c[0], slide.drift, slide.gain[0]);
        (self.work, self.outer, self.damping) =
            (LinearForm::new(&s.work), LinearForm::new(&s.outer[0]), s.damping[0][0]);
        self.pushed = s.has_outer_forces;
    }
    /// The sliding velocity.
    #[inline(always)]
    pub fn slip(&self, y: &Numbers) -> f64 {
        self.c * y[1] + self.drift
    }
    /// The rates without the contact's.
    #[inline(always)]
    pub fn linear(&self, since: f64, y: &Numbers) -> Numbers {
        let mut r = self.at;
        add(&mut r, 1.0, &self.change(0, since, y));
        r
    }
    /// How they change over a time `since` with a change `y` of the state. They do not depend on the `len` numbers of the
    /// contact's memory.
    #[inline(always)]
    pub fn change(&self, len: usize, since: f64, y: &Numbers) -> Numbers {
        let (mut r, mut sum) = ([0.0; STATE_MAX], [0.0; STATE_MAX]);
        add(&mut r, since, &self.by_t);
        for i in 0..STATE_MAX {
            sum[i] = y[1].mul_add(self.by[1][i], y[0] * self.by[0][i]);
        }
        for j in 2 + len..STATE_MAX {
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
        s: &LawSlopes,
        since: f64,
        y: &Numbers,
        slip: f64,
        by: &mut [Numbers; STATE_MAX],
        by_t: &mut Numbers,
    ) {
        let Self { work, outer, c, drift, .. } = self;
        *by = [[0.0; STATE_MAX]; STATE_MAX];
        for i in 0..STATE_MAX {
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
