//! Ensembles: many runs of one system with different numbers, side by side in vector registers.
//!
//! Every lane has its own time, its own step and its own end; when a trajectory ends, the next takes its lane at once. A
//! result depends on its own numbers alone, to the last bit: not on its neighbours, on the width of the registers, or on
//! the count of threads.
//!
//! ```
//! use stiction_sim::sim::batch::Ensemble;
//! use stiction_sim::sim::{Probe, SimulationOptions};
//! use stiction_sim::system::{Body, Contact, GROUND, Signal, Spring, System};
//! use stiction_sim::{SimError, Spec};
//!
//! // a block on a table, pulled at 0.1 m/s by springs of different stiffness
//! fn pulled(stiffness: f64) -> Result<System, SimError> {
//!     let mut system = System::new();
//!     let block = system.body("block", Body::default())?;
//!     let ramp = Signal::Ramp { offset: 0.0, slope: 0.1, start: 0.0, end: f64::INFINITY };
//!     let hand = system.motion("hand", ramp, false)?;
//!     system.spring("pull", block, hand, Spring::linear(stiffness))?;
//!     system.contact("table", block, GROUND, Contact::new(&Spec::new("lugre")?)?)?;
//!     Ok(system)
//! }
//! let probes = vec![Probe::Final { column: "block.x".to_owned() }];
//! let options = SimulationOptions { end: 5.0, probes, ..SimulationOptions::default() };
//! let ensemble = Ensemble::new(&pulled(1.0)?, &options)?.expect("supported in lanes");
//! let outcomes = ensemble.run(0..4, &|i, numbers| ensemble.read(&pulled(1.0 + i as f64)?, numbers));
//! assert_eq!(outcomes.len(), 4);
//! # Ok::<(), stiction_sim::SimError>(())
//! ```
mod attempt;
mod block;
mod coefficients;
mod column;
mod contact_law;
mod direct;
mod lane;
mod lane_state;
mod laws;
mod output;
mod point;
mod refill;
mod reversal;
mod runner;
mod shape;
mod task;
mod timed;

pub use super::probes::{CLOSED, CONSTANT, PeriodColumn, ROUNDING, WHOLE};
pub use super::unsupported::Unsupported;
pub use coefficients::{CoefficientReader, Coefficients, ColumnCoefficients, ColumnForm, PiecewiseSignals};
pub use direct::Direct;

use super::columns::columns;
use super::probes::{MotionPeriod, Probes, period_columns};
use super::{Column, IntegrationMethod, Probe, SimulationOptions};
use crate::dispatch::{Avx2, Avx512, Baseline, InstructionSet, Level};
use crate::system::System;
use crate::{SimError, Spec};
use column::{Source, sources};
use runner::Runner;
use shape::Shape;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use stiction_core::Lanes;
use stiction_core::registry::LawEntry;
use task::Task;

/// Trajectories that a thread takes at a time.
const SHARE: u64 = 16;

/// Answers to the probes, in their order; none where what was asked for did not happen.
pub type Outcome = Result<Vec<Option<f64>>, SimError>;

/// Gives the numbers of a point, as [`Ensemble::read`] finds them.
pub type Make<'a> = dyn Fn(u64, &mut Vec<f64>) -> Result<(), SimError> + Sync + 'a;

/// Where the answer to a probe comes from.
#[derive(Clone, Copy, Debug)]
enum ProbeSource {
    /// A task of all lanes.
    Together(usize),
    /// A probe of each.
    Singly(usize),
}

/// A system of which many runs are made.
pub struct Ensemble {
    shape: Shape,
    entry: &'static LawEntry,
    /// Why its coefficients are known but vector lanes do not run it.
    outside_lanes: Option<Unsupported>,
    options: SimulationOptions,
    columns: Vec<Column>,
    sources: Vec<Source>,
    contacts: Vec<String>,
    /// Columns that tasks look at, as indices of `columns`.
    shown: Vec<usize>,
    places: Vec<ProbeSource>,
    /// Whether any probe is answered singly, and options that hold those.
    singly: bool,
    single: SimulationOptions,
    /// Whether a measure needs rows at events, and the columns that it needs.
    rows_at_events: bool,
    repeating: Vec<usize>,
    /// Ends of the spans that tasks look at.
    stops: Vec<f64>,
    level: Level,
    attempts: AtomicU64,
}

