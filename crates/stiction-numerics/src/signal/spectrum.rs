//! Welch's spectrum: the mean of those of overlapping pieces.
use super::fft::Fft;
use crate::dense::Complex;
use crate::flaw::{Flaw, enough, positive};
use std::f64::consts::PI;

/// What is taken out of each piece before it is transformed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detrend {
    /// Nothing.
    None,
    /// Its mean.
    #[default]
    Mean,
    /// Its line of least squares: for signals that travel far.
    Line,
}

/// How the power of a signal is spread over frequency.
#[derive(Clone, Debug, PartialEq)]
pub struct Spectrum {
    /// Frequencies from zero to half the sampling rate \[Hz\].
    pub frequency: Vec<f64>,
    /// Power per hertz, on one side: its sum times the spacing is the variance.
    pub density: Vec<f64>,
    /// How many pieces were averaged.
    pub pieces: usize,
}

/// Pieces of `length` samples under a Hann window, each half over the next: `scipy.signal.welch`.
pub fn welch(x: &[f64], rate: f64, length: usize, detrend: Detrend) -> Result<Spectrum, Flaw> {
    positive("sampling rate", rate)?;
    if length < 4 {
        return Err(Flaw::Value { name: "length of a piece", value: length as f64, must: "four at least" });
    }
    enough("samples for this length of pieces", x, length)?;
    let window: Vec<f64> = (0..length).map(|k| (PI * k as f64 / length as f64).sin().powi(2)).collect();
    let starts: Vec<usize> = (0..=x.len() - length).step_by(length - length / 2).collect();
    let fft = Fft::new(length);
    let mut power = vec![0.0; length / 2 + 1];
    let mut piece = vec![Complex::default(); length];
    let mut real = vec![0.0; length];
    for pair in starts.chunks(2) {
        // two real pieces as one complex: |A|² + |B|² at k is half of |Z|² at k and at −k
        for (part, start) in pair.iter().enumerate() {
            real.copy_from_slice(&x[*start..start + length]);
            flatten(&mut real, detrend);
            for ((z, x), w) in piece.iter_mut().zip(&real).zip(&window) {
                if part == 0 {
                    *z = Complex::new(x * w, 0.0);
                } else {
                    z.im = x * w;
                }
            }
        }
        fft.apply(&mut piece);
        let square = |z: Complex| z.re * z.re + z.im * z.im;
        for (k, power) in power.iter_mut().enumerate() {
            *power += 0.5 * (square(piece[k]) + square(piece[(length - k) % length]));
        }
    }
    let scale = 1.0 / (rate * window.iter().map(|w| w * w).sum::<f64>() * starts.len() as f64);
    let alone = |k: usize| k == 0 || 2 * k == length;
    let density = power.iter().enumerate().map(|(k, p)| p * scale * if alone(k) { 1.0 } else { 2.0 }).collect();
    let frequency = (0..=length / 2).map(|k| k as f64 * rate / length as f64).collect();
    Ok(Spectrum { frequency, density, pieces: starts.len() })
}

fn flatten(x: &mut [f64], detrend: Detrend) {
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    let middle = 0.5 * (n - 1.0);
    let slope = match detrend {
        Detrend::None => return,
        Detrend::Mean => 0.0,
        Detrend::Line => {
            let sum: f64 = x.iter().enumerate().map(|(k, x)| (k as f64 - middle) * (x - mean)).sum();
            12.0 * sum / (n * (n * n - 1.0))
        }
    };
    x.iter_mut().enumerate().for_each(|(k, x)| *x -= mean + slope * (k as f64 - middle));
}
