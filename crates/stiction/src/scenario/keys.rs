//! What a scenario may say: every component with its keys, written once. The reader refuses what is not here, and
//! takes defaults from here; `stiction scenarios --keys` and the pages in `docs/scenario` are made from it.

use crate::number::short;
use std::fmt::{self, Display, Formatter};
use stiction_core::control::registry as control;

/// A key of a component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Name.
    pub name: &'static str,
    /// What stands behind it.
    pub kind: ValueKind,
    /// SI unit, for straight motion or rotation; empty: none.
    pub unit: &'static str,
    /// What it is if left out.
    pub default: DefaultValue,
    /// Meaning, one line.
    pub doc: &'static str,
}

/// What stands behind a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// A number.
    Number,
    /// `true` or `false`.
    Flag,
    /// A string.
    Text,
    /// A list of numbers.
    Numbers,
    /// The name of a body, a motion, a coordinate of a plant, or `ground`.
    Node,
    /// Two of these.
    Nodes,
    /// A list of names of columns.
    Columns,
    /// A number, or a function of time.
    Signal,
    /// A law: its name or parameter file, or a table of it and its parameters.
    Law,
    /// A table of its own.
    Table,
    /// Anything else; the meaning says what.
    Other,
}

impl ValueKind {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Flag => "true or false",
            Self::Text => "string",
            Self::Numbers => "list of numbers",
            Self::Node => "place",
            Self::Nodes => "two places",
            Self::Columns => "list of columns",
            Self::Signal => "signal",
            Self::Law => "law",
            Self::Table => "table",
            Self::Other => "see there",
        }
    }
}

/// What a key is if left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DefaultValue {
    /// It cannot be left out.
    Required,
    /// No value, or one that the text describes.
    None(&'static str),
    /// A number.
    Number(f64),
}

impl Display for DefaultValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Required => f.write_str("required"),
            Self::None(words) => f.write_str(words),
            Self::Number(x) => f.write_str(&short(*x)),
        }
    }
}

/// A part of a scenario and what it may say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Component {
    /// Name of its tables.
    pub name: &'static str,
    /// How a table of it begins.
    pub form: &'static str,
    /// Meaning, one line.
    pub doc: &'static str,
    /// Its keys.
    pub keys: &'static [Key],
    /// Whether the parameters of a law may stand beside the keys.
    pub law: bool,
}

impl Component {
    /// The key called `name`.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }
    /// Its keys as a table in Markdown.
    pub fn markdown(&self) -> String {
        markdown(self.keys)
    }
}

/// Keys as a table in Markdown, lined up so that it reads well as it is.
pub fn markdown(keys: &[Key]) -> String {
    let mut rows = vec![["key", "is", "unit", "default", "meaning"].map(str::to_owned)];
    rows.extend(keys.iter().map(|key| {
        let name = format!("`{}`", key.name);
        [name, key.kind.words().to_owned(), key.unit.to_owned(), key.default.to_string(), key.doc.to_owned()]
    }));
    let widest = |k: usize| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0);
    // the last column need not end anywhere
    let widths = [widest(0), widest(1), widest(2), widest(3), 0];
    rows.insert(1, widths.map(|width| "-".repeat(width.max(3))));
    let line = |row: &[String; 5]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("| {cell:width$} "));
        cells.collect::<String>() + "|\n"
    };
    rows.iter().map(line).collect()
}

const fn key(name: &'static str, kind: ValueKind, unit: &'static str, default: DefaultValue, doc: &'static str) -> Key {
    Key { name, kind, unit, default, doc }
}
/// A key that cannot be left out.
pub(super) const fn required(name: &'static str, kind: ValueKind, unit: &'static str, doc: &'static str) -> Key {
    key(name, kind, unit, DefaultValue::Required, doc)
}
/// A number with a default.
pub(super) const fn number(name: &'static str, unit: &'static str, default: f64, doc: &'static str) -> Key {
    key(name, ValueKind::Number, unit, DefaultValue::Number(default), doc)
}
/// A key that may be left out.
pub(super) const fn optional(name: &'static str, kind: ValueKind, unit: &'static str, doc: &'static str) -> Key {
    key(name, kind, unit, DefaultValue::None(""), doc)
}
/// A key that may be left out, with what it then is.
pub(super) const fn optional_with_default(
    name: &'static str,
    kind: ValueKind,
    unit: &'static str,
    is: &'static str,
    doc: &'static str,
) -> Key {
    key(name, kind, unit, DefaultValue::None(is), doc)
}

/// All components, in the order in which help lists them.
pub static ALL: &[&Component] = &[
    &super::mechanics::RUN,
    &super::mechanics::BODY,
    &super::mechanics::MOTION,
    &super::mechanics::PLANT,
    &super::mechanics::FORCE,
    &super::springs::SPRING,
    &super::springs::DAMPER,
    &super::springs::STOP,
    &super::freewheel::FREEWHEEL,
    &super::springs::GEAR,
    &super::planetary::PLANETARY,
    &super::contacts::CONTACT,
    &super::contacts::CLUTCH,
    &super::contacts::BRAKE,
    &super::chain::CHAIN,
    &super::plane::PLANE,
    &super::plane::BODY,
    &super::plane::FORCE,
    &super::plane::SPRING,
    &super::control::CONTROL,
    &super::controller::CONTROLLER,
    &super::formula::FORMULA,
    &super::measure::MEASURE,
    &super::plot_definition::PLOT,
    &super::identification_task::IDENTIFY,
    &super::identification_task::FREE,
    &super::identification_task::INPUT,
    &super::signal::SIGNAL,
    &super::signal::RAMP,
    &super::signal::STEP,
    &super::signal::MOVE,
    &super::signal::SINE,
    &super::signal::CHIRP,
    &super::signal::PULSES,
    &super::signal::NOISE,
    &super::signal::TABLE,
    &super::contacts::LAW,
    &super::contacts::LOAD,
    &super::contacts::HEATING,
    &super::springs::ERROR,
    &super::lossy_gear::EFFICIENCY,
];

/// A part of a controller, and the keys that are its parameters.
pub fn part(name: &str) -> Option<(&'static control::ControllerEntry, Vec<Key>)> {
    let entry = control::find(name)?;
    let mut keys: Vec<Key> = entry.params.iter().map(|p| number(p.name, p.unit, p.default, p.doc.trim())).collect();
    if entry.role() == control::Role::Compensator {
        keys.insert(0, required("law", ValueKind::Law, "", "The law whose force it adds."));
    }
    Some((entry, keys))
}

/// The keys outside all tables.
pub static TOP_LEVEL: &[Key] = &[
    optional("title", ValueKind::Text, "", "What it shows, on one line."),
    optional("about", ValueKind::Text, "", "Free text: source, what to look for."),
];

/// The component called `name`.
pub fn find(name: &str) -> Option<&'static Component> {
    ALL.iter().copied().find(|component| component.name == name)
}
