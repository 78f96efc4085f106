//! Nonlinear least squares with bounds, and the uncertainty of the result.
use super::covariance::Covariance;
use super::jacobian::{Differences, differentiate};
use super::levenberg_marquardt::{End, FitState, IterationProgress, Settings, StopReason, descend};
use super::linear::influence;
use super::loss::deviation;
use super::model_selection::InformationCriteria;
use super::noise::long_run;
use super::{LeastSquaresProblem, Loss, NoiseModel, Parameter};
use crate::NumericsError;
use crate::check::{all_finite, positive, same_length};
use crate::linalg::{Qr, dot};
use crate::statistics::student_t_quantile;

/// Options of a nonlinear fit.
#[derive(Clone, Debug)]
pub struct FitOptions {
    /// Loss function.
    pub loss: Loss,
    /// Scale of a robust loss; estimated from the residuals if there is none.
    pub scale: Option<f64>,
    /// Noise model; affects the standard errors only.
    pub noise: NoiseModel,
    /// Convergence tolerance: relative change of cost or parameters, or cosine of the angle between residuals and Jacobian.
    pub tolerance: f64,
    /// Maximum number of residual evaluations.
    pub evaluations: usize,
    /// Central instead of forward differences, if there is no analytic Jacobian.
    pub central: bool,
    /// Relative error of the residuals: for a simulation about its tolerance.
    pub precision: f64,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self {
            loss: Loss::Square,
            scale: None,
            noise: NoiseModel::White,
            tolerance: 1e-10,
            evaluations: 10_000,
            central: false,
            precision: f64::EPSILON,
        }
    }
}

/// A fit with its uncertainty.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Names of the parameters.
    pub names: Vec<String>,
    /// Their values.
    pub values: Vec<f64>,
    /// Their covariance under the chosen noise model. Infinite for parameters that the data do not determine, zero for those that
    /// are fixed or on a bound.
    pub covariance: Covariance,
    /// Their covariance under white noise.
    pub white_covariance: Covariance,
    /// Which ones are fixed or ended on a bound; they have no standard errors.
    pub bound: Vec<bool>,
    /// Which ones were fitted by their logarithm.
    pub log: Vec<bool>,
    /// The residuals.
    pub residual: Vec<f64>,
    /// Their derivatives, `∂r[i]/∂p[j]` at `j·count + i`.
    pub jacobian: Vec<f64>,
    /// Half the sum of squares, or of losses.
    pub cost: f64,
    /// The scale of a robust loss; one for squares.
    pub scale: f64,
    /// Standard deviation of the noise.
    pub sigma: f64,
    /// Degrees of freedom: residuals minus free parameters.
    pub degrees_of_freedom: f64,
    /// Why it stopped.
    pub reason: StopReason,
    /// The final state, to continue from.
    pub state: FitState,
}

impl Fit {
    /// Standard errors of the parameters.
    pub fn standard_errors(&self) -> Vec<f64> {
        self.covariance.standard_errors()
    }
    /// Inflation of a parameter's variance by autocorrelated noise; one for white noise.
    pub fn variance_inflation(&self, i: usize) -> f64 {
        let inflation = self.covariance.at(i, i) / self.white_covariance.at(i, i);
        if inflation.is_finite() { inflation } else { 1.0 }
    }
    /// Confidence interval of parameter `i` at `level`, from the linearisation at the minimum; in the logarithm if that was fitted.
    /// [`super::profile_likelihood`] gives one without linearisation.
    pub fn interval(&self, i: usize, level: f64) -> [f64; 2] {
        let x = self.values[i];
        let freedom = (self.degrees_of_freedom / self.variance_inflation(i).max(1.0)).max(1.0);
        let half = student_t_quantile(0.5 + 0.5 * level, freedom) * self.covariance.at(i, i).max(0.0).sqrt();
        if self.log[i] { [x * (-half / x).exp(), x * (half / x).exp()] } else { [x - half, x + half] }
    }
    /// Information criteria for the choice between models.
    pub fn information(&self) -> InformationCriteria {
        let free = self.bound.iter().filter(|b| !**b).count();
        InformationCriteria::new(&self.residual, free)
    }
}

/// Fits from the start values of the parameters.
pub fn nonlinear(problem: &LeastSquaresProblem<'_>, options: &FitOptions) -> Result<Fit, NumericsError> {
    let start: Vec<f64> = problem.parameters.iter().map(|p| p.start).collect();
    nonlinear_from(problem, options, &problem.begin(&start), &mut |_| true)
}

impl LeastSquaresProblem<'_> {
    /// The initial state of a fit that starts at `values`.
    pub fn begin(&self, values: &[f64]) -> FitState {
        let coordinates = self.inner(values);
        let scaling = vec![0.0; coordinates.len()];
        FitState { coordinates, scaling, radius: 0.0, iterations: 0, evaluations: 0 }
    }
}

