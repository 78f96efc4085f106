//! The data of a map of a result: two columns as axes and a third as colour. `map_plot.rs` draws it.
use super::file::Reader;
use super::map_columns::{HINT, color_program, find_column, fixed_values};
use super::{Distribution, ResultHeader, ResultRow, SweepError};
use crate::Error;
use crate::FileError;
use crate::table::ColumnHeader;
use std::io;
use std::path::Path;

/// What to show.
#[derive(Clone, Debug, Default)]
pub struct MapRequest {
    /// Column of the horizontal axis; none: the first varied one.
    pub x: Option<String>,
    /// Column of the vertical axis; none: the second varied one.
    pub y: Option<String>,
    /// Column shown as colour, or an expression of columns; none: the first measure.
    pub color: Option<String>,
    /// Values of other varied columns; the nearest value in the result is used.
    pub at: Vec<(String, f64)>,
    /// Whether the colour scale is logarithmic.
    pub log: bool,
    /// Levels of the contour lines; none: the numbers on the colour bar.
    pub contours: Option<Vec<f64>>,
}

/// An axis or the colour scale of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapAxis {
    /// Name and unit.
    pub label: String,
    /// Whether it is logarithmic.
    pub log: bool,
}

/// A point of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapPoint {
    /// Coordinates.
    pub at: [f64; 2],
    /// Value; none if the point failed or the measure has no value there.
    pub value: Option<f64>,
    /// Whether the simulation of the point failed.
    pub failed: bool,
}

/// A map of a result.
#[derive(Clone, Debug)]
pub struct ResultMap {
    /// The two axes, and the colour scale.
    pub axes: [MapAxis; 3],
    /// Title of the scenario; empty if the file does not have it.
    pub title: String,
    /// The points.
    pub points: Vec<MapPoint>,
    /// The chosen values of other varied columns.
    pub chosen: Vec<(String, f64)>,
    /// The sorted coordinates of the points, if they form a grid.
    pub(super) grid: Option<[Vec<f64>; 2]>,
    /// Whether one column was varied, so that the map is a curve of the value over it.
    curve: bool,
    pub(super) contours: Option<Vec<f64>>,
}

/// A result that is read several times.
pub(super) struct RowSource<'a> {
    pub(super) open: &'a dyn Fn() -> Result<Reader, Error>,
    /// Its file, for messages.
    path: &'a Path,
}

impl RowSource<'_> {
    /// A row, or the error of the file.
    pub(super) fn row(&self, row: io::Result<ResultRow>) -> Result<ResultRow, Error> {
        row.map_err(|io| Error::File(FileError { path: self.path.to_owned(), action: "read", io }))
    }
}

impl ResultMap {
    /// Reads a result, or the finished part of it while the sweep runs.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::UnknownName`] or [`Error::Sweep`] if it does not have a requested column.
    pub fn read(path: &Path, request: &MapRequest) -> Result<Self, Error> {
        Self::of(&RowSource { open: &|| Reader::open_unfinished(path), path }, request)
    }
    /// The map of a result in memory.
    ///
    /// # Errors
    /// As [`ResultMap::read`].
    pub fn of_rows(heads: &ResultHeader, rows: &[ResultRow], request: &MapRequest) -> Result<Self, Error> {
        let open = || Ok(Reader::of_rows(heads.clone(), rows.to_vec()));
        Self::of(&RowSource { open: &open, path: Path::new("") }, request)
    }
    fn of(source: &RowSource<'_>, request: &MapRequest) -> Result<Self, Error> {
        let reader = (source.open)()?;
        let heads = reader.heads.clone();
        let all: Vec<&ColumnHeader> = heads.columns().collect();
        let names: Vec<&str> = all.iter().map(|head| head.name.as_str()).collect();
        let place = |requested: &Option<String>, k: usize, what: &'static str| match requested {
            Some(name) => find_column(name, &names),
            None if k < names.len() => Ok(k),
            None => {
                Err(SweepError::Map { why: format!("there is no column for {what}"), hint: HINT.to_owned() }.into())
            }
        };
        let x = place(&request.x, 0, "x")?;
        // a CSV file does not say what was varied and what was measured
        let measured = if heads.axes.is_empty() { varied(source, names.len())? } else { heads.axes.len() };
        let request = &curve_request(request, &names, measured)?;
        let curve = measured == 1 && request.y.is_none();
        let y = if curve { x } else { place(&request.y, if x == 1 { 0 } else { 1 }, "y")? };
        if x == y && !curve {
            let why = format!("x and y are both '{}'", names[x]);
            return Err(SweepError::Map { why, hint: HINT.to_owned() }.into());
        }
        let (color, label) = color_program(request, &all, &names, measured)?;
        let fixed = fixed_values(source, &heads, &names, [x, y], request)?;
        let mut points = Vec::new();
        for row in reader {
            let row = source.row(row)?;
            let value = |k: usize| match k.checked_sub(row.values.len()) {
                None => Some(row.values[k]),
                Some(k) => row.found.get(k).copied().flatten(),
            };
            if fixed.iter().any(|&(k, wanted)| value(k) != Some(wanted)) {
                continue;
            }
            let (Some(a), Some(b)) = (value(x), value(y)) else { continue };
            let inputs: Option<Vec<f64>> = color.columns.iter().map(|&k| value(k)).collect();
            let z = inputs.and_then(|inputs| {
                let columns: Vec<&[f64]> = inputs.iter().map(std::slice::from_ref).collect();
                let mut out = Vec::new();
                color.evaluate(&columns, &mut out);
                out.first().copied().filter(|z| z.is_finite())
            });
            points.push(MapPoint { at: [a, b], value: z, failed: row.error.is_some() });
        }
        if points.is_empty() {
            let why = "there are no points to show".to_owned();
            return Err(SweepError::Map { why, hint: HINT.to_owned() }.into());
        }
        let grid = grid(&points);
        if let (false, Some([xs, ys])) = (curve, &grid)
            && points.len() > xs.len() * ys.len()
        {
            let why = format!("there are several points at the same {} and {}", names[x], names[y]);
            let hint = "choose values of the other columns with --at NAME=VALUE".to_owned();
            return Err(SweepError::Map { why, hint }.into());
        }
        let axis = |k: usize, sorted: Option<&Vec<f64>>| {
            let log = is_log(&heads, names[k]).unwrap_or_else(|| sorted.is_some_and(|at| is_geometric(at)));
            MapAxis { label: all[k].to_string(), log }
        };
        let axes = [
            axis(x, grid.as_ref().map(|grid| &grid[0])),
            axis(y, grid.as_ref().map(|grid| &grid[1])),
            MapAxis { label, log: request.log },
        ];
        let title = heads.fact("title").unwrap_or("").to_owned();
        let chosen = fixed.iter().map(|&(k, value)| (all[k].to_string(), value)).collect();
        Ok(Self { axes, title, points, chosen, grid, curve, contours: request.contours.clone() })
    }
    /// Number of points whose simulation failed.
    pub fn failed(&self) -> usize {
        self.points.iter().filter(|point| point.failed).count()
    }
    /// Smallest and largest value.
    pub fn range(&self) -> Option<(f64, f64)> {
        let values = self.points.iter().filter_map(|point| point.value);
        values.map(|z| (z, z)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }
    /// The points as a curve, sorted, if one column was varied.
    pub fn curve(&self) -> Option<Vec<(f64, f64)>> {
        let mut line: Vec<(f64, f64)> =
            self.points.iter().map(|point| (point.at[0], point.value.unwrap_or(f64::NAN))).collect();
        line.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.curve.then_some(line)
    }
    /// Whether the points form a grid.
    pub fn is_grid(&self) -> bool {
        self.grid.is_some()
    }
}

