//! Friction compensation compared: one task, several methods, the same measures for all.
//!
//! ```
//! use stiction::compensate::{Method, Study, compare};
//! use stiction::scenario::{Template, embedded};
//!
//! let text = embedded::find("a13-adaptive").unwrap().text;
//! let task = Template::parse(text, "a13.toml".as_ref(), &["run.end=1"])?;
//! let methods = vec![Method::parse("none")?, Method::parse("feedforward")?];
//! let found = compare(&task, &Study { methods, factors: Vec::new(), ..Study::default() })?;
//! let rms = |k: usize| found.rows[k].score.unwrap().rms;
//! assert!(rms(1) < rms(0));
//! # Ok::<(), stiction::Error>(())
//! ```
//! The scenario has a servo, `[controller.NAME]`, with a linear loop and perhaps an estimator. These stay; a method adds its
//! parts. A part that the scenario has itself keeps its numbers, others begin with numbers made from the loop, the model
//! and the encoder. The model is the law of the servo's contact, or another.
mod hunting;
pub(crate) mod method;
mod robust;
mod score;
pub(crate) mod start;
mod task;
mod trial;
mod tune;

pub use hunting::{Hunting, hunting};
pub use method::{Method, NAMES};
pub use robust::{off, scaled};
pub use score::{Score, rms, score, settling, shake};
pub use task::Task;
pub use trial::{Trial, trial};
pub use tune::{Tune, Tuned, cost};

use crate::scenario::{Piece, Template};
use crate::{Error, Spec, parallel};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use stiction_core::control::stability::{Setting, Verdict};

/// What to compare, and how.
#[derive(Clone, Debug)]
pub struct Study {
    /// The methods.
    pub methods: Vec<Method>,
    /// A model in the place of the contact's own law.
    pub model: Option<Spec>,
    /// The servo, if there are several.
    pub controller: Option<String>,
    /// The contact that it works against, if there are several.
    pub contact: Option<String>,
    /// Mass or inertia, if it cannot be told from the scenario.
    pub mass: Option<f64>,
    /// Numbers of parts: part, name, value.
    pub gains: Vec<(String, String, f64)>,
    /// End of the run \[s\]; none: that of the scenario, but no more than a hundred thousand samples.
    pub end: Option<f64>,
    /// From when on errors count \[s\]; none: the second half.
    pub from: Option<f64>,
    /// Errors within this have settled; none: a count, or 2 % of the way.
    pub band: Option<f64>,
    /// Factors by which models are off.
    pub factors: Vec<f64>,
    /// Whether gains are sought first.
    pub tune: Option<Tune>,
}

impl Default for Study {
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
            tune: None,
        }
    }
}

