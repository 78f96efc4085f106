//! Simulation: event-driven, with true stick, and every kink located.
//!
//! ```
//! use stiction_sim::{Spec, sim::{SimulationOptions, Simulation, Trace}, system::{Body, Contact, GROUND, System}};
//!
//! // a block that slides on a table comes to rest and stays there
//! let mut system = System::new();
//! let block = system.body("block", Body { v: 0.05, ..Body::default() })?;
//! system.contact("table", block, GROUND, Contact::new(&Spec::new("coulomb")?)?)?;
//! let mut trace = Trace::default();
//! let summary = Simulation::new(&system)?.run(&SimulationOptions { end: 1.0, ..SimulationOptions::default() }, &mut trace)?;
//! assert_eq!(trace.events[0].kind.name(), "stick");
//! assert!((trace.events[0].t - 0.05).abs() < 1e-12);
//! assert_eq!(summary.last("block.v"), Some(0.0));
//! # Ok::<(), stiction_sim::SimError>(())
//! ```
pub mod batch;
mod breakpoints;
mod columns;
mod components;
mod error;
mod event_driven;
mod event_locator;
mod events;
mod explicit;
mod fixed_size;
mod flow;
mod groups;
mod jacobian;
mod least_norm;
mod linear_part;
mod linear_rhs;
mod linearisation;
mod matrix;
mod method;
mod modes;
pub mod network;
mod pivoting;
mod poincare;
mod probes;
pub mod rodas5p;
mod root_finding;
mod rosenbrock;
mod setup;
mod simulation;
mod solo;
mod state;
mod step_size;
mod taylor;
mod unsupported;

pub use error::{SimError, SimErrorKind};
pub use linearisation::{Linearisation, LinearisedContact, RestTreatment};
pub use method::IntegrationMethod;
pub use poincare::PoincareSection;
pub use probes::{CrossingDirection, Probe};
pub use simulation::Simulation;
pub use simulation::check_options;
pub use state::{State, StateRole};

/// How to simulate.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulationOptions {
    /// When it begins \[s\].
    pub start: f64,
    /// When it ends \[s\].
    pub end: f64,
    /// Error allowed in one step, relative to each state.
    pub rtol: f64,
    /// Error allowed in one step, absolute: positions \[m\], velocities [m/s]. The memory of a contact has one of its
    /// own, from the range of its law. Zero: a thousandth of `rtol`.
    pub atol: f64,
    /// Longest step \[s\].
    pub max_step: f64,
    /// How to get from one instant to the next.
    pub method: IntegrationMethod,
    /// Step of a method that does not find its own \[s\]; zero: a thousandth of the whole.
    pub step: f64,
    /// Where in a step [`IntegrationMethod::Network`] takes springs and forces, ½ to 1; see
    /// [`Network::with_theta`](network::Network::with_theta).
    pub theta: f64,
    /// Most steps before the run is given up; zero: no limit, but for an adaptive explicit method a million tries.
    pub max_steps: u64,
    /// Time between rows of the trace \[s\]; zero: a thousandth of the whole. Rows at events come on top.
    pub sample: f64,
    /// What to find out on the way.
    pub probes: Vec<Probe>,
    /// What to notice on the way; only the event-driven method does.
    pub sections: Vec<PoincareSection>,
}
impl Default for SimulationOptions {
    fn default() -> Self {
        Self {
            start: 0.0,
            end: 1.0,
            rtol: 1e-8,
            atol: 0.0,
            max_step: f64::INFINITY,
            method: IntegrationMethod::default(),
            step: 0.0,
            theta: 1.0,
            max_steps: 0,
            sample: 0.0,
            probes: Vec::new(),
            sections: Vec::new(),
        }
    }
}

/// A column of the trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// `t`, `block.x`, `table.force`, ...
    pub name: String,
    /// SI unit.
    pub unit: &'static str,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// When \[s\].
    pub t: f64,
    /// Which component, as an index for [`Simulation::part`].
    pub part: usize,
    /// What.
    pub kind: EventKind,
}

/// What can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A contact came to rest and is held.
    Stick,
    /// A contact began to slide forwards.
    SlipUp,
    /// A contact began to slide backwards.
    SlipDown,
    /// The sliding velocity went through zero upwards, without stick.
    ReverseUp,
    /// The sliding velocity went through zero downwards, without stick.
    ReverseDown,
    /// A guard of the law, numbered from 1, rose through zero: a spring saturated, a contact broke away, a loop closed.
    GuardUp(u8),
    /// A guard of the law fell through zero.
    GuardDown(u8),
    /// A stop was hit.
    Impact,
    /// A stop holds what ran into it.
    Rest,
    /// A stop was left.
    Leave,
    /// A section was crossed upwards.
    CrossUp,
    /// A section was crossed downwards.
    CrossDown,
}

