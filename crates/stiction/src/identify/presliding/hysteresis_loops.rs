//! RainflowCycle loops of a path, and what is left of a displacement when the force is gone.
use super::HysteresisPath;
use crate::analysis::turning_points::{RainflowCycle, rainflow_cycles};
use crate::fit::{LinearOptions, linear};

/// Samples at most by which a force at a place is found.
const NEAR: usize = 24;

/// A measured loop.
#[derive(Clone, Debug, PartialEq)]
pub struct HysteresisLoop {
    /// When it began \[s\].
    pub t: f64,
    /// Where it turns \[m\].
    pub x: [f64; 2],
    /// The force there \[N\].
    pub force: [f64; 2],
    /// Energy lost in a cycle, without that of loops within \[J\].
    pub area: f64,
    /// The mean force on the way up and on the way down, halved: zero for a loop about no force \[N\].
    pub centre: f64,
    /// How far the upper way and the lower way, turned about the centre, are apart: root of the mean square, as a part of
    /// the loop's range of force.
    pub asymmetry: f64,
    /// Whether it lies within a larger one.
    pub inner: bool,
    /// Where it ends.
    pub last: usize,
    /// Where it begins and turns.
    pub rows: RainflowCycle,
}

/// How an inner loop closes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopClosure {
    /// Force where it closes less force where it began \[N\].
    pub force: f64,
    /// Standard error of that \[N\].
    pub error: f64,
}

/// A force that was put on and taken off (Nouri2004, fig. 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unloading {
    /// When it was largest \[s\].
    pub t: f64,
    /// The force \[N\].
    pub force: f64,
    /// What sprang back until the force was gone \[m\].
    pub elastic: f64,
    /// What was left of the way since the force was last zero \[m\].
    pub plastic: f64,
    /// Work put in \[J\].
    pub spent: f64,
    /// Work that came back \[J\].
    pub recovered: f64,
}

/// `∫ F dx` over rows.
fn work(path: &HysteresisPath, from: usize, to: usize) -> f64 {
    (from..to).map(|k| 0.5 * (path.force[k] + path.force[k + 1]) * (path.x[k + 1] - path.x[k])).sum()
}

/// The loops of a path, in the order of closing, and how the inner ones close.
pub(super) fn find_loops(path: &HysteresisPath) -> (Vec<HysteresisLoop>, Vec<LoopClosure>) {
    let x = &path.x;
    let size = super::hysteresis_path::span(x);
    let miss = (2.0 * path.reversal_threshold / size).clamp(1e-9, 0.1);
    let (mut out, mut closures): (Vec<HysteresisLoop>, Vec<LoopClosure>) = (Vec::new(), Vec::new());
    for rows in rainflow_cycles(x, &path.turns, miss) {
        let RainflowCycle { begin, turn, next, inner } = rows;
        // the first row is no reversal
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
            .filter(|l: &&HysteresisLoop| l.inner && l.rows.begin >= begin && l.last <= last)
            .map(|l| l.area)
            .sum();
        let ends = if up { [begin, turn] } else { [turn, begin] };
        let ways = if up { [(begin, turn), (turn, last)] } else { [(turn, last), (begin, turn)] };
        let (centre, asymmetry) = halves(path, ways, ends.map(|k| x[k]));
        let force = if up { [path.force[last], path.force[turn]] } else { [path.force[turn], path.force[last]] };
        let area = work(path, begin, last) - within;
        out.push(HysteresisLoop {
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

/// The middle of a loop, and how unlike its halves are.
fn halves(path: &HysteresisPath, ways: [(usize, usize); 2], [low, high]: [f64; 2]) -> (f64, f64) {
    const PLACES: usize = 16;
    let edge = |k: usize| low + (high - low) * k as f64 / PLACES as f64;
    // samples that are further than all before them on this way: the others are in loops within
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
    let sums: Vec<f64> =
        (0..PLACES).map(|k| mean(&ways[0].1, k) + mean(&ways[1].1, PLACES - 1 - k)).filter(|s| s.is_finite()).collect();
    let n = sums.len() as f64;
    let middle = sums.iter().sum::<f64>() / n;
    let spread = (sums.iter().map(|s| (s - middle).powi(2)).sum::<f64>() / n).sqrt();
    let [a, b] = [ways[0].0, ways[1].0];
    let rows = a.0.min(b.0)..=a.1.max(b.1);
    (0.5 * middle, 0.5 * spread / super::hysteresis_path::span(&path.force[rows]))
}

/// The force as a loop leaves its first turn and as it comes back: straight lines through the samples before, for there it
/// is smooth. The lines are as long as a tenth of the loop at most.
fn closes(path: &HysteresisPath, begin: usize, turn: usize, last: usize) -> Option<LoopClosure> {
    let (at, tenth) = (path.x[begin], 0.1 * (path.x[turn] - path.x[begin]).abs());
    let before = |end: usize, least: usize| {
        let far = (least..end).rev().find(|k| (path.x[*k] - at).abs() > tenth || end - k >= NEAR);
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
    // a few samples may lie on a line by chance
    let shape = fit.covariance.at(0, 0).max(0.0).sqrt() / fit.sigma.max(f64::MIN_POSITIVE);
    Some((fit.values[0], fit.sigma.max(path.noise[1]) * shape))
}

/// Every time the force was put on and taken off. The force has its zero at `centre`.
pub(super) fn find_unloadings(path: &HysteresisPath, centre: f64) -> Vec<Unloading> {
    let pull = |k: usize| path.force[k] - centre;
    let zero = |from: usize, to: usize| (from..to).find(|k| pull(*k) * pull(k + 1) <= 0.0);
    // where between two rows the force is gone, and the work from there to the nearer row
    let place = |k: usize| {
        let part = if pull(k) == pull(k + 1) { 0.0 } else { pull(k) / (pull(k) - pull(k + 1)) };
        path.x[k] + part * (path.x[k + 1] - path.x[k])
    };
    let done = |from: usize, to: usize| work(path, from, to) - centre * (path.x[to] - path.x[from]);
    let mut out = Vec::new();
    // the rows between which the force was last zero; a virgin way begins there
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
