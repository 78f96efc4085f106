//! A measured curve, interpolated monotonically.
use super::curve_reduction::{ALLOWED, reduce};
use crate::error::LawFileError;
use stiction_core::program::{Builder, OperationId};

/// Most points of a curve; a program of a law evaluates all of them.
pub const MAX_POINTS: usize = 256;

/// A curve through points: cubic between them, with slopes that add no extremum of their own (Fritsch and Carlson 1980, in the
/// form of Fritsch and Butland 1984), and constant beyond the ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    at: Vec<f64>,
    value: Vec<f64>,
    slope: Vec<f64>,
    /// How many rows it was made of.
    rows: usize,
    /// The largest deviation of a row that is no point of it.
    deviation: f64,
}

impl Curve {
    /// A curve through these points, or through those of very many that the others are near: see the module `curve_reduction`.
    ///
    /// # Errors
    /// Fewer than two points, more than a curve of [`MAX_POINTS`] follows, numbers that are not finite, or arguments that do not rise.
    pub fn new(at: Vec<f64>, value: Vec<f64>) -> Result<Self, LawFileError> {
        let fail = |why: String| Err(LawFileError::Curve { why });
        if at.len() != value.len() {
            return fail(format!("has {} arguments but {} values", at.len(), value.len()));
        }
        if at.len() < 2 {
            return fail("has fewer than two points".to_owned());
        }
        if let Some(k) = (0..at.len()).find(|k| !(at[*k].is_finite() && value[*k].is_finite())) {
            return fail(format!("has a point that is not finite, number {}", k + 1));
        }
        if let Some(k) = (1..at.len()).find(|k| at[*k] <= at[k - 1]) {
            return fail(format!("does not rise in its argument from point {k} to {}", k + 1));
        }
        let rows = at.len();
        if rows <= MAX_POINTS {
            return Ok(Self::through(at, value));
        }
        let (kept, deviation) = reduce(&at, &value, MAX_POINTS);
        let allowed = ALLOWED * value.iter().fold(0.0, |size: f64, y| size.max(y.abs()));
        if deviation > allowed {
            let what = "curve";
            return Err(LawFileError::TooManyPoints { what, count: rows, most: MAX_POINTS, deviation, allowed });
        }
        let part = |of: &[f64]| kept.iter().map(|k| of[*k]).collect();
        Ok(Self { rows, deviation, ..Self::through(part(&at), part(&value)) })
    }
    /// The curve through all of these points, of which there are two at least.
    pub(super) fn through(at: Vec<f64>, value: Vec<f64>) -> Self {
        let (slope, rows) = (slopes(&at, &value), at.len());
        Self { at, value, slope, rows, deviation: 0.0 }
    }
    /// How many points it has.
    pub fn len(&self) -> usize {
        self.at.len()
    }
    /// How many rows it was made of.
    pub fn rows(&self) -> usize {
        self.rows
    }
    /// The largest deviation of a row from the curve.
    pub fn deviation(&self) -> f64 {
        self.deviation
    }
    /// The cubic of an interval: `value + s (slope + s (c + s d))` with the distance `s` from the point before it.
    fn cubic(&self, k: usize) -> [f64; 4] {
        let h = self.at[k + 1] - self.at[k];
        let secant = (self.value[k + 1] - self.value[k]) / h;
        let (m0, m1) = (self.slope[k], self.slope[k + 1]);
        [self.value[k], m0, (3.0 * secant - 2.0 * m0 - m1) / h, (m0 + m1 - 2.0 * secant) / (h * h)]
    }
    /// Its value within an interval.
    pub(super) fn within(&self, k: usize, x: f64) -> f64 {
        let s = x - self.at[k];
        self.cubic(k).into_iter().rev().reduce(|sum, coefficient| coefficient + s * sum).unwrap_or(f64::NAN)
    }
    #[cfg(test)]
    pub(super) fn at(&self, x: f64) -> f64 {
        let interval = self.at.partition_point(|at| *at <= x).saturating_sub(1);
        if interval + 1 < self.at.len() { self.within(interval, x) } else { self.value[self.at.len() - 1] }
    }
    /// Its points.
    pub fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.at.iter().copied().zip(self.value.iter().copied())
    }
    /// Its value at the value of an operation. In each interval the cubic is evaluated about the nearer argument; the interval is
    /// chosen by comparisons.
    pub fn compile(&self, builder: &mut Builder, x: OperationId) -> OperationId {
        let last = self.at.len() - 1;
        let mut out = builder.number(self.value[last]);
        for k in (0..last).rev() {
            let [value, slope, c, d] = self.cubic(k);
            let from = builder.number(self.at[k]);
            let s = builder.subtract(x, from);
            let mut sum = builder.number(d);
            for coefficient in [c, slope, value] {
                let product = builder.multiply(s, sum);
                let coefficient = builder.number(coefficient);
                sum = builder.add(coefficient, product);
            }
            let end = builder.number(self.at[k + 1]);
            let before = builder.less(x, end);
            out = builder.select(before, sum, out);
        }
        let (first, value) = (builder.number(self.at[0]), builder.number(self.value[0]));
        let before = builder.less(x, first);
        builder.select(before, value, out)
    }
}

