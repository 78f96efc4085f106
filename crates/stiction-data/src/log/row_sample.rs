//! Rows for a picture: all of a short file, evenly chosen ones of a long file.
use super::{Chunk, RowConsumer};
use crate::DataError;

/// Largest number of rows in a picture.
const MAX_ROWS: usize = 1 << 17;

/// The rows that are kept; whenever there are too many, every other one is removed.
#[derive(Clone, Debug)]
pub struct RowSample {
    /// The values of each column.
    pub columns: Vec<Vec<f64>>,
    every: u64,
    most: usize,
    /// Whether rows beyond the limit are left out instead.
    first: bool,
}

impl Default for RowSample {
    fn default() -> Self {
        Self { columns: Vec::new(), every: 1, most: MAX_ROWS, first: false }
    }
}

impl RowSample {
    /// The first so many rows, every one.
    pub fn first(most: usize) -> Self {
        Self { most, first: true, ..Self::default() }
    }
    /// Points of a column over time, or over the number of the row.
    pub fn points(&self, time: Option<usize>, column: usize) -> Vec<(f64, f64)> {
        let x = |k: usize| time.map_or((k as u64 * self.every + 1) as f64, |at| self.columns[at][k]);
        let points = self.columns.get(column).into_iter().flatten().enumerate();
        points.map(|(k, y)| (x(k), *y)).collect()
    }
}

impl RowConsumer for RowSample {
    type Error = DataError;

    fn take(&mut self, chunk: &Chunk) -> Result<(), DataError> {
        self.columns.resize_with(chunk.columns.len(), Vec::new);
        for k in 0..chunk.rows() {
            if !(chunk.first + k as u64).is_multiple_of(self.every) {
                continue;
            }
            if self.columns.first().is_some_and(|column| column.len() >= self.most) {
                if self.first {
                    return Ok(());
                }
                for column in &mut self.columns {
                    let mut at = 0_usize;
                    column.retain(|_| {
                        at += 1;
                        !at.is_multiple_of(2)
                    });
                }
                self.every *= 2;
                if !(chunk.first + k as u64).is_multiple_of(self.every) {
                    continue;
                }
            }
            for (column, values) in self.columns.iter_mut().zip(&chunk.columns) {
                column.push(values[k]);
            }
        }
        Ok(())
    }
}
