//! The samples that a sliding law is fitted to: those that slide, as many as are worth having.
use crate::NumericsError;
use crate::identify::PreparedMotion;
use crate::signal::{DecimationGrid, decimate};
use std::ops::Range;

/// How many samples are taken, and how force and terms are made to go together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reduction {
    /// Means over short blocks, of force and of every term of the model alike, so that nothing is blurred on one side only.
    /// A block is as long as the filter of velocity lets it be.
    #[default]
    Blocks,
    /// Force and every term of the model are decimated by this factor, each through the same filter (Gautier1997).
    Decimate(usize),
}

/// Samples of all records, one after another.
#[derive(Clone, Debug, Default)]
pub struct SlidingSamples {
    /// Time \[s\].
    pub t: Vec<f64>,
    /// Velocity \[m/s\].
    pub v: Vec<f64>,
    /// Velocity at the beginning, in the middle and at the end of each block; nothing if a block is one sample \[m/s\].
    pub block_velocities: Vec<[f64; 3]>,
    /// Acceleration \[m/s²\].
    pub a: Vec<f64>,
    /// Applied force, less what is known; of a known mass, less its inertia \[N\].
    pub force: Vec<f64>,
    /// Direction of sliding; between −1 and 1 where a filter has blurred it.
    pub sign: Vec<f64>,
    /// One; what a filter makes of it.
    pub constant: Vec<f64>,
    /// Load, or nothing.
    pub load: Vec<f64>,
    /// Sign times load, or nothing.
    pub signed_load: Vec<f64>,
    /// How much each sample counts; nothing if all do alike.
    pub weight: Vec<f64>,
    /// How much more than at the mean load each sample is pressed, once that is known; nothing without a load.
    pub load_factor: Vec<f64>,
    /// Which samples each record has; a record is cut where samples were left out.
    pub records: Vec<(String, Range<usize>)>,
    /// Where a new stretch begins.
    pub breaks: Vec<usize>,
    /// Samples left out because they do not slide.
    pub resting: usize,
    /// All samples before.
    pub total: usize,
}

/// Speeds below this part of the largest one do not slide, whatever the noise.
const MIN_SPEED_SHARE: f64 = 1e-3;
/// The change of speed within a typical block, as a part of the largest speed.
const MOST: f64 = 0.1;

