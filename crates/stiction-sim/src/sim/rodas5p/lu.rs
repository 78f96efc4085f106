//! The factors of a small matrix.
use stiction_core::Real;

/// LU factors of a matrix of fixed size, with partial pivoting. A 2×2 matrix is inverted directly, which is as accurate and has
/// a shorter chain of dependent operations.
#[derive(Clone, Copy, Debug)]
pub struct LuFactors<R, const N: usize> {
    a: [[R; N]; N],
    /// The order of rows, and the reciprocals of the diagonal.
    order: [usize; N],
    reciprocals: [R; N],
}

impl<R: Real, const N: usize> LuFactors<R, N> {
    /// Factors a matrix; none if it is singular or not finite. `value` is the number by which pivots are chosen: of a dual number
    /// its value.
    #[inline(always)]
    #[allow(clippy::needless_range_loop, reason = "index loops of known length are what the compiler unrolls")]
    pub fn new(mut a: [[R; N]; N], value: impl Fn(R) -> f64) -> Option<Self> {
        let (mut order, mut reciprocals) = (std::array::from_fn(|i| i), [R::lit(0.0); N]);
        let one = R::lit(1.0);
        if N == 2 {
            let determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0];
            let by = one / determinant;
            let inverse = [[a[1][1] * by, -(a[0][1] * by)], [-(a[1][0] * by), a[0][0] * by]];
            for i in 0..N {
                a[i].copy_from_slice(&inverse[i][..N]);
            }
            let regular = value(determinant) != 0.0 && value(by) != 0.0 && value(by).is_finite();
            return regular.then_some(Self { a, order, reciprocals });
        }
        for k in 0..N {
            let mut best = k;
            for i in k + 1..N {
                if value(a[i][k]).abs() > value(a[best][k]).abs() {
                    best = i;
                }
            }
            a.swap(k, best);
            order.swap(k, best);
            if !(value(a[k][k]) != 0.0 && value(a[k][k]).is_finite()) {
                return None;
            }
            reciprocals[k] = one / a[k][k];
            let top = a[k];
            for row in a.iter_mut().skip(k + 1) {
                row[k] = row[k] * reciprocals[k];
                for j in k + 1..N {
                    row[j] = row[j] - row[k] * top[j];
                }
            }
        }
        Some(Self { a, order, reciprocals })
    }
    /// The solution for a right-hand side.
    #[inline(always)]
    pub fn solve(&self, right: [R; N]) -> [R; N] {
        if N == 2 {
            return self.a.map(|row| row[0] * right[0] + row[N - 1] * right[N - 1]);
        }
        let mut x = self.order.map(|i| right[i]);
        for k in 0..N {
            for i in k + 1..N {
                x[i] = x[i] - self.a[i][k] * x[k];
            }
        }
        for k in (0..N).rev() {
            for j in k + 1..N {
                x[k] = x[k] - self.a[k][j] * x[j];
            }
            x[k] = x[k] * self.reciprocals[k];
        }
        x
    }
}
