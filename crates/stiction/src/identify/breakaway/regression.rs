//! Linear regression of friction over load, or over another quantity.
use crate::NumericsError;
use crate::check::same_length;
use crate::fit::{LinearFit, LinearOptions, linear};
use crate::identify::{Estimate, MotionRecord};
use crate::statistics::student_t_quantile;

/// A line `y ≈ intercept + slope·x`.
#[derive(Clone, Debug)]
pub struct LinearRegression {
    /// Data points.
    pub points: Vec<(f64, f64)>,
    /// Intercept.
    pub intercept: Estimate,
    /// Slope.
    pub slope: Estimate,
    /// Residual standard deviation.
    pub rest: f64,
    /// Share of the variance that the line explains.
    pub explained: f64,
    fit: LinearFit,
}

impl LinearRegression {
    /// Regression line through points with different x. `units` are those of y and x.
    ///
    /// # Errors
    /// [`NumericsError::TooFew`] below three points, [`NumericsError::ConstantSignal`] if all lie at one x.
    pub fn new(points: &[(f64, f64)], names: [&str; 2], units: [&str; 2]) -> Result<Self, NumericsError> {
        if points.len() < 3 {
            return Err(NumericsError::TooFew { what: "points of a line", need: 3, have: points.len() });
        }
        let (x, y): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
        let span = x.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b)) - x.iter().fold(f64::INFINITY, |a, b| a.min(*b));
        if span <= 0.0 {
            return Err(NumericsError::ConstantSignal { what: "values that friction is held against" });
        }
        let one = vec![1.0; x.len()];
        let fit = linear(&[&one, &x], &y, &LinearOptions::default())?;
        let errors = fit.covariance.standard_errors();
        let [y_unit, x_unit] = units;
        let per = if x_unit.is_empty() { y_unit.to_owned() } else { format!("{y_unit}/{x_unit}") };
        let estimate =
            |i: usize, unit: &str| Estimate::new(names[i], unit, fit.values[i], errors[i], fit.interval(i, 0.95));
        Ok(Self {
            points: points.to_vec(),
            intercept: estimate(0, y_unit),
            slope: estimate(1, &per),
            rest: fit.sigma,
            explained: fit.r_squared(&y),
            fit,
        })
    }
    /// The line at `x` with its confidence interval of 95 %.
    pub fn at(&self, x: f64) -> [f64; 3] {
        let c = &self.fit.covariance;
        let variance = c.at(0, 0) + 2.0 * x * c.at(0, 1) + x * x * c.at(1, 1);
        let half = student_t_quantile(0.975, self.fit.degrees_of_freedom) * variance.max(0.0).sqrt();
        let y = self.fit.values[0] + x * self.fit.values[1];
        [y, y - half, y + half]
    }
    /// Whether the slope is significantly different from zero.
    pub fn is_sloped(&self) -> bool {
        self.slope.interval[0] * self.slope.interval[1] > 0.0
    }
}

/// Half the width of the friction loop of a reciprocating motion: half the difference between the means of the values above and
/// below the mean. An offset of the sensor cancels. The mass must be known, or zero. Of forces that were cut off at a limit a mean is too small;
/// the median is not, as long as fewer than half of the values were, and takes its place.
///
/// # Errors
/// [`NumericsError`] for invalid samples, a constant force, or a force that was cut off at half of the values of a side.
pub fn loop_half_width(motion: &MotionRecord) -> Result<f64, NumericsError> {
    motion.check()?;
    let friction = match motion.mass {
        Some(mass) if mass > 0.0 && !motion.acceleration.is_empty() => motion.friction(mass),
        _ => motion.force.clone(),
    };
    let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
    let middle = mean(&friction);
    let (above, below): (Vec<usize>, Vec<usize>) =
        (0..friction.len()).filter(|&k| friction[k] != middle).partition(|&k| friction[k] > middle);
    if above.is_empty() || below.is_empty() {
        return Err(NumericsError::ConstantSignal { what: "samples of friction" });
    }
    let level = |side: &[usize]| -> Result<f64, NumericsError> {
        let mut values: Vec<f64> = side.iter().map(|&k| friction[k]).collect();
        let known = side.iter().filter(|&&k| !motion.is_saturated(k)).count();
        if motion.saturated_samples() == 0 {
            return Ok(mean(&values));
        }
        if 2 * known <= side.len() {
            let what = "samples of friction that were not cut off";
            return Err(NumericsError::TooFew { what, need: side.len() / 2 + 1, have: known });
        }
        let at = values.len() / 2;
        Ok(*values.select_nth_unstable_by(at, f64::total_cmp).1)
    };
    Ok(0.5 * (level(&above)? - level(&below)?))
}

/// Regression of half the width of friction loops of several reciprocating motions over their loads.
///
/// # Errors
/// [`NumericsError`] as [`loop_half_width`] and [`LinearRegression::new`], or if there is not one load for each motion.
pub fn loop_width_against_load(
    motions: &[MotionRecord],
    loads: &[f64],
    unit: &str,
) -> Result<LinearRegression, NumericsError> {
    same_length("loads", loads.len(), motions.len())?;
    let points = motions.iter().zip(loads).map(|(motion, load)| Ok((*load, loop_half_width(motion)?)));
    LinearRegression::new(
        &points.collect::<Result<Vec<_>, NumericsError>>()?,
        ["friction without load", "friction per load"],
        ["N", unit],
    )
}
