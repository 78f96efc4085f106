//! The kind of a parameter, by its unit.
use stiction_core::Param;
use stiction_core::registry::LawEntry;

/// The kind of a parameter, as far as its search range depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::identify) enum ParameterKind {
    Force,
    Speed,
    Stiffness,
    Damping,
    Distance,
    Time,
    PerSpeed,
    PerTime,
    PerDistance,
    Ratio,
    Other,
}

impl ParameterKind {
    pub fn of(param: &Param) -> Self {
        match param.unit {
            "N" | "N·m" => Self::Force,
            "m/s" | "rad/s" => Self::Speed,
            "N/m" | "N·m/rad" => Self::Stiffness,
            "N·s/m" | "N·(s/m)^γ" | "N·m·s/rad" => Self::Damping,
            "m" | "rad" => Self::Distance,
            "s" => Self::Time,
            "s/m" | "s/rad" => Self::PerSpeed,
            "N/s" => Self::PerTime,
            "N^(1-ν)/m" => Self::PerDistance,
            "-" => Self::Ratio,
            _ => Self::Other,
        }
    }
}

/// Whether a parameter is free unless the caller says otherwise. A law from a file says itself which are not. Of the built-in laws
/// exponents, seeds and shares are not, nor reference speeds and loads of other parameters; a second state must be requested.
pub(in crate::identify) fn is_free_by_default(law: &LawEntry, param: &Param) -> bool {
    if let Some(held) = law.held {
        return !held.contains(&param.name);
    }
    const RATIOS: &[&str] = &["mu0", "a", "b", "eta", "mu_drive", "mu_back", "alpha2", "alpha3", "alpha4", "delta"];
    const KNOWN_IN_ADVANCE: &[&str] = &["normal", "torque", "v0", "vd", "band", "dc2"];
    match ParameterKind::of(param) {
        ParameterKind::Ratio => RATIOS.contains(&param.name),
        _ => !KNOWN_IN_ADVANCE.contains(&param.name),
    }
}
