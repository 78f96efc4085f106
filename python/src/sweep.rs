//! Sweeps: a scenario at many values of its parameters.
use crate::error::PythonError;
use crate::interrupt::{in_background, in_background_with};
use crate::scenario::Scenario;
use crate::table::{ColumnData, Table};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use stiction::accelerator;
use stiction::parallel::processors;
use stiction::scenario::Template;
use stiction::sim::StopFlag;
use stiction::sweep::file::Reader;
use stiction::sweep::{
    ChunkStore, Design, Engine, OpenedStore, ResultSummary, SamplingMethod, Shard, SweepPlan, SweepRequest,
    available_measures, merge,
};
use stiction::{Error, FileError};
use stiction_report::slurm;

/// A sweep that can be run: the request, and the plan that was made of it.
#[pyclass(frozen, module = "stiction._native")]
pub struct Sweep {
    template: Template,
    vary: Vec<String>,
    design: Design,
    measure: Vec<String>,
    since: Option<f64>,
    plan: SweepPlan,
}

/// Number of points, number of those that failed, and why with their numbers.
type Tally = (u64, u64, Vec<(String, u64)>);

fn tally(summary: ResultSummary) -> Tally {
    (summary.points, summary.failed, summary.reasons.into_iter().collect())
}

impl Sweep {
    fn plan(
        template: &Template,
        vary: &[String],
        design: Design,
        measure: &[String],
        since: Option<f64>,
    ) -> Result<SweepPlan, Error> {
        SweepPlan::new(template, &SweepRequest { vary, design, measure, from: since })
    }
}

#[pymethods]
impl Sweep {
    /// Checks paths, values and measures. `random` is kind, number of points and seed; none: all combinations.
    #[new]
    fn new(
        scenario: &Scenario,
        vary: Vec<String>,
        random: Option<(String, u64, u64)>,
        measure: Vec<String>,
        since: Option<f64>,
    ) -> Result<Self, PythonError> {
        let design = match random {
            None => Design::Grid,
            Some((name, points, seed)) => {
                let Some(kind) = SamplingMethod::ALL.into_iter().find(|kind| kind.name() == name) else {
                    let known: Vec<_> = SamplingMethod::ALL.iter().map(|kind| kind.name()).collect();
                    return Err(PythonError::new(format!("there is no design '{name}'"), Some(known.join(", "))));
                };
                Design::Random { kind, points, seed }
            }
        };
        let template = scenario.template.clone();
        let plan = Self::plan(&template, &vary, design, &measure, since)?;
        Ok(Self { template, vary, design, measure, since, plan })
    }
    /// Number of points.
    #[getter]
    fn count(&self) -> u64 {
        self.plan.count()
    }
    /// Name, path and unit of each value that is varied.
    #[getter]
    fn axes(&self) -> Vec<(String, String, String)> {
        self.plan.axes.iter().map(|axis| (axis.name.clone(), axis.path.clone(), axis.unit.clone())).collect()
    }
    /// Name and unit of each measure.
    #[getter]
    fn measures(&self) -> Vec<(String, String)> {
        self.plan.measures().iter().map(|measure| (measure.name.clone(), measure.unit.clone())).collect()
    }
    /// Everything that the results depend on, by name.
    #[getter]
    fn facts(&self) -> Vec<(String, String)> {
        self.plan.facts()
    }
    /// Why points run one by one and not several at once; none if they do not.
    #[getter]
    fn scalar_reason(&self) -> Option<&str> {
        self.plan.scalar_reason()
    }
    /// The varied values of a point.
    fn values(&self, point: u64) -> Result<Vec<f64>, PythonError> {
        if point < self.plan.count() {
            return Ok(self.plan.values(point));
        }
        Err(PythonError::new(format!("there is no point {point}"), Some(format!("there are {}", self.plan.count()))))
    }
    /// Runs the points of a shard `(i, n)`, counted from one, that are not done yet, and writes the table. `how` is the number of
    /// threads, the number of points that are saved together, whether to go on with what is there, and whether a GPU runs the points.
    /// `progress` is called with the number of points that are done.
    fn run(
        &self,
        py: Python<'_>,
        output: PathBuf,
        shard: (u64, u64),
        how: (Option<usize>, Option<u64>, bool, bool),
        progress: Option<Py<PyAny>>,
    ) -> Result<Tally, PythonError> {
        let (vary, design, measure, since) = (self.vary.clone(), self.design, self.measure.clone(), self.since);
        let (threads, chunk, resume, on_device) = how;
        let mut template = self.template.clone();
        let shard: Shard = format!("{}/{}", shard.0, shard.1).parse().map_err(Error::from)?;
        let count = Arc::new(AtomicU64::new(0));
        let counter = count.clone();
        let found = in_background_with(
            py,
            move |stop| {
                // runs end with the flag
                template.stop_on(StopFlag::new(stop.clone()));
                let mut plan = Self::plan(&template, &vary, design, &measure, since)?;
                if on_device {
                    plan = plan.on_device(&*accelerator::cuda()?)?;
                }
                let store = match ChunkStore::open(&output, &plan, shard, chunk, resume)? {
                    OpenedStore::Done(summary) => return Ok(Some(summary)),
                    OpenedStore::Ready(store) => store,
                };
                let missing = store.missing();
                counter.store(store.count() - store.points_of(&missing), Ordering::Relaxed);
                let tick = || {
                    counter.fetch_add(1, Ordering::Relaxed);
                };
                let engine = Engine { threads: threads.unwrap_or_else(processors), stop, tick: &tick };
                let finished = store.run(&plan, &missing, &engine)?;
                if finished < missing.len() { Ok(None) } else { store.finish().map(Some) }
            },
            |py| match &progress {
                Some(progress) => progress.call1(py, (count.load(Ordering::Relaxed),)).map(drop),
                None => Ok(()),
            },
        )?;
        let found: Result<Option<ResultSummary>, Error> = found;
        // it is stopped by an exception only, which has been raised
        found?.map(tally).ok_or_else(|| PythonError::new("the sweep was stopped", None))
    }
}

