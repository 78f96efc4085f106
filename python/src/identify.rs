//! Identification of friction from measured data.
use crate::error::PythonError;
use crate::interrupt::{in_background, in_background_told};
use crate::law::Law;
use crate::scenario::Scenario;
use crate::table::{ColumnData, Table};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use std::fs::File;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use stiction::data::{DataFile, ReadOptions};
use stiction::digest::sha256;
use stiction::fit::{Loss, NoiseModel, ScreeningOptions, basic_interval};
use stiction::identify::breakaway::BreakawayOptions;
use stiction::identify::dynamic::DynamicOptions;
use stiction::identify::dynamic::plant::{self, PlantLog, PlantOptions};
use stiction::identify::rate_state::{
    LoadPointOption, RateStateOptions, StepModel, StepRecordSet, Trend, VelocityStepOptions,
};
use stiction::identify::report::{IdentificationReport, InputFile, figures};
use stiction::identify::sliding::{Reduction, RegressionOptions, SlidingLaw, SlidingOptions};
use stiction::identify::{
    ColumnRoles, Estimate, FoundFit, FreeParameter, GlobalSearch, IdentificationResult, MotionTask, Preparation,
    RecordSet, Refits, Severity, Smoothing, TaskProgress, check_term_names, compare_laws, repeated,
};
use stiction::scenario::{PriorKnowledge, Template};
use stiction::sim::StopFlag;
use stiction::table::{ColumnHeaders, csv};
use stiction::{Error, FileError, ParameterFile, Spec};

/// What to identify and how, as Python gives it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct IdentificationArguments {
    time: Option<String>,
    position: Option<String>,
    velocity: Option<String>,
    acceleration: Option<String>,
    force: Option<String>,
    load: Option<String>,
    known: Option<String>,
    weight: Option<String>,
    constants: Vec<(String, f64)>,
    model: String,
    find: Option<String>,
    mass: Option<f64>,
    fixed_load: Option<f64>,
    filter: String,
    drop: (usize, usize),
    rate: Option<f64>,
    delay: f64,
    fit_delay: bool,
    terms: Vec<(String, String)>,
    steps: Vec<f64>,
    window: Option<(f64, f64)>,
    trend: Option<String>,
    mean: usize,
    offset: bool,
    asymmetric: bool,
    decimate: Option<usize>,
    rest: Option<f64>,
    robust: Option<String>,
    white: bool,
    set: Vec<(String, f64)>,
    free: Vec<(String, Option<(f64, f64)>)>,
    bounds: Vec<(String, (f64, f64))>,
    forget: f64,
    profile: bool,
    /// Seed of the global search, if not the usual one.
    search: Option<u32>,
}

/// A global search from other places, if there is a seed.
fn searched(search: GlobalSearch, seed: Option<u32>) -> GlobalSearch {
    match (search, seed) {
        (GlobalSearch::Multistart(places), Some(seed)) => GlobalSearch::Multistart(ScreeningOptions { seed, ..places }),
        (search, _) => search,
    }
}

