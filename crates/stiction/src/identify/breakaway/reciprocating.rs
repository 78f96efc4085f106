//! Reciprocating records under one load each: friction over load from the width of their loops.
use super::curves::regression_curve;
use super::{BreakawayOptions, LinearRegression, loop_half_width, loop_width_against_load};
use crate::NumericsError;
use crate::identify::result::RegressionKind;
use crate::identify::{IdentificationResult, MotionRecord, ResultTable, Severity};

/// A motion is reciprocating if it spends this share of its time in each direction.
const RECIPROCATING_SHARE: f64 = 0.1;
/// A load is constant if it deviates by less than this share from its mean.
const CONSTANT_LOAD_SHARE: f64 = 0.1;

/// Adds the dependence on the load, if there are three or more reciprocating records with a constant load each.
pub(super) fn add(result: &mut IdentificationResult, motions: &[MotionRecord], options: &BreakawayOptions) {
    let loads: Option<Vec<f64>> = motions.iter().map(|m| held(&m.load).filter(|_| turns(m))).collect();
    let Some(loads) = loads else { return };
    // fewer than three records, or equal loads
    let _ = fill(result, motions, &loads, options);
}

/// Adds the dependence on these loads.
pub(super) fn fill(
    result: &mut IdentificationResult,
    motions: &[MotionRecord],
    loads: &[f64],
    options: &BreakawayOptions,
) -> Result<(), NumericsError> {
    let line = loop_width_against_load(motions, loads, &options.load_unit)?;
    result.remark(Severity::Info, said(&line, &options.load));
    result.estimates.extend([line.intercept.clone(), line.slope.clone()]);
    let columns = ["record".to_owned(), options.load_label(), "half the loop [N]".to_owned(), "line [N]".to_owned()];
    let row = |(m, load): (&MotionRecord, &f64)| {
        (m.name.clone(), vec![*load, loop_half_width(m).unwrap_or(f64::NAN), line.at(*load)[0]])
    };
    let rows = motions.iter().zip(loads).map(row).collect();
    let title = "Half the width of the friction loops".to_owned();
    result.tables.push(ResultTable { key: "widths".to_owned(), title, columns: columns.to_vec(), rows });
    result.curves.push(regression_curve(&line, RegressionKind::LoopWidthOverLoad, options));
    Ok(())
}

fn said(line: &LinearRegression, load: &str) -> String {
    let (slope, [low, high]) = (&line.slope, line.slope.interval);
    let word = match (line.is_sloped(), slope.value > 0.0) {
        (true, true) => "grows with",
        (true, false) => "falls with",
        (false, _) => "may not depend on",
    };
    format!("half the friction loop {word} the {load}: {:.4} {} ({low:.4} to {high:.4})", slope.value, slope.unit)
}

/// The load of a record, if it is constant.
fn held(load: &[f64]) -> Option<f64> {
    let mean = load.iter().sum::<f64>() / load.len() as f64;
    let far = load.iter().fold(0.0_f64, |far, l| far.max((l - mean).abs()));
    (!load.is_empty() && far <= CONSTANT_LOAD_SHARE * mean.abs()).then_some(mean)
}

fn turns(motion: &MotionRecord) -> bool {
    let top = motion.velocity.iter().fold(0.0_f64, |top, v| top.max(v.abs()));
    let many = |d: f64| motion.velocity.iter().filter(|v| d * **v > RECIPROCATING_SHARE * top).count();
    let least = RECIPROCATING_SHARE * motion.len() as f64;
    top > 0.0 && many(1.0) as f64 > least && many(-1.0) as f64 > least
}
