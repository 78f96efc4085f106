//! Simulation: event-driven, with true stick and every kink located in time.
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
mod bounces;
mod breakpoints;
mod columns;
mod components;
mod contact_force;
mod critical_speeds;
mod cusp;
mod differentiated_run;
mod error;
mod event_driven;
mod event_locator;
mod events;
mod explicit;
mod fixed_size;
mod flow;
mod gear_guards;
mod gear_train;
mod groups;
mod impact_law;
mod impacts;
mod jacobian;
mod law_guards;
mod least_norm;
mod linear_part;
mod linear_rhs;
mod linearisation;
mod log_speed;
mod lossy_gear;
mod matrix;
mod method;
mod modes;
pub mod network;
mod normal_load;
mod peak_rows;
mod pivoting;
mod plane;
mod poincare;
mod probes;
mod rate_cusp;
mod recorder;
mod regularisation;
pub mod rodas5p;
mod root_finding;
mod rosenbrock;
mod rounding;
mod run_limits;
mod run_loop;
mod sensitivity;
mod setup;
mod simulation;
mod simultaneous;
mod single_contact;
mod spring_state;
mod state;
pub mod step_size;
mod stepping;
mod stop_room;
mod switches;
mod switching;
mod taylor;
mod transition;
mod unseen;
mod unsupported;

pub use error::{EventRate, SimError, SimErrorKind};
pub use linearisation::{Linearisation, LinearisedContact, RestTreatment};
pub use method::IntegrationMethod;
pub use poincare::PoincareSection;
pub use probes::{CrossingDirection, Probe};
pub use run_limits::StopFlag;
pub use sensitivity::{
    EventSensitivity, RELATIVE_CHANGE, SensitivityFlag, SensitivityFlagKind, SensitivityReport, VariedParameter,
};
pub use simulation::Simulation;
pub use simulation::check_options;
pub use state::{SampledState, StateRole, SystemState};

/// The options of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulationOptions {
    /// Start time \[s\].
    pub start: f64,
    /// End time \[s\].
    pub end: f64,
    /// Relative tolerance of the local error of each state, 1e-13 to 0.1. Usually 1e-6 to 1e-10.
    pub rtol: f64,
    /// Absolute tolerance of the local error: positions \[m\], velocities [m/s], 0 to 1. States of contacts are scaled by the
    /// range of their law. Zero: a thousandth of `rtol`.
    pub atol: f64,
    /// Longest step \[s\].
    pub max_step: f64,
    /// The integration method.
    pub method: IntegrationMethod,
    /// Step of a method with a fixed step \[s\]; zero: a thousandth of the run.
    pub step: f64,
    /// Where in a step [`IntegrationMethod::Network`] evaluates springs and forces, ½ to 1; see
    /// [`Network::with_theta`](network::Network::with_theta).
    pub theta: f64,
    /// Most accepted steps, with every method: the run fails when they are taken. Zero: no limit. Rejected steps do not count;
    /// too many of them in a row end a run because it does not get on ([`SimErrorKind::NoProgress`], [`SimErrorKind::Stalled`]).
    pub max_steps: u64,
    /// Limit of the computing time \[s\]: the run fails when it is exceeded. Zero: no limit.
    pub max_seconds: f64,
    /// Ends the run from outside.
    pub stop: StopFlag,
    /// Time between rows of the trace \[s\]; zero: a thousandth of the run. Rows at events are added.
    pub sample: f64,
    /// Quantities to measure during the run.
    pub probes: Vec<Probe>,
    /// Sections whose crossings are events; only the event-driven method supports them.
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
            max_seconds: 3600.0,
            stop: StopFlag::default(),
            sample: 0.0,
            probes: Vec::new(),
            sections: Vec::new(),
        }
    }
}

/// A column of the trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name: `t`, `block.x`, `table.force`, ...
    pub name: String,
    /// SI unit.
    pub unit: &'static str,
}

/// An event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// Time \[s\].
    pub t: f64,
    /// Index of the component, for [`Simulation::part`].
    pub part: usize,
    /// Kind of event.
    pub kind: EventKind,
}

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A contact came to rest and sticks.
    Stick,
    /// A contact began to slide in positive direction.
    SlipUp,
    /// A contact began to slide in negative direction.
    SlipDown,
    /// The sliding velocity changed from negative to positive without stick.
    ReverseUp,
    /// The sliding velocity changed from positive to negative without stick.
    ReverseDown,
    /// A guard of the law, numbered from 1, became positive: a spring saturated, a contact broke away, a loop closed.
    GuardUp(u8),
    /// A guard of the law became negative.
    GuardDown(u8),
    /// A stop was hit.
    Impact,
    /// A body came to rest against a stop.
    Rest,
    /// A body left a stop.
    Leave,
    /// A freewheel blocked.
    Engage,
    /// A freewheel overran.
    Disengage,
    /// A spring touched the surface at the upper end of its gap.
    TouchHigh,
    /// A spring touched the surface at the lower end of its gap.
    TouchLow,
    /// A spring separated from the surface at the upper end of its gap.
    SeparateHigh,
    /// A spring separated from the surface at the lower end of its gap.
    SeparateLow,
    /// A signal switched a component on.
    Enable,
    /// A signal switched a component off.
    Disable,
    /// A section was crossed upwards.
    CrossUp,
    /// A section was crossed downwards.
    CrossDown,
}

