//! The values of a scenario by their path, or by an unambiguous end of it.
use super::template::Template;
use super::to_toml::collect_files;
use super::{assignment, keys};
use crate::parameter_file::{DEFINITION, ParameterFile};
use crate::similar_names::similar;
use crate::toml_text;
use crate::toml_tree::{TomlEntry, TomlNode, TomlTable, TomlValue};
use crate::{Error, LawFile, is_file_name};
use std::path::{Path, PathBuf};
use stiction_core::registry::LawEntry;

/// Largest number of suggested paths.
const MAX_SUGGESTIONS: usize = 3;

/// Symbols of formulas as abbreviations of the ends of paths.
const SYMBOLS: [(&str, &[&str]); 6] = [
    ("k", &["stiffness"]),
    ("m", &["mass"]),
    ("J", &["inertia"]),
    ("d", &["damping"]),
    ("v", &["position", "ramp", "slope"]),
    ("v", &["velocity"]),
];

impl Template {
    /// The full path and the unit of the value that `text` names. `pull.stiffness`, `stiffness` and `k` are all
    /// `spring.pull.stiffness` if there is one spring; `hand.v` is the slope of the ramp that moves `hand`.
    ///
    /// # Errors
    /// [`Error::UnknownName`] if there is none, [`Error::AmbiguousName`] if there are several.
    pub fn path(&self, text: &str) -> Result<(String, String), Error> {
        let wanted = assignment::path_keys(text)?;
        // a full path may also name a key that is not given yet; it is checked when the scenario is built
        if wanted.len() > 1 && assignment::check_component(&self.root, &wanted).is_ok() {
            return Ok((text.trim().to_owned(), unit(&self.root, &wanted)));
        }
        let leaves: Vec<Vec<String>> = self.leaves().into_iter().map(|(keys, _)| keys).collect();
        let keys = single(&self.root, text, &wanted, &leaves)?;
        Ok((join(&keys), unit(&self.root, &keys)))
    }
    /// Every number in it: path, value and unit.
    pub fn numbers(&self) -> Vec<(String, f64, String)> {
        self.leaves().into_iter().map(|(keys, x)| (join(&keys), x, unit(&self.root, &keys))).collect()
    }
    fn leaves(&self) -> Vec<(Vec<String>, f64)> {
        let number = |(keys, value): (Vec<String>, &TomlValue)| match value {
            TomlValue::Number(x) => Some((keys, *x)),
            _ => None,
        };
        leaves(&self.root).into_iter().filter_map(number).collect()
    }
    /// Applies `path=value` on top of the assignments with which it was read.
    ///
    /// # Errors
    /// As [`Template::parse`].
    pub fn set(&mut self, assignment: &str) -> Result<&mut Self, Error> {
        assignment::assign_text(&mut self.root, assignment)?;
        Ok(self)
    }
    /// Removes plots, the identification task, and measures that are not wanted.
    pub fn keep_measures(&mut self, wanted: impl Fn(&str) -> bool) {
        self.root.0.retain(|entry| !["plot", "identify"].contains(&entry.key.as_str()));
        if let Some(table) = self.root.get_mut("measure").and_then(TomlNode::table_mut) {
            table.0.retain(|entry| wanted(&entry.key));
        }
    }
    /// The files that it reads.
    pub fn inputs(&self) -> Vec<PathBuf> {
        let mut root = self.root.clone();
        collect_files(&mut root, &self.folder).into_iter().map(|(path, _)| path).collect()
    }
    /// The names of files in it, as they stand there, whether these exist or not: every `file` of a table, and every law that is named by a file.
    pub fn named_files(&self) -> Vec<&str> {
        let mut found = Vec::new();
        self.root.0.iter().for_each(|entry| named_files(&entry.key, &entry.node, &mut found));
        found
    }
}

