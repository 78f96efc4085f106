//! Pictures of break-aways.
use super::{Event, Options, Regression, report};
use crate::identify::{Motion, scale};
use crate::plot::{Axis, Figure, Panel};

/// Records shown over time.
const SHOWN: usize = 4;
/// Points of a line that is drawn.
const POINTS: u32 = 60;
const FORCE: &str = "break-away force [N]";

pub(super) fn pictures(motions: &[Motion], events: &[Event], options: &Options) -> Vec<Figure> {
    let mut out: Vec<Figure> =
        motions.iter().enumerate().take(SHOWN).map(|(k, motion)| over_time(k, motion, events)).collect();
    if !events.is_empty() {
        out.push(yielding(motions, events));
    }
    if let Some(line) = report::by_load(events, options) {
        out.push(regression(&line, [&options.load_label(), FORCE], "Break-away force over load"));
    }
    if let Some(line) = report::by_dwell(events, options) {
        out.push(regression(&line, ["log_{10} of the time of rest [s]", FORCE], "Break-away force over time of rest"));
    }
    out
}

/// Force and acceleration over time, with what was found.
fn over_time(index: usize, motion: &Motion, events: &[Event]) -> Figure {
    let at: Vec<f64> = events.iter().filter(|e| e.motion == index).map(|e| e.t).collect();
    let time = Axis::linear("t [s]");
    let (label, y) = if motion.acceleration.is_empty() {
        ("v [m/s]", &motion.velocity)
    } else {
        ("acceleration [m/s²]", &motion.acceleration)
    };
    let over = |y: &[f64]| motion.t.iter().copied().zip(y.iter().copied()).collect::<Vec<_>>();
    let marked: Vec<_> =
        events.iter().filter(|e| e.motion == index).map(|e| [e.t, e.direction * e.force, e.error]).collect();
    let bars = marked.into_iter().map(|[t, f, e]| [t, f, f - 1.96 * e, f + 1.96 * e]);
    let force = Panel::new(time.clone(), Axis::linear("force [N]"))
        .line("measured", over(&motion.force))
        .bars("break-away", bars);
    let motion_panel = Panel::new(time, Axis::linear(label)).line("measured", over(y)).events("break-away", at);
    Figure::new(format!("Break-away in {}", motion.name)).panel(force).panel(motion_panel)
}

/// Force over displacement on the way to break-away, both directions.
fn yielding(motions: &[Motion], events: &[Event]) -> Figure {
    let (by, unit) = scale::length(events.iter().fold(0.0, |most, e| f64::max(most, e.distance.abs())));
    let way = Axis::linear(format!("displacement since the force began to rise [{unit}]"));
    let mut panel = Panel::new(way, Axis::linear("force [N]"));
    for (name, d) in [("forward", 1.0), ("reverse", -1.0)] {
        for event in events.iter().filter(|e| e.direction == d) {
            let motion = &motions[event.motion];
            let rows = event.begin..event.window.end;
            let x: Vec<f64> = if motion.position.is_empty() {
                let step = motion.step();
                motion.velocity[rows.clone()]
                    .iter()
                    .scan(0.0, |x, v| {
                        *x += v * step;
                        Some(*x)
                    })
                    .collect()
            } else {
                motion.position[rows.clone()].iter().map(|x| x - motion.position[rows.start]).collect()
            };
            // the run-away would hide what came before
            let most = 3.0 * event.distance.abs();
            let points =
                x.into_iter().zip(motion.force[rows].iter().copied()).filter(|p| most <= 0.0 || p.0.abs() <= most);
            panel = panel.line(name, points.map(|(x, f)| (by * x, f)));
        }
    }
    let places = events.iter().map(|e| (by * e.direction * e.distance, e.direction * e.force));
    Figure::new("Force on the way to break-away").panel(panel.points("break-away", places))
}

/// Points, their line, and where the line may lie.
pub(super) fn regression(line: &Regression, [x, y]: [&str; 2], title: &str) -> Figure {
    let (low, high) = line.points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), p| (a.min(p.0), b.max(p.0)));
    let at = |k: u32| low + (high - low) * f64::from(k) / f64::from(POINTS);
    let panel = Panel::new(Axis::linear(x), Axis::linear(y))
        .band(
            "95 % of the line",
            (0..=POINTS).map(|k| {
                let [_, a, b] = line.at(at(k));
                [at(k), a, b]
            }),
        )
        .line("line", (0..=POINTS).map(|k| (at(k), line.at(at(k))[0])))
        .points("measured", line.points.iter().copied());
    Figure::new(title).panel(panel)
}
