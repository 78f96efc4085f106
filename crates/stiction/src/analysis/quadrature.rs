//! Integrals and values along a sampled path.
//!
//! A path is smooth except at events. The simulator writes an extra row there, off its grid, and two rows where a quantity
//! jumps. Between such rows the path is interpolated by cubics through four samples, or by lower degrees with fewer
//! samples.

/// Number of samples of a cubic.
const POINTS: usize = 4;
/// Gauss's three points on [0, 1] and their weights: exact to the fifth degree, that of a cubic times its slope.
const GAUSS: [(f64, f64); 3] =
    [(0.112_701_665_379_258_31, 5.0 / 18.0), (0.5, 4.0 / 9.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

/// A path over its parameter (usually time), divided into smooth pieces.
pub struct PiecewiseCubic<'a> {
    t: &'a [f64],
    /// Rows where the path is not smooth.
    cut: Vec<bool>,
    /// Shorter steps count as jumps.
    least: f64,
}

impl<'a> PiecewiseCubic<'a> {
    /// Divides at rows off the grid, at rows of the same instant, and at `turns`. A path that is not `smooth` is piecewise
    /// linear.
    pub fn new(t: &'a [f64], turns: &[usize], smooth: bool) -> Self {
        let mut cut = vec![!smooth; t.len()];
        turns.iter().for_each(|&k| cut[k] = true);
        let mut steps: Vec<f64> = t.windows(2).map(|w| w[1] - w[0]).filter(|dt| *dt > 0.0).collect();
        let middle = steps.len() / 2;
        let usual = if steps.is_empty() { 0.0 } else { *steps.select_nth_unstable_by(middle, f64::total_cmp).1 };
        let least = 1e-6 * usual;
        for k in 0..t.len() {
            let before = if k > 0 { t[k] - t[k - 1] } else { f64::INFINITY };
            let after = if k + 1 < t.len() { t[k + 1] - t[k] } else { f64::INFINITY };
            // an extra row splits a step of the grid in two
            cut[k] |= before <= least || after <= least || before + after < 1.001 * usual;
        }
        Self { t, cut, least }
    }
    /// First and last row of the cubic for the step from row `i` to the next.
    fn stencil(&self, i: usize) -> (usize, usize) {
        let (mut lo, mut hi) = (i, i + 1);
        for _ in 0..POINTS {
            if hi - lo + 1 < POINTS && !self.cut[lo] && lo > 0 {
                lo -= 1;
            }
            if hi - lo + 1 < POINTS && !self.cut[hi] && hi + 1 < self.t.len() {
                hi += 1;
            }
        }
        (lo, hi)
    }
    /// Value and slope of `y` at `t`, within the step from row `i` to the next.
    fn value(&self, y: &[f64], i: usize, t: f64) -> (f64, f64) {
        let (lo, hi) = self.stencil(i);
        let x = &self.t[lo..=hi];
        let (mut sum, mut slope) = (0.0, 0.0);
        for a in 0..x.len() {
            let (mut p, mut d) = (1.0, 0.0);
            for b in (0..x.len()).filter(|&b| b != a) {
                let w = x[a] - x[b];
                (p, d) = (p * (t - x[b]) / w, d * (t - x[b]) / w + p / w);
            }
            sum += p * y[lo + a];
            slope += d * y[lo + a];
        }
        (sum, slope)
    }
    /// `∫ f dg` over the step from row `i` to the next, up to the fraction `part` of it.
    fn step(&self, f: &[f64], g: &[f64], i: usize, part: f64) -> f64 {
        let (t, h) = (self.t[i], part * (self.t[i + 1] - self.t[i]));
        if self.t[i + 1] - t <= self.least {
            // a jump: the mean of both values
            return 0.5 * (f[i] + f[i + 1]) * (g[i + 1] - g[i]) * part;
        }
        GAUSS
            .iter()
            .map(|(at, weight)| (t + at * h, weight * h))
            .map(|(t, w)| w * self.value(f, i, t).0 * self.value(g, i, t).1)
            .sum()
    }
    /// `∫ f dg` from row `from` to the position `to`.
    pub fn integral(&self, f: &[f64], g: &[f64], from: usize, to: PathPosition) -> f64 {
        let whole: f64 = (from..to.row).map(|i| self.step(f, g, i, 1.0)).sum();
        if to.part > 0.0 { whole + self.step(f, g, to.row, to.part) } else { whole }
    }
    /// The value of `y` at a position.
    pub fn at(&self, y: &[f64], place: PathPosition) -> f64 {
        let PathPosition { row, part } = place;
        if part <= 0.0 {
            return y[row];
        }
        let (a, b) = (self.t[row], self.t[row + 1]);
        if b - a > self.least {
            self.value(y, row, a + part * (b - a)).0
        } else {
            y[row] + part * (y[row + 1] - y[row])
        }
    }
    /// The first position from row `from` to `to` where `y` reaches `level`, by bisection within a step.
    pub fn reach(&self, y: &[f64], level: f64, from: usize, to: usize) -> Option<PathPosition> {
        if y[from] == level {
            return Some(PathPosition { row: from, part: 0.0 });
        }
        let row = (from..to).find(|&i| (y[i] - level) * (y[i + 1] - level) <= 0.0)?;
        if y[row + 1] == level {
            return Some(PathPosition { row: row + 1, part: 0.0 });
        }
        let (mut lo, mut hi, side) = (0.0, 1.0, (y[row] - level).signum());
        // as many halvings as a fraction has bits
        for _ in 0..52 {
            let part = 0.5 * (lo + hi);
            if (self.at(y, PathPosition { row, part }) - level) * side > 0.0 { lo = part } else { hi = part }
        }
        Some(PathPosition { row, part: 0.5 * (lo + hi) })
    }
}

/// A position on a path: a row, and a fraction of the step to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPosition {
    /// Row.
    pub row: usize,
    /// Fraction of the step after it, from 0 to below 1.
    pub part: f64,
}