fn named_files<'a>(key: &str, node: &'a TomlNode, found: &mut Vec<&'a str>) {
    match &node.value {
        TomlValue::Text(text) if key == "file" || (is_file_name(text) && names_law(key)) => found.push(text),
        TomlValue::List(list) => list.iter().for_each(|item| named_files(key, item, found)),
        TomlValue::Table(table) => table.0.iter().for_each(|entry| named_files(&entry.key, &entry.node, found)),
        _ => {}
    }
}

/// Whether a law can stand under this key of some component.
fn names_law(key: &str) -> bool {
    let is_law = |of: &keys::Key| of.name == key && of.kind == keys::ValueKind::Law;
    key == "law" || keys::ALL.iter().any(|component| component.keys.iter().any(is_law))
}

/// The whole path of an assignment: `keys` themselves if they lead to a component, otherwise the only path that ends with
/// them.
pub(super) fn complete_path(root: &TomlTable, text: &str, keys: Vec<String>) -> Result<Vec<String>, Error> {
    let Err(error) = assignment::check_component(root, &keys) else { return Ok(keys) };
    // a path that begins with a kind of component is a full path
    let kind = |name: &String| keys::find(name).is_some_and(|component| component.form.starts_with('['));
    if keys.first().is_some_and(kind) {
        return Err(error);
    }
    let all: Vec<Vec<String>> = leaves(root).into_iter().map(|(keys, _)| keys).collect();
    let lost = |error: &Error| matches!(error, Error::UnknownName { near, .. } if near.is_empty());
    single(root, text, &keys, &all).map_err(|other| {
        let [kind, end] = [!lost(&error), !lost(&other)];
        // a similar kind is more likely meant at the beginning of a path, a similar key by a single name
        let misspelt_kind = if keys.len() > 1 { kind || !end } else { kind && !end };
        if misspelt_kind && matches!(other, Error::UnknownName { .. }) { error } else { other }
    })
}

/// The only one of `leaves` that ends with the keys `wanted`, possibly by a symbol, or a new key of a component, or a parameter of a law that is
/// not given there.
fn single(root: &TomlTable, text: &str, wanted: &[String], leaves: &[Vec<String>]) -> Result<Vec<String>, Error> {
    let mut found: Vec<Vec<String>> = leaves.iter().filter(|leaf| leaf.ends_with(wanted)).cloned().collect();
    if let (true, Some((last, before))) = (found.is_empty(), wanted.split_last()) {
        let tails = SYMBOLS.iter().filter(|(symbol, _)| symbol == last).map(|(_, tail)| *tail);
        let wanted: Vec<Vec<String>> = tails
            .map(|tail| before.iter().cloned().chain(tail.iter().map(|key| (*key).to_owned())).collect())
            .collect();
        found = leaves.iter().filter(|leaf| wanted.iter().any(|wanted| leaf.ends_with(wanted))).cloned().collect();
    }
    if let (true, [name, _, ..]) = (found.is_empty(), wanted) {
        let has =
            |entry: &&TomlEntry| matches!(&entry.node.value, TomlValue::Table(table) if table.get(name).is_some());
        let kinds = root.0.iter().filter(|entry| part(entry)).filter(has).map(|entry| entry.key.clone());
        found = kinds
            .map(|kind| [&[kind][..], wanted].concat())
            .filter(|keys| assignment::check_component(root, keys).is_ok())
            .collect();
    }
    // a parameter that the scenario leaves at its default
    if let (true, [name]) = (found.is_empty(), wanted) {
        found = of_laws(root, name);
    }
    match found.len() {
        1 => Ok(found.swap_remove(0)),
        0 => {
            let known: Vec<String> = leaves.iter().map(|keys| join(keys)).collect();
            let mut near: Vec<String> =
                similar(text, known.iter().map(String::as_str)).into_iter().map(str::to_owned).collect();
            if near.is_empty() {
                near = similar_ends(wanted, leaves);
            }
            Err(Error::UnknownName { what: "value", name: text.to_owned(), near, known })
        }
        _ => {
            let known = found.iter().map(|keys| join(keys)).collect();
            Err(Error::AmbiguousName { what: "value", name: text.to_owned(), known })
        }
    }
}

