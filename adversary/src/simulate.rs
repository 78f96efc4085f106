//! Runs the simulator on a scenario's text as a user would, with limits on steps and time, and catches panics.
use crate::model::{Body, Model, Node, ROWS, RunSettings, Signal};
use crate::toml_text;
use crate::trajectory::Trajectory;
use std::f64::consts::TAU;
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;
use stiction::scenario::Scenario;
use stiction::sim::{EnergyBalance, Event, EventKind, Observer};

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
    /// It took more steps than its motion explains.
    Endless(String),
    /// It oscillates more often than is followed: long by nature, which is no failure.
    Long(String),
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
            Self::Long(_) => "long run",
            Self::Incomplete(_) => "incomplete rows",
        }
    }
    /// What was said.
    pub fn message(&self) -> &str {
        let (Self::Invalid(text)
        | Self::Stopped(text)
        | Self::Panicked(text)
        | Self::Endless(text)
        | Self::Long(text)
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
/// closest tolerance. A count, and not a time, so that the verdict does not depend on how busy the machine is.
const MOST_STEPS: u64 = 200_000;

/// Steps for each period of the fastest vibration. At the closest tolerance of 1e-12 the error estimate of Rodas5P,
/// 1.3e-4·(hω)⁵, allows hω = 0.024: 260 steps for a period. Twice as many, for steps that are repeated.
const STEPS_PER_PERIOD: f64 = 500.0;

/// Steps after which a run is left that has taken no more than its vibrations explain: it is long by nature.
const MOST_VIBRATION_STEPS: u64 = 2_000_000;

/// Steps for each event: a smooth piece begins after it, which takes some thirty steps at a tolerance of 1e-10. Systems do have
/// hundreds of thousands of events: a bristle of a law snaps whenever it has gone its length, and elastic bounces that friction
/// slows become slower ever more slowly. At most [`MOST_EVENT_STEPS`], so that events without end are found.
const STEPS_PER_EVENT: u64 = 50;
const MOST_EVENT_STEPS: u64 = 4_000_000;

/// Steps for each event where a law has a cusp at rest, a Stribeck curve with an exponent below one. After each release or reversal
/// the speed grows with a power of the time τ, from the resolution of the clock to the length of a piece: thirteen decades, thirty
/// factors of e. Steps grow in proportion to τ; at the closest tolerance, 1e-12, by a factor of 1.024 each.
const STEPS_PER_CUSP: u64 = 1300;

/// Steps for each reversal of a law that follows the logarithm of the speed, down to 1e-20 m/s: forty-six factors of e, each of which changes
/// the stiffness of the equations by itself; at the closest tolerance, 1e-12, a step may change them by a fiftieth of a factor. There and back.
const STEPS_PER_CREEP_REVERSAL: u64 = 2 * 46 * 50;

/// Laws whose friction goes with the logarithm of the speed through rest.
const LOGARITHMIC: [&str; 2] = ["dieterich", "ruina"];

fn is_logarithmic(model: &Model) -> bool {
    model.contacts.iter().any(|contact| LOGARITHMIC.contains(&contact.law.name))
}

/// Periods in a second of the fastest vibration of a model: of each body alone against its springs, the controllers' included, and of its
/// signals, which force a vibration.
fn fastest_vibration(model: &Model) -> f64 {
    let forced = fastest_signal(model);
    let springs = model.springs.iter().map(|spring| (spring.ends, spring.stiffness));
    let gears = model.gears.iter().map(|gear| (gear.ends.map(Node::Body), gear.stiffness.unwrap_or(0.0)));
    let controls = model.controls.iter().map(|control| ([Node::Body(control.on), Node::Ground], control.gains[0]));
    let springs: Vec<_> = springs.chain(gears).chain(controls).collect();
    let rate = |(i, body): (usize, &Body)| {
        let own = springs.iter().filter(|(ends, _)| ends.contains(&Node::Body(i)));
        own.map(|(_, stiffness)| stiffness.abs()).sum::<f64>() / body.mass
    };
    (model.bodies.iter().enumerate().map(rate).fold(0.0, f64::max).sqrt() + forced) / TAU
}

/// The largest angular frequency of the signals of a model.
fn fastest_signal(model: &Model) -> f64 {
    let end = model.end;
    model.clone().signals_mut().into_iter().map(|signal| fastest_wave(signal, end)).fold(0.0, f64::max)
}

/// The largest angular frequency of a signal until `end`.
fn fastest_wave(signal: &Signal, end: f64) -> f64 {
    match signal {
        Signal::Sine { omega, .. } => omega.abs(),
        Signal::Chirp { omega, rate, .. } => omega.abs() + 2.0 * (rate * end).abs(),
        Signal::Sum(parts) => parts.iter().map(|part| fastest_wave(part, end)).fold(0.0, f64::max),
        Signal::Product(parts) => parts.iter().map(|part| fastest_wave(part, end)).sum(),
        _ => 0.0,
    }
}

/// Steps that each event explains at which a contact of a model turns, sticks or lets go.
fn steps_per_turn(model: &Model) -> u64 {
    let losses = model.gears.iter().filter_map(|gear| gear.loss.as_ref());
    let mut laws = model.contacts.iter().map(|contact| &contact.law).chain(losses);
    let has_cusp = |values: &[(&str, f64)]| values.iter().any(|(name, x)| *name == "exponent" && *x < 1.0);
    if is_logarithmic(model) {
        STEPS_PER_CREEP_REVERSAL
    } else if laws.any(|law| has_cusp(&law.values)) {
        STEPS_PER_CUSP
    } else {
        STEPS_PER_EVENT
    }
}

/// What a run may take: a number of steps that grows with the time that it has come, and with its events. So a run that comes to a
/// standstill is found however long it is, and one that goes on at the pace of its vibrations is told from it.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// Periods of the fastest vibration in a second.
    frequency: f64,
    /// Steps in a second for speeds that signals take through decades and back.
    through_decades: f64,
    /// Steps for each event, and for each at which a contact turns, sticks or lets go.
    per_event: [u64; 2],
    start: f64,
    steps: u64,
    event_steps: u64,
}

/// Whether a run may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    GoesOn,
    /// It has taken more steps than its motion explains.
    Endless,
    /// It has taken all steps that are waited for, and its vibrations explain them.
    Long,
}

