//! Every method at its best, by the same cost, so that a comparison is fair.
use super::score::{Score, score};
use super::task::Task;
use super::trial::trial;
use crate::fit::{Cma, minimise};
use crate::scenario::Piece;

/// How gains are sought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tune {
    /// Runs for each method.
    pub evaluations: usize,
    /// Seed of the search.
    pub seed: u32,
    /// Weight of the noise in the cost.
    pub weight: f64,
}

impl Default for Tune {
    fn default() -> Self {
        Self { evaluations: 40, seed: 1, weight: 0.1 }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    /// The gains that were sought, `part.name`, with their values before and after.
    pub gains: Vec<(String, [f64; 2])>,
    /// The cost before and after; infinite where the run failed.
    pub cost: [f64; 2],
    /// Runs.
    pub evaluations: usize,
}

/// Gains that are sought, and by which factor they may change either way.
static FREE: &[(&str, &[(&str, f64)])] = &[
    ("feedforward", &[("share", 2.0)]),
    ("observer", &[("kx", 30.0), ("kv", 30.0)]),
    ("adaptive", &[("gain_c", 30.0), ("lambda", 10.0)]),
    ("adaptive-scale", &[("gamma", 30.0), ("lambda", 10.0)]),
    ("dither", &[("amplitude", 3.0), ("frequency", 3.0)]),
    ("acceleration-feedback", &[("gain", 10.0), ("tau", 10.0)]),
    ("disturbance-observer", &[("cutoff", 10.0), ("share", 2.0)]),
    ("smooth-stop", &[("still", 10.0)]),
];

/// The cost: the error's rms over that of the linear loop alone, and `weight` times the same of the command's changes.
pub fn cost(one: Option<&Score>, alone: Option<&Score>, weight: f64) -> f64 {
    let Some(one) = one else { return f64::INFINITY };
    let over = |x: f64, than: Option<f64>| x / than.filter(|x| *x > 0.0).unwrap_or(1.0);
    over(one.rms, alone.map(|s| s.rms)) + weight * over(one.noise, alone.map(|s| s.noise))
}

/// The parts with the gains of least cost. `alone` is what the linear loop does by itself.
/// `tick` is called after every run.
pub(super) fn tune(
    task: &Task,
    pieces: &[Piece],
    alone: Option<&Score>,
    how: &Tune,
    tick: &(dyn Fn() + Sync),
) -> (Vec<Piece>, Option<Tuned>) {
    let mut free: Vec<(usize, &str, f64, f64)> = Vec::new();
    for (i, piece) in pieces.iter().enumerate() {
        let names = FREE.iter().find(|(part, _)| *part == piece.entry.name).map_or(&[][..], |(_, names)| names);
        for (name, factor) in names {
            if let Some(x) = piece.get(name).filter(|x| *x > 0.0) {
                free.push((i, name, x, *factor));
            }
        }
    }
    if free.is_empty() {
        return (pieces.to_vec(), None);
    }
    let at = |place: &[f64]| {
        let mut out = pieces.to_vec();
        for ((i, name, x, factor), p) in free.iter().zip(place) {
            out[*i].set(name, x * factor.powf(2.0 * p - 1.0));
        }
        out
    };
    let price = |pieces: &[Piece]| {
        let found = trial(task, pieces).ok().and_then(|trial| score(task, &trial));
        tick();
        cost(found.as_ref(), alone, how.weight)
    };
    let before = price(pieces);
    let cma = Cma { seed: how.seed, evaluations: how.evaluations.saturating_sub(1), restarts: 0, ..Cma::default() };
    let found = minimise(&vec![0.5; free.len()], &|place| price(&at(place)), &cma);
    let best = if found.cost < before { at(&found.place) } else { pieces.to_vec() };
    let gain = |(i, name, x, _): &(usize, &str, f64, f64)| {
        (format!("{}.{name}", best[*i].entry.name), [*x, best[*i].get(name).unwrap_or(*x)])
    };
    let tuned = Tuned {
        gains: free.iter().map(gain).collect(),
        cost: [before, before.min(found.cost)],
        evaluations: found.evaluations + 1,
    };
    (best, Some(tuned))
}
