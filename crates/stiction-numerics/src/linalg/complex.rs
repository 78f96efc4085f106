//! Complex numbers: the operations that eigenvalues and filter design need.

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

impl Complex {
    /// From real and imaginary part.
    pub fn new(re: f64, im: f64) -> Self {
        Self { re, im }
    }
    /// Absolute value.
    pub fn abs(self) -> f64 {
        self.re.hypot(self.im)
    }
    pub(crate) fn conj(self) -> Self {
        Self { im: -self.im, ..self }
    }
    pub(crate) fn scale(self, by: f64) -> Self {
        Self { re: self.re * by, im: self.im * by }
    }
    pub(super) fn sqrt(self) -> Self {
        let r = self.abs();
        let re = (0.5 * (r + self.re)).max(0.0).sqrt();
        Self { re, im: (0.5 * (r - self.re)).max(0.0).sqrt().copysign(self.im) }
    }
}
impl std::ops::Add for Complex {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        Self { re: self.re + b.re, im: self.im + b.im }
    }
}
impl std::ops::Sub for Complex {
    type Output = Self;
    fn sub(self, b: Self) -> Self {
        Self { re: self.re - b.re, im: self.im - b.im }
    }
}
impl std::ops::Mul for Complex {
    type Output = Self;
    fn mul(self, b: Self) -> Self {
        Self { re: self.re * b.re - self.im * b.im, im: self.re * b.im + self.im * b.re }
    }
}
