//! A result as a map: two columns across, one in colours.
use super::file::Reader;
use super::map_columns::{HINT, color_program, find_column, fixed_values};
use super::nearest_neighbours::NearestNeighbours;
use super::{Distribution, ResultHeader, SweepError};
use crate::FileError;
use crate::plot::{Axis, HeatMap, Panel};
use crate::table::ColumnHeader;
use crate::{Error, plot::Scale};
use std::path::Path;

/// What to show.
#[derive(Clone, Debug, Default)]
pub struct MapRequest {
    /// Column across; none: the first that was varied.
    pub x: Option<String>,
    /// Column upwards; none: the second that was varied.
    pub y: Option<String>,
    /// Column in colours, or an expression of columns; none: the first that was measured.
    pub color: Option<String>,
    /// Values of other columns that were varied: the nearest is taken.
    pub at: Vec<(String, f64)>,
    /// Colours by decades.
    pub log: bool,
    /// Lines of equal value at these; none: where the bar has numbers.
    pub contours: Option<Vec<f64>>,
}

/// A map of a result.
#[derive(Clone, Debug)]
pub struct ResultMap {
    /// The axes, and what the colours show.
    pub axes: [Axis; 3],
    /// What the scenario shows, on one line; empty if the file does not say.
    pub title: String,
    /// The places, their value, and whether they failed.
    pub points: Vec<([f64; 2], Option<f64>, bool)>,
    /// Values of other columns that were chosen.
    pub chosen: Vec<(String, f64)>,
    grid: Option<[Vec<f64>; 2]>,
    /// One column was varied: a curve, whose height is the value.
    curve: bool,
    contours: Option<Vec<f64>>,
}

impl ResultMap {
    /// Reads a result, or what there is of it while the sweep runs.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::UnknownName`] or [`Error::Sweep`] if it does not have what is asked for.
    pub fn read(path: &Path, request: &MapRequest) -> Result<Self, Error> {
        let reader = Reader::open_unfinished(path)?;
        let heads = reader.heads.clone();
        let all: Vec<&ColumnHeader> = heads.columns().collect();
        let names: Vec<&str> = all.iter().map(|head| head.name.as_str()).collect();
        let place = |asked: &Option<String>, k: usize, what: &'static str| match asked {
            Some(name) => find_column(name, &names),
            None if k < names.len() => Ok(k),
            None => {
                Err(SweepError::Map { why: format!("there is no column for {what}"), hint: HINT.to_owned() }.into())
            }
        };
        let x = place(&request.x, 0, "x")?;
        // a CSV file does not say what was varied and what was measured
        let measured = if heads.axes.is_empty() { varied(path, names.len())? } else { heads.axes.len() };
        let curve = measured == 1 && request.y.is_none();
        let y = if curve { x } else { place(&request.y, if x == 1 { 0 } else { 1 }, "y")? };
        if x == y && !curve {
            let why = format!("x and y are both '{}'", names[x]);
            return Err(SweepError::Map { why, hint: HINT.to_owned() }.into());
        }
        let (color, label) = color_program(request, &all, &names, measured)?;
        let fixed = fixed_values(path, &heads, &names, [x, y], request)?;
        let mut points = Vec::new();
        for row in reader {
            let row = row.map_err(|io| Error::File(FileError { path: path.to_owned(), action: "read", io }))?;
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
            points.push(([a, b], z, row.error.is_some()));
        }
        if points.is_empty() {
            let why = "there are no points to show".to_owned();
            return Err(SweepError::Map { why, hint: HINT.to_owned() }.into());
        }
        let grid = grid(&points);
        if let (false, Some([xs, ys])) = (curve, &grid)
            && points.len() > xs.len() * ys.len()
        {
            let why = format!("there are several points at one place of {} and {}", names[x], names[y]);
            let hint = "choose values of the other columns with --at NAME=VALUE".to_owned();
            return Err(SweepError::Map { why, hint }.into());
        }
        let axis = |k: usize, sorted: Option<&Vec<f64>>| {
            let log = is_log(&heads, names[k]).unwrap_or_else(|| sorted.is_some_and(|at| by_factors(at)));
            if log { Axis::log(all[k].to_string()) } else { Axis::linear(all[k].to_string()) }
        };
        let axes = [
            axis(x, grid.as_ref().map(|grid| &grid[0])),
            axis(y, grid.as_ref().map(|grid| &grid[1])),
            if request.log { Axis::log(label) } else { Axis::linear(label) },
        ];
        let title = heads.fact("title").unwrap_or("").to_owned();
        let chosen = fixed.iter().map(|&(k, value)| (all[k].to_string(), value)).collect();
        Ok(Self { axes, title, points, chosen, grid, curve, contours: request.contours.clone() })
    }
    /// How many points failed.
    pub fn failed(&self) -> usize {
        self.points.iter().filter(|point| point.2).count()
    }
    /// Least and largest value.
    pub fn range(&self) -> Option<(f64, f64)> {
        let values = self.points.iter().filter_map(|point| point.1);
        values.map(|z| (z, z)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }
    /// The points of a curve in order, if one column was varied.
    pub fn curve(&self) -> Option<Vec<(f64, f64)>> {
        let mut line: Vec<(f64, f64)> =
            self.points.iter().map(|point| (point.0[0], point.1.unwrap_or(f64::NAN))).collect();
        line.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.curve.then_some(line)
    }
    /// Whether the points make a grid.
    pub fn is_grid(&self) -> bool {
        self.grid.is_some()
    }
    /// The picture: cells of a grid with lines of equal value, or what is nearest to each of scattered points; of a single
    /// column that was varied, a curve.
    pub fn panel(&self) -> Panel {
        let [x, y, z] = self.axes.clone();
        if let Some(line) = self.curve() {
            return Panel::new(x, z).line("", line);
        }
        let panel = Panel::new(x, y);
        let heat = match &self.grid {
            Some([xs, ys]) => self.cells(z, xs, ys),
            None => self.nearest(z),
        };
        let dots = self.points.iter().map(|point| (point.0[0], point.0[1]));
        let panel = if self.grid.is_none() && self.points.len() <= 400 { panel.cloud("", dots) } else { panel };
        panel.heat_map(heat)
    }
    fn cells(&self, z: Axis, xs: &[f64], ys: &[f64]) -> HeatMap {
        let mut values = vec![vec![f64::NAN; xs.len()]; ys.len()];
        let mut failed = Vec::new();
        for (at, value, bad) in &self.points {
            let place = |all: &[f64], x: f64| all.binary_search_by(|other| other.total_cmp(&x)).ok();
            let (Some(i), Some(j)) = (place(xs, at[0]), place(ys, at[1])) else { continue };
            values[j][i] = value.unwrap_or(f64::NAN);
            if *bad {
                failed.push((i, j));
            }
        }
        let heat = HeatMap::new(z, xs, ys, values).failed(failed);
        match &self.contours {
            Some(levels) => heat.contours(levels.clone()),
            None => heat,
        }
    }
    fn nearest(&self, z: Axis) -> HeatMap {
        let spans: [(f64, f64); 2] = std::array::from_fn(|d| {
            let values = self.points.iter().map(|point| self.even(d, point.0[d]));
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| (lo.min(x), hi.max(x)))
        });
        let width = |d: usize| (spans[d].1 - spans[d].0).max(f64::MIN_POSITIVE);
        let square = |point: &([f64; 2], Option<f64>, bool)| {
            std::array::from_fn(|d| (self.even(d, point.0[d]) - spans[d].0) / width(d))
        };
        let places: Vec<[f64; 2]> = self.points.iter().map(square).collect();
        let scatter = NearestNeighbours::new(&places);
        let n = scatter.cells();
        let middle = |k: usize| (k as f64 + 0.5) / n as f64;
        let mut failed = Vec::new();
        let mut row = |j: usize| -> Vec<f64> {
            let mut value = |i: usize| {
                let point = scatter.nearest([middle(i), middle(j)]).map(|k| &self.points[k]);
                if point.is_some_and(|point| point.2) {
                    failed.push((i, j));
                }
                point.and_then(|point| point.1).unwrap_or(f64::NAN)
            };
            (0..n).map(&mut value).collect()
        };
        let values: Vec<Vec<f64>> = (0..n).map(&mut row).collect();
        let along = |d: usize| -> Vec<f64> {
            let outer = |x: f64| if self.axes[d].scale == Scale::Log { x.exp() } else { x };
            (0..n).map(|k| outer(spans[d].0 + middle(k) * width(d))).collect()
        };
        HeatMap::new(z, along(0), along(1), values).failed(failed).contours(self.contours.clone().unwrap_or_default())
    }
    /// A value as its axis divides it evenly.
    fn even(&self, d: usize, x: f64) -> f64 {
        if self.axes[d].scale == Scale::Log { x.ln() } else { x }
    }
}

