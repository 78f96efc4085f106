//! Olsson and Åström 1993: experiments O1 to O5, the slip variable.
use super::numeric::{loop_area, root};
use super::scenario_parameters::parameter_lines;
use super::simulated_scenario::{self, SimulatedScenario};
use super::traces::scaled;
use super::{ExperimentOutcome, PaperExperiment};
use crate::Error;
use crate::plot::{Axis, Figure, Panel};
use crate::scenario::Scenario;
use std::f64::consts::{PI, TAU};
use stiction_core::Input;

const PAPER: &str = "Olsson1993";

pub(super) const ALL: &[PaperExperiment] = &[
    PaperExperiment {
        id: "O1",
        title: "Steady friction over velocity",
        source: (PAPER, "fig. 1"),
        about: "The Stribeck effect: from the break-away level friction falls to a minimum and rises again with viscous \
                friction. At v = 0 the curve jumps.",
        run: o1,
    },
    PaperExperiment {
        id: "O2",
        title: "Frictional lag: force over a swinging velocity",
        source: (PAPER, "fig. 2"),
        about: "The velocity swings about 0.06 m/s without reversal. Friction lags behind it in a loop, which grows with \
                the frequency.",
        run: o2,
    },
    PaperExperiment {
        id: "O3",
        title: "Friction over a swinging displacement",
        source: (PAPER, "fig. 3"),
        about: "The velocity reverses. There the force jumps by the part of Coulomb friction that is awake, twice s Fc, \
                and the rest follows as the spring of stiction.",
        run: o3,
    },
    PaperExperiment {
        id: "O4",
        title: "Presliding: a force below break-away",
        source: (PAPER, "fig. 4"),
        about: "A force of 1.4 N does not reach the break-away level of 1.5 N; the mass moves all the same, by a tenth of a \
                millimetre. The paper gives no mass; here it is 1 kg.",
        run: o4,
    },
    PaperExperiment {
        id: "O5",
        title: "Stick-slip with the slip variable",
        source: (PAPER, "figs. 5 and 6"),
        about: "A mass pulled through a spring sticks and slips. At the end of each slip the force has a peak and falls \
                to what holds the mass. Break and stick are where the spring of stiction saturates.",
        run: o5,
    },
];

/// Tolerance at which figures of these runs have nine digits or more.
const FINE: &str = "run.rtol=1e-11";

fn force_axis() -> Axis {
    Axis::linear("friction force [N]")
}

fn o1() -> Result<ExperimentOutcome, Error> {
    let none: [&str; 0] = [];
    let scenario = Scenario::named("o2", &none)?;
    let law = simulated_scenario::law(&scenario)?;
    let steady = |v: f64| law.steady(&Input::at(v));
    let mut out = ExperimentOutcome { given: parameter_lines("o2")?.split_off(1), ..ExperimentOutcome::default() };
    for v in [0.001, 0.01, 0.04, 0.1, 0.5] {
        out.value(format!("F({v})"), "N", steady(v));
    }
    // after an age at v the force and its slope are those of the steady curve
    let slope = |v: f64| law.tangent(&[], &Input::at(v), 1e9)[1];
    let v_min = root(0.04, 0.5, slope);
    out.value("v_min", "m/s", v_min).value("F_min", "N", steady(v_min));
    let side = |sign: f64| (0..=600).map(move |k| (f64::from(k) * 5e-4).max(1e-9) * sign).map(|v| (v, steady(v)));
    let mut points: Vec<_> = side(-1.0).collect();
    points.reverse();
    points.push((0.0, f64::NAN));
    points.extend(side(1.0));
    let panel = Panel::new(Axis::linear("velocity [m/s]"), force_axis()).line("", points);
    out.pictures.push(Figure::new("Steady friction force over velocity").panel(panel));
    Ok(out)
}

/// Points in a period.
const POINTS: usize = 512;
/// Periods until nothing of the beginning is left: the lag is a hundredth of a second.
const PERIODS: usize = 4;

