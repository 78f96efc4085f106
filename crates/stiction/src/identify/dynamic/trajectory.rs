//! A motion as the input of a law, sample by sample.
use super::DynamicOptions;
use crate::identify::{IdentificationResult, MotionRecord};
use stiction_core::registry::MeasuredMotion;

/// The forces beside friction: their sizes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlantForces {
    /// Moving mass \[kg\].
    pub mass: f64,
    /// A constant force \[N\].
    pub offset: f64,
    /// Coefficients of the terms of the record, in their order.
    pub terms: Vec<f64>,
}

impl PlantForces {
    /// Those of a record as they were found; what was not estimated is as the record has it.
    pub fn found(motion: &MotionRecord, result: &IdentificationResult) -> Self {
        let value = |name: &str| result.estimate(name).map(|e| e.value);
        Self {
            mass: value("mass").or(motion.mass).unwrap_or(0.0),
            offset: value("offset").unwrap_or(0.0),
            terms: motion.terms.iter().map(|term| value(&term.name).unwrap_or(0.0)).collect(),
        }
    }
}

/// Speed of a displacement before the record, over the largest speed in it: slow, so that the memory may become as large as in the slowest sliding.
const SLOW: f64 = 1e-3;

/// A motion as the input of a law: sample `k` leads from time `k` to time `k + 1` of the motion. Inputs have `parts` substeps
/// per sample.
#[derive(Clone, Debug, Default)]
pub(super) struct DrivenTrajectory {
    pub t: Vec<f64>,
    /// Where the motion begins; zero if its position was not measured.
    position: f64,
    /// How far the contact was displaced before, from no memory, and the speed of that.
    displaced: f64,
    displaced_at: f64,
    dt: Vec<f64>,
    mean: Vec<f64>,
    v: Vec<f64>,
    load: Vec<f64>,
    pub parts: usize,
    pub force: Vec<f64>,
    pub acceleration: Vec<f64>,
    /// Other forces of unknown size, for each sample.
    pub terms: Vec<Vec<f64>>,
    /// First sample after the time that is skipped.
    from: usize,
    pub mass: f64,
    /// For a law whose force jumps at a reversal, within what these samples resolve: at which of them its side is not known. Empty for other laws.
    unclear: Vec<bool>,
    /// Samples at which the force was cut off, or the acceleration is not known. Empty if there are none.
    unknown: Vec<bool>,
}

/// Which of these samples lie within `reach` samples of a reversal of the velocity.
pub(super) fn near_reversals(v: &[f64], reach: usize) -> Vec<bool> {
    let mut out = vec![false; v.len()];
    for k in (1..v.len()).filter(|&k| v[k - 1] * v[k] <= 0.0) {
        let near = k.saturating_sub(reach)..(k + reach).min(out.len());
        out[near].fill(true);
    }
    out
}