impl SlidingSamples {
    /// Number of samples.
    pub fn len(&self) -> usize {
        self.v.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.v.is_empty()
    }
    /// Takes the samples out of records. `rest` is the speed below which nothing slides; from the noise if there is none,
    /// and every sample counts if it is zero.
    ///
    /// # Errors
    /// [`Flaw`].
    pub fn new(prepared: &[PreparedMotion], reduction: Reduction, rest: Option<f64>) -> Result<Self, NumericsError> {
        let mut out = Self::default();
        let fastest = prepared.iter().flat_map(|p| &p.motion.velocity).fold(0.0_f64, |most, v| most.max(v.abs()));
        for record in prepared {
            let begin = out.len();
            let rest = rest.unwrap_or(record.rest_speed.max(MIN_SPEED_SHARE * fastest));
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
        let slides = sliding_mask(&motion.velocity, rest, record.cutoff, step);
        let by = match reduction {
            Reduction::Blocks => {
                // well below the cut-off, so that what the filter takes from velocity, and not from force, does not count
                let band = 1.1 / (record.cutoff * step);
                // nor may the speed change much within a block, or a mean is not worth its samples
                let mut rates: Vec<f64> = motion.acceleration.iter().map(|a| a.abs()).collect();
                let middle = n / 2;
                let (_, typical, _) = rates.select_nth_unstable_by(middle, f64::total_cmp);
                let change = MOST * fastest / (*typical * step);
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
            // MATLAB keeps the last sample, and every so-many-th before it
            Reduction::Decimate(by) if by > 1 => n - 1 - (force.len() - 1) * by,
            _ => 0,
        };
        let (v, a) = (few(&motion.velocity)?, few(&motion.acceleration)?);
        let one = few(&vec![1.0; n])?;
        let (load, sign) = (if motion.load.is_empty() { Vec::new() } else { few(&motion.load)? }, few(&sign)?);
        let signed_load = if signed_load.is_empty() { Vec::new() } else { few(&signed_load)? };
        let weight: Vec<f64> = match reduction {
            // what a filter makes of a weight may be below zero
            Reduction::Decimate(by) if by > 1 && !motion.weight.is_empty() => {
                few(&motion.weight)?.into_iter().map(|w| w.max(0.0)).collect()
            }
            // a mean is no better than its worst sample
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
            if before != Some(k.wrapping_sub(1)) && !self.v.is_empty() {
                self.breaks.push(self.v.len());
            }
            before = Some(k);
            let middle = at + by / 2;
            self.t.push(motion.t[if blocks { middle } else { at }]);
            if blocks && by > 2 {
                // the ends of the block lie half a step beyond its samples
                let edge = |k: usize, next: usize| 1.5 * motion.velocity[k] - 0.5 * motion.velocity[next];
                let centre = 0.5 * (motion.velocity[middle] + motion.velocity[at + (by - 1) / 2]);
                self.block_velocities.push([edge(at, at + 1), centre, edge(at + by - 1, at + by - 2)]);
            } else if blocks {
                self.block_velocities.push([v[k]; 3]);
            }
            self.v.push(v[k]);
            self.a.push(a[k]);
            self.force.push(force[k]);
            self.sign.push(sign[k]);
            self.constant.push(one[k]);
            self.load.extend(load.get(k));
            self.signed_load.extend(signed_load.get(k));
            self.weight.extend(weight.get(k));
        }
        Ok(())
    }

    /// Numbers of the samples, each by the root of its weight.
    pub fn apply_weights(&self, x: &mut [f64]) {
        x.iter_mut().zip(&self.weight).for_each(|(x, w)| *x *= w.sqrt());
    }
    /// The samples in some ranges.
    pub fn in_ranges(&self, ranges: &[Range<usize>]) -> Self {
        let rows: Vec<usize> = ranges.iter().cloned().flatten().collect();
        self.rows(&rows)
    }
    /// At most `most` samples, evenly spread.
    pub fn thinned(&self, most: usize) -> Self {
        let by = self.len().div_ceil(most.max(1)).max(1);
        let rows: Vec<usize> = (0..self.len()).step_by(by).collect();
        self.rows(&rows)
    }
    /// At most `most` of the samples in some ranges, evenly spread.
    pub fn thinned_in_ranges(&self, ranges: &[Range<usize>], most: usize) -> Self {
        let count: usize = ranges.iter().map(ExactSizeIterator::len).sum();
        let by = count.div_ceil(most.max(1)).max(1);
        let rows: Vec<usize> = ranges.iter().cloned().flatten().step_by(by).collect();
        self.rows(&rows)
    }
    fn rows(&self, rows: &[usize]) -> Self {
        let pick = |x: &[f64]| rows.iter().filter_map(|&k| x.get(k).copied()).collect::<Vec<f64>>();
        Self {
            t: pick(&self.t),
            v: pick(&self.v),
            block_velocities: rows.iter().filter_map(|&k| self.block_velocities.get(k).copied()).collect(),
            a: pick(&self.a),
            force: pick(&self.force),
            sign: pick(&self.sign),
            constant: pick(&self.constant),
            load: pick(&self.load),
            signed_load: pick(&self.signed_load),
            load_factor: pick(&self.load_factor),
            weight: pick(&self.weight),
            records: Vec::new(),
            breaks: Vec::new(),
            ..*self
        }
    }
    /// The speeds between which nearly all samples slide: one in fifty is slower, one in fifty faster.
    pub fn speed_range(&self) -> [f64; 2] {
        let mut speeds: Vec<f64> = self.v.iter().map(|v| v.abs()).collect();
        speeds.sort_by(f64::total_cmp);
        let at = |share: f64| speeds.get((share * (speeds.len().max(1) - 1) as f64) as usize).copied().unwrap_or(0.0);
        [at(0.02), at(0.98)]
    }
}

/// Which samples slide: fast enough, and so far from any that is not that the filter does not mix them.
pub fn sliding_mask(v: &[f64], rest: f64, cutoff: f64, step: f64) -> Vec<bool> {
    if rest <= 0.0 {
        return vec![true; v.len()];
    }
    let reach = (0.5 / (cutoff * step)).ceil() as usize;
    let slow: Vec<bool> = (0..v.len()).map(|k| v[k].abs() < rest || (k > 0 && v[k] * v[k - 1] <= 0.0)).collect();
    // at its ends a filter has one side only
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
    out
}
