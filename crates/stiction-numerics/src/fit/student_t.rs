//! Student's distribution: how wide an interval must be.

/// The value that Student's variable with `freedom` degrees of freedom exceeds with probability `1 − p`. Normal for
/// freedom without end. NaN unless 0 < p < 1 and freedom is above zero.
pub fn student_t_quantile(p: f64, freedom: f64) -> f64 {
    let known = p > 0.0 && p < 1.0 && freedom > 0.0;
    if !known {
        return f64::NAN;
    }
    if p < 0.5 {
        return -student_t_quantile(1.0 - p, freedom);
    }
    // beyond this the distribution is normal to eight digits
    let freedom = freedom.min(1e8);
    // bisection in t = tan(angle), which is bounded
    let (mut low, mut high) = (0.0, std::f64::consts::FRAC_PI_2);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if 1.0 - upper(f64::tan(middle), freedom) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::tan(0.5 * (low + high))
}

/// The probability beyond `t > 0`: half of the incomplete beta function at `ν/(ν + t²)`.
fn upper(t: f64, freedom: f64) -> f64 {
    0.5 * beta(freedom / (freedom + t * t), t * t / (freedom + t * t), 0.5 * freedom, 0.5)
}

/// The incomplete beta function at `x`, `y = 1 − x`, by its continued fraction.
fn beta(x: f64, y: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || y <= 0.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta(y, x, b, a);
    }
    // x^a with x near one: the logarithm from y
    let log = |z: f64, w: f64| if z > 0.5 { (-w).ln_1p() } else { z.ln() };
    let front = (a * log(x, y) + b * log(y, x) + ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b)).exp() / a;
    let safe = |z: f64| if z.abs() < 1e-300 { 1e-300 } else { z };
    let (mut c, mut d) = (1.0, 1.0 / safe(1.0 - (a + b) * x / (a + 1.0)));
    let mut sum = d;
    for k in 1..100_000 {
        let m = f64::from(k);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for step in [even, odd] {
            d = 1.0 / safe(1.0 + step * d);
            c = safe(1.0 + step / c);
            change = c * d;
            sum *= change;
        }
        if (change - 1.0).abs() < 1e-16 {
            break;
        }
    }
    front * sum
}

/// The logarithm of the gamma function: Stirling's series, after moving up to where it holds.
fn ln_gamma(x: f64) -> f64 {
    let (mut z, mut product) = (x, 1.0);
    while z < 15.0 {
        product *= z;
        z += 1.0;
    }
    let w = 1.0 / (z * z);
    let series = (1.0 / 12.0 - w * (1.0 / 360.0 - w * (1.0 / 1260.0 - w * (1.0 / 1680.0 - w / 1188.0)))) / z;
    (z - 0.5) * z.ln() - z + 0.5 * std::f64::consts::TAU.ln() + series - product.ln()
}

#[cfg(test)]
mod tests {
    use super::student_t_quantile;

    #[test]
    fn closed_forms_and_tables() {
        // one degree: tan(π(p − ½)); two: (2p − 1)·√(2/(4p(1 − p))); the normal value of 97.5 %
        let cauchy = (std::f64::consts::PI * 0.475).tan();
        let two = 0.95 * (2.0_f64 / (4.0 * 0.975 * 0.025)).sqrt();
        for (freedom, wanted, off) in [(1.0, cauchy, 1e-12), (2.0, two, 1e-12), (1e9, 1.959_963_984_540_054, 1e-7)] {
            let got = student_t_quantile(0.975, freedom);
            // the continued fraction gives 13 digits; 1e8 degrees differ from the normal value by 2e-8
            assert!((got / wanted - 1.0).abs() < off, "{freedom}: {got} for {wanted}");
            assert_eq!(student_t_quantile(0.025, freedom), -student_t_quantile(0.975, freedom));
        }
        assert!(
            student_t_quantile(1.0, 3.0).is_nan()
                && student_t_quantile(0.9, 0.0).is_nan()
                && student_t_quantile(f64::NAN, 3.0).is_nan()
        );
    }
}
