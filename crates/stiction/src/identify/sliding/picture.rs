//! Pictures of a sliding fit.
use super::super::Residual;
use super::sample::Samples;
use super::solve::Solved;
use crate::plot::{Axis, Figure, Panel, Scale};
use crate::signal::{Detrend, welch};

/// Points of a cloud: more are not seen.
const POINTS: usize = 4000;
/// Bins of speed.
const BINS: usize = 24;

/// Friction over speed; residuals over time, and how they are spread over frequency.
pub fn all(solved: &Solved, samples: &Samples, residuals: &[Residual]) -> Vec<Figure> {
    let mut out = vec![curve(solved, samples)];
    out.extend(residuals.first().map(|first| rest(solved, samples, first)));
    out
}

/// Friction that was measured: what is left of the force after inertia and offset.
fn friction(solved: &Solved, samples: &Samples) -> Vec<f64> {
    let (mass, offset) = (solved.get("mass").unwrap_or(0.0), solved.get("offset").unwrap_or(0.0));
    (0..samples.len()).map(|k| samples.force[k] - mass * samples.a[k] - offset).collect()
}

fn curve(solved: &Solved, samples: &Samples) -> Figure {
    let friction = friction(solved, samples);
    let by = samples.len().div_ceil(POINTS).max(1);
    let cloud = (0..samples.len()).step_by(by).map(|k| (samples.v[k], friction[k]));
    let (low, high) = samples.v.iter().fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(*v), h.max(*v)));
    // means over bins of speed, with the middle half of the samples
    let mut bins: Vec<Vec<f64>> = vec![Vec::new(); BINS];
    for (v, f) in samples.v.iter().zip(&friction) {
        let at = ((v - low) / (high - low) * BINS as f64) as usize;
        bins[at.min(BINS - 1)].push(*f);
    }
    let bars = bins.iter_mut().enumerate().filter(|(_, bin)| bin.len() >= 8).map(|(k, bin)| {
        bin.sort_by(f64::total_cmp);
        let at = |share: f64| bin[(share * (bin.len() - 1) as f64) as usize];
        let middle = low + (high - low) * (k as f64 + 0.5) / BINS as f64;
        [middle, bin.iter().sum::<f64>() / bin.len() as f64, at(0.25), at(0.75)]
    });
    let line = |from: f64, to: f64| -> Vec<(f64, f64)> {
        let v: Vec<f64> = (0..=200).map(|k| from + (to - from) * f64::from(k) / 200.0).collect();
        let n = v.len();
        let sign: Vec<f64> = v.iter().map(|v| v.signum()).collect();
        let mean = if samples.load.is_empty() { 0.0 } else { samples.load.iter().sum::<f64>() / samples.len() as f64 };
        let still = Samples {
            a: vec![0.0; n],
            one: vec![1.0; n],
            force: vec![0.0; n],
            pressed: sign.iter().map(|s| s * mean).collect(),
            load: vec![mean; n],
            sign,
            v: v.clone(),
            ..Samples::default()
        };
        let offset = solved.get("offset").unwrap_or(0.0);
        v.into_iter().zip(solved.model(&still)).map(|(v, f)| (v, f - offset)).collect()
    };
    let tiny = 1e-6 * (high - low);
    let mut panel = Panel::new(Axis::linear("v [m/s]"), Axis::linear("friction [N]"));
    for (from, to) in [(low, (-tiny).min(high)), (tiny.max(low), high)].into_iter().filter(|(from, to)| from < to) {
        panel = panel.line("law", line(from, to));
    }
    let panel = panel.cloud("samples", cloud).bars("mean and middle half", bars.collect::<Vec<_>>());
    Figure::new("Friction over velocity").panel(panel)
}

fn rest(solved: &Solved, samples: &Samples, first: &Residual) -> Figure {
    let by = first.t.len().div_ceil(POINTS).max(1);
    let over_time: Vec<(f64, f64)> = first.t.iter().copied().zip(first.rest()).step_by(by).collect();
    let mut figure = Figure::new("Residual: measured less model")
        .panel(Panel::new(Axis::linear("t [s]"), Axis::linear("residual [N]")).cloud("", over_time));
    let by = samples.len().div_ceil(POINTS).max(1);
    let over_speed = (0..samples.len()).step_by(by).map(|k| (samples.v[k], solved.residual[k]));
    figure = figure.panel(Panel::new(Axis::linear("v [m/s]"), Axis::linear("residual [N]")).cloud("", over_speed));
    let mut steps: Vec<f64> = first.t.windows(2).map(|w| w[1] - w[0]).collect();
    steps.sort_by(f64::total_cmp);
    let length = (samples.len() / 8).clamp(8, 1024);
    if let Some(step) = steps.get(steps.len() / 2).filter(|step| **step > 0.0)
        && let Ok(spectrum) = welch(&solved.residual, 1.0 / step, length, Detrend::Mean)
    {
        let points = spectrum.frequency.iter().copied().zip(spectrum.density.iter().copied()).skip(1);
        let y = Axis { scale: Scale::Log, ..Axis::linear("density [N^{2}/Hz]") };
        figure = figure.panel(Panel::new(Axis::linear("frequency [Hz]"), y).line("", points));
    }
    figure
}
