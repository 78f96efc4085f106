//! Work against precision of the simulator on the problems that `bench/peers` measures for others.
//!
//! Error: the largest deviation of the position at 200 evenly spaced times from a reference at 1e-12, over the largest
//! position. Time: the whole run from a built system, these 200 samples included; the fastest of several.
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use stiction::sim::{Event, Observer, Simulation, SimulationOptions, SolverStatistics};
use stiction::system::{Actuation, Body, Contact, Controller, Feedback, GROUND, Measurement, Signal, Spring, System};
use stiction::{Error, Spec};

/// One run.
#[derive(Clone, Debug)]
pub struct Point {
    /// Which problem.
    pub problem: String,
    /// Which solver.
    pub solver: String,
    /// Its relative tolerance.
    pub rtol: f64,
    /// Its absolute tolerance.
    pub atol: f64,
    /// The error it made.
    pub error: f64,
    /// The time it took \[s\].
    pub seconds: f64,
    /// Its steps, where it tells.
    pub steps: String,
}

/// Runs of each setting; the fastest counts.
const ROUNDS: usize = 10;

/// The problems, in the order of the table.
pub const PROBLEMS: [&str; 7] = ["o5", "a7", "a12", "b5", "b4", "g5", "lugre1995"];

fn law(name: &str, values: &[(&str, f64)]) -> Result<Contact, Error> {
    let mut spec = Spec::new(name)?;
    for (key, value) in values {
        spec.set(key, *value)?;
    }
    Ok(Contact::new(&spec)?)
}

/// A problem's system and its end.
pub fn problem(name: &str) -> Result<(System, f64), Error> {
    const FC: f64 = 0.981;
    let mut system = System::new();
    let block = system.body("block", Body::default())?;
    let ramp = |slope| Signal::Ramp { offset: 0.0, slope, start: 0.0, end: f64::INFINITY };
    let pull: Option<(f64, Signal)>;
    let (contact, end) = match name {
        "o5" => {
            pull = Some((2.0, ramp(0.1)));
            (law("slip-variable", &[])?, 25.0)
        }
        "a7" => {
            pull = Some((2.0, ramp(2.0)));
            let sigma1 = 2.0 * 1000f64.sqrt();
            let values = [
                ("fc", 3.0),
                ("fs", 6.0),
                ("vs", 0.1),
                ("exponent", 1.0),
                ("sigma0", 1e3),
                ("sigma1", sigma1),
                ("sigma2", 0.0),
            ];
            (law("lugre", &values)?, 20.0)
        }
        "a12" => {
            pull = None;
            let pid = Feedback {
                gains: vec![3.0, 6.0],
                ki: 4.0,
                reference: Signal::Constant(1.0),
                extra: Signal::Constant(0.0),
                friction: None,
            };
            let measures = vec![Measurement::Position(block), Measurement::Velocity(block)];
            system.control("pid", Controller::Continuous(Box::new(pid)), measures, Actuation::Force(block))?;
            (law("lugre", &[])?, 100.0)
        }
        "b5" => {
            pull = Some((100.0, Signal::Constant(0.1)));
            (law("dankowicz", &[("fmax", FC), ("delta", 1e-5)])?, 3.0)
        }
        "b4" => {
            pull = Some((100.0, Signal::Constant(0.1)));
            (law("coulomb-tanh", &[("fc", FC), ("ktanh", 1000.0)])?, 10.0)
        }
        "g5" => {
            pull = None;
            system.force("u", block, Signal::Sine { mean: 0.0, amplitude: 1.5, omega: 1.0, phase: 0.0 })?;
            (law("coulomb", &[("fc", 1.0)])?, 20.0)
        }
        _ => {
            pull = Some((2.0, ramp(0.1)));
            (law("lugre", &[])?, 30.0)
        }
    };
    if let Some((stiffness, motion)) = pull {
        let hand = system.motion("hand", motion, false)?;
        system.spring("spring", hand, block, Spring::linear(stiffness))?;
    }
    system.contact("table", block, GROUND, contact)?;
    Ok((system, end))
}

/// Keeps the position at the sample times.
struct Samples<'a> {
    times: &'a [f64],
    x: Vec<f64>,
    column: usize,
}
impl Observer for Samples<'_> {
    fn row(&mut self, row: &[f64]) {
        if let Some(t) = self.times.get(self.x.len())
            && (row[0] - t).abs() <= 1e-9 * t.abs()
        {
            self.x.push(row[self.column]);
        }
    }
    fn event(&mut self, _: &Event) {}
}

/// The reference solution of a problem: times and positions.
fn reference(name: &str) -> Option<(Vec<f64>, Vec<f64>)> {
    let path = peers().join("reference").join(format!("{name}.csv"));
    let text = std::fs::read_to_string(path).ok()?;
    let rows = text.lines().skip(1).filter_map(|line| {
        let (t, x) = line.split_once(',')?;
        Some((t.parse::<f64>().ok()?, x.parse::<f64>().ok()?))
    });
    Some(rows.unzip())
}

fn peers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("peers")
}

