//! Parameters with bounds, and the residuals as functions of them.
use crate::NumericsError;

/// One parameter of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name, for reports.
    pub name: String,
    /// Start value of the fit.
    pub start: f64,
    /// Lower bound. Equal to `high`: the parameter is fixed.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
    /// Whether its logarithm is fitted: for positive parameters that may be off by decades.
    pub log: bool,
    /// Typical change; the start value, or a tenth of the range, if there is none.
    pub size: Option<f64>,
}

impl Parameter {
    /// A parameter without bounds.
    pub fn new(name: &str, start: f64) -> Self {
        Self { name: name.to_owned(), start, low: f64::NEG_INFINITY, high: f64::INFINITY, log: false, size: None }
    }
    /// With bounds.
    #[must_use]
    pub fn within(self, low: f64, high: f64) -> Self {
        Self { low, high, ..self }
    }
    /// Fitted by its logarithm.
    #[must_use]
    pub fn log(self) -> Self {
        Self { log: true, low: self.low.max(0.0), ..self }
    }
    /// With a typical change.
    #[must_use]
    pub fn with_scale(self, size: f64) -> Self {
        Self { size: Some(size), ..self }
    }
    /// Fixed at `value`.
    #[must_use]
    pub fn fixed(self, value: f64) -> Self {
        Self { start: value, low: value, high: value, ..self }
    }

    /// With the unit of its internal coordinate fixed, so that a state kept from one fit is valid for another one that starts
    /// elsewhere.
    #[must_use]
    pub fn with_fixed_scale(self) -> Self {
        Self { size: Some(self.unit()), ..self }
    }

    /// Unit of the internal coordinate.
    fn unit(&self) -> f64 {
        let range = self.high - self.low;
        let guess = if self.start != 0.0 {
            self.start.abs()
        } else if range.is_finite() && range > 0.0 {
            0.1 * range
        } else {
            1.0
        };
        self.size.unwrap_or(guess)
    }
    /// The internal coordinate: the logarithm, or the value in its unit.
    pub(super) fn inner(&self, x: f64) -> f64 {
        if self.log { x.max(1e-300).ln() } else { x / self.unit() }
    }
    /// The value at a coordinate: at the coordinate of a bound the bound itself, whatever a logarithm and its inverse make of it.
    pub(super) fn outer(&self, u: f64) -> f64 {
        let [low, high] = self.limits();
        if u >= high {
            return self.high;
        }
        if u <= low {
            return self.low;
        }
        let x = if self.log { u.exp() } else { u * self.unit() };
        x.max(self.low).min(self.high)
    }
    /// The bounds as coordinates.
    pub(super) fn limits(&self) -> [f64; 2] {
        [self.inner(self.low.max(f64::MIN)), self.inner(self.high.min(f64::MAX))]
    }
    /// Derivative of the value by the coordinate.
    pub(super) fn slope(&self, x: f64) -> f64 {
        if self.log { x } else { self.unit() }
    }
    pub(super) fn is_held(&self) -> bool {
        self.low == self.high
    }

    fn check(&self) -> Result<(), NumericsError> {
        let bad = |name, value, must| Err(NumericsError::InvalidValue { name, value, must });
        if !self.start.is_finite() {
            return bad("start", self.start, "a number");
        }
        if self.low > self.high || self.low.is_nan() || self.high.is_nan() {
            return bad("lower bound", self.low, "at most the upper bound");
        }
        if self.log && (self.start <= 0.0 || self.high <= 0.0) {
            return bad("start of a logarithmic parameter", self.start, "above zero");
        }
        match self.size {
            Some(size) if !(size > 0.0 && size.is_finite()) => bad("size", size, "above zero"),
            _ => Ok(()),
        }
    }
}

/// Computes residuals at given parameters. NaN where the model is not defined.
pub type ResidualFunction<'a> = &'a (dyn Fn(&[f64], &mut [f64]) + Sync);

/// A nonlinear least-squares problem: parameters, and the residuals whose sum of squares is minimised.
#[derive(Clone, Copy)]
pub struct LeastSquaresProblem<'a> {
    /// The parameters.
    pub parameters: &'a [Parameter],
    /// Number of residuals.
    pub count: usize,
    /// The residuals.
    pub residual: ResidualFunction<'a>,
    /// Analytic Jacobian, `∂r[i]/∂p[j]` at `j·count + i`; finite differences if there is none.
    pub jacobian: Option<ResidualFunction<'a>>,
}

impl<'a> LeastSquaresProblem<'a> {
    /// With derivatives by finite differences.
    pub fn new(parameters: &'a [Parameter], count: usize, residual: ResidualFunction<'a>) -> Self {
        Self { parameters, count, residual, jacobian: None }
    }
    /// With an analytic Jacobian, `∂r[i]/∂p[j]` at `j·count + i`.
    #[must_use]
    pub fn with_jacobian(self, jacobian: ResidualFunction<'a>) -> Self {
        Self { jacobian: Some(jacobian), ..self }
    }

    pub(super) fn check(&self) -> Result<(), NumericsError> {
        if self.parameters.is_empty() {
            return Err(NumericsError::TooFew { what: "parameters", need: 1, have: 0 });
        }
        let free = self.parameters.iter().filter(|p| !p.is_held()).count();
        if self.count < free.max(1) {
            return Err(NumericsError::TooFew { what: "residuals", need: free.max(1), have: self.count });
        }
        self.parameters.iter().try_for_each(Parameter::check)
    }
    /// Values at coordinates.
    pub(super) fn outer(&self, u: &[f64]) -> Vec<f64> {
        self.parameters.iter().zip(u).map(|(p, u)| p.outer(*u)).collect()
    }
    /// Coordinates of values, within the bounds.
    pub(super) fn inner(&self, x: &[f64]) -> Vec<f64> {
        self.parameters.iter().zip(x).map(|(p, x)| p.inner(x.max(p.low).min(p.high))).collect()
    }
    /// The residuals at coordinates.
    pub(super) fn residual(&self, u: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.count];
        (self.residual)(&self.outer(u), &mut out);
        out
    }
}
