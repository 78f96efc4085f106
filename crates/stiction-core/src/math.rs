//! Elementary functions of `f64` without a branch, so that a loop over lanes vectorises.
//!
//! Scalars and lanes call the same code, hence agree to the last bit on every machine: no fused
//! multiply-add, no table, no library. Polynomials are Chebyshev fits on the reduced range, each with its
//! error beside it. `tests/math.rs` measures every function over its whole range against `libm`.

/// Adding `1.5·2⁵²` rounds to the nearest integer and leaves that integer in the low bits.
const MAGIC: f64 = 6_755_399_441_055_744.0;
/// ln 2 with 42 fractional bits: `n·LN2_HI` is exact for |n| < 2¹¹.
const LN2_HI: f64 = 0.693_147_180_559_890_3;
/// What `LN2_HI` leaves of ln 2.
const LN2_LO: f64 = 5.497_923_018_708_371e-14;
/// Sign bit of an `f64`.
const SIGN: u64 = 1 << 63;

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
fn horner<const N: usize>(c: &[f64; N], x: f64) -> f64 {
    let mut p = 0.0;
    for &c in c.iter().rev() {
        p = p * x + c;
    }
    p
}

/// The polynomial of `EXP` by Estrin's rule: a third of the latency of Horner's, for three more products.
#[inline(always)]
fn exp_tail(r: f64) -> f64 {
    let [a, b, c, d, e, f, g, h, i, j] = EXP;
    let (r2, r4) = (r * r, (r * r) * (r * r));
    let low = (a + b * r) + (c + d * r) * r2;
    let high = (e + f * r) + (g + h * r) * r2;
    low + (high + (i + j * r) * r4) * r4
}

/// The integer in the low bits of `t = n + MAGIC`, in the place of an exponent.
#[inline(always)]
fn exponent(t: f64) -> u64 {
    t.to_bits() << 52
}

/// Reduces `x = n·ln2 + r`; returns `(n + MAGIC, r)`.
#[inline(always)]
fn reduce(x: f64) -> (f64, f64) {
    let t = x * core::f64::consts::LOG2_E + MAGIC;
    let n = t - MAGIC;
    (t, (x - n * LN2_HI) - n * LN2_LO)
}

/// `p·2^n` for `p` near 1, where that is a normal number: for `x` in `[LOW, HIGH]`, of which `p·2^n` is the exponential.
/// Outside, 0 or ∞: results below 2.2e-308 are flushed to zero. Decided last, off the critical path.
#[inline(always)]
fn scaled(x: f64, p: f64, t: f64) -> f64 {
    const LOW: f64 = -708.396_418_532_264_1;
    const HIGH: f64 = 709.782_712_893_384;
    let y = f64::from_bits(p.to_bits().wrapping_add(exponent(t)));
    let y = if x < LOW { 0.0 } else { y };
    let y = if HIGH < x { f64::INFINITY } else { y };
    if x.is_nan() { x } else { y }
}

/// `e^x`; flushes to zero below the smallest normal number.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    let (t, r) = reduce(x);
    scaled(x, 1.0 + (r + r * r * exp_tail(r)), t)
}

/// `e^(x + tail)` for a `tail` below one ulp of `x`.
#[inline(always)]
fn exp_plus(x: f64, tail: f64) -> f64 {
    let (t, r) = reduce(x);
    let p = r + r * r * exp_tail(r);
    scaled(x, 1.0 + (p + tail * (1.0 + p)), t)
}

/// `e^x − 1`.
#[inline(always)]
pub fn exp_m1(x: f64) -> f64 {
    let (t, r) = reduce(x);
    // with half the power of two, so that nothing overflows before the end
    let s = f64::from_bits(exponent(t).wrapping_add(1022 << 52));
    let y = 2.0 * (s * (r + r * r * exp_tail(r)) + (s - 0.5));
    let y = if x < -40.0 { -1.0 } else { y };
    let y = if 709.782_712_893_384 < x { f64::INFINITY } else { y };
    if x == 0.0 { x } else { y }
}

/// Splits a positive normal `x = 2^k·m`, `√½ ≤ m < √2`; returns `(k, m)`.
#[inline(always)]
fn split(x: f64) -> (f64, f64) {
    const TINY: f64 = f64::MIN_POSITIVE;
    const UP: f64 = 18_014_398_509_481_984.0; // 2⁵⁴
    const SQRT_HALF: u64 = 0x3FE6_A09E_667F_3BCD;
    let small = x < TINY;
    let bits = (if small { x * UP } else { x }).to_bits().wrapping_sub(SQRT_HALF).wrapping_add(1024 << 52);
    let k = (bits >> 52) | 0x4330_0000_0000_0000; // 2⁵² + (k + 1024)
    let k = f64::from_bits(k) - 4_503_599_627_371_520.0;
    let m = f64::from_bits((bits & 0x000F_FFFF_FFFF_FFFF).wrapping_add(SQRT_HALF));
    (if small { k - 54.0 } else { k }, m)
}

/// What a logarithm is outside the positive finite numbers.
#[inline(always)]
fn ln_edges(x: f64, y: f64) -> f64 {
    let y = if x < f64::INFINITY { y } else { x }; // +∞ and NaN map to themselves
    let y = if x == 0.0 { f64::NEG_INFINITY } else { y };
    if x < 0.0 { f64::NAN } else { y }
}

/// `ln(m·2^k)` with `m = 1 + f`, plus a small `extra`.
#[inline(always)]
fn ln_reduced(k: f64, f: f64, extra: f64) -> f64 {
    let s = f / (2.0 + f);
    let w = s * s;
    // 2s = f − s·f exactly, so the large term f enters unrounded
    let tail = s * (w * horner(&LN, w) - f);
    k * LN2_HI + (f + (tail + (k * LN2_LO + extra)))
}

