//! Errors of a system of bodies, springs, contacts and controllers.
use std::fmt::{self, Display, Formatter};
use stiction_io::number::short;

/// An invalid component, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("'{name}': {kind}")]
pub struct SystemError {
    /// The component.
    pub name: String,
    /// What is wrong with it.
    pub kind: SystemErrorKind,
}

impl SystemError {
    /// Advice on how to avoid the error.
    pub fn hint(&self) -> &'static str {
        self.kind.hint()
    }
}

/// What is wrong with a component, or with the system as a whole.
#[derive(Clone, Debug, PartialEq)]
pub enum SystemErrorKind {
    /// A value outside its valid range.
    InvalidValue {
        /// Its name.
        key: &'static str,
        /// The value.
        value: f64,
        /// The condition it must satisfy, as in "must be positive".
        requirement: &'static str,
    },
    /// Another component has this name.
    NameTaken,
    /// The name is empty or contains characters other than letters, digits, `-` and `_`.
    InvalidName,
    /// Both ends are the same node, or neither can move.
    NoRelativeMotion,
    /// One end translates and the other rotates.
    MixedUnits {
        /// The node that translates.
        translating: String,
        /// The node that rotates.
        rotating: String,
    },
    /// A signal that switches changes otherwise than by jumps.
    NotASwitch {
        /// Its name.
        key: &'static str,
    },
    /// A spring is switched whose force does not pull it back to where it has none.
    SwitchedCurve,
    /// A contact is switched whose law depends on the position, and whose states at the start are given.
    SwitchedPosition,
    /// No component that can be switched has this name.
    NothingToSwitch,
    /// A contact with a radius is not between a node that rotates and one that translates.
    NoLever,
    /// A gear with both play and a kinematic error.
    ErrorWithGap,
    /// The places of a planetary gear are not three different ones, of which one at least is a body.
    NotThreePlaces,
    /// A prescribed position jumps, and it is connected by something other than an undamped spring.
    MotionJumps {
        /// The motion.
        motion: String,
    },
    /// The gear closes a loop of gears, or one of its ends is not a body.
    InvalidGear,
    /// An efficiency above one, or not a number.
    EfficiencyAboveOne {
        /// The value.
        value: f64,
    },
    /// A forward efficiency of zero or less: nothing could drive the gear.
    LocksForward {
        /// The value.
        value: f64,
    },
    /// What cannot be attached to a place of a lossy gear.
    OnLossyGear {
        /// The kind of component.
        what: &'static str,
    },
    /// A shaft is the second place of two gears with an efficiency.
    DrivenTwice,
    /// A lossy gear that locks itself, and whose load has so much inertia that it jams: the law then has no solution in motion.
    JammingGear,
    /// The normal load of a contact refers to a spring or controller that does not exist.
    UnknownLoad {
        /// The name.
        name: String,
    },
    /// An actuator follows a controller that does not exist or is not sampled.
    UnknownCommand {
        /// The name.
        name: String,
    },
    /// The number of gains differs from the number of measurements, or is zero.
    GainCount {
        /// Number of measurements.
        measurements: usize,
        /// Number of gains.
        gains: usize,
    },
    /// A displacement is outside the limits of its stop at the start.
    OutsideStop {
        /// The displacement.
        x: f64,
    },
    /// The initial velocities of two geared bodies contradict the gear ratio.
    InconsistentStart {
        /// The velocity that follows from the gear ratio.
        expected: f64,
        /// The velocity that was given.
        given: f64,
    },
    /// The number of initial states differs from that of the law.
    MemoryLength {
        /// Number of states of the law.
        expected: usize,
        /// Number of values given.
        given: usize,
    },
    /// A spring with a length on a plane, whose ends are at the same place at the start.
    NoSpringDirection,
    /// The system has neither a body nor a driven contact.
    NothingMoves,
    /// The system has bodies on a plane, and this component is not on it.
    NotOnPlane,
    /// A component that the network method does not support.
    UnsupportedInNetwork {
        /// The kind of component.
        what: &'static str,
    },
}

