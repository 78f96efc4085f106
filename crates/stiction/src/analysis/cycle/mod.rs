//! Periodic motion: stick-slip, hunting, and the response to periodic forces.
//!
//! ```
//! use stiction::{analysis::cycle, scenario::Scenario};
//!
//! let cycle = cycle::find(&Scenario::named("a7", &[""; 0])?)?;
//! assert!((cycle.period - 4.6385527).abs() < 1e-6);
//! assert!(cycle.stable);
//! # Ok::<(), stiction::Error>(())
//! ```
//! A transient is simulated until the motion is close to the cycle. The Poincaré section is where one coordinate passes the
//! middle of its range upwards, relative to the steady motion. The return map from one crossing to the next is computed by
//! simulation, including all sticking and slipping, and Newton's iteration finds its fixed point to the accuracy of the
//! solver. The eigenvalues of its Jacobian are the Floquet multipliers. Under a periodic force the map over one period of
//! the force is used instead.
mod branch_tracer;
mod continuation;
mod portrait;
mod return_map;
mod stick_slip_boundary;

pub use continuation::{Bifurcation, BifurcationKind, BranchEnd, Continuation, CycleBranch, CyclePoint, follow_branch};
pub use portrait::{ColumnRange, StickSlipTimes};
pub use return_map::ReturnCondition;
pub use stick_slip_boundary::{StickSlipBoundary, stick_slip_boundaries};

use super::AnalysisError;
use super::steady_motion::{check_components, excitation_period, no_hidden_memory};
use crate::Error;
use crate::linalg::{BoundedEigenvalue, Complex, Svd, eigenvalues};
use crate::scenario::Scenario;
use crate::sim::{Column, NullObserver, PoincareSection, Simulation, SimulationOptions, StateRole, SystemState, Trace};
use return_map::{ReturnMap, ReturnPoint};

/// Maximum number of oscillations before the motion must be close to a cycle.
const MAX_TURNS: usize = 60;
/// Longest cycle, in oscillations.
const MAX_CYCLE_TURNS: usize = 8;

/// A periodic motion.
#[derive(Clone, Debug)]
pub struct Cycle {
    /// Period \[s\].
    pub period: f64,
    /// The condition of the return map.
    pub returns: ReturnCondition,
    /// A state on it, at time `t`.
    pub state: SystemState,
    /// The same state relative to the steady motion.
    pub relative: SystemState,
    /// The time \[s\].
    pub t: f64,
    /// Floquet multipliers, the largest first: the growth of a small perturbation over one period. The multiplier
    /// along the cycle, which is one, is left out.
    pub multipliers: Vec<Complex>,
    /// No multiplier is outside the unit circle by more than its error.
    pub stable: bool,
    /// A multiplier is on the unit circle within its error, and none is outside: without damping, or where a branch of cycles turns.
    pub neutral: bool,
    /// Smallest and largest value of each column; positions are relative to the steady motion.
    pub ranges: Vec<ColumnRange>,
    /// How long each contact sticks and slips.
    pub stick_slip: Vec<StickSlipTimes>,
    /// Velocity of the steady motion of each body.
    pub drifts: Vec<(String, f64)>,
}

impl Cycle {
    /// One period in rows.
    ///
    /// # Errors
    /// As [`Simulation::run`].
    pub fn trace(&self, simulation: &Simulation<'_>) -> Result<Trace, Error> {
        Ok(portrait::trace(simulation, self, Vec::new())?.0)
    }
    /// The coordinate with the largest velocity amplitude: its columns of position and velocity, and its steady velocity.
    pub fn widest(&self, columns: &[Column]) -> Option<(usize, usize, f64)> {
        let size = |name: &str| self.amplitude(name).unwrap_or(0.0);
        let moves = |name: &str| self.drifts.iter().find(|(place, _)| place == name);
        let names =
            columns.iter().filter_map(|column| column.name.strip_suffix(".x")).filter(|name| moves(name).is_some());
        let name = names.max_by(|a, b| size(&format!("{a}.v")).total_cmp(&size(&format!("{b}.v"))))?;
        let find = |end: &str| columns.iter().position(|column| column.name == format!("{name}.{end}"));
        Some((find("x")?, find("v")?, moves(name)?.1))
    }
    /// Half the range of a column.
    pub fn amplitude(&self, column: &str) -> Option<f64> {
        self.ranges.iter().find(|swing| swing.name == column).map(|swing| 0.5 * (swing.max - swing.min))
    }
}

