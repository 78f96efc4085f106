//! Design of an experiment for a law within limits.
use super::information_matrix::InformationMatrix;
use super::limits::within_range;
use super::optimal_allocation::{optimal_shares, repetitions};
use super::requirements::DesignConditions;
use super::segment_path::{Multisine, SegmentPath};
use super::sensitivity::{ForceSensitivity, SensitivityModel};
use super::{
    AxisLimits, ChosenSegment, DesignOptions, ExperimentDesign, PRIOR_DEVIATION, PredictedError, Segment,
    segment_library, summary,
};
use crate::NumericsError;
use crate::check::positive;
use crate::identify::IdentificationError;
use crate::identify::{IdentificationResult, MotionRecord};
use crate::{Error, Spec, fit, parallel};
use stiction_core::Input;

/// Fewest samples of an experiment.
const MIN_SAMPLES: f64 = 400.0;
/// Maximum number of samples.
const MAX_SAMPLES: f64 = 1e7;
/// Standard deviations of the noise, relative to friction, whose information is neither lost against the prior nor beyond
/// what determinants can hold.
const RELATIVE_NOISE: std::ops::RangeInclusive<f64> = 1e-9..=1e6;

/// A segment with its information.
struct Candidate {
    segment: Segment,
    count: usize,
    worth: InformationMatrix,
    friction: f64,
    force: f64,
}

/// Designs an experiment for a law with assumed parameters.
///
/// # Errors
/// [`Error::Law`] for an unknown parameter; [`Error::Numerics`] for invalid limits, a too short duration, or a force below
/// friction.
pub fn design(law: &Spec, limits: &AxisLimits, options: &DesignOptions) -> Result<ExperimentDesign, Error> {
    limits.check()?;
    within_range("duration", options.duration)?;
    within_range("rate", options.rate)?;
    options.noise.map_or(Ok(()), |noise| positive("noise", noise))?;
    let room = options.duration * options.rate;
    if !(MIN_SAMPLES..=MAX_SAMPLES).contains(&room) {
        let must =
            if room < MIN_SAMPLES { "longer: a test has at least 400 samples" } else { "shorter: 1e7 samples at most" };
        return Err(NumericsError::InvalidValue { name: "duration", value: options.duration, must }.into());
    }
    let room = room as usize;
    let sensitivity = SensitivityModel::new(law, &options.free, options.mass, limits.mass, options.offset)?;
    let tones = segment_library::tones(options.seed);
    let lab = Designer { limits, rate: options.rate, tones: &tones, sensitivity: &sensitivity };
    let all = lab.candidates(law, options.duration)?;
    let friction = all.iter().fold(0.0_f64, |most, c| most.max(c.friction));
    let noise = options.noise.unwrap_or(0.01 * friction);
    if !RELATIVE_NOISE.contains(&(noise / friction)) || !(noise * noise).is_normal() {
        let must = "between 1e-9 and 1e6 times the largest friction force";
        return Err(NumericsError::InvalidValue { name: "noise", value: noise, must }.into());
    }
    let prior = InformationMatrix::diagonal(sensitivity.unknowns.len(), 1.0 / (PRIOR_DEVIATION * PRIOR_DEVIATION));
    let whole =
        |c: &Candidate| InformationMatrix::zero(prior.n).plus(room as f64 / c.count as f64 / (noise * noise), &c.worth);
    let mut allowed: Vec<&Candidate> = all.iter().collect();
    loop {
        let (share, bound) = optimal_shares(&allowed.iter().map(|c| whole(c)).collect::<Vec<_>>(), &prior);
        let each: Vec<InformationMatrix> =
            allowed.iter().map(|c| InformationMatrix::zero(prior.n).plus(1.0 / (noise * noise), &c.worth)).collect();
        let counts: Vec<usize> = allowed.iter().map(|c| c.count).collect();
        let often = repetitions(&each, &counts, &share, room, &prior);
        let picked: Vec<(Segment, usize)> = allowed.iter().zip(&often).map(|(c, k)| (c.segment, *k)).collect();
        let (segments, path) = lab.row(&picked);
        if path.len() == 0 {
            let must = "smaller: no motion of this duration tells more than is assumed";
            return Err(NumericsError::InvalidValue { name: "noise", value: noise, must }.into());
        }
        let run = sensitivity.run(&path, 1.0 / options.rate, 1);
        let pull = |k: usize| (limits.mass * path.a[k] + run.force[k]).abs();
        // with the memory of earlier segments a segment may need more force than alone
        if let Some(k) = (0..path.len()).find(|&k| pull(k) > limits.force) {
            let t = k as f64 / options.rate;
            let guilty = segments.iter().rev().find(|c| c.from <= t).map(|c| c.segment);
            allowed.retain(|c| Some(c.segment) != guilty);
            if allowed.is_empty() {
                return Err(IdentificationError::InsufficientForce { have: limits.force, need: pull(k) }.into());
            }
            continue;
        }
        let sine = all
            .iter()
            .filter(|c| matches!(c.segment, Segment::Sine { .. }))
            .map(|c| (whole(c).plus(1.0, &prior).log_det(), c))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let insensitive = (0..prior.n).map(|j| all.iter().all(|c| c.worth.a[j * (prior.n + 1)] == 0.0)).collect();
        let slides = slides(law, limits)?;
        let inputs = DesignInputs { law, options, noise, friction, bound, prior: &prior, slides, insensitive };
        return Ok(lab.tell(&inputs, segments, &path, &run, sine.map(|(_, c)| c)));
    }
}

