//! The motion of the load point: stretches of constant velocity, and how well the times between them are known.
use super::step_times::{Measured, find_steps};
use crate::NumericsError;
use crate::signal::SmoothingSpline;

/// The motion of a load point as stretches of constant velocity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadPoint {
    /// Start of each stretch \[s\]; the first is the start of the record.
    pub start: Vec<f64>,
    /// Velocity in each stretch \[m/s\].
    pub velocity: Vec<f64>,
    /// Standard deviation of each start \[s\]; zero where it is known.
    pub uncertainty: Vec<f64>,
    /// Standard deviation of the measured displacement \[m\] or velocity \[m/s\] about this motion; zero if that was taken as recorded.
    pub noise: f64,
}

/// How the motion of the load point follows from its displacement or velocity.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum LoadPointOption {
    /// As recorded where that is smooth; else straight between steps, whose times are found.
    #[default]
    Auto,
    /// As recorded.
    Recorded,
    /// Straight between steps, whose times are found.
    Straight,
    /// Straight between steps at these times \[s\].
    StepsAt(Vec<f64>),
    /// A smoothing spline of the displacement, its smoothness by cross-validation.
    Spline,
}

/// Ratio of successive velocities that counts as a step.
pub(super) const STEP_RATIO: f64 = 1.2;
/// Typical change of the velocity from sample to sample, relative to it, below which a record counts as smooth: it changes friction by one
/// percent of the direct effect `a`.
const SMOOTH: f64 = 0.01;
/// Relative difference of velocities that are taken as equal: above rounding, below what friction could show.
const EQUAL: f64 = 1e-7;
/// Residual of a motion that is straight between steps, relative to its travel, which is rounding.
const ROUNDING: f64 = 1e-9;

impl LoadPoint {
    /// From the velocity during the interval that ends at each sample; for the first sample, the velocity before.
    pub fn from_intervals(t: &[f64], velocity: &[f64]) -> Self {
        let mut out = Self::default();
        for (k, v) in velocity.iter().enumerate().take(t.len()) {
            let equal = |last: &f64| (v - last).abs() <= EQUAL * last.abs().max(v.abs());
            if k > 0 && out.velocity.last().is_some_and(equal) {
                continue;
            }
            out.push(t[k.saturating_sub(1)], *v, 0.0);
        }
        out
    }
    fn push(&mut self, start: f64, velocity: f64, uncertainty: f64) {
        self.start.push(start);
        self.velocity.push(velocity);
        self.uncertainty.push(uncertainty);
    }

    /// From sampled velocities. `twice` tells whether a sample's time occurs twice in the record, before and after a step.
    pub(super) fn from_velocity(
        t: &[f64],
        velocity: &[f64],
        twice: &dyn Fn(usize) -> bool,
        option: &LoadPointOption,
    ) -> Result<Self, NumericsError> {
        let recorded = || {
            let mut out = Self::from_intervals(t, velocity);
            for i in 1..out.start.len() {
                let j = t.partition_point(|t| *t < out.start[i]);
                let [before, after] = [out.velocity[i - 1], out.velocity[i]];
                if before > 0.0 && after > 0.0 && (after / before).max(before / after) > STEP_RATIO && !twice(j) {
                    // somewhere in the interval: the deviation of an even distribution
                    let width = t.get(j + 1).map_or(0.0, |next| next - t[j]);
                    out.start[i] = t[j] + 0.5 * width;
                    out.uncertainty[i] = width / 12.0_f64.sqrt();
                }
            }
            out
        };
        match option {
            LoadPointOption::Recorded => Ok(recorded()),
            LoadPointOption::Auto if is_smooth(velocity) => Ok(recorded()),
            LoadPointOption::Auto | LoadPointOption::Straight => find_steps(t, velocity, Measured::Velocity, None),
            LoadPointOption::StepsAt(times) => find_steps(t, velocity, Measured::Velocity, Some(times)),
            LoadPointOption::Spline => {
                Ok(Self::from_intervals(t, SmoothingSpline::smooth_auto(t, velocity, None)?.values()))
            }
        }
    }

