//! A record replayed by a law: its displacement goes in, its force comes out.
use super::HysteresisPath;
use crate::{Error, Spec};
use stiction_core::Input;
use stiction_core::registry::Model;

/// Steps with which a law is brought to the force at which a record begins.
const STEPS: usize = 2000;

/// What a law makes of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// Its force \[N\], row by row, with the offset.
    pub force: Vec<f64>,
    /// Measured less computed, on the mean \[N\].
    pub offset: f64,
    /// Sum of squares of what is left after the first branch, and how many samples that is.
    pub left: (f64, usize),
}

/// Replays a path from the state that fits best: never moved, or come from a slide in either direction. What was before the
/// record is not known, so its first branch does not count, unless it is the only one.
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

/// The memory after a slide in direction `d`, and back to force `to`; none if the law does not get there within `scale`.
fn slid(law: &dyn Model, d: f64, to: f64, scale: f64) -> Option<Vec<f64>> {
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

fn run(law: &dyn Model, mut memory: Vec<f64>, path: &HysteresisPath, from: usize) -> Replay {
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