impl IdentificationArguments {
    fn roles(&self) -> ColumnRoles {
        ColumnRoles {
            time: self.time.clone(),
            position: self.position.clone(),
            velocity: self.velocity.clone(),
            acceleration: self.acceleration.clone(),
            force: self.force.clone(),
            load: self.load.clone(),
            known: self.known.clone(),
            weight: self.weight.clone(),
            terms: self.terms.clone(),
            counted: self.rate.is_some() && self.time.is_none(),
            mean: self.mean,
            constants: self.constants.clone(),
        }
    }
    fn preparation(&self) -> Result<Preparation, PythonError> {
        let smooth: Smoothing = self
            .filter
            .parse()
            .map_err(|hint| PythonError::new(format!("filter = '{}' is not a filter", self.filter), Some(hint)))?;
        let drop = [self.drop.0, self.drop.1];
        let (rate, delay, mass, load) = (self.rate, self.delay, self.mass, self.fixed_load);
        Ok(Preparation { smooth, drop, rate, delay, mass, load })
    }
    fn sliding(&self, curve: Option<SlidingLaw>) -> Result<SlidingOptions, PythonError> {
        let loss = loss(self.robust.as_deref())?;
        Ok(SlidingOptions {
            curve,
            asymmetric: self.asymmetric.then_some(true),
            offset: self.offset,
            reduction: self.decimate.map_or(Reduction::Blocks, Reduction::Decimate),
            rest_speed: self.rest,
            delay: self.fit_delay,
            how: RegressionOptions { loss, white_noise: self.white, ..RegressionOptions::default() },
            ..SlidingOptions::default()
        })
    }
    /// `law`: the law to fit along the motion, where it is not named by a text.
    fn task(&self, law: Option<&ParameterFile>) -> Result<MotionTask, PythonError> {
        let pressed = || BreakawayOptions { load: "load".to_owned(), load_unit: String::new() };
        Ok(match (self.find.as_deref(), self.model.as_str(), law) {
            (Some("presliding"), ..) => MotionTask::Presliding,
            (Some("breakaway"), ..) => MotionTask::Breakaway(pressed()),
            (Some("load"), ..) => MotionTask::Load(pressed()),
            (None | Some("sliding"), model, None) if SlidingLaw::find(model).is_some() => {
                MotionTask::Sliding(self.sliding(SlidingLaw::find(model))?)
            }
            (Some("sliding"), "auto", None) => MotionTask::Sliding(self.sliding(None)?),
            (None, "auto", None) => MotionTask::BestLaw(self.sliding(None)?),
            (None, model, law) => {
                let mut file = law.map_or_else(|| ParameterFile::find(model), |file| Ok(file.clone()))?;
                for (key, value) in &self.set {
                    file.spec.set(key, *value)?;
                }
                let options = DynamicOptions {
                    free: self.free.iter().map(free_parameter).collect(),
                    bounds: self.bounds.iter().map(bounded_parameter).collect(),
                    offset: self.offset,
                    skip: self.forget,
                    delay: self.fit_delay,
                    profile: self.profile,
                    search: searched(DynamicOptions::default().search, self.search),
                    ..DynamicOptions::default()
                };
                MotionTask::AlongMotion(Box::new(file.spec), Box::new(options))
            }
            (Some(find), ..) => {
                let hint = "sliding, presliding, breakaway or load; with sliding, auto, coulomb, stiction or stribeck";
                return Err(PythonError::new(
                    format!("cannot find '{find}' with the model '{}'", self.model),
                    Some(hint.to_owned()),
                ));
            }
        })
    }
    /// The law of rate and state to fit to velocity steps, if it is one.
    fn step_model(&self) -> Option<StepModel> {
        if self.find.is_none() { StepModel::find(&self.model) } else { None }
    }
    /// How velocity steps are read and fitted.
    fn step_options(&self) -> Result<(VelocityStepOptions, RateStateOptions), PythonError> {
        let load = match self.filter.as_str() {
            _ if !self.steps.is_empty() => LoadPointOption::StepsAt(self.steps.clone()),
            "auto" => LoadPointOption::Auto,
            "none" => LoadPointOption::Recorded,
            other => {
                let hint = "with velocity steps the filter is auto (straight between steps) or none".to_owned();
                return Err(PythonError::new(format!("'{other}' would blur the steps of a load point"), Some(hint)));
            }
        };
        let trend = match self.trend.as_deref() {
            None | Some("travel") => Trend::Travel,
            Some("time") => Trend::Time,
            Some("none") => Trend::None,
            Some(other) => {
                return Err(PythonError::new(format!("trend = '{other}'"), Some("travel, time or none".to_owned())));
            }
        };
        let mut constraints: Vec<FreeParameter> = self.bounds.iter().map(bounded_parameter).collect();
        constraints.extend(self.set.iter().map(|(name, value)| FreeParameter::new(name).within(*value, *value)));
        let unused = [
            ("mass", self.mass.is_some()),
            ("asymmetric", self.asymmetric),
            ("decimate", self.decimate.is_some()),
            ("rest", self.rest.is_some()),
            ("robust", self.robust.is_some()),
            ("free", !self.free.is_empty()),
            ("forget", self.forget != 0.0),
            ("profile", self.profile),
            ("terms", !self.terms.is_empty()),
            ("delay", self.fit_delay || self.delay != 0.0),
        ];
        if let Some((name, _)) = unused.iter().find(|(_, given)| *given) {
            let hint = "leave it out: these are velocity steps".to_owned();
            return Err(PythonError::new(format!("{name} has no effect here"), Some(hint)));
        }
        let window = self.window.map(|(from, to)| [from, to]);
        Ok((
            VelocityStepOptions { load, window },
            RateStateOptions { constraints, trend, white_noise: self.white, ..RateStateOptions::default() },
        ))
    }
    /// Refuses options that have no effect on a task.
    fn refuse_unused(&self, task: &MotionTask) -> Result<(), PythonError> {
        let along = matches!(task, MotionTask::AlongMotion(..));
        let sliding = matches!(task, MotionTask::Sliding(..) | MotionTask::BestLaw(..));
        let given = [
            ("set", !self.set.is_empty(), along),
            ("free", !self.free.is_empty(), along),
            ("bounds", !self.bounds.is_empty(), along),
            ("forget", self.forget != 0.0, along),
            ("profile", self.profile, along),
            ("asymmetric", self.asymmetric, sliding),
            ("decimate", self.decimate.is_some(), sliding),
            ("rest", self.rest.is_some(), sliding),
            ("robust", self.robust.is_some(), sliding),
            ("white", self.white, sliding),
            ("weight", self.weight.is_some(), sliding),
            ("delay='auto'", self.fit_delay, sliding || along),
            ("terms", !self.terms.is_empty(), sliding || along),
            ("steps", !self.steps.is_empty(), false),
            ("window", self.window.is_some(), false),
            ("trend", self.trend.is_some(), false),
        ];
        match given.iter().find(|(_, given, of_use)| *given && !of_use) {
            Some((name, ..)) => {
                Err(PythonError::new(format!("{name} has no effect here"), Some("leave it out".to_owned())))
            }
            None => Ok(()),
        }
    }
}

