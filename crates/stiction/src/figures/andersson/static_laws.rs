//! Laws without memory.
use crate::figures::ExperimentOutcome;
use crate::figures::curves::{law, steady};
use crate::figures::traces::scaled;
use crate::plot::{Axis, Figure, Panel};
use crate::{Error, ParameterGroup, Spec};
use stiction_core::Input;

/// Levels, Stribeck velocity and slopes of the curves.
const LEVEL: [(&str, f64); 1] = [("fc", 1.0)];
const STRIBECK: [(&str, f64); 5] = [("fc", 1.0), ("fs", 1.5), ("vs", 0.1), ("exponent", 1.0), ("fv", 0.4)];
const SAT: (&str, f64) = ("ksat", 1000.0);
const TANH: (&str, f64) = ("ktanh", 1000.0);

/// Force over speed.
fn panel() -> Panel {
    Panel::new(Axis::linear("v [m/s]"), Axis::linear("F [N]"))
}

/// Coulomb and viscous friction, fig. 3a.
fn plain() -> Result<Panel, Error> {
    let viscous = [("fv", STRIBECK[4].1)];
    Ok(panel()
        .title("(a) Coulomb and viscous")
        .line("Coulomb", steady(&law("coulomb", &LEVEL)?, 1.0)?)
        .line("viscous", steady(&law("viscous", &viscous)?, 1.0)?))
}

/// A law and its values.
fn words(spec: &Spec) -> String {
    let rows = spec.rows(ParameterGroup::Law).into_iter();
    let values: Vec<String> = rows.map(|(param, value)| format!("{} = {value} {}", param.name, param.unit)).collect();
    format!("{}: {}", spec.law().name, values.join(", "))
}

pub(super) fn curves() -> Result<ExperimentOutcome, Error> {
    let with = |more| [&STRIBECK[..], &[more]].concat();
    let laws: [(&str, &str, Spec); 5] = [
        ("eq8", "sat", law("coulomb-sat", &[LEVEL[0], SAT])?),
        ("eq9", "tanh", law("coulomb-tanh", &[LEVEL[0], TANH])?),
        ("eq10", "Stribeck", law("stribeck", &STRIBECK)?),
        ("eq11", "sat", law("stribeck-sat", &with(SAT))?),
        ("eq12", "tanh", law("stribeck-tanh", &with(TANH))?),
    ];
    let millis = |points| scaled(points, 1e3, 1.0);
    let mut out = ExperimentOutcome {
        given: laws.iter().map(|(_, _, spec)| words(spec)).collect(),
        ..ExperimentOutcome::default()
    };
    let [mut combined, mut stribeck, mut near] =
        ["(b) Coulomb without its jump", "Stribeck", "Stribeck without its jump"].map(|title| panel().title(title));
    for (key, name, spec) in &laws {
        let model = spec.build()?;
        for v in [-0.2, 0.0005, 0.01] {
            out.value(format!("{key}({v})"), "N", model.steady(&Input::at(v)));
        }
        match *key {
            "eq8" | "eq9" => combined = combined.line(*name, millis(steady(spec, 0.005)?)),
            "eq10" => stribeck = stribeck.line(*name, steady(spec, 1.0)?),
            _ => near = near.line(*name, millis(steady(spec, 0.005)?)),
        }
    }
    for panel in [&mut combined, &mut near] {
        panel.x = Axis::linear("v [mm/s]");
    }
    out.pictures.push(Figure::new("Coulomb friction").panel(plain()?).beside(combined));
    out.pictures.push(Figure::new("Stribeck friction").panel(stribeck).beside(near));
    Ok(out)
}
