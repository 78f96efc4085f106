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
    /// The signal falls at the cut-off to the errors of a sensor whose steps are seldom: many samples lie from one to the next.
    Steps,
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
///
/// A sensor whose steps are seldom, one in many samples, has errors that last until the next one, and whose density falls above the frequency of the
/// steps: what looks like a signal there is the sensor. With steps of size `q` at a usual distance `T` in time the density is `q² T/6` at least
/// below, and that is the least floor; with a step in every sample it is that of white noise of the variance `q²/12`.
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
    if let Some(floor) = floor_of_seldom_steps(x, rate) {
        let quiet = |k: usize| smooth[k] < 2.0 * floor;
        if let Some(at) = (1..=last / 2).find(|&k| (k..=(2 * k).min(last)).all(quiet)) {
            return Ok(Cutoff { frequency: spectrum.frequency[at], floor, kind: CutoffKind::Steps });
        }
    }
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

/// Fewest samples from one step of a sensor to the next, usually, from which on its error is no white noise.
const SELDOM: f64 = 2.0;
/// Share of the changes that are whole steps.
const WHOLE_STEPS: f64 = 0.9;
/// Deviation from a whole number of steps: of changes without steps one in fifty is as close.
const STEP_TOLERANCE: f64 = 0.01;

/// The density of the errors of a sensor whose steps are seldom; none of other signals.
fn floor_of_seldom_steps(x: &[f64], rate: f64) -> Option<f64> {
    let changes: Vec<usize> = (1..x.len()).filter(|&k| x[k] != x[k - 1]).collect();
    let sizes = || changes.iter().map(|&k| (x[k] - x[k - 1]).abs());
    let largest = x.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    // rounding of the numbers themselves is no step
    let step = sizes().filter(|size| *size > 1e-9 * largest).fold(f64::INFINITY, f64::min);
    let whole = sizes().filter(|size| (size / step - (size / step).round()).abs() < STEP_TOLERANCE).count();
    if changes.len() < 2 || (whole as f64) < WHOLE_STEPS * changes.len() as f64 {
        return None;
    }
    let mut apart: Vec<f64> = changes.windows(2).map(|w| (w[1] - w[0]) as f64).collect();
    let middle = apart.len() / 2;
    let usual = *apart.select_nth_unstable_by(middle, f64::total_cmp).1;
    (usual >= SELDOM).then(|| step * step * usual / (6.0 * rate))
}

fn median(x: &[f64]) -> f64 {
    let mut x = x.to_vec();
    let middle = x.len() / 2;
    *x.select_nth_unstable_by(middle, f64::total_cmp).1
}
