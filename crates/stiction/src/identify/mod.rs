//! From measured records to friction laws, with how sure they are.
//!
//! A file becomes a [`Raw`] record by [`Roles`] (which column is what), then one or more [`Motion`]s by a [`Recipe`] (made
//! even, smooth, differentiated). A procedure looks at motions and gives a [`Finding`]: estimates with intervals, a law ready
//! to use, scores, pictures, and remarks in plain words on what the data do not tell.
//!
//! ```
//! use stiction::data::{ReadOptions, DataFile};
//! use stiction::identify::sliding::{self, Options};
//! use stiction::identify::{Recipe, Roles, prepare};
//!
//! // a log: 2 kg moved to and fro against 3 N and 5 N·s/m
//! let mut log = String::from("t [s],x [m],force [N]\n");
//! for k in 0..2000 {
//!     let t = f64::from(k) * 5e-3;
//!     let (x, v, a) = (-0.1 * t.cos(), 0.1 * t.sin(), 0.1 * t.cos());
//!     log += &format!("{t},{x},{}\n", 2.0 * a + 3.0 * v.signum() + 5.0 * v);
//! }
//! let table = DataFile::from_bytes("log.csv", log.as_bytes(), &ReadOptions::default())?;
//! let raw = Roles::default().read(&table)?;                            // columns by their names
//! let (motions, _) = prepare(&raw, &Recipe::default())?;
//! let found = sliding::find(&motions, &Options::default())?;
//! let mass = found.estimates.iter().find(|e| e.name == "mass").unwrap();
//! assert!(mass.interval[0] < 2.01 && mass.interval[1] > 1.99);
//! # Ok::<(), stiction::Error>(())
//! ```
mod auto;
pub mod breakaway;
mod clock;
mod compare;
pub mod dynamic;
pub mod excite;
mod finding;
mod means;
mod motion;
mod pieces;
mod prepare;
pub mod presliding;
pub mod rate_state;
pub mod report;
mod roles;
mod scale;
mod sensor;
pub mod sliding;
mod turning;

pub use auto::{Auto, auto, bent};
pub use compare::{over_time, pictures};
pub use finding::{Estimate, Finding, Known, Remark, Residual, Score, Tabular, Tone};
pub use motion::Motion;
pub use prepare::{Prepared, Recipe, Smooth, prepare};
pub use roles::{Raw, Role, Roles};
