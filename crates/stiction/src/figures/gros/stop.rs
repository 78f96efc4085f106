//! A block that slides to rest: exactly, by explicit Euler, by an adaptive explicit method.
use crate::Error;
use crate::figures::ExperimentOutcome;
use crate::figures::scenario_parameters::parameter_lines;
use crate::figures::simulated_scenario::{SimulatedScenario, simulate, simulate_observed};
use crate::figures::traces::{over_time, thinned};
use crate::plot::{Axis, Figure, Panel};
use crate::sim::{Event, Observer, SimErrorKind};

/// Position and velocity over time, as the slides show them.
fn motion(title: &str, end: f64, runs: &[(&str, &SimulatedScenario)]) -> Result<Figure, Error> {
    Ok(Figure::new(title)
        .panel(over_time("block.x", "p [m]", end, runs)?)
        .panel(over_time("block.v", "v [m/s]", end, runs)?))
}

pub(super) fn exact() -> Result<ExperimentOutcome, Error> {
    let run = simulate("g1", &["run.end=0.2"])?;
    let mut out = ExperimentOutcome { given: parameter_lines("g1")?, ..ExperimentOutcome::default() };
    out.value("t_stop", "s", run.measure("t_stop")?);
    out.value("x_stop", "m", run.measure("x_stop")?);
    out.value("v(0.2)", "m/s", run.summary().last("block.v").unwrap_or(f64::NAN));
    let friction = over_time("table.force", "F [N]", 0.2, &[("", &run)])?;
    out.pictures.push(motion("A block comes to rest", 0.2, &[("", &run)])?.panel(friction));
    Ok(out)
}

pub(super) fn euler() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("g2")?, ..ExperimentOutcome::default() };
    let exact = simulate("g1", &["run.end=0.5"])?;
    for h in ["0.03", "0.007"] {
        let run = simulate("g2", &[format!("run.step={h}"), format!("run.sample={h}")])?;
        let (t, x, v) = (run.column("t")?, run.column("block.x")?, run.column("block.v")?);
        // a row is a step, two steps are a round of the chatter: the mean over whole rounds, the first few left out
        let last = t.len() - 1;
        let first = last.min(10 + last % 2);
        out.value(format!("h{h}.drift"), "m/s", (x[last] - x[first]) / (t[last] - t[first]));
        let most = |sign: f64| v[first..].iter().map(|v| sign * v).fold(f64::MIN, f64::max);
        out.value(format!("h{h}.band"), "m/s", most(1.0) + most(-1.0));
        out.pictures.push(motion(&format!("Explicit Euler, h = {h} s"), 0.5, &[("Euler", &run), ("exact", &exact)])?);
    }
    Ok(out)
}

/// Instants at which accepted steps end, and velocity over time.
#[derive(Default)]
struct Steps {
    ends: Vec<f64>,
    velocity: Vec<(f64, f64)>,
}
impl Observer for Steps {
    fn row(&mut self, row: &[f64]) {
        self.velocity.push((row[0], row[2]));
    }
    fn event(&mut self, _: &Event) {}
    fn should_continue(&mut self, t: f64) -> bool {
        self.ends.push(t);
        true
    }
}

/// Dormand and Prince's pair on the bare law, and when it was done or gave up.
fn dormand_prince(rtol: f64, sample: f64) -> Result<(Steps, f64), Error> {
    // as ode45 does: the absolute tolerance a thousandth of the relative, steps of a tenth of the time at most
    let numbers = format!("rtol={rtol:e} atol={:e} sample={sample:e}", 1e-3 * rtol);
    let set = "method=dormand-prince end=0.06 max_step=0.006 max_steps=20000";
    let set: Vec<String> = set.split(' ').chain(numbers.split(' ')).map(|set| format!("run.{set}")).collect();
    let mut steps = Steps::default();
    match simulate_observed("g1", &set, &mut steps) {
        Ok((_, summary)) => Ok((steps, summary.t)),
        Err(Error::Simulation { t, kind: SimErrorKind::MaxSteps { .. } | SimErrorKind::Stalled { .. } }) => {
            Ok((steps, t))
        }
        Err(error) => Err(error),
    }
}

pub(super) fn adaptive() -> Result<ExperimentOutcome, Error> {
    let stop = simulate("g1", &["run.end=0.06"])?.measure("t_stop")?;
    let mut out = ExperimentOutcome { given: parameter_lines("g1")?, ..ExperimentOutcome::default() };
    out.given.push("rtol = 1e-3 and atol = 1e-6, as ode45; rtol = 1e-8 and atol = 1e-11".to_owned());
    let mut lengths = Panel::new(Axis::linear("t [s]").limits(0.0, 0.06), Axis::log("step [s]"));
    let mut near = Panel::new(Axis::linear("t [s]"), Axis::linear("v [mm/s]"));
    for (name, said, rtol, sample) in [("ode45", "rtol = 10^{−3}", 1e-3, 1e-5), ("tight", "rtol = 10^{−8}", 1e-8, 1e-6)]
    {
        let (steps, end) = dormand_prince(rtol, sample)?;
        let before = steps.ends.iter().take_while(|t| **t < stop).count();
        let after = steps.ends.len() - before;
        out.value(format!("{name}.steps_before"), "-", before as f64);
        out.value(format!("{name}.steps_after"), "-", after as f64);
        out.value(format!("{name}.t_end"), "s", end);
        out.value(format!("{name}.step_after"), "s", (end - stop) / after as f64);
        let points = steps.ends.windows(2).map(|t| (t[1], t[1] - t[0]));
        lengths = if name == "tight" { lengths.points(said, points) } else { lengths.line(said, points) };
        let late = steps.velocity.into_iter().filter(|p| (stop - 1e-3..stop + 3e-3).contains(&p.0));
        let late = late.map(|(t, v)| (t, 1e3 * v));
        near = if name == "tight" { near.points(said, thinned(late.collect(), 30)) } else { near.line(said, late) };
    }
    out.pictures.push(Figure::new("An adaptive method: its steps").panel(lengths));
    out.pictures.push(Figure::new("An adaptive method: at the stop").panel(near));
    Ok(out)
}
