//! The keys of a law file, one by one.
use super::curve::Curve;
use super::dimension::Dimension;
use super::is_built_in;
use super::reserved_names::{ReservedName, reserved_name, reserved_names};
use super::source::{CurveSource, Expression, ParamSource, StateSource};
use super::table::{MeasuredPoint, MeasuredTable};
use crate::Error;
use crate::error::LawFileError;
use crate::toml_tree::{SourceLocation, TomlEntry, TomlNode, TomlTable, TomlValue, unknown};

/// The keys of a parameter.
const PARAM_KEYS: [&str; 6] = ["unit", "default", "min", "max", "doc", "fit"];
/// The keys of a curve.
const CURVE_KEYS: [&str; 3] = ["input", "rows", "unit"];
/// The keys of a table.
const TABLE_KEYS: [&str; 1] = ["rows"];
/// Names that files give another meaning to beside the parameters of a law.
const KEYS_OF_FILES: [&str; 14] = [
    "name",
    "definition",
    "reverse",
    "noise",
    "law",
    "table",
    "peak",
    "heating",
    "radius",
    "between",
    "from",
    "on",
    "command",
    "memory",
];

pub fn name(root: &TomlTable, top: &SourceLocation) -> Result<String, Error> {
    let Some(node) = root.get("name") else {
        return Err(top.error(LawFileError::Missing { key: "name".into(), example: "name = \"my-law\"".into() }));
    };
    let name = node.text("name")?;
    let sound = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.len() <= 64
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_'));
    if !sound {
        let why = "use small letters, digits and hyphens, and begin with a letter, as in my-law";
        return Err(node.at.error(LawFileError::Name { name: name.to_owned(), what: "law", why }));
    }
    if is_built_in(name) {
        return Err(node.at.error(LawFileError::BuiltIn { name: name.to_owned() }));
    }
    Ok(name.to_owned())
}

