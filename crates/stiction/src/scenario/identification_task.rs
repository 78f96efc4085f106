//! The identification task of a scenario: the parameters to identify from measured records.
use super::builder::Builder;
use super::component_table::ComponentTable;
use super::keys::{Component, ValueKind, number, optional, optional_with_default, required};
use crate::Error;
use crate::SystemError;
use crate::error::IdentificationError;
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
            "\"PATH\" = expression over columns, or a table 'input': a signal of the scenario, fed from the record.",
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
        optional_with_default(
            "prior",
            ValueKind::Number,
            "",
            "none",
            "What is known of it before, for example from a data sheet; counts as one more measurement. Needs 'spread'.",
        ),
        optional_with_default(
            "spread",
            ValueKind::Number,
            "",
            "none",
            "Standard deviation of that prior knowledge; with 'log', of the logarithm times the prior.",
        ),
    ],
    law: false,
};
pub(super) static INPUT: Component = Component {
    name: "input",
    form: "\"PATH\" = { ... }",
    doc: "A signal of the scenario, fed from the record. An expression alone gives only its value.",
    keys: &[
        required("value", ValueKind::Text, "", "Expression over columns."),
        optional_with_default(
            "interpolation",
            ValueKind::Text,
            "",
            "\"hold\" for what a controller or a formula receives, else \"linear\"",
            "Between rows: \"hold\" the last value, as a digital device does with its command; \"linear\"; \"cubic\".",
        ),
        optional_with_default(
            "delay",
            ValueKind::Other,
            "s",
            "0",
            "How much later the signal arrives: a number, or an expression over parameters, so that it can be identified.",
        ),
    ],
    law: false,
};

/// A signal of the scenario that is fed from the record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputSignal {
    /// Its path.
    pub path: String,
    /// Expression over columns.
    pub value: String,
    /// Between rows: `hold`, `linear` or `cubic`.
    pub interpolation: &'static str,
    /// Expression of the delay \[s\].
    pub delay: String,
}

/// What is known of a parameter before the measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct PriorKnowledge {
    /// Name of the parameter.
    pub name: String,
    /// Its expected value.
    pub mean: f64,
    /// Its standard deviation; for a parameter that is fitted by its logarithm, that of the logarithm times the expected value.
    pub deviation: f64,
}

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
    /// What is known of them before.
    pub priors: Vec<PriorKnowledge>,
    /// Signals of the scenario that are fed from the record.
    pub input: Vec<InputSignal>,
    /// Columns of the simulation and expressions over columns.
    pub matches: Vec<(String, String)>,
}

impl IdentificationTask {
    /// Whether a value that is given by this name holds a free parameter. Otherwise it is a value of the scenario: a name of a free
    /// parameter takes precedence over a path.
    ///
    /// # Errors
    /// [`IdentificationError::Computed`] for a value that the fit computes.
    pub fn holds(&self, name: &str) -> Result<bool, Error> {
        if self.free.iter().any(|p| p.name == name) {
            return Ok(true);
        }
        let computed = self.set.iter().chain(&self.start).map(|(path, _)| path);
        let mut computed = computed.chain(self.input.iter().map(|input| &input.path));
        if computed.any(|path| path == name || path.ends_with(&format!(".{name}"))) {
            return Err(IdentificationError::Computed { path: name.to_owned() }.into());
        }
        Ok(false)
    }
}

/// Reads the section, if there is one.
pub(super) fn identification_task(build: &mut Builder<'_>) -> Result<Option<IdentificationTask>, Error> {
    let Some(s) = build.single(&IDENTIFY)? else { return Ok(None) };
    let mut out = IdentificationTask { time: s.text("time")?.map(str::to_owned), ..IdentificationTask::default() };
    for TomlEntry { key, node, .. } in table(&s, "constants")? {
        out.constants.push((key.clone(), node.number(key)?));
    }
    for TomlEntry { key, node, .. } in &s.required("free")?.table("free")?.0 {
        let (parameter, prior) = free(key, node)?;
        out.free.push(parameter);
        out.priors.extend(prior);
    }
    for TomlEntry { key, at, node } in table(&s, "input")? {
        build.check_path(key, at)?;
        out.input.push(input(key, node)?);
    }
    for (name, list) in [("set", &mut out.set), ("start", &mut out.start)] {
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

/// What a controller or a formula receives is a command, and held between rows; anything else was measured.
fn usual_interpolation(path: &str) -> &'static str {
    let commanded = ["control.", "controller.", "formula."].iter().any(|part| path.starts_with(part));
    if commanded || path.ends_with(".enable") { "hold" } else { "linear" }
}

fn input(path: &str, node: &TomlNode) -> Result<InputSignal, Error> {
    let (path, usual) = (path.to_owned(), usual_interpolation(path));
    match &node.value {
        TomlValue::Number(x) => {
            return Ok(InputSignal { path, value: format!("{x:e}"), interpolation: usual, delay: "0".to_owned() });
        }
        TomlValue::Text(text) => {
            return Ok(InputSignal { path, value: text.clone(), interpolation: usual, delay: "0".to_owned() });
        }
        _ => {}
    }
    let s = ComponentTable::of(&format!("identify.input.{path}"), node, &INPUT)?;
    let value = s.required("value")?.text("value")?.to_owned();
    let given = s.get("interpolation").is_some();
    let interpolation = if given { s.choice("interpolation", &["hold", "linear", "cubic"])? } else { usual };
    let delay = match s.get("delay").map(|node| (&node.value, node)) {
        None => "0".to_owned(),
        Some((TomlValue::Number(x), _)) => format!("{x:e}"),
        Some((_, node)) => node.text("delay")?.to_owned(),
    };
    Ok(InputSignal { path, value, interpolation, delay })
}

fn free(name: &str, node: &TomlNode) -> Result<(Parameter, Option<PriorKnowledge>), Error> {
    if let TomlValue::List(list) = &node.value {
        let [low, high] = &list[..] else { return Err(node.wrong(name, "pair")) };
        return Ok((bounded(name, node, [low.number(name)?, high.number(name)?], None, false, 0.0)?, None));
    }
    let s = ComponentTable::of(&format!("identify.free.{name}"), node, &FREE)?;
    let bounds = [s.number("low")?, s.number("high")?];
    let parameter = bounded(name, node, bounds, s.optional_number("start")?, s.flag("log")?, s.number("size")?)?;
    let prior = match (s.optional_number("prior")?, s.optional_number("spread")?) {
        (None, None) => None,
        (Some(mean), Some(deviation)) => {
            s.check("spread", deviation, deviation > 0.0, "above 0")?;
            s.check("prior", mean, !parameter.log || mean > 0.0, "above zero for a logarithm")?;
            Some(PriorKnowledge { name: name.to_owned(), mean, deviation })
        }
        (mean, _) => {
            let (key, why) = if mean.is_some() { ("prior", "needs a spread") } else { ("spread", "needs a prior") };
            return Err(s.get(key).map_or(&node.at, |node| &node.at).error(Error::Conflict { key, why }));
        }
    };
    Ok((parameter, prior))
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
