//! The worst of many: places spread evenly over a box, then downhill along its axes from the best of them.

/// How hard to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchEffort {
    /// Places tried over the whole box.
    pub spread: u32,
    /// Of these, the best from which it goes downhill.
    pub best: usize,
    /// Halvings of the step.
    pub halvings: u32,
    /// The widest box, of eight axes, too.
    pub wide: bool,
}

impl SearchEffort {
    /// For one law.
    pub const FULL: Self = Self { spread: 600, best: 4, halvings: 7, wide: true };
    /// For all of them, or where a proof is at hand.
    pub const QUICK: Self = Self { spread: 300, best: 3, halvings: 4, wide: false };
}

/// Bases of the sequence, one for each axis: the first primes.
const PRIMES: [u32; 8] = [2, 3, 5, 7, 11, 13, 17, 19];

/// Halton's sequence: place `k` on the axis with base `base`, within 0 and 1.
fn halton(mut k: u32, base: u32) -> f64 {
    let (mut part, mut sum) = (1.0, 0.0);
    while k > 0 {
        part /= f64::from(base);
        sum += part * f64::from(k % base);
        k /= base;
    }
    sum
}

/// The place in the unit box of so many axes, at most eight, where `f` is least, and its value there.
pub fn minimise(axes: usize, effort: &SearchEffort, f: impl Fn(&[f64]) -> f64) -> (Vec<f64>, f64) {
    let axes = axes.min(PRIMES.len());
    let mut tried: Vec<(Vec<f64>, f64)> = (1..=effort.spread)
        .map(|k| PRIMES[..axes].iter().map(|&base| halton(k, base)).collect::<Vec<f64>>())
        .map(|at| {
            let value = f(&at);
            (at, value)
        })
        .collect();
    tried.sort_by(|a, b| a.1.total_cmp(&b.1));
    tried.truncate(effort.best);
    for (at, value) in &mut tried {
        let mut step = 0.1;
        for _ in 0..effort.halvings {
            // while it gets better, but not for ever
            for _ in 0..8 {
                let before = *value;
                for axis in 0..axes {
                    for sign in [1.0, -1.0] {
                        let mut other = at.clone();
                        other[axis] = (other[axis] + sign * step).clamp(0.0, 1.0);
                        let there = f(&other);
                        if there < *value {
                            (*at, *value) = (other, there);
                            break;
                        }
                    }
                }
                if *value >= before {
                    break;
                }
            }
            step *= 0.5;
        }
    }
    tried.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((vec![0.5; axes], f64::INFINITY))
}

#[cfg(test)]
mod tests {
    use super::{SearchEffort, minimise};

    /// The one narrow valley among shallow ones, in five dimensions.
    #[test]
    fn the_deepest_valley_is_found() {
        let at = [0.3, 0.7, 0.2, 0.9, 0.55];
        let f = |x: &[f64]| {
            let off: f64 = x.iter().zip(at).map(|(x, a)| (x - a) * (x - a)).sum();
            -(-off / 0.05).exp() - 0.3 * (20.0 * x[0]).cos() * 0.1
        };
        let (x, value) = minimise(5, &SearchEffort::FULL, f);
        assert!(value < -0.97, "{value}");
        // a step of 0.1 halved seven times
        assert!(x.iter().zip(at).skip(1).all(|(x, a)| (x - a).abs() < 0.01), "{x:?}");
    }
}
