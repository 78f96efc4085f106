//! Times at which a noisy load point changes its velocity.
//!
//! A servo-controlled load point moves at constant velocities between steps: its displacement is a continuous line of straight
//! pieces. Knots are added where they lower the sum of squares most, then placed by Gauss and Newton, and those that the noise
//! can explain are taken away again: an F-test with the effective number of samples, because a servo's error is correlated.
use super::load_point::LoadPoint;
use crate::NumericsError;
use crate::fit::{LinearOptions, NoiseModel, effective_samples, linear};
use crate::linalg::{Qr, dot};

/// What was measured of the load point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measured {
    Displacement,
    Velocity,
}

/// Number of means on which knots are searched for.
const BINS: usize = 600;
/// Largest number of knots that are tried.
const MAX_KNOTS: usize = 24;
/// F above which a knot is kept: chance exceeds it at the best of some thousand places once in some hundred records.
const LEAST_F: f64 = 12.0;

/// Velocity relative to that before or after it which counts as a hold if the noise allows.
const AT_REST: f64 = 0.02;
/// Change of velocity against a step, relative to it, that counts as ripple.
const RIPPLE: f64 = 0.5;
/// Means beside a step that are searched again sample by sample.
const MAGNIFIED: f64 = 8.0;

/// A line of straight pieces, or of levels, in the time from 0 to 1.
struct Pieces<'a> {
    u: &'a [f64],
    x: &'a [f64],
    measured: Measured,
}

/// A least-squares solution for given knots.
struct Solution {
    coefficients: Vec<f64>,
    residual: Vec<f64>,
    squares: f64,
}

