//! The efficiency of a rigid gear, and the friction of its bearing.
use super::builder::Builder;
use super::component_table::ComponentTable;
use super::contacts;
use super::curve_points;
use super::keys::{Component, ValueKind, optional_with_default, required};
use super::signal::TABLE;
use crate::Error;
use crate::system::{Contact, Efficiency, GROUND, LossyGear, Node};
use crate::toml_tree::{TomlNode, TomlValue};

pub(super) static EFFICIENCY: Component = Component {
    name: "efficiency",
    form: "efficiency = { ... }",
    doc: "Efficiency of a rigid gear by the direction of the power.",
    keys: &[
        required(
            "forward",
            ValueKind::Other,
            "-",
            "While power goes from the first to the second: a number, or a table of points over the absolute speed of the first.",
        ),
        optional_with_default(
            "backward",
            ValueKind::Other,
            "-",
            "as forward",
            "While power goes from the second to the first. With 0 or less the gear locks itself: the second cannot drive the first.",
        ),
    ],
    law: false,
};

/// The gear with losses of this table, if it has an efficiency.
pub(super) fn lossy_gear(build: &Builder<'_>, s: &ComponentTable<'_>, ratio: f64) -> Result<Option<LossyGear>, Error> {
    let Some(node) = s.get("efficiency") else { return Ok(None) };
    if !matches!(node.value, TomlValue::Table(_)) {
        let value = Efficiency::Constant(s.number("efficiency")?);
        return Ok(Some(LossyGear { ratio, forward: value.clone(), backward: value }));
    }
    let path = format!("{}.efficiency", s.path);
    let own = ComponentTable::of(&path, node, &EFFICIENCY)?;
    let forward = efficiency(build, &own, "forward", own.required("forward")?)?;
    let backward = match own.get("backward") {
        Some(node) => efficiency(build, &own, "backward", node)?,
        None => forward.clone(),
    };
    Ok(Some(LossyGear { ratio, forward, backward }))
}

fn efficiency(
    build: &Builder<'_>,
    own: &ComponentTable<'_>,
    key: &'static str,
    node: &TomlNode,
) -> Result<Efficiency, Error> {
    if !matches!(node.value, TomlValue::Table(_)) {
        return Ok(Efficiency::Constant(own.number(key)?));
    }
    let path = format!("{}.{key}", own.path);
    let points = ComponentTable::of(&path, node, &TABLE)?;
    Ok(Efficiency::Curve(curve_points::curve_over_displacement(&points, build.folder)?))
}

/// The friction of the first place of a gear against the ground, if it has one.
pub(super) fn bearing(build: &mut Builder<'_>, s: &ComponentTable<'_>, first: Node) -> Result<(), Error> {
    let Some(node) = s.get("bearing") else { return Ok(()) };
    let spec = contacts::law_at(build, "bearing", node)?;
    let contact = Contact::new(&spec).map_err(|error| node.at.error(error))?;
    let name = format!("{}-bearing", s.name());
    build.system.contact(&name, first, GROUND, contact).map_err(|error| s.at_key(error))
}
