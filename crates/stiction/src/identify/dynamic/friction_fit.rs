//! Fit of a law to measured friction.
use super::delay_fit::fit_with_delay;
use super::initial_displacement::{fit_with_displacements, has_unknown_displacement, is_displacement};
use super::parameter_vector::{ParameterTarget, ParameterVector, force_jumps_at_reversal};
use super::summary::summarise;
use super::trajectory::{DrivenTrajectory, thin};
use super::{DataScales, DynamicOptions, unexplained_delay};
use crate::NumericsError;
use crate::fit::{
    self, Fit, LeastSquaresProblem, NoiseModel, Parameter, ProfileLikelihood, StopReason, cma_search, nonlinear_from,
    profile_likelihood, screen,
};
use crate::identify::parameter::ParameterKind;
use crate::identify::sliding::ONE_DIRECTION;
use crate::identify::{FitCheckpoint, FitProgress, FitStage, GlobalSearch, Identifiability, MassOption, RoundState};
use crate::identify::{IdentificationResult, MotionRecord, Severity};
use crate::{Error, ParameterGroup, Spec, parallel};

/// A fit of a law to friction.
#[derive(Clone, Debug)]
pub struct FrictionFit {
    /// The identification result.
    pub result: IdentificationResult,
    /// The least-squares fit. Where a law requires that one parameter is not below another, the fit uses the excess.
    pub fit: Fit,
    /// Number of parameters that were fitted and did not end at a bound, without the displacements before records.
    pub parameters: usize,
    /// How far the contact was displaced before each record; see [`MotionRecord::displaced`].
    pub displaced: Vec<f64>,
    /// Whether the force jumps at reversals within a sample, as far as the records tell: then samples beside them were left out, if the options say so.
    pub abrupt: bool,
}

/// Fits a law to the friction in these records; see [`fit()`].
///
/// # Errors
/// As [`fit()`].
pub fn identify(motions: &[MotionRecord], law: &Spec, options: &DynamicOptions) -> Result<IdentificationResult, Error> {
    fit(motions, law, options, &mut |_| true).map(|fitted| fitted.result)
}

/// Fits a law to the friction `force − mass·acceleration − offset − terms` in these records. The law is driven by the measured
/// velocity. A law whose force jumps with the sign of the velocity is compared only where that sign is known: away from reversals, and
/// where the body surely slides ([`MotionRecord::slides`]).
///
/// `watch` is called often and returns whether to continue; otherwise the best fit so far is returned.
///
/// # Errors
/// [`Error::Numerics`] for invalid or too short records, [`Error::Law`] for an unknown parameter.
pub fn fit(
    motions: &[MotionRecord],
    law: &Spec,
    options: &DynamicOptions,
    watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
) -> Result<FrictionFit, Error> {
    if motions.is_empty() {
        return Err(NumericsError::TooFew { what: "records", need: 1, have: 0 }.into());
    }
    // one of several fits that was stopped is followed by none that asks again
    let mut goes_on = true;
    let mut watch = |now: &FitProgress<'_>| {
        goes_on = goes_on && watch(now);
        goes_on
    };
    if options.delay {
        let mut fitted = fit_with_delay(motions, law, options, &mut watch)?;
        mark_beside_stiffness(&mut fitted.result, law, options);
        return Ok(fitted);
    }
    let mut fitted = fit_without_delay(motions, law, options, &mut watch)?;
    unexplained_delay::remark(&mut fitted, motions, law, options)?;
    Ok(fitted)
}

/// The same of a force that is taken as on time.
pub(super) fn fit_without_delay(
    motions: &[MotionRecord],
    law: &Spec,
    options: &DynamicOptions,
    watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
) -> Result<FrictionFit, Error> {
    if has_unknown_displacement(law, options)? {
        return fit_with_displacements(motions, law, options, watch);
    }
    fit_with_known_displacements(motions, law, options, watch)
}

