//! The samples of sliding motion that a law is fitted to, reduced in number.
use crate::NumericsError;
use crate::identify::{ForceTerm, MotionRecord, PreparedMotion};
use crate::signal::{DecimationGrid, decimate};
use std::ops::Range;

/// Reduction of the number of samples, applied equally to force and regressors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reduction {
    /// Means over short blocks, of the force and of every regressor. The length of a block follows from the cut-off frequency
    /// of the velocity filter.
    #[default]
    Blocks,
    /// Force and regressors are decimated by this factor through the same filter (Gautier1997).
    Decimate(usize),
}

/// Sliding samples of all records, concatenated.
#[derive(Clone, Debug, Default)]
pub struct SlidingSamples {
    /// Time \[s\].
    pub t: Vec<f64>,
    /// Position \[m\]; empty if not measured.
    pub position: Vec<f64>,
    /// Velocity \[m/s\].
    pub v: Vec<f64>,
    /// Velocities within each block; empty if samples are not means over blocks.
    pub block_velocities: Vec<BlockVelocities>,
    /// Acceleration \[m/s²\].
    pub a: Vec<f64>,
    /// Applied force less known forces, and less inertia if the mass is known \[N\].
    pub force: Vec<f64>,
    /// Direction of sliding; between −1 and 1 after filtering.
    pub sign: Vec<f64>,
    /// The constant regressor, one, after filtering.
    pub constant: Vec<f64>,
    /// Load; empty if constant.
    pub load: Vec<f64>,
    /// Direction times load; empty if constant.
    pub signed_load: Vec<f64>,
    /// Forces whose size is estimated.
    pub terms: Vec<ForceTerm>,
    /// Statistical weight of each sample; empty if all are equal.
    pub weight: Vec<f64>,
    /// Friction level relative to that at the mean load, once estimated; empty without a load.
    pub load_factor: Vec<f64>,
    /// Range of samples of each record.
    pub records: Vec<(String, Range<usize>)>,
    /// Indices at which a new contiguous segment begins.
    pub breaks: Vec<usize>,
    /// Number of samples left out because they do not slide.
    pub resting: usize,
    /// Number of samples left out because their force was cut off.
    pub saturated: usize,
    /// Number of samples before the reduction.
    pub total: usize,
}

/// Velocities of the first and last sample of a block and at its centre, by which the mean of a function of the velocity follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockVelocities {
    /// First sample, centre and last sample \[m/s\].
    pub at: [f64; 3],
    /// Weight of the first and of the last sample; the centre has the rest.
    pub end_weight: f64,
}

impl BlockVelocities {
    /// Of the samples of a block.
    fn new(v: &[f64]) -> Self {
        let (n, middle) = (v.len(), v.len() / 2);
        let [Some(first), Some(last)] = [v.first().copied(), v.last().copied()] else {
            return Self { at: [0.0; 3], end_weight: 0.0 };
        };
        let centre = match n {
            _ if n % 2 == 1 => v[middle],
            2 => 0.5 * (first + last),
            // the cubic through four samples
            _ => (9.0 * (v[middle - 1] + v[middle]) - v[middle - 2] - v[middle + 1]) / 16.0,
        };
        let count = n as f64;
        // a parabola over the block has its mean over the samples, which is half at each of two, a third at each of three, and tends to
        // Simpson's rule
        let end_weight = if n > 1 { (count + 1.0) / (6.0 * (count - 1.0)) } else { 0.0 };
        Self { at: [first, centre, last], end_weight }
    }
    /// The mean of a function of the velocity over the samples of the block.
    pub fn mean(&self, f: impl Fn(f64) -> f64) -> f64 {
        let [first, centre, last] = self.at;
        if first == last {
            return f(centre);
        }
        self.end_weight * (f(first) + f(last)) + (1.0 - 2.0 * self.end_weight) * f(centre)
    }
}

/// Rest speed as a share of the largest speed, at least.
const MIN_SPEED_SHARE: f64 = 1e-3;
/// Largest change of speed within a typical block, as a share of the largest speed.
const MAX_SPEED_CHANGE: f64 = 0.1;