impl Pace {
    fn new(model: &Model) -> Self {
        let per_event = [STEPS_PER_EVENT, steps_per_turn(model)];
        // two turns in a period
        let through_decades = if is_logarithmic(model) {
            2.0 * STEPS_PER_CREEP_REVERSAL as f64 * fastest_signal(model) / TAU
        } else {
            0.0
        };
        let frequency = fastest_vibration(model);
        Self { frequency, through_decades, per_event, start: model.start, steps: 0, event_steps: 0 }
    }
    fn at(&self, t: f64) -> Progress {
        let smooth = MOST_STEPS + (STEPS_PER_PERIOD * self.frequency * (t - self.start)) as u64;
        let slow = (self.through_decades * (t - self.start)) as u64;
        if self.steps > smooth + slow + self.event_steps {
            Progress::Endless
        } else if self.steps > MOST_VIBRATION_STEPS && self.steps <= smooth {
            Progress::Long
        } else {
            Progress::GoesOn
        }
    }
}

/// Keeps the compared columns of the rows at the shared instants.
struct RowKeeper {
    times: Vec<f64>,
    which: Vec<usize>,
    rows: Vec<Vec<f64>>,
    resolution: f64,
    pace: Pace,
    progress: Progress,
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
    fn event(&mut self, event: &Event) {
        use EventKind::{ReverseDown, ReverseUp, SlipDown, SlipUp, Stick};
        let turns = matches!(event.kind, ReverseDown | ReverseUp | SlipDown | SlipUp | Stick);
        self.pace.event_steps = (self.pace.event_steps + self.pace.per_event[usize::from(turns)]).min(MOST_EVENT_STEPS);
    }
    fn should_continue(&mut self, t: f64) -> bool {
        self.last = t;
        self.pace.steps += 1;
        self.progress = self.pace.at(t);
        self.progress == Progress::GoesOn
    }
}

