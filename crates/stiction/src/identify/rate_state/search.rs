//! Global search for the parameters of velocity steps.
//!
//! Friction less mu0, over `a`, depends on `b/a`, `k/a` and `dc` alone. So `mu0`, `a` and the trend are linear for given ratios, and only
//! the ratios are searched for: at many points, with the linear parameters eliminated. The search runs on means over intervals that grow in
//! proportion to the time since the last step, so that every decade of slip counts alike, however long the steady sliding.
use super::fit::{RateStateOptions, Trend};
use super::model::{COUNT, Model, TREND, simulate, slider};
use super::record::VelocitySteps;
use super::spring_slider::StateEvolution;
use super::thinning::thinned;
use crate::fit::{self, LeastSquaresProblem, Parameter, Random, nonlinear_from};
use crate::linalg::{Qr, dot};
use crate::parallel;

/// Means per decade of time since a step, and before the first step.
const PER_DECADE: f64 = 25.0;
const BEFORE: usize = 40;

/// Places of the search, from numbers between 0 and 1.
struct Places<'a> {
    list: &'a [Parameter],
    /// Shortest and longest distance \[m\] that the records show.
    range: [f64; 2],
    effect: f64,
    /// Whether `a`, `b` or `k` are bound by the caller, so that they do not scale together.
    bound: bool,
    two: bool,
    nagata: bool,
}

impl Places<'_> {
    fn at(&self, u: &[f64]) -> Vec<f64> {
        let [near, far] = self.range;
        let log = |low: f64, high: f64, u: f64| low * (high / low).powf(u);
        // a quarter of the ratios b/a is negative, in Nagata's law none
        let ratio = |u: f64| match u {
            u if self.nagata => log(0.05, 20.0, u),
            u if u < 0.25 => -log(0.05, 20.0, 4.0 * u),
            u => log(0.05, 20.0, (u - 0.25) / 0.75),
        };
        let mut q: Vec<f64> = self.list.iter().map(|p| p.start).collect();
        q[1] = if self.bound { log(0.03 * self.effect, 30.0 * self.effect, u[0]) } else { 1.0 };
        q[2] = ratio(u[1]) * q[1];
        q[3] = log(0.3 * near, 3.0 * far, u[2]);
        q[6] = q[1] * log(0.1 / far, 10.0 / near, u[3]);
        if self.two {
            q[4] = ratio(u[4]) * q[1];
            q[5] = log(0.3 * near, 3.0 * far, u[5]);
        }
        if self.nagata {
            q[7] = log(0.1, 10.0, u[6]);
        }
        for (j, (x, p)) in q.iter_mut().zip(self.list).enumerate() {
            if self.bound || !matches!(j, 1 | 2 | 4 | 6) {
                *x = x.clamp(p.low, p.high);
            }
        }
        q
    }
}

/// The best parameters, best first, with step times at their places in the records. `watch` returns whether to continue.
pub(super) fn search(
    records: &[VelocitySteps],
    options: &RateStateOptions,
    v0: f64,
    list: &[Parameter],
    range: [f64; 2],
    effect: f64,
    watch: &mut dyn FnMut(f64, f64, &[f64]) -> bool,
) -> Vec<Vec<f64>> {
    let thin = |r: &VelocitySteps| VelocitySteps { weight: Vec::new(), ..thinned(r, PER_DECADE, BEFORE) };
    let thin: Vec<VelocitySteps> = records.iter().map(thin).collect();
    let mut model = Model::new(&thin, options, v0);
    model.tolerance = options.tolerance.max(1e-7);
    let named = |key: &str| options.constraints.iter().any(|c| c.key == key);
    let two = options.states == 2;
    let nagata = options.evolution == StateEvolution::Nagata;
    let bound = ["a", "b", "b2", "k"].into_iter().any(named);
    let places = Places { list, range, effect, bound, two, nagata };
    let measured: Vec<f64> = thin.iter().flat_map(|r| r.friction.iter().copied()).collect();
    let trend: Vec<f64> = model.trend.iter().flatten().copied().collect();
    let samples = options.search.samples;
    let mut random = Random::new(options.search.seed);
    let slices: Vec<Vec<usize>> = (0..7).map(|_| random.shuffled(samples)).collect();
    let points: Vec<Vec<f64>> = (0..samples)
        .map(|k| {
            let u: Vec<f64> =
                slices.iter().map(|slice| (slice[k] as f64 + random.uniform()) / samples as f64).collect();
            places.at(&u)
        })
        .collect();
    // cost of a point with mu0, a and the trend at their best, and the point with them
    let evaluate = |point: &Vec<f64>| -> Option<(f64, Vec<f64>)> {
        let mut unit = point.clone();
        unit[0] = 0.0;
        let slider = slider(&unit, v0);
        let mut y = Vec::with_capacity(measured.len());
        for r in &thin {
            y.extend(simulate(&slider, options.evolution, options.states, r, 1e-6));
        }
        if y.iter().any(|y| !y.is_finite()) {
            return None;
        }
        let ones = vec![1.0; y.len()];
        let mut columns: Vec<&[f64]> = vec![&ones];
        let mut rest = measured.clone();
        if bound {
            rest.iter_mut().zip(&y).for_each(|(m, y)| *m -= y);
        } else {
            columns.push(&y);
        }
        if options.trend != Trend::None {
            columns.push(&trend);
        }
        let c = Qr::new(&columns).solve(&rest);
        for (column, c) in columns.iter().zip(&c) {
            rest.iter_mut().zip(*column).for_each(|(r, x)| *r -= c * x);
        }
        let mut q = point.clone();
        q[0] = c[0];
        if !bound {
            let a = c[1];
            if a <= 0.0 {
                return None;
            }
            [1, 2, 4, 6].into_iter().for_each(|j| q[j] *= a);
        }
        if options.trend != Trend::None {
            q[TREND] = c[columns.len() - 1];
        }
        for (x, p) in q.iter_mut().zip(list) {
            *x = x.clamp(p.low, p.high);
        }
        Some((dot(&rest, &rest), q))
    };
    let mut ranked: Vec<(f64, Vec<f64>)> = parallel::map(&points, evaluate).into_iter().flatten().collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut starts: Vec<Vec<f64>> = ranked.into_iter().take(options.search.fits).map(|(_, q)| q).collect();
    starts.push(list.iter().map(|p| p.start).collect());
    let value = |q: &[f64], out: &mut [f64]| model.residual(q, out);
    let slope = |q: &[f64], out: &mut [f64]| model.jacobian(q, out);
    let problem = LeastSquaresProblem::new(&list[..COUNT], model.rows(), &value).with_jacobian(&slope);
    let how =
        fit::FitOptions { evaluations: options.search.evaluations, tolerance: 1e-7, ..fit::FitOptions::default() };
    let mut ends: Vec<(f64, Vec<f64>)> = Vec::new();
    let batch = 4;
    let count = starts.len();
    for (k, starts) in starts.chunks(batch).enumerate() {
        let found = parallel::map(starts, |start| nonlinear_from(&problem, &how, &problem.begin(start), &mut |_| true));
        ends.extend(found.into_iter().flatten().filter(|f| f.cost.is_finite()).map(|f| (f.cost, f.values)));
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        let done = ((k + 1) * batch) as f64 / count as f64;
        if let Some((cost, values)) = ends.first()
            && !watch(done.min(1.0), (2.0 * cost / model.rows() as f64).sqrt(), values)
        {
            break;
        }
    }
    ends.into_iter().map(|(_, q)| q).collect()
}