/// The cycle that a scenario leads to.
///
/// # Errors
/// [`Error::Analysis`] if it leads to none, or as [`Simulation::run`].
pub fn find(scenario: &Scenario) -> Result<Cycle, Error> {
    no_hidden_memory(&scenario.system).map_err(Error::Analysis)?;
    check_components(&scenario.system).map_err(Error::Analysis)?;
    let simulation = scenario.simulation()?;
    let options =
        SimulationOptions { probes: Vec::new(), sample: 0.0, method: Default::default(), ..scenario.options.clone() };
    let mut trace = Trace::default();
    let summary = simulation.run(&options, &mut trace)?;
    if !summary.complete {
        return Err(Error::Analysis(AnalysisError::Interrupted));
    }
    let tail = &trace.rows[trace.rows.len() / 2..];
    let mut state = summary.state;
    let (t, returns) = match excitation_period(&scenario.system, options.end).map_err(Error::Analysis)? {
        Some(period) => {
            let t = (options.end / period).ceil() * period;
            let on = SimulationOptions { start: options.end, end: t, ..options.clone() };
            if t > options.end {
                state = simulation.run_from(Some(&state), &on, &mut NullObserver)?.state;
            }
            (t, ReturnCondition::Period(period))
        }
        None => (options.end, section(scenario, &simulation, tail, options.end)?),
    };
    let mut map = ReturnMap::new(&scenario.system, &simulation, t, returns, &options)?;
    map.patience = options.end - options.start;
    map.set_origin(&state);
    let start = map.relative(&state);
    let state = approach(&mut map, &start, t)?;
    let (state, period, multipliers) = refine(&map, state)?;
    let cycle = portrait::describe(scenario, &simulation, &map, state, period, multipliers)?;
    // Newton's iteration from a decaying motion converges to the equilibrium
    if !cycle.ranges.iter().any(|swing| is_swinging(swing, simulation.columns(), tail)) {
        return Err(Error::Analysis(AnalysisError::NoMotion { t }));
    }
    Ok(cycle)
}

/// Whether the range of a velocity in a cycle is more than a millionth of that in the run before. What is less is the rest of
/// a motion that dies away.
fn is_swinging(swing: &ColumnRange, columns: &[Column], tail: &[Vec<f64>]) -> bool {
    let Some(at) = columns.iter().position(|column| column.name == swing.name && column.name.ends_with(".v")) else {
        return false;
    };
    let (lo, hi) =
        tail.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), row| (lo.min(row[at]), hi.max(row[at])));
    swing.max - swing.min > 1e-6 * (hi - lo)
}

/// A section through the middle of the coordinate with the largest range in the second half of a run that ends at `t`.
fn section(
    scenario: &Scenario,
    simulation: &Simulation<'_>,
    tail: &[Vec<f64>],
    t: f64,
) -> Result<ReturnCondition, Error> {
    let blank = ReturnCondition::Period(1.0);
    let map = ReturnMap::new(&scenario.system, simulation, t, blank, &scenario.options)?;
    let mut best: Option<(f64, PoincareSection)> = None;
    for (i, (column, role)) in simulation.states().iter().enumerate() {
        let Some(at) = simulation.columns().iter().position(|c| c.name == column.name) else { continue };
        // a speed only where no position matters
        let rank = match role {
            StateRole::Position(_) if !map.moves_freely(i) => 1.0,
            StateRole::Velocity(_) => 1e-9,
            _ => continue,
        };
        let drift = map.drift(i);
        let values = || tail.iter().map(|row| row[at] - drift * row[0]);
        let (lo, hi) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        let size = (hi - lo) * rank;
        if best.is_none_or(|(most, _)| size > most) {
            best = Some((size, PoincareSection { state: i, value: 0.5 * (lo + hi), drift }));
        }
    }
    match best {
        Some((size, section)) if size > 1e-12 => Ok(ReturnCondition::Section { section, turns: 1 }),
        _ => Err(Error::Analysis(AnalysisError::NoMotion { t })),
    }
}

