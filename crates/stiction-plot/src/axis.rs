//! An axis.

/// The scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Linear.
    Linear,
    /// Logarithmic; values that are not positive are left out.
    Log,
}

/// An axis: label with unit, scale and limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Label, `v [m/s]`. Like every text of a figure it may hold subscripts `_{...}` and superscripts `^{...}`. A linear axis of small or
    /// large numbers is drawn in a multiple of the SI unit in brackets at its end: `v [mm/s]`.
    pub label: String,
    /// Scale.
    pub scale: Scale,
    /// Fixed limits. One that is not finite, or that the axis cannot show, is taken from the data.
    pub limits: (f64, f64),
    /// Whether its numbers have a decimal comma.
    pub decimal_comma: bool,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: impl Into<String>) -> Self {
        Self::new(label.into(), Scale::Linear)
    }
    /// A logarithmic axis.
    pub fn log(label: impl Into<String>) -> Self {
        Self::new(label.into(), Scale::Log)
    }
    fn new(label: String, scale: Scale) -> Self {
        // not NaN: equal axes are shared
        Self { label, scale, limits: (f64::NEG_INFINITY, f64::INFINITY), decimal_comma: false }
    }
    /// The same axis from `low` to `high`; an infinite limit is taken from the data.
    #[must_use]
    pub fn limits(mut self, low: f64, high: f64) -> Self {
        self.limits = if low > high { (high, low) } else { (low, high) };
        self
    }
    /// The name and the unit in brackets at the end of its label, if it has one.
    pub(super) fn name_and_unit(&self) -> Option<(&str, &str)> {
        self.label.strip_suffix(']')?.rsplit_once('[')
    }
    /// Whether a value lies within the fixed limits.
    pub(super) fn has(&self, value: f64) -> bool {
        // written so that a limit that is NaN is no limit
        !(value < self.limits.0 || value > self.limits.1)
    }
}
