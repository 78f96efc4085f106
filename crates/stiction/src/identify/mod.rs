//! From measured records to friction laws, with how sure they are.
//!
//! A [`Motion`] is a record that is ready: even samples of velocity, force and whatever else is known. A procedure looks
//! at motions and gives a [`Finding`]: estimates with intervals, a law ready to use, scores, pictures, and remarks in plain
//! words on what the data do not tell.
pub mod breakaway;
mod finding;
mod motion;
pub mod presliding;
mod scale;
mod sensor;

pub use finding::{Estimate, Finding, Known, Remark, Residual, Score, Tabular, Tone};
pub use motion::Motion;
