//! A double whose functions round a product and a sum once (fused multiply-add). A processor with that instruction takes
//! half the time; on any other the result is the same.
use std::ops::{Add, Div, Mul, Neg, Sub};
use stiction_core::Real;
use stiction_core::math::{self, FloatBits};

/// A double within the bounds of what laws compute with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fused(pub f64);

macro_rules! operator {
    ($($Trait:ident $name:ident $op:tt)*) => {
        $(impl $Trait for Fused {
            type Output = Self;
            #[inline(always)]
            fn $name(self, o: Self) -> Self {
                Self(self.0 $op o.0)
            }
        })*
    };
}
operator! { Add add + Sub sub - Mul mul * Div div / }

impl Neg for Fused {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Real for Fused {
    type Mask = bool;
    const BOUNDED: bool = true;
    #[inline(always)]
    fn lit(x: f64) -> Self {
        Self(x)
    }
    #[inline(always)]
    fn lt(self, rhs: Self) -> bool {
        self.0 < rhs.0
    }
    #[inline(always)]
    fn select(m: bool, yes: Self, no: Self) -> Self {
        if m { yes } else { no }
    }
    #[inline(always)]
    fn select_lazy(m: bool, yes: impl FnOnce() -> Self, no: Self) -> Self {
        if m { yes() } else { no }
    }
    #[inline(always)]
    fn all(m: bool) -> bool {
        m
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs())
    }
    #[inline(always)]
    fn exp(self) -> Self {
        math::exp(self)
    }
    #[inline(always)]
    fn exp_m1(self) -> Self {
        math::exp_m1(self)
    }
    #[inline(always)]
    fn ln(self) -> Self {
        math::ln(self)
    }
    #[inline(always)]
    fn ln_1p(self) -> Self {
        math::ln_1p(self)
    }
    #[inline(always)]
    fn tanh(self) -> Self {
        math::tanh(self)
    }
    #[inline(always)]
    fn powf(self, y: Self) -> Self {
        Self(Real::powf(self.0, y.0))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }
    #[inline(always)]
    fn floor(self) -> Self {
        Self(Real::floor(self.0))
    }
    #[inline(always)]
    fn uniform(seed: Self, k: Self) -> Self {
        Self(Real::uniform(seed.0, k.0))
    }
}

impl FloatBits for Fused {
    type Word = u64;
    const SCALAR: bool = true;
    #[inline(always)]
    fn bits(self) -> u64 {
        self.0.to_bits()
    }
    #[inline(always)]
    fn of_bits(word: u64) -> Self {
        Self(f64::from_bits(word))
    }
    #[inline(always)]
    fn fused(self, a: Self, b: Self) -> Self {
        Self(self.0.mul_add(a.0, b.0))
    }
    #[inline(always)]
    fn same(self, o: Self) -> bool {
        self.0 == o.0
    }
    #[inline(always)]
    fn nan(self) -> bool {
        self.0.is_nan()
    }
}
