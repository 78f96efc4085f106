//! Describing functions: the gain of a law for a harmonic input, and the limit cycles (hunting) that it predicts.
//!
//! ```
//! use stiction::{Spec, analysis::{describing_function::describe, test_rig::TestRig}};
//!
//! // Coulomb friction damps a swing of 1 mm at 2 rad/s like 4 Fc/(π V), V = 2 mm/s
//! let found = describe(&TestRig::new(&Spec::new("coulomb")?), 1e-3, 2.0)?;
//! let n = found.on_velocity();
//! assert!((n.re - 4.0 / (std::f64::consts::PI * 2e-3)).abs() < 1e-6 * n.re && n.im.abs() < 1e-6 * n.re);
//! # Ok::<(), stiction::Error>(())
//! ```
//! For `x = X sin ωt` the periodic force has the first harmonic `X·(k sin ωt + c·ω·cos ωt)`: a spring `k` and a
//! damper `c`. On displacement the describing function is `N(X, ω) = k + jωc`; on velocity, with `V = ωX`, it is
//! `N/(jω) = c − jk/ω`. The law is driven by [`super::hysteresis`], so that reversals and slips are exact events.
mod approximate_gain;
mod harmonic_balance;
mod linear_plant;

pub use approximate_gain::approximate_gain;
pub use harmonic_balance::{HarmonicBalance, PredictedOscillation, SimulatedOscillation, harmonic_balance};
pub use linear_plant::LinearPlant;

use super::hysteresis::{HarmonicMotion, HysteresisResult, drive_harmonic};
use super::quadrature::PiecewiseCubic;
use super::test_rig::TestRig;
use crate::Error;
use crate::linalg::Complex;
use std::f64::consts::PI;

/// A describing function at one amplitude and frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DescribingFunction {
    /// Amplitude of the displacement [m or rad].
    pub amplitude: f64,
    /// Angular frequency [rad/s].
    pub omega: f64,
    /// Gain from displacement to force [N/m].
    pub gain: Complex,
    /// Ratio of the third to the first harmonic of the force: a measure of the error of the approximation.
    pub third: f64,
    /// Whether the force is periodic to four digits; that of a random law never is.
    pub repeats: bool,
}

impl DescribingFunction {
    /// Gain from velocity to force [N·s/m].
    pub fn on_velocity(&self) -> Complex {
        Complex::new(self.gain.im / self.omega, -self.gain.re / self.omega)
    }
    /// Amplitude of the velocity [m/s or rad/s].
    pub fn speed(&self) -> f64 {
        self.amplitude * self.omega
    }
    /// Amplitude of the first harmonic of the force [N or N·m].
    pub fn force(&self) -> f64 {
        self.gain.abs() * self.amplitude
    }
    /// Phase of the force before the displacement \[rad\]: 0 for a spring, π/2 for a damper.
    pub fn phase(&self) -> f64 {
        self.gain.im.atan2(self.gain.re)
    }
}

/// Maximum number of cycles; the remaining transient is then negligible.
const MAX_CYCLES: u32 = 30;

/// Closure error of a loop, relative to the force, that still counts as periodic.
const CLOSURE_TOLERANCE: f64 = 1e-4;

/// Drives a law harmonically until the force is periodic.
///
/// # Errors
/// As [`drive_harmonic`].
pub fn describe(rig: &TestRig, amplitude: f64, omega: f64) -> Result<DescribingFunction, Error> {
    let driven = drive_harmonic(
        rig,
        &HarmonicMotion { omega: Some(omega), cycles: MAX_CYCLES, ..HarmonicMotion::new(amplitude) },
    )?;
    let last = &driven.last;
    // ∮ F dx = π X · X ω c
    let gain = Complex::new(last.harmonic, last.area / (PI * amplitude * amplitude));
    let third = harmonic(&driven, omega, 3.0) / (gain.abs() * amplitude);
    // a loop need not close to the last digits for its first harmonic to be known to four
    let repeats = driven.repeats || last.closure.abs() <= CLOSURE_TOLERANCE * gain.abs() * amplitude;
    Ok(DescribingFunction { amplitude, omega, gain, third, repeats })
}

/// The amplitude of harmonic `n` of the force of the last loop.
fn harmonic(driven: &HysteresisResult, omega: f64, n: f64) -> f64 {
    let (trace, last) = (&driven.trace, &driven.last);
    let pieces = PiecewiseCubic::new(&trace.t, &[last.rows.begin, last.rows.turn, last.rows.next], true);
    let part = |f: fn(f64) -> f64| {
        let wave: Vec<f64> = trace.t.iter().map(|t| f(n * omega * t) / n).collect();
        pieces.integral(&trace.force, &wave, last.rows.begin, last.end) / PI
    };
    part(f64::sin).hypot(part(f64::cos))
}

/// One for each amplitude and, within, for each frequency. On as many threads as the machine has.
///
/// # Errors
/// As [`describe`].
pub fn grid(rig: &TestRig, amplitudes: &[f64], omegas: &[f64]) -> Result<Vec<Vec<DescribingFunction>>, Error> {
    let places: Vec<(f64, f64)> = amplitudes.iter().flat_map(|a| omegas.iter().map(move |w| (*a, *w))).collect();
    let all =
        crate::parallel::map(&places, |(a, w)| describe(rig, *a, *w)).into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(all.chunks(omegas.len().max(1)).map(<[DescribingFunction]>::to_vec).collect())
}
