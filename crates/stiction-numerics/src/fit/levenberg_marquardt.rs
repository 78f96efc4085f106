//! The Levenberg–Marquardt method as a trust-region method with bounds (More1978), for squares and robust losses.
//!
//! By hand, because it was measured to be the better choice: from both starts of eight NIST problems it finds all sixteen certified
//! minima, with bounds, fixed parameters and models that are NaN in places; rmpfit misses one, basin's bounded
//! solvers fail on badly scaled parameters (ARCHITECTURE.md has the comparison).
use super::jacobian::{Differences, differentiate};
use super::trust_region::Linearised;
use super::{LeastSquaresProblem, Loss, Parameter};
use crate::NumericsError;
use crate::linalg::{Qr, dot, norm};

/// Why a fit stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The gradient vanishes (residuals orthogonal to all columns of the Jacobian, or zero): a minimum.
    Gradient,
    /// The cost no longer decreases.
    Cost,
    /// The parameters no longer change.
    Step,
    /// The maximum number of evaluations was reached: the fit can be continued from its state.
    Evaluations,
    /// The caller stopped it.
    Stopped,
    /// The derivatives are not finite.
    NoDerivatives,
}

impl StopReason {
    /// Whether the fit converged.
    pub fn converged(self) -> bool {
        matches!(self, Self::Gradient | Self::Cost | Self::Step)
    }
    /// As text.
    pub fn text(self) -> &'static str {
        match self {
            Self::Gradient => "a minimum",
            Self::Cost => "the cost does not fall any more",
            Self::Step => "the parameters do not move any more",
            Self::Evaluations => "out of evaluations before it arrived",
            Self::Stopped => "stopped",
            Self::NoDerivatives => "the model has no derivatives there",
        }
    }
}

/// The state of a fit, from which it can be continued.
#[derive(Clone, Debug, PartialEq)]
pub struct FitState {
    /// Parameters in the internal coordinates of the fit.
    pub coordinates: Vec<f64>,
    /// Scale of each coordinate (Marquardt scaling).
    pub scaling: Vec<f64>,
    /// Trust-region radius; zero before the first step.
    pub radius: f64,
    /// Accepted steps.
    pub iterations: usize,
    /// Residual evaluations.
    pub evaluations: usize,
}

/// Progress of a fit.
#[derive(Debug)]
pub struct IterationProgress<'a> {
    /// The current state; keep a copy to continue later.
    pub state: &'a FitState,
    /// The parameters.
    pub values: &'a [f64],
    /// Half the sum of squares, or of losses.
    pub cost: f64,
}

/// Settings of the method.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub loss: Loss,
    pub scale: f64,
    pub tolerance: f64,
    pub evaluations: usize,
    pub differences: Differences,
}

/// Result of the iteration.
pub(super) struct End {
    pub state: FitState,
    pub residual: Vec<f64>,
    pub cost: f64,
    pub reason: StopReason,
}

/// Half the sum of the losses.
pub(super) fn cost(residual: &[f64], loss: Loss, scale: f64) -> f64 {
    if loss == Loss::Square {
        return 0.5 * dot(residual, residual);
    }
    0.5 * scale * scale * residual.iter().map(|r| loss.rho((r / scale).powi(2))[0]).sum::<f64>()
}

/// Least curvature of a sample over its weight `ρ′`. With the weight itself a step cannot raise the loss, but convergence is linear where many samples are
/// bent; with the true curvature, which is zero or negative far out, a residual over its root is larger than all others together.
const LEAST_CURVATURE: f64 = 0.5;

