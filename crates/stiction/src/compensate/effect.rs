//! Whether what was added to a loop makes a difference: a run is repeated bit for bit unless a number is used in it.
use super::closed_loop_run::{ClosedLoopRun, simulate};
use super::method::part_name;
use super::task::ServoTask;
use crate::Error;
use crate::scenario::ControllerPart;

/// Whether two runs are the same to the last bit.
pub(super) fn same(a: &ClosedLoopRun, b: &ClosedLoopRun) -> bool {
    let bits = |list: &[f64]| list.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    a.failure == b.failure && bits(&a.error) == bits(&b.error) && bits(&a.command) == bits(&b.command)
}

/// The given gains of a controller that make no difference to its run, as `part.name`.
pub(super) fn without_effect(
    task: &ServoTask,
    parts: &[ControllerPart],
    gains: &[(String, String, f64)],
) -> Result<Vec<String>, Error> {
    let own = |part: &str| parts.iter().position(|p| p.entry.name == part_name(part));
    let mut found = Vec::new();
    let mut run = None;
    for (part, name, value) in gains {
        let Some(at) = own(part) else { continue };
        let mut other = parts.to_vec();
        // far enough that a gain that is used at all shows; half, since twice of a share may be refused
        other[at].set(name, if *value == 0.0 { 1.0 } else { 0.5 * value });
        let run = match &run {
            Some(run) => run,
            None => run.insert(simulate(task, parts)?),
        };
        if simulate(task, &other).is_ok_and(|other| same(run, &other)) {
            found.push(format!("{part}.{name}"));
        }
    }
    Ok(found)
}
