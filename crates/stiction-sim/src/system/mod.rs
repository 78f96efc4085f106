//! Systems of bodies, springs, contacts, stops and controllers.
//!
//! ```
//! use stiction_sim::{Spec, system::{Body, Contact, GROUND, Signal, Spring, System}};
//!
//! // a block on a table, pulled through a spring at 0.1 m/s
//! let mut system = System::new();
//! let block = system.body("block", Body { mass: 1.0, ..Body::default() })?;
//! let hand = system.motion("hand", Signal::Ramp { offset: 0.0, slope: 0.1, start: 0.0, end: f64::INFINITY }, false)?;
//! system.spring("pull", block, hand, Spring::linear(2.0))?;
//! system.contact("table", block, GROUND, Contact::new(&Spec::new("lugre")?)?)?;
//! # Ok::<(), stiction_sim::SimError>(())
//! ```
mod build;
mod controller;
mod curve;
mod error;
mod first_order_lag;
mod heated_law;
mod kinematic_error;
mod lossy_gear;
mod peak_law;
mod plane;
mod plant;
mod quantised;
mod saturated;
mod servo;
mod signal;
mod signal_integral;
mod switch;
mod switched;
mod wrapped_law;

pub use controller::{
    ContinuousController, ControllerInput, Feedback, SampledController, SampledFeedback, central_differences,
};
pub use curve::{Curve, CurveError};
pub use error::{SystemError, SystemErrorKind};
pub use first_order_lag::FirstOrderLag;
pub use heated_law::Heating;
pub(crate) use heated_law::STATES as HEATING_STATES;
pub use kinematic_error::{ErrorWave, KinematicError};
pub use lossy_gear::{Efficiency, LossyGear};
pub use plane::{Plane, PlaneAnchor, PlaneBody, PlaneContact, PlaneForce, PlaneSpring, PlaneSystem};
pub use plant::{Dynamics, Plant, PlantAxis};
pub use quantised::QuantisedController;
pub use saturated::SaturatedController;
pub use servo::{Encoder, Servo, ServoConfig};
pub use signal::{Signal, SignalDerivatives};
pub(crate) use switch::OpenLaw;
pub use switch::{Switch, SwitchedPart};
pub use switched::SwitchedController;

use crate::force_at_rest::{JumpAtRest, can_jump};
use crate::{LawError, ParameterGroup, Spec};
use std::collections::HashSet;
use stiction_core::Input;
use stiction_core::registry::{DynLaw, LawEntry};
use wrapped_law::WrappedLaw;

/// A node, where components are connected: a body, a coordinate of a plant, a prescribed motion, or the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node(pub usize);

/// The fixed node.
pub const GROUND: Node = Node(0);

/// A rigid body with one coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Mass \[kg\], or inertia [kg·m²].
    pub mass: f64,
    /// Initial position [m or rad].
    pub x: f64,
    /// Initial velocity [m/s or rad/s].
    pub v: f64,
    /// Rotates instead of translating.
    pub rotates: bool,
}
impl Default for Body {
    fn default() -> Self {
        Self { mass: 1.0, x: 0.0, v: 0.0, rotates: false }
    }
}

/// A spring with a damper in parallel: force `curve(x − rest)` against the displacement `x` of its first end from its second.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// Stiffness [N/m or N·m/rad], if there is no curve.
    pub stiffness: f64,
    /// Displacement without force [m or rad]; a preload is a rest position other than the initial one.
    pub rest: f64,
    /// Damping coefficient [N·s/m or N·m·s/rad].
    pub damping: f64,
    /// Force over displacement, instead of the stiffness.
    pub curve: Option<Curve>,
    /// A gap: displacements between these, from `rest`, are free; beyond, the stiffness acts on what is left, and the damper as long as it
    /// presses, with at most the elastic force, so that it never pulls. With a stiffness only.
    pub gap: Option<[f64; 2]>,
    /// Transmission ratio: the displacement is `x₁ − ratio·x₂`. One, except for a gear.
    pub ratio: f64,
    /// A kinematic error of a gear, which is subtracted from the displacement. Not with a gap.
    pub error: Option<KinematicError>,
    /// A third place of a planetary gear. Not with a gap or a kinematic error.
    pub third: Option<ThirdPlace>,
}