/// Rescales residuals and Jacobian so that a least-squares step is a step of the robust loss (Triggs2000).
fn robust(residual: &[f64], jacobian: &mut [f64], loss: Loss, scale: f64) -> Vec<f64> {
    let m = residual.len();
    let mut out = residual.to_vec();
    if loss == Loss::Square {
        return out;
    }
    for (i, r) in out.iter_mut().enumerate() {
        let s = (*r / scale).powi(2);
        let [_, first, second] = loss.rho(s);
        let by = (first + 2.0 * s * second).max(LEAST_CURVATURE * first).sqrt();
        // beyond the scale of a loss that is constant there, a sample has no weight
        *r *= if by > 0.0 { first / by } else { 0.0 };
        jacobian.iter_mut().skip(i).step_by(m).for_each(|d| *d *= by);
    }
    out
}

/// Marquardt's scaling grows with the columns of the Jacobian.
pub(super) fn rescale(scaling: &mut [f64], sizes: &[f64]) {
    for (d, s) in scaling.iter_mut().zip(sizes) {
        *d = if d.is_finite() { d.max(*s) } else { *s };
        if *d == 0.0 {
            *d = 1.0;
        }
    }
}

/// Where a step may go.
pub(super) struct Directions {
    /// Distance of each coordinate to its bounds.
    pub room: Vec<[f64; 2]>,
    /// Which of them may move downhill.
    pub free: Vec<bool>,
    /// The largest slope among these, relative to the sizes of the columns.
    pub steep: f64,
}

impl Directions {
    pub fn new(u: &[f64], bounds: &[[f64; 2]], sizes: &[f64], downhill: &[f64]) -> Self {
        let n = u.len();
        let room: Vec<[f64; 2]> = (0..n).map(|j| [bounds[j][0] - u[j], bounds[j][1] - u[j]]).collect();
        let free: Vec<bool> = (0..n)
            .map(|j| sizes[j] > 0.0 && if downhill[j] > 0.0 { room[j][1] > 0.0 } else { room[j][0] < 0.0 })
            .collect();
        let steep = (0..n).filter(|&j| free[j]).map(|j| (downhill[j] / sizes[j]).abs()).fold(0.0, f64::max);
        Self { room, free, steep }
    }
}

/// What a step was worth.
pub(super) struct Verdict {
    /// Decrease of the cost over what the linearised residuals promised.
    ratio: f64,
    /// Whether neither changes the cost any more.
    flat: bool,
    /// Whether it is too short to change the parameters.
    still: bool,
}

impl Verdict {
    /// Of a step of a length, among coordinates of a length, that promised `gain`, from one cost to the next.
    pub fn new(gain: f64, [length, here]: [f64; 2], [now, next]: [f64; 2], tolerance: f64) -> Self {
        let drop = now - next;
        // a step to where the model is not finite is much too long
        let ratio = if gain > 0.0 && next.is_finite() { drop / gain } else { -1.0 };
        let flat = gain <= tolerance * now && drop.abs() <= tolerance * now && ratio <= 2.0;
        Self { ratio, flat, still: length <= tolerance * here }
    }
    pub fn accepted(&self) -> bool {
        self.ratio > 1e-4
    }
    /// The radius of the next step after one of this length.
    pub fn next_radius(&self, radius: f64, length: f64, next: f64) -> f64 {
        if self.ratio < 0.25 {
            length.min(radius) * if next.is_finite() { 0.25 } else { 0.1 }
        } else if self.ratio > 0.75 {
            radius.max(2.0 * length)
        } else {
            radius
        }
    }
    /// What follows, where the next step may have this radius among coordinates of a length, and evaluations are left or not.
    pub fn follows(&self, radius: f64, here: f64, evaluations_left: bool) -> Next {
        let end = Next::End(if self.flat { StopReason::Cost } else { StopReason::Step });
        if self.accepted() {
            if self.flat || self.still { end } else { Next::Derivatives }
        } else if self.still || radius <= 1e-16 * here.max(1e-300) {
            end
        } else if evaluations_left {
            Next::ShorterStep
        } else {
            Next::End(StopReason::Evaluations)
        }
    }
}

/// What follows a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Derivatives at the place that it leads to.
    Derivatives,
    /// A shorter step from where it began.
    ShorterStep,
    End(StopReason),
}

