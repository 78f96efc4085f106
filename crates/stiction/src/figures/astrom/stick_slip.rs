//! LuGre stick-slip and what ends it: A7 to A10.
use super::super::ExperimentOutcome;
use super::super::scenario_parameters::parameter_lines;
use super::super::simulated_scenario::{self, SimulatedScenario};
use super::{FINE, take};
use crate::Error;
use crate::analysis::cycle::stick_slip_boundaries;
use crate::plot::{Axis, Figure, Panel};
use crate::scenario::Scenario;

const STIFFNESS: &str = "spring.pull.stiffness";
const VISCOUS: &str = "contact.table.sigma2";
const PULL: &str = "motion.hand.position.ramp.slope";

pub(super) fn a7() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("a7")?, ..ExperimentOutcome::default() };
    let run = simulated_scenario::simulate("a7", &[FINE])?;
    let keys = [("period", "s"), ("v_max", "m/s"), ("v_min", "m/s"), ("l_max", "m"), ("l_min", "m"), ("F_break", "N")];
    take(&mut out, &run, &keys)?;
    take(&mut out, &run, &[("t_break_1", "s")])?;
    out.value(
        "g9.81.period",
        "s",
        simulated_scenario::simulate_measures("a7", &["contact.table.from.normal=9.81", FINE])?.measure("period")?,
    );
    out.pictures.push(motion(&run)?);
    out.pictures.push(arrest(&run)?);
    let viscous = simulated_scenario::simulate("a7", &["contact.table.sigma2=0.2", FINE, "measure={}"])?;
    let plane = |run: &SimulatedScenario| plane(run, Axis::linear("l [m]"), Axis::linear("v [m/s]"));
    let (free, damped) = (plane(&run)?.title("σ_{2} = 0"), plane(&viscous)?.title("σ_{2} = 0.2 N·s/m"));
    out.pictures.push(Figure::new("Projection on the l, v plane").panel(free).beside(damped));
    Ok(out)
}

fn motion(run: &SimulatedScenario) -> Result<Figure, Error> {
    let time = Axis::linear("t [s]");
    let line = |column: &str| run.between("t", column, 0.0, 20.0);
    let places =
        Panel::new(time.clone(), Axis::linear("y, x [m]")).line("y", line("hand.x")?).line("x", line("block.x")?);
    let speed = Panel::new(time.clone(), Axis::linear("v [m/s]")).line("", line("block.v")?);
    let force =
        Panel::new(time, Axis::linear("F, k l [N]")).line("F", line("table.force")?).line("k l", line("pull.force")?);
    Ok(Figure::new("Simulation of stick-slip").panel(places).panel(speed).panel(force))
}

/// The first arrest in detail: the block swings back on its bristles.
fn arrest(run: &SimulatedScenario) -> Result<Figure, Error> {
    let stop = run.times("reverse-").first().copied().unwrap_or(0.0);
    let (from, to) = (stop - 0.1, stop + 0.4);
    let near =
        simulated_scenario::simulate("a7", &[FINE, "run.sample=5e-4", &format!("run.end={to:e}"), "measure={}"])?;
    let time = Axis::linear("t [s]");
    let panel = |label: &str, column: &str| {
        Ok::<_, Error>(Panel::new(time.clone(), Axis::linear(label)).line("", near.between("t", column, from, to)?))
    };
    let figure = Figure::new("Simulation of stick-slip: details");
    Ok(figure
        .panel(panel("v [m/s]", "block.v")?)
        .panel(panel("z [m]", "table.z")?)
        .panel(panel("F [N]", "table.force")?))
}

/// Velocity over the length of the spring, from rest.
fn plane(run: &SimulatedScenario, l: Axis, v: Axis) -> Result<Panel, Error> {
    Ok(Panel::new(l, v).line("", run.points("pull.stretch", "block.v")?))
}

pub(super) fn a8() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("a8")?, ..ExperimentOutcome::default() };
    let mut figure = Figure::new("Effect of the spring coefficient k");
    // two by two, on the axes of the slide
    let (soft, stiff) = ((-0.3, 6.5), (-0.3, 4.5));
    for (k, right, l, v) in [
        ("0.5", false, (-0.5, 12.5), soft),
        ("2", true, (-0.5, 4.0), soft),
        ("5", false, (-0.5, 2.0), stiff),
        ("8", true, (-0.5, 2.0), stiff),
    ] {
        // the softest spring takes eleven seconds for a cycle
        let run =
            simulated_scenario::simulate("a8", &[&format!("{STIFFNESS}={k}"), FINE, "run.end=80", "run.sample=5e-3"])?;
        if k != "2" {
            out.value(format!("k{k}.period"), "s", run.measure("period")?);
            out.value(format!("k{k}.v_max"), "m/s", run.measure("v_max")?);
        }
        let (l, v) = (Axis::linear("l [m]").limits(l.0, l.1), Axis::linear("v [m/s]").limits(v.0, v.1));
        let panel = plane(&run, l, v)?.title(format!("k = {k} N/m"));
        figure = if right { figure.beside(panel) } else { figure.panel(panel) };
    }
    out.given.push("stiffness 0.5, 2, 5, 8 N/m".to_owned());
    out.pictures.push(figure);
    Ok(out)
}

