//! Functions of time: forces, prescribed motions, loads, references.
use std::f64::consts::TAU;

/// A function of time, with the derivatives a prescribed motion needs.
///
/// A jump or a kink is a breakpoint, at which the simulator ends a step. A step that begins at `from` never crosses one, and
/// sees the piece that holds at `from` continued smoothly: this is the second argument of [`Signal::eval`].
#[derive(Clone, Debug, PartialEq)]
pub enum Signal {
    /// A constant.
    Constant(f64),
    /// `offset` until `start`, then rising by `slope` per second until `end`, then constant.
    Ramp {
        /// Value before the ramp.
        offset: f64,
        /// Slope [1/s].
        slope: f64,
        /// Start of the ramp \[s\].
        start: f64,
        /// End of the ramp \[s\]; infinite: never.
        end: f64,
    },
    /// `before` until `at`, then `after`.
    Step {
        /// Value before.
        before: f64,
        /// Value from `at` on.
        after: f64,
        /// Time of the step \[s\].
        at: f64,
    },
    /// `mean + amplitude·sin(omega·t + phase)`.
    Sine {
        /// Mean.
        mean: f64,
        /// Amplitude.
        amplitude: f64,
        /// Angular frequency [rad/s].
        omega: f64,
        /// Phase at t = 0 \[rad\].
        phase: f64,
    },
    /// `amplitude·sin(omega·t + rate·t² + phase)`: the angular frequency is `omega + 2·rate·t`.
    Chirp {
        /// Amplitude.
        amplitude: f64,
        /// Angular frequency at t = 0 [rad/s].
        omega: f64,
        /// Half the rate of the angular frequency [rad/s²].
        rate: f64,
        /// Phase at t = 0 \[rad\].
        phase: f64,
    },
    /// A curve through points in time, constant before the first and after the last.
    Table(Curve),
    /// The integral of a curve through points in time, zero at t = 0: the position for a velocity given by a table.
    TableIntegral(Curve),
    /// `before` until `start`, then to `after` within `time` with minimum jerk: a polynomial of fifth order with zero velocity and
    /// acceleration at both ends.
    MinimumJerk {
        /// Value before.
        before: f64,
        /// Value after.
        after: f64,
        /// Start of the movement \[s\].
        start: f64,
        /// Duration of the movement \[s\].
        time: f64,
    },
    /// The sum of several signals.
    Sum(Vec<Signal>),
}

/// The value of a signal and its first three derivatives.
pub type SignalDerivatives = [f64; 4];

