//! LuGre stick-slip and what ends it: A7 to A10.
use super::super::Outcome;
use super::super::given::given;
use super::super::lab::{self, Record};
use super::super::numeric::edge;
use super::{FINE, take};
use crate::Error;
use crate::plot::{Axis, Figure, Panel};
use crate::sim::{Event, Watch};

const STIFFNESS: &str = "spring.pull.stiffness";
const VISCOUS: &str = "contact.table.sigma2";
const PULL: &str = "motion.hand.position.ramp.slope";

pub(super) fn a7() -> Result<Outcome, Error> {
    let mut out = Outcome { given: given("a7")?, ..Outcome::default() };
    let run = lab::run("a7", &[FINE])?;
    let keys = [("period", "s"), ("v_max", "m/s"), ("v_min", "m/s"), ("l_max", "m"), ("l_min", "m"), ("F_break", "N")];
    take(&mut out, &run, &keys)?;
    take(&mut out, &run, &[("t_break_1", "s")])?;
    out.value("g9.81.period", "s", lab::measure("a7", &["contact.table.from.normal=9.81", FINE])?.measure("period")?);
    out.pictures.push(motion(&run)?);
    out.pictures.push(arrest(&run)?);
    let viscous = lab::run("a7", &["contact.table.sigma2=0.2", FINE, "measure={}"])?;
    let plane = plane("l [m], σ2 = 0", &run, 0.0)?;
    let other = self::plane("l [m], σ2 = 0.2 N·s/m", &viscous, 0.0)?;
    out.pictures.push(Figure::new("Projection on the plane of l and v, from rest").panel(plane).panel(other));
    Ok(out)
}

fn motion(run: &Record) -> Result<Figure, Error> {
    let time = Axis::linear("t [s]");
    let line = |column: &str| run.between("t", column, 0.0, 20.0);
    let places = Panel::new(time.clone(), Axis::linear("[m]")).line("y", line("hand.x")?).line("x", line("block.x")?);
    let speed = Panel::new(time.clone(), Axis::linear("v [m/s]")).line("", line("block.v")?);
    let force = Panel::new(time, Axis::linear("[N]")).line("F", line("table.force")?).line("k l", line("pull.force")?);
    Ok(Figure::new("Simulation of stick-slip").panel(places).panel(speed).panel(force))
}

/// The first arrest in detail: the block swings back on its bristles.
fn arrest(run: &Record) -> Result<Figure, Error> {
    let stop = run.times("reverse-").first().copied().unwrap_or(0.0);
    let (from, to) = (stop - 0.1, stop + 0.4);
    let near = lab::run("a7", &[FINE, "run.sample=5e-4", &format!("run.end={to:e}"), "measure={}"])?;
    let time = Axis::linear("t [s]");
    let panel = |label: &str, column: &str| {
        Ok::<_, Error>(Panel::new(time.clone(), Axis::linear(label)).line("", near.between("t", column, from, to)?))
    };
    let figure = Figure::new("Simulation of stick-slip: an arrest in detail");
    Ok(figure
        .panel(panel("v [m/s]", "block.v")?)
        .panel(panel("z [m]", "table.z")?)
        .panel(panel("F [N]", "table.force")?))
}

/// Velocity over the length of the spring, from a time on.
fn plane(label: &str, run: &Record, from: f64) -> Result<Panel, Error> {
    let points = run.between("pull.stretch", "block.v", from, f64::INFINITY)?;
    Ok(Panel::new(Axis::linear(label), Axis::linear("v [m/s]")).line("", points))
}

