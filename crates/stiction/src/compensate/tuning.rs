//! Tuning of the gains of each method by the same cost function, for a fair comparison.
use super::closed_loop_run::simulate;
use super::performance::{Performance, evaluate};
use super::task::ServoTask;
use crate::fit::{CmaOptions, minimise};
use crate::scenario::ControllerPart;

/// Options of the tuning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TuningOptions {
    /// Simulations per method.
    pub evaluations: usize,
    /// Seed of the random search.
    pub seed: u32,
    /// Weight of the command changes in the cost.
    pub weight: f64,
}

impl Default for TuningOptions {
    fn default() -> Self {
        Self { evaluations: 40, seed: 1, weight: 0.1 }
    }
}

/// Result of the tuning.
#[derive(Clone, Debug, PartialEq)]
pub struct TuningResult {
    /// The tuned gains, `part.name`, with their values before and after.
    pub gains: Vec<(String, [f64; 2])>,
    /// Gains that make no difference to the run, `part.name`: those of an observer of bristles on a law without, for one. They are kept.
    pub without_effect: Vec<String>,
    /// The cost before and after; infinite where the run failed.
    pub cost: [f64; 2],
    /// Number of simulations.
    pub evaluations: usize,
}

/// Gains to tune, with the factor by which each may change in either direction.
static TUNED_PARAMETERS: &[(&str, &[(&str, f64)])] = &[
    ("feedforward", &[("share", 2.0)]),
    ("observer", &[("kx", 30.0), ("kv", 30.0)]),
    ("adaptive", &[("gain_c", 30.0), ("lambda", 10.0)]),
    ("adaptive-scale", &[("gamma", 30.0), ("lambda", 10.0)]),
    ("dither", &[("amplitude", 3.0), ("frequency", 3.0)]),
    ("acceleration-feedback", &[("gain", 10.0), ("tau", 10.0)]),
    ("disturbance-observer", &[("cutoff", 10.0), ("share", 2.0)]),
    ("smooth-stop", &[("still", 10.0)]),
];

/// The cost: RMS error relative to that of the linear loop alone, plus `weight` times the same ratio for the command changes.
pub fn cost(one: Option<&Performance>, alone: Option<&Performance>, weight: f64) -> f64 {
    let Some(one) = one else { return f64::INFINITY };
    let over = |x: f64, than: Option<f64>| x / than.filter(|x| *x > 0.0).unwrap_or(1.0);
    over(one.rms, alone.map(|s| s.rms)) + weight * over(one.command_change_rms, alone.map(|s| s.command_change_rms))
}

/// The parts with the gains of lowest cost. `alone` is the performance of the linear loop without compensation; `count_run`
/// is called after every simulation.
pub(super) fn tune(
    task: &ServoTask,
    parts: &[ControllerPart],
    alone: Option<&Performance>,
    how: &TuningOptions,
    count_run: &(dyn Fn() + Sync),
) -> (Vec<ControllerPart>, Option<TuningResult>) {
    let mut free: Vec<(usize, &str, f64, f64)> = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let names =
            TUNED_PARAMETERS.iter().find(|(name, _)| *name == part.entry.name).map_or(&[][..], |(_, names)| names);
        for (name, factor) in names {
            if let Some(x) = part.get(name).filter(|x| *x > 0.0) {
                free.push((i, name, x, *factor));
            }
        }
    }
    if free.is_empty() {
        return (parts.to_vec(), None);
    }
    let price = |parts: &[ControllerPart]| {
        let found = simulate(task, parts).ok().and_then(|run| evaluate(task, &run));
        count_run();
        cost(found.as_ref(), alone, how.weight)
    };
    let before = price(parts);
    // a run is repeated bit for bit unless the gain is used in it
    let (free, idle): (Vec<_>, Vec<_>) = free.into_iter().partition(|(i, name, x, factor)| {
        let mut other = parts.to_vec();
        other[*i].set(name, x * factor);
        price(&other).to_bits() != before.to_bits()
    });
    let tried = 1 + free.len() + idle.len();
    let without_effect = idle.iter().map(|(i, name, ..)| format!("{}.{name}", parts[*i].entry.name)).collect();
    if free.is_empty() {
        let none = TuningResult { gains: Vec::new(), without_effect, cost: [before; 2], evaluations: tried };
        return (parts.to_vec(), Some(none));
    }
    let at = |coordinates: &[f64]| {
        let mut out = parts.to_vec();
        for ((i, name, x, factor), p) in free.iter().zip(coordinates) {
            out[*i].set(name, x * factor.powf(2.0 * p - 1.0));
        }
        out
    };
    let cma = CmaOptions {
        seed: how.seed,
        evaluations: how.evaluations.saturating_sub(tried).max(1),
        restarts: 0,
        ..CmaOptions::default()
    };
    let found = minimise(&vec![0.5; free.len()], &|coordinates| price(&at(coordinates)), &cma);
    let best = if found.cost < before { at(&found.point) } else { parts.to_vec() };
    let gain = |(i, name, x, _): &(usize, &str, f64, f64)| {
        (format!("{}.{name}", best[*i].entry.name), [*x, best[*i].get(name).unwrap_or(*x)])
    };
    let tuned = TuningResult {
        gains: free.iter().map(gain).collect(),
        without_effect,
        cost: [before, before.min(found.cost)],
        evaluations: found.evaluations + tried,
    };
    (best, Some(tuned))
}
