//! Fewer points that give the same curve.
//!
//! A measured curve comes with thousands of rows, and a program of a law evaluates every interval of a curve. The curve between points is cubic, so that
//! points need to be close only where it bends. Beginning with the ends, the row that is farthest from the curve is added in every
//! interval in which it is far, until all rows are near the curve or there are as many points as a curve may have; of all curves on the way, that is taken to
//! which the rows are nearest. The points are rows themselves, so the curve through them has no extremum that the rows do not have.
use super::curve::Curve;

/// A deviation, relative to the largest value, below which no more rows are added: far below what friction is measured to.
const NEAR: f64 = 1e-5;

/// The largest deviation, relative to the largest value, with which a curve may stand for its rows. Friction is hardly measured to a
/// thousandth, and seldom the same twice to a hundredth.
pub(super) const ALLOWED: f64 = 1e-3;

/// The rows that are kept, at most `most`, and the largest deviation of the others from the curve through them. The arguments rise, and there are two
/// at least.
pub(super) fn reduce(at: &[f64], value: &[f64], most: usize) -> (Vec<usize>, f64) {
    let size = value.iter().fold(0.0, |size: f64, y| size.max(y.abs()));
    let mut kept = vec![0, at.len() - 1];
    let mut best = (kept.clone(), f64::INFINITY);
    loop {
        let curve = Curve::through(kept.iter().map(|k| at[*k]).collect(), kept.iter().map(|k| value[*k]).collect());
        let mut far: Vec<(f64, usize)> = kept
            .windows(2)
            .enumerate()
            .filter_map(|(interval, ends)| {
                let deviation = |k: usize| (value[k] - curve.within(interval, at[k])).abs();
                (ends[0] + 1..ends[1]).map(|k| (deviation(k), k)).max_by(|a, b| a.0.total_cmp(&b.0))
            })
            .collect();
        far.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        let farthest = far.first().map_or(0.0, |(deviation, _)| *deviation);
        // rows that are rounded do not come nearer for ever: points close to each other have slopes of the rounding
        if farthest < best.1 {
            best = (kept.clone(), farthest);
        }
        if farthest <= NEAR * size || kept.len() == most {
            return best;
        }
        // those that are near the farthest: an interval that is divided first leaves the others as they are, but for its neighbours
        let chosen = far.iter().filter(|(deviation, _)| *deviation >= 0.25 * farthest);
        kept.extend(chosen.take(most - kept.len()).map(|(_, k)| *k));
        kept.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::reduce;
    use crate::law_file::curve::{Curve, MAX_POINTS};

    /// A Stribeck curve of a million rows: the curve through a few of them is within a hundred-thousandth of all.
    #[test]
    fn a_million_rows_become_few_points() {
        let at: Vec<f64> = (0..1_000_000).map(|k| 1e-6 * f64::from(k)).collect();
        let force = |v: f64| 1.0 + 0.5 * (-(v / 0.01).powi(2)).exp() + 0.4 * v;
        let value: Vec<f64> = at.iter().map(|v| force(*v)).collect();
        let (kept, deviation) = reduce(&at, &value, MAX_POINTS);
        assert!(kept.len() < MAX_POINTS && deviation <= 1.5e-5, "{} {deviation}", kept.len());
        let curve = Curve::through(kept.iter().map(|k| at[*k]).collect(), kept.iter().map(|k| value[*k]).collect());
        // what is told is what all rows have
        let worst = at.iter().zip(&value).map(|(v, f)| (curve.at(*v) - f).abs()).fold(0.0, f64::max);
        assert!((worst - deviation).abs() < 1e-15, "{worst} {deviation}");
    }

    /// Steps between rows need a point at each of their ends, and nothing between.
    #[test]
    fn a_stair_keeps_its_corners() {
        let at: Vec<f64> = (0..4000).map(f64::from).collect();
        let value: Vec<f64> = at.iter().map(|x| (x / 1000.0).floor()).collect();
        let (kept, deviation) = reduce(&at, &value, MAX_POINTS);
        assert_eq!(deviation, 0.0);
        assert!([0, 999, 1000, 1999, 2000, 2999, 3000, 3999].iter().all(|k| kept.contains(k)), "{kept:?}");
        assert!(kept.len() < 40, "{kept:?}");
    }

    /// Rows that scatter are not on any curve of so few points.
    #[test]
    fn rows_that_scatter_stay_far() {
        let at: Vec<f64> = (0..5000).map(f64::from).collect();
        let value: Vec<f64> = (0..5000).map(|k| 1.0 + 0.02 * f64::from(k % 7) / 7.0).collect();
        let (kept, deviation) = reduce(&at, &value, MAX_POINTS);
        assert!(deviation > 5e-3, "{} {deviation}", kept.len());
    }
}
