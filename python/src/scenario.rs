//! Scenarios and their runs.
use crate::error::PythonError;
use crate::interrupt::Interrupt;
use crate::law::Law;
use crate::run_picture::{self, Picture};
use crate::table::{ColumnData, Table};
use pyo3::prelude::*;
use std::fs;
use stiction::export::motion_page::{self, MotionPage};
use stiction::scenario::{
    DerivativeColumn, PlotDefinition, PlotQuantity, Template, VariedValue, derivative_notes, embedded, keys,
};
use stiction::sim::{
    Column, EnergyBalance, Event, EventSensitivity, Observer, RunSummary, SensitivityReport, SimError, SolverStatistics,
};
use stiction::{Error, is_file_name};

/// A scenario that is parsed. Every run builds it anew, with changes.
#[pyclass(frozen, module = "stiction._native")]
pub struct Scenario {
    #[pyo3(get)]
    pub name: String,
    pub template: Template,
}

/// The rows and events of a run, column by column.
struct Columns {
    values: Vec<Vec<f64>>,
    events: Vec<Event>,
    /// Number of the columns before the derivatives.
    count: usize,
    peaks: bool,
    interrupt: Interrupt,
    /// There was no memory for another row or event: the run ends.
    exhausted: bool,
}

impl Observer for Columns {
    fn row(&mut self, row: &[f64]) {
        self.exhausted |= self.values.iter_mut().any(|column| column.try_reserve(1).is_err());
        if !self.exhausted {
            self.values.iter_mut().zip(row).for_each(|(column, x)| column.push(*x));
        }
    }
    fn event(&mut self, event: &Event) {
        self.exhausted |= self.events.try_reserve(1).is_err();
        if !self.exhausted {
            self.events.push(*event);
        }
    }
    fn peak_columns(&self) -> Vec<usize> {
        // as in the trace that the program writes: all but the time, and derivatives jump at events
        if self.peaks { (1..self.count).collect() } else { Vec::new() }
    }
    fn should_continue(&mut self, _: f64) -> bool {
        !self.exhausted && self.interrupt.should_continue()
    }
}

/// A run while it is not in the hands of Python yet.
struct FinishedRun {
    title: String,
    notes: Vec<String>,
    text: String,
    columns: Vec<(String, String, ColumnData)>,
    events: Vec<(f64, String, String)>,
    summary: RunSummary,
    measures: Vec<(String, Option<f64>)>,
    plots: Vec<PlotDefinition>,
    /// What the pictures show that is no column: text, unit, values.
    formulas: Vec<(String, String, ColumnData)>,
    /// Derivatives of the columns by values of the scenario.
    derivatives: Vec<(String, String, ColumnData)>,
    /// Derivatives of the times of events.
    event_derivatives: Vec<(String, String, ColumnData)>,
    /// Names as they were asked for, and full paths, of what it was differentiated by.
    varied: Vec<(String, String)>,
    failure: Option<Error>,
}

/// What pictures show that is no column, computed row by row.
fn formulas(
    plots: &[PlotDefinition],
    columns: &[Column],
    values: &[Vec<f64>],
) -> Result<Vec<(String, String, ColumnData)>, PythonError> {
    let mut out: Vec<(String, String, ColumnData)> = Vec::new();
    for text in plots.iter().flat_map(|plot| plot.panels.iter().flatten().chain([&plot.x])) {
        if columns.iter().any(|column| column.name == *text) || out.iter().any(|(known, ..)| known == text) {
            continue;
        }
        let quantity = PlotQuantity::new(text, columns)?;
        let rows = values.first().map_or(0, Vec::len);
        let mut inputs = vec![0.0; quantity.columns.len()];
        let value = |row: usize| {
            inputs.iter_mut().zip(&quantity.columns).for_each(|(input, &column)| *input = values[column][row]);
            quantity.value(&inputs)
        };
        let data = ColumnData::Numbers((0..rows).map(value).collect());
        out.push((text.clone(), quantity.unit.clone(), data));
    }
    Ok(out)
}

