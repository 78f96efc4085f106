//! Covariance matrix adaptation evolution strategy, CMA-ES (Hansen2001): for cost functions with many local minima or without
//! derivatives.
use super::{Random, SearchJournal};
use crate::linalg::Svd;

/// Options of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CmaOptions {
    /// Seed of the random numbers.
    pub seed: u32,
    /// Population size; 4 + 3·ln(n) if there is none.
    pub population: Option<usize>,
    /// Initial standard deviation, as a fraction of the range.
    pub initial_step: f64,
    /// Maximum number of cost evaluations.
    pub evaluations: usize,
    /// Standard deviation at which the search has converged.
    pub tolerance: f64,
    /// Number of restarts, each from a random point with twice the population (Auger2005).
    pub restarts: usize,
}

impl Default for CmaOptions {
    fn default() -> Self {
        Self { seed: 1, population: None, initial_step: 0.3, evaluations: 20_000, tolerance: 1e-9, restarts: 2 }
    }
}

/// The best point found.
#[derive(Clone, Debug, PartialEq)]
pub struct Minimum {
    /// The point.
    pub point: Vec<f64>,
    /// Its cost.
    pub cost: f64,
    /// Number of cost evaluations.
    pub evaluations: usize,
    /// Whether the last search converged.
    pub converged: bool,
}

/// Minimises the cost in the unit cube, beginning at `start`. Points outside are reflected into it; a cost of NaN counts as
/// infinite.
pub fn minimise(start: &[f64], cost: &dyn Fn(&[f64]) -> f64, how: &CmaOptions) -> Minimum {
    minimise_from(start, cost, how, &mut SearchJournal::default(), &mut |_, _| true)
}

/// Told the best point so far and what is finished; returns whether to continue.
pub(super) type Observer<'a> = &'a mut dyn FnMut(&Minimum, &SearchJournal) -> bool;

/// As [`minimise`]; generations that the journal has are not computed again.
pub(super) fn minimise_from(
    start: &[f64],
    cost: &dyn Fn(&[f64]) -> f64,
    how: &CmaOptions,
    journal: &mut SearchJournal,
    observer: Observer<'_>,
) -> Minimum {
    let n = start.len();
    let mut random = Random::new(how.seed);
    let mut best = Minimum { point: start.to_vec(), cost: f64::INFINITY, evaluations: 0, converged: false };
    let mut population = how.population.unwrap_or(4 + (3.0 * (n.max(1) as f64).ln()) as usize).max(4);
    let mut from = start.to_vec();
    let mut stopped = false;
    let mut watch = |best: &Minimum, journal: &SearchJournal| {
        stopped |= !observer(best, journal);
        !stopped
    };
    for _ in 0..=how.restarts {
        best.converged = evolve(from, population, cost, how, &mut random, &mut best, (&mut *journal, &mut watch));
        if !watch(&best, journal) {
            break;
        }
        if best.evaluations + 2 * population > how.evaluations || n == 0 {
            break;
        }
        population *= 2;
        from = (0..n).map(|_| random.uniform()).collect();
    }
    best
}

/// Reflects into the unit interval.
fn reflect(x: f64) -> f64 {
    let x = x.rem_euclid(2.0);
    if x > 1.0 { 2.0 - x } else { x }
}

