//! Runs beside each other, over time.
use super::lab::Record;
use crate::Error;
use crate::plot::{Axis, Panel};

/// A column of several runs over time, until `end`.
pub(super) fn over_time(
    column: &str,
    label: &str,
    end: f64,
    runs: &[(impl AsRef<str>, &Record)],
) -> Result<Panel, Error> {
    let mut panel = Panel::new(Axis::linear("t [s]"), Axis::linear(label));
    for (name, run) in runs {
        panel = panel.line(name.as_ref(), run.between("t", column, 0.0, end)?);
    }
    Ok(panel)
}
