//! Force over displacement, split into branches at the reversals.
use super::branch_segments::BranchSegment;
use super::slip_onset::{SlipOnset, find_slip_onset};
use crate::NumericsError;
use crate::analysis::turning_points::turning_points;
use crate::check::enough_samples;
use crate::identify::MotionRecord;
use crate::identify::record::sensor::{largest_noise, noise_deviation, quantisation_step};
use std::ops::Range;

/// Fewest samples of a branch.
pub(super) const BRANCH: usize = 8;

/// The path from one reversal to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// Its samples, including both reversals.
    pub rows: Range<usize>,
    /// 1 or −1.
    pub direction: f64,
    /// Whether it is a virgin curve: the first branch of a record that begins without force.
    pub virgin: bool,
    /// Number of samples before break-away.
    pub presliding_samples: usize,
    /// Break-away force along the direction \[N\]; none without break-away.
    pub breakaway_force: Option<f64>,
    /// Standard error of the break-away force by averaging over a rising force \[N\].
    pub breakaway_error: f64,
}

/// A record as force over displacement.
#[derive(Clone, Debug)]
pub struct HysteresisPath {
    /// Time \[s\].
    pub t: Vec<f64>,
    /// Displacement, monotone within each branch \[m\].
    pub x: Vec<f64>,
    /// Friction \[N\].
    pub force: Vec<f64>,
    /// Rows of the reversals, including the first and the last row.
    pub turns: Vec<usize>,
    /// The branches between them.
    pub branches: Vec<Branch>,
    /// Standard deviations of the noise of displacement and force.
    pub noise: [f64; 2],
    /// Change of direction that counts as a reversal \[m\].
    pub reversal_threshold: f64,
    /// Range of the force \[N\].
    pub range: f64,
    /// Whether the displacement was integrated from the velocity.
    pub integrated: bool,
}

impl HysteresisPath {
    /// The path of a motion.
    ///
    /// # Errors
    /// [`NumericsError`] for an invalid motion, or one with constant displacement or force.
    pub fn new(motion: &MotionRecord) -> Result<Self, NumericsError> {
        motion.check()?;
        enough_samples("samples", &motion.t, 4 * BRANCH)?;
        let force = match motion.mass {
            Some(mass) if mass > 0.0 && !motion.acceleration.is_empty() => motion.friction(mass),
            _ => motion.force.clone(),
        };
        let integrated = motion.position.is_empty();
        let raw = if integrated { travelled(motion) } else { motion.position.clone() };
        let range = span(&force);
        if span(&raw) <= 0.0 {
            return Err(NumericsError::ConstantSignal { what: "displacements" });
        }
        if range <= 0.0 {
            return Err(NumericsError::ConstantSignal { what: "samples of friction" });
        }
        let deviations = [noise_deviation(&raw), noise_deviation(&force)];
        // noise on both sides of a reversal
        let reversal_threshold = 2.0 * largest_noise(&raw) + 1.5 * quantisation_step(&raw);
        let turns = turning_points(&raw, reversal_threshold);
        let x = monotone(&raw, &turns);
        let mut path = Self {
            t: motion.t.clone(),
            x,
            force,
            turns,
            branches: Vec::new(),
            noise: deviations,
            reversal_threshold,
            range,
            integrated,
        };
        path.branches = path.cut();
        Ok(path)
    }
    fn cut(&self) -> Vec<Branch> {
        let mut out: Vec<Branch> = Vec::new();
        // zero force within noise and a small offset
        let free = self.force[0].abs() <= 3.0 * self.noise[1] + 0.02 * self.range;
        for pair in self.turns.windows(2) {
            let rows = pair[0]..pair[1] + 1;
            let direction = (self.x[pair[1]] - self.x[pair[0]]).signum();
            if self.x[pair[1]] != self.x[pair[0]] {
                let SlipOnset { presliding_samples, breakaway_force, breakaway_error } =
                    find_slip_onset(self, &rows, direction);
                out.push(Branch {
                    rows,
                    direction,
                    virgin: out.is_empty() && free,
                    presliding_samples,
                    breakaway_force,
                    breakaway_error,
                });
            }
        }
        out
    }
    /// Segments long enough for a fit.
    pub fn usable(&self) -> Vec<BranchSegment> {
        let long = |w: &BranchSegment| w.z.len() >= BRANCH && span(&w.z) > 2.0 * self.reversal_threshold;
        super::branch_segments::branch_segments(self).into_iter().filter(long).collect()
    }
}

/// Range of values.
pub(super) fn span(x: &[f64]) -> f64 {
    x.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b)) - x.iter().fold(f64::INFINITY, |a, b| a.min(*b))
}

fn travelled(motion: &MotionRecord) -> Vec<f64> {
    let step = motion.step();
    let mut x = 0.0;
    let next = motion.velocity.windows(2).map(|v| {
        x += 0.5 * (v[0] + v[1]) * step;
        x
    });
    std::iter::once(0.0).chain(next).collect()
}

/// The monotone displacement closest to the measured one, for each branch, so that noise causes no reversals. A reversal is
/// the mean of the values from the branches before and after it.
fn monotone(x: &[f64], turns: &[usize]) -> Vec<f64> {
    let mut out = x.to_vec();
    let mut ends: Vec<f64> = vec![f64::NAN; turns.len()];
    for (k, pair) in turns.windows(2).enumerate() {
        let d = if x[pair[1]] >= x[pair[0]] { 1.0 } else { -1.0 };
        let fitted = isotonic(x[pair[0]..=pair[1]].iter().map(|x| d * x));
        for (k, y) in (pair[0]..=pair[1]).zip(&fitted) {
            out[k] = d * y;
        }
        let [first, last] = [d * fitted[0], d * fitted[fitted.len() - 1]];
        ends[k] = if ends[k].is_nan() { first } else { 0.5 * (ends[k] + first) };
        ends[k + 1] = last;
    }
    for (row, x) in turns.iter().zip(ends) {
        if x.is_finite() {
            out[*row] = x;
        }
    }
    // a reversal that moved inward limits its neighbours
    for pair in turns.windows(2) {
        let (low, high) = (out[pair[0]].min(out[pair[1]]), out[pair[0]].max(out[pair[1]]));
        out[pair[0]..=pair[1]].iter_mut().for_each(|x| *x = x.clamp(low, high));
    }
    out
}

/// Isotonic regression: the increasing sequence of least squares, by pooling adjacent violators.
fn isotonic(x: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for x in x {
        let mut block = (x, 1);
        while let Some(&(mean, count)) = blocks.last() {
            if mean <= block.0 {
                break;
            }
            let all = count + block.1;
            block = ((mean * count as f64 + block.0 * block.1 as f64) / all as f64, all);
            blocks.pop();
        }
        blocks.push(block);
    }
    blocks.into_iter().flat_map(|(mean, count)| std::iter::repeat_n(mean, count)).collect()
}

#[cfg(test)]
mod tests {
    use super::{isotonic, monotone};

    #[test]
    fn what_falls_is_pooled() {
        // by hand: 3 and 1 pool to 2, then 2 and 1 to 5/3
        let x = isotonic([0.0, 3.0, 1.0, 1.0, 4.0].into_iter());
        assert_eq!(x, [0.0, 5.0 / 3.0, 5.0 / 3.0, 5.0 / 3.0, 4.0]);
        assert_eq!(monotone(&[0.0, 2.0, 1.0, 3.0, 0.0], &[0, 3, 4]), [0.0, 1.5, 1.5, 3.0, 0.0]);
    }
}