fn simulate(
    template: &Template,
    peaks: bool,
    by: Vec<String>,
    interrupt: Interrupt,
) -> Result<(FinishedRun, Interrupt), PythonError> {
    let scenario = template.build()?;
    let simulation = scenario.simulation()?;
    let varied = by.iter().map(|path| template.vary(path)).collect::<Result<Vec<_>, _>>()?;
    let derivatives = DerivativeColumn::list(simulation.columns(), |_| true, &varied);
    let count = simulation.columns().len();
    let values = vec![Vec::new(); count + derivatives.len()];
    let mut columns = Columns { values, events: Vec::new(), count, peaks, interrupt, exhausted: false };
    let (summary, sensitivities) = if varied.is_empty() {
        let summary = simulation.run_to_failure(None, &scenario.options, &mut columns)?;
        (summary, SensitivityReport::default())
    } else {
        let parameters: Vec<_> = varied.iter().map(VariedValue::parameter).collect();
        simulation.run_with_sensitivities(&parameters, &scenario.options, &mut columns)?
    };
    let Columns { mut values, events, interrupt, exhausted, .. } = columns;
    if exhausted {
        return Err(PythonError::memory(values.iter().map(Vec::len).sum()));
    }
    let event = |event: &Event| (event.t, simulation.part(event.part).to_owned(), event.kind.name());
    let plots = scenario.plots_of(simulation.columns());
    let formulas = formulas(&plots, simulation.columns(), &values)?;
    let derived = values.split_off(count.min(values.len()));
    let derivatives = derivatives.into_iter().zip(derived);
    let time_derivative = |(k, value): (usize, &VariedValue)| {
        let of = |event: &EventSensitivity| event.dt.get(k).copied().unwrap_or(f64::NAN);
        let times = sensitivities.events.iter().map(of).collect();
        (value.path.clone(), value.derivative_unit("s"), ColumnData::Numbers(times))
    };
    let named = simulation.columns().iter().zip(values);
    let failure = summary.failure.clone().map(|failure| SimError::Run { t: failure.t, kind: failure.kind }.into());
    let run = FinishedRun {
        title: scenario.title.clone(),
        notes: scenario.notes.iter().cloned().chain(derivative_notes(&varied, &sensitivities)).collect(),
        text: template.text(),
        columns: named
            .map(|(column, values)| (column.name.clone(), column.unit.to_owned(), ColumnData::Numbers(values)))
            .collect(),
        events: events.iter().map(event).collect(),
        measures: scenario.measures.iter().cloned().zip(summary.probes.iter().copied()).collect(),
        plots,
        formulas,
        derivatives: derivatives
            .map(|(column, values)| (column.name, column.unit, ColumnData::Numbers(values)))
            .collect(),
        event_derivatives: varied.iter().enumerate().map(time_derivative).collect(),
        varied: by.into_iter().zip(varied.iter().map(|value| value.path.clone())).collect(),
        failure,
        summary,
    };
    Ok((run, interrupt))
}

