//! Where a parameter may be, told by its unit and the sizes in the data.
use super::Scales;
use crate::fit::Parameter;
use stiction_core::Param;

/// What a parameter is, as far as a search must know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::identify) enum Role {
    Level,
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

impl Role {
    pub fn of(param: &Param) -> Self {
        match param.unit {
            "N" | "N·m" => Self::Level,
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

/// Whether a parameter is sought unless the caller says otherwise. Exponents, seeds and shares are not, nor what only names
/// the speed or load at which others are given; a second state is there if asked for.
pub(in crate::identify) fn by_default(param: &Param) -> bool {
    const RATIOS: &[&str] = &["mu0", "a", "b", "eta", "mu_drive", "mu_back", "alpha2", "alpha3", "alpha4"];
    const GIVEN: &[&str] = &["normal", "torque", "v0", "vd", "band", "dc2"];
    match Role::of(param) {
        Role::Ratio => RATIOS.contains(&param.name),
        _ => !GIVEN.contains(&param.name),
    }
}

/// Start, bounds and kind of a parameter of a law.
pub(super) fn range(key: &str, param: &Param, s: &Scales) -> Parameter {
    let [slow, fast] = s.speed;
    let f = s.force;
    let (start, low, high, log) = match Role::of(param) {
        Role::Level => (0.9 * f, 0.0, 4.0 * f, false),
        Role::Speed => ((slow * fast).sqrt(), slow / 100.0, 10.0 * fast, true),
        Role::Stiffness => (s.stiffness, s.stiffness / 100.0, 1000.0 * s.stiffness, true),
        Role::Damping => (0.1 * f / fast, 0.0, 10.0 * f / fast, false),
        Role::Distance => (s.presliding(), s.presliding() / 1000.0, 100.0 * s.presliding(), true),
        Role::Time => (10.0 * s.step, 0.1 * s.step, 10.0 * s.duration, true),
        Role::PerSpeed => (10.0 / fast, 0.1 / fast, 100.0 / slow, true),
        Role::PerTime => (0.1 * f / s.step, f / s.duration, 10.0 * f / s.step, true),
        Role::PerDistance => (1.0 / s.presliding(), 0.01 / s.presliding(), 1000.0 / s.presliding(), true),
        Role::Ratio => {
            (param.default, -10.0 * param.default.abs().max(0.1), 10.0 * param.default.abs().max(0.1), false)
        }
        Role::Other => (param.default, 1e-4 * param.default, 1e4 * param.default, param.min > 0.0),
    };
    let (low, high) = (low.max(param.min), high.min(param.max));
    // a level must not be held by what the registry allows others
    let (low, high) = if low < high { (low, high) } else { (param.min, param.max) };
    let p = Parameter::new(key, start.clamp(low, high)).within(low, high);
    if log && low > 0.0 { p.log() } else { p.sized(if start > low { (start - low).abs() } else { 0.1 * (high - low) }) }
}
