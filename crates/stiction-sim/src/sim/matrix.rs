//! Square matrices, full or banded, and their factorisation.
#![allow(
    clippy::needless_range_loop,
    reason = "index loops of known length are what the compiler unrolls, and read like the formula"
)]

/// A square matrix: full, or with `band` diagonals on either side of the main one.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    n: usize,
    /// Number of diagonals below the main one. Above it there is room for twice as many, for the fill-in of row exchanges.
    band: usize,
    /// Stored numbers in a row.
    width: usize,
    full: bool,
    a: Vec<f64>,
    /// Reciprocals of the diagonal of the factors.
    by: Vec<f64>,
}

impl Matrix {
    /// A full matrix of zeros.
    pub fn full(n: usize) -> Self {
        Self { n, band: n, width: n, full: true, a: vec![0.0; n * n], by: vec![0.0; n] }
    }
    /// A banded matrix of zeros.
    pub fn banded(n: usize, band: usize) -> Self {
        let width = 3 * band + 1;
        Self { n, band, width, full: false, a: vec![0.0; n * width], by: vec![0.0; n] }
    }
    #[inline(always)]
    fn at(&self, i: usize, j: usize) -> usize {
        if self.full { i * self.n + j } else { i * self.width + j + self.band - i }
    }
    /// The columns of row `i` within the band.
    #[inline(always)]
    pub fn columns(&self, i: usize) -> std::ops::Range<usize> {
        if self.full { 0..self.n } else { i.saturating_sub(self.band)..(i + self.band + 1).min(self.n) }
    }
    /// The rows of a full matrix of known size.
    pub fn rows<const N: usize>(&self) -> Option<&[[f64; N]; N]> {
        if self.full { self.a.as_chunks().0.first_chunk() } else { None }
    }
    /// Copies a matrix of the same size.
    pub fn copy_from(&mut self, other: &Self) {
        self.a.copy_from_slice(&other.a);
    }
    pub fn clear(&mut self) {
        self.a.fill(0.0);
    }
    #[inline(always)]
    pub fn add(&mut self, i: usize, j: usize, x: f64) {
        let at = self.at(i, j);
        self.a[at] += x;
    }
    #[inline(always)]
    pub fn get(&self, i: usize, j: usize) -> f64 {
        self.a[self.at(i, j)]
    }
    #[inline(always)]
    pub fn set(&mut self, i: usize, j: usize, x: f64) {
        let at = self.at(i, j);
        self.a[at] = x;
    }
    pub fn scale_row(&mut self, i: usize, x: f64) {
        for j in self.columns(i) {
            let at = self.at(i, j);
            self.a[at] *= x;
        }
    }
    /// Adds `gain` times row `i` times `x` to `out[i]`, for every row.
    #[cfg(test)]
    pub fn times(&self, x: &[f64], gain: f64, out: &mut [f64]) {
        for (i, out) in out.iter_mut().enumerate() {
            let columns = self.columns(i);
            let first = self.at(i, columns.start);
            let row = &self.a[first..first + columns.len()];
            let sum: f64 = row.iter().zip(&x[columns]).map(|(a, x)| a * x).sum();
            *out += gain * sum;
        }
    }
    /// Adds `gain` times the columns of velocities times `x` to `out`; the velocity of coordinate `i` is column
    /// `vi[i] − n`.
    #[inline(always)]
    pub fn times_at(&self, x: &[f64], vi: &[usize], n: usize, gain: f64, out: &mut [f64]) {
        if self.full {
            for (out, row) in out.iter_mut().zip(self.a.chunks_exact(self.n.max(1))) {
                let sum: f64 = x.iter().zip(vi).map(|(x, v)| x * row[v - n]).sum();
                *out += gain * sum;
            }
            return;
        }
        for (x, v) in x.iter().zip(vi) {
            let j = v - n;
            for i in j.saturating_sub(self.band)..(j + self.band + 1).min(self.n) {
                out[i] += gain * x * self.get(i, j);
            }
        }
    }
    /// Sets the matrix to `e·1 − r − q/e`.
    pub fn shift(&mut self, e: f64, r: &Self, q: &Self) {
        let by = 1.0 / e;
        for ((a, r), q) in self.a.iter_mut().zip(&r.a).zip(&q.a) {
            *a = -r - by * q;
        }
        for i in 0..self.n {
            self.add(i, i, e);
        }
    }
    /// LU factorisation in place, with row exchanges in `pivots`; false if singular.
    pub fn factor(&mut self, pivots: &mut [usize]) -> bool {
        if self.n == 1 {
            pivots[0] = 0;
            self.by[0] = 1.0 / self.a[0];
            return self.a[0] != 0.0 && self.a[0].is_finite();
        }
        if !self.full {
            return self.factor_band(pivots);
        }
        let n = self.n;
        for k in 0..n {
            let (mut best, mut size) = (k, self.a[k * n + k].abs());
            for i in k + 1..n {
                let x = self.a[i * n + k].abs();
                if x > size {
                    (best, size) = (i, x);
                }
            }
            pivots[k] = best;
            if !(size > 0.0 && size.is_finite()) {
                return false;
            }
            if best != k {
                for j in 0..n {
                    self.a.swap(k * n + j, best * n + j);
                }
            }
            let by = 1.0 / self.a[k * n + k];
            self.by[k] = by;
            let (top, below) = self.a.split_at_mut((k + 1) * n);
            let top = &top[k * n..];
            for row in below.chunks_exact_mut(n) {
                let f = row[k] * by;
                row[k] = f;
                if f != 0.0 {
                    for j in k + 1..n {
                        row[j] -= f * top[j];
                    }
                }
            }
        }
        true
    }
    fn factor_band(&mut self, pivots: &mut [usize]) -> bool {
        let (n, b) = (self.n, self.band);
        for k in 0..n {
            let last = (k + b).min(n - 1);
            let (mut best, mut size) = (k, self.get(k, k).abs());
            for i in k + 1..=last {
                let x = self.get(i, k).abs();
                if x > size {
                    (best, size) = (i, x);
                }
            }
            pivots[k] = best;
            if !(size > 0.0 && size.is_finite()) {
                return false;
            }
            let right = (k + 2 * b).min(n - 1);
            if best != k {
                for j in k..=right {
                    let (p, q) = (self.at(k, j), self.at(best, j));
                    self.a.swap(p, q);
                }
            }
            let by = 1.0 / self.get(k, k);
            self.by[k] = by;
            for i in k + 1..=last {
                let f = self.get(i, k) * by;
                self.set(i, k, f);
                if f != 0.0 {
                    let (from, to) = (self.at(k, k + 1), self.at(i, k + 1));
                    for j in 0..right - k {
                        self.a[to + j] -= f * self.a[from + j];
                    }
                }
            }
        }
        true
    }
    /// Solves with the factored matrix, in place.
    #[inline(always)]
    pub fn solve(&self, pivots: &[usize], x: &mut [f64]) {
        let n = self.n;
        if n == 1 {
            x[0] *= self.by[0];
            return;
        }
        if n == 2 && self.full {
            x.swap(0, pivots[0]);
            x[1] = (x[1] - self.a[2] * x[0]) * self.by[1];
            x[0] = (x[0] - self.a[1] * x[1]) * self.by[0];
            return;
        }
        let reach = if self.full { n } else { self.band };
        // the full factorisation exchanges whole rows, the banded one only entries right of the pivot
        if self.full {
            for k in 0..n {
                x.swap(k, pivots[k]);
            }
        }
        for k in 0..n {
            if !self.full {
                x.swap(k, pivots[k]);
            }
            let top = x[k];
            if top != 0.0 {
                for i in k + 1..(k + reach + 1).min(n) {
                    x[i] -= self.a[self.at(i, k)] * top;
                }
            }
        }
        let right = if self.full { n } else { 2 * self.band };
        for k in (0..n).rev() {
            let mut sum = x[k];
            for j in k + 1..(k + right + 1).min(n) {
                sum -= self.a[self.at(k, j)] * x[j];
            }
            x[k] = sum * self.by[k];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Matrix;
    use crate::noise::noise;

    #[test]
    fn full_and_banded_solve_the_same_system() {
        for (n, band) in [(1, 0), (2, 1), (3, 1), (9, 2), (40, 4)] {
            let mut pair = [Matrix::full(n), Matrix::banded(n, band)];
            for i in 0..n {
                for j in i.saturating_sub(band)..(i + band + 1).min(n) {
                    // a small diagonal, so that rows must be exchanged
                    let x = if i == j { 0.01 * noise(i) } else { noise(i * n + j) } + f64::from(u8::from(n == 1));
                    pair.iter_mut().for_each(|m| m.add(i, j, x));
                }
            }
            let wanted: Vec<f64> = (0..n).map(|i| noise(1000 + i)).collect();
            for mut m in pair {
                let mut x = vec![0.0; n];
                m.times(&wanted, 1.0, &mut x);
                let mut pivots = vec![0; n];
                assert!(m.factor(&mut pivots));
                m.solve(&pivots, &mut x);
                for (x, w) in x.iter().zip(&wanted) {
                    // condition numbers of these random matrices stay below 1e4
                    assert!((x - w).abs() < 1e-11, "n = {n}, full = {}: {x} for {w}", m.full);
                }
            }
        }
    }

    #[test]
    fn a_singular_matrix_is_refused() {
        for mut m in [Matrix::full(2), Matrix::banded(2, 1)] {
            m.add(0, 0, 1.0);
            m.add(1, 0, 2.0);
            assert!(!m.factor(&mut [0; 2]));
        }
    }
}
