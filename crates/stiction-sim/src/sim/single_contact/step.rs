//! A step of Rodas5P for one body on one contact.
//!
//! The law is evaluated eight times, each time at a state that depends on its last result, and the processor waits for it.
//! So everything linear is summed beside it, and a result enters the next evaluation by one product and sum.
#![allow(
    clippy::needless_range_loop,
    reason = "index loops of known length are what the compiler unrolls, and read like the formula"
)]
use super::super::rodas5p::{A, C, D, H, NODES, STAGES, WEIGHTS};
use super::super::rounding::unknown_change;
use super::coefficients::Coefficients;
use super::inverse::Inverse;
use super::law::{Contact, LawSlopes};
use super::{Numbers, STATE_MAX, Workspace, add};
use std::hint::black_box;

/// A step that is tried, and its stages.
pub(super) struct TrialStep<'d> {
    pub h: f64,
    pub since: f64,
    pub y0: Numbers,
    pub y1: Numbers,
    /// Rates at the beginning, but for those of the memory.
    pub first: Numbers,
    pub work: &'d mut Workspace,
}

/// One stage: its distance from the beginning, its solution without the contact, and the contact's part: the change of its
/// force, and the rates of its memory. The change of the force is taken first, so that a body at rest under a load stays
/// at rest without rounding noise.
#[derive(Clone, Copy)]
struct Stage {
    far: Numbers,
    base: Numbers,
    push: f64,
    rates: [f64; 2],
}