/// How to fit a scenario, as Python gives it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct PlantArguments {
    constants: Vec<(String, f64)>,
    set: Vec<(String, f64)>,
    free: Vec<(String, Option<(f64, f64)>)>,
    bounds: Vec<(String, (f64, f64))>,
    /// Name, expected value and standard deviation of what is known before.
    priors: Vec<(String, f64, f64)>,
    robust: Option<String>,
    white: bool,
    profile: bool,
    search: Option<u32>,
}

impl PlantArguments {
    /// The scenario with other values, and the options of its fit.
    fn task(&self, template: &Template) -> Result<(Template, PlantOptions), PythonError> {
        let mut template = template.clone();
        let task = template.build()?.identify.unwrap_or_default();
        let mut hold = Vec::new();
        for (name, value) in &self.set {
            if task.holds(name)? {
                hold.push((name.clone(), *value));
            } else {
                template.assign(&format!("{name}={value:e}"))?;
            }
        }
        let prior = |(name, mean, deviation): &(String, f64, f64)| PriorKnowledge {
            name: name.clone(),
            mean: *mean,
            deviation: *deviation,
        };
        let mut options = PlantOptions {
            constants: self.constants.clone(),
            free: self.free.iter().map(free_parameter).collect(),
            bounds: self.bounds.iter().map(bounded_parameter).collect(),
            hold,
            priors: self.priors.iter().map(prior).collect(),
            profile: self.profile,
            ..PlantOptions::default()
        };
        options.search = searched(options.search, self.search);
        options.fit.loss = loss(self.robust.as_deref())?;
        if self.white {
            options.fit.noise = NoiseModel::White;
        }
        Ok((template, options))
    }
}

