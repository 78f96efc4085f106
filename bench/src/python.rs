//! The Python package beside the library: what the layer between them costs.
//!
//! A process of Python does a task whenever it is asked, in turns with the same task here: what slows the machine for a while slows
//! both, and the fastest of many turns is the machine's own. Both allocate their results within the clock, and both free them
//! outside. A number of the result is compared bit by bit.
use crate::clock;
use std::fmt::Display;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;
use stiction::Spec;
use stiction::analysis::sampled_motion::SampledMotion;
use stiction::analysis::steady_curve::steady_forces;
use stiction::core::registry::DynLaw;
use stiction::scenario::Template;
use stiction::sim::{Event, Observer};

const TURNS: usize = 60;
/// As in `bench/peers/package.py`.
const SAMPLES: u32 = 1_000_000;

/// Rows and events of a run, column by column, as Python gives them.
struct Columns {
    values: Vec<Vec<f64>>,
    events: Vec<Event>,
}

impl Observer for Columns {
    fn row(&mut self, row: &[f64]) {
        self.values.iter_mut().zip(row).for_each(|(column, x)| column.push(*x));
    }
    fn event(&mut self, event: &Event) {
        self.events.push(*event);
    }
}

/// The process of Python.
struct Package {
    child: Child,
    ask: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Package {
    /// `STICTION_PYTHON` names a Python with the package.
    fn start() -> Result<Self, String> {
        let python = std::env::var_os("STICTION_PYTHON").unwrap_or_else(|| "python3".into());
        let mut child = Command::new(&python)
            .arg("bench/peers/package.py")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start {}: {error}", python.display()))?;
        let (Some(ask), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the process of Python has no pipes".into());
        };
        let mut package = Self { child, ask, answers: BufReader::new(answers).lines() };
        let (ours, theirs) = (env!("CARGO_PKG_VERSION"), package.answer()?);
        if theirs == ours { Ok(package) } else { Err(format!("Python has stiction {theirs}, this is {ours}")) }
    }
    fn answer(&mut self) -> Result<String, String> {
        match self.answers.next() {
            Some(line) => line.map_err(|error| error.to_string()),
            None => Err("the process of Python ended; STICTION_PYTHON names one that has the package".into()),
        }
    }
    /// Nanoseconds of one turn, and a number of its result.
    fn turn(&mut self, task: &str) -> Result<(f64, f64), String> {
        writeln!(self.ask, "{task}").map_err(|error| format!("cannot ask Python: {error}"))?;
        let answer = self.answer()?;
        let numbers = answer.split_once(' ').and_then(|(ns, value)| Some((ns.parse().ok()?, value.parse().ok()?)));
        numbers.ok_or_else(|| format!("Python says '{answer}'"))
    }
}

impl Drop for Package {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A task: what it leaves, and a number of it.
type Task<'a> = &'a dyn Fn() -> Result<(Output, f64), String>;

/// What a task leaves; kept until the clock has stopped, and freed then.
#[expect(dead_code, reason = "the memory is what matters")]
enum Output {
    Columns(Columns),
    Numbers(Vec<f64>, Vec<f64>),
}

fn said(error: impl Display) -> String {
    error.to_string()
}

fn along(law: &dyn DynLaw, v: &[f64]) -> Result<(Output, f64), String> {
    let (mut force, mut memory, mut z) = (vec![0.0; v.len()], vec![0.0; v.len() * law.len()], vec![0.0; law.len()]);
    SampledMotion { v, dt: &[1e-3], load: &[1.0] }
        .drive(law, &mut z, &mut force, &mut memory, || true)
        .map_err(said)?;
    let last = force.last().copied().unwrap_or(f64::NAN);
    Ok((Output::Numbers(force, memory), last))
}

fn steady(law: &dyn DynLaw, speeds: &[f64]) -> Result<(Output, f64), String> {
    let mut force = Vec::with_capacity(speeds.len());
    steady_forces(law, speeds, 1.0, &mut force).map_err(said)?;
    let last = force.last().copied().unwrap_or(f64::NAN);
    Ok((Output::Numbers(force, Vec::new()), last))
}

fn run_scenario(template: &Template) -> Result<(Output, f64), String> {
    let scenario = template.build().map_err(said)?;
    let simulation = scenario.simulation().map_err(said)?;
    let position = simulation.columns().iter().position(|column| column.name == "block.x").unwrap_or(0);
    let mut columns = Columns { values: vec![Vec::new(); simulation.columns().len()], events: Vec::new() };
    simulation.run_to_failure(None, &scenario.options, &mut columns).map_err(said)?;
    let last = columns.values[position].last().copied().unwrap_or(f64::NAN);
    Ok((Output::Columns(columns), last))
}

/// The fastest turn of both, in nanoseconds: here, in Python.
fn measure(package: &mut Package, name: &str, task: Task<'_>) -> Result<[f64; 2], String> {
    let mut best = [f64::INFINITY; 2];
    for _ in 0..TURNS {
        let start = Instant::now();
        let (output, value) = black_box(task())?;
        let ours = start.elapsed().as_nanos() as f64;
        drop(output);
        let (theirs, same) = package.turn(name)?;
        if value.to_bits() != same.to_bits() {
            return Err(format!("{name}: {value} here, {same} in Python"));
        }
        best = [best[0].min(ours), best[1].min(theirs)];
    }
    Ok(best)
}

/// Times all tasks and prints them as CSV.
pub fn run() -> Result<(), String> {
    let law = Spec::new("lugre").and_then(|spec| spec.build()).map_err(said)?;
    let template = Template::find("a7", &[""; 0]).map_err(said)?;
    let v: Vec<f64> = (0..SAMPLES).map(|i| (f64::from(i % 2001) - 1000.0) / 1e6).collect();
    let speeds: Vec<f64> = (0..SAMPLES).map(|i| f64::from(i + 1) / 1e6).collect();
    let mut package = Package::start()?;
    clock::print_machine();
    println!("task,turns,ms in Rust,ms from Python,ratio");
    let tasks: [(&str, &str, Task<'_>); 3] = [
        ("along", "lugre along 1e6 samples", &|| along(law.as_ref(), &v)),
        ("run", "run of a7", &|| run_scenario(&template)),
        ("steady", "steady lugre at 1e6 speeds", &|| steady(law.as_ref(), &speeds)),
    ];
    for (name, title, task) in tasks {
        let [ours, theirs] = measure(&mut package, name, task)?;
        println!("{title},{TURNS},{:.3},{:.3},{:.3}", ours / 1e6, theirs / 1e6, theirs / ours);
    }
    Ok(())
}
