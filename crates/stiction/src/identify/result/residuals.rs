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
    /// The same at these samples alone.
    #[must_use]
    pub fn only(&self, rows: &[usize]) -> Self {
        let pick = |x: &[f64]| rows.iter().map(|&k| x[k]).collect();
        Self {
            name: self.name.clone(),
            quantity: self.quantity.clone(),
            t: pick(&self.t),
            measured: pick(&self.measured),
            model: pick(&self.model),
        }
    }
    /// Residuals: measured less model.
    pub fn residuals(&self) -> impl Iterator<Item = f64> + '_ {
        self.measured.iter().zip(&self.model).map(|(measured, model)| measured - model)
    }
}