impl EventKind {
    /// Whether the sliding velocity of a contact reached zero, if only for an instant.
    pub fn reaches_zero_velocity(self) -> bool {
        matches!(self, Self::Stick | Self::ReverseUp | Self::ReverseDown)
    }
    /// Its name: `stick`, `slip+`, `slip-`, `reverse+`, `reverse-`, `guard1+`, `guard1-`, `impact`, `rest`, `leave`,
    /// `engage`, `disengage`, `touch+`, `touch-`, `separate+`, `separate-`, `enable`, `disable`, `cross+`, `cross-`.
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
            Self::Engage => "engage",
            Self::Disengage => "disengage",
            Self::TouchHigh => "touch+",
            Self::TouchLow => "touch-",
            Self::SeparateHigh => "separate+",
            Self::SeparateLow => "separate-",
            Self::Enable => "enable",
            Self::Disable => "disable",
            Self::CrossUp => "cross+",
            Self::CrossDown => "cross-",
        };
        text.to_owned()
    }
    /// Whether its name is `pattern`, with or without its sign: `slip` matches `slip+` and `slip-`.
    pub fn is(self, pattern: &str) -> bool {
        let name = self.name();
        name == pattern || name.trim_end_matches(['+', '-']) == pattern
    }
}

/// Receives the rows and events of a run.
pub trait Observer {
    /// A row of the trace, in the order of [`Simulation::columns`].
    fn row(&mut self, row: &[f64]);
    /// An event. Its row comes just before or after it; [`IntegrationMethod::Network`] writes no row at an event.
    fn event(&mut self, event: &Event);
    /// Columns whose peaks between rows are to be written as rows, too: a value that lies outside those of both neighbouring
    /// rows by more than a thousandth of the range of its column. At most 64; not for [`IntegrationMethod::Network`].
    fn peak_columns(&self) -> Vec<usize> {
        Vec::new()
    }
    /// Called after every step; the run ends if it returns false.
    fn should_continue(&mut self, _t: f64) -> bool {
        true
    }
}

/// Stores all rows and events in memory.
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

/// Ignores all rows and events.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullObserver;
impl Observer for NullObserver {
    fn row(&mut self, _: &[f64]) {}
    fn event(&mut self, _: &Event) {}
}

/// Numerical effort of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolverStatistics {
    /// Accepted steps.
    pub steps: u64,
    /// Rejected steps.
    pub rejected: u64,
    /// Evaluations of the right-hand side; for a network, linear systems solved.
    pub evaluations: u64,
    /// Evaluations of the Jacobian; for a network, linear systems solved.
    pub jacobians: u64,
    /// Events.
    pub events: u64,
    /// Accepted steps by a Taylor series, in modes in which all is linear.
    pub taylor_steps: u64,
    /// Accepted steps in the kernel for one body on one contact.
    pub single_contact_steps: u64,
    /// Accepted steps in the logarithm of a sliding speed. Steps of the event-driven method that are none of these three are
    /// Rosenbrock steps in the state itself.
    pub log_speed_steps: u64,
}

/// The energy balance of a run \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyBalance {
    /// Work of applied forces, controllers and prescribed motions.
    pub work: f64,
    /// Energy absorbed by friction contacts, including what their bristles store.
    pub friction: f64,
    /// Energy dissipated by dampers.
    pub damping: f64,
    /// Energy lost in impacts, and where Karnopp's zero-velocity band stops a body.
    pub impact: f64,
    /// Elastic energy that springs had where a signal switched them off.
    pub switching: f64,
    /// Kinetic and potential energy at the start.
    pub before: f64,
    /// Kinetic and potential energy at the end.
    pub after: f64,
    /// Largest absolute value of the work at the end of any step: a ball that is back at its top has gained and lost energy on the way.
    pub largest_work: f64,
}
impl EnergyBalance {
    /// The energy error: work, less dissipation, less the increase of stored energy. Zero up to the error of the solver; with
    /// [`IntegrationMethod::Network`] the numerical dissipation of the method.
    pub fn error(&self) -> f64 {
        self.work - self.friction - self.damping - self.impact - self.switching - (self.after - self.before)
    }
    /// The largest term, as a reference for [`EnergyBalance::error`].
    pub fn size(&self) -> f64 {
        let Self { work, friction, damping, impact, switching, before, after, largest_work } = *self;
        [work, friction, damping, impact, switching, before, after, largest_work]
            .into_iter()
            .fold(0.0, |most, x| most.max(x.abs()))
    }
}

/// Why a run had to stop.
#[derive(Clone, Debug, PartialEq)]
pub struct RunFailure {
    /// Time \[s\].
    pub t: f64,
    /// The cause.
    pub kind: SimErrorKind,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSummary {
    /// Time at which it ended \[s\].
    pub t: f64,
    /// Whether it reached the end time.
    pub complete: bool,
    /// Why it had to stop, if it did; only [`Simulation::run_to_failure`] returns the summary of such a run.
    pub failure: Option<RunFailure>,
    /// The last row.
    pub row: Vec<f64>,
    /// Columns of the row.
    pub columns: Vec<Column>,
    /// Numerical effort.
    pub stats: SolverStatistics,
    /// Energy balance.
    pub energy: EnergyBalance,
    /// Values of the probes; none where a probe found nothing to measure.
    pub probes: Vec<Option<f64>>,
    /// The final state, from which another run can start; sampled controllers start anew.
    pub state: SystemState,
}
impl RunSummary {
    /// The last value of a column.
    pub fn last(&self, column: &str) -> Option<f64> {
        self.columns.iter().position(|c| c.name == column).map(|i| self.row[i])
    }
}