/// Ends of paths similar to `wanted`, as short as they are unique; full paths where several paths have this end.
fn similar_ends(wanted: &[String], leaves: &[Vec<String>]) -> Vec<String> {
    let end = |keys: &Vec<String>| join(&keys[keys.len().saturating_sub(wanted.len())..]);
    let ends: Vec<String> = leaves.iter().map(end).collect();
    let mut distinct = ends.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let mut found = Vec::new();
    for name in similar(&join(wanted), distinct.iter().map(String::as_str)) {
        let having: Vec<usize> = (0..leaves.len()).filter(|i| ends[*i] == name).collect();
        match having[..] {
            [_] => found.push(name.to_owned()),
            _ => found.extend(having.into_iter().map(|i| join(&leaves[i]))),
        }
    }
    found.truncate(MAX_SUGGESTIONS);
    found
}

/// Whether an entry is part of the system, unlike plots and measures.
fn part(entry: &TomlEntry) -> bool {
    !["measure", "plot", "identify"].contains(&entry.key.as_str())
}

/// All values of the system with their keys.
fn leaves(root: &TomlTable) -> Vec<(Vec<String>, &TomlValue)> {
    let mut out = Vec::new();
    root.0.iter().filter(|entry| part(entry)).for_each(|e| leaf(&e.node, &mut vec![e.key.clone()], &mut out));
    out
}

/// Keys as a dotted path.
pub(super) fn join(keys: &[String]) -> String {
    keys.iter().map(|key| toml_text::key(key)).collect::<Vec<_>>().join(".")
}

/// Every value below a node.
fn leaf<'a>(node: &'a TomlNode, path: &mut Vec<String>, out: &mut Vec<(Vec<String>, &'a TomlValue)>) {
    let mut below = |key: String, node: &'a TomlNode| {
        path.push(key);
        leaf(node, path, out);
        path.pop();
    };
    match &node.value {
        TomlValue::Table(table) => table.0.iter().for_each(|TomlEntry { key, node, .. }| below(key.clone(), node)),
        TomlValue::List(list) => list.iter().enumerate().for_each(|(i, node)| below((i + 1).to_string(), node)),
        value => out.push((path.clone(), value)),
    }
}

/// The unit of the value at a path; empty if it is not known.
fn unit(root: &TomlTable, keys: &[String]) -> String {
    let (Some(first), Some(last)) = (keys.first(), keys.last()) else { return String::new() };
    let Some(component) = keys::find(first) else { return String::new() };
    // the unit for translation comes before that for rotation
    let turns = rotates(root, keys);
    let of = |units: &str| {
        let mut each = units.split(", ");
        let straight = each.next().unwrap_or("").to_owned();
        let unit = if turns { each.next().map_or(straight.clone(), str::to_owned) } else { straight };
        if unit == "-" { String::new() } else { unit }
    };
    let rest = if first == "run" { &keys[1..] } else { keys.get(2..).unwrap_or(&[]) };
    let Some(key) = rest.first().and_then(|key| component.key(key)) else { return law(root, keys, last) };
    match (key.name, rest) {
        ("from" | "reverse", _) => law(root, keys, last),
        (_, [_]) => of(key.unit),
        _ => match last.as_str() {
            "slope" if key.unit.is_empty() => String::new(),
            "slope" => match of(key.unit).as_str() {
                "" => "1/s".to_owned(),
                "m/s" => "m/s²".to_owned(),
                "rad/s" => "rad/s²".to_owned(),
                unit => format!("{unit}/s"),
            },
            "amplitude" | "mean" | "offset" | "before" | "after" => of(key.unit),
            last => ["ramp", "step", "sine", "chirp"]
                .iter()
                .find_map(|kind| keys::find(kind)?.key(last))
                .map_or(String::new(), |key| of(key.unit)),
        },
    }
}

