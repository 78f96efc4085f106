//! The identification task of a scenario: the parameters to identify from measured records.
use super::builder::Builder;
use super::component_table::ComponentTable;
use super::keys::{Component, ValueKind, number, optional, optional_with_default, required};
use crate::Error;
use crate::SystemError;
use crate::fit::Parameter;
use crate::system::SystemErrorKind;
use crate::toml_tree::{TomlEntry, TomlNode, TomlTable, TomlValue};

pub(super) static IDENTIFY: Component = Component {
    name: "identify",
    form: "[identify]",
    doc: "The parameters to identify from measured records, and how records correspond to the scenario. Expressions may use these parameters, constants and columns of the record.",
    keys: &[
        optional_with_default("time", ValueKind::Text, "", "t, time or timestamp", "The column of the time [s]."),
        optional(
            "constants",
            ValueKind::Table,
            "",
            "NAME = number: constants for expressions. Those of a record take precedence.",
        ),
        required("free", ValueKind::Table, "", "NAME = [low, high], or a table 'free': the parameters to identify."),
        optional("set", ValueKind::Table, "", "\"PATH\" = expression: a number of the scenario, as for --set."),
        optional("start", ValueKind::Table, "", "\"PATH\" = expression over columns: its value in the first row."),
        optional(
            "input",
            ValueKind::Table,
            "",
            "\"PATH\" = expression over columns: a signal of the scenario, fed from the record.",
        ),
        required(
            "match",
            ValueKind::Table,
            "",
            "\"COLUMN\" = expression over columns: what a column of the simulation should be.",
        ),
    ],
    law: false,
};
pub(super) static FREE: Component = Component {
    name: "free",
    form: "NAME = { ... }",
    doc: "A parameter to identify. A list [low, high] gives only its bounds.",
    keys: &[
        required("low", ValueKind::Number, "", "Lower bound."),
        required("high", ValueKind::Number, "", "Upper bound."),
        optional_with_default("start", ValueKind::Number, "", "the middle", "Initial value of the search."),
        optional_with_default(
            "log",
            ValueKind::Flag,
            "",
            "false",
            "Search for its logarithm, if it is uncertain by orders of magnitude.",
        ),
        number("size", "", 0.0, "Typical size of its changes; 0: derived from its initial value."),
    ],
    law: false,
};

/// The parameters to identify, and how records and scenario are related.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IdentificationTask {
    /// The column of the time.
    pub time: Option<String>,
    /// Constants for expressions.
    pub constants: Vec<(String, f64)>,
    /// The parameters.
    pub free: Vec<Parameter>,
    /// Numbers of the scenario and their expressions.
    pub set: Vec<(String, String)>,
    /// Numbers of the scenario and expressions for the first row.
    pub start: Vec<(String, String)>,
    /// Signals of the scenario and expressions over columns.
    pub input: Vec<(String, String)>,
    /// Columns of the simulation and expressions over columns.
    pub matches: Vec<(String, String)>,
}

/// Reads the section, if there is one.
pub(super) fn identification_task(build: &mut Builder<'_>) -> Result<Option<IdentificationTask>, Error> {
    let Some(s) = build.single(&IDENTIFY)? else { return Ok(None) };
    let mut out = IdentificationTask { time: s.text("time")?.map(str::to_owned), ..IdentificationTask::default() };
    for TomlEntry { key, node, .. } in table(&s, "constants")? {
        out.constants.push((key.clone(), node.number(key)?));
    }
    for TomlEntry { key, node, .. } in &s.required("free")?.table("free")?.0 {
        out.free.push(free(key, node)?);
    }
    for (name, list) in [("set", &mut out.set), ("start", &mut out.start), ("input", &mut out.input)] {
        *list = texts(&s, name)?;
        for TomlEntry { key, at, .. } in table(&s, name)? {
            build.check_path(key, at)?;
        }
    }
    s.required("match")?;
    out.matches = texts(&s, "match")?;
    for TomlEntry { key, at, .. } in table(&s, "match")? {
        build.column(key, at);
    }
    Ok(Some(out))
}

fn table<'a>(s: &ComponentTable<'a>, key: &str) -> Result<&'a [TomlEntry], Error> {
    let Some(node) = s.get(key) else { return Ok(&[]) };
    let TomlTable(entries) = node.table(key)?;
    Ok(entries)
}

/// Paths and expressions; a number is an expression, too.
fn texts(s: &ComponentTable<'_>, key: &str) -> Result<Vec<(String, String)>, Error> {
    let text = |entry: &TomlEntry| match &entry.node.value {
        TomlValue::Number(x) => Ok((entry.key.clone(), format!("{x:e}"))),
        _ => Ok((entry.key.clone(), entry.node.text(&entry.key)?.to_owned())),
    };
    table(s, key)?.iter().map(text).collect()
}

fn free(name: &str, node: &TomlNode) -> Result<Parameter, Error> {
    if let TomlValue::List(list) = &node.value {
        let [low, high] = &list[..] else { return Err(node.wrong(name, "pair")) };
        return bounded(name, node, [low.number(name)?, high.number(name)?], None, false, 0.0);
    }
    let s = ComponentTable::of(&format!("identify.free.{name}"), node, &FREE)?;
    let bounds = [s.number("low")?, s.number("high")?];
    bounded(name, node, bounds, s.optional_number("start")?, s.flag("log")?, s.number("size")?)
}

fn bounded(
    name: &str,
    node: &TomlNode,
    [low, high]: [f64; 2],
    start: Option<f64>,
    log: bool,
    size: f64,
) -> Result<Parameter, Error> {
    let wrong = |value: f64, requirement: &'static str| {
        let problem = SystemErrorKind::InvalidValue { key: "low", value, requirement };
        Err(node.at.error(Error::System(SystemError { name: format!("identify.free.{name}"), kind: problem })))
    };
    if !(low < high && low.is_finite() && high.is_finite()) {
        return wrong(low, "below high");
    }
    if log && low <= 0.0 {
        return wrong(low, "above zero for a logarithm");
    }
    let middle = if log { (low * high).sqrt() } else { 0.5 * (low + high) };
    let p = Parameter::new(name, start.unwrap_or(middle).clamp(low, high)).within(low, high);
    let p = if size > 0.0 {
        p.with_scale(size)
    } else if p.start == 0.0 {
        p.with_scale(0.1 * (high - low))
    } else {
        p
    };
    Ok(if log { p.log() } else { p })
}
