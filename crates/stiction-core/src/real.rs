//! The one number trait every law is written against.
//!
//! ```
//! use stiction_core::{Lanes, Real};
//!
//! // written once, without an `if`: the larger of a number and its negative
//! fn size<R: Real>(x: R) -> R {
//!     R::select(x.lt(R::lit(0.0)), -x, x)
//! }
//! assert_eq!(size(-3.0_f32), 3.0);
//! assert_eq!(size(Lanes([-1.0, 2.0])).0, [1.0, 2.0]);
//! ```
use crate::math;
use core::fmt::Debug;
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// The result of a comparison: `bool` for scalars, one word per lane for [`crate::Lanes`].
///
/// A law does not branch on it, it [`select`](Real::select)s with it. That is what lets one source run in vector
/// registers and be recorded as a straight-line program.
pub trait Mask: Copy + Debug + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> + 'static {}
impl Mask for bool {}

/// `f32`, `f64`, [`crate::Dual`], [`crate::Lanes`], or a type that records what is done to it.
///
/// No `PartialOrd` and no conversion to `f64`: laws branch with [`Real::select`], and loop counts are constants.
pub trait Real:
    Copy
    + Debug
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + 'static
{
    /// What a comparison gives.
    type Mask: Mask;
    /// Whether velocities are limited before they become numbers of this kind, so that laws need not limit them.
    const BOUNDED: bool = false;
    /// A literal: `R::lit(0.5)`.
    fn lit(x: f64) -> Self;
    /// `self < rhs`.
    fn lt(self, rhs: Self) -> Self::Mask;
    /// `if m { yes } else { no }`, both already evaluated.
    fn select(m: Self::Mask, yes: Self, no: Self) -> Self;
    /// Absolute value.
    fn abs(self) -> Self;
    /// `e^x`.
    fn exp(self) -> Self;
    /// `e^x − 1`, accurate near zero.
    fn exp_m1(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// `ln(1 + x)`, accurate near zero.
    fn ln_1p(self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// `self^y` for `self ≥ 0`.
    fn powf(self, y: Self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Largest integer not above `self`.
    fn floor(self) -> Self;
    /// A uniform number in `[0, 1)`: a pure function of two non-negative whole numbers.
    fn uniform(seed: Self, k: Self) -> Self;

    /// `if m { yes() } else { no }`. The value is that of [`Real::select`]; a number type that can test that `m` is false
    /// everywhere may skip `yes`.
    #[inline(always)]
    fn select_lazy(m: Self::Mask, yes: impl FnOnce() -> Self, no: Self) -> Self {
        Self::select(m, yes(), no)
    }
    /// `if m { e^−x } else { no }`, as [`Real::select_lazy`]. A closure with an exponential may be compiled as a function of its own, without the
    /// instructions that its caller is compiled for; a number type for which that matters says it without one.
    #[inline(always)]
    fn select_decay(m: Self::Mask, x: Self, no: Self) -> Self {
        Self::select_lazy(m, || (-x).exp(), no)
    }
    /// Whether `m` is known to hold everywhere. A number type that cannot test it, such as one that records operations,
    /// returns false; so this may only be used to skip work that would change nothing.
    #[inline(always)]
    fn all(_m: Self::Mask) -> bool {
        false
    }
    /// A loop of at most `count` turns: each turn makes the next carried numbers of the present ones and says whether the loop is
    /// done. Numbers of a lane that is done change no more, whatever other lanes do. Written with this instead of `for`, an
    /// iteration is recorded as a loop and not as all of its turns.
    ///
    /// ```
    /// use stiction_core::Real;
    ///
    /// // Newton's iteration for the root of 2; done when the number changes no more
    /// let [root] = f64::repeat(20, [2.0_f64], |[x]| {
    ///     let next = 0.5 * (x + 2.0 / x);
    ///     ([next], !(next < x))
    /// });
    /// assert!((root * root - 2.0).abs() < 1e-15);
    /// ```
    #[inline(always)]
    fn repeat<C: Carried<Self>>(count: usize, start: C, mut turn: impl FnMut(C) -> (C, Self::Mask)) -> C {
        let mut now = start;
        let mut done = Self::lit(0.0).lt(Self::lit(0.0));
        for _ in 0..count {
            let (next, last) = turn(now.clone());
            now = now.zip_with(next, |now, next| Self::select(done, now, next));
            done = done | last;
            if Self::all(done) {
                break;
            }
        }
        now
    }
    /// −1, 0 or +1.
    #[inline(always)]
    fn sign(self) -> Self {
        let (o, l) = (Self::lit(0.0), Self::lit(1.0));
        Self::select(self.lt(o), -l, Self::select(o.lt(self), l, o))
    }
    /// The smaller of the two.
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        Self::select(o.lt(self), o, self)
    }
    /// The larger of the two.
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        Self::select(self.lt(o), o, self)
    }
    /// Limits to `[-b, b]`.
    #[inline(always)]
    fn clip(self, b: Self) -> Self {
        self.min(b).max(-b)
    }
}

/// The numbers that a loop carries from turn to turn: see [`Real::repeat`].
pub trait Carried<R>: Clone {
    /// Combines each number with the one in the same place.
    #[must_use]
    fn zip_with(self, other: Self, f: impl FnMut(R, R) -> R) -> Self;
}
impl<R: Real, const N: usize> Carried<R> for [R; N] {
    #[inline(always)]
    fn zip_with(mut self, other: Self, mut f: impl FnMut(R, R) -> R) -> Self {
        for (x, y) in self.iter_mut().zip(other) {
            *x = f(*x, y);
        }
        self
    }
}
impl<R: Real, A: Carried<R>, B: Carried<R>> Carried<R> for (A, B) {
    #[inline(always)]
    fn zip_with(self, other: Self, mut f: impl FnMut(R, R) -> R) -> Self {
        (self.0.zip_with(other.0, &mut f), self.1.zip_with(other.1, &mut f))
    }
}
#[cfg(feature = "alloc")]
impl<R: Real> Carried<R> for alloc::vec::Vec<R> {
    fn zip_with(mut self, other: Self, mut f: impl FnMut(R, R) -> R) -> Self {
        for (x, y) in self.iter_mut().zip(other) {
            *x = f(*x, y);
        }
        self
    }
}

macro_rules! float {
    ($t:ty; $($f:ident = $path:path),*; pow $pow:path; uniform $uniform:expr) => {
        impl Real for $t {
            type Mask = bool;
            #[inline(always)]
            fn lit(x: f64) -> Self { x as $t }
            #[inline(always)]
            fn lt(self, rhs: Self) -> bool { self < rhs }
            #[inline(always)]
            fn select(m: bool, yes: Self, no: Self) -> Self { if m { yes } else { no } }
            #[inline(always)]
            fn select_lazy(m: bool, yes: impl FnOnce() -> Self, no: Self) -> Self { if m { yes() } else { no } }
            #[inline(always)]
            fn all(m: bool) -> bool { m }
            $(#[inline(always)] fn $f(self) -> Self { $path(self) })*
            #[inline(always)]
            fn powf(self, y: Self) -> Self {
                // the usual exponents, exactly and without a logarithm
                if y == 2.0 {
                    self * self
                } else if y == 1.0 {
                    self
                } else if y == 0.0 {
                    1.0
                } else {
                    $pow(self, y)
                }
            }
            #[inline(always)]
            fn uniform(seed: Self, k: Self) -> Self { $uniform(seed, k) }
        }
    };
}
float! {
    f64; abs = f64::abs, exp = math::exp, exp_m1 = math::exp_m1, ln = math::ln, ln_1p = math::ln_1p, tanh = math::tanh,
    sqrt = libm::sqrt, floor = math::floor; pow power; uniform math::uniform
}
float! {
    f32; abs = f32::abs, exp = libm::expf, exp_m1 = libm::expm1f, ln = libm::logf, ln_1p = libm::log1pf, tanh = libm::tanhf,
    sqrt = libm::sqrtf, floor = libm::floorf; pow libm::powf; uniform uniform32
}

/// [`math::pow`] of one number, out of line: it has no branch, and inlined the compiler would compute it even for the
/// usual exponents.
#[inline(never)]
fn power(x: f64, y: f64) -> f64 {
    math::pow(x, y)
}

/// The leading 24 bits of [`math::uniform`], in integer arithmetic alone.
#[inline(always)]
fn uniform32(seed: f32, k: f32) -> f32 {
    // the words `math::uniform` reads off a double: 2⁵² plus the number
    let word = |x: f32| 0x4330_0000_0000_0000 | (x as u64);
    let bits = math::scramble(word(k) ^ math::scramble(word(seed)));
    (bits >> 40) as f32 * (1.0 / 16_777_216.0)
}
