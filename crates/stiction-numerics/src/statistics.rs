//! Quantiles of the normal distribution, of Student's t and of Fisher's F, on the special functions of statrs.
//!
//! ```
//! use stiction_numerics::statistics::{normal_quantile, student_t_quantile};
//!
//! // half the width of a 95 % interval, in standard errors
//! assert!((normal_quantile(0.975) - 1.96).abs() < 1e-3);
//! assert!((student_t_quantile(0.975, 10.0) - 2.228).abs() < 1e-3);
//! ```
use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::beta::beta_reg;

/// The value that a standard normal variable stays below with probability `p`; NaN unless 0 < p < 1.
pub fn normal_quantile(p: f64) -> f64 {
    if p > 0.0 && p < 1.0 { Normal::standard().inverse_cdf(p) } else { f64::NAN }
}

/// The density of the standard normal distribution.
pub fn normal_density(x: f64) -> f64 {
    (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt()
}

/// The probability that a standard normal variable lies between two values.
pub fn normal_share_between(low: f64, high: f64) -> f64 {
    // by symmetry from the side on which the probability is small
    let below = |x: f64| Normal::standard().cdf(x);
    if low > 0.0 { below(-low) - below(-high) } else { below(high) - below(low) }
}

/// The probability that a standard normal variable lies within so many standard deviations of zero.
pub fn normal_share(deviations: f64) -> f64 {
    normal_share_between(-deviations.abs(), deviations.abs())
}

/// The value that Student's variable with this many degrees of freedom stays below with probability `p`; normal for
/// infinitely many. NaN unless 0 < p < 1 and the degrees of freedom are above zero.
///
/// Bisection on the incomplete beta function. `StudentsT::inverse_cdf` of statrs 0.18 is wrong in the fifth digit at a
/// million degrees of freedom and does not return at a hundred million, which long records have.
pub fn student_t_quantile(p: f64, degrees_of_freedom: f64) -> f64 {
    let defined = p > 0.0 && p < 1.0 && degrees_of_freedom > 0.0;
    if !defined {
        return f64::NAN;
    }
    if p < 0.5 {
        return -student_t_quantile(1.0 - p, degrees_of_freedom);
    }
    // beyond this the distribution is normal to eight digits
    let nu = degrees_of_freedom.min(1e8);
    // probability above t > 0
    let tail = |t: f64| 0.5 * beta_reg(0.5 * nu, 0.5, nu / (nu + t * t));
    // in t = tan(angle), since angles are bounded
    let (mut low, mut high) = (0.0, std::f64::consts::FRAC_PI_2);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if tail(f64::tan(middle)) > 1.0 - p {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::tan(0.5 * (low + high))
}

/// The value that Fisher's variable, the ratio of the mean squares of `over` and `under` normal variables, stays below with probability `p`.
/// NaN unless 0 < p < 1 and the degrees of freedom are above zero.
pub fn fisher_f_quantile(p: f64, over: f64, under: f64) -> f64 {
    let defined = p > 0.0 && p < 1.0 && over > 0.0 && under > 0.0;
    if !defined {
        return f64::NAN;
    }
    // beyond this the mean square below is one to four digits of the quantile's deviation from that
    let under = under.min(1e8);
    let below = |share: f64| beta_reg(0.5 * over, 0.5 * under, share);
    // in the share of the sum of squares, which is bounded: share = over·F/(over·F + under)
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if below(middle) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    let share = 0.5 * (low + high);
    under * share / (over * (1.0 - share))
}

#[cfg(test)]
mod tests {
    use super::{fisher_f_quantile, normal_quantile, normal_share, student_t_quantile};

    #[test]
    fn shares_within_deviations_are_those_of_quantiles() {
        for share in [0.5, 0.95, 0.9999] {
            let found = normal_share(normal_quantile(0.5 + 0.5 * share));
            // the distribution and its inverse are rational approximations of statrs, to some eleven digits
            assert!((found - share).abs() < 1e-10, "{found} for {share}");
        }
    }
    #[test]
    fn fisher_agrees_with_closed_forms() {
        // one above: the square of Student's t; two above: (ν/2)·((1 − p)^(−2/ν) − 1)
        for under in [1.0, 7.0, 200.0] {
            let t = student_t_quantile(0.995, under);
            // the quantiles are bisected to 24 digits of a share near zero or one, of which some twelve are left
            assert!((fisher_f_quantile(0.99, 1.0, under) / (t * t) - 1.0).abs() < 1e-9, "{under}");
            let two = 0.5 * under * (0.01_f64.powf(-2.0 / under) - 1.0);
            assert!((fisher_f_quantile(0.99, 2.0, under) / two - 1.0).abs() < 1e-9, "{under}");
        }
        assert!(fisher_f_quantile(0.99, 0.0, 3.0).is_nan());
    }

    #[test]
    fn student_t_agrees_with_closed_forms() {
        // one degree: tan(π(p − ½)); two: (2p − 1)·√(2/(4p(1 − p))); the normal value of 97.5 %
        let cauchy = (std::f64::consts::PI * 0.475).tan();
        let two = 0.95 * (2.0_f64 / (4.0 * 0.975 * 0.025)).sqrt();
        // a million degrees: the normal value and the first term of its expansion, (z³ + z)/4ν
        let z = 1.959_963_984_540_054_f64;
        let million = z + (z * z * z + z) / 4e6;
        let cases = [(1.0, cauchy, 1e-12), (2.0, two, 1e-12), (1e6, million, 1e-10), (1e9, z, 1e-7)];
        for (freedom, wanted, tolerance) in cases {
            let got = student_t_quantile(0.975, freedom);
            // beta_reg has 13 digits for few degrees and 10 for a million; 1e8 degrees differ from the normal value by 2e-8
            assert!((got / wanted - 1.0).abs() < tolerance, "{freedom}: {got} for {wanted}");
            assert_eq!(student_t_quantile(0.025, freedom), -student_t_quantile(0.975, freedom));
        }
        for (p, freedom) in [(1.0, 3.0), (0.9, 0.0), (f64::NAN, 3.0)] {
            assert!(student_t_quantile(p, freedom).is_nan());
        }
    }

    #[test]
    fn normal_quantiles_agree_with_scipy() {
        // scipy 1.17.1, scipy.stats.norm.ppf
        let known = [
            (1e-10, -6.361340902404056),
            (1e-6, -4.753424308822899),
            (1e-3, -3.090232306167813),
            (0.02425, -1.972961051311885),
            (0.3, -0.5244005127080409),
            (0.5, 0.0),
            (0.9, 1.2815515655446004),
            (0.999, 3.090232306167813),
        ];
        for (p, x) in known {
            // a few units in the last place
            assert!((normal_quantile(p) - x).abs() <= 2e-15 * x.abs().max(1.0), "{p}: {}", normal_quantile(p));
        }
        assert!(normal_quantile(0.0).is_nan() && normal_quantile(f64::NAN).is_nan());
    }
}
