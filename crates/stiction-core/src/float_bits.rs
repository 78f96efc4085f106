//! Floating-point numbers whose bits can be read and set; the elementary functions are written over them.
use crate::Real;
use core::ops::{BitAnd, BitOr, BitXor};

/// A double whose bits can be read and set.
pub trait FloatBits: Real {
    /// Its 64 bits.
    type Word: Word;
    /// Whether it is a single number, for which a branch costs less than the work it skips.
    const SCALAR: bool = false;
    /// The bits.
    fn bits(self) -> Self::Word;
    /// The double with these bits.
    fn of_bits(word: Self::Word) -> Self;
    /// `self·a + b`: rounded twice, or once if the number type has a fused operation.
    #[inline(always)]
    fn fused(self, a: Self, b: Self) -> Self {
        self * a + b
    }
    /// `self == o`.
    fn same(self, o: Self) -> Self::Mask;
    /// Whether it is not a number.
    fn nan(self) -> Self::Mask;
}

/// 64 bits, with the arithmetic modulo 2⁶⁴.
pub trait Word: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> {
    /// A literal.
    fn word(x: u64) -> Self;
    /// Sum.
    fn plus(self, o: Self) -> Self;
    /// Difference.
    fn minus(self, o: Self) -> Self;
    /// Product.
    fn times(self, o: Self) -> Self;
    /// Shifted to the left by `n` bits.
    fn left(self, n: u32) -> Self;
    /// Shifted to the right, zeros from the left.
    fn right(self, n: u32) -> Self;
}

impl FloatBits for f64 {
    type Word = u64;
    const SCALAR: bool = true;
    #[inline(always)]
    fn bits(self) -> u64 {
        self.to_bits()
    }
    #[inline(always)]
    fn of_bits(word: u64) -> Self {
        Self::from_bits(word)
    }
    #[inline(always)]
    fn same(self, o: Self) -> bool {
        self == o
    }
    #[inline(always)]
    fn nan(self) -> bool {
        self.is_nan()
    }
}
impl Word for u64 {
    #[inline(always)]
    fn word(x: u64) -> Self {
        x
    }
    #[inline(always)]
    fn plus(self, o: Self) -> Self {
        self.wrapping_add(o)
    }
    #[inline(always)]
    fn minus(self, o: Self) -> Self {
        self.wrapping_sub(o)
    }
    #[inline(always)]
    fn times(self, o: Self) -> Self {
        self.wrapping_mul(o)
    }
    #[inline(always)]
    fn left(self, n: u32) -> Self {
        self << n
    }
    #[inline(always)]
    fn right(self, n: u32) -> Self {
        self >> n
    }
}
