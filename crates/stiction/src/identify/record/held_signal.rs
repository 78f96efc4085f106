//! A motion that is written more often than it is measured: a drive that computes the velocity in every tenth cycle, a log that is faster than
//! its controller. The same value then stands in several rows; its derivative is zero but where it jumps, and a mass that is fitted to it is far too
//! small.
use super::column_roles::ColumnRole;
use super::raw_record::RawRecord;
use super::{Remark, Severity};

/// Longest hold that is looked for \[rows\].
const LONGEST: usize = 128;
/// Fewest changes that show a regular hold.
const MIN_CHANGES: usize = 32;
/// Share of the changes that lie on the grid of the hold. A sensor with coarse steps changes in any row.
const SHARE: f64 = 0.98;

/// Over how many rows a signal is held, and the first row with a new value; none if it changes in any row.
fn hold(x: &[f64]) -> Option<(usize, usize)> {
    let changes: Vec<usize> =
        (1..x.len()).filter(|&k| x[k] != x[k - 1] && x[k].is_finite() && x[k - 1].is_finite()).collect();
    if changes.len() < MIN_CHANGES {
        return None;
    }
    let most = SHARE * changes.len() as f64;
    (2..=LONGEST).rev().find_map(|rows| {
        let mut counts = vec![0_usize; rows];
        changes.iter().for_each(|k| counts[k % rows] += 1);
        let first = counts.iter().position(|count| *count as f64 >= most)?;
        Some((rows, first))
    })
}

/// The record with a motion that changes in every row: a held velocity is left out where there is a position that is not held, else the rows that
/// repeat the motion are.
pub(super) fn measured_rows(raw: &RawRecord, remarks: &mut Vec<Remark>) -> Option<RawRecord> {
    let held = |role: ColumnRole| raw.get(role).and_then(hold);
    let velocity = held(ColumnRole::Velocity);
    let position = held(ColumnRole::Position);
    let (what, (rows, first)) = match (raw.get(ColumnRole::Position), raw.get(ColumnRole::Velocity)) {
        (Some(_), Some(_)) => {
            let (rows, _) = velocity?;
            if position.is_none() {
                let text = format!(
                    "{}: the velocity is held over {rows} rows; it was left out, and the position differentiated instead",
                    raw.file_name()
                );
                remarks.push(Remark::new(Severity::Warning, text));
                let mut columns = raw.columns.clone();
                columns[ColumnRole::Velocity as usize] = None;
                return Some(RawRecord { columns, ..raw.clone() });
            }
            ("velocity", velocity?)
        }
        (Some(_), None) => ("position", position?),
        _ => ("velocity", velocity?),
    };
    let text = format!(
        "{}: the {what} is held over {rows} rows; the rows that repeat it were left out, from here on one of {rows} counts",
        raw.file_name()
    );
    remarks.push(Remark::new(Severity::Warning, text));
    Some(raw.only_rows(&|k| k % rows == first))
}
