//! Groups of the list of laws.
use crate::error::CommandError;
use stiction::Spec;
use stiction::core::Input;
use stiction::core::registry::LawEntry;

/// Groups of laws.
#[derive(Clone, Copy, PartialEq)]
pub enum LawGroup {
    /// Without memory; holds a force at rest.
    Stick,
    /// Without memory; does not hold a force at rest.
    Smooth,
    /// With memory.
    Memory,
}

impl LawGroup {
    /// All, with their titles.
    pub const ALL: [(Self, &'static str); 3] = [
        (Self::Stick, "Without memory; at rest any force up to a limit"),
        (Self::Smooth, "Without memory, one force for each speed; no true rest under load"),
        (Self::Memory, "With memory"),
    ];
    /// The group of a law.
    pub fn of(law: &LawEntry) -> Result<Self, CommandError> {
        Ok(if !law.states.is_empty() {
            Self::Memory
        } else if Spec::new(law.name)?.build()?.hold(&[], &Input::at(0.0), 1.0) > 0.0 {
            Self::Stick
        } else {
            Self::Smooth
        })
    }
}
