//! Singular value decomposition by one-sided Jacobi rotations, and the minimum-norm solution of least squares.

/// The singular value decomposition `a = Σ s·u·vᵀ` of an `m × n` matrix.
pub struct Svd {
    /// Singular values, not sorted.
    pub s: Vec<f64>,
    /// Left singular vectors; zero vectors for singular values that are zero.
    pub u: Vec<Vec<f64>>,
    /// Right singular vectors.
    pub v: Vec<Vec<f64>>,
}

impl Svd {
    /// Decomposes `a`, given row by row.
    pub fn new(a: &[f64], m: usize, n: usize) -> Self {
        let mut u: Vec<Vec<f64>> = (0..n).map(|j| (0..m).map(|i| a[i * n + j]).collect()).collect();
        let mut v: Vec<Vec<f64>> = (0..n).map(|j| (0..n).map(|i| f64::from(u8::from(i == j))).collect()).collect();
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        for _ in 0..60 {
            let mut done = true;
            for p in 0..n {
                for q in p + 1..n {
                    let (alpha, beta, gamma) = (dot(&u[p], &u[p]), dot(&u[q], &u[q]), dot(&u[p], &u[q]));
                    if gamma.abs() <= 1e-15 * (alpha * beta).sqrt() || gamma == 0.0 {
                        continue;
                    }
                    done = false;
                    let zeta = (beta - alpha) / (2.0 * gamma);
                    let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                    let c = 1.0 / (1.0 + t * t).sqrt();
                    for w in [&mut u, &mut v] {
                        let (head, tail) = w.split_at_mut(q);
                        for (x, y) in head[p].iter_mut().zip(tail[0].iter_mut()) {
                            (*x, *y) = (c * *x - c * t * *y, c * t * *x + c * *y);
                        }
                    }
                }
            }
            if done {
                break;
            }
        }
        let s: Vec<f64> = u.iter().map(|u| dot(u, u).sqrt()).collect();
        for (u, s) in u.iter_mut().zip(&s) {
            u.iter_mut().for_each(|x| *x /= if *s > 0.0 { *s } else { 1.0 });
        }
        Self { s, u, v }
    }
    /// The minimum-norm `x` among those that minimise `|a·x − b|`. Singular values below `floor` times the largest count as zero.
    pub fn solve(&self, b: &[f64], floor: f64) -> Vec<f64> {
        let least = floor * self.s.iter().fold(0.0_f64, |most, s| most.max(*s));
        let mut x = vec![0.0; self.v.len()];
        for ((s, u), v) in self.s.iter().zip(&self.u).zip(&self.v).filter(|((s, _), _)| **s > least) {
            let c = u.iter().zip(b).map(|(u, b)| u * b).sum::<f64>() / s;
            x.iter_mut().zip(v).for_each(|(x, v)| *x += c * v);
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::Svd;

    #[test]
    fn least_squares_is_the_shortest_solution() {
        // x + y = 2, twice: (1, 1) is the shortest
        let x = Svd::new(&[1.0, 1.0, 2.0, 2.0], 2, 2).solve(&[2.0, 4.0], 1e-12);
        // a matrix of norm 3: rounding
        assert!((x[0] - 1.0).abs() < 1e-14 && (x[1] - 1.0).abs() < 1e-14, "{x:?}");
    }
}
