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
//! let code = LawCode::new(Spec::new("coulomb")?.law())?;
//! let steady = code.function(FunctionKind::Steady).unwrap();
//! // velocity, load factor, and the Coulomb level
//! assert_eq!(steady.program.evaluate(&[-0.1, 1.0, 2.5]), [-2.5]);
//! # Ok::<(), stiction::Error>(())
//! ```
mod c;
mod functions;
mod jax;
pub mod latex;
pub mod matlab;
pub mod modelica;
mod numpy;
mod points;
mod python;
mod pytorch;
mod rust;
mod target;
pub mod wasm;

pub use crate::error::LawCodeError;
pub use points::TestPoint;
pub use target::LawTarget;

use super::law_conditions::Conditions;
use super::law_wrapping::Wrapping;
use super::set_at_rest;
use crate::Spec;
use crate::number::short;
use crate::units::of_rotation;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use stiction_core::Param;
use stiction_core::program::Program;
use stiction_core::registry::{DynLaw, LawEntry};

/// A law as programs, ready to be written.
#[derive(Clone, Debug)]
pub struct LawCode {
    /// The law.
    pub law: &'static LawEntry,
    /// Its name as an identifier.
    pub name: String,
    /// Its parameters, with the values that the code has as defaults.
    pub params: Vec<Param>,
    /// What it consists of.
    pub functions: Vec<LawFunction>,
    wrapping: Wrapping,
    turns: bool,
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
                "The friction force after one sample at constant velocity, for a sample of any length; the memory advances by it"
            }
            Self::Contact => {
                "One implicit step of a body on the contact, m dv/dt = applied - force: its velocity after the step, the force, and whether a set of forces at rest holds it; then the velocity is exactly zero"
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
    /// Whether the memory changes.
    pub fn updates_memory(self) -> bool {
        matches!(self, Self::Step | Self::Contact)
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
    ///
    /// # Errors
    /// [`LawCodeError::TooLong`] if a function has more than 100 000 operations.
    pub fn new(law: &'static LawEntry) -> Result<Self, LawCodeError> {
        Self::wrapped(law, Wrapping::default())
    }
    /// The functions of a law with its values as defaults, and with its parameters for reverse motion and for the load: `reverse_fc` beside
    /// `fc`, and `load_base` and `load_slope`, with which the load is in its own unit.
    ///
    /// # Errors
    /// As [`LawCode::new`], and [`LawCodeError::Noise`].
    pub fn of(spec: &Spec) -> Result<Self, LawCodeError> {
        let mut code = Self::wrapped(spec.law(), Wrapping::of(spec)?)?;
        let values: Vec<f64> = code.keys().iter().map(|key| spec.get(key).unwrap_or(f64::NAN)).collect();
        code = code.with_defaults(&values);
        Ok(code)
    }
    fn wrapped(law: &'static LawEntry, wrapping: Wrapping) -> Result<Self, LawCodeError> {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        let mut name: String = law.name.chars().map(plain).collect();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            name.insert_str(0, "law_");
        }
        if RESERVED_NAMES.split_whitespace().any(|word| word == name) {
            name += "_law";
        }
        let mut params = law.params.to_vec();
        for (key, param) in wrapping.params(law) {
            let mut name = key.replace('.', "_");
            while params.iter().any(|p| p.name == name) || law.states.iter().any(|state| state.name == name) {
                name.push('_');
            }
            params.push(Param { name: interned(name), ..param });
        }
        let functions = functions::of(law, &wrapping)?;
        let turns = params.iter().any(|p| p.unit.contains("rad"));
        Ok(Self { law, name, params, functions, wrapping, turns })
    }
    /// The names of the parameters as the program's options and files have them: `fc`, `reverse.fc`, `load.slope`.
    pub fn keys(&self) -> Vec<String> {
        self.wrapping.all_params(self.law).into_iter().map(|(key, _)| key).collect()
    }
    /// The conditions between its parameters.
    pub(in crate::export) fn conditions(&self) -> Conditions {
        Conditions::in_each_direction(self.law, 0, &self.wrapping.reverse, self.params.len(), &[])
    }
    /// Whether the law has parameters for reverse motion or for the load.
    pub fn is_wrapped(&self) -> bool {
        !self.wrapping.is_empty()
    }
    /// Whether the load is given in its own unit, with a base and a slope of the load factor.
    pub fn maps_load(&self) -> bool {
        self.wrapping.load
    }
    /// Builds the law with the values of all parameters; none if it cannot have them.
    pub fn build(&self, values: &[f64]) -> Option<Box<dyn DynLaw>> {
        self.wrapping.build(self.law, values)
    }
    /// The same with these values of the parameters as defaults.
    #[must_use]
    pub fn with_defaults(mut self, values: &[f64]) -> Self {
        self.params.iter_mut().zip(values).for_each(|(p, x)| p.default = *x);
        self
    }
    /// One of them.
    pub fn function(&self, kind: FunctionKind) -> Option<&LawFunction> {
        self.functions.iter().find(|function| function.kind == kind)
    }
    /// The half-width of the set of forces at rest, a program of load factor, direction of impending motion, memory and parameters; none
    /// for a law whose force at rest is a single number.
    pub fn hold(&self) -> Option<Program> {
        let values: Vec<f64> = self.params.iter().map(|p| p.default).collect();
        let is_reached = |law: Box<dyn DynLaw>| set_at_rest::is_reached(&*law, self.wrapping.nominal_load(&values));
        let single = self.is_wrapped() && !self.build(&values).is_some_and(is_reached);
        functions::hold(self.law, &self.wrapping).filter(|_| !single)
    }
    /// The speed below which a body counts as at rest, a program of the same inputs as [`LawCode::hold`]; none for a law without such a band.
    pub fn band(&self) -> Option<Program> {
        functions::band(self.law, &self.wrapping)
    }
    /// Whether the law has memory.
    pub fn has_memory(&self) -> bool {
        !self.law.states.is_empty()
    }
    /// Whether displacements are angles.
    pub fn turns(&self) -> bool {
        self.turns
    }
    /// The same for a contact that turns: displacements are angles and forces torques, in the units of the parameters, too.
    #[must_use]
    pub fn in_rotational_units(mut self) -> Self {
        self.turns = true;
        self.params.iter_mut().for_each(|p| p.unit = of_rotation(p.unit));
        self
    }
    /// The unit of an argument or a result of this law.
    pub fn unit_of(&self, signal: &Signal) -> &'static str {
        match (signal.unit, self.turns()) {
            ("m/s", true) => "rad/s",
            ("N", true) => "N·m",
            ("kg", true) => "kg·m²",
            (unit, _) => unit,
        }
    }
    /// What an argument or a result of this law is.
    pub fn doc_of(&self, signal: &Signal) -> &'static str {
        if *signal == LOAD && self.maps_load() {
            return "Normal load in its own unit: the load factor is load_base + load_slope load";
        }
        signal.doc
    }
    /// Whether the load factor has a sign; else one below zero counts as zero.
    pub fn signed_load(&self) -> bool {
        self.law.signed_load()
    }
    /// What the files are, as lines of a comment.
    pub fn description(&self) -> Vec<String> {
        let mut out = self.origin();
        for p in &self.params {
            let unit = if p.unit == "-" { String::new() } else { format!(" {}", p.unit) };
            let [default, min, max] = [p.default, p.min, p.max].map(short);
            let doc = one_line(p.doc.trim());
            let doc = doc.trim_end_matches('.');
            let colon = if doc.is_empty() { "" } else { ": " };
            out.push(format!("  {} = {default}{unit}, {min} to {max}{colon}{doc}", p.name));
        }
        if !self.law.relations.is_empty() {
            let all: Vec<String> = self.law.relations.iter().map(|relation| one_line(relation.text)).collect();
            out.push(format!("The law holds for {}.", all.join(", ")));
        }
        out
    }
    /// The description without the parameters.
    pub fn origin(&self) -> Vec<String> {
        let law = self.law;
        let mut out = vec![format!("The friction law {}.", law.name), String::new()];
        // the equations are indented instead of marked as a block
        let mut inside = false;
        for line in law.doc.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if line.starts_with("```") {
                inside = !inside;
            } else {
                out.push(format!("{}{}", if inside { "  " } else { "" }, one_line(line)));
            }
        }
        if !law.cite.is_empty() {
            out.push(format!("Published in: {}.", one_line(&law.cite.join(", "))));
        }
        out.push(String::new());
        out.push(format!("Made by stiction {}. Do not edit: generate it again.", env!("CARGO_PKG_VERSION")));
        let units = if self.turns() { "rad for m and N·m for N" } else { "SI units" };
        let sign = if self.signed_load() { "it has a sign" } else { "below zero it counts as zero" };
        let load = if self.maps_load() {
            "The load is in its own unit; load_base + load_slope load is a factor"
        } else {
            "The load is a factor"
        };
        for function in &self.functions {
            let (kind, tried) = (function.kind, self.test_points(function.kind).len());
            if tried < points::COUNT {
                out.push(format!(
                    "The test of {} has {tried} of {} points: at the others the law gives no number.",
                    kind.name(),
                    points::COUNT
                ));
            }
        }
        out.push(format!("Units: {units}. {load} of that at which the parameters hold; {sign}."));
        if !self.wrapping.reverse.is_empty() {
            out.push(
                "Where v < 0, a parameter whose name begins with reverse_ takes the place of the other.".to_owned(),
            );
        }
        out
    }
    /// The parameters.
    pub fn params(&self) -> &[Param] {
        &self.params
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

/// A name that lives as long as the program, one for all laws that use it.
fn interned(name: String) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name.as_str()) {
        return known;
    }
    let name: &'static str = Box::leak(name.into_boxed_str());
    names.insert(name);
    name
}

/// Text of a law file for a comment of one line: nothing in it ends the line.
fn one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'), " ")
}

/// Names that a law cannot have in one of the languages.
const RESERVED_NAMES: &str = "auto break case char class const continue crate def default do double else elif end enum extern false float fn \
    for from function global goto if impl import in int lambda let long loop match mod move mut none not or package pass ptr pub \
    ref return self short signed sizeof static struct super switch test trait true try type typedef union unsafe unsigned use \
    void volatile where while with yield core std alloc numpy jax torch math";

/// A name as an identifier, told apart from these words.
fn identifier(name: &str, reserved: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut out: String = name.chars().map(plain).collect();
    if out.starts_with(|c: char| c.is_ascii_digit()) || out.is_empty() || out == "_" {
        out.insert(0, '_');
    }
    if reserved.split_whitespace().any(|word| word == out) {
        out.push('_');
    }
    out
}