/// Numbers that can be varied in a scenario, with value and unit, and measures with their units.
#[pyfunction]
#[allow(clippy::type_complexity, reason = "two lists of rows")]
pub fn sweep_choices(scenario: &Scenario) -> Result<(Vec<(String, f64, String)>, Vec<(String, String)>), PythonError> {
    let numbers = scenario.template.numbers().into_iter().map(|(path, value, unit)| (path, value, unit.to_string()));
    let measures = available_measures(&scenario.template.build()?)?;
    Ok((numbers.collect(), measures.into_iter().map(|(name, unit)| (name, unit.to_string())).collect()))
}

/// Puts the shards of a sweep together.
#[pyfunction]
pub fn merge_sweep(py: Python<'_>, files: Vec<PathBuf>, to: PathBuf) -> Result<Tally, PythonError> {
    let summary = in_background(py, move |_| merge(&files, &to))?;
    Ok(tally(summary?))
}

/// What the results in a file depend on, by name.
#[pyfunction]
pub fn sweep_facts(path: PathBuf) -> Result<Vec<(String, String)>, PythonError> {
    Ok(Reader::open(&path)?.heads.facts)
}

/// The table of a sweep: the index, what was varied, the measures with NaN where there is none, and the error. Also the number
/// of columns that were varied.
#[pyfunction]
pub fn sweep_table(py: Python<'_>, path: PathBuf) -> Result<(Table, usize), PythonError> {
    let (columns, axes) = py.detach(|| read(&path))?;
    Ok((Table::new(py, columns)?, axes))
}

/// Name, unit and values of columns.
type Columns = Vec<(String, String, ColumnData)>;

fn read(path: &Path) -> Result<(Columns, usize), Error> {
    let reader = Reader::open(path)?;
    let heads = reader.heads.clone();
    let axes = heads.axes.len();
    let (mut index, mut errors) = (Vec::new(), Vec::new());
    let mut values: Vec<Vec<f64>> = heads.columns().map(|_| Vec::new()).collect();
    for row in reader {
        let row = row.map_err(|io| FileError { path: path.to_owned(), action: "read", io })?;
        index.push(row.index as f64);
        let numbers = row.values.iter().copied().chain(row.found.iter().map(|x| x.unwrap_or(f64::NAN)));
        values.iter_mut().zip(numbers).for_each(|(column, x)| column.push(x));
        errors.push(row.error.unwrap_or_default());
    }
    let mut columns = vec![("index".to_owned(), String::new(), ColumnData::Numbers(index))];
    let named = heads.columns().zip(values);
    columns.extend(named.map(|(head, values)| (head.name.clone(), head.unit.clone(), ColumnData::Numbers(values))));
    columns.push(("error".to_owned(), String::new(), ColumnData::Text(errors)));
    Ok((columns, axes))
}

/// A job array for Slurm: the text of a script that runs a command of the program for each shard.
#[pyfunction]
pub fn job_array(words: Vec<String>, output: PathBuf, shards: u32, threads: Option<u16>) -> String {
    slurm::job_array(words.into_iter(), &output, shards, threads)
}
