//! Comma-separated values. Written: one line of heads, `t \[s\]`, then the rows. Quoted where RFC 4180 asks for it, but with plain
//! line ends. Numbers are as short as they can be and read back bit for bit.
//! Read: also with semicolons or tabs between, comments after `#`, and without heads.
use super::Heads;
use std::borrow::Cow;
use std::io::{self, Write};
use stiction_io::number::short;

/// Writes a table as CSV. Not buffered: that is up to `W`.
pub struct Writer<W> {
    out: W,
    columns: usize,
    line: String,
}

impl<W: Write> Writer<W> {
    /// Starts with the line of heads.
    ///
    /// # Errors
    /// Whatever `out` says.
    pub fn new(mut out: W, heads: &Heads) -> io::Result<Self> {
        let texts: Vec<_> = heads.0.iter().map(ToString::to_string).collect();
        let line = texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(",") + "\n";
        out.write_all(line.as_bytes())?;
        Ok(Self { out, columns: heads.0.len(), line })
    }
    /// The next row.
    ///
    /// # Errors
    /// Whatever the output says.
    ///
    /// # Panics
    /// If there are not as many values as heads.
    pub fn row(&mut self, values: &[f64]) -> io::Result<()> {
        assert_eq!(values.len(), self.columns, "values in a row");
        self.line.clear();
        for (k, value) in values.iter().enumerate() {
            self.line += if k == 0 { "" } else { "," };
            self.line += &short(*value);
        }
        self.line += "\n";
        self.out.write_all(self.line.as_bytes())
    }
    /// Ends the table and gives the output back.
    ///
    /// # Errors
    /// Whatever the output says.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

/// A cell of a CSV file, in quotes where it needs them.
pub fn quoted(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\"")).into()
    } else {
        text.into()
    }
}

/// The lines of a CSV file that hold something, each with its number from one, cut into cells.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    // spreadsheets begin UTF-8 with a mark
    let text = text.trim_start_matches('\u{feff}');
    // one separator for the whole file, so that a decimal comma beside a semicolon is found out
    let separator = [';', '\t'].into_iter().find(|&c| text.contains(c)).unwrap_or(',');
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    let full = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    full.map(move |(i, line)| (i, line.split(separator).map(|cell| cell.trim().trim_matches('"')).collect()))
}

/// Whether a line names columns: none of its cells is a number.
pub fn is_head(cells: &[&str]) -> bool {
    cells.iter().all(|cell| cell.parse::<f64>().is_err())
}
