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
        Self::new(law.params.iter().any(|p| p.unit.contains("rad")))
    }
    /// Those of a rotation or of a translation.
    pub fn new(turns: bool) -> Self {
        if turns {
            Self { displacement: "rad", speed: "rad/s", force: "N·m" }
        } else {
            Self { displacement: "m", speed: "m/s", force: "N" }
        }
    }
}

/// Units of a translation, and the corresponding units of a rotation.
const UNITS: [(&str, &str); 15] = [
    ("N·s/m", "N·m·s/rad"),
    ("N·s²/m²", "N·m·s²/rad²"),
    ("N/m", "N·m/rad"),
    ("N/s", "N·m/s"),
    ("N", "N·m"),
    ("m/s", "rad/s"),
    ("m/s²", "rad/s²"),
    ("m", "rad"),
    ("mm", "mrad"),
    ("µm", "µrad"),
    ("kg", "kg·m²"),
    ("N²/Hz", "(N·m)²/Hz"),
    ("s/m", "s/rad"),
    ("N·(s/m)^γ", "N·m·(s/rad)^γ"),
    ("N^(1-ν)/m", "(N·m)^(1-ν)/rad"),
];

/// The unit of a rotation that corresponds to one of a translation: `N·m` for `N`. Any other text stays as it is.
///
/// ```
/// assert_eq!(stiction::units::of_rotation("N·s/m"), "N·m·s/rad");
/// ```
pub fn of_rotation(unit: &str) -> &str {
    UNITS.iter().find(|(translation, _)| *translation == unit).map_or(unit, |(_, rotation)| rotation)
}
