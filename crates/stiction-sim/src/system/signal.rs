//! Functions of time: forces, prescribed motions, loads, references.
use super::curve::Curve;
use std::f64::consts::TAU;
use stiction_core::Real;

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
    /// `low`, and `high` for `width` seconds at the start of each of `count` periods.
    Pulses {
        /// Value between pulses.
        low: f64,
        /// Value during a pulse.
        high: f64,
        /// Start of the first pulse \[s\].
        start: f64,
        /// Length of a pulse \[s\].
        width: f64,
        /// Time between the starts of two pulses \[s\].
        period: f64,
        /// Number of pulses; infinite: without end.
        count: f64,
    },
    /// Normal random numbers at multiples of `interval`: a pure function of time and seed.
    Noise {
        /// Standard deviation of the numbers.
        deviation: f64,
        /// Time between two numbers \[s\].
        interval: f64,
        /// Seed: another seed gives independent numbers.
        seed: u32,
        /// Whether a number holds until the next; otherwise straight lines join them.
        held: bool,
    },
    /// The sum of several signals.
    Sum(Vec<Signal>),
    /// The product of several signals.
    Product(Vec<Signal>),
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
            Self::Pulses { low, high, start, width, period, .. } => {
                let (k, begin) = (self.pulse_at(from), |k: f64| start + k * period);
                let inside = k >= 0.0 && from < begin(k) + width;
                [if inside { *high } else { *low }, 0.0, 0.0, 0.0]
            }
            Self::Noise { deviation, interval, seed, held } => {
                let k = multiple_up_to(from, *interval);
                let here = deviation * normal(*seed, k);
                if *held {
                    return [here, 0.0, 0.0, 0.0];
                }
                let slope = (deviation * normal(*seed, k + 1.0) - here) / interval;
                [here + slope * (t - k * interval), slope, 0.0, 0.0]
            }
            Self::Sum(parts) => parts.iter().fold([0.0; 4], |mut sum, part| {
                for (sum, x) in sum.iter_mut().zip(part.eval(t, from)) {
                    *sum += x;
                }
                sum
            }),
            Self::Product(parts) => parts.iter().fold([1.0, 0.0, 0.0, 0.0], |a, part| {
                let b = part.eval(t, from);
                [
                    a[0] * b[0],
                    a[1] * b[0] + a[0] * b[1],
                    a[2] * b[0] + 2.0 * a[1] * b[1] + a[0] * b[2],
                    a[3] * b[0] + 3.0 * (a[2] * b[1] + a[1] * b[2]) + a[0] * b[3],
                ]
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
            Self::Pulses { start, width, period, count, .. } => {
                let k = self.pulse_at(t).max(0.0);
                let next = if k + 1.0 < *count { start + (k + 1.0) * period } else { f64::INFINITY };
                later(start + k * period).min(later(start + k * period + width)).min(next)
            }
            Self::Noise { deviation: 0.0, .. } => f64::INFINITY,
            Self::Noise { interval, .. } => (multiple_up_to(t, *interval) + 1.0) * interval,
            Self::Sum(parts) | Self::Product(parts) => {
                parts.iter().map(|part| part.next_breakpoint(t)).fold(f64::INFINITY, f64::min)
            }
        }
    }
    /// The longest step at `t` that five samples resolve: an eighth of a period.
    pub fn max_resolved_step(&self, t: f64) -> f64 {
        match self {
            Self::Constant(_) | Self::Ramp { .. } | Self::Step { .. } | Self::Pulses { .. } | Self::Noise { .. } => {
                f64::INFINITY
            }
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
            // the frequencies of factors add up
            Self::Product(parts) => 1.0 / parts.iter().map(|part| 1.0 / part.max_resolved_step(t)).sum::<f64>(),
        }
    }
    /// Whether the value jumps; as a position it would then need an infinite velocity.
    pub fn jumps(&self) -> bool {
        match self {
            Self::Step { before, after, .. } => before != after,
            Self::Table(curve) => curve.jumps(),
            Self::Pulses { low, high, .. } => low != high,
            Self::Noise { deviation, held, .. } => *held && *deviation != 0.0,
            Self::Sum(parts) | Self::Product(parts) => parts.iter().any(Self::jumps),
            _ => false,
        }
    }
    /// Whether it is known to be linear in time between its breakpoints. Tables count as nonlinear.
    pub fn is_piecewise_linear(&self) -> bool {
        match self {
            Self::Constant(_) | Self::Ramp { .. } | Self::Step { .. } | Self::Pulses { .. } | Self::Noise { .. } => {
                true
            }
            Self::Sum(parts) => parts.iter().all(Self::is_piecewise_linear),
            Self::Product(parts) => {
                parts.iter().all(Self::is_piecewise_linear)
                    && parts.iter().filter(|part| !part.is_piecewise_constant()).count() <= 1
            }
            _ => false,
        }
    }
    /// Whether it is a line between any two of its breakpoints, tables included.
    pub(crate) fn has_linear_pieces(&self) -> bool {
        match self {
            Self::Table(curve) => !curve.is_spline(),
            Self::TableIntegral(curve) => curve.is_held(),
            _ => self.is_piecewise_linear(),
        }
    }
    /// Whether it is known to be constant between its breakpoints.
    pub fn is_piecewise_constant(&self) -> bool {
        match self {
            Self::Table(curve) => curve.is_held(),
            Self::Constant(_) | Self::Step { .. } | Self::Pulses { .. } | Self::Noise { held: true, .. } => true,
            Self::Sum(parts) | Self::Product(parts) => parts.iter().all(Self::is_piecewise_constant),
            _ => false,
        }
    }
    /// Whether it is constant.
    pub fn is_constant(&self) -> bool {
        match self {
            Self::Constant(_) => true,
            Self::Sum(parts) | Self::Product(parts) => parts.iter().all(Self::is_constant),
            _ => false,
        }
    }
}