impl Pieces<'_> {
    fn column(&self, knot: f64) -> Vec<f64> {
        self.u
            .iter()
            .map(|u| match self.measured {
                Measured::Displacement => (u - knot).max(0.0),
                Measured::Velocity => f64::from(u8::from(*u > knot)),
            })
            .collect()
    }
    fn base(&self) -> Vec<Vec<f64>> {
        let ones = vec![1.0; self.u.len()];
        match self.measured {
            Measured::Displacement => vec![ones, self.u.to_vec()],
            Measured::Velocity => vec![ones],
        }
    }
    fn columns(&self, knots: &[f64]) -> Vec<Vec<f64>> {
        self.base().into_iter().chain(knots.iter().map(|knot| self.column(*knot))).collect()
    }
    fn solve(&self, knots: &[f64]) -> Solution {
        let columns = self.columns(knots);
        let views: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let coefficients = Qr::new(&views).solve(self.x);
        let mut residual = self.x.to_vec();
        for (column, c) in columns.iter().zip(&coefficients) {
            residual.iter_mut().zip(column).for_each(|(r, x)| *r -= c * x);
        }
        let squares = dot(&residual, &residual);
        Solution { coefficients, residual, squares }
    }
    /// The place where another knot lowers the sum of squares most.
    fn next_knot(&self, knots: &[f64], places: &[f64]) -> Option<f64> {
        let mut basis: Vec<Vec<f64>> = Vec::new();
        let project = |mut column: Vec<f64>, basis: &[Vec<f64>]| {
            for q in basis {
                let share = dot(q, &column);
                column.iter_mut().zip(q).for_each(|(x, q)| *x -= share * q);
            }
            column
        };
        for column in self.columns(knots) {
            let size = dot(&column, &column).sqrt();
            let mut rest = project(project(column, &basis), &basis);
            let left = dot(&rest, &rest).sqrt();
            if left > 1e-9 * size {
                rest.iter_mut().for_each(|x| *x /= left);
                basis.push(rest);
            }
        }
        let residual = project(self.x.to_vec(), &basis);
        let mut best = (0.0, None);
        for place in places {
            let column = self.column(*place);
            let size = dot(&column, &column);
            let rest = project(column, &basis);
            let left = dot(&rest, &rest);
            if left > 1e-10 * size {
                let gain = dot(&rest, &residual).powi(2) / left;
                if gain > best.0 {
                    best = (gain, Some(*place));
                }
            }
        }
        best.1
    }
    /// The knots found on means, each looked at again sample by sample: a servo takes its time from one velocity to the next.
    fn magnified(&self, coarse: &[f64]) -> Vec<f64> {
        if self.u.len() <= BINS {
            return coarse.to_vec();
        }
        let reach = MAGNIFIED / BINS as f64;
        let mut out: Vec<f64> = Vec::new();
        let mut i = 0;
        while i < coarse.len() {
            let mut j = i;
            while j + 1 < coarse.len() && coarse[j + 1] - coarse[j] < 2.0 * reach {
                j += 1;
            }
            let from = self.u.partition_point(|u| *u < coarse[i] - reach);
            let to = self.u.partition_point(|u| *u < coarse[j] + reach);
            let (u, x) = (means(&self.u[from..to], BINS), means(&self.x[from..to], BINS));
            // knots are searched in a time from 0 to 1
            let (first, width) = (u[0], u[u.len() - 1] - u[0]);
            let u: Vec<f64> = u.iter().map(|u| (u - first) / width).collect();
            let local = Pieces { u: &u, x: &x, measured: self.measured };
            let mut near = search(&local);
            local.remove_ripple(&mut near);
            if near.is_empty() {
                out.extend(&coarse[i..=j]);
            } else {
                out.extend(near.iter().map(|u| first + u * width));
            }
            i = j + 1;
        }
        out
    }
    /// Takes away knots until no small change of velocity opposes the whole one: a servo on its way from one velocity to the next,
    /// without its ripple before and after. A step up and down again stays.
    fn remove_ripple(&self, knots: &mut Vec<f64>) {
        let base = self.base().len();
        while knots.len() > 1 {
            let now = self.solve(knots);
            let changes = &now.coefficients[base..];
            let whole: f64 = changes.iter().sum();
            let opposes = |c: f64| c * whole < 0.0 && c.abs() < RIPPLE * whole.abs();
            if !changes.iter().any(|c| opposes(*c)) {
                return;
            }
            let without = |i: usize| {
                let mut fewer = knots.clone();
                fewer.remove(i);
                self.solve(&fewer).squares
            };
            let squares: Vec<f64> = (0..knots.len()).map(without).collect();
            let Some(least) = (0..knots.len()).min_by(|a, b| squares[*a].total_cmp(&squares[*b])) else { return };
            knots.remove(least);
            self.refine(knots);
        }
    }
    /// Moves the knots to the least sum of squares.
    fn refine(&self, knots: &mut [f64]) {
        if knots.is_empty() {
            return;
        }
        if self.measured == Measured::Velocity {
            self.refine_levels(knots);
            return;
        }
        let n = knots.len();
        let mut now = self.solve(knots);
        for _ in 0..30 {
            let jumps = &now.coefficients[2..];
            let mut columns = self.columns(knots);
            columns.extend(
                knots.iter().zip(jumps).map(|(knot, jump)| {
                    self.u.iter().map(|u| if u > knot { -jump } else { 0.0 }).collect::<Vec<f64>>()
                }),
            );
            let views: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
            let change = Qr::new(&views).solve(&now.residual);
            let change = &change[2 + n..];
            // halve the step until it helps; knots keep their order
            let mut part = 1.0;
            let mut moved = false;
            for _ in 0..12 {
                let next: Vec<f64> = knots.iter().zip(change).map(|(knot, d)| knot + part * d).collect();
                let ordered = next.windows(2).all(|w| w[0] < w[1]);
                if ordered && next.iter().all(|u| (0.0..1.0).contains(u)) {
                    let trial = self.solve(&next);
                    if trial.squares < now.squares {
                        moved = trial.squares < now.squares * (1.0 - 1e-9);
                        knots.copy_from_slice(&next);
                        now = trial;
                        break;
                    }
                }
                part *= 0.5;
            }
            if !moved {
                break;
            }
        }
    }
    /// Standard deviations of the knots, for noise that may be correlated.
    fn knot_errors(&self, knots: &[f64]) -> Vec<f64> {
        if self.measured == Measured::Velocity {
            return vec![0.0; knots.len()];
        }
        let now = self.solve(knots);
        let mut columns = self.columns(knots);
        for (knot, jump) in knots.iter().zip(&now.coefficients[2..]) {
            columns.push(self.u.iter().map(|u| if u > knot { -jump } else { 0.0 }).collect());
        }
        let views: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let options = LinearOptions { noise: NoiseModel::correlated(), ..LinearOptions::default() };
        match linear(&views, &now.residual, &options) {
            Ok(fit) => fit.covariance.standard_errors()[2 + knots.len()..].to_vec(),
            Err(_) => vec![f64::INFINITY; knots.len()],
        }
    }
    /// Levels change between two samples: each knot goes to the best gap near it.
    fn refine_levels(&self, knots: &mut [f64]) {
        for _ in 0..2 {
            for i in 0..knots.len() {
                let j = self.u.partition_point(|u| *u <= knots[i]);
                let reach = (self.u.len() / BINS).max(1) * 2;
                let low = if i > 0 { self.u.partition_point(|u| *u <= knots[i - 1]) + 1 } else { 1 };
                let high = knots.get(i + 1).map_or(self.u.len(), |next| self.u.partition_point(|u| u <= next)) - 1;
                let mut best = (self.solve(knots).squares, knots[i]);
                for gap in j.saturating_sub(reach).max(low)..=(j + reach).min(high) {
                    let mut trial = knots.to_vec();
                    trial[i] = 0.5 * (self.u[gap - 1] + self.u[gap]);
                    let squares = self.solve(&trial).squares;
                    if squares < best.0 {
                        best = (squares, trial[i]);
                    }
                }
                knots[i] = best.1;
            }
        }
    }
}

