//! Systems: bodies and what joins them.
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
mod error;
mod first_order_lag;
mod plant;
mod quantised;
mod saturated;
mod servo;
mod signal;
mod signal_integral;

pub use controller::{ContinuousController, ControllerInput, Feedback, SampledController, SampledFeedback};
pub use error::{SystemError, SystemErrorKind};
pub use first_order_lag::FirstOrderLag;
pub use plant::{Dynamics, Plant, PlantAxis};
pub use quantised::QuantisedController;
pub use saturated::SaturatedController;
pub use servo::{Encoder, Servo, ServoConfig};
pub use signal::{Curve, CurveError, Signal, SignalDerivatives};

use crate::{LawError, ParameterGroup, Spec};
use std::collections::HashSet;
use stiction_core::registry::{Entry, Model};

/// A place where components are joined: a body, a coordinate of a plant, a prescribed motion, or the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node(pub usize);

/// What does not move.
pub const GROUND: Node = Node(0);

/// A rigid body with one coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Mass \[kg\], or inertia [kg·m²].
    pub mass: f64,
    /// Position at the beginning [m or rad].
    pub x: f64,
    /// Velocity at the beginning [m/s or rad/s].
    pub v: f64,
    /// Turns instead of moving straight.
    pub rotates: bool,
}
impl Default for Body {
    fn default() -> Self {
        Self { mass: 1.0, x: 0.0, v: 0.0, rotates: false }
    }
}

/// A spring: force `curve(x − rest)` against the displacement `x` of its first end from its second, and a damping.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// Stiffness [N/m], where there is no curve.
    pub stiffness: f64,
    /// Displacement without force \[m\]; a preload is a rest other than the initial place.
    pub rest: f64,
    /// Damping beside it [N·s/m].
    pub damping: f64,
    /// Force over stretch, instead of the stiffness.
    pub curve: Option<Curve>,
    /// Weighs the second end: the displacement is `x₁ − ratio·x₂`. One but for a gear.
    pub ratio: f64,
}
impl Spring {
    /// A linear spring at rest at zero.
    pub fn linear(stiffness: f64) -> Self {
        Self { stiffness, rest: 0.0, damping: 0.0, curve: None, ratio: 1.0 }
    }
    /// A damper: a spring without stiffness.
    pub fn damper(damping: f64) -> Self {
        Self { damping, ..Self::linear(0.0) }
    }
}

/// Where the normal load of a contact comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Load {
    /// A function of time.
    Signal(Signal),
    /// Gain times the force of a spring, by its name: a gear's transmitted torque, a lever.
    Spring {
        /// The spring.
        name: String,
        /// Load per unit of force.
        gain: f64,
    },
    /// The output of a controller, by its name: a clutch or a brake.
    Control(String),
}

/// A friction contact.
pub struct Contact {
    /// The law, ready to compute.
    pub law: Box<dyn Model>,
    /// The law by name, with its values.
    pub spec: Spec,
    /// What is known about the law.
    pub entry: &'static Entry,
    /// Whether the law carries a random force.
    pub noisy: bool,
    /// Normal load, in the unit the law expects: a factor, unless it has a load map.
    pub load: Load,
    /// The law's memory at the beginning; empty: that of a contact that never moved.
    pub memory: Vec<f64>,
}
impl Contact {
    /// A contact under nominal load that has never moved.
    ///
    /// # Errors
    /// As [`Spec::build`].
    pub fn new(spec: &Spec) -> Result<Self, LawError> {
        Ok(Self {
            law: spec.build()?,
            spec: spec.clone(),
            entry: spec.law(),
            noisy: spec.has(ParameterGroup::Noise),
            load: Load::Signal(Signal::Constant(1.0)),
            memory: Vec::new(),
        })
    }
    /// Its law, with all values.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }
    /// The same contact under another load.
    #[must_use]
    pub fn with_load(self, load: Load) -> Self {
        Self { load, ..self }
    }
}

/// A stop: the displacement between its ends stays within `lo` and `hi`. At the end it rebounds with `restitution`
/// times the speed it came with, and rests there once that is too slow to tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Least displacement; minus infinity: none.
    pub lo: f64,
    /// Largest displacement; infinity: none.
    pub hi: f64,
    /// Speed after over speed before an impact, 0 to 1.
    pub restitution: f64,
}

/// What a controller measures.
#[derive(Clone, Debug, PartialEq)]
pub enum Measurement {
    /// Position of a node.
    Position(Node),
    /// Velocity of a node.
    Velocity(Node),
    /// What a sampled controller plugged in before asks for, by its name: an actuator's command.
    Command(String),
}

/// What a controller acts on.
#[derive(Clone, Debug, PartialEq)]
pub enum Actuation {
    /// A force on a node.
    Force(Node),
    /// The load of the contacts that name it; nothing else.
    Load,
    /// Nothing by itself: an actuator that measures the command pushes the node.
    Through(Node),
}

/// The two kinds of controller.
pub enum Controller {
    /// Part of the flow.
    Continuous(Box<dyn ContinuousController>),
    /// Called every `period` seconds, from t = 0 on.
    Sampled {
        /// Sample time \[s\].
        period: f64,
        /// The controller.
        control: Box<dyn SampledController>,
    },
}

/// How a node moves.
pub enum NodeKind {
    /// Not at all.
    Ground,
    /// Along with a coordinate: `offset + scale·x`.
    Coordinate {
        /// Index of the coordinate.
        index: usize,
        /// Transmission ratio of a rigid gear; one without a gear.
        scale: f64,
        /// Position where the coordinate is zero.
        offset: f64,
    },
    /// As prescribed; index of the motion.
    Motion(usize),
}

/// A node with its name.
pub struct NamedNode {
    /// Its name.
    pub name: String,
    /// Whether it turns instead of moving straight.
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

/// A controller with its measurements and its outputs.
pub struct ControllerSlot {
    /// Its name.
    pub name: String,
    /// The controller.
    pub controller: Controller,
    /// What it measures.
    pub measurements: Vec<Measurement>,
    /// What it acts on.
    pub actuation: Actuation,
}

/// A mechanical system with friction.
pub struct System {
    /// Every name in use.
    pub(crate) names: HashSet<String>,
    /// The nodes; the first is the ground.
    pub nodes: Vec<NamedNode>,
    /// One for each coordinate; that of a plant has no mass of its own.
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
    /// Applied forces: name, node, force over time.
    pub forces: Vec<(String, Node, Signal)>,
    /// Controllers.
    pub controllers: Vec<ControllerSlot>,
}

impl System {
    /// The contact of this name.
    pub fn contact_named(&self, name: &str) -> Option<&Contact> {
        self.contacts.iter().find(|joint| joint.name == name).map(|joint| &joint.component)
    }
    /// The mass or inertia of the body of this name.
    pub fn mass_of(&self, name: &str) -> Option<f64> {
        let place = self.nodes.iter().find(|place| place.name == name)?;
        match place.kind {
            NodeKind::Coordinate { index, scale: 1.0, .. } => self.bodies.get(index).map(|body| body.mass),
            _ => None,
        }
    }
}
