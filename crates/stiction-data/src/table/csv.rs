//! Comma-separated values, by the `csv` crate. Written: a line of headers, `t \[s\]`, then the rows, quoted as RFC 4180 says, with
//! plain line ends. Numbers are as short as possible and read back bit for bit.
//! Read: also with semicolons or tabs as separators, with comments after `#`, and without headers.
use super::ColumnHeaders;
use std::io::{self, Write};
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

/// The rows of a table with their lines, from one. Cells are without blanks around them; empty lines and comments are left
/// out.
///
/// # Errors
/// For a text that the `csv` crate cannot read; none is known.
pub fn rows(text: &str) -> impl Iterator<Item = io::Result<(usize, Vec<String>)>> {
    // spreadsheets begin UTF-8 with a byte order mark
    let text = text.trim_start_matches('\u{feff}');
    // one separator for the whole file, so that a decimal comma beside semicolons is an error
    let separator = [b';', b'\t'].into_iter().find(|byte| text.as_bytes().contains(byte)).unwrap_or(b',');
    let mut builder = csv::ReaderBuilder::new();
    builder.delimiter(separator).has_headers(false).flexible(true).comment(Some(b'#')).trim(csv::Trim::All);
    builder.from_reader(text.as_bytes()).into_records().filter_map(move |record| {
        let record = match record {
            Ok(record) => record,
            Err(error) => return Some(Err(io_error(error))),
        };
        let first = record.get(0).unwrap_or_default();
        let skipped = first.starts_with('#') || record.len() == 1 && first.is_empty();
        let line = line(text, record.position());
        (!skipped).then(|| Ok((line, record.iter().map(str::to_owned).collect())))
    })
}

/// Whether a row holds headers: none of its cells is a number.
pub fn is_header(cells: &[String]) -> bool {
    cells.iter().all(|cell| cell.parse::<f64>().is_err())
}

/// The line of a record, from one. The `csv` crate gives the position before the empty lines and comments above the record.
fn line(text: &str, position: Option<&csv::Position>) -> usize {
    let (start, line) = position.map_or((0, 1), |position| (position.byte() as usize, position.line() as usize));
    let above = text.get(start..).unwrap_or_default().lines();
    line + above.take_while(|line| line.is_empty() || line.starts_with('#')).count()
}
