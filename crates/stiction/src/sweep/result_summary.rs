//! What a result holds, counted row by row.
use super::{ResultHeader, ResultRow};
use std::collections::BTreeMap;

/// A measure over all points.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasureRange {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Points that have it.
    pub count: u64,
    /// Its least value.
    pub min: f64,
    /// Its largest value.
    pub max: f64,
}

/// What a result holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultSummary {
    /// Rows.
    pub points: u64,
    /// Rows with an error.
    pub failed: u64,
    /// Reasons and how often they came, up to twenty of them.
    pub reasons: BTreeMap<String, u64>,
    /// The measures.
    pub measures: Vec<MeasureRange>,
}

/// Most reasons kept apart: a reason with a time in it is new at every point.
const MAX_REASONS: usize = 20;

impl ResultSummary {
    /// Of nothing yet.
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
    /// One more row.
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
