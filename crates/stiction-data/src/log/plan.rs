//! What is wanted of a table: columns, and expressions over columns.
use super::expr::{Mistake, Names, Program, Wrong};
use super::sink::{Chunk, ROWS, Sink};
use super::{Field, Problem, Record, Table, head, names};
use crate::DataError;

/// Columns to make from a table.
pub struct Plan<'a> {
    table: &'a Table,
    outputs: Vec<(Field, Program)>,
}

/// How a reading ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Rows read.
    pub rows: u64,
    /// Whether the file ends in the middle of a row, which was left out.
    pub cut: bool,
}

impl<'a> Plan<'a> {
    /// Nothing yet.
    pub fn new(table: &'a Table) -> Self {
        Self { table, outputs: Vec::new() }
    }
    /// Every column of numbers; where columns differ in length, those of the most common length.
    pub fn all(table: &'a Table) -> Self {
        let numbers = || table.fields().iter().enumerate().filter(|(_, field)| field.text.is_none());
        let count = |rows: Option<u64>| numbers().filter(|(_, field)| field.rows == rows).count();
        let common = numbers().map(|(_, field)| field.rows).max_by_key(|&rows| (count(rows), rows));
        let outputs = numbers()
            .filter(|(_, field)| Some(field.rows) == common)
            .map(|(at, field)| (field.clone(), Program::column(&field.name, at)))
            .collect();
        Self { table, outputs }
    }
    /// One more: a column by name or number, or an expression, called `name` (`v [m/s]`), or as it is written if that is
    /// empty. `constants` stand beside those of the file, and go before them.
    ///
    /// # Errors
    /// [`DataError::Content`] for names that nothing has and expressions that cannot be read.
    pub fn with(mut self, name: &str, text: &str, constants: &[(&str, f64)]) -> Result<Self, DataError> {
        let fields = self.table.fields();
        let columns: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        let constants: Vec<(&str, f64)> = constants
            .iter()
            .copied()
            .chain(self.table.constants().iter().map(|c| (c.name.as_str(), c.value)))
            .collect();
        let named = |program: &Program| {
            let (called, unit) = head::split(name);
            let from = program.plain().map(|at| &fields[at]);
            let name = if called.is_empty() { from.map_or(&program.text, |field| &field.name).clone() } else { called };
            Field { name, unit: unit.or_else(|| from.and_then(|field| field.unit.clone())), ..Field::default() }
        };
        let program = match names::find(text, &columns) {
            Ok(at) => Program::column(text, at),
            // a whole number alone is that of a column
            Err(column) if text.trim().parse::<usize>().is_ok() => return Err(self.table.fault(column)),
            Err(column) => Program::parse(text, &Names { columns, constants }).map_err(|mistake| {
                // of a single name, the answer for columns is the plainer one
                let single =
                    matches!(mistake, Mistake { at: 1, wrong: Wrong::Name { ref name, .. } } if name == text.trim());
                let expression = Problem::Expression { text: text.trim().to_owned(), mistake };
                self.table.fault(if single || matches!(column, Problem::Ambiguous { .. }) {
                    column
                } else {
                    expression
                })
            })?,
        };
        self.outputs.push((named(&program), program));
        Ok(self)
    }
    /// The columns it makes.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.outputs.iter().map(|(field, _)| field)
    }
    /// Reads the file and hands the columns to `sink`, piece by piece. Memory does not grow with the length of the file.
    ///
    /// # Errors
    /// [`DataError::Content`] at the first cell that is no number or expression that gives none although all its columns do;
    /// [`DataError::File`] for what the system refuses; and whatever `sink` says.
    pub fn stream(&self, sink: &mut dyn Sink) -> Result<Done, DataError> {
        let mut wanted: Vec<usize> = Vec::new();
        for &column in self.outputs.iter().flat_map(|(_, program)| &program.columns) {
            if !wanted.contains(&column) {
                wanted.push(column);
            }
        }
        if wanted.is_empty() {
            // a constant, too, has as many rows as the file
            wanted.extend(self.table.fields().iter().position(|field| field.text.is_none()));
        }
        let mut rows = self.table.rows(&wanted)?;
        let mut raw = Chunk::new(wanted.len());
        let mut out = Chunk::new(self.outputs.len());
        loop {
            rows.read(&mut raw, ROWS)?;
            let count = raw.rows();
            if count == 0 {
                return Ok(Done { rows: raw.first, cut: rows.cut() });
            }
            out.first = raw.first;
            std::mem::swap(&mut out.lines, &mut raw.lines);
            for ((_, program), values) in self.outputs.iter().zip(&mut out.columns) {
                let place = |column: &usize| wanted.iter().position(|known| known == column);
                let inputs: Vec<&[f64]> =
                    program.columns.iter().filter_map(place).map(|at| &raw.columns[at][..]).collect();
                program.rows(&inputs, count, values);
            }
            self.check(&raw, &out, &wanted)?;
            sink.take(&out)?;
            std::mem::swap(&mut out.lines, &mut raw.lines);
            out.clear();
            raw.next();
        }
    }
    /// All of it in memory.
    ///
    /// # Errors
    /// As for [`Plan::stream`].
    pub fn read(&self) -> Result<Record, DataError> {
        let mut record = Record::new(self.table.name(), self.fields());
        self.stream(&mut record)?;
        Ok(record)
    }
    /// An expression of numbers must be a number. A missing one among them makes a missing one.
    fn check(&self, raw: &Chunk, out: &Chunk, wanted: &[usize]) -> Result<(), DataError> {
        for ((_, program), values) in
            self.outputs.iter().zip(&out.columns).filter(|(output, _)| output.1.plain().is_none())
        {
            for (k, value) in values.iter().enumerate().filter(|(_, value)| !value.is_finite()) {
                let input = |column: &usize| {
                    let at = wanted.iter().position(|known| known == column)?;
                    Some((self.table.fields()[*column].name.clone(), raw.columns[at][k]))
                };
                let inputs: Vec<(String, f64)> = program.columns.iter().filter_map(input).collect();
                if inputs.iter().all(|(_, x)| x.is_finite()) {
                    let (row, line) = out.place(k);
                    let text = program.text.clone();
                    return Err(self.table.fault(Problem::Undefined { text, row, line, value: *value, inputs }));
                }
            }
        }
        Ok(())
    }
}