/// Whether a component rotates: by its own keys, or by a body that it is connected to.
fn rotates(root: &TomlTable, keys: &[String]) -> bool {
    let [kind, name, ..] = keys else { return false };
    let table =
        |kind: &str, name: &str| root.get(kind).and_then(|node| node.table(kind).ok()?.get(name)?.table(name).ok());
    let Some(own) = table(kind, name) else { return false };
    let flag = |table: &TomlTable| table.get("turns").is_some_and(|node| node.flag("turns").unwrap_or(false));
    if own.get("inertia").is_some() && own.get("mass").is_none() || flag(own) {
        return true;
    }
    let ends = own.get("between").and_then(|node| node.list("between").ok()).unwrap_or(&[]);
    let names = ends.iter().chain(own.get("on")).filter_map(|node| node.text("on").ok());
    names
        .filter_map(|end| table("body", end).or_else(|| table("motion", end)))
        .any(|end| end.get("inertia").is_some() || flag(end))
}

/// The law of the component that a path begins with, if it has one: by name, by its file, or by its text.
fn law_of(root: &TomlTable, keys: &[String]) -> Option<&'static LawEntry> {
    let mut table = root;
    for key in keys.iter().take(2) {
        table = table.get(key)?.table(key).ok()?;
    }
    match table.get(DEFINITION) {
        Some(text) => Some(LawFile::parse(text.text(DEFINITION).ok()?, Path::new(DEFINITION)).ok()?.entry()),
        None => {
            let name = table.get("law")?.text("law").ok()?;
            Some(ParameterFile::find_in(name, folder(root)).ok()?.spec.law())
        }
    }
}

/// The folder that file names are relative to: that of the scenario's text, not that of an assignment.
fn folder(root: &TomlTable) -> &Path {
    root.0.iter().find(|entry| !entry.at.is_option()).map_or(Path::new(""), |entry| entry.at.folder())
}

/// Paths to the parameters of this name of the laws of all components.
fn of_laws(root: &TomlTable, name: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for kind in root.0.iter().filter(|entry| part(entry)) {
        let TomlValue::Table(components) = &kind.node.value else { continue };
        for component in &components.0 {
            let keys = vec![kind.key.clone(), component.key.clone(), name.to_owned()];
            if law_of(root, &keys).is_some_and(|law| law.params.iter().any(|param| param.name == name)) {
                found.push(keys);
            }
        }
    }
    found
}

/// The unit of a parameter of a component's law, or of a quantity that its recipe begins with.
fn law(root: &TomlTable, keys: &[String], name: &str) -> String {
    let Some(law) = law_of(root, keys) else { return String::new() };
    let inputs = law.recipes.iter().flat_map(|recipe| recipe.inputs);
    let all = law.params.iter().chain(inputs);
    let unit = all.into_iter().find(|param| param.name == name).map_or("", |param| param.unit);
    if unit == "-" { String::new() } else { unit.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::Template;
    use std::path::Path;

    /// Files are found by their place in the scenario, not by whether they exist, and texts that only look like paths are none.
    #[test]
    fn files_are_named_by_laws_and_tables() {
        let text = "title = \"/\"\n[body.b]\nmass = 10000000000000000000\n[force.f]\nforce = { table = { file = \"log\" } }\n\
                    [contact.c]\nlaw = \"a/c.toml\"\n[gear.g]\nloss = { law = \"l.toml\" }\n[control.k]\nfriction = \"/f\"\n\
                    [freewheel.w]\ndrag = \"d\\\\w\"\n[contact.d]\nlaw = \"lugre\"\n[source.s]\nformula = \"x/2\"\n";
        let none: [&str; 0] = [];
        let template = Template::parse(text, Path::new("x.toml"), &none).unwrap();
        assert_eq!(template.named_files(), ["log", "a/c.toml", "l.toml", "/f", "d\\w"]);
    }
}
