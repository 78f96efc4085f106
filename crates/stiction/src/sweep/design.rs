//! Experimental designs: grids and random designs. Every point is a function of its index alone.
use super::hash::{hash, shuffle, unit};
use super::sobol::{self, Direction};
use super::{SweepAxis, SweepError};
use std::fmt::{self, Display, Formatter};

/// Most points of a sweep: a list of its chunks, of two thousand points each, still fits into memory.
const MAX_POINTS: u64 = 100_000_000_000;

/// Most values of an axis of a grid that are kept.
const MAX_KEPT: u64 = 1 << 16;

/// The design of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Design {
    /// All combinations; the last axis varies fastest.
    Grid,
    /// Random points.
    Random {
        /// How they are drawn.
        kind: SamplingMethod,
        /// How many.
        points: u64,
        /// The seed.
        seed: u64,
    },
}

/// How random points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SamplingMethod {
    /// Scrambled Sobol sequence: low discrepancy in all dimensions.
    #[default]
    Sobol,
    /// A Latin hypercube (McKay1979): every axis is divided into as many slices as there are points, with one point in
    /// each.
    Latin,
    /// Independent uniform points.
    Uniform,
}

impl SamplingMethod {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Sobol, Self::Latin, Self::Uniform];
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sobol => "sobol",
            Self::Latin => "latin",
            Self::Uniform => "uniform",
        }
    }
}

impl Display for Design {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grid => f.write_str("grid"),
            Self::Random { kind, points, seed } => write!(f, "{} {points} seed {seed}", kind.name()),
        }
    }
}

/// A design with the data for computing any of its points.
#[derive(Clone, Debug)]
pub(super) struct DesignPoints {
    design: Design,
    /// How many.
    pub count: u64,
    directions: Vec<Direction>,
    /// The values of each axis of a grid; none for an axis with too many to keep.
    values: Vec<Vec<f64>>,
}

impl DesignPoints {
    /// The points of a design over these axes.
    pub fn new(design: Design, axes: &[SweepAxis]) -> Result<Self, SweepError> {
        let range = |axis: &SweepAxis, why| SweepError::InvalidRange {
            name: axis.name.clone(),
            text: axis.distribution.to_string(),
            why,
        };
        let count = match design {
            Design::Grid => {
                let mut count = 1_u64;
                for axis in axes {
                    let lacks = "a grid needs a number of values, lo:hi:n; or draw points with --random N";
                    let n = axis.distribution.count().ok_or_else(|| range(axis, lacks))?;
                    count = count.checked_mul(n).filter(|n| *n <= MAX_POINTS).ok_or(SweepError::TooManyPoints)?;
                }
                count
            }
            Design::Random { kind: SamplingMethod::Sobol, points, .. } if points > sobol::MAX_POINTS => {
                return Err(SweepError::TooManyPoints);
            }
            Design::Random { kind: SamplingMethod::Sobol, .. } if axes.len() > sobol::MAX_DIMENSIONS => {
                return Err(SweepError::TooManyAxes { axes: axes.len(), most: sobol::MAX_DIMENSIONS });
            }
            Design::Random { points, .. } if points > MAX_POINTS => {
                return Err(SweepError::TooManyPoints);
            }
            Design::Random { points, .. } => points,
        };
        let sobol = matches!(design, Design::Random { kind: SamplingMethod::Sobol, .. });
        let directions = (0..if sobol { axes.len() } else { 0 }).map(Direction::new).collect();
        let kept = |axis: &SweepAxis| {
            let n = axis.distribution.count().filter(|n| design == Design::Grid && *n <= MAX_KEPT);
            (0..n.unwrap_or(0)).map(|i| axis.distribution.at(i)).collect()
        };
        Ok(Self { design, count, directions, values: axes.iter().map(kept).collect() })
    }
    /// The values of point number `i`.
    pub fn values(&self, axes: &[SweepAxis], i: u64) -> Vec<f64> {
        let Design::Random { kind, points, seed } = self.design else {
            let mut rest = i;
            let mut values: Vec<f64> = axes
                .iter()
                .zip(&self.values)
                .rev()
                .map(|(axis, kept)| {
                    let n = axis.distribution.count().unwrap_or(1).max(1);
                    let k = rest % n;
                    let value = kept.get(k as usize).copied().unwrap_or_else(|| axis.distribution.at(k));
                    rest /= n;
                    value
                })
                .collect();
            values.reverse();
            return values;
        };
        let unit = |d: usize| {
            let key = hash(&[seed, d as u64]);
            match kind {
                SamplingMethod::Sobol => self.directions[d].at(i, key),
                SamplingMethod::Latin => (shuffle(i, points, key) as f64 + unit(hash(&[key, i]))) / points as f64,
                SamplingMethod::Uniform => unit(hash(&[key, i])),
            }
        };
        // rounding may reach the end of a slice
        let inside = |u: f64| u.clamp(f64::EPSILON / 4.0, 1.0 - f64::EPSILON / 2.0);
        axes.iter().enumerate().map(|(d, axis)| axis.distribution.quantile(inside(unit(d)))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Design, DesignPoints, SamplingMethod, SweepAxis};
    use crate::sweep::Distribution;

    fn axes(texts: &[&str]) -> Vec<SweepAxis> {
        let axis = |text: &&str| SweepAxis {
            name: "a".into(),
            path: "a".into(),
            unit: String::new(),
            distribution: Distribution::parse(text).unwrap(),
        };
        texts.iter().map(axis).collect()
    }

    #[test]
    fn a_grid_has_every_combination_once() {
        let axes = axes(&["1:3:3", "10,20"]);
        let points = DesignPoints::new(Design::Grid, &axes).unwrap();
        let all: Vec<_> = (0..points.count).map(|i| points.values(&axes, i)).collect();
        assert_eq!(all, [[1.0, 10.0], [1.0, 20.0], [2.0, 10.0], [2.0, 20.0], [3.0, 10.0], [3.0, 20.0]]);
        assert!(DesignPoints::new(Design::Grid, &self::axes(&["0:1"])).is_err());
        assert!(DesignPoints::new(Design::Grid, &self::axes(&["0:1:1e10", "0:1:1e10"])).is_err());
    }

    #[test]
    fn a_latin_hypercube_has_one_point_in_every_slice() {
        let axes = axes(&["0:100", "0:100", "log:1:100"]);
        let points =
            DesignPoints::new(Design::Random { kind: SamplingMethod::Latin, points: 100, seed: 3 }, &axes).unwrap();
        for d in 0..2 {
            let mut slices: Vec<u64> = (0..100).map(|i| points.values(&axes, i)[d] as u64).collect();
            assert!(!slices.is_sorted());
            slices.sort_unstable();
            assert_eq!(slices, (0..100).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_seed_is_a_design() {
        let axes = axes(&["0:1", "normal:0:1"]);
        for kind in SamplingMethod::ALL {
            let at = |seed, i| {
                DesignPoints::new(Design::Random { kind, points: 1000, seed }, &axes).unwrap().values(&axes, i)
            };
            assert_eq!(at(1, 7), at(1, 7));
            assert_ne!(at(1, 7), at(2, 7));
            // the mean of 1000 is within 5 deviations of it, sqrt(1/12/1000) and sqrt(1/1000)
            let mean = |d: usize| (0..1000).map(|i| at(1, i)[d]).sum::<f64>() / 1000.0;
            assert!((mean(0) - 0.5).abs() < 0.046 && mean(1).abs() < 0.16, "{kind:?}");
        }
    }
}
