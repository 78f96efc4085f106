//! Functions through points.
use super::SignalDerivatives;

/// A function through points: piecewise linear, the natural cubic spline, or the last point held until the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    x: Vec<f64>,
    y: Vec<f64>,
    /// Second derivatives at the points; empty: piecewise linear.
    bend: Vec<f64>,
    /// Each value is held until the next point.
    held: bool,
    /// Integral of `y` from the first point to each point.
    area: Vec<f64>,
}

/// Why points do not define a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CurveError {
    /// Fewer than two points, or different numbers of `x` and `y`.
    TooFewPoints,
    /// `x` number `at` is not above the one before.
    NotIncreasing {
        /// Index of the point, from 0.
        at: usize,
    },
    /// Point number `at` is not finite.
    NotFinite {
        /// Index of the point, from 0.
        at: usize,
    },
}

impl Curve {
    /// The piecewise linear function through the points, whose `x` must increase.
    ///
    /// # Errors
    /// [`CurveError`].
    pub fn linear(x: Vec<f64>, y: Vec<f64>) -> Result<Self, CurveError> {
        if let Some(at) = x.windows(2).position(|w| w[1] <= w[0]) {
            return Err(CurveError::NotIncreasing { at: at + 1 });
        }
        Self::with_jumps(x, y)
    }
    /// The piecewise linear function through the points, with a jump where two of them have the same `x`: the second value holds from
    /// there on.
    ///
    /// # Errors
    /// [`CurveError`].
    pub fn with_jumps(x: Vec<f64>, y: Vec<f64>) -> Result<Self, CurveError> {
        if x.len() < 2 || x.len() != y.len() {
            return Err(CurveError::TooFewPoints);
        }
        if let Some(at) = x.iter().zip(&y).position(|(x, y)| !x.is_finite() || !y.is_finite()) {
            return Err(CurveError::NotFinite { at });
        }
        // a jump has two points, not three, and not at an end
        let n = x.len();
        let wrong =
            |at: usize| x[at] < x[at - 1] || x[at] == x[at - 1] && (at == 1 || at + 1 == n || x[at] == x[at - 2]);
        if let Some(at) = (1..n).find(|&at| wrong(at)) {
            return Err(CurveError::NotIncreasing { at });
        }
        let mut curve = Self { x, y, bend: Vec::new(), held: false, area: Vec::new() };
        curve.sum_up();
        Ok(curve)
    }
    /// Each value held until the next point, as a digital device holds its last command.
    ///
    /// # Errors
    /// [`CurveError`].
    pub fn hold(x: Vec<f64>, y: Vec<f64>) -> Result<Self, CurveError> {
        let mut curve = Self { held: true, ..Self::linear(x, y)? };
        // points at which nothing changes are left out, all but the last: a switch of a long log has two points instead of thousands
        let n = curve.x.len();
        let keep: Vec<usize> = (0..n).filter(|&i| i == 0 || i + 1 == n || curve.y[i] != curve.y[i - 1]).collect();
        curve.x = keep.iter().map(|&i| curve.x[i]).collect();
        curve.y = keep.iter().map(|&i| curve.y[i]).collect();
        curve.sum_up();
        Ok(curve)
    }
    /// The same function later by `delay`; its first value holds until then.
    #[must_use]
    pub fn delayed(mut self, delay: f64) -> Self {
        self.x.iter_mut().for_each(|x| *x += delay);
        self
    }
    /// The natural cubic spline through the points: twice differentiable, with zero curvature at its ends.
    ///
    /// # Errors
    /// [`CurveError`].
    pub fn cubic(x: Vec<f64>, y: Vec<f64>) -> Result<Self, CurveError> {
        let mut curve = Self::linear(x, y)?;
        let (x, y, n) = (&curve.x, &curve.y, curve.x.len());
        // tridiagonal system for the second derivatives, by elimination
        let (mut bend, mut upper) = (vec![0.0; n], vec![0.0; n]);
        for i in 1..n - 1 {
            let (a, b) = (x[i] - x[i - 1], x[i + 1] - x[i]);
            let pivot = 2.0 * (a + b) - a * upper[i - 1];
            upper[i] = b / pivot;
            let kink = (y[i + 1] - y[i]) / b - (y[i] - y[i - 1]) / a;
            bend[i] = (6.0 * kink - a * bend[i - 1]) / pivot;
        }
        for i in (1..n - 1).rev() {
            bend[i] -= upper[i] * bend[i + 1];
        }
        curve.bend = bend;
        curve.sum_up();
        Ok(curve)
    }
    fn sum_up(&mut self) {
        self.area = vec![0.0; self.x.len()];
        for i in 1..self.x.len() {
            let w = self.x[i] - self.x[i - 1];
            let bent = if self.bend.is_empty() { 0.0 } else { self.bend[i] + self.bend[i - 1] };
            let mean = if self.held { self.y[i - 1] } else { (self.y[i] + self.y[i - 1]) / 2.0 };
            self.area[i] = self.area[i - 1] + w * mean - w * w * w * bent / 24.0;
        }
    }
    /// Number of points up to `at`. Points are mostly even: the place that an even row would have is tried first.
    fn points_before(&self, at: f64) -> usize {
        let (n, first) = (self.x.len(), self.x[0]);
        let guess = (at - first) / (self.x[n - 1] - first) * (n - 1) as f64;
        if guess >= 0.0 {
            // a conversion from a float ends at the largest number
            let i = (guess as usize + 1).min(n - 1);
            for i in [i, i - 1, (i + 1).min(n - 1)] {
                if i > 0 && self.x[i - 1] <= at && at < self.x[i] {
                    return i;
                }
            }
        }
        self.x.partition_point(|&x| x <= at)
    }
    /// Value and derivatives at `t` on the piece that holds at `from`; constant beyond the ends.
    pub(super) fn eval(&self, t: f64, from: f64) -> SignalDerivatives {
        // a spline has no breakpoints inside, so its piece is that of t
        let at = if self.bend.is_empty() { from } else { t };
        let n = self.x.len();
        let i = self.points_before(at);
        if i == 0 || i == n {
            return [self.y[i.min(n - 1)], 0.0, 0.0, 0.0];
        }
        self.piece(i, t)
    }
    /// Integral from the first point to `t`, on the piece that holds at `from`; the curve is constant beyond the ends.
    pub(super) fn travel(&self, t: f64, from: f64) -> f64 {
        let at = if self.bend.is_empty() { from } else { t };
        let n = self.x.len();
        let i = self.points_before(at);
        if i == 0 {
            return self.y[0] * (t - self.x[0]);
        }
        if i == n {
            return self.area[n - 1] + self.y[n - 1] * (t - self.x[n - 1]);
        }
        let (a, u) = (self.piece(i, self.x[i - 1]), t - self.x[i - 1]);
        self.area[i - 1] + u * (a[0] + u * (a[1] / 2.0 + u * (a[2] / 6.0 + u * a[3] / 24.0)))
    }
    fn piece(&self, i: usize, t: f64) -> SignalDerivatives {
        if self.held {
            return [self.y[i - 1], 0.0, 0.0, 0.0];
        }
        let w = self.x[i] - self.x[i - 1];
        let slope = (self.y[i] - self.y[i - 1]) / w;
        if self.bend.is_empty() {
            return [self.y[i - 1] + slope * (t - self.x[i - 1]), slope, 0.0, 0.0];
        }
        let (p, q) = (self.bend[i - 1], self.bend[i]);
        let (u, d) = (t - self.x[i - 1], (q - p) / w);
        let first = slope - w * (2.0 * p + q) / 6.0;
        [self.y[i - 1] + u * (first + u * (p / 2.0 + u * d / 6.0)), first + u * (p + u * d / 2.0), p + u * d, d]
    }
    /// Its first and its last point.
    pub fn range(&self) -> [f64; 2] {
        [self.x[0], self.x[self.x.len() - 1]]
    }
    /// Whether it is zero at zero, and has the sign of its argument at every point: a force that pulls back to where there is none.
    pub(crate) fn pulls_back(&self) -> bool {
        let largest = self.y.iter().fold(0.0_f64, |most, y| most.max(y.abs()));
        let rounding = 4.0 * f64::EPSILON * largest;
        self.at(0.0).0.abs() <= rounding && self.x.iter().zip(&self.y).all(|(x, y)| x * y >= 0.0)
    }
    /// Value and slope at `x`; linear extrapolation beyond the ends.
    pub fn at(&self, x: f64) -> (f64, f64) {
        let n = self.x.len();
        let i = self.x.partition_point(|&p| p <= x);
        let at = x.clamp(self.x[0], self.x[n - 1]);
        let [y, slope, ..] = self.piece(i.clamp(1, n - 1), at);
        (y + slope * (x - at), slope)
    }
    /// Number of the point at which the line at `x` ends; the first and the last line go on beyond the ends.
    pub fn line_at(&self, x: f64) -> usize {
        self.x.partition_point(|&p| p <= x).clamp(1, self.x.len() - 1)
    }
    /// Where the line up to point `end` begins and ends.
    pub fn line_ends(&self, end: usize) -> [f64; 2] {
        let low = if end == 1 { f64::NEG_INFINITY } else { self.x[end - 1] };
        [low, if end + 1 == self.x.len() { f64::INFINITY } else { self.x[end] }]
    }
    /// Value and slope at `x` on the line up to point `end`, continued.
    pub fn on_line(&self, end: usize, x: f64) -> (f64, f64) {
        let [y, slope, ..] = self.piece(end, x);
        (y, slope)
    }
    /// Integral from 0 to `x`.
    pub fn integral(&self, x: f64) -> f64 {
        self.area_to(x) - self.area_to(0.0)
    }
    fn area_to(&self, x: f64) -> f64 {
        let n = self.x.len();
        let at = x.clamp(self.x[0], self.x[n - 1]);
        let i = self.x.partition_point(|&p| p <= at).clamp(1, n - 1);
        let (a, u) = (self.piece(i, self.x[i - 1]), at - self.x[i - 1]);
        let inside = self.area[i - 1] + u * (a[0] + u * (a[1] / 2.0 + u * (a[2] / 6.0 + u * a[3] / 24.0)));
        let ([y, slope, ..], out) = (self.piece(i, at), x - at);
        inside + out * (y + out * slope / 2.0)
    }
    pub(super) fn next_breakpoint(&self, t: f64) -> f64 {
        if self.held {
            // a value that does not change is no breakpoint
            let i = self.points_before(t).max(1);
            let jump = (i..self.x.len()).find(|&i| self.y[i] != self.y[i - 1]);
            return jump.map_or(f64::INFINITY, |i| self.x[i]);
        }
        if self.bend.is_empty() {
            let i = self.points_before(t);
            return self.x.get(i).copied().unwrap_or(f64::INFINITY);
        }
        // a spline is smooth except at its ends
        [self.x[0], self.x[self.x.len() - 1]].into_iter().find(|&x| x > t).unwrap_or(f64::INFINITY)
    }
    pub(super) fn max_resolved_step(&self, t: f64) -> f64 {
        if self.bend.is_empty() {
            return f64::INFINITY;
        }
        let i = self.points_before(t);
        if i == 0 || i == self.x.len() { f64::INFINITY } else { self.x[i] - self.x[i - 1] }
    }
    /// Whether each value is held until the next.
    pub(super) fn is_held(&self) -> bool {
        self.held
    }
    /// Whether it is a spline.
    pub(super) fn is_spline(&self) -> bool {
        !self.bend.is_empty()
    }
    /// Whether the value jumps.
    pub(crate) fn jumps(&self) -> bool {
        let jump = |i: usize| (self.held || self.x[i] == self.x[i - 1]) && self.y[i] != self.y[i - 1];
        (1..self.x.len()).any(jump)
    }
    /// The points at which the slope jumps; none for a spline.
    pub fn kinks(&self) -> &[f64] {
        if self.bend.is_empty() { &self.x } else { &[] }
    }
}