/// The third place of a planetary gear: `ratio` times its displacement is subtracted from that of the spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThirdPlace {
    /// The place.
    pub node: Node,
    /// Its ratio.
    pub ratio: f64,
}
impl Spring {
    /// A linear spring with its rest position at zero.
    pub fn linear(stiffness: f64) -> Self {
        Self { stiffness, rest: 0.0, damping: 0.0, curve: None, gap: None, ratio: 1.0, error: None, third: None }
    }
    /// Whether its force is linear in displacement and velocity, and these are in the coordinates.
    pub fn is_linear(&self) -> bool {
        self.curve.is_none() && self.gap.is_none() && self.error.is_none() && self.third.is_none()
    }
    /// A damper: a spring without stiffness.
    pub fn damper(damping: f64) -> Self {
        Self { damping, ..Self::linear(0.0) }
    }
}

/// The source of the normal load of a contact.
#[derive(Clone, Debug, PartialEq)]
pub enum Load {
    /// A function of time.
    Signal(Signal),
    /// Gain times the force of a spring, by its name: for example the transmitted torque of a gear.
    Spring {
        /// Name of the spring.
        name: String,
        /// Load per unit of force.
        gain: f64,
    },
    /// The output of a controller, by its name: for example of a clutch or a brake.
    Control(String),
}

/// A friction contact.
pub struct Contact {
    /// The law, ready for evaluation.
    pub law: Box<dyn DynLaw>,
    /// The law by name, with its parameter values.
    pub spec: Spec,
    /// The registry entry of the law.
    pub entry: &'static LawEntry,
    /// Whether the law contains a random force.
    pub noisy: bool,
    /// Normal load, in the unit that the law expects: relative to the nominal load, unless it has a load map.
    pub load: Load,
    /// Initial states of the law; empty: those of a contact that has never moved, at the position of its places.
    pub memory: Vec<f64>,
    /// Whether `memory` is only what [`Contact::with_heating`] has added to a contact that has never moved.
    pub has_only_heat: bool,
    /// For a contact between a place that turns and one that moves straight: the radius \[m\] at which the former touches. The sliding velocity
    /// is then that of its rim against the latter.
    pub radius: Option<f64>,
    /// The force held at rest over that with which sliding begins, see [`Contact::with_peak`].
    pub peak: f64,
    /// How it warms up; its heat and temperature are then the last two states of the law.
    pub heating: Option<Heating>,
}
impl Contact {
    /// A contact under nominal load that has never moved.
    ///
    /// # Errors
    /// As [`Spec::build`]; [`LawError::JumpsAtRest`] for a law of programs with which a body at rest would neither rest nor move.
    pub fn new(spec: &Spec) -> Result<Self, LawError> {
        let law = spec.build()?;
        if spec.law().program().is_some_and(can_jump) {
            let bare = spec.clone().without(ParameterGroup::Noise).build()?;
            if let Some(jump) = JumpAtRest::find(&*bare) {
                return Err(LawError::JumpsAtRest { law: spec.law().name, jump });
            }
        }
        Ok(Self {
            law,
            spec: spec.clone(),
            entry: spec.law(),
            noisy: spec.has(ParameterGroup::Noise),
            load: Load::Signal(Signal::Constant(1.0)),
            memory: Vec::new(),
            has_only_heat: false,
            radius: None,
            peak: 1.0,
            heating: None,
        })
    }
    /// The law by name, with its parameter values.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }
    /// The same contact with forces at rest that reach `peak` times as far as those of its law: it breaks away above the force of sliding.
    #[must_use]
    pub fn with_peak(self, peak: f64) -> Self {
        let law: Box<dyn DynLaw> =
            if peak == 1.0 { self.law } else { Box::new(WrappedLaw(peak_law::PeakLaw { law: self.law, peak })) };
        Self { law, peak: peak * self.peak, ..self }
    }
    /// The same contact with a mass that its friction warms up, which is `start` kelvins warmer than its surroundings at the beginning.
    #[must_use]
    pub fn with_heating(mut self, heating: Heating, start: f64) -> Self {
        self.has_only_heat = self.memory.is_empty();
        self.memory.resize(self.law.len(), 0.0);
        self.memory.extend([0.0, start]);
        self.law = Box::new(WrappedLaw(heated_law::HeatedLaw { law: self.law, heating }));
        Self { heating: Some(heating), ..self }
    }
    /// Name and unit of each state of its law that a trace shows, and the index of the state.
    pub(crate) fn shown_states(&self) -> impl Iterator<Item = (&'static str, &'static str, usize)> + '_ {
        let own = self.entry.states.iter().enumerate().map(|(i, state)| (state.name, state.unit, i));
        let first = self.law.len().saturating_sub(HEATING_STATES);
        let warm = [("heat", "J", first), ("temperature", "K", first + 1)];
        own.chain(warm.into_iter().filter(|_| self.heating.is_some()))
    }
    /// Index of the state that begins at the position of the contact's places, for a law that depends on it and has no given states.
    pub(crate) fn starting_position(&self) -> Option<usize> {
        let unmoved = self.memory.is_empty() || self.has_only_heat;
        self.entry.program().and_then(|program| program.equations.position).filter(|_| unmoved)
    }
    /// Whether the law depends on the position, and begins at one that was given.
    pub(crate) fn has_given_position(&self) -> bool {
        let depends = self.entry.program().is_some_and(|program| program.equations.position.is_some());
        depends && self.starting_position().is_none()
    }
    /// Index of the position within the noise, if its law has one: the states of the law come first, then the two of its noise, then those of
    /// its heating.
    pub(crate) fn noise_position(&self) -> Option<usize> {
        let heating = if self.heating.is_some() { HEATING_STATES } else { 0 };
        let end = self.law.len().saturating_sub(heating);
        (end > self.entry.states.len()).then(|| end - 1)
    }
    /// Whether it holds a body at rest under nominal load, if it has never moved.
    pub fn holds(&self) -> bool {
        let memory = vec![0.0; self.law.len()];
        [1.0, -1.0].iter().any(|dir| self.law.hold(&memory, &Input::at(0.0), *dir) > 0.0)
    }
    /// The same contact with another normal load.
    #[must_use]
    pub fn with_load(self, load: Load) -> Self {
        Self { load, ..self }
    }
}

