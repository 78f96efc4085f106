//! The pictures of a run: those defined in the scenario, else positions, velocities, forces and controls over time.
use super::recorder::Recorder;
use crate::error::CommandError;
use crate::output_folder::OutputFolder;
use crate::stream;
use stiction::Error;
use stiction::number::{round, short};
use stiction::plot::{Axis, Figure, ImageFormat, Panel};
use stiction::scenario::{PlotDefinition, PlotQuantity, Scenario};
use stiction::sim::{Column, RunSummary};

/// Largest number of marked events; more would hide the lines.
const MAX_MARKS: usize = 60;

/// The figures of all plots; the title of a run that was interrupted says so.
pub fn figures(
    name: &str,
    scenario: &Scenario,
    plots: &[PlotDefinition],
    summary: &RunSummary,
    recorder: &Recorder<'_>,
) -> Result<Vec<Figure>, Error> {
    let columns = &summary.columns;
    let ended = if summary.complete {
        String::new()
    } else {
        format!(" (incomplete, ended at t = {} s)", short(round(summary.t, 6)))
    };
    let title = |plot: &PlotDefinition| {
        let titles = [&*plot.title, &*scenario.title, name];
        titles.into_iter().find(|title| !title.is_empty()).unwrap_or_default().to_owned() + &ended
    };
    // equal lines are drawn once, because the scenario has not asked for them
    let once = scenario.plots.is_empty();
    plots.iter().map(|plot| figure(plot, title(plot), columns, recorder, once)).collect()
}

/// Writes them all into `folder`; returns the names of the files.
pub fn write(folder: &OutputFolder, plots: &[PlotDefinition], figures: &[Figure]) -> Result<Vec<String>, CommandError> {
    let mut files = Vec::new();
    for (plot, figure) in plots.iter().zip(figures) {
        if figure.panels.is_empty() {
            continue;
        }
        for (ending, format) in [("svg", ImageFormat::Svg), ("png", ImageFormat::Png)] {
            if cfg!(feature = "png") || format == ImageFormat::Svg {
                let file = format!("{}.{ending}", plot.name);
                figure.write(&folder.path(&file), format)?;
                files.push(file);
            }
        }
    }
    Ok(files)
}

/// A plot; with `once`, without lines that are the same as another in their panel, such as the speeds of a body and of
/// its contact with the ground.
fn figure(
    plot: &PlotDefinition,
    title: String,
    columns: &[Column],
    recorder: &Recorder<'_>,
    once: bool,
) -> Result<Figure, Error> {
    let style = &plot.style;
    let mut figure = Figure::new(title).width(style.width).font_size(style.font_size);
    figure.height = style.height;
    let x = PlotQuantity::new(&plot.x, columns)?;
    let along = recorder.values(&x, plot.window);
    let axis = |label: String, log: bool, [low, high]: [f64; 2]| {
        let axis = if log { Axis::log(label) } else { Axis::linear(label) };
        axis.limits(low, high)
    };
    let free = [f64::NEG_INFINITY, f64::INFINITY];
    for (k, texts) in plot.panels.iter().enumerate() {
        let mut lines: Vec<(PlotQuantity, Vec<f64>)> = Vec::new();
        for text in texts {
            let quantity = PlotQuantity::new(text, columns)?;
            let values = recorder.values(&quantity, plot.window);
            if !once || !lines.iter().any(|(_, others)| same(&values, others)) {
                lines.push((quantity, values));
            }
        }
        if lines.is_empty() {
            continue;
        }
        let drawn = |x: f64, low: bool| x.is_finite() && (!low || x > 0.0);
        let seen =
            |values: &[f64]| along.iter().zip(values).any(|(x, y)| drawn(*x, style.x_log) && drawn(*y, style.y_log));
        if !lines.iter().any(|(_, values)| seen(values)) {
            let reason = if along.is_empty() {
                let [from, to] = plot.window.map(|t| short(round(t, 6)));
                format!("the run has no row from {from} to {to} s")
            } else if style.x_log || style.y_log {
                "a log axis shows values above zero only, and there are none".to_owned()
            } else {
                "its values are not finite".to_owned()
            };
            stream::note(format_args!("the picture of {} is empty: {reason}", texts.join(", ")));
        }
        let limits = style.y_limits.get(k).copied().unwrap_or(free);
        let y = axis(y_label(lines.iter().map(|(quantity, _)| quantity)), style.y_log, limits);
        let mut panel = Panel::new(axis(label(&x), style.x_log, style.x_limits), y);
        let (several, one_unit) = (lines.len() > 1, lines.iter().all(|(quantity, _)| quantity.unit == lines[0].0.unit));
        for (quantity, values) in &lines {
            let name = match (several, one_unit) {
                (false, _) => String::new(),
                (true, true) => quantity.name.clone(),
                (true, false) => label(quantity),
            };
            panel = panel.line(name, along.iter().copied().zip(values.iter().copied()));
        }
        if x.is_column() && x.columns == [0] && x.unit == "s" {
            panel = mark(panel, recorder, plot.window);
        }
        figure = figure.panel(panel);
    }
    Ok(if style.decimal_comma { figure.decimal_comma() } else { figure })
}

/// Whether two lines are equal within rounding: just before it sticks, a body still has a speed of 1e-19.
fn same(a: &[f64], b: &[f64]) -> bool {
    let size = a.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-12 * size)
}

/// The name of a quantity with its unit.
fn label(quantity: &PlotQuantity) -> String {
    if quantity.unit.is_empty() { quantity.name.clone() } else { format!("{} [{}]", quantity.name, quantity.unit) }
}

/// The label of an axis for these: one line, its name; several in one unit, what they have in common.
fn y_label<'a>(lines: impl Iterator<Item = &'a PlotQuantity>) -> String {
    let all: Vec<&PlotQuantity> = lines.collect();
    let [first, rest @ ..] = &all[..] else { return String::new() };
    let last = |quantity: &PlotQuantity| quantity.name.rsplit('.').next().unwrap_or_default().to_owned();
    if rest.is_empty() {
        return label(first);
    }
    // those in different units say so in the legend
    if rest.iter().any(|quantity| quantity.unit != first.unit) {
        return String::new();
    }
    let common = rest.iter().all(|quantity| quantity.is_column() && last(quantity) == last(first));
    let name = if common && first.is_column() { last(first) } else { String::new() };
    let unit = if first.unit.is_empty() { String::new() } else { format!("[{}]", first.unit) };
    format!("{name} {unit}").trim().to_owned()
}

/// Marks the times at which contacts stick and slip, if they are few enough.
fn mark(mut panel: Panel, recorder: &Recorder<'_>, [from, to]: [f64; 2]) -> Panel {
    for kind in ["stick", "slip"] {
        let marked = recorder.events.iter().filter(|event| event.kind.is(kind) && (from..=to).contains(&event.t));
        let times: Vec<f64> = marked.map(|event| event.t).collect();
        if !times.is_empty() && times.len() <= MAX_MARKS {
            panel = panel.events(kind, times);
        }
    }
    panel
}
