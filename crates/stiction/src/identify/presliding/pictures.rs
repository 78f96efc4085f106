//! Pictures of presliding.
use super::Found;
use crate::identify::{Motion, scale};
use crate::plot::{Axis, Figure, Panel};
use stiction_core::Params;
use stiction_core::models::Hysteresis;

/// Records shown.
const SHOWN: usize = 4;
/// Branches shown on one another.
const BRANCHES: usize = 8;

pub(super) fn pictures(motions: &[Motion], found: &Found) -> Vec<Figure> {
    let mut out: Vec<Figure> = (0..motions.len().min(SHOWN)).map(|k| replayed(motions, found, k)).collect();
    out.push(folded(found));
    out
}

/// Friction over displacement, measured and replayed.
fn replayed(motions: &[Motion], found: &Found, index: usize) -> Figure {
    let path = &found.paths[index];
    let (by, unit) = scale::length(super::path::span(&path.x));
    let over = |force: &[f64]| path.x.iter().map(|x| by * x).zip(force.iter().copied()).collect::<Vec<_>>();
    let mut figure = Figure::new(format!("Presliding of {}", motions[index].name));
    let axes = || Panel::new(Axis::linear(format!("x [{unit}]")), Axis::linear("friction [N]"));
    for (k, (spec, runs)) in found.laws.iter().enumerate() {
        let panel = axes()
            .title(format!("({}) {}", if k == 0 { 'a' } else { 'b' }, spec.law().name))
            .line("measured", over(&path.force))
            .line("law", over(&runs[index].force));
        figure = if k == 0 { figure.panel(panel) } else { figure.beside(panel) };
    }
    figure
}

/// All branches from their reversals, with the fitted curve.
fn folded(found: &Found) -> Figure {
    let top = found.pool.longest();
    let (by, unit) = scale::length(top);
    let travel = Axis::linear(format!("travel from the reversal [{unit}]"));
    let mut panel = Panel::new(travel, Axis::linear("rise of the force [N]"));
    let curve = {
        let nouri = super::laws::hysteresis(&found.exponential, &found.levels, found.pool.longest());
        nouri.ok().map(|spec| Hysteresis::<f64>::from_slice(&spec.values(crate::ParameterGroup::Law)))
    };
    let fitted = |z: f64| curve.as_ref().map_or(f64::NAN, |law| law.branch(z).0);
    let mut parts: Vec<_> = found.pool.parts().zip(&found.pool.directions).collect();
    // the longest, in both directions
    let length = |part: &std::ops::Range<usize>| found.pool.z[part.clone()].iter().fold(0.0_f64, |a, b| a.max(*b));
    parts.sort_by(|a, b| length(&b.0).total_cmp(&length(&a.0)));
    for (part, direction) in parts.into_iter().take(BRANCHES) {
        let n = part.len() as f64;
        let mean = part.clone().map(|k| fitted(found.pool.z[k])).sum::<f64>() / n;
        let points = part.map(|k| (by * found.pool.z[k], found.pool.force[k] + mean));
        panel = panel.line(if *direction > 0.0 { "up" } else { "down, turned" }, points);
    }
    panel = panel.line("F_{d}", (0..=200).map(|k| top * f64::from(k) / 200.0).map(|z| (by * z, fitted(z))));
    Figure::new("Branches on one another").panel(panel)
}
