//! The trust-region subproblem: the least-squares step within bounds and a radius.
use crate::linalg::Svd;

/// The linearised residuals `R·s + c` at the current point.
pub(super) struct Linearised<'a> {
    /// Row by row, square.
    pub r: &'a [f64],
    pub c: &'a [f64],
    /// Scale of each coordinate in the length of a step.
    pub scaling: &'a [f64],
    /// Distance of each coordinate to its lower and upper bound.
    pub room: &'a [[f64; 2]],
}

impl Linearised<'_> {
    /// `(R·s + c)`.
    fn rest(&self, s: &[f64]) -> Vec<f64> {
        let n = s.len();
        (0..n).map(|i| self.c[i] + (0..n).map(|j| self.r[i * n + j] * s[j]).sum::<f64>()).collect()
    }

    /// Predicted reduction of `½|R·s + c|²` by a step.
    pub(super) fn gain(&self, s: &[f64]) -> f64 {
        // ½(|c|² − |c + Rs|²) = −(Rs)ᵀ(c + Rs/2), without cancellation
        let n = s.len();
        let moved: Vec<f64> = (0..n).map(|i| (0..n).map(|j| self.r[i * n + j] * s[j]).sum()).collect();
        -moved.iter().zip(self.c).map(|(m, c)| m * (c + 0.5 * m)).sum::<f64>()
    }

    /// Scaled length of a step.
    pub(super) fn length(&self, s: &[f64]) -> f64 {
        s.iter().zip(self.scaling).map(|(s, d)| (s * d).powi(2)).sum::<f64>().sqrt()
    }

    /// The best step no longer than `radius`, among the `free` coordinates. What would leave the box is put on its
    /// side, and the others are sought anew, until all are inside.
    pub(super) fn best(&self, free: &[bool], radius: f64) -> Vec<f64> {
        let n = self.c.len();
        let mut step = vec![0.0; n];
        let mut open: Vec<usize> = (0..n).filter(|&j| free[j]).collect();
        while !open.is_empty() {
            let spent = self.length(&step);
            let left = (radius * radius - spent * spent).max(1e-4 * radius * radius).sqrt();
            let found = self.within(&open, &self.rest(&step), left);
            let out = |(s, &j): (&f64, &usize)| *s < self.room[j][0] || *s > self.room[j][1];
            if !found.iter().zip(&open).any(out) {
                open.iter().zip(&found).for_each(|(&j, s)| step[j] = *s);
                break;
            }
            let mut inside = Vec::new();
            for (s, &j) in found.iter().zip(&open) {
                if out((s, &j)) {
                    step[j] = s.clamp(self.room[j][0], self.room[j][1]);
                } else {
                    inside.push(j);
                }
            }
            open = inside;
        }
        step
    }

    /// The step of length `radius` at most in the `open` coordinates, by singular values: `s(λ) = −Σ σ·(uᵀb)/(σ² + λ)·v`
    /// with λ from Newton's iteration on `1/radius − 1/|s|`, which is nearly a straight line.
    fn within(&self, open: &[usize], rest: &[f64], radius: f64) -> Vec<f64> {
        let (n, k) = (self.c.len(), open.len());
        let a: Vec<f64> = (0..n * k).map(|at| self.r[at / k * n + open[at % k]] / self.scaling[open[at % k]]).collect();
        let svd = Svd::new(&a, n, k);
        let most = svd.s.iter().fold(0.0_f64, |most, s| most.max(*s));
        let along: Vec<f64> = svd.u.iter().map(|u| -u.iter().zip(rest).map(|(u, b)| u * b).sum::<f64>()).collect();
        let live = |s: f64| s > 1e-14 * most && s > 0.0;
        let length = |lambda: f64| {
            let (mut square, mut change) = (0.0, 0.0);
            for (s, c) in svd.s.iter().zip(&along).filter(|(s, _)| live(**s)) {
                let d = s * s + lambda;
                square += (s * c / d).powi(2);
                change += (s * c).powi(2) / (d * d * d);
            }
            (square.sqrt(), change)
        };
        let mut lambda = 0.0;
        for _ in 0..20 {
            let (size, change) = length(lambda);
            if size <= 1.05 * radius || change <= 0.0 {
                break;
            }
            lambda += size * size * (size - radius) / (radius * change);
        }
        let mut step = vec![0.0; k];
        for ((s, v), c) in svd.s.iter().zip(&svd.v).zip(&along).filter(|((s, _), _)| live(**s)) {
            let f = s * c / (s * s + lambda);
            step.iter_mut().zip(v).for_each(|(x, v)| *x += f * v);
        }
        step.iter_mut().zip(open).for_each(|(x, &j)| *x /= self.scaling[j]);
        step
    }
}