/// Means over `count` parts of equal size.
fn means(x: &[f64], count: usize) -> Vec<f64> {
    let count = count.min(x.len());
    (0..count)
        .map(|k| {
            let part = &x[k * x.len() / count..(k + 1) * x.len() / count];
            part.iter().sum::<f64>() / part.len() as f64
        })
        .collect()
}

/// Finds the steps of a load point, or takes the given ones, and its velocities between them.
pub(super) fn find_steps(
    t: &[f64],
    x: &[f64],
    measured: Measured,
    given: Option<&[f64]>,
) -> Result<LoadPoint, NumericsError> {
    let need = 8;
    let (Some(first), Some(last)) = (t.first(), t.last()) else {
        return Err(NumericsError::TooFew { what: "samples", need, have: 0 });
    };
    if t.len() < need {
        return Err(NumericsError::TooFew { what: "samples", need, have: t.len() });
    }
    let (from, span) = (*first, last - first);
    let u: Vec<f64> = t.iter().map(|t| (t - from) / span).collect();
    // a large common part of the displacement would cost digits
    let x0 = if measured == Measured::Displacement { x[0] } else { 0.0 };
    let x: Vec<f64> = x.iter().map(|x| x - x0).collect();
    let all = Pieces { u: &u, x: &x, measured };
    let (knots, deviations) = match given {
        Some(times) => {
            if let Some(outside) = times.iter().find(|t| **t <= *first || **t >= *last) {
                let must = "within the record";
                return Err(NumericsError::InvalidValue { name: "time of a step", value: *outside, must });
            }
            let mut knots: Vec<f64> = times.iter().map(|t| (t - from) / span).collect();
            knots.sort_by(f64::total_cmp);
            let deviations = vec![0.0; knots.len()];
            (knots, deviations)
        }
        None => {
            let coarse = [means(&u, BINS), means(&x, BINS)];
            let knots = search(&Pieces { u: &coarse[0], x: &coarse[1], measured });
            let mut knots = all.magnified(&knots);
            all.refine(&mut knots);
            let deviations = all.knot_errors(&knots);
            (knots, deviations)
        }
    };
    let solution = all.solve(&knots);
    let rms = (solution.squares / (t.len() as f64 - 2.0 - 2.0 * knots.len() as f64).max(1.0)).sqrt();
    let inflation = (t.len() as f64 / effective_samples(&solution.residual).max(1.0)).max(1.0).sqrt();
    // velocities per unit of time, and their errors
    let offset = if measured == Measured::Displacement { 1 } else { 0 };
    let scale = if measured == Measured::Displacement { 1.0 / span } else { 1.0 };
    let mut velocity = Vec::with_capacity(knots.len() + 1);
    let mut sum = 0.0;
    for c in &solution.coefficients[offset..] {
        sum += c;
        velocity.push(sum * scale);
    }
    let ends = |i: usize| [if i == 0 { 0.0 } else { knots[i - 1] }, knots.get(i).copied().unwrap_or(1.0)];
    let mut errors = Vec::with_capacity(velocity.len());
    for i in 0..velocity.len() {
        let [a, b] = ends(i);
        let count = (u.partition_point(|u| *u <= b) - u.partition_point(|u| *u < a)).max(1) as f64;
        // slope of a line of that many samples, or their mean
        let error = match measured {
            Measured::Displacement => inflation * rms * 12.0_f64.sqrt() / (count.sqrt() * (b - a) * span),
            Measured::Velocity => inflation * rms / count.sqrt(),
        };
        errors.push(error);
    }
    // a hold: at rest within its error, and slow beside its neighbours
    for i in 1..velocity.len() {
        let beside = velocity[i - 1].max(velocity.get(i + 1).copied().unwrap_or(0.0));
        if velocity[i].abs() < 4.0 * errors[i] && velocity[i] < AT_REST * beside {
            velocity[i] = 0.0;
        }
    }
    let gap = span / (t.len() - 1) as f64;
    let start = std::iter::once(from).chain(knots.iter().map(|u| from + u * span)).collect();
    let sigma = |d: &f64| match (measured, given) {
        (_, Some(_)) => 0.0,
        (Measured::Displacement, None) => d * span,
        (Measured::Velocity, None) => gap / 12.0_f64.sqrt(),
    };
    let uncertainty = std::iter::once(0.0).chain(deviations.iter().map(sigma)).collect();
    Ok(LoadPoint { start, velocity, uncertainty, noise: rms })
}