fn free_parameter((name, within): &(String, Option<(f64, f64)>)) -> FreeParameter {
    let free = FreeParameter::new(name);
    within.map_or(free.clone(), |(low, high)| free.within(low, high))
}

fn bounded_parameter((name, (low, high)): &(String, (f64, f64))) -> FreeParameter {
    FreeParameter::new(name).within(*low, *high)
}

/// The loss of a name; without one that of least squares.
fn loss(robust: Option<&str>) -> Result<Loss, PythonError> {
    let Some(name) = robust else { return Ok(Loss::default()) };
    let unknown = || {
        let hint = "huber, soft, cauchy or tukey".to_owned();
        PythonError::new(format!("robust = '{name}' is not a loss"), Some(hint))
    };
    Loss::find(name).ok_or_else(unknown)
}

/// Columns of numbers under a name, in place of a file.
type NamedColumns<'py> = (String, Vec<(String, PyReadonlyArray1<'py, f64>)>);

/// The columns as the text of a table; every number reads back bit for bit.
fn text(name: &str, columns: &[(&str, &[f64])]) -> Result<Vec<u8>, Error> {
    let failed = |io| Error::File(FileError { path: name.into(), action: "write", io });
    let heads: ColumnHeaders = columns.iter().map(|(name, _)| (*name, "")).collect();
    let mut out = csv::Writer::new(Vec::new(), &heads).map_err(failed)?;
    let mut row = Vec::with_capacity(columns.len());
    for k in 0..columns.first().map_or(0, |(_, values)| values.len()) {
        row.clear();
        row.extend(columns.iter().map(|(_, values)| values.get(k).copied().unwrap_or(f64::NAN)));
        out.row(&row).map_err(failed)?;
    }
    out.finish().map_err(failed)
}

/// Tables of numbers in files and in memory.
struct Sources {
    files: Vec<String>,
    tables: Vec<(String, Vec<u8>)>,
}

