//! Regression models of sliding friction: their regressors, and the law with the estimated coefficients.
use super::samples::SlidingSamples;
use crate::{Error, Spec};

/// A law of sliding friction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlidingLaw {
    /// Constant friction.
    Coulomb,
    /// Coulomb and viscous friction.
    Viscous,
    /// Stribeck curve with viscous friction; the value is ten times the exponent, zero for a free exponent.
    Stribeck(u8),
}

impl SlidingLaw {
    /// A law by name: `coulomb`, `stiction` (Coulomb and viscous), `stribeck`, or `stribeck:2` with an exponent of 0.3 to 4.
    pub fn find(name: &str) -> Option<Self> {
        match name {
            "coulomb" => Some(Self::Coulomb),
            "stiction" => Some(Self::Viscous),
            "stribeck" => Some(Self::Stribeck(0)),
            _ => {
                let exponent: f64 = name.strip_prefix("stribeck:")?.parse().ok()?;
                (0.3..=4.0).contains(&exponent).then(|| Self::Stribeck((10.0 * exponent).round() as u8))
            }
        }
    }
}

/// A regression model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegressionModel {
    /// The law.
    pub curve: SlidingLaw,
    /// Whether the directions have separate parameters.
    pub asymmetric: bool,
    /// Whether a constant force is included. Separate directions already contain one.
    pub offset: bool,
    /// Whether the mass is estimated.
    pub mass: bool,
    /// Whether friction depends on the load.
    pub load: bool,
    /// How many other forces have an estimated size; see [`SlidingSamples::terms`].
    pub terms: usize,
}

/// Names of the coefficients of other forces.
pub(super) const TERMS: [&str; 16] = [
    "term 1", "term 2", "term 3", "term 4", "term 5", "term 6", "term 7", "term 8", "term 9", "term 10", "term 11",
    "term 12", "term 13", "term 14", "term 15", "term 16",
];

