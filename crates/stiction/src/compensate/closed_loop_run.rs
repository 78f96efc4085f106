//! One closed-loop simulation, recorded at the samples of the controller.
use super::task::ServoTask;
use crate::Error;
use crate::scenario::ControllerPart;
use crate::sim::{Event, Observer};
use crate::system::Signal;

/// Error and command at every sample of the controller.
#[derive(Clone, Debug, Default)]
pub struct ClosedLoopRun {
    /// Times \[s\].
    pub t: Vec<f64>,
    /// Control error: reference less position [m or rad].
    pub error: Vec<f64>,
    /// Command of the controller [N or N·m].
    pub command: Vec<f64>,
    /// Why the run ended early.
    pub failure: Option<String>,
}

/// An error larger than this multiple of the reference range counts as divergence.
const DIVERGENCE_FACTOR: f64 = 1e3;

/// Simulates the task with these controller parts. A failure during the simulation is recorded in the run.
///
/// # Errors
/// A controller or scenario that cannot be built.
pub fn simulate(task: &ServoTask, parts: &[ControllerPart]) -> Result<ClosedLoopRun, Error> {
    let scenario = task.template.with_parts(&task.servo.name, parts)?.build()?;
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
    let way = task.reference_range + task.servo.quantum;
    let mut sampler = Sampler {
        x: column(&task.servo.position)?,
        u: column(&format!("{}.u", task.servo.name))?,
        reference: &task.servo.reference,
        start: task.span[0],
        period: task.servo.period,
        most: if way > 0.0 { DIVERGENCE_FACTOR * way } else { f64::INFINITY },
        count: 0,
        diverged: false,
        run: ClosedLoopRun::default(),
    };
    let options = crate::sim::SimulationOptions { sample: task.servo.period, ..scenario.options.clone() };
    let ended = simulation.run(&options, &mut sampler);
    let (diverged, mut run) = (sampler.diverged, sampler.run);
    let last = run.t.last().copied().unwrap_or(task.span[0]);
    run.failure = match ended {
        Err(error) => Some(error.to_string()),
        Ok(_) if diverged => Some(format!("at t = {}: it runs away", crate::number::short(last))),
        Ok(_) => None,
    };
    Ok(run)
}

struct Sampler<'a> {
    x: usize,
    u: usize,
    reference: &'a Signal,
    start: f64,
    period: f64,
    most: f64,
    /// Number of recorded samples.
    count: u64,
    diverged: bool,
    run: ClosedLoopRun,
}

impl Observer for Sampler<'_> {
    fn row(&mut self, row: &[f64]) {
        let (t, x, u) = (row[0], row[self.x], row[self.u]);
        let due = self.start + self.count as f64 * self.period;
        // skip the additional rows at events
        if t < due - 1e-6 * self.period {
            return;
        }
        let error = self.reference.at(t) - x;
        self.diverged |= error.abs() > self.most || !error.is_finite();
        self.run.t.push(t);
        self.run.error.push(error);
        self.run.command.push(u);
        self.count += 1;
    }
    fn event(&mut self, _: &Event) {}
    fn should_continue(&mut self, _: f64) -> bool {
        !self.diverged
    }
}
