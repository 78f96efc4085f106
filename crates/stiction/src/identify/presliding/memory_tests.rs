//! Tests of the memory of presliding: whether all branches follow one curve (Masing's rule), whether it is the same in both
//! directions (point symmetry), and whether loops close (return-point memory).
use super::hysteresis_loops::LoopClosure;
use super::pooled_branches::PooledBranches;
use super::{BranchSegment, HysteresisPath};
use crate::fit::{LinearOptions, effective_samples, linear};

/// Number of knots of a free curve.
const KNOTS: usize = 12;
/// Standard errors beyond which a difference is significant.
const SIGNIFICANCE: f64 = 3.0;
/// A difference below this share of the force is negligible, even if significant.
pub(super) const NEGLIGIBLE_SHARE: f64 = 0.01;

/// Result of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryTest {
    /// `Masing`, `virgin`, `symmetry`, `return point`.
    pub name: &'static str,
    /// The difference as a share of the range of the force.
    pub part: f64,
    /// The difference in standard errors.
    pub errors: f64,
    /// Number of branches or loops compared.
    pub count: usize,
    /// Whether the property holds: the difference is not significant, or negligible.
    pub holds: bool,
}

impl MemoryTest {
    /// Whether the difference is not significant.
    pub fn is_chance(&self) -> bool {
        self.errors.abs() < SIGNIFICANCE
    }
    fn new(name: &'static str, part: f64, errors: f64, count: usize) -> Self {
        Self { name, part, errors, count, holds: part.abs() < NEGLIGIBLE_SHARE || errors.abs() < SIGNIFICANCE }
    }
}

/// A piecewise linear curve over travel, with knots that are denser near the reversal.
struct FreeCurve {
    knots: Vec<f64>,
    values: Vec<f64>,
    squares: f64,
    rest: Vec<f64>,
    count: usize,
}

impl FreeCurve {
    fn knots(low: f64, top: f64, count: usize) -> Vec<f64> {
        (0..=count).map(|k| low + (top - low) * (k as f64 / count as f64).powi(2)).collect()
    }
    /// Value at `z` of the hat function of knot `k`.
    fn hat(knots: &[f64], k: usize, z: f64) -> f64 {
        let up = |a: f64, b: f64| ((z - a) / (b - a)).max(0.0);
        let rise = up(knots[k - 1], knots[k]);
        let fall = if k + 1 < knots.len() { up(knots[k], knots[k + 1]) } else { 0.0 };
        (rise.min(1.0) - fall).max(0.0)
    }
    /// Fits the selected branches.
    fn new(pool: &PooledBranches, knots: &[f64], which: impl Fn(usize) -> bool) -> Option<Self> {
        let parts: Vec<_> = pool.parts().enumerate().filter(|(i, _)| which(*i)).map(|(_, part)| part).collect();
        let rows: Vec<usize> = parts.iter().cloned().flatten().collect();
        let y: Vec<f64> = rows.iter().map(|i| pool.force[*i]).collect();
        // knots without samples are left out; the curve is zero at the reversal, since the force there is free
        let column = |k: usize| -> Vec<f64> {
            let all: Vec<f64> = pool.z.iter().map(|z| Self::hat(knots, k, *z)).collect();
            let all = pool.centred(&all);
            rows.iter().map(|i| all[*i]).collect()
        };
        let mut kept = vec![0.0];
        let mut columns: Vec<Vec<f64>> = Vec::new();
        for (k, knot) in knots.iter().enumerate().skip(1) {
            let c = column(k);
            if c.iter().map(|x| x * x).sum::<f64>() > 0.5 {
                kept.push(*knot);
                columns.push(c);
            }
        }
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let fit = linear(&columns, &y, &LinearOptions::default()).ok()?;
        let n = columns.len();
        let squares = fit.residual.iter().map(|r| r * r).sum();
        let values = std::iter::once(0.0).chain(fit.values.iter().copied()).collect();
        Some(Self { knots: kept, values, squares, rest: fit.residual, count: n })
    }
    fn at(&self, z: f64) -> f64 {
        let k = self.knots.partition_point(|x| *x <= z).clamp(1, self.knots.len() - 1);
        let (a, b) = (self.knots[k - 1], self.knots[k]);
        self.values[k - 1] + (self.values[k] - self.values[k - 1]) * (z - a) / (b - a)
    }
}

/// Tests whether all branches follow one curve from their reversal. `range` is that of the force.
pub(super) fn masing(pool: &PooledBranches, range: f64) -> Option<MemoryTest> {
    let knots = FreeCurve::knots(0.0, pool.longest(), KNOTS);
    let common = FreeCurve::new(pool, &knots, |_| true)?;
    let own: Vec<FreeCurve> = pool
        .parts()
        .enumerate()
        .filter_map(|(i, part)| {
            let (n, z) = (part.len(), &pool.z[part]);
            let (low, top) = z.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), z| (a.min(*z), b.max(*z)));
            FreeCurve::new(pool, &FreeCurve::knots(low, top, (n / 4).clamp(2, KNOTS)), |k| k == i)
        })
        .collect();
    if own.len() < 2 || own.len() < pool.begins.len() {
        return None;
    }
    let squares: f64 = own.iter().map(|f| f.squares).sum();
    let numbers: usize = own.iter().map(|f| f.count).sum();
    let (n, more) = (pool.z.len() as f64, numbers.saturating_sub(common.count) as f64);
    let rest: Vec<f64> = own.iter().flat_map(|f| f.rest.iter().copied()).collect();
    let growth = (n / effective_samples(&rest)).max(1.0);
    let gained = (common.squares - squares).max(0.0);
    let left = squares / (n - numbers as f64).max(1.0);
    // without a difference, the gain per added parameter is the noise variance, with a relative deviation of √(2/more)
    let errors = if left > 0.0 {
        (gained / more.max(1.0) / (left * growth) - 1.0) / (2.0 / more.max(1.0)).sqrt()
    } else {
        f64::INFINITY
    };
    Some(MemoryTest::new("Masing", (gained / n).sqrt() / range, errors.max(0.0), own.len()))
}

