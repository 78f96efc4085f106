//! The memory of a law at the beginning of a record, which nobody measured.
//!
//! Bristles may be bent to any degree when a log begins, and a fit that takes them as straight makes up for it with stiffness, damping and the
//! delay. Sliding erases what they were: the law is run along the motion from no memory and from that of sliding to either side, which
//! are the extremes, and the forces approach each other. With residuals of the standard deviation σ a difference `d` in the force moves the
//! estimates by `(JᵀJ)⁻¹Jᵀd`, in standard errors by at most `|d|/σ`, whatever the parameters are. So the samples are left out up to the first from
//! which on `|d|` is a tenth of σ.
use super::parameter_vector::ParameterVector;
use super::trajectory::DrivenTrajectory;
use crate::identify::{IdentificationResult, Severity};
use crate::number::{round, short};

/// Largest change of an estimate by what is left of the memory at the beginning, in standard errors: it lowers the coverage of an interval of 95 % to 94.9 %.
const MOST_BIAS: f64 = 0.1;
/// Largest share of a record that is left out. A record that takes longer to forget its beginning hardly slides.
const MOST_LEFT_OUT: f64 = 0.5;

/// What a record tells of the memory at its beginning.
pub(super) enum Beginning {
    /// From this sample on the memory at the beginning has no effect; zero for a law without memory.
    ForgottenAt(usize),
    /// It has an effect up to the end, or nearly so.
    Remembered,
}

/// From which sample on a record with these parameters does not depend on the memory at its beginning. `slow` is a slow speed: the memory
/// of sliding is largest there.
pub(super) fn beginning(
    trajectory: &DrivenTrajectory,
    vector: &ParameterVector,
    q: &[f64],
    sigma: f64,
    slow: f64,
) -> Beginning {
    let runs = [None, Some(slow), Some(-slow)].map(|before| forces_after(trajectory, vector, q, before));
    let apart = |k: usize| {
        let all = runs.each_ref().map(|run| run.get(trajectory.end(k)).copied().unwrap_or(f64::NAN));
        if all.iter().any(|x| x.is_nan()) {
            return f64::INFINITY;
        }
        let [low, high] = all.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(*x), b.max(*x)]);
        high - low
    };
    let allowed = (MOST_BIAS * sigma).powi(2);
    let mut sum = 0.0;
    let compared: Vec<usize> = trajectory.compared().collect();
    let forgotten = compared.iter().rev().take_while(|&&k| {
        sum += apart(k).powi(2);
        sum <= allowed
    });
    let kept = forgotten.count();
    if (kept as f64) < (1.0 - MOST_LEFT_OUT) * compared.len() as f64 {
        return Beginning::Remembered;
    }
    Beginning::ForgottenAt(compared.get(compared.len() - kept).copied().unwrap_or(0))
}

/// The force of the law at the end of each substep after sliding at this velocity before the record, or without memory.
fn forces_after(trajectory: &DrivenTrajectory, vector: &ParameterVector, q: &[f64], before: Option<f64>) -> Vec<f64> {
    let (values, plant) = vector.values(q, trajectory.mass);
    let (own, wrappers) = vector.parts(&values);
    let mut need = trajectory.need(&plant);
    let driven = before.map(|velocity| {
        need.insert(0, need.first().copied().unwrap_or(0.0));
        trajectory.after_sliding(velocity)
    });
    let mut force = vec![f64::NAN; need.len()];
    let track = driven.as_ref().unwrap_or(trajectory).track(&need, before.is_some());
    if vector.spec.law().force_along(own, &wrappers, &track, &vector.slots, &mut force, &mut []).is_err() {
        force.fill(f64::NAN);
    }
    force.split_off(usize::from(before.is_some()))
}

/// Tells what was left out at the beginnings of records, in seconds and by their names, and which of them never forget it.
pub(super) fn tell(result: &mut IdentificationResult, left_out: &[(&str, f64)], remembered: &[&str]) {
    let longest = left_out.iter().fold(0.0_f64, |most, (_, seconds)| most.max(*seconds));
    if longest > 0.0 {
        let text = format!(
            "the beginning of each record, {} s at most, was left out: the force there depends on how far the contact was deflected before, which is \
             not known",
            short(round(longest, 3))
        );
        result.remark(Severity::Info, text);
    }
    if let Some(first) = remembered.first() {
        let text = format!(
            "{first} does not slide far enough to forget how far the contact was deflected at its beginning; no deflection was assumed, which \
             distorts stiffness and damping if there was any"
        );
        result.remark(Severity::Warning, text);
    }
}
