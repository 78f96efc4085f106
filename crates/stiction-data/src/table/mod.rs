//! Tables of named columns with units, written row by row, so that memory does not grow with the length of a run.
//!
//! Parquet is written by the `parquet` crate, without arrow and without compression, behind the feature of the same
//! name: 25 crates, 38 s of processor time in a debug and 69 s in a release build, most of it one crate. A writer of our
//! own would cost no time, but the files of others must be read, too, and that is the larger part.
//!
//! ```
//! use stiction_data::table::{Heads, csv};
//!
//! let heads = Heads::from([("t", "s"), ("slider.x", "m")]);
//! let mut table = csv::Writer::new(Vec::new(), &heads)?;
//! table.row(&[0.0, 1e-6])?;
//! assert_eq!(table.finish()?, b"t [s],slider.x [m]\n0,1e-6\n");
//! # Ok::<(), std::io::Error>(())
//! ```
pub mod csv;
#[cfg(feature = "parquet")]
pub mod parquet;
mod read;

pub use read::head;
pub use read::{Table, read};

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::Path;
use stiction_io::{FileError, output};

/// What a column holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Name, `slider.x`.
    pub name: String,
    /// Unit, `m`; empty if there is none.
    pub unit: String,
}

impl Display for Head {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.unit.is_empty() { f.write_str(&self.name) } else { write!(f, "{} [{}]", self.name, self.unit) }
    }
}

/// The columns of a table, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heads(pub Vec<Head>);

impl<N: Into<String>, U: Into<String>> FromIterator<(N, U)> for Heads {
    fn from_iter<I: IntoIterator<Item = (N, U)>>(pairs: I) -> Self {
        Self(pairs.into_iter().map(|(name, unit)| Head { name: name.into(), unit: unit.into() }).collect())
    }
}

impl<N: Into<String>, U: Into<String>, const K: usize> From<[(N, U); K]> for Heads {
    fn from(pairs: [(N, U); K]) -> Self {
        pairs.into_iter().collect()
    }
}

/// Takes the next row of a table.
pub type Row<'a> = dyn FnMut(&[f64]) -> io::Result<()> + 'a;

/// Writes a whole table to `path`: Parquet if its name ends in `.parquet`, else CSV. `fill` hands in the rows.
///
/// # Errors
/// [`FileError`] if the folder, the disk or `fill` refuses, or for Parquet without the feature `parquet`.
pub fn write(path: &Path, heads: &Heads, fill: impl FnOnce(&mut Row) -> io::Result<()>) -> Result<(), FileError> {
    output::write(path, |out| {
        if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("parquet")) {
            #[cfg(feature = "parquet")]
            {
                let mut table = parquet::Writer::new(out, heads)?;
                fill(&mut |row| table.row(row))?;
                return table.finish().map(drop);
            }
            #[cfg(not(feature = "parquet"))]
            return Err(io::Error::new(io::ErrorKind::Unsupported, "built without the feature 'parquet'"));
        }
        let mut table = csv::Writer::new(out, heads)?;
        fill(&mut |row| table.row(row))?;
        table.finish().map(drop)
    })
}
