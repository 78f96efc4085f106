//! Runs the simulator on a scenario's text as a user would, with limits on steps and time, and catches panics.
use crate::model::{Body, Model, Node, ROWS, RunSettings};
use crate::toml_text;
use crate::trajectory::Trajectory;
use std::f64::consts::TAU;
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};
use stiction::scenario::Scenario;
use stiction::sim::{EnergyBalance, Event, Observer};

/// The result of one run.
#[derive(Clone, Debug)]
pub struct SimulatedRun {
    pub trajectory: Trajectory,
    pub energy: EnergyBalance,
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq)]
pub enum RunError {
    /// The scenario is refused, which is the generator's fault and no failure of the simulator.
    Invalid(String),
    /// The run ended with an error.
    Stopped(String),
    /// The simulator panicked.
    Panicked(String),
    /// It took longer than allowed.
    Endless(String),
    /// A value is not finite, or a row is missing.
    Incomplete(String),
}

impl RunError {
    /// The name of the comparison that it is counted under.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "invalid",
            Self::Stopped(_) => "run ends with an error",
            Self::Panicked(_) => "panic",
            Self::Endless(_) => "endless run",
            Self::Incomplete(_) => "incomplete rows",
        }
    }
    /// What was said.
    pub fn message(&self) -> &str {
        let (Self::Invalid(text)
        | Self::Stopped(text)
        | Self::Panicked(text)
        | Self::Endless(text)
        | Self::Incomplete(text)) = self;
        text
    }
}

/// Anything that runs a scenario: the simulator, or a falsified one in a test.
pub trait Simulator: Sync {
    /// Runs the text of a scenario that was made from `model`.
    ///
    /// # Errors
    /// Why there is no result.
    fn run(&self, model: &Model, text: &str) -> Result<SimulatedRun, RunError>;
}

/// The simulator under test.
pub struct ProjectSimulator {
    /// Most time of one run.
    pub time_limit: Duration,
}

/// Name of the threads in which the simulator runs.
pub const THREAD: &str = "simulation";

/// Runs a model with these settings.
///
/// # Errors
/// Why there is no result.
pub fn run(simulator: &dyn Simulator, model: &Model, settings: &RunSettings) -> Result<SimulatedRun, RunError> {
    simulator.run(model, &toml_text::scenario(model, settings, None))
}

/// Most steps of one run of a slow system. The systems move for some ten of their periods, which takes some thousand steps at the
/// closest tolerance. A count, and not only a time, so that the verdict does not depend on how busy the machine is.
const MOST_STEPS: u64 = 200_000;

/// Steps for each period of the fastest vibration. At the closest tolerance of 1e-12 the error estimate of Rodas5P,
/// 1.3e-4·(hω)⁵, allows hω = 0.024: 260 steps for a period. Twice as many, for steps that are repeated.
const STEPS_PER_PERIOD: f64 = 500.0;

/// Steps for each event: a smooth piece begins after it, which takes some thirty steps at a tolerance of 1e-10. Systems do have
/// hundreds of thousands of events: a bristle of a law snaps whenever it has gone its length, and elastic bounces that friction
/// slows become slower ever more slowly. At most [`MOST_EVENT_STEPS`], so that events without end are found.
const STEPS_PER_EVENT: u64 = 50;
const MOST_EVENT_STEPS: u64 = 4_000_000;

/// Most steps of a run of this model, without those for its events.
fn most_steps(model: &Model) -> u64 {
    let springs = model.springs.iter().map(|spring| (spring.ends, spring.stiffness));
    let gears = model.gears.iter().map(|gear| (gear.ends.map(Node::Body), gear.stiffness.unwrap_or(0.0)));
    let springs: Vec<_> = springs.chain(gears).collect();
    let rate = |(i, body): (usize, &Body)| {
        let own = springs.iter().filter(|(ends, _)| ends.contains(&Node::Body(i)));
        own.map(|(_, stiffness)| stiffness.abs()).sum::<f64>() / body.mass
    };
    let fastest = model.bodies.iter().enumerate().map(rate).fold(0.0, f64::max).sqrt();
    let periods = fastest * (model.end - model.start) / TAU;
    // a rate that is beyond this belongs to a stiff system, which does not vibrate
    MOST_STEPS + (STEPS_PER_PERIOD * periods).min(2e6) as u64
}