impl SlidingSamples {
    /// Number of samples.
    pub fn len(&self) -> usize {
        self.v.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.v.is_empty()
    }
    /// Selects the sliding samples of records. `rest` is the speed below which the body rests; by default from the noise; all
    /// samples are used if it is zero.
    ///
    /// # Errors
    /// [`NumericsError`].
    pub fn new(prepared: &[PreparedMotion], reduction: Reduction, rest: Option<f64>) -> Result<Self, NumericsError> {
        let mut out = Self::default();
        let fastest = fastest(prepared);
        for record in prepared {
            let begin = out.len();
            let rest = rest_speed(prepared, record, rest);
            out.add(record, reduction, rest, fastest)?;
            out.records.push((record.motion.name.clone(), begin..out.len()));
        }
        Ok(out)
    }

    fn add(
        &mut self,
        record: &PreparedMotion,
        reduction: Reduction,
        rest: f64,
        fastest: f64,
    ) -> Result<(), NumericsError> {
        let motion = &record.motion;
        let (n, step) = (motion.len(), motion.step());
        let sign: Vec<f64> = motion.velocity.iter().map(|v| if *v == 0.0 { 0.0 } else { v.signum() }).collect();
        let signed_load: Vec<f64> = motion.load.iter().zip(&sign).map(|(load, sign)| load * sign).collect();
        let force = motion.friction(motion.mass.unwrap_or(0.0));
        self.total += n;
        let slides = sliding_mask(record, rest);
        let by = match reduction {
            Reduction::Blocks => {
                // well below the cut-off, where the filter of the velocity has no effect
                let band = 1.1 / (record.cutoff * step);
                // the speed should change little within a block
                let mut rates: Vec<f64> = motion.acceleration.iter().map(|a| a.abs()).collect();
                let middle = n / 2;
                let (_, typical, _) = rates.select_nth_unstable_by(middle, f64::total_cmp);
                let change = MAX_SPEED_CHANGE * fastest / (*typical * step);
                band.min(change).floor().max(1.0) as usize
            }
            Reduction::Decimate(by) => by.max(1),
        };
        let blocks = reduction == Reduction::Blocks;
        let few = |x: &[f64]| match reduction {
            Reduction::Decimate(by) if by > 1 => decimate(x, by, DecimationGrid::Matlab),
            _ => Ok(x.chunks_exact(by).map(|block| block.iter().sum::<f64>() / by as f64).collect()),
        };
        let force = few(&force)?;
        let first = match reduction {
            // as MATLAB: the last sample, and every n-th before it
            Reduction::Decimate(by) if by > 1 => n - 1 - (force.len() - 1) * by,
            _ => 0,
        };
        let (v, a) = (few(&motion.velocity)?, few(&motion.acceleration)?);
        let one = few(&vec![1.0; n])?;
        let position = if motion.position.is_empty() { Vec::new() } else { few(&motion.position)? };
        let (load, sign) = (if motion.load.is_empty() { Vec::new() } else { few(&motion.load)? }, few(&sign)?);
        let signed_load = if signed_load.is_empty() { Vec::new() } else { few(&signed_load)? };
        let terms = motion.terms.iter().map(|term| few(&term.values)).collect::<Result<Vec<_>, _>>()?;
        if self.terms.is_empty() && self.v.is_empty() {
            self.terms = motion.terms.iter().map(|term| term.with(Vec::new())).collect();
        }
        let weight: Vec<f64> = match reduction {
            // a filtered weight may be negative
            Reduction::Decimate(by) if by > 1 && !motion.weight.is_empty() => {
                few(&motion.weight)?.into_iter().map(|w| w.max(0.0)).collect()
            }
            // the weight of a mean is that of its worst sample
            _ => motion.weight.chunks_exact(by).map(|block| block.iter().copied().fold(f64::MAX, f64::min)).collect(),
        };
        let mut before = None;
        for k in 0..force.len() {
            let at = first + k * by;
            let whole = if blocks { slides[at..at + by].iter().all(|slides| *slides) } else { slides[at] };
            if !whole {
                self.resting += 1;
                continue;
            }
            // a mean over a block, or a filtered sample, has a part of its neighbours
            let reach = if blocks { at..at + by } else { at.saturating_sub(by - 1)..(at + by).min(n) };
            if reach.into_iter().any(|k| motion.is_saturated(k)) {
                self.saturated += 1;
                continue;
            }
            if before != Some(k.wrapping_sub(1)) && !self.v.is_empty() {
                self.breaks.push(self.v.len());
            }
            before = Some(k);
            let middle = at + by / 2;
            self.t.push(motion.t[if blocks { middle } else { at }]);
            if blocks {
                self.block_velocities.push(BlockVelocities::new(&motion.velocity[at..at + by]));
            }
            self.position.extend(position.get(k));
            self.v.push(v[k]);
            self.a.push(a[k]);
            self.force.push(force[k]);
            self.sign.push(sign[k]);
            self.constant.push(one[k]);
            self.load.extend(load.get(k));
            self.signed_load.extend(signed_load.get(k));
            self.weight.extend(weight.get(k));
            self.terms.iter_mut().zip(&terms).for_each(|(all, term)| all.values.push(term[k]));
        }
        Ok(())
    }

