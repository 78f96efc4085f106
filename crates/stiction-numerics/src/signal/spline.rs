//! Cubic smoothing spline: a trade-off between closeness to the samples and curvature.
use crate::NumericsError;
use crate::check::{enough_samples, increasing, positive, same_length};

/// The natural cubic spline that minimises `Σ w·(x − f)² + λ·∫f″²`. Its derivatives estimate those of the motion if the noise is
/// white.
#[derive(Clone, Debug, PartialEq)]
pub struct SmoothingSpline {
    t: Vec<f64>,
    /// Values at the samples.
    value: Vec<f64>,
    /// Second derivatives at the samples.
    bend: Vec<f64>,
    /// Weight λ of the curvature \[s³\].
    pub lambda: f64,
    /// Mean square of the residual in generalised cross-validation, `n·Σw·r²/(n − freedom)²`.
    pub score: f64,
    /// Effective number of parameters: the trace of the smoothing matrix, from 2 (a line) to n.
    pub effective_parameters: f64,
}

impl SmoothingSpline {
    /// Smooths samples at times `t`, with weight `lambda` of the curvature. Sample weights are one if there are none.
    pub fn smooth(t: &[f64], x: &[f64], weights: Option<&[f64]>, lambda: f64) -> Result<Self, NumericsError> {
        positive("lambda", lambda)?;
        Ok(Smoother::new(t, x, weights)?.solve(lambda))
    }

    /// The same with λ by generalised cross-validation (Craven1979). The noise must be white: autocorrelated noise is taken for
    /// motion.
    pub fn smooth_auto(t: &[f64], x: &[f64], weights: Option<&[f64]>) -> Result<Self, NumericsError> {
        let smoother = Smoother::new(t, x, weights)?;
        // From interpolation to a straight line, or to a cut-off of about 1/1000 of the sampling rate, beyond which the
        // equations are ill-conditioned: decimate slower motions first.
        let n = x.len() as f64;
        let unit = ((t[t.len() - 1] - t[0]) / (n - 1.0)).powi(3);
        let top = (4.0 * n.log10() + 1.0).min(12.0);
        let count = (top + 4.0).ceil() as usize;
        let decade = |k: f64| unit * 10.0_f64.powf(-4.0 + k * (top + 4.0) / count as f64);
        let score = |k: f64| smoother.score(decade(k));
        let scores: Vec<f64> = (0..=count).map(|k| score(k as f64)).collect();
        let best = (0..=count).min_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap_or(0) as f64;
        let k = golden_section(score, (best - 1.0).max(0.0), (best + 1.0).min(count as f64), 1e-3);
        Ok(smoother.solve(decade(k)))
    }

    /// Value, first and second derivative at time `t`; linear extrapolation beyond the ends.
    pub fn at(&self, t: f64) -> [f64; 3] {
        let last = self.t.len() - 1;
        let k = self.t.partition_point(|s| *s <= t).clamp(1, last) - 1;
        let h = self.t[k + 1] - self.t[k];
        let inside = t.clamp(self.t[k], self.t[k + 1]);
        let (a, b) = ((self.t[k + 1] - inside) / h, (inside - self.t[k]) / h);
        let (from, to) = (self.bend[k], self.bend[k + 1]);
        let value =
            a * self.value[k] + b * self.value[k + 1] + h * h / 6.0 * ((a * a * a - a) * from + (b * b * b - b) * to);
        let slope =
            (self.value[k + 1] - self.value[k]) / h + h / 6.0 * ((3.0 * b * b - 1.0) * to - (3.0 * a * a - 1.0) * from);
        let bend = if inside == t { a * from + b * to } else { 0.0 };
        [value + slope * (t - inside), slope, bend]
    }

    /// Values at the samples.
    pub fn values(&self) -> &[f64] {
        &self.value
    }
}

/// Golden-section search: the minimum of a unimodal `f` in `[a, b]`, to `tolerance`.
fn golden_section(f: impl Fn(f64) -> f64, mut a: f64, mut b: f64, tolerance: f64) -> f64 {
    let ratio = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut c, mut d) = (b - ratio * (b - a), a + ratio * (b - a));
    let (mut at_c, mut at_d) = (f(c), f(d));
    while b - a > tolerance {
        if at_c <= at_d {
            (b, d, at_d) = (d, c, at_c);
            c = b - ratio * (b - a);
            at_c = f(c);
        } else {
            (a, c, at_c) = (c, d, at_d);
            d = a + ratio * (b - a);
            at_d = f(d);
        }
    }
    0.5 * (a + b)
}

/// Reinsch's equations `(R + λ·QᵀW⁻¹Q)·γ = Qᵀx`, `f = x − λ·W⁻¹Qγ`, five bands wide (Reinsch1967).
struct Smoother<'a> {
    t: &'a [f64],
    x: &'a [f64],
    /// 1/w.
    inverse: Vec<f64>,
    /// The three entries of each column of Q.
    q: Vec<[f64; 3]>,
    /// Bands of R and of QᵀW⁻¹Q: diagonal, and the two above.
    r: Vec<[f64; 3]>,
    s: Vec<[f64; 3]>,
    /// Qᵀx.
    right: Vec<f64>,
}