/// A stop: the displacement between its ends stays within `lo` and `hi`. At an end the body rebounds with `restitution` times
/// its impact speed, and comes to rest there once the rebound is below the tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Smallest displacement [m or rad]; minus infinity: none.
    pub lo: f64,
    /// Largest displacement [m or rad]; infinity: none.
    pub hi: f64,
    /// Coefficient of restitution: speed after over speed before an impact, 0 to 1.
    pub restitution: f64,
}

/// A freewheel, or one-way clutch: with the relative velocity `w` of its ends and its force `F` against `w`, `w ≤ 0`, `F ≥ 0`, and one of them is
/// zero. It blocks (`w = 0`) or overruns (`F = 0`). A velocity that would jump to a positive value ends in a plastic impact.
#[derive(Clone, Debug, PartialEq)]
pub struct Freewheel {
    /// It acts where this is 1, and is open where this is 0: a signal that is constant between its breakpoints.
    pub enable: Signal,
}
impl Default for Freewheel {
    fn default() -> Self {
        Self { enable: Signal::Constant(1.0) }
    }
}

/// A rigid gear that a signal switches: while it is on, the velocity of its first end is `ratio` times that of its second. Speeds that are not in this
/// ratio when it is switched on become so by a plastic impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwitchedGear {
    /// Speed of the first end over that of the second.
    pub ratio: f64,
}

/// A quantity measured by a controller.
#[derive(Clone, Debug, PartialEq)]
pub enum Measurement {
    /// Position of a node.
    Position(Node),
    /// Velocity of a node.
    Velocity(Node),
    /// The output of a sampled controller that was added before, by its name: the command of an actuator.
    Command(String),
}

impl Controller {
    /// What its first measurement should be, if it follows something.
    pub fn reference(&self) -> Option<&Signal> {
        match self {
            Self::Continuous(control) => control.reference(),
            Self::Sampled { control, .. } => control.reference(),
        }
    }
    /// The same, to be replaced.
    pub fn reference_mut(&mut self) -> Option<&mut Signal> {
        match self {
            Self::Continuous(control) => control.reference_mut(),
            Self::Sampled { control, .. } => control.reference_mut(),
        }
    }
}

/// What the output of a controller does.
#[derive(Clone, Debug, PartialEq)]
pub enum Actuation {
    /// A force on a node.
    Force(Node),
    /// Only the normal load of the contacts that refer to it.
    Load,
    /// Nothing by itself: an actuator that measures it as a command applies a force to this node.
    ThroughActuator(Node),
}

