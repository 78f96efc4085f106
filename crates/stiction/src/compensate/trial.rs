//! One run: what is recorded at the samples of the controller.
use super::task::Task;
use crate::Error;
use crate::scenario::Piece;
use crate::sim::{Event, Watch};
use crate::system::Signal;

/// Error and command at every sample.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// Times \[s\].
    pub t: Vec<f64>,
    /// Reference less position [m or rad].
    pub error: Vec<f64>,
    /// What the controller asks for [N or N·m].
    pub command: Vec<f64>,
    /// Why it ended before its time.
    pub failure: Option<String>,
}

/// An error beyond this many times the way asked for is running away.
const AWAY: f64 = 1e3;

/// Runs the task with these parts. What goes wrong on the way is told in the trial.
///
/// # Errors
/// A controller or scenario that cannot be built.
pub fn trial(task: &Task, pieces: &[Piece]) -> Result<Trial, Error> {
    let scenario = task.template.with_pieces(&task.servo.name, pieces)?.build()?;
    let simulation = scenario.simulation()?;
    let column = |name: &str| {
        let found = simulation.columns().iter().position(|c| c.name == name);
        found.ok_or_else(|| Error::UnknownName {
            what: "column",
            name: name.to_owned(),
            near: Vec::new(),
            known: Vec::new(),
        })
    };
    let way = task.reach + task.servo.quantum;
    let mut watch = Sampler {
        x: column(&task.servo.position)?,
        u: column(&format!("{}.u", task.servo.name))?,
        reference: &task.servo.reference,
        start: task.span[0],
        period: task.servo.period,
        most: if way > 0.0 { AWAY * way } else { f64::INFINITY },
        count: 0,
        away: false,
        trial: Trial::default(),
    };
    let options = crate::sim::Options { sample: task.servo.period, ..scenario.options.clone() };
    let ended = simulation.run(&options, &mut watch);
    let (away, mut trial) = (watch.away, watch.trial);
    let last = trial.t.last().copied().unwrap_or(task.span[0]);
    trial.failure = match ended {
        Err(error) => Some(error.to_string()),
        Ok(_) if away => Some(format!("at t = {}: it runs away", crate::number::short(last))),
        Ok(_) => None,
    };
    Ok(trial)
}

struct Sampler<'a> {
    x: usize,
    u: usize,
    reference: &'a Signal,
    start: f64,
    period: f64,
    most: f64,
    /// Samples kept.
    count: u64,
    away: bool,
    trial: Trial,
}

impl Watch for Sampler<'_> {
    fn row(&mut self, row: &[f64]) {
        let (t, x, u) = (row[0], row[self.x], row[self.u]);
        let due = self.start + self.count as f64 * self.period;
        // rows at events come on top
        if t < due - 1e-6 * self.period {
            return;
        }
        let error = self.reference.at(t) - x;
        self.away |= error.abs() > self.most || !error.is_finite();
        self.trial.t.push(t);
        self.trial.error.push(error);
        self.trial.command.push(u);
        self.count += 1;
    }
    fn event(&mut self, _: &Event) {}
    fn go_on(&mut self, _: f64) -> bool {
        !self.away
    }
}
