//! Closed loops of a path, and what is left of a displacement when the force is gone.
use super::Path;
use crate::analysis::turns::{Closed, closed};
use crate::fit::{LinearOptions, linear};

/// Samples on each side by which a force at a place is found.
const NEAR: usize = 12;

/// A measured loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
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
    pub rows: Closed,
}

/// How an inner loop closes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closure {
    /// Force where it closes less force where it began \[N\].
    pub force: f64,
    /// Standard error of that \[N\].
    pub error: f64,
}

/// A force that was put on and taken off (Nouri2004, fig. 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Release {
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
fn work(path: &Path, from: usize, to: usize) -> f64 {
    (from..to).map(|k| 0.5 * (path.force[k] + path.force[k + 1]) * (path.x[k + 1] - path.x[k])).sum()
}

/// The loops of a path, in the order of closing, and how the inner ones close.
pub(super) fn loops(path: &Path) -> (Vec<Loop>, Vec<Closure>) {
    let x = &path.x;
    let size = super::path::span(x);
    let miss = (2.0 * path.back / size).clamp(1e-9, 0.1);
    let (mut out, mut closures): (Vec<Loop>, Vec<Closure>) = (Vec::new(), Vec::new());
    for rows in closed(x, &path.turns, miss) {
        let Closed { begin, turn, next, inner } = rows;
        let up = x[turn] > x[begin];
        let there = |k: &usize| if up { x[*k] <= x[begin] } else { x[*k] >= x[begin] };
        let last = (turn..=next).find(there).unwrap_or(next);
        if last <= turn + 2 || turn <= begin + 2 {
            continue;
        }
        let within: f64 =
            out.iter().filter(|l: &&Loop| l.inner && l.rows.begin >= begin && l.last <= last).map(|l| l.area).sum();
        let ends = if up { [begin, turn] } else { [turn, begin] };
        let ways = if up { [(begin, turn), (turn, last)] } else { [(turn, last), (begin, turn)] };
        let (centre, asymmetry) = halves(path, ways, ends.map(|k| x[k]));
        let force = if up { [path.force[last], path.force[turn]] } else { [path.force[turn], path.force[last]] };
        let area = work(path, begin, last) - within;
        out.push(Loop { t: path.t[begin], x: ends.map(|k| x[k]), force, area, centre, asymmetry, inner, last, rows });
        if inner && let Some(closure) = closes(path, begin, turn, last) {
            closures.push(closure);
        }
    }
    (out, closures)
}

/// The middle of a loop, and how unlike its halves are.
fn halves(path: &Path, ways: [(usize, usize); 2], [low, high]: [f64; 2]) -> (f64, f64) {
    const PLACES: usize = 16;
    let mean = |(from, to): (usize, usize), k: usize| {
        let edge = |k: usize| low + (high - low) * k as f64 / PLACES as f64;
        let list: Vec<f64> =
            (from..=to).filter(|r| (edge(k)..=edge(k + 1)).contains(&path.x[*r])).map(|r| path.force[r]).collect();
        list.iter().sum::<f64>() / list.len() as f64
    };
    let sums: Vec<f64> =
        (0..PLACES).map(|k| mean(ways[0], k) + mean(ways[1], PLACES - 1 - k)).filter(|s| s.is_finite()).collect();
    let n = sums.len() as f64;
    let middle = sums.iter().sum::<f64>() / n;
    let spread = (sums.iter().map(|s| (s - middle).powi(2)).sum::<f64>() / n).sqrt();
    let rows = ways[0].0.min(ways[1].0)..=ways[0].1.max(ways[1].1);
    (0.5 * middle, 0.5 * spread / super::path::span(&path.force[rows]))
}

/// The force as a loop leaves its first turn and as it comes back: straight lines through the samples about the place.
fn closes(path: &Path, begin: usize, turn: usize, last: usize) -> Option<Closure> {
    let at = path.x[begin];
    let before = begin.saturating_sub(NEAR)..begin + 1;
    let after = last.saturating_sub(NEAR / 2).max(turn + 1)..(last + NEAR / 2 + 1).min(path.x.len());
    // before the turn on the way there; after it on the way back
    let (left, a) = level(path, before, at)?;
    let (came, b) = level(path, after, at)?;
    Some(Closure { force: came - left, error: a.hypot(b).hypot(path.noise[1] / (NEAR as f64).sqrt()) })
}

fn level(path: &Path, rows: std::ops::Range<usize>, at: f64) -> Option<(f64, f64)> {
    let x: Vec<f64> = path.x[rows.clone()].iter().map(|x| x - at).collect();
    let one = vec![1.0; x.len()];
    let fit = linear(&[&one, &x], &path.force[rows], &LinearOptions::default()).ok()?;
    Some((fit.values[0], fit.covariance.at(0, 0).max(0.0).sqrt()))
}

/// Every time the force was put on and taken off. The force has its zero at `centre`.
pub(super) fn releases(path: &Path, centre: f64) -> Vec<Release> {
    let mut out = Vec::new();
    let free =
        |from: usize, to: usize| (from..to).find(|k| (path.force[*k] - centre) * (path.force[*k + 1] - centre) <= 0.0);
    // since when the force is on this side
    let mut since = path.branches.first().filter(|b| b.virgin).map(|b| b.rows.start);
    for pair in path.branches.windows(2) {
        let (turn, end) = (pair[1].rows.start, pair[1].rows.end - 1);
        // past the noise about zero, if the way begins there
        let crossed = free(turn, end);
        if since.is_none() {
            since = free(pair[0].rows.start, turn);
        }
        let (Some(from), Some(to)) = (since, crossed) else { continue };
        let force = path.force[turn] - centre;
        if force * pair[0].direction > 0.0 {
            let back = (path.x[turn] - path.x[to]).abs();
            let lost = (path.x[to] - path.x[from]).abs();
            let shift = centre * (path.x[turn] - path.x[from]);
            out.push(Release {
                t: path.t[turn],
                force: path.force[turn],
                elastic: back,
                plastic: lost,
                spent: work(path, from, turn) - shift,
                recovered: -(work(path, turn, to) - centre * (path.x[to] - path.x[turn])),
            });
        }
        since = Some(to);
    }
    out
}