/// Simulates until the motion nearly repeats, and stores after how many oscillations it does.
fn approach(map: &mut ReturnMap<'_>, start: &SystemState, t: f64) -> Result<SystemState, Error> {
    let still = || Error::Analysis(AnalysisError::NoMotion { t });
    let once = |map: &ReturnMap<'_>, state: &SystemState| -> Result<ReturnPoint, Error> {
        map.apply(state, &mut NullObserver)?.ok_or_else(still)
    };
    let mut past: Vec<SystemState> = vec![map.anchor(start)?];
    for _ in 0..MAX_TURNS {
        let last = &past[past.len() - 1];
        let next = once(map, last)?.state;
        past.push(next);
        let scale = scale(map, &past);
        let now = past.len() - 1;
        for turns in 1..=MAX_CYCLE_TURNS.min(now / 2) {
            let off = |a: &SystemState, b: &SystemState| distance(a, b, &scale, map);
            // twice in a row, so that a slow drift does not count as a repetition
            if off(&past[now], &past[now - turns]) < 1e-4 && off(&past[now - turns], &past[now - 2 * turns]) < 1e-4 {
                match &mut map.returns {
                    ReturnCondition::Section { turns: wanted, .. } => *wanted = turns,
                    ReturnCondition::Period(period) => *period *= turns as f64,
                }
                return Ok(past.remove(now));
            }
        }
    }
    // not periodic yet, but Newton's iteration may still converge
    Ok(past.remove(past.len() - 1))
}

/// The magnitude of each state variable, from several states.
fn scale(map: &ReturnMap<'_>, states: &[SystemState]) -> Vec<f64> {
    (0..map.states).map(|i| states.iter().fold(1e-9_f64, |most, state| most.max(state.y[i].abs()))).collect()
}

fn distance(a: &SystemState, b: &SystemState, scale: &[f64], map: &ReturnMap<'_>) -> f64 {
    map.free().into_iter().map(|i| (a.y[i] - b.y[i]).abs() / scale[i]).fold(0.0, f64::max)
}

/// Newton's iteration for the fixed point; its period and multipliers.
fn refine(map: &ReturnMap<'_>, mut state: SystemState) -> Result<(SystemState, f64, Multipliers), Error> {
    let still = || Error::Analysis(AnalysisError::NoMotion { t: map.t });
    let mut off = f64::INFINITY;
    for round in 0..20 {
        let slopes = return_map_jacobian(map, &state)?;
        let free = map.free();
        let n = free.len();
        let Some(ReturnPoint { state: next, time }) = map.apply(&state, &mut NullObserver)? else {
            return Err(still());
        };
        let residual: Vec<f64> = free.iter().map(|&i| next.y[i] - state.y[i]).collect();
        let matrix: Vec<f64> = (0..n * n).map(|k| f64::from(u8::from(k / n == k % n)) - slopes.matrix[k]).collect();
        // scaled to similar magnitudes, so that the minimum-norm step is meaningful
        let scaled: Vec<f64> =
            (0..n * n).map(|k| matrix[k] * slopes.scale[free[k % n]] / slopes.scale[free[k / n]]).collect();
        let right: Vec<f64> = residual.iter().zip(&free).map(|(r, &i)| r / slopes.scale[i]).collect();
        let step = Svd::new(&scaled, n, n).solve(&right, 1e-9);
        let before = off;
        off = step.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        if off.is_nan() || off > 1e3 {
            return Err(Error::Analysis(AnalysisError::NotConverged { what: "cycle", off }));
        }
        // states of a law that change only by jumps repeat by themselves
        state.memory.clone_from(&next.memory);
        if off < 1e-8 || round > 3 && off < 1e-6 && off > 0.5 * before {
            return Ok((state, time, slopes.multipliers(&free)));
        }
        free.iter().zip(&step).for_each(|(&i, d)| state.y[i] += d * slopes.scale[i]);
    }
    Err(Error::Analysis(AnalysisError::NotConverged { what: "cycle", off }))
}

