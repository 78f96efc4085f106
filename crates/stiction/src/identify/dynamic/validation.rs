//! Validation of a law on records that it was not fitted to.
use super::comparison::comparison;
use super::predict;
use crate::identify::result::goodness_of_fit;
use crate::identify::{IdentificationResult, MotionRecord, Score, Severity};
use crate::{Error, Spec};

/// How well a law predicts the friction in these records, for this mass and constant force, without fitting.
///
/// # Errors
/// [`Error::Numerics`] for invalid records, and the errors of the law for parameter values that it does not allow.
pub fn validate(motions: &[MotionRecord], law: &Spec, mass: f64, offset: f64) -> Result<IdentificationResult, Error> {
    motions.iter().try_for_each(MotionRecord::check)?;
    let residuals =
        motions.iter().map(|motion| predict(motion, law, mass, offset)).collect::<Result<Vec<_>, Error>>()?;
    let mut out = IdentificationResult::new("check", format!("{}, as it was found elsewhere", law.law().name));
    out.scores = goodness_of_fit(&residuals, 0, "N");
    // information criteria are meaningless without a fit
    out.scores.retain(|score| !["aic", "bic"].contains(&score.key.as_str()));
    let square = |list: &mut dyn Iterator<Item = f64>| {
        let (sum, n) = list.fold((0.0, 0.0), |(sum, n), x| (sum + x * x, n + 1.0));
        (sum / n).sqrt()
    };
    let size = square(&mut residuals.iter().flat_map(|r| r.measured.iter().copied()));
    let left = square(&mut residuals.iter().flat_map(|r| r.residuals().collect::<Vec<_>>()));
    out.scores.push(Score::new("relative", "the same over that of the friction", left / size, ""));
    let text = format!("{:.1} % of the friction is not predicted", 100.0 * left / size);
    out.remark(if left < 0.1 * size { Severity::Good } else { Severity::Warning }, text);
    out.curves = comparison(motions, &residuals);
    out.residuals = residuals;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::validate;
    use crate::Spec;
    use crate::identify::MotionRecord;

    /// Two newtons of friction on three kilograms, and one newton that is neither.
    fn slides() -> MotionRecord {
        let t: Vec<f64> = (0..400).map(|k| 0.005 * f64::from(k)).collect();
        let velocity: Vec<f64> = t.iter().map(|t| 0.5 + 0.2 * (4.0 * t).sin()).collect();
        let acceleration: Vec<f64> = t.iter().map(|t| 0.8 * (4.0 * t).cos()).collect();
        let force = acceleration.iter().map(|a| 3.0 * a + 2.0 + 1.0).collect();
        MotionRecord { t, velocity, acceleration, force, ..MotionRecord::default() }
    }

    #[test]
    fn what_is_told_is_predicted_and_what_is_not_is_left() {
        let mut law = Spec::new("coulomb").unwrap();
        law.set("fc", 2.0).unwrap();
        let exact = validate(&[slides()], &law, 3.0, 1.0).unwrap();
        // the same formula: rounding
        assert!(exact.score("rms").unwrap() < 1e-12);
        // half the friction: the other half is left, and it is 50 % of it
        law.set("fc", 1.0).unwrap();
        let half = validate(&[slides()], &law, 3.0, 1.0).unwrap();
        assert!((half.score("relative").unwrap() - 0.5).abs() < 1e-12);
        assert!(half.estimates.is_empty() && half.score("aic").is_none());
    }
}
