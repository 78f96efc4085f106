//! Characteristic polynomial and Hurwitz determinants.
use super::Complex;

/// Coefficients 1, a1, a2, … of the monic polynomial with these roots, of which complex ones come in conjugate pairs.
pub fn polynomial_from_roots(roots: &[Complex]) -> Vec<f64> {
    let mut c = vec![Complex::new(1.0, 0.0)];
    for &root in roots {
        c.push(Complex::default());
        for k in (1..c.len()).rev() {
            c[k] = c[k] - root * c[k - 1];
        }
    }
    c.into_iter().map(|x| x.re).collect()
}

/// The Hurwitz determinants of the polynomial with coefficients 1, a1, …, an: all are positive if and only if all roots are in the
/// left half plane. For n = 3 the second one is a1·a2 − a3.
pub fn hurwitz_determinants(c: &[f64]) -> Vec<f64> {
    let n = c.len() - 1;
    let at = |i: usize, j: usize| (2 * (j + 1)).checked_sub(i + 1).and_then(|k| c.get(k)).copied().unwrap_or(0.0);
    let minor = |m: usize| {
        let a: Vec<f64> = (0..m * m).map(|k| at(k % m, k / m)).collect();
        determinant(a, m)
    };
    (1..=n).map(minor).collect()
}

fn determinant(mut a: Vec<f64>, n: usize) -> f64 {
    let mut out = 1.0;
    for k in 0..n {
        let Some(p) = (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs())) else { return out };
        if a[p * n + k] == 0.0 {
            return 0.0;
        }
        if p != k {
            (0..n).for_each(|j| a.swap(p * n + j, k * n + j));
            out = -out;
        }
        out *= a[k * n + k];
        for i in k + 1..n {
            let f = a[i * n + k] / a[k * n + k];
            (k..n).for_each(|j| a[i * n + j] -= f * a[k * n + j]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::hurwitz_determinants;

    #[test]
    fn hurwitz_of_a_cubic() {
        assert_eq!(hurwitz_determinants(&[1.0, 2.0, 3.0, 4.0]), [2.0, 2.0, 8.0]);
    }
}
