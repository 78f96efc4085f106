//! Choice of a cut-off frequency: where the signal falls below its noise.
use super::noise_deviation_between_kinks;
use super::spectrum::{Detrend, welch};
use crate::NumericsError;
use crate::check::enough_samples;
use std::ops::Range;

/// A cut-off frequency and the noise it was derived from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cutoff {
    /// Cut-off frequency \[Hz\].
    pub frequency: f64,
    /// Noise floor: power spectral density of the noise, in the signal's unit squared per hertz.
    pub floor: f64,
    /// What the spectrum tells.
    pub kind: CutoffKind,
}

/// What the spectrum of a signal tells about its noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutoffKind {
    /// The signal falls to a floor of noise at the cut-off.
    Floor,
    /// The signal stays above any floor up to half the sampling rate, which is the cut-off: no noise is seen.
    NoFloor,
    /// There is a floor but hardly a signal above it. The cut-off is a quarter of the sampling rate, for want of a better one.
    NoSignal,
}

/// The cut-off frequency for a low-pass filter of a position signal, from its spectrum.
///
/// Sensor noise is taken as white: its floor is the median density in the upper half of the band, which single lines such as mains
/// hum do not affect. Signal and noise are equally strong where the density is twice the floor; the gain of Wiener's filter is one
/// half there. The cut-off is the first frequency from which the density, smoothed by a running median over nine bins, stays
/// below twice the floor for an octave. A signal that reaches into the upper half is sought again with the median of the highest eighth
/// as its floor, and must stay below up to the end of the band. There the spectrum of a few kinks, as at the stops of a body, falls slowly
/// enough to look like a floor: the noise between kinks ([`noise_deviation_between_kinks`]) tells, and if it is less than half of the density, the
/// signal is still the stronger and there is no floor. Segments are 1/32 of the record, between 256 and 16384 samples.
pub fn choose_cutoff(x: &[f64], rate: f64) -> Result<Cutoff, NumericsError> {
    enough_samples("samples for a spectrum", x, 256)?;
    if x.iter().all(|y| *y == x[0]) {
        return Err(NumericsError::ConstantSignal { what: "the samples" });
    }
    let length = (x.len() / 32).next_power_of_two().clamp(256, 16384).min(x.len());
    let spectrum = welch(x, rate, length, Detrend::Line)?;
    let density = &spectrum.density;
    let last = density.len() - 1;
    let smooth: Vec<f64> = (0..=last).map(|k| median(&density[k.saturating_sub(4)..(k + 5).min(last + 1)])).collect();
    // the first of these lines from which the density stays near the floor that the lines from `above` on define
    let meets = |lines: Range<usize>, above: usize| {
        let floor = median(&density[above..last]);
        let quiet = |k: usize| smooth[k] < 2.0 * floor;
        let octave = |k: usize| k..=(2 * k).min(last);
        (floor, lines.clone().find(|&k| octave(k).all(quiet)))
    };
    let highest = last - last / 8;
    let low = meets(1..last / 2, last / 2);
    let (floor, at) = if low.1.is_some() {
        low
    } else {
        let (floor, at) = meets(last / 2..highest, highest);
        // white noise has this density up to half the sampling rate
        let noise = 2.0 * noise_deviation_between_kinks(x).powi(2) / rate;
        if floor > 2.0 * noise { (noise, None) } else { (floor, at) }
    };
    let (frequency, kind) = match at {
        Some(at) if density.iter().any(|d| *d > 10.0 * floor) => (spectrum.frequency[at], CutoffKind::Floor),
        Some(_) => (0.25 * rate, CutoffKind::NoSignal),
        None => (0.5 * rate, CutoffKind::NoFloor),
    };
    Ok(Cutoff { frequency, floor, kind })
}

fn median(x: &[f64]) -> f64 {
    let mut x = x.to_vec();
    let middle = x.len() / 2;
    *x.select_nth_unstable_by(middle, f64::total_cmp).1
}
