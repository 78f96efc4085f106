//! Freewheels.
use super::builder::Builder;
use super::contacts;
use super::keys::{Component, ValueKind, optional_with_default, required};
use crate::Error;
use crate::system::{Contact, Freewheel};

pub(super) static FREEWHEEL: Component = Component {
    name: "freewheel",
    form: "[freewheel.NAME]",
    doc: "A freewheel, or one-way clutch: the first place cannot be faster than the second, which may overrun it.",
    keys: &[
        required(
            "between",
            ValueKind::Nodes,
            "",
            "The place that drives and the place that is driven, in positive direction.",
        ),
        optional_with_default(
            "enable",
            ValueKind::Signal,
            "",
            "1",
            "1 is on, 0 is off: without force in either direction. A signal that is constant between its jumps: a step, pulses, a table that holds.",
        ),
        optional_with_default(
            "drag",
            ValueKind::Law,
            "",
            "none",
            "A law for the friction between the two places. The contact is called NAME-drag.",
        ),
    ],
    law: false,
};

/// Adds freewheels.
pub(super) fn freewheels(build: &mut Builder<'_>) -> Result<(), Error> {
    for s in build.each(&FREEWHEEL)? {
        let [a, b] = build.between(&s)?;
        let enable = build.signal_or(&s, "enable", 1.0)?;
        build.system.freewheel(s.name(), a, b, Freewheel { enable }).map_err(|error| s.at_key(error))?;
        if let Some(node) = s.get("drag") {
            let spec = contacts::law_at(build, "drag", node)?;
            let contact = Contact::new(&spec).map_err(|error| node.at.error(error))?;
            let name = format!("{}-drag", s.name());
            build.system.contact(&name, a, b, contact).map_err(|error| s.at_key(error))?;
        }
    }
    Ok(())
}
