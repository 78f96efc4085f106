//! The columns and constants of a data file.

/// What a column is, before it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// Name; in nested files the path to it, `case.friction`.
    pub name: String,
    /// Unit, if it is known.
    pub unit: Option<String>,
    /// Number of rows, if the file says so.
    pub rows: Option<u64>,
    /// The table it belongs to, in a file of several tables with rows of their own: the topic of a log of messages.
    pub table: Option<String>,
    /// The text of a cell, if the column holds text instead of numbers.
    pub text: Option<String>,
}

/// A single number in a file, beside its columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Name, as of a column.
    pub name: String,
    /// Value.
    pub value: f64,
}
