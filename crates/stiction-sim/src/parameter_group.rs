//! The groups of a law's parameters: those of the law itself and those of its wrappers.
use stiction_core::registry::LawEntry;
use stiction_core::wrap::{Affine, Noise};
use stiction_core::{Param, Params};

/// A group of parameters: those of the law, or of one of its wrappers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterGroup {
    /// The law; with reverse parameters, the law for `v ≥ 0`.
    Law,
    /// The law for `v < 0`; parameters that are not given have the forward value.
    Reverse,
    /// The map from the measured load to the load factor.
    Load,
    /// The random force.
    Noise,
}

impl ParameterGroup {
    /// The law, then its wrappers.
    pub const ALL: [Self; 4] = [Self::Law, Self::Reverse, Self::Load, Self::Noise];

    /// The prefix of parameter names, before the dot, and the name of the table in a file; empty for the law.
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
    /// The full name of a parameter of this group.
    pub fn key(self, name: &str) -> String {
        match self {
            Self::Law => name.to_owned(),
            _ => format!("{}.{name}", self.prefix()),
        }
    }
    /// The parameters of this group for `law`.
    pub fn params(self, law: &LawEntry) -> &'static [Param] {
        match self {
            Self::Law | Self::Reverse => law.params,
            Self::Load => Affine::<f64>::PARAMS,
            Self::Noise => Noise::<f64>::PARAMS,
        }
    }
}
