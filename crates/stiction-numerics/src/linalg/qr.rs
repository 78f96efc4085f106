//! Householder QR factorisation `A·P = Q·R` with column scaling and column pivoting, of a tall matrix given by its columns.

/// A rank-revealing QR factorisation.
#[derive(Clone, Debug)]
pub struct Qr {
    m: usize,
    /// Column by column: R above the diagonal, Householder vectors on and below it.
    a: Vec<f64>,
    /// The diagonal of R.
    diagonal: Vec<f64>,
    /// The permutation: index of the matrix column at each position.
    order: Vec<usize>,
    /// Scale factor of each column, in the order of the matrix.
    scale: Vec<f64>,
    rank: usize,
}

/// Inner product. Eight partial sums allow vector instructions and reduce the rounding error.
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = [0.0; 8];
    let (xs, ys) = (x.chunks_exact(8), y.chunks_exact(8));
    let tail: f64 = xs.remainder().iter().zip(ys.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in xs.zip(ys) {
        (0..8).for_each(|k| sum[k] += x[k] * y[k]);
    }
    sum.iter().sum::<f64>() + tail
}

/// Euclidean norm, safe against overflow and underflow of the squares.
pub fn norm(x: &[f64]) -> f64 {
    let plain = dot(x, x).sqrt();
    if plain.is_finite() && plain > 1e-140 {
        return plain;
    }
    let most = x.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    if most == 0.0 || !most.is_finite() {
        return most;
    }
    most * x.iter().map(|x| (x / most) * (x / most)).sum::<f64>().sqrt()
}

impl Qr {
    /// Factorises a matrix. All columns have the same length.
    pub fn new(columns: &[&[f64]]) -> Self {
        let n = columns.len();
        let m = columns.first().map_or(0, |c| c.len());
        let mut a = Vec::with_capacity(m * n);
        let mut scale = Vec::with_capacity(n);
        for column in columns {
            let size = norm(column);
            let size = if size > 0.0 && size.is_finite() { size } else { 1.0 };
            scale.push(size);
            a.extend(column.iter().map(|x| x / size));
        }
        let mut qr = Self { m, a, diagonal: vec![0.0; n], order: (0..n).collect(), scale, rank: m.min(n) };
        // a remaining column norm below this is rounding error
        let floor = (m.max(n) as f64 * f64::EPSILON).min(1e-10);
        for k in 0..m.min(n) {
            qr.pivot(k);
            if !qr.reflect(k, floor) {
                qr.rank = k;
                break;
            }
        }
        qr
    }

    /// Column pivoting: moves the column with the largest remaining norm to position `k`.
    fn pivot(&mut self, k: usize) {
        let (m, n) = (self.m, self.order.len());
        let rest = |j: usize| norm(&self.a[j * m + k..(j + 1) * m]);
        let lengths: Vec<f64> = (k..n).map(rest).collect();
        let best = (k..n).max_by(|&i, &j| lengths[i - k].total_cmp(&lengths[j - k]).then(j.cmp(&i))).unwrap_or(k);
        if best != k {
            self.order.swap(k, best);
            let (head, tail) = self.a.split_at_mut(best * m);
            head[k * m..(k + 1) * m].swap_with_slice(&mut tail[..m]);
        }
    }

    /// Reflects column `k` onto the diagonal, and the columns after it by the same reflection. False if its remaining norm is zero.
    fn reflect(&mut self, k: usize, floor: f64) -> bool {
        let m = self.m;
        let (head, tail) = self.a.split_at_mut((k + 1) * m);
        let v = &mut head[k * m + k..];
        let size = norm(v);
        if size <= floor {
            return false;
        }
        let alpha = -size.copysign(v[0]);
        self.diagonal[k] = alpha;
        v[0] -= alpha;
        // normalised so that the reflection is I − v·vᵀ
        let length = (0.5 * dot(v, v)).sqrt();
        v.iter_mut().for_each(|x| *x /= length);
        for column in tail.chunks_exact_mut(m) {
            reflect_onto(v, &mut column[k..]);
        }
        true
    }

    /// Number of linearly independent columns.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Columns that are linear combinations of the others.
    pub fn dependent_columns(&self) -> &[usize] {
        &self.order[self.rank..]
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.order.len()
    }

    /// The first entries of `Qᵀb`, as many as the rank.
    fn rotated(&self, b: &[f64]) -> Vec<f64> {
        let mut b = b.to_vec();
        for k in 0..self.rank {
            reflect_onto(&self.a[k * self.m + k..(k + 1) * self.m], &mut b[k..]);
        }
        b.truncate(self.rank);
        b
    }

    /// `R[i][j]`, `j` in the order of the factors.
    fn r(&self, i: usize, j: usize) -> f64 {
        if i == j { self.diagonal[i] } else { self.a[j * self.m + i] }
    }

    /// Solves `R₁₁·x = b` in place.
    fn back_substitute(&self, b: &mut [f64]) {
        for i in (0..self.rank).rev() {
            let sum: f64 = (i + 1..self.rank).map(|j| self.r(i, j) * b[j]).sum();
            b[i] = (b[i] - sum) / self.diagonal[i];
        }
    }

