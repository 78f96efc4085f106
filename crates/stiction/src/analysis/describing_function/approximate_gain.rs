//! The describing function from fixed steps of the law: three digits in a fraction of a millisecond, for searches.
use crate::analysis::law_stepper::LawStepper;
use crate::linalg::Complex;
use std::f64::consts::{PI, TAU};
use stiction_core::registry::DynLaw;

/// Samples in a period: the velocity is held between them, an error of `(2π/samples)²/6`.
const SAMPLES: u32 = 256;
/// Maximum number of periods; then the last one is used.
const MAX_PERIODS: usize = 24;
/// Relative change from one period to the next below which the response is periodic.
const PERIODICITY_TOLERANCE: f64 = 1e-5;

/// Gain from displacement to force of `x = amplitude·sin(ωt)`.
pub fn approximate_gain(law: &dyn DynLaw, load: f64, amplitude: f64, omega: f64) -> Complex {
    let mut walk = LawStepper::new(law, load);
    let (step, mut before) = (TAU / f64::from(SAMPLES), Complex::default());
    for period in 0..MAX_PERIODS {
        let mut sum = Complex::default();
        for k in 0..SAMPLES {
            let (a, b) = (f64::from(k) * step, f64::from(k + 1) * step);
            let (sin, cos) = (0.5 * (a + b)).sin_cos();
            let v = amplitude * (b.sin() - a.sin()) / step * omega;
            // the mean force of the sample, by the work it does
            let dt = step / omega;
            let stretch = walk.advance(v, dt);
            let force = if v == 0.0 { stretch.force } else { stretch.work / (v * dt) };
            sum = sum + Complex::new(force * sin * step, force * cos * step);
        }
        let gain = Complex::new(sum.re / (PI * amplitude), sum.im / (PI * amplitude));
        if period > 0 && (gain - before).abs() <= PERIODICITY_TOLERANCE * gain.abs() {
            return gain;
        }
        before = gain;
    }
    before
}
