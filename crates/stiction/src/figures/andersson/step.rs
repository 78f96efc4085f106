//! A block on a spring whose wall is moved, with one law after the other.
use crate::Error;
use crate::figures::ExperimentOutcome;
use crate::figures::scenario_parameters::parameter_lines;
use crate::figures::simulated_scenario::{SimulatedScenario, simulate};
use crate::figures::traces::{over_time, scaled, thinned};
use crate::plot::{Axis, Figure, Panel};
use std::f64::consts::TAU;

/// A step of the wall that is too small for the block to slide.
const SMALL: &str = "motion.wall.position=0.005";
const NOTHING: [&str; 0] = [];

/// Displacement of the block over time.
fn response(title: &str, end: f64, runs: &[(&str, &SimulatedScenario)]) -> Result<Figure, Error> {
    let mut panel = over_time("block.x", "x [m]", end, runs)?;
    if let Some(wall) = runs.first().and_then(|(_, run)| run.summary().last("wall.x")) {
        panel = panel.horizontal_line("x_{0}", wall);
    }
    Ok(Figure::new(title).panel(panel))
}

/// A measure of a place, beside those of the scenario.
fn at(t: f64) -> String {
    format!("measure.\"x({t})\"={{ at = {t}, column = \"block.x\" }}")
}

/// Adds measures of places or turns, with something before their names.
fn add(out: &mut ExperimentOutcome, before: &str, run: &SimulatedScenario, names: &[&str]) -> Result<(), Error> {
    for name in names {
        out.value(format!("{before}{name}"), "m", run.measure(name)?);
    }
    Ok(())
}

pub(super) fn coulomb() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("b1")?, ..ExperimentOutcome::default() };
    let (run, still) = (simulate("b1", &NOTHING)?, simulate("b1", &[SMALL])?);
    add(&mut out, "", &run, &["turn_1", "turn_2", "turn_3", "turn_4", "turn_5"])?;
    out.value("t_stop", "s", run.measure("t_stop")?);
    out.value("small.x(3)", "m", still.summary().last("block.x").unwrap_or(f64::NAN));
    out.pictures.push(response("Wall step: Coulomb", 3.0, &[("", &run)])?);
    Ok(out)
}

pub(super) fn viscous() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("b2")?, ..ExperimentOutcome::default() };
    out.given.push("fv = 1, 5 and 20 N·s/m".to_owned());
    let mut runs = Vec::new();
    for kv in [1.0, 5.0, 20.0] {
        let run = simulate("b2", &[format!("contact.table.fv={kv}")])?;
        add(&mut out, &format!("kv{kv}."), &run, &["x(1)"])?;
        runs.push((format!("k_{{v}} = {kv} N·s/m"), run));
    }
    let named: Vec<_> = runs.iter().map(|(name, run)| (name.as_str(), run)).collect();
    out.pictures.push(response("Wall step: viscous", 3.0, &named)?);
    let (line, micro) = (simulate("b3", &["run.sample=0.003"])?, simulate("b5", &NOTHING)?);
    // the last two run on each other until the drift shows: marks on a line
    let compared = [("Coulomb-viscous", &line), ("viscous, k_{v} = 1 N·s/m", &runs[0].1)];
    let mut three = response("Wall step: three laws", 3.0, &compared)?;
    let marks = thinned(micro.between("t", "block.x", 0.0, 3.0)?, 60);
    three.panels = three.panels.into_iter().map(|panel| panel.points("Dankowicz", marks.clone())).collect();
    out.pictures.push(three);
    Ok(out)
}

/// A large step, and a small one: both drift to the wall.
fn drifts(
    out: &mut ExperimentOutcome,
    title: &str,
    large: &SimulatedScenario,
    small: &SimulatedScenario,
    end: f64,
) -> Result<(), Error> {
    out.pictures.push(response(&format!("Wall step: {title}"), 3.0, &[("", large)])?);
    let panel = |title: &str, from: f64, run: &SimulatedScenario| {
        let panel = Panel::new(Axis::linear("t [s]"), Axis::linear("x [mm]")).title(title);
        let panel = panel.line("", scaled(run.between("t", "block.x", from, end)?, 1.0, 1e3));
        Ok::<_, Error>(panel.horizontal_line("x_{0}", 1e3 * run.summary().last("wall.x").unwrap_or(f64::NAN)))
    };
    let slow = Figure::new(format!("{title}: it drifts"))
        .panel(panel("After a step of 0.1 m", 1.6, large)?)
        .panel(panel("After a step of 5 mm", 0.0, small)?);
    out.pictures.push(slow);
    Ok(())
}

