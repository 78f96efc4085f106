//! Pendulums: A14 and A15.
use super::super::ExperimentOutcome;
use super::super::scenario_parameters::parameter_lines;
use super::super::simulated_scenario::{self, SimulatedScenario};
use super::take;
use crate::Error;
use crate::plot::{Axis, Figure, Panel};

/// A panel of one column over time.
fn over_time(run: &SimulatedScenario, label: &str, column: &str) -> Result<Panel, Error> {
    Ok(Panel::new(Axis::linear("t [s]"), Axis::linear(label)).line("", run.points("t", column)?))
}

pub(super) fn a14() -> Result<ExperimentOutcome, Error> {
    let none: [&str; 0] = [];
    let mut out = ExperimentOutcome { given: parameter_lines("a14")?, ..ExperimentOutcome::default() };
    let run = simulated_scenario::simulate("a14", &none)?;
    let keys = [("arm_max", "rad"), ("arm_min", "rad"), ("angle_max", "rad"), ("period", "s")];
    take(&mut out, &run, &keys)?;
    let compensated = simulated_scenario::simulate("a14-compensated", &none)?;
    out.value("compensated.arm_max", "rad", compensated.measure("arm_max")?);
    out.value("compensated.angle_max", "rad", compensated.measure("angle_max")?);
    let lab = simulated_scenario::simulate("a14-encoder", &none)?;
    for key in ["arm_max", "arm_min", "angle_max", "angle_min"] {
        out.value(format!("encoder.{key}"), "rad", lab.measure(key)?);
    }
    let runs = [
        ("effect of friction", &run),
        ("with LuGre compensation", &compensated),
        ("compensated, through encoders and with a model 10 % off", &lab),
    ];
    for (title, run) in runs {
        let figure = Figure::new(format!("Furuta's pendulum: {title}"));
        let theta = over_time(run, "θ [rad]", "furuta.angle.x")?;
        let phi = over_time(run, "φ [rad]", "furuta.arm.x")?;
        out.pictures.push(figure.panel(theta).panel(phi));
    }
    Ok(out)
}

pub(super) fn a15() -> Result<ExperimentOutcome, Error> {
    let none: [&str; 0] = [];
    let mut out = ExperimentOutcome { given: parameter_lines("a15")?, ..ExperimentOutcome::default() };
    let run = simulated_scenario::simulate("a15", &none)?;
    take(&mut out, &run, &[("slips", "-"), ("angle_max", "rad")])?;
    let dither = simulated_scenario::simulate("a15-dither", &none)?;
    out.value("dither.angle_max", "rad", dither.measure("angle_max")?);
    let fed = simulated_scenario::simulate("a15-acceleration", &none)?;
    out.value("acceleration.angle_max", "rad", fed.measure("angle_max")?);
    let runs = [
        ("stick-slip of the cart", &run),
        ("with dither, 12 N at 10 Hz", &dither),
        ("with acceleration feedback", &fed),
    ];
    for (title, run) in runs {
        let cart = over_time(run, "cart x [m]", "pendulum.cart.x")?;
        let angle = over_time(run, "angle θ [rad]", "pendulum.angle.x")?;
        out.pictures.push(Figure::new(format!("Inverted pendulum: {title}")).panel(cart).panel(angle));
    }
    Ok(out)
}