/// The knots that the means show beyond their noise.
fn search(means: &Pieces<'_>) -> Vec<f64> {
    let n = means.u.len();
    let mut knots: Vec<f64> = Vec::new();
    let mut history = vec![means.solve(&knots).squares];
    let total = dot(means.x, means.x).max(f64::MIN_POSITIVE);
    while knots.len() < MAX_KNOTS && 4 * (knots.len() + 2) < n {
        let free = |place: &f64| knots.iter().all(|knot| (knot - place).abs() > 2.5 / n as f64);
        let places: Vec<f64> = means.u.windows(2).map(|w| 0.5 * (w[0] + w[1])).filter(free).collect();
        let Some(next) = means.next_knot(&knots, &places) else { break };
        knots.push(next);
        knots.sort_by(f64::total_cmp);
        if means.measured == Measured::Displacement {
            means.refine(&mut knots);
        }
        let squares = means.solve(&knots).squares;
        history.push(squares);
        // nothing left but rounding, or three knots in turn without use
        let stale = history.len() > 4 && squares > 0.97 * history[history.len() - 4];
        if squares < 1e-26 * total || stale {
            break;
        }
    }
    // take away what noise explains, the least useful first
    let mut now = means.solve(&knots);
    while !knots.is_empty() {
        let mut best: Option<(Vec<f64>, Solution)> = None;
        for i in 0..knots.len() {
            let mut fewer = knots.clone();
            fewer.remove(i);
            let solution = means.solve(&fewer);
            if best.as_ref().is_none_or(|(_, least)| solution.squares < least.squares) {
                best = Some((fewer, solution));
            }
        }
        let Some((mut fewer, _)) = best else { break };
        means.refine(&mut fewer);
        let solution = means.solve(&fewer);
        let samples = effective_samples(&now.residual);
        let freedom = (samples - 2.0 - 2.0 * knots.len() as f64).max(1.0);
        let f = 0.5 * (solution.squares - now.squares) / (now.squares / freedom).max(1e-26 * total);
        if f > LEAST_F {
            break;
        }
        knots = fewer;
        now = solution;
    }
    knots
}
