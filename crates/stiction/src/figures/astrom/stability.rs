//! Stability of steady sliding on a spring: A11.
use super::super::ExperimentOutcome;
use super::super::scenario_parameters::parameter_lines;
use crate::Error;
use crate::analysis::equilibrium::{LocalStability, find};
use crate::analysis::stability_over_speed::{StabilityChangeKind, stability_changes};
use crate::plot::{Axis, Figure, Panel};
use crate::scenario::Scenario;

/// Sliding at `v`: its linear system, and the slope of the steady curve.
fn sliding(v: f64) -> Result<(LocalStability, f64), Error> {
    let scenario = Scenario::named("a11", &[format!("motion.hand.position.ramp.slope={v:e}")])?;
    let found =
        find(&scenario.system, scenario.options.end)?.into_iter().find(|e| e.contacts.iter().all(|c| c.v != 0.0));
    let found = found.and_then(|e| Some((e.local_stability.first()?.clone(), e.contacts.first()?.slope)));
    found.ok_or(Error::Analysis(crate::analysis::AnalysisError::NotConverged { what: "equilibrium", off: v }))
}

/// Routh's a1 a2 − a3, the second Hurwitz determinant. \[1/s³\]
fn routh(answer: &LocalStability) -> f64 {
    answer.hurwitz.get(1).copied().unwrap_or(f64::NAN)
}

pub(super) fn a11() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("a11")?, ..ExperimentOutcome::default() };
    out.given.push("pulled at 0.01 to 0.6 m/s".to_owned());
    let none: [&str; 0] = [];
    let mut scenario = Scenario::named("a11", &none)?;
    let changes = stability_changes(&mut scenario.system, scenario.options.end, (0.4, 0.6))?;
    let at =
        |wanted: fn(&StabilityChangeKind) -> bool| changes.iter().find(|c| wanted(&c.what)).map_or(f64::NAN, |c| c.v);
    let edge = at(|what| *what == StabilityChangeKind::Stable);
    out.value("v_slope_zero", "m/s", at(|what| matches!(what, StabilityChangeKind::Rises(_)))).value(
        "v_routh_zero",
        "m/s",
        edge,
    );
    for v in [0.1, 0.5, 1.0] {
        out.value(format!("v{v:?}.max_real"), "1/s", sliding(v)?.0.growth());
    }
    let (answer, _) = sliding(0.3)?;
    for (k, (unit, a)) in ["1/s", "1/s²", "1/s³"].into_iter().zip(answer.polynomial.iter().skip(1)).enumerate() {
        out.value(format!("v0.3.a{}", k + 1), unit, *a);
    }
    let (mut determinant, mut slope, mut growth) = (Vec::new(), Vec::new(), Vec::new());
    for v in (5..=300).map(|k| f64::from(k) * 2e-3) {
        let (answer, steepness) = sliding(v)?;
        determinant.push((v, 1e-5 * routh(&answer)));
        slope.push((v, 0.1 * steepness));
        growth.push((v, answer.growth()));
    }
    let axis = Axis::linear("v [m/s]").limits(0.0, 0.6);
    // on the axes of the slide, the slope to a scale of its own
    let both = Panel::new(axis.clone(), Axis::linear("a_{1} a_{2} − a_{3}, F\'_{ss}").limits(-1.5, 0.5))
        .line("a_{1} a_{2} − a_{3} [10^{5} s^{−3}]", determinant)
        .line("F\'_{ss} [10 N·s/m]", slope)
        .vertical_line(format!("stable for v > {edge:.3}"), edge);
    let growth = Panel::new(axis, Axis::linear("largest real part [1/s]")).line("", growth).vertical_line("", edge);
    out.pictures.push(Figure::new("Stability of sliding").panel(both).panel(growth));
    Ok(out)
}
