//! Why samples cannot be filtered or fitted.
use stiction_io::number::short;

/// What is wrong with samples, or with the options of a method that works on them.
///
/// ```
/// use stiction_numerics::NumericsError;
/// use stiction_numerics::fit::{LinearOptions, linear};
///
/// // a straight line through one point
/// let error = linear(&[&[1.0], &[2.0]], &[3.0], &LinearOptions::default()).unwrap_err();
/// assert!(matches!(error, NumericsError::TooFew { .. } | NumericsError::DependentColumns { .. }));
/// assert!(!error.hint().is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NumericsError {
    /// Too few samples.
    #[error("{have} {what} are too few: at least {need} are needed")]
    TooFew {
        /// Samples of which quantity.
        what: &'static str,
        /// Least number of samples.
        need: usize,
        /// Number of samples given.
        have: usize,
    },
    /// Two lists that must have the same length do not.
    #[error("{what}: {have} where {need} are needed")]
    LengthMismatch {
        /// Which list.
        what: &'static str,
        /// Required length.
        need: usize,
        /// Actual length.
        have: usize,
    },
    /// A sample that is NaN or infinite.
    #[error("{what}: sample {at} is not a number")]
    NotFinite {
        /// Of which quantity.
        what: &'static str,
        /// Index of the sample, from zero.
        at: usize,
    },
    /// Time that does not increase.
    #[error("time goes from {} to {} at sample {at}", short(times[0]), short(times[1]))]
    TimeNotIncreasing {
        /// Index of the first sample that is not later than its predecessor.
        at: usize,
        /// Time of the predecessor and of that sample \[s\].
        times: [f64; 2],
    },
    /// An option with a value outside its range.
    #[error("{name} = {} must be {must}", short(*value))]
    InvalidValue {
        /// Name of the option.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The condition it violates.
        must: &'static str,
    },
    /// A constant signal where a change is needed.
    #[error("{what} do not change")]
    ConstantSignal {
        /// Which samples.
        what: &'static str,
    },
    /// Columns of a linear fit that are linearly dependent.
    #[error("columns are not independent: {} = 0", linear_combination(sum))]
    DependentColumns {
        /// A linear combination of columns that vanishes: index and coefficient.
        sum: Vec<(usize, f64)>,
    },
    /// A model whose residuals are not finite at the start of the fit.
    #[error("residual {at} is not finite at the initial parameters")]
    NotFiniteAtStart {
        /// Index of the first such residual.
        at: usize,
    },
}

fn linear_combination(sum: &[(usize, f64)]) -> String {
    let terms: Vec<_> = sum.iter().map(|(k, by)| format!("{by:.3}·column {k}")).collect();
    terms.join(" + ").replace("+ -", "- ")
}

impl NumericsError {
    /// What the user can do about it.
    pub fn hint(&self) -> String {
        let text = match self {
            Self::TooFew { .. } => "give more samples, drop or average fewer of them, or fit fewer parameters",
            Self::LengthMismatch { .. } => "give lists of the same length",
            Self::NotFinite { .. } => "remove or interpolate these samples first",
            Self::TimeNotIncreasing { .. } => "sort the rows by time, and keep each instant once",
            Self::InvalidValue { name, must, .. } => return format!("choose {name} {must}"),
            Self::ConstantSignal { .. } => "give samples that vary",
            Self::DependentColumns { .. } => {
                "leave out one of these columns, or give samples in which they vary independently"
            }
            Self::NotFiniteAtStart { .. } => "start from other parameters, or narrow their bounds",
        };
        text.to_owned()
    }
}
