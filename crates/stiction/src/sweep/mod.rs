//! Sweeps: one scenario run at many values of its parameters, with what was found as a table.
//!
//! ```
//! use stiction::scenario::Template;
//! use stiction::sweep::{Design, Plan, Request};
//!
//! let text = "[run]\nend = 1\n[body.block]\nmass = 1\nv = 1\n[contact.table]\nbetween = [\"block\", \"ground\"]\nlaw = \"coulomb\"\nfc = 1\n";
//! let template = Template::parse(text, "slide.toml".as_ref(), &[""; 0])?;
//! let [vary, measure] = [["table.fc=2:4:3".to_owned()], ["x.final".to_owned()]];
//! let plan = Plan::new(&template, &Request { vary: &vary, design: Design::Grid, measure: &measure, from: None })?;
//! assert_eq!(plan.count(), 3);
//! // v²/2a: a block of 1 kg at 1 m/s against 4 N stops after 1/8 m
//! let found = plan.measure(&plan.values(2))?;
//! assert!((found[0].unwrap() - 0.125).abs() < 1e-9);
//! # Ok::<(), stiction::Error>(())
//! ```
//! Every point is a function of its number alone: [`Plan::values`], then [`Engine`]. So any part of a sweep can be run
//! anywhere, in any order, by any number of threads, with the same result. [`Store`] keeps what is done in whole files, so
//! that a sweep killed at any moment goes on where it was.
mod atom;
mod columns;
mod design;
mod engine;
mod fast;
pub mod file;
mod hash;
mod look;
pub mod map;
mod measure;
mod merge;
mod plan;
mod row;
mod scatter;
mod shard;
mod sobol;
mod spread;
mod store;
mod tally;

pub use crate::error::SweepError;
pub use design::{Design, Kind};
pub use engine::{Engine, Outcome};
pub use measure::{Measure, Measures, measurable};
pub use merge::merge;
pub use plan::{Axis, Plan, Request};
pub use row::{Heads, Row};
pub use shard::Shard;
pub use spread::{Spread, between};
pub use store::{Opened, Store};
pub use tally::{Seen, Tally};

/// The version of the table's layout; see `docs/sweep.md`.
pub const SCHEMA: &str = "1";
