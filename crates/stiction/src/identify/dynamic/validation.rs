//! Validation of a law on records that it was not fitted to.
use super::comparison::comparison;
use super::initial_displacement::with_displacements;
use super::parameter_vector::force_jumps_at_reversal;
use super::{PlantForces, predict};
use crate::identify::result::goodness_of_fit;
use crate::identify::sliding::{rest_speed, sliding_mask};
use crate::identify::{IdentificationResult, MotionRecord, PreparedMotion, ResidualSeries, Score, Severity};
use crate::{Error, Spec};

/// How well a law predicts the friction in these records, for these other forces, without fitting; the displacement of the contact before each record is
/// that with which it predicts best.
///
/// The force of a set-valued law jumps at rest, where noise alone decides the sign of the measured velocity. Such a law is judged
/// by the samples that slide, those that [`crate::identify::sliding`] would fit it to; `rest` is the speed below which the body
/// rests, by default from the noise.
///
/// # Errors
/// [`Error::Numerics`] for invalid records, and the errors of the law for parameter values that it does not allow.
pub fn validate(
    prepared: &[PreparedMotion],
    law: &Spec,
    plant: &PlantForces,
    rest: Option<f64>,
) -> Result<IdentificationResult, Error> {
    let motions: Vec<MotionRecord> = prepared.iter().map(PreparedMotion::motion_with_unresolved).collect();
    motions.iter().try_for_each(MotionRecord::check)?;
    let motions = with_displacements(&motions, law, &|_| plant.clone())?;
    let residuals = motions.iter().map(|motion| predict(motion, law, plant)).collect::<Result<Vec<_>, Error>>()?;
    let mut out = IdentificationResult::new("check", format!("{}, as it was found elsewhere", law.law().name));
    let known = |(r, m): (&ResidualSeries, &MotionRecord)| {
        // the prediction begins after the first sample
        let lead = m.len() - r.t.len();
        let rows: Vec<usize> = (0..r.t.len()).filter(|k| m.is_comparable(lead + k)).collect();
        r.only(&rows)
    };
    let compared: Vec<ResidualSeries> = if force_jumps_at_reversal(law.law().name)? {
        residuals.iter().zip(prepared).map(|(r, p)| sliding_part(r, p, rest_speed(prepared, p, rest))).collect()
    } else {
        residuals.iter().zip(&motions).map(known).collect()
    };
    let count = |series: &[ResidualSeries]| series.iter().map(|r| r.t.len()).sum::<usize>();
    let (kept, all) = (count(&compared), count(&residuals));
    if kept == 0 {
        return Err(crate::NumericsError::TooFew { what: "samples that slide", need: 1, have: 0 }.into());
    }
    out.scores = goodness_of_fit(&compared, 0, "N");
    // information criteria are meaningless without a fit
    out.scores.retain(|score| !["aic", "bic"].contains(&score.key.as_str()));
    let square = |list: &mut dyn Iterator<Item = f64>| {
        let (sum, n) = list.fold((0.0, 0.0), |(sum, n), x| (sum + x * x, n + 1.0));
        (sum / n).sqrt()
    };
    let size = square(&mut compared.iter().flat_map(|r| r.measured.iter().copied()));
    let left = square(&mut compared.iter().flat_map(|r| r.residuals().collect::<Vec<_>>()));
    out.scores.push(Score::new("relative", "the same over that of the friction", left / size, ""));
    let text = format!("{:.1} % of the friction is not predicted", 100.0 * left / size);
    out.remark(if left < 0.1 * size { Severity::Good } else { Severity::Warning }, text);
    if kept < all {
        let text = format!(
            "{:.1} % of the samples are at rest or near a reversal and were not compared",
            100.0 * (all - kept) as f64 / all as f64
        );
        out.remark(Severity::Info, text);
    }
    out.curves = comparison(&motions, &residuals);
    out.residuals = residuals;
    out.remarks.sort_by_key(|remark| remark.severity);
    Ok(out)
}

