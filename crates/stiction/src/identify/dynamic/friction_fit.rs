//! A law fitted to measured friction.
use super::parameter_vector::{ParameterTarget, ParameterVector};
use super::summary::summarise;
use super::trajectory::{DrivenTrajectory, thin};
use super::{DataScales, DynamicOptions};
use crate::NumericsError;
use crate::fit::{
    self, Fit, LeastSquaresProblem, Noise, Parameter, cma_search, nonlinear_from, profile_likelihood, screen,
};
use crate::identify::{FitProgress, FitStage, GlobalSearch, MassOption};
use crate::identify::{IdentificationResult, Motion};
use crate::{Error, ParameterGroup, Spec, parallel};

/// A fit, with all that is behind its report.
#[derive(Clone, Debug)]
pub struct FrictionFit {
    /// What to tell.
    pub result: IdentificationResult,
    /// The fit itself. Where a law requires that one parameter is not below another, the excess was sought.
    pub fit: Fit,
}

/// Fits a law to the friction in these records: see [`force_fit`].
///
/// # Errors
/// As [`force_fit`].
pub fn identify(motions: &[Motion], law: &Spec, options: &DynamicOptions) -> Result<IdentificationResult, Error> {
    fit(motions, law, options, &mut |_| true).map(|fitted| fitted.result)
}

/// Fits a law to the friction `force − mass·acceleration − offset` in these records. The law runs along the measured velocity
/// with its own steps. Where the body rests and the law allows a set of forces, any of them will do.
///
/// `watch` is called often, and says whether to go on; what was found so far is returned if not.
///
/// # Errors
/// [`Error::Numerics`] for records that are not sound or too short, [`Error::UnknownParam`] for a parameter that there is not.
pub fn fit(
    motions: &[Motion],
    law: &Spec,
    options: &DynamicOptions,
    watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
) -> Result<FrictionFit, Error> {
    if motions.is_empty() {
        return Err(NumericsError::TooFew { what: "records", need: 1, have: 0 }.into());
    }
    motions.iter().try_for_each(Motion::check)?;
    let weighs = |m: &Motion| m.mass.is_some_and(|mass| mass != 0.0) || options.mass == MassOption::Estimated;
    if let Some(bare) = motions.iter().find(|m| m.acceleration.is_empty() && weighs(m)) {
        return Err(NumericsError::LengthMismatch { what: "acceleration", need: bare.len(), have: 0 }.into());
    }
    let scales = DataScales::of(motions);
    let mut spec = law.clone();
    let named = spec.has(ParameterGroup::Load) || options.free.iter().any(|free| free.key.starts_with("load."));
    let loaded = motions.iter().any(|m| !m.load.is_empty());
    if loaded && !named {
        // levels then hold at the usual load
        spec.set("load.slope", 1.0 / scales.load)?;
    }
    let vector = ParameterVector::new(&spec, options, &scales)?;
    let trajectories: Vec<DrivenTrajectory> =
        motions.iter().map(|motion| DrivenTrajectory::new(motion, options)).collect();
    let fit = solve(&trajectories, &vector, options, watch)?;
    let profiles = if options.profile { profiles(&trajectories, &vector, options, &fit) } else { Vec::new() };
    let result = summarise(motions, &trajectories, &vector, &fit, options, &scales, (loaded && !named, &profiles));
    Ok(FrictionFit { result, fit })
}

/// The residuals of all records, what was needed less what the law says, and their derivatives if there is room for them.
fn residual(
    trajectories: &[DrivenTrajectory],
    vector: &ParameterVector,
    settled: bool,
    q: &[f64],
    out: &mut [f64],
    mut slopes: Option<&mut [f64]>,
) {
    let total = out.len();
    let mut at = 0;
    for trajectory in trajectories {
        let (values, mass, offset) = vector.values(q, trajectory.mass);
        let need = trajectory.need(mass, offset);
        let (own, dress) = vector.parts(&values);
        let count = trajectory.pieces();
        let mut model = vec![0.0; count];
        let wide = if slopes.is_some() { vector.columns } else { 0 };
        let mut columns = vec![0.0; wide * count];
        let track = trajectory.track(&need, settled);
        let run_law = vector.spec.law().track(own, &dress, &track, &vector.slots, &mut model, &mut columns);
        let kept = trajectory.count();
        let rows = &mut out[at..at + kept];
        if run_law.is_err() {
            // outside what the law allows: no number, and the fit turns back
            rows.fill(f64::NAN);
        } else {
            for (k, row) in rows.iter_mut().enumerate() {
                let i = trajectory.end(trajectory.from + k);
                // just when the force jumped, a sample cannot say
                *row = if vector.jumps && trajectory.turns[trajectory.from + k] { 0.0 } else { need[i] - model[i] };
            }
        }
        if let Some(slopes) = slopes.as_deref_mut() {
            vector.apply_chain_rule(&mut columns, count);
            for (j, unknown) in vector.unknowns.iter().enumerate() {
                for k in 0..kept {
                    let i = trajectory.end(trajectory.from + k);
                    // at rest within what the law holds, nothing changes anything
                    let rests = need[i] == model[i] || (vector.jumps && trajectory.turns[trajectory.from + k]);
                    slopes[j * total + at + k] = match unknown.target {
                        _ if rests => 0.0,
                        ParameterTarget::Law(_) => -columns[j * count + i],
                        ParameterTarget::MassOption => {
                            -trajectory.acceleration.get(trajectory.from + k).copied().unwrap_or(0.0)
                        }
                        ParameterTarget::Offset => -1.0,
                    };
                }
            }
        }
        at += kept;
    }
}

