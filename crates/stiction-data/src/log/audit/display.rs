//! An audit as text.
use super::report::{Audit, CellCount, Extreme, SignalAudit, TimeAudit};
use std::fmt::{self, Display, Formatter};
use stiction_io::number::{interval, round, short};
use stiction_io::printable;

/// Digits of numbers that are printed.
const DIGITS: usize = 6;

/// A number for a reader.
fn brief(x: f64) -> String {
    short(round(x, DIGITS))
}

/// `3 missing, the first in row 7`.
fn cells(what: &str, cells: &CellCount) -> Option<String> {
    let (row, line) = cells.first?;
    let position = line.map_or_else(|| format!("row {row}"), |line| format!("line {line}"));
    let CellCount { count, .. } = cells;
    Some(if *count == 1 { format!("{what} in {position}") } else { format!("{count} {what}, the first in {position}") })
}

impl Display for Audit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} row{}", self.rows, if self.rows == 1 { "" } else { "s" })?;
        if let Some(time) = &self.time {
            write!(f, "{time}")?;
        }
        if self.signals.is_empty() {
            return Ok(());
        }
        let header = ["", "min", "max", "mean", "resolution"].map(str::to_owned);
        let rows: Vec<[String; 5]> = [header].into_iter().chain(self.signals.iter().map(row)).collect();
        let widths: [usize; 5] =
            std::array::from_fn(|k| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0));
        let remarks = [String::new()].into_iter().chain(self.signals.iter().map(|s| remarks(s).join("; ")));
        for (row, remarks) in rows.iter().zip(remarks) {
            let mut line = format!("  {:<w$}", row[0], w = widths[0]);
            for (cell, w) in row.iter().zip(widths).skip(1) {
                line += &format!("  {cell:>w$}");
            }
            writeln!(f, "{}", format!("{line}  {remarks}").trim_end())?;
        }
        Ok(())
    }
}

fn row(signal: &SignalAudit) -> [String; 5] {
    let name = match &signal.unit {
        Some(unit) => format!("{} [{}]", printable(&signal.name), printable(unit)),
        None => printable(&signal.name).into_owned(),
    };
    let ends = signal.extremes.map_or([String::new(), String::new()], |ends| ends.map(|end| brief(end.value)));
    let mean = if signal.mean.is_nan() { String::new() } else { brief(signal.mean) };
    let [low, high] = ends;
    [name, low, high, mean, signal.resolution.map(brief).unwrap_or_default()]
}

/// Remarks about unusual properties of a signal.
fn remarks(signal: &SignalAudit) -> Vec<String> {
    let mut out: Vec<String> =
        [cells("missing", &signal.missing), cells("infinite", &signal.infinite)].into_iter().flatten().collect();
    match signal.extremes {
        None => out.push("no number".to_owned()),
        Some(_) if signal.constant() => out.push("constant".to_owned()),
        Some(ends) => {
            let limit = |Extreme { value, count, longest, .. }: &Extreme| {
                format!("stays at {}: {count} rows, {longest} in a row", brief(*value))
            };
            out.extend(ends.iter().filter(|end| end.saturated).map(limit));
        }
    }
    if signal.increasing && !signal.constant() {
        out.push("always rises".to_owned());
    }
    out
}

impl Display for TimeAudit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let unit = self.unit.as_deref().map(|unit| format!(" {}", printable(unit))).unwrap_or_default();
        write!(f, "  {} from {}{unit}", printable(&self.name), interval(self.span, DIGITS))?;
        if !self.step.median.is_finite() {
            return writeln!(f);
        }
        let step = &self.step;
        let range = interval(step.range, DIGITS);
        write!(f, ", step {}{unit}", brief(step.median))?;
        if self.uniform {
            writeln!(f, ", uniform ({range})")?;
        } else {
            writeln!(f, ", not uniform: {range}, nine in ten {}", interval([step.p5, step.p95], DIGITS))?;
        }
        let gaps = &self.gaps;
        if gaps.count > 0 {
            let many = if gaps.count == 1 { "a gap, " } else { &format!("{} gaps, the longest ", gaps.count) };
            writeln!(f, "  {many}{}{unit} before row {}", brief(gaps.longest), gaps.row)?;
        }
        let found = [
            cells("repeated time", &self.repeated),
            cells("step back in time", &self.backwards),
            cells("missing time", &self.missing),
        ];
        found.into_iter().flatten().try_for_each(|text| writeln!(f, "  {text}"))
    }
}