impl Signal {
    /// Number of the last pulse that began up to `t`, from 0; below zero before the first, and for other signals.
    fn pulse_at(&self, t: f64) -> f64 {
        match self {
            Self::Pulses { start, period, count, .. } => {
                let mut k = ((t - start) / period).floor().max(-1.0);
                // the quotient may be rounded over the beginning of a pulse, on either side
                if start + (k + 1.0) * period <= t {
                    k += 1.0;
                } else if k >= 0.0 && start + k * period > t {
                    k -= 1.0;
                }
                k.min(count - 1.0)
            }
            _ => -1.0,
        }
    }
}

/// The largest whole `k`, from 0, with `k·interval ≤ t`, as the product is rounded.
fn multiple_up_to(t: f64, interval: f64) -> f64 {
    let k = (t / interval).floor().max(0.0);
    if (k + 1.0) * interval <= t {
        k + 1.0
    } else if k > 0.0 && k * interval > t {
        k - 1.0
    } else {
        k
    }
}

/// Standard normal number `k` of a seed (Box and Muller).
fn normal(seed: u32, k: f64) -> f64 {
    let uniform = |index: f64| <f64 as Real>::uniform(f64::from(seed), index);
    let (u, v) = (1.0 - uniform(2.0 * k + 1.0), uniform(2.0 * k + 2.0));
    (-2.0 * u.ln()).sqrt() * (TAU * v).cos()
}

#[cfg(test)]
mod tests {
    use super::Signal;

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