impl Ensemble {
    /// Takes a system and the way to run it. The inner error says why the ordinary simulator must be used instead.
    ///
    /// # Errors
    /// As [`Simulation::new`](super::Simulation::new) and [`Simulation::run`](super::Simulation::run) for what cannot be
    /// run at all.
    pub fn new(system: &System, options: &SimulationOptions) -> Result<Result<Self, Unsupported>, SimError> {
        system.check()?;
        super::simulation::check_options(options)?;
        let columns = columns(system);
        let contacts: Vec<String> = system.contacts.iter().map(|joint| joint.name.clone()).collect();
        let names: Vec<&str> = system.parts().collect();
        // rejects unknown columns and components
        Probes::new(options, &columns, &names)?;
        let shape = match Shape::of(system, &mut Vec::new()) {
            Ok(shape) => shape,
            Err(why) => return Ok(Err(why)),
        };
        let entry = shape.law;
        let contact = || contacts.first().cloned().unwrap_or_default();
        let outside_lanes = if shape.sticks {
            Some(Unsupported::Law { contact: contact(), why: "holds a body at rest" })
        } else if shape.has_modes() {
            Some(Unsupported::Law { contact: contact(), why: "has modes" })
        } else if shape.memory > block::MEMORY {
            Some(Unsupported::Law { contact: contact(), why: "has a long memory" })
        } else if laws::kernels::<Baseline, 4>(entry).is_none() {
            Some(Unsupported::Law { contact: contact(), why: "has no kernel" })
        } else {
            None
        };
        if options.method != IntegrationMethod::default() {
            return Ok(Err(Unsupported::Option { key: "method" }));
        }
        if !options.sections.is_empty() {
            return Ok(Err(Unsupported::Option { key: "sections" }));
        }
        let (mut shown, mut places, mut single) = (Vec::new(), Vec::new(), Vec::new());
        let mut stops = Vec::new();
        let mut together = 0;
        for probe in &options.probes {
            if !is_common(probe) {
                places.push(ProbeSource::Singly(single.len()));
                single.push(probe.clone());
                continue;
            }
            places.push(ProbeSource::Together(together));
            together += 1;
            if let Some((column, span)) = looks(probe) {
                stops.extend(span);
                shown.extend(columns.iter().position(|c| c.name == *column));
            }
        }
        shown.sort_unstable();
        shown.dedup();
        stops.retain(|t| *t > options.start && *t < options.end);
        stops.sort_unstable_by(f64::total_cmp);
        stops.dedup();
        let rows_at_events = options.probes.iter().any(|probe| matches!(probe, Probe::Period { every: None, .. }));
        let repeating = if rows_at_events { period_columns(&columns) } else { Vec::new() };
        let repeating = repeating.iter().map(|column| column.column).collect();
        Ok(Ok(Self {
            sources: sources(&shape),
            shape,
            entry,
            outside_lanes,
            attempts: AtomicU64::new(0),
            columns,
            contacts,
            shown,
            places,
            singly: !single.is_empty(),
            repeating,
            rows_at_events,
            single: SimulationOptions { probes: single, ..options.clone() },
            stops,
            level: Level::best(),
            options: options.clone(),
        }))
    }
    /// The same with other vector instructions; none changes a result.
    #[must_use]
    pub fn at(self, level: Level) -> Self {
        Self { level, ..self }
    }
    /// The numbers of a system that is made like the first, for [`Ensemble::run`].
    ///
    /// # Errors
    /// [`SimError::Unsupported`] if it is not.
    pub fn read(&self, system: &System, numbers: &mut Vec<f64>) -> Result<(), SimError> {
        match Shape::of(system, numbers) {
            Ok(shape) if shape == self.shape => Ok(()),
            Ok(_) => Err(SimError::Unsupported(Unsupported::Shape)),
            Err(why) => Err(SimError::Unsupported(why)),
        }
    }
    /// Why vector lanes do not run it, though its [coefficients](Self::coefficients) are known, by which a kernel on another device does;
    /// none if they do.
    pub fn outside_lanes(&self) -> Option<&Unsupported> {
        self.outside_lanes.as_ref()
    }
    /// Runs the points of a range. `make` gives the numbers of each, as [`Ensemble::read`] finds them; it is called once
    /// for each, in any order, by several threads.
    ///
    /// A point that fails has its reason as its outcome, and does not stop the others; [outside lanes](Self::outside_lanes) all do.
    pub fn run(&self, points: Range<u64>, make: &Make<'_>) -> Vec<Outcome> {
        self.run_on(thread::available_parallelism().map_or(1, usize::from), points, make)
    }
    /// The same on a count of threads; none changes a result.
    pub fn run_on(&self, threads: usize, points: Range<u64>, make: &Make<'_>) -> Vec<Outcome> {
        if let Some(why) = &self.outside_lanes {
            return points.map(|_| Err(SimError::Unsupported(why.clone()))).collect();
        }
        // enough lanes for the registers to hide their latency, and no more than they can hold
        match self.level {
            Level::Avx512 if self.level.available() => self.share::<Avx512, 16>(threads, points, make),
            Level::Avx2 if self.level.available() => self.share::<Avx2, 8>(threads, points, make),
            _ => self.share::<Baseline, 4>(threads, points, make),
        }
    }
    /// The same with `N` lanes of a set of instructions in each thread.
    fn share<S: InstructionSet, const N: usize>(
        &self,
        threads: usize,
        points: Range<u64>,
        make: &Make<'_>,
    ) -> Vec<Outcome> {
        let count = points.end.saturating_sub(points.start);
        let next = AtomicU64::new(points.start);
        let done = Mutex::new(Vec::with_capacity(count as usize));
        let task = || {
            let Some(runner) = Runner::<N>::new::<S>(self) else { return };
            let (mut at, mut end) = (0, 0);
            // whoever is free takes the next share
            let hand = || {
                if at == end {
                    at = next.fetch_add(SHARE, Ordering::Relaxed).min(points.end);
                    end = (at + SHARE).min(points.end);
                }
                (at < end).then(|| {
                    at += 1;
                    at - 1
                })
            };
            let (mine, tries) = runner.run(hand, make);
            self.attempts.fetch_add(tries, Ordering::Relaxed);
            // the scope reports a panic of another thread
            done.lock().unwrap_or_else(|poison| poison.into_inner()).extend(mine);
        };
        let threads = threads.max(1).min(count.div_ceil(SHARE) as usize);
        if threads == 1 {
            task();
        } else {
            thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(task);
                }
            });
        }
        let mut done = done.into_inner().unwrap_or_else(|poison| poison.into_inner());
        done.sort_unstable_by_key(|(index, _)| *index);
        done.into_iter().map(|(_, outcome)| outcome).collect()
    }
    /// Names of the parts that events may be of.
    fn names(&self) -> Vec<&str> {
        self.contacts.iter().map(String::as_str).collect()
    }
    /// How many steps were tried in all runs so far.
    pub fn attempts(&self) -> u64 {
        self.attempts.load(Ordering::Relaxed)
    }
    /// What is wrong with the parameters of a law.
    fn fault(&self, values: &[f64]) -> SimError {
        let check = || {
            let mut spec = Spec::of(self.entry);
            for (param, value) in self.entry.params.iter().zip(values) {
                spec.set(param.name, *value)?;
            }
            spec.check()
        };
        check().err().map_or(SimError::Unsupported(Unsupported::Shape), SimError::Law)
    }
    /// The tasks of a block of lanes.
    fn tasks<const N: usize>(&self) -> Vec<Task<N>> {
        let none = Lanes([f64::NEG_INFINITY; N]);
        let zero = Lanes([0.0; N]);
        let column = |name: &String| self.shown.iter().position(|k| self.columns[*k].name == *name).unwrap_or(0);
        let contact = |name: &String| self.contacts.iter().position(|c| c == name).unwrap_or(usize::MAX);
        let common = self.options.probes.iter().filter(|probe| is_common(probe));
        let task = |probe: &Probe| match probe {
            Probe::Max { column: c, from, to } => {
                Task::Most { column: column(c), sign: 1.0, span: [*from, *to], best: none }
            }
            Probe::Min { column: c, from, to } => {
                Task::Most { column: column(c), sign: -1.0, span: [*from, *to], best: none }
            }
            Probe::Range { column: c, from, to } => {
                Task::Range { column: column(c), span: [*from, *to], best: [none; 2] }
            }
            Probe::Mean { column: c, from, to } => {
                Task::Mean { column: column(c), square: false, span: [*from, *to], sum: zero, time: zero }
            }
            Probe::Rms { column: c, from, to } => {
                Task::Mean { column: column(c), square: true, span: [*from, *to], sum: zero, time: zero }
            }
            Probe::Final { column: c } => Task::Final { column: column(c) },
            Probe::Period { part, kind, every: None } => {
                let columns = period_columns(&self.columns);
                let motion = MotionPeriod::new(columns, self.options.start, self.options.end);
                Task::MotionPeriod { contact: contact(part), kind: kind.clone(), motions: vec![motion; N] }
            }
            Probe::Period { part, kind, every: Some(every) } => Task::Period {
                contact: contact(part),
                kind: kind.clone(),
                every: (*every).max(1) as usize,
                last: vec![std::collections::VecDeque::new(); N],
            },
            Probe::Count { part, kind } => {
                Task::Count { contact: contact(part), kind: kind.clone(), count: vec![0; N] }
            }
            Probe::Rests { from } => Task::Rests { from: *from, count: vec![0; N] },
            // `is_common` lets nothing else through
            _ => Task::Final { column: 0 },
        };
        common.map(task).collect()
    }
}

/// Whether all lanes can answer it at once.
fn is_common(probe: &Probe) -> bool {
    matches!(probe, Probe::Final { .. } | Probe::Period { .. } | Probe::Count { .. } | Probe::Rests { .. })
        || looks(probe).is_some()
}

/// The column that a probe looks at, and the times between which it does.
fn looks(probe: &Probe) -> Option<(&String, [f64; 2])> {
    match probe {
        Probe::Max { column, from, to }
        | Probe::Min { column, from, to }
        | Probe::Range { column, from, to }
        | Probe::Mean { column, from, to }
        | Probe::Rms { column, from, to } => Some((column, [*from, *to])),
        Probe::Final { column } => Some((column, [f64::NEG_INFINITY, f64::INFINITY])),
        _ => None,
    }
}
