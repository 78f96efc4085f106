//! Analyses of laws and scenarios. Each is a report, which Python takes as JSON, text and pictures.
use crate::error::PythonError;
use crate::interrupt::in_background;
use crate::law::Law;
use crate::scenario::Scenario;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use stiction::analysis::cycle::Continuation;
use stiction::analysis::energy::search::SearchEffort;
use stiction::analysis::loops::LoopDetection;
use stiction::analysis::steady_curve::load_factor;
use stiction::analysis::test_rig::TestRig;
use stiction::compensate::{CompensationMethod, CompensationStudy, TuningOptions};
use stiction::export::law::LawTarget;
use stiction::export::{ControllerRequest, Precision, TargetLanguage};
use stiction::output;
use stiction::scenario::Template;
use stiction::sim::StopFlag;
use stiction::{Error, Spec};
use stiction_report::Report;
use stiction_report::breakaway::{BreakawayReport, BreakawayStudy};
use stiction_report::compensation::CompensationReport;
use stiction_report::controller_code::ControllerCode;
use stiction_report::cycle::CycleReport;
use stiction_report::cycle_branch::CycleBranchReport;
use stiction_report::describing_function::{DescribingFunctionReport, InputQuantity};
use stiction_report::equilibrium::EquilibriumReport;
use stiction_report::harmonic_balance::HarmonicBalanceReport;
use stiction_report::hysteresis::{HysteresisReport, HysteresisStudy, PathNames};
use stiction_report::law_check::LawCheckReport;
use stiction_report::law_code::LawCodeReport;
use stiction_report::passivity::PassivityReport;
use stiction_report::phenomena::PhenomenaSummary;

/// The results of an analysis: of a report, or what is left of one that was pickled.
#[pyclass(frozen, module = "stiction._native")]
pub struct Analysis {
    report: Option<Box<dyn Report + Send + Sync>>,
    /// What was assumed.
    #[pyo3(get)]
    notes: Vec<String>,
    json: OnceLock<String>,
    text: OnceLock<String>,
    figures: OnceLock<Figures>,
}

/// Names of pictures, and the pictures as SVG.
type Figures = Vec<(String, String)>;
/// Notes, JSON, text and pictures.
type AnalysisState = (Vec<String>, String, String, Figures);

impl Analysis {
    pub fn new(report: impl Report + Send + Sync + 'static) -> Self {
        Self::with_notes(report, Vec::new())
    }
    pub fn with_notes(report: impl Report + Send + Sync + 'static, notes: Vec<String>) -> Self {
        let (json, text, figures) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { report: Some(Box::new(report)), notes, json, text, figures }
    }
    /// What is kept already, or what the report gives.
    fn kept<'a, T: Default>(&'a self, place: &'a OnceLock<T>, make: impl Fn(&dyn Report) -> T) -> &'a T {
        place.get_or_init(|| self.report.as_deref().map(|report| make(report)).unwrap_or_default())
    }
}

#[pymethods]
impl Analysis {
    /// All results, as the program prints them with `--json`.
    fn json(&self) -> &str {
        self.kept::<String>(&self.json, |report| report.json().to_string())
    }
    /// The text that the program prints.
    fn text(&self) -> &str {
        self.kept::<String>(&self.text, |report| report.text())
    }
    /// Names of pictures, and the pictures as SVG.
    fn figures(&self, py: Python<'_>) -> Figures {
        let svg = |report: &dyn Report| {
            report.figures().into_iter().map(|(name, figure)| (name.to_owned(), figure.svg())).collect()
        };
        py.detach(|| self.kept(&self.figures, svg).clone())
    }
    /// The results of a state that was pickled.
    #[staticmethod]
    fn of(state: AnalysisState) -> Self {
        let (notes, json, text, figures) = state;
        Self { report: None, notes, json: json.into(), text: text.into(), figures: figures.into() }
    }
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (AnalysisState,))> {
        let own = slf.get();
        let state = (own.notes.clone(), own.json().to_owned(), own.text().to_owned(), own.figures(slf.py()));
        Ok((slf.get_type().getattr("of")?, (state,)))
    }
}

