//! Loops of a trace in a file.
use crate::error::CommandError;
use std::path::{Path, PathBuf};
use stiction::analysis::loops::LoopDetection;
use stiction::table::{ColumnHeader, Table, read};
use stiction_report::hysteresis::{HysteresisReport, PathNames};

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
    let unit = |head: &ColumnHeader, usual: &'static str, other: &'static str| {
        if head.unit == other { other } else { usual }
    };
    let names = PathNames {
        source: format!("{}: {} over {}", path.display(), f_head.name, x_head.name),
        units: [unit(x_head, "m", "rad"), unit(f_head, "N", "N·m")],
    };
    HysteresisReport::of_path(names, [x, force], time, finding)
        .map_err(|error| CommandError::Usage { text: error.text(), hint: error.hint() })
}
