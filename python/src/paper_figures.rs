//! The experiments of published papers.
use crate::analysis::{Analysis, Files};
use crate::error::PythonError;
use crate::interrupt::in_background;
use pyo3::prelude::*;
use stiction::Error;
use stiction_report::paper_figures::PaperFigures;
use stiction_report::references::Source;

/// Id, title, source and meaning of an experiment; what was given; key, value and unit of what was found; names of its pictures.
type ExperimentRow = ([String; 4], Vec<String>, Vec<(String, f64, String)>, Vec<String>);

/// Runs experiments of papers, all if none is named: each of them, and the files of the page that shows them.
#[pyfunction]
pub fn paper_figures(py: Python<'_>, ids: Vec<String>) -> Result<(Analysis, Vec<ExperimentRow>, Files), PythonError> {
    let wanted = PaperFigures::choose(&ids)?;
    let (report, files) = in_background(py, move |_| {
        let done = PaperFigures::run(&wanted, &|_| ())?;
        let files = done.files(None)?;
        Ok::<_, Error>((done, files))
    })??;
    let rows = report.experiments().map(|(experiment, outcome)| {
        let (key, place) = experiment.source;
        let source = format!("{}, {place}", Source::new(key).text());
        let words = [experiment.id, experiment.title, &source, experiment.about].map(str::to_owned);
        let values = outcome.values.iter().map(|value| (value.key.clone(), value.value, value.unit.to_owned()));
        (words, outcome.given.clone(), values.collect(), PaperFigures::names(experiment, outcome))
    });
    let rows = rows.collect();
    Ok((Analysis::new(report), rows, files))
}

/// Ids and titles of the experiments.
#[pyfunction]
pub fn paper_experiments() -> Vec<(&'static str, &'static str)> {
    stiction::figures::all().map(|experiment| (experiment.id, experiment.title)).collect()
}
