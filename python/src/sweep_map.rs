//! Maps of the results of sweeps.
use crate::analysis::Analysis;
use crate::error::PythonError;
use crate::interrupt::in_background;
use crate::table::{ColumnData, Table};
use pyo3::prelude::*;
use std::path::PathBuf;
use stiction::sweep::result_map::{MapRequest, ResultMap};
use stiction::sweep::{ResultHeader, ResultRow};
use stiction::table::ColumnHeader;
use stiction_report::sweep_map::MapReport;

/// Name and points of a curve.
type Curve = (String, Vec<(f64, f64)>);

/// What a map shows, as Python asks for it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct MapArguments {
    x: Option<String>,
    y: Option<String>,
    color: Option<String>,
    at: Vec<(String, f64)>,
    log: bool,
    contours: Option<Vec<f64>>,
    /// Names and points of curves.
    lines: Vec<Curve>,
}

/// A map: its report, and its points: two coordinates, the value, and whether the point failed.
type Map = (Analysis, Table);

/// The map with its curves, in the hands of Python.
fn map(py: Python<'_>, map: ResultMap, lines: Vec<Curve>) -> Result<Map, PythonError> {
    let column = |k: usize| map.points.iter().map(|point| point.at[k]).collect();
    let values = map.points.iter().map(|point| point.value.unwrap_or(f64::NAN)).collect();
    let failed = map.points.iter().map(|point| f64::from(u8::from(point.failed))).collect();
    let columns = [("x", column(0)), ("y", column(1)), ("value", values), ("failed", failed)];
    let columns = columns.map(|(name, values)| (name.to_owned(), String::new(), ColumnData::Numbers(values)));
    let table = Table::new(py, columns.into())?;
    let report = lines.into_iter().fold(MapReport::new(map), |map, (name, points)| map.with_line(name, points));
    Ok((Analysis::new(report), table))
}

impl MapArguments {
    fn split(self) -> (MapRequest, Vec<Curve>) {
        let Self { x, y, color, at, log, contours, lines } = self;
        (MapRequest { x, y, color, at, log, contours }, lines)
    }
}

/// The map of a table in a file, also of a sweep that still runs.
#[pyfunction]
pub fn map_of_file(py: Python<'_>, path: PathBuf, arguments: MapArguments) -> Result<Map, PythonError> {
    let (request, lines) = arguments.split();
    let found = in_background(py, move |_| ResultMap::read(&path, &request))??;
    map(py, found, lines)
}

/// The map of a table in memory, whose first columns after the index were varied, with the facts of its sweep.
#[pyfunction]
pub fn map_of_table(
    py: Python<'_>,
    table: &Table,
    axes: usize,
    facts: Vec<(String, String)>,
    arguments: MapArguments,
) -> Result<Map, PythonError> {
    let (request, lines) = arguments.split();
    let names = table.names();
    let inner = names.get(1..names.len().saturating_sub(1)).unwrap_or_default();
    let columns = inner.iter().map(|name| table.numbers(py, name)).collect::<Result<Vec<_>, _>>()?;
    let errors: Vec<String> = table.__getitem__(py, "error")?.extract(py)?;
    let head =
        |name: &&str| ColumnHeader { name: (*name).to_owned(), unit: table.unit(name).unwrap_or_default().to_owned() };
    let (varied, measured) = inner.split_at(axes.min(inner.len()));
    let heads =
        ResultHeader { axes: varied.iter().map(head).collect(), measures: measured.iter().map(head).collect(), facts };
    let axes = varied.len();
    let row = |(k, error): (usize, String)| ResultRow {
        index: k as u64,
        values: columns[..axes].iter().map(|column| column[k]).collect(),
        found: columns[axes..].iter().map(|column| Some(column[k]).filter(|x| !x.is_nan())).collect(),
        error: Some(error).filter(|error| !error.is_empty()),
    };
    let rows: Vec<ResultRow> = errors.into_iter().enumerate().map(row).collect();
    let found = in_background(py, move |_| ResultMap::of_rows(&heads, &rows, &request))??;
    map(py, found, lines)
}
