//! Summary of a result, accumulated row by row.
use super::{ResultHeader, ResultRow};
use std::collections::BTreeMap;

/// The range of a measure over all points.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasureRange {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Number of points with a value.
    pub count: u64,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
}

/// The summary of a result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultSummary {
    /// Number of rows.
    pub points: u64,
    /// Number of rows with an error.
    pub failed: u64,
    /// Error messages and their counts, at most twenty.
    pub reasons: BTreeMap<String, u64>,
    /// The measures.
    pub measures: Vec<MeasureRange>,
}

/// Maximum number of distinct messages: a message that contains a time differs at every point.
const MAX_REASONS: usize = 20;

impl ResultSummary {
    /// An empty summary.
    pub fn new(heads: &ResultHeader) -> Self {
        let seen = |head: &crate::table::ColumnHeader| MeasureRange {
            name: head.name.clone(),
            unit: head.unit.clone(),
            count: 0,
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
        };
        Self { measures: heads.measures.iter().map(seen).collect(), ..Self::default() }
    }
    /// Adds a row.
    pub fn count(&mut self, row: &ResultRow) {
        self.points += 1;
        if let Some(error) = &row.error {
            self.failed += 1;
            if self.reasons.len() < MAX_REASONS || self.reasons.contains_key(error) {
                *self.reasons.entry(error.clone()).or_default() += 1;
            }
        }
        for (seen, value) in self.measures.iter_mut().zip(&row.found) {
            if let Some(x) = value {
                seen.count += 1;
                seen.min = seen.min.min(*x);
                seen.max = seen.max.max(*x);
            }
        }
    }
}
