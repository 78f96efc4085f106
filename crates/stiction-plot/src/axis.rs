//! An axis.

/// How an axis is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Evenly.
    Linear,
    /// By decades; values that are not positive are left out.
    Log,
}

/// An axis: what it shows, with its unit, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Label, `v [m/s]`. Like every text of a figure it may hold `_{...}` and `^{...}`, which stand lower and higher.
    pub label: String,
    /// Division.
    pub scale: Scale,
    /// Fixed ends. One that is not finite, or that the axis cannot show, is found from the data.
    pub limits: (f64, f64),
}

impl Axis {
    /// An evenly divided axis.
    pub fn linear(label: impl Into<String>) -> Self {
        Self::new(label.into(), Scale::Linear)
    }
    /// An axis divided by decades.
    pub fn log(label: impl Into<String>) -> Self {
        Self::new(label.into(), Scale::Log)
    }
    fn new(label: String, scale: Scale) -> Self {
        // not NaN: equal axes are shared
        Self { label, scale, limits: (f64::NEG_INFINITY, f64::INFINITY) }
    }
    /// The same axis from `low` to `high`, whatever the data; an infinite end is found from the data.
    #[must_use]
    pub fn limits(mut self, low: f64, high: f64) -> Self {
        self.limits = if low > high { (high, low) } else { (low, high) };
        self
    }
    /// Whether a value lies within the fixed ends.
    pub(super) fn has(&self, value: f64) -> bool {
        // so asked, an end that is NaN is no end
        !(value < self.limits.0 || value > self.limits.1)
    }
}