/// The slope at each point: the weighted harmonic mean of the secants beside it if they agree in sign, else zero; at the ends a
/// parabola's, limited so that the curve stays monotone.
fn slopes(x: &[f64], y: &[f64]) -> Vec<f64> {
    let n = x.len();
    let h: Vec<f64> = x.windows(2).map(|x| x[1] - x[0]).collect();
    let secant: Vec<f64> = y.windows(2).zip(&h).map(|(y, h)| (y[1] - y[0]) / h).collect();
    let mut slope = vec![0.0; n];
    for k in 1..n - 1 {
        let (a, b) = (secant[k - 1], secant[k]);
        if a * b > 0.0 {
            let (w1, w2) = (2.0 * h[k] + h[k - 1], h[k] + 2.0 * h[k - 1]);
            slope[k] = (w1 + w2) / (w1 / a + w2 / b);
        }
    }
    let end = |h0: f64, h1: f64, a: f64, b: f64| {
        let slope = ((2.0 * h0 + h1) * a - h0 * b) / (h0 + h1);
        if slope * a <= 0.0 {
            0.0
        } else if a * b <= 0.0 && slope.abs() > 3.0 * a.abs() {
            3.0 * a
        } else {
            slope
        }
    };
    if n == 2 {
        return vec![secant[0]; 2];
    }
    slope[0] = end(h[0], h[1], secant[0], secant[1]);
    slope[n - 1] = end(h[n - 2], h[n - 3], secant[n - 2], secant[n - 3]);
    slope
}

#[cfg(test)]
mod tests {
    use super::Curve;
    use stiction_core::program::{Builder, Precision};

    fn values(curve: &Curve, xs: &[f64]) -> Vec<f64> {
        let mut builder = Builder::new(Precision::Double);
        let x = builder.input(0);
        let y = curve.compile(&mut builder, x);
        let program = builder.program(1, &[y]);
        xs.iter().map(|x| program.evaluate(&[*x])[0]).collect()
    }

    #[test]
    fn it_goes_through_its_points_and_adds_no_extremum() {
        let (at, value) = (vec![0.0, 0.001, 0.01, 0.1, 1.0], vec![1.5, 1.2, 1.0, 1.05, 2.0]);
        let curve = Curve::new(at.clone(), value.clone()).expect("a curve");
        assert_eq!(values(&curve, &at), value);
        assert_eq!(values(&curve, &[-1.0, 7.0]), [1.5, 2.0]);
        let fine: Vec<f64> = (0..=1000).map(|k| f64::from(k) * 1e-5).collect();
        assert!(values(&curve, &fine).windows(2).all(|y| y[1] <= y[0]), "falls to its minimum at 0.01");
        let line = Curve::new(vec![0.0, 1.0, 3.0], vec![0.0, 2.0, 6.0]).expect("a curve");
        // a straight line is one, but for rounding
        assert!(values(&line, &[0.3, 2.2]).iter().zip([0.6, 4.4]).all(|(a, b)| (a - b).abs() < 1e-14));
    }

    #[test]
    fn bad_points_are_refused() {
        for (at, value) in [
            (vec![0.0], vec![1.0]),
            (vec![0.0, 0.0], vec![1.0, 2.0]),
            (vec![0.0, 1.0], vec![1.0]),
            (vec![0.0, f64::NAN], vec![1.0, 2.0]),
            // up and down between any two rows
            ((0..1000).map(f64::from).collect(), (0..1000).map(|k| f64::from(k % 2)).collect()),
        ] {
            assert!(Curve::new(at, value).is_err());
        }
    }
}
