//! Identification of friction from measured data.
mod arguments;
mod refits;
mod report;
mod sources;

pub use refits::{bootstrap_interval, refit, refit_plant};
pub use report::Report;

use crate::error::PythonError;
use crate::interrupt::{Share, in_background, in_background_told};
use crate::law::Law;
use crate::scenario::Scenario;
use arguments::{IdentificationArguments, PlantArguments};
use pyo3::prelude::*;
use sources::{NamedColumns, Sources, prepared};
use std::sync::atomic::{AtomicBool, Ordering};
use stiction::identify::dynamic::plant;
use stiction::identify::rate_state::{RateStateOptions, StepModel, StepRecordSet};
use stiction::identify::report::IdentificationReport;
use stiction::identify::{ColumnRoles, LawCheck, MotionTask, TaskProgress, check_term_names, compare_laws, repeated};
use stiction::sim::StopFlag;
use stiction::{Error, Spec};

/// Identifies friction from files and from columns.
#[pyfunction]
#[pyo3(signature = (files, columns, law, arguments, command, progress=None))]
pub fn identify(
    py: Python<'_>,
    files: Vec<String>,
    columns: Vec<NamedColumns<'_>>,
    law: Option<PyRef<'_, Law>>,
    arguments: IdentificationArguments,
    command: String,
    progress: Option<Bound<'_, PyAny>>,
) -> Result<Report, PythonError> {
    let roles = arguments.roles();
    let sources = Sources::new(files, columns, &arguments.layout)?;
    let report = if let Some(model) = arguments.step_model().filter(|_| law.is_none()) {
        let (reading, options) = arguments.step_options()?;
        in_background_told(py, progress.as_ref(), move |stop, share| {
            let mut steps = StepRecordSet::default();
            sources.read(stop, |table, digest| steps.add(table, digest, &roles, &reading))?;
            fitted_steps(steps, Some(model), &options, stop, share).map(Some)
        })?
    } else {
        let how = arguments.preparations(sources.count(), None)?;
        let task = arguments.task(law.as_deref().map(|law| &law.file))?;
        arguments.refuse_unused(&task)?;
        let fitted = if let MotionTask::AlongMotion(law, _) = &task { Some(law.law()) } else { None };
        check_term_names(&arguments.terms, fitted).map_err(Error::from)?;
        let as_steps = if let MotionTask::BestLaw(_) = &task { arguments.step_options().ok() } else { None };
        let for_steps = arguments.asks_for_steps();
        in_background_told(py, progress.as_ref(), move |stop, share| {
            let mut raw = sources.raw(stop, &roles)?;
            if let Some((reading, options)) = as_steps {
                match StepRecordSet::recognise(raw, &reading) {
                    Ok(steps) => return fitted_steps(steps, None, &options, stop, share).map(Some),
                    Err(others) => raw = others,
                }
            }
            if for_steps {
                return Ok(None);
            }
            let records = prepared(raw, stop, &roles, &how)?;
            let results = task.identify(&records, &mut |now| {
                share.set(now.share());
                !stop.load(Ordering::Relaxed)
            })?;
            Ok::<_, Error>(Some(IdentificationReport::of_records(records, results)))
        })?
    };
    let Some(report) = report? else {
        let hint = "leave them out, or say which law: model='dieterich'".to_owned();
        let message = "window, steps and trend are for velocity steps, and this record does not look like one";
        return Err(PythonError::new(message, Some(hint)));
    };
    Report::new(py, IdentificationReport { command, ..report }, None)
}

/// Fits a law of rate and state to velocity steps: this one, or the best of several.
fn fitted_steps(
    steps: StepRecordSet,
    model: Option<StepModel>,
    options: &RateStateOptions,
    stop: &AtomicBool,
    share: &Share,
) -> Result<IdentificationReport, Error> {
    let result = steps.identify(model, options, &mut |done| {
        share.set(TaskProgress::Fit(done).share());
        !stop.load(Ordering::Relaxed)
    })?;
    let fastest = steps.fastest();
    let StepRecordSet { inputs, mut remarks, .. } = steps;
    remarks.extend(repeated(&inputs));
    Ok(IdentificationReport { inputs, remarks, results: vec![result], fastest, ..Default::default() })
}

/// How well a law that was identified elsewhere predicts records.
#[pyfunction]
pub fn check_on_records(
    py: Python<'_>,
    files: Vec<String>,
    columns: Vec<NamedColumns<'_>>,
    law: &Law,
    arguments: IdentificationArguments,
    command: String,
) -> Result<Report, PythonError> {
    let file = law.file.clone();
    let sources = Sources::new(files, columns, &arguments.layout)?;
    let check = LawCheck { file: &file, offset: arguments.offset, rest: arguments.rest };
    let terms = check.terms(&arguments.terms).map_err(Error::from)?;
    let roles = ColumnRoles { terms, ..arguments.roles() };
    let how = arguments.preparations(sources.count(), check.delay())?;
    let (offset, rest) = (arguments.offset, arguments.rest);
    let report = in_background(py, move |stop| {
        let records = sources.motions(stop, &roles, &how)?;
        let found = LawCheck { file: &file, offset, rest }.run(&records.prepared)?;
        Ok::<_, Error>(IdentificationReport::of_records(records, vec![found]))
    })??;
    Report::new(py, IdentificationReport { command, ..report }, None)
}

