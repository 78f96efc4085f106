//! Functions that several laws share: the Stribeck level and the viscous power law.
//!
//! ```
//! use stiction_core::curve::{StribeckCurve, viscous};
//!
//! let level = StribeckCurve { fc: 1.0, fs: 1.5, vs: 0.01, exponent: 2.0 };
//! assert_eq!(level.level(0.0), 1.5);
//! assert!((level.level(0.01_f64) - (1.0 + 0.5 * (-1.0_f64).exp())).abs() < 1e-15);
//! assert_eq!(viscous(-2.0, 0.4, 1.0), -0.8);
//! ```
use crate::{Param, Real, Recipe};

/// `Fc + (Fs − Fc)·e^{−(|v|/vs)^δ}` (Armstrong1994).
#[derive(Clone, Copy, Debug)]
pub struct StribeckCurve<R> {
    /// Coulomb level Fc.
    pub fc: R,
    /// Break-away level Fs.
    pub fs: R,
    /// Stribeck velocity vs.
    pub vs: R,
    /// Exponent δ.
    pub exponent: R,
}
impl<R: Real> StribeckCurve<R> {
    /// The level at velocity `v`, a positive force.
    #[inline(always)]
    pub fn level(&self, v: R) -> R {
        // by the reciprocal: a loop over samples computes it once
        let x = (v.abs() * (R::lit(1.0) / self.vs)).powf(self.exponent);
        // beyond this the exponential is zero: sliding well above the Stribeck velocity
        let fades = R::select_decay(!R::lit(708.4).lt(x), x, R::lit(0.0));
        self.fc + (self.fs - self.fc) * fades
    }
}

/// Fields `fc fs vs exponent` of a law as a [`StribeckCurve`] curve.
macro_rules! stribeck {
    ($law:expr) => {
        $crate::curve::StribeckCurve { fc: $law.fc, fs: $law.fs, vs: $law.vs, exponent: $law.exponent }
    };
}
pub(crate) use stribeck;

/// `Fv·|v|^γ·sgn v`.
#[inline(always)]
pub fn viscous<R: Real>(v: R, fv: R, gamma: R) -> R {
    fv * v.abs().powf(gamma) * v.sign()
}

/// The recipe of every law with a presliding spring: stiffness = break-away force over presliding distance.
pub(crate) const fn presliding(doc: &'static str, outputs: &'static [&'static str]) -> Recipe {
    const INPUTS: &[Param] = &[
        Param { name: "fs", unit: "N", doc: "Break-away force", default: 1.5, min: 1e-9, max: 1e9 },
        Param { name: "delta", unit: "m", doc: "Presliding distance", default: 1e-5, min: 1e-12, max: 1.0 },
    ];
    Recipe { doc, inputs: INPUTS, outputs, make: stiffness }
}

/// Level and distance in, level and stiffness out.
pub(crate) fn stiffness(known: &[f64], out: &mut [f64]) {
    if let ([force, distance], [level, stiffness]) = (known, out) {
        *level = *force;
        *stiffness = force / distance;
    }
}

/// `a·asinh(x/2·e^{age/a})`: the rate-and-state coefficient, odd and smooth in `x = v/v0` (Rice2001).
///
/// With `q = ln(|x|/2) + age/a`, asinh(e^q) = q + ln(1 + √(1 + e^{−2q})) for q > 0, and ln(e^q + √(1 + e^{2q}))
/// below: neither overflows.
#[inline(always)]
pub(crate) fn rate_state<R: Real>(x: R, age: R, a: R) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let moving = zero.lt(x.abs());
    let half = R::select(moving, x.abs() * R::lit(0.5), one);
    let q = half.ln() + age / a;
    let fast = zero.lt(q);
    let e = (-q.abs()).exp();
    let root = (one + e * e).sqrt();
    // asinh(e) = ln(1 + (e + e²/(1 + √(1+e²)))) keeps its digits when e is small
    let slow = (e + e * e / (one + root)).ln_1p();
    let value = R::select(fast, q + root.ln_1p(), slow);
    R::select(moving, a * value * x.sign(), zero)
}
