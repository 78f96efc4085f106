//! Dahl, Bliman-Sorine, Ruina-Rice: A1 to A3.
use super::super::curves::span;
use super::super::numeric::root;
use super::super::scenario_parameters::parameter_lines;
use super::super::traces::{scaled, thinned};
use super::super::{ExperimentOutcome, simulated_scenario};
use super::{FINE, take};
use crate::Error;
use crate::plot::{Axis, Figure, Panel};
use crate::scenario::Scenario;
use std::f64::consts::TAU;
use stiction_core::Input;

fn force() -> Axis {
    Axis::linear("F [N]")
}
fn place() -> Axis {
    Axis::linear("x [mm]")
}

pub(super) fn a1() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("a1")?, ..ExperimentOutcome::default() };
    let slow = simulated_scenario::simulate("a1", &[FINE])?;
    let fast = ["motion.slider.position.sine.omega=100", "run.end=0.2513274122871834", FINE];
    let fast = simulated_scenario::simulate("a1", &fast)?;
    take(&mut out, &slow, &[("F_turn", "N")])?;
    out.value("area", "J", simulated_scenario::dissipated("a1", &[FINE], 3.0 * TAU, 4.0 * TAU)?);
    out.value("F_turn_fast", "N", fast.measure("F_turn")?);
    let level = slow.law()?.steady(&Input::at(1.0));
    let drawn = |run: &simulated_scenario::SimulatedScenario, end: f64| {
        Ok::<_, Error>(scaled(run.between("slider.x", "friction.force", 0.0, end)?, 1e3, 1.0))
    };
    let loops = Panel::new(place(), force())
        .title("A loop, from rest")
        .line("ω = 1 rad/s", drawn(&slow, 2.0 * TAU)?)
        .points("ω = 100 rad/s", thinned(drawn(&fast, 0.02 * TAU)?, 60))
        .horizontal_line("F_{c}", level)
        .horizontal_line("−F_{c}", -level);
    let steady = span(-1.0, 1.0, 401).map(|v| Ok((v, slow.law()?.steady(&Input::at(v)))));
    let steady = Panel::new(Axis::linear("v [m/s]"), force())
        .title("Steady state")
        .line("", steady.collect::<Result<Vec<_>, Error>>()?);
    let mut virgin = Panel::new(place(), force()).title("The exponent α, from rest");
    for exponent in ["0.5", "1", "1.5", "2.0"] {
        let set = [
            "motion.slider.position={ ramp = { slope = 1e-4 } }",
            "run.end=4",
            &format!("contact.friction.shape={exponent}"),
            "measure.virgin={ at = 1, column = 'friction.force' }",
            FINE,
        ];
        let run = simulated_scenario::simulate("a1", &set)?;
        if exponent != "1" {
            out.value(format!("virgin_{exponent}"), "N", run.measure("virgin")?);
        }
        let name = format!("α = {}", exponent.trim_end_matches(".0"));
        virgin = virgin.line(name, scaled(run.points("slider.x", "friction.force")?, 1e3, 1.0));
    }
    out.given.push("also at omega = 100 rad/s; exponents 0.5, 1, 1.5, 2 moved from rest".to_owned());
    out.pictures.push(Figure::new("Dahl's model").panel(loops).panel(virgin).beside(steady));
    Ok(out)
}

pub(super) fn a2() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("a2")?, ..ExperimentOutcome::default() };
    let run = simulated_scenario::simulate("a2", &[FINE])?;
    // moved from rest at 1 m/s, time is distance; the force is linear in the memory, so its rate is that of the memory
    let law = run.law()?;
    let one = Input::at(1.0);
    let after = |s: f64| {
        let mut memory = vec![0.0; law.len()];
        law.step(&mut memory, &one, s);
        memory
    };
    let slope = |s: f64| {
        let mut rate = vec![0.0; law.len()];
        law.rate(&after(s), &one, &mut rate);
        law.force(&rate, &one)
    };
    let s_peak = root(1e-5, 1e-2, slope);
    out.value("s_peak", "m", s_peak).value("F_peak", "N", law.force(&after(s_peak), &one));
    take(&mut out, &run, &["path_1", "path_2", "path_3", "path_4", "path_5"].map(|key| (key, "N")))?;
    let rise = (0..=500).map(|k| f64::from(k) * 1e-5).map(|s| (1e3 * s, law.force(&after(s), &one)));
    let rise = Panel::new(Axis::linear("s [mm]"), force())
        .title("Sliding from rest")
        .line("", rise)
        .vertical_line("peak", 1e3 * s_peak)
        .horizontal_line("f_{1} − f_{2}", law.steady(&one));
    let path = Panel::new(place(), force())
        .title("Moved through 0, 2, −2, 2, 1, 2 mm")
        .line("", scaled(run.points("slider.x", "friction.force")?, 1e3, 1.0));
    out.pictures.push(Figure::new("The Bliman-Sorine model").panel(path).panel(rise));
    Ok(out)
}

pub(super) fn a3() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("a3")?, ..ExperimentOutcome::default() };
    let none: [&str; 0] = [];
    let scenario = Scenario::named("a3", &none)?;
    let law = simulated_scenario::law(&scenario)?;
    let steady = |v: f64| law.steady(&Input::at(v));
    for (name, v) in [("1e-08", 1e-8), ("1e-06", 1e-6), ("0.0001", 1e-4)] {
        out.value(format!("mu({name})"), "-", steady(v));
    }
    let run = simulated_scenario::simulate("a3", &[FINE])?;
    take(&mut out, &run, &["step_0.1", "step_1.0", "step_5.0", "step_peak"].map(|key| (key, "-")))?;
    let curve = (0..=300).map(|k| 1e-9 * 10f64.powf(f64::from(k) * 0.02)).map(|v| (v, steady(v)));
    let curve = Panel::new(Axis::log("v [m/s]"), Axis::linear("µ [-]")).title("Steady state").line("", curve);
    let time = Axis::linear("t [s]");
    let step = Panel::new(time.clone(), Axis::linear("µ [-]"))
        .title("A step of the velocity")
        .line("", run.points("t", "friction.force")?);
    let state = Panel::new(time, Axis::linear("θ [s]")).line("", run.points("t", "friction.theta")?);
    out.pictures.push(Figure::new("The Ruina-Rice model").panel(curve).panel(step).panel(state));
    Ok(out)
}
