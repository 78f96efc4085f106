//! A mechanical system as the adversary sees it: plain data, known to neither the simulator nor the reference.

/// Where a component is attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// The ground.
    Ground,
    /// The body with this index.
    Body(usize),
    /// The prescribed motion with this index.
    Motion(usize),
}

/// A function of time.
#[derive(Clone, Debug, PartialEq)]
pub enum Signal {
    /// A constant.
    Constant(f64),
    /// `offset`, then rising by `slope` per second from `start` to `end`, then constant.
    Ramp { offset: f64, slope: f64, start: f64, end: f64 },
    /// `before`, and `after` from `at` on.
    Step { at: f64, before: f64, after: f64 },
    /// `mean + amplitude sin(omega t + phase)`.
    Sine { mean: f64, amplitude: f64, omega: f64, phase: f64 },
    /// `amplitude sin(omega t + rate t² + phase)`.
    Chirp { amplitude: f64, omega: f64, rate: f64, phase: f64 },
    /// From `before` to `after` within `time`, by the polynomial of least jerk.
    Move { start: f64, time: f64, before: f64, after: f64 },
    /// `low`, and `high` for `width` at the beginning of each of `count` periods from `start` on.
    Pulses { low: f64, high: f64, start: f64, width: f64, period: f64, count: f64 },
    /// Straight lines through points, constant outside; two points at one instant are a jump.
    Table(Vec<[f64; 2]>),
    /// A sum.
    Sum(Vec<Signal>),
    /// A product.
    Product(Vec<Signal>),
}

impl Signal {
    /// A bound of its size until the time `end`.
    pub fn bound(&self, end: f64) -> f64 {
        match self {
            Self::Constant(x) => x.abs(),
            Self::Ramp { offset, slope, start, end: last } => {
                offset.abs() + slope.abs() * (last.min(end) - start).max(0.0)
            }
            Self::Step { before, after, .. } | Self::Move { before, after, .. } => before.abs().max(after.abs()),
            Self::Sine { mean, amplitude, .. } => mean.abs() + amplitude.abs(),
            Self::Chirp { amplitude, .. } => amplitude.abs(),
            Self::Pulses { low, high, .. } => low.abs().max(high.abs()),
            Self::Table(points) => points.iter().fold(0.0, |most, [_, x]| most.max(x.abs())),
            Self::Sum(parts) => parts.iter().map(|part| part.bound(end)).sum(),
            Self::Product(parts) => parts.iter().map(|part| part.bound(end)).product(),
        }
    }
}

/// A body with one coordinate, or a pendulum.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    pub name: String,
    pub mass: f64,
    pub rotates: bool,
    pub x: f64,
    pub v: f64,
    /// Length and gravity of a pendulum, whose `mass` is a mass; for all other bodies `mass` is the inertia of the coordinate.
    pub pendulum: Option<[f64; 2]>,
}

/// A place with a prescribed position.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    pub name: String,
    pub position: Signal,
    pub rotates: bool,
}

/// A spring, with a damper in parallel.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    pub name: String,
    pub ends: [Node; 2],
    pub stiffness: f64,
    /// Force over stretch by straight lines, instead of the stiffness; continued straight beyond its ends.
    pub table: Vec<[f64; 2]>,
    pub rest: f64,
    pub damping: f64,
    /// Slack between these two stretches; beyond, it presses and does not pull.
    pub gap: Option<[f64; 2]>,
}

/// A stop.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    pub name: String,
    pub ends: [Node; 2],
    pub lo: f64,
    pub hi: f64,
    pub restitution: f64,
}

/// A freewheel: the first place is not faster than the second.
#[derive(Clone, Debug, PartialEq)]
pub struct Freewheel {
    pub name: String,
    pub ends: [Node; 2],
}

/// A gear: rigid if it has no stiffness.
#[derive(Clone, Debug, PartialEq)]
pub struct Gear {
    pub name: String,
    /// Two bodies.
    pub ends: [usize; 2],
    pub ratio: f64,
    pub stiffness: Option<f64>,
    pub damping: f64,
    /// Play at the first body, from one flank to the other, of a gear with a stiffness.
    pub backlash: f64,
    /// Friction at the first body whose load is the force of the spring.
    pub loss: Option<LawChoice>,
    /// How its ratio is given.
    pub drive: Drive,
    /// Kinematic error of a gear with a stiffness: amplitude, waves in a turn of the second body, phase.
    pub error: Option<[f64; 3]>,
}

