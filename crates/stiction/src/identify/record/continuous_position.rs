//! Positions that jump: angles that are written within one turn, counters that run over, rows that were lost.
use super::column_roles::ColumnRole;
use super::raw_record::RawRecord;
use super::{Remark, Severity};
use crate::number::{round, short};
use std::f64::consts::TAU;

/// Of the range of the positions, the least share of a jump from one end to the other, and the largest of a step that is none: at least
/// four samples to a turn.
const JUMP: f64 = 0.5;
const STEP: f64 = 0.25;
/// Around a jump of a wrapped angle the motion goes on against the jump: so many times as often as with it. Bodies that are thrown from end to end
/// within a sample overshoot, if anything.
const AGAINST: usize = 3;
/// A step this many times longer than those beside it, and than 95 % of all steps, is no motion that the samples follow.
const ISOLATED: f64 = 7.0;
/// Rows farther apart than this, in usual intervals, may be apart in position as well.
const LATE: f64 = 1.5;

/// A step of the position from the row before `row`.
struct Step {
    row: usize,
    size: f64,
    /// The mean of the steps before and after.
    beside: f64,
    /// The larger of these.
    largest_beside: f64,
}

/// The steps between neighbouring rows that have both neighbours.
fn steps(x: &[f64], t: Option<&[f64]>) -> Vec<Step> {
    let usual = t.map(|t| {
        let mut gaps: Vec<f64> = t.windows(2).map(|t| t[1] - t[0]).filter(|gap| gap.is_finite()).collect();
        let middle = gaps.len() / 2;
        if gaps.is_empty() { f64::INFINITY } else { *gaps.select_nth_unstable_by(middle, f64::total_cmp).1 }
    });
    let near = |k: usize| match (t, usual) {
        (Some(t), Some(usual)) => t[k] - t[k - 1] <= LATE * usual,
        _ => true,
    };
    let step = |k: usize| x[k] - x[k - 1];
    (2..x.len().saturating_sub(1))
        .filter(|&k| (k - 1..=k + 1).all(near))
        .map(|k| {
            let [before, after] = [step(k - 1), step(k + 1)];
            let largest_beside = before.abs().max(after.abs());
            Step { row: k, size: step(k), beside: 0.5 * (before + after), largest_beside }
        })
        .filter(|step| step.size.is_finite() && step.beside.is_finite())
        .collect()
}

/// The record with a position that goes on where that of an angle or a counter began anew, which is told; jumps of other kinds are told alone.
pub(super) fn continued(raw: &RawRecord, remarks: &mut Vec<Remark>) -> Option<RawRecord> {
    let x = raw.get(ColumnRole::Position)?;
    let steps = steps(x, raw.get(ColumnRole::Time));
    let brief = |x: f64| short(round(x, 6));
    if let Some((period, jumps)) = period(x, &steps) {
        // rows that are missing may hide a jump: what is left of a step is less than half of the range
        let (mut last, mut turns) = (f64::NAN, 0.0);
        let position = x.iter().map(|x| {
            if x.is_finite() {
                let begun = ((x - last) / period).round();
                turns -= if begun.is_finite() { begun } else { 0.0 };
                last = *x;
            }
            x + turns * period
        });
        let mut columns = raw.columns.clone();
        columns[ColumnRole::Position as usize] = Some(position.collect());
        let text = format!(
            "{}: the position begins anew {} times after {}, as an angle within one turn or a counter does; it was continued",
            raw.file_name(),
            jumps,
            brief(period)
        );
        remarks.push(Remark::new(Severity::Info, text));
        return Some(RawRecord { columns, ..raw.clone() });
    }
    let mut sizes: Vec<f64> = steps.iter().map(|step| step.size.abs()).filter(|size| *size > 0.0).collect();
    if sizes.is_empty() {
        return None;
    }
    let usual = sizes.len() * 95 / 100;
    let far = ISOLATED * *sizes.select_nth_unstable_by(usual, f64::total_cmp).1;
    let alone = |step: &&Step| step.size.abs() > far.max(ISOLATED * step.largest_beside);
    let found: Vec<&Step> = steps.iter().filter(alone).collect();
    if let Some(first) = found.first() {
        let text = format!(
            "{}: the position jumps {} times within one row, the first time by {} at {}: lost rows, a counter that was set anew, or a motion too \
             fast for the sampling; cut the record there, mass and friction are distorted by it",
            raw.file_name(),
            found.len(),
            brief(first.size),
            raw.row_label(first.row)
        );
        remarks.push(Remark::new(Severity::Warning, text));
    }
    None
}

/// The range after which the position begins anew, and how often it does; none if it does not.
fn period(x: &[f64], steps: &[Step]) -> Option<(f64, usize)> {
    let finite = || x.iter().filter(|x| x.is_finite());
    let span = finite().fold(f64::NEG_INFINITY, |a, b| a.max(*b)) - finite().fold(f64::INFINITY, |a, b| a.min(*b));
    let (jumps, others): (Vec<&Step>, Vec<&Step>) = steps.iter().partition(|step| step.size.abs() > JUMP * span);
    let largest = others.iter().fold(0.0_f64, |most, step| most.max(step.size.abs()));
    if jumps.is_empty() || largest > STEP * span {
        return None;
    }
    // beside a jump the motion goes on
    let sizes: Vec<f64> = jumps.iter().map(|jump| (jump.size - jump.beside).abs()).collect();
    let [least, most] = sizes.iter().fold([f64::INFINITY, 0.0_f64], |[a, b], x| [a.min(*x), b.max(*x)]);
    let against = jumps.iter().filter(|jump| jump.beside * jump.size < 0.0).count();
    let along = jumps.iter().filter(|jump| jump.beside * jump.size > 0.0).count();
    // the samples need not meet the ends
    if most - least > largest || span > most + largest || against <= AGAINST * along {
        return None;
    }
    let mean = sizes.iter().sum::<f64>() / sizes.len() as f64;
    // a turn, a range of a counter, or what the jumps tell themselves
    let counter = 2.0_f64.powf(mean.log2().round());
    let usual =
        [TAU, 360.0, 1.0, counter].into_iter().find(|usual| (usual - mean).abs() <= (most - least).max(1e-6 * mean));
    Some((usual.unwrap_or(mean), jumps.len()))
}
