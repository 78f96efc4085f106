//! LuGre's bristles as vectors.
//!
//! ```text
//! dz/dt = u − σ0·|u|/g(|v|)·z,    λ = B·(σ0·z + σ1·e^{−(|v|/vd)²}·dz/dt) + σ2·|v|^γ·B²v/|Bv|,    u = B·v
//! ```
//! Along one direction these are the equations of the law `lugre`; for steady sliding λ is the force of the ellipse of level g. |z| never exceeds
//! Fs/σ0. There is no set at rest: a body under load creeps by the bristles' drift, as it does in one direction.
use super::number::{Number, length};
use crate::Spec;
use stiction_core::curve::StribeckCurve;

/// The parameters.
pub(super) struct PlaneBristles {
    curve: StribeckCurve<f64>,
    sigma0: f64,
    sigma1: f64,
    sigma2: f64,
    gamma: f64,
    vd: f64,
}

impl PlaneBristles {
    /// Those of a law; none if it is not `lugre`.
    pub fn new(spec: &Spec) -> Option<Self> {
        if spec.law().name != "lugre" {
            return None;
        }
        let get = |key: &str| spec.get(key).ok();
        Some(Self {
            curve: StribeckCurve { fc: get("fc")?, fs: get("fs")?, vs: get("vs")?, exponent: get("exponent")? },
            sigma0: get("sigma0")?,
            sigma1: get("sigma1")?,
            sigma2: get("sigma2")?,
            gamma: get("gamma")?,
            vd: get("vd")?,
        })
    }
    /// The largest deflection \[m\].
    pub fn range(&self) -> f64 {
        self.curve.fs / self.sigma0
    }
    /// Rate of the deflection and the force, in the axes of the grain, of which the second has `across` times the friction; `load` is the factor on the bristles' force.
    pub fn flow<R: Number>(&self, z: [R; 2], v: [R; 2], across: f64, load: R) -> [[R; 2]; 2] {
        let StribeckCurve { fc, fs, vs, exponent } = self.curve;
        let curve = StribeckCurve { fc: R::lit(fc), fs: R::lit(fs), vs: R::lit(vs), exponent: R::lit(exponent) };
        let (speed, b) = (length(v), R::lit(across));
        let u = [v[0], b * v[1]];
        let scaled = length(u);
        let relaxation = R::lit(self.sigma0) * scaled / curve.level(speed);
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