    /// The `x` that minimises `|A·x − b|`; zero for dependent columns.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut y = self.rotated(b);
        self.back_substitute(&mut y);
        let mut x = vec![0.0; self.columns()];
        for (y, &column) in y.iter().zip(&self.order) {
            x[column] = y / self.scale[column];
        }
        x
    }

    /// `(AᵀA)⁻¹`, row by row; none if the columns are linearly dependent.
    pub fn inverse_gram(&self) -> Option<Vec<f64>> {
        let n = self.columns();
        if self.rank < n {
            return None;
        }
        // the rows of R⁻¹ in the column order of the matrix
        let mut inverse = vec![vec![0.0; n]; n];
        for k in 0..n {
            let mut e = vec![0.0; n];
            e[k] = 1.0;
            self.back_substitute(&mut e);
            for (i, e) in e.iter().enumerate() {
                let column = self.order[i];
                inverse[column][k] = e / self.scale[column];
            }
        }
        Some((0..n * n).map(|k| dot(&inverse[k / n], &inverse[k % n])).collect())
    }

    /// A basis of the null space, each vector scaled so that its largest entry is one.
    pub fn null_space(&self) -> Vec<Vec<f64>> {
        let n = self.columns();
        let direction = |j: usize| {
            let mut y: Vec<f64> = (0..self.rank).map(|i| -self.r(i, j)).collect();
            self.back_substitute(&mut y);
            let mut x = vec![0.0; n];
            for (y, &column) in y.iter().zip(&self.order) {
                x[column] = y / self.scale[column];
            }
            x[self.order[j]] = 1.0 / self.scale[self.order[j]];
            let most = x.iter().fold(0.0_f64, |most, x| if x.abs() > most.abs() { *x } else { most });
            x.iter_mut().for_each(|x| *x /= most);
            x
        };
        (self.rank..n).map(direction).collect()
    }

    /// The equivalent square system: R row by row with columns in the order of the matrix, and `c = Qᵀb`, so that
    /// `|R·x − c|²` and `|A·x − b|²` differ by a constant.
    pub fn square_system(&self, b: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let n = self.columns();
        let mut out = vec![0.0; n * n];
        for (j, &column) in self.order.iter().enumerate() {
            (0..(j + 1).min(self.rank)).for_each(|i| out[i * n + column] = self.r(i, j) * self.scale[column]);
        }
        let mut c = self.rotated(b);
        c.resize(n, 0.0);
        (out, c)
    }
}

/// `x − v·(vᵀx)`.
fn reflect_onto(v: &[f64], x: &mut [f64]) {
    let along = dot(v, x);
    x.iter_mut().zip(v).for_each(|(x, v)| *x -= along * v);
}

#[cfg(test)]
mod tests {
    use super::Qr;

    #[test]
    fn a_line_by_hand_and_its_gram() {
        // through (0, 1), (1, 2), (2, 4): 5/6 + 3/2·x; AᵀA = [3 3; 3 5], its inverse [5 −3; −3 3]/6
        let qr = Qr::new(&[&[1.0, 1.0, 1.0], &[0.0, 1.0, 2.0]]);
        let x = qr.solve(&[1.0, 2.0, 4.0]);
        let gram = qr.inverse_gram().unwrap();
        let wanted = [5.0 / 6.0, 1.5, 5.0 / 6.0, -0.5, -0.5, 0.5];
        for (got, wanted) in x.iter().chain(&gram).zip(wanted) {
            // a condition of 3: rounding
            assert!((got - wanted).abs() < 1e-14, "{got} {wanted}");
        }
    }

    #[test]
    fn what_depends_is_named() {
        // the third column is the first minus twice the second
        let (a, b) = ([1.0, 2.0, 3.0, 5.0], [1.0, -1.0, 0.5, 2.0]);
        let c: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - 2.0 * b).collect();
        let qr = Qr::new(&[&a, &b, &c]);
        assert_eq!(qr.rank(), 2);
        let null = &qr.null_space()[0];
        // a condition below 10: rounding
        assert!((null[0] / null[2] + 1.0).abs() < 1e-13 && (null[1] / null[2] - 2.0).abs() < 1e-13, "{null:?}");
        assert!(qr.inverse_gram().is_none());
    }

    #[test]
    fn degenerate_shapes_do_no_harm() {
        assert_eq!(Qr::new(&[]).solve(&[]), Vec::<f64>::new());
        assert_eq!(Qr::new(&[&[0.0, 0.0]]).rank(), 0);
        assert_eq!(Qr::new(&[&[1.0], &[2.0]]).rank(), 1);
        assert!(Qr::new(&[&[f64::NAN, 1.0]]).solve(&[1.0, 1.0])[0].is_nan());
        // squares that would overflow, or vanish
        let x = Qr::new(&[&[1e200, 1e200], &[1e-200, -1e-200]]).solve(&[2e200, 0.0]);
        // one rounding
        assert!((x[0] - 1.0).abs() < 1e-15 && x[1] > 1e300);
    }
}
