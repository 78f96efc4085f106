//! Tables of named columns with units, written row by row, so that memory does not grow with the length of a run.
//!
//! Parquet is written by the `parquet` crate, without arrow and without compression, behind the feature of the same name: 25
//! crates, 38 s of processor time in a debug and 69 s in a release build, most of it in one crate. A writer of our own would
//! build faster, but Parquet files of others must be read, too, and a reader is the larger part.
//!
//! ```
//! use stiction_data::table::{ColumnHeaders, csv};
//!
//! let headers = ColumnHeaders::from([("t", "s"), ("slider.x", "m")]);
//! let mut table = csv::Writer::new(Vec::new(), &headers)?;
//! table.row(&[0.0, 1e-6])?;
//! assert_eq!(table.finish()?, b"t [s],slider.x [m]\n0,1e-6\n");
//! # Ok::<(), std::io::Error>(())
//! ```
pub mod csv;
#[cfg(feature = "parquet")]
pub mod parquet;
mod read;

pub use read::{Table, read};

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::Path;
use stiction_io::{FileError, output};

/// Name and unit of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnHeader {
    /// Name, `slider.x`.
    pub name: String,
    /// Unit, `m`; empty if there is none.
    pub unit: String,
}

impl ColumnHeader {
    /// A header as it is written in a CSV file: `x [m]`.
    pub fn parse(text: &str) -> Self {
        match text.strip_suffix(']').and_then(|text| text.split_once(" [")) {
            Some((name, unit)) => Self { name: name.to_owned(), unit: unit.to_owned() },
            None => Self { name: text.to_owned(), unit: String::new() },
        }
    }
}

impl Display for ColumnHeader {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.unit.is_empty() { f.write_str(&self.name) } else { write!(f, "{} [{}]", self.name, self.unit) }
    }
}

/// The columns of a table, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnHeaders(pub Vec<ColumnHeader>);

impl<N: Into<String>, U: Into<String>> FromIterator<(N, U)> for ColumnHeaders {
    fn from_iter<I: IntoIterator<Item = (N, U)>>(pairs: I) -> Self {
        Self(pairs.into_iter().map(|(name, unit)| ColumnHeader { name: name.into(), unit: unit.into() }).collect())
    }
}

impl<N: Into<String>, U: Into<String>, const K: usize> From<[(N, U); K]> for ColumnHeaders {
    fn from(pairs: [(N, U); K]) -> Self {
        pairs.into_iter().collect()
    }
}

/// Writes the next row of a table.
pub type WriteRow<'a> = dyn FnMut(&[f64]) -> io::Result<()> + 'a;

/// Writes a table to `path`: Parquet if its name ends in `.parquet`, else CSV. `fill` writes the rows.
///
/// # Errors
/// [`FileError`] if the file cannot be written, if `fill` fails, and for Parquet without the feature `parquet`.
pub fn write(
    path: &Path,
    headers: &ColumnHeaders,
    fill: impl FnOnce(&mut WriteRow) -> io::Result<()>,
) -> Result<(), FileError> {
    output::write(path, |out| {
        if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("parquet")) {
            #[cfg(feature = "parquet")]
            {
                let mut table = parquet::Writer::new(out, headers)?;
                fill(&mut |row| table.row(row))?;
                return table.finish().map(drop);
            }
            #[cfg(not(feature = "parquet"))]
            return Err(io::Error::new(io::ErrorKind::Unsupported, "built without the feature 'parquet'"));
        }
        let mut table = csv::Writer::new(out, headers)?;
        fill(&mut |row| table.row(row))?;
        table.finish().map(drop)
    })
}