impl EventKind {
    /// Whether a contact came to rest, if only for an instant.
    pub fn reaches_zero_velocity(self) -> bool {
        matches!(self, Self::Stick | Self::ReverseUp | Self::ReverseDown)
    }
    /// Its name: `stick`, `slip+`, `slip-`, `reverse+`, `reverse-`, `guard1+`, `guard1-`, `impact`, `rest`, `leave`,
    /// `cross+`, `cross-`.
    pub fn name(self) -> String {
        let text = match self {
            Self::Stick => "stick",
            Self::SlipUp => "slip+",
            Self::SlipDown => "slip-",
            Self::ReverseUp => "reverse+",
            Self::ReverseDown => "reverse-",
            Self::GuardUp(k) => return format!("guard{k}+"),
            Self::GuardDown(k) => return format!("guard{k}-"),
            Self::Impact => "impact",
            Self::Rest => "rest",
            Self::Leave => "leave",
            Self::CrossUp => "cross+",
            Self::CrossDown => "cross-",
        };
        text.to_owned()
    }
    /// Whether its name is `pattern`, or begins with it where the pattern leaves out the sign: `slip` is either.
    pub fn is(self, pattern: &str) -> bool {
        let name = self.name();
        name == pattern || name.trim_end_matches(['+', '-']) == pattern
    }
}

/// Who follows a run.
pub trait Observer {
    /// A row of the trace, in the order of [`Simulation::columns`].
    fn row(&mut self, row: &[f64]);
    /// An event. Its row has been, or comes next; [`IntegrationMethod::Network`] has rows by the clock alone.
    fn event(&mut self, event: &Event);
    /// Asked after every step; false ends the run.
    fn should_continue(&mut self, _t: f64) -> bool {
        true
    }
}

/// Keeps everything in memory.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Rows.
    pub rows: Vec<Vec<f64>>,
    /// Events.
    pub events: Vec<Event>,
}
impl Observer for Trace {
    fn row(&mut self, row: &[f64]) {
        self.rows.push(row.to_vec());
    }
    fn event(&mut self, event: &Event) {
        self.events.push(*event);
    }
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullObserver;
impl Observer for NullObserver {
    fn row(&mut self, _: &[f64]) {}
    fn event(&mut self, _: &Event) {}
}

/// What a run cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolverStatistics {
    /// Steps taken.
    pub steps: u64,
    /// Steps tried and not taken.
    pub rejected: u64,
    /// Evaluations of the right-hand side; of a network, systems of equations solved.
    pub evaluations: u64,
    /// Jacobians; likewise.
    pub jacobians: u64,
    /// Events.
    pub events: u64,
}

/// Where the energy went \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyBalance {
    /// Work of forces, controllers and prescribed motions.
    pub work: f64,
    /// Taken by friction contacts, with what their bristles store.
    pub friction: f64,
    /// Taken by dampers.
    pub damping: f64,
    /// Lost in impacts, and where Karnopp's band stops a body.
    pub impact: f64,
    /// Kinetic and potential energy at the beginning.
    pub before: f64,
    /// Kinetic and potential energy at the end.
    pub after: f64,
}
impl EnergyBalance {
    /// What is missing: work in, less dissipated, less gained. Zero but for the error of the solver; with
    /// [`IntegrationMethod::Network`], what the method itself has taken, some of it in every step.
    pub fn error(&self) -> f64 {
        self.work - self.friction - self.damping - self.impact - (self.after - self.before)
    }
    /// The largest of its parts, to compare [`EnergyBalance::error`] with.
    pub fn size(&self) -> f64 {
        let Self { work, friction, damping, impact, before, after } = *self;
        [work, friction, damping, impact, before, after].into_iter().fold(0.0, |most, x| most.max(x.abs()))
    }
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSummary {
    /// When it ended \[s\].
    pub t: f64,
    /// Whether that was the end asked for.
    pub complete: bool,
    /// The last row.
    pub row: Vec<f64>,
    /// Columns of the row.
    pub columns: Vec<Column>,
    /// What it cost.
    pub stats: SolverStatistics,
    /// Where the energy went.
    pub energy: EnergyBalance,
    /// Answers to the probes; none where what was asked for did not happen.
    pub probes: Vec<Option<f64>>,
    /// From where another run can go on; sampled controllers begin anew.
    pub state: State,
}
impl RunSummary {
    /// The last value of a column.
    pub fn last(&self, column: &str) -> Option<f64> {
        self.columns.iter().position(|c| c.name == column).map(|i| self.row[i])
    }
}
