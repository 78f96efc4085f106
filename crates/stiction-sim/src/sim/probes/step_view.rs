//! A step as probes see it: rows at any fraction of it.
use crate::sim::root_finding::NODES;

/// Nodes and weights of Gauss–Legendre quadrature on 0..1: exact to degree nine, which covers the square of a quartic.
pub(super) const GAUSS_LEGENDRE: [[f64; 2]; 5] = [
    [0.046_910_077_030_668, 0.118_463_442_528_094_54],
    [0.230_765_344_947_158_45, 0.239_314_335_249_683_24],
    [0.5, 0.284_444_444_444_444_44],
    [0.769_234_655_052_841_5, 0.239_314_335_249_683_24],
    [0.953_089_922_969_332, 0.118_463_442_528_094_54],
];

/// Rows at the five sample points and at the five quadrature nodes; the memory is reused from step to step.
#[derive(Default)]
pub(super) struct StepRows {
    even: SampledRows,
    gauss: SampledRows,
    trial: Vec<f64>,
}

#[derive(Default)]
struct SampledRows {
    rows: [Vec<f64>; 5],
    /// The part of the step they belong to.
    of: Option<(f64, f64)>,
}

/// The time from `begin` to `end`, up to the fraction `theta` of a step; `fill` gives the row at a fraction.
pub(super) struct StepView<'a> {
    pub begin: f64,
    pub end: f64,
    theta: f64,
    rows: &'a mut StepRows,
    fill: &'a mut dyn FnMut(f64, &mut Vec<f64>),
}

impl<'a> StepView<'a> {
    pub fn new(
        (begin, end): (f64, f64),
        theta: f64,
        rows: &'a mut StepRows,
        fill: &'a mut dyn FnMut(f64, &mut Vec<f64>),
    ) -> Self {
        (rows.even.of, rows.gauss.of) = (None, None);
        Self { begin, end, theta, rows, fill }
    }
    /// The fractions of the step between two times; none if the times lie outside.
    pub fn part(&self, from: f64, to: f64) -> Option<(f64, f64)> {
        (to > self.begin && from < self.end).then(|| (self.fraction(from), self.fraction(to)))
    }
    pub fn fraction(&self, t: f64) -> f64 {
        self.theta * ((t - self.begin) / (self.end - self.begin)).clamp(0.0, 1.0)
    }
    pub fn time(&self, fraction: f64) -> f64 {
        self.begin + (self.end - self.begin) * (fraction / self.theta)
    }
    /// The value of a column at a fraction.
    pub fn value(&mut self, fraction: f64, column: usize) -> f64 {
        (self.fill)(fraction, &mut self.rows.trial);
        self.rows.trial[column]
    }
    /// The values of a column at the five sample points of a part of the step.
    pub fn nodes(&mut self, (lo, hi): (f64, f64), column: usize) -> [f64; 5] {
        let Self { rows: StepRows { even, .. }, fill, .. } = self;
        even.values((lo, hi), NODES, column, fill)
    }
    /// The values of a column at the quadrature nodes of a part of the step.
    pub fn gauss(&mut self, (lo, hi): (f64, f64), column: usize) -> [f64; 5] {
        let Self { rows: StepRows { gauss, .. }, fill, .. } = self;
        gauss.values((lo, hi), GAUSS_LEGENDRE.map(|[place, _]| place), column, fill)
    }
}

impl SampledRows {
    fn values(
        &mut self,
        (lo, hi): (f64, f64),
        places: [f64; 5],
        column: usize,
        fill: &mut dyn FnMut(f64, &mut Vec<f64>),
    ) -> [f64; 5] {
        if self.of != Some((lo, hi)) {
            self.rows.iter_mut().zip(places).for_each(|(row, place)| fill(lo + (hi - lo) * place, row));
            self.of = Some((lo, hi));
        }
        [0, 1, 2, 3, 4].map(|k| self.rows[k][column])
    }
}

#[cfg(test)]
mod tests {
    use super::GAUSS_LEGENDRE;

    #[test]
    fn the_rule_is_exact_to_degree_nine_and_no_further() {
        for degree in 0..=10 {
            let sum: f64 = GAUSS_LEGENDRE.iter().map(|[x, w]| w * x.powi(degree)).sum();
            let error = (sum - 1.0 / f64::from(degree + 1)).abs();
            // rounding; the error of degree ten is (5!)⁴/(11·10!²) of its highest derivative over 10!, 1.4e-6
            assert!(if degree < 10 { error < 1e-15 } else { error > 1e-6 }, "{degree}: {error:e}");
        }
    }
}
