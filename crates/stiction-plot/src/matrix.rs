//! A matrix of cells with marks, shades and texts.

/// A circle in a cell: whether a statement holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellMark {
    /// It does not.
    Empty,
    /// In part.
    Half,
    /// It does.
    Full,
}

/// A cell of a matrix. Empty by default.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MatrixCell {
    /// Shade, from 0 (paper) to 1 (dark).
    pub shade: f64,
    /// A circle.
    pub mark: Option<CellMark>,
    /// A short number or word.
    pub text: String,
}

impl MatrixCell {
    /// A cell with a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
    /// Shades it, from 0 to 1.
    #[must_use]
    pub fn shade(self, shade: f64) -> Self {
        Self { shade, ..self }
    }
    /// Marks it.
    #[must_use]
    pub fn mark(self, mark: CellMark) -> Self {
        Self { mark: Some(mark), ..self }
    }
}

/// Rows by columns of cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Names of the rows, with their cells; missing ones are empty.
    pub rows: Vec<(String, Vec<MatrixCell>)>,
    /// The meaning of marks, for a legend.
    pub key: Vec<(CellMark, String)>,
}

impl Matrix {
    /// A matrix without rows.
    pub fn new(columns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { columns: columns.into_iter().map(Into::into).collect(), rows: Vec::new(), key: Vec::new() }
    }
    /// Adds a row at the bottom.
    #[must_use]
    pub fn row(mut self, name: impl Into<String>, cells: impl IntoIterator<Item = MatrixCell>) -> Self {
        self.rows.push((name.into(), cells.into_iter().collect()));
        self
    }
    /// Adds the meaning of a mark.
    #[must_use]
    pub fn key(mut self, mark: CellMark, meaning: impl Into<String>) -> Self {
        self.key.push((mark, meaning.into()));
        self
    }
    /// The cell in a column of a row.
    pub(super) fn cell<'a>(&self, row: &'a [MatrixCell], column: usize) -> Option<&'a MatrixCell> {
        row.get(column).filter(|_| column < self.columns.len())
    }
}
