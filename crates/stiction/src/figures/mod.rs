//! The experiments of the papers, each simulated anew, drawn as the paper draws it, and measured.
//!
//! ```
//! use stiction::figures;
//!
//! let outcome = (figures::find("a5")?.run)()?;
//! let z = outcome.values.iter().find(|value| value.key == "z_end").unwrap();
//! assert_eq!((z.value > 0.0, z.unit), (true, "m"));
//! assert!(outcome.pictures[0].svg().starts_with("<svg"));
//! # Ok::<(), stiction::Error>(())
//! ```
mod andersson;
mod astrom;
mod curves;
mod gros;
mod nouri;
mod numeric;
mod olsson;
pub mod page;
mod scenario_parameters;
mod simulated_scenario;
mod traces;

use crate::similar_names::similar;
use crate::{Error, plot};

/// An experiment of a paper.
pub struct PaperExperiment {
    /// `A7`.
    pub id: &'static str,
    /// What it shows, in a few words.
    pub title: &'static str,
    /// Key in `docs/references.bib`, and figure or page.
    pub source: (&'static str, &'static str),
    /// What it shows, in one or two sentences.
    pub about: &'static str,
    /// Runs it.
    pub run: fn() -> Result<ExperimentOutcome, Error>,
}

/// The results of an experiment.
#[derive(Default)]
pub struct ExperimentOutcome {
    /// Figures by key.
    pub values: Vec<ExperimentValue>,
    /// Figures as in the paper.
    pub pictures: Vec<plot::Figure>,
    /// Parameters: `k = 2 N/m`.
    pub given: Vec<String>,
}

/// A figure of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct ExperimentValue {
    /// `v_max`.
    pub key: String,
    /// SI unit; `-` for none.
    pub unit: &'static str,
    /// The value.
    pub value: f64,
}

impl ExperimentOutcome {
    /// Adds a figure.
    pub fn value(&mut self, key: impl Into<String>, unit: &'static str, value: f64) -> &mut Self {
        self.values.push(ExperimentValue { key: key.into(), unit, value });
        self
    }
}

/// All experiments, in the order of the papers.
pub fn all() -> impl Iterator<Item = &'static PaperExperiment> {
    [olsson::ALL, astrom::ALL, gros::ALL, nouri::ALL, andersson::ALL].into_iter().flatten()
}

/// The experiment called `id`, in capitals or not.
///
/// # Errors
/// [`Error::UnknownName`].
pub fn find(id: &str) -> Result<&'static PaperExperiment, Error> {
    all().find(|experiment| experiment.id.eq_ignore_ascii_case(id)).ok_or_else(|| {
        let known: Vec<String> = all().map(|experiment| experiment.id.to_owned()).collect();
        let near = similar(id, known.iter().map(String::as_str)).into_iter().map(str::to_owned).collect();
        Error::UnknownName { what: "experiment", name: id.to_owned(), near, known }
    })
}
