//! A PID servo with friction: A12 and A13.
use super::super::scenario_parameters::parameter_lines;
use super::super::{ExperimentOutcome, simulated_scenario};
use super::{FINE, take};
use crate::Error;
use crate::plot::{Axis, Figure, Panel};

pub(super) fn a12() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("a12")?, ..ExperimentOutcome::default() };
    let run = simulated_scenario::simulate("a12", &[FINE, "run.sample=0.02"])?;
    take(&mut out, &run, &[("overshoot", "m"), ("period", "s")])?;
    out.value("amplitude", "m", 0.5 * (run.measure("x_max")? - run.measure("x_min")?));
    let time = Axis::linear("t [s]");
    let place =
        Panel::new(time.clone(), Axis::linear("position x [m]")).line("", run.between("t", "cart.x", 0.0, 100.0)?);
    let force = Panel::new(time, Axis::linear("F [N]")).line("", run.between("t", "friction.force", 0.0, 100.0)?);
    out.pictures.push(Figure::new("Hunting").panel(place).panel(force));
    Ok(out)
}

pub(super) fn a13() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("a13")?, ..ExperimentOutcome::default() };
    let run = simulated_scenario::simulate("a13", &[FINE])?;
    take(&mut out, &run, &["x(1)", "x(5)", "x(10)", "x(20)"].map(|key| (key, "m")))?;
    let long = ["run.end=100", "run.sample=0.02", "measure={}"];
    let without = simulated_scenario::simulate("a12", &long)?;
    let exact = simulated_scenario::simulate("a13", &long)?;
    let time = Axis::linear("t [s]");
    let place = Panel::new(time.clone(), Axis::linear("x [m]"))
        .line("without compensation", without.points("t", "cart.x")?)
        .line("compensated", exact.points("t", "cart.x")?);
    let (friction, push) = (exact.points("t", "friction.force")?, exact.points("t", "servo.u")?);
    // the model is exact: what is left of u is the linear controller
    let linear = push.iter().zip(&friction).map(|(u, f)| (u.0, u.1 - f.1));
    let linear = Panel::new(time.clone(), Axis::linear("u_{lin} = u − F [N]")).line("", linear);
    let force = Panel::new(time.clone(), Axis::linear("F, u [N]")).line("F", friction).line("u", push);
    out.pictures.push(Figure::new("With friction compensation").panel(place).panel(force).panel(linear));
    let mut sensitivity = Panel::new(time, Axis::linear("error 1 − x [m]"));
    for (name, fc, fs) in
        [("model exact", 1.0, 1.5), ("levels 20 % too low", 0.8, 1.2), ("levels 10 % too high", 1.1, 1.65)]
    {
        let levels = [format!("control.servo.friction.fc={fc}"), format!("control.servo.friction.fs={fs}")];
        let run = simulated_scenario::simulate("a13", &[&long.map(str::to_owned)[..], &levels[..]].concat())?;
        let error = run.points("t", "cart.x")?.into_iter().map(|(t, x)| (t, 1.0 - x)).filter(|(t, _)| *t >= 10.0);
        sensitivity = sensitivity.line(name, error);
    }
    out.pictures.push(Figure::new("Parameter sensitivity").panel(sensitivity));
    out.given.push("the model with levels Fc and Fs 20 % too low and 10 % too high".to_owned());
    Ok(out)
}
