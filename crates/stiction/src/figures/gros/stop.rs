//! A block that slides to rest: exactly, by explicit Euler, by an adaptive explicit method.
use crate::Error;
use crate::figures::Outcome;
use crate::figures::given::given;
use crate::figures::lab::{Record, run, watch};
use crate::figures::traces::over_time;
use crate::plot::{Axis, Figure, Panel};
use crate::sim::{Event, Watch};

/// Position and velocity over time, as the slides show them.
fn motion(title: &str, end: f64, runs: &[(&str, &Record)]) -> Result<Figure, Error> {
    Ok(Figure::new(title)
        .panel(over_time("block.x", "p [m]", end, runs)?)
        .panel(over_time("block.v", "v [m/s]", end, runs)?))
}

pub(super) fn exact() -> Result<Outcome, Error> {
    let run = run("g1", &["run.end=0.2"])?;
    let mut out = Outcome { given: given("g1")?, ..Outcome::default() };
    out.value("t_stop", "s", run.measure("t_stop")?);
    out.value("x_stop", "m", run.measure("x_stop")?);
    out.value("v(0.2)", "m/s", run.summary().last("block.v").unwrap_or(f64::NAN));
    let friction = Panel::new(Axis::linear("t [s]"), Axis::linear("F [N]")).line("", run.points("t", "table.force")?);
    out.pictures.push(motion("A block comes to rest", 0.2, &[("", &run)])?.panel(friction));
    Ok(out)
}

pub(super) fn euler() -> Result<Outcome, Error> {
    let mut out = Outcome { given: given("g2")?, ..Outcome::default() };
    let exact = run("g1", &["run.end=0.5"])?;
    for h in ["0.03", "0.007"] {
        let run = run("g2", &[format!("run.step={h}"), format!("run.sample={h}")])?;
        let (t, x, v) = (run.column("t")?, run.column("block.x")?, run.column("block.v")?);
        // a row is a step, two steps are a round of the chatter: the mean over whole rounds, the first few left out
        let last = t.len() - 1;
        let first = last.min(10 + last % 2);
        out.value(format!("h{h}.drift"), "m/s", (x[last] - x[first]) / (t[last] - t[first]));
        let most = |sign: f64| v[first..].iter().map(|v| sign * v).fold(f64::MIN, f64::max);
        out.value(format!("h{h}.band"), "m/s", most(1.0) + most(-1.0));
        let name = format!("Euler, h = {h} s");
        out.pictures.push(motion(&name, 0.5, &[(&name, &run), ("exact", &exact)])?);
    }
    Ok(out)
}

/// Instants at which accepted steps end, and velocity over time.
#[derive(Default)]
struct Steps {
    ends: Vec<f64>,
    velocity: Vec<(f64, f64)>,
}
impl Watch for Steps {
    fn row(&mut self, row: &[f64]) {
        self.velocity.push((row[0], row[2]));
    }
    fn event(&mut self, _: &Event) {}
    fn go_on(&mut self, t: f64) -> bool {
        self.ends.push(t);
        true
    }
}

pub(super) fn adaptive() -> Result<Outcome, Error> {
    // ode45's own: tolerances 1e-3 and 1e-6, steps of a tenth of the time at most
    let set = ["method=dormand-prince", "rtol=1e-3", "atol=1e-6", "end=0.06", "max_step=0.006", "sample=2e-6"];
    let mut steps = Steps::default();
    let (_, summary) = watch("g1", &set.map(|set| format!("run.{set}")), &mut steps)?;
    let stop = run("g1", &["run.end=0.06"])?.measure("t_stop")?;
    let mut out = Outcome { given: given("g1")?, ..Outcome::default() };
    out.given.push("rtol = 1e-3, atol = 1e-6, steps of a tenth of the time at most".to_owned());
    let before = steps.ends.iter().take_while(|t| **t < stop).count();
    let after = steps.ends.len() - before;
    out.value("steps_before", "-", before as f64);
    out.value("steps_after", "-", after as f64);
    out.value("step_after", "s", (summary.t - stop) / after as f64);
    let late = steps.velocity.iter().filter(|p| p.0 > stop + 1e-4);
    out.value("band", "m/s", late.map(|p| 2.0 * p.1.abs()).fold(0.0, f64::max));
    let lengths = steps.ends.windows(2).map(|t| (t[1], t[1] - t[0]));
    let time = Axis::linear("t [s]");
    let velocity = Panel::new(time.clone(), Axis::linear("v [m/s]")).line("", steps.velocity.iter().copied());
    let length = Panel::new(time, Axis::log("step [s]")).line("", lengths);
    out.pictures.push(Figure::new("Dormand and Prince on the bare law").panel(velocity).panel(length));
    let near = steps.velocity.iter().copied().filter(|p| (p.0 - stop).abs() < 5e-5);
    let close = Panel::new(Axis::linear("t − t_stop [s]"), Axis::linear("v [m/s]"));
    out.pictures.push(Figure::new("What happens at the stop").panel(close.line("", near.map(|p| (p.0 - stop, p.1)))));
    Ok(out)
}
