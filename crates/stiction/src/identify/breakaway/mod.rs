//! Break-away: the force at which a body at rest begins to move, and how far it yields before (Nouri2004, figs. 9 to 11).
//!
//! The break-away force is the largest friction force between rest and sliding: there slip leaves presliding. Under a slowly
//! rising force the acceleration is nearly zero while the contact yields, then grows. That instant is found as a change point
//! in a [`MotionSignal`], without a threshold. Yielding may change, too, before break-away, but then friction goes on rising:
//! changes at a lower force than friction reaches later are left out. Force and displacement are evaluated at the instant.
//! Reciprocating records under different loads give the dependence of friction on the load by the width of their loops.
mod change_point;
mod condition_tables;
mod curves;
mod event;
mod force_bound;
mod reciprocating;
mod regression;
mod rest_phases;
mod summary;

pub use change_point::MotionSignal;
pub use event::BreakawayEvent;
pub use regression::{LinearRegression, loop_half_width, loop_width_against_load};

use super::{IdentificationResult, MotionRecord};
use crate::Error;
use crate::NumericsError;
use crate::check::enough_samples;
use crate::identify::IdentificationError;

/// Options of the identification of break-away.
#[derive(Clone, Debug, PartialEq)]
pub struct BreakawayOptions {
    /// Name of the load: `load`, `pressure`.
    pub load: String,
    /// Its unit; empty for a factor.
    pub load_unit: String,
}

impl Default for BreakawayOptions {
    fn default() -> Self {
        Self { load: "load".to_owned(), load_unit: String::new() }
    }
}

impl BreakawayOptions {
    /// Name of the load with its unit, for axes and tables.
    fn load_label(&self) -> String {
        if self.load_unit.is_empty() { self.load.clone() } else { format!("{} [{}]", self.load, self.load_unit) }
    }
}

/// The break-aways of all motions, in order, and the number of starts of motion without a break-away.
///
/// # Errors
/// [`NumericsError`] for invalid or too short motions.
pub fn detect(motions: &[MotionRecord]) -> Result<(Vec<BreakawayEvent>, usize), NumericsError> {
    let (mut all, mut refused) = (Vec::new(), 0);
    for (index, motion) in motions.iter().enumerate() {
        motion.check()?;
        enough_samples("samples", &motion.t, 4 * rest_phases::MIN_REST_SAMPLES)?;
        let (events, not) = event::events(index, motion);
        all.extend(events);
        refused += not;
    }
    Ok((all, refused))
}

/// Identifies break-aways and their dependence on load and time of rest.
///
/// # Errors
/// [`Error::Numerics`] for missing, invalid or too short motions, a constant force, or records without break-away.
pub fn identify(motions: &[MotionRecord], options: &BreakawayOptions) -> Result<IdentificationResult, Error> {
    if motions.is_empty() {
        return Err(NumericsError::TooFew { what: "records", need: 1, have: 0 }.into());
    }
    let (events, refused) = detect(motions)?;
    if motions.iter().all(|m| m.force.windows(2).all(|f| f[0] == f[1])) {
        return Err(NumericsError::ConstantSignal { what: "forces" }.into());
    }
    let mut result = summary::summarise(motions, &events, refused, options);
    result.curves = curves::curves(motions, &events, options);
    reciprocating::add(&mut result, motions, options);
    if result.estimates.is_empty() {
        return Err(IdentificationError::NoBreakaway { starts: refused }.into());
    }
    result.remarks.sort_by_key(|remark| remark.severity);
    Ok(result)
}

/// Dependence of friction on the load from reciprocating motions: half the width of each friction loop over the mean load of
/// its record, with a regression line.
///
/// # Errors
/// [`Error::Numerics`] for records without a load, fewer than three records, or equal loads.
pub fn identify_load_dependence(
    motions: &[MotionRecord],
    options: &BreakawayOptions,
) -> Result<IdentificationResult, Error> {
    if let Some(bare) = motions.iter().find(|motion| motion.load.is_empty()) {
        return Err(NumericsError::LengthMismatch { what: "load of each record", need: bare.len(), have: 0 }.into());
    }
    let loads: Vec<f64> = motions.iter().map(|m| m.load.iter().sum::<f64>() / m.load.len() as f64).collect();
    let mut out = IdentificationResult::new("load", format!("Friction against {}", options.load));
    reciprocating::fill(&mut out, motions, &loads, options)?;
    Ok(out)
}