impl Sources {
    fn new(py: Python<'_>, files: Vec<String>, columns: &[NamedColumns<'_>]) -> Result<Self, PythonError> {
        let mut borrowed = Vec::new();
        for (name, columns) in columns {
            let values = columns.iter().map(|(name, values)| {
                let values = values.as_slice().map_err(|_| PythonError::new("the array is not contiguous", None))?;
                Ok((name.as_str(), values))
            });
            borrowed.push((name.as_str(), values.collect::<Result<Vec<_>, PythonError>>()?));
        }
        let tables = py.detach(|| {
            borrowed
                .iter()
                .map(|(name, columns)| Ok(((*name).to_owned(), text(name, columns)?)))
                .collect::<Result<Vec<_>, Error>>()
        })?;
        Ok(Self { files, tables })
    }
    /// Gives each table with the digest of its bytes.
    fn read(&self, mut take: impl FnMut(&DataFile, String) -> Result<(), Error>) -> Result<(), Error> {
        for path in &self.files {
            let file = |io| Error::File(FileError { path: path.into(), action: "read", io });
            let digest = File::open(path).and_then(sha256).map_err(file)?;
            take(&DataFile::open(Path::new(path), &ReadOptions::default())?, digest)?;
        }
        for (name, bytes) in &self.tables {
            let digest =
                sha256(&bytes[..]).map_err(|io| Error::File(FileError { path: name.into(), action: "read", io }))?;
            take(&DataFile::from_bytes(name, bytes, &ReadOptions::default())?, digest)?;
        }
        Ok(())
    }
    /// The tables as logs of a plant, and what a report says of each.
    fn plant_logs(&self, inputs: &mut Vec<InputFile>) -> Result<Vec<PlantLog>, Error> {
        let mut logs = Vec::new();
        self.read(|table, digest| {
            let log = PlantLog::from_table(table)?;
            inputs.push(log.about(table, digest));
            logs.push(log);
            Ok(())
        })?;
        Ok(logs)
    }
    /// The motions in the tables.
    fn motions(&self, roles: &ColumnRoles, how: &Preparation) -> Result<RecordSet, Error> {
        let mut records = RecordSet::default();
        self.read(|table, digest| records.add(table, digest, roles, how))?;
        Ok(records)
    }
}

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
    let sources = Sources::new(py, files, &columns)?;
    let report = if let Some(model) = arguments.step_model().filter(|_| law.is_none()) {
        let (reading, options) = arguments.step_options()?;
        in_background_told(py, progress.as_ref(), move |stop, share| {
            let mut steps = StepRecordSet::default();
            sources.read(|table, digest| steps.add(table, digest, &roles, &reading))?;
            let result = steps.identify(Some(model), &options, &mut |done| {
                share.set(TaskProgress::Fit(done).share());
                !stop.load(Ordering::Relaxed)
            })?;
            let StepRecordSet { inputs, mut remarks, .. } = steps;
            remarks.extend(repeated(&inputs));
            Ok::<_, Error>(IdentificationReport { inputs, remarks, results: vec![result], ..Default::default() })
        })?
    } else {
        let how = arguments.preparation()?;
        let task = arguments.task(law.as_deref().map(|law| &law.file))?;
        arguments.refuse_unused(&task)?;
        let fitted = if let MotionTask::AlongMotion(law, _) = &task { Some(law.law()) } else { None };
        check_term_names(&arguments.terms, fitted).map_err(Error::from)?;
        in_background_told(py, progress.as_ref(), move |stop, share| {
            let records = sources.motions(&roles, &how)?;
            let results = task.identify(&records, &mut |now| {
                share.set(now.share());
                !stop.load(Ordering::Relaxed)
            })?;
            Ok::<_, Error>(IdentificationReport::of_records(records, results))
        })?
    };
    Report::new(py, IdentificationReport { command, ..report? }, None)
}

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
    let (roles, how) = (arguments.roles(), arguments.preparation()?);
    let task = arguments.task(law.as_deref().map(|law| &law.file))?;
    let sources = Sources::new(py, files, &columns)?;
    let (width, residuals) = (values.len(), residuals.iter().map(|array| array.as_array().to_vec()).collect());
    let found = in_background(py, move |stop| {
        let records = sources.motions(&roles, &how)?;
        let go_on = || !stop.load(Ordering::Relaxed);
        refits(which).along_motion(&task, &records, &FoundFit { values, residuals }, &go_on)
    })??;
    Ok(refit_rows(py, width, found)?)
}

