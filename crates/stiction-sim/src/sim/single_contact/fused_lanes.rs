//! Four doubles side by side whose functions round a product and a sum once: each lane has the bits of [`Fused`](super::fused::Fused).
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Sub};
use stiction_core::math::{self, FloatBits, Word};
use stiction_core::{LaneMask, Lanes, Real};

/// Lanes: the stages of a step.
pub(super) const WIDTH: usize = 4;

/// Four doubles within the bounds of what laws compute with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FusedLanes(pub Lanes<WIDTH>);

/// The bits of four doubles.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneWords([u64; WIDTH]);

/// An array of an expression at each index, as a plain loop in the caller's own body.
macro_rules! each {
    ($i:ident => $expr:expr, $zero:expr) => {{
        let mut out = [$zero; WIDTH];
        #[allow(clippy::needless_range_loop, reason = "index loops vectorise")]
        for $i in 0..WIDTH {
            out[$i] = $expr;
        }
        out
    }};
}

macro_rules! operator {
    ($($Trait:ident $name:ident $op:tt)*) => {
        $(impl $Trait for FusedLanes {
            type Output = Self;
            #[inline(always)]
            fn $name(self, o: Self) -> Self {
                Self(self.0 $op o.0)
            }
        })*
    };
}
operator! { Add add + Sub sub - Mul mul * Div div / }

impl Neg for FusedLanes {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Real for FusedLanes {
    type Mask = LaneMask<WIDTH>;
    const BOUNDED: bool = true;
    #[inline(always)]
    fn lit(x: f64) -> Self {
        Self(Lanes::lit(x))
    }
    #[inline(always)]
    fn lt(self, rhs: Self) -> Self::Mask {
        self.0.lt(rhs.0)
    }
    #[inline(always)]
    fn select(m: Self::Mask, yes: Self, no: Self) -> Self {
        Self(Lanes::select(m, yes.0, no.0))
    }
    #[inline(always)]
    fn select_lazy(m: Self::Mask, yes: impl FnOnce() -> Self, no: Self) -> Self {
        if m.any() { Self::select(m, yes(), no) } else { no }
    }
    #[inline(always)]
    fn select_decay(m: Self::Mask, x: Self, no: Self) -> Self {
        if m.any() { Self::select(m, math::exp(-x), no) } else { no }
    }
    #[inline(always)]
    fn all(m: Self::Mask) -> bool {
        !(!m).any()
    }
    #[inline(always)]
    fn sign(self) -> Self {
        Self(self.0.sign())
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        Self(Real::min(self.0, o.0))
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        Self(Real::max(self.0, o.0))
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
        Self(self.0.powf(y.0))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(Lanes(each!(i => self.0.0[i].sqrt(), 0.0)))
    }
    #[inline(always)]
    fn floor(self) -> Self {
        Self(self.0.floor())
    }
    #[inline(always)]
    fn uniform(seed: Self, k: Self) -> Self {
        Self(Lanes::uniform(seed.0, k.0))
    }
}

impl FloatBits for FusedLanes {
    type Word = LaneWords;
    // the lanes go together: a branch that all of them take costs less than the work it skips, and has the bits of a single number
    const SCALAR: bool = true;
    #[inline(always)]
    fn bits(self) -> LaneWords {
        LaneWords(each!(i => self.0.0[i].to_bits(), 0))
    }
    #[inline(always)]
    fn of_bits(word: LaneWords) -> Self {
        Self(Lanes(each!(i => f64::from_bits(word.0[i]), 0.0)))
    }
    #[inline(always)]
    fn fused(self, a: Self, b: Self) -> Self {
        Self(Lanes(each!(i => self.0.0[i].mul_add(a.0.0[i], b.0.0[i]), 0.0)))
    }
    #[inline(always)]
    fn same(self, o: Self) -> Self::Mask {
        LaneMask(each!(i => if self.0.0[i] == o.0.0[i] { u64::MAX } else { 0 }, 0))
    }
    #[inline(always)]
    fn nan(self) -> Self::Mask {
        LaneMask(each!(i => if self.0.0[i].is_nan() { u64::MAX } else { 0 }, 0))
    }
}

macro_rules! bitwise {
    ($($Trait:ident $name:ident $op:tt)*) => {
        $(impl $Trait for LaneWords {
            type Output = Self;
            #[inline(always)]
            fn $name(self, o: Self) -> Self {
                Self(each!(i => self.0[i] $op o.0[i], 0))
            }
        })*
    };
}
bitwise! { BitAnd bitand & BitOr bitor | BitXor bitxor ^ }

impl Word for LaneWords {
    #[inline(always)]
    fn word(x: u64) -> Self {
        Self([x; WIDTH])
    }
    #[inline(always)]
    fn plus(self, o: Self) -> Self {
        Self(each!(i => self.0[i].wrapping_add(o.0[i]), 0))
    }
    #[inline(always)]
    fn minus(self, o: Self) -> Self {
        Self(each!(i => self.0[i].wrapping_sub(o.0[i]), 0))
    }
    #[inline(always)]
    fn times(self, o: Self) -> Self {
        Self(each!(i => self.0[i].wrapping_mul(o.0[i]), 0))
    }
    #[inline(always)]
    fn left(self, n: u32) -> Self {
        Self(each!(i => self.0[i] << n, 0))
    }
    #[inline(always)]
    fn right(self, n: u32) -> Self {
        Self(each!(i => self.0[i] >> n, 0))
    }
}
