//! Nonlinear least squares with bounds, and what is known afterwards.
use super::covariance::Covariance;
use super::jacobian::{Differences, slopes};
use super::levenberg_marquardt::{End, FitProgress, FitState, Settings, StopReason, descend};
use super::linear::influence;
use super::loss::deviation;
use super::model_selection::InformationCriteria;
use super::noise::long_run;
use super::{LeastSquaresProblem, Loss, Noise, Parameter};
use crate::NumericsError;
use crate::check::{all_finite, positive, same_length};
use crate::linalg::{Qr, dot};
use crate::statistics::student_t_quantile;

/// How a nonlinear fit is made.
#[derive(Clone, Debug)]
pub struct FitOptions {
    /// What a residual costs.
    pub loss: Loss,
    /// The residual at which a robust loss begins to give way; from the residuals themselves if there is none.
    pub scale: Option<f64>,
    /// What is known of the noise; decides on the errors alone.
    pub noise: Noise,
    /// Relative change of cost or parameters, or cosine of residual and slopes, at which the fit has arrived.
    pub tolerance: f64,
    /// How many residuals may be computed.
    pub evaluations: usize,
    /// Differences on both sides of a parameter, if the derivatives are not known.
    pub central: bool,
    /// The relative error of the residuals, if they come from a simulation: about its tolerance.
    pub precision: f64,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self {
            loss: Loss::Square,
            scale: None,
            noise: Noise::White,
            tolerance: 1e-10,
            evaluations: 10_000,
            central: false,
            precision: f64::EPSILON,
        }
    }
}

/// A fit, with its errors.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Names of the parameters.
    pub names: Vec<String>,
    /// Their values.
    pub values: Vec<f64>,
    /// Their covariance, for the noise that was asked for. Not finite where the data say nothing, zero for what is held
    /// or on a bound.
    pub covariance: Covariance,
    /// Their covariance if the noise were white.
    pub white: Covariance,
    /// Which ones are held or ended on a bound; their errors do not count.
    pub bound: Vec<bool>,
    /// Which ones were sought by their logarithm.
    pub log: Vec<bool>,
    /// The residuals.
    pub residual: Vec<f64>,
    /// Their derivatives, `∂r[i]/∂p[j]` at `j·count + i`.
    pub jacobian: Vec<f64>,
    /// Half the sum of squares, or of losses.
    pub cost: f64,
    /// The scale of a robust loss; one for squares.
    pub scale: f64,
    /// The deviation of the noise.
    pub sigma: f64,
    /// Residuals less free parameters.
    pub freedom: f64,
    /// Why it ended.
    pub reason: StopReason,
    /// Where it ended, to go on from there.
    pub state: FitState,
}

impl Fit {
    /// The standard errors.
    pub fn errors(&self) -> Vec<f64> {
        self.covariance.errors()
    }
    /// The growth of a parameter's variance by correlated noise; one for white noise.
    pub fn growth(&self, i: usize) -> f64 {
        let growth = self.covariance.at(i, i) / self.white.at(i, i);
        if growth.is_finite() { growth } else { 1.0 }
    }
    /// The interval that holds parameter `i` with probability `level`, by its slope at the minimum; of the logarithm if
    /// that was sought. See [`super::profile`] for one that follows the valley.
    pub fn interval(&self, i: usize, level: f64) -> [f64; 2] {
        let x = self.values[i];
        let freedom = (self.freedom / self.growth(i).max(1.0)).max(1.0);
        let half = student_t_quantile(0.5 + 0.5 * level, freedom) * self.covariance.at(i, i).max(0.0).sqrt();
        if self.log[i] { [x * (-half / x).exp(), x * (half / x).exp()] } else { [x - half, x + half] }
    }
    /// What a choice between models needs.
    pub fn information(&self) -> InformationCriteria {
        let free = self.bound.iter().filter(|b| !**b).count();
        InformationCriteria::new(&self.residual, free)
    }
}

