//! Data of the figures of a sliding fit.
use super::regression::RegressionFit;
use super::samples::SlidingSamples;
use crate::identify::result::{
    FrictionVelocity, ResidualSeries, ResultCurves, SlidingResiduals, VelocityBin, spectrum,
};

/// Bins of velocity.
const VELOCITY_BINS: usize = 24;
/// Fewest samples of a bin.
const MIN_BIN_SAMPLES: usize = 8;
/// Points of the curve of the law, for each direction.
const LAW_POINTS: i32 = 200;

/// Friction over velocity; residuals over time, velocity and frequency.
pub fn curves(fitted: &RegressionFit, samples: &SlidingSamples, residuals: &[ResidualSeries]) -> Vec<ResultCurves> {
    let mut out = vec![ResultCurves::FrictionVelocity(friction_velocity(fitted, samples))];
    let first = residuals.first().map(|first| sliding_residuals(fitted, samples, first));
    out.extend(first.map(ResultCurves::SlidingResiduals));
    out
}

fn friction_velocity(fitted: &RegressionFit, samples: &SlidingSamples) -> FrictionVelocity {
    let friction = fitted.friction(samples);
    let (low, high) = samples.v.iter().fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(*v), h.max(*v)));
    let mut bins: Vec<Vec<f64>> = vec![Vec::new(); VELOCITY_BINS];
    let mut speeds = [0.0; VELOCITY_BINS];
    for (v, f) in samples.v.iter().zip(&friction) {
        let at = ((v - low) / (high - low) * VELOCITY_BINS as f64) as usize;
        let at = at.min(VELOCITY_BINS - 1);
        bins[at].push(*f);
        speeds[at] += v;
    }
    let full = bins.iter_mut().enumerate().filter(|(_, bin)| bin.len() >= MIN_BIN_SAMPLES);
    let bins = full.map(|(k, bin)| {
        bin.sort_by(f64::total_cmp);
        let quantile = |share: f64| bin[(share * (bin.len() - 1) as f64) as usize];
        VelocityBin {
            velocity: speeds[k] / bin.len() as f64,
            mean: bin.iter().sum::<f64>() / bin.len() as f64,
            quartiles: [quantile(0.25), quantile(0.75)],
        }
    });
    let tiny = 1e-6 * (high - low);
    let ranges = [(low, (-tiny).min(high)), (tiny.max(low), high)];
    FrictionVelocity {
        bins: bins.collect(),
        law: ranges.iter().filter(|(from, to)| from < to).map(|(from, to)| law(fitted, samples, *from, *to)).collect(),
        samples: samples.v.iter().copied().zip(friction).collect(),
    }
}

/// The friction of the law between two velocities, at the mean load.
fn law(fitted: &RegressionFit, samples: &SlidingSamples, from: f64, to: f64) -> Vec<(f64, f64)> {
    let at = |k: i32| from + (to - from) * f64::from(k) / f64::from(LAW_POINTS);
    let v: Vec<f64> = (0..=LAW_POINTS).map(at).collect();
    let n = v.len();
    let sign: Vec<f64> = v.iter().map(|v| v.signum()).collect();
    let mean = if samples.load.is_empty() { 0.0 } else { samples.load.iter().sum::<f64>() / samples.len() as f64 };
    let steady = SlidingSamples {
        a: vec![0.0; n],
        constant: vec![1.0; n],
        force: vec![0.0; n],
        signed_load: sign.iter().map(|s| s * mean).collect(),
        load: vec![mean; n],
        sign,
        v: v.clone(),
        terms: samples.terms.iter().map(|term| term.with(vec![0.0; n])).collect(),
        ..SlidingSamples::default()
    };
    let offset = fitted.get("offset").unwrap_or(0.0);
    v.into_iter().zip(fitted.model(&steady)).map(|(v, f)| (v, f - offset)).collect()
}

fn sliding_residuals(fitted: &RegressionFit, samples: &SlidingSamples, first: &ResidualSeries) -> SlidingResiduals {
    let mut steps: Vec<f64> = first.t.windows(2).map(|w| w[1] - w[0]).collect();
    steps.sort_by(f64::total_cmp);
    let median = steps.get(steps.len() / 2).copied().unwrap_or(0.0);
    SlidingResiduals {
        over_time: first.t.iter().copied().zip(first.residuals()).collect(),
        over_velocity: samples.v.iter().copied().zip(fitted.residual.iter().copied()).collect(),
        spectrum: spectrum(&fitted.residual, median),
    }
}
