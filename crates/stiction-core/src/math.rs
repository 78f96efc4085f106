//! Elementary functions of `f64` without a branch, so that a loop over lanes vectorises; one number may leave out by a
//! branch what would not change its result.
//!
//! Scalars and lanes call the same code, hence agree to the last bit on every machine: no fused
//! multiply-add unless a number is made for it ([`FloatBits::fused`]), no table, no library. Polynomials are Chebyshev fits on the reduced range, each with its
//! error beside it. `tests/math.rs` measures every function over its whole range against `libm`.
//!
//! They are written over [`FloatBits`], which is `f64` or a number that records what is done to it: so a program that is
//! recorded needs no library of functions either.
//!
//! ```
//! use stiction_core::{Lanes, Real, math};
//!
//! assert!((math::exp(1.0_f64) - std::f64::consts::E).abs() < 1e-15);             // to the last bit or two
//! assert_eq!(Lanes([0.0, 50.0]).tanh().0, [0.0, math::tanh(50.0)]);            // what lanes are made of
//! ```
pub use crate::float_bits::{FloatBits, Word};

/// Adding `1.5·2⁵²` rounds to the nearest integer and leaves that integer in the low bits.
const MAGIC: f64 = 6_755_399_441_055_744.0;
/// Below this the exponential is flushed to zero.
const EXP_UNDERFLOW: f64 = -708.396_418_532_264_1;
/// Above this the exponential is infinite.
const HIGH: f64 = 709.782_712_893_384;
/// ln 2 with 42 fractional bits: `n·LN2_HI` is exact for |n| < 2¹¹.
const LN2_HI: f64 = 0.693_147_180_559_890_3;
/// What `LN2_HI` leaves of ln 2.
const LN2_LO: f64 = 5.497_923_018_708_371e-14;
/// Sign bit of an `f64`.
const SIGN: u64 = 1 << 63;
/// Digits of an `f64` behind the leading one.
const DIGITS: u64 = (1 << 52) - 1;

/// `(e^r − 1 − r)/r²` on |r| ≤ ln2/2, error 1.1e-16: contributes 1.3e-17 to `e^r`.
const EXP: [f64; 10] = [
    0.500_000_000_000_000_1,
    0.166_666_666_666_666_69,
    0.041_666_666_666_623_99,
    0.008_333_333_333_330_051,
    0.001_388_888_891_728_179_4,
    0.000_198_412_698_631_059_68,
    2.480_152_119_021_773e-5,
    2.755_726_837_868_419_2e-6,
    2.762_013_871_973_399_4e-7,
    2.510_042_415_700_506_7e-8,
];
/// `(ln((1+s)/(1−s)) − 2s)/s³` in `w = s²`, s ≤ 0.1717: relative error of the logarithm 4.6e-18.
const LN: [f64; 7] = [
    0.666_666_666_666_667,
    0.399_999_999_998_982_7,
    0.285_714_286_265_336_2,
    0.222_222_110_437_768_57,
    0.181_828_957_501_191_93,
    0.153_315_016_111_453_3,
    0.146_191_661_348_879_7,
];
/// The same after `2s + ⅔s³`, for the double-length logarithm inside [`pow`]: relative error 1.2e-19.
const LN_TAIL: [f64; 7] = [
    0.400_000_000_000_000_3,
    0.285_714_285_713_374_6,
    0.222_222_222_715_774_44,
    0.181_818_081_700_687_4,
    0.153_855_804_353_949_85,
    0.132_857_701_928_684_24,
    0.129_159_296_581_653_93,
];

/// Polynomial by Horner's rule.
#[inline(always)]
fn horner<F: FloatBits, const N: usize>(c: &[f64; N], x: F) -> F {
    let mut p = F::lit(0.0);
    for &c in c.iter().rev() {
        p = p * x + F::lit(c);
    }
    p
}

/// The polynomial of `EXP` by Estrin's rule: a third of the latency of Horner's, for three more products.
#[inline(always)]
fn exp_tail<F: FloatBits>(r: F) -> F {
    let [a, b, c, d, e, f, g, h, i, j] = EXP.map(F::lit);
    let (r2, r4) = (r * r, (r * r) * (r * r));
    let low = d.fused(r, c).fused(r2, b.fused(r, a));
    let high = h.fused(r, g).fused(r2, f.fused(r, e));
    j.fused(r, i).fused(r4, high).fused(r4, low)
}

/// The integer in the low bits of `t = n + MAGIC`, in the place of an exponent.
#[inline(always)]
fn exponent<F: FloatBits>(t: F) -> F::Word {
    t.bits().left(52)
}

