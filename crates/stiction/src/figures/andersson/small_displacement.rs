//! Small displacements: Dankowicz without dimensions, and the exponent of Dahl's law.
use crate::Error;
use crate::figures::ExperimentOutcome;
use crate::figures::scenario_parameters::parameter_lines;
use crate::figures::simulated_scenario::{SimulatedScenario, dissipated, simulate};
use crate::plot::{Axis, Figure, Panel};
use std::f64::consts::TAU;

/// X over T, divided by `scale`.
fn line(run: &SimulatedScenario, column: &str, scale: f64) -> Result<Vec<(f64, f64)>, Error> {
    Ok(run.points("t", column)?.into_iter().map(|(t, x)| (t, x / scale)).collect())
}

fn panel(label: &str) -> Panel {
    Panel::new(Axis::linear("T [-]"), Axis::linear(label))
}

pub(super) fn steps() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("b7")?, ..ExperimentOutcome::default() };
    out.given.push("C = 1, 10, 100, 1000; X0 = 0.1 C, 0.5 C, 5 C".to_owned());
    let mut panels = [0.1, 0.5, 5.0].map(|ratio| (ratio, panel("X/X_{0} [-]").title(format!("X_{{0}} = {ratio} C"))));
    for c in [1.0, 10.0, 100.0, 1000.0] {
        for (ratio, panel) in &mut panels {
            let wall = *ratio * c;
            let set = [format!("contact.table.fmax={c}"), format!("motion.wall.position={wall}")];
            let run = simulate("b7", &[set[0].as_str(), &set[1], "run.sample=0.005"])?;
            out.value(format!("C{c}.{ratio}.turn_3"), "-", run.measure("turn_3")?);
            *panel = panel.clone().line(format!("C = {c}"), line(&run, "block.x", wall)?);
        }
    }
    let ten = simulate("b7", &["run.sample=0.005"])?;
    let place = panel("X [-]").line("", line(&ten, "block.x", 1.0)?);
    let place = place.horizontal_line("X_{0}", ten.summary().last("wall.x").unwrap_or(f64::NAN));
    out.pictures.push(Figure::new("Step response, C = 10, with macro-slip").panel(place));
    let [below, half, above] = panels.map(|(_, panel)| panel);
    out.pictures.push(Figure::new("Step response below macro-slip").panel(below).panel(half));
    out.pictures.push(Figure::new("Step response with macro-slip").panel(above));
    Ok(out)
}

pub(super) fn swings() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("b8")?, ..ExperimentOutcome::default() };
    out.given.push("C = 1, 10, 100, 1000; X0 = 5 C and 0.5 C times sin 0.5 T and sin(0.05 T + 0.01 T²)".to_owned());
    for (scenario, kind, name, key, title) in [
        ("b8", "sine", "const", "X(60)", "at a constant frequency"),
        ("b8-chirp", "chirp", "chirp", "X(100)", "at a rising frequency"),
    ] {
        let swing = |c: f64, ratio: f64| {
            let wall = format!("motion.wall.position.{kind}.amplitude={}", ratio * c);
            simulate(scenario, &[format!("contact.table.fmax={c}"), wall, "run.sample=0.02".to_owned()])
        };
        let mut figure = Figure::new(format!("Macro-slip {title}, X_{{0}} to 5 C"));
        let mut below = Figure::new(format!("Below macro-slip {title}, X_{{0}} to 0.5 C"));
        for (k, c) in [1.0, 10.0, 100.0, 1000.0].into_iter().enumerate() {
            let run = swing(c, 5.0)?;
            out.value(format!("C{c}.{name}.{key}"), "-", run.measure(key)?);
            let panel = || Panel { beside: k % 2 == 1, ..panel("X [-]").title(format!("C = {c}")) };
            let wall = panel().line("wall X_{0}", line(&run, "wall.x", 1.0)?);
            figure = figure.panel(wall.line("block X", line(&run, "block.x", 1.0)?));
            // the wall would hide the little that the block moves
            below = below.panel(panel().line("", line(&swing(c, 0.5)?, "block.x", 1.0)?));
        }
        out.pictures.extend([figure, below]);
    }
    Ok(out)
}

pub(super) fn exponents() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("b9")?, ..ExperimentOutcome::default() };
    out.given.push("shape = 0.5, 1, 2 and 3".to_owned());
    let mut loops = Panel::new(Axis::linear("x [µm]"), Axis::linear("F [N]"));
    for i in [0.5, 1.0, 2.0, 3.0] {
        let set = [format!("contact.friction.shape={i}"), format!("run.end={:e}", 4.1 * TAU)];
        // the fourth cycle no longer depends on the initial state
        out.value(format!("i{i}.area"), "J", dissipated("b9", &set, 3.0 * TAU, 4.0 * TAU)?);
        let points = simulate("b9", &set)?.between("slider.x", "friction.force", 3.0 * TAU, 4.01 * TAU)?;
        loops = loops.line(format!("i = {i}"), points.into_iter().map(|(x, f)| (1e6 * x, f)));
    }
    out.pictures.push(Figure::new("Stationary loops of Dahl's law").panel(loops));
    Ok(out)
}
