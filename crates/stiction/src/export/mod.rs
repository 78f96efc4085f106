//! Controllers as source code for firmware, generated from the controllers themselves.
//!
//! An [`ExportPlan`] names the parts of a controller. One sample of that controller, evaluated over
//! [`recorder::RecordedNumber`], a number that records every operation, becomes a straight-line [`Program`]:
//! constants are folded, unused operations removed. [`emit_c`] and [`emit_rust`] write the program as source code.
//! Elementary functions are recorded in the same way, down to sums, products and shifts of bits, so that the code needs no
//! library and computes the same bits as the simulation.
//!
//! ```
//! use stiction::export::{ExportPlan, Precision};
//! use stiction::{Spec, scenario::ControllerPart};
//!
//! let mut ahead = ControllerPart::new("feedforward").unwrap();
//! ahead.law = Some(Spec::new("lugre")?);
//! let plan = ExportPlan { parts: vec![ahead], ..ExportPlan::new("axis", 1e-3) };
//! let program = plan.record()?;
//! assert!(program.cost.divide < 5 && program.cost.expanded().total() < 400);
//! # Ok::<(), stiction::Error>(())
//! ```
mod controller;
pub mod controller_choice;
mod controller_request;
pub mod emit_c;
pub mod emit_rust;
pub mod ensemble;
pub mod fmu;
mod language_c;
mod language_rust;
pub mod law;
mod law_conditions;
mod law_recording;
mod law_wrapping;
pub mod live_page;
pub mod motion_film;
pub mod motion_page;
pub mod mujoco_plugin;
mod operation_count;
mod recorded_law;
pub mod recorder;
pub mod robot;
mod set_at_rest;
mod source_text;
mod test_vector;

pub use crate::error::ControllerRequestError;
pub use controller::{ControllerProgram, ExportPlan, StructField};
pub use controller_request::ControllerRequest;
pub use operation_count::OperationCount;
pub use stiction_core::program::{Function, Operation, Precision, Program};
pub use test_vector::TestVector;

/// The language of the generated code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetLanguage {
    /// C99: a header, a source, and a test program.
    C,
    /// A `no_std` crate without dependencies, with a test.
    Rust,
}

/// A generated source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Path within the output folder.
    pub path: String,
    /// Content.
    pub text: String,
}

/// A generated file of any content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    /// Path within the output folder.
    pub path: String,
    /// Content.
    pub bytes: Vec<u8>,
}

impl From<SourceFile> for OutputFile {
    fn from(SourceFile { path, text }: SourceFile) -> Self {
        Self { path, bytes: text.into_bytes() }
    }
}
