//! Global minimisation in a unit box: a Halton sequence, then coordinate descent from the best points.
use crate::parallel;

/// Effort of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchEffort {
    /// Number of points of the Halton sequence.
    pub points: u32,
    /// Number of best points from which the descent starts.
    pub starts: usize,
    /// Number of halvings of the step.
    pub halvings: u32,
    /// Whether the largest family, with eight parameters, is searched, too.
    pub largest_family: bool,
}

impl SearchEffort {
    /// For one law.
    pub const FULL: Self = Self { points: 600, starts: 4, halvings: 7, largest_family: true };
    /// For all laws, or where a proof exists.
    pub const QUICK: Self = Self { points: 300, starts: 3, halvings: 4, largest_family: false };
}

/// Bases of the sequence, one for each axis: the first primes.
const PRIMES: [u32; 8] = [2, 3, 5, 7, 11, 13, 17, 19];

/// Halton sequence: coordinate of point `k` with base `base`, between 0 and 1.
fn halton(mut k: u32, base: u32) -> f64 {
    let (mut part, mut sum) = (1.0, 0.0);
    while k > 0 {
        part /= f64::from(base);
        sum += part * f64::from(k % base);
        k /= base;
    }
    sum
}

/// The minimiser of `f` in the unit box with the given number of dimensions (at most eight), and the minimum.
/// Points and descents run on all processors; the result does not depend on their number.
pub fn minimise(axes: usize, effort: &SearchEffort, f: impl Fn(&[f64]) -> f64 + Sync) -> (Vec<f64>, f64) {
    let axes = axes.min(PRIMES.len());
    let points: Vec<Vec<f64>> =
        (1..=effort.points).map(|k| PRIMES[..axes].iter().map(|&base| halton(k, base)).collect::<Vec<f64>>()).collect();
    let values = parallel::map(&points, |at| f(at));
    let mut tried: Vec<(Vec<f64>, f64)> = points.into_iter().zip(values).collect();
    tried.sort_by(|a, b| a.1.total_cmp(&b.1));
    tried.truncate(effort.starts);
    let found = parallel::map(&tried, |(at, value)| {
        let (mut at, mut value) = (at.clone(), *value);
        let mut step = 0.1;
        for _ in 0..effort.halvings {
            // while it improves, at most eight times
            for _ in 0..8 {
                let before = value;
                for axis in 0..axes {
                    for sign in [1.0, -1.0] {
                        let mut other = at.clone();
                        other[axis] = (other[axis] + sign * step).clamp(0.0, 1.0);
                        let there = f(&other);
                        if there < value {
                            (at, value) = (other, there);
                            break;
                        }
                    }
                }
                if value >= before {
                    break;
                }
            }
            step *= 0.5;
        }
        (at, value)
    });
    found.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((vec![0.5; axes], f64::INFINITY))
}

#[cfg(test)]
mod tests {
    use super::{SearchEffort, minimise};

    /// One narrow minimum among shallow ones, in five dimensions.
    #[test]
    fn the_global_minimum_is_found() {
        let at = [0.3, 0.7, 0.2, 0.9, 0.55];
        let f = |x: &[f64]| {
            let off: f64 = x.iter().zip(at).map(|(x, a)| (x - a) * (x - a)).sum();
            -(-off / 0.05).exp() - 0.3 * (20.0 * x[0]).cos() * 0.1
        };
        let (x, value) = minimise(5, &SearchEffort::FULL, f);
        // the deepest valley is 1.03 deep; to be off by 0.01 in each number costs 0.01 of that
        assert!(value < -1.01, "{value}");
        // a step of 0.1 halved seven times
        assert!(x.iter().zip(at).skip(1).all(|(x, a)| (x - a).abs() < 0.01), "{x:?}");
    }
}
