//! Splitting of a record at gaps in time.
use super::column_roles::{ColumnRole, ROLE_COUNT};
use super::motion::ForceTerm;
use super::raw_record::RawRecord;
use super::{Remark, Severity};
use crate::Error;
use crate::NumericsError;
use crate::signal::sampling;

/// Fewest samples of a motion; fewer cannot be filtered.
pub(super) const MIN_SAMPLES: usize = 32;
/// Share of rows that repeat an instant from which on the time stamps are too coarse, not the rows too many.
const COARSE_SHARE: f64 = 0.2;
/// Steps to a wild sample are this many times longer than 95 % of all steps: of normal noise, that is fourteen standard deviations of a step.
const WILD: f64 = 7.0;
/// Share of the rows above which such samples are no exceptions.
const MANY_WILD: f64 = 0.02;
/// A longer time without samples, in sampling steps, is a gap; a shorter one is filled by interpolation.
const GAP_STEPS: f64 = 4.5;

/// Columns of a segment without gaps.
#[derive(Clone, Debug)]
pub(super) struct ContiguousColumns {
    by_role: [Option<Vec<f64>>; ROLE_COUNT],
    /// Forces whose size is estimated.
    pub terms: Vec<ForceTerm>,
    /// One where the force is at a value at which it seems to be cut off, zero elsewhere; empty if it never is.
    at_limit: Vec<f64>,
}

impl ContiguousColumns {
    /// The column of a role.
    pub fn get(&self, role: ColumnRole) -> Option<&[f64]> {
        self.by_role[role as usize].as_deref()
    }
    /// Every column changed by `change`, which is told its role; terms have none.
    pub fn map<E>(&self, change: impl Fn(Option<ColumnRole>, &[f64]) -> Result<Vec<f64>, E>) -> Result<Self, E> {
        let mut by_role: [Option<Vec<f64>>; ROLE_COUNT] = Default::default();
        for role in ColumnRole::ALL {
            by_role[role as usize] = self.get(role).map(|x| change(Some(role), x)).transpose()?;
        }
        let terms = self.terms.iter().map(|term| Ok(term.with(change(None, &term.values)?)));
        let terms = terms.collect::<Result<_, E>>()?;
        let at_limit = if self.at_limit.is_empty() { Vec::new() } else { change(None, &self.at_limit)? };
        Ok(Self { by_role, terms, at_limit })
    }
    /// Whether the force of each sample is, or is interpolated from, one at which it seems to be cut off; empty if none is.
    pub fn at_limit(&self) -> Vec<bool> {
        // rounding of an interpolation
        self.at_limit.iter().map(|share| *share > 1e-9).collect()
    }
}

/// Rows, of these, at which a position or a velocity leaves the motion and is back at the next one: both steps, of opposite direction, are much longer
/// than nearly all others of the record. No body moves like this; noise does not, either.
fn wild_rows(raw: &RawRecord, rows: &[usize]) -> Vec<(ColumnRole, usize)> {
    let mut out: Vec<(ColumnRole, usize)> = Vec::new();
    for role in [ColumnRole::Position, ColumnRole::Velocity] {
        let Some(x) = raw.get(role) else { continue };
        let mut steps: Vec<f64> =
            rows.windows(2).map(|w| (x[w[1]] - x[w[0]]).abs()).filter(|step| *step > 0.0).collect();
        if steps.len() < MIN_SAMPLES {
            continue;
        }
        let usual = steps.len() * 95 / 100;
        let far = WILD * *steps.select_nth_unstable_by(usual, f64::total_cmp).1;
        for w in rows.windows(3) {
            let (to, back) = (x[w[1]] - x[w[0]], x[w[2]] - x[w[1]]);
            if to * back < 0.0 && to.abs().min(back.abs()) > far && out.iter().all(|(_, other)| *other != w[1]) {
                out.push((role, w[1]));
            }
        }
    }
    out.sort_by_key(|(_, k)| *k);
    // what occurs so often is how this signal is
    if out.len() as f64 > MANY_WILD * rows.len() as f64 { Vec::new() } else { out }
}

/// Segments of a record without gaps, missing numbers and repeated times.
pub(super) fn split_at_gaps(raw: &RawRecord, remarks: &mut Vec<Remark>) -> Result<Vec<ContiguousColumns>, Error> {
    let time = raw.get(ColumnRole::Time).unwrap_or_default();
    let terms = || raw.terms.iter().map(|term| &term.values);
    let whole = |k: usize| raw.columns.iter().flatten().chain(terms()).all(|column| column[k].is_finite());
    let mut good: Vec<usize> = (0..time.len()).filter(|&k| whole(k)).collect();
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
    let wild = wild_rows(raw, &good);
    if let Some(&(role, first)) = wild.first() {
        let text = format!(
            "{}: {} single samples of the {} are far from their neighbours, the first is {}; these rows were left out",
            raw.file_name(),
            wild.len(),
            role.name(),
            raw.row_label(first)
        );
        remarks.push(Remark::new(Severity::Warning, text));
        good.retain(|k| wild.iter().all(|(_, other)| other != k));
    }
    let same = |k: usize, other: usize| raw.columns.iter().flatten().chain(terms()).all(|x| x[k] == x[other]);
    let mut kept: Vec<usize> = Vec::with_capacity(good.len());
    // rows of an instant that is there already, and those among them that contradict the first
    let (mut repeated, mut contradicting) = (0, 0);
    for k in good {
        match kept.last() {
            Some(&last) if time[k] <= time[last] => {
                repeated += 1;
                contradicting += usize::from(!same(k, last));
            }
            _ => kept.push(k),
        }
    }
    if repeated > 0 && contradicting == 0 {
        let text = format!("{}: {repeated} rows repeat an instant with the same values", raw.file_name());
        remarks.push(Remark::new(Severity::Info, text));
    } else if repeated > 0 {
        let coarse = repeated as f64 > COARSE_SHARE * time.len() as f64;
        let cure =
            if coarse { ": the times are coarser than the samples; --rate HERTZ takes the rows as even" } else { "" };
        let text = format!("{}: {repeated} rows repeat an instant; the first of each counts{cure}", raw.file_name());
        remarks.push(Remark::new(if coarse { Severity::Critical } else { Severity::Warning }, text));
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
        let of = |column: &Vec<f64>| rows.iter().map(|&k| column[k]).collect::<Vec<f64>>();
        ContiguousColumns {
            by_role: std::array::from_fn(|c| raw.columns[c].as_ref().map(of)),
            terms: raw.terms.iter().map(|term| term.with(of(&term.values))).collect(),
            at_limit: rows.iter().filter_map(|&k| raw.at_limit.get(k)).map(|at| f64::from(u8::from(*at))).collect(),
        }
    };
    Ok(long.iter().map(pick).collect())
}
