//! Design of Butterworth and Chebyshev filters: analogue poles, prewarping, bilinear transform.
use super::{Filter, SecondOrderSection};
use crate::NumericsError;
use crate::check::positive;
use crate::linalg::Complex;
use std::f64::consts::PI;

/// Highest order: steeper filters ring too long to be useful.
const MAX_ORDER: usize = 12;

/// The band that passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassBand {
    /// Low-pass: below the cut-off.
    Low,
    /// High-pass: above the cut-off.
    High,
}

impl Filter {
    /// Butterworth filter: maximally flat, −3 dB at the cut-off. Order 1 to 12, cut-off and sampling rate in Hz.
    pub fn butterworth(order: usize, band: PassBand, cutoff: f64, rate: f64) -> Result<Self, NumericsError> {
        let pole = |angle: f64| Complex::new(-angle.cos(), -angle.sin());
        design(order, band, cutoff, rate, 1.0, pole)
    }

    /// Chebyshev filter of the first kind: steeper, with a pass-band ripple of `ripple` dB. The gain at the cut-off is −`ripple` dB, and for
    /// even order so is the gain at zero frequency.
    pub fn chebyshev(order: usize, ripple: f64, band: PassBand, cutoff: f64, rate: f64) -> Result<Self, NumericsError> {
        positive("ripple", ripple)?;
        let epsilon = (ripple * 10.0_f64.ln() / 10.0).exp_m1().sqrt();
        let mu = (1.0 / epsilon).asinh() / order.max(1) as f64;
        let level = if order.is_multiple_of(2) { 1.0 / epsilon.hypot(1.0) } else { 1.0 };
        // −sinh(µ + i·angle)
        let pole = |angle: f64| Complex::new(-mu.sinh() * angle.cos(), -mu.cosh() * angle.sin());
        design(order, band, cutoff, rate, level, pole)
    }
}

/// A filter from the poles of its analogue low-pass of 1 rad/s, each given by its angle, and its gain at frequency zero.
fn design(
    order: usize,
    band: PassBand,
    cutoff: f64,
    rate: f64,
    level: f64,
    pole: impl Fn(f64) -> Complex,
) -> Result<Filter, NumericsError> {
    if !(1..=MAX_ORDER).contains(&order) {
        return Err(NumericsError::InvalidValue { name: "order", value: order as f64, must: "from 1 to 12" });
    }
    positive("sampling rate", rate)?;
    if !(cutoff > 0.0 && cutoff < 0.5 * rate) {
        return Err(NumericsError::InvalidValue {
            name: "cut-off",
            value: cutoff,
            must: "between zero and half the sampling rate",
        });
    }
    // with z = (1 + s)/(1 − s), the cut-off lies at s = i·tan(π·cutoff/rate)
    let warped = (PI * cutoff / rate).tan();
    let side = if band == PassBand::Low { 1.0 } else { -1.0 };
    // angles of the upper half plane; the last one of an odd order is the real pole
    let angles = (0..order.div_ceil(2)).map(|k| PI * (order - 1 - 2 * k) as f64 / (2 * order) as f64);
    let mut sections: Vec<(f64, SecondOrderSection)> = angles
        .enumerate()
        .map(|(k, angle)| {
            let s = match band {
                PassBand::Low => pole(angle).scale(warped),
                PassBand::High => inverse(pole(angle)).scale(warped),
            };
            // the pole p = (1 + s)/(1 − s); 1 ∓ p, for the gain, without cancellation: −2s/(1 − s), 2/(1 − s)
            let below = inverse(Complex::new(1.0 - s.re, -s.im));
            let p = Complex::new(1.0 + s.re, s.im) * below;
            let off = if band == PassBand::Low { (s * below).scale(-2.0) } else { below.scale(2.0) };
            let single = order % 2 == 1 && 2 * k + 1 == order;
            let section = if single {
                let g = 0.5 * off.re;
                SecondOrderSection { b: [g, side * g, 0.0], a: [-p.re, 0.0] }
            } else {
                let g = 0.25 * off.abs() * off.abs();
                SecondOrderSection { b: [g, side * 2.0 * g, g], a: [-2.0 * p.re, p.re * p.re + p.im * p.im] }
            };
            (p.abs(), section)
        })
        .collect();
    // the most resonant section last, so that it does not amplify what the others remove
    sections.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut sections: Vec<SecondOrderSection> = sections.into_iter().map(|(_, s)| s).collect();
    sections[0].b = sections[0].b.map(|b| b * level);
    Ok(Filter { sections, order })
}

fn inverse(z: Complex) -> Complex {
    z.conj().scale(1.0 / (z.re * z.re + z.im * z.im))
}
