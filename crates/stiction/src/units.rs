//! The units that a law's numbers are in.
//!
//! ```
//! use stiction::{Spec, units::LawUnits};
//!
//! assert_eq!(LawUnits::of(Spec::new("lugre")?.law()).force, "N");
//! # Ok::<(), stiction::Error>(())
//! ```
use stiction_core::registry::LawEntry;

/// Units of what a law relates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LawUnits {
    /// Of the displacement.
    pub displacement: &'static str,
    /// Of the speed.
    pub speed: &'static str,
    /// Of the force.
    pub force: &'static str,
}

impl LawUnits {
    /// A law is of a rotation if the unit of one of its parameters is.
    pub fn of(law: &LawEntry) -> Self {
        if law.params.iter().any(|p| p.unit.contains("rad")) {
            Self { displacement: "rad", speed: "rad/s", force: "N·m" }
        } else {
            Self { displacement: "m", speed: "m/s", force: "N" }
        }
    }
}
