//! Tables of numbers in files and in memory.
use crate::error::PythonError;
use crate::log_file::LayoutArguments;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use std::fs::File;
use std::path::Path;
use stiction::data::{DataFile, ReadOptions};
use stiction::digest::sha256;
use stiction::identify::dynamic::plant::PlantLog;
use stiction::identify::report::InputFile;
use stiction::identify::{ColumnRoles, Preparation, RecordSet};
use stiction::table::{ColumnHeaders, csv};
use stiction::{Error, FileError};

/// Columns of numbers under a name, in place of a file.
pub(super) type NamedColumns<'py> = (String, Vec<(String, PyReadonlyArray1<'py, f64>)>);

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
pub(super) struct Sources {
    files: Vec<String>,
    tables: Vec<(String, Vec<u8>)>,
    /// How files are read.
    options: ReadOptions,
}

impl Sources {
    pub(super) fn new(
        py: Python<'_>,
        files: Vec<String>,
        columns: &[NamedColumns<'_>],
        layout: &LayoutArguments,
    ) -> Result<Self, PythonError> {
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
        Ok(Self { files, tables, options: layout.options()? })
    }
    /// Number of tables.
    pub(super) fn count(&self) -> usize {
        self.files.len() + self.tables.len()
    }
    /// Gives each table with the digest of its bytes.
    pub(super) fn read(&self, mut take: impl FnMut(&DataFile, String) -> Result<(), Error>) -> Result<(), Error> {
        for path in &self.files {
            let file = |io| Error::File(FileError { path: path.into(), action: "read", io });
            let digest = File::open(path).and_then(sha256).map_err(file)?;
            take(&DataFile::open(Path::new(path), &self.options)?, digest)?;
        }
        for (name, bytes) in &self.tables {
            let digest =
                sha256(&bytes[..]).map_err(|io| Error::File(FileError { path: name.into(), action: "read", io }))?;
            take(&DataFile::from_bytes(name, bytes, &ReadOptions::default())?, digest)?;
        }
        Ok(())
    }
    /// The tables as logs of a plant, and what a report says of each.
    pub(super) fn plant_logs(&self, inputs: &mut Vec<InputFile>) -> Result<Vec<PlantLog>, Error> {
        let mut logs = Vec::new();
        self.read(|table, digest| {
            let log = PlantLog::from_table(table)?;
            inputs.push(log.about(table, digest));
            logs.push(log);
            Ok(())
        })?;
        Ok(logs)
    }
    /// The motions in the tables, each with its preparation.
    pub(super) fn motions(&self, roles: &ColumnRoles, how: &[Preparation]) -> Result<RecordSet, Error> {
        let mut records = RecordSet::default();
        let mut how = how.iter();
        self.read(|table, digest| {
            let how = how.next().cloned().unwrap_or_default();
            records.add(table, digest, roles, &how)
        })?;
        Ok(records)
    }
}
