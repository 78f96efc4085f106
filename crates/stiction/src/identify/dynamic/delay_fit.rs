//! The delay between force and motion as a parameter of a fit along the motion.
//!
//! As in sliding ([`crate::identify::sliding`]): motion and force are moved against each other by an estimate of the delay, and the
//! derivative of the law's force by the delay is one more term. The fit is repeated, each time from the parameters of the last one, until
//! the rest of the delay is far below its standard error.
//!
//! A measured force is `∫ h(s) F(t − s) ds` with the impulse response `h` of the measurement: a point in time, or the mean over a sample if a
//! drive holds its force. For a smooth force that is `F − τ F′ + ½ σ² F″ + …` with mean `τ` and variance `σ²` of `h`. Two things follow:
//!
//! * Where the force jumps, at reversals of a law that sticks, there is no such series: a sample within `|τ| + σ` of the jump is wrong by
//!   as much as the jump, whatever the derivative says. Such samples are not compared. What they do tell, the delay to about a sample, is
//!   taken from them before, by least squares over a row of delays; what slides then tells it finer, if the force changes there.
//! * A law without memory that changes its sign steeply, but without a jump, has a large `F″` just where its steepness is told, and one of
//!   hold or point may pass for another steepness. What the hold of a sample, `σ² = dt²/12`, would change of each parameter follows
//!   from the derivatives of the fit; where that is not small against its standard error, the parameter is not identifiable.
use super::delay_profile::{DelayProfile, tolerance};
use super::friction_fit::{FrictionFit, fit_without_delay, stiffnesses};
use super::initial_displacement::fit_from;
use super::parameter_vector::force_jumps_at_reversal;
use super::predict::predict;
use super::trajectory::{DrivenTrajectory, PlantForces, near_reversals};
use super::{DataScales, DynamicOptions};
use crate::fit::{LinearOptions, StopReason, linear};
use crate::identify::sliding::delay_fit::{ENOUGH, ITERATIONS, NO_DELAY, TRIED, longest};
use crate::identify::sliding::{self, DELAY, SlidingLaw, SlidingOptions};
use crate::identify::{
    Estimate, FitProgress, ForceTerm, FreeParameter, GlobalSearch, Identifiability, IdentificationResult, MotionRecord,
    PreparedMotion, Severity,
};
use crate::linalg::dot;
use crate::number::{round, short};
use crate::signal::gradient;
use crate::{Error, Spec, parallel};
use std::cell::Cell;

/// Change of a parameter by the hold of a sample, in standard errors, from which on it is not identifiable: with a bias of this size an
/// interval of 95 % holds the truth in 92 %.
const MOST_BIAS: f64 = 0.5;
/// Samples on either side of a reversal that are not compared: one for the rest of the delay, one for a force that is averaged over a
/// sample.
const REACH: usize = 2;
/// Rest of the delay in standard errors that is accepted after the last repetition: samples that come and go beside reversals keep it from
/// zero, and what is left is linear.
const NEAR: f64 = 0.5;
/// Stiffness of a contact that counts as rigid, over the one from which on the samples beside the usual turn do not tell it from a rigid one.
const RIGID: f64 = 100.0;
/// Least number of reversals that tell a delay.
const MIN_REVERSALS: usize = 2;
const STOPPED: &str =
    "the fit was stopped before delays beside the best one were tried: the intervals are those of a linear model";
/// Distance of the first delays of a profile at most, in samples: bristle damping and delay change places within about one.
const SPACING: f64 = 0.25;

/// Fits a law and the delay of the force.
pub(super) fn fit_with_delay(
    motions: &[MotionRecord],
    law: &Spec,
    options: &DynamicOptions,
    watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
) -> Result<FrictionFit, Error> {
    let task = DelayFit::new(motions, law, options)?;
    let mut goes_on = true;
    let mut watch = |now: &FitProgress<'_>| {
        goes_on = goes_on && watch(now);
        goes_on
    };
    let found = task.fit(options.profile, &mut watch)?;
    match task.of_rigid_contact() {
        Some(rigid) if task.is_rigid_with(&found, &mut watch)? => rigid.fit(options.profile, &mut watch),
        _ => Ok(found),
    }
}

fn seconds(delay: f64) -> String {
    format!("{} s", short(round(delay, 3)))
}

