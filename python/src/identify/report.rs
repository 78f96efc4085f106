//! What an identification found, as Python reads it; it pickles.
use crate::error::PythonError;
use crate::law::Law;
use crate::table::{ColumnData, Table};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use std::path::Path;
use std::sync::OnceLock;
use stiction::identify::report::{IdentificationReport, figures};
use stiction::identify::{Estimate, IdentificationResult, Severity};
use stiction::{Error, ParameterFile};

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
    pub(super) fn new(
        py: Python<'_>,
        report: IdentificationReport,
        scenario: Option<String>,
    ) -> Result<Self, PythonError> {
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
