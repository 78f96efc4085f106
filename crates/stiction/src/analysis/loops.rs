//! Hysteresis loops: finding and measuring closed paths of force over displacement.
//!
//! A path comes from a driven law or from a measured trace. [`find_loops`] finds every loop that it closes, by rainflow
//! counting at its turning points, and measures it. Friction force has the sign of the velocity, so a loop that takes
//! energy out of the motion has a positive area.
use super::quadrature::{PathPosition, PiecewiseCubic};
use super::turning_points::{RainflowCycle, rainflow_cycles, turning_points};
use std::f64::consts::{PI, TAU};

/// Force over displacement, row by row. The parameter is time, or the number of the row.
#[derive(Clone, Copy, Debug)]
pub struct ForcePath<'a> {
    /// Parameter; it does not decrease.
    pub t: &'a [f64],
    /// Displacement.
    pub x: &'a [f64],
    /// Force.
    pub force: &'a [f64],
    /// Whether the parameter is time \[s\].
    pub timed: bool,
}

/// Settings for finding loops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopDetection {
    /// Smallest reversal that counts as a turning point, as a fraction of the range of displacement: above the noise of the
    /// measurement.
    pub noise: f64,
    /// Largest distance between start and end of a closed loop, as a fraction of its length.
    pub miss: f64,
}
impl Default for LoopDetection {
    /// For computed paths.
    fn default() -> Self {
        Self { noise: 0.0, miss: 1e-9 }
    }
}

/// A hysteresis loop and its measures.
#[derive(Clone, Debug, PartialEq)]
pub struct HysteresisLoop {
    /// Rows where it starts and turns, and whether it lies within a larger one.
    pub rows: RainflowCycle,
    /// Where it closes: its last point.
    pub end: PathPosition,
    /// Smallest and largest displacement [m or rad].
    pub x: [f64; 2],
    /// Force on arrival at the smallest and the largest displacement [N or N·m].
    pub turns: [f64; 2],
    /// `∮ F dx` \[J\]: energy dissipated in the cycle, without that of inner loops.
    pub area: f64,
    /// At the middle displacement: force of the upper minus force of the lower branch [N or N·m].
    pub width: f64,
    /// Displacement at zero force on the upper and the lower branch [m or rad]. None where the force does not pass zero.
    pub residual: [Option<f64>; 2],
    /// `(F₊ − F₋)/(x₊ − x₋)`, between the turning points [N/m].
    pub secant: f64,
    /// Stiffness of the first harmonic [N/m]: `k` of `F ≈ F₀ + k·(x − x̄) + c·v` for `x = x̄ + X·sin θ`.
    pub harmonic: f64,
    /// Angular frequency [rad/s], by the time the loop takes; none without time.
    pub omega: Option<f64>,
    /// Equivalent viscous damping `area/(π·ω·X²)` [N·s/m]; none without time.
    pub damping: Option<f64>,
    /// Force at the end minus force at the start [N or N·m]: zero if the loop closes.
    pub closure: f64,
}

impl HysteresisLoop {
    /// Subtracts the energy of inner loops.
    fn take(&mut self, energy: f64) {
        self.area -= energy;
        self.damping = self.omega.map(|omega| self.area / (PI * omega * self.amplitude() * self.amplitude()));
    }
    /// Half the range of displacement.
    pub fn amplitude(&self) -> f64 {
        0.5 * (self.x[1] - self.x[0])
    }
    /// The rows and the place where it closes as points `(x, F)`.
    pub fn points(&self, path: &ForcePath<'_>) -> Vec<(f64, f64)> {
        let last = self.rows.begin..=self.end.row;
        let mut out: Vec<_> = last.map(|k| (path.x[k], path.force[k])).collect();
        if self.end.part > 0.0 {
            let begin = path.x[self.rows.begin];
            out.push((begin, path.force[self.rows.begin] + self.closure));
        }
        out
    }
}

/// Every loop that the path closes, in the order of closing.
pub fn find_loops(path: &ForcePath<'_>, finding: &LoopDetection) -> Vec<HysteresisLoop> {
    let (lo, hi) = path.x.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), &x| (lo.min(x), hi.max(x)));
    let turns = turning_points(path.x, finding.noise * (hi - lo).max(0.0));
    let pieces = PiecewiseCubic::new(path.t, &turns, path.timed);
    let mut out: Vec<HysteresisLoop> = Vec::new();
    for rows in rainflow_cycles(path.x, &turns, finding.miss) {
        let mut whole = measure(path, &pieces, rows);
        // inner loops close before outer ones
        let within = |l: &&HysteresisLoop| l.rows.inner && l.rows.begin >= rows.begin && l.end.row <= whole.end.row;
        whole.take(out.iter().filter(within).map(|l| l.area).sum());
        out.push(whole);
    }
    out
}

