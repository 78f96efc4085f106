//! Bristles as vectors.
//!
//! ```text
//! lugre            dz/dt = u − σ0·|u|/g(|v|)·z,                     u = B·v
//! elasto-plastic   dz/dt = u − σ0·α(|z|)·(z·u)₊/(|z|·g(|v|))·z
//! both             λ = B·(σ0·z + σ1·e^{−(|v|/vd)²}·dz/dt) + σ2·|v|^γ·B²v/|Bv|
//! ```
//! Along one direction these are the equations of the laws `lugre` and, with γ = 1 and without vd, `elasto-plastic`; for steady sliding λ is the force of the
//! ellipse of level g. |z| never exceeds Fs/σ0. There is no set at rest. With `lugre` a body under load creeps by the bristles' drift, as it does in one direction.
//!
//! With `elasto-plastic` z is the displacement itself for |z| below the elastic range, in all directions, so that nothing drifts there. In one direction the
//! bristles yield while z and v have one sign, at the rate |v|. The component of u along z, where it is positive, is the one vector form of this rate that depends on
//! stretching alone: motion across z turns z without yielding, as it does in `lugre`, d|z|²/dt = 2 z·u·(1 − α σ0|z|/g), and what the bristles lose,
//! σ0²·α·(z·u)₊·|z|/g, is never negative.
use super::number::{Number, dot, length};
use crate::Spec;
use std::f64::consts::FRAC_PI_2;
use stiction_core::curve::StribeckCurve;

/// The parameters.
pub(super) struct PlaneBristles {
    curve: StribeckCurve<f64>,
    sigma0: f64,
    sigma1: f64,
    sigma2: f64,
    gamma: f64,
    vd: f64,
    /// Deflection up to which bristles are elastic \[m\]; none: they drift at every deflection.
    elastic: Option<f64>,
}

impl PlaneBristles {
    /// Those of a law; none if they are not known as vectors.
    pub fn new(spec: &Spec) -> Option<Self> {
        let is_plastic = match spec.law().name {
            "lugre" => false,
            "elasto-plastic" => true,
            _ => return None,
        };
        let get = |key: &str| spec.get(key).ok();
        let (fc, sigma0) = (get("fc")?, get("sigma0")?);
        Some(Self {
            curve: StribeckCurve { fc, fs: get("fs")?, vs: get("vs")?, exponent: get("exponent")? },
            sigma0,
            sigma1: get("sigma1")?,
            sigma2: get("sigma2")?,
            gamma: if is_plastic { 1.0 } else { get("gamma")? },
            vd: if is_plastic { f64::INFINITY } else { get("vd")? },
            elastic: if is_plastic { Some(get("stick")? * fc / sigma0) } else { None },
        })
    }
    /// The largest deflection \[m\].
    pub fn range(&self) -> f64 {
        self.curve.fs / self.sigma0
    }
    /// Rate at which bristles yield, as a factor on their deflection.
    fn relaxation<R: Number>(&self, z: [R; 2], u: [R; 2], level: R) -> R {
        let Some(elastic) = self.elastic else { return R::lit(self.sigma0) * length(u) / level };
        let stretching = dot(z, u).function(R::lit(0.0), |p, _| if p > 0.0 { [p, 1.0, 0.0] } else { [0.0; 3] });
        let full = level * R::lit(1.0 / self.sigma0);
        // α(|z|)/(|z|·full), α half a sine wave from 0 to 1
        let per_stretching = length(z).function(full, |z, full| {
            let width = full - elastic;
            let t = (2.0 * z - full - elastic) / width;
            if t <= -1.0 || z == 0.0 {
                return [0.0; 3];
            }
            let (alpha, slope) = if t < 1.0 {
                let (sin, cos) = (FRAC_PI_2 * t).sin_cos();
                (0.5 + 0.5 * sin, 0.5 * FRAC_PI_2 * cos)
            } else {
                (1.0, 0.0)
            };
            let (by_z, by_full) = (2.0 * slope / width, -slope * (1.0 + t) / width);
            let over = 1.0 / (z * full);
            [alpha * over, (by_z - alpha / z) * over, (by_full - alpha / full) * over]
        });
        per_stretching * stretching
    }
    /// Rate of the deflection and the force, in the axes of the grain, of which the second has `across` times the friction; `load` is the factor on the bristles' force.
    pub fn flow<R: Number>(&self, z: [R; 2], v: [R; 2], across: f64, load: R) -> [[R; 2]; 2] {
        let StribeckCurve { fc, fs, vs, exponent } = self.curve;
        let curve = StribeckCurve { fc: R::lit(fc), fs: R::lit(fs), vs: R::lit(vs), exponent: R::lit(exponent) };
        let (speed, b) = (length(v), R::lit(across));
        let u = [v[0], b * v[1]];
        let scaled = length(u);
        let relaxation = self.relaxation(z, u, curve.level(speed));
        let rate = [0, 1].map(|k| u[k] - relaxation * z[k]);
        let ratio = speed * R::lit(1.0 / self.vd);
        let damping = R::lit(self.sigma1) * (-(ratio * ratio)).exp();
        // σ2·|v|^γ over |Bv|, which has no direction at rest
        let viscous = speed.function(scaled, |s, c| {
            if c <= 0.0 {
                return [if self.gamma == 1.0 { self.sigma2 } else { 0.0 }, 0.0, 0.0];
            }
            let force = self.sigma2 * s.powf(self.gamma);
            [force / c, self.gamma * force / (s * c), -force / (c * c)]
        });
        let scale = [R::lit(1.0), b];
        let force =
            [0, 1].map(|k| scale[k] * ((R::lit(self.sigma0) * z[k] + damping * rate[k]) * load + viscous * u[k]));
        [rate, force]
    }
}
