//! Records as means over intervals that grow with the time since the last step.
use super::record::VelocitySteps;

/// The sampling interval just after a time: the median of a few, because laboratories sample faster after a step.
pub(super) fn gap_after(t: &[f64], time: f64) -> f64 {
    let from = t.partition_point(|t| *t < time);
    let mut gaps: Vec<f64> = t[from.min(t.len().saturating_sub(7))..].windows(2).take(6).map(|w| w[1] - w[0]).collect();
    if gaps.is_empty() {
        return 0.0;
    }
    let middle = gaps.len() / 2;
    *gaps.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// A record as weighted means: `before` of them before the first step, and so many per decade of time after each.
pub(super) fn thinned(record: &VelocitySteps, per_decade: f64, before: usize) -> VelocitySteps {
    let t = &record.t;
    let (Some(first), Some(end)) = (t.first(), t.last()) else { return record.clone() };
    let mut edges: Vec<f64> = Vec::new();
    let steps: Vec<f64> = record.load.steps().iter().map(|&i| record.load.start[i]).collect();
    let rise = 10.0_f64.powf(1.0 / per_decade);
    let until = steps.first().copied().unwrap_or(*end);
    edges.extend((0..before).map(|k| first + (until - first) * k as f64 / before as f64));
    for (i, from) in steps.iter().enumerate() {
        let to = steps.get(i + 1).copied().unwrap_or(*end);
        let gap = gap_after(t, *from).max(1e-9 * (end - first));
        edges.push(*from);
        let mut since = gap;
        while from + since < to {
            edges.push(from + since);
            since = (since * rise).max(since + gap);
        }
    }
    let mut out = VelocitySteps { t: Vec::new(), friction: Vec::new(), weight: Vec::new(), ..record.clone() };
    let weight = |j: usize| record.weight.get(j).copied().unwrap_or(1.0);
    let mut k = 0;
    for i in 0..edges.len() {
        let to = edges.get(i + 1).copied().unwrap_or(f64::INFINITY);
        let from = k;
        while k < t.len() && t[k] < to {
            k += 1;
        }
        let total: f64 = (from..k).map(weight).sum();
        if total > 0.0 {
            let mean = |x: &[f64]| (from..k).map(|j| weight(j) * x[j]).sum::<f64>() / total;
            // the slider starts at the first sample
            out.t.push(if out.t.is_empty() { *first } else { mean(t) });
            out.friction.push(mean(&record.friction));
            out.weight.push(total);
        }
    }
    out
}
