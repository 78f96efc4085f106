//! Resampling on a uniform grid of time.
use super::column_roles::ColumnRole;
use super::gaps::ContiguousColumns;
use super::{Remark, Severity};
use crate::Error;
use crate::number::{interval, round, short};
use crate::signal::{resample, resample_linear, sampling, sampling_grid};

/// Deviation of the time stamps from a uniform grid, as a share of the step, up to which a record counts as uniform. The
/// relative error of differences is of this size.
const TIMING_TOLERANCE: f64 = 0.05;
/// Time stamps are replaced by uniform ones if that reduces the roughness of the motion below this share: measurement noise
/// alone does not cause such a reduction.
const ROUGHNESS_RATIO: f64 = 0.67;

/// Standard deviations from the median beyond which an interval is not one step.
const UNUSUAL: f64 = 3.0;

/// Of two readings of the sampling times, the median distance of the values from cubic interpolation through their neighbours, where the readings
/// differ and the values change: at rest it would be rounding.
fn roughness(readings: [&[f64]; 2], x: &[f64]) -> [f64; 2] {
    // the distance does not depend on the unit of time
    let place = |t: &[f64], k: usize, i: usize| 4.0 * (t[i] - t[k - 2]) / (t[k + 2] - t[k - 2]);
    let differ = |k: &usize| {
        let [a, b] = readings;
        (k - 1..=k + 1).any(|i| (place(a, *k, i) - place(b, *k, i)).abs() > TIMING_TOLERANCE)
    };
    let moves = |k: &usize| x[k - 2..=k + 2].iter().any(|y| *y != x[*k]);
    let windows: Vec<usize> = (2..x.len().saturating_sub(2)).filter(|k| moves(k) && differ(k)).collect();
    readings.map(|t| {
        let at = |k: &usize| {
            let near = [k - 2, k - 1, k + 1, k + 2];
            let weigh = |i: usize| {
                let others = near.iter().filter(|j| **j != i);
                x[i] * others.map(|&j| (t[*k] - t[j]) / (t[i] - t[j])).product::<f64>()
            };
            (x[*k] - near.map(weigh).iter().sum::<f64>()).abs()
        };
        let mut off: Vec<f64> = windows.iter().map(at).collect();
        let middle = off.len() / 2;
        if off.is_empty() { 0.0 } else { *off.select_nth_unstable_by(middle, f64::total_cmp).1 }
    })
}

/// The step and the index of each sample, each interval by itself rounded to a number of steps, if it is longer than those that scatter about one.
fn counted(said: &[f64], step: f64) -> (f64, Vec<f64>) {
    let mut off: Vec<f64> = said.windows(2).map(|w| (w[1] - w[0] - step).abs()).collect();
    let middle = off.len() / 2;
    let usual = *off.select_nth_unstable_by(middle, f64::total_cmp).1 / 0.6745;
    let mut index = vec![0.0];
    let mut count = 0.0;
    for w in said.windows(2) {
        let longer = w[1] - w[0] - step > UNUSUAL * usual;
        count += if longer { ((w[1] - w[0]) / step).round().max(1.0) } else { 1.0 };
        index.push(count);
    }
    ((said[said.len() - 1] - said[0]) / count, index)
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
    // a step for samples taken at uneven times: about that between them
    let steps: f64 = said.windows(2).map(|w| ((w[1] - w[0]) / spaced.step).round().max(1.0)).sum();
    let between = (last - first) / steps;
    // if the times do not scatter about a grid, their intervals add up
    let (mut even, mut index) = match sampling_grid(said) {
        Some(grid) => (grid.period, grid.index),
        None => counted(said, spaced.step),
    };
    let motion = piece.get(ColumnRole::Position).or_else(|| piece.get(ColumnRole::Velocity));
    let rough = |readings: [&[f64]; 2]| motion.map_or([0.0; 2], |x| roughness(readings, x));
    // stamps in steps nearly as long as those of the samples have a grid of their own; then no row is missing
    let rows: Vec<f64> = (0..said.len()).map(|k| k as f64).collect();
    let ticks = |index: &[f64], step: f64| index.iter().map(|k| k * step).collect::<Vec<f64>>();
    let mut ticked = ticks(&index, even);
    if rows != index {
        let row_ticks = ticks(&rows, mean);
        let [with_gaps, without] = rough([&ticked, &row_ticks]);
        if without < ROUGHNESS_RATIO * with_gaps {
            (even, index, ticked) = (mean, rows, row_ticks);
        }
    }
    let [even_roughness, said_roughness] = rough([&ticked, said]);
    // rows between samples, as those of a simulator's events, are no steps of the sampling: where most stamps are on the grid of the
    // median interval, that is the grid, and these samples are kept as they are
    let regular = (last - first) / ((last - first) / spaced.step).round().max(1.0);
    let is_on_grid = |t: &&f64| {
        let place = (**t - first) / regular;
        (place - place.round()).abs() <= TIMING_TOLERANCE
    };
    let regular = if 2 * said.iter().filter(is_on_grid).count() > said.len() { regular } else { between };
    let late = even_roughness < ROUGHNESS_RATIO * said_roughness;
    let on_grid = said.iter().zip(&ticked).all(|(t, tick)| (t - first - tick).abs() <= TIMING_TOLERANCE * even);
    let told = late || on_grid || said_roughness < ROUGHNESS_RATIO * even_roughness;
    let step = if late { even } else { regular };
    let (apart, grid) = (interval(spaced.range, 3), short(round(step, 3)));
    remarks.push(if late {
        let lost = index.last().map_or(0.0, |last| last + 1.0 - index.len() as f64);
        let lost = if lost > 0.0 { format!(", {} of them missing", short(lost)) } else { String::new() };
        let text = format!(
            "{name}: by their stamps samples are {apart} s apart, but the motion is smoother if they are {grid} s apart{lost}: \
             the stamps are taken to be wrong, not the samples"
        );
        Remark::new(Severity::Warning, text)
    } else if !told {
        let text = format!(
            "{name}: samples are not evenly spaced ({apart} s apart), or their stamps are wrong, which the motion does not tell; by their stamps \
             they were put on a grid of {grid} s"
        );
        Remark::new(Severity::Info, text)
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
