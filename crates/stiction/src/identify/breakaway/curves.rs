//! Data of the figures of break-aways.
use super::{BreakawayEvent, BreakawayOptions, LinearRegression, summary};
use crate::identify::MotionRecord;
use crate::identify::result::{
    BreakawayApproach, BreakawayApproaches, BreakawayPoint, BreakawayRecord, MotionQuantity, RegressionCurve,
    RegressionKind, ResultCurves,
};

/// Records with a figure.
const MAX_RECORDS: usize = 4;
/// Points of a regression line.
const LINE_POINTS: u32 = 60;
/// Curves before break-away end at this multiple of the displacement at break-away: the motion after it would hide them.
const MAX_DISPLACEMENT: f64 = 3.0;

pub(super) fn curves(
    motions: &[MotionRecord],
    events: &[BreakawayEvent],
    options: &BreakawayOptions,
) -> Vec<ResultCurves> {
    let records = motions.iter().enumerate().take(MAX_RECORDS);
    let mut out: Vec<ResultCurves> =
        records.map(|(k, motion)| ResultCurves::BreakawayRecord(record(k, motion, events))).collect();
    if !events.is_empty() {
        out.push(ResultCurves::BreakawayApproaches(approaches(motions, events)));
    }
    if let Some(fit) = summary::by_load(events, options) {
        out.push(regression_curve(&fit, RegressionKind::BreakawayOverLoad, options));
    }
    if let Some(fit) = summary::by_dwell(events, options) {
        out.push(regression_curve(&fit, RegressionKind::BreakawayOverRestTime, options));
    }
    out
}

/// A record with its break-aways.
fn record(index: usize, motion: &MotionRecord, events: &[BreakawayEvent]) -> BreakawayRecord {
    let (quantity, values) = if motion.acceleration.is_empty() {
        (MotionQuantity::Velocity, &motion.velocity)
    } else {
        (MotionQuantity::Acceleration, &motion.acceleration)
    };
    let point = |e: &BreakawayEvent| BreakawayPoint { t: e.t, force: e.direction * e.force, error: e.error };
    BreakawayRecord {
        record: motion.name.clone(),
        t: motion.t.clone(),
        force: motion.force.clone(),
        quantity,
        motion: values.clone(),
        events: events.iter().filter(|e| e.motion == index).map(point).collect(),
    }
}

/// Force over displacement before each break-away, forward ones first.
fn approaches(motions: &[MotionRecord], events: &[BreakawayEvent]) -> BreakawayApproaches {
    let mut out = Vec::new();
    for direction in [1.0, -1.0] {
        for event in events.iter().filter(|e| e.direction == direction) {
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
            let limit = MAX_DISPLACEMENT * event.distance.abs();
            let points = x.into_iter().zip(motion.force[rows].iter().copied());
            let points = points.filter(|p| limit <= 0.0 || p.0.abs() <= limit).collect();
            out.push(BreakawayApproach { direction, points });
        }
    }
    BreakawayApproaches {
        approaches: out,
        breakaways: events.iter().map(|e| (e.direction * e.distance, e.direction * e.force)).collect(),
        longest: events.iter().fold(0.0, |most, e| f64::max(most, e.distance.abs())),
    }
}

/// Points of a regression line over the range of its data.
pub(super) fn regression_curve(
    fit: &LinearRegression,
    kind: RegressionKind,
    options: &BreakawayOptions,
) -> ResultCurves {
    let (low, high) = fit.points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), p| (a.min(p.0), b.max(p.0)));
    let point = |k: u32| {
        let x = low + (high - low) * f64::from(k) / f64::from(LINE_POINTS);
        let [y, below, above] = fit.at(x);
        [x, y, below, above]
    };
    ResultCurves::RegressionCurve(RegressionCurve {
        kind,
        load: options.load_label(),
        points: fit.points.clone(),
        line: (0..=LINE_POINTS).map(point).collect(),
    })
}