fn measure(path: &ForcePath<'_>, pieces: &PiecewiseCubic<'_>, rows: RainflowCycle) -> HysteresisLoop {
    let ForcePath { t, x, force, timed } = *path;
    let RainflowCycle { begin, turn, next, .. } = rows;
    // it ends at the turn if that is where it began but for rounding, or short of it by no more than the miss
    let at_turn = (x[next] - x[begin]).abs() <= 1e-12 * (x[turn] - x[begin]).abs();
    let back = if at_turn { None } else { pieces.reach(x, x[begin], turn, next) };
    let end = back.unwrap_or(PathPosition { row: next, part: 0.0 });
    let up = x[turn] > x[begin];
    let ends = [x[begin], x[turn]];
    let [low, high] = if up { ends } else { [ends[1], ends[0]] };
    let (mean, size) = (0.5 * (low + high), 0.5 * (high - low));
    let last = pieces.at(force, end);
    let arrived = [last, force[turn]];
    let turns = if up { arrived } else { [arrived[1], arrived[0]] };
    let area = pieces.integral(force, x, begin, end);
    let ways = {
        let (out, back) = ((begin, turn), (turn, end.row + usize::from(end.part > 0.0)));
        if up { [out, back] } else { [back, out] }
    };
    let force_at = |way: (usize, usize)| pieces.reach(x, mean, way.0, way.1).map(|place| pieces.at(force, place));
    let width = match ways.map(force_at) {
        [Some(up), Some(down)] => up - down,
        _ => f64::NAN,
    };
    let zero = |way: (usize, usize)| pieces.reach(force, 0.0, way.0, way.1).map(|place| pieces.at(x, place));
    // ∮ F sin θ dθ = −∮ F d(cos θ), with cos θ positive on the way up
    let minus_cosine: Vec<f64> = (begin..=(end.row + 1).min(x.len() - 1))
        .map(|k| {
            let s = (x[k] - mean) / size;
            let rises = (k <= turn) == up;
            let c = (1.0 - s * s).max(0.0).sqrt();
            if rises { -c } else { c }
        })
        .collect();
    let shifted = PathPosition { row: end.row - begin, part: end.part };
    let (t, rest) = (&t[begin..], &force[begin..]);
    let whole = PiecewiseCubic::new(&t[..minus_cosine.len()], &[turn - begin], timed);
    let harmonic = whole.integral(rest, &minus_cosine, 0, shifted) / (PI * size);
    let period = whole.at(t, shifted) - t[0];
    let omega = (timed && period > 0.0).then(|| TAU / period);
    HysteresisLoop {
        rows,
        end,
        x: [low, high],
        turns,
        area,
        width,
        residual: ways.map(zero),
        secant: (turns[1] - turns[0]) / (high - low),
        harmonic,
        omega,
        damping: omega.map(|omega| area / (PI * omega * size * size)),
        closure: last - force[begin],
    }
}

/// Number of points at which the shapes of loops are compared.
const COMPARED_POINTS: u32 = 40;

/// The forces of a loop at equally spaced displacements of both branches, without the turning points.
fn forces(path: &ForcePath<'_>, pieces: &PiecewiseCubic<'_>, of: &HysteresisLoop) -> Option<Vec<f64>> {
    let RainflowCycle { begin, turn, .. } = of.rows;
    let ways = [(begin, turn), (turn, of.end.row + usize::from(of.end.part > 0.0))];
    let up = path.x[turn] > path.x[begin];
    let mut out = Vec::new();
    for (from, to) in if up { ways } else { [ways[1], ways[0]] } {
        for k in 1..COMPARED_POINTS {
            let x = of.x[0] + (of.x[1] - of.x[0]) * f64::from(k) / f64::from(COMPARED_POINTS);
            out.push(pieces.at(path.force, pieces.reach(path.x, x, from, to)?));
        }
    }
    Some(out)
}

/// The same minus their mean.
fn shape(path: &ForcePath<'_>, pieces: &PiecewiseCubic<'_>, of: &HysteresisLoop) -> Option<Vec<f64>> {
    let mut out = forces(path, pieces, of)?;
    let mean = out.iter().sum::<f64>() / out.len() as f64;
    out.iter_mut().for_each(|f| *f -= mean);
    Some(out)
}

fn worst(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Largest difference of the forces of two loops between the same turning points, relative to the range of the force. The
/// turning points are left out, because the force of some laws jumps there.
pub fn loop_difference(path: &ForcePath<'_>, a: &HysteresisLoop, b: &HysteresisLoop) -> Option<f64> {
    let pieces = PiecewiseCubic::new(path.t, &turning_points(path.x, 0.0), path.timed);
    let (p, q) = (forces(path, &pieces, a)?, forces(path, &pieces, b)?);
    let worst = worst(&p, &q);
    Some(if worst == 0.0 { 0.0 } else { worst / range(path.force) })
}

fn range(list: &[f64]) -> f64 {
    list.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b)) - list.iter().fold(f64::INFINITY, |a, &b| a.min(b))
}

/// Return-point memory: the largest closure error of inner loops, relative to the range of the force.
/// None without inner loops.
pub fn return_point(path: &ForcePath<'_>, loops: &[HysteresisLoop]) -> Option<f64> {
    let most = loops.iter().filter(|l| l.rows.inner).map(|l| l.closure.abs()).reduce(f64::max)?;
    Some(most / range(path.force))
}

/// Congruency: the largest difference in shape of loops between the same turning points, relative to the range of the
/// force. Turning points are the same within the fraction `miss` of a loop. None without such a pair.
pub fn congruency(path: &ForcePath<'_>, loops: &[HysteresisLoop], miss: f64) -> Option<f64> {
    let pieces = PiecewiseCubic::new(path.t, &turning_points(path.x, 0.0), path.timed);
    let shapes: Vec<_> = loops.iter().map(|l| shape(path, &pieces, l)).collect();
    let mut most: Option<f64> = None;
    for (i, a) in loops.iter().enumerate() {
        for (j, b) in loops.iter().enumerate().skip(i + 1) {
            let same = (0..2).all(|k| (a.x[k] - b.x[k]).abs() <= miss * a.amplitude());
            if let (true, Some(p), Some(q)) = (same, &shapes[i], &shapes[j]) {
                most = Some(most.unwrap_or(0.0).max(worst(p, q)));
            }
        }
    }
    most.map(|most| most / range(path.force))
}
