//! Components that a signal switches on and off.
use super::builder::Builder;
use super::component_table::ComponentTable;
use super::keys::{Key, ValueKind, optional_with_default};
use crate::Error;

pub(super) const ENABLE: Key = optional_with_default(
    "enable",
    ValueKind::Signal,
    "",
    "1",
    "1 is on, 0 is off: without force. A step, pulses, or a table that holds; see Switches.",
);

/// Switches the components `names` of a table by its signal `enable`, if it has one.
pub(super) fn switch(build: &mut Builder<'_>, s: &ComponentTable<'_>, names: &[&str]) -> Result<(), Error> {
    if s.get(ENABLE.name).is_none() {
        return Ok(());
    }
    let enable = build.signal(s, ENABLE.name)?;
    names.iter().try_for_each(|name| build.system.switch(name, enable.clone())).map_err(|error| s.at_key(error))
}
