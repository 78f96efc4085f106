//! Numbers through which a function that is known with its derivatives can be taken: the equations are written once for values and derivatives.
use stiction_core::{Dual, Real};

/// A number, or a number with derivatives.
pub(super) trait Number: Real {
    /// The value of a function of two numbers; `f` gives its value and its two partial derivatives.
    fn function(self, other: Self, f: impl FnOnce(f64, f64) -> [f64; 3]) -> Self;
}

impl Number for f64 {
    fn function(self, other: Self, f: impl FnOnce(f64, f64) -> [f64; 3]) -> Self {
        f(self, other)[0]
    }
}

impl<const N: usize> Number for Dual<f64, N> {
    fn function(self, other: Self, f: impl FnOnce(f64, f64) -> [f64; 3]) -> Self {
        let [re, by_self, by_other] = f(self.re, other.re);
        let mut eps = [0.0; N];
        for ((eps, a), b) in eps.iter_mut().zip(self.eps).zip(other.eps) {
            *eps = by_self * a + by_other * b;
        }
        Self { re, eps }
    }
}

/// The length of a vector; at zero its derivative counts as zero.
pub(super) fn length<R: Number, const N: usize>(x: [R; N]) -> R {
    let square = x.iter().fold(R::lit(0.0), |sum, &x| sum + x * x);
    square.function(R::lit(0.0), |square, _| {
        let root = square.sqrt();
        [root, if root > 0.0 { 0.5 / root } else { 0.0 }, 0.0]
    })
}

/// The product of two vectors.
pub(super) fn dot<R: Real, const N: usize>(a: [R; N], b: [R; N]) -> R {
    a.iter().zip(b).fold(R::lit(0.0), |sum, (&a, b)| sum + a * b)
}
