//! Intervals of the parameters, and whether a record begins in steady sliding.
use super::fit::RateStateOptions;
use super::model::{COUNT, Model};
use super::noise::largest_ratio;
use crate::NumericsError;
use crate::fit::{self, Fit, LeastSquaresProblem, Parameter, profile_likelihood};

/// Fall of half the sum of squares, in units of the noise's variance, that is another minimum and not rounding.
const LOWER: f64 = 0.01;

pub(super) type Interval = [Option<f64>; 2];

/// Intervals of the parameters, by profile likelihood or from the curvature, and the place of a lower minimum if a profile found one.
pub(super) fn all_intervals(
    model: &Model<'_>,
    list: &[Parameter],
    options: &RateStateOptions,
    found: &Fit,
    freedom: &[f64],
) -> Result<(Vec<Interval>, Option<Vec<f64>>), NumericsError> {
    let value = |q: &[f64], out: &mut [f64]| model.residual(q, out);
    let slope = |q: &[f64], out: &mut [f64]| model.jacobian(q, out);
    let problem = LeastSquaresProblem::new(list, model.rows(), &value).with_jacobian(&slope);
    let how = fit::FitOptions { evaluations: 40, tolerance: 1e-7, ..fit::FitOptions::default() };
    let one = |j: usize| -> Result<(Interval, Option<[f64; 2]>), NumericsError> {
        let p = &list[j];
        if p.low == p.high {
            return Ok(([Some(p.low); 2], None));
        }
        // the free parameters have degrees of freedom of their own if the noise is correlated
        let place = (0..j).filter(|&i| !found.bound[i]).count();
        let mut found = found.clone();
        if !found.bound[j] {
            found.degrees_of_freedom = freedom.get(place).copied().unwrap_or(found.degrees_of_freedom);
        }
        // times of steps have a distribution of their own, close to normal
        if options.profile && j < COUNT {
            let profile = profile_likelihood(&problem, &how, &found, j, options.level)?;
            let least = profile.points.into_iter().min_by(|a, b| a[1].total_cmp(&b[1]));
            return Ok((profile.interval, least));
        }
        let ends = found.interval(j, options.level);
        Ok((ends.map(|x| x.is_finite().then_some(x)), None))
    };
    let which: Vec<usize> = (0..list.len()).collect();
    let (mut ends, mut lowest) = (Vec::new(), (found.cost - LOWER, None));
    for (j, result) in crate::parallel::map(&which, |j| one(*j)).into_iter().enumerate() {
        let (interval, least) = result?;
        ends.push(interval);
        if let Some([x, cost]) = least
            && cost < lowest.0
        {
            let mut start = found.values.clone();
            start[j] = x;
            lowest = (cost, Some(start));
        }
    }
    Ok((ends, lowest.1))
}

/// How far friction at the start is from steady sliding, in standard errors: a part that decays over the critical distance, or over a
/// tenth or a third of the sliding before the first step.
pub(super) fn unsteady(model: &Model<'_>, found: &Fit) -> f64 {
    let (samples, rows) = (model.samples(), model.rows());
    let free = (0..found.values.len()).filter(|&j| !found.bound[j]);
    let columns: Vec<&[f64]> = free.map(|j| &found.jacobian[j * rows..j * rows + samples]).collect();
    let mut extra = Vec::new();
    let mut at = 0;
    for r in model.records {
        let travel = r.load.travel(&r.t);
        let first = r.load.steps().first().map_or(r.t.len(), |&i| r.t.partition_point(|t| *t <= r.load.start[i]));
        let before = travel[..first].last().copied().unwrap_or(0.0);
        for length in [found.values[3], 0.1 * before, before / 3.0] {
            let mut column = vec![0.0; samples];
            if length > 0.0 && length < before {
                for (x, far) in column[at..at + first].iter_mut().zip(&travel) {
                    *x = (-far / length).exp();
                }
            }
            model.scale(&mut column);
            extra.push(column);
        }
        at += r.t.len();
    }
    largest_ratio(&found.residual[..samples], &columns, &extra)
}