    /// Whether a twentieth of the samples at least slides in each direction.
    pub fn both_directions(&self) -> bool {
        let forward = self.v.iter().filter(|v| **v > 0.0).count();
        forward.min(self.len() - forward) * 20 > self.len()
    }
    /// Multiplies each value by the square root of the sample's weight.
    pub fn apply_weights(&self, x: &mut [f64]) {
        x.iter_mut().zip(&self.weight).for_each(|(x, w)| *x *= w.sqrt());
    }
    /// The samples in these ranges.
    pub fn in_ranges(&self, ranges: &[Range<usize>]) -> Self {
        let rows: Vec<usize> = ranges.iter().cloned().flatten().collect();
        self.rows(&rows)
    }
    /// At most `most` samples, evenly spaced.
    pub fn thinned(&self, most: usize) -> Self {
        let by = self.len().div_ceil(most.max(1)).max(1);
        let rows: Vec<usize> = (0..self.len()).step_by(by).collect();
        self.rows(&rows)
    }
    /// At most `most` of the samples in these ranges, evenly spaced.
    pub fn thinned_in_ranges(&self, ranges: &[Range<usize>], most: usize) -> Self {
        let count: usize = ranges.iter().map(ExactSizeIterator::len).sum();
        let by = count.div_ceil(most.max(1)).max(1);
        let rows: Vec<usize> = ranges.iter().cloned().flatten().step_by(by).collect();
        self.rows(&rows)
    }
    /// The samples with a neighbour on each side.
    pub fn inner(&self) -> Vec<usize> {
        let cut = |k: usize| self.breaks.binary_search(&k).is_ok();
        (1..self.len().saturating_sub(1)).filter(|&k| !cut(k) && !cut(k + 1)).collect()
    }
    /// These samples alone, in rising order, with their records and segments.
    pub fn only(&self, rows: &[usize]) -> Self {
        let before = |k: usize| rows.partition_point(|row| *row < k);
        let records = self.records.iter().map(|(name, range)| (name.clone(), before(range.start)..before(range.end)));
        let breaks = (1..rows.len()).filter(|&j| rows[j] != rows[j - 1] + 1);
        Self { records: records.collect(), breaks: breaks.collect(), ..self.rows(rows) }
    }
    fn rows(&self, rows: &[usize]) -> Self {
        let pick = |x: &[f64]| rows.iter().filter_map(|&k| x.get(k).copied()).collect::<Vec<f64>>();
        Self {
            t: pick(&self.t),
            position: pick(&self.position),
            v: pick(&self.v),
            block_velocities: rows.iter().filter_map(|&k| self.block_velocities.get(k).copied()).collect(),
            a: pick(&self.a),
            force: pick(&self.force),
            sign: pick(&self.sign),
            constant: pick(&self.constant),
            load: pick(&self.load),
            signed_load: pick(&self.signed_load),
            load_factor: pick(&self.load_factor),
            terms: self.terms.iter().map(|term| term.with(pick(&term.values))).collect(),
            weight: pick(&self.weight),
            records: Vec::new(),
            breaks: Vec::new(),
            ..*self
        }
    }
    /// The 2nd and 98th percentile of the speed \[m/s\].
    pub fn speed_range(&self) -> [f64; 2] {
        let mut speeds: Vec<f64> = self.v.iter().map(|v| v.abs()).collect();
        speeds.sort_by(f64::total_cmp);
        let at = |share: f64| speeds.get((share * (speeds.len().max(1) - 1) as f64) as usize).copied().unwrap_or(0.0);
        [at(0.02), at(0.98)]
    }
}

