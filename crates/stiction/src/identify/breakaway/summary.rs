//! Result of the identification of break-away.
use super::{BreakawayEvent, BreakawayOptions, LinearRegression, condition_tables};
use crate::identify::{Estimate, IdentificationResult, MotionRecord, ResultTable, Score, Severity};
use crate::statistics::student_t_quantile;

/// Mean of several values with its standard error from their scatter; a single value keeps its own.
pub(super) fn mean(name: &str, unit: &str, list: &[(f64, f64)]) -> Estimate {
    let n = list.len() as f64;
    let value = list.iter().map(|x| x.0).sum::<f64>() / n;
    if let [(value, error)] = list {
        return Estimate::new(name, unit, *value, *error, [value - 1.96 * error, value + 1.96 * error]);
    }
    let error = spread(list) / n.sqrt();
    let half = student_t_quantile(0.975, n - 1.0) * error;
    Estimate::new(name, unit, value, error, [value - half, value + half])
}

fn spread(list: &[(f64, f64)]) -> f64 {
    let n = list.len() as f64;
    let mean = list.iter().map(|x| x.0).sum::<f64>() / n;
    (list.iter().map(|x| (x.0 - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
}

/// Regression of the break-away force over the load, where it varies.
pub(super) fn by_load(events: &[BreakawayEvent], options: &BreakawayOptions) -> Option<LinearRegression> {
    let points: Vec<_> = events.iter().filter(|e| e.load.is_finite()).map(|e| (e.load, e.force)).collect();
    // the noise of a constant load gives no slope
    let (low, high) = points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), p| (a.min(p.0), b.max(p.0)));
    let names = ["fs without load", "fs per load"];
    let held = high - low < 0.05 * high.abs().max(low.abs());
    if held { None } else { LinearRegression::new(&points, names, ["N", &options.load_unit]).ok() }
}

/// Regression of the break-away force over the logarithm of the time of rest, if it varies by a factor of three or more: a higher
/// break-away force takes longer to reach by itself. The dependence on the load is removed first.
pub(super) fn by_dwell(events: &[BreakawayEvent], options: &BreakawayOptions) -> Option<LinearRegression> {
    let known: Vec<&BreakawayEvent> = events.iter().filter(|e| e.dwell > 0.0).collect();
    let (low, high) = known.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), e| (a.min(e.dwell), b.max(e.dwell)));
    if high < 3.0 * low {
        return None;
    }
    let slope = by_load(events, options).map_or(0.0, |line| line.slope.value);
    let middle = known.iter().map(|e| e.load).sum::<f64>() / known.len() as f64;
    let force = |e: &BreakawayEvent| if slope == 0.0 { e.force } else { e.force - slope * (e.load - middle) };
    let points: Vec<_> = known.iter().map(|e| (e.dwell.log10(), force(e))).collect();
    LinearRegression::new(&points, ["fs after 1 s", "fs per decade of rest"], ["N", "decade"]).ok()
}