/// Keeps the compared columns of the rows at the shared instants.
struct RowKeeper {
    times: Vec<f64>,
    which: Vec<usize>,
    rows: Vec<Vec<f64>>,
    resolution: f64,
    deadline: Instant,
    steps: u64,
    most_steps: u64,
    event_steps: u64,
    last: f64,
}

impl Observer for RowKeeper {
    fn row(&mut self, row: &[f64]) {
        while let Some(t) = self.times.get(self.rows.len()) {
            if (row[0] - t).abs() > self.resolution {
                break;
            }
            self.rows.push(self.which.iter().map(|&i| row[i]).collect());
        }
    }
    fn event(&mut self, _: &Event) {
        self.event_steps = (self.event_steps + STEPS_PER_EVENT).min(MOST_EVENT_STEPS);
    }
    fn should_continue(&mut self, t: f64) -> bool {
        self.last = t;
        self.steps += 1;
        self.steps < self.most_steps + self.event_steps && Instant::now() < self.deadline
    }
}

impl Simulator for ProjectSimulator {
    fn run(&self, model: &Model, text: &str) -> Result<SimulatedRun, RunError> {
        let (sender, receiver) = mpsc::channel();
        let (limit, most_steps) = (self.time_limit, most_steps(model));
        let (text, columns) = (text.to_owned(), model.columns());
        let times: Vec<f64> = (0..=ROWS).map(|k| model.row_time(k)).collect();
        let work = move || {
            let result = std::panic::catch_unwind(|| attempt(&text, columns, times, (limit, most_steps)));
            let result = result.unwrap_or_else(|panic| {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                Err(RunError::Panicked(text.unwrap_or_default()))
            });
            // the receiver is gone if the time limit has passed
            let _ = sender.send(result);
        };
        let spawned = std::thread::Builder::new().name(THREAD.into()).spawn(work);
        if let Err(error) = spawned {
            return Err(RunError::Invalid(format!("no thread: {error}")));
        }
        // an observer that is asked ends the run itself; this is for a run that never asks
        receiver.recv_timeout(2 * limit + Duration::from_secs(1)).unwrap_or_else(|_| {
            Err(RunError::Endless(format!(
                "the run does not stop {} s after its time limit",
                limit.as_secs_f64() + 1.0
            )))
        })
    }
}

fn attempt(
    text: &str,
    columns: Vec<String>,
    times: Vec<f64>,
    (limit, most_steps): (Duration, u64),
) -> Result<SimulatedRun, RunError> {
    let invalid = |error: stiction::Error| RunError::Invalid(error.to_string());
    let scenario = Scenario::parse(text, Path::new("adversary.toml"), &[""; 0]).map_err(invalid)?;
    let simulation = scenario.simulation().map_err(invalid)?;
    let find = |name: &String| simulation.columns().iter().position(|column| column.name == *name);
    let which: Option<Vec<usize>> = columns.iter().map(find).collect();
    let which = which.ok_or_else(|| RunError::Invalid("a column is missing".into()))?;
    let span = times[times.len() - 1] - times[0];
    // rows may miss their instant by the rounding of a sum of row spacings
    let resolution = 1e-9 * span / times.len() as f64;
    let deadline = Instant::now() + limit;
    let mut keeper = RowKeeper {
        times,
        which,
        rows: Vec::new(),
        resolution,
        deadline,
        steps: 0,
        most_steps,
        event_steps: 0,
        last: scenario.options.start,
    };
    let summary = simulation.run(&scenario.options, &mut keeper).map_err(|error| match error {
        stiction::SimError::Run { .. } => RunError::Stopped(error.to_string()),
        error => RunError::Invalid(error.to_string()),
    })?;
    if !summary.complete {
        let (t, end, steps) = (keeper.last, scenario.options.end, keeper.steps);
        return Err(RunError::Endless(format!("t = {t} of {end} after {steps} steps")));
    }
    if keeper.rows.len() != keeper.times.len() {
        return Err(RunError::Incomplete(format!("no row at t = {}", keeper.times[keeper.rows.len()])));
    }
    if let Some(k) = keeper.rows.iter().position(|row| row.iter().any(|x| !x.is_finite())) {
        return Err(RunError::Incomplete(format!("a value that is not finite at t = {}", keeper.times[k])));
    }
    let trajectory = Trajectory { columns, rows: keeper.rows };
    Ok(SimulatedRun { trajectory, energy: summary.energy })
}
