//! Remarks on a result, for the reader.

/// Severity of a remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Neutral information.
    Info,
    /// A check that passed.
    Good,
    /// A reason for caution.
    Warning,
    /// A quantity that the data do not determine, or data that contradict the model.
    Critical,
}

/// A remark for the reader.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// Severity.
    pub severity: Severity,
    /// Text.
    pub text: String,
}

impl Remark {
    /// A remark.
    pub fn new(severity: Severity, text: impl Into<String>) -> Self {
        Self { severity, text: text.into() }
    }
}
