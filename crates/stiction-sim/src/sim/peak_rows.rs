//! Rows at peaks between the rows of a trace: a fast swing between two sample times, or the top of a pulse, would otherwise be
//! missing from the trace and its pictures.
//!
//! Between two rows the highest and the lowest value of each chosen column is kept with its row. It is written if it lies
//! outside the values of both rows by more than a thousandth of the range of the column so far, which is about what a picture
//! can show. A curve that the rows resolve therefore gets no further rows: a sinusoid with fifty rows in a period exceeds them
//! by (π/50)²/2 of its amplitude, a thousandth of its range.
use super::root_finding::NODES;
use super::{Event, Observer};

/// Smallest height of a peak above both neighbouring rows, as a share of the range of its column.
const MIN_HEIGHT: f64 = 1e-3;
/// Most columns that are watched. For more, time and memory of the watch would exceed those of the run.
const MAX_COLUMNS: usize = 64;

/// An observer, and the peaks since the last row that it received.
pub(super) struct PeakRows<'a> {
    observer: &'a mut dyn Observer,
    columns: Vec<WatchedColumn>,
    /// The last row that was written.
    last: Vec<f64>,
    /// Rows at the sample points of a part of a step.
    nodes: [Vec<f64>; 5],
    trial: Vec<f64>,
}

/// A column, its range so far, and its highest and lowest value since the last row.
struct WatchedColumn {
    index: usize,
    range: [f64; 2],
    /// Rows; empty if there is none.
    highest: Vec<f64>,
    lowest: Vec<f64>,
}

impl<'a> PeakRows<'a> {
    pub fn new(observer: &'a mut dyn Observer) -> Self {
        let mut chosen = observer.peak_columns();
        chosen.truncate(MAX_COLUMNS);
        let watched = |index| WatchedColumn {
            index,
            range: [f64::INFINITY, f64::NEG_INFINITY],
            highest: Vec::new(),
            lowest: Vec::new(),
        };
        let columns = chosen.into_iter().map(watched).collect();
        Self { observer, columns, last: Vec::new(), nodes: Default::default(), trial: Vec::new() }
    }
    /// Whether steps are to be shown to [`PeakRows::look`].
    pub fn is_on(&self) -> bool {
        !self.columns.is_empty()
    }
    /// Watches nothing from now on.
    pub fn forget_columns(&mut self) {
        self.columns.clear();
    }
    /// Looks at a part of a step, from `lo` to `hi`; `fill` gives the row at a fraction of the step.
    pub fn look(&mut self, (lo, hi): (f64, f64), mut fill: impl FnMut(f64, &mut Vec<f64>)) {
        if lo >= hi {
            return;
        }
        let place = |x: f64| lo + (hi - lo) * x;
        for (row, x) in self.nodes.iter_mut().zip(NODES) {
            fill(place(x), row);
        }
        for column in &mut self.columns {
            let i = column.index;
            let values = [0, 1, 2, 3, 4].map(|k: usize| self.nodes[k][i]);
            if !values.iter().all(|x| x.is_finite()) {
                continue;
            }
            for sign in [1.0, -1.0] {
                let kept = if sign > 0.0 { &mut column.highest } else { &mut column.lowest };
                let best = kept.get(i).map_or(f64::NEG_INFINITY, |x| sign * x);
                let (mut top, mut at) = (f64::NEG_INFINITY, 0);
                for (k, x) in values.iter().enumerate() {
                    if sign * x > top {
                        (top, at) = (sign * x, k);
                    }
                }
                if top > best {
                    kept.clone_from(&self.nodes[at]);
                }
                // the vertex of the parabola through the highest sample and its neighbours
                let Some([a, b, c]) = (1..4).contains(&at).then(|| [at - 1, at, at + 1].map(|k| sign * values[k]))
                else {
                    continue;
                };
                let bend = a - 2.0 * b + c;
                if bend < 0.0 && b - 0.125 * (a - c) * (a - c) / bend > best {
                    fill(place(NODES[at] + 0.25 * 0.5 * (a - c) / bend), &mut self.trial);
                    if sign * self.trial[i] > top.max(best) {
                        kept.clone_from(&self.trial);
                    }
                }
            }
        }
    }
    /// Passes a row on, after the peaks since the last one.
    pub fn row(&mut self, row: &[f64]) {
        if self.is_on() {
            self.write_peaks(row);
        }
        self.observer.row(row);
    }
    fn write_peaks(&mut self, next: &[f64]) {
        let mut found: Vec<Vec<f64>> = Vec::new();
        for column in &mut self.columns {
            let i = column.index;
            for x in [&column.highest, &column.lowest].into_iter().filter_map(|row| row.get(i)).chain([&next[i]]) {
                column.range = [column.range[0].min(*x), column.range[1].max(*x)];
            }
            let [low, high] = column.range;
            // and above the rounding of a column that is constant
            let height = (MIN_HEIGHT * (high - low)).max(1e-12 * high.abs().max(low.abs()));
            let ends = [self.last.get(i).copied().unwrap_or(next[i]), next[i]];
            for (sign, kept) in [(1.0, &mut column.highest), (-1.0, &mut column.lowest)] {
                let kept = std::mem::take(kept);
                if let Some(x) = kept.get(i)
                    && ends.iter().all(|end| sign * (x - end) > height)
                {
                    found.push(kept);
                }
            }
        }
        found.sort_by(|a, b| a[0].total_cmp(&b[0]));
        // columns that are functions of one another have their peaks together
        let together = 1e-6 * (next[0] - self.last.first().unwrap_or(&next[0]));
        found.dedup_by(|later, earlier| later[0] - earlier[0] <= together);
        for row in found.iter().filter(|row| row[0] < next[0]) {
            self.observer.row(row);
        }
        self.last.clear();
        self.last.extend_from_slice(next);
    }
    pub fn event(&mut self, event: &Event) {
        self.observer.event(event);
    }
    pub fn should_continue(&mut self, t: f64) -> bool {
        self.observer.should_continue(t)
    }
}