pub(super) fn a9() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("a9")?, ..ExperimentOutcome::default() };
    let mut figure = Figure::new("Effect of viscous friction σ_{2}");
    for sigma2 in ["0.05", "0.1", "0.15", "0.2"] {
        let run = simulated_scenario::simulate("a9", &[&format!("{VISCOUS}={sigma2}"), FINE, "run.sample=5e-3"])?;
        if sigma2 != "0.2" {
            out.value(format!("s{sigma2}.period"), "s", run.measure("period")?);
        }
        let panel = plane(&run, Axis::linear("l [m]").limits(-0.5, 3.75), Axis::linear("v [m/s]").limits(-0.3, 4.75))?;
        let panel = panel.title(format!("σ_{{2}} = {sigma2} N·s/m"));
        figure = if ["0.1", "0.2"].contains(&sigma2) { figure.beside(panel) } else { figure.panel(panel) };
    }
    out.value("sigma2_critical", "N·s/m", border("a9", &[], VISCOUS, (0.15, 0.25))?);
    out.given.push("sigma2 0.05, 0.1, 0.15, 0.2 N·s/m".to_owned());
    out.pictures.push(figure);
    Ok(out)
}

pub(super) fn a10() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("a10")?, ..ExperimentOutcome::default() };
    let mut figure = Figure::new("Effect of the pulling velocity v_{d}");
    let short = (-0.25, 3.25);
    for (pull, l) in [("0.5", short), ("1", short), ("5", (-2.5, 5.5))] {
        let run = simulated_scenario::simulate("a10", &[&format!("{PULL}={pull}"), FINE, "run.sample=5e-3"])?;
        out.value(format!("v{pull}.period"), "s", run.measure("period")?);
        let panel = plane(&run, Axis::linear("l [m]").limits(l.0, l.1), Axis::linear("v [m/s]"))?;
        let panel = panel.title(format!("v_{{d}} = {pull} m/s"));
        figure = if pull == "1" { figure.beside(panel) } else { figure.panel(panel) };
    }
    let damped = [(VISCOUS, 0.2), (STIFFNESS, 2.0), (PULL, 2.0)];
    out.value("pull_critical", "m/s", border("a10", &damped, PULL, (1.0, 3.0))?);
    out.value("k_critical", "N/m", border("a10", &damped, STIFFNESS, (1.0, 3.0))?);
    // beyond the edge it slides on
    let set = damped.map(|(key, x)| format!("{key}={x:e}"));
    let run = simulated_scenario::simulate(
        "a10",
        &[&set[0], &set[1], &set[2], FINE, "run.end=80", "run.sample=5e-3", "measure={}"],
    )?;
    let plane = plane(&run, Axis::linear("l [m]").limits(-0.25, 3.75), Axis::linear("v [m/s]"))?;
    figure = figure.beside(plane.title("v_{d} = 2 m/s, σ_{2} = 0.2 N·s/m"));
    out.given.push("pulled at 0.5, 1, 5 m/s; the edges with sigma2 = 0.2 N·s/m, at k = 2 N/m or 2 m/s".to_owned());
    out.pictures.push(figure);
    Ok(out)
}

/// The value of `key` at which a block pulled from rest begins or ceases to slide on after break-away, with other values
/// set. Within twenty seconds there are three slips or more, each smaller: one that is to come back has come.
fn border(name: &str, values: &[(&str, f64)], key: &str, range: (f64, f64)) -> Result<f64, Error> {
    let at = |x: f64| {
        let values = values.iter().copied().chain([(key, x)]).map(|(key, x)| format!("{key}={x:e}"));
        let set: Vec<String> = values.chain(["run.end=20".to_owned(), "measure={}".to_owned()]).collect();
        Scenario::named(name, &set)
    };
    Ok(stick_slip_boundaries(&at, range)?.first().map_or(f64::NAN, |border| border.p))
}
