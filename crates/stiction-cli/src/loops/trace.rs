//! Loops of a trace in a file.
use super::report::{HysteresisReport, LoopMeasures, MemoryProperty};
use crate::error::CommandError;
use std::path::{Path, PathBuf};
use stiction::analysis::loops::{ForcePath as Curve, LoopDetection, congruency, find_loops, return_point};
use stiction::table::{ColumnHeader, Table, read};

/// Largest deviation that does not contradict a property in measured data.
const MEASURED_TOLERANCE: f64 = 0.01;

/// The columns of a trace, by name.
pub struct TraceColumns<'a> {
    pub x: Option<&'a str>,
    pub force: Option<&'a str>,
    pub time: Option<&'a str>,
}

/// The trace that `source` names: a CSV or Parquet file, or the folder of a run.
pub fn file(source: &str) -> Option<PathBuf> {
    let path = Path::new(source);
    let ends = |with: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(with));
    if ends("csv") || ends("parquet") {
        return Some(path.to_owned());
    }
    path.is_dir().then(|| path.join("trace.csv"))
}

/// The column of this name, or the one that looks like the quantity.
fn pick<'t>(
    table: &'t Table,
    name: Option<&str>,
    (option, what): (&'static str, &'static str),
    looks: impl Fn(&ColumnHeader) -> bool,
) -> Result<(&'t ColumnHeader, &'t [f64]), CommandError> {
    if let Some(name) = name {
        return Ok(table.column(name)?);
    }
    let found: Vec<&ColumnHeader> = table.headers.iter().filter(|head| looks(head)).collect();
    match found[..] {
        [one] => Ok(table.column(&one.name)?),
        _ => Err(CommandError::Column { option, what, found: found.iter().map(|head| head.name.clone()).collect() }),
    }
}

/// Whether the name of a column is `end`, alone or after the name of a component.
fn called(head: &ColumnHeader, end: &str) -> bool {
    head.name.eq_ignore_ascii_case(end) || head.name.rsplit('.').next() == Some(end)
}

/// Finds and measures the loops of a trace.
pub fn report(
    path: &Path,
    columns: &TraceColumns<'_>,
    finding: &LoopDetection,
) -> Result<HysteresisReport, CommandError> {
    let table = read(path)?;
    // in the trace of a run, contacts have a force and a speed, and their x is a state; bodies have no force
    let has = |part: &str, end: &str| table.headers.iter().any(|h| h.name == format!("{part}.{end}"));
    let part = |h: &ColumnHeader| h.name.rsplit_once('.').map(|(part, _)| part.to_owned());
    let is_x = |h: &ColumnHeader| called(h, "x") && part(h).is_none_or(|part| !has(&part, "force"));
    let (x_head, x) = pick(&table, columns.x, ("--x", "the displacement"), is_x)?;
    let is_force = |h: &ColumnHeader| called(h, "force") && part(h).is_none_or(|part| has(&part, "v"));
    let (f_head, force) = pick(&table, columns.force, ("--force", "the friction force"), is_force)?;
    let time = match columns.time {
        Some(name) => Some(table.column(name)?.1),
        None => table.column("t").or_else(|_| table.column("time")).ok().map(|column| column.1),
    };
    let rows: Vec<f64> = (0..x.len()).map(|k| k as f64).collect();
    let rises = |t: &&[f64]| t.windows(2).all(|w| w[0] <= w[1]);
    let timed = time.filter(rises);
    if time.is_some() && timed.is_none() {
        let (text, hint) = ("the time decreases in some rows", "name the time column with --time NAME");
        return Err(CommandError::Usage { text, hint });
    }
    if !x.iter().chain(force).all(|value| value.is_finite()) {
        let (text, hint) = ("the trace has values that are not finite", "cut them out, or choose other columns");
        return Err(CommandError::Usage { text, hint });
    }
    let curve = Curve { t: timed.unwrap_or(&rows), x, force, timed: timed.is_some() };
    let found = find_loops(&curve, finding);
    if found.is_empty() {
        let text = "the trace has no closed loop";
        let hint = "the displacement must reverse twice and return: check --x and --force, or increase --miss";
        return Err(CommandError::Usage { text, hint });
    }
    let property = |name, error: Option<f64>| {
        error.map(|error| MemoryProperty { name, amplitude: None, error, holds: error < MEASURED_TOLERANCE })
    };
    let properties = [
        property("return point", return_point(&curve, &found)),
        property("congruency", congruency(&curve, &found, finding.miss.max(1e-6))),
    ];
    let unit = |head: &ColumnHeader, usual: &'static str, other: &'static str| {
        if head.unit == other { other } else { usual }
    };
    Ok(HysteresisReport {
        stiction: env!("CARGO_PKG_VERSION"),
        source: format!("{}: {} over {}", path.display(), f_head.name, x_head.name),
        set: Vec::new(),
        units: [unit(x_head, "m", "rad"), unit(f_head, "N", "N·m")],
        loops: found.iter().map(|l| LoopMeasures::new(l, l.points(&curve)).within(l.rows.inner)).collect(),
        properties: properties.into_iter().flatten().collect(),
        rates: Vec::new(),
        files: Vec::new(),
    })
}
