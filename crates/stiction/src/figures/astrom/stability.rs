//! Stability of steady sliding on a spring: A11.
use super::super::Outcome;
use super::super::numeric::{edge, root};
use crate::Error;
use crate::Spec;
use crate::plot::{Axis, Figure, Panel};
use stiction_core::Input;
use stiction_core::registry::Model;

/// Mass \[kg\] and stiffness [N/m] of the slide.
const MASS: f64 = 1.0;
const STIFFNESS: f64 = 1.0;

/// Coefficients of the characteristic polynomial s³ + a1 s² + a2 s + a3 of sliding at `v`, by the exact derivatives of
/// the law. States: length of the spring, velocity, deflection.
fn polynomial(law: &dyn Model, v: f64) -> [f64; 3] {
    let u = Input::at(v);
    let mut z = [0.0];
    law.settled(&u, &mut z);
    let mut rows = [0.0; 8];
    law.partials(&z, &u, &[0], false, &mut rows);
    let [_, force_v, _, force_z, _, rate_v, _, rate_z] = rows;
    [force_v / MASS - rate_z, (force_z * rate_v - force_v * rate_z + STIFFNESS) / MASS, -STIFFNESS * rate_z / MASS]
}

fn routh([a1, a2, a3]: [f64; 3]) -> f64 {
    a1 * a2 - a3
}

/// The largest real part of the roots: the least shift that makes the polynomial stable.
fn largest_real([a1, a2, a3]: [f64; 3]) -> Result<f64, Error> {
    let bound = 1.0 + a1.abs() + a2.abs() + a3.abs();
    edge(-bound, bound, 0.0, |s| {
        let b = [a1 + 3.0 * s, a2 + s * (2.0 * a1 + 3.0 * s), a3 + s * (a2 + s * (a1 + s))];
        Ok(b[0] > 0.0 && b[2] > 0.0 && routh(b) > 0.0)
    })
}

pub(super) fn a11() -> Result<Outcome, Error> {
    let mut spec = Spec::new("lugre")?;
    let known = [("mu", 0.3), ("normal", 10.0), ("lc", 0.001), ("mass", MASS), ("ls_over_lc", 2.0)];
    spec.apply_recipe(&known)?;
    spec.set("vs", 0.1)?.set("exponent", 1.0)?.set("sigma2", 0.2)?;
    let law = spec.build()?;
    // after an age at v the force and its slope are those of the steady curve
    let slope = |v: f64| law.tangent(&[], &Input::at(v), 1e9)[1];
    let mut out = Outcome::default();
    out.given.push(format!("lugre, {}, vs = 0.1 m/s, exponent = 1, sigma2 = 0.2 N·s/m", {
        let text: Vec<String> = known.iter().map(|(name, x)| format!("{name} = {x}")).collect();
        text.join(", ")
    }));
    out.given.push(format!("mass {MASS} kg on a spring of {STIFFNESS} N/m"));
    out.value("v_slope_zero", "m/s", root(0.4, 0.6, slope));
    let edge = root(0.4, 0.6, |v| routh(polynomial(&*law, v)));
    out.value("v_routh_zero", "m/s", edge);
    for v in [0.1, 0.5, 1.0] {
        out.value(format!("v{v:?}.max_real"), "1/s", largest_real(polynomial(&*law, v))?);
    }
    for (key, a) in ["v0.3.a1", "v0.3.a2", "v0.3.a3"].into_iter().zip(polynomial(&*law, 0.3)) {
        out.value(key, "", a);
    }
    let at = || (30..=600).map(|k| f64::from(k) * 1e-3);
    let axis = Axis::linear("v [m/s]");
    let mut real = Vec::new();
    for v in at() {
        real.push((v, largest_real(polynomial(&*law, v))?));
    }
    let routh =
        Panel::new(axis.clone(), Axis::linear("a1 a2 - a3")).line("", at().map(|v| (v, routh(polynomial(&*law, v)))));
    let slope = Panel::new(axis.clone(), Axis::linear("F'ss [N·s/m]")).line("", at().map(|v| (v, slope(v))));
    let real = Panel::new(axis, Axis::linear("largest real part [1/s]")).line("", real);
    out.pictures.push(
        Figure::new(format!("Stability of sliding: stable for v > {edge:.3} m/s"))
            .panel(routh)
            .panel(slope)
            .panel(real),
    );
    Ok(out)
}
