//! Laws compared on the same records: each is fitted to the first half of every record and predicts the second.
use super::dynamic::{self, DynamicOptions};
use super::law_selection::{displaced, halves, validate};
use super::sliding::{ValidationError, mark_sliding};
use super::{IdentificationResult, MassOption, MotionRecord, PreparedMotion};
use crate::{Error, Spec};

/// A law in a comparison.
#[derive(Clone, Debug)]
pub struct ComparedLaw {
    /// Its name.
    pub name: String,
    /// Number of estimated values that ended within their bounds.
    pub parameters: usize,
    /// Error of its prediction of the second halves.
    pub validation: ValidationError,
    /// The same for the samples that slide: root mean square \[N\].
    pub sliding: f64,
    /// Its fit to the whole records.
    pub result: IdentificationResult,
}

/// The laws of a comparison, the best prediction first, and those that could not be fitted, with the reason.
#[derive(Clone, Debug, Default)]
pub struct LawComparison {
    /// Those that were fitted.
    pub laws: Vec<ComparedLaw>,
    /// Those that were not.
    pub failed: Vec<(String, String)>,
}

impl LawComparison {
    /// The law to take: the one with fewest values of those that predict no worse than the best, within what chance explains.
    pub fn choice(&self) -> Option<&ComparedLaw> {
        let best = self.laws.first()?;
        let as_good = self.laws.iter().filter(|law| !best.validation.is_better_than(&law.validation));
        as_good.min_by_key(|law| law.parameters)
    }
}

/// Compares laws along the motion, with an offset of the force if `offset`. `watch` is told the share that is done, and returns
/// whether to continue.
///
/// # Errors
/// [`Error`] if the records are too short to be halved.
pub fn compare_laws(
    prepared: &[PreparedMotion],
    laws: &[Spec],
    offset: bool,
    watch: &mut dyn FnMut(f64) -> bool,
) -> Result<LawComparison, Error> {
    let motions = mark_sliding(prepared, None);
    motions.iter().try_for_each(MotionRecord::check)?;
    let (first, slides) = halves(&motions);
    let given = motions.iter().all(|motion| motion.mass.is_some());
    let mass = if given { MassOption::Given } else { MassOption::Estimated };
    let options = DynamicOptions { mass, offset, ..DynamicOptions::default() };
    let mut found = LawComparison::default();
    for (k, law) in laws.iter().enumerate() {
        if !watch(k as f64 / laws.len() as f64) {
            break;
        }
        let name = law.law().name.to_owned();
        let fitted = dynamic::fit(&first, law, &options, &mut |_| true).and_then(|half| {
            let whole = dynamic::fit(&motions, law, &options, &mut |_| true)?;
            Ok((half, whole))
        });
        match fitted {
            Err(error) => found.failed.push((name, error.to_string())),
            Ok((half, whole)) => match validate(&half.result, &displaced(&motions, &half.displaced), &slides) {
                None => found.failed.push((name, "it could not predict the second half".to_owned())),
                Some((validation, sliding)) => {
                    let parameters = whole.parameters;
                    found.laws.push(ComparedLaw { name, parameters, validation, sliding, result: whole.result });
                }
            },
        }
    }
    found.laws.sort_by(|a, b| a.validation.rms.total_cmp(&b.validation.rms));
    Ok(found)
}