/// The samples of a series that slide.
fn sliding_part(series: &ResidualSeries, prepared: &PreparedMotion, rest: f64) -> ResidualSeries {
    let slides = sliding_mask(prepared, rest);
    // the prediction begins after the first sample
    let lead = slides.len() - series.t.len();
    let rows: Vec<usize> =
        (0..series.t.len()).filter(|&k| slides[lead + k] && !prepared.motion.is_saturated(lead + k)).collect();
    series.only(&rows)
}

#[cfg(test)]
mod tests {
    use super::{PlantForces, validate};
    use crate::Spec;
    use crate::identify::{MotionRecord, PreparedMotion};

    /// Two newtons of friction on three kilograms, and one newton that is neither.
    fn slides() -> PreparedMotion {
        let t: Vec<f64> = (0..400).map(|k| 0.005 * f64::from(k)).collect();
        let velocity: Vec<f64> = t.iter().map(|t| 0.5 + 0.2 * (4.0 * t).sin()).collect();
        let acceleration: Vec<f64> = t.iter().map(|t| 0.8 * (4.0 * t).cos()).collect();
        let force = acceleration.iter().map(|a| 3.0 * a + 2.0 + 1.0).collect();
        let motion = MotionRecord { t, velocity, acceleration, force, ..MotionRecord::default() };
        PreparedMotion { motion, cutoff: 100.0, rest_speed: 0.01, unresolved: Vec::new(), lower_order: None }
    }

    #[test]
    fn what_is_told_is_predicted_and_what_is_not_is_left() {
        let mut law = Spec::new("coulomb").unwrap();
        law.set("fc", 2.0).unwrap();
        let plant = PlantForces { mass: 3.0, offset: 1.0, ..PlantForces::default() };
        let exact = validate(&[slides()], &law, &plant, None).unwrap();
        // the same formula: rounding
        assert!(exact.score("rms").unwrap() < 1e-12);
        // half the friction: the other half is left, and it is 50 % of it
        law.set("fc", 1.0).unwrap();
        let half = validate(&[slides()], &law, &plant, None).unwrap();
        assert!((half.score("relative").unwrap() - 0.5).abs() < 1e-12);
        assert!(half.estimates.is_empty() && half.score("aic").is_none());
    }
    #[test]
    fn rest_with_noise_is_not_held_against_a_law() {
        // to and fro with two newtons, and every other second at rest, where the velocity is noise of either sign
        let t: Vec<f64> = (0..2000).map(|k| 0.005 * f64::from(k)).collect();
        let moves = |t: f64| if t % 2.0 < 1.0 { 0.2 * (std::f64::consts::TAU * t).sin() } else { 0.0 };
        let noise = |k: usize| 1e-3 * (k as f64 * 12.9898).sin();
        let velocity: Vec<f64> = t.iter().enumerate().map(|(k, t)| moves(*t) + noise(k)).collect();
        let force = t.iter().map(|t| if moves(*t) == 0.0 { 0.5 } else { 2.0 * moves(*t).signum() }).collect();
        let acceleration = vec![0.0; t.len()];
        let motion = MotionRecord { t, velocity, acceleration, force, ..MotionRecord::default() };
        let record =
            PreparedMotion { motion, cutoff: 50.0, rest_speed: 4e-3, unresolved: Vec::new(), lower_order: None };
        let mut law = Spec::new("coulomb").unwrap();
        law.set("fc", 2.0).unwrap();
        let found = validate(std::slice::from_ref(&record), &law, &PlantForces::default(), None).unwrap();
        assert!(found.score("relative").unwrap() < 1e-12, "{:?}", found.scores);
        // with every sample, noise at rest counts as friction of two newtons in either direction
        let all = validate(&[record], &law, &PlantForces::default(), Some(0.0)).unwrap();
        assert!(all.score("relative").unwrap() > 0.5, "{:?}", all.scores);
    }
}