/// Whether these arguments ask for a law that is fitted along the motion.
#[pyfunction]
pub fn is_along_motion(law: Option<PyRef<'_, Law>>, arguments: IdentificationArguments) -> Result<bool, PythonError> {
    let task = arguments.task(law.as_deref().map(|law| &law.file))?;
    Ok(matches!(task, MotionTask::AlongMotion(..)) && (law.is_some() || arguments.step_model().is_none()))
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
    let sources = Sources::new(py, data.0, &data.1)?;
    let (width, residuals) = (values.len(), residuals.iter().map(|array| array.as_array().to_vec()).collect());
    let found = in_background(py, move |stop| {
        template.stop_on(StopFlag::new(stop.clone()));
        let logs = sources.plant_logs(&mut Vec::new())?;
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
    let [sources, others] = [data, judged].map(|(files, columns)| Sources::new(py, files, &columns));
    let (sources, others) = (sources?, others?);
    let (report, fitted) = in_background_told(py, progress.as_ref(), move |stop, share| {
        template.stop_on(StopFlag::new(stop.clone()));
        let mut inputs = Vec::new();
        let logs = sources.plant_logs(&mut inputs)?;
        let others = others.plant_logs(&mut inputs)?;
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
        Ok::<_, Error>((report, fitted.scenario))
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
    let (roles, how, offset) = (arguments.roles(), arguments.preparation()?, arguments.offset);
    let specs: Vec<Spec> = laws.iter().map(|law| law.file.spec.clone()).collect();
    let sources = Sources::new(py, files, &columns)?;
    let (records, found) = in_background(py, move |stop| {
        let records = sources.motions(&roles, &how)?;
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

/// What an identification found: of a report, or what is left of one that was pickled.
#[pyclass(frozen, module = "stiction._native")]
pub struct Report {
    report: Option<IdentificationReport>,
    results: Vec<ResultData>,
    html: OnceLock<String>,
    /// The scenario with the values that were found, as TOML, if one was fitted.
    #[pyo3(get)]
    scenario: Option<String>,
}

/// Name, unit, value, standard error, interval and how well it is known.
type EstimateRow = (String, String, f64, f64, (f64, f64), String);
/// Names of rows and columns, and the matrix, row by row.
type CovarianceRow = Option<(Vec<String>, Vec<f64>)>;
/// Key, title, value and unit of a measure of the fit.
type ScoreRow = (String, String, f64, String);
/// Key and title; estimates and covariance; the law as TOML, measures, remarks; residuals, and figures as SVG.
type ResultState = (
    (String, String),
    (Vec<EstimateRow>, CovarianceRow),
    (Option<String>, Vec<ScoreRow>, Vec<(String, String)>),
    (Vec<(String, Py<Table>)>, Vec<String>),
);

/// A result as Python reads it.
struct ResultData {
    title: (String, String),
    estimates: Vec<EstimateRow>,
    covariance: CovarianceRow,
    law: Option<ParameterFile>,
    scores: Vec<ScoreRow>,
    /// Severity and text, those on the data first.
    remarks: Vec<(String, String)>,
    /// Time, measured and modelled values of each record.
    residuals: Vec<(String, Py<Table>)>,
    figures: OnceLock<Vec<String>>,
}

impl ResultData {
    fn new(py: Python<'_>, report: &IdentificationReport, result: &IdentificationResult) -> PyResult<Self> {
        let severity = |severity| match severity {
            Severity::Info => "info",
            Severity::Good => "good",
            Severity::Warning => "warning",
            Severity::Critical => "critical",
        };
        let estimate = |e: &Estimate| {
            let known = e.identifiability.description().to_owned();
            (e.name.clone(), e.unit.clone(), e.value, e.error, (e.interval[0], e.interval[1]), known)
        };
        let residuals = result.residuals.iter().map(|series| {
            let columns = [("t", "s", &series.t), ("measured", "", &series.measured), ("model", "", &series.model)];
            let columns = columns
                .map(|(name, unit, values)| (name.to_owned(), unit.to_owned(), ColumnData::Numbers(values.clone())));
            Ok((series.name.clone(), Py::new(py, Table::new(py, columns.into())?)?))
        });
        let remarks = report.remarks.iter().chain(&result.remarks);
        Ok(Self {
            title: (result.key.clone(), result.title.clone()),
            estimates: result.estimates.iter().map(estimate).collect(),
            covariance: result.covariance.as_ref().map(|found| (found.names.clone(), found.matrix.clone())),
            law: report.parameter_file(result),
            scores: result.scores.iter().map(|s| (s.key.clone(), s.title.clone(), s.value, s.unit.clone())).collect(),
            remarks: remarks.map(|remark| (severity(remark.severity).to_owned(), remark.text.clone())).collect(),
            residuals: residuals.collect::<PyResult<_>>()?,
            figures: OnceLock::new(),
        })
    }
    fn restored(state: ResultState) -> Result<Self, Error> {
        let (title, (estimates, covariance), (law, scores, remarks), (residuals, figures)) = state;
        let law = law.map(|text| ParameterFile::parse(&text, Path::new("law"))).transpose()?;
        Ok(Self { title, estimates, covariance, law, scores, remarks, residuals, figures: figures.into() })
    }
}

impl Report {
    fn new(py: Python<'_>, report: IdentificationReport, scenario: Option<String>) -> Result<Self, PythonError> {
        let report = IdentificationReport { version: env!("CARGO_PKG_VERSION").to_owned(), ..report };
        let results = report.results.iter().map(|result| ResultData::new(py, &report, result));
        let results = results.collect::<PyResult<_>>()?;
        Ok(Self { results, report: Some(report), html: OnceLock::new(), scenario })
    }
    fn result(&self, index: usize) -> Result<&ResultData, PythonError> {
        self.results.get(index).ok_or_else(|| PythonError::new(format!("there is no result {index}"), None))
    }
}

/// Names of rows and columns, and the matrix.
type NamedMatrix<'py> = (Vec<String>, Bound<'py, PyArray2<f64>>);
/// Results, page and scenario.
type ReportState = (Vec<ResultState>, String, Option<String>);

#[pymethods]
impl Report {
    fn __len__(&self) -> usize {
        self.results.len()
    }
    /// The report as a page of HTML.
    fn html(&self) -> &str {
        self.html.get_or_init(|| self.report.as_ref().map(IdentificationReport::html).unwrap_or_default())
    }
    /// Key and title of a result.
    fn title(&self, index: usize) -> Result<(String, String), PythonError> {
        Ok(self.result(index)?.title.clone())
    }
    /// Estimated and given quantities.
    fn estimates(&self, index: usize) -> Result<Vec<EstimateRow>, PythonError> {
        Ok(self.result(index)?.estimates.clone())
    }
    /// Names and covariance matrix of the estimates, if there is one.
    fn covariance<'py>(&self, py: Python<'py>, index: usize) -> Result<Option<NamedMatrix<'py>>, PythonError> {
        let Some((names, matrix)) = &self.result(index)?.covariance else { return Ok(None) };
        let n = names.len();
        Ok(Some((names.clone(), PyArray1::from_slice(py, matrix).reshape([n, n])?)))
    }
    /// The identified law, with how it was identified.
    fn law(&self, index: usize) -> Result<Option<Law>, PythonError> {
        let file = self.result(index)?.law.clone();
        file.map(|file| Law::new(file, &[], &[])).transpose()
    }
    /// Measures of the fit: key, title, value, unit.
    fn scores(&self, index: usize) -> Result<Vec<ScoreRow>, PythonError> {
        Ok(self.result(index)?.scores.clone())
    }
    /// Remarks on the data and on a result: severity and text.
    fn remarks(&self, index: usize) -> Result<Vec<(String, String)>, PythonError> {
        Ok(self.result(index)?.remarks.clone())
    }
    /// Time, measured and modelled values of each record.
    fn residuals(&self, py: Python<'_>, index: usize) -> Result<Vec<(String, Py<Table>)>, PythonError> {
        let rows = self.result(index)?.residuals.iter();
        Ok(rows.map(|(name, table)| (name.clone(), table.clone_ref(py))).collect())
    }
    /// The figures of a result as SVG.
    fn figures(&self, index: usize) -> Result<Vec<String>, PythonError> {
        let svg = || {
            let result = self.report.as_ref().and_then(|report| report.results.get(index));
            result.map_or_else(Vec::new, |result| figures(result).iter().map(stiction::plot::Figure::svg).collect())
        };
        Ok(self.result(index)?.figures.get_or_init(svg).clone())
    }
    /// The report of a state that was pickled.
    #[staticmethod]
    fn of(state: ReportState) -> Result<Self, PythonError> {
        let (results, html, scenario) = state;
        let results = results.into_iter().map(ResultData::restored).collect::<Result<_, Error>>()?;
        Ok(Self { report: None, results, html: html.into(), scenario })
    }
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Result<(Bound<'py, PyAny>, (ReportState,)), PythonError> {
        let (py, own) = (slf.py(), slf.get());
        let state = |(index, result): (usize, &ResultData)| {
            Ok((
                result.title.clone(),
                (result.estimates.clone(), result.covariance.clone()),
                (result.law.as_ref().map(ParameterFile::to_toml), result.scores.clone(), result.remarks.clone()),
                (own.residuals(py, index)?, own.figures(index)?),
            ))
        };
        let results = own.results.iter().enumerate().map(state).collect::<Result<_, PythonError>>()?;
        Ok((slf.get_type().getattr("of")?, ((results, own.html().to_owned(), own.scenario.clone()),)))
    }
}
