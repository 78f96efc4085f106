//! Refits of a bootstrap: a share of them, for this process or a worker of a cluster.
use super::arguments::{IdentificationArguments, PlantArguments};
use super::sources::{NamedColumns, Sources};
use crate::error::PythonError;
use crate::interrupt::in_background;
use crate::law::Law;
use crate::scenario::Scenario;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use std::sync::atomic::Ordering;
use stiction::Error;
use stiction::fit::basic_interval;
use stiction::identify::{FoundFit, Refits};
use stiction::sim::StopFlag;

/// Seed, first number and count of refits.
type RefitArguments = (u32, u32, u32);
/// Numbers of refits, and their values: a row for each.
type RefitRows<'py> = (Vec<u32>, Bound<'py, PyArray2<f64>>);

fn refits((seed, first, count): RefitArguments) -> Refits {
    Refits { seed, indices: first..first.saturating_add(count) }
}

fn refit_rows<'py>(py: Python<'py>, width: usize, found: Vec<(u32, Vec<f64>)>) -> PyResult<RefitRows<'py>> {
    let (numbers, rows): (Vec<u32>, Vec<Vec<f64>>) = found.into_iter().unzip();
    let values = PyArray1::from_vec(py, rows.concat()).reshape([numbers.len(), width])?;
    Ok((numbers, values))
}

/// Refits of a bootstrap of a law that was fitted along the motion; `found` has names, values and residuals.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "those of the fit, and which refits")]
pub fn refit<'py>(
    py: Python<'py>,
    files: Vec<String>,
    columns: Vec<NamedColumns<'_>>,
    law: Option<PyRef<'_, Law>>,
    arguments: IdentificationArguments,
    values: Vec<(String, f64)>,
    residuals: Vec<PyReadonlyArray1<'_, f64>>,
    which: RefitArguments,
) -> Result<RefitRows<'py>, PythonError> {
    let roles = arguments.roles();
    let task = arguments.task(law.as_deref().map(|law| &law.file))?;
    let sources = Sources::new(files, columns, &arguments.layout)?;
    let how = arguments.preparations(sources.count(), None)?;
    let (width, residuals) = (values.len(), residuals.iter().map(|array| array.as_array().to_vec()).collect());
    let found = in_background(py, move |stop| {
        let records = sources.motions(stop, &roles, &how)?;
        let go_on = || !stop.load(Ordering::Relaxed);
        refits(which).along_motion(&task, &records, &FoundFit { values, residuals }, &go_on)
    })??;
    Ok(refit_rows(py, width, found)?)
}

/// Refits of a bootstrap of a scenario.
#[pyfunction]
pub fn refit_plant<'py>(
    py: Python<'py>,
    scenario: &Scenario,
    data: (Vec<String>, Vec<NamedColumns<'_>>),
    arguments: PlantArguments,
    values: Vec<(String, f64)>,
    residuals: Vec<PyReadonlyArray1<'_, f64>>,
    which: RefitArguments,
) -> Result<RefitRows<'py>, PythonError> {
    let (mut template, options) = arguments.task(&scenario.template)?;
    let sources = Sources::new(data.0, data.1, &arguments.layout)?;
    let (width, residuals) = (values.len(), residuals.iter().map(|array| array.as_array().to_vec()).collect());
    let found = in_background(py, move |stop| {
        template.stop_on(StopFlag::new(stop.clone()));
        let logs = sources.plant_logs(stop, &mut Vec::new())?;
        let go_on = || !stop.load(Ordering::Relaxed);
        let found = FoundFit { values, residuals };
        Ok::<_, Error>(refits(which).of_plant(&template, &logs, &options, &found, &go_on))
    })??;
    Ok(refit_rows(py, width, found)?)
}

/// The interval of a bootstrap at a level of confidence, from the values of its refits.
#[pyfunction]
pub fn bootstrap_interval(refits: PyReadonlyArray1<'_, f64>, value: f64, level: f64) -> Option<[f64; 2]> {
    basic_interval(&refits.as_array().to_vec(), value, level)
}
