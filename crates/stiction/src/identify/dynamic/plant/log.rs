//! A log of a plant: named columns and constants.
use crate::Error;
use crate::NumericsError;
use crate::check::{enough_samples, increasing};
use crate::data::{self, ColumnSelection, DataFile};
use crate::identify::report::InputFile;
use std::path::Path;

/// Columns of one length, and constants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlantLog {
    /// Name.
    pub name: String,
    /// The columns.
    pub columns: Vec<(String, Vec<f64>)>,
    /// Units of the columns, where they are known; empty: none is.
    pub units: Vec<Option<String>>,
    /// Constants.
    pub constants: Vec<(String, f64)>,
    /// What is added to each matched column, one list for each; empty: nothing.
    pub added: Vec<Vec<f64>>,
}

impl PlantLog {
    /// Reads a file of any kind that [`data`] knows.
    ///
    /// # Errors
    /// As [`DataFile::open`] and [`ColumnSelection::read`].
    pub fn read(path: &Path) -> Result<Self, Error> {
        Self::from_table(&DataFile::open(path, &data::ReadOptions::default())?)
    }
    /// All numeric columns of an open file. Nested columns are named by their last part where that is unique.
    ///
    /// # Errors
    /// As [`ColumnSelection::read`].
    pub fn from_table(table: &DataFile) -> Result<Self, Error> {
        let record = ColumnSelection::all(table).read()?;
        let all: Vec<String> = record.columns.iter().map(|c| c.name.clone()).collect();
        let short = |name: &str| -> String {
            let last = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
            let own = last(name);
            if all.iter().filter(|other| last(other) == own).count() == 1 { own } else { name.to_owned() }
        };
        let columns = record.columns.iter().map(|c| (short(&c.name), c.values.clone())).collect();
        let units = record.columns.iter().map(|c| c.unit.clone()).collect();
        let constants = table.constants().iter().map(|c| (c.name.clone(), c.value)).collect();
        Ok(Self { name: record.name, columns, units, constants, added: Vec::new() })
    }
    /// What a report says of the table that it was read from, whose bytes have this digest.
    pub fn about(&self, table: &DataFile, sha256: String) -> InputFile {
        let rows = self.columns.first().map_or(0, |(_, values)| values.len() as u64);
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| name.as_str()).collect();
        let audit = format!("{}, {rows} rows: {}", table.format(), names.join(", "));
        InputFile { name: table.name(), sha256, rows, audit }
    }
    /// Every n-th row.
    #[must_use]
    pub fn thin(&self, every: usize) -> Self {
        let few = |(name, values): &(String, Vec<f64>)| {
            (name.clone(), values.iter().copied().step_by(every.max(1)).collect::<Vec<f64>>())
        };
        let added = self.added.iter().map(|x| x.iter().copied().step_by(every.max(1)).collect()).collect();
        Self { columns: self.columns.iter().map(few).collect(), added, ..self.clone() }
    }
    /// The first rows.
    #[must_use]
    pub(super) fn first_rows(&self, count: usize) -> Self {
        let few = |x: &[f64]| x.iter().copied().take(count).collect::<Vec<f64>>();
        let columns = self.columns.iter().map(|(name, x)| (name.clone(), few(x))).collect();
        Self { columns, added: self.added.iter().map(|x| few(x)).collect(), ..self.clone() }
    }
    /// Without rows that repeat a time, as in a trace with jumps: the first of each is kept. `named` is the column of time.
    #[must_use]
    pub(super) fn without_repeated_times(&self, named: Option<&str>) -> Self {
        let Some((_, t)) = self.clock(named) else { return self.clone() };
        let rows: Vec<usize> = (0..t.len()).filter(|&k| k == 0 || t[k] != t[k - 1]).collect();
        let pick = |(name, x): &(String, Vec<f64>)| {
            (name.clone(), rows.iter().filter_map(|&k| x.get(k).copied()).collect::<Vec<f64>>())
        };
        Self { columns: self.columns.iter().map(pick).collect(), ..self.clone() }
    }
    fn clock(&self, named: Option<&str>) -> Option<&(String, Vec<f64>)> {
        let find = |name: &str| self.columns.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
        match named {
            Some(name) => find(name),
            None => ["t", "time", "timestamp"].iter().find_map(|name| find(name)),
        }
    }
    /// Name of the column of time.
    pub(super) fn time_column(&self, named: Option<&str>) -> Option<&String> {
        self.clock(named).map(|(name, _)| name)
    }
    /// Times relative to the first one, from the column `named` or one with a usual name.
    pub(super) fn time(&self, named: Option<&str>) -> Result<Vec<f64>, Error> {
        let Some((_, t)) = self.clock(named) else {
            let name = named.unwrap_or("t").to_owned();
            let known: Vec<String> = self.columns.iter().map(|(name, _)| name.clone()).collect();
            let near = crate::similar_names::similar(&name, known.iter().map(String::as_str));
            let near = near.into_iter().map(str::to_owned).collect();
            return Err(Error::UnknownName { what: "column", name, near, known });
        };
        enough_samples("samples", t, 2)?;
        increasing(t)?;
        Ok(t.iter().map(|x| x - t[0]).collect())
    }
    pub(super) fn rows(&self) -> Result<usize, NumericsError> {
        let count = self.columns.first().map_or(0, |(_, values)| values.len());
        for (_, values) in &self.columns {
            crate::check::same_length("rows of a column", values.len(), count)?;
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::PlantLog;

    /// As a trace has it where a force jumps.
    #[test]
    fn a_repeated_instant_counts_once() {
        let columns = vec![("x".to_owned(), vec![5.0, 6.0, 7.0, 8.0]), ("t".to_owned(), vec![1.0, 2.0, 2.0, 3.0])];
        let log = PlantLog { columns, ..PlantLog::default() };
        assert!(log.time(None).is_err());
        let log = log.without_repeated_times(None);
        assert_eq!(log.time(None).unwrap(), [0.0, 1.0, 2.0]);
        assert_eq!(log.columns[0].1, [5.0, 6.0, 8.0]);
    }
}
