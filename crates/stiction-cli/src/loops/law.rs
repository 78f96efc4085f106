//! The law of a test, and its load.
use crate::commands::curve::check_load;
use crate::fault::Fault;
use crate::law::{LawArgs, finite};
use crate::stream;
use stiction::ParameterGroup;
use stiction::analysis::drive::Rig;

/// The rig for a law under a load, checked.
pub fn rig(law: &LawArgs, load: Option<&str>) -> Result<Rig, Fault> {
    let spec = law.file()?.spec;
    let load = load.map(|text| finite("--load", text)).transpose()?;
    if load.is_none() && spec.has(ParameterGroup::Load) {
        stream::note("assumed --load 1");
    }
    let load = load.unwrap_or(1.0);
    check_load(&spec, load)?;
    Ok(Rig::new(&spec).with_load(load))
}