/// Fits from the start that the parameters name.
pub fn nonlinear(problem: &LeastSquaresProblem<'_>, options: &FitOptions) -> Result<Fit, NumericsError> {
    let start: Vec<f64> = problem.parameters.iter().map(|p| p.start).collect();
    nonlinear_from(problem, options, &problem.begin(&start), &mut |_| true)
}

impl LeastSquaresProblem<'_> {
    /// The state of a fit that begins at `values`.
    pub fn begin(&self, values: &[f64]) -> FitState {
        let coordinates = self.inner(values);
        let scaling = vec![0.0; coordinates.len()];
        FitState { coordinates, scaling, radius: 0.0, iterations: 0, evaluations: 0 }
    }
}

/// Fits from a state, [`LeastSquaresProblem::begin`] or one that was kept. `watch` is called before every step and says whether to
/// go on.
pub fn nonlinear_from(
    problem: &LeastSquaresProblem<'_>,
    options: &FitOptions,
    state: &FitState,
    watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
) -> Result<Fit, NumericsError> {
    problem.check()?;
    let n = problem.parameters.len();
    same_length("coordinates of the state", state.coordinates.len(), n)?;
    same_length("units of the state", state.scaling.len(), n)?;
    all_finite("coordinates of the state", &state.coordinates)?;
    all_finite("units of the state", &state.scaling)?;
    // bounds may have changed since
    let inside = |(p, u): (&Parameter, &f64)| u.max(p.limits()[0]).min(p.limits()[1]);
    let coordinates = problem.parameters.iter().zip(&state.coordinates).map(inside).collect();
    let state = &FitState { coordinates, ..state.clone() };
    positive("tolerance", options.tolerance)?;
    let scale = options.scale.unwrap_or(1.0);
    positive("scale", scale)?;
    let differences = Differences { central: options.central, noise: options.precision };
    let mut set = Settings {
        loss: options.loss,
        scale,
        tolerance: options.tolerance,
        evaluations: options.evaluations,
        differences,
    };
    let mut end;
    if options.loss == Loss::Square || options.scale.is_some() {
        end = descend(problem, state.clone(), &set, watch)?;
    } else {
        // a scale from the residuals: first of squares, then of the loss itself, until it stays
        set.loss = Loss::Soft;
        set.scale = first_scale(problem, state, options.loss);
        end = descend(problem, state.clone(), &set, watch)?;
        set.loss = options.loss;
        for _ in 0..20 {
            let next = (options.loss.tuning() * deviation(&end.residual)).max(f64::MIN_POSITIVE);
            let same = (next / set.scale - 1.0).abs() < 1e-6;
            set.scale = next;
            end.state.radius = 0.0;
            end = descend(problem, end.state, &set, watch)?;
            if same || !end.reason.converged() {
                break;
            }
        }
    }
    assess(problem, options, &set, end)
}

/// The scale of the residuals at the start.
fn first_scale(problem: &LeastSquaresProblem<'_>, state: &FitState, loss: Loss) -> f64 {
    let size = loss.tuning() * deviation(&problem.residual(&state.coordinates));
    if size > 0.0 && size.is_finite() { size } else { 1.0 }
}

