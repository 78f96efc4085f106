//! Runs beside each other, over time.
use super::simulated_scenario::SimulatedScenario;
use crate::Error;
use crate::plot::{Axis, Panel};

/// A column of several runs over time, until `end`.
pub(super) fn over_time(
    column: &str,
    label: &str,
    end: f64,
    runs: &[(impl AsRef<str>, &SimulatedScenario)],
) -> Result<Panel, Error> {
    let mut panel = Panel::new(Axis::linear("t [s]").limits(0.0, end), Axis::linear(label));
    for (name, run) in runs {
        panel = panel.line(name.as_ref(), run.between("t", column, 0.0, end)?);
    }
    Ok(panel)
}

/// Some `count` of the points, evenly: marks on a line that hide it nowhere.
pub(super) fn thinned(points: Vec<(f64, f64)>, count: usize) -> impl Iterator<Item = (f64, f64)> + Clone {
    let step = points.len().div_ceil(count).max(1);
    points.into_iter().step_by(step)
}

/// The same points with x and y in other units.
pub(super) fn scaled(points: Vec<(f64, f64)>, x: f64, y: f64) -> Vec<(f64, f64)> {
    points.into_iter().map(|p| (x * p.0, y * p.1)).collect()
}