/// Natural logarithm.
#[inline(always)]
pub fn ln(x: f64) -> f64 {
    let (k, m) = split(x);
    ln_edges(x, ln_reduced(k, m - 1.0, 0.0))
}

/// `ln(1 + x)`.
#[inline(always)]
pub fn ln_1p(x: f64) -> f64 {
    let u = 1.0 + x;
    let (k, m) = split(u);
    let near = k == 0.0;
    // what the sum 1 + x lost, to first order in the logarithm
    let lost = if 1.0 < x { 1.0 - (u - x) } else { x - (u - 1.0) };
    let y = ln_reduced(k, if near { x } else { m - 1.0 }, if near { 0.0 } else { lost / u });
    let y = if x == 0.0 { x } else { y };
    ln_edges(u, y)
}

/// Hyperbolic tangent.
#[inline(always)]
pub fn tanh(x: f64) -> f64 {
    let a = f64::from_bits(x.to_bits() & !SIGN);
    let t = exp_m1(2.0 * if a < 22.0 || a.is_nan() { a } else { 22.0 });
    let y = t / (t + 2.0);
    f64::from_bits(y.to_bits() | (x.to_bits() & SIGN))
}

#[inline(always)]
fn clamp(x: f64, lo: f64, hi: f64) -> f64 {
    let x = if x < lo { lo } else { x };
    if hi < x { hi } else { x }
}

/// `a·b` as an unevaluated sum `hi + lo`, exact barring overflow (Dekker's product).
#[inline(always)]
fn product(a: f64, b: f64) -> (f64, f64) {
    let cut = |x: f64| f64::from_bits(x.to_bits() & 0xFFFF_FFFF_F800_0000); // upper 26 bits
    let (ah, bh) = (cut(a), cut(b));
    let (al, bl) = (a - ah, b - bh);
    let hi = a * b;
    (hi, ((ah * bh - hi) + (ah * bl + al * bh)) + al * bl)
}

/// `x^y` for `x ≥ 0`; NaN for negative `x`.
///
/// The logarithm is carried in double length, because its error is multiplied by `y·ln x` up to 745.
#[inline(always)]
pub fn pow(x: f64, y: f64) -> f64 {
    let (k, m) = split(x);
    let f = m - 1.0;
    // s = f/(2+f) to double length
    let (d, dl) = (2.0 + f, f - ((2.0 + f) - 2.0));
    let s = f / d;
    let (p, pl) = product(s, d);
    let sl = ((f - p) - pl - s * dl) / d;
    // ln m = 2s + ⅔s³ + s⁵·T(s²); the cube to double length, the rest is 2⁻¹² of the whole
    let (w, wl) = product(s, s);
    let wl = wl + 2.0 * s * sl;
    let (c, cl) = product(w, s);
    let cl = cl + wl * s + w * sl;
    const TWO_THIRDS_LO: f64 = 3.700_743_415_417_188e-17;
    let (q, ql) = product(c, 2.0 / 3.0);
    let ql = ql + cl * (2.0 / 3.0) + c * TWO_THIRDS_LO + c * w * horner(&LN_TAIL, w);
    // ln x = k·ln2 + 2s + q, largest first
    let add = |a: f64, b: f64| {
        let h = a + b;
        let t = h - a;
        (h, (a - (h - t)) + (b - t))
    };
    let (h, l) = add(k * LN2_HI, 2.0 * s);
    let (h, l2) = add(h, q);
    let l = l + l2 + (2.0 * sl + (ql + k * LN2_LO));
    let (h, l) = add(h, l);
    // y·ln x, then its exponential; a huge y only has to over- or underflow
    let yc = clamp(y, -1e300, 1e300);
    let (e, el) = product(clamp(h, -1e3, 1e3), yc);
    let el = el + l * yc;
    // abs is not in the way of vectorising, a range check by || is
    let far = f64::from_bits(e.to_bits() & !SIGN) > 800.0;
    let (e, el) = if far { (e, 0.0) } else { add(e, el) };
    let r = exp_plus(e, el);
    let r = if x < f64::INFINITY {
        r
    } else if y < 0.0 {
        0.0
    } else {
        x
    };
    let r = if x == 0.0 { if y < 0.0 { f64::INFINITY } else { 0.0 } } else { r };
    let r = if x < 0.0 || x.is_nan() || y.is_nan() { f64::NAN } else { r };
    if y == 0.0 || x == 1.0 { 1.0 } else { r }
}

/// Largest integer not above `x`.
#[inline(always)]
pub fn floor(x: f64) -> f64 {
    const ONE: f64 = 4_503_599_627_370_496.0; // 2⁵²: above it every double is whole
    let sign = x.to_bits() & SIGN;
    let a = f64::from_bits(x.to_bits() ^ sign);
    let near = f64::from_bits(((a + ONE) - ONE).to_bits() | sign);
    let down = if x < near { near - 1.0 } else { near };
    if a < ONE { down } else { x }
}

/// A uniform number in `[0, 1)`, 52 bits, a pure function of two non-negative integers below 2⁵².
#[inline(always)]
pub fn uniform(seed: f64, k: f64) -> f64 {
    let word = |x: f64| (x + 4_503_599_627_370_496.0).to_bits();
    let bits = scramble(word(k) ^ scramble(word(seed)));
    f64::from_bits((bits >> 12) | 0x3FF0_0000_0000_0000) - 1.0
}

/// A bijection of 64-bit words in which every input bit moves every output bit: the output function of
/// the SplitMix generator (Steele2014).
#[inline(always)]
pub(crate) fn scramble(x: u64) -> u64 {
    let x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
