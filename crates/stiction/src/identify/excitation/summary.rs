//! Result of a design.
use super::requirements::{DesignConditions, requirement};
use super::sensitivity::UnknownParameter;
use super::{ExperimentDesign, Segment};
use crate::identify::result::{ResultCurves, TestMotion};
use crate::identify::{Estimate, Identifiability, IdentificationResult, ResultTable, Score, Severity};
use crate::number::{round, short};

/// Half the width of a 95 % interval of the normal distribution, in standard deviations.
const NORMAL_QUANTILE: f64 = 1.959_963_984_540_054;

pub(super) fn summarise(
    design: &ExperimentDesign,
    unknowns: &[UnknownParameter],
    reach: &DesignConditions,
) -> IdentificationResult {
    let law = design.law.law();
    let mut result = IdentificationResult::new("excite", format!("A test for {}", law.name));
    result.law = Some(design.law.clone());
    for (j, (p, unknown)) in design.predicted.iter().zip(unknowns).enumerate() {
        let interval = [p.value - NORMAL_QUANTILE * p.error, p.value + NORMAL_QUANTILE * p.error];
        let mut e = Estimate::new(&p.key, &p.unit, p.value, p.error, interval);
        if p.value == 0.0 {
            // relative to the scale of the parameter, since its value is zero
            e.identifiability = Estimate::new(&p.key, &p.unit, unknown.size, p.error, interval).identifiability;
        }
        if e.identifiability == Identifiability::Unidentifiable && unknown.param.is_some() {
            result.remark(
                Severity::Critical,
                format!(
                    "{}: no motion within the limits determines it; {}",
                    p.key,
                    requirement(j, unknown, p.error, reach)
                ),
            );
        }
        result.estimates.push(e);
    }
    let motion = &design.motion;
    let length = motion.t.last().copied().unwrap_or(0.0);
    result.scores = vec![
        Score::new("duration", "length of the test", length, "s"),
        Score::new("samples", "samples", motion.len() as f64, ""),
        Score::new("noise", "deviation of the noise of the force", design.noise, "N"),
        Score::new("efficiency", "D-efficiency: information relative to the optimal design", design.efficiency, ""),
        Score::new("gain", "mean error of the best single sine over that of the test", design.gain, ""),
        Score::new("speed", "largest speed", most(&motion.velocity), "m/s"),
        Score::new("acceleration", "largest acceleration", most(&motion.acceleration), "m/s²"),
        Score::new("friction", "largest friction, as predicted", most(&design.friction), "N"),
        Score::new("force", "largest force, as predicted: inertia and friction", most(&motion.force), "N"),
    ];
    result.tables.push(segments(design));
    result.tables.push(errors(design, unknowns));
    result.remark(
        Severity::Info,
        "errors hold near the values guessed, for white noise of the force at the rate of the samples; velocity counts as known",
    );
    let least = short(round(reach.limits.least(), 3));
    result.remark(
        Severity::Info,
        format!("strokes go down to {least} {}, the resolution", design.units()[0].trim_end_matches("/s")),
    );
    if reach.limits.force < reach.slides {
        let text = "the force is too small to slide: only presliding is tested";
        result.remark(Severity::Warning, text);
    }
    if let Some(sine) = &design.sine {
        let (way, f) = (short(round(sine.0, 3)), short(round(sine.1, 3)));
        result.remark(
            Severity::Info,
            format!("the best single sine has a peak-to-peak amplitude of {way} m and a frequency of {f} Hz, for the same time"),
        );
    }
    result.remarks.sort_by_key(|remark| remark.severity);
    result.curves.push(test_motion(design));
    result
}

fn most(list: &[f64]) -> f64 {
    list.iter().fold(0.0_f64, |most, x| most.max(x.abs()))
}

fn segments(design: &ExperimentDesign) -> ResultTable {
    let columns = [
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
    let row = |c: &super::ChosenSegment| {
        let (slow, frequency, rest) = match c.segment {
            Segment::Stroke { .. } => (none, none, none),
            Segment::Steps { slow, .. } => (slow, none, none),
            Segment::Rest { time, .. } => (none, none, time),
            Segment::Sine { frequency, .. } | Segment::Multisine { frequency, .. } => (none, frequency, none),
        };
        let (to, way) = (c.from + c.times as f64 * c.time, c.segment.displacement());
        let cells = [c.times as f64, c.from, to, c.time, way, c.speed, slow, frequency, rest];
        (c.segment.kind().to_owned(), cells.map(|x| round(x, 4)).to_vec())
    };
    let mut rows: Vec<(String, Vec<f64>)> = design.segments.iter().map(row).collect();
    let mut columns = columns.map(str::to_owned).to_vec();
    // remove columns without values
    for k in (0..columns.len() - 1).rev() {
        if rows.iter().all(|(_, cells)| cells[k].is_nan()) {
            columns.remove(k + 1);
            for (_, cells) in &mut rows {
                cells.remove(k);
            }
        }
    }
    ResultTable {
        key: "segments".to_owned(),
        title: "Segments, in their order; each begins and ends at rest at the same place".to_owned(),
        columns,
        rows,
    }
}

fn errors(design: &ExperimentDesign, unknowns: &[UnknownParameter]) -> ResultTable {
    let row = |(p, unknown): (&super::PredictedError, &UnknownParameter)| {
        let part = |error: f64| round(100.0 * error / unknown.size, 3);
        (p.key.clone(), vec![part(p.error), part(p.sine), round(p.sine / p.error, 3)])
    };
    // an offset of zero has no relative error
    let shown = design.predicted.iter().zip(unknowns).filter(|(_, unknown)| unknown.key != "offset");
    ResultTable {
        key: "errors".to_owned(),
        title: "Predicted standard errors, in percent of the value".to_owned(),
        columns: ["parameter", "this test", "best single sine", "ratio"].map(str::to_owned).to_vec(),
        rows: shown.map(row).collect(),
    }
}

fn test_motion(design: &ExperimentDesign) -> ResultCurves {
    let motion = &design.motion;
    ResultCurves::TestMotion(TestMotion {
        law: design.law.law().name.to_owned(),
        units: design.units(),
        t: motion.t.clone(),
        position: motion.position.clone(),
        velocity: motion.velocity.clone(),
        friction: design.friction.clone(),
    })
}
