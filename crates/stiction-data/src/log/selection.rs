//! The columns to read from a file, and expressions over them.
use super::chunk::{CHUNK_ROWS, Chunk, RowConsumer};
use super::{DataFile, Field, Record, header};
use crate::expression::{Expression, ExpressionError, ExpressionErrorKind, SymbolTable};
use crate::{ColumnNameError, ContentError, DataError, find_column};
use std::cmp::Reverse;
use std::collections::HashMap;

/// The columns to make from a data file: its own columns, or expressions over them.
pub struct ColumnSelection<'a> {
    file: &'a DataFile,
    outputs: Vec<(Field, Expression)>,
}

/// What was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadSummary {
    /// Rows read.
    pub rows: u64,
    /// Whether the file ends in the middle of a row, which was left out.
    pub truncated: bool,
}

impl<'a> ColumnSelection<'a> {
    /// No column yet.
    pub fn new(file: &'a DataFile) -> Self {
        Self { file, outputs: Vec::new() }
    }
    /// Every column of numbers; where columns differ in length or belong to several tables, those of the most common length, or of the
    /// longest table.
    pub fn all(file: &'a DataFile) -> Self {
        let numbers = || file.fields().iter().enumerate().filter(|(_, field)| field.text.is_none());
        let table = |field: &'a Field| (field.table.as_deref(), field.rows);
        // columns of each table, and the first of them
        let mut tables: HashMap<_, (usize, usize)> = HashMap::new();
        for (at, field) in numbers() {
            tables.entry(table(field)).or_insert((0, at)).0 += 1;
        }
        // of several tables the longest one, then the widest, then the first
        let ranked = tables.into_iter().map(|((name, rows), (columns, first))| {
            ((rows.filter(|_| name.is_some()), columns, rows, Reverse(first)), (name, rows))
        });
        let common = ranked.max_by_key(|(rank, _)| *rank).map(|(_, table)| table);
        let outputs = numbers()
            .filter(|(_, field)| Some(table(field)) == common)
            .map(|(at, field)| (field.clone(), Expression::column(&field.name, at)))
            .collect();
        Self { file, outputs }
    }
    /// Adds a column by name or number, or an expression. Its name is `name` (`v [m/s]`), or the text if `name` is empty.
    /// `constants` take precedence over constants of the file.
    ///
    /// # Errors
    /// [`DataError::Content`] for unknown names and for expressions that cannot be parsed.
    pub fn with(mut self, name: &str, text: &str, constants: &[(&str, f64)]) -> Result<Self, DataError> {
        let fields = self.file.fields();
        let columns: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        let own = self.file.constants().iter().map(|c| (c.name.as_str(), c.value));
        let constants: Vec<(&str, f64)> = constants.iter().copied().chain(own).collect();
        let output_field = |expression: &Expression| {
            let (given, unit) = header::split(name);
            let from = expression.single_column().map(|at| &fields[at]);
            let name =
                if given.is_empty() { from.map_or(&expression.text, |field| &field.name).clone() } else { given };
            Field { name, unit: unit.or_else(|| from.and_then(|field| field.unit.clone())), ..Field::default() }
        };
        let expression = match find_column(text, &columns) {
            Ok(at) => Expression::column(text, at),
            // an integer alone is the number of a column
            Err(lookup) if text.trim().parse::<usize>().is_ok() => return Err(self.file.content_error(lookup.into())),
            Err(lookup) => {
                let units = fields.iter().map(|field| field.unit.as_deref()).collect();
                Expression::parse(text, &SymbolTable { columns, constants, units }).map_err(|error| {
                    // if the text is just a name, the message about columns is the simpler one
                    let is_name = matches!(
                        error,
                        ExpressionError { position: 1, kind: ExpressionErrorKind::UnknownName { ref name, .. } }
                            if name == text.trim()
                    );
                    self.file.content_error(if is_name || matches!(lookup, ColumnNameError::Ambiguous { .. }) {
                        lookup.into()
                    } else {
                        ContentError::Expression { text: text.trim().to_owned(), error }
                    })
                })?
            }
        };
        self.outputs.push((output_field(&expression), expression));
        Ok(self)
    }
    /// Adds the column at this place, from zero, whatever its name is.
    ///
    /// # Errors
    /// [`DataError`] if there are fewer columns.
    pub fn with_column(mut self, at: usize) -> Result<Self, DataError> {
        let Some(field) = self.file.fields().get(at) else {
            let known = self.file.fields().iter().map(|field| field.name.clone()).collect();
            let lookup = ColumnNameError::Unknown { name: at.saturating_add(1).to_string(), near: Vec::new(), known };
            return Err(self.file.content_error(lookup.into()));
        };
        self.outputs.push((field.clone(), Expression::column(&field.name, at)));
        Ok(self)
    }
    /// Adds the parts of output `at` that may end at a limit of their own, such as a current in the expression of a torque. Those that one of
    /// `known` is, too, are left out.
    #[must_use]
    pub fn with_parts_of(mut self, at: usize, known: &[usize]) -> Self {
        let parts = self.outputs.get(at).map(|(_, expression)| expression.parts_with_limits()).unwrap_or_default();
        let is_known = |column: usize| known.iter().any(|&k| self.outputs[k].1.columns.contains(&column));
        let new: Vec<Expression> =
            parts.into_iter().filter(|part| !part.single_column().is_some_and(is_known)).collect();
        for part in new {
            let field = part.single_column().and_then(|column| self.file.fields().get(column)).cloned();
            let field = field.unwrap_or_else(|| Field { name: part.text.clone(), ..Field::default() });
            self.outputs.push((field, part));
        }
        self
    }
    /// The columns of the file that output `at` is computed from.
    pub fn sources(&self, at: usize) -> &[usize] {
        self.outputs.get(at).map_or(&[], |(_, expression)| &expression.columns)
    }
    /// The table of its first column, in a file of several tables.
    pub fn table(&self) -> Option<&'a str> {
        let column = self.outputs.iter().flat_map(|(_, expression)| &expression.columns).next()?;
        self.file.fields().get(*column)?.table.as_deref()
    }
    /// The columns it makes.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.outputs.iter().map(|(field, _)| field)
    }
    /// Reads the file and passes the columns to `consumer`, chunk by chunk. Memory does not grow with the length of the file.
    ///
    /// # Errors
    /// [`DataError::Content`] at the first cell that is not a number, and at the first row where an expression is not finite
    /// although all its columns are; [`DataError::File`] if the system cannot read the file, or if reading was stopped
    /// ([`DataFile::with_stop`]); and the errors of `consumer`.
    pub fn stream<C: RowConsumer>(&self, consumer: &mut C) -> Result<ReadSummary, C::Error> {
        let wanted = self.file_columns();
        let index: HashMap<usize, usize> = wanted.iter().enumerate().map(|(at, &column)| (column, at)).collect();
        let inputs: Vec<Vec<usize>> = self
            .outputs
            .iter()
            .map(|(_, expression)| expression.columns.iter().filter_map(|column| index.get(column).copied()).collect())
            .collect();
        let mut rows = self.file.rows(&wanted)?;
        let mut raw = Chunk::new(wanted.len());
        let mut out = Chunk::new(self.outputs.len());
        loop {
            self.file.check_stop()?;
            rows.read(&mut raw, CHUNK_ROWS)?;
            let count = raw.rows();
            if count == 0 {
                return Ok(ReadSummary { rows: raw.first, truncated: rows.truncated() });
            }
            out.first = raw.first;
            std::mem::swap(&mut out.lines, &mut raw.lines);
            for (((_, expression), inputs), values) in self.outputs.iter().zip(&inputs).zip(&mut out.columns) {
                let inputs: Vec<&[f64]> = inputs.iter().map(|&at| &raw.columns[at][..]).collect();
                expression.evaluate_rows(&inputs, count, values);
            }
            self.check_finite(&raw, &out, &inputs)?;
            consumer.take(&out)?;
            std::mem::swap(&mut out.lines, &mut raw.lines);
            out.clear();
            raw.next();
        }
    }
    /// Reads all rows into memory.
    ///
    /// # Errors
    /// As for [`ColumnSelection::stream`].
    pub fn read(&self) -> Result<Record, DataError> {
        let mut record = Record::new(self.file.name(), self.fields());
        self.stream(&mut record)?;
        Ok(record)
    }
    /// The columns of the file that the outputs need, each once.
    fn file_columns(&self) -> Vec<usize> {
        let mut seen = vec![false; self.file.fields().len()];
        let mut wanted: Vec<usize> = Vec::new();
        for &column in self.outputs.iter().flat_map(|(_, expression)| &expression.columns) {
            if !std::mem::replace(&mut seen[column], true) {
                wanted.push(column);
            }
        }
        if wanted.is_empty() {
            // a constant, too, has as many rows as the file
            wanted.extend(self.file.fields().iter().position(|field| field.text.is_none()));
        }
        wanted
    }
    /// An expression must be finite wherever all its columns are; a missing value makes it missing.
    fn check_finite(&self, raw: &Chunk, out: &Chunk, inputs: &[Vec<usize>]) -> Result<(), DataError> {
        let outputs = self.outputs.iter().zip(inputs).zip(&out.columns);
        for (((_, expression), inputs), values) in outputs.filter(|((output, _), _)| output.1.single_column().is_none())
        {
            for (k, value) in values.iter().enumerate().filter(|(_, value)| !value.is_finite()) {
                if inputs.iter().any(|&at| !raw.columns[at][k].is_finite()) {
                    continue;
                }
                let name = |column: &usize| self.file.fields()[*column].name.clone();
                let inputs =
                    expression.columns.iter().map(name).zip(inputs.iter().map(|&at| raw.columns[at][k])).collect();
                let (row, line) = out.position(k);
                let text = expression.text.clone();
                return Err(self.file.content_error(ContentError::NotFinite {
                    text,
                    row,
                    line,
                    value: *value,
                    inputs,
                }));
            }
        }
        Ok(())
    }
}
