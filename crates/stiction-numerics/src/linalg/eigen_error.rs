//! How far an eigenvalue may be from its computed value.
use super::{Complex, Svd};

/// An eigenvalue of a real matrix with the bound of its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundedEigenvalue {
    /// The eigenvalue, improved by its eigenvectors.
    pub value: Complex,
    /// Bound of its error; infinite for an eigenvalue without a full set of eigenvectors.
    pub error: f64,
}

impl BoundedEigenvalue {
    /// The eigenvalue near `z` of the `n × n` matrix `a`, whose entries are wrong by at most `errors`; both are given row by row.
    ///
    /// To first order, an error E of the matrix changes an eigenvalue with the left and right eigenvectors y and x by
    ///
    /// ```text
    /// |δλ| = |yᴴ E x| / |yᴴ x| ≤ |y|ᵀ |E| |x| / |yᴴ x|
    /// ```
    ///
    /// The eigenvectors are the singular vectors of A − zI for its least singular value. The Rayleigh quotient yᴴAx/yᴴx is an eigenvalue
    /// whose error is the product of those of x and y, so that the error of `z` itself does not matter. State variables of very different
    /// size are scaled first, as by [`balanced`](super::balanced).
    pub fn near(z: Complex, a: &[f64], errors: &[f64], n: usize) -> Self {
        let x = least_vector(a, z, n, false);
        let y = least_vector(a, z, n, true);
        let form = |entry: &dyn Fn(usize, usize) -> Complex| {
            (0..n * n).map(|k| entry(k / n, k % n)).fold(Complex::default(), |sum, term| sum + term)
        };
        let inner = form(&|i, j| if i == j { y[i].conj() * x[j] } else { Complex::default() });
        let product = form(&|i, j| (y[i].conj() * x[j]).scale(a[i * n + j]));
        let spread: f64 = (0..n * n).map(|k| y[k / n].abs() * errors[k] * x[k % n].abs()).sum();
        if inner.abs() <= f64::EPSILON {
            return Self { value: z, error: f64::INFINITY };
        }
        Self { value: product / inner, error: spread / inner.abs() }
    }
}

/// The right or left singular vector of A − zI for its least singular value.
fn least_vector(a: &[f64], z: Complex, n: usize, left: bool) -> Vec<Complex> {
    // the complex matrix P + iQ as the real one [P −Q; Q P]; the left vectors are the right ones of the conjugate transpose
    let sign = if left { -1.0 } else { 1.0 };
    let entry = |i: usize, j: usize| {
        let (row, column) = (i % n, j % n);
        let at = if left { column * n + row } else { row * n + column };
        let same = f64::from(u8::from(row == column));
        match (i < n, j < n) {
            (true, true) | (false, false) => a[at] - same * z.re,
            (true, false) => sign * same * z.im,
            (false, true) => -sign * same * z.im,
        }
    };
    let wide = 2 * n;
    let svd = Svd::new(&(0..wide * wide).map(|k| entry(k / wide, k % wide)).collect::<Vec<f64>>(), wide, wide);
    let least = (0..wide).min_by(|&i, &j| svd.s[i].total_cmp(&svd.s[j])).unwrap_or(0);
    (0..n).map(|i| Complex::new(svd.v[least][i], svd.v[least][n + i])).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Complex, eigenvalues};
    use super::BoundedEigenvalue;

    fn bounded(a: &[f64], n: usize, relative: f64) -> Vec<BoundedEigenvalue> {
        let errors: Vec<f64> = a.iter().map(|x| relative * x.abs()).collect();
        eigenvalues(a, n).into_iter().map(|z| BoundedEigenvalue::near(z, a, &errors, n)).collect()
    }

    /// m s² + c s + k with c = 1e-9: the damping is seen with entries right to 1e-15, and not with those right to 1e-6.
    #[test]
    fn a_weak_damping_is_told_from_none_where_the_entries_allow_it() {
        let a = [0.0, 1.0, -4.0, -1e-9];
        for z in bounded(&a, 2, 1e-15) {
            // half the damping, to rounding of a number of size two
            assert!((z.value.re + 5e-10).abs() < 1e-15 && z.error < 1e-14, "{z:?}");
        }
        // an error of the damping itself is the only one that damps
        assert!(bounded(&a, 2, 1e-6).iter().all(|z| z.error > 1e-7));
    }

    /// Entries from 1e-3 to 1e9: the slow eigenvalue keeps its digits, because errors in proportion to the entries are small where it lives.
    #[test]
    fn a_slow_eigenvalue_beside_a_fast_one() {
        let a = [-1e9, 1e9, 1e-3, -2e-3];
        // s² + (1e9 + 2e-3) s + 1e6: roots -1e9 and -1e-3, each to 1e-12 of itself
        let slow = bounded(&a, 2, 1e-15)[0];
        assert!((slow.value.re + 1e-3).abs() < 1e-14 && slow.error < 1e-16, "{slow:?}");
    }

    /// Every matrix within the errors has its eigenvalue within the bound.
    #[test]
    fn the_bound_holds() {
        let a = [1.0, 2.0, 0.5, -0.3, -1.0, 4.0, 0.2, -3.0, -0.7];
        let h = 1e-7;
        let errors = [h; 9];
        let all = eigenvalues(&a, 3);
        for z in &all {
            let found = BoundedEigenvalue::near(*z, &a, &errors, 3);
            let mut most = 0.0_f64;
            for signs in 0..512 {
                let moved: Vec<f64> = (0..9).map(|k| a[k] + if signs >> k & 1 == 1 { h } else { -h }).collect();
                let nearest = eigenvalues(&moved, 3).into_iter().map(|w| (w - *z).abs()).fold(f64::INFINITY, f64::min);
                most = most.max(nearest);
            }
            // of the corners of the errors, one comes near the bound; second order is h
            assert!(most <= found.error * (1.0 + 1e-5) && most > 0.5 * found.error, "{most} {found:?}");
        }
    }

    /// Two steps in a row, [0 1; 0 0]: no second eigenvector, no bound of first order.
    #[test]
    fn a_defective_eigenvalue_has_no_bound() {
        assert_eq!(bounded(&[0.0, 1.0, 0.0, 0.0], 2, 1e-15)[0].error, f64::INFINITY);
        assert_eq!(BoundedEigenvalue::near(Complex::default(), &[3.0], &[1e-3], 1).value, Complex::new(3.0, 0.0));
    }
}
