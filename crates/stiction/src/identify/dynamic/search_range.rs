//! Initial value and bounds of a parameter, from its unit and the scales of the data.
use super::DataScales;
use crate::fit::Parameter;
use crate::identify::parameter::ParameterKind;
use stiction_core::Param;

/// Initial value, bounds and scaling of a parameter of a law.
pub(super) fn range(key: &str, param: &Param, s: &DataScales) -> Parameter {
    let [slow, fast] = s.speed;
    let f = s.force;
    let (start, low, high, log) = match ParameterKind::of(param) {
        ParameterKind::Force => (0.9 * f, 0.0, 4.0 * f, false),
        ParameterKind::Speed => ((slow * fast).sqrt(), slow / 100.0, 10.0 * fast, true),
        // a fit that ends at the upper end goes on to where the contact is rigid as far as the samples tell
        ParameterKind::Stiffness => (s.stiffness, s.stiffness / 100.0, 1000.0 * s.stiffness, true),
        // a viscous one is of the size of f/fast; that of a bristle acts where the speed changes, and may take all of the force at a slow one
        ParameterKind::Damping => (0.1 * f / fast, 0.0, 10.0 * f / slow, false),
        ParameterKind::Distance => (s.presliding(), s.presliding() / 1000.0, 100.0 * s.presliding(), true),
        ParameterKind::Time => (10.0 * s.step, 0.1 * s.step, 10.0 * s.duration, true),
        ParameterKind::PerSpeed => (10.0 / fast, 0.1 / fast, 100.0 / slow, true),
        ParameterKind::PerTime => (0.1 * f / s.step, f / s.duration, 10.0 * f / s.step, true),
        ParameterKind::PerDistance => (1.0 / s.presliding(), 0.01 / s.presliding(), 1000.0 / s.presliding(), true),
        ParameterKind::Ratio => {
            (param.default, -10.0 * param.default.abs().max(0.1), 10.0 * param.default.abs().max(0.1), false)
        }
        ParameterKind::Other => (param.default, 1e-4 * param.default, 1e4 * param.default, param.min > 0.0),
    };
    let (low, high) = (low.max(param.min), high.min(param.max));
    // an empty range falls back to the bounds of the registry
    let (low, high) = if low < high { (low, high) } else { (param.min, param.max) };
    let p = Parameter::new(key, start.clamp(low, high)).within(low, high);
    if log && low > 0.0 {
        p.log()
    } else {
        p.with_scale(if start > low { (start - low).abs() } else { 0.1 * (high - low) })
    }
}
