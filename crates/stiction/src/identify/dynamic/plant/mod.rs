//! Parameters of a scenario found from records of what it does: through a simulated plant, in open or closed loop.
//!
//! The scenario says in its section `[identify]` what is sought, which of its numbers follow from that, which of its signals
//! come from the record, and which columns should agree. Every record is simulated as a whole, from its first row on, and
//! what is left between simulation and record is made small by least squares.
//!
//! Simulations are event-driven: a body sticks, slips and turns at instants of its own, which move with the parameters.
//! Derivatives are therefore differences of whole simulations, with a step that the tolerance of the solver sets; they
//! are right as long as no event appears or vanishes in between. A fit to force, [`super::force`], has exact ones.
mod bound_record;
mod fit;
mod log;
mod summary;

pub use fit::{PlantFit, PlantOptions, fit, validate};
pub use log::PlantLog;