/// Reduces `x = n·ln2 + r`; returns `(n + MAGIC, r)`.
#[inline(always)]
fn reduce<F: FloatBits>(x: F) -> (F, F) {
    let t = x.fused(F::lit(core::f64::consts::LOG2_E), F::lit(MAGIC));
    let n = t - F::lit(MAGIC);
    (t, n.fused(F::lit(-LN2_LO), n.fused(F::lit(-LN2_HI), x)))
}

/// `p·2^n` for `p` near 1, where that is a normal number: for `x` in `[EXP_UNDERFLOW, HIGH]`, of which `p·2^n` is the exponential.
/// Outside, 0 or ∞: results below 2.2e-308 are flushed to zero. Decided last, off the critical path.
#[inline(always)]
fn scaled<F: FloatBits>(x: F, p: F, t: F) -> F {
    let y = F::of_bits(p.bits().plus(exponent(t)));
    let y = F::select(x.lt(F::lit(EXP_UNDERFLOW)), F::lit(0.0), y);
    let y = F::select(F::lit(HIGH).lt(x), F::lit(f64::INFINITY), y);
    F::select(x.nan(), x, y)
}

/// `e^x`; flushes to zero below the smallest normal number.
#[inline(always)]
pub fn exp<F: FloatBits>(x: F) -> F {
    let (t, r) = reduce(x);
    let p = (r * r).fused(exp_tail(r), r);
    if F::SCALAR && F::all(F::lit(EXP_UNDERFLOW).lt(x) & x.lt(F::lit(709.0))) {
        // the power of two is there early
        let s = F::of_bits(exponent(t).plus(F::Word::word(1023 << 52)));
        return s.fused(p, s);
    }
    scaled(x, F::lit(1.0) + p, t)
}

/// `e^(x + tail)` for a `tail` below one ulp of `x`.
#[inline(always)]
fn exp_plus<F: FloatBits>(x: F, tail: F) -> F {
    let (t, r) = reduce(x);
    let p = (r * r).fused(exp_tail(r), r);
    scaled(x, F::lit(1.0) + (p + tail * (F::lit(1.0) + p)), t)
}

/// `e^x − 1`.
#[inline(always)]
pub fn exp_m1<F: FloatBits>(x: F) -> F {
    let (t, r) = reduce(x);
    // with half the power of two, so that nothing overflows before the end
    let s = F::of_bits(exponent(t).plus(F::Word::word(1022 << 52)));
    let y = F::lit(2.0) * s.fused((r * r).fused(exp_tail(r), r), s - F::lit(0.5));
    let y = F::select(x.lt(F::lit(-40.0)), F::lit(-1.0), y);
    let y = F::select(F::lit(HIGH).lt(x), F::lit(f64::INFINITY), y);
    F::select(x.same(F::lit(0.0)), x, y)
}

/// Splits a positive normal `x = 2^k·m`, `√½ ≤ m < √2`; returns `(k, m)`.
#[inline(always)]
fn split<F: FloatBits>(x: F) -> (F, F) {
    const TWO_POW_54: f64 = 18_014_398_509_481_984.0; // 2⁵⁴
    const SQRT_HALF: u64 = 0x3FE6_A09E_667F_3BCD;
    let half = F::Word::word(SQRT_HALF);
    let small = x.lt(F::lit(f64::MIN_POSITIVE));
    let bits = F::select(small, x * F::lit(TWO_POW_54), x).bits().minus(half).plus(F::Word::word(1024 << 52));
    let k = bits.right(52) | F::Word::word(0x4330_0000_0000_0000); // 2⁵² + (k + 1024)
    let k = F::of_bits(k) - F::lit(4_503_599_627_371_520.0);
    let m = F::of_bits((bits & F::Word::word(DIGITS)).plus(half));
    (F::select(small, k - F::lit(54.0), k), m)
}

/// What a logarithm is outside the positive finite numbers.
#[inline(always)]
fn ln_edges<F: FloatBits>(x: F, y: F) -> F {
    let y = F::select(x.lt(F::lit(f64::INFINITY)), y, x); // +∞ and NaN map to themselves
    let y = F::select(x.same(F::lit(0.0)), F::lit(f64::NEG_INFINITY), y);
    F::select(x.lt(F::lit(0.0)), F::lit(f64::NAN), y)
}

