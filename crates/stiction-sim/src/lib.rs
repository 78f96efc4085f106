//! Friction in systems: [laws by name](spec), [systems](system) of bodies, springs, contacts and controllers, and the
//! [simulator](sim) that runs them.
pub mod dispatch;
pub mod force_at_rest;
mod law_error;
pub mod laws;
#[cfg(test)]
#[path = "../../../tests/common/noise.rs"]
mod noise;
mod parameter_group;
pub mod recipe;
pub mod sim;
#[cfg(test)]
#[path = "../../../tests/common/skip.rs"]
mod skip;
pub mod spec;
pub mod system;

pub use law_error::LawError;
pub use parameter_group::ParameterGroup;
pub use sim::SimError;
pub use spec::Spec;
pub use system::SystemError;
