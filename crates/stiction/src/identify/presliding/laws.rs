//! Laws with the fitted branch function: Nouri's `hysteresis`, and four slipping springs, `gms`.
use super::HysteresisPath;
use super::branch_function::BranchFunction;
use super::parallel_springs::fit_springs;
use super::pooled_branches::PooledBranches;
use crate::{Error, Spec};

/// Break-away force of a law as a multiple of the largest measured force, if no break-away was observed.
const BREAKAWAY_FACTOR: f64 = 1.1;
/// Stribeck speed of a law as a share of the slowest sliding.
const STRIBECK_SPEED_SHARE: f64 = 0.1;

/// Force levels of break-away and sliding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ForceLevels {
    /// Break-away force, its standard error, and the number of break-aways.
    pub breakaway: Option<(f64, f64, usize)>,
    /// Median force of sliding: its beginning still contains the transition.
    pub slides: Option<f64>,
    /// Slowest speed of sliding \[m/s\].
    pub speed: f64,
    /// Largest force in either direction.
    pub largest: f64,
}

/// Mean of the break-away forces of both directions; zero unless both occur, since loops without break-away may have any
/// offset.
pub(super) fn centre(paths: &[HysteresisPath]) -> f64 {
    let side = |d: f64| {
        let all = paths.iter().flat_map(|p| &p.branches).filter(|b| b.direction == d);
        let list: Vec<f64> = all.filter_map(|b| b.breakaway_force).collect();
        list.iter().sum::<f64>() / list.len() as f64
    };
    let middle = 0.5 * (side(1.0) - side(-1.0));
    if middle.is_finite() { middle } else { 0.0 }
}

fn middle(mut list: Vec<f64>) -> Option<f64> {
    let half = list.len() / 2;
    (!list.is_empty()).then(|| *list.select_nth_unstable_by(half, f64::total_cmp).1)
}

impl ForceLevels {
    /// Levels of paths with this mean force.
    pub fn new(paths: &[HysteresisPath], centre: f64) -> Self {
        let all = || paths.iter().flat_map(|path| path.branches.iter().map(move |branch| (path, branch)));
        // a force against the direction of break-away is not friction
        let broke = all().filter_map(|(_, b)| Some(b.breakaway_force? - b.direction * centre));
        let broke: Vec<f64> = broke.filter(|level| *level > 0.0).collect();
        let slid: Vec<f64> = all()
            .filter(|(_, b)| b.breakaway_force.is_some())
            .flat_map(|(p, b)| {
                (b.rows.start + b.presliding_samples..b.rows.end).map(move |k| b.direction * (p.force[k] - centre))
            })
            .collect();
        let quick = all().filter(|(_, b)| b.breakaway_force.is_some()).map(|(p, b)| {
            let (from, to) = (b.rows.start + b.presliding_samples, b.rows.end - 1);
            (p.x[to] - p.x[from]).abs() / (p.t[to] - p.t[from])
        });
        let speed = quick.filter(|v| v.is_finite() && *v > 0.0).fold(f64::INFINITY, f64::min);
        let most = paths.iter().flat_map(|p| &p.force).fold(0.0_f64, |most, f| most.max((f - centre).abs()));
        let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
        let spread = |x: &[f64]| {
            let n = x.len() as f64;
            (x.iter().map(|f| (f - mean(x)).powi(2)).sum::<f64>() / (n - 1.0) / n).sqrt()
        };
        let breakaway_error = all().map(|(_, b)| b.breakaway_error).fold(0.0, f64::max);
        let one = paths.iter().map(|p| p.noise[1]).fold(breakaway_error, f64::max);
        // the averaging window has the same width each time
        let error = |x: &[f64]| if x.len() > 1 { spread(x).hypot(breakaway_error) } else { one };
        Self {
            breakaway: (!broke.is_empty()).then(|| (mean(&broke), error(&broke), broke.len())),
            slides: middle(slid),
            speed,
            largest: most,
        }
    }
    /// The break-away level of a law.
    pub fn top(&self) -> f64 {
        self.breakaway.map_or(BREAKAWAY_FACTOR * self.largest, |(level, ..)| level)
    }
    /// The sliding level of a law: the break-away level, if sliding was not observed.
    pub fn sliding(&self) -> f64 {
        self.slides.map_or(self.top(), |level| level.max(0.0).min(self.top()))
    }
}

/// Nouri's law. Without a second knee the branch continues linearly.
pub(super) fn hysteresis(curve: &BranchFunction, levels: &ForceLevels, longest: f64) -> Result<Spec, Error> {
    let value = |name: &str| curve.value(name);
    let k1 = value("k1").unwrap_or(0.0);
    let mut spec = Spec::new("hysteresis")?;
    let list = [
        ("k0", value("k0").unwrap_or(0.0)),
        ("k1", k1),
        ("k2", value("k2").unwrap_or(k1)),
        ("f1", value("f1").unwrap_or(0.0)),
        ("z2", value("z2").unwrap_or(longest)),
        ("fs", levels.top()),
        ("fc1", levels.sliding()),
        ("fc2", levels.sliding()),
        ("fv1", 0.0),
        ("fv2", 0.0),
    ];
    for (name, value) in list {
        spec.set(name, value)?;
    }
    // the Stribeck effect is not identified here: it ends below the speeds of the record
    if levels.speed.is_finite() {
        spec.set("vs", (STRIBECK_SPEED_SHARE * levels.speed).clamp(1e-9, 1e3))?;
    }
    spec.check()?;
    Ok(spec)
}

/// Springs in parallel that slip. The softest one does not slip in the record; its limit is the rest of the break-away force.
pub(super) fn gms(pool: &PooledBranches, levels: &ForceLevels) -> Result<Spec, Error> {
    let (springs, _) = fit_springs(pool)?;
    // along a branch a spring moves from one limit to the opposite one
    let mut limits: Vec<f64> = springs.iter().take(3).map(|[k, z]| 0.5 * k * z).collect();
    let sum: f64 = limits.iter().sum();
    let last = levels.top() - sum;
    limits.push(if last > 0.0 { last } else { springs[3][0] * pool.longest() });
    let top: f64 = limits.iter().sum();
    let mut spec = Spec::new("gms")?;
    spec.set("fs", top)?.set("fc", top)?.set("sigma2", 0.0)?;
    for (i, ([k, _], limit)) in springs.iter().zip(&limits).enumerate() {
        spec.set(&format!("k{}", i + 1), *k)?.set(&format!("alpha{}", i + 1), limit / top)?;
    }
    spec.check()?;
    Ok(spec)
}