    /// From sampled displacements.
    pub(super) fn from_displacement(t: &[f64], x: &[f64], option: &LoadPointOption) -> Result<Self, NumericsError> {
        let recorded = |x: &[f64]| {
            let pairs = t.windows(2).zip(x.windows(2));
            let mut velocity: Vec<f64> = pairs.map(|(t, x)| (x[1] - x[0]) / (t[1] - t[0])).collect();
            if let Some(first) = velocity.first().copied() {
                velocity.insert(0, first);
            }
            velocity
        };
        match option {
            LoadPointOption::Auto => {
                let velocity = recorded(x);
                let straight = find_steps(t, x, Measured::Displacement, None);
                if !is_smooth(&velocity) {
                    return straight;
                }
                let travel = x.last().copied().unwrap_or(0.0) - x.first().copied().unwrap_or(0.0);
                match straight {
                    Ok(mut motion) if motion.noise <= ROUNDING * travel.abs() => {
                        motion.noise = 0.0;
                        motion.uncertainty.fill(0.0);
                        Ok(motion)
                    }
                    _ => Ok(Self::from_intervals(t, &velocity)),
                }
            }
            LoadPointOption::Recorded => Ok(Self::from_intervals(t, &recorded(x))),
            LoadPointOption::Straight => find_steps(t, x, Measured::Displacement, None),
            LoadPointOption::StepsAt(times) => find_steps(t, x, Measured::Displacement, Some(times)),
            LoadPointOption::Spline => {
                Ok(Self::from_intervals(t, &recorded(SmoothingSpline::smooth_auto(t, x, None)?.values())))
            }
        }
    }

    /// The travel since the start at each of `times`, which increase.
    pub fn travel(&self, times: &[f64]) -> Vec<f64> {
        let (mut i, mut before) = (0, 0.0);
        let mut out = Vec::with_capacity(times.len());
        for t in times {
            while i + 1 < self.start.len() && self.start[i + 1] <= *t {
                before += self.velocity[i] * (self.start[i + 1] - self.start[i]);
                i += 1;
            }
            out.push(match self.start.get(i) {
                Some(start) => before + self.velocity[i] * (t - start),
                None => 0.0,
            });
        }
        out
    }

    /// Where the velocity changes by a step: indices of the stretches that begin so.
    pub fn steps(&self) -> Vec<usize> {
        let apart = |a: f64, b: f64| (a - b).abs() > (STEP_RATIO - 1.0) * a.min(b);
        (1..self.velocity.len()).filter(|&i| apart(self.velocity[i - 1], self.velocity[i])).collect()
    }

    pub(super) fn check(&self) -> Result<(), NumericsError> {
        let name = "velocity of the load point";
        match self.velocity.first() {
            Some(v) if *v > 0.0 => {}
            Some(v) => {
                return Err(NumericsError::InvalidValue {
                    name,
                    value: *v,
                    must: "above zero at the start: begin later with --window FROM:TO",
                });
            }
            None => return Err(NumericsError::TooFew { what: "velocities of the load point", need: 2, have: 0 }),
        }
        if let Some(v) = self.velocity.iter().find(|v| !(**v >= 0.0 && v.is_finite())) {
            return Err(NumericsError::InvalidValue {
                name,
                value: *v,
                must: "zero or more: reverse its sign, or smooth it with --filter spline",
            });
        }
        if self.velocity.len() < 2 {
            return Err(NumericsError::ConstantSignal { what: "velocities of the load point" });
        }
        Ok(())
    }
}

/// Whether velocities change little from sample to sample.
fn is_smooth(velocity: &[f64]) -> bool {
    if velocity.iter().any(|v| *v < 0.0) {
        return false;
    }
    let change = |w: &[f64]| {
        let most = w[0].max(w[1]);
        if most > 0.0 { (w[1] - w[0]).abs() / most } else { 0.0 }
    };
    let mut changes: Vec<f64> = velocity.windows(2).map(change).collect();
    if changes.is_empty() {
        return true;
    }
    let middle = changes.len() / 2;
    *changes.select_nth_unstable_by(middle, f64::total_cmp).1 < SMOOTH
}