#[pymethods]
impl Scenario {
    /// A scenario by its name or by the path of a file, with assignments `path=value`.
    #[staticmethod]
    fn find(name: &str, set: Vec<String>, laws: Vec<(String, PyRef<'_, Law>)>) -> Result<Self, PythonError> {
        let mut template = Template::find(name, &[""; 0])?;
        change(&mut template, &set, &laws)?;
        // shows mistakes now rather than at the first run
        template.build()?.simulation()?;
        Ok(Self { name: name.to_owned(), template })
    }
    /// A scenario from the text of a file.
    #[staticmethod]
    fn parse(text: &str, name: &str) -> Result<Self, PythonError> {
        let template = Template::parse(text, name.as_ref(), &[""; 0])?;
        template.build()?.simulation()?;
        Ok(Self { name: name.to_owned(), template })
    }
    /// The scenario as TOML, with all changes.
    #[getter]
    fn text(&self) -> String {
        self.template.text()
    }
    /// Title and description.
    #[getter]
    fn about(&self) -> Result<(String, String), PythonError> {
        let scenario = self.template.build()?;
        Ok((scenario.title, scenario.about))
    }
    /// Names and units of the columns of a run.
    #[getter]
    fn columns(&self) -> Result<Vec<(String, &'static str)>, PythonError> {
        let scenario = self.template.build()?;
        let simulation = scenario.simulation()?;
        Ok(simulation.columns().iter().map(|column| (column.name.clone(), column.unit)).collect())
    }
    /// The same scenario with changes.
    fn changed(&self, set: Vec<String>, laws: Vec<(String, PyRef<'_, Law>)>) -> Result<Self, PythonError> {
        let mut template = self.template.clone();
        change(&mut template, &set, &laws)?;
        template.build()?.simulation()?;
        Ok(Self { name: self.name.clone(), template })
    }
    /// Runs it with more changes.
    fn run(
        &self,
        py: Python<'_>,
        set: Vec<String>,
        laws: Vec<(String, PyRef<'_, Law>)>,
        peaks: bool,
        sensitivity: Vec<String>,
    ) -> Result<RunResult, PythonError> {
        let changed = if set.is_empty() && laws.is_empty() {
            None
        } else {
            let mut template = self.template.clone();
            change(&mut template, &set, &laws)?;
            Some(template)
        };
        let template = changed.as_ref().unwrap_or(&self.template);
        let (run, interrupt) = py.detach(|| simulate(template, peaks, sensitivity, Interrupt::new()))?;
        interrupt.end()?;
        RunResult::new(py, run)
    }
}

fn change(template: &mut Template, set: &[String], laws: &[(String, PyRef<'_, Law>)]) -> Result<(), PythonError> {
    for (name, law) in laws {
        template.replace_law(name, &law.file.spec)?;
    }
    for assignment in set {
        template.assign(assignment)?;
    }
    Ok(())
}

/// A run.
#[pyclass(frozen, module = "stiction._native", get_all)]
pub struct RunResult {
    title: String,
    notes: Vec<String>,
    /// The scenario that was run, as TOML.
    text: String,
    /// Time and all other columns.
    trace: Py<Table>,
    /// Time, part and kind of each event.
    events: Py<Table>,
    measures: Vec<(String, Option<f64>)>,
    /// Whether it reached its end.
    complete: bool,
    /// Work, friction, damping, impact, before, after, error, size \[J\].
    energy: [f64; 9],
    /// Steps, rejected steps, evaluations, Jacobians.
    effort: [u64; 4],
    /// Pictures: title, horizontal axis, panels; then the times between which each shows the run, limits, and which axes are logarithmic.
    plots: Vec<Picture>,
    /// What pictures show that is no column.
    formulas: Py<Table>,
    /// Derivatives of the columns, and of the times of events by full paths; names as they were asked for, with their full paths.
    derivatives: Py<Table>,
    event_derivatives: Py<Table>,
    varied: Vec<(String, String)>,
    /// Message and hint of a run that could not go on.
    failure: Option<(String, Option<String>)>,
}

fn picture(plot: PlotDefinition) -> Picture {
    let PlotDefinition { title, x, panels, window, style, .. } = plot;
    ((title, x, panels), window, (style.x_limits, style.y_limits), [style.x_log, style.y_log])
}

impl RunResult {
    fn new(py: Python<'_>, run: FinishedRun) -> Result<Self, PythonError> {
        let FinishedRun { title, notes, text, columns, events, summary, measures, plots, .. } = run;
        let FinishedRun { formulas, derivatives, event_derivatives, varied, failure, .. } = run;
        let EnergyBalance { work, friction, damping, impact, switching, before, after, .. } = summary.energy;
        let SolverStatistics { steps, rejected, evaluations, jacobians, .. } = summary.stats;
        let (times, others): (Vec<f64>, Vec<(String, String)>) =
            events.into_iter().map(|(t, part, kind)| (t, (part, kind))).unzip();
        let (parts, kinds) = others.into_iter().unzip();
        let events = vec![
            ("t".to_owned(), "s".to_owned(), ColumnData::Numbers(times)),
            ("part".to_owned(), String::new(), ColumnData::Text(parts)),
            ("kind".to_owned(), String::new(), ColumnData::Text(kinds)),
        ];
        Ok(Self {
            title,
            notes,
            text,
            trace: Py::new(py, Table::new(py, columns)?)?,
            events: Py::new(py, Table::new(py, events)?)?,
            measures,
            complete: summary.complete,
            energy: [
                work,
                friction,
                damping,
                impact,
                switching,
                before,
                after,
                summary.energy.error(),
                summary.energy.size(),
            ],
            effort: [steps, rejected, evaluations, jacobians],
            plots: plots.into_iter().map(picture).collect(),
            formulas: Py::new(py, Table::new(py, formulas)?)?,
            derivatives: Py::new(py, Table::new(py, derivatives)?)?,
            event_derivatives: Py::new(py, Table::new(py, event_derivatives)?)?,
            varied,
            failure: failure.map(|error| (error.to_string(), error.hint())),
        })
    }
}

/// Title, notes and text of a run that was pickled; its tables; its measures; whether it is complete, energy and effort; pictures and failure;
/// derivatives.
type RunState = (
    (String, Vec<String>, String),
    (Py<Table>, Py<Table>),
    Vec<(String, Option<f64>)>,
    (bool, [f64; 9], [u64; 4]),
    (Vec<Picture>, Py<Table>, Option<(String, Option<String>)>),
    (Py<Table>, Py<Table>, Vec<(String, String)>),
);

#[pymethods]
impl RunResult {
    /// The run of a state that was pickled.
    #[staticmethod]
    fn of(state: RunState) -> Self {
        let (words, (trace, events), measures, (complete, energy, effort), pictures, derived) = state;
        let (title, notes, text) = words;
        let (plots, formulas, failure) = pictures;
        let (derivatives, event_derivatives, varied) = derived;
        Self {
            title,
            notes,
            text,
            trace,
            events,
            measures,
            complete,
            energy,
            effort,
            plots,
            formulas,
            derivatives,
            event_derivatives,
            varied,
            failure,
        }
    }
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (RunState,))> {
        let (py, run) = (slf.py(), slf.get());
        let state = (
            (run.title.clone(), run.notes.clone(), run.text.clone()),
            (run.trace.clone_ref(py), run.events.clone_ref(py)),
            run.measures.clone(),
            (run.complete, run.energy, run.effort),
            (run.plots.clone(), run.formulas.clone_ref(py), run.failure.clone()),
            (run.derivatives.clone_ref(py), run.event_derivatives.clone_ref(py), run.varied.clone()),
        );
        Ok((slf.get_type().getattr("of")?, (state,)))
    }
    /// Its first picture as SVG; empty without rows.
    fn svg(&self, py: Python<'_>) -> Result<String, PythonError> {
        let Some(picture) = self.plots.first() else { return Ok(String::new()) };
        run_picture::svg(py, &self.title, picture, (self.trace.get(), self.formulas.get()))
    }
    /// The moving picture of its bodies: the page, and what the script of [`motion_cell`] needs.
    fn motion(&self, py: Python<'_>) -> Result<(String, String), PythonError> {
        let scenario = Template::parse(&self.text, "scenario.toml".as_ref(), &[""; 0])?.build()?;
        let simulation = scenario.simulation()?;
        let columns = simulation.columns();
        let values = |name: &str| -> Result<Vec<f64>, PythonError> {
            let column = self.trace.get().__getitem__(py, name)?;
            Ok(column.extract(py)?)
        };
        let places = motion_page::places(columns);
        if places.is_empty() {
            return Err(PythonError::new("nothing moves in this scenario", None));
        }
        let times = values("t")?;
        let places = places.into_iter().map(|k| Ok((&columns[k], values(&columns[k].name)?)));
        let places = places.collect::<Result<Vec<_>, PythonError>>()?;
        let page = MotionPage { title: &self.title, system: &scenario.system, times: &times, places, figures: &[] };
        Ok((page.html(), page.data()))
    }
}

/// Script, style and markup of a moving picture in a cell of a notebook.
#[pyfunction]
pub fn motion_cell() -> (String, String, &'static str) {
    (motion_page::cell_script(), motion_page::cell_style(), motion_page::CELL_MARKUP)
}

/// Names and titles of the scenarios that come with the program.
#[pyfunction]
pub fn scenario_names() -> Vec<(&'static str, String)> {
    let title = |text: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix("title = "));
        line.unwrap_or_default().trim_matches('"').to_owned()
    };
    embedded::ALL.iter().map(|entry| (entry.name, title(entry.text))).collect()
}

/// Whether a name is that of a scenario, or a path that of the file of one.
#[pyfunction]
pub fn is_scenario(name: &str) -> bool {
    if is_file_name(name) {
        return fs::read_to_string(name).is_ok_and(|text| stiction::scenario::Scenario::looks_like_scenario(&text));
    }
    embedded::find(name).is_some()
}

/// A key of a component: name, what it is, unit, default, meaning.
type KeyRow = (&'static str, &'static str, &'static str, String, &'static str);

/// Every component of a scenario: name, form, meaning, whether the parameters of a law stand beside its keys, and its keys. The one
/// without a name has the keys outside all tables.
#[pyfunction]
pub fn components() -> Vec<(&'static str, &'static str, &'static str, bool, Vec<KeyRow>)> {
    let row = |key: &keys::Key| (key.name, key.kind.words(), key.unit, key.default.to_string(), key.doc);
    let rows = |keys: &[keys::Key]| keys.iter().map(row).collect::<Vec<KeyRow>>();
    let all = keys::ALL.iter().map(|part| (part.name, part.form, part.doc, part.law, rows(part.keys)));
    all.chain([("", "", "", false, rows(keys::TOP_LEVEL))]).collect()
}

/// Those of the known names that are similar to a misspelt one.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "what Python hands over")]
pub fn similar(name: &str, known: Vec<String>) -> Vec<String> {
    stiction::similar_names::similar(name, known.iter().map(String::as_str)).into_iter().map(str::to_owned).collect()
}

/// The keys of the table `[run]` of a scenario.
#[pyfunction]
pub fn run_keys() -> Vec<&'static str> {
    keys::find("run").map_or_else(Vec::new, |run| run.keys.iter().map(|key| key.name).collect())
}