    /// Instants and lengths that are not multiples of each other in binary: at every breakpoint and beside it the value by the definition, and
    /// breakpoints that do not come twice.
    #[test]
    fn pulses_begin_and_end_where_they_say() {
        for (start, width, period, count) in [
            (0.1, 0.1, 0.3, 7.0),
            (-0.7, 0.3, 0.3, 4.0),
            (1.0, 1e-9, 0.1, f64::INFINITY),
            (0.0, 0.7, 0.7 + 1e-12, 50.0),
        ] {
            let signal = Signal::Pulses { low: -1.0, high: 2.0, start, width, period, count };
            let (mut t, mut seen) = (start - 1.0, 0);
            loop {
                let next = signal.next_breakpoint(t);
                if next > start + 5.0 {
                    break;
                }
                assert!(next > t, "{next} after {t}");
                let k = f64::from(seen / 2);
                let (begin, end) = (start + k * period, start + k * period + width);
                let wanted = if seen % 2 == 0 { begin } else { end };
                // pulses without a pause: the end of one is the beginning of the next, as far as these are rounded
                if width < period {
                    assert_eq!(next, wanted, "breakpoint {seen} of {signal:?}");
                    assert_eq!(signal.at(next), if seen % 2 == 0 { 2.0 } else { -1.0 }, "at {next} of {signal:?}");
                }
                // the piece before goes on up to the breakpoint
                assert_eq!(signal.eval(next, t)[0], signal.at(t));
                (t, seen) = (next, seen + 1);
            }
            assert_eq!(signal.at(start - 1e-9), -1.0);
            if count.is_finite() {
                assert_eq!(signal.at(start + count * period + 1.0), -1.0);
                assert_eq!(signal.next_breakpoint(start + count * period), f64::INFINITY);
            } else {
                assert_eq!(seen, 101, "two for each of fifty pulses in 5 s, and the beginning of the next");
            }
        }
    }

    #[test]
    fn noise_is_normal_white_and_the_same_for_a_seed() {
        let (deviation, interval) = (0.3, 0.1);
        let noise = |seed, held| Signal::Noise { deviation, interval, seed, held };
        let of = |signal: &Signal| (0..20_000).map(|k| signal.at(f64::from(k) * interval)).collect::<Vec<f64>>();
        let (one, other) = (of(&noise(1, true)), of(&noise(2, true)));
        assert_eq!(one, of(&noise(1, false)), "lines pass through the numbers");
        let mean = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>() / x.len() as f64;
        let unit = deviation * deviation;
        // of twenty thousand numbers the mean square is known to 1 %, products to 0.7 %; four times that
        assert!((mean(&one, &one) / unit - 1.0).abs() < 0.04);
        assert!((mean(&one[1..], &one[..19_999]) / unit).abs() < 0.028 && (mean(&one, &other) / unit).abs() < 0.028);
        assert!(one.iter().sum::<f64>().abs() / 20_000.0 < 4.0 * deviation / 20_000.0_f64.sqrt());
        let line = noise(1, false);
        let mut t = 0.0;
        for k in 1..2000 {
            let next = line.next_breakpoint(t);
            assert_eq!(next, f64::from(k) * interval);
            // continuous, from the piece before and from that after; half a unit in the last place of each product
            assert!((line.eval(next, t)[0] - line.at(next)).abs() < 1e-12, "at {next}");
            t = next;
        }
    }

    /// Derivatives of a product by differences of the derivative one below.
    #[test]
    fn a_product_has_the_derivatives_of_its_factors() {
        let sine = |omega| Signal::Sine { mean: 0.3, amplitude: 1.7, omega, phase: 0.4 };
        let ramp = Signal::Ramp { offset: 0.2, slope: -0.7, start: -9.0, end: 90.0 };
        let signal = Signal::Product(vec![sine(2.0), ramp.clone(), sine(3.1), Signal::Constant(0.5)]);
        let h = 1e-5;
        for t in (0..100).map(|k| 0.07 * f64::from(k)) {
            let [low, here, high] = [t - h, t, t + h].map(|t| signal.eval(t, t));
            for k in 0..3 {
                // central differences: h² times a third derivative of 1e3 at most, and rounding over h
                assert!(((high[k] - low[k]) / (2.0 * h) - here[k + 1]).abs() < 1e-6, "derivative {} at {t}", k + 1);
            }
        }
        let window = Signal::Pulses { low: 0.0, high: 1.0, start: 1.0, width: 2.0, period: 2.0, count: 1.0 };
        let gated = Signal::Product(vec![ramp, window]);
        assert!(gated.is_piecewise_linear() && gated.jumps() && !signal.is_piecewise_linear());
        assert_eq!([gated.next_breakpoint(0.0), gated.next_breakpoint(1.0)], [1.0, 3.0]);
        assert_eq!(gated.at(0.9), 0.0);
    }
}