#[cfg(test)]
mod tests {
    use super::{PathPosition, PiecewiseCubic};

    /// Fourth order on a smooth path, exact for cubics, and a kink on an extra row costs nothing.
    #[test]
    fn smooth_pieces_are_cubic_and_kinks_are_kept() {
        let area = |n: i32| {
            let t: Vec<f64> = (0..=n).map(|k| std::f64::consts::TAU * f64::from(k) / f64::from(n)).collect();
            let [s, c]: [Vec<f64>; 2] = [t.iter().map(|t| t.sin()).collect(), t.iter().map(|t| t.cos()).collect()];
            PiecewiseCubic::new(&t, &[], true).integral(&c, &s, 0, PathPosition { row: n as usize, part: 0.0 })
        };
        let [coarse, fine] = [area(100), area(200)].map(|a| (a - std::f64::consts::PI).abs());
        // fourth order: (2π/200)⁴
        assert!(fine < 1e-6 && coarse / fine > 12.0, "{coarse} {fine}");
        // |t| through 0.05, which is no place of the grid
        let mut t: Vec<f64> = (0..=10).map(|k| f64::from(k) * 0.1 - 0.55).collect();
        t.insert(6, 0.0);
        let f: Vec<f64> = t.iter().map(|t| t.abs()).collect();
        let pieces = PiecewiseCubic::new(&t, &[], true);
        let sum = pieces.integral(&f, &t, 0, PathPosition { row: t.len() - 1, part: 0.0 });
        // a cubic is exact on straight pieces: rounding
        assert!((sum - (0.55_f64.powi(2) + 0.45_f64.powi(2)) / 2.0).abs() < 1e-15);
        let place = pieces.reach(&f, 0.02, 6, t.len() - 1).unwrap();
        assert!((pieces.at(&t, place) - 0.02).abs() < 1e-15);
    }
}
