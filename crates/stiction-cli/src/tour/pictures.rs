//! Pictures of the tour that are not part of a report.
use super::steps::Step;
use super::test_rig::Log;
use super::true_values::ComparedValue;
use stiction::identify::ResidualSeries;
use stiction::plot::{Axis, Figure, Panel};

/// Number of dots in a scatter plot.
const MAX_DOTS: usize = 1500;
/// The part of the log that is shown \[s\]: two pressures.
const LOG: [f64; 2] = [0.0, 4.0];
/// The part of the second record that is shown, around a step of its pressure \[s\].
const CHECK: [f64; 2] = [3.0, 5.0];

/// Relative error above which a number is left out of the picture of intervals.
const MAX_SHOWN_ERROR: f64 = 0.1;

/// The signals of the sensors.
pub fn log(log: &Log) -> Figure {
    let [from, to] = LOG;
    let panel = |label: &str, k: usize| {
        Panel::new(Axis::linear("t [s]"), Axis::linear(label)).line("", log.over_time(k, from, to))
    };
    Figure::new("What the log shows")
        .panel(panel("position [m]", 1))
        .panel(panel("force [N]", 2))
        .panel(panel("pressure [bar]", 3))
}

/// Samples of a residual between two times.
fn stretch(list: &[f64], residual: &ResidualSeries, [from, to]: [f64; 2]) -> Vec<(f64, f64)> {
    let all = residual.t.iter().copied().zip(list.iter().copied());
    all.filter(|(t, _)| (from..=to).contains(t)).collect()
}

/// Friction against velocity, measured and by the identified law, both along the same motion.
pub fn law(step: &Step, log: &Log) -> Option<Figure> {
    let residual = step.result()?.residuals.first()?;
    let [t, x, ..] = &log.columns;
    let dt = t.get(1)? - t.first()?;
    // a difference over a few samples is accurate enough for a picture
    let speed = |at: f64| {
        let k = (at / dt).round() as usize;
        let (a, b) = (k.saturating_sub(5), (k + 5).min(x.len() - 1));
        (x[b] - x[a]) / (t[b] - t[a])
    };
    let by = residual.t.len().div_ceil(MAX_DOTS).max(1);
    let over = |list: &[f64]| -> Vec<(f64, f64)> {
        let all = residual.t.iter().copied().zip(list.iter().copied());
        all.step_by(by).map(|(t, f)| (speed(t), f)).collect()
    };
    let most = 1.05 * residual.measured.iter().fold(0.0_f64, |most, f| most.max(f.abs()));
    let panel = |title: &str, list: &[f64]| {
        let friction = Axis::linear("friction [N]").limits(-most, most);
        Panel::new(Axis::linear("v [m/s]"), friction).title(title).cloud("", over(list))
    };
    Some(
        Figure::new("Friction over velocity, at six pressures")
            .panel(panel("(a) measured", &residual.measured))
            .beside(panel("(b) hysteresis law, as identified", &residual.model)),
    )
}

/// Error of each number, with its interval.
pub fn intervals(rows: &[ComparedValue]) -> Figure {
    let percent = |x: f64, row: &ComparedValue| 100.0 * (x / row.truth - 1.0);
    // a number with a large error would compress the scale; it is in the table
    let near = || rows.iter().enumerate().filter(|(_, row)| row.off().abs() < MAX_SHOWN_ERROR);
    let bar = |(k, row): (usize, &ComparedValue)| {
        let [low, high] = row.found.interval;
        [k as f64 + 1.0, percent(row.found.value, row), percent(low, row), percent(high, row)]
    };
    let places = Axis::linear("row of the table").limits(0.0, rows.len() as f64 + 2.0);
    let mut panel = Panel::new(places, Axis::linear("identified minus true [%]"));
    for (name, holds) in [("interval contains the true value", true), ("interval misses it", false)] {
        let some: Vec<[f64; 4]> = near().filter(|(_, row)| row.holds() == holds).map(bar).collect();
        if !some.is_empty() {
            panel = panel.bars(name, some);
        }
    }
    for (k, row) in near() {
        let [x, y, ..] = bar((k, row));
        panel = panel.annotate(row.label(), (x, y));
    }
    Figure::new("Every number with its 95 % interval").panel(panel)
}

/// The second record: measured, predicted by the law and by the baseline, and the residuals.
pub fn check(law: &Step, baseline: &Step) -> Option<Figure> {
    let [law, other] = [law, baseline].map(|step| step.result().and_then(|result| result.residuals.first()));
    let (law, other) = (law?, other?);
    let rest = |r: &ResidualSeries| stretch(&r.residuals().collect::<Vec<_>>(), r, CHECK);
    let time = || Axis::linear("t [s]");
    Some(
        Figure::new("A record that neither law has seen")
            .panel(
                Panel::new(time(), Axis::linear("friction [N]"))
                    .line("measured", stretch(&law.measured, law, CHECK))
                    .line("hysteresis law", stretch(&law.model, law, CHECK)),
            )
            .panel(
                Panel::new(time(), Axis::linear("friction [N]"))
                    .line("measured", stretch(&other.measured, other, CHECK))
                    .line("Coulomb + viscous", stretch(&other.model, other, CHECK)),
            )
            .panel(
                Panel::new(time(), Axis::linear("not predicted [N]"))
                    .line("hysteresis law", rest(law))
                    .line("Coulomb + viscous", rest(other)),
            ),
    )
}
