//! Replay of a record by a law: displacement in, force out.
use super::HysteresisPath;
use crate::{Error, Spec};
use stiction_core::Input;
use stiction_core::registry::DynLaw;

/// Steps that bring a law to the initial force of a record.
const STEPS: usize = 2000;

/// The force of a law along a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// Force of the law in each row, with the offset \[N\].
    pub force: Vec<f64>,
    /// Mean of measured less computed force \[N\].
    pub offset: f64,
    /// Sum of squared residuals after the first branch, and their number.
    pub left: (f64, usize),
}

/// Replays a path from the initial state that fits best: virgin, or after sliding in either direction. Since the history
/// before the record is unknown, the first branch is not evaluated unless it is the only one.
///
/// # Errors
/// As [`Spec::build`].
pub fn replay(spec: &Spec, path: &HysteresisPath, scale: f64) -> Result<Replay, Error> {
    let law = spec.build()?;
    let mut starts = vec![vec![0.0; law.len()]];
    let first = path.force[0];
    starts.extend([1.0, -1.0].iter().filter_map(|d| slid(law.as_ref(), *d, first, scale)));
    let from = if path.branches.len() > 1 { path.branches[1].rows.start } else { 0 };
    let runs = starts.into_iter().map(|memory| run(law.as_ref(), memory, path, from));
    let best = runs.min_by(|a, b| a.left.0.total_cmp(&b.left.0));
    Ok(best.unwrap_or(Replay { force: Vec::new(), offset: 0.0, left: (f64::INFINITY, 0) }))
}

/// The state after sliding in direction `d` and back to force `to`; none if that force is not reached.
fn slid(law: &dyn DynLaw, d: f64, to: f64, scale: f64) -> Option<Vec<f64>> {
    let mut memory = vec![0.0; law.len()];
    let step = scale / STEPS as f64;
    for _ in 0..4 * STEPS {
        law.step(&mut memory, &Input { v: d * step, load: 1.0 }, 1.0);
    }
    for _ in 0..4 * STEPS {
        let force = law.sample(&mut memory, &Input { v: -d * step, load: 1.0 }, 1.0);
        if d * force <= d * to {
            return Some(memory);
        }
    }
    None
}

fn run(law: &dyn DynLaw, mut memory: Vec<f64>, path: &HysteresisPath, from: usize) -> Replay {
    let mut force = Vec::with_capacity(path.x.len());
    let mut last = path.x[0];
    let mut input = Input { v: 0.0, load: 1.0 };
    for (k, x) in path.x.iter().enumerate() {
        let dt = if k > 0 { path.t[k] - path.t[k - 1] } else { 0.0 };
        if dt > 0.0 && *x != last {
            input.v = (x - last) / dt;
            law.step(&mut memory, &input, dt);
            last = *x;
        }
        force.push(law.force(&memory, &input));
    }
    let rest = || path.force[from..].iter().zip(&force[from..]).map(|(f, m)| f - m);
    let n = path.force.len() - from;
    let offset = rest().sum::<f64>() / n as f64;
    let squares = rest().map(|r| (r - offset).powi(2)).sum();
    force.iter_mut().for_each(|f| *f += offset);
    Replay { force, offset, left: (squares, n) }
}