/// The same where the memory at the beginning of each record is given.
pub(super) fn fit_with_known_displacements(
    motions: &[MotionRecord],
    law: &Spec,
    options: &DynamicOptions,
    watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
) -> Result<FrictionFit, Error> {
    motions.iter().try_for_each(MotionRecord::check)?;
    if let Some(other) = motions.iter().find(|m| m.terms.len() != motions[0].terms.len()) {
        let (need, have) = (motions[0].terms.len(), other.terms.len());
        return Err(NumericsError::LengthMismatch { what: "terms", need, have }.into());
    }
    let weighs = |m: &MotionRecord| m.mass.is_some_and(|mass| mass != 0.0) || options.mass == MassOption::Estimated;
    if let Some(bare) = motions.iter().find(|m| m.acceleration.is_empty() && weighs(m)) {
        return Err(NumericsError::LengthMismatch { what: "acceleration", need: bare.len(), have: 0 }.into());
    }
    let scales = DataScales::of(motions);
    let mut spec = law.clone();
    let named = spec.has(ParameterGroup::Load) || options.free.iter().any(|free| free.key.starts_with("load."));
    let loaded = motions.iter().any(|m| !m.load.is_empty());
    if loaded && !named {
        // friction levels then hold at the median load
        spec.set("load.slope", 1.0 / scales.load)?;
    }
    let both = both_directions(motions, scales.speed[0]);
    let one_way = options.offset && !both;
    let options = &DynamicOptions { offset: options.offset && both, ..options.clone() };
    let mut vector = ParameterVector::new(&spec, options, &scales)?.with_terms(motions, &scales);
    let trajectories: Vec<DrivenTrajectory> =
        motions.iter().map(|motion| DrivenTrajectory::new(motion, options, vector.jumps)).collect();
    if trajectories.iter().all(|trajectory| trajectory.count() == 0) {
        return Err(NumericsError::TooFew { what: "samples that slide", need: 1, have: 0 }.into());
    }
    let mut trajectories = trajectories;
    let mut fit = solve(&trajectories, &vector, options, watch)?;
    let is_done = fit.reason != StopReason::Stopped;
    if options.may_be_rigid && is_done && widen_stiffness(&mut vector, &fit, options, &scales) {
        let again = DynamicOptions { search: GlobalSearch::None, resume: None, ..options.clone() };
        fit = solve(&trajectories, &vector, &again, watch)?;
    }
    let abrupt = fit.reason != StopReason::Stopped && is_rigid(&vector, &fit, &scales, options.level);
    if abrupt && options.may_be_rigid {
        trajectories = motions
            .iter()
            .zip(trajectories)
            .map(|(motion, trajectory)| trajectory.without_reversals(motion, options.reach))
            .collect();
        if stiffnesses(&vector.spec).count() == 1 {
            make_rigid(&mut vector, &fit, options);
        }
        let again = DynamicOptions { search: GlobalSearch::None, resume: None, ..options.clone() };
        fit = solve(&trajectories, &vector, &again, watch)?;
    }
    let profiles = if options.profile { profiles(&trajectories, &vector, options, &fit) } else { Vec::new() };
    let mut result = summarise(motions, &trajectories, &vector, &fit, options, &scales, (loaded && !named, &profiles));
    if abrupt && options.may_be_rigid {
        mark_abrupt(&mut result, &vector);
    }
    if one_way {
        result.remark(Severity::Warning, ONE_DIRECTION);
        result.remarks.sort_by_key(|remark| remark.severity);
    }
    let displaced = motions.iter().map(|motion| motion.displaced).collect();
    let parameters =
        fit.names.iter().zip(&fit.bound).filter(|(name, bound)| !**bound && !is_displacement(name)).count();
    Ok(FrictionFit { result, fit, parameters, displaced, abrupt })
}

/// Whether the stiffness of the law is beyond the one from which on a contact is rigid as far as these samples tell, and may be any larger one; of several
/// elements, each of which bears a part of the force, every one. The force jumps at reversals then. At which instant between two samples is not known, so that the
/// force at the next one may be off by the whole jump; a fit would bend the sliding curve to make up for it.
fn is_rigid(vector: &ParameterVector, fit: &Fit, scales: &DataScales, level: f64) -> bool {
    let is_open = |j: usize| fit.bound[j] || fit.interval(j, level)[1] >= vector.parameters[j].high;
    let is_high = |j: &usize| fit.values[*j] >= scales.rigid_stiffness && is_open(*j);
    let stiff: Vec<usize> = (0..fit.values.len()).filter(|&j| is_stiffness(vector, &vector.unknowns[j].key)).collect();
    !vector.jumps && !stiff.is_empty() && stiff.iter().all(is_high)
}

