//! What `stiction hysteresis` and `stiction breakaway` share: where results go.
pub mod law;
pub mod report;
pub mod trace;

use crate::fault::Fault;
use crate::run::folder::{Folder, SUMMARY};
use crate::stream;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;
use stiction::number::{round, short};
use stiction::plot::{Figure, Format};
use stiction::{output, table};

/// A number for a reader.
pub fn digits(x: f64) -> String {
    short(round(x, 6))
}
/// A number there may be none of.
pub fn maybe(x: Option<f64>) -> String {
    x.filter(|x| x.is_finite()).map_or("-".into(), digits)
}

/// Writes a folder: pictures as SVG and PNG, tables as CSV, and the report with the names of the files.
pub fn write<R: Serialize>(
    path: &Path,
    pictures: &[(&str, Figure)],
    tables: &[(&str, table::Heads, Vec<Vec<f64>>)],
    report: impl FnOnce(Vec<String>) -> R,
) -> Result<R, Fault> {
    let folder = Folder::new(path)?;
    let mut files = Vec::new();
    for (name, figure) in pictures {
        for (ending, format) in [("svg", Format::Svg), ("png", Format::Png)] {
            if cfg!(feature = "png") || format == Format::Svg {
                let file = format!("{name}.{ending}");
                figure.write(&folder.path(&file), format)?;
                files.push(file);
            }
        }
    }
    for (name, heads, rows) in tables {
        let file = format!("{name}.csv");
        table::write(&folder.path(&file), heads, |put| rows.iter().try_for_each(|row| put(row)))?;
        files.push(file);
    }
    files.push(SUMMARY.to_owned());
    let report = report(files.clone());
    output::write(&folder.path(SUMMARY), |out: &mut dyn Write| {
        serde_json::to_writer_pretty(&mut *out, &report).map_err(io::Error::from)?;
        writeln!(out)
    })?;
    let path = folder.finish()?;
    stream::note(format_args!("wrote {}: {}", path.display(), files.join(", ")));
    Ok(report)
}
