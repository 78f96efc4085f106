//! `N` independent scalars side by side; the compiler turns the loops into vector instructions.
//!
//! This takes (measured) plain index loops, masks of all-ones words, and functions without a branch.
//! `array::map`, `from_fn` and `[bool; N]` keep the loops scalar. The width is chosen at compile time by
//! the enabled target features; `stiction::dispatch` picks them at run time.
//!
//! ```
//! use stiction_core::{Friction, Input, Lanes, Params, models::LuGre};
//!
//! // four contacts at four speeds, and the same bits as one by one
//! let speeds = [0.0, 1e-3, -0.2, 5.0];
//! let four = LuGre::<Lanes<4>>::nominal().steady(&Input::at(Lanes(speeds)));
//! let one = speeds.map(|v| LuGre::<f64>::nominal().steady(&Input::at(v)));
//! assert_eq!(four.0, one);
//! ```
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

/// `[expr; N]` with `expr` evaluated at each index `i`, as a plain loop in the caller's own body: a closure or a
/// function passed by value would be compiled for the baseline instructions and not inlined into a wider kernel.
macro_rules! each {
    ($i:ident => $expr:expr, $zero:expr) => {{
        let mut out = [$zero; N];
        #[allow(clippy::needless_range_loop, reason = "index loops vectorise")]
        for $i in 0..N {
            out[$i] = $expr;
        }
        out
    }};
}

macro_rules! arithmetic {
    ($($tr:ident $f:ident $op:tt)*) => {$(
        impl<const N: usize> $tr for Lanes<N> {
            type Output = Self;
            #[inline(always)]
            fn $f(self, o: Self) -> Self { Self(each!(i => self.0[i] $op o.0[i], 0.0)) }
        }
    )*};
}
arithmetic! { Add add + Sub sub - Mul mul * Div div / }
impl<const N: usize> Neg for Lanes<N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(each!(i => -self.0[i], 0.0))
    }
}

macro_rules! logic {
    ($($tr:ident $f:ident $op:tt)*) => {$(
        impl<const N: usize> $tr for LaneMask<N> {
            type Output = Self;
            #[inline(always)]
            fn $f(self, o: Self) -> Self { Self(each!(i => self.0[i] $op o.0[i], 0)) }
        }
    )*};
}
logic! { BitAnd bitand & BitOr bitor | }
impl<const N: usize> Not for LaneMask<N> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(each!(i => !self.0[i], 0))
    }
}
impl<const N: usize> Mask for LaneMask<N> {}
impl<const N: usize> LaneMask<N> {
    /// True in any lane, to skip work that no lane needs.
    #[inline(always)]
    pub fn any(self) -> bool {
        let mut all = 0;
        for m in self.0 {
            all |= m;
        }
        all != 0
    }
}

impl<const N: usize> Lanes<N> {
    /// `self == x`.
    #[inline(always)]
    fn equals(self, x: f64) -> LaneMask<N> {
        LaneMask(each!(i => if self.0[i] == x { u64::MAX } else { 0 }, 0))
    }
}

macro_rules! functions {
    ($($f:ident = $path:path),*) => {$(
        #[inline(always)]
        fn $f(self) -> Self { Self(each!(i => $path(self.0[i]), 0.0)) }
    )*};
}
impl<const N: usize> Real for Lanes<N> {
    type Mask = LaneMask<N>;
    #[inline(always)]
    fn lit(x: f64) -> Self {
        Self([x; N])
    }
    #[inline(always)]
    fn lt(self, o: Self) -> LaneMask<N> {
        LaneMask(each!(i => if self.0[i] < o.0[i] { u64::MAX } else { 0 }, 0))
    }
    #[inline(always)]
    fn select(m: LaneMask<N>, yes: Self, no: Self) -> Self {
        Self(each!(i => f64::from_bits((m.0[i] & yes.0[i].to_bits()) | (!m.0[i] & no.0[i].to_bits())), 0.0))
    }
    #[inline(always)]
    fn select_lazy(m: LaneMask<N>, yes: impl FnOnce() -> Self, no: Self) -> Self {
        if m.any() { Self::select(m, yes(), no) } else { no }
    }
    #[inline(always)]
    fn all(m: LaneMask<N>) -> bool {
        !(!m).any()
    }
    // the provided forms, lane by lane: one instruction each instead of a mask and three
    #[inline(always)]
    fn sign(self) -> Self {
        Self(each!(i => if self.0[i] < 0.0 { -1.0 } else if 0.0 < self.0[i] { 1.0 } else { 0.0 }, 0.0))
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        Self(each!(i => if o.0[i] < self.0[i] { o.0[i] } else { self.0[i] }, 0.0))
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        Self(each!(i => if self.0[i] < o.0[i] { o.0[i] } else { self.0[i] }, 0.0))
    }
    functions! {
        abs = f64::abs, exp = math::exp, exp_m1 = math::exp_m1, ln = math::ln, ln_1p = math::ln_1p, tanh = math::tanh,
        sqrt = libm::sqrt, floor = math::floor
    }
    #[inline(always)]
    fn powf(self, y: Self) -> Self {
        // lane by lane what a scalar does: the usual exponents exactly, the rest by logarithm
        let two = y.equals(2.0);
        if Self::all(two) {
            return self * self;
        }
        let one = y.equals(1.0);
        if Self::all(one) {
            return self;
        }
        let zero = y.equals(0.0);
        let easy = Self::select(two, self * self, Self::select(zero, Self::lit(1.0), self));
        let hard = !(zero | one | two);
        if !hard.any() {
            return easy;
        }
        Self::select(hard, Self(each!(i => math::pow(self.0[i], y.0[i]), 0.0)), easy)
    }
    #[inline(always)]
    fn uniform(seed: Self, k: Self) -> Self {
        Self(each!(i => math::uniform(seed.0[i], k.0[i]), 0.0))
    }
}
