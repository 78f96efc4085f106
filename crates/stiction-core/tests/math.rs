//! Accuracy of the elementary functions over their whole range, in ulp, against `libm` (itself below 1 ulp).
use stiction_core::{Lanes, Real, math};

/// Distance in units of the last place of `b`; zero for equal values, NaNs and infinities included.
fn ulp(a: f64, b: f64) -> f64 {
    if a == b || (a.is_nan() && b.is_nan()) {
        return 0.0;
    }
    let next = f64::from_bits(b.abs().to_bits() + 1) - b.abs();
    ((a - b) / next).abs()
}

/// `x`, or zero if it is not a normal number: exponentials do not underflow gradually.
fn flushed(x: f64) -> f64 {
    if x.abs() < f64::MIN_POSITIVE { 0.0 } else { x }
}

/// Largest error of `f` against `g` over `xs`.
fn worst(xs: impl Iterator<Item = f64>, f: impl Fn(f64) -> f64, g: impl Fn(f64) -> f64) -> (f64, f64) {
    xs.map(|x| (ulp(f(x), g(x)), x)).fold((0.0, 0.0), |a, b| if b.0 > a.0 || b.0.is_nan() { b } else { a })
}

/// An even walk over the bit patterns of all finite numbers of one sign, plus the edges.
fn all_exponents(n: u64) -> impl Iterator<Item = f64> {
    let top = f64::INFINITY.to_bits();
    (0..n).map(move |i| f64::from_bits((i as f64 / n as f64 * top as f64) as u64 + i % 7)).chain([
        0.0,
        f64::from_bits(1),
        f64::MIN_POSITIVE,
        1.0,
        f64::MAX,
        f64::INFINITY,
    ])
}
fn signed(n: u64) -> impl Iterator<Item = f64> {
    all_exponents(n).flat_map(|x| [x, -x])
}
fn line(lo: f64, hi: f64, n: u64) -> impl Iterator<Item = f64> {
    (0..=n).map(move |i| lo + (hi - lo) * (i as f64 / n as f64))
}

// The bounds below are what the derivations in math.rs leave room for: half an ulp for each rounding that
// matters (two to four of them), plus the error of the reference itself.

