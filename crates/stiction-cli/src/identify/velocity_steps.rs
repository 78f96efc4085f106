//! Velocity steps of rate and state.
use super::records::{ColumnArgs, roles};
use crate::data::table_args::TableArgs;
use crate::error::CommandError;
use std::path::PathBuf;
use stiction::NumericsError;
use stiction::identify::Finding;
use stiction::identify::rate_state::{Evolution, Options, Steps, fit};
use stiction::identify::{Raw, Role};

/// Reads one record of friction over time, with the velocity or the displacement of the load point.
pub fn read(path: &PathBuf, columns: &ColumnArgs, layout: &TableArgs) -> Result<(Raw, Steps), CommandError> {
    let table = layout.open(path)?;
    let raw = roles(columns, layout, false).read(&table)?;
    if let Some(time) = &raw.audit.time {
        time.check().map_err(|problem| stiction::DataError::content(path, problem))?;
    }
    let get = |role| raw.get(role).unwrap_or_default();
    let (t, friction) = (get(Role::Time), get(Role::Force));
    let steps = match (raw.get(Role::Velocity), raw.get(Role::Position)) {
        (Some(velocity), _) => Steps::from_velocity(&raw.name, t, friction, velocity),
        (None, Some(displacement)) => Steps::from_displacement(&raw.name, t, friction, displacement),
        (None, None) => {
            let flaw = NumericsError::TooFew { what: "velocities of the load point", need: t.len(), have: 0 };
            return Err(CommandError::Samples { path: path.clone(), flaw });
        }
    };
    Ok((raw, steps))
}

/// Fits them.
pub fn find(steps: &[Steps], evolution: Evolution, states: usize) -> Result<Finding, CommandError> {
    let options = Options { evolution, states, ..Options::default() };
    Ok(fit(steps, &options, &mut |_| true)?)
}