/// In a sweep of one value, a measured column as y is the value of the curve.
fn curve_request(request: &MapRequest, names: &[&str], measured: usize) -> Result<MapRequest, Error> {
    let Some(name) = request.y.as_ref().filter(|_| measured == 1) else { return Ok(request.clone()) };
    let k = find_column(name, names)?;
    if k < measured {
        return Ok(request.clone());
    }
    if request.color.is_some() {
        let why = format!("{} was measured, not varied, so it is no axis of a map", names[k]);
        let hint = format!("one value was varied: without --color, --y {} draws a curve over it", names[k]);
        return Err(SweepError::Map { why, hint }.into());
    }
    Ok(MapRequest { y: None, color: Some(names[k].to_owned()), ..request.clone() })
}

/// Number of varied columns of a file that does not record it: one if the first column increases or decreases throughout
/// while the second changes; otherwise two.
fn varied(source: &RowSource<'_>, columns: usize) -> Result<usize, Error> {
    if columns <= 2 {
        return Ok(1);
    }
    let mut last: Option<[f64; 2]> = None;
    let (mut up, mut down, mut second) = (true, true, false);
    for row in (source.open)()? {
        let row = source.row(row)?;
        let [a, b] = [0, 1].map(|k| row.found.get(k).copied().flatten().unwrap_or(f64::NAN));
        if let Some([before, other]) = last {
            (up, down, second) = (up && a > before, down && a < before, second || b != other);
        }
        if !up && !down {
            return Ok(2);
        }
        last = Some([a, b]);
    }
    Ok(if second { 1 } else { 2 })
}

/// The coordinates of points that form a grid, of which some may still be missing.
fn grid(points: &[MapPoint]) -> Option<[Vec<f64>; 2]> {
    let along = |d: usize| {
        let mut all: Vec<f64> = points.iter().map(|point| point.at[d]).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    };
    let (xs, ys) = (along(0), along(1));
    // random points have nearly all different coordinates
    (xs.len() * ys.len() <= 4 * points.len().max(4)).then_some([xs, ys])
}

/// Whether the values of a column are spaced logarithmically, if the file records it; of a list the values themselves tell.
fn is_log(heads: &ResultHeader, name: &str) -> Option<bool> {
    let (_, values) = heads.fact(&format!("axis.{name}"))?.rsplit_once('=')?;
    match Distribution::parse(values).ok()? {
        Distribution::List(_) => None,
        spread => Some(spread.is_log()),
    }
}

/// Whether values are spaced by equal factors rather than equal steps.
fn is_geometric(at: &[f64]) -> bool {
    let [a, .., z] = at[..] else { return false };
    let n = at.len() - 1;
    let even = (z / a).powf(1.0 / n as f64);
    at.len() > 2 && a > 0.0 && z > 2.0 * a && at.windows(2).all(|pair| (pair[1] / pair[0] / even - 1.0).abs() < 1e-6)
}
