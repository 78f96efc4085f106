//! A table kept in memory.
use super::Field;
use super::chunk::{Chunk, RowConsumer};
use crate::{DataError, find_column};

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name.
    pub name: String,
    /// Unit, if it is known.
    pub unit: Option<String>,
    /// The values; a missing one is NaN.
    pub values: Vec<f64>,
}

/// Columns of one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// Its name: the file it came from.
    pub name: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The line of every row in its text file; empty for other files.
    pub lines: Vec<u64>,
}

impl Record {
    /// An empty record with these columns.
    pub fn new<'a>(name: impl Into<String>, fields: impl IntoIterator<Item = &'a Field>) -> Self {
        let column = |field: &Field| Column { name: field.name.clone(), unit: field.unit.clone(), values: Vec::new() };
        Self { name: name.into(), columns: fields.into_iter().map(column).collect(), lines: Vec::new() }
    }
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }
    /// A column by name, whatever its case, or by number from one.
    ///
    /// # Errors
    /// [`ColumnNameError`](crate::ColumnNameError) if no column or more than one has the name.
    pub fn column(&self, name: &str) -> Result<&Column, DataError> {
        let known: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        let error = |error: crate::ColumnNameError| DataError::content(&self.name, error.into());
        find_column(name, &known).map(|at| &self.columns[at]).map_err(error)
    }
}

impl RowConsumer for Record {
    type Error = DataError;

    fn take(&mut self, chunk: &Chunk) -> Result<(), DataError> {
        for (column, values) in self.columns.iter_mut().zip(&chunk.columns) {
            column.values.extend_from_slice(values);
        }
        self.lines.extend_from_slice(&chunk.lines);
        Ok(())
    }
}
