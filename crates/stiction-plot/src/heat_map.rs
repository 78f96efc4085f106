//! A map in colours over two axes.
use super::{Axis, Scale};

/// Values over a grid, as colours that also rise in grey, with lines of equal value and a bar that explains the colours.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// What the colours show; its limits are those of the colours.
    pub z: Axis,
    /// Columns of the grid; they rise.
    pub x: Vec<f64>,
    /// Rows of the grid; they rise.
    pub y: Vec<f64>,
    /// A row for each y, with a value for each x. What is missing or not finite stays blank.
    pub values: Vec<Vec<f64>>,
    /// Values at which lines are drawn; none given: those that the bar names.
    pub contours: Option<Vec<f64>>,
    /// Columns and rows of what failed: hatched, so that it is told from what is blank.
    pub failed: Vec<(usize, usize)>,
}

impl HeatMap {
    /// A map of values given row by row.
    pub fn new(z: Axis, x: impl Into<Vec<f64>>, y: impl Into<Vec<f64>>, values: impl Into<Vec<Vec<f64>>>) -> Self {
        Self { z, x: x.into(), y: y.into(), values: values.into(), contours: None, failed: Vec::new() }
    }
    /// Draws lines at these values only; at none, no lines.
    #[must_use]
    pub fn contours(mut self, levels: impl Into<Vec<f64>>) -> Self {
        self.contours = Some(levels.into());
        self
    }
    /// Hatches these columns and rows.
    #[must_use]
    pub fn failed(mut self, cells: impl Into<Vec<(usize, usize)>>) -> Self {
        self.failed = cells.into();
        self
    }
    /// The value in a column and a row.
    pub(super) fn value(&self, i: usize, j: usize) -> f64 {
        self.values.get(j).and_then(|row| row.get(i)).copied().unwrap_or(f64::NAN)
    }
    pub(super) fn all(&self) -> impl Iterator<Item = f64> {
        self.values.iter().flatten().copied()
    }
    /// The outer edges of the cells.
    pub(super) fn span_x(&self, scale: Scale) -> impl Iterator<Item = f64> + use<> {
        ends(edges(&self.x, scale))
    }
    pub(super) fn span_y(&self, scale: Scale) -> impl Iterator<Item = f64> + use<> {
        ends(edges(&self.y, scale))
    }
}

fn ends(edges: Vec<f64>) -> impl Iterator<Item = f64> {
    let ends = [edges.first().copied(), edges.last().copied()];
    ends.into_iter().flatten()
}

/// The edges of cells around these places: half way between neighbours as the axis has it.
pub fn edges(at: &[f64], scale: Scale) -> Vec<f64> {
    let outer = |x: f64| if scale == Scale::Log { x.exp() } else { x };
    let at: Vec<f64> = at.iter().map(|x| if scale == Scale::Log { x.ln() } else { *x }).collect();
    let [first, .., last] = at[..] else {
        // a single row or column has no neighbour to share with
        return at.iter().flat_map(|x| [x - 0.5, x + 0.5]).map(outer).collect();
    };
    let n = at.len();
    let start = first - 0.5 * (at[1] - first);
    let end = last + 0.5 * (last - at[n - 2]);
    let middle = at.windows(2).map(|pair| f64::midpoint(pair[0], pair[1]));
    [start].into_iter().chain(middle).chain([end]).map(outer).collect()
}
