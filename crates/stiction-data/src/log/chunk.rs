//! Rows in chunks, their readers and their consumers.
use crate::DataError;

/// Rows of a chunk.
pub(super) const CHUNK_ROWS: usize = 4096;

/// Some consecutive rows of a table, column by column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chunk {
    /// Number of rows before these.
    pub first: u64,
    /// The columns, all of one length.
    pub columns: Vec<Vec<f64>>,
    /// The line of every row in its text file; empty for other files.
    pub lines: Vec<u64>,
}

impl Chunk {
    /// Empty columns.
    pub fn new(columns: usize) -> Self {
        Self { first: 0, columns: vec![Vec::new(); columns], lines: Vec::new() }
    }
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }
    /// Removes the rows and counts them, so that the next ones follow.
    pub(super) fn next(&mut self) {
        self.first += self.rows() as u64;
        self.clear();
    }
    /// Removes the rows.
    pub(super) fn clear(&mut self) {
        self.columns.iter_mut().for_each(Vec::clear);
        self.lines.clear();
    }
    /// Number, from one, and line of the `k`th row.
    pub fn position(&self, k: usize) -> (u64, Option<u64>) {
        (self.first + k as u64 + 1, self.lines.get(k).copied())
    }
}

/// Reads the rows of a file in order.
pub(super) trait RowReader {
    /// Appends at most `rows` rows to the columns of `chunk`; none at the end.
    fn read(&mut self, chunk: &mut Chunk, rows: usize) -> Result<(), DataError>;
    /// Whether the last row was incomplete and was left out.
    fn truncated(&self) -> bool {
        false
    }
}

/// Takes the rows of a table, chunk by chunk, in order.
pub trait RowConsumer {
    /// Its error; that of reading can be converted to it.
    type Error: From<DataError>;

    /// The next rows.
    ///
    /// # Errors
    /// Any error ends the reading.
    fn take(&mut self, chunk: &Chunk) -> Result<(), Self::Error>;
}

/// Passes on every `n`th row without filtering: filter first what must not alias.
pub struct Downsampler<'a> {
    every: u64,
    out: Chunk,
    consumer: &'a mut dyn RowConsumer<Error = DataError>,
}

impl<'a> Downsampler<'a> {
    /// Every `every`th row to `consumer`, beginning with the first; 0 counts as 1.
    pub fn new(every: u64, consumer: &'a mut dyn RowConsumer<Error = DataError>) -> Self {
        Self { every: every.max(1), out: Chunk::default(), consumer }
    }
}

impl RowConsumer for Downsampler<'_> {
    type Error = DataError;

    fn take(&mut self, chunk: &Chunk) -> Result<(), DataError> {
        self.out.columns.resize_with(chunk.columns.len(), Vec::new);
        self.out.next();
        let begin = chunk.first.next_multiple_of(self.every) - chunk.first;
        let (begin, step) = (begin as usize, usize::try_from(self.every).unwrap_or(usize::MAX));
        for (out, values) in self.out.columns.iter_mut().zip(&chunk.columns) {
            out.extend(values.iter().skip(begin).step_by(step));
        }
        self.out.lines.extend(chunk.lines.iter().skip(begin).step_by(step));
        if self.out.rows() > 0 { self.consumer.take(&self.out) } else { Ok(()) }
    }
}
