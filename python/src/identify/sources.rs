//! Tables of numbers in files and in memory.
use crate::error::PythonError;
use crate::log_file::LayoutArguments;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use stiction::data::{DataFile, ReadOptions};
use stiction::digest::sha256;
use stiction::identify::dynamic::plant::PlantLog;
use stiction::identify::report::InputFile;
use stiction::identify::{ColumnRoles, Preparation, RawRecord, RecordSet};
use stiction::{Error, FileError};

/// Columns of numbers under a name, in place of a file.
pub(super) type NamedColumns<'py> = (String, Vec<(String, PyReadonlyArray1<'py, f64>)>);

/// Numbers that are copied from an array of Python at once, with its lock: some milliseconds, so that Ctrl-C is seen between them.
const NUMBERS_PER_COPY: usize = 1 << 20;

/// An array that Python also holds. It is copied in the thread that computes, which may go on after Ctrl-C while Python changes the array.
struct HeldColumn {
    name: String,
    values: Py<PyArray1<f64>>,
}

impl HeldColumn {
    fn copy(&self, stop: &AtomicBool) -> Result<Vec<f64>, ErrorKind> {
        let mut out = Vec::new();
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(ErrorKind::Interrupted);
            }
            let more = Python::attach(|py| {
                let values = self.values.bind(py).try_readonly().map_err(|_| ErrorKind::ResourceBusy)?;
                let values = values.as_slice().map_err(|_| ErrorKind::InvalidData)?;
                if out.is_empty() {
                    out.try_reserve_exact(values.len()).map_err(|_| ErrorKind::OutOfMemory)?;
                }
                let rest = values.get(out.len()..).unwrap_or_default();
                out.extend_from_slice(rest.get(..NUMBERS_PER_COPY).unwrap_or(rest));
                Ok(out.len() < values.len())
            });
            if !more? {
                return Ok(out);
            }
        }
    }
}

/// The names and the numbers of columns as bytes, for their digest.
fn digest(columns: &[(String, Vec<f64>)], stop: &AtomicBool) -> io::Result<String> {
    let mut bytes: Box<dyn Read> = Box::new(io::empty());
    for (name, values) in columns {
        let head = format!("{name}\n");
        bytes = Box::new(bytes.chain(io::Cursor::new(head)).chain(NumberBytes { values, stop }));
    }
    sha256(bytes)
}

/// Numbers as bytes, the lowest first.
struct NumberBytes<'a> {
    values: &'a [f64],
    stop: &'a AtomicBool,
}

impl Read for NumberBytes<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(ErrorKind::Interrupted.into());
        }
        let count = self.values.len().min(out.len() / size_of::<f64>());
        let (now, rest) = self.values.split_at(count);
        for (place, value) in out.chunks_exact_mut(size_of::<f64>()).zip(now) {
            place.copy_from_slice(&value.to_le_bytes());
        }
        self.values = rest;
        Ok(count * size_of::<f64>())
    }
}

/// Tables of numbers in files and in memory.
pub(super) struct Sources {
    files: Vec<String>,
    tables: Vec<(String, Vec<HeldColumn>)>,
    /// How files are read.
    options: ReadOptions,
}

impl Sources {
    pub(super) fn new(
        files: Vec<String>,
        columns: Vec<NamedColumns<'_>>,
        layout: &LayoutArguments,
    ) -> Result<Self, PythonError> {
        let held = |(name, values): (String, PyReadonlyArray1<'_, f64>)| {
            values.as_slice().map_err(|_| PythonError::new("the array is not contiguous", None))?;
            Ok(HeldColumn { name, values: (*values).clone().unbind() })
        };
        let table = |(name, columns): NamedColumns<'_>| {
            Ok((name, columns.into_iter().map(held).collect::<Result<Vec<_>, PythonError>>()?))
        };
        let tables = columns.into_iter().map(table).collect::<Result<_, PythonError>>()?;
        Ok(Self { files, tables, options: layout.options()? })
    }
    /// Number of tables.
    pub(super) fn count(&self) -> usize {
        self.files.len() + self.tables.len()
    }
    /// Gives each table with the digest of its bytes, until the flag is raised.
    pub(super) fn read(
        &self,
        stop: &Arc<AtomicBool>,
        mut take: impl FnMut(&DataFile, String) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let failed = |path: &String, io: io::Error| Error::File(FileError { path: path.into(), action: "read", io });
        for path in &self.files {
            let digest = File::open(path).and_then(sha256).map_err(|io| failed(path, io))?;
            take(&DataFile::open(Path::new(path), &self.options)?.with_stop(stop.clone()), digest)?;
        }
        for (name, held) in &self.tables {
            let columns = held.iter().map(|column| Ok((column.name.clone(), column.copy(stop)?)));
            let columns = columns.collect::<Result<Vec<_>, ErrorKind>>().map_err(|kind| failed(name, kind.into()))?;
            let digest = digest(&columns, stop).map_err(|io| failed(name, io))?;
            take(&DataFile::from_columns(name, columns)?.with_stop(stop.clone()), digest)?;
        }
        Ok(())
    }
    /// The tables as logs of a plant, and what a report says of each.
    pub(super) fn plant_logs(
        &self,
        stop: &Arc<AtomicBool>,
        inputs: &mut Vec<InputFile>,
    ) -> Result<Vec<PlantLog>, Error> {
        let mut logs = Vec::new();
        self.read(stop, |table, digest| {
            let log = PlantLog::from_table(table)?;
            inputs.push(log.about(table, digest));
            logs.push(log);
            Ok(())
        })?;
        Ok(logs)
    }
    /// The tables as measured, each with the digest of its bytes.
    pub(super) fn raw(&self, stop: &Arc<AtomicBool>, roles: &ColumnRoles) -> Result<Vec<(RawRecord, String)>, Error> {
        let mut out = Vec::new();
        self.read(stop, |table, digest| {
            out.push((roles.read(table)?, digest));
            Ok(())
        })?;
        Ok(out)
    }
    /// The motions in the tables, each with its preparation.
    pub(super) fn motions(
        &self,
        stop: &Arc<AtomicBool>,
        roles: &ColumnRoles,
        how: &[Preparation],
    ) -> Result<RecordSet, Error> {
        prepared(self.raw(stop, roles)?, stop, roles, how)
    }
}

/// The motions in tables that have been read, each with its preparation.
pub(super) fn prepared(
    raw: Vec<(RawRecord, String)>,
    stop: &AtomicBool,
    roles: &ColumnRoles,
    how: &[Preparation],
) -> Result<RecordSet, Error> {
    let mut records = RecordSet::default();
    for (k, (raw, digest)) in raw.into_iter().enumerate() {
        if stop.load(Ordering::Relaxed) {
            let (path, io) = (raw.name.into(), ErrorKind::Interrupted.into());
            return Err(Error::File(FileError { path, action: "prepare", io }));
        }
        records.push(raw, digest, &roles.terms, how.get(k).unwrap_or(&Preparation::default()))?;
    }
    Ok(records)
}