impl DrivenTrajectory {
    /// The motion for a law whose force jumps with the sign of the velocity, or does not. Where a force jumps and the sign is not
    /// known, the velocity counts as zero, so that the law may hold the body; its state follows the measured motion.
    pub fn new(motion: &MotionRecord, options: &DynamicOptions, jumps: bool) -> Self {
        let by_position = options.by_position && !motion.position.is_empty();
        // only the displacement over a sample is known, not the motion within
        let parts = if by_position { 1 } else { options.parts.max(1) };
        let dt: Vec<f64> = motion.t.windows(2).flat_map(|w| vec![(w[1] - w[0]) / parts as f64; parts]).collect();
        let along = |list: &[f64], at: f64| -> Vec<f64> {
            let part = |w: &[f64], k: usize| w[0] + (w[1] - w[0]) * ((k as f64 + at) / parts as f64);
            list.windows(2).flat_map(|w| (0..parts).map(|k| part(w, k)).collect::<Vec<_>>()).collect()
        };
        let mean = if by_position {
            motion.position.windows(2).zip(&dt).map(|(w, dt)| (w[1] - w[0]) / dt).collect()
        } else {
            along(&motion.velocity, 0.5)
        };
        let rest = |list: &[f64]| list.get(1..).unwrap_or(&[]).to_vec();
        let t = rest(&motion.t);
        let begin = motion.t.first().copied().unwrap_or(0.0) + options.skip;
        let from = t.iter().position(|t| *t >= begin).unwrap_or(t.len());
        let mut v = along(&motion.velocity, 1.0);
        let mut unclear = Vec::new();
        if jumps {
            unclear = near_reversals(&motion.velocity[1..], options.reach);
            unclear.iter_mut().zip(motion.slides.iter().skip(1)).for_each(|(unclear, slides)| *unclear |= !slides);
            v.chunks_exact_mut(parts).zip(&unclear).filter(|(_, unclear)| **unclear).for_each(|(v, _)| v.fill(0.0));
        }
        Self {
            position: motion.position.first().copied().unwrap_or(0.0),
            displaced: motion.displaced,
            displaced_at: SLOW * motion.velocity.iter().fold(0.0, |most: f64, v| most.max(v.abs())),
            dt,
            mean,
            unclear,
            unknown: if motion.saturated.is_empty() && motion.unresolved.is_empty() {
                Vec::new()
            } else {
                (1..motion.len()).map(|k| !motion.is_comparable(k)).collect()
            },
            v,
            load: along(&motion.load, 1.0),
            parts,
            force: rest(&motion.force),
            acceleration: rest(&motion.acceleration),
            terms: motion.terms.iter().map(|term| rest(&term.values)).collect(),
            from,
            t,
            mass: motion.mass.unwrap_or(0.0),
        }
    }
    /// The same without the samples beside reversals, which are not compared. The law still follows the motion there.
    pub fn without_reversals(mut self, motion: &MotionRecord, reach: usize) -> Self {
        self.unclear = near_reversals(motion.velocity.get(1..).unwrap_or_default(), reach);
        self
    }
    /// Index of the last substep of sample `k`.
    pub fn end(&self, k: usize) -> usize {
        (k + 1) * self.parts - 1
    }
    /// Number of substeps.
    pub fn pieces(&self) -> usize {
        self.dt.len()
    }
    /// The samples after the time that is skipped.
    pub fn all(&self) -> std::ops::Range<usize> {
        self.from..self.t.len()
    }
    /// The samples whose force is compared with that of the law: all, but for those where the direction of a jump is not known, and those
    /// whose force was cut off or whose acceleration is not known.
    pub fn compared(&self) -> impl Iterator<Item = usize> + '_ {
        let is_in = |list: &[bool], k: usize| list.get(k).copied().unwrap_or(false);
        self.all().filter(move |&k| !is_in(&self.unclear, k) && !is_in(&self.unknown, k))
    }
    /// Number of samples that are compared.
    pub fn count(&self) -> usize {
        self.compared().count()
    }
    pub fn track<'a>(&'a self, need: &'a [f64], settled: bool) -> MeasuredMotion<'a> {
        let (dt, mean, v, load) = (&self.dt, &self.mean, &self.v, &self.load);
        let (displaced, displaced_at) = (self.displaced, self.displaced_at);
        MeasuredMotion { dt, mean, v, load, need, settled, displaced, displaced_at, position: self.position }
    }
    /// Required friction for these other forces, for each substep.
    pub fn need(&self, plant: &PlantForces) -> Vec<f64> {
        let inertia = |k: usize| self.acceleration.get(k).map_or(0.0, |a| plant.mass * a);
        let terms = |k: usize| self.terms.iter().zip(&plant.terms).map(|(term, factor)| factor * term[k]).sum::<f64>();
        let need = self.force.iter().enumerate().map(|(k, f)| f - inertia(k) - plant.offset - terms(k));
        if self.parts == 1 { need.collect() } else { need.flat_map(|f| vec![f; self.parts]).collect() }
    }
    /// The first `most` samples after merging `by` samples into one each. The displacement is preserved.
    pub fn thin(&self, by: usize, most: usize) -> Self {
        let by = by.max(1);
        let groups = self.t.len() / by;
        let last = |list: &[f64], parts: usize| -> Vec<f64> {
            let at = |g: usize| list[(g + 1) * by * parts - 1];
            if list.is_empty() { Vec::new() } else { (0..groups).take(most).map(at).collect() }
        };
        let wide = by * self.parts;
        let dt: Vec<f64> = self.dt.chunks_exact(wide).take(most).map(|dt| dt.iter().sum()).collect();
        let pieces = self.dt.chunks_exact(wide).zip(self.mean.chunks_exact(wide)).zip(&dt);
        let way = |dt: &[f64], v: &[f64]| dt.iter().zip(v).map(|(dt, v)| dt * v).sum::<f64>();
        let mean = pieces.map(|((dt, v), whole)| way(dt, v) / whole).collect();
        let from = (self.from / by).min(dt.len());
        let [t, force, acceleration] = [&self.t, &self.force, &self.acceleration].map(|list| last(list, 1));
        let terms = self.terms.iter().map(|term| last(term, 1)).collect();
        let [v, load] = [&self.v, &self.load].map(|list| last(list, self.parts));
        Self {
            position: self.position,
            displaced: self.displaced,
            displaced_at: self.displaced_at,
            unclear: self.unclear.chunks_exact(by).take(most).map(|group| group.contains(&true)).collect(),
            // the force of a group is that of its last sample
            unknown: self.unknown.chunks_exact(by).take(most).map(|group| group[by - 1]).collect(),
            t,
            force,
            acceleration,
            terms,
            v,
            load,
            mean,
            dt,
            parts: 1,
            from,
            mass: self.mass,
        }
    }
}

/// The records reduced to about `samples` samples: neighbours are merged, and records are shortened if that is not enough.
pub(super) fn thin(runs: &[DrivenTrajectory], samples: usize) -> Vec<DrivenTrajectory> {
    // more would blur the transients after a reversal
    const MAX_FACTOR: usize = 4;
    let total: usize = runs.iter().map(|run| run.t.len()).sum();
    let by = total.div_ceil(samples.max(1)).clamp(1, MAX_FACTOR);
    if total <= samples {
        return runs.to_vec();
    }
    let share = |run: &DrivenTrajectory| (samples * run.t.len()).div_ceil(total.max(1));
    runs.iter().map(|run| run.thin(by, share(run).max(10))).collect()
}
