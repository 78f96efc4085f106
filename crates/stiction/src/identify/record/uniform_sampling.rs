//! Resampling on a uniform grid of time.
use super::column_roles::ColumnRole;
use super::gaps::ContiguousColumns;
use super::{Remark, Severity};
use crate::Error;
use crate::number::{interval, round, short};
use crate::signal::{resample, resample_linear, sampling};

/// Deviation of the time stamps from a uniform grid, as a share of the step, up to which a record counts as uniform. The
/// relative error of differences is of this size.
const TIMING_TOLERANCE: f64 = 0.05;
/// Time stamps are replaced by uniform ones if that reduces the roughness of the motion below this share: measurement noise
/// alone does not cause such a reduction.
const ROUGHNESS_RATIO: f64 = 0.67;

/// Median distance of the values from cubic interpolation through their neighbours, where they change: at rest it would be rounding.
fn roughness(t: &[f64], x: &[f64]) -> f64 {
    let at = |k: usize| {
        let near = [k - 2, k - 1, k + 1, k + 2];
        let weigh = |i: usize| {
            let others = near.iter().filter(|j| **j != i);
            x[i] * others.map(|&j| (t[k] - t[j]) / (t[i] - t[j])).product::<f64>()
        };
        (x[k] - near.map(weigh).iter().sum::<f64>()).abs()
    };
    let moves = |k: &usize| x[k - 2..=k + 2].iter().any(|y| *y != x[*k]);
    let mut off: Vec<f64> = (2..t.len().saturating_sub(2)).filter(moves).map(at).collect();
    let middle = off.len() / 2;
    if off.is_empty() { 0.0 } else { *off.select_nth_unstable_by(middle, f64::total_cmp).1 }
}

/// Uniform samples of a segment, and their step. Non-uniform time stamps may be correct, or may be wrong while the samples
/// were taken uniformly: the alternative with the smoother motion is chosen.
pub(super) fn resample_uniformly(
    piece: &ContiguousColumns,
    name: &str,
    remarks: &mut Vec<Remark>,
) -> Result<(ContiguousColumns, f64), Error> {
    let said = piece.get(ColumnRole::Time).unwrap_or_default();
    let (first, last) = (said[0], said[said.len() - 1]);
    let mean = (last - first) / (said.len() - 1) as f64;
    let off = said.iter().enumerate().fold(0.0_f64, |off, (k, t)| off.max((t - first - k as f64 * mean).abs()));
    if off <= TIMING_TOLERANCE * mean {
        return Ok((piece.clone(), mean));
    }
    let spaced = sampling(said)?;
    let mut ticks = vec![0.0];
    let mut count = 0.0;
    for w in said.windows(2) {
        count += ((w[1] - w[0]) / spaced.step).round().max(1.0);
        ticks.push(count);
    }
    let even = (last - first) / count;
    // rows between samples, as those of a simulator's events, are no steps of the sampling: where most stamps are on the grid of the
    // median interval, that is the grid, and these samples are kept as they are
    let regular = (last - first) / ((last - first) / spaced.step).round().max(1.0);
    let is_on_grid = |t: &&f64| {
        let place = (**t - first) / regular;
        (place - place.round()).abs() <= TIMING_TOLERANCE
    };
    let regular = if 2 * said.iter().filter(is_on_grid).count() > said.len() { regular } else { even };
    let ticked: Vec<f64> = ticks.iter().map(|tick| first + tick * even).collect();
    let motion = piece.get(ColumnRole::Position).or_else(|| piece.get(ColumnRole::Velocity));
    let late = motion.is_some_and(|x| roughness(&ticked, x) < ROUGHNESS_RATIO * roughness(said, x));
    let step = if late { even } else { regular };
    let (apart, grid) = (interval(spaced.range, 3), short(round(step, 3)));
    remarks.push(if late {
        let text = format!(
            "{name}: by their stamps samples are {apart} s apart, but the motion is smoother if they are {grid} s apart: \
             the stamps are taken to be wrong, not the samples"
        );
        Remark::new(Severity::Warning, text)
    } else {
        let text = format!("{name}: samples are not evenly spaced ({apart} s apart); put on a grid of {grid} s");
        Remark::new(Severity::Info, text)
    });
    let t = if late { &ticked } else { said };
    let out = piece.map(|role, x| {
        // a force may jump: a spline would overshoot
        let between = match role {
            Some(ColumnRole::Position | ColumnRole::Velocity) => resample,
            _ => resample_linear,
        };
        between(t, x, step)
    })?;
    Ok((out, step))
}
