//! What is sought: parameters with bounds, and the residuals they make.
use crate::NumericsError;

/// One parameter of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name, for reports.
    pub name: String,
    /// Where the fit begins.
    pub start: f64,
    /// The least it may be. Equal to `high`: it is held.
    pub low: f64,
    /// The most it may be.
    pub high: f64,
    /// Whether its logarithm is sought: for what may be off by decades. It must be above zero.
    pub log: bool,
    /// A change that matters; the start itself, or a part of the range, if there is none.
    pub size: Option<f64>,
}

impl Parameter {
    /// A parameter without bounds.
    pub fn new(name: &str, start: f64) -> Self {
        Self { name: name.to_owned(), start, low: f64::NEG_INFINITY, high: f64::INFINITY, log: false, size: None }
    }
    /// The same within bounds.
    #[must_use]
    pub fn within(self, low: f64, high: f64) -> Self {
        Self { low, high, ..self }
    }
    /// The same, sought by its logarithm.
    #[must_use]
    pub fn log(self) -> Self {
        Self { log: true, low: self.low.max(0.0), ..self }
    }
    /// The same, with a change that matters.
    #[must_use]
    pub fn sized(self, size: f64) -> Self {
        Self { size: Some(size), ..self }
    }
    /// The same, held at `value`.
    #[must_use]
    pub fn held(self, value: f64) -> Self {
        Self { start: value, low: value, high: value, ..self }
    }

    /// The same with the unit of its coordinate fixed as it is now, so that a state kept from one fit means the same to another
    /// that starts elsewhere.
    #[must_use]
    pub fn settled(self) -> Self {
        Self { size: Some(self.unit()), ..self }
    }

    /// What a change of one in the fit's own coordinate is.
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
    /// The fit's own coordinate: the logarithm, or the value in units that matter.
    pub(super) fn inner(&self, x: f64) -> f64 {
        if self.log { x.max(1e-300).ln() } else { x / self.unit() }
    }
    /// The value at a coordinate, never beyond the bounds by rounding.
    pub(super) fn outer(&self, u: f64) -> f64 {
        let x = if self.log { u.exp() } else { u * self.unit() };
        x.max(self.low).min(self.high)
    }
    /// The bounds as coordinates.
    pub(super) fn limits(&self) -> [f64; 2] {
        [self.inner(self.low.max(f64::MIN)), self.inner(self.high.min(f64::MAX))]
    }
    /// How fast the value changes with the coordinate.
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

/// Fills residuals at given parameters. What is no number marks a place where the model does not exist.
pub type Residual<'a> = &'a (dyn Fn(&[f64], &mut [f64]) + Sync);

/// A nonlinear fit: parameters, and the residuals whose squares are to be least.
#[derive(Clone, Copy)]
pub struct LeastSquaresProblem<'a> {
    /// The parameters.
    pub parameters: &'a [Parameter],
    /// How many residuals there are.
    pub count: usize,
    /// The residuals.
    pub residual: Residual<'a>,
    /// Their derivatives, if they are known: `∂r[i]/∂p[j]` at `j·count + i`. By differences otherwise.
    pub jacobian: Option<Residual<'a>>,
}

impl<'a> LeastSquaresProblem<'a> {
    /// With derivatives by differences.
    pub fn new(parameters: &'a [Parameter], count: usize, residual: Residual<'a>) -> Self {
        Self { parameters, count, residual, jacobian: None }
    }
    /// With known derivatives, `∂r[i]/∂p[j]` at `j·count + i`.
    #[must_use]
    pub fn with_jacobian(self, jacobian: Residual<'a>) -> Self {
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