/// Raises the upper bound of the one stiffness of a law that ended there, unless the caller gave it, to twice that of a contact that is rigid as far as the
/// samples tell, and lets the fit begin where it ended; whether it is raised. The range in which a stiffness is sought first follows from the slope of the force over
/// displacements of a hundredth of the way, which may be far below what the samples tell. A fit that is held at such a bound bends the sliding
/// curve to make up for the missing stiffness, and its intervals say nothing of that.
fn widen_stiffness(vector: &mut ParameterVector, fit: &Fit, options: &DynamicOptions, scales: &DataScales) -> bool {
    // one of several elements may end there in a wrong valley
    if vector.jumps || stiffnesses(&vector.spec).count() != 1 {
        return false;
    }
    let mut is_raised = false;
    for j in stiff_at_bound(vector, fit, options) {
        let high = (2.0 * scales.rigid_stiffness).min(most_allowed(vector, j));
        is_raised |= high > vector.parameters[j].high;
        vector.parameters[j].high = high.max(vector.parameters[j].high);
    }
    if is_raised {
        vector.parameters.iter_mut().zip(&fit.values).for_each(|(p, x)| p.start = *x);
    }
    is_raised
}

/// A stiffness that ended at its bound, of a contact that is abrupt, begins a hundred times as high, where slower turns are as abrupt as the usual one.
fn make_rigid(vector: &mut ParameterVector, fit: &Fit, options: &DynamicOptions) {
    vector.parameters.iter_mut().zip(&fit.values).for_each(|(p, x)| p.start = *x);
    for j in stiff_at_bound(vector, fit, options) {
        let high = (100.0 * fit.values[j]).min(most_allowed(vector, j)).max(vector.parameters[j].high);
        (vector.parameters[j].high, vector.parameters[j].start) = (high, high);
    }
}

/// The names of the stiffnesses of a law.
pub(super) fn stiffnesses(spec: &Spec) -> impl Iterator<Item = &'static str> {
    let of = spec.law().params.iter();
    of.filter(|p| ParameterKind::of(p) == ParameterKind::Stiffness).map(|p| p.name)
}

/// Where a delay was sought and the one stiffness of a law ended at an end of its range, the rest of the law makes up for what is missing: levels and
/// damping have no interval then.
fn mark_beside_stiffness(result: &mut IdentificationResult, law: &Spec, options: &DynamicOptions) {
    let Some(name) = stiffnesses(law).next().filter(|_| stiffnesses(law).count() == 1) else { return };
    let given = |free: &crate::identify::FreeParameter| free.key == name && (free.low.is_some() || free.high.is_some());
    let is_given = options.bounds.iter().chain(&options.free).any(given);
    if is_given || !result.estimate(name).is_some_and(|e| e.identifiability == Identifiability::AtBound) {
        return;
    }
    let own = |key: &str| law.law().params.iter().any(|p| p.name == key.trim_start_matches("reverse."));
    let mut beside = Vec::new();
    for e in &mut result.estimates {
        if own(&e.name) && e.name != name && e.identifiability.is_estimated() {
            beside.push(e.name.clone());
            *e = e.clone().unidentifiable();
        }
    }
    if beside.is_empty() {
        return;
    }
    let text = format!(
        "beside a stiffness at an end of its range {} make up for what is missing, and have no interval: give the delay (--delay SECONDS), or take a law \
         without memory (--find sliding)",
        beside.join(", ")
    );
    result.remark(Severity::Critical, text);
    result.remarks.sort_by_key(|remark| remark.severity);
}

/// The stiffnesses that ended at an upper bound which the caller did not give.
fn stiff_at_bound(vector: &ParameterVector, fit: &Fit, options: &DynamicOptions) -> Vec<usize> {
    let is_given =
        |key: &str| options.bounds.iter().chain(&options.free).any(|free| free.key == key && free.high.is_some());
    let at_bound = |j: usize| fit.bound[j] && fit.values[j] >= vector.parameters[j].high * (1.0 - 1e-9);
    let key = |j: usize| vector.unknowns[j].key.as_str();
    (0..fit.values.len()).filter(|&j| at_bound(j) && is_stiffness(vector, key(j)) && !is_given(key(j))).collect()
}

/// The largest value that the law allows of an unknown.
fn most_allowed(vector: &ParameterVector, j: usize) -> f64 {
    let key = vector.unknowns[j].key.trim_start_matches("reverse.");
    vector.spec.law().params.iter().find(|p| p.name == key).map_or(f64::INFINITY, |p| p.max)
}

/// Whether a parameter is the stiffness of a contact.
fn is_stiffness(vector: &ParameterVector, key: &str) -> bool {
    let name = key.trim_start_matches("reverse.");
    vector.spec.law().params.iter().any(|p| p.name == name && ParameterKind::of(p) == ParameterKind::Stiffness)
}

