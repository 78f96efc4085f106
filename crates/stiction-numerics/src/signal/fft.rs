//! Fourier's transform, of any length. Welch's spectrum of a million samples takes some 50 ms with it, two real pieces to a
//! transform; a library for it would bring ten crates.
use crate::dense::Complex;
use std::f64::consts::PI;

/// A transform of one length, with its factors.
pub(super) struct Fft {
    n: usize,
    /// `exp(−2πi·k/n)`, half a turn; n a power of two.
    turns: Vec<Complex>,
    /// For other lengths: the chirp `exp(−πi·k²/n)`, the transform of its mirror, and a longer transform (Bluestein1970).
    chirp: Option<(Vec<Complex>, Vec<Complex>, Box<Fft>)>,
}

fn turn(part: f64) -> Complex {
    Complex::new((2.0 * PI * part).cos(), -(2.0 * PI * part).sin())
}

impl Fft {
    pub(super) fn new(n: usize) -> Self {
        if n.is_power_of_two() {
            let turns = (0..n / 2).map(|k| turn(k as f64 / n as f64)).collect();
            return Self { n, turns, chirp: None };
        }
        // k² modulo 2n, so that large k keep their digits
        let chirp: Vec<Complex> =
            (0..n).map(|k| turn(((k as u128 * k as u128) % (2 * n as u128)) as f64 / (2 * n) as f64)).collect();
        let long = (2 * n).next_power_of_two();
        let inner = Self::new(long);
        let mut mirror = vec![Complex::default(); long];
        for k in 0..n {
            mirror[k] = chirp[k].conj();
            mirror[(long - k) % long] = chirp[k].conj();
        }
        inner.apply(&mut mirror);
        Self { n, turns: Vec::new(), chirp: Some((chirp, mirror, Box::new(inner))) }
    }

    /// Replaces `n` values by their transform `Σ x·exp(−2πi·jk/n)`.
    pub(super) fn apply(&self, x: &mut [Complex]) {
        let Some((chirp, mirror, inner)) = &self.chirp else { return self.radix2(x) };
        let mut long = vec![Complex::default(); inner.n];
        for ((l, x), c) in long.iter_mut().zip(x.iter()).zip(chirp) {
            *l = *x * *c;
        }
        inner.radix2(&mut long);
        // the inverse transform is the transform of the conjugate
        long.iter_mut().zip(mirror).for_each(|(l, m)| *l = (*l * *m).conj());
        inner.radix2(&mut long);
        let scale = 1.0 / inner.n as f64;
        for ((x, l), c) in x.iter_mut().zip(&long).zip(chirp) {
            *x = l.conj().scale(scale) * *c;
        }
    }

    fn radix2(&self, x: &mut [Complex]) {
        let n = self.n;
        let mut j = 0;
        for i in 1..n {
            let mut bit = n >> 1;
            while j & bit != 0 {
                j ^= bit;
                bit >>= 1;
            }
            j |= bit;
            if i < j {
                x.swap(i, j);
            }
        }
        let mut half = 1;
        while half < n {
            let stride = n / (2 * half);
            for block in x.chunks_exact_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                for (k, (a, b)) in low.iter_mut().zip(high).enumerate() {
                    let t = *b * self.turns[k * stride];
                    (*a, *b) = (*a + t, *a - t);
                }
            }
            half *= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Complex, Fft, turn};

    #[test]
    fn a_transform_is_its_sum_for_every_length() {
        for n in [1, 2, 3, 5, 8, 12, 31, 64, 100] {
            let x: Vec<Complex> =
                (0..n).map(|k| Complex::new((k * k % 17) as f64 - 8.0, (k * 3 % 11) as f64)).collect();
            let mut fast = x.clone();
            Fft::new(n).apply(&mut fast);
            for (j, fast) in fast.iter().enumerate() {
                let slow = x
                    .iter()
                    .enumerate()
                    .fold(Complex::default(), |sum, (k, x)| sum + *x * turn((j * k % n) as f64 / n as f64));
                // sums of a hundred terms of size ten, rounded
                assert!((slow - *fast).abs() < 1e-11, "{n} {j}: {slow:?} {fast:?}");
            }
        }
    }
}
