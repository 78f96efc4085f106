//! A measured velocity that is not the derivative of the measured position: a sensor with a bias or another gain.
//!
//! Friction has the sign of the velocity, and between zero and the bias that is wrong; a viscous force of the bias is taken for a constant one. Means of
//! the velocity over intervals are compared with the displacement over them: `v̄ = g·Δx/Δt + b`. Over intervals neither noise of the position nor a filter
//! of the velocity matters.
use super::{Remark, Severity};
use crate::fit::{LinearFit, LinearOptions, NoiseModel, linear};
use crate::number::{round, short};

/// Intervals of a record, and fewest samples in each.
const INTERVALS: usize = 200;
const MIN_SAMPLES: usize = 4;
/// Standard errors from zero: normal noise exceeds four once in sixteen thousand.
const SURE: f64 = 4.0;
/// Bias over the root mean square of the speed, and difference of the gain from one, below which they do not matter: of so small a share of the samples is
/// the sign wrong.
const SHARE: f64 = 0.01;

/// Remarks on a velocity that contradicts the position, both as they were measured.
pub(super) fn contradictions(name: &str, position: &[f64], velocity: &[f64], step: f64) -> Vec<Remark> {
    let Some(fit) = gain_and_bias(position, velocity, step) else { return Vec::new() };
    let error = fit.covariance.standard_errors();
    let ([more, gain_error], [bias, bias_error]) = ([fit.values[0], error[0]], [fit.values[1], error[1]]);
    let speed = (velocity.iter().map(|v| v * v).sum::<f64>() / velocity.len().max(1) as f64).sqrt();
    let mut out = Vec::new();
    let mut remark = |text: String| out.push(Remark::new(Severity::Warning, format!("{name}: {text}")));
    let brief = |x: f64| short(round(x, 3));
    if fit.differs_from_zero(0, SURE) && more.abs() > SHARE {
        remark(format!(
            "the velocity is {} ± {} times the derivative of the position: a wrong unit or scale of one of them",
            brief(1.0 + more),
            short(round(gain_error, 2))
        ));
    }
    if fit.differs_from_zero(1, SURE) && bias.abs() > SHARE * speed {
        remark(format!(
            "the velocity has a bias of {} ± {} m/s against the position: the sign of slow motion is wrong; --velocity takes it out, \
             --velocity 'COLUMN {} {}'",
            brief(bias),
            short(round(bias_error, 2)),
            if bias > 0.0 { '-' } else { '+' },
            brief(bias.abs())
        ));
    }
    out
}

/// What the gain of the velocity against the position exceeds one by, and its bias; none of a body that does not move enough.
fn gain_and_bias(position: &[f64], velocity: &[f64], step: f64) -> Option<LinearFit> {
    let length = (position.len() / INTERVALS).max(MIN_SAMPLES);
    // the trapezoidal rule: a velocity at points in time
    let mean = |v: &[f64]| v.windows(2).map(|v| 0.5 * (v[0] + v[1])).sum::<f64>() / (v.len() - 1) as f64;
    let ends: Vec<usize> = (0..).map(|k| k * length).take_while(|k| k + length < position.len()).collect();
    let rate: Vec<f64> = ends.iter().map(|&k| (position[k + length] - position[k]) / (length as f64 * step)).collect();
    let more: Vec<f64> = ends.iter().zip(&rate).map(|(&k, rate)| mean(&velocity[k..=k + length]) - rate).collect();
    let ones = vec![1.0; more.len()];
    let noise = NoiseModel::Correlated { lag: None, whiten: true, breaks: Vec::new() };
    linear(&[&rate, &ones], &more, &LinearOptions { noise, ..LinearOptions::default() }).ok()
}

#[cfg(test)]
mod tests {
    use super::contradictions;
    use crate::fit::Random;

    fn told(gain: f64, bias: f64, lag: f64) -> Vec<String> {
        let (step, mut random) = (1e-3, Random::new(3));
        let t: Vec<f64> = (0..6000).map(|k| step * f64::from(k)).collect();
        let position: Vec<f64> = t.iter().map(|t| 0.05 * (3.0 * t).sin() + 1e-5 * random.normal()).collect();
        let velocity: Vec<f64> =
            t.iter().map(|t| gain * 0.15 * (3.0 * (t - lag)).cos() + bias + 1e-3 * random.normal()).collect();
        contradictions("log", &position, &velocity, step).into_iter().map(|remark| remark.text).collect()
    }

    #[test]
    fn a_bias_and_a_gain_of_a_velocity_sensor_are_told() {
        assert!(told(1.0, 0.0, 0.0).is_empty());
        // a filter makes the velocity late, which is neither
        assert!(told(1.0, 0.0, 0.01).is_empty());
        let bias = told(1.0, 5e-3, 0.0);
        assert!(
            bias.len() == 1 && bias[0].contains("bias of 0.005") && bias[0].contains("'COLUMN - 0.005'"),
            "{bias:?}"
        );
        let gain = told(1.05, 0.0, 0.0);
        assert!(gain.len() == 1 && gain[0].contains("1.05 ±"), "{gain:?}");
    }
}
