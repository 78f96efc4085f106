//! Header and rows of a result.
use super::{PointOutcome, SweepPlan};
use crate::table::ColumnHeader;

/// A row of the result.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultRow {
    /// Index of the point, from zero.
    pub index: u64,
    /// The varied values.
    pub values: Vec<f64>,
    /// The measures; none for an event that did not happen.
    pub found: Vec<Option<f64>>,
    /// The error message of a failed point.
    pub error: Option<String>,
}

impl ResultRow {
    /// The row of point `index`.
    pub fn new(plan: &SweepPlan, index: u64, outcome: PointOutcome) -> Self {
        let (found, error) = match outcome {
            Ok(found) => (found, None),
            Err(error) => (vec![None; plan.measures().len()], Some(error)),
        };
        Self { index, values: plan.values(index), found, error }
    }
    /// A row of a CSV file, where all columns are measures, with its first `count` as the varied values.
    pub(super) fn with_varied(mut self, count: usize) -> Self {
        if self.values.is_empty() {
            let found = self.found.split_off(count.min(self.found.len()));
            self.values = self.found.into_iter().map(|x| x.unwrap_or(f64::NAN)).collect();
            self.found = found;
        }
        self
    }
}

/// The columns of a result, between `index` and `error`, and everything that the result depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResultHeader {
    /// Columns of the varied values.
    pub axes: Vec<ColumnHeader>,
    /// Columns of the measures.
    pub measures: Vec<ColumnHeader>,
    /// Everything that the result depends on, by name; empty if the file does not record it.
    pub facts: Vec<(String, String)>,
}

impl ResultHeader {
    /// The header of a plan.
    pub fn new(plan: &SweepPlan, shard: &str) -> Self {
        let head = |name: &str, unit: &str| ColumnHeader { name: name.to_owned(), unit: unit.to_owned() };
        let mut facts = plan.facts();
        facts.push(("shard".to_owned(), shard.to_owned()));
        Self {
            axes: plan.axes.iter().map(|axis| head(&axis.name, &axis.unit)).collect(),
            measures: plan.measures().iter().map(|measure| head(&measure.name, &measure.unit)).collect(),
            facts,
        }
    }
    /// A fact by name.
    pub fn fact(&self, name: &str) -> Option<&str> {
        self.facts.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
    /// The columns with their units, without `index` and `error`.
    pub fn columns(&self) -> impl Iterator<Item = &ColumnHeader> {
        self.axes.iter().chain(&self.measures)
    }
}
