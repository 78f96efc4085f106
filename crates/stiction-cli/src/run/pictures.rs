//! The pictures of a run: those the scenario asks for, else positions, velocities and forces over time.
use super::folder::Folder;
use super::recorder::Recorder;
use crate::fault::Fault;
use stiction::plot::{Axis, Figure, Format, Panel, Theme};
use stiction::scenario::{Plot, Scenario};
use stiction::sim::Column;

/// Lines in a panel that a reader can tell apart.
const LINES: usize = 6;
/// Marks of events beyond this would hide the lines.
const MARKS: usize = 60;

/// The pictures a scenario asks for, or the usual one.
pub fn plots(scenario: &Scenario, columns: &[Column]) -> Vec<Plot> {
    if scenario.plots.is_empty() { vec![usual(columns)] } else { scenario.plots.clone() }
}

/// The figures of all plots.
pub fn figures(title: &str, plots: &[Plot], columns: &[Column], recorder: &Recorder<'_>, theme: Theme) -> Vec<Figure> {
    let title = |plot: &Plot| if plot.title.is_empty() { title.to_owned() } else { plot.title.clone() };
    plots.iter().map(|plot| figure(plot, &title(plot), columns, recorder).theme(theme)).collect()
}

/// Writes them all into `folder`; returns the names of the files.
pub fn write(folder: &Folder, plots: &[Plot], figures: &[Figure]) -> Result<Vec<String>, Fault> {
    let mut files = Vec::new();
    for (plot, figure) in plots.iter().zip(figures) {
        if figure.panels.is_empty() {
            continue;
        }
        for (ending, format) in [("svg", Format::Svg), ("png", Format::Png)] {
            if cfg!(feature = "png") || format == Format::Svg {
                let file = format!("{}.{ending}", plot.name);
                figure.write(&folder.path(&file), format)?;
                files.push(file);
            }
        }
    }
    Ok(files)
}

/// Positions, velocities and forces over time, a panel for each unit.
fn usual(columns: &[Column]) -> Plot {
    let mut panels: Vec<(&str, Vec<String>)> = Vec::new();
    for column in columns.iter().skip(1) {
        if !["x", "v", "force"].iter().any(|end| column.name.ends_with(&format!(".{end}"))) {
            continue;
        }
        match panels.iter_mut().find(|(unit, _)| *unit == column.unit) {
            Some((_, names)) => names.push(column.name.clone()),
            None => panels.push((column.unit, vec![column.name.clone()])),
        }
    }
    let few = |(_, mut names): (&str, Vec<String>)| {
        names.truncate(LINES);
        names
    };
    let (name, title, x) = ("plot".to_owned(), String::new(), "t".to_owned());
    Plot { name, title, x, panels: panels.into_iter().map(few).collect() }
}

fn figure(plot: &Plot, title: &str, columns: &[Column], recorder: &Recorder<'_>) -> Figure {
    let find = |name: &str| columns.iter().position(|column| column.name == name);
    let mut figure = Figure::new(title);
    let Some(x) = find(&plot.x) else { return figure };
    let label = |i: usize| format!("{} [{}]", columns[i].name, columns[i].unit);
    for names in &plot.panels {
        let lines: Vec<usize> = names.iter().filter_map(|name| find(name)).collect();
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

/// Marks where contacts stick and slip, if that is seldom enough to be seen.
fn mark(mut panel: Panel, recorder: &Recorder<'_>) -> Panel {
    for kind in ["stick", "slip"] {
        let times: Vec<f64> = recorder.events.iter().filter(|e| e.kind.is(kind)).map(|e| e.t).collect();
        if !times.is_empty() && times.len() <= MARKS {
            panel = panel.events(kind, times);
        }
    }
    panel
}