/// Fits from a state: that of [`LeastSquaresProblem::begin`], or one that was kept. `observer` is called before every step and returns
/// whether to continue.
pub fn nonlinear_from(
    problem: &LeastSquaresProblem<'_>,
    options: &FitOptions,
    state: &FitState,
    observer: &mut dyn FnMut(&IterationProgress<'_>) -> bool,
) -> Result<Fit, NumericsError> {
    let (set, end) = minimise_from(problem, options, state, observer)?;
    assess(problem, options, &set, end)
}

/// The minimum alone, without the evaluations that its covariance takes: cost and parameters.
pub(super) fn minimum(
    problem: &LeastSquaresProblem<'_>,
    options: &FitOptions,
    start: &[f64],
) -> Result<(f64, Vec<f64>), NumericsError> {
    let (_, end) = minimise_from(problem, options, &problem.begin(start), &mut |_| true)?;
    Ok((end.cost, problem.outer(&end.state.coordinates)))
}

fn minimise_from(
    problem: &LeastSquaresProblem<'_>,
    options: &FitOptions,
    state: &FitState,
    observer: &mut dyn FnMut(&IterationProgress<'_>) -> bool,
) -> Result<(Settings, End), NumericsError> {
    problem.check()?;
    let n = problem.parameters.len();
    same_length("coordinates of the state", state.coordinates.len(), n)?;
    same_length("units of the state", state.scaling.len(), n)?;
    all_finite("coordinates of the state", &state.coordinates)?;
    all_finite("units of the state", &state.scaling)?;
    // the bounds may have changed since the state was kept
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
        end = descend(problem, state.clone(), &set, observer)?;
    } else {
        // estimate the scale from the residuals, first of a smooth loss, then of the loss itself, until it converges
        set.loss = Loss::Soft;
        set.scale = first_scale(problem, state, options.loss);
        end = descend(problem, state.clone(), &set, observer)?;
        set.loss = options.loss;
        for _ in 0..20 {
            let next = (options.loss.tuning() * deviation(&end.residual)).max(f64::MIN_POSITIVE);
            let same = (next / set.scale - 1.0).abs() < 1e-6;
            set.scale = next;
            end.state.radius = 0.0;
            end = descend(problem, end.state, &set, observer)?;
            if same || !end.reason.converged() {
                break;
            }
        }
    }
    Ok((set, end))
}

/// Scale of the residuals at the start.
fn first_scale(problem: &LeastSquaresProblem<'_>, state: &FitState, loss: Loss) -> f64 {
    let size = loss.tuning() * deviation(&problem.residual(&state.coordinates));
    if size > 0.0 && size.is_finite() { size } else { 1.0 }
}

/// Covariance at the end of a fit.
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
    // central differences: standard errors need accurate derivatives
    differences.central = true;
    let (mut jacobian, used) =
        differentiate(problem, &state.coordinates, &residual, differences).unwrap_or_else(|| (vec![0.0; m * n], 0));
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
    let (gram, undetermined) = inverse_gram(&open);
    let spread = |matrix: &[f64]| {
        let mut out = vec![0.0; n * n];
        for (a, &i) in free.iter().enumerate() {
            for (b, &j) in free.iter().enumerate() {
                out[i * n + j] = matrix[a * free.len() + b];
            }
            if undetermined[a] {
                out[i * n + i] = f64::INFINITY;
            }
        }
        Covariance::new(out, n)
    };
    let white = spread(&gram.iter().map(|g| g * variance).collect::<Vec<_>>());
    let covariance = match &options.noise {
        NoiseModel::White => white.clone(),
        NoiseModel::Correlated { lag, whiten, breaks } => {
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
            if *whiten { honest.with_floor(&white) } else { honest }
        }
    };
    Ok(Fit {
        names: problem.parameters.iter().map(|p| p.name.clone()).collect(),
        log: problem.parameters.iter().map(|p| p.log).collect(),
        sigma: variance.sqrt(),
        scale: set.scale,
        values,
        covariance,
        white_covariance: white,
        bound,
        residual,
        jacobian,
        cost,
        degrees_of_freedom: freedom,
        reason,
        state,
    })
}

/// `(JᵀJ)⁻¹`, and which parameters are not determined by the columns: those that take part in a vanishing linear combination.
pub fn inverse_gram(columns: &[&[f64]]) -> (Vec<f64>, Vec<bool>) {
    let n = columns.len();
    let qr = Qr::new(columns);
    if let Some(gram) = qr.inverse_gram() {
        return (gram, vec![false; n]);
    }
    let sizes: Vec<f64> = columns.iter().map(|c| crate::linalg::norm(c)).collect();
    let mut undetermined = vec![false; n];
    for direction in qr.null_space() {
        let most = direction.iter().zip(&sizes).fold(0.0_f64, |most, (x, s)| most.max((x * s).abs()));
        for (j, undetermined) in undetermined.iter_mut().enumerate() {
            *undetermined |= sizes[j] == 0.0 && direction[j] != 0.0 || (direction[j] * sizes[j]).abs() > 1e-6 * most;
        }
    }
    // fixing one parameter of each such combination does not affect the parameters outside of them
    let kept: Vec<usize> = (0..n).filter(|j| !qr.dependent_columns().contains(j)).collect();
    let part: Vec<&[f64]> = kept.iter().map(|&j| columns[j]).collect();
    let inner = Qr::new(&part).inverse_gram().unwrap_or_else(|| vec![f64::INFINITY; part.len() * part.len()]);
    let mut out = vec![0.0; n * n];
    for (a, &i) in kept.iter().enumerate() {
        for (b, &j) in kept.iter().enumerate() {
            out[i * n + j] = inner[a * kept.len() + b];
        }
    }
    (out, undetermined)
}
