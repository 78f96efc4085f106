//! Comparison of friction compensation methods: one task, several methods, the same performance measures.
//!
//! ```
//! use stiction::compensate::{CompensationMethod, CompensationStudy, compare};
//! use stiction::scenario::{Template, embedded};
//!
//! let text = embedded::find("a13-adaptive").unwrap().text;
//! let task = Template::parse(text, "a13.toml".as_ref(), &["run.end=1"])?;
//! let methods = vec![CompensationMethod::parse("none")?, CompensationMethod::parse("feedforward")?];
//! let found = compare(&task, &CompensationStudy { methods, factors: Vec::new(), ..CompensationStudy::default() })?;
//! let rms = |k: usize| found.results[k].performance.unwrap().rms;
//! assert!(rms(1) < rms(0));
//! # Ok::<(), stiction::Error>(())
//! ```
//! The scenario has a servo, `[controller.NAME]`, with a linear loop and possibly a velocity estimator. Both are kept; a
//! method adds its parts. A part that the scenario defines keeps its parameters; the parameters of other parts are derived
//! from the loop, the friction model and the encoder. The friction model is the law of the servo's contact, or another one.
mod chatter;
mod closed_loop_run;
mod effect;
mod hunting;
pub(crate) mod initial_parameters;
pub(crate) mod method;
mod model_error;
mod performance;
mod task;
mod tuning;

pub use chatter::alternating_jumps;
pub use closed_loop_run::{ClosedLoopRun, simulate};
pub use hunting::{Hunting, hunting};
pub use method::{CompensationMethod, METHODS};
pub use model_error::{scale_law_forces, with_model_error};
pub use performance::{Performance, chatter_rms, evaluate, rms, settling};
pub use task::ServoTask;
pub use tuning::{TuningOptions, TuningResult, cost};

use crate::scenario::{ControllerPart, Template};
use crate::{Error, Spec, parallel};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use stiction_core::control::stability::{ServoConditions, StabilityCheck};

/// The methods to compare, and options of the comparison.
#[derive(Clone, Debug)]
pub struct CompensationStudy {
    /// The methods.
    pub methods: Vec<CompensationMethod>,
    /// Friction model to use instead of the contact's own law.
    pub model: Option<Spec>,
    /// Name of the servo, if the scenario has several.
    pub controller: Option<String>,
    /// Name of the contact to compensate, if there are several.
    pub contact: Option<String>,
    /// Mass or inertia, if the scenario does not determine it.
    pub mass: Option<f64>,
    /// Parameters of parts: part, name, value.
    pub gains: Vec<(String, String, f64)>,
    /// End of the run \[s\]; default: that of the scenario, but at most a hundred thousand samples.
    pub end: Option<f64>,
    /// Time from which errors are evaluated \[s\]; default: the second half of the run.
    pub from: Option<f64>,
    /// Settling band; default: one encoder count, or 2 % of the reference range.
    pub band: Option<f64>,
    /// Model errors to test, as factors on the model.
    pub factors: Vec<f64>,
    /// Options for tuning the gains first; none: gains are not tuned.
    pub tuning: Option<TuningOptions>,
}

impl Default for CompensationStudy {
    fn default() -> Self {
        Self {
            methods: Vec::new(),
            model: None,
            controller: None,
            contact: None,
            mass: None,
            gains: Vec::new(),
            end: None,
            from: None,
            band: None,
            factors: vec![0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5],
            tuning: None,
        }
    }
}