pub(super) fn a8() -> Result<Outcome, Error> {
    let mut out = Outcome { given: given("a8")?, ..Outcome::default() };
    let mut figure = Figure::new("Effect of the spring: velocity over its length");
    for k in ["0.5", "2", "5", "8"] {
        // the softest spring takes eleven seconds for a cycle
        let run = lab::run("a8", &[&format!("{STIFFNESS}={k}"), FINE, "run.end=80", "run.sample=5e-3"])?;
        if k != "2" {
            out.value(format!("k{k}.period"), "s", run.measure("period")?);
            out.value(format!("k{k}.v_max"), "m/s", run.measure("v_max")?);
        }
        figure = figure.panel(plane(&format!("l [m], k = {k} N/m"), &run, 0.0)?);
    }
    out.given.push("stiffness 0.5, 2, 5, 8 N/m".to_owned());
    out.pictures.push(figure);
    Ok(out)
}

pub(super) fn a9() -> Result<Outcome, Error> {
    let mut out = Outcome { given: given("a9")?, ..Outcome::default() };
    let mut figure = Figure::new("Effect of viscous friction: velocity over the length of the spring");
    for sigma2 in ["0.05", "0.1", "0.15", "0.2"] {
        let run = lab::run("a9", &[&format!("{VISCOUS}={sigma2}"), FINE, "run.sample=5e-3"])?;
        if sigma2 != "0.2" {
            out.value(format!("s{sigma2}.period"), "s", run.measure("period")?);
        }
        figure = figure.panel(plane(&format!("l [m], σ2 = {sigma2} N·s/m"), &run, 0.0)?);
    }
    out.value("sigma2_critical", "N·s/m", edge(0.15, 0.25, CLOSE, |x| slides_on("a9", &[(VISCOUS, x)]))?);
    out.given.push("sigma2 0.05, 0.1, 0.15, 0.2 N·s/m".to_owned());
    out.pictures.push(figure);
    Ok(out)
}

pub(super) fn a10() -> Result<Outcome, Error> {
    let mut out = Outcome { given: given("a10")?, ..Outcome::default() };
    let mut figure = Figure::new("Effect of the pulling velocity: velocity over the length of the spring");
    for pull in ["0.5", "1", "5"] {
        let run = lab::run("a10", &[&format!("{PULL}={pull}"), FINE, "run.sample=5e-3"])?;
        out.value(format!("v{pull}.period"), "s", run.measure("period")?);
        figure = figure.panel(plane(&format!("l [m], pulled at {pull} m/s"), &run, 0.0)?);
    }
    let at = |key: &'static str, x: f64| slides_on("a10", &[(VISCOUS, 0.2), (STIFFNESS, 2.0), (PULL, 2.0), (key, x)]);
    out.value("pull_critical", "m/s", edge(1.0, 3.0, CLOSE, |x| at(PULL, x))?);
    out.value("k_critical", "N/m", edge(1.0, 3.0, CLOSE, |x| at(STIFFNESS, x))?);
    out.given.push("pulled at 0.5, 1, 5 m/s; the edges with sigma2 = 0.2 N·s/m, at k = 2 N/m or 2 m/s".to_owned());
    out.pictures.push(figure);
    Ok(out)
}

/// How well an edge is known, relative.
const CLOSE: f64 = 1e-11;

/// Whether a block pulled from rest slides on after break-away and never comes back to v = 0. The end of the second slip
/// decides: near the edge the first ends at a crawl. Within twenty seconds there are three or more, each smaller.
fn slides_on(name: &str, values: &[(&str, f64)]) -> Result<bool, Error> {
    let mut set: Vec<String> = values.iter().map(|(key, x)| format!("{key}={x:e}")).collect();
    set.extend(["run.rtol=1e-11", "run.end=20", "measure={}"].map(str::to_owned));
    let mut first = Return(false);
    lab::watch(name, &set, &mut first)?;
    Ok(!first.0)
}

/// Waits for the first reversal, and ends the run there.
struct Return(bool);
impl Watch for Return {
    fn row(&mut self, _: &[f64]) {}
    fn event(&mut self, event: &Event) {
        self.0 |= event.kind.is("reverse-");
    }
    fn go_on(&mut self, _: f64) -> bool {
        !self.0
    }
}
