//! The linear system of a stage, `(1/e − J) k = r` with `e = hγ`, solved once an attempt for all right-hand sides.
//!
//! Positions go first, `kx = e·(rx + kv)`. The velocity and the two numbers `w` that follow it (memory and controllers)
//! are left, and the matrix of these is written out in closed form, so that its entries wait for as few divisions as
//! possible: one after the law is evaluated.
#![allow(
    clippy::needless_range_loop,
    reason = "index loops of known length are what the compiler unrolls, and read like the formula"
)]
use super::super::rodas5p::GAMMA;
use super::coefficients::Coefficients;
use super::law::LawSlopes;
use super::{Numbers, STATE_MAX, add};

/// The inverse, column by column.
pub(super) struct Inverse {
    pub columns: [Numbers; STATE_MAX],
    /// Times the constant part of the Jacobian.
    pub moved: [Numbers; STATE_MAX],
    /// What the contact's force does to a stage.
    pub force: Numbers,
    pub by_h: f64,
}

impl Inverse {
    /// For a law with `len` numbers of memory.
    #[inline(always)]
    pub fn new(len: usize, course: &Coefficients, s: &LawSlopes, h: f64) -> Self {
        let Coefficients { by, c, gain, .. } = course;
        let e = h * GAMMA;
        let by_e = 1.0 / e;
        let stiff = e * by[0][1];
        // diagonal entry of the velocity, before memory and controllers are eliminated
        let own = by_e - by[1][1] - stiff;
        let columns = if len == 1 {
            // memory and controller do not depend on each other: the part of the controller depends on the step alone
            let d = 1.0 / (by_e - by[3][3]);
            let (sx, sv) = (e * by[0][3] * d, (e * by[0][3] + by[1][3]) * d);
            let (x, s3) = (stiff + by[3][1] * sx, by[3][1] * d);
            let (a, b, g) = (by_e - s.rate_by_w[0][0], -gain * s.by_w[0], c * s.rate_by_v[0]);
            let p = (own - by[3][1] * sv) + gain * c * s.by_v;
            let by_det = 1.0 / (a * p - b * g);
            let (a, b, g, p) = (a * by_det, b * by_det, g * by_det, p * by_det);
            let mut columns =
                [[0.0, x * a, x * g, 0.0], [0.0, a, g, 0.0], [0.0, b, p, 0.0], [0.0, s3 * a, s3 * g, 0.0]];
            for column in &mut columns {
                (column[0], column[3]) = (e * column[1], sv * column[1]);
            }
            columns[0][0] += e;
            columns[0][3] += sx;
            columns[3][3] += d;
            columns
        } else {
            let g = |i: usize, j: usize| by[2 + j][2 + i] + s.rate_by_w[i][j];
            let (a, d) = (by_e - g(0, 0), by_e - g(1, 1));
            let (b, o) = (g(0, 1), g(1, 0));
            let by_det = 1.0 / (a * d - b * o);
            let inverse = [[d * by_det, b * by_det], [o * by_det, a * by_det]];
            let gx = [e * by[0][2], e * by[0][3]];
            let gv = [by[1][2] + c * s.rate_by_v[0] + gx[0], by[1][3] + c * s.rate_by_v[1] + gx[1]];
            let row = |i: usize, x: [f64; 2]| inverse[i][0] * x[0] + inverse[i][1] * x[1];
            let times = |x: [f64; 2]| [row(0, x), row(1, x)];
            let (wx, wv) = (times(gx), times(gv));
            // derivatives of the acceleration by memory and controllers
            let back = [by[2][1] - gain * s.by_w[0], by[3][1] - gain * s.by_w[1]];
            let column = |j: usize| back[0] * inverse[0][j] + back[1] * inverse[1][j];
            let (m, n) = (column(0), column(1));
            let pivot = 1.0 / (own + gain * c * s.by_v - (back[0] * wv[0] + back[1] * wv[1]));
            let kv = [pivot * (stiff + back[0] * wx[0] + back[1] * wx[1]), pivot, pivot * m, pivot * n];
            let mut columns = [[0.0; STATE_MAX]; STATE_MAX];
            for (column, kv) in columns.iter_mut().zip(kv) {
                *column = [e * kv, kv, wv[0] * kv, wv[1] * kv];
            }
            columns[0][0] += e;
            for i in 0..2 {
                columns[0][2 + i] += wx[i];
                columns[2][2 + i] += inverse[i][0];
                columns[3][2 + i] += inverse[i][1];
            }
            columns
        };
        let mut out = Self {
            columns,
            moved: [[0.0; STATE_MAX]; STATE_MAX],
            force: [-gain * columns[1][0], -gain * columns[1][1], -gain * columns[1][2], -gain * columns[1][3]],
            by_h: GAMMA * by_e,
        };
        for j in (0..2).chain(2 + len..STATE_MAX) {
            out.moved[j] = out.times(&by[j]);
        }
        out
    }
    /// The inverse times a right-hand side.
    #[inline(always)]
    pub fn times(&self, r: &Numbers) -> Numbers {
        let [a, b, c, d] = &self.columns;
        let (mut k, mut other) = ([0.0; STATE_MAX], [0.0; STATE_MAX]);
        for i in 0..STATE_MAX {
            k[i] = r[1].mul_add(b[i], r[0] * a[i]);
            other[i] = r[3].mul_add(d[i], r[2] * c[i]);
        }
        add(&mut k, 1.0, &other);
        k
    }
}