pub(super) fn summarise(
    motions: &[MotionRecord],
    events: &[BreakawayEvent],
    refused: usize,
    options: &BreakawayOptions,
) -> IdentificationResult {
    let mut out = IdentificationResult::new("breakaway", "Break-away");
    if refused > 0 {
        let text = format!(
            "{refused} times the body began to move without a break-away that stands out from the noise: a slow start"
        );
        out.remark(Severity::Warning, text);
    }
    if events.is_empty() {
        out.remark(
            Severity::Critical,
            "no break-away in these records: raise the force slowly until the body moves, from rest",
        );
        return out;
    }
    let side = |d: f64| events.iter().filter(|e| e.direction == d).collect::<Vec<_>>();
    let forces = |list: &[&BreakawayEvent]| list.iter().map(|e| (e.force, e.error)).collect::<Vec<_>>();
    out.estimates.push(mean("fs", "N", &forces(&events.iter().collect::<Vec<_>>())));
    let both = [("forward", side(1.0)), ("reverse", side(-1.0))];
    for (name, list) in both.iter().filter(|(_, list)| !list.is_empty()) {
        out.estimates.push(mean(&format!("fs {name}"), "N", &forces(list)));
        let ways: Vec<_> = list.iter().map(|e| (e.distance, f64::NAN)).collect();
        out.estimates.push(mean(&format!("distance {name}"), "m", &ways));
        if list.len() > 1 {
            let (title, value) = (format!("spread of the force, {name}"), spread(&forces(list)));
            out.scores.push(Score::new(&format!("spread {name}"), &title, value, "N"));
        } else {
            let text = format!("one break-away {name}: repeat it to know its spread, and the error of the distance");
            out.remark(Severity::Warning, text);
        }
    }
    for (name, _) in both.iter().filter(|(_, list)| list.is_empty()) {
        out.remark(Severity::Warning, format!("no break-away {name}: the directions cannot be compared"));
    }
    sides(&mut out, events);
    if let Some(line) = by_load(events, options) {
        regression(&mut out, &line, &options.load);
    } else if motions.iter().any(|m| !m.load.is_empty()) {
        out.remark(
            Severity::Info,
            format!("the {} is the same in all break-aways, so its effect is not identifiable", options.load),
        );
    }
    match by_dwell(events, options) {
        Some(line) => regression(&mut out, &line, "time of rest"),
        None => out.remark(
            Severity::Info,
            "too few times of rest, or too similar ones, to tell whether break-away grows with the time of rest",
        ),
    }
    out.tables.push(table(motions, events, options));
    out.tables.extend(condition_tables::tables(events));
    out.remarks.sort_by_key(|remark| remark.severity);
    out
}

/// Comparison of the directions. It assumes that both directions had the same loads.
fn sides(out: &mut IdentificationResult, events: &[BreakawayEvent]) {
    let (Some(plus), Some(minus)) = (out.estimate("fs forward"), out.estimate("fs reverse")) else { return };
    let (difference, error) = (plus.value - minus.value, plus.error.hypot(minus.error));
    let part = 100.0 * difference.abs() / (0.5 * (plus.value + minus.value)).abs();
    let (times, n) = (difference.abs() / error, events.len() as f64 - 2.0);
    let more = if difference > 0.0 { "forward" } else { "reverse" };
    if times > student_t_quantile(0.975, n.max(1.0)) {
        let text =
            format!("the break-away force is {part:.1} % larger in {more} direction: {times:.1} standard errors");
        out.remark(Severity::Warning, text);
    } else {
        out.remark(
            Severity::Good,
            format!("the break-away forces of the two directions do not differ significantly: by {part:.1} %, {times:.1} standard errors"),
        );
    }
}

fn regression(out: &mut IdentificationResult, line: &LinearRegression, what: &str) {
    let (slope, percent) = (&line.slope, 100.0 * line.explained);
    let [low, high] = slope.interval;
    let text = if line.is_sloped() {
        let word = if slope.value > 0.0 { "grows" } else { "falls" };
        format!(
            "break-away {word} with the {what}: {:.4} {} ({low:.4} to {high:.4}), which explains {percent:.0} % of its variance",
            slope.value, slope.unit
        )
    } else {
        format!(
            "break-away does not depend on the {what} as far as {} points tell: {low:.4} to {high:.4} {}",
            line.points.len(),
            slope.unit
        )
    };
    out.remark(Severity::Info, text);
    out.estimates.extend([line.intercept.clone(), line.slope.clone()]);
}

fn table(motions: &[MotionRecord], events: &[BreakawayEvent], options: &BreakawayOptions) -> ResultTable {
    let columns =
        ["record", "t [s]", "± [s]", "direction", "force [N]", "± [N]", "distance [m]", "rest [s]", "rate [N/s]"];
    let columns =
        columns.into_iter().map(str::to_owned).chain([options.load_label(), "2 ln odds".to_owned()]).collect();
    let row = |e: &BreakawayEvent| {
        let name = motions[e.motion].name.clone();
        (name, vec![e.t, e.t_error, e.direction, e.force, e.error, e.distance, e.dwell, e.rate, e.load, e.gain])
    };
    let rows = events.iter().map(row).collect();
    ResultTable { key: "breakaways".to_owned(), title: "Break-aways".to_owned(), columns, rows }
}
