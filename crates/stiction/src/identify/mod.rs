//! From measured records to friction laws, with how sure they are.
//!
//! A file becomes a [`Raw`] record by [`Roles`] (which column is what), then one or more [`Motion`]s by a [`Recipe`] (made
//! even, smooth, differentiated). A procedure looks at motions and gives a [`Finding`]: estimates with intervals, a law ready
//! to use, scores, pictures, and remarks in plain words on what the data do not tell.
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
