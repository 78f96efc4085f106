//! Closed hysteresis loops, and the elastic and plastic displacement in unloading.
use super::HysteresisPath;
use crate::analysis::turning_points::{RainflowCycle, rainflow_cycles};
use crate::fit::{LinearOptions, linear};

/// Maximum number of samples for the force at a position.
const MAX_NEIGHBOURS: usize = 24;

/// A closed hysteresis loop.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredLoop {
    /// Time of its beginning \[s\].
    pub t: f64,
    /// Displacements of its reversals \[m\].
    pub x: [f64; 2],
    /// Forces at its reversals \[N\].
    pub force: [f64; 2],
    /// Dissipated energy, without that of inner loops \[J\].
    pub area: f64,
    /// Mean of the forces of both branches: zero for a centred loop \[N\].
    pub centre: f64,
    /// Asymmetry: RMS difference between the upper branch and the lower branch rotated about the centre, relative to the range
    /// of the force.
    pub asymmetry: f64,
    /// Whether it lies within a larger one.
    pub inner: bool,
    /// Row of its end.
    pub last: usize,
    /// Rows of its beginning and reversals.
    pub rows: RainflowCycle,
}

/// Closure of an inner loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopClosure {
    /// Force at its end less force at its beginning \[N\].
    pub force: f64,
    /// Standard error of the difference \[N\].
    pub error: f64,
}

/// Loading and unloading (Nouri2004, fig. 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unloading {
    /// Time of the largest force \[s\].
    pub t: f64,
    /// The force \[N\].
    pub force: f64,
    /// Elastic displacement recovered at zero force \[m\].
    pub elastic: f64,
    /// Plastic displacement since the previous zero of the force \[m\].
    pub plastic: f64,
    /// Work of loading \[J\].
    pub spent: f64,
    /// Work recovered in unloading \[J\].
    pub recovered: f64,
}

/// `∫ F dx` over rows.
fn work(path: &HysteresisPath, from: usize, to: usize) -> f64 {
    (from..to).map(|k| 0.5 * (path.force[k] + path.force[k + 1]) * (path.x[k + 1] - path.x[k])).sum()
}

/// The closed loops of a path, in the order of their ends, and the closures of the inner ones.
pub(super) fn find_loops(path: &HysteresisPath) -> (Vec<MeasuredLoop>, Vec<LoopClosure>) {
    let x = &path.x;
    let size = super::hysteresis_path::span(x);
    let miss = (2.0 * path.reversal_threshold / size).clamp(1e-9, 0.1);
    let (mut out, mut closures): (Vec<MeasuredLoop>, Vec<LoopClosure>) = (Vec::new(), Vec::new());
    for rows in rainflow_cycles(x, &path.turns, miss) {
        let RainflowCycle { begin, turn, next, inner } = rows;
        // the first row is not a reversal
        if begin == 0 {
            continue;
        }
        let up = x[turn] > x[begin];
        let there = |k: &usize| if up { x[*k] <= x[begin] } else { x[*k] >= x[begin] };
        let last = (turn..=next).find(there).unwrap_or(next);
        if last <= turn + 2 || turn <= begin + 2 {
            continue;
        }
        let within: f64 = out
            .iter()
            .filter(|l: &&MeasuredLoop| l.inner && l.rows.begin >= begin && l.last <= last)
            .map(|l| l.area)
            .sum();
        let ends = if up { [begin, turn] } else { [turn, begin] };
        let ways = if up { [(begin, turn), (turn, last)] } else { [(turn, last), (begin, turn)] };
        let (centre, asymmetry) = halves(path, ways, ends.map(|k| x[k]));
        let force = if up { [path.force[last], path.force[turn]] } else { [path.force[turn], path.force[last]] };
        let area = work(path, begin, last) - within;
        out.push(MeasuredLoop {
            t: path.t[begin],
            x: ends.map(|k| x[k]),
            force,
            area,
            centre,
            asymmetry,
            inner,
            last,
            rows,
        });
        if inner && let Some(closure) = closes(path, begin, turn, last) {
            closures.push(closure);
        }
    }
    (out, closures)
}