impl RegressionModel {
    /// Title for readers.
    pub fn title(&self) -> String {
        let curve = match self.curve {
            SlidingLaw::Coulomb => "Coulomb".to_owned(),
            SlidingLaw::Viscous => "Coulomb + viscous".to_owned(),
            SlidingLaw::Stribeck(0) => "Stribeck, free exponent".to_owned(),
            SlidingLaw::Stribeck(tenths) => format!("Stribeck, exponent {}", f64::from(tenths) / 10.0),
        };
        let mut out = curve;
        if self.asymmetric {
            out += ", each direction by itself";
        }
        if self.load {
            out += ", growing with load";
        }
        out
    }
    /// Names of the linear coefficients.
    pub fn linear_names(&self) -> Vec<&'static str> {
        let mut out = Vec::new();
        if self.mass {
            out.push("mass");
        }
        if self.offset && !self.asymmetric {
            out.push("offset");
        }
        out.extend_from_slice(&TERMS[..self.terms.min(TERMS.len())]);
        let mut side =
            |names: [&'static str; 2]| out.extend_from_slice(if self.asymmetric { &names } else { &names[..1] });
        side(["fc", "reverse.fc"]);
        if self.load {
            side(["fc.load", "reverse.fc.load"]);
        }
        if self.curve != SlidingLaw::Coulomb {
            side(["fv", "reverse.fv"]);
        }
        if let SlidingLaw::Stribeck(_) = self.curve {
            side(["drop", "reverse.drop"]);
        }
        out
    }
    /// Whether a linear coefficient cannot be negative in nature: masses, friction levels, viscous coefficients and Stribeck
    /// effects. An offset and the other forces have either sign; with a load, which may be any quantity that friction depends on, so have the terms
    /// of the level.
    pub fn is_nonnegative(&self, name: &str) -> bool {
        match name.rsplit("reverse.").next() {
            Some("offset" | "fc.load") | None => false,
            Some(name) if TERMS.contains(&name) => false,
            Some("fc") => !self.load,
            Some(_) => true,
        }
    }
    /// Whether all parameters are linear.
    pub fn is_linear(&self) -> bool {
        !matches!(self.curve, SlidingLaw::Stribeck(_))
    }
    /// Number of parameters.
    pub fn count(&self) -> usize {
        let nonlinear = match self.curve {
            SlidingLaw::Stribeck(0) => 2,
            SlidingLaw::Stribeck(_) => 1,
            _ => 0,
        };
        self.linear_names().len() + nonlinear
    }
    /// The Stribeck exponent, if it is fixed.
    pub fn exponent(&self) -> Option<f64> {
        match self.curve {
            SlidingLaw::Stribeck(tenths) if tenths > 0 => Some(f64::from(tenths) / 10.0),
            _ => None,
        }
    }
    /// The regressors, concatenated, for given `vs` and exponent.
    pub fn regressors(&self, s: &SlidingSamples, vs: f64, exponent: f64, out: &mut Vec<f64>) {
        out.clear();
        let sides = |f: &dyn Fn(usize) -> f64, out: &mut Vec<f64>| {
            if self.asymmetric {
                out.extend((0..s.len()).map(|k| if s.v[k] >= 0.0 { f(k) } else { 0.0 }));
                out.extend((0..s.len()).map(|k| if s.v[k] < 0.0 { f(k) } else { 0.0 }));
            } else {
                out.extend((0..s.len()).map(f));
            }
        };
        if self.mass {
            out.extend_from_slice(&s.a);
        }
        if self.offset && !self.asymmetric {
            out.extend_from_slice(&s.constant);
        }
        s.terms.iter().take(self.terms).for_each(|term| out.extend_from_slice(&term.values));
        sides(&|k| s.sign[k], out);
        if self.load {
            sides(&|k| s.signed_load[k], out);
        }
        if self.curve != SlidingLaw::Coulomb {
            sides(&|k| s.v[k], out);
        }
        if !self.is_linear() {
            let signed_load = |k: usize| s.load_factor.get(k).copied().unwrap_or(1.0);
            // fast paths for the usual exponents
            let power = |u: f64| {
                if exponent == 1.0 {
                    u
                } else if exponent == 2.0 {
                    u * u
                } else {
                    u.powf(exponent)
                }
            };
            let fall = |v: f64| (-power(v.abs() / vs)).exp();
            let mean = |k: usize| s.block_velocities.get(k).map_or_else(|| fall(s.v[k]), |block| block.mean(fall));
            sides(&|k| signed_load(k) * s.sign[k] * mean(k), out);
        }
    }
    /// The law with the estimated coefficients, limited to its bounds. `mean` is the load at which `fc` holds.
    ///
    /// # Errors
    /// As [`Spec::set`]; values out of bounds are limited.
    pub fn spec(&self, get: &dyn Fn(&str) -> Option<f64>, mean: f64) -> Result<Spec, Error> {
        let mut spec = Spec::new(match self.curve {
            SlidingLaw::Coulomb => "coulomb",
            SlidingLaw::Viscous => "stiction",
            SlidingLaw::Stribeck(_) => "stribeck",
        })?;
        let value = |name: &str| get(name).unwrap_or(0.0);
        for prefix in if self.asymmetric { &["", "reverse."][..] } else { &[""] } {
            let of = |name: &str| value(&format!("{prefix}{name}"));
            let slope = if self.load { of("fc.load") } else { 0.0 };
            let fc = (of("fc") + slope * mean).max(0.0);
            spec.set(&format!("{prefix}fc"), fc)?;
            if self.curve == SlidingLaw::Coulomb {
                continue;
            }
            spec.set(&format!("{prefix}fv"), of("fv").max(0.0))?;
            spec.set(&format!("{prefix}fs"), fc + of("drop").max(0.0))?;
        }
        if let SlidingLaw::Stribeck(_) = self.curve {
            spec.set("vs", value("vs").clamp(1e-9, 1e3))?;
            spec.set("exponent", self.exponent().unwrap_or(value("exponent")).clamp(0.1, 10.0))?;
        }
        if self.load {
            let fc = value("fc") + value("fc.load") * mean;
            spec.set("load.base", value("fc") / fc)?;
            spec.set("load.slope", value("fc.load") / fc)?;
        }
        Ok(spec)
    }
}
