//! A heat map over two axes.
use super::{Axis, Scale};

/// A heat map: values over a grid as colours of increasing lightness, with contour lines and a colour bar.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// The axis of the colours; its limits are those of the colour bar.
    pub z: Axis,
    /// x of the columns, increasing.
    pub x: Vec<f64>,
    /// y of the rows, increasing.
    pub y: Vec<f64>,
    /// A row for each y, with a value for each x. Missing values and values that are not finite are blank.
    pub values: Vec<Vec<f64>>,
    /// Values of the contour lines; `None`: those of the ticks of the colour bar.
    pub contours: Option<Vec<f64>>,
    /// Columns and rows of cells that failed; they are hatched to tell them from blank ones.
    pub failed: Vec<(usize, usize)>,
}

impl HeatMap {
    /// A heat map of values given row by row.
    pub fn new(z: Axis, x: impl Into<Vec<f64>>, y: impl Into<Vec<f64>>, values: impl Into<Vec<Vec<f64>>>) -> Self {
        Self { z, x: x.into(), y: y.into(), values: values.into(), contours: None, failed: Vec::new() }
    }
    /// Draws contour lines at these values only; without values none.
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

/// The edges of cells around these coordinates: half-way between neighbours on the scale of the axis.
pub fn edges(at: &[f64], scale: Scale) -> Vec<f64> {
    let outer = |x: f64| if scale == Scale::Log { x.exp() } else { x };
    let at: Vec<f64> = at.iter().map(|x| if scale == Scale::Log { x.ln() } else { *x }).collect();
    let [first, .., last] = at[..] else {
        // a single row or column has no neighbour
        return at.iter().flat_map(|x| [x - 0.5, x + 0.5]).map(outer).collect();
    };
    let n = at.len();
    let start = first - 0.5 * (at[1] - first);
    let end = last + 0.5 * (last - at[n - 2]);
    let middle = at.windows(2).map(|pair| f64::midpoint(pair[0], pair[1]));
    [start].into_iter().chain(middle).chain([end]).map(outer).collect()
}
