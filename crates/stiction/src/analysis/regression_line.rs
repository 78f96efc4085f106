//! A straight line through points.

/// `y ≈ level + slope·x`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineFit {
    /// Slope.
    pub slope: f64,
    /// Value at x = 0.
    pub level: f64,
    /// Root mean square of the residuals.
    pub rest: f64,
}

/// The least-squares line; none for fewer than two different x.
pub fn fit_line(points: &[(f64, f64)]) -> Option<LineFit> {
    let n = points.len() as f64;
    let [x, y] = [points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n];
    let xx: f64 = points.iter().map(|p| (p.0 - x) * (p.0 - x)).sum();
    let xy: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    if points.len() < 2 || xx <= 0.0 || !xy.is_finite() {
        return None;
    }
    let (slope, level) = (xy / xx, y - xy / xx * x);
    let rest = points.iter().map(|p| (p.1 - level - slope * p.0).powi(2)).sum::<f64>() / n;
    Some(LineFit { slope, level, rest: rest.sqrt() })
}

#[cfg(test)]
mod tests {
    use super::fit_line;

    #[test]
    fn a_line_is_found_and_a_point_is_none() {
        // by hand: through (0, 1), (1, 2), (2, 4) the slope is 3/2 and the mean 7/3
        let line = fit_line(&[(0.0, 1.0), (1.0, 2.0), (2.0, 4.0)]).unwrap();
        // by hand: rounding
        assert!((line.slope - 1.5).abs() < 1e-15 && (line.level - 5.0 / 6.0).abs() < 1e-15);
        assert!((line.rest - (1.0_f64 / 18.0).sqrt()).abs() < 1e-15);
        assert!(fit_line(&[(1.0, 2.0)]).is_none() && fit_line(&[(1.0, 2.0), (1.0, 3.0)]).is_none());
    }
}
