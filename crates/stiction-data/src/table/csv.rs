//! Comma-separated values, by the `csv` crate. Written: a line of headers, `t \[s\]`, then the rows, quoted as RFC 4180 says, with
//! plain line ends. Numbers are as short as possible and read back bit for bit.
//! Read: also with semicolons or tabs as separators, with comments after `#`, and without headers.
use super::ColumnHeaders;
use std::io::{self, Read, Write};
use stiction_io::number::short;

/// Writes a table as CSV. Not buffered beyond a row: that is up to `W`.
pub struct Writer<W: Write> {
    out: csv::Writer<W>,
    columns: usize,
}

impl<W: Write> Writer<W> {
    /// Writes the line of headers.
    ///
    /// # Errors
    /// The errors of `out`.
    pub fn new(out: W, headers: &ColumnHeaders) -> io::Result<Self> {
        let mut table = Self { out: csv::WriterBuilder::new().from_writer(out), columns: headers.0.len() };
        table.record(headers.0.iter().map(ToString::to_string))?;
        Ok(table)
    }
    /// Writes the next row.
    ///
    /// # Errors
    /// The errors of the output.
    ///
    /// # Panics
    /// If there are not as many values as headers.
    pub fn row(&mut self, values: &[f64]) -> io::Result<()> {
        assert_eq!(values.len(), self.columns, "values in a row");
        self.record(values.iter().map(|value| short(*value)))
    }
    /// Ends the table and returns the output.
    ///
    /// # Errors
    /// The errors of the output.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        self.out.into_inner().map_err(|error| error.into_error())
    }
    fn record(&mut self, mut cells: impl Iterator<Item = String>) -> io::Result<()> {
        cells.try_for_each(|cell| self.out.write_field(cell)).map_err(io_error)?;
        self.out.write_record(None::<&[u8]>).map_err(io_error)
    }
}

/// The error of the system behind an error of the `csv` crate, with its kind; `InvalidData` for a file that is not CSV.
pub fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        kind => io::Error::new(io::ErrorKind::InvalidData, format!("{kind:?}")),
    }
}

/// A reader of the lines of a table; cells are without blanks around them, and comments are left out.
pub fn reader<R: Read>(bytes: R, separator: u8) -> csv::Reader<R> {
    csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(bytes)
}

/// The separator of a table: one for the whole file, so that a decimal comma beside semicolons is an error.
pub fn separator(text: &[u8]) -> u8 {
    [b';', b'\t'].into_iter().find(|byte| text.contains(byte)).unwrap_or(b',')
}
