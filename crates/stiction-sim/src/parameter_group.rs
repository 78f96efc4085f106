//! The groups of a law's parameters: those of the law itself and those of its wrappers.
use stiction_core::registry::Entry;
use stiction_core::wrap::{Affine, Noise};
use stiction_core::{Param, Params};

/// Whose parameter a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterGroup {
    /// The law; with a reverse part, the law for `v ≥ 0`.
    Law,
    /// The law for `v < 0`, which shares every value that is not given.
    Reverse,
    /// From measured load to load factor.
    Load,
    /// Random force.
    Noise,
}

impl ParameterGroup {
    /// The law, then what wraps it.
    pub const ALL: [Self; 4] = [Self::Law, Self::Reverse, Self::Load, Self::Noise];

    /// What stands before the dot of a parameter's name, and the name of the table in a file; empty for the law.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Law => "",
            Self::Reverse => "reverse",
            Self::Load => "load",
            Self::Noise => "noise",
        }
    }
    /// The wrapper with this prefix.
    pub fn wrapper(prefix: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| *part != Self::Law && part.prefix() == prefix)
    }
    /// The full name of a parameter of this part.
    pub fn key(self, name: &str) -> String {
        match self {
            Self::Law => name.to_owned(),
            _ => format!("{}.{name}", self.prefix()),
        }
    }
    /// The parameters of this part around `law`.
    pub fn params(self, law: &Entry) -> &'static [Param] {
        match self {
            Self::Law | Self::Reverse => law.params,
            Self::Load => Affine::<f64>::PARAMS,
            Self::Noise => Noise::<f64>::PARAMS,
        }
    }
}

/// The names of all laws.
pub fn law_names() -> impl Iterator<Item = &'static str> {
    stiction_core::models::ALL.iter().map(|law| law.name)
}