/// The two kinds of controllers.
pub enum Controller {
    /// In continuous time, as part of the equations of motion.
    Continuous(Box<dyn ContinuousController>),
    /// Called every `period` seconds, from the start of the run on.
    Sampled {
        /// Sample time \[s\].
        period: f64,
        /// The controller.
        control: Box<dyn SampledController>,
    },
}

/// How a node moves.
pub enum NodeKind {
    /// Fixed.
    Ground,
    /// With a coordinate: `offset + scale·x`.
    Coordinate {
        /// Index of the coordinate.
        index: usize,
        /// Transmission ratio of a rigid gear; one without a gear.
        scale: f64,
        /// Position where the coordinate is zero.
        offset: f64,
    },
    /// As prescribed by the motion with this index.
    Motion(usize),
}

/// A node with its name.
pub struct NamedNode {
    /// Its name.
    pub name: String,
    /// Whether it rotates instead of translating.
    pub rotates: bool,
    /// How it moves.
    pub kind: NodeKind,
}

/// A component between two nodes: a spring, a contact or a stop.
pub struct Connection<T> {
    /// Its name.
    pub name: String,
    /// First and second end.
    pub ends: [Node; 2],
    /// The component.
    pub component: T,
}

/// A controller with its measurements and its action.
pub struct ControllerSlot {
    /// Its name.
    pub name: String,
    /// The controller.
    pub controller: Controller,
    /// Its measurements.
    pub measurements: Vec<Measurement>,
    /// What its output does.
    pub actuation: Actuation,
}

/// A mechanical system with friction.
pub struct System {
    /// All names in use.
    pub(crate) names: HashSet<String>,
    /// The nodes; the first is the ground.
    pub nodes: Vec<NamedNode>,
    /// One for each coordinate; those of a plant have no mass of their own.
    pub bodies: Vec<Body>,
    /// Plants with their names and the index of their first coordinate.
    pub plants: Vec<(String, Plant, usize)>,
    /// Prescribed motions.
    pub motions: Vec<Signal>,
    /// Springs and dampers.
    pub springs: Vec<Connection<Spring>>,
    /// Friction contacts.
    pub contacts: Vec<Connection<Contact>>,
    /// Stops.
    pub stops: Vec<Connection<Stop>>,
    /// Freewheels.
    pub freewheels: Vec<Connection<Freewheel>>,
    /// Rigid gears that signals switch.
    pub switched_gears: Vec<Connection<SwitchedGear>>,
    /// Rigid gears with losses.
    pub lossy_gears: Vec<Connection<LossyGear>>,
    /// What signals switch, beside freewheels.
    pub(crate) switches: Vec<Switch>,
    /// Applied forces: name, node, force over time.
    pub forces: Vec<(String, Node, Signal)>,
    /// Controllers.
    pub controllers: Vec<ControllerSlot>,
    /// Bodies on a plane; a system has these or bodies with one coordinate.
    pub plane_system: PlaneSystem,
}

impl System {
    /// The factors of the velocities of its ends in the sliding velocity of a contact, before the sign of the second: the radius for an
    /// end that turns against one that moves straight.
    pub(crate) fn levers(&self, ends: [Node; 2], contact: &Contact) -> [f64; 2] {
        let radius = contact.radius.unwrap_or(1.0);
        ends.map(|end| if self.nodes[end.0].rotates { radius } else { 1.0 })
    }
    /// Whether the sliding velocity of a contact is an angular one.
    pub(crate) fn contact_turns(&self, ends: [Node; 2], contact: &Contact) -> bool {
        contact.radius.is_none() && ends.iter().any(|end| self.nodes[end.0].rotates)
    }
    /// The contact called `name`.
    pub fn contact_named(&self, name: &str) -> Option<&Contact> {
        self.contacts.iter().find(|joint| joint.name == name).map(|joint| &joint.component)
    }
    /// The mass or inertia of the body called `name`.
    pub fn mass_of(&self, name: &str) -> Option<f64> {
        let place = self.nodes.iter().find(|place| place.name == name)?;
        match place.kind {
            NodeKind::Coordinate { index, scale: 1.0, .. } => self.bodies.get(index).map(|body| body.mass),
            _ => None,
        }
    }
}