fn moved_by(motions: &[MotionRecord], delay: f64) -> Result<Vec<MotionRecord>, Error> {
    Ok(motions.iter().map(|motion| motion.with_delay(delay)).collect::<Result<_, _>>()?)
}

/// Where the delay is sought and not told, bristles make up for what is left of it: no parameter of the law has an interval then.
fn mark_beside_delay(result: &mut IdentificationResult, law: &Spec) {
    let own = |key: &str| law.law().params.iter().any(|p| p.name == key.trim_start_matches("reverse."));
    let mut beside = Vec::new();
    for e in result.estimates.iter_mut().filter(|e| own(&e.name) && e.identifiability.is_estimated()) {
        beside.push(e.name.clone());
        *e = e.clone().unidentifiable();
    }
    let text = format!(
        "beside a delay that is not told {} make up for what is left of it, and have no interval: give the delay (--delay SECONDS), or take a law without \
         memory (--find sliding)",
        beside.join(", ")
    );
    result.remark(Severity::Critical, text);
}

/// The delay as one that the reversals alone tell.
fn tell_by_reversals(result: &mut IdentificationResult, delay: f64, step: f64) {
    // a uniform distribution over a sample on either side
    let (error, interval) = (step / 3.0_f64.sqrt(), [delay - step, delay + step]);
    let e = Estimate::new(DELAY, "s", delay, error, interval);
    result.estimates.push(Estimate { identifiability: Identifiability::Good, ..e });
    let text =
        "the delay is told by the reversals alone, to one sample: while sliding, the force does not change enough";
    result.remark(Severity::Info, text);
}

/// A fit of a law whose force comes late.
struct DelayFit<'a> {
    motions: &'a [MotionRecord],
    law: &'a Spec,
    /// Without a delay.
    options: DynamicOptions,
    /// Whether the force jumps at reversals, and whether it has neither jumps nor memory.
    jumps: bool,
    steep: bool,
    /// Whether a row of delays is held in the end: of laws with memory.
    by_profile: bool,
    /// The longest time between samples.
    step: f64,
}

/// A fit with a term for what is left of the delay, and how much that is in standard errors.
struct NearFit {
    rest: f64,
    fitted: FrictionFit,
}

/// Records with a delay taken out and a term for the rest of it.
struct WithTerm {
    motions: Vec<MotionRecord>,
    /// What a force that is held over each sample would change of each residual.
    held: Vec<f64>,
}

impl<'a> DelayFit<'a> {
    fn new(motions: &'a [MotionRecord], law: &'a Spec, options: &DynamicOptions) -> Result<Self, Error> {
        let jumps = force_jumps_at_reversal(law.law().name)?;
        let steep = !jumps && law.build()?.is_empty();
        let by_profile = !jumps && !steep;
        let reach = if jumps { REACH.max(options.reach) } else { options.reach };
        let profile = options.profile && !by_profile;
        // a wrong delay makes any contact seem rigid, and costs with different delays are compared over the same samples
        let options = DynamicOptions { delay: false, may_be_rigid: false, reach, profile, ..options.clone() };
        let step = motions.iter().map(MotionRecord::step).fold(0.0, f64::max);
        Ok(Self { motions, law, options, jumps, steep, by_profile, step })
    }

