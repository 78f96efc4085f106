//! Forward-mode derivatives: the same law gives exact Jacobians and parameter gradients.
//!
//! ```
//! use stiction_core::{Dual, Friction, Input, Params, models::Viscous};
//!
//! // the force of 0.4 N·s/m and its slope in the velocity, in one go
//! let law = Viscous::<Dual<f64, 1>> { fv: Dual::constant(0.4), ..Viscous::nominal() };
//! let force = law.steady(&Input::at(Dual::var(2.0, 0)));
//! assert!((force.eps[0] - 0.4).abs() < 1e-15);
//! ```
use crate::{Real, real::Carried};
use core::ops::{Add, Div, Mul, Neg, Sub};

/// A value and its `N` partial derivatives, over any [`Real`]: nest it over lanes, or over itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<R, const N: usize> {
    /// Value.
    pub re: R,
    /// Partial derivatives.
    pub eps: [R; N],
}

impl<R: Real, const N: usize> Dual<R, N> {
    /// A constant.
    #[inline(always)]
    pub fn constant(re: R) -> Self {
        Self { re, eps: [R::lit(0.0); N] }
    }
    /// Independent variable number `i`; a constant when `i ≥ N`.
    #[inline(always)]
    pub fn var(re: R, i: usize) -> Self {
        let mut out = Self::constant(re);
        if let Some(e) = out.eps.get_mut(i) {
            *e = R::lit(1.0);
        }
        out
    }
    // plain loops: `array::map` and `from_fn` keep lanes inside from vectorising
    #[inline(always)]
    fn chain(self, re: R, slope: R) -> Self {
        let mut out = self;
        out.re = re;
        for e in &mut out.eps {
            *e = *e * slope;
        }
        out
    }
    #[inline(always)]
    fn zip(self, o: Self, re: R, f: impl Fn(R, R) -> R) -> Self {
        let mut out = self;
        out.re = re;
        for (e, b) in out.eps.iter_mut().zip(o.eps) {
            *e = f(*e, b);
        }
        out
    }
}

impl<R: Real, const N: usize> Add for Dual<R, N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        self.zip(o, self.re + o.re, |a, b| a + b)
    }
}
impl<R: Real, const N: usize> Sub for Dual<R, N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        self.zip(o, self.re - o.re, |a, b| a - b)
    }
}
#[allow(clippy::suspicious_arithmetic_impl, reason = "the product rule adds")]
impl<R: Real, const N: usize> Mul for Dual<R, N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        self.zip(o, self.re * o.re, |a, b| a * o.re + self.re * b)
    }
}
#[allow(clippy::suspicious_arithmetic_impl, reason = "the quotient rule multiplies and subtracts")]
impl<R: Real, const N: usize> Div for Dual<R, N> {
    type Output = Self;
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        let q = self.re / o.re;
        self.zip(o, q, |a, b| (a - q * b) / o.re)
    }
}
impl<R: Real, const N: usize> Neg for Dual<R, N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.chain(-self.re, -R::lit(1.0))
    }
}

/// Dual numbers that a loop carries, as the numbers they consist of.
#[derive(Clone)]
struct Parts<C, const N: usize>(C);
impl<R: Real, const N: usize, C: Carried<Dual<R, N>>> Carried<R> for Parts<C, N> {
    #[inline(always)]
    fn zip_with(self, other: Self, mut f: impl FnMut(R, R) -> R) -> Self {
        Self(self.0.zip_with(other.0, |mut a, b| {
            a.re = f(a.re, b.re);
            for (e, b) in a.eps.iter_mut().zip(b.eps) {
                *e = f(*e, b);
            }
            a
        }))
    }
}

impl<R: Real, const N: usize> Real for Dual<R, N> {
    type Mask = R::Mask;
    const BOUNDED: bool = R::BOUNDED;
    #[inline(always)]
    fn lit(x: f64) -> Self {
        Self::constant(R::lit(x))
    }
    #[inline(always)]
    fn lt(self, rhs: Self) -> R::Mask {
        self.re.lt(rhs.re)
    }
    #[inline(always)]
    fn select(m: R::Mask, yes: Self, no: Self) -> Self {
        yes.zip(no, R::select(m, yes.re, no.re), |a, b| R::select(m, a, b))
    }
    #[inline(always)]
    fn select_lazy(m: R::Mask, yes: impl FnOnce() -> Self, no: Self) -> Self {
        if R::all(!m) { no } else { Self::select(m, yes(), no) }
    }
    #[inline(always)]
    fn all(m: R::Mask) -> bool {
        R::all(m)
    }
    #[inline(always)]
    fn repeat<C: Carried<Self>>(count: usize, start: C, mut turn: impl FnMut(C) -> (C, R::Mask)) -> C {
        let turn = |Parts(now): Parts<C, N>| {
            let (next, last) = turn(now);
            (Parts(next), last)
        };
        R::repeat(count, Parts(start), turn).0
    }
    #[inline(always)]
    fn abs(self) -> Self {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        self.chain(self.re.abs(), R::select(self.re.lt(zero), -one, one))
    }
    #[inline(always)]
    fn exp(self) -> Self {
        let e = self.re.exp();
        self.chain(e, e)
    }
    #[inline(always)]
    fn exp_m1(self) -> Self {
        let e = self.re.exp_m1();
        self.chain(e, e + R::lit(1.0))
    }
    #[inline(always)]
    fn ln(self) -> Self {
        self.chain(self.re.ln(), R::lit(1.0) / self.re)
    }
    #[inline(always)]
    fn ln_1p(self) -> Self {
        self.chain(self.re.ln_1p(), R::lit(1.0) / (R::lit(1.0) + self.re))
    }
    #[inline(always)]
    fn tanh(self) -> Self {
        let t = self.re.tanh();
        self.chain(t, R::lit(1.0) - t * t)
    }
    #[inline(always)]
    fn powf(self, y: Self) -> Self {
        let (x, zero, one) = (self.re, R::lit(0.0), R::lit(1.0));
        let p = x.powf(y.re);
        let positive = zero.lt(x);
        let safe = R::select(positive, x, one);
        // At x = 0 the slope is 1 for y = 1, 0 above; below it is infinite, and 0 keeps Newton's iteration finite. A square and x
        // itself are defined for negative x too.
        let (linear, two) = (!(y.re.lt(one) | one.lt(y.re)), R::lit(2.0));
        let square = !(y.re.lt(two) | two.lt(y.re));
        let below = R::select(linear, one, R::select(square, x + x, zero));
        let dx = R::select(positive, y.re * p / safe, below);
        // an exponent that does not vary needs no logarithm
        let varies = y.eps.iter().fold(zero.lt(zero), |varies, &e| varies | e.lt(zero) | zero.lt(e));
        let dy = R::select_lazy(positive & varies, || p * safe.ln(), zero);
        self.zip(y, p, |a, b| a * dx + b * dy)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        let q = self.re.sqrt();
        self.chain(q, R::lit(0.5) / q)
    }
    #[inline(always)]
    fn floor(self) -> Self {
        Self::constant(self.re.floor())
    }
    #[inline(always)]
    fn uniform(seed: Self, k: Self) -> Self {
        Self::constant(R::uniform(seed.re, k.re))
    }
}