/// A step that is to be tried.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    /// Where it leads.
    pub place: Vec<f64>,
    /// Its scaled length.
    pub length: f64,
    /// The decrease of the cost that the linearised residuals promise.
    pub gain: f64,
}

impl Trial {
    /// The best step from `u` within the radius and the bounds, among the `free` coordinates.
    pub fn new(model: &Linearised<'_>, free: &[bool], radius: f64, u: &[f64], bounds: &[[f64; 2]]) -> Self {
        let step = model.best(free, radius);
        let inside = |j: usize| (u[j] + step[j]).clamp(bounds[j][0].min(bounds[j][1]), bounds[j][1]);
        Self { place: (0..u.len()).map(inside).collect(), length: model.length(&step), gain: model.gain(&step) }
    }
}

/// The radius of the next step: that of the step before, at first the scaled length of the coordinates.
pub(super) fn first_radius(before: f64, here: f64) -> f64 {
    if before > 0.0 { before } else { here.max(1e-3) }
}

/// Iterates from a state until a stopping criterion holds.
pub(super) fn descend(
    problem: &LeastSquaresProblem<'_>,
    mut state: FitState,
    set: &Settings,
    observer: &mut dyn FnMut(&IterationProgress<'_>) -> bool,
) -> Result<End, NumericsError> {
    let m = problem.count;
    let bounds: Vec<[f64; 2]> = problem.parameters.iter().map(Parameter::limits).collect();
    let mut residual = problem.residual(&state.coordinates);
    state.evaluations += 1;
    if let Some(at) = residual.iter().position(|r| !r.is_finite()) {
        return Err(NumericsError::NotFiniteAtStart { at });
    }
    let mut now = cost(&residual, set.loss, set.scale);
    let end = |state, residual, cost, reason| Ok(End { state, residual, cost, reason });
    loop {
        if !observer(&IterationProgress { state: &state, values: &problem.outer(&state.coordinates), cost: now }) {
            return end(state, residual, now, StopReason::Stopped);
        }
        if state.evaluations >= set.evaluations {
            return end(state, residual, now, StopReason::Evaluations);
        }
        let Some((mut jacobian, used)) = differentiate(problem, &state.coordinates, &residual, set.differences) else {
            return end(state, residual, now, StopReason::NoDerivatives);
        };
        state.evaluations += used;
        let scaled = robust(&residual, &mut jacobian, set.loss, set.scale);
        let columns: Vec<&[f64]> = jacobian.chunks_exact(m).collect();
        let size = norm(&scaled);
        let sizes: Vec<f64> = columns.iter().map(|c| norm(c)).collect();
        rescale(&mut state.scaling, &sizes);
        let u = state.coordinates.clone();
        let downhill: Vec<f64> = columns.iter().map(|c| -dot(c, &scaled)).collect();
        let Directions { room, free, steep } = Directions::new(&u, &bounds, &sizes, &downhill);
        if size == 0.0 || steep <= set.tolerance * size {
            return end(state, residual, now, StopReason::Gradient);
        }
        let (r, c) = Qr::new(&columns).square_system(&scaled);
        let model = Linearised { r: &r, c: &c, scaling: &state.scaling, room: &room };
        let here = model.length(&u);
        state.radius = first_radius(state.radius, here);
        loop {
            let Trial { place, length, gain } = Trial::new(&model, &free, state.radius, &u, &bounds);
            let trial = problem.residual(&place);
            state.evaluations += 1;
            let next = cost(&trial, set.loss, set.scale);
            let verdict = Verdict::new(gain, [length, here], [now, next], set.tolerance);
            state.radius = verdict.next_radius(state.radius, length, next);
            if verdict.accepted() {
                state.iterations += 1;
                state.coordinates = place;
                residual = trial;
                now = next;
            }
            match verdict.follows(state.radius, here, state.evaluations < set.evaluations) {
                Next::Derivatives => break,
                Next::ShorterStep => {}
                Next::End(reason) => return end(state, residual, now, reason),
            }
        }
    }
}