impl Display for SystemErrorKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidValue { key, value, requirement } => {
                write!(f, "{key} = {} must be {requirement}", short(*value))
            }
            Self::NameTaken => f.write_str("another component has this name"),
            Self::InvalidName => f.write_str("not a valid name"),
            Self::NoRelativeMotion => f.write_str("both ends are fixed, or the same body"),
            Self::MixedUnits { translating, rotating } => {
                write!(f, "'{translating}' translates but '{rotating}' rotates")
            }
            Self::NotASwitch { key } => write!(f, "{key} must be constant between its jumps"),
            Self::SwitchedCurve => f.write_str(
                "it is switched, and its curve does not pass through zero, or pushes away from it: it would begin with a force",
            ),
            Self::SwitchedPosition => {
                f.write_str("it is switched, and its states at the start are given, with a position that a switch would lose")
            }
            Self::NothingToSwitch => {
                f.write_str("no spring, contact, stop or freewheel has this name")
            }
            Self::NoLever => {
                f.write_str("a radius needs one end that rotates, and one that translates or is the ground")
            }
            Self::ErrorWithGap => f.write_str("a kinematic error cannot be combined with play"),
            Self::MotionJumps { motion } => {
                write!(f, "the motion '{motion}' jumps; only an undamped spring can be connected to it")
            }
            Self::NotThreePlaces => f.write_str("a planetary gear has three places, all different"),
            Self::InvalidGear => f.write_str("these two bodies cannot be coupled by a rigid gear"),
            Self::EfficiencyAboveOne { value } => write!(f, "efficiency = {} must be at most one", short(*value)),
            Self::LocksForward { value } => write!(f, "the forward efficiency {} must be above zero", short(*value)),
            Self::OnLossyGear { what } => write!(f, "{what} cannot be attached to a place of a gear with an efficiency"),
            Self::DrivenTwice => f.write_str("its second place is that of another gear with an efficiency, too"),
            Self::JammingGear => f.write_str(
                "with this efficiency below zero and this inertia behind it the gear jams: there is no acceleration at which its torques balance",
            ),
            Self::UnknownLoad { name } => write!(f, "its load refers to '{name}', which is not a spring or controller"),
            Self::UnknownCommand { name } => write!(f, "it follows '{name}', which is not a sampled controller"),
            Self::GainCount { measurements, gains } => write!(f, "{gains} gains for {measurements} measurements"),
            Self::OutsideStop { x } => write!(f, "its displacement at the start, {}, is outside the stop", short(*x)),
            Self::InconsistentStart { expected, given } => {
                write!(f, "the gear ratio requires an initial velocity of {}, not {}", short(*expected), short(*given))
            }
            Self::MemoryLength { expected, given } => write!(f, "{given} initial states for a law with {expected}"),
            Self::NoSpringDirection => {
                f.write_str("it has a length, and its ends start at the same place: its force has no direction")
            }
            Self::NothingMoves => f.write_str("the system has no body"),
            Self::NotOnPlane => {
                f.write_str("the system has bodies on a plane, with which this component cannot be combined")
            }
            Self::UnsupportedInNetwork { what } => write!(f, "a network cannot have {what}"),
        }
    }
}

impl SystemErrorKind {
    /// Advice on how to avoid the error.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::InvalidValue { requirement: "positive", .. } => {
                "use a number above zero; the direction is given by the sign of forces and signals"
            }
            Self::InvalidValue { key: "enable", .. } | Self::NotASwitch { .. } => {
                "use 1, 0, a step, pulses, or a table with interpolation = \"hold\""
            }
            Self::SwitchedCurve => "give the curve the force 0 at 0, and forces with the sign of the displacement",
            Self::SwitchedPosition => "leave out 'memory': its law then begins at the positions of the bodies",
            Self::NothingToSwitch => "add the component first",
            Self::InvalidValue { .. } => "use a value within the limits; all values are in SI units",
            Self::NameTaken => "rename one of them",
            Self::InvalidName => "use letters, digits, - and _; the name 'ground' is reserved",
            Self::NoRelativeMotion => "connect a body with another body, a motion or the ground",
            Self::MixedUnits { .. } => {
                "connect them by a gear, whose ratio converts rotation into translation, or give a contact the radius of the wheel"
            }
            Self::NoLever => "leave the radius out where both ends turn or both move straight",
            Self::ErrorWithGap => "leave one of the two out, or give them to two gears in series",
            Self::MotionJumps { .. } => "use a ramp for this motion, or connect it by a spring without damping",
            Self::NotThreePlaces => "name the sun, the ring and the carrier; one of them may be the ground",
            Self::InvalidGear => {
                "use two bodies that are not yet coupled by a rigid gear, or give the gear a stiffness"
            }
            Self::EfficiencyAboveOne { .. } => "an efficiency is the part of the power that is passed on: 0.8 for 80 %",
            Self::LocksForward { .. } => {
                "for a gear that locks itself put the place that drives first, with efficiency = { forward = 0.4, backward = -0.2 }"
            }
            Self::OnLossyGear { .. } => "put a spring between: a shaft is not rigid",
            Self::DrivenTwice => "in a row of gears put the place that drives first in each; or put a spring between",
            Self::JammingGear => {
                "give the driving place more inertia than the driven one has as seen there, times the amount of the efficiency; or put a spring between"
            }
            Self::UnknownLoad { .. } => "use the name of a spring or of a controller",
            Self::UnknownCommand { .. } => "add the controller before its actuator",
            Self::GainCount { .. } => "give one gain for each measurement, at least one",
            Self::OutsideStop { .. } => "choose an initial position between lo and hi",
            Self::InconsistentStart { .. } => "give the initial values of only one of the two bodies",
            Self::MemoryLength { .. } => "give one value for each state of the law, or none",
            Self::NoSpringDirection => {
                "start the body beside the other end, leave the length out, or give the spring a direction"
            }
            Self::NothingMoves => "add a body",
            Self::NotOnPlane => "use plane_body, plane_force and plane_spring alone, or two scenarios",
            Self::UnsupportedInNetwork { .. } => "use the event-driven method, which supports all components",
        }
    }
}