fn o2() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("o2")?, ..ExperimentOutcome::default() };
    let mut panel = Panel::new(Axis::linear("velocity [m/s]"), force_axis());
    for omega in [4.0, 20.0] {
        let sample = TAU / omega / POINTS as f64;
        let end = sample * (POINTS * PERIODS) as f64;
        let from = sample * (POINTS * (PERIODS - 1)) as f64;
        // v = 0.06 m/s, rising at the beginning of a period and falling at its middle
        let at = |t: f64| format!("{{ at = {t:e}, column = 'friction.force' }}");
        let set = [
            format!("motion.slider.velocity.sine.omega={omega}"),
            format!("run.end={end:e}"),
            format!("run.sample={sample:e}"),
            FINE.to_owned(),
            format!("measure.F_max.from={from:e}"),
            format!("measure.F_min.from={from:e}"),
            format!("measure.F_rising={}", at(from)),
            format!("measure.F_falling={}", at(from + PI / omega)),
        ];
        let run = simulated_scenario::simulate("o2", &set)?;
        let points = run.points("slider.v", "friction.force")?;
        let period = &points[points.len() - 1 - POINTS..];
        out.value(format!("w{omega}.area"), "N·m/s", loop_area(&period[..POINTS]));
        out.value(format!("w{omega}.F_max"), "N", run.measure("F_max")?);
        out.value(format!("w{omega}.F_min"), "N", run.measure("F_min")?);
        out.value(format!("w{omega}.width"), "N", run.measure("F_rising")? - run.measure("F_falling")?);
        panel = panel.line(format!("ω = {omega} rad/s"), period.iter().copied());
    }
    out.given.push("also at omega = 20 rad/s; the last of four periods is shown and measured".to_owned());
    out.pictures.push(Figure::new("Friction force over velocity").panel(panel));
    Ok(out)
}

fn o3() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("o3")?, ..ExperimentOutcome::default() };
    let period = TAU / 25.0;
    let set = [FINE, "measure.x = { event = 'friction.reverse-', nth = -1, column = 'friction.x' }"];
    let run = simulated_scenario::simulate("o3", &set)?;
    out.value("energy", "J", simulated_scenario::dissipated("o3", &[FINE], 3.0 * period, 4.0 * period)?);
    // memory has no jump at the reversal; the direction has
    let memory = [run.measure("s_at_reversal")?, run.measure("x")?];
    let force = |v: f64| Ok::<f64, Error>(run.law()?.force(&memory, &Input::at(v)));
    out.value("F_before_reversal", "N", force(f64::MIN_POSITIVE)?);
    out.value("F_after_reversal", "N", force(-f64::MIN_POSITIVE)?);
    out.value("s_at_reversal", "-", memory[0]);
    let points = run.between("slider.x", "friction.force", 0.0, 3.0 * period)?;
    let panel = Panel::new(Axis::linear("displacement [mm]"), force_axis()).line("", scaled(points, 1e3, 1.0));
    out.pictures.push(Figure::new("Friction force over displacement").panel(panel));
    Ok(out)
}

fn o4() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("o4")?, ..ExperimentOutcome::default() };
    let run = simulated_scenario::simulate("o4", &[FINE])?;
    for (key, unit) in [("x_first_turn", "m"), ("t_first_turn", "s"), ("x_second_turn", "m")] {
        out.value(key, unit, run.measure(key)?);
    }
    let points = scaled(run.points("block.x", "table.force")?, 1e6, 1.0);
    let panel = Panel::new(Axis::linear("displacement [µm]"), force_axis()).line("", points);
    out.pictures.push(Figure::new("Presliding displacement").panel(panel));
    Ok(out)
}

fn o5() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("o5")?, ..ExperimentOutcome::default() };
    let run = simulated_scenario::simulate("o5", &[FINE, "run.sample=0.01"])?;
    for key in ["t_break_1", "t_break_2", "t_break_3", "t_stick_1", "t_stick_2"] {
        out.value(key, "s", run.measure(key)?);
    }
    for (key, unit) in [("v_max", "m/s"), ("F_restick", "N"), ("F_undershoot", "N")] {
        out.value(key, unit, run.measure(key)?);
    }
    out.value("slip_distance", "m", run.measure("x_stick_2")? - run.measure("x_break_2")?);
    out.value("x(25)", "m", run.measure("x(25)")?);
    let time = Axis::linear("time [s]");
    let places = Panel::new(time.clone(), Axis::linear("position [m]"))
        .line("end of the spring", run.points("t", "hand.x")?)
        .line("mass", run.points("t", "block.x")?);
    let force = Panel::new(time.clone(), force_axis()).line("", run.points("t", "table.force")?);
    out.pictures.push(Figure::new("Stick-slip motion").panel(places).panel(force));
    out.pictures.push(arrest(&run)?);
    Ok(out)
}

/// Fig. 6: a quarter of a second on either side of the first stick.
fn arrest(run: &SimulatedScenario) -> Result<Figure, Error> {
    let stick = run.measure("t_stick_1")?;
    let (from, to) = (stick - 0.25, stick + 0.25);
    let near =
        simulated_scenario::simulate("o5", &[FINE, "run.sample=5e-4", &format!("run.end={to:e}"), "measure={}"])?;
    let time = Axis::linear("time [s]");
    let panel = |label: &str, column: &str| {
        Ok::<_, Error>(Panel::new(time.clone(), Axis::linear(label)).line("", near.between("t", column, from, to)?))
    };
    let figure = Figure::new("The mass gets stuck");
    Ok(figure.panel(panel("velocity [m/s]", "block.v")?).panel(panel("friction force [N]", "table.force")?))
}
