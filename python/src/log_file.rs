//! Files of measured data: how to read them, what is in them, and what is wrong with it.
use crate::analysis::Analysis;
use crate::error::PythonError;
use crate::interrupt::in_background;
use crate::table::{ColumnData, Table};
use pyo3::prelude::*;
use std::path::PathBuf;
use stiction::data::audit::{Auditor, TimeAudit};
use stiction::data::{
    ChosenColumns, Chunk, DataFile, Field, ReadOptions, Record, RowConsumer, RowSample, column_delay,
};
use stiction::{DataError, Error};
use stiction_report::data_audit::{DataReport, DelayEstimate, ReadColumns};

/// How to read files, as Python gives it.
#[derive(FromPyObject, Clone)]
#[pyo3(from_item_all)]
pub struct LayoutArguments {
    skip: usize,
    delimiter: Option<String>,
    decimal: Option<String>,
    topic: Option<String>,
    episode: Option<u64>,
}

impl LayoutArguments {
    /// As options of a file.
    pub fn options(&self) -> Result<ReadOptions, PythonError> {
        let refuse = |name: &str, text: &str, hint: String| PythonError::new(format!("{name} = '{text}'"), Some(hint));
        let mark = |text: &String| ReadOptions::parse_delimiter(text).map_err(|hint| refuse("delimiter", text, hint));
        let comma = |text: &String| match text.as_str() {
            "point" => Ok(false),
            "comma" => Ok(true),
            _ => Err(refuse("decimal", text, "point or comma".to_owned())),
        };
        Ok(ReadOptions {
            skip_lines: self.skip,
            delimiter: self.delimiter.as_ref().map(mark).transpose()?,
            decimal_comma: self.decimal.as_ref().map(comma).transpose()?,
            topic: self.topic.clone(),
            episode: self.episode,
        })
    }
}

/// Keeps all rows, and examines them.
struct Examination {
    auditor: Auditor,
    sample: RowSample,
    record: Record,
}

impl RowConsumer for Examination {
    type Error = DataError;

    fn take(&mut self, chunk: &Chunk) -> Result<(), DataError> {
        self.auditor.take(chunk)?;
        self.sample.take(chunk)?;
        self.record.take(chunk)
    }
}

/// What was read: the report, the columns, which of them is time, and the constants of the file.
type ReadLog = (Analysis, Table, Option<String>, Vec<(String, f64)>);

/// Reads columns of a file, or expressions over them, and examines them.
#[pyfunction]
pub fn read_log(
    py: Python<'_>,
    path: PathBuf,
    columns: Vec<String>,
    time: Option<String>,
    between: Option<(String, String)>,
    constants: Vec<(String, f64)>,
    layout: LayoutArguments,
) -> Result<ReadLog, PythonError> {
    let options = layout.options()?;
    let (report, record, constants) = in_background(py, move |stop| {
        let file = DataFile::open(&path, &options)?.with_stop(stop.clone());
        let constants: Vec<(&str, f64)> = constants.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let ChosenColumns { selection, time } = ChosenColumns::new(&file, &columns, time.as_deref(), &constants)?;
        let fields: Vec<Field> = selection.fields().cloned().collect();
        let mut rows = Examination {
            auditor: Auditor::new(&fields, time),
            sample: RowSample::default(),
            record: Record::new(file.name(), &fields),
        };
        let done = selection.stream(&mut rows)?;
        let delay = between.map(|(a, b)| {
            let found = column_delay(&file, [&a, &b], &constants)?;
            Ok::<_, DataError>(DelayEstimate { between: (a, b), found })
        });
        let (chosen, truncated) = (!columns.is_empty(), done.truncated);
        let read = ReadColumns { fields, time, chosen, truncated, sample: Some(rows.sample) };
        let report = DataReport::new(&file, read, rows.auditor.finish()).with_delay(delay.transpose()?);
        let own = file.constants().iter().map(|constant| (constant.name.clone(), constant.value)).collect();
        Ok::<_, Error>((report, rows.record, own))
    })??;
    let mut notes = report.notes();
    if let Err(problem) = report.audit.time.as_ref().map_or(Ok(()), TimeAudit::check) {
        // what is wrong is what is asked for here; a fit refuses such a record
        let problem = DataError::content(&record.name, problem);
        notes.push(format!("{problem}; {}", problem.hint()));
    }
    let time = report.audit.time.as_ref().map(|time| time.name.clone());
    let columns = record.columns.into_iter();
    let columns = columns.map(|one| (one.name, one.unit.unwrap_or_default(), ColumnData::Numbers(one.values)));
    Ok((Analysis::with_notes(report, notes), Table::new(py, columns.collect())?, time, constants))
}