/// One search; true if it converged. The constants are those of Hansen's tutorial (Hansen2016).
fn evolve(
    mut mean: Vec<f64>,
    population: usize,
    cost: &dyn Fn(&[f64]) -> f64,
    how: &CmaOptions,
    random: &mut Random,
    best: &mut Minimum,
    (journal, observer): (&mut SearchJournal, Observer<'_>),
) -> bool {
    let (n, parents) = (mean.len(), population / 2);
    let d = n as f64;
    let raw: Vec<f64> = (1..=parents).map(|i| ((population as f64 + 1.0) / 2.0).ln() - (i as f64).ln()).collect();
    let total: f64 = raw.iter().sum();
    let weights: Vec<f64> = raw.iter().map(|w| w / total).collect();
    let mu = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
    let c_sigma = (mu + 2.0) / (d + mu + 5.0);
    let damping = 1.0 + 2.0 * (((mu - 1.0) / (d + 1.0)).sqrt() - 1.0).max(0.0) + c_sigma;
    let c_path = (4.0 + mu / d) / (d + 4.0 + 2.0 * mu / d);
    let c_one = 2.0 / ((d + 1.3).powi(2) + mu);
    let c_mu = (1.0 - c_one).min(2.0 * (mu - 2.0 + 1.0 / mu) / ((d + 2.0).powi(2) + mu));
    let expected = d.sqrt() * (1.0 - 1.0 / (4.0 * d) + 1.0 / (21.0 * d * d));

    let mut sigma = how.initial_step;
    let mut c: Vec<f64> = (0..n * n).map(|k| f64::from(u8::from(k / n == k % n))).collect();
    let (mut path, mut path_sigma) = (vec![0.0; n], vec![0.0; n]);
    let mut generation = 0;
    while best.evaluations + population <= how.evaluations {
        generation += 1;
        // the covariance is symmetric and positive definite, so its singular vectors are its eigenvectors
        let axes = Svd::new(&c, n, n);
        let lengths: Vec<f64> = axes.s.iter().map(|s| s.sqrt()).collect();
        let places: Vec<Vec<f64>> = (0..population)
            .map(|_| {
                let mut y = vec![0.0; n];
                for (v, s) in axes.v.iter().zip(&lengths) {
                    let z = s * random.normal();
                    y.iter_mut().zip(v).for_each(|(y, v)| *y += z * v);
                }
                mean.iter().zip(&y).map(|(m, y)| reflect(m + sigma * y)).collect()
            })
            .collect();
        let costs = journal.costs(population, || places.iter().map(|place| cost(place)).collect());
        let mut young: Vec<(f64, Vec<f64>)> = costs
            .into_iter()
            .zip(places)
            .map(|(value, place)| {
                let value = if value.is_nan() { f64::INFINITY } else { value };
                // the step after reflection
                let y = place.iter().zip(&mean).map(|(p, m)| (p - m) / sigma).collect();
                if value < best.cost {
                    best.cost = value;
                    best.point = place;
                }
                (value, y)
            })
            .collect();
        best.evaluations += population;
        if !observer(best, journal) {
            return false;
        }
        young.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut step = vec![0.0; n];
        for (w, (_, y)) in weights.iter().zip(&young) {
            step.iter_mut().zip(y).for_each(|(s, y)| *s += w * y);
        }
        mean.iter_mut().zip(&step).for_each(|(m, s)| *m = (*m + sigma * s).clamp(0.0, 1.0));
        // C^(−1/2)·step
        let mut white = vec![0.0; n];
        for (v, s) in axes.v.iter().zip(&lengths).filter(|(_, s)| **s > 0.0) {
            let along = v.iter().zip(&step).map(|(v, s)| v * s).sum::<f64>() / s;
            white.iter_mut().zip(v).for_each(|(w, v)| *w += along * v);
        }
        let push = (c_sigma * (2.0 - c_sigma) * mu).sqrt();
        path_sigma.iter_mut().zip(&white).for_each(|(p, w)| *p = (1.0 - c_sigma) * *p + push * w);
        let long = path_sigma.iter().map(|p| p * p).sum::<f64>().sqrt();
        let settled = (1.0 - (1.0 - c_sigma).powi(2 * generation)).sqrt();
        let small = f64::from(u8::from(long / settled < (1.4 + 2.0 / (d + 1.0)) * expected));
        let push = small * (c_path * (2.0 - c_path) * mu).sqrt();
        path.iter_mut().zip(&step).for_each(|(p, s)| *p = (1.0 - c_path) * *p + push * s);
        let keep = 1.0 - c_one - c_mu + (1.0 - small) * c_one * c_path * (2.0 - c_path);
        for i in 0..n {
            for j in 0..n {
                let rank: f64 = weights.iter().zip(&young).map(|(w, (_, y))| w * y[i] * y[j]).sum();
                c[i * n + j] = keep * c[i * n + j] + c_one * path[i] * path[j] + c_mu * rank;
            }
        }
        sigma *= ((c_sigma / damping) * (long / expected - 1.0)).exp().min(2.0);
        let widest = (0..n).map(|i| sigma * c[i * n + i].sqrt()).fold(0.0, f64::max);
        let same = young[0].0 == young[population / 2].0;
        if widest < how.tolerance || same || !widest.is_finite() {
            return widest < how.tolerance;
        }
        sigma = sigma.min(1.0);
    }
    false
}
