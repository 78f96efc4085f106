//! Runs points on a device, by the kernel of their ensemble.
use super::hash::hash;
use super::lane_runner::LaneRunner;
use super::{PointOutcome, SweepPlan};
use crate::Error;
use crate::accelerator::{Accelerator, KernelBuffers, PreparedKernel};
use crate::error::AcceleratorError;
use crate::export::ensemble::{EnsembleKernel, KernelSamples};
use crate::parallel::map_on;
use std::fmt::{self, Debug, Formatter};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Points by which the kernel is written: a number in which they all agree becomes part of it.
const SAMPLES: u64 = 256;
/// Points that a thread prepares at a time.
const SHARE: u64 = 4096;

/// A kernel on a device, and how the points of a sweep become its numbers.
pub(super) struct DeviceRunner {
    lanes: Arc<LaneRunner>,
    kernel: EnsembleKernel,
    prepared: Arc<dyn PreparedKernel>,
    /// What the last digits of results depend on.
    pub identity: String,
    /// Points that the processor ran instead.
    left_over: AtomicU64,
}

impl Debug for DeviceRunner {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeviceRunner").field("identity", &self.identity).finish_non_exhaustive()
    }
}

impl DeviceRunner {
    /// Prepares the kernel of a plan. Which numbers are part of it depends on the plan alone, so that every shard has the same kernel.
    pub fn new(plan: &SweepPlan, device: &dyn Accelerator) -> Result<Self, Error> {
        let refused = |why: String| AcceleratorError::UnsupportedSweep { why };
        let lanes = plan.lanes().map_err(|why| refused(why.to_owned()))?;
        let count = plan.count();
        let mut chosen: Vec<u64> = if count <= SAMPLES {
            (0..count).collect()
        } else {
            [0, count - 1].into_iter().chain((2..SAMPLES).map(|k| hash(&[k]) % count)).collect()
        };
        chosen.sort_unstable();
        chosen.dedup();
        // points that the kernel cannot take say nothing about the others
        let (mut samples, mut reason) = (Vec::new(), None);
        for i in chosen {
            let mut numbers = Vec::new();
            let read = lanes.read(&plan.values(i), &mut numbers, &|values| plan.scenario(values));
            match read.and_then(|()| lanes.ensemble.coefficients(&numbers)) {
                Ok(_) => samples.push(numbers),
                Err(error) => reason = reason.or(Some(error)),
            }
        }
        if let (true, Some(error)) = (samples.is_empty(), reason) {
            return Err(refused(Error::from(error).without_position().to_string()).into());
        }
        let kernel = EnsembleKernel::new(&lanes.ensemble, &samples, &KernelSamples::default())?.map_err(refused)?;
        let prepared = device.prepare(&kernel)?;
        Ok(Self { lanes: lanes.clone(), kernel, prepared, identity: device.identity(), left_over: AtomicU64::new(0) })
    }
    /// How many points the processor ran.
    pub fn left_over(&self) -> u64 {
        self.left_over.load(Ordering::Relaxed)
    }
    /// Runs points; `single` runs one on the processor: a point that the kernel cannot take, or that it has given up.
    pub fn run(
        &self,
        plan: &SweepPlan,
        threads: usize,
        points: Range<u64>,
        single: &(dyn Fn(u64) -> Option<PointOutcome> + Sync),
    ) -> Result<Option<Vec<PointOutcome>>, Error> {
        let shares: Vec<Range<u64>> =
            (points.start..points.end).step_by(SHARE as usize).map(|from| from..points.end.min(from + SHARE)).collect();
        // of each share: the points that the kernel takes, and their numbers
        let prepared: Vec<(Vec<u64>, Vec<f64>)> = map_on(threads, &shares, |share| {
            let (mut taken, mut rows) = (Vec::with_capacity(SHARE as usize), Vec::new());
            let (mut numbers, mut reader) = (Vec::new(), self.lanes.ensemble.coefficient_reader());
            for i in share.clone() {
                let read = self.lanes.read(&plan.values(i), &mut numbers, &|values| plan.scenario(values));
                if read.and_then(|()| self.kernel.write_row(&mut reader, &numbers, &mut rows)).is_ok() {
                    taken.push(i);
                }
            }
            (taken, rows)
        });
        let rows: Vec<f64> = prepared.iter().flat_map(|(_, rows)| rows.iter().copied()).collect();
        let count: usize = prepared.iter().map(|(taken, _)| taken.len()).sum();
        let measures = self.lanes.ensemble.options().probes.len();
        let (mut results, mut status) = (vec![0.0; count * measures], vec![-1; count]);
        if count > 0 {
            let samples = &mut [];
            self.prepared.run(KernelBuffers { rows: &rows, results: &mut results, samples, status: &mut status })?;
        }
        // where the results of each share begin
        let mut first = 0;
        let shares: Vec<(Range<u64>, Vec<u64>, usize)> = shares
            .into_iter()
            .zip(prepared)
            .map(|(share, (taken, _))| {
                let begin = first;
                first += taken.len();
                (share, taken, begin)
            })
            .collect();
        let outcomes = map_on(threads, &shares, |(share, taken, begin)| {
            let mut out = Vec::with_capacity((share.end - share.start) as usize);
            let mut next = 0;
            for i in share.clone() {
                let place = taken.get(next).filter(|taken| **taken == i).map(|_| begin + next);
                next += usize::from(place.is_some());
                match place.filter(|place| status[*place] == 0) {
                    Some(place) => {
                        let found = &results[place * measures..(place + 1) * measures];
                        let probes: Vec<Option<f64>> = found.iter().map(|x| (!x.is_nan()).then_some(*x)).collect();
                        out.push(Ok(plan.measures.values(&probes, &plan.values(i))));
                    }
                    None => {
                        self.left_over.fetch_add(1, Ordering::Relaxed);
                        out.push(single(i)?);
                    }
                }
            }
            Some(out)
        });
        Ok(outcomes.into_iter().collect::<Option<Vec<_>>>().map(|all| all.into_iter().flatten().collect()))
    }
}