/// The largest speed of all records \[m/s\].
fn fastest(prepared: &[PreparedMotion]) -> f64 {
    prepared.iter().flat_map(|p| &p.motion.velocity).fold(0.0_f64, |most, v| most.max(v.abs()))
}

/// The speed below which the body rests in a record: the given one, or from the noise \[m/s\].
pub fn rest_speed(prepared: &[PreparedMotion], record: &PreparedMotion, given: Option<f64>) -> f64 {
    given.unwrap_or_else(|| record.rest_speed.max(MIN_SPEED_SHARE * fastest(prepared)))
}

/// The motions of these records, each with the samples that surely slide ([`MotionRecord::slides`]) and those whose derivatives are not resolved. `rest` is the speed below which a
/// body rests; by default from the noise.
pub fn mark_sliding(prepared: &[PreparedMotion], rest: Option<f64>) -> Vec<MotionRecord> {
    let mark = |record: &PreparedMotion| {
        let slides = sliding_mask(record, rest_speed(prepared, record, rest));
        MotionRecord { slides, ..record.motion_with_unresolved() }
    };
    prepared.iter().map(mark).collect()
}

/// Which samples slide: those above the rest speed, and farther from slower samples than the filter reaches. Those at which the derivatives
/// are not resolved do not count, unless all samples do.
pub fn sliding_mask(record: &PreparedMotion, rest: f64) -> Vec<bool> {
    let (v, cutoff, step) = (&record.motion.velocity, record.cutoff, record.motion.step());
    if rest <= 0.0 {
        return vec![true; v.len()];
    }
    let reach = (0.5 / (cutoff * step)).ceil() as usize;
    let slow: Vec<bool> = (0..v.len()).map(|k| v[k].abs() < rest || (k > 0 && v[k] * v[k - 1] <= 0.0)).collect();
    // near the ends the filter is one-sided
    let end = (2.0 / (cutoff * step)).ceil() as usize;
    let mut out: Vec<bool> = (0..v.len()).map(|k| k >= end && k + end < v.len()).collect();
    let mut since = usize::MAX;
    for pass in 0..2 {
        for j in 0..v.len() {
            let k = if pass == 0 { j } else { v.len() - 1 - j };
            since = if slow[k] { 0 } else { since.saturating_add(1) };
            if since <= reach {
                out[k] = false;
            }
        }
        since = usize::MAX;
    }
    out.iter_mut().zip(&record.unresolved).for_each(|(slides, unresolved)| *slides &= !unresolved);
    out
}

#[cfg(test)]
mod tests {
    use super::BlockVelocities;

    /// Blocks of two samples had the force at their mean velocity for the mean of their forces.
    #[test]
    fn a_block_has_the_mean_of_its_samples() {
        // any force of two or three samples, and one that is quadratic over more, exactly but for rounding
        let stribeck = |v: f64| 10.0 + 5.0 * (-v / 4e-3).exp();
        for v in [&[4e-3, 7e-3][..], &[7.15e-3, 7.28e-3, 7.26e-3], &[5e-3]] {
            let mean = v.iter().map(|v| stribeck(*v)).sum::<f64>() / v.len() as f64;
            assert!((BlockVelocities::new(v).mean(stribeck) / mean - 1.0).abs() < 1e-14, "{v:?}");
        }
        for n in 4..12 {
            let v: Vec<f64> = (0..n).map(|k| 1.0 + 0.3 * f64::from(k)).collect();
            let mean = v.iter().map(|v| v * v).sum::<f64>() / f64::from(n);
            assert!((BlockVelocities::new(&v).mean(|v| v * v) / mean - 1.0).abs() < 1e-14, "{n}");
        }
    }
}