/// How the ratio of a gear is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drive {
    /// As a ratio.
    Ratio,
    /// As the lead of a screw: the first body moves straight, the second turns.
    Lead,
    /// As the radius of a pinion or pulley at the second body.
    Radii,
}

/// A law with the parameters that differ from its defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct LawChoice {
    pub name: &'static str,
    pub values: Vec<(&'static str, f64)>,
    /// Parameters for backward sliding.
    pub reverse: Vec<(&'static str, f64)>,
    /// Parameters of the random force.
    pub noise: Vec<(&'static str, f64)>,
}

/// Where the normal load of a contact comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Load {
    /// The nominal load.
    Nominal,
    /// A function of time.
    Signal(Signal),
    /// Gain times the force of the spring with this index.
    Spring(usize, f64),
}

/// Which component of the scenario language a contact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactKind {
    Contact,
    Clutch,
    Brake,
}

/// A friction contact.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    pub name: String,
    pub kind: ContactKind,
    pub ends: [Node; 2],
    pub law: LawChoice,
    pub load: Load,
    /// The load factor is base + slope × load.
    pub map: Option<[f64; 2]>,
    /// How it warms up: heat capacity, conductance to the surroundings, and by which part the force falls per kelvin.
    pub heating: Option<[f64; 3]>,
    /// Radius at which the end that turns touches the one that moves straight.
    pub radius: Option<f64>,
}

/// A force on a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Force {
    pub name: String,
    pub on: usize,
    pub force: Signal,
}

/// A position controller of a body with an integral.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    pub name: String,
    pub on: usize,
    pub gains: [f64; 2],
    pub ki: f64,
    pub reference: Signal,
    pub limit: f64,
    /// Sample time; none: continuous.
    pub period: Option<f64>,
}

/// A system and the time to run it.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub start: f64,
    pub end: f64,
    pub bodies: Vec<Body>,
    pub motions: Vec<Motion>,
    pub springs: Vec<Spring>,
    pub stops: Vec<Stop>,
    pub freewheels: Vec<Freewheel>,
    pub gears: Vec<Gear>,
    pub contacts: Vec<Contact>,
    pub forces: Vec<Force>,
    pub controls: Vec<Control>,
}

/// How the simulator is to run a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunSettings {
    pub rtol: f64,
    /// Absolute tolerance; zero: the default, a thousandth of `rtol`.
    pub atol: f64,
    pub max_step: f64,
    /// Rows per run, without the first.
    pub rows: usize,
}

impl RunSettings {
    /// These tolerances, all else at its default.
    pub fn with_rtol(rtol: f64) -> Self {
        Self { rtol, atol: 0.0, max_step: f64::INFINITY, rows: ROWS }
    }
    /// The absolute tolerance in effect.
    pub fn effective_atol(&self) -> f64 {
        if self.atol > 0.0 { self.atol } else { 1e-3 * self.rtol }
    }
}

/// Rows of every trajectory that is compared, without the first. A prime, so that no row falls on a jump of a signal at a round
/// share of the run, where two values are right.
pub const ROWS: usize = 61;