/// A law under a load, for an experiment that moves it.
fn rig(law: &Law, load: f64) -> Result<TestRig, PythonError> {
    load_factor(&law.file.spec, load)?;
    Ok(TestRig::new(&law.file.spec).with_load(load))
}

/// A scenario whose runs end when the flag is raised.
fn stopped_by(template: &Template, stop: &Arc<AtomicBool>) -> Template {
    let mut template = template.clone();
    template.stop_on(StopFlag::new(stop.clone()));
    template
}

/// The periodic motion of a scenario.
#[pyfunction]
pub fn cycle(py: Python<'_>, scenario: &Scenario) -> Result<Analysis, PythonError> {
    let (name, template) = (scenario.name.clone(), scenario.template.clone());
    let found = in_background(py, move |stop| CycleReport::find(&name, &stopped_by(&template, stop).build()?))?;
    Ok(Analysis::new(found?))
}

/// The periodic motions of a scenario over one of its values.
#[pyfunction]
pub fn cycle_branch(
    py: Python<'_>,
    scenario: &Scenario,
    path: String,
    range: (f64, f64),
    points: usize,
) -> Result<Analysis, PythonError> {
    let (name, template) = (scenario.name.clone(), scenario.template.clone());
    // shows a mistake in the path now
    template.clone().number(&template.path(&path)?.0, range.0)?;
    let found = in_background(py, move |stop| {
        let template = stopped_by(&template, stop);
        let (path, _) = template.path(&path)?;
        let at = |p: f64| {
            let mut template = template.clone();
            template.number(&path, p)?;
            template.build()
        };
        let title = template.build()?.title;
        let what = Continuation { at: &at, start: None, range, points, stop: StopFlag::new(stop.clone()) };
        CycleBranchReport::follow(&name, &title, &path, &what)
    })?;
    Ok(Analysis::new(found?))
}

/// The equilibria of a scenario, and over the speeds of what drives it the changes of stability.
#[pyfunction]
pub fn equilibrium(py: Python<'_>, scenario: &Scenario, speeds: [f64; 2]) -> Result<Analysis, PythonError> {
    let (name, template) = (scenario.name.clone(), scenario.template.clone());
    let found =
        in_background(py, move |stop| EquilibriumReport::find(&name, stopped_by(&template, stop).build()?, speeds))?;
    Ok(Analysis::new(found?))
}

/// The hunting of a scenario, by harmonic balance and simulated.
#[pyfunction]
pub fn hunting(py: Python<'_>, scenario: &Scenario) -> Result<Analysis, PythonError> {
    let (name, template) = (scenario.name.clone(), scenario.template.clone());
    let found =
        in_background(py, move |stop| HarmonicBalanceReport::predict(&name, &stopped_by(&template, stop).build()?))?;
    Ok(Analysis::new(found?))
}

/// The describing function of a law.
#[pyfunction]
pub fn describing_function(
    py: Python<'_>,
    law: &Law,
    load: f64,
    amplitudes: Vec<f64>,
    omegas: Vec<f64>,
    on_velocity: bool,
) -> Result<Analysis, PythonError> {
    let rig = rig(law, load)?;
    let on = if on_velocity { InputQuantity::Velocity } else { InputQuantity::Displacement };
    let found = in_background(py, move |stop| {
        DescribingFunctionReport::compute(rig.with_stop(&StopFlag::new(stop.clone())), on, amplitudes, omegas)
    })?;
    Ok(Analysis::new(found?))
}

/// Break-away of a law against the rate of the force, or against the time at rest.
#[pyfunction]
pub fn breakaway(
    py: Python<'_>,
    law: &Law,
    load: f64,
    mass: f64,
    rates: Vec<f64>,
    dwells: Vec<f64>,
    slid: Option<f64>,
) -> Result<Analysis, PythonError> {
    let rig = rig(law, load)?;
    let study = BreakawayStudy { mass, rates, dwells, slid };
    let found =
        in_background(py, move |stop| BreakawayReport::measure(&rig.with_stop(&StopFlag::new(stop.clone())), &study))??;
    let notes = found.notes.clone();
    Ok(Analysis::with_notes(found, notes))
}

