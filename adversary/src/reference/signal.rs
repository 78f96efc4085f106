//! Values of signals and their derivatives, written for the reference.
use crate::model::Signal;

/// Value, first and second derivative at `t`, on the piece that holds at the instant `piece`.
pub fn derivatives(signal: &Signal, t: f64, piece: f64) -> [f64; 3] {
    match signal {
        Signal::Constant(x) => [*x, 0.0, 0.0],
        Signal::Ramp { offset, slope, start, end } => {
            let (time, rate) = if piece < *start {
                (0.0, 0.0)
            } else if piece < *end {
                (t - start, *slope)
            } else {
                (end - start, 0.0)
            };
            [offset + slope * time, rate, 0.0]
        }
        Signal::Step { at, before, after } => [if piece < *at { *before } else { *after }, 0.0, 0.0],
        Signal::Sine { mean, amplitude, omega, phase } => {
            let angle = omega * t + phase;
            let (a, w) = (*amplitude, *omega);
            [mean + a * angle.sin(), a * w * angle.cos(), -a * w * w * angle.sin()]
        }
        Signal::Chirp { amplitude, omega, rate, phase } => {
            let angle = omega * t + rate * t * t + phase;
            let w = omega + 2.0 * rate * t;
            let bend = 2.0 * rate * angle.cos() - w * w * angle.sin();
            [amplitude * angle.sin(), amplitude * w * angle.cos(), amplitude * bend]
        }
        Signal::Move { start, time, before, after } => {
            if piece < *start {
                return [*before, 0.0, 0.0];
            }
            if piece >= start + time {
                return [*after, 0.0, 0.0];
            }
            let (s, d) = ((t - start) / time, after - before);
            let value = before + d * (10.0 * s.powi(3) - 15.0 * s.powi(4) + 6.0 * s.powi(5));
            let rate = d / time * (30.0 * s.powi(2) - 60.0 * s.powi(3) + 30.0 * s.powi(4));
            let bend = d / (time * time) * (60.0 * s - 180.0 * s.powi(2) + 120.0 * s.powi(3));
            [value, rate, bend]
        }
        Signal::Pulses { low, high, start, width, period, count } => {
            let mut begins = (0..*count as usize).map(|k| start + k as f64 * period);
            let inside = begins.rfind(|begin| *begin <= piece).is_some_and(|begin| piece < begin + width);
            [if inside { *high } else { *low }, 0.0, 0.0]
        }
        Signal::Table(points) => {
            let next = points.iter().position(|point| piece < point[0]);
            match next {
                Some(0) => [points[0][1], 0.0, 0.0],
                None => [points[points.len() - 1][1], 0.0, 0.0],
                Some(i) => {
                    let ([x0, y0], [x1, y1]) = (points[i - 1], points[i]);
                    let slope = (y1 - y0) / (x1 - x0);
                    [y0 + slope * (t - x0), slope, 0.0]
                }
            }
        }
        Signal::Sum(parts) => parts.iter().fold([0.0; 3], |sum, part| {
            let value = derivatives(part, t, piece);
            [sum[0] + value[0], sum[1] + value[1], sum[2] + value[2]]
        }),
        Signal::Product(parts) => parts.iter().fold([1.0, 0.0, 0.0], |[f, f1, f2], part| {
            let [g, g1, g2] = derivatives(part, t, piece);
            [f * g, f1 * g + f * g1, f2 * g + 2.0 * f1 * g1 + f * g2]
        }),
    }
}

/// Adds the instants at which the signal jumps or has a kink.
pub fn breakpoints(signal: &Signal, out: &mut Vec<f64>) {
    match signal {
        Signal::Constant(_) | Signal::Sine { .. } | Signal::Chirp { .. } => {}
        Signal::Ramp { start, end, .. } => out.extend([*start, *end]),
        Signal::Step { at, .. } => out.push(*at),
        Signal::Move { start, time, .. } => out.extend([*start, start + time]),
        Signal::Pulses { start, width, period, count, .. } => {
            out.extend((0..*count as usize).map(|k| start + k as f64 * period).flat_map(|t| [t, t + width]));
        }
        Signal::Table(points) => out.extend(points.iter().map(|point| point[0])),
        Signal::Sum(parts) | Signal::Product(parts) => parts.iter().for_each(|part| breakpoints(part, out)),
    }
}

/// The shortest period of its oscillations until `end`.
pub fn period(signal: &Signal, end: f64) -> f64 {
    let of = |omega: f64| std::f64::consts::TAU / omega.abs().max(1e-300);
    match signal {
        Signal::Sine { omega, .. } => of(*omega),
        Signal::Chirp { omega, rate, .. } => of(omega.abs().max((omega + 2.0 * rate * end).abs())),
        Signal::Move { time, .. } => *time,
        Signal::Sum(parts) => parts.iter().map(|part| period(part, end)).fold(f64::INFINITY, f64::min),
        Signal::Product(parts) => 1.0 / parts.iter().map(|part| 1.0 / period(part, end)).sum::<f64>(),
        _ => f64::INFINITY,
    }
}
