//! Small displacements: Dankowicz without dimensions, and the exponent of Dahl's law.
use crate::Error;
use crate::figures::Outcome;
use crate::figures::given::given;
use crate::figures::lab::{Record, dissipated, run};
use crate::plot::{Axis, Figure, Panel};
use std::f64::consts::TAU;

/// X over T, divided by `scale`.
fn line(run: &Record, column: &str, scale: f64) -> Result<Vec<(f64, f64)>, Error> {
    Ok(run.points("t", column)?.into_iter().map(|(t, x)| (t, x / scale)).collect())
}

fn panel(label: &str) -> Panel {
    Panel::new(Axis::linear("T"), Axis::linear(label))
}

pub(super) fn steps() -> Result<Outcome, Error> {
    let mut out = Outcome { given: given("b7")?, ..Outcome::default() };
    out.given.push("C = 1, 10, 100, 1000; X0 = 0.1 C, 0.5 C, 5 C".to_owned());
    let mut panels = [0.1, 0.5, 5.0].map(|ratio| (ratio, panel(&format!("X/X0, X0 = {ratio} C"))));
    for c in [1.0, 10.0, 100.0, 1000.0] {
        for (ratio, panel) in &mut panels {
            let wall = *ratio * c;
            let set = [format!("contact.table.fmax={c}"), format!("motion.wall.position={wall}")];
            let run = run("b7", &[set[0].as_str(), &set[1], "run.sample=0.005"])?;
            out.value(format!("C{c}.{ratio}.turn_3"), "-", run.measure("turn_3")?);
            *panel = panel.clone().line(format!("C = {c}"), line(&run, "block.x", wall)?);
        }
    }
    let ten = run("b7", &["run.sample=0.005"])?;
    let wall = panel("X").line("X", line(&ten, "block.x", 1.0)?);
    out.pictures.push(Figure::new("C = 10, a step large enough for macro-slip").panel(wall));
    let [below, half, above] = panels.map(|(_, panel)| panel);
    out.pictures.push(Figure::new("Below macro-slip").panel(below).panel(half));
    out.pictures.push(Figure::new("Above macro-slip").panel(above));
    Ok(out)
}

pub(super) fn swings() -> Result<Outcome, Error> {
    let mut out = Outcome { given: given("b8")?, ..Outcome::default() };
    out.given.push("C = 1 and 10; X0 = 5 C sin 0.5 T and 5 C sin(0.05 T + 0.01 T²)".to_owned());
    for (scenario, kind, name, key, title) in [
        ("b8", "sine", "const", "X(60)", "constant frequency"),
        ("b8-chirp", "chirp", "chirp", "X(100)", "rising frequency"),
    ] {
        let swing = |c: f64, ratio: f64| {
            let wall = format!("motion.wall.position.{kind}.amplitude={}", ratio * c);
            run(scenario, &[format!("contact.table.fmax={c}"), wall, "run.sample=0.02".to_owned()])
        };
        let mut figure = Figure::new(format!("Macro-slip, {title}"));
        let mut below = Figure::new(format!("Below macro-slip, {title}"));
        for c in [1.0, 10.0] {
            let run = swing(c, 5.0)?;
            out.value(format!("C{c}.{name}.{key}"), "-", run.measure(key)?);
            let both = |run: &Record, ratio: f64| {
                let panel = panel(&format!("X, C = {c}")).line("wall", line(run, "wall.x", 1.0)?);
                Ok::<_, Error>(panel.line(format!("block, X0 = {ratio} C"), line(run, "block.x", 1.0)?))
            };
            figure = figure.panel(both(&run, 5.0)?);
            below = below.panel(both(&swing(c, 0.5)?, 0.5)?);
        }
        out.pictures.extend([figure, below]);
    }
    Ok(out)
}

pub(super) fn exponents() -> Result<Outcome, Error> {
    let mut out = Outcome { given: given("b9")?, ..Outcome::default() };
    out.given.push("shape = 0.5, 1, 2 and 3".to_owned());
    let mut loops = Panel::new(Axis::linear("x [µm]"), Axis::linear("F [N]"));
    for i in [0.5, 1.0, 2.0, 3.0] {
        let set = [format!("contact.friction.shape={i}"), format!("run.end={:e}", 4.1 * TAU)];
        // the fourth round no longer knows where the first began
        out.value(format!("i{i}.area"), "J", dissipated("b9", &set, 3.0 * TAU, 4.0 * TAU)?);
        let points = run("b9", &set)?.between("slider.x", "friction.force", 3.0 * TAU, 4.01 * TAU)?;
        loops = loops.line(format!("i = {i}"), points.into_iter().map(|(x, f)| (1e6 * x, f)));
    }
    out.pictures.push(Figure::new("Stationary loops of Dahl's law").panel(loops));
    Ok(out)
}