/// The result of one method.
#[derive(Clone, Debug)]
pub struct MethodResult {
    /// The method.
    pub method: CompensationMethod,
    /// The parts of its controller, with their parameters.
    pub parts: Vec<ControllerPart>,
    /// The scenario file that reproduces the run.
    pub text: String,
    /// Files that the scenario reads: path, and file name relative to the scenario.
    pub inputs: Vec<(PathBuf, String)>,
    /// The closed-loop run.
    pub run: ClosedLoopRun,
    /// Its performance; none if the run failed.
    pub performance: Option<Performance>,
    /// RMS error over the factor of the model error; none where the run failed. Empty if the method uses no model.
    pub robustness: Vec<(f64, Option<f64>)>,
    /// Stability conditions: part, and whether the condition holds.
    pub stability: Vec<(&'static str, StabilityCheck)>,
    /// The result of tuning, if gains were tuned.
    pub tuning: Option<TuningResult>,
    /// Gains of the study that make no difference to the run of this method, `part.name`.
    pub without_effect: Vec<String>,
    /// Whether the run is that of the linear loop alone, to the last bit: what the method adds does nothing.
    pub as_without: bool,
}

impl MethodResult {
    /// The model error with the largest RMS error, and that error; none if a run failed or no model error was tested.
    pub fn worst(&self) -> Option<(f64, f64)> {
        let all: Option<Vec<(f64, f64)>> =
            self.robustness.iter().map(|(factor, rms)| Some((*factor, (*rms)?))).collect();
        all?.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

/// Comparison of methods on one task.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The task.
    pub task: ServoTask,
    /// One result for each method.
    pub results: Vec<MethodResult>,
}

/// Compares methods on the task of a scenario. A failed run is recorded in the result of its method.
///
/// # Errors
/// A scenario without a servo, or one that cannot be built or measured.
pub fn compare(template: &Template, study: &CompensationStudy) -> Result<Comparison, Error> {
    compare_with(template, study, &|_| ())
}

/// As [`compare`], with a progress callback: `progress` is called with the fraction of the work done.
///
/// # Errors
/// As [`compare`].
pub fn compare_with(
    template: &Template,
    study: &CompensationStudy,
    progress: &(dyn Fn(f64) + Sync),
) -> Result<Comparison, Error> {
    let task = ServoTask::new(template, study)?;
    check(&task, study)?;
    let parts = |method: &CompensationMethod| with_gains(task.parts(method)?, &study.gains);
    let mut starts = study.methods.iter().map(parts).collect::<Result<Vec<_>, _>>()?;
    let mut tuned = vec![None; starts.len()];
    // an upper bound: not all methods need all runs
    let runs_per_method = 1 + study.factors.len() + study.tuning.map_or(0, |options| options.evaluations);
    let (total, count) = ((starts.len() * runs_per_method) as f64, AtomicUsize::new(0));
    let count_run = || progress(((count.fetch_add(1, Ordering::Relaxed) + 1) as f64 / total).min(1.0));
    if let Some(options) = &study.tuning {
        let alone = evaluate(&task, &simulate(&task, &parts(&CompensationMethod::parse("none")?)?)?);
        let found = parallel::map(&starts, |parts| tuning::tune(&task, parts, alone.as_ref(), options, &count_run));
        (starts, tuned) = found.into_iter().unzip();
    }
    // the nominal run, then one for each model error
    let mut jobs: Vec<(Vec<ControllerPart>, bool)> = Vec::new();
    let mut curves: Vec<Vec<(f64, usize)>> = Vec::new();
    for parts in &starts {
        let own = jobs.len();
        jobs.push((parts.clone(), true));
        let mut curve = Vec::new();
        for &factor in &study.factors {
            if let Some(parts) = with_model_error(parts, factor) {
                curve.push((factor, if factor == 1.0 { own } else { jobs.len() }));
                if factor != 1.0 {
                    jobs.push((parts, false));
                }
            }
        }
        curves.push(curve);
    }
    let done = parallel::map(&jobs, |(parts, own)| {
        let run = simulate(&task, parts)?;
        let performance = evaluate(&task, &run);
        count_run();
        // the samples of runs with a model error are not needed
        Ok((if *own { run } else { ClosedLoopRun::default() }, performance))
    });
    let (mut runs, performances): (Vec<_>, Vec<_>) =
        done.into_iter().collect::<Result<Vec<_>, Error>>()?.into_iter().unzip();
    let error = study.factors.iter().fold(0.0, |most: f64, x| most.max(x - 1.0));
    let setting = ServoConditions { error, ..task.setting };
    let without_effect = parallel::map(&starts, |parts| effect::without_effect(&task, parts, &study.gains));
    let mut without_effect = without_effect.into_iter().collect::<Result<Vec<_>, Error>>()?.into_iter();
    let alone = study.methods.iter().position(|method| method.parts.is_empty());
    let (mut results, mut own): (Vec<MethodResult>, _) = (Vec::new(), 0);
    for (((method, parts), curve), tuned) in study.methods.iter().zip(starts).zip(curves).zip(tuned) {
        let used = 1 + curve.iter().filter(|(factor, _)| *factor != 1.0).count();
        let judge = |p: &ControllerPart| {
            let name = p.entry.name;
            p.entry.stability(&p.values, &setting).into_iter().map(move |verdict| (name, verdict)).collect::<Vec<_>>()
        };
        let (text, inputs) = task.template.with_parts(&task.servo.name, &parts)?.bundle();
        results.push(MethodResult {
            method: method.clone(),
            text,
            inputs,
            run: std::mem::take(&mut runs[own]),
            performance: performances[own],
            robustness: curve.iter().map(|(factor, k)| (*factor, performances[*k].map(|s| s.rms))).collect(),
            stability: parts.iter().flat_map(judge).collect(),
            parts,
            tuning: tuned,
            without_effect: without_effect.next().unwrap_or_default(),
            as_without: false,
        });
        own += used;
    }
    if let Some(alone) = alone {
        let same: Vec<bool> = results
            .iter()
            .map(|row| !row.method.parts.is_empty() && effect::same(&row.run, &results[alone].run))
            .collect();
        results.iter_mut().zip(same).for_each(|(row, same)| row.as_without = same);
    }
    Ok(Comparison { task, results })
}

/// Rejects options for which nothing can be evaluated.
fn check(task: &ServoTask, study: &CompensationStudy) -> Result<(), Error> {
    let value = |key: &'static str, x: f64, must: &'static str| {
        Error::Analysis(crate::analysis::AnalysisError::InvalidValue { key, value: crate::number::short(x), must })
    };
    let [start, end] = task.span;
    if !(end > start && end.is_finite()) {
        return Err(value("end", end, "after the start of the run"));
    }
    if !(task.from >= start && task.from < end) {
        return Err(value("from", task.from, "within the run, before its end"));
    }
    if task.band.is_nan() || task.band < 0.0 {
        return Err(value("band", task.band, "0 or more"));
    }
    if let Some(mass) = study.mass.filter(|m| !(*m > 0.0 && m.is_finite())) {
        return Err(value("mass", mass, "above 0"));
    }
    if let Some(factor) = study.factors.iter().find(|f| !(**f > 0.0 && **f <= 2.0)) {
        return Err(value("factors", *factor, "above 0, and 2 at most"));
    }
    if let Some(options) = study.tuning.filter(|options| !(options.weight >= 0.0 && options.weight.is_finite())) {
        return Err(value("weight", options.weight, "0 or more"));
    }
    Ok(())
}

/// The parts with the given gains. Gains of parts that this method does not have belong to other methods.
fn with_gains(mut parts: Vec<ControllerPart>, gains: &[(String, String, f64)]) -> Result<Vec<ControllerPart>, Error> {
    for (part, name, value) in gains {
        let part_of = CompensationMethod::parse(part)?.parts;
        for part in parts.iter_mut().filter(|p| part_of.last() == Some(&p.entry.name)) {
            part.put(name, *value)?;
        }
    }
    Ok(parts)
}
