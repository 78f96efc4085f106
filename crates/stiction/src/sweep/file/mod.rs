//! Results in files: Parquet if the name ends in `.parquet`, else CSV with a manifest beside it. `docs/sweep.md` describes the columns.
mod csv;
pub(super) mod manifest;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod parquet_rows;

use super::{ResultHeader, ResultRow, SweepError};
use crate::Error;
use crate::FileError;
use crate::table::ColumnHeader;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Name of the manifest in the folder of the chunks.
pub(super) const MANIFEST: &str = "manifest.toml";

/// Whether the name of a file is that of a Parquet file.
pub fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"))
}

/// The folder of the chunks of an output until it is finished.
pub fn parts(output: &Path) -> PathBuf {
    output.with_file_name(format!("{}.parts", output.file_name().unwrap_or_default().display()))
}

fn numbered(stem: &OsStr) -> bool {
    stem.to_str().is_some_and(|stem| stem.chars().all(|c| c.is_ascii_digit()))
}

/// Writes a result row by row.
pub(super) enum Writer<'a> {
    Csv(Box<csv::Writer<'a>>),
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet::Writer<'a>>),
}

impl<'a> Writer<'a> {
    /// Begins a file; the ending of `path` chooses the format.
    pub fn new(path: &Path, out: &'a mut dyn Write, heads: &ResultHeader) -> io::Result<Self> {
        if !is_parquet(path) {
            return csv::Writer::new(out, heads).map(|writer| Self::Csv(Box::new(writer)));
        }
        #[cfg(feature = "parquet")]
        return parquet::Writer::new(out, heads).map(|writer| Self::Parquet(Box::new(writer)));
        #[cfg(not(feature = "parquet"))]
        Err(unsupported())
    }
    pub fn row(&mut self, row: &ResultRow) -> io::Result<()> {
        match self {
            Self::Csv(writer) => writer.row(row),
            #[cfg(feature = "parquet")]
            Self::Parquet(writer) => writer.row(row),
        }
    }
    pub fn finish(self) -> io::Result<()> {
        match self {
            Self::Csv(writer) => writer.finish(),
            #[cfg(feature = "parquet")]
            Self::Parquet(writer) => writer.finish(),
        }
    }
}

/// Reads a result row by row.
pub struct Reader {
    /// Its columns. A CSV file without its manifest does not say which columns were varied: there all are measures.
    pub heads: ResultHeader,
    rows: Box<dyn Iterator<Item = io::Result<ResultRow>>>,
}

impl Reader {
    /// Opens a result.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be read, [`Error::Sweep`] if it is not the result of a sweep.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let reader = Self::new(path).map_err(|io| match io.kind() {
            io::ErrorKind::InvalidInput => {
                SweepError::UnusableFile { path: path.to_owned(), why: io.to_string() }.into()
            }
            _ => Error::File(FileError { path: path.to_owned(), action: "read", io }),
        })?;
        if is_parquet(path) { Ok(reader) } else { reader.with_manifest(&manifest::beside(path)) }
    }
    /// A CSV file with what its manifest says of it, if there is one and it has the same columns.
    fn with_manifest(mut self, path: &Path) -> Result<Self, Error> {
        if !path.is_file() {
            return Ok(self);
        }
        let facts = manifest::read(path)?;
        let names = |heads: &[ColumnHeader]| heads.iter().map(|head| head.name.clone()).collect::<Vec<_>>();
        let axes: Vec<String> = facts
            .iter()
            .find(|(key, _)| key == "axes")
            .map_or_else(Vec::new, |(_, text)| text.lines().map(str::to_owned).collect());
        let measures = facts.iter().filter_map(|(key, _)| key.strip_prefix("measure.").map(str::to_owned));
        if names(&self.heads.measures) != axes.iter().cloned().chain(measures).collect::<Vec<_>>() {
            return Ok(self);
        }
        let measures = self.heads.measures.split_off(axes.len());
        self.heads = ResultHeader { axes: self.heads.measures, measures, facts };
        let varied = axes.len();
        self.rows = Box::new(self.rows.map(move |row| row.map(|row| row.with_varied(varied))));
        Ok(self)
    }
    /// The same; while the sweep still runs, the chunks that are finished.
    ///
    /// # Errors
    /// As [`Reader::open`].
    pub fn open_unfinished(path: &Path) -> Result<Self, Error> {
        let parts = parts(path);
        if path.exists() || !parts.is_dir() {
            return Self::open(path);
        }
        let error = |io| Error::File(FileError { path: parts.clone(), action: "read", io });
        let entries = fs::read_dir(&parts).and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(error)?;
        let ending = path.extension();
        let mut files: Vec<_> = entries.into_iter().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension() == ending && file.file_stem().is_some_and(numbered));
        files.sort();
        let Some(first) = files.first() else { return Err(error(not_a_result("no chunk is finished yet"))) };
        let heads = Self::open(first)?.heads;
        let rows = files.into_iter().flat_map(|file| -> Box<dyn Iterator<Item = io::Result<ResultRow>>> {
            match Self::new(&file) {
                Ok(reader) => reader.rows,
                Err(io) => Box::new(std::iter::once(Err(io))),
            }
        });
        let reader = Self { heads, rows: Box::new(rows) };
        if is_parquet(path) { Ok(reader) } else { reader.with_manifest(&parts.join(MANIFEST)) }
    }
    /// A result in memory.
    pub fn of_rows(heads: ResultHeader, rows: Vec<ResultRow>) -> Self {
        Self { heads, rows: Box::new(rows.into_iter().map(Ok)) }
    }
    fn new(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        if !is_parquet(path) {
            let (heads, rows) = csv::read(file)?;
            return Ok(Self { heads, rows: Box::new(rows) });
        }
        #[cfg(feature = "parquet")]
        {
            let (heads, rows) = parquet::read(file)?;
            Ok(Self { heads, rows: Box::new(rows) })
        }
        #[cfg(not(feature = "parquet"))]
        Err(unsupported())
    }
}

impl Iterator for Reader {
    type Item = io::Result<ResultRow>;
    fn next(&mut self) -> Option<Self::Item> {
        self.rows.next()
    }
}

#[cfg(not(feature = "parquet"))]
fn unsupported() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "built without the feature 'parquet'")
}

/// The error of a file that is not the result of a sweep.
fn not_a_result(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("it is not the result of a sweep: {why}"))
}
