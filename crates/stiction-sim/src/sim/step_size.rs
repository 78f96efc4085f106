//! Step-size control: one rule for all methods, [`factors`], over any number.
//!
//! Scalar runs of Rodas5P refine it after accepted steps. PI control together with Gustafsson's predictive controller: the last two accepted steps show how the error coefficient
//! grows, so that the step size falls before a step is rejected. The smaller step size is used. On the problems of
//! `bench/src/sim.rs` this takes 8 % fewer attempts than PI control alone at the same tolerance (1e-5 to 1e-8), with errors
//! that are 12 % larger on average: some 6 % less work at the same error, less than the scatter between the problems.
//!
//! Errors are passed as squares, and their powers come from short tables: a few digits are enough, and the next step
//! depends on them.

use std::ops::Range;
use stiction_core::Real;

/// The dense output within a step is less accurate than its end, and its error is not controlled. An event at a fraction of
/// the step in this range is therefore located on a repeated step that ends just beyond it; the overshoot is the length of
/// that step relative to the estimated time of the event.
pub(super) const RETAKE_RANGE: Range<f64> = 1e-3..0.99;
pub(super) const RETAKE_OVERSHOOT: f64 = 1.005;

/// Safety factor on the step size that the error allows.
const SAFETY: f64 = 0.9;
/// The estimated error of a step of Rodas5P is proportional to this power of its length.
pub const ORDER: f64 = 5.0;
/// Smallest and largest factor from an accepted step to the next, and from a rejected step to its repetition.
const ACCEPTED: [f64; 2] = [0.2, 8.0];
const REJECTED: [f64; 2] = [0.1, 0.9];

/// The factor at which the error, proportional to the power `order` of the step, would meet the tolerance, with a margin.
/// `squared` is the square of the error relative to the tolerance; not a number counts as very large.
#[inline(always)]
fn elementary<R: Real>(squared: R, order: f64) -> R {
    let bounded = R::select(squared.lt(R::lit(1e300)), squared.max(R::lit(1e-20)), R::lit(1e300));
    R::lit(SAFETY) * (bounded.ln() * R::lit(-0.5 / order)).exp()
}
/// The factors from a step to the next: if it is accepted, and if it is rejected. The first exceeds 1 only where the step may grow.
#[inline(always)]
pub fn factors<R: Real>(squared: R, order: f64, grows: R::Mask) -> [R; 2] {
    let factor = elementary(squared, order);
    let most = R::select(grows, R::lit(ACCEPTED[1]), R::lit(1.0));
    [factor.min(most).max(R::lit(ACCEPTED[0])), factor.min(R::lit(REJECTED[1])).max(R::lit(REJECTED[0]))]
}
/// The factor from an accepted step to the next, which may grow.
pub fn after_accepted(squared: f64, order: f64) -> f64 {
    factors(squared, order, true)[0]
}
/// The factor from a rejected step to its repetition.
pub fn after_rejected(squared: f64, order: f64) -> f64 {
    factors(squared, order, true)[1]
}

/// Powers of the squared error of this step, for PI control and for prediction, and of the step before.
static PROPORTIONAL: Power = Power::new(1.057_018_040_561_380_4); // 2^0.08: the squared error to the power −0.08
static PREDICTED: Power = Power::new(1.148_698_354_997_035); // 2^0.2
static INTEGRAL: Power = Power::new(0.972_654_947_412_285_5); // 2^−0.04
static FORMER: Power = Power::new(0.933_032_991_536_807_4); // 2^−0.1

/// The step-size controller: what the last accepted step says about the next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StepSizeController {
    /// A power of its error; and another, over its length.
    last: Option<(f64, f64)>,
}

impl StepSizeController {
    /// The factor from the length `h` of an accepted step to the next. `squared` is the square of its error, at most 1; the
    /// factor exceeds 1 only if `grows`.
    #[inline(always)]
    pub fn accept(&mut self, h: f64, squared: f64, grows: bool) -> f64 {
        let (share, per_length) = self.last.unwrap_or((1.0, 0.0));
        let mut factor = PROPORTIONAL.of(squared) * share;
        if grows && self.last.is_some() {
            factor = factor.min(PREDICTED.of(squared) * (h * per_length));
        }
        // very small errors are rounded up: they say nothing more
        self.last = Some((INTEGRAL.of(squared.max(1.5e-8)), FORMER.of(squared.max(6e-5)) / h));
        let most = if grows { ACCEPTED[1] } else { 1.0 };
        (SAFETY * factor).clamp(ACCEPTED[0], most)
    }
}

/// The shortest step at time `t` \[s\]: 16 units in the last place of the time, so that stages still have distinct times.
#[inline(always)]
pub(super) fn min_step<R: Real>(t: R) -> R {
    t.abs() * R::lit(16.0 * f64::EPSILON)
}

/// A step of about `h` with `room` left before a breakpoint, and whether it ends there: the last two steps before a
/// breakpoint are of equal length, so that no tiny step is left over.
#[inline(always)]
pub(super) fn clip_to_breakpoint<R: Real>(h: R, room: R, min_step: R) -> (R, R::Mask) {
    let h = h.max(min_step);
    let lands = !h.lt(room * R::lit(0.999_999));
    (R::select(lands, room, h.min(room * R::lit(0.5))), lands)
}

/// A power function on 0..1 by table: exact at powers of two, linear in between.
struct Power {
    /// At 1, ½, ¼, ...
    at: [f64; 64],
    /// Relative difference between neighbouring entries.
    slope: f64,
}

impl Power {
    /// The power function that grows by `ratio` when its argument is halved.
    const fn new(ratio: f64) -> Self {
        let (mut at, mut i) = ([1.0; 64], 1);
        while i < 64 {
            at[i] = at[i - 1] * ratio;
            i += 1;
        }
        Self { at, slope: 1.0 / ratio - 1.0 }
    }
    /// The power of a number from zero to one; below 2⁻⁶³ as at 2⁻⁶³.
    #[inline(always)]
    fn of(&self, x: f64) -> f64 {
        let bits = x.to_bits();
        let halvings = 1023_u64.saturating_sub(bits >> 52).min(63);
        // the mantissa, between 1 and 2
        let digits = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
        self.at[halvings as usize & 63] * (1.0 + self.slope * (digits - 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::{FORMER, INTEGRAL, PREDICTED, PROPORTIONAL};

    #[test]
    fn powers_are_near_enough() {
        for i in 0..6300 {
            let x = (-0.01 * f64::from(i)).exp2();
            for (power, exponent) in [(&PROPORTIONAL, -0.08), (&PREDICTED, -0.2), (&INTEGRAL, 0.04), (&FORMER, 0.1)] {
                // linear interpolation between powers of two is worst halfway: 1.45^-0.2 is 1.4 % below it
                assert!((power.of(x) / x.powf(exponent) - 1.0).abs() < 1.5e-2, "{x:e} to the power {exponent}");
            }
        }
    }

    #[test]
    fn nothing_is_as_small_as_can_be() {
        assert_eq!(PREDICTED.of(0.0), PREDICTED.at[63]);
    }
}