/// How well a scenario with its own values repeats records.
#[pyfunction]
pub fn check_plant_on_records(
    py: Python<'_>,
    scenario: &Scenario,
    data: (Vec<String>, Vec<NamedColumns<'_>>),
    arguments: PlantArguments,
    command: String,
) -> Result<Report, PythonError> {
    let (mut template, options) = arguments.task(&scenario.template)?;
    let sources = Sources::new(data.0, data.1, &arguments.layout)?;
    let report = in_background(py, move |stop| {
        template.stop_on(StopFlag::new(stop.clone()));
        let free = template.build()?.identify.unwrap_or_default().free;
        let held = |name: &str| options.hold.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
        let values: Vec<f64> = free.iter().map(|one| held(&one.name).unwrap_or(one.start)).collect();
        let mut inputs = Vec::new();
        let logs = sources.plant_logs(stop, &mut inputs)?;
        let found = plant::check(&template, &logs, &values, &options)?;
        let remarks = repeated(&inputs);
        Ok::<_, Error>(IdentificationReport { inputs, remarks, results: vec![found], ..Default::default() })
    })??;
    Report::new(py, IdentificationReport { command, ..report }, None)
}

/// Whether these arguments ask for a law that is fitted along the motion.
#[pyfunction]
pub fn is_along_motion(law: Option<PyRef<'_, Law>>, arguments: IdentificationArguments) -> Result<bool, PythonError> {
    let task = arguments.task(law.as_deref().map(|law| &law.file))?;
    Ok(matches!(task, MotionTask::AlongMotion(..)) && (law.is_some() || arguments.step_model().is_none()))
}

/// Fits a scenario to files and columns by simulating it; `judged` are records that it is not fitted to.
#[pyfunction]
#[pyo3(signature = (scenario, data, judged, arguments, command, progress=None))]
pub fn identify_plant(
    py: Python<'_>,
    scenario: &Scenario,
    data: (Vec<String>, Vec<NamedColumns<'_>>),
    judged: (Vec<String>, Vec<NamedColumns<'_>>),
    arguments: PlantArguments,
    command: String,
    progress: Option<Bound<'_, PyAny>>,
) -> Result<Report, PythonError> {
    let (mut template, options) = arguments.task(&scenario.template)?;
    let [sources, others] = [data, judged].map(|(files, columns)| Sources::new(files, columns, &arguments.layout));
    let (sources, others) = (sources?, others?);
    let (report, fitted) = in_background_told(py, progress.as_ref(), move |stop, share| {
        template.stop_on(StopFlag::new(stop.clone()));
        let mut inputs = Vec::new();
        let logs = sources.plant_logs(stop, &mut inputs)?;
        let others = others.plant_logs(stop, &mut inputs)?;
        let mut fitted = plant::fit(&template, &logs, &options, &mut |now| {
            share.set(TaskProgress::Fit(now).share());
            !stop.load(Ordering::Relaxed)
        })?;
        if !others.is_empty() {
            plant::judge(&mut fitted, &template, &others, &options)?;
        }
        let (remarks, rotational) = (repeated(&inputs), Some(fitted.result.rotational));
        let report = IdentificationReport {
            inputs,
            remarks,
            rotational,
            results: vec![fitted.result],
            ..IdentificationReport::default()
        };
        Ok::<_, Error>((report, fitted.scenario.text()))
    })??;
    Report::new(py, IdentificationReport { command, ..report }, Some(fitted))
}

/// Name, number of parameters, error of prediction and that of sliding samples of a law in a comparison.
type ComparedRow = (String, usize, f64, f64);

/// Compares laws on the same records: their rows with the best prediction first, their fits, the name of the one to take, and those
/// that could not be fitted.
#[pyfunction]
#[allow(clippy::type_complexity, reason = "four parts of one result")]
pub fn compare_models(
    py: Python<'_>,
    files: Vec<String>,
    columns: Vec<NamedColumns<'_>>,
    laws: Vec<PyRef<'_, Law>>,
    arguments: IdentificationArguments,
) -> Result<(Vec<ComparedRow>, Report, Option<usize>, Vec<(String, String)>), PythonError> {
    let (roles, offset) = (arguments.roles(), arguments.offset);
    let specs: Vec<Spec> = laws.iter().map(|law| law.file.spec.clone()).collect();
    let sources = Sources::new(files, columns, &arguments.layout)?;
    let how = arguments.preparations(sources.count(), None)?;
    let (records, found) = in_background(py, move |stop| {
        let records = sources.motions(stop, &roles, &how)?;
        let go_on = &mut |_| !stop.load(Ordering::Relaxed);
        let found = compare_laws(&records.prepared, &specs, offset, go_on)?;
        Ok::<_, Error>((records, found))
    })??;
    let choice = found.choice().and_then(|best| found.laws.iter().position(|law| law.name == best.name));
    let rows = found.laws.iter().map(|law| (law.name.clone(), law.parameters, law.validation.rms, law.sliding));
    let rows = rows.collect();
    let results = found.laws.into_iter().map(|law| law.result).collect();
    let report = Report::new(py, IdentificationReport::of_records(records, results), None)?;
    Ok((rows, report, choice, found.failed))
}