    /// Fits the law and the delay; with the profiles of all parameters, if they are wanted.
    fn fit(&self, profile: bool, watch: &mut dyn FnMut(&FitProgress<'_>) -> bool) -> Result<FrictionFit, Error> {
        let told = if self.jumps { in_reversals(self.motions, self.step) } else { None };
        let start = told.unwrap_or_else(|| in_sliding(self.motions));
        let (mut checkpoint, mut done, goes_on) = (None, 0.0_f64, Cell::new(true));
        let mut first = fit_without_delay(&moved_by(self.motions, start)?, self.law, &self.options, &mut |now| {
            checkpoint = now.checkpoint.cloned().or(checkpoint.take());
            done = now.done;
            goes_on.set(watch(now));
            goes_on.get()
        })?;
        // a stopped fit resumes from the first one, which has no term of the delay
        let mut watch = |now: &FitProgress<'_>| {
            done = done.max(now.done);
            goes_on.set(goes_on.get() && watch(&now.after(done, checkpoint.as_ref())));
            goes_on.get()
        };
        let nearest = if goes_on.get() { self.repeat_with_term(told, start, &first, &mut watch)? } else { None };
        if self.by_profile && goes_on.get() {
            let near = nearest.as_ref().map(|found| &found.fitted);
            if let Some(found) = self.profile(near, (start, &first), profile, &mut watch)? {
                return Ok(found);
            }
        }
        let stopped = !goes_on.get();
        if let Some(NearFit { rest, mut fitted }) = nearest
            && rest <= NEAR
            && (!self.by_profile || stopped)
        {
            if self.by_profile && stopped {
                fitted.result.remark(Severity::Warning, STOPPED);
                fitted.result.remarks.sort_by_key(|remark| remark.severity);
            }
            return Ok(fitted);
        }
        if self.by_profile && profile && !stopped {
            let options = DynamicOptions { profile: true, ..self.options.clone() };
            first = fit_from(&moved_by(self.motions, start)?, self.law, &options, &first, &mut watch)?;
        }
        match told {
            Some(delay) => tell_by_reversals(&mut first.result, delay, self.step),
            None if stopped => {
                let text = format!("the fit was stopped before it told the delay: {} was taken out", seconds(start));
                first.result.remark(Severity::Warning, text);
            }
            None if start == 0.0 => first.result.remark(Severity::Warning, NO_DELAY),
            None => {
                let text = format!(
                    "the delay cannot be told with this law from this motion: {} was taken out, that of Coulomb and viscous friction",
                    seconds(start)
                );
                first.result.remark(Severity::Warning, text);
            }
        }
        if self.by_profile && !stopped {
            mark_beside_delay(&mut first.result, self.law);
        }
        first.result.remarks.sort_by_key(|remark| remark.severity);
        Ok(first)
    }

    /// Whether the contact is rigid, as far as the samples tell, with the best of all delays: its stiffness ended at the upper end of its range, and where the
    /// range is widened no lower one is better.
    fn is_rigid_with(
        &self,
        found: &FrictionFit,
        watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
    ) -> Result<bool, Error> {
        let ends_high = |e: &Estimate| e.identifiability == Identifiability::AtBound && e.interval[0] < e.value;
        let is_high = stiffnesses(self.law).any(|name| found.result.estimate(name).is_some_and(ends_high));
        if found.fit.reason == StopReason::Stopped || found.abrupt || !is_high {
            return Ok(found.abrupt && found.fit.reason != StopReason::Stopped);
        }
        let delay = found.result.estimate(DELAY).map_or(0.0, |e| e.value);
        let options = DynamicOptions { may_be_rigid: true, ..self.options.clone() };
        Ok(fit_without_delay(&moved_by(self.motions, delay)?, self.law, &options, watch)?.abrupt)
    }

    /// The same of a contact that is rigid, as far as the samples tell: its force jumps at reversals, which then tell the delay. None of laws whose force
    /// jumps anyway, and of those without a stiffness or with several, each of which bears a part of the force.
    fn of_rigid_contact(&self) -> Option<Self> {
        let mut names = stiffnesses(self.law);
        let name = names.next().filter(|_| !self.jumps && names.next().is_none())?;
        let keys = [name.to_owned(), format!("reverse.{name}")];
        let reach = REACH.max(self.options.reach);
        let mut options = DynamicOptions { may_be_rigid: true, reach, resume: None, ..self.options.clone() };
        // far enough beyond what the usual turn tells for slower turns as well; of what jumps no value is told
        let stiff = RIGID * DataScales::of(self.motions).rigid_stiffness;
        let most = self.law.law().params.iter().find(|p| p.name == name).map_or(stiff, |p| stiff.min(p.max));
        let is_free = |free: &FreeParameter| keys.contains(&free.key);
        let mut held: Vec<String> =
            options.free.iter().filter(|free| is_free(free)).map(|free| free.key.clone()).collect();
        if held.is_empty() {
            held.push(name.to_owned());
        }
        options.free.retain(|free| !is_free(free));
        options.bounds.retain(|free| !is_free(free));
        options.bounds.extend(held.iter().map(|key| FreeParameter::new(key).within(most, most)));
        Some(Self { options, jumps: true, steep: false, by_profile: false, ..*self })
    }

