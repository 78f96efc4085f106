//! Block averages of a file while it is read, with a limit on the number of rows.
use crate::data::{Chunk, Record, RowConsumer};
use crate::error::{Error, IdentificationError};

/// Maximum number of rows kept: eight columns of them take two gigabytes.
const MAX_ROWS: usize = 1 << 25;

/// Keeps the mean of each block of rows. A missing number makes the mean missing.
pub struct BlockAverage {
    /// The averaged record.
    pub record: Record,
    rows_per_block: usize,
    sums: Vec<f64>,
    count: usize,
    /// Line of the first row of the block.
    line: Option<u64>,
    /// The columns whose extremes are kept.
    watched: Vec<usize>,
    /// Least and largest value of each of these columns in each block; empty if every row is one.
    pub extremes: Vec<Vec<[f64; 2]>>,
    extreme: Vec<[f64; 2]>,
}

/// Of no value.
const NO_EXTREME: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];

impl BlockAverage {
    /// Averages over blocks of this many rows.
    pub fn new(record: Record, rows_per_block: usize) -> Self {
        Self {
            sums: vec![0.0; record.columns.len()],
            record,
            rows_per_block: rows_per_block.max(1),
            count: 0,
            line: None,
            watched: Vec::new(),
            extremes: Vec::new(),
            extreme: Vec::new(),
        }
    }
    /// The same with the extremes of these columns in each block.
    pub fn watch(self, columns: Vec<usize>) -> Self {
        let count = columns.len();
        Self { watched: columns, extremes: vec![Vec::new(); count], extreme: vec![NO_EXTREME; count], ..self }
    }
}

impl RowConsumer for BlockAverage {
    type Error = Error;

    fn take(&mut self, chunk: &Chunk) -> Result<(), Error> {
        if self.record.rows() + chunk.rows() / self.rows_per_block > MAX_ROWS {
            let (file, averaged) = (self.record.name.clone(), self.rows_per_block);
            return Err(IdentificationError::TooManyRows { file, limit: MAX_ROWS, averaged }.into());
        }
        if self.rows_per_block == 1 {
            return Ok(self.record.take(chunk)?);
        }
        for k in 0..chunk.rows() {
            if self.count == 0 {
                self.line = chunk.lines.get(k).copied();
            }
            self.sums.iter_mut().zip(&chunk.columns).for_each(|(sum, column)| *sum += column[k]);
            for (extreme, &at) in self.extreme.iter_mut().zip(&self.watched) {
                let x = chunk.columns[at][k];
                *extreme = [extreme[0].min(x), extreme[1].max(x)];
            }
            self.count += 1;
            if self.count == self.rows_per_block {
                self.record.lines.extend(self.line);
                for (column, sum) in self.record.columns.iter_mut().zip(&mut self.sums) {
                    column.values.push(*sum / self.rows_per_block as f64);
                    *sum = 0.0;
                }
                self.count = 0;
                for (list, extreme) in self.extremes.iter_mut().zip(&mut self.extreme) {
                    list.push(std::mem::replace(extreme, NO_EXTREME));
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::BlockAverage;
    use crate::data::{ColumnSelection, DataFile, ReadOptions, Record};

    #[test]
    fn means_over_rows_are_those_by_hand() {
        let text: String = (0..1001).map(|k| format!("{k},{}\n", k * k)).collect();
        let table =
            DataFile::from_bytes("log", format!("t,x\n{text}").as_bytes(), &ReadOptions::default()).expect("a table");
        let plan = ColumnSelection::all(&table);
        let mut average = BlockAverage::new(Record::new("log", plan.fields()), 10);
        plan.stream(&mut average).expect("rows");
        // a hundred whole groups; the last row is left over
        assert_eq!(average.record.rows(), 100);
        // of t = 10 .. 19, and of their squares
        assert_eq!((average.record.columns[0].values[1], average.record.columns[1].values[1]), (14.5, 218.5));
        assert_eq!(average.record.lines.len(), 100);
    }
}
