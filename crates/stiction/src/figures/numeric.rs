//! Loop areas, integrals and roots.
use crate::Error;
use std::f64::consts::TAU;

/// The root of `f` between two points of different sign, by bisection to rounding.
pub(super) fn root(lo: f64, hi: f64, mut f: impl FnMut(f64) -> f64) -> f64 {
    let rises = f(lo) < f(hi);
    let found = edge(lo, hi, 0.0, |x| Ok((f(x) > 0.0) == rises));
    found.unwrap_or(f64::NAN)
}

/// The point between `lo` (false) and `hi` (true) at which `yes` changes, by bisection to a relative width of `close`.
pub(super) fn edge(
    mut lo: f64,
    mut hi: f64,
    close: f64,
    mut yes: impl FnMut(f64) -> Result<bool, Error>,
) -> Result<f64, Error> {
    loop {
        let middle = f64::midpoint(lo, hi);
        if middle == lo || middle == hi || (hi - lo).abs() <= close * middle.abs() {
            return Ok(middle);
        }
        if yes(middle)? {
            hi = middle;
        } else {
            lo = middle;
        }
    }
}

/// The area ∮ y dx of a smooth closed loop from points evenly spaced in time over one period, the last before the first
/// comes again. By Fourier series: the error falls faster than any power of their number.
pub(super) fn loop_area(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let wave = |k: usize, value: fn(&(f64, f64)) -> f64| {
        points.iter().enumerate().fold((0.0, 0.0), |(c, s), (i, point)| {
            let angle = TAU * ((i * k) % points.len()) as f64 / n;
            (c + value(point) * angle.cos(), s + value(point) * angle.sin())
        })
    };
    // x = a cos + b sin has the derivative k (b cos − a sin); the mean of y x' over a period of 2π, times 2π
    let term = |k: usize| {
        let ((xc, xs), (yc, ys)) = (wave(k, |p| p.0), wave(k, |p| p.1));
        k as f64 * (yc * xs - ys * xc)
    };
    2.0 * TAU / (n * n) * (1..points.len().div_ceil(2)).map(term).sum::<f64>()
}

/// ∫ y dx along points with rising x, of fourth order between `breaks`, places where y or its slope may jump.
pub(super) fn integral(points: &[(f64, f64)], breaks: &[f64]) -> f64 {
    let breaks_at = |x: f64| breaks.iter().any(|at| (at - x).abs() <= 1e-12 * x.abs());
    points
        .chunk_by(|a, _| !breaks_at(a.0))
        .fold((0.0, None), |(sum, last): (f64, Option<(f64, f64)>), piece| {
            // a break belongs to both sides
            let piece: Vec<_> = last.into_iter().chain(piece.iter().copied()).collect();
            (sum + smooth(&piece), piece.last().copied())
        })
        .0
}

/// Between two points the cubic through them and one neighbour on each side; at the ends two on one side.
fn smooth(points: &[(f64, f64)]) -> f64 {
    let mut points = points.to_vec();
    points.dedup_by(|b, a| b.0 <= a.0);
    let n = points.len();
    if n < 4 {
        return points.windows(2).map(|p| 0.5 * (p[1].0 - p[0].0) * (p[0].1 + p[1].1)).sum();
    }
    let piece = |i: usize| {
        let four = &points[i.clamp(1, n - 3) - 1..][..4];
        let (a, b) = (points[i].0, points[i + 1].0);
        // two-point Gauss: exact for a cubic
        let (mid, half) = (f64::midpoint(a, b), 0.5 * (b - a));
        let node = half / 3.0_f64.sqrt();
        half * (lagrange(four, mid - node) + lagrange(four, mid + node))
    };
    (0..n - 1).map(piece).sum()
}

fn lagrange(points: &[(f64, f64)], x: f64) -> f64 {
    let weight = |i: usize| {
        let others = points.iter().enumerate().filter(|(k, _)| *k != i);
        others.map(|(_, other)| (x - other.0) / (points[i].0 - other.0)).product::<f64>()
    };
    (0..points.len()).map(|i| points[i].1 * weight(i)).sum()
}

#[cfg(test)]
mod tests {
    use super::{edge, integral, loop_area, root};
    use std::f64::consts::{PI, TAU};

    #[test]
    fn an_ellipse_has_its_area() {
        // about (2, 5) with half axes 3 and 0.25; x = 3 cos t runs against the clock: ∮ y dx < 0
        let points: Vec<_> =
            (0..33).map(|k| f64::from(k) * TAU / 33.0).map(|t| (2.0 + 3.0 * t.cos(), 5.0 + 0.25 * t.sin())).collect();
        // rounding of 33 terms of size 15
        assert!((loop_area(&points) + PI * 0.75).abs() < 1e-13);
    }

    #[test]
    fn an_integral_of_pieces() {
        // |x| from −1 to 2 is 2.5, exactly if cut at the kink; points are not evenly spaced
        let points: Vec<_> = (0..=40)
            .map(|k| -1.0 + 3.0 * (f64::from(k) / 40.0).powf(1.3))
            .map(|x| (x, x.abs()))
            .chain([(0.0, 0.0)])
            .collect();
        let mut points = points;
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        // exact on pieces: rounding of forty terms
        assert!((integral(&points, &[0.0]) - 2.5).abs() < 1e-13, "{}", integral(&points, &[0.0]));
        let waves: Vec<_> = (0..=1000).map(|k| f64::from(k) * 1e-3 * PI).map(|x| (x, x.sin())).collect();
        // h^4/120 of a length of 2
        assert!((integral(&waves, &[]) - 2.0).abs() < 1e-11);
    }

    #[test]
    fn edges_and_roots() {
        // to the last bit; an edge is located as closely as it is told
        assert!((root(0.0, 4.0, |x| 2.0 - x * x) - 2.0_f64.sqrt()).abs() < 1e-15);
        let found = edge(1.0, 0.0, 1e-9, |x| Ok(x < 0.3)).expect("an edge");
        assert!((found - 0.3).abs() < 1e-9);
    }
}