    /// Repeats a fit with the delay as one more term, each time at the delay that was told last; of these the fit that left least of the delay. None
    /// where the force does not tell it.
    fn repeat_with_term(
        &self,
        told: Option<f64>,
        start: f64,
        first: &FrictionFit,
        watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
    ) -> Result<Option<NearFit>, Error> {
        // a row tells the rest, but for a force that jumps
        let is_begin = self.by_profile;
        let mut options = self.options.clone();
        if is_begin {
            options.fit.tolerance = options.fit.tolerance.max(tolerance(self.motions));
        }
        let mut delay = start;
        let mut fitted = first.clone();
        let mut nearest: Option<NearFit> = None;
        for _ in 0..ITERATIONS {
            let Some(WithTerm { motions, held }) = self.with_term(&fitted, delay)? else { break };
            let mut next = fit_from(&motions, self.law, &options, &fitted, watch)?;
            if next.fit.reason == StopReason::Stopped {
                break;
            }
            let Some(e) = next.result.estimates.iter_mut().find(|e| e.name == DELAY) else { break };
            let (rest, error) = (e.value, e.error);
            // what slides tells less than the reversals do
            let coarse =
                told.is_some() && (error > self.step || (delay + rest - start).abs() > REACH as f64 * self.step);
            if !(rest.is_finite() && error.is_finite() && error > 0.0) || coarse {
                break;
            }
            *e = Estimate { unit: "s".to_owned(), identifiability: Identifiability::Good, ..e.clone() };
            e.value += delay;
            e.interval = e.interval.map(|x| x + delay);
            if self.steep {
                mark_blurred(&mut next, &held);
            }
            let ratio = rest.abs() / error;
            if nearest.as_ref().is_none_or(|least| ratio < least.rest) {
                nearest = Some(NearFit { rest: ratio, fitted: next.clone() });
            }
            if ratio <= if is_begin { NEAR } else { ENOUGH } {
                break;
            }
            delay += rest;
            if delay.abs() > longest(self.step) {
                return Ok(None);
            }
            next.result.estimates.retain(|e| e.name != DELAY);
            fitted = next;
        }
        Ok(nearest)
    }

    /// None if a delay changes nothing.
    fn with_term(&self, fitted: &FrictionFit, delay: f64) -> Result<Option<WithTerm>, Error> {
        let Some(found) = &fitted.result.law else { return Ok(None) };
        let (mut changes, mut held, mut out) = (false, Vec::new(), Vec::new());
        for (motion, &displaced) in self.motions.iter().zip(&fitted.displaced) {
            let measured = MotionRecord { displaced, ..motion.clone() };
            let mut motion = measured.with_delay(delay)?;
            let reach = self.jumps.then_some(self.options.reach);
            let [slope, bent] = slopes(&measured, &motion, delay, found, &fitted.result, reach)?;
            changes |= slope.iter().any(|x| *x != 0.0);
            motion.terms.push(ForceTerm { name: DELAY.to_owned(), values: slope });
            let hold = motion.step().powi(2) / 12.0;
            // sample k of the trajectory ends at time k + 1 of the motion
            let trajectory = DrivenTrajectory::new(&motion, &self.options, self.jumps);
            held.extend(trajectory.compared().map(|k| 0.5 * hold * bent[k + 1]));
            out.push(motion);
        }
        Ok(changes.then_some(WithTerm { motions: out, held }))
    }