pub(super) fn saturated() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("b3")?, ..ExperimentOutcome::default() };
    let large = simulate("b3", &["run.sample=0.005"])?;
    add(&mut out, "", &large, &["x(1)", "x(10)", "x(50)"])?;
    let small = simulate("b3", &[SMALL, &at(5.0)])?;
    add(&mut out, "small.", &small, &["x(5)", "x(10)"])?;
    // what is left of the way falls exponentially
    let wall = small.summary().last("wall.x").unwrap_or(f64::NAN);
    let left = |t: &str| Ok::<_, Error>(wall - small.measure(t)?);
    out.value("small.time_constant", "s", 5.0 / (left("x(5)")? / left("x(10)")?).ln());
    drifts(&mut out, "Coulomb, saturated line", &large, &small, 50.0)?;
    Ok(out)
}

pub(super) fn tangent() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("b4")?, ..ExperimentOutcome::default() };
    let large = simulate("b4", &["run.sample=0.005"])?;
    add(&mut out, "", &large, &["x(10)"])?;
    let small = simulate("b4", &[SMALL])?;
    add(&mut out, "small.", &small, &["x(20)"])?;
    drifts(&mut out, "Coulomb, tanh", &large, &small, 20.0)?;
    Ok(out)
}

/// The last instants, where the block seems to be at rest.
fn ringing(title: &str, run: &SimulatedScenario, from: f64, to: f64) -> Result<Figure, Error> {
    let panel = Panel::new(Axis::linear("t [s]"), Axis::linear("v [mm/s]"));
    let points = run.between("t", "block.v", from, to)?;
    Ok(Figure::new(title).panel(panel.line("", points.into_iter().map(|(t, v)| (t, 1e3 * v)))))
}

pub(super) fn dankowicz() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("b5")?, ..ExperimentOutcome::default() };
    let fine = "run.sample=0.0005";
    let large = simulate("b5", &[fine])?;
    add(&mut out, "", &large, &["turn_1", "turn_2", "turn_3", "turn_4", "turn_5", "turn_6"])?;
    let late = "measure.turn_100={ event = \"table.reverse\", nth = 100, column = \"block.x\" }";
    let cycle = "measure.cycle={ period = \"table.reverse+\" }";
    let small = simulate("b5", &[SMALL, fine, late, cycle, &at(3.0)])?;
    add(&mut out, "small.", &small, &["turn_1", "turn_2", "turn_3", "turn_6", "turn_100", "x(3)"])?;
    out.value("small.ringing", "rad/s", TAU / small.measure("cycle")?);
    out.pictures.push(response("Wall step: Dankowicz", 3.0, &[("", &large)])?);
    out.pictures.push(ringing("Dankowicz: it rings where it stops", &large, 2.0, 2.5)?);
    let creep = scaled(small.between("t", "block.x", 0.0, 3.0)?, 1.0, 1e6);
    let creep = Panel::new(Axis::linear("t [s]"), Axis::linear("x [µm]")).line("", creep);
    out.pictures.push(Figure::new("Dankowicz, step 5 mm: it creeps while it rings").panel(creep));
    Ok(out)
}

pub(super) fn combined() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("b6")?, ..ExperimentOutcome::default() };
    out.given.push("exponent = 1 and 2".to_owned());
    let fine = "run.sample=0.0005";
    let mut runs = Vec::new();
    for i in [1, 2] {
        let run = simulate("b6", &[&format!("contact.table.exponent={i}"), fine])?;
        add(&mut out, &format!("i{i}."), &run, &["turn_1", "turn_2", "turn_3"])?;
        runs.push((format!("i = {i}"), run));
    }
    let [(first, one), (second, two)] = &runs[..] else { return Ok(out) };
    let mut both = response("Wall step: Stribeck with micro-slip", 3.0, &[(first.as_str(), one)])?;
    let marks = thinned(two.between("t", "block.x", 0.0, 3.0)?, 60);
    both.panels = both.panels.into_iter().map(|panel| panel.points(second, marks.clone())).collect();
    out.pictures.push(both);
    let mut rest = Panel::new(Axis::linear("t [s]"), Axis::linear("x [mm]"));
    runs.push(("Coulomb".to_owned(), simulate("b1", &[fine])?));
    for (name, run) in &runs {
        let points = run.between("t", "block.x", 1.54, 1.74)?.into_iter();
        rest = rest.line(name, points.map(|(t, x)| (t, 1e3 * x)));
    }
    out.pictures.push(Figure::new("Stribeck with micro-slip: where it comes to rest").panel(rest));
    Ok(out)
}

pub(super) fn lugre() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("b11")?, ..ExperimentOutcome::default() };
    let fine = "run.sample=0.0005".to_owned();
    let stiffness = 0.981e5_f64;
    let set = [("sigma0", stiffness), ("sigma1", stiffness.sqrt())];
    let [stiff, damped] = set.map(|(key, value)| format!("contact.table.{key}={value:e}"));
    let run = simulate("b11", &[stiff, damped, fine])?;
    add(&mut out, "", &run, &["x(3)"])?;
    out.pictures.push(response("Wall step: LuGre", 3.0, &[("", &run)])?);
    out.pictures.push(ringing("LuGre: the ringing dies out", &run, 1.55, 1.65)?);
    Ok(out)
}
