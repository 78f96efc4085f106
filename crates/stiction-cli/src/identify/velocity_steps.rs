//! Velocity-step experiments of rate-and-state friction.
use super::records::{ColumnArgs, roles};
use crate::data::table_args::TableArgs;
use crate::error::CommandError;
use std::path::PathBuf;
use stiction::NumericsError;
use stiction::identify::IdentificationResult;
use stiction::identify::rate_state::{RateStateOptions, StateEvolution, VelocitySteps, fit};
use stiction::identify::{ColumnRole, RawRecord};

/// Reads one record of friction against time, with the velocity or the displacement of the load point.
pub fn read(
    path: &PathBuf,
    columns: &ColumnArgs,
    layout: &TableArgs,
) -> Result<(RawRecord, VelocitySteps), CommandError> {
    let table = layout.open(path)?;
    let raw = roles(columns, layout, false).read(&table)?;
    if let Some(time) = &raw.audit.time {
        time.check().map_err(|problem| stiction::DataError::content(path, problem))?;
    }
    let get = |role| raw.get(role).unwrap_or_default();
    let (t, friction) = (get(ColumnRole::Time), get(ColumnRole::Force));
    let steps = match (raw.get(ColumnRole::Velocity), raw.get(ColumnRole::Position)) {
        (Some(velocity), _) => VelocitySteps::from_velocity(&raw.name, t, friction, velocity),
        (None, Some(displacement)) => VelocitySteps::from_displacement(&raw.name, t, friction, displacement),
        (None, None) => {
            let error = NumericsError::TooFew { what: "velocities of the load point", need: t.len(), have: 0 };
            return Err(CommandError::Samples { path: path.clone(), error });
        }
    };
    Ok((raw, steps))
}

/// Fits them.
pub fn find(
    steps: &[VelocitySteps],
    evolution: StateEvolution,
    states: usize,
) -> Result<IdentificationResult, CommandError> {
    let options = RateStateOptions { evolution, states, ..RateStateOptions::default() };
    Ok(fit(steps, &options, &mut |_| true)?)
}
