//! Friction, by name: parameter sets, parameter files and fast kernels over [`core`].
//!
//! ```
//! use stiction::{Spec, core::Input};
//!
//! let mut spec = Spec::new("lugre")?;
//! spec.set("fc", 1.2)?.set("reverse.fc", 1.0)?;      // 1.2 N forwards, 1.0 N backwards
//! let law = spec.build()?;
//! assert!(law.steady(&Input::at(0.5)) > -law.steady(&Input::at(-0.5)));
//! # Ok::<(), stiction::Error>(())
//! ```
pub mod analysis;
#[cfg(doctest)]
mod book;
pub mod compensate;
pub mod data;
pub mod dense;
pub mod digest;
pub mod dispatch;
pub mod doc;
pub mod error;
pub mod export;
pub mod figures;
pub mod file;
pub mod fit;
pub mod flaw;
mod hint;
pub mod html;
pub mod identified;
pub mod identify;
mod message;
pub mod near;
pub mod number;
pub mod output;
pub mod parallel;
pub mod plot;
pub mod recipe;
pub mod scenario;
pub mod signal;
pub mod sim;
pub mod spec;
pub mod sweep;
pub mod system;
pub mod table;
mod tree;

pub use error::{Error, Place};
pub use file::File;
pub use spec::{Part, Spec};
/// The laws themselves.
pub use stiction_core as core;
