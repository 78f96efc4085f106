//! `--set path=value`: changes to a scenario before it is interpreted.
use super::component_table::unknown_name;
use super::keys::{self, ValueKind};
use super::value_paths;
use crate::Error;
use crate::toml_tree::{SourceLocation, TomlEntry, TomlNode, TomlTable, TomlValue};

/// Applies an assignment. The end of a path is enough if it is unambiguous. A key that does not exist yet is added, and
/// checked when the scenario is built; components are not added. Returns a note if the path was completed.
pub(super) fn assign_text(root: &mut TomlTable, text: &str) -> Result<Option<String>, Error> {
    let at = SourceLocation::option(text);
    let bad = || Error::Assignment { text: text.to_owned() };
    let (path, value) = split_assignment(text).ok_or_else(bad)?;
    // a path is a dotted key of TOML: names with dots are in quotes
    let parsed = TomlTable::parse(&format!("{path} = 0"), &at).map_err(|_| bad())?;
    let keys = names(&parsed);
    // a string without quotes is accepted, because the shell removes them
    let node = match TomlTable::parse(&format!("value = {value}"), &at) {
        // a line break would begin a second assignment
        Ok(table) if table.0.len() == 1 => table.0.into_iter().next().map(|entry| entry.node).ok_or_else(bad)?,
        Ok(_) => return Err(bad()),
        Err(_) => TomlNode::text_at(value, &at),
    };
    let full = value_paths::complete_path(root, path, keys.clone()).map_err(|error| at.error(error))?;
    insert(root, &full, node.moved(&at), &at, "")?;
    Ok((full != keys).then(|| format!("{path} stands for {}", value_paths::join(&full))))
}

/// Sets the value at a dotted path.
pub(super) fn assign(root: &mut TomlTable, path: &str, node: TomlNode, at: &SourceLocation) -> Result<(), Error> {
    let keys = existing_path(root, path, at)?;
    insert(root, &keys, node, at, "")
}

/// The keys of a dotted path.
pub(super) fn path_keys(path: &str) -> Result<Vec<String>, Error> {
    let bad = |_| Error::InvalidPath { text: path.to_owned() };
    TomlTable::parse(&format!("{path} = 0"), &SourceLocation::option(path)).map(|table| names(&table)).map_err(bad)
}

/// The keys of a dotted path whose component exists.
pub(super) fn existing_path(root: &TomlTable, path: &str, at: &SourceLocation) -> Result<Vec<String>, Error> {
    let keys = path_keys(path).map_err(|error| at.error(error))?;
    check_component(root, &keys).map_err(|error| at.error(error))?;
    Ok(keys)
}

/// `path` and `value` around the first equals sign outside quotes.
fn split_assignment(text: &str) -> Option<(&str, &str)> {
    let mut quote = None;
    let i = text.find(|c| {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            _ => {}
        }
        quote.is_none() && c == '='
    })?;
    let (path, value) = (text[..i].trim(), text[i + 1..].trim());
    (!path.is_empty() && !value.is_empty() && !path.contains('\n')).then_some((path, value))
}

fn names(table: &TomlTable) -> Vec<String> {
    let mut out = Vec::new();
    let mut here = Some(table);
    while let Some(entry) = here.and_then(|table| table.0.first()) {
        out.push(entry.key.clone());
        here = if let TomlValue::Table(inner) = &entry.node.value { Some(inner) } else { None };
    }
    out
}

/// Checks that the component of a path exists.
pub(super) fn check_component(root: &TomlTable, keys: &[String]) -> Result<(), Error> {
    let Some(first) = keys.first() else { return Ok(()) };
    let tables: Vec<&str> = keys::ALL.iter().filter(|c| c.form.starts_with('[')).map(|c| c.name).collect();
    let top = |name: &str| keys::TOP_LEVEL.iter().any(|key| key.name == name && key.kind == ValueKind::Text);
    if !tables.contains(&first.as_str()) && !top(first) {
        return Err(unknown_name("part of a scenario", first, &tables));
    }
    let single = ["run", "measure", "identify"].contains(&first.as_str());
    if let Some(name) = keys.get(1)
        && !single
        && !top(first)
    {
        let inner = match root.get(first).map(|node| &node.value) {
            Some(TomlValue::Table(table)) => table.0.iter().map(|entry| entry.key.clone()).collect(),
            Some(TomlValue::List(list)) => (1..=list.len()).map(|i| i.to_string()).collect(),
            _ => Vec::new(),
        };
        if !inner.contains(name) {
            let what = keys::find(first).map_or("component", |c| c.name);
            return Err(unknown_name(what, name, &inner));
        }
    }
    Ok(())
}

/// Sets the value at a path; items of a list are counted from one.
fn insert(
    table: &mut TomlTable,
    keys: &[String],
    node: TomlNode,
    at: &SourceLocation,
    path: &str,
) -> Result<(), Error> {
    let [key, rest @ ..] = keys else { return Ok(()) };
    let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
    if table.get(key).is_none() {
        table.0.push(TomlEntry { key: key.clone(), at: at.clone(), node: TomlNode::empty(at) });
    }
    let Some(here) = table.get_mut(key) else { return Ok(()) };
    enter(here, rest, node, at, &path)
}

fn enter(here: &mut TomlNode, keys: &[String], node: TomlNode, at: &SourceLocation, path: &str) -> Result<(), Error> {
    let [key, rest @ ..] = keys else {
        *here = node;
        return Ok(());
    };
    if let TomlValue::List(list) = &mut here.value {
        let count = list.len();
        let item = key.parse::<usize>().ok().and_then(|i| list.get_mut(i.checked_sub(1)?));
        let names = || (1..=count).map(|i| i.to_string()).collect::<Vec<_>>();
        let item = item.ok_or_else(|| at.error(unknown_name("item", key, &names())))?;
        return enter(item, rest, node, at, &format!("{path}.{key}"));
    }
    match &mut here.value {
        TomlValue::Table(table) => insert(table, keys, node, at, path),
        _ => Err(at.error(here.clone().moved(at).wrong(path, "table"))),
    }
}
