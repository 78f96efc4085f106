//! What can be wrong with a system.
use std::fmt::{self, Display, Formatter};
use stiction_io::number::short;

/// A component that cannot be part of the system, and why.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("'{name}': {kind}")]
pub struct SystemError {
    /// The component.
    pub name: String,
    /// What is wrong with it.
    pub kind: SystemErrorKind,
}

impl SystemError {
    /// What the user may do about it.
    pub fn hint(&self) -> &'static str {
        self.kind.hint()
    }
}

/// What is wrong with a component, or with the system as a whole.
#[derive(Clone, Debug, PartialEq)]
pub enum SystemErrorKind {
    /// A value that must be positive, not negative, or finite.
    Value {
        /// Its name.
        key: &'static str,
        /// The value.
        value: f64,
        /// What it must be.
        must: &'static str,
    },
    /// Another component has this name.
    Taken,
    /// A name that is empty or has other characters than letters, digits, `-` and `_`.
    Name,
    /// Both ends are the same, or neither can move.
    Disconnected,
    /// One end moves straight and the other turns.
    Units {
        /// The end that moves straight.
        straight: String,
        /// The end that turns.
        turning: String,
    },
    /// A prescribed position jumps, and something other than a spring without damping holds on to it.
    Jump {
        /// The motion.
        motion: String,
    },
    /// A gear that closes a loop, or joins what cannot be geared rigidly.
    Gear,
    /// The load of a contact comes from a spring or controller that is not there.
    Load {
        /// The name.
        name: String,
    },
    /// An actuator follows a controller that is not there, or is not sampled.
    Command {
        /// The name.
        name: String,
    },
    /// As many gains as measurements, at least one.
    Gains {
        /// Measurements.
        measures: usize,
        /// Gains.
        gains: usize,
    },
    /// A body lies outside its stop at the beginning.
    Outside {
        /// Its displacement.
        x: f64,
    },
    /// Geared bodies begin with positions or velocities that do not agree.
    Start {
        /// What the gear demands.
        expected: f64,
        /// What was given.
        given: f64,
    },
    /// As many memory values as the law has states.
    Memory {
        /// States of the law.
        expected: usize,
        /// Values given.
        given: usize,
    },
    /// Nothing can move.
    Empty,
    /// A component that the step for networks cannot handle.
    Network {
        /// What it is.
        what: &'static str,
    },
}

impl Display for SystemErrorKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { key, value, must } => write!(f, "{key} = {} must be {must}", short(*value)),
            Self::Taken => f.write_str("another component has this name"),
            Self::Name => f.write_str("this is not a name"),
            Self::Disconnected => f.write_str("it joins nothing that can move against each other"),
            Self::Units { straight, turning } => write!(f, "'{straight}' moves straight but '{turning}' turns"),
            Self::Jump { motion } => write!(f, "the motion '{motion}' jumps, which only a spring can follow"),
            Self::Gear => f.write_str("these two cannot be geared rigidly"),
            Self::Load { name } => write!(f, "no spring or controller '{name}' makes its load"),
            Self::Command { name } => write!(f, "no sampled controller '{name}' gives it a command"),
            Self::Gains { measures, gains } => write!(f, "{gains} gains for {measures} measurements"),
            Self::Outside { x } => write!(f, "it begins at {}, outside the stop", short(*x)),
            Self::Start { expected, given } => {
                write!(f, "the gear demands that it begins with {}, not {}", short(*expected), short(*given))
            }
            Self::Memory { expected, given } => write!(f, "{given} memory values for a law with {expected} states"),
            Self::Empty => f.write_str("nothing in it can move"),
            Self::Network { what } => write!(f, "a network cannot have {what}"),
        }
    }
}

impl SystemErrorKind {
    /// What the user may do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Value { must: "positive", .. } => "choose a number above zero; signs belong to forces and directions",
            Self::Value { .. } => "choose a value that fits; SI units throughout",
            Self::Taken => "every component has a name of its own: rename one",
            Self::Name => "use letters, digits, - and _; 'ground' is taken",
            Self::Disconnected => "join a body to another one, to a motion or to ground",
            Self::Units { .. } => "join them by a gear, whose ratio turns one into the other",
            Self::Jump { .. } => "use a ramp for this motion, or hold on to it by a spring without damping",
            Self::Gear => "join two bodies that no other rigid gear joins already, or give the gear a stiffness",
            Self::Load { .. } => "name a spring or a controller",
            Self::Command { .. } => "plug in the controller first, then its actuator",
            Self::Gains { .. } => "give one gain for each measurement, at least one",
            Self::Outside { .. } => "begin between lo and hi",
            Self::Start { .. } => "give the initial values of one of the two only",
            Self::Memory { .. } => "give one value for each state, or none",
            Self::Empty => "add a body",
            Self::Network { .. } => "use the event-driven simulation, which has them all",
        }
    }
}
