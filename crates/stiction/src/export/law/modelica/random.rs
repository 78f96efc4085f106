//! Random numbers without an arithmetic of bits.
//!
//! A law draws its random numbers by a bijection of words of 64 bits (`stiction_core::math::uniform`). Modelica has no such words: its `Integer` has 32 bits
//! in most tools. Four digits of base 2¹⁶ in four numbers are enough, because all sums and products of such digits are below 2⁵³ and therefore exact.
use crate::export::recorder::record;
use stiction_core::Real;
use stiction_core::program::{Precision, Program};

/// A word of 64 bits, the lowest digit first.
type Word<R> = [R; 4];

/// 2¹⁶
const BASE: f64 = 65536.0;

/// The program of [`Real::uniform`], of sums, products, roundings and choices alone.
pub(super) fn program() -> Program {
    record(Precision::Double, 2, |x| vec![uniform(x[0], x[1])])
}

/// A uniform number of two integers below 2⁵².
fn uniform<R: Real>(seed: R, k: R) -> R {
    let of_both = xor(word(k), scramble(word(seed)));
    // the upper 52 bits, as a fraction
    let [a, b, c, d] = scramble(of_both);
    let part = |digit: R, power: i32| digit * R::lit(2f64.powi(power));
    part(quotient(a, 12), -52) + part(b, -48) + part(c, -32) + part(d, -16)
}

/// The bits of the double `2⁵² + x`: `x`, and the exponent above.
fn word<R: Real>(x: R) -> Word<R> {
    let [a, b, c, d] = digits([x, R::lit(0.0), R::lit(0.0), R::lit(0.0)]);
    [a, b, c, d + R::lit(f64::from(0x4330))]
}

/// The output function of the SplitMix generator.
fn scramble<R: Real>(x: Word<R>) -> Word<R> {
    let x = add(x, literal(0x9E37_79B9_7F4A_7C15));
    let x = multiply(xor(x, shifted(x, 30)), literal(0xBF58_476D_1CE4_E5B9));
    let x = multiply(xor(x, shifted(x, 27)), literal(0x94D0_49BB_1331_11EB));
    xor(x, shifted(x, 31))
}

fn literal<R: Real>(x: u64) -> Word<R> {
    [0, 16, 32, 48].map(|at| R::lit((x >> at & 0xFFFF) as f64))
}

/// `x` without its lowest bits.
fn quotient<R: Real>(x: R, bits: i32) -> R {
    (x * R::lit(2f64.powi(-bits))).floor()
}

/// Digits whose excess is carried on; what the last one exceeds is lost.
fn digits<R: Real>(x: Word<R>) -> Word<R> {
    let mut carried = R::lit(0.0);
    x.map(|digit| {
        let all = digit + carried;
        carried = quotient(all, 16);
        all - carried * R::lit(BASE)
    })
}

fn add<R: Real>(x: Word<R>, y: Word<R>) -> Word<R> {
    digits(core::array::from_fn(|i| x[i] + y[i]))
}

fn multiply<R: Real>(x: Word<R>, y: Word<R>) -> Word<R> {
    digits(core::array::from_fn(|i| (0..=i).fold(R::lit(0.0), |sum, j| sum + x[j] * y[i - j])))
}

/// Shifted to the right by 16 to 31 bits.
fn shifted<R: Real>(x: Word<R>, bits: i32) -> Word<R> {
    let rest = bits - 16;
    let digit = |i: usize| x.get(i).copied().unwrap_or(R::lit(0.0));
    core::array::from_fn(|i| {
        let above = digit(i + 2);
        let lowest = above - quotient(above, rest) * R::lit(2f64.powi(rest));
        quotient(digit(i + 1), rest) + lowest * R::lit(2f64.powi(16 - rest))
    })
}

/// The bits in one of both, from the lowest of each digit on.
fn xor<R: Real>(x: Word<R>, y: Word<R>) -> Word<R> {
    let (half, two, never) = (R::lit(0.5), R::lit(2.0), R::lit(0.0).lt(R::lit(0.0)));
    let start = ((x, y), ([R::lit(0.0); 4], [R::lit(1.0)]));
    let (_, (out, _)) = R::repeat(16, start, |((x, y), (mut out, [weight]))| {
        let [next_x, next_y] = [x, y].map(|word| word.map(|digit| (half * digit).floor()));
        for i in 0..4 {
            let bit = |now: Word<R>, next: Word<R>| now[i] - two * next[i];
            out[i] = out[i] + weight * (bit(x, next_x) - bit(y, next_y)).abs();
        }
        (((next_x, next_y), (out, [two * weight])), never)
    });
    out
}

#[cfg(test)]
mod tests {
    use super::{program, uniform};
    use stiction_core::Real;

    #[test]
    fn the_numbers_are_those_that_laws_draw() {
        let program = program();
        for case in 0..2000 {
            // of every length up to 52 bits
            let whole = |k: u32| {
                let bits = 52.0 * f64::uniform(f64::from(k), f64::from(case));
                (f64::uniform(f64::from(k + 2), f64::from(case)) * 2f64.powf(bits)).floor()
            };
            let (seed, k) = (whole(0), whole(1));
            let want = f64::uniform(seed, k);
            assert_eq!(uniform(seed, k).to_bits(), want.to_bits(), "{seed} {k}");
            assert_eq!(program.evaluate(&[seed, k])[0].to_bits(), want.to_bits(), "{seed} {k}");
        }
    }
}
