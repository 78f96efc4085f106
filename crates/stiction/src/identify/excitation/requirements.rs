//! Requirements of parameters that no motion within the limits determines.
use super::AxisLimits;
use super::sensitivity::UnknownParameter;
use crate::identify::parameter::ParameterKind;
use crate::number::{round, short};

/// Conditions of the design.
pub(super) struct DesignConditions {
    pub limits: AxisLimits,
    pub duration: f64,
    pub rate: f64,
    /// Largest friction \[N\].
    pub friction: f64,
    /// Stribeck speed of the law, if it has one.
    pub stribeck: Option<f64>,
    /// Smallest friction in sliding \[N\].
    pub slides: f64,
    /// Parameters that the force of no motion depends on.
    pub insensitive: Vec<bool>,
}

/// The requirement of parameter `j` with this standard error.
pub(super) fn requirement(j: usize, unknown: &UnknownParameter, error: f64, reach: &DesignConditions) -> String {
    if reach.insensitive[j] {
        return "the force along a given motion does not depend on it. Pull with a force that rises until the body breaks \
            away, or fix it"
            .to_owned();
    }
    if error.is_infinite() {
        return "its effect on the force cannot be distinguished from that of other parameters: fix one of them"
            .to_owned();
    }
    let show = |x: f64| short(round(x, 2));
    let AxisLimits { stroke, speed, .. } = reach.limits;
    let least = reach.limits.least();
    // slowest speed: the smallest stroke in the longest duration of a segment
    let slow = 8.0 * least / reach.duration;
    let speeds = |v: f64| {
        if speed < 3.0 * v {
            Some(format!("it needs speeds above {} m/s, and the limit is {} m/s", show(3.0 * v), show(speed)))
        } else if slow > v / 3.0 {
            Some(format!(
                "it needs speeds below {} m/s, and the slowest that fits the duration is {} m/s",
                show(v / 3.0),
                show(slow)
            ))
        } else {
            None
        }
    };
    let ways = |way: f64| {
        if stroke < 3.0 * way {
            Some(format!("it needs strokes above {} m, and the limit is {} m", show(3.0 * way), show(stroke)))
        } else if least > way / 3.0 {
            Some(format!("it needs strokes below {} m, and the smallest is {} m", show(way / 3.0), show(least)))
        } else {
            None
        }
    };
    let role = unknown.param.map_or(ParameterKind::Other, ParameterKind::of);
    let lacks = match role {
        ParameterKind::Speed => speeds(unknown.value),
        ParameterKind::PerSpeed if unknown.value > 0.0 => speeds(1.0 / unknown.value),
        ParameterKind::Force => reach.stribeck.and_then(speeds),
        ParameterKind::Stiffness if unknown.value > 0.0 => ways(reach.friction / unknown.value),
        ParameterKind::PerDistance if unknown.value > 0.0 => ways(1.0 / unknown.value),
        ParameterKind::Distance => ways(unknown.value),
        ParameterKind::Damping if unknown.value > 0.0 => {
            // one percent of the friction is detectable
            let v = 0.01 * reach.friction / unknown.value;
            (speed < v).then(|| format!("it needs speeds above {} m/s, and the limit is {} m/s", show(v), show(speed)))
        }
        ParameterKind::Time if reach.duration < 10.0 * unknown.value => {
            Some(format!("it needs a test longer than {} s", show(10.0 * unknown.value)))
        }
        ParameterKind::Time if reach.rate * unknown.value < 3.0 => {
            Some(format!("it needs samples faster than {} Hz", show(3.0 / unknown.value)))
        }
        _ => None,
    };
    lacks.unwrap_or_else(|| "it needs a longer test or less noise; or fix it and leave it out of the design".to_owned())
}
