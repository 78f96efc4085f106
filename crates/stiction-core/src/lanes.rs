//! `N` independent scalars side by side; the compiler turns the loops into vector instructions.
//!
//! What it takes (measured): plain index loops, masks of all-ones words, and functions without a branch.
//! `array::map`, `from_fn` and `[bool; N]` keep the loops scalar. The width is chosen at compile time by
//! the enabled target features; `stiction::dispatch` picks them at run time.
use crate::{Mask, Real, math};
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// One number per lane.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub struct Lanes<const N: usize>(pub [f64; N]);

/// One truth value per lane: all ones or all zeros.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub struct LaneMask<const N: usize>(pub [u64; N]);

#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "index loops vectorise, zipped iterators do not always")]
fn zip<A: Copy, B: Copy, C: Copy, const N: usize>(a: [A; N], b: [B; N], zero: C, f: impl Fn(A, B) -> C) -> [C; N] {
    let mut out = [zero; N];
    for i in 0..N {
        out[i] = f(a[i], b[i]);
    }
    out
}
#[inline(always)]
fn map<const N: usize>(a: [f64; N], f: impl Fn(f64) -> f64) -> [f64; N] {
    zip(a, a, 0.0, |x, _| f(x))
}

macro_rules! arithmetic {
    ($($tr:ident $f:ident)*) => {$(
        impl<const N: usize> $tr for Lanes<N> {
            type Output = Self;
            #[inline(always)]
            fn $f(self, o: Self) -> Self { Self(zip(self.0, o.0, 0.0, $tr::$f)) }
        }
    )*};
}
arithmetic! { Add add Sub sub Mul mul Div div }
impl<const N: usize> Neg for Lanes<N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(map(self.0, Neg::neg))
    }
}

macro_rules! logic {
    ($($tr:ident $f:ident)*) => {$(
        impl<const N: usize> $tr for LaneMask<N> {
            type Output = Self;
            #[inline(always)]
            fn $f(self, o: Self) -> Self { Self(zip(self.0, o.0, 0, $tr::$f)) }
        }
    )*};
}
logic! { BitAnd bitand BitOr bitor }
impl<const N: usize> Not for LaneMask<N> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(zip(self.0, self.0, 0, |a, _| !a))
    }
}
impl<const N: usize> Mask for LaneMask<N> {}
impl<const N: usize> LaneMask<N> {
    /// True in any lane. For numerical kernels that may leave early, never for a law.
    #[inline(always)]
    pub fn any(self) -> bool {
        let mut all = 0;
        for m in self.0 {
            all |= m;
        }
        all != 0
    }
}

#[inline(always)]
fn equal<const N: usize>(a: [f64; N], b: f64) -> LaneMask<N> {
    LaneMask(zip(a, a, 0, |x, _| if x == b { u64::MAX } else { 0 }))
}

impl<const N: usize> Real for Lanes<N> {
    type Mask = LaneMask<N>;
    #[inline(always)]
    fn lit(x: f64) -> Self {
        Self([x; N])
    }
    #[inline(always)]
    fn lt(self, o: Self) -> LaneMask<N> {
        LaneMask(zip(self.0, o.0, 0, |a, b| if a < b { u64::MAX } else { 0 }))
    }
    #[inline(always)]
    fn select(m: LaneMask<N>, yes: Self, no: Self) -> Self {
        let yes = zip(m.0, yes.0, 0, |m, y| m & y.to_bits());
        let no = zip(m.0, no.0, 0, |m, n| !m & n.to_bits());
        Self(zip(yes, no, 0.0, |y, n| f64::from_bits(y | n)))
    }
    #[inline(always)]
    fn pick(m: LaneMask<N>, yes: impl FnOnce() -> Self, no: Self) -> Self {
        if m.any() { Self::select(m, yes(), no) } else { no }
    }
    #[inline(always)]
    fn exp(self) -> Self {
        Self(map(self.0, math::exp))
    }
    #[inline(always)]
    fn exp_m1(self) -> Self {
        Self(map(self.0, math::exp_m1))
    }
    #[inline(always)]
    fn ln(self) -> Self {
        Self(map(self.0, math::ln))
    }
    #[inline(always)]
    fn ln_1p(self) -> Self {
        Self(map(self.0, math::ln_1p))
    }
    #[inline(always)]
    fn tanh(self) -> Self {
        Self(map(self.0, math::tanh))
    }
    #[inline(always)]
    fn powf(self, y: Self) -> Self {
        // lane by lane what a scalar does: the usual exponents exactly, the rest by logarithm
        let (one, two) = (equal(y.0, 1.0), equal(y.0, 2.0));
        let easy = Self::select(two, self * self, self);
        Self::pick(!(one | two), || Self(zip(self.0, y.0, 0.0, math::pow)), easy)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(map(self.0, libm::sqrt))
    }
    #[inline(always)]
    fn floor(self) -> Self {
        Self(map(self.0, math::floor))
    }
    #[inline(always)]
    fn uniform(seed: Self, k: Self) -> Self {
        Self(zip(seed.0, k.0, 0.0, math::uniform))
    }
}