/// Smallest friction in sliding, over speeds down to a thousandth of the largest.
fn slides(law: &Spec, limits: &AxisLimits) -> Result<f64, Error> {
    let model = law.build()?;
    let steady = |k: i32| model.steady(&Input { v: limits.speed * 10f64.powi(-k), load: 1.0 }).abs();
    Ok((0..=3).map(steady).fold(f64::INFINITY, f64::min))
}

/// Inputs of the final evaluation of a design.
struct DesignInputs<'a> {
    law: &'a Spec,
    options: &'a DesignOptions,
    noise: f64,
    friction: f64,
    bound: f64,
    prior: &'a InformationMatrix,
    slides: f64,
    insensitive: Vec<bool>,
}

/// Designer of experiments for an axis and a law.
struct Designer<'a> {
    limits: &'a AxisLimits,
    rate: f64,
    tones: &'a Multisine,
    sensitivity: &'a SensitivityModel,
}

impl Designer<'_> {
    /// Segments within the limits, with their information.
    fn candidates(&self, law: &Spec, duration: f64) -> Result<Vec<Candidate>, Error> {
        let model = law.build()?;
        let rest = Input { v: 0.0, load: 1.0 };
        let memory = vec![0.0; model.len()];
        let hold = [-1.0, 1.0].map(|dir| model.hold(&memory, &rest, dir)).into_iter().fold(0.0, f64::max);
        if hold > self.limits.force {
            return Err(IdentificationError::InsufficientForce { have: self.limits.force, need: hold }.into());
        }
        let segments = segment_library::segments(self.limits, duration, self.rate, self.tones);
        if segments.is_empty() {
            return Err(IdentificationError::NoFeasibleMotion { duration, rate: self.rate }.into());
        }
        let one = |(segment, count): &(Segment, usize)| {
            let path = segment.path(self.limits, self.rate, self.tones);
            let run = self.sensitivity.run(&path, 1.0 / self.rate, 2);
            let pull = run.force.iter().zip(&path.a).map(|(f, a)| f + self.limits.mass * a);
            let force = pull.fold(0.0_f64, |most, f| most.max(f.abs()));
            let friction = run.force.iter().fold(0.0_f64, |most, f| most.max(f.abs()));
            Candidate { segment: *segment, count: *count, worth: run.information(), friction, force }
        };
        let all: Vec<Candidate> = parallel::map(&segments, one);
        let least = all.iter().fold(f64::INFINITY, |least, c| least.min(c.force));
        let sound = |c: &Candidate| c.worth.a.iter().all(|x| x.is_finite()) && c.force <= self.limits.force;
        let good: Vec<Candidate> = all.into_iter().filter(sound).collect();
        if good.is_empty() {
            return Err(IdentificationError::InsufficientForce { have: self.limits.force, need: least }.into());
        }
        Ok(good)
    }

    /// Concatenated segments, long strokes first.
    fn row(&self, picked: &[(Segment, usize)]) -> (Vec<ChosenSegment>, SegmentPath) {
        let mut picked: Vec<(Segment, usize)> = picked.iter().copied().filter(|(_, k)| *k > 0).collect();
        picked.sort_by(|a, b| b.0.displacement().total_cmp(&a.0.displacement()));
        let (mut out, mut path) = (Vec::new(), SegmentPath::default());
        for (segment, times) in picked {
            let one = segment.path(self.limits, self.rate, self.tones);
            let (from, time) = (path.len() as f64 / self.rate, one.len() as f64 / self.rate);
            let speed = one.v.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
            out.push(ChosenSegment { segment, times, from, time, speed });
            (0..times).for_each(|_| path.append(&one));
        }
        (out, path)
    }

    /// Predicted standard errors for a motion.
    fn errors(&self, run: &ForceSensitivity, noise: f64) -> Vec<f64> {
        let count = run.force.len().max(1);
        let columns: Vec<&[f64]> = run.slopes.chunks_exact(count).collect();
        let n = columns.len();
        let (gram, blind) = fit::inverse_gram(&columns);
        let sizes = self.sensitivity.unknowns.iter().map(|unknown| unknown.size);
        let error = |(j, size): (usize, f64)| {
            if blind[j] { f64::INFINITY } else { noise * gram[j * n + j].max(0.0).sqrt() * size }
        };
        sizes.enumerate().map(error).collect()
    }

    fn tell(
        &self,
        inputs: &DesignInputs<'_>,
        segments: Vec<ChosenSegment>,
        path: &SegmentPath,
        run: &ForceSensitivity,
        sine: Option<&Candidate>,
    ) -> ExperimentDesign {
        let (noise, room) = (inputs.noise, (inputs.options.duration * self.rate) as usize);
        let log_det = |run: &ForceSensitivity| inputs.prior.plus(1.0 / (noise * noise), &run.information()).log_det();
        let n = inputs.prior.n as f64;
        let plain = sine.map(|c| {
            let one = c.segment.path(self.limits, self.rate, self.tones);
            let mut all = SegmentPath::default();
            (0..room / one.len().max(1)).for_each(|_| all.append(&one));
            self.sensitivity.run(&all, 1.0 / self.rate, 1)
        });
        let errors = self.errors(run, noise);
        let sines = plain.as_ref().map_or(vec![f64::INFINITY; errors.len()], |run| self.errors(run, noise));
        let predicted =
            self.sensitivity.unknowns.iter().zip(errors.iter().zip(&sines)).map(|(unknown, (error, sine))| {
                PredictedError {
                    key: unknown.key.clone(),
                    unit: unknown.unit.clone(),
                    value: unknown.value,
                    error: *error,
                    sine: *sine,
                }
            });
        let with = |first: f64, list: &[f64]| [&[first], list].concat();
        let friction = with(0.0, &run.force);
        let acceleration = with(0.0, &path.a);
        let force = friction.iter().zip(&acceleration).map(|(f, a)| f + self.limits.mass * a).collect();
        let motion = MotionRecord {
            name: format!("test for {}", inputs.law.law().name),
            t: (0..=path.len()).map(|k| k as f64 / self.rate).collect(),
            position: with(0.0, &path.x),
            velocity: with(0.0, &path.v),
            acceleration,
            force,
            load: Vec::new(),
            weight: Vec::new(),
            slides: Vec::new(),
            saturated: Vec::new(),
            unresolved: Vec::new(),
            terms: Vec::new(),
            mass: Some(self.limits.mass),
            displaced: 0.0,
        };
        let sine = sine.and_then(|c| match c.segment {
            Segment::Sine { displacement, frequency } => Some((displacement, frequency)),
            _ => None,
        });
        let mut out = ExperimentDesign {
            law: inputs.law.clone(),
            motion,
            friction,
            segments,
            predicted: predicted.collect(),
            noise,
            efficiency: ((log_det(run) - inputs.bound) / n).exp(),
            gain: plain.map_or(f64::INFINITY, |plain| ((log_det(run) - log_det(&plain)) / (2.0 * n)).exp()),
            sine,
            result: IdentificationResult::default(),
        };
        let reach = DesignConditions {
            limits: *self.limits,
            duration: inputs.options.duration,
            rate: self.rate,
            friction: inputs.friction,
            stribeck: inputs.law.get("vs").ok(),
            slides: inputs.slides,
            insensitive: inputs.insensitive.clone(),
        };
        out.result = summary::summarise(&out, &self.sensitivity.unknowns, &reach);
        out
    }
}
