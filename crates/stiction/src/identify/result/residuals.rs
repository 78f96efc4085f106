//! Measured and modelled signals of a record.

/// A measured signal and the same signal by the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResidualSeries {
    /// Name of the record.
    pub name: String,
    /// The compared quantity, with its unit: `friction [N]`.
    pub quantity: String,
    /// Time \[s\].
    pub t: Vec<f64>,
    /// Measured values.
    pub measured: Vec<f64>,
    /// Values by the model.
    pub model: Vec<f64>,
}

impl ResidualSeries {
    /// Residuals: measured less model.
    pub fn residuals(&self) -> impl Iterator<Item = f64> + '_ {
        self.measured.iter().zip(&self.model).map(|(measured, model)| measured - model)
    }
}
