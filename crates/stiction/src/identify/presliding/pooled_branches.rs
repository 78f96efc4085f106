//! The samples of all branches, for a common fit.
//!
//! The force at the reversal of each branch is eliminated by removing the mean of the branch from measurement and model.
use super::{BranchSegment, HysteresisPath};
use crate::NumericsError;
use crate::fit::{Fit, FitOptions, LeastSquaresProblem, NoiseModel, Parameter, nonlinear};

/// Samples of all branches, concatenated.
#[derive(Clone, Debug, Default)]
pub(super) struct PooledBranches {
    /// Travel from the reversal \[m\].
    pub z: Vec<f64>,
    /// Force along the direction of travel, less its mean over the branch \[N\].
    pub force: Vec<f64>,
    /// First sample of each branch.
    pub begins: Vec<usize>,
    /// Direction of each branch: 1 or −1.
    pub directions: Vec<f64>,
}

/// Maximum number of samples; beyond it, neighbours are averaged.
const MAX_SAMPLES: usize = 1500;

impl PooledBranches {
    /// The samples of all paths.
    pub fn new(paths: &[HysteresisPath]) -> Self {
        let ways: Vec<BranchSegment> =
            paths.iter().flat_map(HysteresisPath::usable).filter(|way| !way.virgin).collect();
        let all: usize = ways.iter().map(|way| way.z.len()).sum();
        let by = all.div_ceil(MAX_SAMPLES).max(1);
        let mut out = Self::default();
        for BranchSegment { direction, z, force, .. } in &ways {
            let mean = |x: &[f64]| x.chunks(by).map(|x| x.iter().sum::<f64>() / x.len() as f64).collect::<Vec<f64>>();
            out.begins.push(out.z.len());
            out.directions.push(*direction);
            out.z.extend(mean(z));
            out.force.extend(mean(force).iter().map(|f| direction * f));
        }
        out.force = out.centred(&out.force);
        out
    }
    /// Sample ranges of the branches.
    pub fn parts(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        let ends = self.begins.iter().skip(1).copied().chain([self.z.len()]);
        self.begins.iter().copied().zip(ends).map(|(a, b)| a..b)
    }
    /// Values less the mean of each branch.
    pub fn centred(&self, y: &[f64]) -> Vec<f64> {
        let mut out = y.to_vec();
        for part in self.parts() {
            let mean = y[part.clone()].iter().sum::<f64>() / part.len() as f64;
            out[part].iter_mut().for_each(|y| *y -= mean);
        }
        out
    }
    /// The longest travel.
    pub fn longest(&self) -> f64 {
        self.z.iter().fold(0.0, |a, b| f64::max(a, *b))
    }
    /// Fits a function of travel.
    pub fn fit(
        &self,
        parameters: &[Parameter],
        curve: &(dyn Fn(&[f64], f64) -> f64 + Sync),
    ) -> Result<Fit, NumericsError> {
        let residual = |p: &[f64], out: &mut [f64]| {
            let model: Vec<f64> = self.z.iter().map(|z| curve(p, *z)).collect();
            let model = self.centred(&model);
            out.iter_mut().zip(&model).zip(&self.force).for_each(|((o, m), f)| *o = m - f);
        };
        let breaks = self.begins.iter().skip(1).copied().collect();
        let noise = NoiseModel::Correlated { lag: None, whiten: true, breaks };
        let options = FitOptions { noise, evaluations: 1000, ..FitOptions::default() };
        nonlinear(&LeastSquaresProblem::new(parameters, self.z.len(), &residual), &options)
    }
    /// Slopes of the force in ten ranges of travel, denser near the reversal.
    fn slopes(&self) -> [f64; 10] {
        let top = self.longest();
        let edge = |k: usize| top * (k as f64 / 10.0).powi(2);
        std::array::from_fn(|k| {
            let (mut zz, mut zf) = (0.0, 0.0);
            for part in self.parts() {
                let inside = |i: &usize| self.z[*i] >= edge(k) && self.z[*i] <= edge(k + 1);
                let rows: Vec<usize> = part.filter(inside).collect();
                let n = rows.len() as f64;
                let [z, f] = [&self.z, &self.force].map(|y| rows.iter().map(|i| y[*i]).sum::<f64>() / n);
                zz += rows.iter().map(|i| (self.z[*i] - z).powi(2)).sum::<f64>();
                zf += rows.iter().map(|i| (self.z[*i] - z) * (self.force[*i] - f)).sum::<f64>();
            }
            if zz > 0.0 { zf / zz } else { f64::NAN }
        })
    }
    /// Initial values: stiffness at the beginning, in the middle and at the end.
    pub fn starts(&self) -> [f64; 3] {
        let slopes: Vec<f64> = self.slopes().into_iter().filter(|s| s.is_finite()).collect();
        let most = slopes.iter().copied().fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        let at = |k: usize| slopes.get(k).copied().unwrap_or(most).max(1e-3 * most);
        [most, at(slopes.len() / 2), at(slopes.len().saturating_sub(1))]
    }
}