/// Errors at the end of a fit.
fn assess(
    problem: &LeastSquaresProblem<'_>,
    options: &FitOptions,
    set: &Settings,
    end: End,
) -> Result<Fit, NumericsError> {
    let End { mut state, residual, cost, reason } = end;
    let (m, n) = (problem.count, problem.parameters.len());
    let values = problem.outer(&state.coordinates);
    let mut differences = set.differences;
    // errors are worth the second side
    differences.central = true;
    let (mut jacobian, used) =
        slopes(problem, &state.coordinates, &residual, differences).unwrap_or_else(|| (vec![0.0; m * n], 0));
    state.evaluations += used;
    for ((column, p), x) in jacobian.chunks_exact_mut(m).zip(problem.parameters).zip(&values) {
        column.iter_mut().for_each(|d| *d /= p.slope(*x));
    }
    let columns: Vec<&[f64]> = jacobian.chunks_exact(m).collect();
    let bound: Vec<bool> = (0..n)
        .map(|j| {
            let p = &problem.parameters[j];
            let uphill = dot(columns[j], &residual);
            p.is_held() || (values[j] <= p.low && uphill >= 0.0) || (values[j] >= p.high && uphill <= 0.0)
        })
        .collect();
    let free: Vec<usize> = (0..n).filter(|&j| !bound[j]).collect();
    let open: Vec<&[f64]> = free.iter().map(|&j| columns[j]).collect();
    let freedom = (m - free.len().min(m)) as f64;
    let variance = set.loss.variance(&residual, set.scale, free.len());
    let (gram, blind) = inverse_gram(&open);
    let spread = |matrix: &[f64]| {
        let mut out = vec![0.0; n * n];
        for (a, &i) in free.iter().enumerate() {
            for (b, &j) in free.iter().enumerate() {
                out[i * n + j] = matrix[a * free.len() + b];
            }
            if blind[a] {
                out[i * n + i] = f64::INFINITY;
            }
        }
        Covariance::new(out, n)
    };
    let white = spread(&gram.iter().map(|g| g * variance).collect::<Vec<_>>());
    let covariance = match &options.noise {
        Noise::White => white.clone(),
        Noise::Correlated { lag, whiten, breaks } => {
            let mut slope = 0.0;
            let mut psi = Vec::with_capacity(m);
            for r in &residual {
                let s = (r / set.scale).powi(2);
                let [_, first, second] = set.loss.rho(s);
                psi.push(r * first);
                slope += (first + 2.0 * s * second) / m as f64;
            }
            let mut series = influence(&open, &gram, &psi, slope);
            let small = m as f64 / freedom.max(1.0);
            let sum = long_run(&mut series, *lag, *whiten, breaks)?;
            let honest = spread(&sum.iter().map(|c| c * small).collect::<Vec<_>>());
            if *whiten { honest.no_less(&white) } else { honest }
        }
    };
    Ok(Fit {
        names: problem.parameters.iter().map(|p| p.name.clone()).collect(),
        log: problem.parameters.iter().map(|p| p.log).collect(),
        sigma: variance.sqrt(),
        scale: set.scale,
        values,
        covariance,
        white,
        bound,
        residual,
        jacobian,
        cost,
        freedom,
        reason,
        state,
    })
}

/// `(JᵀJ)⁻¹`, and which parameters the columns say nothing about by themselves: those that take part in a sum of columns
/// that vanishes.
pub fn inverse_gram(columns: &[&[f64]]) -> (Vec<f64>, Vec<bool>) {
    let n = columns.len();
    let qr = Qr::new(columns);
    if let Some(gram) = qr.inverse_gram() {
        return (gram, vec![false; n]);
    }
    let sizes: Vec<f64> = columns.iter().map(|c| crate::linalg::norm(c)).collect();
    let mut blind = vec![false; n];
    for direction in qr.null() {
        let most = direction.iter().zip(&sizes).fold(0.0_f64, |most, (x, s)| most.max((x * s).abs()));
        for (j, blind) in blind.iter_mut().enumerate() {
            *blind |= sizes[j] == 0.0 && direction[j] != 0.0 || (direction[j] * sizes[j]).abs() > 1e-6 * most;
        }
    }
    // holding one parameter of each such sum changes nothing for those that take part in none
    let kept: Vec<usize> = (0..n).filter(|j| !qr.dependent().contains(j)).collect();
    let part: Vec<&[f64]> = kept.iter().map(|&j| columns[j]).collect();
    let inner = Qr::new(&part).inverse_gram().unwrap_or_else(|| vec![f64::INFINITY; part.len() * part.len()]);
    let mut out = vec![0.0; n * n];
    for (a, &i) in kept.iter().enumerate() {
        for (b, &j) in kept.iter().enumerate() {
            out[i * n + j] = inner[a * kept.len() + b];
        }
    }
    (out, blind)
}
