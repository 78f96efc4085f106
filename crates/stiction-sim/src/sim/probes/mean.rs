//! Means over time, by Gauss–Legendre quadrature in each step.
use super::step_view::{GAUSS_LEGENDRE, StepView};

/// The mean of a column, or of its square.
pub(super) struct Mean {
    pub column: usize,
    square: bool,
    from: f64,
    to: f64,
    sum: f64,
    time: f64,
}

impl Mean {
    pub fn new(column: usize, square: bool, (from, to): (f64, f64)) -> Self {
        Self { column, square, from, to, sum: 0.0, time: 0.0 }
    }
    pub fn look(&mut self, span: &mut StepView<'_>) {
        let Some((lo, hi)) = span.part(self.from, self.to) else { return };
        let time = span.time(hi) - span.time(lo);
        let values = span.gauss((lo, hi), self.column);
        let term = |(y, [_, weight]): (f64, [f64; 2])| weight * if self.square { y * y } else { y };
        self.sum += time * values.into_iter().zip(GAUSS_LEGENDRE).map(term).sum::<f64>();
        self.time += time;
    }
    pub fn answer(&self) -> Option<f64> {
        let mean = (self.time > 0.0).then(|| self.sum / self.time)?;
        Some(if self.square { mean.sqrt() } else { mean })
    }
}
