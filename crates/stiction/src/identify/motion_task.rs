//! What is to be identified from motions, and the procedure that does it.
use super::dynamic::{self, DynamicOptions};
use super::report::IdentificationReport;
use super::sliding::{self, SlidingOptions};
use super::{
    FitProgress, FitStage, IdentificationError, IdentificationResult, LawSelectionOptions, MassOption, RecordSet,
    Remark, Severity, breakaway, presliding, record_set, select_law, warn_about_sliding_misfit,
};
use crate::{Error, Spec};
use stiction_core::models;
use stiction_core::registry::LawEntry;

/// Largest number of samples for which laws with memory are tried without being named.
const MAX_SAMPLES: usize = 200_000;

/// What is to be identified from motions.
#[derive(Clone, Debug)]
pub enum MotionTask {
    /// The best of the laws of sliding, and of laws with memory where there are not too many samples.
    BestLaw(SlidingOptions),
    /// Friction against velocity of a body that slides.
    Sliding(SlidingOptions),
    /// Any law, fitted along the motion. The mass is estimated where a record does not give it.
    AlongMotion(Box<Spec>, Box<DynamicOptions>),
    /// Friction against displacement before sliding.
    Presliding,
    /// The force at which a body at rest begins to slide.
    Breakaway(breakaway::BreakawayOptions),
    /// Friction of motions to and fro against load, one record each.
    Load(breakaway::BreakawayOptions),
}

/// Progress of a task.
#[derive(Debug)]
pub enum TaskProgress<'a> {
    /// The completed share of the comparison of laws.
    Comparison(f64),
    /// The fit of a law along the motion.
    Fit(&'a FitProgress<'a>),
}

impl TaskProgress<'_> {
    /// The completed share, from 0 to 1.
    pub fn share(&self) -> f64 {
        match self {
            Self::Comparison(done) => *done,
            Self::Fit(fit) => match fit.stage {
                FitStage::GlobalSearch => 0.5 * fit.done,
                FitStage::LeastSquares => 0.5 + 0.5 * fit.done,
            },
        }
    }
}

/// A remark, if the force of these records was cut off, on what a procedure makes of it.
fn cut_off(
    records: &RecordSet,
    (severity, what): (Severity, &str),
    mut results: Vec<IdentificationResult>,
) -> Vec<IdentificationResult> {
    if records.prepared.iter().any(|p| p.motion.saturated_samples() > 0) {
        let text = format!("the force was cut off at its limit; {what}");
        results.iter_mut().for_each(|result| result.remark(severity, text.clone()));
    }
    results
}

/// What loops and memory make of a force that was cut off: they need each sample of a branch.
const AS_MEASURED: (Severity, &str) = (
    Severity::Critical,
    "this procedure uses it as it was measured there, and what it says of forces at the limit is too small",
);
/// What is made of break-aways.
const LARGEST_MISSING: (Severity, &str) =
    (Severity::Warning, "break-aways at the limit were left out, so that the largest are missing");
/// What is made of the width of loops.
const BY_MEDIANS: (Severity, &str) =
    (Severity::Warning, "the widths of such loops are differences of medians, which it does not reach, not of means");

impl MotionTask {
    /// Identifies it. The first result is the recommended one. `watch` is called often and returns whether to continue; otherwise the
    /// results so far are returned.
    ///
    /// # Errors
    /// [`Error`] if the records do not suit the procedure.
    pub fn identify(
        &self,
        records: &RecordSet,
        watch: &mut dyn FnMut(&TaskProgress<'_>) -> bool,
    ) -> Result<Vec<IdentificationResult>, Error> {
        Ok(match self {
            Self::BestLaw(sliding) => {
                let how = LawSelectionOptions { sliding: sliding.clone(), max_samples: MAX_SAMPLES };
                select_law(&records.prepared, &how, &mut |done| watch(&TaskProgress::Comparison(done)))?
            }
            Self::Sliding(options) => vec![sliding::identify(&records.prepared, options)?],
            Self::AlongMotion(law, options) => {
                let motions = sliding::mark_sliding(&records.prepared, None);
                let given = motions.iter().all(|motion| motion.mass.is_some());
                let mass = if given { MassOption::Given } else { MassOption::Estimated };
                let options = DynamicOptions { mass, ..(**options).clone() };
                let mut found =
                    dynamic::fit(&motions, law, &options, &mut |now| watch(&TaskProgress::Fit(now)))?.result;
                let still = SlidingOptions { offset: options.offset, ..SlidingOptions::default() };
                let late = found.estimate(sliding::DELAY).map_or(0.0, |e| e.value);
                let prepared = records.prepared.iter().map(|p| p.with_delay(late)).collect::<Result<Vec<_>, _>>()?;
                // a record that hardly slides gives no law of sliding to compare with
                let _ = warn_about_sliding_misfit(&mut found, &prepared, &still);
                vec![found]
            }
            Self::Presliding => {
                let options = presliding::PreslidingOptions::default();
                cut_off(records, AS_MEASURED, vec![presliding::identify(&records.motions(), &options)?])
            }
            Self::Breakaway(options) => {
                cut_off(records, LARGEST_MISSING, vec![breakaway::identify(&records.motions(), options)?])
            }
            Self::Load(options) => {
                cut_off(records, BY_MEDIANS, vec![breakaway::identify_load_dependence(&records.joined(), options)?])
            }
        })
    }
}

/// Refuses names of forces of unknown size that are given twice, or that an estimate has: a parameter of the law, or without one of those that
/// are tried, or a quantity of the motion.
///
/// # Errors
/// [`IdentificationError::TermName`].
pub fn check_term_names(terms: &[(String, String)], law: Option<&LawEntry>) -> Result<(), IdentificationError> {
    let of = |law: &LawEntry, name: &str| law.params.iter().any(|p| p.name == name);
    let tried =
        |name: &str| ["stribeck", "dahl", "lugre"].iter().any(|law| models::find(law).is_some_and(|l| of(l, name)));
    let taken = |name: &str| {
        ["reverse.", "load.", "noise."].iter().any(|prefix| name.starts_with(prefix))
            || ["mass", "offset", "lag", "delay", "fc.load"].contains(&name)
            || law.map_or_else(|| tried(name), |law| of(law, name))
    };
    for (k, (name, _)) in terms.iter().enumerate() {
        let refuse = |why| Err(IdentificationError::TermName { name: name.clone(), why });
        if name.trim().is_empty() {
            return refuse("it has no name");
        }
        if terms[..k].iter().any(|(other, _)| other == name) {
            return refuse("it is given twice");
        }
        if taken(name) {
            return refuse("it is a parameter of the model");
        }
    }
    Ok(())
}

impl IdentificationReport {
    /// The report of results from these records, in units of a rotation if it is one.
    pub fn of_records(records: RecordSet, results: Vec<IdentificationResult>) -> Self {
        let (fastest, loads) = (records.fastest(), records.loads());
        let RecordSet { inputs, mut remarks, rotational, terms, .. } = records;
        remarks.extend(record_set::repeated(&inputs));
        let mut report = Self { inputs, remarks, results, rotational, fastest, loads, terms, ..Self::default() };
        if rotational == Some(true) {
            report.results = report.results.into_iter().map(IdentificationResult::in_rotational_units).collect();
            report.remarks = report.remarks.into_iter().map(Remark::in_rotational_units).collect();
        }
        report
    }
}
