//! The values of the compared columns at the instants that all runs share.

/// One row per instant, one value per column.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<f64>>,
}

impl Trajectory {
    /// The absolute difference, value by value, over the rows that both have.
    pub fn difference(&self, other: &Self) -> Self {
        let rows = self.rows.iter().zip(&other.rows);
        let rows = rows.map(|(a, b)| a.iter().zip(b).map(|(a, b)| (a - b).abs()).collect()).collect();
        Self { columns: self.columns.clone(), rows }
    }
    /// The largest absolute value of a column.
    pub fn largest(&self, column: usize) -> f64 {
        self.rows.iter().fold(0.0, |most, row| most.max(row[column].abs()))
    }
    /// The largest absolute value of every column.
    pub fn scales(&self) -> Vec<f64> {
        (0..self.columns.len()).map(|c| self.largest(c)).collect()
    }
    /// The same with every value of these columns multiplied by −1.
    pub fn mirrored(&self) -> Self {
        let rows = self.rows.iter().map(|row| row.iter().map(|x| -x).collect()).collect();
        Self { columns: self.columns.clone(), rows }
    }
}
