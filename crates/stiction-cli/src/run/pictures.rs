//! The pictures of a run: those defined in the scenario, else positions, velocities, forces and controls over time.
use super::recorder::Recorder;
use crate::error::CommandError;
use crate::output_folder::OutputFolder;
use stiction::number::{round, short};
use stiction::plot::{Axis, Figure, ImageFormat, Panel};
use stiction::scenario::{PlotDefinition, Scenario};
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
) -> Vec<Figure> {
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
fn figure(plot: &PlotDefinition, title: String, columns: &[Column], recorder: &Recorder<'_>, once: bool) -> Figure {
    let find = |name: &str| columns.iter().position(|column| column.name == name);
    let mut figure = Figure::new(title);
    let Some(x) = find(&plot.x) else { return figure };
    let label = |i: usize| format!("{} [{}]", columns[i].name, columns[i].unit);
    for names in &plot.panels {
        let mut lines: Vec<usize> = names.iter().filter_map(|name| find(name)).collect();
        if once {
            let all = lines.clone();
            // equal within rounding: just before it sticks, a body still has a speed of 1e-19
            let same = |i: usize, k: usize| {
                let size = recorder.values(i).fold(0.0_f64, |most, x| most.max(x.abs()));
                recorder.values(i).zip(recorder.values(k)).all(|(a, b)| (a - b).abs() <= 1e-12 * size)
            };
            lines.retain(|&i| !all.iter().take_while(|&&k| k != i).any(|&k| same(i, k)));
        }
        let Some(&first) = lines.first() else { continue };
        // one line: its name; several in one unit: what they have in common
        let last = |i: usize| columns[i].name.rsplit('.').next().unwrap_or_default();
        let y = match lines[..] {
            [one] => label(one),
            _ if lines.iter().all(|&i| last(i) == last(first)) => format!("{} [{}]", last(first), columns[first].unit),
            _ => format!("[{}]", columns[first].unit),
        };
        let mut panel = Panel::new(Axis::linear(label(x)), Axis::linear(y));
        for &i in &lines {
            let name = if lines.len() > 1 { columns[i].name.as_str() } else { "" };
            panel = panel.line(name, recorder.values(x).zip(recorder.values(i)));
        }
        if x == 0 {
            panel = mark(panel, recorder);
        }
        figure = figure.panel(panel);
    }
    figure
}

/// Marks the times at which contacts stick and slip, if they are few enough.
fn mark(mut panel: Panel, recorder: &Recorder<'_>) -> Panel {
    for kind in ["stick", "slip"] {
        let times: Vec<f64> = recorder.events.iter().filter(|e| e.kind.is(kind)).map(|e| e.t).collect();
        if !times.is_empty() && times.len() <= MAX_MARKS {
            panel = panel.events(kind, times);
        }
    }
    panel
}
