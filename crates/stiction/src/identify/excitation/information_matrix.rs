//! Fisher information matrices: small, symmetric and positive semidefinite.

/// A symmetric matrix, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct InformationMatrix {
    pub n: usize,
    pub a: Vec<f64>,
}

impl InformationMatrix {
    pub fn zero(n: usize) -> Self {
        Self { n, a: vec![0.0; n * n] }
    }
    /// A multiple of the identity.
    pub fn diagonal(n: usize, x: f64) -> Self {
        let mut out = Self::zero(n);
        (0..n).for_each(|i| out.a[i * n + i] = x);
        out
    }
    /// Adds `by` times another matrix.
    pub fn add(&mut self, by: f64, other: &Self) {
        self.a.iter_mut().zip(&other.a).for_each(|(a, b)| *a += by * b);
    }
    /// The sum with `by` times another matrix.
    pub fn plus(&self, by: f64, other: &Self) -> Self {
        let mut out = self.clone();
        out.add(by, other);
        out
    }
    /// Trace of the product: the sum of the products of the entries.
    pub fn dot(&self, other: &Self) -> f64 {
        self.a.iter().zip(&other.a).map(|(a, b)| a * b).sum()
    }
    /// Cholesky factor; none if the matrix is not positive definite.
    fn lower(&self) -> Option<Vec<f64>> {
        let n = self.n;
        let mut l = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let sum: f64 = (0..j).map(|k| l[i * n + k] * l[j * n + k]).sum();
                let rest = self.a[i * n + j] - sum;
                if i == j {
                    if rest.is_nan() || rest <= 0.0 {
                        return None;
                    }
                    l[i * n + i] = rest.sqrt();
                } else {
                    l[i * n + j] = rest / l[j * n + j];
                }
            }
        }
        Some(l)
    }
    /// Logarithm of the determinant; minus infinity if the matrix is not positive definite.
    pub fn log_det(&self) -> f64 {
        self.lower().map_or(f64::NEG_INFINITY, |l| (0..self.n).map(|i| 2.0 * l[i * self.n + i].ln()).sum())
    }
    /// The inverse; none if the matrix is not positive definite.
    pub fn inverse(&self) -> Option<Self> {
        let (n, l) = (self.n, self.lower()?);
        // inverse of the Cholesky factor
        let mut t = vec![0.0; n * n];
        for j in 0..n {
            for i in j..n {
                let sum: f64 = (j..i).map(|k| l[i * n + k] * t[k * n + j]).sum();
                t[i * n + j] = (f64::from(u8::from(i == j)) - sum) / l[i * n + i];
            }
        }
        let entry = |i: usize, j: usize| (i.max(j)..n).map(|k| t[k * n + i] * t[k * n + j]).sum();
        Some(Self { n, a: (0..n * n).map(|k| entry(k / n, k % n)).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::InformationMatrix;

    #[test]
    fn by_hand() {
        // det [4 2; 2 3] = 8, its inverse [3 −2; −2 4]/8
        let m = InformationMatrix { n: 2, a: vec![4.0, 2.0, 2.0, 3.0] };
        // by hand: rounding
        assert!((m.log_det() - 8f64.ln()).abs() < 1e-15);
        let inverse = m.inverse().unwrap();
        for (got, wanted) in inverse.a.iter().zip([0.375, -0.25, -0.25, 0.5]) {
            assert!((got - wanted).abs() < 1e-15, "{got} {wanted}");
        }
        assert!((m.dot(&inverse) - 2.0).abs() < 1e-15);
        assert_eq!(InformationMatrix { n: 2, a: vec![1.0, 1.0, 1.0, 1.0] }.log_det(), f64::NEG_INFINITY);
    }
}