impl Model {
    /// An empty system.
    pub fn new(end: f64) -> Self {
        Self {
            start: 0.0,
            end,
            bodies: Vec::new(),
            motions: Vec::new(),
            springs: Vec::new(),
            stops: Vec::new(),
            freewheels: Vec::new(),
            gears: Vec::new(),
            contacts: Vec::new(),
            forces: Vec::new(),
            controls: Vec::new(),
        }
    }
    /// Whether a component between these places can see them move against each other only as prescribed.
    pub fn is_driven(&self, ends: [Node; 2]) -> bool {
        !ends.iter().any(|end| matches!(end, Node::Body(_)))
    }
    /// The columns that are compared: position and velocity of every body, and the force of contacts without a body.
    pub fn columns(&self) -> Vec<String> {
        let bodies = self.bodies.iter().flat_map(|body| {
            let place = if body.pendulum.is_some() { format!("{}.angle", body.name) } else { body.name.clone() };
            [format!("{place}.x"), format!("{place}.v")]
        });
        let driven = self.contacts.iter().filter(|contact| self.is_driven(contact.ends));
        bodies.chain(driven.map(|contact| format!("{}.force", contact.name))).collect()
    }
    /// The time of row `k` of [`ROWS`].
    pub fn row_time(&self, k: usize) -> f64 {
        if k == ROWS { self.end } else { self.start + (self.end - self.start) * k as f64 / ROWS as f64 }
    }
    /// All signals.
    pub fn signals_mut(&mut self) -> Vec<&mut Signal> {
        let loads = self.contacts.iter_mut().filter_map(|contact| match &mut contact.load {
            Load::Signal(signal) => Some(signal),
            _ => None,
        });
        let motions = self.motions.iter_mut().map(|motion| &mut motion.position);
        let forces = self.forces.iter_mut().map(|force| &mut force.force);
        let references = self.controls.iter_mut().map(|control| &mut control.reference);
        motions.chain(forces).chain(references).chain(loads).collect()
    }
    /// The kinds of components that it has, for the report.
    pub fn kinds(&self) -> Vec<&'static str> {
        let mut out = Vec::new();
        let mut note = |present: bool, name| {
            if present {
                out.push(name);
            }
        };
        note(self.bodies.iter().any(|body| body.pendulum.is_none() && !body.rotates), "body with a mass");
        note(self.bodies.iter().any(|body| body.pendulum.is_none() && body.rotates), "body with an inertia");
        note(self.bodies.iter().any(|body| body.pendulum.is_some()), "pendulum");
        note(!self.motions.is_empty(), "motion");
        note(self.springs.iter().any(|spring| spring.stiffness != 0.0), "spring");
        note(self.springs.iter().any(|spring| !spring.table.is_empty()), "spring with a table");
        note(self.springs.iter().any(|spring| spring.gap.is_some()), "spring with a gap");
        note(self.gears.iter().any(|gear| gear.backlash > 0.0), "gear with backlash");
        note(self.springs.iter().any(|spring| spring.stiffness == 0.0 && spring.table.is_empty()), "damper");
        note(!self.stops.is_empty(), "stop");
        note(!self.freewheels.is_empty(), "freewheel");
        note(self.gears.iter().any(|gear| gear.stiffness.is_none()), "rigid gear");
        note(self.gears.iter().any(|gear| gear.stiffness.is_some()), "elastic gear");
        note(self.gears.iter().any(|gear| gear.loss.is_some()), "gear with a loss");
        note(self.contacts.iter().any(|contact| contact.kind == ContactKind::Contact), "contact");
        note(self.contacts.iter().any(|contact| contact.kind == ContactKind::Clutch), "clutch");
        note(self.contacts.iter().any(|contact| contact.kind == ContactKind::Brake), "brake");
        note(self.contacts.iter().any(|contact| matches!(contact.load, Load::Signal(_))), "load by a signal");
        note(self.contacts.iter().any(|contact| matches!(contact.load, Load::Spring(..))), "load by a spring");
        note(self.contacts.iter().any(|contact| !contact.law.reverse.is_empty()), "wrapper reverse");
        note(self.contacts.iter().any(|contact| !contact.law.noise.is_empty()), "wrapper noise");
        note(self.contacts.iter().any(|contact| contact.map.is_some()), "wrapper load");
        note(self.contacts.iter().any(|contact| contact.heating.is_some()), "heat");
        note(self.contacts.iter().any(|contact| contact.radius.is_some()), "wheel");
        note(self.gears.iter().any(|gear| gear.drive == Drive::Lead), "screw");
        note(self.gears.iter().any(|gear| gear.drive == Drive::Radii), "belt or rack");
        note(self.gears.iter().any(|gear| gear.error.is_some()), "kinematic error");
        note(!self.forces.is_empty(), "force");
        note(self.controls.iter().any(|control| control.period.is_none()), "continuous control");
        note(self.controls.iter().any(|control| control.period.is_some()), "sampled control");
        out
    }
}
