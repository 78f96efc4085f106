//! What the data do not show of the Stribeck effect, held.
use super::model_selection::is_chance;
use super::regression::{self, Constraints, RegressionFit, RegressionOptions};
use super::samples::SlidingSamples;
use super::{Estimate, Identifiability, intervals};
use crate::NumericsError;
use crate::linalg::{dot, norm};
use crate::number::{round, short};

/// A fit with what the data do not show held.
pub struct HeldFit {
    /// The fit.
    pub fitted: RegressionFit,
    /// Its intervals of 95 %.
    pub intervals: Vec<[f64; 2]>,
    /// What to say if the data contradict what is held.
    pub contradiction: Option<String>,
}

/// The fit and its intervals of 95 %, with what the data do not show of the Stribeck effect held.
///
/// - If any Stribeck speed is possible, the data show no Stribeck effect: it is held at zero.
/// - If any static level is possible above some value, the Stribeck speed is held at the slowest sliding or above, or at the
///   largest value that the data allow. At the slowest sliding, 1/e of the Stribeck effect remains, whatever the exponent: the
///   static level continues the measured curve by at most `e` times what is seen of the effect.
///
/// Where the held fit is significantly worse than the free one, the data contradict what is held: a text says so.
pub fn hold_unseen(
    fitted: &RegressionFit,
    samples: &SlidingSamples,
    how: &RegressionOptions,
) -> Result<HeldFit, NumericsError> {
    let bounds = intervals::intervals(fitted, samples, how, 0.95);
    let free = Constraints::none(&fitted.model);
    let mut held = free.clone();
    let bounds_of = &bounds;
    for ((name, value), bounds) in fitted.names.iter().zip(&fitted.values).zip(&bounds) {
        if name == "vs" && *bounds == [0.0, f64::INFINITY] {
            let names = fitted.model.linear_names();
            held.at_zero.iter_mut().zip(names).for_each(|(held, name)| *held |= name.ends_with("drop"));
        } else if name.ends_with("fs")
            && Estimate::judge(*value, half_width(*bounds)) == Identifiability::Unidentifiable
        {
            // as far as the data allow it
            let most = fitted.names.iter().position(|name| name == "vs").map_or(f64::INFINITY, |at| bounds_of[at][1]);
            held.slowest = (most / samples.speed_range()[0]).min(1.0);
        }
    }
    if held == free || how.unconstrained {
        return Ok(HeldFit { fitted: fitted.clone(), intervals: bounds, contradiction: None });
    }
    let held = regression::fit_from(&fitted.model, samples, how, &held)?;
    // of a value that the free fit does not allow, the interval is that of the fit with the others held
    let own = |(i, free): (usize, [f64; 2])| {
        if (free[0]..=free[1]).contains(&held.values[i]) {
            return free;
        }
        let [low, high] = held.interval(i, 0.95);
        [if held.model.is_nonnegative(&held.names[i]) { low.max(0.0) } else { low }, high]
    };
    let intervals = bounds.into_iter().enumerate().map(own).collect();
    let inflation = fitted.inflation.iter().copied().fold(1.0, f64::max);
    let worse = dot(&held.residual, &held.residual);
    let contradiction = (!is_chance(fitted, worse, 1, inflation, 0.95)).then(|| {
        let rms = |fit: &RegressionFit| short(round(norm(&fit.residual) / (fit.residual.len() as f64).sqrt(), 3));
        let changed = held.names.iter().zip(held.values.iter().zip(&fitted.values));
        let changed = changed.filter(|(name, (held, free))| name.ends_with("fs") || (**name == "vs" && held != free));
        let list: Vec<String> =
            changed.map(|(name, (held, free))| format!("{name} = {} for {}", short(round(*held, 3)), short(round(*free, 3)))).collect();
        format!(
            "the record contradicts what the law holds ({}): it then leaves {} N, and {} N without; the curve at low speed may have another form",
            list.join(", "),
            rms(&held),
            rms(fitted)
        )
    });
    Ok(HeldFit { fitted: held, intervals, contradiction })
}

/// Half of an interval of 95 %, in standard errors of normal noise.
pub fn half_width([low, high]: [f64; 2]) -> f64 {
    (high - low) / (2.0 * 1.96)
}

#[cfg(test)]
mod tests {
    use super::hold_unseen;
    use crate::fit::{Loss, Random};
    use crate::identify::sliding::regression::{RegressionOptions, fit_model};
    use crate::identify::sliding::{Reduction, RegressionModel, SlidingLaw, SlidingSamples};
    use crate::identify::{MotionRecord, PreparedMotion};

    /// Profiles hold nothing that the record contradicts, by their definition. Linearised intervals, those of a robust loss, may: here they are
    /// made a thousand times too wide, so that a Stribeck speed of half the slowest speed, which the record shows, is held at the slowest.
    #[test]
    fn a_held_value_that_the_record_contradicts_is_told() {
        let mut random = Random::new(2);
        let t: Vec<f64> = (0..8000).map(|k| 5e-3 * f64::from(k)).collect();
        let velocity: Vec<f64> = t.iter().map(|t| 0.05 * (1.1 * t).sin() + 0.02 * (2.7 * t).sin()).collect();
        let acceleration: Vec<f64> = t.iter().map(|t| 0.055 * (1.1 * t).cos() + 0.054 * (2.7 * t).cos()).collect();
        let friction = |v: f64| (10.0 + 5.0 * (-v.abs() / 4e-3).exp()) * v.signum() + 50.0 * v;
        let force = velocity.iter().zip(&acceleration).map(|(v, a)| 3.0 * a + friction(*v) + 0.05 * random.normal());
        let force = force.collect();
        let motion = MotionRecord { t, velocity, acceleration, force, ..MotionRecord::default() };
        let record =
            PreparedMotion { motion, cutoff: 100.0, rest_speed: 8e-3, unresolved: Vec::new(), lower_order: None };
        let samples = SlidingSamples::new(&[record], Reduction::Blocks, None).unwrap();
        let curve = SlidingLaw::Stribeck(10);
        let model = RegressionModel { curve, asymmetric: false, offset: true, mass: true, load: false, terms: 0 };
        let how = RegressionOptions { loss: Loss::Huber, ..RegressionOptions::default() };
        let mut fitted = fit_model(&model, &samples, &how).unwrap();
        let kept = hold_unseen(&fitted, &samples, &how).unwrap();
        assert!(kept.contradiction.is_none() && kept.fitted.values == fitted.values, "{:?}", kept.contradiction);
        fitted.covariance.matrix.iter_mut().for_each(|x| *x *= 1e6);
        let held = hold_unseen(&fitted, &samples, &how).unwrap();
        assert!(held.fitted.get("vs").unwrap() >= samples.speed_range()[0]);
        let text = held.contradiction.expect("a remark");
        assert!(text.contains("the record contradicts what the law holds") && text.contains("vs = "), "{text}");
    }
}
