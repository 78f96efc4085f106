//! `docs/five-commands.md`: every command runs, every file it names is there, every claim in its tables holds.
mod common;
use common::{Folder, command};
use serde_json::Value;
use std::fs;

const PAGE: &str = include_str!("../../../docs/five-commands.md");

/// The commands of the page, in their order.
fn commands() -> Vec<Vec<&'static str>> {
    let blocks = PAGE.split("```console\n").skip(1).filter_map(|rest| rest.split_once("```"));
    let lines = blocks.flat_map(|(block, _)| block.lines()).filter_map(|line| line.strip_prefix("$ stiction "));
    lines.map(|line| line.split_whitespace().collect()).collect()
}

/// Files that the page names: in backquotes, with a folder and an ending.
fn files() -> Vec<&'static str> {
    let quoted = PAGE.split('`').skip(1).step_by(2);
    quoted.filter(|word| word.contains('/') && word.contains('.') && !word.contains(char::is_whitespace)).collect()
}

/// Rows of the table with this head: a name and a number.
fn rows(head: &str) -> Vec<(&'static str, f64)> {
    let table = PAGE.split_once(head).unwrap_or_else(|| panic!("no table {head}")).1;
    let lines = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let row = |line: &'static str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        (cells[0], cells[1].parse().unwrap())
    };
    lines.map(row).collect()
}

#[test]
fn the_page_is_true() {
    let folder = Folder::new("five-commands");
    let all = commands();
    assert_eq!(all.len(), 5, "the page promises five");
    for args in &all {
        let out = command(args).current_dir(&folder.0).output().unwrap();
        let err = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(0), "{args:?}: {err}");
    }
    assert!(files().len() >= 7, "{:?}", files());
    for file in files() {
        assert!(folder.0.join(file).is_file(), "{file} is not there");
    }
    let found: Value = serde_json::from_str(&fs::read_to_string(folder.0.join("found/summary.json")).unwrap()).unwrap();
    for (name, truth) in rows("| parameter | truth |") {
        let value = found["findings"][0]["estimates"][name]["value"].as_f64().unwrap();
        // the page promises 0.5 %
        assert!((value / truth - 1.0).abs() < 5e-3, "{name} = {truth} was found to be {value}");
    }
    let summary: Value =
        serde_json::from_str(&fs::read_to_string(folder.0.join("quiet/summary.json")).unwrap()).unwrap();
    let methods = summary["methods"].as_array().unwrap();
    let of = |name: &str| methods.iter().find(|m| m["method"] == name).unwrap();
    let alone = of("none")["rms"].as_f64().unwrap();
    for (name, least) in rows("| method | error smaller by at least |") {
        let rms = of(name)["rms"].as_f64().unwrap();
        assert!(alone > least * rms, "{name}: {alone} to {rms} is {}", alone / rms);
    }
    // "still a tenth" on the page is a rounded value
    let off = of("feedforward")["worst"]["rms"].as_f64().unwrap();
    assert!(off < 0.12 * alone, "{off} and {alone}");
    assert!(
        of("adaptive-scale")["worst"]["rms"].as_f64().unwrap() < 1.1 * of("adaptive-scale")["rms"].as_f64().unwrap()
    );
}
