//! Errors over time, and robustness.
use stiction::compensate::{Comparison, MethodResult};
use stiction::plot::{Axis, Figure, Panel};

/// Largest number of points of a line.
const MAX_POINTS: usize = 2000;

/// Periods of hunting that are shown closer, and the share of the time that is without.
const SHOWN_PERIODS: f64 = 4.0;
const SHOWN_SHARE: f64 = 0.1;

/// Figures by name.
pub fn figures(title: &str, found: &Comparison) -> Vec<(&'static str, Figure)> {
    let mut out =
        vec![("errors", errors(title, found)), ("closer", closer(title, found)), ("commands", commands(title, found))];
    if found.results.iter().any(|row| row.robustness.len() > 1) {
        out.push(("robustness", robustness(title, found)));
    }
    out
}

/// Minimum and maximum of every interval of time, so that no oscillation is lost.
fn thin(t: &[f64], x: &[f64]) -> Vec<(f64, f64)> {
    let stretch = (2 * t.len()).div_ceil(MAX_POINTS).max(1);
    if stretch < 3 {
        return t.iter().copied().zip(x.iter().copied()).collect();
    }
    let one = |(t, x): (&[f64], &[f64])| {
        let at = |k: usize| (t[k], x[k]);
        let (mut low, mut high) = (0, 0);
        for k in 0..x.len() {
            low = if x[k] < x[low] { k } else { low };
            high = if x[k] > x[high] { k } else { high };
        }
        [at(low.min(high)), at(low.max(high))]
    };
    t.chunks(stretch).zip(x.chunks(stretch)).flat_map(one).collect()
}

/// The error of each method in a panel, from the time at which errors are evaluated; all to the same scale, except for
/// outliers.
fn errors(title: &str, found: &Comparison) -> Figure {
    let task = &found.task;
    let peak = |row: &MethodResult| row.performance.map_or(0.0, |s| s.peak);
    let most = found.results.iter().map(peak).fold(task.servo.quantum, f64::max);
    let mut figure = Figure::new(format!("{title}: error with each method"));
    for (k, row) in found.results.iter().enumerate() {
        let first = row.run.t.iter().position(|t| *t >= task.from).unwrap_or(0);
        let axis = Axis::linear(format!("error [{}]", task.servo.unit));
        let axis = if row.performance.is_some() && most > 0.0 { axis.limits(-1.05 * most, 1.05 * most) } else { axis };
        let name =
            if row.performance.is_some() { row.method.name.clone() } else { format!("{} (failed)", row.method.name) };
        let mut panel = Panel::new(Axis::linear("t [s]"), axis).title(name);
        panel = panel.line("", thin(&row.run.t[first..], &row.run.error[first..]));
        if task.servo.quantum > 0.02 * most {
            let name = if k == 0 { "half a count" } else { "" };
            panel =
                panel.horizontal_line(name, 0.5 * task.servo.quantum).horizontal_line("", -0.5 * task.servo.quantum);
        }
        figure = figure.panel(panel);
    }
    figure
}

/// The end of the run, each method in its own scale: what hunts or trembles is lost in the scale of the largest error.
fn closer(title: &str, found: &Comparison) -> Figure {
    let task = &found.task;
    let end = task.span[1];
    // some periods of the slowest hunting, else a tenth of what is judged
    let periods =
        found.results.iter().filter_map(|row| row.performance?.hunting).map(|hunting| SHOWN_PERIODS * hunting.period);
    let longest = periods.fold(0.0, f64::max);
    let span = if longest > 0.0 { longest } else { SHOWN_SHARE * (end - task.from) }.min(end - task.from);
    let mut figure = Figure::new(format!("{title}: error at the end, each in its own scale"));
    for row in found.results.iter().filter(|row| row.performance.is_some()) {
        let first = row.run.t.iter().position(|t| *t >= end - span).unwrap_or(0);
        let panel = Panel::new(Axis::linear("t [s]"), Axis::linear(format!("error [{}]", task.servo.unit)));
        figure = figure
            .panel(panel.title(row.method.name.clone()).line("", thin(&row.run.t[first..], &row.run.error[first..])));
    }
    figure
}

/// The command of each method from the same time on, which shows chattering.
fn commands(title: &str, found: &Comparison) -> Figure {
    let task = &found.task;
    let unit = if task.servo.unit == "rad" { "N·m" } else { "N" };
    let mut figure = Figure::new(format!("{title}: command of each method"));
    for row in &found.results {
        let first = row.run.t.iter().position(|t| *t >= task.from).unwrap_or(0);
        let panel = Panel::new(Axis::linear("t [s]"), Axis::linear(format!("command [{unit}]")));
        let line = thin(&row.run.t[first..], &row.run.command[first..]);
        figure = figure.panel(panel.title(row.method.name.clone()).line("", line));
    }
    figure
}

/// RMS error against the factor by which the model is wrong.
fn robustness(title: &str, found: &Comparison) -> Figure {
    let y = Axis::log(format!("rms error [{}]", found.task.servo.unit));
    let mut panel = Panel::new(Axis::linear("model / truth"), y);
    for row in found.results.iter().filter(|row| row.robustness.len() > 1) {
        let points = row.robustness.iter().map(|(factor, rms)| (*factor, rms.unwrap_or(f64::NAN)));
        panel = panel.line(&row.method.name, points);
    }
    if let Some(alone) = found.results.iter().find(|row| row.method.parts.is_empty()).and_then(|row| row.performance) {
        panel = panel.horizontal_line("none", alone.rms);
    }
    Figure::new(format!("{title}: robustness against wrong models")).panel(panel)
}
