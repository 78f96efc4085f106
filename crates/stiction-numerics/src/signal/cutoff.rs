//! Choice of a cut-off frequency: where the signal falls below its noise.
use super::spectrum::{Detrend, welch};
use crate::NumericsError;
use crate::check::enough_samples;

/// A cut-off frequency and the noise it was derived from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cutoff {
    /// Cut-off frequency \[Hz\].
    pub frequency: f64,
    /// Noise floor: power spectral density of the noise, in the signal's unit squared per hertz.
    pub floor: f64,
    /// Whether the signal falls below a noise floor. If not, the cut-off is a quarter of the sampling rate, for want of a better one.
    pub clear: bool,
}

/// The cut-off frequency for a low-pass filter of a position signal, from its spectrum.
///
/// Sensor noise is taken as white: its floor is the median density in the upper half of the band, which single lines such as mains
/// hum do not affect. Signal and noise are equally strong where the density is twice the floor; the gain of Wiener's filter is one
/// half there. The cut-off is the first frequency from which the density, smoothed by a running median over nine bins, stays
/// below twice the floor for an octave. Segments are 1/32 of the record, between 256 and 16384 samples.
pub fn choose_cutoff(x: &[f64], rate: f64) -> Result<Cutoff, NumericsError> {
    enough_samples("samples for a spectrum", x, 256)?;
    if x.iter().all(|y| *y == x[0]) {
        return Err(NumericsError::ConstantSignal { what: "the samples" });
    }
    let length = (x.len() / 32).next_power_of_two().clamp(256, 16384).min(x.len());
    let spectrum = welch(x, rate, length, Detrend::Line)?;
    let density = &spectrum.density;
    let last = density.len() - 1;
    let floor = median(&density[last / 2..last]);
    let smooth: Vec<f64> = (0..=last).map(|k| median(&density[k.saturating_sub(4)..(k + 5).min(last + 1)])).collect();
    let quiet = |k: usize| smooth[k] < 2.0 * floor;
    // only in the lower half of the band: the upper half defines the floor
    let found = (1..last / 2).find(|&k| (k..=(2 * k).min(last)).all(quiet));
    let clear = found.is_some() && density.iter().any(|d| *d > 10.0 * floor);
    let at = if clear { found.unwrap_or(last / 2) } else { last / 2 };
    Ok(Cutoff { frequency: spectrum.frequency[at], floor, clear })
}

fn median(x: &[f64]) -> f64 {
    let mut x = x.to_vec();
    let middle = x.len() / 2;
    *x.select_nth_unstable_by(middle, f64::total_cmp).1
}
