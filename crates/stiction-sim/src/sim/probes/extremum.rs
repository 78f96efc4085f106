//! The largest or smallest value of a column, also within steps.
use super::step_view::StepView;
use crate::sim::root_finding::NODES;

/// The largest value of `sign` times the column.
pub(super) struct Extremum {
    pub column: usize,
    pub sign: f64,
    pub from: f64,
    pub to: f64,
    pub show: usize,
    best: Option<f64>,
    shown: f64,
}

impl Extremum {
    pub fn new(column: usize, sign: f64, (from, to): (f64, f64), show: usize) -> Self {
        Self { column, sign, from, to, show, best: None, shown: 0.0 }
    }
    pub fn begin(&mut self, row: &[f64]) {
        if self.from <= row[0] {
            (self.best, self.shown) = (Some(self.sign * row[self.column]), row[self.show]);
        }
    }
    pub fn look(&mut self, span: &mut StepView<'_>) {
        let Some((lo, hi)) = span.part(self.from, self.to) else { return };
        let values = span.nodes((lo, hi), self.column).map(|x| self.sign * x);
        let known = self.best.unwrap_or(f64::NEG_INFINITY);
        let mut get = |node: f64| self.sign * span.value(lo + (hi - lo) * node, self.column);
        let (place, most) = peak(values, known, &mut get);
        if self.best.is_none() || most > known {
            self.best = Some(most);
            self.shown = span.value(lo + (hi - lo) * place, self.show);
        }
    }
    /// The value itself.
    pub fn most(&self) -> Option<f64> {
        self.best.map(|x| self.sign * x)
    }
    /// The value of the column to show at that time.
    pub fn shown(&self) -> Option<f64> {
        if self.show == self.column { self.most() } else { self.best.map(|_| self.shown) }
    }
}

/// The largest value within a step, from values at the five sample points: the best sample, improved by successive parabolic
/// interpolation through its neighbours.
fn peak(values: [f64; 5], known: f64, get: &mut impl FnMut(f64) -> f64) -> (f64, f64) {
    let mut top = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let at = values.iter().position(|&x| x == top).unwrap_or(0);
    let mut place = NODES[at];
    // a peak near an end of the step lies between the first or last three samples
    let at = at.clamp(1, 3);
    let (mut a, mut b, mut c) = (NODES[at - 1], NODES[at], NODES[at + 1]);
    let (mut fa, mut fb, mut fc) = (values[at - 1], values[at], values[at + 1]);
    let spread = (top - values.iter().copied().fold(f64::INFINITY, f64::min)).max(0.0);
    if top + spread <= known {
        return (place, top);
    }
    for _ in 0..12 {
        let (p, q) = ((b - a) * (fb - fc), (b - c) * (fb - fa));
        let x = b - 0.5 * ((b - a) * p - (b - c) * q) / (p - q);
        if !(x > a && x < c) || (x - b).abs() < 1e-9 {
            break;
        }
        let fx = get(x);
        let gained = fx - fb;
        if fx > top {
            (place, top) = (x, fx);
        }
        match (x < b, fx > fb) {
            (true, true) => (c, fc, b, fb) = (b, fb, x, fx),
            (true, false) => (a, fa) = (x, fx),
            (false, true) => (a, fa, b, fb) = (b, fb, x, fx),
            (false, false) => (c, fc) = (x, fx),
        }
        if gained.abs() <= 1e-15 * top.abs() {
            break;
        }
    }
    (place, top)
}