/// Hysteresis loops of a law that is driven to and fro.
#[pyfunction]
pub fn hysteresis(
    py: Python<'_>,
    law: &Law,
    load: f64,
    amplitudes: Vec<f64>,
    omegas: Vec<f64>,
    mean: f64,
    memory: bool,
) -> Result<Analysis, PythonError> {
    let rig = rig(law, load)?;
    let study = HysteresisStudy { amplitudes, omegas, mean, memory };
    let found =
        in_background(py, move |stop| HysteresisReport::of_law(&rig.with_stop(&StopFlag::new(stop.clone())), &study))?;
    Ok(Analysis::new(found?))
}

/// Hysteresis loops of a measured path.
#[pyfunction]
pub fn hysteresis_of_path(
    py: Python<'_>,
    x: PyReadonlyArray1<'_, f64>,
    force: PyReadonlyArray1<'_, f64>,
    time: Option<PyReadonlyArray1<'_, f64>>,
    noise: f64,
    miss: f64,
    turns: bool,
) -> Result<Analysis, PythonError> {
    let owned = |array: &PyReadonlyArray1<'_, f64>| array.as_array().to_vec();
    let (x, force, time) = (owned(&x), owned(&force), time.as_ref().map(owned));
    let units = if turns { ["rad", "N·m"] } else { ["m", "N"] };
    let names = PathNames { source: "measured".to_owned(), units };
    let finding = LoopDetection { noise, miss };
    let found = in_background(py, move |_| HysteresisReport::of_path(names, [&x, &force], time.as_deref(), &finding))?;
    let found = found.map_err(|error| PythonError::new(error.text(), Some(error.hint().to_owned())))?;
    Ok(Analysis::new(found))
}

/// What some laws show, or all if none is given.
#[pyfunction]
pub fn phenomena(py: Python<'_>, laws: Vec<PyRef<'_, Law>>, need: Vec<String>) -> Result<Analysis, PythonError> {
    let specs: Vec<Spec> = laws.iter().map(|law| law.file.spec.clone()).collect();
    let found =
        in_background(py, move |stop| PhenomenaSummary::measure(specs, &need, false, &StopFlag::new(stop.clone())))?;
    Ok(Analysis::new(found?))
}

/// Whether a law is passive.
#[pyfunction]
pub fn passivity(py: Python<'_>, law: &Law) -> Result<Analysis, PythonError> {
    let spec = law.file.spec.clone();
    let found = in_background(py, move |stop| {
        PassivityReport::search(&spec, &SearchEffort::FULL, &StopFlag::new(stop.clone()))
    })?;
    Ok(Analysis::new(found?))
}

/// Whether a law keeps to what it claims.
#[pyfunction]
pub fn check(py: Python<'_>, law: &Law) -> Result<Analysis, PythonError> {
    let spec = law.file.spec.clone();
    let found = in_background(py, move |stop| LawCheckReport::check(&spec, &StopFlag::new(stop.clone())))?;
    Ok(Analysis::new(found?))
}

/// What to compare, as Python gives it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct StudyArguments {
    methods: Vec<String>,
    controller: Option<String>,
    contact: Option<String>,
    mass: Option<f64>,
    gains: Vec<(String, String, f64)>,
    end: Option<f64>,
    from_time: Option<f64>,
    band: Option<f64>,
    factors: Vec<f64>,
    evaluations: Option<usize>,
    weight: Option<f64>,
}

/// Compares methods of compensation on the servo of a scenario.
#[pyfunction]
pub fn compensate(
    py: Python<'_>,
    scenario: &Scenario,
    model: Option<&Law>,
    study: StudyArguments,
) -> Result<Analysis, PythonError> {
    let (name, template) = (scenario.name.clone(), scenario.template.clone());
    let methods = study.methods.iter().map(|name| CompensationMethod::parse(name)).collect::<Result<_, Error>>()?;
    let default = TuningOptions::default();
    let weight = study.weight.unwrap_or(default.weight);
    let tuning = study.evaluations.map(|evaluations| TuningOptions { evaluations, weight, ..default });
    let study = CompensationStudy {
        methods,
        model: model.map(|law| law.file.spec.clone()),
        controller: study.controller,
        contact: study.contact,
        mass: study.mass,
        gains: study.gains,
        end: study.end,
        from: study.from_time,
        band: study.band,
        factors: study.factors,
        tuning,
    };
    let found =
        in_background(py, move |stop| CompensationReport::compare(&name, stopped_by(&template, stop), study, &|_| ()))?;
    Ok(Analysis::new(found?))
}

