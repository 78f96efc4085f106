//! Curves through points, from the scenario or from a CSV file.
use super::component_table::{ComponentTable, unknown_name};
use crate::FileError;
use crate::system::{Curve, CurveError};
use crate::table::csv;
use crate::toml_tree::SourceLocation;
use crate::{Error, Position};
use std::path::Path;

/// Reads a curve; `folder` is where its file is, `straight` makes the one of straight lines.
fn curve(s: &ComponentTable<'_>, folder: &Path, straight: Make) -> Result<Curve, Error> {
    let make = match s.choice("interpolation", &["linear", "cubic", "hold"])? {
        "cubic" => Curve::cubic,
        "hold" => Curve::hold,
        _ => straight,
    };
    points(s, folder, make)
}

/// Reads a curve over time, which may be late.
pub(super) fn curve_over_time(s: &ComponentTable<'_>, folder: &Path) -> Result<Curve, Error> {
    let delay = s.number("delay")?;
    s.check("delay", delay, delay >= 0.0, "0 or more")?;
    Ok(curve(s, folder, Curve::with_jumps)?.delayed(delay))
}

/// Reads a curve over a displacement: a force without jumps, and nothing that is late.
pub(super) fn curve_over_displacement(s: &ComponentTable<'_>, folder: &Path) -> Result<Curve, Error> {
    let held = s.choice("interpolation", &["linear", "cubic", "hold"])? == "hold";
    if let Some(node) = s.get("interpolation").filter(|_| held) {
        let why = "\"hold\" is for curves over time: the force of a spring has no jumps";
        return Err(node.at.error(Error::Conflict { key: "interpolation", why }));
    }
    if let Some(node) = s.get("delay") {
        return Err(node.at.error(Error::Conflict { key: "delay", why: "is for curves over time" }));
    }
    curve(s, folder, Curve::linear)
}

fn points(s: &ComponentTable<'_>, folder: &Path, make: Make) -> Result<Curve, Error> {
    let (kind, node) = s.exactly_one(&["points", "file"])?;
    if kind == "file" {
        let path = folder.join(node.text("file")?);
        let names = s.texts("columns")?;
        let rows = file(&path, &names).map_err(|error| match error {
            Error::File(_) => node.at.error(error),
            placed => placed,
        })?;
        let place = |at: usize| {
            let line = rows.get(at).map_or(1, |row| row.0);
            move |error: Error| error.at(Position { path, line, column: 1 })
        };
        return build(make, rows.iter().map(|row| row.1).collect()).map_err(|(at, error)| place(at)(error));
    }
    if let Some(node) = s.get("columns") {
        return Err(node.at.error(Error::Conflict { key: "columns", why: "needs a file" }));
    }
    let list = node.list("points")?;
    let pair = |item: &crate::toml_tree::TomlNode| match item.list("points")? {
        [x, y] => Ok([x.number("points")?, y.number("points")?]),
        _ => Err(item.wrong("points", "pair")),
    };
    let pairs = list.iter().map(pair).collect::<Result<Vec<_>, Error>>()?;
    build(make, pairs).map_err(|(at, error)| list.get(at).map_or(&node.at, |item| &item.at).error(error))
}

type Make = fn(Vec<f64>, Vec<f64>) -> Result<Curve, CurveError>;

/// The curve, or which point is wrong and why.
fn build(make: Make, pairs: Vec<[f64; 2]>) -> Result<Curve, (usize, Error)> {
    let [x, y] = [0, 1].map(|k| pairs.iter().map(|pair| pair[k]).collect::<Vec<_>>());
    make(x, y).map_err(|problem| {
        let at = match problem {
            CurveError::TooFewPoints => pairs.len(),
            CurveError::NotIncreasing { at } | CurveError::NotFinite { at } => at,
        };
        let value = |i: usize| {
            pairs
                .get(i)
                .map_or(f64::NAN, |pair| if pair[0].is_finite() && !pair[1].is_finite() { pair[1] } else { pair[0] })
        };
        let before = at.checked_sub(1).map_or(f64::NAN, value);
        (at, Error::Curve { problem, values: [value(at), before] })
    })
}

/// The line and the two numbers of every row of a CSV file.
fn file(path: &Path, names: &[(&str, &SourceLocation)]) -> Result<Vec<(usize, [f64; 2])>, Error> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|io| Error::File(FileError { path: path.to_owned(), action: "read", io }))?;
    let place = |line: usize, error: Error| error.at(Position { path: path.to_owned(), line, column: 1 });
    let mut columns = [0, 1];
    let mut rows = Vec::new();
    for row in csv::rows(&text) {
        let (line, cells) = row.map_err(|io| Error::File(FileError::read(path, io)))?;
        let is_header = rows.is_empty() && csv::is_header(&cells);
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        if is_header {
            // by the whole header, `t [s]`, or without its unit
            let plain: Vec<&str> = cells.iter().map(|cell| cell.split(" [").next().unwrap_or(cell)).collect();
            for ((name, at), column) in names.iter().zip(&mut columns) {
                let found = cells.iter().position(|cell| cell == name).or_else(|| plain.iter().position(|p| p == name));
                *column = found.ok_or_else(|| at.error(unknown_name("column", name, &cells)))?;
            }
            continue;
        }
        let cell = |i: usize| cells.get(i).copied().unwrap_or("");
        let number =
            |i: usize| cell(i).parse().map_err(|_| place(line, Error::NotANumber { text: cell(i).to_owned() }));
        rows.push((line, [number(columns[0])?, number(columns[1])?]));
    }
    Ok(rows)
}