    /// The fit by a row of delays, about that of `near`, or of the first fit.
    fn profile(
        &self,
        near: Option<&FrictionFit>,
        (start, first): (f64, &FrictionFit),
        profiles: bool,
        watch: &mut dyn FnMut(&FitProgress<'_>) -> bool,
    ) -> Result<Option<FrictionFit>, Error> {
        let estimate = near.and_then(|found| found.result.estimate(DELAY));
        let (delay, error) = estimate.map_or((start, self.step), |e| (e.value, e.error));
        let from = near.unwrap_or(first);
        let inflation = |k: usize| from.fit.variance_inflation(k);
        // without an own column, that of the parameter that suffers most
        let inflation = match from.fit.names.iter().position(|name| name == DELAY) {
            Some(column) => inflation(column),
            None => (0..from.fit.values.len()).map(inflation).fold(1.0, f64::max),
        };
        let row = DelayProfile::new(self.motions, self.law, &self.options, (inflation.max(1.0), profiles));
        row.fit((delay, from), error.min(SPACING * self.step), watch)
    }
}

/// Marks the parameters of a fit that differ between a force that is sampled at points in time and one that is held over each sample, by
/// which each residual changes as `held` says.
fn mark_blurred(fitted: &mut FrictionFit, held: &[f64]) {
    let fit = &fitted.fit;
    let (m, n) = (fit.residual.len(), fit.values.len());
    let variance = fit.sigma * fit.sigma;
    if held.len() != m || variance <= 0.0 {
        return;
    }
    let gradient: Vec<f64> = (0..n).map(|j| dot(&fit.jacobian[j * m..(j + 1) * m], held)).collect();
    let errors = fit.standard_errors();
    // the white covariance is σ² (JᵀJ)⁻¹, zero for parameters that are held
    let change = |i: usize| -> f64 {
        let terms = gradient.iter().enumerate().map(|(j, g)| g * fit.white_covariance.at(i, j) / variance);
        terms.filter(|x| x.is_finite()).sum::<f64>().abs()
    };
    let blurred = |i: &usize| !fit.bound[*i] && fit.names[*i] != DELAY && change(*i) > MOST_BIAS * errors[*i];
    let names: Vec<String> = (0..n).filter(blurred).map(|i| fit.names[i].clone()).collect();
    if names.is_empty() {
        return;
    }
    for e in fitted.result.estimates.iter_mut().filter(|e| names.contains(&e.name)) {
        *e = e.clone().unidentifiable();
    }
    let text = format!(
        "{} cannot be told with an unknown delay: the force changes so fast at reversals that a force held over a sample would give other values; \
         give the delay (--delay SECONDS), hold the steepness (--set), or fit a law of sliding (--find sliding)",
        names.join(", ")
    );
    fitted.result.remark(Severity::Critical, text);
    fitted.result.remarks.sort_by_key(|remark| remark.severity);
}

/// The delay that reversals tell: that with which a step of the force, a viscous and a constant force, inertia and other terms leave least. None
/// if there are too few, or if it lies at the bound of the search.
fn in_reversals(motions: &[MotionRecord], step: f64) -> Option<f64> {
    let turns = |m: &MotionRecord| m.velocity.windows(2).filter(|v| v[0] * v[1] <= 0.0).count();
    if motions.iter().map(turns).sum::<usize>() < MIN_REVERSALS {
        return None;
    }
    let left = |delay: &f64| -> Option<f64> {
        let moved: Vec<MotionRecord> = motions.iter().map(|m| m.with_delay(*delay)).collect::<Result<_, _>>().ok()?;
        let known = |m: &MotionRecord, x: Vec<f64>| -> Vec<f64> {
            x.into_iter().enumerate().filter(|(k, _)| m.is_comparable(*k)).map(|(_, x)| x).collect()
        };
        let join =
            |of: &dyn Fn(&MotionRecord) -> Vec<f64>| moved.iter().flat_map(|m| known(m, of(m))).collect::<Vec<f64>>();
        let mut columns = vec![
            join(&|m| vec![1.0; m.len()]),
            join(&|m| m.velocity.iter().map(|v| if *v == 0.0 { 0.0 } else { v.signum() }).collect()),
            join(&|m| m.velocity.clone()),
        ];
        if moved.iter().all(|m| m.mass.is_none() && !m.acceleration.is_empty()) {
            columns.push(join(&|m| m.acceleration.clone()));
        }
        for k in 0..moved[0].terms.len() {
            columns.push(join(&|m| m.terms.get(k).map(|term| term.values.clone()).unwrap_or_default()));
        }
        let y = join(&|m| {
            let inertia = |k: usize| m.mass.unwrap_or(0.0) * m.acceleration.get(k).copied().unwrap_or(0.0);
            m.force.iter().enumerate().map(|(k, f)| f - inertia(k)).collect()
        });
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let found = linear(&columns, &y, &LinearOptions::default()).ok()?;
        Some(found.residual.iter().map(|r| r * r).sum::<f64>() / y.len() as f64)
    };
    let (mut middle, mut spacing) = (0.0, longest(step) / f64::from(TRIED));
    loop {
        let delays: Vec<f64> = (-TRIED..=TRIED).map(|k| middle + spacing * f64::from(k)).collect();
        let costs = parallel::map(&delays, left);
        let least = costs.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        // between two samples all delays explain the jumps alike
        let best =
            || delays.iter().zip(&costs).filter(|(_, cost)| cost.is_some_and(|cost| cost <= least)).map(|(d, _)| *d);
        let count = best().count();
        if count == 0 {
            return None;
        }
        middle = best().sum::<f64>() / count as f64;
        if spacing <= 0.25 * step {
            break;
        }
        spacing /= 0.5 * f64::from(TRIED);
    }
    (middle.abs() < longest(step)).then_some(middle)
}

/// The delay that Coulomb and viscous friction with inertia tell, or zero: near enough for the fit of a law whose force changes within a
/// few samples.
fn in_sliding(motions: &[MotionRecord]) -> f64 {
    if motions.iter().any(|m| m.acceleration.is_empty()) {
        return 0.0;
    }
    // the cut-off of the filter is not known here: at most a quarter of the sampling rate
    let prepare = |m: &MotionRecord| PreparedMotion {
        motion: m.clone(),
        cutoff: 0.25 / m.step(),
        rest_speed: 0.0,
        unresolved: Vec::new(),
        lower_order: None,
    };
    let prepared: Vec<PreparedMotion> = motions.iter().map(prepare).collect();
    let options = SlidingOptions { curve: Some(SlidingLaw::Viscous), delay: true, ..SlidingOptions::default() };
    let found = sliding::identify(&prepared, &options).ok();
    found.and_then(|found| found.estimate(DELAY).map(|e| e.value)).filter(|x| x.is_finite()).unwrap_or(0.0)
}

/// The force of the model along a motion: friction, inertia and other terms.
fn model_force(motion: &MotionRecord, law: &Spec, plant: &PlantForces) -> Result<Vec<f64>, Error> {
    let series = predict(motion, law, plant)?;
    // the prediction begins after the first sample
    let lead = motion.len() - series.model.len();
    let other = |k: usize| {
        let terms: f64 = motion.terms.iter().zip(&plant.terms).map(|(term, factor)| factor * term.values[k]).sum();
        plant.mass * motion.acceleration.get(k).copied().unwrap_or(0.0) + terms
    };
    Ok((0..motion.len()).map(|k| series.model[k.saturating_sub(lead)] + other(k.max(lead))).collect())
}

/// Two delays about this one, in samples, with which a record keeps the same samples: its law begins at the same instant.
fn beside(by: f64) -> [f64; 2] {
    // a tenth of a sample: far below the width of what the force shows, far above rounding
    const APART: f64 = 0.1;
    const INSIDE: f64 = 1e-3;
    if by < 0.0 {
        return beside(-by).map(|by| -by);
    }
    let last = by.ceil().max(1.0);
    [(by - APART).max(last - 1.0 + INSIDE), (by + APART).min(last)]
}

/// The derivative of the model's force by the delay, and its second derivative by time, for the samples of `motion`, which is `measured` with
/// the delay; for a force that jumps, zero within `reach` samples of a reversal and where the body does not surely slide.
///
/// The first is a difference of two predictions, each along the motion with another delay, as the fit makes them. A difference of neighbouring
/// samples would be a mean over two samples: bristle damping, which is a derivative by time as well, would then explain what it leaves.
pub(super) fn slopes(
    measured: &MotionRecord,
    motion: &MotionRecord,
    delay: f64,
    law: &Spec,
    found: &IdentificationResult,
    reach: Option<usize>,
) -> Result<[Vec<f64>; 2], Error> {
    let plant = PlantForces::found(motion, found);
    let step = measured.step();
    let [early, late] = beside(delay / step);
    let moved = |by: f64| measured.with_delay(by * step);
    let (one, other) = (moved(early)?, moved(late)?);
    let forces = [model_force(&one, law, &plant)?, model_force(&other, law, &plant)?];
    // both keep the same samples, which are those of the motion but for some at an end
    let first = motion.t.partition_point(|t| *t < one.t[0]);
    let mut slope = vec![0.0; motion.len()];
    for (slope, (a, b)) in slope[first..].iter_mut().zip(forces[0].iter().zip(&forces[1])) {
        *slope = (b - a) / ((late - early) * step);
    }
    let rate = gradient(&model_force(motion, law, &plant)?, motion.step())?;
    let mut bent = gradient(&rate, motion.step())?;
    if let Some(reach) = reach {
        // the samples that are not compared, and those whose difference quotient reaches over the jump
        let near = near_reversals(&motion.velocity, reach.max(1));
        let slides = |k: usize| motion.slides.get(k).copied().unwrap_or(true);
        for k in (0..near.len()).filter(|&k| near[k] || !slides(k)) {
            (slope[k], bent[k]) = (0.0, 0.0);
        }
    }
    Ok([slope, bent])
}

/// Options of a fit that goes on from another one.
pub(super) fn from_there(options: &DynamicOptions, found: &FrictionFit) -> DynamicOptions {
    let free = free(options, &found.result);
    DynamicOptions { free, bounds: Vec::new(), search: GlobalSearch::None, resume: None, ..options.clone() }
}

/// The parameters that were fitted, within their bounds, from where they are now.
pub(super) fn free(options: &DynamicOptions, found: &IdentificationResult) -> Vec<FreeParameter> {
    let law = found.law.as_ref();
    let own = |name: &str| law.is_some_and(|law| law.get(name).is_ok());
    let given = || options.bounds.iter().chain(&options.free);
    found
        .estimates
        .iter()
        .filter(|e| e.identifiability.is_estimated() && own(&e.name))
        .map(|e| {
            let bounded = given().find(|free| free.key == e.name).cloned();
            FreeParameter { start: Some(e.value), ..bounded.unwrap_or_else(|| FreeParameter::new(&e.name)) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{beside, slopes};
    use crate::Spec;
    use crate::identify::{IdentificationResult, MotionRecord};

    /// With differences of neighbouring samples, a tenth of the derivative was missing here, and a fit of a law with bristles took the
    /// rest for bristle damping: one record in five ended without damping, with a delay that was a sample off and seemed known to a tenth of that.
    #[test]
    fn the_derivative_by_the_delay_is_that_of_a_fast_force() {
        let step = 2e-3;
        // eight samples to a period
        let omega = std::f64::consts::TAU / (8.0 * step);
        let t: Vec<f64> = (0..200).map(|k| step * f64::from(k)).collect();
        let along = |f: &dyn Fn(f64) -> f64| t.iter().map(|t| f(omega * t)).collect::<Vec<f64>>();
        let measured = MotionRecord {
            position: along(&|x| -x.cos() / omega),
            velocity: along(&f64::sin),
            acceleration: along(&|x| omega * x.cos()),
            force: vec![0.0; t.len()],
            t: t.clone(),
            ..MotionRecord::default()
        };
        let law = Spec::new("viscous").unwrap();
        let fv = law.get("fv").unwrap();
        for by in [0.0, 0.7, 1.0, 1.3, 2.0, -0.4, -1.0] {
            let delay = by * step;
            let motion = measured.with_delay(delay).unwrap();
            let none = IdentificationResult::new("", String::new());
            let [slope, _] = slopes(&measured, &motion, delay, &law, &none, None).unwrap();
            for (t, slope) in motion.t.iter().zip(&slope).skip(5).take(slope.len() - 10) {
                let exact = -fv * omega * (omega * (t - delay)).cos();
                // at a whole number of samples both delays lie on one side, 0.05 samples away on average: 0.04 of a period of 8
                assert!((slope - exact).abs() < 0.05 * fv * omega, "{by}: {slope} for {exact}");
            }
        }
    }

    #[test]
    fn two_delays_beside_one_keep_its_samples() {
        for by in [0.0, 1e-9, 0.05, 0.97, 1.0, 1.02, 7.5, -0.05, -1.0, -1.5] {
            let [early, late] = beside(by);
            assert_eq!(early.abs().ceil(), late.abs().ceil(), "{by}");
            assert!((early - late).abs() > 0.09 && (early - by).abs() < 0.11 && (late - by).abs() < 0.11, "{by}");
            assert!(by == 0.0 || early.abs().ceil() == by.abs().ceil(), "{by}");
        }
    }
}
