//! Loss functions: the square, and robust ones that weigh outliers less.

/// A loss `ρ(u²)` of a residual `u`, in units of a scale. All are `u²` near zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loss {
    /// Plain least squares.
    #[default]
    Square,
    /// Grows like `|u|` beyond the scale.
    Huber,
    /// The same without a kink: `2(√(1 + u²) − 1)`.
    Soft,
    /// Grows like a logarithm.
    Cauchy,
    /// Constant beyond the scale: outliers have no influence. Needs a good start.
    Tukey,
}

impl Loss {
    /// A loss by name: `huber`, `soft`, `cauchy` or `tukey`.
    pub fn find(name: &str) -> Option<Self> {
        match name {
            "huber" => Some(Self::Huber),
            "soft" => Some(Self::Soft),
            "cauchy" => Some(Self::Cauchy),
            "tukey" => Some(Self::Tukey),
            _ => None,
        }
    }
    /// `ρ`, `ρ′`, `ρ″` at `s = u²`.
    pub fn rho(self, s: f64) -> [f64; 3] {
        match self {
            Self::Square => [s, 1.0, 0.0],
            Self::Huber if s <= 1.0 => [s, 1.0, 0.0],
            Self::Huber => [2.0 * s.sqrt() - 1.0, 1.0 / s.sqrt(), -0.5 / (s * s.sqrt())],
            Self::Soft => {
                let t = (1.0 + s).sqrt();
                [2.0 * s / (t + 1.0), 1.0 / t, -0.5 / (t * t * t)]
            }
            Self::Cauchy => [s.ln_1p(), 1.0 / (1.0 + s), -1.0 / ((1.0 + s) * (1.0 + s))],
            Self::Tukey if s <= 1.0 => {
                let t = 1.0 - s;
                [s * (3.0 - 3.0 * s + s * s) / 3.0, t * t, -2.0 * t]
            }
            Self::Tukey => [1.0 / 3.0, 0.0, 0.0],
        }
    }

    /// The scale, in standard deviations of normal noise, at which the estimator has 95 % of the efficiency of least squares; for
    /// [`Loss::Soft`] that of Huber.
    pub fn tuning(self) -> f64 {
        match self {
            Self::Square => 1.0,
            Self::Huber | Self::Soft => 1.345,
            Self::Cauchy => 2.385,
            Self::Tukey => 4.685,
        }
    }

    /// The variance that multiplies `(JᵀJ)⁻¹` for `n` parameters (Huber1981), with his small-sample correction; for squares
    /// `Σr²/(m − n)`. Infinite without degrees of freedom.
    pub(super) fn variance(self, residual: &[f64], scale: f64, n: usize) -> f64 {
        if residual.len() <= n {
            return f64::INFINITY;
        }
        let m = residual.len() as f64;
        let (mut sum, mut slope, mut square) = (0.0, 0.0, 0.0);
        for r in residual {
            let s = (r / scale) * (r / scale);
            let [_, first, second] = self.rho(s);
            sum += first * first * s;
            let change = first + 2.0 * s * second;
            slope += change / m;
            square += change * change / m;
        }
        let spread = (square - slope * slope).max(0.0);
        let small = 1.0 + n as f64 / m * spread / (slope * slope);
        small * small * scale * scale * sum / (m - n as f64) / (slope * slope)
    }
}

/// Robust standard deviation of normal noise, from the median absolute residual: up to half of the residuals may be outliers.
pub(super) fn deviation(residual: &[f64]) -> f64 {
    let mut sizes: Vec<f64> = residual.iter().map(|r| r.abs()).collect();
    if sizes.is_empty() {
        return 0.0;
    }
    let (n, half) = (sizes.len(), sizes.len() / 2);
    let high = *sizes.select_nth_unstable_by(half, f64::total_cmp).1;
    let low = if n % 2 == 1 { high } else { sizes[..half].iter().fold(0.0_f64, |most, x| most.max(*x)) };
    // the median of the absolute value of a normal variable
    0.5 * (low + high) / 0.674_489_750_196_081_7
}
