//! Rows in pieces, and who takes them.
use crate::DataError;

/// Rows of a piece.
pub(super) const ROWS: usize = 4096;

/// Some rows of a table, column by column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chunk {
    /// Rows before these.
    pub first: u64,
    /// The columns, all of one length.
    pub columns: Vec<Vec<f64>>,
    /// The line of every row in its text file; nothing for other files.
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
    /// Makes room for the next rows.
    pub(super) fn next(&mut self) {
        self.first += self.rows() as u64;
        self.clear();
    }
    /// Forgets the rows.
    pub(super) fn clear(&mut self) {
        self.columns.iter_mut().for_each(Vec::clear);
        self.lines.clear();
    }
    /// Number, from one, and line of the `k`th row.
    pub fn place(&self, k: usize) -> (u64, Option<u64>) {
        (self.first + k as u64 + 1, self.lines.get(k).copied())
    }
}

/// Takes the rows of a table, piece by piece, in order.
pub trait Sink {
    /// The next rows.
    ///
    /// # Errors
    /// Whatever ends the reading.
    fn take(&mut self, chunk: &Chunk) -> Result<(), DataError>;
}

/// Hands on every so manyth row, as it is: filter first what must not fold back.
pub struct Thin<'a> {
    every: u64,
    out: Chunk,
    sink: &'a mut dyn Sink,
}

impl<'a> Thin<'a> {
    /// Every `every`th row to `sink`, beginning with the first; 0 counts as 1.
    pub fn new(every: u64, sink: &'a mut dyn Sink) -> Self {
        Self { every: every.max(1), out: Chunk::default(), sink }
    }
}

impl Sink for Thin<'_> {
    fn take(&mut self, chunk: &Chunk) -> Result<(), DataError> {
        self.out.columns.resize_with(chunk.columns.len(), Vec::new);
        self.out.next();
        let begin = chunk.first.next_multiple_of(self.every) - chunk.first;
        let (begin, step) = (begin as usize, usize::try_from(self.every).unwrap_or(usize::MAX));
        for (out, values) in self.out.columns.iter_mut().zip(&chunk.columns) {
            out.extend(values.iter().skip(begin).step_by(step));
        }
        self.out.lines.extend(chunk.lines.iter().skip(begin).step_by(step));
        if self.out.rows() > 0 { self.sink.take(&self.out) } else { Ok(()) }
    }
}