#[test]
fn exp_everywhere() {
    let (e, x) = worst(line(-746.0, 710.0, 400_000).chain(signed(100_000)), math::exp, |x| flushed(libm::exp(x)));
    assert!(e <= 2.0, "{e} ulp at {x}");
    assert!(math::exp(f64::NAN).is_nan());
}
#[test]
fn exp_m1_everywhere() {
    let (e, x) = worst(line(-50.0, 710.0, 400_000).chain(signed(200_000)), math::exp_m1, libm::expm1);
    assert!(e <= 3.0, "{e} ulp at {x}");
    assert!(math::exp_m1(-0.0).is_sign_negative());
}
#[test]
fn ln_everywhere() {
    let (e, x) = worst(all_exponents(400_000).chain(line(0.5, 2.0, 200_000)), math::ln, libm::log);
    assert!(e <= 2.0, "{e} ulp at {x}");
    assert!(math::ln(-1.0).is_nan() && math::ln(f64::NAN).is_nan());
}
#[test]
fn ln_1p_everywhere() {
    let near = line(-0.999_999, 1.5, 200_000);
    let (e, x) =
        worst(all_exponents(200_000).chain(all_exponents(200_000).map(|x| -x)).chain(near), math::ln_1p, libm::log1p);
    assert!(e <= 3.0, "{e} ulp at {x}");
}
#[test]
fn tanh_everywhere() {
    let (e, x) = worst(line(-25.0, 25.0, 400_000).chain(signed(200_000)), math::tanh, libm::tanh);
    assert!(e <= 4.0, "{e} ulp at {x}");
}
#[test]
fn pow_everywhere() {
    let mut worst = (0.0, 0.0, 0.0);
    let ys =
        [1e-3, 0.05, 0.1, 0.5, 0.999, 1.5, 2.0, 2.5, 3.0, 10.0, 100.0, 1e3, 1e6, -0.5, -1.0, -3.7, -300.0, 1e300, 0.0];
    for x in all_exponents(20_000).chain(line(0.4, 2.5, 20_000)) {
        for y in ys {
            let e = ulp(math::pow(x, y), flushed(libm::pow(x, y)));
            if e > worst.0 || e.is_nan() {
                worst = (e, x, y);
            }
        }
    }
    assert!(worst.0 <= 2.0, "{} ulp at {}^{}", worst.0, worst.1, worst.2);
    assert!(math::pow(-1.0, 0.5).is_nan());
}
#[test]
fn floor_everywhere() {
    for x in signed(200_000).chain(line(-10.0, 10.0, 1000)) {
        assert_eq!(math::floor(x), libm::floor(x), "{x}");
    }
}
#[test]
fn sqrt_is_correctly_rounded() {
    // all sizes, random digits, and the neighbours of squares, where rounding is closest to a tie
    let digits = (0..200_000_u32).map(|k| 1.0 + 3.0 * math::uniform(5.0, f64::from(k)));
    let squares = (0..50_000_u32).flat_map(|k| {
        let root = 1.0 + math::uniform(6.0, f64::from(k));
        let bits = (root * root).to_bits();
        [bits - 1, bits, bits + 1].map(f64::from_bits)
    });
    let edges = [4.0_f64.next_down(), 1.0_f64.next_down(), 1.0_f64.next_up(), 2.0, f64::NAN];
    for x in signed(300_000).chain(digits).chain(squares).chain(edges) {
        let (got, want) = (math::sqrt(x), libm::sqrt(x));
        assert!(got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan()), "{x}: {got} and {want}");
    }
}
#[test]
fn uniform_is_uniform_and_the_same_in_single() {
    // 2^16 draws: each of 16 bins has 4096 +- 62 (one standard deviation), 5 deviations allowed; the
    // correlation of neighbours has standard deviation 1/256
    let n = 65_536;
    let x: Vec<f64> = (0..n).map(|k| math::uniform(7.0, k as f64)).collect();
    let mut bins = [0; 16];
    x.iter().for_each(|x| bins[(x * 16.0) as usize] += 1);
    assert!(bins.iter().all(|&b| (b - 4096_i32).abs() < 5 * 62), "{bins:?}");
    let r: f64 = x.windows(2).map(|w| (w[0] - 0.5) * (w[1] - 0.5) * 12.0).sum::<f64>() / n as f64;
    assert!(r.abs() < 5.0 / 256.0, "neighbours correlate: {r}");
    for k in 0..1000 {
        let (a, b) = (f32::uniform(3.0, k as f32), f64::uniform(3.0, k as f64));
        assert!((f64::from(a) - b).abs() < 6e-8, "the leading 24 bits: {a} {b}");
    }
}
#[test]
fn lanes_are_scalars_bit_for_bit() {
    let xs: Vec<f64> = signed(4000).chain(line(-30.0, 30.0, 8000)).collect();
    for c in xs.chunks_exact(8) {
        let l = Lanes::<8>(c.try_into().unwrap());
        let y = Lanes::<8>([0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 0.1, 10.0]);
        type Pair = (Lanes<8>, fn(f64) -> f64);
        let pairs: [Pair; 6] = [
            (l.exp(), Real::exp),
            (l.exp_m1(), Real::exp_m1),
            (l.ln(), Real::ln),
            (l.ln_1p(), Real::ln_1p),
            (l.tanh(), Real::tanh),
            (l.floor(), Real::floor),
        ];
        for (lanes, f) in pairs {
            for (a, &x) in lanes.0.iter().zip(c) {
                assert_eq!(a.to_bits(), f(x).to_bits(), "{x}");
            }
        }
        for (i, a) in l.abs().powf(y).0.iter().enumerate() {
            assert_eq!(a.to_bits(), Real::powf(Real::abs(c[i]), y.0[i]).to_bits(), "{}^{}", c[i], y.0[i]);
        }
    }
}
