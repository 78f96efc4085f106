//! Laws as code: the functions of a law with its parameters as arguments, for every language.
//!
//! A law, built in or from a file, is evaluated over recorded numbers once. Of the program that results, [`LawCode`] makes the
//! functions that a user calls: the steady force, the force, the rates of the memory, one sample, and one step of a body on the
//! contact. Writers of languages see nothing but these programs.
//!
//! ```
//! use stiction::export::law::{FunctionKind, LawCode};
//! use stiction::Spec;
//!
//! let code = LawCode::new(Spec::new("coulomb")?.law());
//! let steady = code.function(FunctionKind::Steady).unwrap();
//! // velocity, load factor, and the Coulomb level
//! assert_eq!(steady.program.evaluate(&[-0.1, 1.0, 2.5]), [-2.5]);
//! # Ok::<(), stiction::Error>(())
//! ```
mod functions;
mod points;

pub use points::TestPoint;

use stiction_core::Param;
use stiction_core::program::Program;
use stiction_core::registry::LawEntry;

/// A law as programs, ready to be written.
#[derive(Clone, Debug)]
pub struct LawCode {
    /// The law.
    pub law: &'static LawEntry,
    /// Its name as an identifier.
    pub name: String,
    /// What it consists of.
    pub functions: Vec<LawFunction>,
}

/// One of the functions of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// The force after sliding for ever.
    Steady,
    /// The force with a memory.
    Force,
    /// The time derivatives of the memory.
    Rate,
    /// One sample: the memory after it, and the force.
    Step,
    /// One step of a body on the contact.
    Contact,
}

impl FunctionKind {
    /// Its name in code.
    pub fn name(self) -> &'static str {
        match self {
            Self::Steady => "steady",
            Self::Force => "force",
            Self::Rate => "rate",
            Self::Step => "step",
            Self::Contact => "contact",
        }
    }
    /// What it gives, for a comment.
    pub fn doc(self) -> &'static str {
        match self {
            Self::Steady => "The force of steady sliding",
            Self::Force => "The friction force",
            Self::Rate => "The rates of the memory",
            Self::Step => {
                "One sample at constant velocity: the memory after it, and the force; stable for every length of sample"
            }
            Self::Contact => {
                "One implicit step of a body on the contact, m dv/dt = applied - force: its velocity after the step, exactly zero where friction holds it, the force, 1 if it is held or 0, and the memory"
            }
        }
    }
    /// Its arguments before the memory and the parameters.
    pub fn signals(self) -> &'static [Signal] {
        match self {
            Self::Steady | Self::Force | Self::Rate => &[VELOCITY, LOAD],
            Self::Step => &[VELOCITY, LOAD, PERIOD],
            Self::Contact => &[VELOCITY, LOAD, PERIOD, MASS, APPLIED],
        }
    }
    /// Whether the memory is an argument.
    pub fn takes_memory(self) -> bool {
        self != Self::Steady
    }
    /// Its results before the memory.
    pub fn results(self) -> &'static [Signal] {
        match self {
            Self::Steady | Self::Force | Self::Step => &[FORCE],
            Self::Rate => &[],
            Self::Contact => &[VELOCITY, FORCE, STUCK],
        }
    }
    /// Whether the memory, or its rates, are a result.
    pub fn gives_memory(self) -> bool {
        matches!(self, Self::Rate | Self::Step | Self::Contact)
    }
}

/// An argument or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Name.
    pub name: &'static str,
    /// Unit, `-` for none.
    pub unit: &'static str,
    /// What it is.
    pub doc: &'static str,
}
const VELOCITY: Signal = Signal { name: "v", unit: "m/s", doc: "Sliding velocity" };
const LOAD: Signal = Signal { name: "load", unit: "-", doc: "Normal load over its nominal value" };
const PERIOD: Signal = Signal { name: "dt", unit: "s", doc: "Length of the sample" };
const MASS: Signal = Signal { name: "mass", unit: "kg", doc: "Mass of the body" };
const APPLIED: Signal = Signal { name: "applied", unit: "N", doc: "Force applied to the body from outside" };
const FORCE: Signal = Signal { name: "force", unit: "N", doc: "Friction force" };
const STUCK: Signal = Signal { name: "stuck", unit: "-", doc: "1 if friction holds the body at rest, else 0" };

/// A function of a law, as a program.
#[derive(Clone, Debug)]
pub struct LawFunction {
    /// Which one.
    pub kind: FunctionKind,
    /// Inputs: the signals, the memory if the function takes it, the parameters. Outputs: the results, the memory if it gives it.
    pub program: Program,
}

impl LawCode {
    /// The functions of a law. A law without memory has no rates and no sample.
    pub fn new(law: &'static LawEntry) -> Self {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        Self { law, name: law.name.chars().map(plain).collect(), functions: functions::of(law) }
    }
    /// One of them.
    pub fn function(&self, kind: FunctionKind) -> Option<&LawFunction> {
        self.functions.iter().find(|function| function.kind == kind)
    }
    /// The parameters.
    pub fn params(&self) -> &'static [Param] {
        self.law.params
    }
    /// The names of a function's inputs, in the order of its program.
    pub fn inputs(&self, kind: FunctionKind) -> Vec<&'static str> {
        let memory = self.law.states.iter().filter(|_| kind.takes_memory()).map(|state| state.name);
        kind.signals()
            .iter()
            .map(|signal| signal.name)
            .chain(memory)
            .chain(self.params().iter().map(|p| p.name))
            .collect()
    }
    /// The names of a function's outputs, in the order of its program.
    pub fn outputs(&self, kind: FunctionKind) -> Vec<&'static str> {
        let memory = self.law.states.iter().filter(|_| kind.gives_memory()).map(|state| state.name);
        kind.results().iter().map(|signal| signal.name).chain(memory).collect()
    }
    /// Inputs and expected outputs of a function, to test what was written.
    pub fn test_points(&self, kind: FunctionKind) -> Vec<TestPoint> {
        points::of(self, kind)
    }
}