/// Names of the languages that laws are written in, and what they are.
#[pyfunction]
pub fn law_targets() -> Vec<(&'static str, &'static str)> {
    LawTarget::ALL.iter().map(|target| (target.name(), target.doc())).collect()
}

/// Files of code: paths within a folder, and their contents.
pub type Files = Vec<(String, Vec<u8>)>;

/// A law as source code.
#[pyfunction]
pub fn law_code(py: Python<'_>, law: &Law, target: &str) -> Result<(Analysis, Files), PythonError> {
    let known = || LawTarget::ALL.iter().map(|target| target.name());
    let Some(target) = LawTarget::ALL.into_iter().find(|one| one.name() == target) else {
        let names: Vec<_> = known().collect();
        return Err(PythonError::new(format!("there is no target '{target}'"), Some(names.join(", "))));
    };
    let spec = law.file.spec.clone();
    let (report, files) = in_background(py, move |_| {
        let report = LawCodeReport::record(&spec, target)?;
        let files = target.files(&report.code)?;
        Ok::<_, Error>((report, files))
    })??;
    Ok((Analysis::new(report), files.into_iter().map(|file| (file.path, file.bytes)).collect()))
}

/// A controller that is asked for, as Python gives it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct ControllerArguments {
    method: Option<String>,
    estimator: Option<String>,
    sample: Option<f64>,
    numbers: Vec<(String, f64)>,
    mass: Option<f64>,
    limit: Option<f64>,
    jump: Option<f64>,
    load: bool,
    controller: Option<String>,
    precision: String,
    name: Option<String>,
}

/// A controller as source code, from a law or from the servo of a scenario. `source` names it.
#[pyfunction]
pub fn controller_code(
    py: Python<'_>,
    source: String,
    law: Option<&Law>,
    scenario: Option<&Scenario>,
    target: &str,
    arguments: ControllerArguments,
) -> Result<(Analysis, Files), PythonError> {
    let target = match target {
        "c" => TargetLanguage::C,
        "rust" => TargetLanguage::Rust,
        other => {
            let text = format!("a controller cannot be written in '{other}'");
            return Err(PythonError::new(text, Some("c or rust".to_owned())));
        }
    };
    let precision = match arguments.precision.as_str() {
        "f64" => Precision::Double,
        "f32" => Precision::Single,
        other => return Err(PythonError::new(format!("precision = '{other}'"), Some("f64 or f32".to_owned()))),
    };
    let request = ControllerRequest {
        method: arguments.method,
        estimator: arguments.estimator,
        sample: arguments.sample,
        numbers: arguments.numbers,
        mass: arguments.mass,
        limit: arguments.limit,
        jump: arguments.jump,
        load: arguments.load,
        controller: arguments.controller,
        precision: Some(precision),
        name: arguments.name,
    };
    let (plan, notes) = match (law, scenario) {
        (Some(law), _) => request.for_law(&source, law.file.clone())?,
        (None, Some(scenario)) => request.for_servo(&source, scenario.template.clone())?,
        (None, None) => return Err(PythonError::new("neither a law nor a scenario", None)),
    };
    let (code, files) = in_background(py, move |_| {
        let code = ControllerCode::record(plan, target)?;
        let files = code.files()?;
        Ok::<_, Error>((code, files))
    })??;
    let files = files.into_iter().map(|file| (file.path, file.text.into_bytes())).collect();
    Ok((Analysis::with_notes(code, notes), files))
}

/// Writes a file, whole or not at all.
#[pyfunction]
pub fn write_file(path: &str, bytes: &[u8]) -> Result<(), PythonError> {
    Ok(output::write(Path::new(path), |out| out.write_all(bytes)).map_err(Error::from)?)
}