/// `ln(m·2^k)` with `m = 1 + f`, plus a small `extra`.
#[inline(always)]
fn ln_reduced<F: FloatBits>(k: F, f: F, extra: F) -> F {
    let s = f / (F::lit(2.0) + f);
    let w = s * s;
    // 2s = f − s·f exactly, so the large term f enters unrounded
    let tail = s * (w * horner(&LN, w) - f);
    k * F::lit(LN2_HI) + (f + (tail + (k * F::lit(LN2_LO) + extra)))
}

/// Natural logarithm.
#[inline(always)]
pub fn ln<F: FloatBits>(x: F) -> F {
    let (k, m) = split(x);
    ln_edges(x, ln_reduced(k, m - F::lit(1.0), F::lit(0.0)))
}

/// `ln(1 + x)`.
#[inline(always)]
pub fn ln_1p<F: FloatBits>(x: F) -> F {
    let (zero, one) = (F::lit(0.0), F::lit(1.0));
    let u = one + x;
    let (k, m) = split(u);
    let near = k.same(zero);
    // what the sum 1 + x lost, to first order in the logarithm
    let lost = F::select(one.lt(x), one - (u - x), x - (u - one));
    let y = ln_reduced(k, F::select(near, x, m - one), F::select(near, zero, lost / u));
    let y = F::select(x.same(zero), x, y);
    ln_edges(u, y)
}

/// Hyperbolic tangent.
#[inline(always)]
pub fn tanh<F: FloatBits>(x: F) -> F {
    let (a, most, sign) = (x.abs(), F::lit(22.0), F::Word::word(SIGN));
    if F::SCALAR && F::all(most.lt(a)) {
        return F::of_bits(F::lit(1.0).bits() | (x.bits() & sign));
    }
    let t = exp_m1(F::lit(2.0) * F::select(a.lt(most) | a.nan(), a, most));
    let y = t / (t + F::lit(2.0));
    F::of_bits(y.bits() | (x.bits() & sign))
}

#[inline(always)]
fn clamp<F: FloatBits>(x: F, lo: f64, hi: f64) -> F {
    let (lo, hi) = (F::lit(lo), F::lit(hi));
    let x = F::select(x.lt(lo), lo, x);
    F::select(hi.lt(x), hi, x)
}

/// `a·b` as an unevaluated sum `hi + lo`, exact barring overflow (Dekker's product).
#[inline(always)]
fn product<F: FloatBits>(a: F, b: F) -> (F, F) {
    let cut = |x: F| F::of_bits(x.bits() & F::Word::word(0xFFFF_FFFF_F800_0000)); // upper 26 bits
    let (ah, bh) = (cut(a), cut(b));
    let (al, bl) = (a - ah, b - bh);
    let hi = a * b;
    (hi, ((ah * bh - hi) + (ah * bl + al * bh)) + al * bl)
}

/// `x^y` for `x ≥ 0`; NaN for negative `x`.
///
/// The logarithm is carried in double length, because its error is multiplied by `y·ln x` up to 745.
#[inline(always)]
pub fn pow<F: FloatBits>(x: F, y: F) -> F {
    let (zero, one, two) = (F::lit(0.0), F::lit(1.0), F::lit(2.0));
    let (k, m) = split(x);
    let f = m - one;
    // s = f/(2+f) to double length
    let (d, dl) = (two + f, f - ((two + f) - two));
    let s = f / d;
    let (p, pl) = product(s, d);
    let sl = ((f - p) - pl - s * dl) / d;
    // ln m = 2s + ⅔s³ + s⁵·T(s²); the cube to double length, the rest is 2⁻¹² of the whole
    let (w, wl) = product(s, s);
    let wl = wl + two * s * sl;
    let (c, cl) = product(w, s);
    let cl = cl + wl * s + w * sl;
    let two_thirds = F::lit(2.0 / 3.0);
    const TWO_THIRDS_LO: f64 = 3.700_743_415_417_188e-17;
    let (q, ql) = product(c, two_thirds);
    let ql = ql + cl * two_thirds + c * F::lit(TWO_THIRDS_LO) + c * w * horner(&LN_TAIL, w);
    // ln x = k·ln2 + 2s + q, largest first
    let add = |a: F, b: F| {
        let h = a + b;
        let t = h - a;
        (h, (a - (h - t)) + (b - t))
    };
    let (h, l) = add(k * F::lit(LN2_HI), two * s);
    let (h, l2) = add(h, q);
    let l = l + l2 + (two * sl + (ql + k * F::lit(LN2_LO)));
    let (h, l) = add(h, l);
    // y·ln x, then its exponential; a huge y only has to over- or underflow
    let yc = clamp(y, -1e300, 1e300);
    let (e, el) = product(clamp(h, -1e3, 1e3), yc);
    let el = el + l * yc;
    // abs is not in the way of vectorising, a range check by || is
    let far = F::lit(800.0).lt(e.abs());
    let (sum, rest) = add(e, el);
    let r = exp_plus(F::select(far, e, sum), F::select(far, zero, rest));
    let r = F::select(x.lt(F::lit(f64::INFINITY)), r, F::select(y.lt(zero), zero, x));
    let r = F::select(x.same(zero), F::select(y.lt(zero), F::lit(f64::INFINITY), zero), r);
    let r = F::select(x.lt(zero) | x.nan() | y.nan(), F::lit(f64::NAN), r);
    F::select(y.same(zero) | x.same(one), one, r)
}