impl Signal {
    /// The value at `t`, on the piece that holds at `from`: that of [`Signal::eval`].
    pub(crate) fn value(&self, t: f64, from: f64) -> f64 {
        match self {
            Self::Sine { mean, amplitude, omega, phase } => mean + amplitude * (omega * t + phase).sin(),
            _ => self.eval(t, from)[0],
        }
    }
    /// Value and derivatives at `t`, on the piece that holds at `from`.
    pub fn eval(&self, t: f64, from: f64) -> SignalDerivatives {
        match self {
            Self::Constant(x) => [*x, 0.0, 0.0, 0.0],
            Self::Ramp { offset, slope, start, end } => {
                if from < *start {
                    [*offset, 0.0, 0.0, 0.0]
                } else if from < *end {
                    [offset + slope * (t - start), *slope, 0.0, 0.0]
                } else {
                    [offset + slope * (end - start), 0.0, 0.0, 0.0]
                }
            }
            Self::Step { before, after, at } => [if from < *at { *before } else { *after }, 0.0, 0.0, 0.0],
            Self::Sine { mean, amplitude, omega, phase } => {
                let (s, c) = (omega * t + phase).sin_cos();
                let (w, w2) = (amplitude * omega, amplitude * omega * omega);
                [mean + amplitude * s, w * c, -w2 * s, -w2 * omega * c]
            }
            Self::Chirp { amplitude, omega, rate, phase } => {
                let (s, c) = ((omega + rate * t) * t + phase).sin_cos();
                let (w, dw) = (omega + 2.0 * rate * t, 2.0 * rate);
                let third = -3.0 * w * dw * s - w * w * w * c;
                [amplitude * s, amplitude * w * c, amplitude * (dw * c - w * w * s), amplitude * third]
            }
            Self::Table(curve) => curve.eval(t, from),
            Self::TableIntegral(curve) => {
                let [v, a, b, _] = curve.eval(t, from);
                [curve.travel(t, from) - curve.travel(0.0, 0.0), v, a, b]
            }
            Self::MinimumJerk { before, after, start, time } => {
                if from < *start {
                    return [*before, 0.0, 0.0, 0.0];
                }
                if from >= start + time {
                    return [*after, 0.0, 0.0, 0.0];
                }
                let (way, s) = (after - before, (t - start) / time);
                [
                    before + way * s * s * s * (10.0 + s * (6.0 * s - 15.0)),
                    way / time * 30.0 * s * s * (1.0 - s) * (1.0 - s),
                    way / (time * time) * 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s),
                    way / (time * time * time) * 60.0 * (1.0 - 6.0 * s * (1.0 - s)),
                ]
            }
            Self::Sum(parts) => parts.iter().fold([0.0; 4], |mut sum, part| {
                for (sum, x) in sum.iter_mut().zip(part.eval(t, from)) {
                    *sum += x;
                }
                sum
            }),
        }
    }
    /// The value at `t`.
    pub fn at(&self, t: f64) -> f64 {
        self.eval(t, t)[0]
    }
    /// The first time after `t` at which the signal jumps or has a kink.
    pub fn next_breakpoint(&self, t: f64) -> f64 {
        let later = |x: f64| if x > t { x } else { f64::INFINITY };
        match self {
            Self::Constant(_) | Self::Sine { .. } | Self::Chirp { .. } => f64::INFINITY,
            Self::Ramp { start, end, .. } => later(*start).min(later(*end)),
            Self::Step { at, .. } => later(*at),
            Self::MinimumJerk { start, time, .. } => later(*start).min(later(start + time)),
            Self::Table(curve) | Self::TableIntegral(curve) => curve.next_breakpoint(t),
            Self::Sum(parts) => parts.iter().map(|part| part.next_breakpoint(t)).fold(f64::INFINITY, f64::min),
        }
    }
    /// The longest step at `t` that five samples resolve: an eighth of a period.
    pub fn max_resolved_step(&self, t: f64) -> f64 {
        match self {
            Self::Constant(_) | Self::Ramp { .. } | Self::Step { .. } => f64::INFINITY,
            Self::Sine { amplitude, .. } | Self::Chirp { amplitude, .. } if *amplitude == 0.0 => f64::INFINITY,
            Self::Sine { omega, .. } => TAU / omega.abs() / 8.0,
            Self::Chirp { omega, rate, .. } => {
                // the frequency may rise within the step: use that of an eighth of a period later
                let w = (omega + 2.0 * rate * t).abs();
                TAU / (w + (2.0 * rate.abs() * TAU).sqrt()).max(f64::MIN_POSITIVE) / 8.0
            }
            Self::Table(curve) | Self::TableIntegral(curve) => curve.max_resolved_step(t),
            Self::MinimumJerk { start, time, .. } if t >= *start && t < start + time => time / 8.0,
            Self::MinimumJerk { .. } => f64::INFINITY,
            Self::Sum(parts) => parts.iter().map(|part| part.max_resolved_step(t)).fold(f64::INFINITY, f64::min),
        }
    }
    /// Whether the value jumps; as a position it would then need an infinite velocity.
    pub fn jumps(&self) -> bool {
        match self {
            Self::Step { before, after, .. } => before != after,
            Self::Table(curve) => curve.held && curve.y.windows(2).any(|pair| pair[0] != pair[1]),
            Self::Sum(parts) => parts.iter().any(Self::jumps),
            _ => false,
        }
    }
    /// Whether it is known to be linear in time between its breakpoints. Tables count as nonlinear.
    pub fn is_piecewise_linear(&self) -> bool {
        match self {
            Self::Constant(_) | Self::Ramp { .. } | Self::Step { .. } => true,
            Self::Sum(parts) => parts.iter().all(Self::is_piecewise_linear),
            _ => false,
        }
    }
    /// Whether it is constant.
    pub fn is_constant(&self) -> bool {
        match self {
            Self::Constant(_) => true,
            Self::Sum(parts) => parts.iter().all(Self::is_constant),
            _ => false,
        }
    }
}

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
        if x.len() < 2 || x.len() != y.len() {
            return Err(CurveError::TooFewPoints);
        }
        if let Some(at) = x.iter().zip(&y).position(|(x, y)| !x.is_finite() || !y.is_finite()) {
            return Err(CurveError::NotFinite { at });
        }
        if let Some(at) = x.windows(2).position(|w| w[1] <= w[0]) {
            return Err(CurveError::NotIncreasing { at: at + 1 });
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
    fn eval(&self, t: f64, from: f64) -> SignalDerivatives {
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
    fn travel(&self, t: f64, from: f64) -> f64 {
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
    /// Value and slope at `x`; linear extrapolation beyond the ends.
    pub fn at(&self, x: f64) -> (f64, f64) {
        let n = self.x.len();
        let i = self.x.partition_point(|&p| p <= x);
        let at = x.clamp(self.x[0], self.x[n - 1]);
        let [y, slope, ..] = self.piece(i.clamp(1, n - 1), at);
        (y + slope * (x - at), slope)
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
    fn next_breakpoint(&self, t: f64) -> f64 {
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
    fn max_resolved_step(&self, t: f64) -> f64 {
        if self.bend.is_empty() {
            return f64::INFINITY;
        }
        let i = self.points_before(t);
        if i == 0 || i == self.x.len() { f64::INFINITY } else { self.x[i] - self.x[i - 1] }
    }
    /// The points at which the slope jumps; none for a spline.
    pub fn kinks(&self) -> &[f64] {
        if self.bend.is_empty() { &self.x } else { &[] }
    }
}

#[cfg(test)]
mod tests {
    use super::{Curve, Signal};

    #[test]
    fn the_value_alone_has_the_bits_of_the_value_with_derivatives() {
        let sine = |phase| Signal::Sine { mean: 0.3, amplitude: 1.7, omega: 12.5, phase };
        let signals =
            [sine(0.0), sine(0.4), Signal::Sum(vec![sine(0.1), Signal::Constant(2.0)]), Signal::Constant(1.0)];
        for t in (0..10_000).map(|k| 0.37 * f64::from(k) - 5.0) {
            for signal in &signals {
                assert_eq!(signal.value(t, t).to_bits(), signal.eval(t, t)[0].to_bits(), "{signal:?} at {t}");
            }
        }
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
