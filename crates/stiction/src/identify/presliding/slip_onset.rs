//! Onset of sliding in a branch.
use super::HysteresisPath;
use super::hysteresis_path::BRANCH;
use crate::analysis::regression_line::fit_line;
use std::ops::Range;

/// A force that rises by less than this share of its range counts as level.
const LEVEL_TOLERANCE: f64 = 2e-3;
/// Number of windows of a branch in which the force is averaged.
const WINDOWS: usize = 60;
/// Stiffness beyond a knee relative to that before it, up to which the contact slides. The last piece of Nouri's branch has a
/// tenth and still belongs to presliding.
const SLIDING_STIFFNESS_RATIO: f64 = 0.02;
/// Smallest share of a branch that must slide to be detected.
const MIN_SLIDING_SHARE: f64 = 0.08;

/// Onset of sliding, if any.
pub(super) struct SlipOnset {
    /// Number of samples before sliding.
    pub presliding_samples: usize,
    /// Break-away force along the direction.
    pub breakaway_force: Option<f64>,
    /// Standard error of the break-away force by averaging.
    pub breakaway_error: f64,
}

/// Travel and force along the direction, averaged in windows.
struct Windows {
    width: usize,
    z: Vec<f64>,
    force: Vec<f64>,
    /// Changes up to this are noise.
    slack: f64,
}

/// Detects sliding: beyond a knee after which the stiffness is negligible, or from a peak or plateau of the force.
pub(super) fn find_slip_onset(path: &HysteresisPath, rows: &Range<usize>, d: f64) -> SlipOnset {
    let n = rows.len();
    let whole = d * (path.x[rows.end - 1] - path.x[rows.start]);
    let none = SlipOnset { presliding_samples: n, breakaway_force: None, breakaway_error: 0.0 };
    // too short to detect sliding
    if n < 4 * BRANCH || whole < 4.0 * path.reversal_threshold {
        return none;
    }
    let width = n.div_ceil(WINDOWS);
    let mean = |list: &[f64], k: usize| {
        let from = rows.start + k * width;
        list[from..from + width].iter().sum::<f64>() / width as f64
    };
    let windows = Windows {
        width,
        z: (0..n / width).map(|k| d * (mean(&path.x, k) - path.x[rows.start])).collect(),
        force: (0..n / width).map(|k| d * mean(&path.force, k)).collect(),
        slack: 3.0 * path.noise[1] / (width as f64).sqrt() + LEVEL_TOLERANCE * path.range,
    };
    windows.knee(whole).or_else(|| windows.peak(whole)).unwrap_or(none)
}

impl Windows {
    /// The knee: the largest distance above the chord; beyond it the force must be nearly constant.
    fn knee(&self, whole: f64) -> Option<SlipOnset> {
        let last = self.z.len() - 1;
        let (rise, way) = (self.force[last] - self.force[0], self.z[last] - self.z[0]);
        let above = |k: usize| self.force[k] - self.force[0] - rise * (self.z[k] - self.z[0]) / way;
        let knee = (1..last).max_by(|a, b| above(*a).total_cmp(&above(*b)))?;
        let points: Vec<(f64, f64)> = (knee..=last).map(|k| (self.z[k], self.force[k])).collect();
        let (before, beyond) = ((self.force[knee] - self.force[0]) / (self.z[knee] - self.z[0]), fit_line(&points)?);
        if self.z[last] - self.z[knee] < MIN_SLIDING_SHARE * whole
            || points.len() < BRANCH
            || beyond.slope.abs() > SLIDING_STIFFNESS_RATIO * before
        {
            return None;
        }
        let mut levels: Vec<f64> = points.iter().map(|p| p.1).collect();
        let half = levels.len() / 2;
        let middle = *levels.select_nth_unstable_by(half, f64::total_cmp).1;
        let begin = (0..=knee).find(|k| self.force[*k] >= middle - self.slack).unwrap_or(knee);
        // a peak before the level is the break-away force; otherwise the level is
        let top = self.force[begin..=knee.max(begin)].iter().copied().fold(middle, f64::max);
        let peaked = top > middle + 2.0 * self.slack;
        let from = if peaked { (0..=last).find(|k| self.force[*k] >= top)? } else { begin };
        let breakaway_error = if peaked { self.breakaway_error(from) } else { 0.0 };
        Some(SlipOnset {
            presliding_samples: from * self.width,
            breakaway_force: Some(if peaked { top } else { middle }),
            breakaway_error,
        })
    }
    /// The first peak of the force, or a plateau up to the end.
    fn peak(&self, whole: f64) -> Option<SlipOnset> {
        let (force, slack) = (&self.force, self.slack);
        let (mut top, mut at) = (f64::NEG_INFINITY, 0);
        for (k, level) in force.iter().enumerate() {
            if *level > top {
                (top, at) = (*level, k);
            }
            if *level < top - 2.0 * slack {
                break;
            }
        }
        let last = force.len() - 1;
        let begin = force.iter().position(|level| *level >= top - slack).unwrap_or(at);
        let beyond = self.z[last] - self.z[begin];
        // extrapolation of the earlier slope over the same travel
        let earlier = (0..begin).rev().find(|k| self.z[begin] - self.z[*k] >= beyond).unwrap_or(0);
        let slope = (force[begin] - force[earlier]) / (self.z[begin] - self.z[earlier]).max(f64::MIN_POSITIVE);
        let levels_off = slope.max(0.0) * beyond > 4.0 * slack;
        if beyond < MIN_SLIDING_SHARE * whole || !(levels_off || at < last && force[last] < top - slack) {
            return None;
        }
        // the maximum of a peak; the median of a plateau, whose maximum would be noise
        let mut flat: Vec<f64> = force[begin..].iter().copied().take_while(|l| *l >= top - slack).collect();
        let (half, peaked) = (flat.len() / 2, begin + flat.len() < force.len());
        let middle = *flat.select_nth_unstable_by(half, f64::total_cmp).1;
        let breakaway_error = if peaked { self.breakaway_error(at) } else { 0.0 };
        Some(SlipOnset {
            presliding_samples: begin * self.width,
            breakaway_force: Some(if peaked { top } else { middle }),
            breakaway_error,
        })
    }
    /// Standard deviation of a uniform distribution over the change of the force from one window to the next.
    fn breakaway_error(&self, at: usize) -> f64 {
        (self.force[at] - self.force[at.saturating_sub(1)]).abs() / 12.0_f64.sqrt()
    }
}