/// How the stages of a step are computed: what a kernel is compiled for.
pub(super) trait StageMethod {
    /// What a step needs once, however often it is tried.
    fn begin(_step: &mut TrialStep<'_>, _course: &Coefficients, _slopes: &LawSlopes) {}
    /// Tries a step of length `h`; returns the square of its error over what is allowed.
    fn attempt<const LEN: usize>(
        step: &mut TrialStep<'_>,
        contact: &Contact<'_, LEN>,
        course: &Coefficients,
        slopes: &LawSlopes,
        h: f64,
    ) -> f64;
    /// Computes the coefficients of the dense output of an accepted step.
    fn prepare_dense_output(step: &mut TrialStep<'_>);
    /// What the energies grow by, over `h`.
    fn growth(step: &TrialStep<'_>, course: &Coefficients) -> Numbers;
    /// The same, and the coefficients of its dense output.
    fn energies(step: &TrialStep<'_>, course: &Coefficients) -> [Numbers; 4];
}

/// Rodas5P: the stages one after another.
pub(super) struct Rosenbrock;

impl<'d> TrialStep<'d> {
    #[inline(always)]
    pub fn new(work: &'d mut Workspace, course: &Coefficients, s: &LawSlopes, t: f64, y: &Numbers) -> Self {
        let since = t - course.from;
        let mut first = course.linear(since, y);
        first[1] -= course.gain * s.f;
        Self { h: 0.0, since, y0: *y, y1: *y, first, work }
    }
    /// The square of the error of the last attempt over what is allowed, if what rounding leaves unknown is allowed, too.
    #[cold]
    #[inline(never)]
    pub fn error_above_rounding(&self, course: &Coefficients, slopes: &LawSlopes) -> f64 {
        let Coefficients { c, gain, .. } = course;
        let mut by = course.by;
        by[1][1] -= gain * c * slopes.by_v;
        for i in 0..2 {
            by[2 + i][1] -= gain * slopes.by_w[i];
            by[1][2 + i] += c * slopes.rate_by_v[i];
            for j in 0..2 {
                by[2 + j][2 + i] += slopes.rate_by_w[i][j];
            }
        }
        let square = |i: usize| {
            let others = (0..STATE_MAX).filter(|&j| j != i).map(|j| (by[j][i], self.y0[j]));
            let unknown = unknown_change(self.h, by[i][i], others);
            let allowed = course.rtol * self.y0[i].abs().max(self.y1[i].abs()) + course.atol[i] + unknown;
            self.work.error[i] / allowed.powi(2)
        };
        (0..STATE_MAX).map(square).sum::<f64>() * course.share
    }
    /// Stage `I`, after the `last`; at the beginning the contact's force was `f`.
    #[inline(always)]
    fn next<const LEN: usize, const I: usize>(
        &mut self,
        contact: &Contact<LEN>,
        course: &Coefficients,
        system: &Inverse,
        f: f64,
        last: &Stage,
    ) -> Stage {
        let len = LEN;
        // the last stages begin where the one before ends
        let ends = I >= STAGES - 2;
        let (gain, mut far) = if ends { (1.0, last.far) } else { (A[I][I - 1], [0.0; STATE_MAX]) };
        for j in 0..if ends { 0 } else { I - 1 } {
            add(&mut far, A[I][j], &self.work.k[j]);
        }
        // where the law is evaluated, straight from its last response
        let near = |i: usize| {
            let mut x = self.y0[i] + gain.mul_add(last.base[i], far[i]);
            for j in (0..len.min(2)).rev() {
                x = last.rates[j].mul_add(gain * system.columns[2 + j][i], x);
            }
            (x, gain * system.force[i])
        };
        let (v, by_f) = near(1);
        let slip = last.push.mul_add(course.c * by_f, course.c.mul_add(v, course.drift));
        let ((z0, z0_by_f), (z1, z1_by_f)) = (near(2), near(3));
        let memory = [last.push.mul_add(z0_by_f, z0), last.push.mul_add(z1_by_f, z1)];
        let response = contact.flow(course, &memory, slip);
        // beside it, the stage without the law: what the last stage adds comes last
        self.work.at[I] = far;
        let time = NODES[I] * self.h;
        let mut r = course.change(len, D[I].mul_add(self.h, time), black_box(&self.work.at[I]));
        add(&mut r, 1.0, &self.first);
        let mut sum = [0.0; STATE_MAX];
        for j in 0..I - 1 {
            add(&mut sum, C[I][j], &self.work.k[j]);
        }
        add(&mut r, system.by_h, &sum);
        self.work.rhs[I] = r;
        let mut base = system.times(black_box(&self.work.rhs[I]));
        let k = self.work.k[I - 1];
        for j in 0..STATE_MAX {
            let (mut column, own) = ([0.0; STATE_MAX], system.by_h * C[I][I - 1]);
            for i in 0..STATE_MAX {
                column[i] = own * system.columns[j][i];
                if j < 2 || j >= 2 + len {
                    column[i] = gain.mul_add(system.moved[j][i], column[i]);
                }
            }
            add(&mut base, k[j], &column);
        }
        add(&mut far, gain, &k);
        self.work.base[I] = base;
        let base = *black_box(&self.work.base[I]);
        let stage = Stage { far, base, push: response.f - f, rates: response.rates };
        self.write::<LEN, I>(system, &stage);
        let mut y = self.y0;
        add(&mut y, 1.0, &far);
        self.work.powers[I] = course.powers(self.since + time, &y, slip, response.f);
        stage
    }
    #[inline(always)]
    fn write<const LEN: usize, const I: usize>(&mut self, system: &Inverse, stage: &Stage) {
        let mut k = stage.base;
        for j in (0..LEN.min(2)).rev() {
            add(&mut k, stage.rates[j], &system.columns[2 + j]);
        }
        add(&mut k, stage.push, &system.force);
        self.work.k[I] = k;
    }
    #[inline(always)]
    fn weighed(&self, weights: &[f64; STAGES]) -> Numbers {
        let mut sum = [0.0; STATE_MAX];
        for i in 0..STAGES {
            add(&mut sum, weights[i], &self.work.k[i]);
        }
        sum
    }
    /// The integral of the powers with these weights, over `h`.
    #[inline(always)]
    fn quadrature(&self, weights: &[f64; STAGES]) -> Numbers {
        let (mut sum, mut by_t) = ([0.0; STATE_MAX], 0.0);
        for i in 0..STAGES {
            add(&mut sum, weights[i], &self.work.powers[i]);
            by_t += weights[i] * D[i];
        }
        add(&mut sum, self.h * by_t, &self.work.power_t);
        let stages = self.weighed(weights);
        for i in 0..STATE_MAX {
            add(&mut sum, stages[i], &self.work.power[i]);
        }
        sum
    }
}

impl StageMethod for Rosenbrock {
    #[inline(always)]
    fn begin(step: &mut TrialStep<'_>, course: &Coefficients, slopes: &LawSlopes) {
        let TrialStep { since, y0, work, .. } = step;
        let slip = course.slip(y0);
        course.slopes_of_powers(slopes, *since, y0, slip, &mut work.power, &mut work.power_t);
        work.powers[0] = course.powers(*since, y0, slip, slopes.f);
    }
    #[inline(always)]
    fn attempt<const LEN: usize>(
        step: &mut TrialStep<'_>,
        contact: &Contact<'_, LEN>,
        course: &Coefficients,
        slopes: &LawSlopes,
        h: f64,
    ) -> f64 {
        let system = Inverse::new(LEN, course, slopes, h);
        step.h = h;
        let mut r = step.first;
        add(&mut r, h * D[0], &course.by_t);
        let first = Stage { far: [0.0; STATE_MAX], base: system.times(&r), push: 0.0, rates: slopes.rate };
        step.write::<LEN, 0>(&system, &first);
        let f = slopes.f;
        let last = step.next::<LEN, 1>(contact, course, &system, f, &first);
        let last = step.next::<LEN, 2>(contact, course, &system, f, &last);
        let last = step.next::<LEN, 3>(contact, course, &system, f, &last);
        let last = step.next::<LEN, 4>(contact, course, &system, f, &last);
        let last = step.next::<LEN, 5>(contact, course, &system, f, &last);
        let last = step.next::<LEN, 6>(contact, course, &system, f, &last);
        let last = step.next::<LEN, 7>(contact, course, &system, f, &last);
        // the last stage is the error, and little beside the state to which it is added
        let (mut squares, mut size) = ([0.0; STATE_MAX], [0.0; STATE_MAX]);
        for i in 0..STATE_MAX {
            let y = step.y0[i] + last.far[i];
            let by = 1.0 / course.rtol.mul_add(step.y0[i].abs().max(y.abs()), course.atol[i]);
            let error = step.work.k[STAGES - 1][i];
            step.work.error[i] = error * error;
            squares[i] = (error * by) * (error * by);
            step.y1[i] = step.y0[i] + (last.far[i] + error);
            size[i] = step.y1[i].abs();
        }
        let sum = |x: [f64; STATE_MAX]| (x[0] + x[1]) + (x[2] + x[3]);
        if sum(size) < 1e300 { sum(squares) * course.share } else { f64::INFINITY }
    }
    #[inline(always)]
    fn prepare_dense_output(step: &mut TrialStep<'_>) {
        for row in 0..3 {
            step.work.dense[row] = step.weighed(&H[row]);
        }
    }
    #[inline(always)]
    fn growth(step: &TrialStep<'_>, _: &Coefficients) -> Numbers {
        step.quadrature(&WEIGHTS[0])
    }
    #[inline(always)]
    fn energies(step: &TrialStep<'_>, _: &Coefficients) -> [Numbers; 4] {
        let mut out = [[0.0; STATE_MAX]; 4];
        for row in 0..4 {
            out[row] = step.quadrature(&WEIGHTS[row]);
        }
        out
    }
}