/// Our own points for one problem.
fn own(name: &str, tolerances: &[(f64, f64)], rounds: usize) -> Result<Vec<Point>, Error> {
    let Some((times, wanted)) = reference(name) else {
        eprintln!("note: no reference for {name}, skipped");
        return Ok(Vec::new());
    };
    let (system, end) = problem(name)?;
    let simulation = Simulation::new(&system)?;
    let column = simulation.columns().iter().position(|c| c.name == "block.x").unwrap_or(1);
    let size = wanted.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    let mut out = Vec::new();
    for &(rtol, atol) in tolerances {
        let options =
            SimulationOptions { end, rtol, atol, sample: times[1] - times[0], ..SimulationOptions::default() };
        let (mut seconds, mut error, mut stats) = (f64::INFINITY, 0.0, SolverStatistics::default());
        for round in 0..rounds {
            let mut samples = Samples { times: &times, x: Vec::with_capacity(times.len()), column };
            let start = Instant::now();
            let summary = simulation.run(&options, &mut samples)?;
            seconds = seconds.min(start.elapsed().as_secs_f64());
            if round == 0 {
                assert_eq!(samples.x.len(), times.len(), "{name}: samples missing");
                let worst = samples.x.iter().zip(&wanted).map(|(x, w)| (x - w).abs()).fold(0.0, f64::max);
                (error, stats) = (worst / size, summary.stats);
            }
        }
        out.push(Point {
            problem: name.to_owned(),
            solver: "stiction".to_owned(),
            rtol,
            atol,
            error,
            seconds,
            steps: (stats.steps + stats.rejected).to_string(),
        });
    }
    Ok(out)
}

/// The same sweep as the peers': half decades of rtol, three ratios of atol.
fn sweep() -> Vec<(f64, f64)> {
    let rtol = |half: i32| 10f64.powf(-0.5 * f64::from(half));
    (6..=22).flat_map(|half| [1.0, 1e-2, 1e-4].map(|ratio| (rtol(half), ratio * rtol(half)))).collect()
}

/// What the peers measured: now, if `STICTION_PEERS` names a Python that has them, else when the file was written.
pub fn others() -> Vec<Point> {
    let folder = peers();
    let fresh = std::env::var_os("STICTION_PEERS").and_then(|python| {
        let out = std::env::temp_dir().join("stiction-peers.csv");
        let status = Command::new(python).arg(folder.join("peers.py")).arg(&out).stdout(Stdio::null()).status();
        status.is_ok_and(|status| status.success()).then_some(out)
    });
    if fresh.is_none() {
        eprintln!("note: peers as measured before; set STICTION_PEERS=python to measure them now (see bench/peers)");
    }
    read_points(&fresh.unwrap_or(folder.join("measured.csv")))
}

/// The points of a table; none if there is no such file.
pub fn read_points(path: &Path) -> Vec<Point> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let point = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let [problem, solver, rtol, atol, error, seconds, steps] = cells[..] else { return None };
        let number = |text: &str| text.parse::<f64>().ok();
        Some(Point {
            problem: problem.to_owned(),
            solver: solver.to_owned(),
            rtol: number(rtol)?,
            atol: number(atol)?,
            error: number(error)?,
            seconds: number(seconds)?,
            steps: steps.to_owned(),
        })
    };
    text.lines().filter_map(point).collect()
}

/// All points: of the problems named, or of all.
pub fn run(names: &[String]) -> Result<Vec<Point>, Error> {
    let mut out = Vec::new();
    for name in PROBLEMS.into_iter().filter(|name| names.is_empty() || names.iter().any(|n| n == name)) {
        out.extend(own(name, &sweep(), ROUNDS)?);
    }
    Ok(out)
}

/// One problem at one tolerance, for some seconds, so that a profiler can look at it.
pub fn one(name: &str, rtol: f64, atol: f64) -> Result<Vec<Point>, Error> {
    own(name, &[(rtol, atol)], 1000 * ROUNDS)
}

/// The fastest point of a problem that reaches an error.
fn fastest<'p>(points: &'p [Point], problem: &str, error: f64) -> Option<&'p Point> {
    let reach = points.iter().filter(|p| p.problem == problem && p.error <= error);
    reach.min_by(|a, b| a.seconds.total_cmp(&b.seconds))
}

/// The points as CSV on standard output, and the table of ratios on standard error.
pub fn print(own: &[Point]) {
    let others = others();
    eprintln!("\nfastest run that reaches an error, stiction against the best peer [ms]");
    eprintln!("{:<10} {:>6}  {:>8}  {:>8}  {:>5}  peer", "problem", "error", "stiction", "peer", "ratio");
    for problem in PROBLEMS {
        for error in [1e-4, 1e-6, 1e-8] {
            if let (Some(a), Some(b)) = (fastest(own, problem, error), fastest(&others, problem, error)) {
                let [ours, theirs] = [a, b].map(|p| 1e3 * p.seconds);
                eprintln!(
                    "{problem:<10} {error:>6.0e}  {ours:>8.3}  {theirs:>8.3}  {:>5.1}  {}",
                    theirs / ours,
                    b.solver
                );
            }
        }
    }
    crate::clock::print_machine();
    println!("problem,solver,rtol,atol,error,seconds,steps");
    for p in own {
        println!(
            "{},{},{:.3e},{:.3e},{:.3e},{:.3e},{}",
            p.problem, p.solver, p.rtol, p.atol, p.error, p.seconds, p.steps
        );
    }
}