/// How many columns of a table were varied, where it does not say: one if the first goes up or down all the way, unless the
/// second never changes; else two.
fn varied(path: &Path, columns: usize) -> Result<usize, Error> {
    if columns <= 2 {
        return Ok(1);
    }
    let mut last: Option<[f64; 2]> = None;
    let (mut up, mut down, mut second) = (true, true, false);
    for row in Reader::open_unfinished(path)? {
        let row = row.map_err(|io| Error::File(FileError { path: path.to_owned(), action: "read", io }))?;
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

/// The columns and rows of points that make a grid; some may be missing yet.
fn grid(points: &[([f64; 2], Option<f64>, bool)]) -> Option<[Vec<f64>; 2]> {
    let along = |d: usize| {
        let mut all: Vec<f64> = points.iter().map(|point| point.0[d]).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    };
    let (xs, ys) = (along(0), along(1));
    // of random points nearly every one has a place of its own
    (xs.len() * ys.len() <= 4 * points.len().max(4)).then_some([xs, ys])
}

/// Whether a column goes by factors, if the file says so.
fn is_log(heads: &ResultHeader, name: &str) -> Option<bool> {
    let (_, values) = heads.fact(&format!("axis.{name}"))?.rsplit_once('=')?;
    Distribution::parse(values).ok().map(|spread| spread.is_log())
}

/// Whether values go by equal factors rather than equal steps.
fn by_factors(at: &[f64]) -> bool {
    let [a, .., z] = at[..] else { return false };
    let n = at.len() - 1;
    let even = (z / a).powf(1.0 / n as f64);
    at.len() > 2 && a > 0.0 && z > 2.0 * a && at.windows(2).all(|pair| (pair[1] / pair[0] / even - 1.0).abs() < 1e-6)
}