/// Centre and asymmetry of a loop.
fn halves(path: &HysteresisPath, ways: [(usize, usize); 2], [low, high]: [f64; 2]) -> (f64, f64) {
    const COMPARED_POSITIONS: usize = 16;
    let edge = |k: usize| low + (high - low) * k as f64 / COMPARED_POSITIONS as f64;
    // samples beyond all earlier ones of this branch: the others belong to inner loops
    let ahead = |(from, to): (usize, usize)| -> Vec<usize> {
        let d = (path.x[to] - path.x[from]).signum();
        let mut far = f64::NEG_INFINITY;
        (from..=to)
            .filter(|r| {
                if d * path.x[*r] >= far {
                    far = d * path.x[*r];
                    true
                } else {
                    false
                }
            })
            .collect()
    };
    let ways = ways.map(|way| (way, ahead(way)));
    let mean = |rows: &[usize], k: usize| {
        let list = rows.iter().filter(|r| (edge(k)..=edge(k + 1)).contains(&path.x[**r])).map(|r| path.force[*r]);
        let list: Vec<f64> = list.collect();
        list.iter().sum::<f64>() / list.len() as f64
    };
    let sums: Vec<f64> = (0..COMPARED_POSITIONS)
        .map(|k| mean(&ways[0].1, k) + mean(&ways[1].1, COMPARED_POSITIONS - 1 - k))
        .filter(|s| s.is_finite())
        .collect();
    let n = sums.len() as f64;
    let middle = sums.iter().sum::<f64>() / n;
    let spread = (sums.iter().map(|s| (s - middle).powi(2)).sum::<f64>() / n).sqrt();
    let [a, b] = [ways[0].0, ways[1].0];
    let rows = a.0.min(b.0)..=a.1.max(b.1);
    (0.5 * middle, 0.5 * spread / super::hysteresis_path::span(&path.force[rows]))
}

/// Difference of the forces at the beginning and at the end of a loop, each by a line through the samples before, where the
/// force is smooth. The lines extend over at most a tenth of the loop.
fn closes(path: &HysteresisPath, begin: usize, turn: usize, last: usize) -> Option<LoopClosure> {
    let (at, tenth) = (path.x[begin], 0.1 * (path.x[turn] - path.x[begin]).abs());
    let before = |end: usize, least: usize| {
        let far = (least..end).rev().find(|k| (path.x[*k] - at).abs() > tenth || end - k >= MAX_NEIGHBOURS);
        far.map_or(least, |k| k.min(end.saturating_sub(4)))..end
    };
    let (left, a) = level(path, before(begin + 1, 0), at)?;
    let (came, b) = level(path, before(last + 1, turn + 1), at)?;
    Some(LoopClosure { force: came - left, error: a.hypot(b) })
}

fn level(path: &HysteresisPath, rows: std::ops::Range<usize>, at: f64) -> Option<(f64, f64)> {
    let x: Vec<f64> = path.x[rows.clone()].iter().map(|x| x - at).collect();
    let one = vec![1.0; x.len()];
    let fit = linear(&[&one, &x], &path.force[rows], &LinearOptions::default()).ok()?;
    // a few samples may lie on a line by chance: use at least the noise of the force
    let shape = fit.covariance.at(0, 0).max(0.0).sqrt() / fit.sigma.max(f64::MIN_POSITIVE);
    Some((fit.values[0], fit.sigma.max(path.noise[1]) * shape))
}

/// All loadings and unloadings, relative to the mean force `centre`.
pub(super) fn find_unloadings(path: &HysteresisPath, centre: f64) -> Vec<Unloading> {
    let pull = |k: usize| path.force[k] - centre;
    let zero = |from: usize, to: usize| (from..to).find(|k| pull(*k) * pull(k + 1) <= 0.0);
    // displacement at the zero of the force between two rows
    let place = |k: usize| {
        let part = if pull(k) == pull(k + 1) { 0.0 } else { pull(k) / (pull(k) - pull(k + 1)) };
        path.x[k] + part * (path.x[k + 1] - path.x[k])
    };
    let done = |from: usize, to: usize| work(path, from, to) - centre * (path.x[to] - path.x[from]);
    let mut out = Vec::new();
    // row and displacement of the last zero of the force; a virgin branch begins there
    let mut since = path.branches.first().filter(|b| b.virgin).map(|b| (b.rows.start, path.x[b.rows.start]));
    for pair in path.branches.windows(2) {
        let (turn, end) = (pair[1].rows.start, pair[1].rows.end - 1);
        if since.is_none() {
            since = zero(pair[0].rows.start, turn).map(|k| (k + 1, place(k)));
        }
        let (Some((from, at)), Some(to)) = (since, zero(turn, end)) else { continue };
        since = Some((to + 1, place(to)));
        if pull(turn) * pair[0].direction <= 0.0 {
            continue;
        }
        let first = 0.5 * pull(from) * (path.x[from] - at);
        let last = 0.5 * pull(to) * (place(to) - path.x[to]);
        out.push(Unloading {
            t: path.t[turn],
            force: path.force[turn],
            elastic: (path.x[turn] - place(to)).abs(),
            plastic: (place(to) - at).abs(),
            spent: done(from, turn) + first,
            recovered: -(done(turn, to) + last),
        });
    }
    out
}
