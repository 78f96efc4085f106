//! Storage functions of laws, where they are known.
use crate::{ParameterGroup, Spec};

/// A storage function.
#[derive(Clone, Copy, Debug)]
pub struct StorageFunction {
    /// As a formula.
    pub text: &'static str,
    stored: StoredEnergy,
}

/// Stored energy as a function of parameters and states.
type StoredEnergy = fn(&LawParameters<'_>, &[f64]) -> f64;

/// The parameters of a law by name.
struct LawParameters<'a> {
    spec: &'a Spec,
    values: Vec<f64>,
}

impl LawParameters<'_> {
    fn get(&self, name: &str) -> f64 {
        let at = self.spec.law().params.iter().position(|p| p.name == name);
        at.map_or(f64::NAN, |i| self.values[i])
    }
}

fn half(stiffness: f64, z: f64) -> f64 {
    0.5 * stiffness * z * z
}

impl StorageFunction {
    /// The storage function of a law; none if it is not known.
    pub fn of(spec: &Spec) -> Option<Self> {
        let (text, stored): (&'static str, StoredEnergy) = match spec.law().name {
            "dahl" => ("sigma z^2/2", |p, z| half(p.get("sigma"), z[0])),
            "dankowicz" => ("(fmax/delta) z^2/2", |p, z| half(p.get("fmax") / p.get("delta"), z[0])),
            "lugre" | "elasto-plastic" => ("sigma0 z^2/2", |p, z| half(p.get("sigma0"), z[0])),
            "bouc-wen" => ("z^2/(2 alpha)", |p, z| half(1.0 / p.get("alpha"), z[0])),
            "reset-integrator" => ("(1 + a) sigma0 z^2/2", |p, z| half((1.0 + p.get("a")) * p.get("sigma0"), z[0])),
            "bristle" => ("sum of sigma s_i^2/2", |p, z| z.iter().take(16).map(|s| half(p.get("sigma"), *s)).sum()),
            "gms" => ("sum of F_i^2/(2 k_i)", |p, z| {
                let part = |(name, f): (&&str, &f64)| if *f == 0.0 { 0.0 } else { half(1.0 / p.get(name), *f) };
                ["k1", "k2", "k3", "k4"].iter().zip(z).map(part).sum()
            }),
            _ => return None,
        };
        Some(Self { text, stored })
    }
    /// Energy stored in the states under nominal load \[J\].
    pub fn at(&self, spec: &Spec, memory: &[f64]) -> f64 {
        (self.stored)(&LawParameters { spec, values: spec.values(ParameterGroup::Law) }, memory)
    }
}
