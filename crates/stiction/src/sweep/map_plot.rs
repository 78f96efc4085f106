//! Draws the map of a result.
use super::nearest_neighbours::NearestNeighbours;
use super::result_map::{MapAxis, MapPoint, ResultMap};
use crate::plot::{Axis, HeatMap, Panel};

fn axis(axis: &MapAxis) -> Axis {
    if axis.log { Axis::log(axis.label.clone()) } else { Axis::linear(axis.label.clone()) }
}

impl ResultMap {
    /// The map as a panel: the cells of a grid with contour lines; for scattered points the value of the nearest point; for one
    /// varied column a curve.
    pub fn panel(&self) -> Panel {
        let [x, y, z] = self.axes.each_ref().map(axis);
        if let Some(line) = self.curve() {
            return Panel::new(x, z).line("", line);
        }
        let panel = Panel::new(x, y);
        let heat = match &self.grid {
            Some([xs, ys]) => self.cells(z, xs, ys),
            None => self.nearest(z),
        };
        let dots = self.points.iter().map(|point| (point.at[0], point.at[1]));
        let panel = if self.grid.is_none() && self.points.len() <= 400 { panel.cloud("", dots) } else { panel };
        panel.heat_map(heat)
    }
    fn cells(&self, z: Axis, xs: &[f64], ys: &[f64]) -> HeatMap {
        let mut values = vec![vec![f64::NAN; xs.len()]; ys.len()];
        let mut failed = Vec::new();
        for MapPoint { at, value, failed: bad } in &self.points {
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
            let values = self.points.iter().map(|point| self.on_axis(d, point.at[d]));
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| (lo.min(x), hi.max(x)))
        });
        let width = |d: usize| (spans[d].1 - spans[d].0).max(f64::MIN_POSITIVE);
        let square = |point: &MapPoint| std::array::from_fn(|d| (self.on_axis(d, point.at[d]) - spans[d].0) / width(d));
        let places: Vec<[f64; 2]> = self.points.iter().map(square).collect();
        let scatter = NearestNeighbours::new(&places);
        let n = scatter.cells();
        let middle = |k: usize| (k as f64 + 0.5) / n as f64;
        let mut failed = Vec::new();
        let mut row = |j: usize| -> Vec<f64> {
            let mut value = |i: usize| {
                let point = scatter.nearest([middle(i), middle(j)]).map(|k| &self.points[k]);
                if point.is_some_and(|point| point.failed) {
                    failed.push((i, j));
                }
                point.and_then(|point| point.value).unwrap_or(f64::NAN)
            };
            (0..n).map(&mut value).collect()
        };
        let values: Vec<Vec<f64>> = (0..n).map(&mut row).collect();
        let along = |d: usize| -> Vec<f64> {
            let outer = |x: f64| if self.axes[d].log { x.exp() } else { x };
            (0..n).map(|k| outer(spans[d].0 + middle(k) * width(d))).collect()
        };
        HeatMap::new(z, along(0), along(1), values).failed(failed).contours(self.contours.clone().unwrap_or_default())
    }
    /// A value on its axis: the logarithm, if the axis is logarithmic.
    fn on_axis(&self, d: usize, x: f64) -> f64 {
        if self.axes[d].log { x.ln() } else { x }
    }
}
