//! Sweeps: one scenario simulated at many values of its parameters; the result is a table.
//!
//! ```
//! use stiction::scenario::Template;
//! use stiction::sweep::{Design, SweepPlan, SweepRequest};
//!
//! let text = "[run]\nend = 1\n[body.block]\nmass = 1\nv = 1\n[contact.table]\nbetween = [\"block\", \"ground\"]\nlaw = \"coulomb\"\nfc = 1\n";
//! let template = Template::parse(text, "slide.toml".as_ref(), &[""; 0])?;
//! let [vary, measure] = [["table.fc=2:4:3".to_owned()], ["x.final".to_owned()]];
//! let plan = SweepPlan::new(&template, &SweepRequest { vary: &vary, design: Design::Grid, measure: &measure, from: None })?;
//! assert_eq!(plan.count(), 3);
//! // v²/2a: a block of 1 kg at 1 m/s against 4 N stops after 1/8 m
//! let found = plan.measure(&plan.values(2))?;
//! assert!((found[0].unwrap() - 0.125).abs() < 1e-9);
//! # Ok::<(), stiction::Error>(())
//! ```
//! Every point is a function of its number alone: [`SweepPlan::values`], then [`Engine`]. So any part of a sweep can be run
//! anywhere, in any order, by any number of threads, with the same result. [`ChunkStore`] stores finished chunks as
//! complete files, so that a sweep that was killed continues where it was.
mod chunk_store;
mod design;
mod device_runner;
mod distribution;
mod engine;
pub mod file;
mod hash;
mod lane_runner;
mod map_columns;
mod map_plot;
mod measure;
mod merge;
mod metric;
mod nearest_neighbours;
mod plan;
mod point_run;
pub mod result_map;
mod result_row;
mod result_summary;
mod shard;
mod sobol;

pub use crate::error::SweepError;
pub use chunk_store::{ChunkStore, OpenedStore};
pub use design::{Design, SamplingMethod};
pub use distribution::{Distribution, spaced_value};
pub use engine::{Engine, PointOutcome};
pub use measure::{SweepMeasure, SweepMeasures, available_measures};
pub use merge::merge;
pub use plan::{SweepAxis, SweepPlan, SweepRequest};
pub use result_row::{ResultHeader, ResultRow};
pub use result_summary::{MeasureRange, ResultSummary};
pub use shard::Shard;

/// The version of the table's layout; see `docs/sweep.md`.
pub const SCHEMA: &str = "1";