/// What the law says along a record, for values that were found.
pub(super) fn model(
    trajectory: &DrivenTrajectory,
    vector: &ParameterVector,
    settled: bool,
    q: &[f64],
) -> (Vec<f64>, Vec<f64>) {
    let mut rest = vec![0.0; trajectory.count()];
    residual(std::slice::from_ref(trajectory), vector, settled, q, &mut rest, None);
    let (_, mass, offset) = vector.values(q, trajectory.mass);
    let all = trajectory.need(mass, offset);
    let need: Vec<f64> = (trajectory.from..trajectory.t.len()).map(|k| all[trajectory.end(k)]).collect();
    let model = need.iter().zip(&rest).map(|(need, rest)| need - rest).collect();
    (need, model)
}

/// The interval of each number that is sought by itself, by its profile; none where the data set no limit.
fn profiles(
    trajectories: &[DrivenTrajectory],
    vector: &ParameterVector,
    options: &DynamicOptions,
    fit: &Fit,
) -> Vec<Option<[f64; 2]>> {
    let count = trajectories.iter().map(DrivenTrajectory::count).sum();
    let value = |q: &[f64], out: &mut [f64]| residual(trajectories, vector, options.settled, q, out, None);
    let slope = |q: &[f64], out: &mut [f64]| {
        residual(trajectories, vector, options.settled, q, &mut vec![0.0; count], Some(out));
    };
    let problem = LeastSquaresProblem::new(&vector.parameters, count, &value).with_jacobian(&slope);
    let quick = fit::FitOptions { noise: Noise::White, tolerance: 1e-7, evaluations: 60, ..options.fit.clone() };
    let free: Vec<usize> = (0..fit.values.len()).collect();
    parallel::map(&free, |&j| {
        // an excess over another is not a parameter by itself
        if fit.bound[j] || vector.unknowns[j].excess_over.is_some() {
            return None;
        }
        match profile_likelihood(&problem, &quick, fit, j, options.level).ok()?.interval {
            [Some(low), Some(high)] => Some([low, high]),
            _ => None,
        }
    })
}

fn solve(
    trajectories: &[DrivenTrajectory],
    vector: &ParameterVector,
    options: &DynamicOptions,
    watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
) -> Result<Fit, Error> {
    let names: Vec<String> = vector.unknowns.iter().map(|unknown| unknown.key.clone()).collect();
    let mut parameters: Vec<Parameter> = vector.parameters.iter().cloned().map(Parameter::settled).collect();
    let rms = |cost: f64, count: usize| (2.0 * cost / count.max(1) as f64).sqrt();
    if options.resume.is_none() && options.search != GlobalSearch::None {
        let few = thin(trajectories, options.samples);
        let count = few.iter().map(DrivenTrajectory::count).sum();
        let value = |q: &[f64], out: &mut [f64]| residual(&few, vector, options.settled, q, out, None);
        let slope = |q: &[f64], out: &mut [f64]| {
            residual(&few, vector, options.settled, q, &mut vec![0.0; count], Some(out));
        };
        let problem = LeastSquaresProblem::new(&parameters, count, &value).with_jacobian(&slope);
        // errors are not asked for here
        let quick = fit::FitOptions { noise: Noise::White, ..options.fit.clone() };
        let best = match &options.search {
            GlobalSearch::Multistart(how) => {
                let mut tell = |sight: &fit::ScreeningProgress<'_>| {
                    let (stage, done) = (FitStage::GlobalSearch, sight.done);
                    let rms = rms(sight.cost, count);
                    watch(&FitProgress { stage, done, rms, names: &names, values: sight.values, state: None })
                };
                screen(&problem, &quick, how, &mut tell)?.swap_remove(0).1
            }
            GlobalSearch::CmaEs(how) => cma_search(&problem, &quick, how)?.values,
            GlobalSearch::None => Vec::new(),
        };
        parameters.iter_mut().zip(best).for_each(|(p, x)| p.start = x);
    }
    let count = trajectories.iter().map(DrivenTrajectory::count).sum();
    let value = |q: &[f64], out: &mut [f64]| residual(trajectories, vector, options.settled, q, out, None);
    let slope = |q: &[f64], out: &mut [f64]| {
        residual(trajectories, vector, options.settled, q, &mut vec![0.0; count], Some(out));
    };
    let problem = LeastSquaresProblem::new(&parameters, count, &value).with_jacobian(&slope);
    let mut how = options.fit.clone();
    if let Noise::Correlated { breaks, .. } = &mut how.noise
        && breaks.is_empty()
    {
        let mut at = 0;
        breaks.extend(trajectories.iter().take(trajectories.len() - 1).map(|trajectory| {
            at += trajectory.count();
            at
        }));
    }
    let start: Vec<f64> = parameters.iter().map(|p| p.start).collect();
    let state = options.resume.clone().unwrap_or_else(|| problem.begin(&start));
    let most = how.evaluations.max(1) as f64;
    let mut tell = |step: &fit::FitProgress<'_>| {
        let done = (step.state.evaluations as f64 / most).min(1.0);
        let (stage, rms, state) = (FitStage::LeastSquares, rms(step.cost, count), Some(step.state));
        watch(&FitProgress { stage, done, rms, names: &names, values: step.values, state })
    };
    Ok(nonlinear_from(&problem, &how, &state, &mut tell)?)
}
