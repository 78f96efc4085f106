//! Smoothed, static and viscous friction.
use crate::Error;
use crate::figures::ExperimentOutcome;
use crate::figures::curves::{law, span, steady};
use crate::figures::scenario_parameters::parameter_lines;
use crate::figures::simulated_scenario::simulate;
use crate::figures::traces::{over_time, scaled, thinned};
use crate::plot::{Axis, Figure, Panel};
use crate::sim::{NullObserver, Simulation, SimulationOptions};
use crate::system::{Body, Contact, GROUND, Signal, System};
use std::f64::consts::PI;
use stiction_core::Input;

pub(super) fn smooth() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("g4")?, ..ExperimentOutcome::default() };
    out.given.push("ktanh = 100 and 1000 s/m".to_owned());
    let exact = simulate("g1", &["run.end=0.2"])?;
    let stop = exact.measure("x_stop")?;
    let rest = |gamma: f64| simulate("g4", &[format!("contact.table.ktanh={gamma}"), "run.rtol=1e-12".to_owned()]);
    let force = Panel::new(Axis::linear("v [m/s]"), Axis::linear("F [N]"));
    let mut force = force.line("sgn v", steady(&law("coulomb", &[("fc", 1.0)])?, 0.05)?);
    let mut runs = vec![("sgn v".to_owned(), exact)];
    for gamma in [100.0, 1000.0] {
        let run = rest(gamma)?;
        out.value(format!("gamma{gamma}.x_error"), "m", run.measure("x_rest")? - stop);
        out.value(format!("gamma{gamma}.v_stop"), "m/s", run.measure("v_stop")?);
        out.value(format!("gamma{gamma}.creep"), "m/s", creep(gamma, 0.5)?);
        let name = format!("tanh({gamma} v)");
        force = force.line(&name, steady(&law("coulomb-tanh", &[("fc", 1.0), ("ktanh", gamma)])?, 0.05)?);
        runs.push((name, run));
    }
    out.pictures.push(Figure::new("The sign function, smoothed").panel(force));
    let mut motion = Figure::new("The stop, smoothed");
    for (column, label, scale) in [("block.x", "p [mm]", 1e3), ("block.v", "v [m/s]", 1.0)] {
        let mut panel = Panel::new(Axis::linear("t [s]").limits(0.0, 0.2), Axis::linear(label));
        for (name, run) in &runs {
            let points = scaled(run.between("t", column, 0.0, 0.2)?, 1.0, scale);
            // the steepest is hardly off the exact one
            panel =
                if name.contains("1000") { panel.points(name, thinned(points, 40)) } else { panel.line(name, points) };
        }
        motion = motion.panel(panel);
    }
    out.pictures.push(motion);
    let gammas: Vec<f64> = span(1.5, 4.0, 10).map(|e| 10f64.powf(e)).collect();
    let errors = gammas.iter().map(|&gamma| Ok((gamma, rest(gamma)?.measure("x_rest")? - stop)));
    let errors = errors.collect::<Result<Vec<_>, Error>>()?;
    let error = Panel::new(Axis::log("γ [s/m]"), Axis::log("error of the place of rest [m]"))
        .points("simulated", errors)
        .line("π²/(12 γ²)", gammas.iter().map(|gamma| (*gamma, PI * PI / (12.0 * gamma * gamma))));
    out.pictures.push(Figure::new("What smoothing costs").panel(error));
    Ok(out)
}

/// Velocity at which smoothed friction lets a load slip that it should hold.
fn creep(gamma: f64, load: f64) -> Result<f64, Error> {
    let mut system = System::new();
    let block = system.body("block", Body::default())?;
    system.contact("table", block, GROUND, Contact::new(&law("coulomb-tanh", &[("fc", 1.0), ("ktanh", gamma)])?)?)?;
    system.force("load", block, Signal::Constant(load))?;
    let summary = Simulation::new(&system)?.run(&SimulationOptions::default(), &mut NullObserver)?;
    Ok(summary.last("block.v").unwrap_or(f64::NAN))
}

pub(super) fn held() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("g5")?, ..ExperimentOutcome::default() };
    let run = simulate("g5", &["run.end=15"])?;
    for key in ["slip_1", "stick_1", "slip_2", "stick_2"] {
        out.value(key, "s", run.measure(key)?);
    }
    let spec = law("coulomb", &[("fc", 1.0)])?;
    let hold = spec.build()?.hold(&[], &Input::at(0.0), 1.0);
    let friction = |x: &str| Panel::new(Axis::linear(x), Axis::linear("F [N]"));
    let rest = friction("u [N]").title("v = 0").line("", span(-2.0, 2.0, 400).map(|u| (u, u.clamp(-hold, hold))));
    let moving = friction("v [m/s]").title("v ≠ 0").line("", steady(&spec, 1.0)?);
    out.pictures.push(Figure::new("Static friction").panel(rest).beside(moving));
    let panel = |label: &str| Panel::new(Axis::linear("t [s]"), Axis::linear(label));
    let motion = Figure::new("Held, let go, caught again")
        .panel(panel("p [m]").line("", run.points("t", "block.x")?))
        .panel(panel("v [m/s]").line("", run.points("t", "block.v")?))
        .panel(panel("u, F [N]").line("u", run.points("t", "push.force")?).line("F", run.points("t", "table.force")?));
    out.pictures.push(motion);
    Ok(out)
}

pub(super) fn viscous() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("g6")?, ..ExperimentOutcome::default() };
    out.given.push("gamma = 1/2 and 1".to_owned());
    let root = simulate("g6", &[] as &[&str])?;
    let linear = simulate("g6", &["contact.fluid.gamma=1"])?;
    out.value("sqrt.t_stop", "s", root.measure("sqrt.t_stop")?);
    out.value("sqrt.x_stop", "m", root.measure("x_stop")?);
    out.value("linear.x(1)", "m", linear.measure("x_stop")?);
    let force = |x: &str| Panel::new(Axis::linear(x), Axis::linear("F [N]"));
    let fluid = |gamma| steady(&law("viscous", &[("fv", 1.0), ("gamma", gamma)])?, 1.0);
    let fluids = force("v [m/s]").title("Viscous").line("γ = 1", fluid(1.0)?).line("γ = 1/2", fluid(0.5)?);
    let stribeck = [("fc", 1.0), ("fs", 1.5), ("vs", 0.1), ("exponent", 2.0), ("fv", 0.0)];
    let stribeck = force("v [m/s]").title("Stribeck").line("", steady(&law("stribeck", &stribeck)?, 0.5)?);
    out.pictures.push(Figure::new("Viscous friction").panel(fluids).beside(stribeck));
    let runs = [("γ = 1", &linear), ("γ = 1/2", &root)];
    let motion = Figure::new("A block in a fluid")
        .panel(over_time("block.x", "p [m]", 1.0, &runs)?)
        .panel(over_time("block.v", "v [m/s]", 1.0, &runs)?);
    out.pictures.push(motion);
    Ok(out)
}