/// Tells that the samples beside reversals were left out, and that these do not tell what happens within them.
fn mark_abrupt(result: &mut IdentificationResult, vector: &ParameterVector) {
    let within = |key: &str| is_stiffness(vector, key) || matches!(key.trim_start_matches("reverse."), "sigma1" | "ds");
    let names: Vec<String> =
        vector.unknowns.iter().map(|unknown| unknown.key.clone()).filter(|key| within(key)).collect();
    for e in result.estimates.iter_mut().filter(|e| names.contains(&e.name)) {
        *e = e.clone().unidentifiable();
    }
    let text = format!(
        "at reversals the force jumps within a sample: as far as this record tells, friction has no memory. Samples beside reversals were left \
         out, and {} cannot be told; needs faster sampling there, or a law without memory (--model stiction, stribeck)",
        names.join(", ")
    );
    result.remark(Severity::Warning, text);
    result.remarks.sort_by_key(|remark| remark.severity);
}

/// Of each record the samples that a fit with these options compares with this law.
///
/// # Errors
/// [`Error::Law`] for a law that cannot be built.
pub fn compared_samples(
    motions: &[MotionRecord],
    law: &Spec,
    options: &DynamicOptions,
) -> Result<Vec<Vec<usize>>, Error> {
    let jumps = force_jumps_at_reversal(law.law().name)?;
    // sample k of the trajectory ends at time k + 1 of the motion
    let rows = |motion| DrivenTrajectory::new(motion, options, jumps).compared().map(|k| k + 1).collect();
    Ok(motions.iter().map(rows).collect())
}

/// Whether a twentieth at least of the samples that move, faster than `slow`, moves in each direction. Otherwise a constant force
/// cannot be told from the friction level.
fn both_directions(motions: &[MotionRecord], slow: f64) -> bool {
    let moving = || motions.iter().flat_map(|m| &m.velocity).filter(|v| v.abs() >= slow);
    let (forward, all) = (moving().filter(|v| **v > 0.0).count(), moving().count());
    forward.min(all - forward) * 20 > all
}

/// The residuals of all records, required friction less the force of the law, and their derivatives if `slopes` is given.
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
        let (values, plant) = vector.values(q, trajectory.mass);
        let need = trajectory.need(&plant);
        let (own, wrappers) = vector.parts(&values);
        let count = trajectory.pieces();
        let mut model = vec![0.0; count];
        let wide = if slopes.is_some() { vector.columns } else { 0 };
        let mut columns = vec![0.0; wide * count];
        let track = trajectory.track(&need, settled);
        let run_law = vector.spec.law().force_along(own, &wrappers, &track, &vector.slots, &mut model, &mut columns);
        let kept = trajectory.count();
        let rows = &mut out[at..at + kept];
        if run_law.is_err() {
            // parameter values that the law does not allow: the fit rejects the step
            rows.fill(f64::NAN);
        } else {
            for (row, k) in rows.iter_mut().zip(trajectory.compared()) {
                let i = trajectory.end(k);
                *row = need[i] - model[i];
            }
        }
        if let Some(slopes) = slopes.as_deref_mut() {
            vector.apply_chain_rule(&mut columns, count);
            for (j, unknown) in vector.unknowns.iter().enumerate() {
                for (row, k) in trajectory.compared().enumerate() {
                    let i = trajectory.end(k);
                    slopes[j * total + at + row] = match unknown.target {
                        // at rest within the admissible set, the residual does not depend on the parameters
                        _ if need[i] == model[i] => 0.0,
                        ParameterTarget::Law(_) => -columns[j * count + i],
                        ParameterTarget::MassOption => -trajectory.acceleration.get(k).copied().unwrap_or(0.0),
                        ParameterTarget::Offset => -1.0,
                        ParameterTarget::Term(term) => -trajectory.terms[term][k],
                    };
                }
            }
        }
        at += kept;
    }
}

/// Required friction and force of the law at all samples of a record, for fitted parameters. NaN for those that the law does not allow.
pub(super) fn model(
    trajectory: &DrivenTrajectory,
    vector: &ParameterVector,
    settled: bool,
    q: &[f64],
) -> (Vec<f64>, Vec<f64>) {
    let (values, plant) = vector.values(q, trajectory.mass);
    let need = trajectory.need(&plant);
    let (own, wrappers) = vector.parts(&values);
    let mut force = vec![0.0; trajectory.pieces()];
    let track = trajectory.track(&need, settled);
    if vector.spec.law().force_along(own, &wrappers, &track, &vector.slots, &mut force, &mut []).is_err() {
        force.fill(f64::NAN);
    }
    let at_ends = |x: &[f64]| trajectory.all().map(|k| x[trajectory.end(k)]).collect();
    (at_ends(&need), at_ends(&force))
}

