//! Building blocks for [`crate::Friction::step`].
//!
//! ```
//! use stiction_core::step::relax;
//!
//! // on the way from 1 to 0 with a time constant of 1 s, half a second later
//! assert!((relax(1.0, 0.0, 0.5_f64) - (-0.5_f64).exp()).abs() < 1e-15);
//! assert_eq!(relax(1.0, 0.25, f64::INFINITY), 0.25);
//! ```
use crate::Real;

/// `z` relaxing towards `target` for `x ≥ 0` time (or distance) constants: exact for `dz/dx = target − z`.
/// Leaves `z` untouched at `x = 0` and lands on `target` at `x = ∞`.
#[inline(always)]
pub fn relax<R: Real>(z: R, target: R, x: R) -> R {
    z - (target - z) * (-x).exp_m1()
}

/// `(1 − e^{−x})/x`: the mean of `e^{−t}` between 0 and `x`.
#[inline(always)]
pub fn phi1<R: Real>(x: R) -> R {
    let small = x.abs().lt(R::lit(1e-4));
    let safe = R::select(small, R::lit(1.0), x);
    // the term left out, x⁴/120, is below 1e-18
    let series = R::lit(1.0) - x * (R::lit(0.5) - x * (R::lit(1.0 / 6.0) - x * R::lit(1.0 / 24.0)));
    R::select(small, series, -(-safe).exp_m1() / safe)
}

/// Exact step of `dy/dt = b − a·y`, also where `a` vanishes, is negative, or `a·dt` is infinite.
#[inline(always)]
pub fn linear<R: Real>(y: R, b: R, a: R, dt: R) -> R {
    let x = a * dt;
    let long = R::lit(1.0).lt(x);
    let settled = relax(y, b / R::select(long, a, R::lit(1.0)), x);
    let short = y + (b - a * y) * R::select(long, R::lit(0.0), dt) * phi1(x);
    R::select(long, settled, short)
}

/// The root in `[lo, hi]` of a function that rises through zero there; `f` returns value and slope. Newton's method; a step
/// that would leave the bracket, or one that does not halve the step before the last, is a bisection instead (of the
/// logarithm, in a wide positive bracket). At most `N` iterations, so that the worst-case time is known.
#[inline(always)]
pub fn root<R: Real, const N: usize>(lo: R, hi: R, start: R, f: impl Fn(R) -> (R, R)) -> R {
    let [.., y] = R::repeat(N, root_start(lo, hi, start), |search| root_turn(search, f(search[4])));
    y
}

/// What an iteration of [`root`] carries: the bracket, the lengths of the last two steps, and where the function is evaluated next.
#[inline(always)]
pub(crate) fn root_start<R: Real>(lo: R, hi: R, start: R) -> [R; 5] {
    let width = hi - lo;
    [lo, hi, width, width, start.max(lo).min(hi)]
}

/// One iteration of [`root`], with the function's value and slope where it was to be evaluated; and whether it was the last one.
#[inline(always)]
pub(crate) fn root_turn<R: Real>([lo, hi, before, last, y]: [R; 5], (value, slope): (R, R)) -> ([R; 5], R::Mask) {
    let (zero, half) = (R::lit(0.0), R::lit(0.5));
    let above = zero.lt(value);
    let hi = R::select(above, y, hi);
    let lo = R::select(above, lo, y);
    let next = y - value / slope;
    // the first condition is false for a NaN too
    let inside = next.abs().lt(R::lit(1e300)) & !(next.lt(lo) | hi.lt(next));
    let quick = !((half * before).lt((next - y).abs()));
    let still = !(zero.lt(value.abs()));
    // by decades where the bracket is positive: a root may be thirty orders below its upper end
    let middle = R::select(
        lo.lt(zero) | hi.lt(R::lit(4.0) * lo),
        half * (lo + hi),
        R::select(zero.lt(lo), (lo * hi).sqrt(), hi * R::lit(1e-4)),
    );
    let newton = R::select(inside & (quick | still), next, R::select(still, y, middle));
    // Where the value no longer changes, this iteration has also made a dual number's derivative exact.
    ([lo, hi, last, (newton - y).abs(), newton], !(y.lt(newton) | newton.lt(y)))
}

/// One step of `dy/dx = φ(y)` over `x ≥ 0`, where φ falls through zero at `rest`: the two-stage, second
/// order, L-stable method of Alexander 1977. The solution moves towards `rest` and is kept from passing it.
/// `phi` returns φ and its slope.
#[inline(always)]
pub fn sdirk2<R: Real>(y: R, rest: R, x: R, phi: impl Fn(R) -> (R, R)) -> R {
    let gamma = R::lit(1.0 - core::f64::consts::FRAC_1_SQRT_2);
    let (lo, hi) = (y.min(rest), y.max(rest));
    let h = gamma * x;
    let stage = |base: R, start: R| {
        // Newton on a falling φ needs five or six
        root::<R, 12>(lo, hi, start, |s| {
            let (p, slope) = phi(s);
            (s - base - h * p, R::lit(1.0) - h * slope)
        })
    };
    let first = stage(y, y + h * phi(y).0);
    // y + (1−γ)·x·φ(first), with φ(first) from the stage equation: no cancellation at large x
    let base = (y + (R::lit(1.0) - gamma) / gamma * (first - y)).max(lo).min(hi);
    stage(base, base)
}