/// A method and what came of it.
#[derive(Clone, Debug)]
pub struct Row {
    /// The method.
    pub method: Method,
    /// The parts of its controller, with their numbers.
    pub pieces: Vec<Piece>,
    /// The scenario that repeats it.
    pub text: String,
    /// The files it reads: where each is, and the name under which it belongs beside the scenario.
    pub inputs: Vec<(PathBuf, String)>,
    /// The run.
    pub trial: Trial,
    /// Its measures; none if it failed.
    pub score: Option<Score>,
    /// Over the factor by which what it knows is off, the error's rms; none where the run failed. Empty if it knows nothing.
    pub robust: Vec<(f64, Option<f64>)>,
    /// Conditions of stability: whose, and whether they hold.
    pub stability: Vec<(&'static str, Verdict)>,
    /// What was tuned.
    pub tuned: Option<Tuned>,
}

impl Row {
    /// The factor with the largest error, and that error; none if a run failed or there is no curve.
    pub fn worst(&self) -> Option<(f64, f64)> {
        let all: Option<Vec<(f64, f64)>> = self.robust.iter().map(|(factor, rms)| Some((*factor, (*rms)?))).collect();
        all?.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

/// Methods side by side.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The task.
    pub task: Task,
    /// One for each method.
    pub rows: Vec<Row>,
}

/// Compares methods on the task of a scenario. A method whose run fails is told in its row.
///
/// # Errors
/// A scenario without a servo, or with what cannot be built or measured.
pub fn compare(template: &Template, study: &Study) -> Result<Comparison, Error> {
    compare_with(template, study, &|_| ())
}

/// The same for somebody who waits: `tell` hears from time to time which part of the work is done.
///
/// # Errors
/// As [`compare`].
pub fn compare_with(template: &Template, study: &Study, tell: &(dyn Fn(f64) + Sync)) -> Result<Comparison, Error> {
    let task = Task::new(template, study)?;
    check(&task, study)?;
    let pieces = |method: &Method| given(task.pieces(method)?, &study.gains);
    let mut starts = study.methods.iter().map(pieces).collect::<Result<Vec<_>, _>>()?;
    let mut tuned = vec![None; starts.len()];
    // as many runs as there may be; not all methods need them
    let each = 1 + study.factors.len() + study.tune.map_or(0, |how| how.evaluations);
    let (of, count) = ((starts.len() * each) as f64, AtomicUsize::new(0));
    let tick = || tell(((count.fetch_add(1, Ordering::Relaxed) + 1) as f64 / of).min(1.0));
    if let Some(how) = &study.tune {
        let alone = score(&task, &trial(&task, &pieces(&Method::parse("none")?)?)?);
        let found = parallel::each(&starts, |pieces| tune::tune(&task, pieces, alone.as_ref(), how, &tick));
        (starts, tuned) = found.into_iter().unzip();
    }
    // the run itself, then one for each factor
    let mut jobs: Vec<(Vec<Piece>, bool)> = Vec::new();
    let mut curves: Vec<Vec<(f64, usize)>> = Vec::new();
    for pieces in &starts {
        let own = jobs.len();
        jobs.push((pieces.clone(), true));
        let mut curve = Vec::new();
        for &factor in &study.factors {
            if let Some(pieces) = off(pieces, factor) {
                curve.push((factor, if factor == 1.0 { own } else { jobs.len() }));
                if factor != 1.0 {
                    jobs.push((pieces, false));
                }
            }
        }
        curves.push(curve);
    }
    let done = parallel::each(&jobs, |(pieces, own)| {
        let trial = trial(&task, pieces)?;
        let score = score(&task, &trial);
        tick();
        // of a run that is there for its score alone the samples need not be kept
        Ok((if *own { trial } else { Trial::default() }, score))
    });
    let (mut trials, scores): (Vec<_>, Vec<_>) =
        done.into_iter().collect::<Result<Vec<_>, Error>>()?.into_iter().unzip();
    let error = study.factors.iter().fold(0.0, |most: f64, x| most.max(x - 1.0));
    let setting = Setting { error, ..task.setting };
    let mut rows = Vec::new();
    let mut own = 0;
    for (((method, pieces), curve), tuned) in study.methods.iter().zip(starts).zip(curves).zip(tuned) {
        let runs = 1 + curve.iter().filter(|(factor, _)| *factor != 1.0).count();
        let judge = |p: &Piece| {
            let name = p.entry.name;
            p.entry.stability(&p.values, &setting).into_iter().map(move |verdict| (name, verdict)).collect::<Vec<_>>()
        };
        let (text, inputs) = task.template.with_pieces(&task.servo.name, &pieces)?.bundle();
        rows.push(Row {
            method: method.clone(),
            text,
            inputs,
            trial: std::mem::take(&mut trials[own]),
            score: scores[own],
            robust: curve.iter().map(|(factor, k)| (*factor, scores[*k].map(|s| s.rms))).collect(),
            stability: pieces.iter().flat_map(judge).collect(),
            pieces,
            tuned,
        });
        own += runs;
    }
    Ok(Comparison { task, rows })
}

/// Refuses what would measure nothing.
fn check(task: &Task, study: &Study) -> Result<(), Error> {
    let value = |key: &'static str, x: f64, must: &'static str| {
        Error::Analysis(crate::analysis::Failure::Value { key, value: crate::number::short(x), must })
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
    if let Some(how) = study.tune.filter(|how| !(how.weight >= 0.0 && how.weight.is_finite())) {
        return Err(value("weight", how.weight, "0 or more"));
    }
    Ok(())
}

/// The parts with numbers put in by hand. A number for a part that a method does not have is for another method.
fn given(mut pieces: Vec<Piece>, gains: &[(String, String, f64)]) -> Result<Vec<Piece>, Error> {
    for (part, name, value) in gains {
        let part_of = Method::parse(part)?.parts;
        for piece in pieces.iter_mut().filter(|p| part_of.last() == Some(&p.entry.name)) {
            piece.put(name, *value)?;
        }
    }
    Ok(pieces)
}