/// Checks the name of a parameter, a state or an equation.
pub fn check_name(
    name: &str,
    what: &'static str,
    taken: &[(&str, &'static str)],
    at: &SourceLocation,
) -> Result<(), Error> {
    if let Some(ReservedName { meaning, .. }) = reserved_name(name) {
        return Err(at.error(LawFileError::Reserved { name: name.to_owned(), meaning, all: reserved_names() }));
    }
    if let Some((_, known)) = taken.iter().find(|(known, _)| *known == name) {
        return Err(at.error(LawFileError::Taken { name: name.to_owned(), what: known }));
    }
    let sound = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.len() <= 64
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let word = ["and", "or", "not"].contains(&name) || stiction_io::expression::Function::find(name).is_some();
    let what = what.strip_prefix("an ").or(what.strip_prefix("a ")).unwrap_or(what);
    if !sound {
        let why = "use letters, digits and underscores, and begin with a letter, as in sigma0";
        return Err(at.error(LawFileError::Name { name: name.to_owned(), what, why }));
    }
    if what == "parameter" && KEYS_OF_FILES.contains(&name) {
        let why = "it has a meaning of its own beside the parameters of a law, in scenarios or parameter files";
        return Err(at.error(LawFileError::Name { name: name.to_owned(), what, why }));
    }
    if word {
        let why = "it has a meaning of its own in equations";
        return Err(at.error(LawFileError::Name { name: name.to_owned(), what, why }));
    }
    Ok(())
}

pub fn dimension(unit: &str, at: &SourceLocation) -> Result<Dimension, Error> {
    Dimension::parse(unit).map_err(|error| at.error(error))
}

pub fn params(root: &TomlTable, units_checked: bool) -> Result<Vec<(ParamSource, SourceLocation)>, Error> {
    let Some(node) = root.get("params") else { return Ok(Vec::new()) };
    let mut out = Vec::new();
    for TomlEntry { key: name, at, node } in &node.table("params")?.0 {
        let table = node.table(name)?;
        check_keys(table, &PARAM_KEYS)?;
        let missing = |key: &str| {
            let example = format!("it, as in {name} = {{ unit = \"N\", default = 1.0, min = 0.0, max = 1e9 }}");
            at.error(LawFileError::Missing { key: format!("{key} of '{name}'"), example })
        };
        let unit = table.get("unit");
        if unit.is_none() && units_checked {
            return Err(missing("unit"));
        }
        let default = table.get("default").ok_or_else(|| missing("default"))?;
        let bound = |key: &str, otherwise: f64| table.get(key).map_or(Ok(otherwise), |node| node.number(key));
        let text = unit.map_or(Ok(""), |unit| unit.text("unit"))?.to_owned();
        let param = ParamSource {
            name: name.clone(),
            dimension: dimension(&text, unit.map_or(at, |unit| &unit.at))?,
            unit: if text.trim().is_empty() { "-".to_owned() } else { one_line(&text) },
            default: default.number("default")?,
            // infinite: no bound
            min: bound("min", f64::MIN)?.max(f64::MIN),
            max: bound("max", f64::MAX)?.min(f64::MAX),
            doc: one_line(table.get("doc").map_or(Ok(""), |node| node.text("doc"))?),
            is_fitted: table.get("fit").map_or(Ok(true), |node| node.flag("fit"))?,
        };
        let ParamSource { default, min, max, .. } = param;
        if let Some((what, _)) = [("default", default), ("min", min), ("max", max)].iter().find(|(_, x)| x.is_nan()) {
            return Err(at.error(LawFileError::NoNumber { name: name.clone(), what }));
        }
        if min > max {
            return Err(at.error(LawFileError::Bounds { name: name.clone(), min, max }));
        }
        if !(min <= default && default <= max && default.is_finite()) {
            return Err(at.error(LawFileError::Default { name: name.clone(), default, min, max }));
        }
        out.push((param, at.clone()));
    }
    Ok(out)
}

/// A text on one line: it is written behind values, as a comment.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub fn states(root: &TomlTable) -> Result<Vec<StateSource>, Error> {
    let Some(node) = root.get("states") else { return Ok(Vec::new()) };
    let mut out = Vec::new();
    for TomlEntry { key: name, at, node } in &node.table("states")?.0 {
        let unit = node.text(name)?;
        let dimension = dimension(unit, &node.at)?;
        out.push(StateSource { name: name.clone(), unit: unit.to_owned(), dimension, at: at.clone() });
    }
    Ok(out)
}

/// The position by the name that equations have for it.
pub fn position_state(node: &TomlNode, rotates: bool) -> Result<StateSource, Error> {
    let (name, unit) = (node.text("position")?.to_owned(), if rotates { "rad" } else { "m" });
    Ok(StateSource { name, unit: unit.to_owned(), dimension: dimension(unit, &node.at)?, at: node.at.clone() })
}

pub fn cite(root: &TomlTable) -> Result<Vec<String>, Error> {
    match root.get("cite") {
        None => Ok(Vec::new()),
        Some(node) => match &node.value {
            TomlValue::List(list) => list.iter().map(|node| Ok(node.text("cite")?.to_owned())).collect(),
            _ => Ok(vec![node.text("cite")?.to_owned()]),
        },
    }
}

pub fn units_checked(root: &TomlTable) -> Result<bool, Error> {
    let Some(node) = root.get("units") else { return Ok(true) };
    match node.text("units")? {
        "checked" => Ok(true),
        "unchecked" => Ok(false),
        other => Err(node.at.error(unknown(other, vec!["checked".into(), "unchecked".into()]))),
    }
}

pub fn signed_load(root: &TomlTable) -> Result<bool, Error> {
    let Some(node) = root.get("load") else { return Ok(false) };
    match node.text("load")? {
        "pressing" => Ok(false),
        "signed" => Ok(true),
        other => Err(node.at.error(unknown(other, vec!["pressing".into(), "signed".into()]))),
    }
}

pub fn require(root: &TomlTable) -> Result<Vec<Expression>, Error> {
    let Some(node) = root.get("require") else { return Ok(Vec::new()) };
    node.list("require")?.iter().map(|node| Expression::of(node, "require")).collect()
}

pub fn curve(name: &str, at: &SourceLocation, node: &TomlNode) -> Result<CurveSource, Error> {
    let table = node.table(name)?;
    check_keys(table, &CURVE_KEYS)?;
    let missing = |key: &str, example: &str| {
        at.error(LawFileError::Missing { key: format!("{key} of '{name}'"), example: example.to_owned() })
    };
    let input = table.get("input").ok_or_else(|| missing("input", "input = \"abs(v)\""))?;
    let unit = table.get("unit").ok_or_else(|| missing("unit", "the unit of the values, unit = \"N\""))?;
    let (mut arguments, mut values) = (Vec::new(), Vec::new());
    for (row, at) in rows(table, node)? {
        let fail = |why: &str| Err(at.error(LawFileError::Curve { why: why.to_owned() }));
        let [argument, value] = row[..] else { return fail("has a row that is not an argument and a value") };
        if !(argument.is_finite() && value.is_finite()) {
            return fail("has a number that is not finite in this row");
        }
        if arguments.last().is_some_and(|before| *before >= argument) {
            return fail("does not rise in its argument from the row before to this one");
        }
        arguments.push(argument);
        values.push(value);
    }
    let curve = Curve::new(arguments, values).map_err(|error| at.error(error))?;
    Ok(CurveSource {
        name: name.to_owned(),
        input: Expression::of(input, "input")?,
        curve,
        dimension: dimension(unit.text("unit")?, &unit.at)?,
    })
}

/// Keys of the whole law that stand below the line of a table, and so belong to it.
pub fn misplaced(root: &TomlTable, table: &str) -> Result<(), Error> {
    let Some(node) = root.get(table) else { return Ok(()) };
    let top = ["name", "summary", "doc", "cite", "require"];
    match node.table(table)?.0.iter().find(|entry| top.contains(&entry.key.as_str())) {
        // a quantity may have such a name if it has the form of one
        Some(TomlEntry { key, at, node }) if table != "params" || !matches!(node.value, TomlValue::Table(_)) => {
            Err(at.error(LawFileError::Misplaced { key: key.clone() }))
        }
        _ => Ok(()),
    }
}

pub fn check_keys(table: &TomlTable, keys: &[&str]) -> Result<(), Error> {
    match table.0.iter().find(|entry| !keys.contains(&entry.key.as_str())) {
        Some(TomlEntry { key, at, .. }) => {
            Err(at.error(unknown(key, keys.iter().map(|key| (*key).to_owned()).collect())))
        }
        None => Ok(()),
    }
}

/// The table of a law.
pub fn measured_table(node: &TomlNode) -> Result<MeasuredTable, Error> {
    let table = node.table("table")?;
    check_keys(table, &TABLE_KEYS)?;
    let rows = rows(table, node)?;
    let width = rows.first().map_or(0, |(row, _)| row.len());
    let point = |(row, at): &(Vec<f64>, &SourceLocation)| match row[..] {
        [_, _] | [_, _, _] if row.len() != width => {
            let why = format!("has {} numbers in this row, and {width} in the first one", row.len());
            Err(at.error(LawFileError::Table { why }))
        }
        [v, force] => Ok(MeasuredPoint { load: 1.0, v, force }),
        [v, force, load] => Ok(MeasuredPoint { load, v, force }),
        _ => Err(at.error(LawFileError::Table {
            why: "has a row that is not velocity, force and, if it varies, load".into(),
        })),
    };
    let points = rows.iter().map(point).collect::<Result<Vec<_>, Error>>()?;
    MeasuredTable::new(&points).map_err(|(row, error)| {
        let at = row.and_then(|k| rows.get(k)).map_or(&node.at, |(_, at)| *at);
        at.error(error)
    })
}

/// The rows of a table, each with where it stands.
fn rows<'a>(table: &'a TomlTable, node: &TomlNode) -> Result<Vec<(Vec<f64>, &'a SourceLocation)>, Error> {
    let Some(rows) = table.get("rows") else {
        let example = "rows = [[0.001, 1.2], [0.1, 1.0]]".to_owned();
        return Err(node.at.error(LawFileError::Missing { key: "rows".to_owned(), example }));
    };
    let row = |node: &'a TomlNode| {
        let numbers = node.list("rows")?.iter().map(|x| match x.value {
            TomlValue::Text(_) => {
                Err(x.at.error(LawFileError::Table { why: "has a text where a number belongs in this row".to_owned() }))
            }
            _ => x.number("rows"),
        });
        Ok((numbers.collect::<Result<_, Error>>()?, &node.at))
    };
    rows.list("rows")?.iter().map(row).collect()
}