/// Profile likelihood of each free parameter; none of those at a bound.
fn profiles(
    trajectories: &[DrivenTrajectory],
    vector: &ParameterVector,
    options: &DynamicOptions,
    fit: &Fit,
) -> Vec<Option<ProfileLikelihood>> {
    let count = trajectories.iter().map(DrivenTrajectory::count).sum();
    let value = |q: &[f64], out: &mut [f64]| residual(trajectories, vector, options.settled, q, out, None);
    let slope = |q: &[f64], out: &mut [f64]| {
        residual(trajectories, vector, options.settled, q, &mut vec![0.0; count], Some(out));
    };
    let problem = LeastSquaresProblem::new(&vector.parameters, count, &value).with_jacobian(&slope);
    let quick = fit::FitOptions { noise: NoiseModel::White, tolerance: 1e-7, evaluations: 60, ..options.fit.clone() };
    let free: Vec<usize> = (0..fit.values.len()).collect();
    parallel::map(&free, |&j| {
        // an excess over another parameter is not a parameter of the law, nor is a displacement before a record
        if fit.bound[j] || vector.unknowns[j].excess_over.is_some() || is_displacement(&vector.unknowns[j].key) {
            return None;
        }
        profile_likelihood(&problem, &quick, fit, j, options.level).ok()
    })
}

fn solve(
    trajectories: &[DrivenTrajectory],
    vector: &ParameterVector,
    options: &DynamicOptions,
    watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
) -> Result<Fit, Error> {
    let names: Vec<String> = vector.unknowns.iter().map(|unknown| unknown.key.clone()).collect();
    let mut parameters: Vec<Parameter> = vector.parameters.iter().cloned().map(Parameter::with_fixed_scale).collect();
    let rms = |cost: f64, count: usize| (2.0 * cost / count.max(1) as f64).sqrt();
    let mut checkpoint = options.resume.clone().unwrap_or_default();
    if options.search != GlobalSearch::None {
        let few = thin(trajectories, options.samples);
        let count = few.iter().map(DrivenTrajectory::count).sum();
        let value = |q: &[f64], out: &mut [f64]| residual(&few, vector, options.settled, q, out, None);
        let slope = |q: &[f64], out: &mut [f64]| {
            residual(&few, vector, options.settled, q, &mut vec![0.0; count], Some(out));
        };
        let problem = LeastSquaresProblem::new(&parameters, count, &value).with_jacobian(&slope);
        // standard errors are not needed here
        let quick = fit::FitOptions { noise: NoiseModel::White, ..options.fit.clone() };
        let mut tell = |sight: &fit::ScreeningProgress<'_>| {
            let (stage, done, rms) = (FitStage::GlobalSearch, sight.done, rms(sight.cost, count));
            let so_far = FitCheckpoint { search: sight.journal.clone(), round: None };
            let (values, checkpoint) = (sight.values, Some(&so_far));
            watch(&FitProgress { stage, done, rms, names: &names, values, checkpoint })
        };
        let journal = &mut checkpoint.search;
        let best = match &options.search {
            GlobalSearch::Multistart(how) => screen(&problem, &quick, how, journal, &mut tell)?.swap_remove(0).1,
            GlobalSearch::CmaEs(how) => cma_search(&problem, &quick, how, journal, &mut tell)?.values,
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
    if let NoiseModel::Correlated { breaks, .. } = &mut how.noise
        && breaks.is_empty()
    {
        let mut at = 0;
        breaks.extend(trajectories.iter().take(trajectories.len() - 1).map(|trajectory| {
            at += trajectory.count();
            at
        }));
    }
    let start: Vec<f64> = parameters.iter().map(|p| p.start).collect();
    let state = checkpoint.round.take().map_or_else(|| problem.begin(&start), |round| round.fit);
    let most = how.evaluations.max(1) as f64;
    let mut tell = |step: &fit::IterationProgress<'_>| {
        let done = (step.state.evaluations as f64 / most).min(1.0);
        let (stage, rms) = (FitStage::LeastSquares, rms(step.cost, count));
        let fit = step.state.clone();
        checkpoint.round = Some(RoundState { number: 1, weight: 1.0, cost_before: f64::INFINITY, fit });
        watch(&FitProgress { stage, done, rms, names: &names, values: step.values, checkpoint: Some(&checkpoint) })
    };
    Ok(nonlinear_from(&problem, &how, &state, &mut tell)?)
}
