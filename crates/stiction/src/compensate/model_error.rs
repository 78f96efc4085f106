//! Controllers with a wrong model, to test robustness.
use crate::scenario::ControllerPart;
use crate::{ParameterGroup, Spec};
use stiction_core::Input;

/// The same parts with their model scaled by `factor`: the force of a law, initial friction levels, a mass, or the dither
/// amplitude. None if no part uses a model, or if it cannot be scaled.
pub fn with_model_error(parts: &[ControllerPart], factor: f64) -> Option<Vec<ControllerPart>> {
    let mut known = false;
    let mut out = parts.to_vec();
    for part in &mut out {
        let names: &[&str] = match part.entry.name {
            "feedforward" => &["share"],
            "adaptive" => &["max_c", "max_x", "max_v", "fc", "fx", "fv"],
            "acceleration-feedback" | "disturbance-observer" => &["mass"],
            "dither" => &["amplitude"],
            "observer" => {
                part.law = Some(scale_law_forces(part.law.as_ref()?, factor)?);
                known = true;
                continue;
            }
            _ => continue,
        };
        for name in names {
            let x = part.get(name)? * factor;
            part.set(name, x);
            // limited by the bounds of the parameter
            if (part.get(name)? - x).abs() > 1e-9 * x.abs() {
                return None;
            }
        }
        known = true;
    }
    known.then_some(out)
}

/// Speeds at which the scaled law is compared with the original \[m/s\].
const SPEEDS: [f64; 4] = [1e-6, 1e-3, -0.1, 1.0];

/// The law with all forces multiplied by `factor`: every parameter whose unit begins with newtons. None if the force of the
/// result is not `factor` times the original force.
pub fn scale_law_forces(law: &Spec, factor: f64) -> Option<Spec> {
    let mut out = law.clone();
    for part in [ParameterGroup::Law, ParameterGroup::Reverse] {
        for (param, x) in law.rows(part) {
            if param.unit.starts_with('N') && !param.unit.starts_with("N^") {
                out.set(&part.key(param.name), factor * x).ok()?;
            }
        }
    }
    let (plain, other) = (law.build().ok()?, out.build().ok()?);
    let same = |v: &f64| {
        let [a, b] = [&plain, &other].map(|law| law.steady(&Input::at(*v)));
        (factor * a - b).abs() <= 1e-9 * (factor * a).abs()
    };
    SPEEDS.iter().all(same).then_some(out)
}
