//! Controllers to take home: code for firmware, made from the controllers themselves.
//!
//! A [`Plan`] says which parts. Run over [`tape::Node`], a number that records what is done to it, one sample of that controller
//! becomes a straight-line [`program::Program`], with what is known beforehand already computed and what nothing depends
//! on left out. [`c`] and [`rust`] write it down. Elementary functions are recorded in the same way, down to sums,
//! products and shifts of bits, so that the code needs no library and gives the bits of the simulation.
//!
//! ```
//! use stiction::export::{Plan, Precision};
//! use stiction::{Spec, scenario::Piece};
//!
//! let mut ahead = Piece::new("feedforward").unwrap();
//! ahead.law = Some(Spec::new("lugre")?);
//! let plan = Plan { pieces: vec![ahead], ..Plan::new("axis", 1e-3) };
//! let step = plan.record()?;
//! assert!(step.cost.divide < 5 && step.cost.expanded().total() < 400);
//! # Ok::<(), stiction::Error>(())
//! ```
pub mod c;
pub mod choice;
mod controller;
mod cost;
mod fold;
mod op;
pub mod program;
pub mod rust;
pub mod tape;
mod text;
mod vector;

pub use controller::{Field, Plan, Step};
pub use cost::Cost;
pub use op::{Function, Op, Precision};
pub use vector::Vector;

/// In which language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// C99: a header, a source, and a test program.
    C,
    /// A crate without std and dependencies, with a test.
    Rust,
}

/// A file of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its path within the folder.
    pub path: String,
    /// What is in it.
    pub text: String,
}