impl<'a> Smoother<'a> {
    fn new(t: &'a [f64], x: &'a [f64], weights: Option<&[f64]>) -> Result<Self, NumericsError> {
        enough_samples("samples", x, 4)?;
        same_length("times", t.len(), x.len())?;
        increasing(t)?;
        let inverse = match weights {
            None => vec![1.0; x.len()],
            Some(w) => {
                same_length("weights", w.len(), x.len())?;
                w.iter().try_for_each(|w| positive("weight", *w))?;
                w.iter().map(|w| 1.0 / w).collect()
            }
        };
        let h: Vec<f64> = t.windows(2).map(|t| t[1] - t[0]).collect();
        let q: Vec<[f64; 3]> = h.windows(2).map(|h| [1.0 / h[0], -1.0 / h[0] - 1.0 / h[1], 1.0 / h[1]]).collect();
        let m = q.len();
        let v = &inverse;
        let mut r = vec![[0.0; 3]; m];
        let mut s = vec![[0.0; 3]; m];
        for j in 0..m {
            r[j] = [(h[j] + h[j + 1]) / 3.0, h[j + 1] / 6.0, 0.0];
            s[j][0] = (0..3).map(|k| q[j][k] * q[j][k] * v[j + k]).sum();
            if j + 1 < m {
                s[j][1] = q[j][1] * q[j + 1][0] * v[j + 1] + q[j][2] * q[j + 1][1] * v[j + 2];
            }
            if j + 2 < m {
                s[j][2] = q[j][2] * q[j + 2][0] * v[j + 2];
            }
        }
        let right = (0..m).map(|j| (x[j + 2] - x[j + 1]) / h[j + 1] - (x[j + 1] - x[j]) / h[j]).collect();
        Ok(Self { t, x, inverse, q, r, s, right })
    }

    /// `LDLᵀ` of the matrix: for each row D, and the two entries of L below it.
    fn factors(&self, lambda: f64) -> Vec<[f64; 3]> {
        let m = self.q.len();
        let mut f = vec![[0.0; 3]; m];
        for j in 0..m {
            let a: [f64; 3] = std::array::from_fn(|k| self.r[j][k] + lambda * self.s[j][k]);
            let (mut d, mut l) = (a[0], a[1]);
            if j > 0 {
                d -= f[j - 1][0] * f[j - 1][1] * f[j - 1][1];
                l -= f[j - 1][0] * f[j - 1][1] * f[j - 1][2];
            }
            if j > 1 {
                d -= f[j - 2][0] * f[j - 2][2] * f[j - 2][2];
            }
            f[j] = [d, l / d, a[2] / d];
        }
        f
    }

    /// Second derivatives at the inner samples, and the trace of `λ·W⁻¹Q·B⁻¹·Qᵀ`: n minus the effective number of parameters.
    fn bend(&self, lambda: f64) -> (Vec<f64>, f64) {
        let f = self.factors(lambda);
        let m = f.len();
        let mut g = self.right.clone();
        for j in 1..m {
            g[j] -= f[j - 1][1] * g[j - 1] + if j > 1 { f[j - 2][2] * g[j - 2] } else { 0.0 };
        }
        // the bands of the inverse, from the last row upwards (Hutchinson1985)
        let mut inverse = vec![[0.0; 3]; m];
        let mut rest = 0.0;
        for j in (0..m).rev() {
            let [d, l1, l2] = f[j];
            let next = |k: usize, band: usize| if j + k < m { inverse[j + k][band] } else { 0.0 };
            let b1 = -l1 * next(1, 0) - l2 * next(1, 1);
            let b2 = -l1 * next(1, 1) - l2 * next(2, 0);
            let below = |k: usize| if j + k < m { g[j + k] } else { 0.0 };
            let solved = g[j] / d - l1 * below(1) - l2 * below(2);
            g[j] = solved;
            inverse[j] = [1.0 / d - l1 * b1 - l2 * b2, b1, b2];
            let s = self.s[j];
            rest += s[0] * inverse[j][0] + 2.0 * (s[1] * b1 + s[2] * b2);
        }
        (g, lambda * rest)
    }

    /// Residuals `x − f = λ·W⁻¹Qγ`.
    fn residual(&self, lambda: f64, bend: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.x.len()];
        for (j, (q, g)) in self.q.iter().zip(bend).enumerate() {
            (0..3).for_each(|k| out[j + k] += lambda * q[k] * g);
        }
        out.iter_mut().zip(&self.inverse).for_each(|(r, v)| *r *= v);
        out
    }

    fn rate(&self, residual: &[f64], rest: f64) -> f64 {
        let sum: f64 = residual.iter().zip(&self.inverse).map(|(r, v)| r * r / v).sum();
        sum * self.x.len() as f64 / (rest * rest)
    }

    fn score(&self, lambda: f64) -> f64 {
        let (bend, rest) = self.bend(lambda);
        let score = self.rate(&self.residual(lambda, &bend), rest);
        if score.is_finite() { score } else { f64::INFINITY }
    }

    fn solve(&self, lambda: f64) -> SmoothingSpline {
        let (inner, rest) = self.bend(lambda);
        let residual = self.residual(lambda, &inner);
        let value = self.x.iter().zip(&residual).map(|(x, r)| x - r).collect();
        let mut bend = vec![0.0];
        bend.extend(&inner);
        bend.push(0.0);
        let effective_parameters = self.x.len() as f64 - rest;
        SmoothingSpline {
            t: self.t.to_vec(),
            value,
            bend,
            lambda,
            score: self.rate(&residual, rest),
            effective_parameters,
        }
    }
}