/// Error of the derivatives of the return map, scaled by the ranges of the state variables; see [`return_map_jacobian`].
const DERIVATIVE_ERROR: f64 = 1e-6;

/// Floquet multipliers, the largest first, and how far the largest may be from the unit circle without being inside or outside of it for
/// certain.
#[derive(Clone, Debug, Default)]
pub(super) struct Multipliers {
    pub values: Vec<Complex>,
    pub error: f64,
}

impl Multipliers {
    /// The largest absolute value minus one: zero within its error, or surely above or below.
    pub fn growth(&self) -> f64 {
        let growth = self.values.first().map_or(-1.0, |z| z.abs() - 1.0);
        if growth.abs() <= self.error { 0.0 } else { growth }
    }
}

impl ReturnMapJacobian {
    /// The Floquet multipliers: the eigenvalues.
    pub fn multipliers(&self, free: &[usize]) -> Multipliers {
        let n = free.len();
        let scaled: Vec<f64> =
            (0..n * n).map(|k| self.matrix[k] * self.scale[free[k % n]] / self.scale[free[k / n]]).collect();
        let mut values = eigenvalues(&scaled, n);
        values.sort_by(|a, b| b.abs().total_cmp(&a.abs()).then(b.im.total_cmp(&a.im)));
        let errors = vec![DERIVATIVE_ERROR; n * n];
        let bound = |z: &Complex| BoundedEigenvalue::near(*z, &scaled, &errors, n).error;
        // two multipliers that share an eigenvector move by the square root of the error
        let error = values.first().map_or(0.0, |z| bound(z).min((n as f64 * DERIVATIVE_ERROR).sqrt()));
        Multipliers { values, error }
    }
}

/// Derivatives of the return map.
pub(super) struct ReturnMapJacobian {
    /// Over the free numbers, row by row.
    pub matrix: Vec<f64>,
    /// Range of each state variable over the cycle.
    pub scale: Vec<f64>,
}

/// Jacobian of the return map by central differences. The steps are a millionth of the range of each state variable, so
/// that even a strongly curved map is linear within them; the error of a run at rtol = 1e-12, divided by the step, is 1e-6.
pub(super) fn return_map_jacobian(map: &ReturnMap<'_>, state: &SystemState) -> Result<ReturnMapJacobian, Error> {
    let scale = portrait::state_ranges(map, state)?;
    let free = map.free();
    let n = free.len();
    let mut matrix = vec![0.0; n * n];
    for (k, &j) in free.iter().enumerate() {
        let h = 1e-6 * scale[j];
        let side = |sign: f64| -> Result<SystemState, Error> {
            let mut moved = state.clone();
            moved.y[j] += sign * h;
            let returned = map.apply(&moved, &mut NullObserver)?;
            returned.map(|r| r.state).ok_or(Error::Analysis(AnalysisError::NoMotion { t: map.t }))
        };
        let (up, down) = (side(1.0)?, side(-1.0)?);
        free.iter().enumerate().for_each(|(i, &at)| matrix[i * n + k] = (up.y[at] - down.y[at]) / (2.0 * h));
    }
    Ok(ReturnMapJacobian { matrix, scale })
}
