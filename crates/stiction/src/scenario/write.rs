//! A scenario as it ran, as a file of its own: assignments applied, and the files it reads by names that can stand beside.
use crate::number::short;
use crate::tree::{Entry, Node, Table, Value};
use std::path::{Path, PathBuf};

/// Gives every file that the scenario reads a name of its own; returns where each is, and that name.
pub(super) fn gather(root: &mut Table, folder: &Path) -> Vec<(PathBuf, String)> {
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    for Entry { key, node, .. } in &mut root.0 {
        visit(key, node, &mut |key, text| {
            // as the readers of laws and tables take it
            let path = folder.join(&*text);
            let names = key == "file" || text.contains(['/', '\\']) || text.ends_with(".toml");
            if !names || !path.is_file() {
                return;
            }
            let known = files.iter().find(|(there, _)| *there == path).map(|(_, name)| name.clone());
            *text = known.unwrap_or_else(|| {
                let last = path.file_name().unwrap_or_default().to_string_lossy();
                // a file that has such a name already, from a run before, keeps the rest of it
                let old = last.strip_prefix("input-").and_then(|rest| rest.split_once('-'));
                let rest = old.filter(|(number, _)| number.parse::<u32>().is_ok()).map_or(&*last, |(_, rest)| rest);
                let name = format!("input-{}-{rest}", files.len() + 1);
                files.push((path, name.clone()));
                name
            });
        });
    }
    files
}

fn visit(key: &str, node: &mut Node, each: &mut impl FnMut(&str, &mut String)) {
    match &mut node.value {
        Value::Text(text) => each(key, text),
        Value::List(list) => list.iter_mut().for_each(|item| visit(key, item, each)),
        Value::Table(table) => table.0.iter_mut().for_each(|entry| visit(&entry.key, &mut entry.node, each)),
        Value::Number(_) | Value::Flag(_) | Value::Other => {}
    }
}

/// The table as a file.
pub(super) fn toml(root: &Table) -> String {
    let is_table = |entry: &&Entry| matches!(entry.node.value, Value::Table(_));
    let mut out: String = root.0.iter().filter(|entry| !tables(&entry.node)).map(line).collect();
    for Entry { key, node, .. } in root.0.iter().filter(|entry| tables(&entry.node)) {
        let head = name(key);
        match &node.value {
            // one part: [run]; or one of several of a kind: [body.block]
            Value::Table(table) if key == "measure" || !table.0.iter().all(|entry| is_table(&entry)) => {
                out += &section(&format!("[{head}]"), table);
            }
            Value::Table(table) => {
                for Entry { key, node, .. } in &table.0 {
                    let Value::Table(inner) = &node.value else { continue };
                    out += &section(&format!("[{head}.{}]", name(key)), inner);
                }
            }
            Value::List(list) => {
                for item in list {
                    let Value::Table(inner) = &item.value else { continue };
                    out += &section(&format!("[[{head}]]"), inner);
                }
            }
            _ => {}
        }
    }
    out
}

/// What is written as tables of its own.
fn tables(node: &Node) -> bool {
    match &node.value {
        Value::Table(_) => true,
        Value::List(list) => !list.is_empty() && list.iter().all(|item| matches!(item.value, Value::Table(_))),
        _ => false,
    }
}

fn section(head: &str, table: &Table) -> String {
    format!("\n{head}\n") + &table.0.iter().map(line).collect::<String>()
}

fn line(entry: &Entry) -> String {
    format!("{} = {}\n", name(&entry.key), value(&entry.node))
}

/// A key, in quotes if it must be.
pub(crate) fn name(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !key.is_empty() && key.chars().all(bare) { key.to_owned() } else { text(key) }
}

fn value(node: &Node) -> String {
    match &node.value {
        Value::Number(x) => short(*x),
        Value::Text(words) => text(words),
        Value::Flag(flag) => flag.to_string(),
        Value::List(list) => format!("[{}]", list.iter().map(value).collect::<Vec<_>>().join(", ")),
        Value::Table(table) if table.0.is_empty() => "{}".to_owned(),
        Value::Table(table) => {
            let pairs = table.0.iter().map(|entry| format!("{} = {}", name(&entry.key), value(&entry.node)));
            format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
        // nothing that a scenario could be built of
        Value::Other => "nan".to_owned(),
    }
}

pub(crate) fn text(words: &str) -> String {
    let mut out = String::from('"');
    for c in words.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out += "\\n",
            '\t' => out += "\\t",
            c if c.is_control() => out += &format!("\\u{:04X}", u32::from(c)),
            c => out.push(c),
        }
    }
    out + "\""
}
