//! Comma-separated values: one line of heads, `t \[s\]`, then the rows. Quoted where RFC 4180 asks for it, but with plain
//! line ends. Numbers are as short as they can be and read back bit for bit.
use super::Heads;
use crate::number::short;
use std::borrow::Cow;
use std::io::{self, Write};

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

fn quoted(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\"")).into()
    } else {
        text.into()
    }
}
