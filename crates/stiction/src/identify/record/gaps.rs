//! Splitting of a record at gaps in time.
use super::column_roles::{ColumnRole, ROLE_COUNT, RawRecord};
use super::{Remark, Severity};
use crate::Error;
use crate::NumericsError;
use crate::signal::sampling;

/// Fewest samples of a motion; fewer cannot be filtered.
pub(super) const MIN_SAMPLES: usize = 32;
/// A longer time without samples, in sampling steps, is a gap; a shorter one is filled by interpolation.
const GAP_STEPS: f64 = 4.5;

/// Columns of a segment without gaps, by role.
pub(super) type ContiguousColumns = [Option<Vec<f64>>; ROLE_COUNT];

pub(super) fn column(piece: &ContiguousColumns, role: ColumnRole) -> Option<&[f64]> {
    piece[role as usize].as_deref()
}

/// Segments of a record without gaps, missing numbers and repeated times.
pub(super) fn split_at_gaps(raw: &RawRecord, remarks: &mut Vec<Remark>) -> Result<Vec<ContiguousColumns>, Error> {
    let time = raw.get(ColumnRole::Time).unwrap_or_default();
    let whole = |k: usize| raw.columns.iter().flatten().all(|column| column[k].is_finite());
    let good: Vec<usize> = (0..time.len()).filter(|&k| whole(k)).collect();
    let missing = time.len() - good.len();
    if missing > 0 {
        let first = (0..time.len()).find(|&k| !whole(k)).unwrap_or(0);
        let text = format!(
            "{}: {missing} rows lack a number, the first is {}; left out",
            raw.file_name(),
            raw.row_label(first)
        );
        remarks.push(Remark::new(Severity::Warning, text));
    }
    let mut kept: Vec<usize> = Vec::with_capacity(good.len());
    for k in good {
        if kept.last().is_none_or(|&last| time[k] > time[last]) {
            kept.push(k);
        }
    }
    let repeated = time.len() - missing - kept.len();
    if repeated > 0 {
        let text = format!("{}: {repeated} rows repeat an instant; the first of each counts", raw.file_name());
        remarks.push(Remark::new(Severity::Warning, text));
    }
    if kept.len() < MIN_SAMPLES {
        return Err(NumericsError::TooFew { what: "rows of numbers", need: MIN_SAMPLES, have: kept.len() }.into());
    }
    let t: Vec<f64> = kept.iter().map(|&k| time[k]).collect();
    let step = sampling(&t)?.step;
    let mut cuts = vec![0];
    cuts.extend((1..t.len()).filter(|&k| t[k] - t[k - 1] > GAP_STEPS * step));
    cuts.push(t.len());
    let long: Vec<&[usize]> =
        cuts.windows(2).map(|w| &kept[w[0]..w[1]]).filter(|piece| piece.len() >= MIN_SAMPLES).collect();
    let gaps = cuts.len() - 2;
    if gaps > 0 {
        let lost = kept.len() - long.iter().map(|piece| piece.len()).sum::<usize>();
        let text = format!(
            "{}: cut at {gaps} gaps in time into {} parts; {lost} rows in parts shorter than {MIN_SAMPLES} were left out",
            raw.file_name(),
            long.len()
        );
        remarks.push(Remark::new(Severity::Warning, text));
    }
    if long.is_empty() {
        let most = cuts.windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0);
        return Err(NumericsError::TooFew { what: "rows without a gap in time", need: MIN_SAMPLES, have: most }.into());
    }
    let pick = |rows: &&[usize]| -> ContiguousColumns {
        std::array::from_fn(|c| raw.columns[c].as_ref().map(|column| rows.iter().map(|&k| column[k]).collect()))
    };
    Ok(long.iter().map(pick).collect())
}
