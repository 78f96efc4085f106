//! What of a scenario is to be found from measured records.
use super::build::Builder;
use super::keys::{Component, Kind, may, must, num, or};
use super::section::Section;
use crate::Error;
use crate::SystemError;
use crate::fit::Parameter;
use crate::system::SystemErrorKind;
use crate::toml_tree::{TomlEntry, TomlNode, TomlTable, TomlValue};

pub(super) static IDENTIFY: Component = Component {
    name: "identify",
    form: "[identify]",
    doc: "What is sought from measured records, and how records and scenario belong together. Expressions are over what is sought, constants and columns of the record.",
    keys: &[
        or("time", Kind::Text, "", "t, time or timestamp", "The column of the time [s]."),
        may(
            "constants",
            Kind::Table,
            "",
            "NAME = number: constants for expressions. Those of a record go before them.",
        ),
        must("free", Kind::Table, "", "NAME = [low, high], or a table 'free': what is sought."),
        may("set", Kind::Table, "", "\"PATH\" = expression: a number of the scenario, as for --set."),
        may("start", Kind::Table, "", "\"PATH\" = expression over columns: its value in the first row."),
        may(
            "input",
            Kind::Table,
            "",
            "\"PATH\" = expression over columns: a signal of the scenario, fed from the record.",
        ),
        must(
            "match",
            Kind::Table,
            "",
            "\"COLUMN\" = expression over columns: what a column of the simulation should be.",
        ),
    ],
    law: false,
};
pub(super) static FREE: Component = Component {
    name: "free",
    form: "NAME = { ... }",
    doc: "A number that is sought. A list [low, high] says the bounds alone.",
    keys: &[
        must("low", Kind::Number, "", "The least it may be."),
        must("high", Kind::Number, "", "The most it may be."),
        or("start", Kind::Number, "", "the middle", "Where to begin."),
        or("log", Kind::Flag, "", "false", "Its logarithm is sought: for what may be off by decades."),
        num("size", "", 0.0, "A change that matters; 0: from the start."),
    ],
    law: false,
};

/// What of a scenario is to be found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Identify {
    /// The column of the time.
    pub time: Option<String>,
    /// Constants for expressions.
    pub constants: Vec<(String, f64)>,
    /// What is sought.
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
pub(super) fn identify(build: &mut Builder<'_>) -> Result<Option<Identify>, Error> {
    let Some(s) = build.single(&IDENTIFY)? else { return Ok(None) };
    let mut out = Identify { time: s.text("time")?.map(str::to_owned), ..Identify::default() };
    for TomlEntry { key, node, .. } in table(&s, "constants")? {
        out.constants.push((key.clone(), node.number(key)?));
    }
    for TomlEntry { key, node, .. } in &s.must("free")?.table("free")?.0 {
        out.free.push(free(key, node)?);
    }
    for (name, list) in [("set", &mut out.set), ("start", &mut out.start), ("input", &mut out.input)] {
        *list = texts(&s, name)?;
        for TomlEntry { key, at, .. } in table(&s, name)? {
            build.leads(key, at)?;
        }
    }
    s.must("match")?;
    out.matches = texts(&s, "match")?;
    for TomlEntry { key, at, .. } in table(&s, "match")? {
        build.column(key, at);
    }
    Ok(Some(out))
}

fn table<'a>(s: &Section<'a>, key: &str) -> Result<&'a [TomlEntry], Error> {
    let Some(node) = s.get(key) else { return Ok(&[]) };
    let TomlTable(entries) = node.table(key)?;
    Ok(entries)
}

/// Paths and expressions; a number is one, too.
fn texts(s: &Section<'_>, key: &str) -> Result<Vec<(String, String)>, Error> {
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
    let s = Section::of(&format!("identify.free.{name}"), node, &FREE)?;
    let bounds = [s.number("low")?, s.number("high")?];
    bounded(name, node, bounds, s.maybe("start")?, s.flag("log")?, s.number("size")?)
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
        p.sized(size)
    } else if p.start == 0.0 {
        p.sized(0.1 * (high - low))
    } else {
        p
    };
    Ok(if log { p.log() } else { p })
}