#[cfg(test)]
mod tests {
    use super::Curve;
    use crate::system::Signal;

    #[test]
    fn a_table_may_jump_but_not_go_back() {
        let signal = Signal::Table(Curve::with_jumps(vec![0.0, 1.0, 1.0, 2.0], vec![0.0, 1.0, 5.0, 6.0]).unwrap());
        assert!(signal.jumps());
        assert_eq!([signal.at(1.0), signal.eval(1.0, 0.5)[0], signal.at(1.5)], [5.0, 1.0, 5.5]);
        assert_eq!([signal.next_breakpoint(0.5), signal.next_breakpoint(1.0)], [1.0, 2.0]);
        for x in [vec![0.0, 1.0, 0.5, 2.0], vec![0.0, 1.0, 1.0, 1.0, 2.0], vec![0.0, 0.0, 1.0], vec![0.0, 1.0, 1.0]] {
            assert!(Curve::with_jumps(x.clone(), vec![0.0; x.len()]).is_err(), "{x:?}");
        }
        assert!(Curve::linear(vec![0.0, 1.0, 1.0, 2.0], vec![0.0; 4]).is_err());
    }

    /// Uneven points, with values that repeat: at every instant the value of the last point up to it, by a plain search.
    #[test]
    fn a_held_table_is_the_last_point_before() {
        let x: Vec<f64> = (0..200).map(|k| f64::from(k) + 0.4 * (f64::from(k) * 12.9898).sin()).collect();
        let y: Vec<f64> = (0..200).map(|k| f64::from((k * k / 7) % 3)).collect();
        let signal = Signal::Table(Curve::hold(x.clone(), y.clone()).unwrap());
        let linear = Signal::Table(Curve::linear(x.clone(), y.clone()).unwrap());
        for k in 0..4200 {
            let t = 0.05 * f64::from(k) - 5.0;
            let i = x.iter().filter(|x| **x <= t).count();
            assert_eq!(signal.eval(t, t)[0], y[i.saturating_sub(1)], "at {t}");
            let next = (i.max(1)..200).find(|&i| y[i] != y[i - 1]).map_or(f64::INFINITY, |i| x[i]);
            assert_eq!(signal.next_breakpoint(t), next, "after {t}");
            assert_eq!(linear.next_breakpoint(t), x.get(i).copied().unwrap_or(f64::INFINITY), "after {t}");
        }
        // at the points themselves
        for (x, y) in x.iter().zip(&y) {
            assert_eq!(signal.eval(*x, *x)[0], *y);
        }
    }
}