/// Largest integer not above `x`.
#[inline(always)]
pub fn floor<F: FloatBits>(x: F) -> F {
    let one = F::lit(4_503_599_627_370_496.0); // 2⁵²: above it every double is whole
    let sign = x.bits() & F::Word::word(SIGN);
    let a = F::of_bits(x.bits() ^ sign);
    let near = F::of_bits(((a + one) - one).bits() | sign);
    let down = F::select(x.lt(near), near - F::lit(1.0), near);
    F::select(a.lt(one), down, x)
}

/// Square root, correctly rounded, for machines and recordings that have none.
///
/// Newton's iteration for `1/√m` gives all digits but the last, which the exact remainder decides.
#[inline(always)]
pub fn sqrt<F: FloatBits>(x: F) -> F {
    let word = F::Word::word;
    let (half, one) = (F::lit(0.5), word(1));
    let small = x.lt(F::lit(f64::MIN_POSITIVE));
    let bits = F::select(small, x * F::lit(18_014_398_509_481_984.0), x).bits(); // times 2⁵⁴
    // x = m·4^q with 1 ≤ m < 4
    let power = bits.right(52);
    let odd = power.plus(one) & one;
    let m = F::of_bits((bits & word(DIGITS)) | word(1023).plus(odd).left(52));
    let mut r = F::of_bits(word(0x5FE6_EB50_C7B5_37A9).minus(m.bits().right(1)));
    for _ in 0..4 {
        r = r * (F::lit(1.5) - half * m * r * r);
    }
    let root = m * r;
    let (square, low) = product(root, root);
    let root = root + ((m - square) - low) * (half * r);
    // the largest double below 2: no root rounds to 2
    let most = F::lit(2.0 - f64::EPSILON);
    let root = F::select(most.lt(root), most, root);
    // the root as an integer s of 53 bits, and what m·2¹⁰⁴ is above s², which 64 bits hold
    let whole = |x: F| (x.bits() & word(DIGITS)).plus(word(1 << 52));
    let s = whole(root);
    let over = whole(m).left(52).times(one.plus(odd)).minus(s.times(s));
    let up = s.minus(over).right(63);
    let down = over.plus(s).minus(one).right(63);
    let s = s.plus(up).minus(down);
    let y = F::of_bits(s.plus(power.minus(odd).plus(word(1021)).right(1).left(52)));
    let y = F::select(small, y * F::lit(7.450_580_596_923_828e-9), y); // times 2⁻²⁷
    let y = F::select(x.lt(F::lit(f64::INFINITY)), y, x);
    let y = F::select(x.lt(F::lit(0.0)), F::lit(f64::NAN), y);
    F::select(x.same(F::lit(0.0)), x, y)
}

/// A uniform number in `[0, 1)`, 52 bits, a pure function of two non-negative integers below 2⁵².
#[inline(always)]
pub fn uniform<F: FloatBits>(seed: F, k: F) -> F {
    let word = |x: F| (x + F::lit(4_503_599_627_370_496.0)).bits();
    let bits = scramble(word(k) ^ scramble(word(seed)));
    F::of_bits(bits.right(12) | F::Word::word(0x3FF0_0000_0000_0000)) - F::lit(1.0)
}

/// A bijection of 64-bit words in which every input bit moves every output bit: the output function of
/// the SplitMix generator (Steele2014).
#[inline(always)]
pub(crate) fn scramble<W: Word>(x: W) -> W {
    let x = x.plus(W::word(0x9E37_79B9_7F4A_7C15));
    let x = (x ^ x.right(30)).times(W::word(0xBF58_476D_1CE4_E5B9));
    let x = (x ^ x.right(27)).times(W::word(0x94D0_49BB_1331_11EB));
    x ^ x.right(31)
}