impl Simulator for ProjectSimulator {
    fn run(&self, model: &Model, text: &str) -> Result<SimulatedRun, RunError> {
        let (sender, receiver) = mpsc::channel();
        let limit = self.time_limit;
        let pace = Pace::new(model);
        let (text, columns) = (text.to_owned(), model.columns());
        let times: Vec<f64> = (0..=ROWS).map(|k| model.row_time(k)).collect();
        let work = move || {
            let result = std::panic::catch_unwind(|| attempt(&text, columns, times, pace));
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
        receiver.recv_timeout(limit).unwrap_or_else(|_| {
            Err(RunError::Endless(format!("the run has not ended after {} s", limit.as_secs_f64())))
        })
    }
}

fn attempt(text: &str, columns: Vec<String>, times: Vec<f64>, pace: Pace) -> Result<SimulatedRun, RunError> {
    let invalid = |error: stiction::Error| RunError::Invalid(error.to_string());
    let scenario = Scenario::parse(text, Path::new("adversary.toml"), &[""; 0]).map_err(invalid)?;
    let simulation = scenario.simulation().map_err(invalid)?;
    let find = |name: &String| simulation.columns().iter().position(|column| column.name == *name);
    let which: Option<Vec<usize>> = columns.iter().map(find).collect();
    let which = which.ok_or_else(|| RunError::Invalid("a column is missing".into()))?;
    let span = times[times.len() - 1] - times[0];
    // rows may miss their instant by the rounding of a sum of row spacings
    let resolution = 1e-9 * span / times.len() as f64;
    let mut keeper = RowKeeper {
        times,
        which,
        rows: Vec::new(),
        resolution,
        pace: Pace { start: scenario.options.start, ..pace },
        progress: Progress::GoesOn,
        last: scenario.options.start,
    };
    let summary = simulation.run(&scenario.options, &mut keeper).map_err(|error| match error {
        stiction::SimError::Run { .. } => RunError::Stopped(error.to_string()),
        error => RunError::Invalid(error.to_string()),
    })?;
    if !summary.complete {
        let (t, end, steps) = (keeper.last, scenario.options.end, keeper.pace.steps);
        let told = format!("t = {t} of {end} after {steps} steps");
        return Err(if keeper.progress == Progress::Long { RunError::Long(told) } else { RunError::Endless(told) });
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

#[cfg(test)]
mod tests {
    use super::{MOST_STEPS, MOST_VIBRATION_STEPS, Pace, Progress};

    /// 4e5 vibrations, as of a body on a stiff spring over minutes, at 80 steps for each: long, and told from a run that stands still.
    #[test]
    fn many_vibrations_are_long_and_a_standstill_is_endless() {
        let pace =
            Pace { frequency: 360.0, through_decades: 0.0, per_event: [50, 50], start: 0.0, steps: 0, event_steps: 0 };
        let at = |steps, t| Pace { steps, ..pace }.at(t);
        assert_eq!(at(80 * 360, 1.0), Progress::GoesOn);
        assert_eq!(at(MOST_VIBRATION_STEPS + 1, (MOST_VIBRATION_STEPS / (80 * 360)) as f64), Progress::Long);
        assert_eq!(at(MOST_STEPS + 1, 1e-9), Progress::Endless);
        // events explain their steps, but never make a run long by nature
        let events = Pace { event_steps: 4_000_000, frequency: 0.0, ..pace };
        assert_eq!(Pace { steps: 3_000_000, ..events }.at(1.0), Progress::GoesOn);
        assert_eq!(Pace { steps: 5_000_000, ..events }.at(1.0), Progress::Endless);
        // speeds that signals take through decades explain steps, but make no run long by nature: one that stands still is endless
        let slow = Pace { frequency: 0.0, through_decades: 1e4, ..pace };
        assert_eq!(Pace { steps: 3_000_000, ..slow }.at(1e3), Progress::GoesOn);
        assert_eq!(Pace { steps: 3_000_000, ..slow }.at(1.0), Progress::Endless);
    }
}
