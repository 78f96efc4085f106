//! Writes a scenario with all assignments applied, and with new names for the files that it reads.
use crate::number::short;
use crate::toml_text::{key as quoted, literal_text, string};
use crate::toml_tree::{TomlEntry, TomlNode, TomlTable, TomlValue};
use std::path::{Path, PathBuf};

/// Gives every file that the scenario reads a unique name; returns its path and that name.
pub(super) fn collect_files(root: &mut TomlTable, folder: &Path) -> Vec<(PathBuf, String)> {
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    for TomlEntry { key, node, .. } in &mut root.0 {
        visit(key, node, &mut |key, text| {
            // as for reading laws and tables
            let path = folder.join(&*text);
            let names = key == "file" || text.contains(['/', '\\']) || text.ends_with(".toml");
            if !names || !path.is_file() {
                return;
            }
            let known = files.iter().find(|(there, _)| *there == path).map(|(_, name)| name.clone());
            *text = known.unwrap_or_else(|| {
                let last = path.file_name().unwrap_or_default().to_string_lossy();
                // a name of this form from an earlier run keeps its last part
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

fn visit(key: &str, node: &mut TomlNode, each: &mut impl FnMut(&str, &mut String)) {
    match &mut node.value {
        TomlValue::Text(text) => each(key, text),
        TomlValue::List(list) => list.iter_mut().for_each(|item| visit(key, item, each)),
        TomlValue::Table(table) => table.0.iter_mut().for_each(|entry| visit(&entry.key, &mut entry.node, each)),
        TomlValue::Number(_) | TomlValue::Flag(_) | TomlValue::Other => {}
    }
}

/// The table as a file.
pub(super) fn toml(root: &TomlTable) -> String {
    let is_table = |entry: &&TomlEntry| matches!(entry.node.value, TomlValue::Table(_));
    let mut out: String = root.0.iter().filter(|entry| !tables(&entry.node)).map(line).collect();
    for TomlEntry { key, node, .. } in root.0.iter().filter(|entry| tables(&entry.node)) {
        let head = quoted(key);
        match &node.value {
            // a single component, [run], or one of several, [body.block]
            TomlValue::Table(table) if key == "measure" || !table.0.iter().all(|entry| is_table(&entry)) => {
                out += &section(&format!("[{head}]"), table);
            }
            TomlValue::Table(table) => {
                for TomlEntry { key, node, .. } in &table.0 {
                    let TomlValue::Table(inner) = &node.value else { continue };
                    out += &section(&format!("[{head}.{}]", quoted(key)), inner);
                }
            }
            TomlValue::List(list) => {
                for item in list {
                    let TomlValue::Table(inner) = &item.value else { continue };
                    out += &section(&format!("[[{head}]]"), inner);
                }
            }
            _ => {}
        }
    }
    out
}

/// Whether it is written as a table with a header.
fn tables(node: &TomlNode) -> bool {
    match &node.value {
        TomlValue::Table(_) => true,
        TomlValue::List(list) => !list.is_empty() && list.iter().all(|item| matches!(item.value, TomlValue::Table(_))),
        _ => false,
    }
}

fn section(head: &str, table: &TomlTable) -> String {
    format!("\n{head}\n") + &table.0.iter().map(line).collect::<String>()
}

fn line(entry: &TomlEntry) -> String {
    format!("{} = {}\n", quoted(&entry.key), value(&entry.node))
}

fn value(node: &TomlNode) -> String {
    match &node.value {
        TomlValue::Number(x) => short(*x),
        TomlValue::Text(words) if words.contains('\n') => literal_text(words),
        TomlValue::Text(words) => string(words),
        TomlValue::Flag(flag) => flag.to_string(),
        TomlValue::List(list) => format!("[{}]", list.iter().map(value).collect::<Vec<_>>().join(", ")),
        TomlValue::Table(table) if table.0.is_empty() => "{}".to_owned(),
        TomlValue::Table(table) => {
            let pairs = table.0.iter().map(|entry| format!("{} = {}", quoted(&entry.key), value(&entry.node)));
            format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
        // not a valid value of a scenario
        TomlValue::Other => "nan".to_owned(),
    }
}
