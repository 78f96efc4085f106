//! What a design tells.
use super::lack::{Reach, needs};
use super::sense::Unknown;
use super::{Design, Segment};
use crate::identify::{Estimate, Finding, Known, Score, Tabular, Tone};
use crate::number::{round, short};
use crate::plot::{Axis, Figure, Panel};

/// Deviations to either side that hold 95 % of a normal distribution.
const SURE: f64 = 1.959_963_984_540_054;

pub(super) fn report(design: &Design, unknowns: &[Unknown], reach: &Reach) -> Finding {
    let law = design.law.law();
    let mut finding = Finding::new("excite", format!("A test for {}", law.name));
    finding.law = Some(design.law.clone());
    for (j, (p, unknown)) in design.predicted.iter().zip(unknowns).enumerate() {
        let interval = [p.value - SURE * p.error, p.value + SURE * p.error];
        let mut e = Estimate::found(&p.key, &p.unit, p.value, p.error, interval);
        if p.value == 0.0 {
            // of nothing there is no part: beside the size it may have
            e.known = Estimate::found(&p.key, &p.unit, unknown.size, p.error, interval).known;
        }
        if e.known == Known::Not && unknown.param.is_some() {
            finding.remark(
                Tone::Bad,
                format!("{}: no motion within the limits tells it; {}", p.key, needs(j, unknown, p.error, reach)),
            );
        }
        finding.estimates.push(e);
    }
    let motion = &design.motion;
    let length = motion.t.last().copied().unwrap_or(0.0);
    finding.scores = vec![
        Score::new("duration", "length of the test", length, "s"),
        Score::new("samples", "samples", motion.len() as f64, ""),
        Score::new("noise", "deviation of the noise of the force", design.noise, "N"),
        Score::new("efficiency", "worth beside the best there can be (D-efficiency)", design.efficiency, ""),
        Score::new("gain", "mean error of the best single sine over that of the test", design.gain, ""),
        Score::new("speed", "largest speed", most(&motion.velocity), "m/s"),
        Score::new("acceleration", "largest acceleration", most(&motion.acceleration), "m/s²"),
        Score::new("friction", "largest friction, as predicted", most(&design.friction), "N"),
        Score::new("force", "largest force, as predicted: inertia and friction", most(&motion.force), "N"),
    ];
    finding.tables.push(segments(design));
    finding.tables.push(errors(design, unknowns));
    finding.remark(
        Tone::Plain,
        "errors hold near the values guessed, for white noise of the force at the rate of the samples; velocity counts as known",
    );
    let least = short(round(reach.limits.least(), 3));
    finding.remark(
        Tone::Plain,
        format!("ways go down to {least} {}, the resolution", design.units()[0].trim_end_matches("/s")),
    );
    if reach.limits.force < reach.slides {
        let text = "the force does not suffice to slide: only what happens before is tested";
        finding.remark(Tone::Doubt, text);
    }
    if let Some(sine) = &design.sine {
        let (way, f) = (short(round(sine.0, 3)), short(round(sine.1, 3)));
        finding
            .remark(Tone::Plain, format!("the best single sine goes {way} m to and fro at {f} Hz, for the same time"));
    }
    finding.remarks.sort_by_key(|remark| remark.tone);
    finding.pictures.push(picture(design));
    finding
}

fn most(list: &[f64]) -> f64 {
    list.iter().fold(0.0_f64, |most, x| most.max(x.abs()))
}

fn segments(design: &Design) -> Tabular {
    let heads = [
        "segment",
        "times",
        "from [s]",
        "to [s]",
        "each [s]",
        "way [m]",
        "speed [m/s]",
        "slow [m/s]",
        "frequency [Hz]",
        "rest [s]",
    ];
    let none = f64::NAN;
    let row = |c: &super::Chosen| {
        let (slow, frequency, rest) = match c.segment {
            Segment::Stroke { .. } => (none, none, none),
            Segment::Steps { slow, .. } => (slow, none, none),
            Segment::Rest { time, .. } => (none, none, time),
            Segment::Sine { frequency, .. } | Segment::Multisine { frequency, .. } => (none, frequency, none),
        };
        let (to, way) = (c.from + c.times as f64 * c.time, c.segment.way());
        let cells = [c.times as f64, c.from, to, c.time, way, c.speed, slow, frequency, rest];
        (c.segment.kind().to_owned(), cells.map(|x| round(x, 4)).to_vec())
    };
    let mut rows: Vec<(String, Vec<f64>)> = design.segments.iter().map(row).collect();
    let mut heads = heads.map(str::to_owned).to_vec();
    // columns of which no segment has anything
    for k in (0..heads.len() - 1).rev() {
        if rows.iter().all(|(_, cells)| cells[k].is_nan()) {
            heads.remove(k + 1);
            for (_, cells) in &mut rows {
                cells.remove(k);
            }
        }
    }
    Tabular {
        key: "segments".to_owned(),
        title: "Segments, in their order; each begins and ends at rest at the same place".to_owned(),
        heads,
        rows,
    }
}

fn errors(design: &Design, unknowns: &[Unknown]) -> Tabular {
    let row = |(p, unknown): (&super::Predicted, &Unknown)| {
        let part = |error: f64| round(100.0 * error / unknown.size, 3);
        (p.key.clone(), vec![part(p.error), part(p.sine), round(p.sine / p.error, 3)])
    };
    // an offset of nothing has no relative error
    let shown = design.predicted.iter().zip(unknowns).filter(|(_, unknown)| unknown.key != "offset");
    Tabular {
        key: "errors".to_owned(),
        title: "Predicted standard errors, in percent of the value".to_owned(),
        heads: ["parameter", "this test", "best single sine", "ratio"].map(str::to_owned).to_vec(),
        rows: shown.map(row).collect(),
    }
}

fn picture(design: &Design) -> Figure {
    let motion = &design.motion;
    let [speed, force] = design.units();
    let way = speed.trim_end_matches("/s");
    let panel = |name: String, list: &[f64]| {
        let points = motion.t.iter().copied().zip(list.iter().copied());
        Panel::new(Axis::linear("t [s]"), Axis::linear(&name)).line("", points)
    };
    Figure::new(format!("A test for {}", design.law.law().name))
        .panel(panel(format!("x [{way}]"), &motion.position))
        .panel(panel(format!("v [{speed}]"), &motion.velocity))
        .panel(panel(format!("friction [{force}]"), &design.friction))
}
