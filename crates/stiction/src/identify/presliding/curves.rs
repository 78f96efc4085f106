//! Data of the figures of presliding.
use super::PreslidingAnalysis;
use crate::identify::MotionRecord;
use crate::identify::result::{AlignedBranch, BranchFamily, HysteresisReplay, LawReplay, ResultCurves};
use stiction_core::Params;
use stiction_core::models::Hysteresis;

/// Records with a figure.
const MAX_RECORDS: usize = 4;
/// Branches in the figure of aligned branches.
const MAX_BRANCHES: usize = 8;
/// Points of the fitted branch function.
const FITTED_POINTS: i32 = 200;

pub(super) fn curves(motions: &[MotionRecord], found: &PreslidingAnalysis) -> Vec<ResultCurves> {
    let replays =
        (0..motions.len().min(MAX_RECORDS)).map(|k| ResultCurves::HysteresisReplay(replay(motions, found, k)));
    replays.chain([ResultCurves::BranchFamily(branch_family(found))]).collect()
}

/// Friction over displacement, measured and replayed by each law.
fn replay(motions: &[MotionRecord], found: &PreslidingAnalysis, index: usize) -> HysteresisReplay {
    let path = &found.paths[index];
    let laws = found
        .laws
        .iter()
        .map(|(spec, replays)| LawReplay { law: spec.law().name.to_owned(), force: replays[index].force.clone() });
    HysteresisReplay {
        record: motions[index].name.clone(),
        displacement: path.x.clone(),
        measured: path.force.clone(),
        laws: laws.collect(),
    }
}

/// The longest branches, aligned at their reversals, with the fitted branch function.
fn branch_family(found: &PreslidingAnalysis) -> BranchFamily {
    let pool = &found.pool;
    let longest = pool.longest();
    let spec = super::laws::hysteresis(&found.exponential, &found.levels, longest);
    let law = spec.ok().map(|spec| Hysteresis::<f64>::from_slice(&spec.values(crate::ParameterGroup::Law)));
    let fitted = |z: f64| law.as_ref().map_or(f64::NAN, |law| law.branch(z).0);
    let mut parts: Vec<_> = pool.parts().zip(&pool.directions).collect();
    let length = |part: &std::ops::Range<usize>| pool.z[part.clone()].iter().fold(0.0_f64, |a, b| a.max(*b));
    parts.sort_by(|a, b| length(&b.0).total_cmp(&length(&a.0)));
    let branch = |(part, direction): (std::ops::Range<usize>, &f64)| {
        let n = part.len() as f64;
        // the force at a reversal is unknown: each branch is shifted to the mean of the fitted function
        let mean = part.clone().map(|k| fitted(pool.z[k])).sum::<f64>() / n;
        AlignedBranch { direction: *direction, points: part.map(|k| (pool.z[k], pool.force[k] + mean)).collect() }
    };
    let at = |k: i32| longest * f64::from(k) / f64::from(FITTED_POINTS);
    BranchFamily {
        branches: parts.into_iter().take(MAX_BRANCHES).map(branch).collect(),
        fitted: (0..=FITTED_POINTS).map(at).map(|z| (z, fitted(z))).collect(),
        longest,
    }
}
