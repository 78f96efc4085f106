//! The result of an identification procedure as plain data: estimates, tables, residuals and the data of its figures.
//!
//! Nothing here draws; [`crate::identify::report`] turns results into figures and pages.
mod curves;
mod estimate;
mod goodness_of_fit;
mod remark;
mod residuals;
mod rotation;

pub(in crate::identify) use curves::spectrum;
pub use curves::{
    AlignedBranch, BranchFamily, BreakawayApproach, BreakawayApproaches, BreakawayPoint, BreakawayRecord,
    FrictionComparison, FrictionVelocity, HysteresisReplay, LawReplay, MotionQuantity, ParameterProfile,
    RegressionCurve, RegressionKind, ResultCurves, SlidingResiduals, TestMotion, TimeComparison, VelocityBin,
};
pub use estimate::{Estimate, EstimateCovariance, Identifiability};
pub use goodness_of_fit::{explained_variance, goodness_of_fit};
pub use remark::{Remark, Severity};
pub use residuals::ResidualSeries;
pub(in crate::identify) use rotation::rotational_units;

use crate::Spec;

/// A scalar that summarises a result, such as a measure of the goodness of fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// Key for programs: `rms`, `nrmse`.
    pub key: String,
    /// Title for readers.
    pub title: String,
    /// Value.
    pub value: f64,
    /// Unit; empty for a ratio.
    pub unit: String,
}

/// A small table: events, candidate laws, correlations.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultTable {
    /// Key for programs.
    pub key: String,
    /// Title for readers.
    pub title: String,
    /// Titles of the columns, with units.
    pub columns: Vec<String>,
    /// Rows: a name, and one number for each column after the first; NaN is shown as an empty cell.
    pub rows: Vec<(String, Vec<f64>)>,
}

impl ResultTable {
    /// The rows and columns of a square table, as that of correlations, whose name is kept.
    #[must_use]
    pub fn only(&self, kept: impl Fn(&str) -> bool) -> Self {
        let [head, names @ ..] = &self.columns[..] else { return self.clone() };
        let places: Vec<usize> = (0..names.len()).filter(|&k| kept(&names[k])).collect();
        let row = |values: &Vec<f64>| places.iter().filter_map(|&k| values.get(k).copied()).collect();
        Self {
            columns: std::iter::once(head).chain(places.iter().map(|&k| &names[k])).cloned().collect(),
            rows: self.rows.iter().filter(|(name, _)| kept(name)).map(|(name, x)| (name.clone(), row(x))).collect(),
            ..self.clone()
        }
    }
}

/// The result of an identification procedure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IdentificationResult {
    /// Key of the procedure, for programs: `sliding`, `presliding`, `breakaway`, `dynamic`, `rate-state`.
    pub key: String,
    /// Title for readers.
    pub title: String,
    /// The identified law with its parameter values, if the procedure identifies one.
    pub law: Option<Spec>,
    /// Estimated quantities: parameters of the law, and others such as mass and offset.
    pub estimates: Vec<Estimate>,
    /// What is known of the parameters of the law, where the estimates are other quantities that it is computed from.
    pub law_estimates: Vec<Estimate>,
    /// Covariances of those that were fitted, if the procedure gives them.
    pub covariance: Option<EstimateCovariance>,
    /// Measures of the quality of the result.
    pub scores: Vec<Score>,
    /// Remarks for the reader, the most severe last.
    pub remarks: Vec<Remark>,
    /// Tables.
    pub tables: Vec<ResultTable>,
    /// Data of the figures, one entry for each figure.
    pub curves: Vec<ResultCurves>,
    /// Measured and modelled signals, one for each record.
    pub residuals: Vec<ResidualSeries>,
    /// Whether the units are those of a rotation.
    pub rotational: bool,
}

impl Score {
    /// A score.
    pub fn new(key: &str, title: &str, value: f64, unit: &str) -> Self {
        Self { key: key.to_owned(), title: title.to_owned(), value, unit: unit.to_owned() }
    }
}

impl IdentificationResult {
    /// An empty result.
    pub fn new(key: &str, title: impl Into<String>) -> Self {
        Self { key: key.to_owned(), title: title.into(), ..Self::default() }
    }
    /// An estimate by name.
    pub fn estimate(&self, name: &str) -> Option<&Estimate> {
        self.estimates.iter().find(|e| e.name == name)
    }
    /// The value of a score by key.
    pub fn score(&self, key: &str) -> Option<f64> {
        self.scores.iter().find(|s| s.key == key).map(|s| s.value)
    }
    /// Names of estimates that are physically impossible: a mass or a friction level whose interval lies below zero.
    pub fn unphysical_estimates(&self) -> Vec<&str> {
        let level = |name: &str| matches!(name, "mass" | "fc" | "fs" | "reverse.fc" | "reverse.fs");
        let negative = |e: &&Estimate| level(&e.name) && e.identifiability.is_estimated() && e.interval[1] < 0.0;
        self.estimates.iter().filter(negative).map(|e| e.name.as_str()).collect()
    }
    /// Adds a remark.
    pub fn remark(&mut self, severity: Severity, text: impl Into<String>) {
        self.remarks.push(Remark::new(severity, text));
    }
}
