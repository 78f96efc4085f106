//! A law on a test rig: with a prescribed motion, or carried by a mass with an applied force.
//!
//! The rig is a [`System`] of one contact run by the simulator, so that reversals, slips and the guards of the law are
//! events with rows of the trace exactly on them. While a prescribed motion is at rest, the friction force of a set-valued
//! law is not determined, and keeps its last value; the force needed to start motion is measured with a mass.
//!
//! ```
//! use stiction::{Spec, analysis::test_rig::{Drive, TestRig}, sim::SimulationOptions, system::Signal};
//!
//! // Dahl's loop: after the first turns the force at either end is the same but for its sign
//! let rig = TestRig::new(&Spec::new("dahl")?);
//! let sine = Signal::Sine { mean: 0.0, amplitude: 1e-3, omega: 1.0, phase: 0.0 };
//! let trace = rig.run(&Drive::Position(sine), &SimulationOptions { end: 20.0, ..SimulationOptions::default() })?;
//! let ends: Vec<f64> = trace.events.iter().map(|event| trace.force[event.row]).collect();
//! assert!((ends[4] + ends[5]).abs() < 1e-9);
//! # Ok::<(), stiction::Error>(())
//! ```
use super::AnalysisError;
use crate::sim::{Column, Event, EventKind, Observer, RunSummary, Simulation, SimulationOptions, StopFlag};
use crate::system::{Body, Contact, Curve, GROUND, Load, Signal, System};
use crate::{Error, Spec};

/// The name of the moving body in columns and probes: `body.x`, `body.v`.
pub const BODY: &str = "body";
/// The name of the contact: `friction.force`, `friction.v`, then its memory.
pub const CONTACT: &str = "friction";
/// The name of the force on a mass: `push.force`.
pub const PUSH: &str = "push";

/// How the law is driven.
#[derive(Clone, Debug, PartialEq)]
pub enum Drive {
    /// Prescribed displacement [m or rad].
    Position(Signal),
    /// Prescribed velocity [m/s or rad/s]; the displacement is zero at t = 0. Any signal except a chirp.
    Velocity(Signal),
    /// A force on a mass that is initially at rest at zero.
    Force {
        /// Mass \[kg\], or inertia [kg·m²].
        mass: f64,
        /// Force [N or N·m].
        force: Signal,
    },
}

/// A law with its normal load and its initial states.
#[derive(Clone, Debug)]
pub struct TestRig {
    /// The law, wrappers included.
    pub spec: Spec,
    /// Normal load, in the unit the law expects: a factor, unless it has a load map.
    pub load: Signal,
    /// Initial states of the law; empty: those of a contact that has never moved.
    pub memory: Vec<f64>,
    /// Ends every run when it is raised, with [`AnalysisError::Interrupted`].
    pub stop: StopFlag,
}

/// An event of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TraceEvent {
    /// When \[s\].
    pub t: f64,
    /// What.
    pub kind: EventKind,
    /// Its row in the trace. Where the force jumps as the velocity turns, the row before has the force just before.
    pub row: usize,
}

/// The trace of a run. All lists have one value per row.
#[derive(Clone, Debug)]
pub struct RigTrace {
    /// Time \[s\].
    pub t: Vec<f64>,
    /// Displacement [m or rad].
    pub x: Vec<f64>,
    /// Velocity [m/s or rad/s].
    pub v: Vec<f64>,
    /// Friction force [N or N·m].
    pub force: Vec<f64>,
    /// One list per state of the law, without those of its wrappers.
    pub memory: Vec<Vec<f64>>,
    /// Name and unit of these.
    pub states: Vec<Column>,
    /// Events.
    pub events: Vec<TraceEvent>,
    /// The summary of the run, with the values of the probes.
    pub summary: RunSummary,
}

/// Whether a law is for rotation, by the units of its parameters.
pub fn rotates(spec: &Spec) -> bool {
    spec.law().params.iter().any(|p| p.unit.contains("rad"))
}

/// A path through `points` at constant speed from t = 0 on; quasi-static if the speed is low. Repeated points are skipped.
///
/// # Errors
/// [`Error::Curve`] for fewer than two points, or one that is not finite.
pub fn path(points: &[f64], speed: f64) -> Result<Signal, Error> {
    let (mut t, mut x): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    for &point in points {
        match (t.last(), x.last()) {
            (Some(&now), Some(&here)) if point != here => {
                t.push(now + (point - here).abs() / speed);
                x.push(point);
            }
            (Some(_), _) => {}
            (None, _) => {
                t.push(0.0);
                x.push(point);
            }
        }
    }
    Curve::linear(t, x).map(Signal::Table).map_err(|problem| Error::Curve { problem, values: [speed, f64::NAN] })
}

/// An error once the flag of an analysis is raised, so that nothing is computed from a run that was ended.
///
/// # Errors
/// [`AnalysisError::Interrupted`].
pub fn not_interrupted(stop: &StopFlag) -> Result<(), AnalysisError> {
    if stop.is_raised() { Err(AnalysisError::Interrupted) } else { Ok(()) }
}

