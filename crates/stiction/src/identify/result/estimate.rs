//! Estimated quantities and how well the data determine them.

/// How well the data determine a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identifiability {
    /// The standard error is small compared with the value.
    Good,
    /// The standard error is a large part of the value.
    Weak,
    /// The data do not determine it.
    Unidentifiable,
    /// It was given, not estimated.
    Given,
    /// It was neither given nor estimated: the law's own value.
    Held,
    /// The fit ended at a bound.
    AtBound,
}

impl Identifiability {
    /// A description for readers; empty for a well determined quantity.
    pub fn description(self) -> &'static str {
        match self {
            Self::Good => "",
            Self::Weak => "loosely known",
            Self::Unidentifiable => "not identifiable",
            Self::Given => "given",
            Self::Held => "held",
            Self::AtBound => "at a bound",
        }
    }
    /// Whether the quantity was estimated at all.
    pub fn is_estimated(self) -> bool {
        !matches!(self, Self::Given | Self::Held)
    }
}

/// Covariances of estimates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EstimateCovariance {
    /// Names of the estimates.
    pub names: Vec<String>,
    /// The matrix, row by row; infinite where the data do not determine a quantity.
    pub matrix: Vec<f64>,
}

impl EstimateCovariance {
    /// The covariance of those estimates whose name is kept.
    #[must_use]
    pub fn only(&self, kept: impl Fn(&str) -> bool) -> Self {
        let rows: Vec<usize> = (0..self.names.len()).filter(|&k| kept(&self.names[k])).collect();
        let entry = |i: usize, j: usize| self.matrix[i * self.names.len() + j];
        Self {
            names: rows.iter().map(|&k| self.names[k].clone()).collect(),
            matrix: rows.iter().flat_map(|&i| rows.iter().map(move |&j| entry(i, j))).collect(),
        }
    }
}

/// An estimated or given quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Name: that of the law's parameter where it is one.
    pub name: String,
    /// Unit.
    pub unit: String,
    /// Value.
    pub value: f64,
    /// Standard error; NaN where there is none.
    pub error: f64,
    /// Confidence interval of 95 %; infinite where the data do not determine the quantity.
    pub interval: [f64; 2],
    /// How well the data determine it.
    pub identifiability: Identifiability,
}

impl Estimate {
    /// A given quantity.
    pub fn given(name: &str, unit: &str, value: f64) -> Self {
        let (name, unit) = (name.to_owned(), unit.to_owned());
        Self { name, unit, value, error: f64::NAN, interval: [value; 2], identifiability: Identifiability::Given }
    }
    /// A quantity that keeps the law's own value.
    pub fn held(name: &str, unit: &str, value: f64) -> Self {
        Self { identifiability: Identifiability::Held, ..Self::given(name, unit, value) }
    }
    /// An estimate with its standard error and confidence interval. It counts as unidentifiable if the standard error exceeds
    /// the value, and as weak above half of it.
    pub fn new(name: &str, unit: &str, value: f64, error: f64, interval: [f64; 2]) -> Self {
        let identifiability = Self::judge(value, error);
        Self { name: name.to_owned(), unit: unit.to_owned(), value, error, interval, identifiability }
    }
    /// How well a value with this standard error is determined: not at all if the error exceeds the value, weakly above half of it.
    pub fn judge(value: f64, error: f64) -> Identifiability {
        let relative = error / value.abs();
        if !relative.is_finite() || relative > 1.0 {
            Identifiability::Unidentifiable
        } else if relative > 0.5 {
            Identifiability::Weak
        } else {
            Identifiability::Good
        }
    }
    /// The same marked as unidentifiable, whatever the standard error of the fit: the interval is unbounded.
    #[must_use]
    pub fn unidentifiable(self) -> Self {
        Self {
            identifiability: Identifiability::Unidentifiable,
            error: f64::INFINITY,
            interval: [f64::NEG_INFINITY, f64::INFINITY],
            ..self
        }
    }
    /// The same at a bound of the fit, from which the interval reaches to one side; it has no standard error.
    #[must_use]
    pub fn at_bound(self, interval: [f64; 2]) -> Self {
        Self { identifiability: Identifiability::AtBound, error: f64::NAN, interval, ..self }
    }
    /// The interval of a value at one of these bounds of a fit, which the data allow to be so far from it.
    pub fn interval_from_bound(value: f64, reach: f64, [low, high]: [f64; 2]) -> [f64; 2] {
        if value - low <= high - value { [value, (value + reach).min(high)] } else { [(value - reach).max(low), value] }
    }
}