/// Tests whether rising and falling branches are equal. Each branch is the common curve times a factor; the standard error
/// follows from the scatter of the factors within a direction, and is at least that of the noise.
pub(super) fn symmetry(pool: &PooledBranches) -> Option<MemoryTest> {
    let common = FreeCurve::new(pool, &FreeCurve::knots(0.0, pool.longest(), KNOTS), |_| true)?;
    let curve = pool.centred(&pool.z.iter().map(|z| common.at(*z)).collect::<Vec<f64>>());
    let noise = common.squares / pool.z.len().saturating_sub(common.count).max(1) as f64;
    // weight and factor of a branch
    let factor = |part: std::ops::Range<usize>| {
        let weight: f64 = curve[part.clone()].iter().map(|c| c * c).sum();
        let along: f64 = curve[part.clone()].iter().zip(&pool.force[part]).map(|(c, f)| c * f).sum();
        (weight, along / weight)
    };
    let side = |d: f64| {
        let mine = pool.parts().zip(&pool.directions).filter(|(_, x)| **x == d).map(|(part, _)| factor(part));
        let list: Vec<(f64, f64)> = mine.filter(|(weight, _)| *weight > 0.0).collect();
        let all: f64 = list.iter().map(|(w, _)| w).sum();
        let mean = list.iter().map(|(w, g)| w * g).sum::<f64>() / all;
        let spread: f64 = list.iter().map(|(w, g)| w * (g - mean).powi(2)).sum();
        let scatter = if list.len() > 1 { spread / (list.len() as f64 - 1.0) } else { noise };
        (mean, scatter.max(noise) / all)
    };
    let ((up, a), (down, b)) = (side(1.0), side(-1.0));
    let difference = 2.0 * (up - down) / (up + down);
    let error = (a + b).sqrt();
    let errors = if error > 0.0 { difference / error } else { f64::INFINITY };
    difference.is_finite().then(|| MemoryTest::new("symmetry", difference, errors, pool.begins.len()))
}

/// Tests whether the virgin curve is the branch function at half scale: `½·Fd(2x)`.
pub(super) fn virgin(paths: &[HysteresisPath], pool: &PooledBranches) -> Option<MemoryTest> {
    let common = FreeCurve::new(pool, &FreeCurve::knots(0.0, pool.longest(), KNOTS), |_| true)?;
    let (mut zz, mut zf, mut count) = (0.0, 0.0, 0);
    let mut rest: Vec<f64> = Vec::new();
    for path in paths {
        for way in path.usable().iter().filter(|way| way.virgin) {
            let Some((model, force)) = first_way(way, &common) else { continue };
            zz += model.iter().map(|m| m * m).sum::<f64>();
            zf += model.iter().zip(&force).map(|(m, f)| m * f).sum::<f64>();
            let gain = zf / zz;
            rest.extend(model.iter().zip(&force).map(|(m, f)| f - gain * m));
            count += 1;
        }
    }
    if count == 0 {
        return None;
    }
    let n = rest.len() as f64;
    let variance = rest.iter().map(|r| r * r).sum::<f64>() / (n - 1.0).max(1.0) / effective_samples(&rest).max(1.0) * n;
    Some(MemoryTest::new("virgin", zf / zz - 1.0, (zf / zz - 1.0) / (variance / zz).sqrt(), count))
}

/// Model and measured force of a virgin curve, each without its mean.
fn first_way(
    BranchSegment { direction, z, force, .. }: &BranchSegment,
    common: &FreeCurve,
) -> Option<(Vec<f64>, Vec<f64>)> {
    let top = common.knots[common.knots.len() - 1];
    let pairs: Vec<(f64, f64)> = z
        .iter()
        .zip(force)
        .filter(|(z, _)| 2.0 * **z <= top)
        .map(|(z, f)| (0.5 * common.at(2.0 * z), direction * f))
        .collect();
    if pairs.len() < 8 {
        return None;
    }
    let n = pairs.len() as f64;
    let [m, f] = [pairs.iter().map(|p| p.0).sum::<f64>() / n, pairs.iter().map(|p| p.1).sum::<f64>() / n];
    Some(pairs.iter().map(|p| (p.0 - m, p.1 - f)).unzip())
}

/// Tests whether inner loops close. `range` is that of the force.
pub(super) fn return_point(closures: &[LoopClosure], range: f64) -> Option<MemoryTest> {
    let worst = closures.iter().max_by(|a, b| (a.force.abs() / range).total_cmp(&(b.force.abs() / range)))?;
    // correction for the largest of several differences
    let several = (2.0 * (closures.len() as f64).ln()).sqrt().max(1.0);
    let errors = worst.force.abs() / worst.error.max(1e-12 * range) / several;
    Some(MemoryTest::new("return point", worst.force.abs() / range, errors, closures.len()))
}