impl TestRig {
    /// A law that has never moved, under nominal load.
    pub fn new(spec: &Spec) -> Self {
        Self { spec: spec.clone(), load: Signal::Constant(1.0), memory: Vec::new(), stop: StopFlag::default() }
    }
    /// The same under another load.
    #[must_use]
    pub fn with_load(self, load: f64) -> Self {
        Self { load: Signal::Constant(load), ..self }
    }
    /// The same with a flag that ends its runs.
    #[must_use]
    pub fn with_stop(self, stop: &StopFlag) -> Self {
        Self { stop: stop.clone(), ..self }
    }
    /// The system of the law and its drive.
    ///
    /// # Errors
    /// As [`Spec::build`] and [`System`]; [`Error::Conflict`] for a velocity that has no integral.
    pub fn system(&self, drive: &Drive, start: f64) -> Result<System, Error> {
        let mut system = System::new();
        let turns = rotates(&self.spec);
        let body = match drive {
            Drive::Position(x) => system.motion(BODY, x.clone(), turns)?,
            Drive::Velocity(v) => {
                let why = "has no integral among the signals: give the position";
                let x = v.integral(start).ok_or(Error::Conflict { key: "velocity", why })?;
                system.motion(BODY, x, turns)?
            }
            Drive::Force { mass, force } => {
                let body = system.body(BODY, Body { mass: *mass, rotates: turns, ..Body::default() })?;
                system.force(PUSH, body, force.clone())?;
                body
            }
        };
        let mut contact = Contact::new(&self.spec)?.with_load(Load::Signal(self.load.clone()));
        contact.memory.clone_from(&self.memory);
        system.contact(CONTACT, body, GROUND, contact)?;
        Ok(system)
    }
    /// Runs it with an observer.
    ///
    /// # Errors
    /// As [`TestRig::system`] and [`Simulation::run`]; [`AnalysisError::Interrupted`] if the flag is raised.
    pub fn run_with_observer(
        &self,
        drive: &Drive,
        options: &SimulationOptions,
        watch: &mut dyn Observer,
    ) -> Result<RunSummary, Error> {
        not_interrupted(&self.stop)?;
        let options = SimulationOptions { stop: self.stop.clone(), ..options.clone() };
        let summary = Simulation::new(&self.system(drive, options.start)?)?.run(&options, watch)?;
        not_interrupted(&self.stop)?;
        Ok(summary)
    }
    /// Runs it and keeps the trace.
    ///
    /// # Errors
    /// As [`TestRig::run_with_observer`].
    pub fn run(&self, drive: &Drive, options: &SimulationOptions) -> Result<RigTrace, Error> {
        self.run_while(drive, options, |_| true)
    }
    /// Runs it, keeping the trace, while `should_continue` says so of the latest row: `[t, x, v, force]`.
    ///
    /// # Errors
    /// As [`TestRig::run_with_observer`].
    pub fn run_while(
        &self,
        drive: &Drive,
        options: &SimulationOptions,
        should_continue: impl FnMut([f64; 4]) -> bool,
    ) -> Result<RigTrace, Error> {
        let mut recorder = Recorder { rows: Vec::new(), events: Vec::new(), should_continue };
        let summary = self.run_with_observer(drive, options, &mut recorder)?;
        let Recorder { rows, events, .. } = recorder;
        let column = |k: usize| rows.iter().map(|row| row[k]).collect::<Vec<f64>>();
        // t, body.x, body.v, friction.force, friction.v, the memory, and the force on a mass
        let count = self.spec.law().states.len();
        let states = (5..5 + count).map(|k| {
            let Column { name, unit } = &summary.columns[k];
            Column { name: name.trim_start_matches(CONTACT).trim_start_matches('.').to_owned(), unit }
        });
        Ok(RigTrace {
            t: column(0),
            x: column(1),
            v: column(2),
            force: column(3),
            memory: (5..5 + count).map(column).collect(),
            states: states.collect(),
            events,
            summary,
        })
    }
}

impl RigTrace {
    /// How many rows.
    pub fn len(&self) -> usize {
        self.t.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.t.is_empty()
    }
}

/// An observer that stores rows and events.
struct Recorder<G> {
    rows: Vec<Vec<f64>>,
    events: Vec<TraceEvent>,
    should_continue: G,
}

impl<G: FnMut([f64; 4]) -> bool> Observer for Recorder<G> {
    fn row(&mut self, row: &[f64]) {
        self.rows.push(row.to_vec());
    }
    fn event(&mut self, event: &Event) {
        self.events.push(TraceEvent { t: event.t, kind: event.kind, row: self.rows.len().saturating_sub(1) });
    }
    fn should_continue(&mut self, _: f64) -> bool {
        match self.rows.last() {
            Some(row) => (self.should_continue)([row[0], row[1], row[2], row[3]]),
            None => true,
        }
    }
}
