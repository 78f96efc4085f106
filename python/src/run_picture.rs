//! The first picture of a run, for notebooks.
use crate::error::PythonError;
use crate::table::Table;
use pyo3::prelude::*;
use stiction::plot::{Axis, Figure, Panel};

/// What a picture shows: its name, its unit and its values in the window of the picture.
struct PlottedQuantity {
    name: String,
    unit: String,
    values: Vec<f64>,
}

impl PlottedQuantity {
    fn label(&self) -> String {
        if self.unit.is_empty() { self.name.clone() } else { format!("{} [{}]", self.name, self.unit) }
    }
}

/// Title, horizontal axis and panels; the window of time; the limits of the horizontal axis and of the vertical ones; whether the axes
/// are logarithmic.
pub type Picture = ((String, String, Vec<Vec<String>>), [f64; 2], ([f64; 2], Vec<[f64; 2]>), [bool; 2]);

/// A picture of a run of this title as SVG, from its columns and from what is no column; empty without rows.
pub fn svg(
    py: Python<'_>,
    run_title: &str,
    picture: &Picture,
    (trace, formulas): (&Table, &Table),
) -> Result<String, PythonError> {
    let ((title, x, panels), [begin, end], (x_limits, y_limits), [x_log, y_log]) = picture;
    let times = trace.numbers(py, "t")?;
    let line = |text: &String| -> Result<PlottedQuantity, PythonError> {
        let table = if trace.unit(text).is_some() { trace } else { formulas };
        let unit = table.unit(text).unwrap_or_default().to_owned();
        // a formula may end in its unit
        let name = text.strip_suffix(&format!("[{unit}]")).unwrap_or(text).trim().to_owned();
        let values = table.numbers(py, text)?.into_iter().zip(&times);
        let values = values.filter(|(_, t)| (*begin..=*end).contains(*t)).map(|(value, _)| value).collect();
        Ok(PlottedQuantity { name, unit, values })
    };
    let axis = |label: String, log: bool, [low, high]: [f64; 2]| {
        let axis = if log { Axis::log(label) } else { Axis::linear(label) };
        axis.limits(low, high)
    };
    let along = line(x)?;
    if along.values.is_empty() {
        return Ok(String::new());
    }
    let mut figure = Figure::new(if title.is_empty() { run_title } else { title.as_str() });
    for (k, texts) in panels.iter().enumerate() {
        let lines = texts.iter().map(line).collect::<Result<Vec<_>, _>>()?;
        let Some(first) = lines.first() else { continue };
        let one_unit = lines.iter().all(|line| line.unit == first.unit);
        let label = match (lines.len(), one_unit) {
            (1, _) => first.label(),
            (_, true) if !first.unit.is_empty() => format!("[{}]", first.unit),
            _ => String::new(),
        };
        let limits = y_limits.get(k).copied().unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        let mut panel = Panel::new(axis(along.label(), *x_log, *x_limits), axis(label, *y_log, limits));
        for line in &lines {
            let name = match (lines.len(), one_unit) {
                (1, _) => String::new(),
                (_, true) => line.name.clone(),
                (_, false) => line.label(),
            };
            panel = panel.line(name, along.values.iter().copied().zip(line.values.iter().copied()));
        }
        figure = figure.panel(panel);
    }
    Ok(if figure.panels.is_empty() { String::new() } else { figure.svg() })
}
