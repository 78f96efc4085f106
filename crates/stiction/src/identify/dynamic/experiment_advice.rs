//! Remarks on parameters that a record does not determine, and on the motion that would.
use super::DataScales;
use crate::identify::parameter::ParameterKind;
use crate::identify::{Identifiability, IdentificationResult, Severity};
use crate::number::{interval, round, short};
use stiction_core::Param;

/// Adds remarks on unidentifiable parameters, and on the motion that they need.
pub(super) fn advise(result: &mut IdentificationResult, scales: &DataScales) {
    let Some(law) = result.law.as_ref().map(|spec| spec.law()) else { return };
    stribeck(result, scales);
    let param = |name: &str| law.params.iter().find(|p| p.name == name.trim_start_matches("reverse."));
    let mut remarks = Vec::new();
    for e in &result.estimates {
        let Some(param) = param(&e.name).filter(|p| !STRIBECK_PARAMETERS.contains(&p.name)) else { continue };
        match e.identifiability {
            Identifiability::Unidentifiable => {
                remarks.push(format!("{} is not known from this record: {}", e.name, required_motion(param, scales)))
            }
            Identifiability::AtBound if e.value > param.min && ParameterKind::of(param) != ParameterKind::Force => {
                let at = short(round(e.value, 3));
                remarks.push(format!(
                    "{} ended at the bound {at} {}: {}",
                    e.name,
                    e.unit,
                    required_motion(param, scales)
                ));
            }
            _ => {}
        }
    }
    for text in remarks {
        result.remark(Severity::Critical, text);
    }
}

/// Parameters of the Stribeck curve.
const STRIBECK_PARAMETERS: [&str; 4] = ["fc", "fs", "vs", "vbrk"];

/// The curve `fc + (fs − fc)·w(v)` is identifiable only if the record slides both where `w` is near one and near zero.
fn stribeck(result: &mut IdentificationResult, scales: &DataScales) {
    let known = |name: &str| result.estimate(name).map(|e| e.identifiability);
    let value = |name: &str| result.estimate(name).map(|e| e.value);
    let speed = if known("vs").is_some() { "vs" } else { "vbrk" };
    let names = ["fs", speed];
    let (Some(vs), Some(_), Some(fc)) = (value(speed), value("fs"), value("fc")) else { return };
    let is_estimated = |name: &str| known(name).is_some_and(Identifiability::is_estimated);
    if !is_estimated(speed) && !is_estimated("fs") {
        return;
    }
    let weak = |name: &str| known(name).is_none_or(|known| known.is_estimated() && known != Identifiability::Good);
    if !["fc", "fs", speed].iter().any(|name| weak(name)) {
        return;
    }
    let [slow, fast] = scales.speed;
    let show = |v: f64| short(round(v, 2));
    if known("fs") == Some(Identifiability::AtBound)
        && result.estimate("fs").is_some_and(|e| e.value <= fc * (1.0 + 1e-9))
    {
        let seen = format!("between {} and {} m/s", show(slow), show(fast));
        result.remark(
            Severity::Info,
            format!("no friction above the Coulomb level is seen {seen}: {speed} is not identifiable"),
        );
        result.estimates.iter_mut().filter(|e| e.name == speed).for_each(|e| *e = e.clone().unidentifiable());
        return;
    }
    let power = value("exponent").unwrap_or(2.0);
    let weight = |v: f64| (-(v / vs).powf(power)).exp();
    let at = |w: f64| vs * (-w.ln()).powf(1.0 / power);
    // the curve must be observed from nine tenths down to one tenth of the Stribeck effect
    let (lacks_slow, lacks_fast) = (weight(slow) < 0.9, weight(fast) > 0.1);
    let mut takes = Vec::new();
    if lacks_slow {
        takes.push(format!("below {} m/s", show(at(0.9).min(0.5 * slow))));
    }
    if lacks_fast {
        takes.push(format!("above {} m/s", show(at(0.1).max(2.0 * fast))));
    }
    let seen = format!("it slides between {} and {} m/s", show(slow), show(fast));
    // the level of a curve that still falls at the fastest sliding is beyond it; held at its bound it takes the viscous friction with it
    let beyond = if lacks_fast { "fc, " } else { "" };
    let held = lacks_fast && known("fc") == Some(Identifiability::AtBound);
    let text = if takes.is_empty() {
        format!(
            "the Stribeck parameters fs and {speed} are not identifiable from this record, though {seen}: \
            repeat it with less noise, or hold one of them"
        )
    } else {
        format!(
            "the Stribeck parameters {beyond}fs and {speed} are not identifiable from this record: {seen} only. \
            It needs steady sliding {}",
            takes.join(" and ")
        )
    };
    for e in &mut result.estimates {
        let name = e.name.as_str();
        let is_tied = names.contains(&name) || (lacks_fast && name == "fc") || (held && name == "sigma2");
        if is_tied && e.identifiability.is_estimated() && !takes.is_empty() {
            *e = e.clone().unidentifiable();
        }
    }
    result.remark(Severity::Critical, text);
}

/// The motion from which a parameter can be identified.
fn required_motion(param: &Param, scales: &DataScales) -> String {
    let [slow, fast] = scales.speed;
    let show = |x: f64| short(round(x, 2));
    match ParameterKind::of(param) {
        ParameterKind::Force => {
            format!("it needs sliding over a range of speeds, from {} m/s", interval([slow / 10.0, 10.0 * fast], 2))
        }
        ParameterKind::Speed => {
            format!("it needs sliding both below {} and above {} m/s", show(slow / 3.0), show(3.0 * fast))
        }
        ParameterKind::Stiffness | ParameterKind::Distance | ParameterKind::PerDistance => {
            let far = scales.presliding();
            format!(
                "it needs reversals with strokes about {} m, sampled every {} m or closer",
                show(far),
                show(far / 10.0)
            )
        }
        ParameterKind::Damping if matches!(param.name, "sigma1" | "ds") => {
            format!("it needs speed that changes quickly within {} m of a reversal", show(scales.presliding()))
        }
        ParameterKind::Damping | ParameterKind::PerSpeed => {
            format!("it needs sliding faster than {} m/s", show(3.0 * fast))
        }
        ParameterKind::Time | ParameterKind::PerTime => {
            format!(
                "it needs steps of speed, or rests of different length, sampled faster than every {} s",
                show(scales.step)
            )
        }
        ParameterKind::Ratio | ParameterKind::Other => "fix it, or measure a richer motion".to_owned(),
    }
}
