//! Integrals of signals: position from velocity.
use super::{Curve, Signal};
use std::f64::consts::FRAC_PI_2;

/// A velocity ramp without end is integrated up to this time after its start \[s\].
const LONGEST_RAMP: f64 = 1e12;
/// So many pulses of a velocity are integrated.
const MAX_PULSES: f64 = 1e5;

impl Signal {
    /// The position for this velocity, zero at t = 0, for a run that starts at `start`; none for chirps, minimum-jerk
    /// movements, pulses without end, noise and products, whose integrals are not signals.
    pub fn integral(&self, start: f64) -> Option<Self> {
        let begin = |slope: f64| (slope * start, slope);
        Some(match self {
            Self::Constant(v) => {
                let (offset, slope) = begin(*v);
                Self::Ramp { offset, slope, start, end: f64::INFINITY }
            }
            Self::Step { before, after, at } if *at <= start => {
                // a jump before the start contributes only its displacement
                let offset = before * at + after * (start - at);
                Self::Ramp { offset, slope: *after, start, end: f64::INFINITY }
            }
            Self::Step { before, after, at } => {
                let (offset, slope) = begin(*before);
                Self::Sum(vec![
                    Self::Ramp { offset, slope, start, end: *at },
                    Self::Ramp { offset: 0.0, slope: *after, start: *at, end: f64::INFINITY },
                ])
            }
            Self::Ramp { offset, slope, start: from, end } => {
                let end = end.min(from + LONGEST_RAMP);
                let top = offset + slope * (end - from);
                // a ramp of zero length is a constant
                match Curve::linear(vec![*from, end], vec![*offset, top]) {
                    Ok(curve) => Self::TableIntegral(curve),
                    Err(_) => Self::Constant(*offset).integral(start)?,
                }
            }
            Self::Sine { mean, amplitude, omega, phase } if *omega != 0.0 => {
                let (size, phase) = (amplitude / omega, phase - FRAC_PI_2);
                let sine = Self::Sine { mean: -size * phase.sin(), amplitude: size, omega: *omega, phase };
                if *mean == 0.0 { sine } else { Self::Sum(vec![sine, Self::Constant(*mean).integral(start)?]) }
            }
            Self::Sine { mean, amplitude, phase, .. } => {
                Self::Constant(mean + amplitude * phase.sin()).integral(start)?
            }
            Self::Table(curve) => Self::TableIntegral(curve.clone()),
            Self::Sum(parts) => Self::Sum(parts.iter().map(|part| part.integral(start)).collect::<Option<_>>()?),
            Self::Pulses { low, high, start: first, width, period, count } if *count <= MAX_PULSES => {
                let begins = (0..*count as usize).map(|k| first + k as f64 * period);
                let t: Vec<f64> = begins.flat_map(|t| [t, t + width]).collect();
                let v: Vec<f64> = (0..t.len()).map(|k| if k % 2 == 0 { *high } else { *low }).collect();
                let before = t[0] - 1.0;
                let (t, v) = ([vec![before], t].concat(), [vec![*low], v].concat());
                // pulses without a pause between them share an instant, where nothing changes
                let keep: Vec<usize> = (0..t.len()).filter(|&k| k + 1 == t.len() || t[k + 1] > t[k]).collect();
                let pick = |x: &[f64]| keep.iter().map(|&k| x[k]).collect();
                Self::TableIntegral(Curve::hold(pick(&t), pick(&v)).ok()?)
            }
            Self::Chirp { .. }
            | Self::TableIntegral(_)
            | Self::MinimumJerk { .. }
            | Self::Pulses { .. }
            | Self::Noise { .. }
            | Self::Product(_) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Curve, Signal};

    /// The value is the integral of the first derivative, on every piece, and zero at t = 0.
    #[test]
    fn a_velocity_leads_to_its_integral() {
        let points = || (vec![-1.0, 0.5, 2.0, 3.0], vec![0.2, -1.0, 0.7, 0.1]);
        let signals = [
            Signal::Constant(0.3),
            Signal::Ramp { offset: 0.1, slope: 2.0, start: 0.5, end: 1.5 },
            Signal::Ramp { offset: 0.1, slope: -2.0, start: -0.5, end: f64::INFINITY },
            Signal::Step { before: 1.0, after: -0.5, at: 1.25 },
            Signal::Sine { mean: 0.1, amplitude: 0.7, omega: 3.0, phase: 0.4 },
            Signal::Table(Curve::linear(points().0, points().1).unwrap()),
            Signal::Table(Curve::cubic(points().0, points().1).unwrap()),
            Signal::Table(Curve::hold(points().0, points().1).unwrap()),
            Signal::Table(Curve::hold(points().0, points().1).unwrap().delayed(0.1)),
            Signal::Table(Curve::with_jumps(vec![0.0, 1.0, 1.0, 3.0], vec![0.0, 0.5, -0.3, 0.2]).unwrap()),
            Signal::Pulses { low: 0.1, high: -0.4, start: 0.25, width: 0.5, period: 0.75, count: 3.0 },
        ];
        for velocity in signals {
            let position = velocity.integral(0.0).unwrap();
            // rounding of a difference
            assert!(position.at(0.0).abs() < 1e-15, "{velocity:?}");
            // value and slope come from closed forms: 1e-12 is rounding. The sum by the midpoint rule is off by h²/24 times
            // the change of slope, below 1e-7
            let (steps, h) = (16_000, 4.0 / 16_000.0);
            let mut sum = 0.0;
            for k in 0..steps {
                let t = (f64::from(k) + 0.5) * h;
                sum += h * velocity.at(t);
                let [_, v, a, _] = position.eval(t, t);
                assert!((v - velocity.at(t)).abs() < 1e-12, "{velocity:?} at {t}");
                assert!((a - velocity.eval(t, t)[1]).abs() < 1e-12, "{velocity:?} at {t}");
                assert!((position.at(t + 0.5 * h) - sum).abs() < 1e-7, "{velocity:?} at {t}");
            }
        }
        assert!(Signal::Chirp { amplitude: 1.0, omega: 1.0, rate: 1.0, phase: 0.0 }.integral(0.0).is_none());
    }
}
