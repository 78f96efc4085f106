//! Building blocks for [`crate::Friction::step`].
use crate::Real;

/// Most iterations of [`root`]: fixed, so that the worst-case time is known. Newton needs five or six; where it fails
/// the bracket makes it a bisection.
const ITERATIONS: usize = 12;

/// `z` relaxing towards `target` for `x ≥ 0` time (or distance) constants: exact for `dz/dx = target − z`.
/// Leaves `z` untouched at `x = 0` and lands on `target` at `x = ∞`.
#[inline(always)]
pub fn relax<R: Real>(z: R, target: R, x: R) -> R {
    z - (target - z) * (-x).exp_m1()
}

/// `(1 − e^{−x})/x` for `x ≥ 0`: the mean of `e^{−t}` over `[0, x]`.
#[inline(always)]
pub fn phi1<R: Real>(x: R) -> R {
    let small = x.lt(R::lit(1e-4));
    let safe = R::select(small, R::lit(1.0), x);
    // the term left out, x⁴/120, is below 1e-18
    let series = R::lit(1.0) - x * (R::lit(0.5) - x * (R::lit(1.0 / 6.0) - x * R::lit(1.0 / 24.0)));
    R::select(small, series, -(-safe).exp_m1() / safe)
}

/// Exact step of `dy/dt = b − a·y`, `a ≥ 0`, also where `a` vanishes or `a·dt` is infinite.
#[inline(always)]
pub fn linear<R: Real>(y: R, b: R, a: R, dt: R) -> R {
    let x = a * dt;
    let long = R::lit(1.0).lt(x);
    let settled = relax(y, b / R::select(long, a, R::lit(1.0)), x);
    let short = y + (b - a * y) * R::select(long, R::lit(0.0), dt) * phi1(x);
    R::select(long, settled, short)
}

/// The root in `[lo, hi]` of a function that rises through zero there; `f` returns value and slope.
/// Newton's method, falling back to bisection whenever it would leave the bracket.
#[inline(always)]
pub fn root<R: Real>(lo: R, hi: R, start: R, f: impl Fn(R) -> (R, R)) -> R {
    let (mut lo, mut hi, mut y) = (lo, hi, start.max(lo).min(hi));
    for _ in 0..ITERATIONS {
        let (value, slope) = f(y);
        let above = R::lit(0.0).lt(value);
        hi = R::select(above, y, hi);
        lo = R::select(above, lo, y);
        let next = y - value / slope;
        // the first condition is false for a NaN too
        let inside = next.abs().lt(R::lit(1e300)) & !(next.lt(lo) | hi.lt(next));
        let still = !(R::lit(0.0).lt(value.abs()));
        let last = y;
        y = R::select(inside, next, R::select(still, y, (lo + hi) * R::lit(0.5)));
        // Once the value stays, so does everything after: the iteration that found so has also made a dual number's
        // derivative exact.
        if R::all(!(last.lt(y) | y.lt(last))) {
            break;
        }
    }
    y
}

/// One step of `dy/dx = φ(y)` over `x ≥ 0`, where φ falls through zero at `rest`: the two-stage, second
/// order, L-stable method of Alexander 1977. The solution moves towards `rest` and is kept from passing it.
/// `phi` returns φ and its slope.
#[inline(always)]
pub fn sink<R: Real>(y: R, rest: R, x: R, phi: impl Fn(R) -> (R, R)) -> R {
    let gamma = R::lit(1.0 - core::f64::consts::FRAC_1_SQRT_2);
    let (lo, hi) = (y.min(rest), y.max(rest));
    let h = gamma * x;
    let stage = |base: R, start: R| {
        root(lo, hi, start, |s| {
            let (p, slope) = phi(s);
            (s - base - h * p, R::lit(1.0) - h * slope)
        })
    };
    let first = stage(y, y + h * phi(y).0);
    // y + (1−γ)·x·φ(first), with φ(first) from the stage equation: no cancellation at large x
    let base = (y + (R::lit(1.0) - gamma) / gamma * (first - y)).max(lo).min(hi);
    stage(base, base)
}
