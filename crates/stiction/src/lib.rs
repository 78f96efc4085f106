//! A toolbox for friction: laws, simulation, analysis, identification and compensation. This crate is the whole library; it
//! re-exports the crates below it, so that a program depends on `stiction` alone.
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
//!
//! | job | modules |
//! |---|---|
//! | laws, their parameters and files | [`core`], [`spec`], [`recipe`], [`parameter_file`], [`identification_record`], [`device`], [`units`], [`law_documentation`] |
//! | simulate systems with friction | [`system`], [`sim`], [`scenario`] |
//! | analyse loops, cycles, equilibria and energy; the experiments of papers | [`analysis`], [`figures`] |
//! | run sweeps and ensembles | [`sweep`], [`accelerator`], [`sim::batch`], [`parallel`], [`dispatch`] |
//! | identify laws from measured data | [`data`], [`signal`], [`fit`], [`linalg`], [`statistics`], [`identify`] |
//! | compensate friction, and export controllers | [`compensate`], [`export`] |
//! | plots, pages, tables, files | [`plot`], [`html_page`], [`table`], [`output`], [`digest`], [`number`] |
//! | errors and similar names | [`error`](mod@error), [`similar_names`] |
//!
//! The simulation of a system; `examples/` has more.
//!
//! ```
//! use stiction::scenario::Scenario;
//! use stiction::sim::Trace;
//!
//! // stick-slip of a block that is pulled through a spring
//! let scenario = Scenario::named("a7", &[""; 0])?;
//! let mut trace = Trace::default();
//! let summary = scenario.simulation()?.run(&scenario.options, &mut trace)?;
//! assert!(trace.events.iter().any(|event| event.kind.is("reverse-")));
//! assert!(summary.energy.error().abs() < 1e-3 * summary.energy.work);
//! # Ok::<(), stiction::Error>(())
//! ```
#![warn(missing_docs)]
pub mod accelerator;
pub mod analysis;
#[cfg(doctest)]
mod book;
pub mod compensate;
pub mod device;
pub mod device_record;
pub mod error;
pub mod export;
pub mod figures;
pub mod html_page;
pub mod identification_record;
pub mod identify;
pub mod law_documentation;
pub mod law_file;
pub mod parameter_file;
pub mod scenario;
pub mod sweep;
mod toml_text;
mod toml_tree;
pub mod units;

pub use device_record::DeviceRecord;
pub use error::Error;
pub use law_file::LawFile;
pub use parameter_file::ParameterFile;
/// The laws themselves.
#[doc(inline)]
pub use stiction_core as core;
#[doc(inline)]
pub use stiction_data::{DataError, log as data, table};
#[doc(inline)]
pub use stiction_io::{
    FileError, Position, digest, excerpt, is_file_name, is_hidden, number, output, printable, printable_lines,
    similar_names, unit_prefix,
};
pub(crate) use stiction_numerics::check;
#[doc(inline)]
pub use stiction_numerics::{NumericsError, fit, linalg, parallel, signal, statistics};
/// Figures as SVG, PNG and terminal text.
#[doc(inline)]
pub use stiction_plot as plot;
#[doc(inline)]
pub use stiction_sim::{
    LawError, ParameterGroup, SimError, Spec, SystemError, dispatch, laws, recipe, sim, spec, system,
};

/// An optional feature of a build: its name, what it is for, and whether this build has it.
pub type BuildFeature = (&'static str, &'static str, bool);

/// The optional features of the library.
pub const FEATURES: [BuildFeature; 6] = [
    ("png", "pictures as PNG", cfg!(feature = "png")),
    ("parquet", "tables as Parquet", cfg!(feature = "parquet")),
    ("mat", "MATLAB files up to 7.2", cfg!(feature = "mat")),
    ("hdf5", "MATLAB files of 7.3", cfg!(feature = "hdf5")),
    ("cuda", "sweeps on a GPU", cfg!(feature = "cuda")),
    ("mcap", "logs of robots as MCAP", cfg!(feature = "mcap")),
];
