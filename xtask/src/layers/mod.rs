//! Crates and modules use only what is below them: `cargo x layers`, a step of `cargo x check`.
//!
//! `xtask/layers.toml` lists, from the bottom up, every crate with the crates that it may use, and for every crate its
//! top-level modules (a file or a folder in `src`) with the modules of the same crate that they may use. A row names only rows
//! above it, so the table itself has no circle. The rules:
//!
//! 1. A dependency in a `Cargo.toml`, and a path to another of our crates in a crate's sources, must be in the table. What only
//!    the tests of a crate use (`[dev-dependencies]`) is in the section `[dev]`.
//! 2. A use of one top-level module by another must be in the table. Files (not folders) that cannot do without each other
//!    may share a row, `"real + math" = [...]`, named by the first of them.
//! 3. What the table allows must be used: a row that is no longer needed is an error, so that the table stays true.
//! 4. Inside a folder no circle of uses goes through a sub-folder. Files side by side in one folder may use each other.
//!
//! A folder whose circles are known and still to be broken has a row in the section `[open]` of the table, with the reason;
//! the check lists them at its end.
//!
//! A use is a `use` item or a path in the code that leads to another module. Names that a parent module re-exports count as
//! uses of the module that they come from: with `pub use batch::Lane;` in `sim/mod.rs`, `super::Lane` is a use of `batch`.
//! Comments, text and items marked `#[cfg(test)]` do not count. Neither do uses between a module and its own ancestors: a
//! folder's `mod.rs` (and a crate's `lib.rs`) puts its children together, and they share the items that it declares itself.
//! `use super::*` outside of tests is an error, because it would hide what is used.
mod circles;
mod modules;
mod table;
mod uses;

use crate::workspace::{self, CrateSource};
use crate::{Error, read, root};
use std::collections::{BTreeMap, BTreeSet};
use table::Layers;
use uses::{Modules, Use, in_code};

/// Where the table is.
const TABLE: &str = "xtask/layers.toml";

/// Checks the workspace against the table. The result lists the circles that the table says are still to be broken.
pub fn run() -> Result<Vec<String>, Error> {
    let layers = Layers::parse(&read(&root().join(TABLE))?)?;
    let Findings { wrong, open } = check(&layers, &workspace::read_crates()?);
    if wrong.is_empty() { Ok(open) } else { Err(wrong.join("\n")) }
}

/// Prints the sections of the modules as a table that allows what is used today, from the bottom up. Files that use each other
/// in a circle share a row.
pub fn print() -> Result<(), Error> {
    let sources = workspace::read_crates()?;
    let modules = Modules::new(&sources);
    let uses = modules.uses();
    for source in &sources {
        println!("\n[{}]", source.name);
        let pairs: BTreeSet<(String, String)> = between_modules(&uses, &in_code(&source.name)).into_keys().collect();
        let groups = circles::bottom_up(&top_level(&modules, &in_code(&source.name)), &pairs);
        for group in &groups {
            let first = |name: &String| groups.iter().find(|group| group.contains(name)).map(|group| &group[0]);
            let outside = pairs.iter().filter(|(from, to)| group.contains(from) && !group.contains(to));
            let below: BTreeSet<&String> = outside.filter_map(|(_, to)| first(to)).collect();
            let below: Vec<String> = below.iter().map(|name| format!("{name:?}")).collect();
            let name = group.join(" + ");
            let name = if group.len() > 1 { format!("{name:?}") } else { name };
            println!("{name} = [{}]", below.join(", "));
        }
    }
    Ok(())
}

/// What the check found.
#[derive(Debug, Default, PartialEq)]
struct Findings {
    /// What contradicts the table, one message each.
    wrong: Vec<String>,
    /// Circles that the table lists as still to be broken.
    open: Vec<String>,
}

fn check(layers: &Layers, sources: &[CrateSource]) -> Findings {
    let modules = Modules::new(sources);
    let uses = modules.uses();
    let mut found = Findings { wrong: layers.order_errors(), open: Vec::new() };
    found.wrong.extend(check_crates(layers, sources, &uses));
    for source in sources {
        found.wrong.extend(check_modules(layers, &source.name, &modules, &uses));
        found.wrong.extend(hidden_uses(&modules, &in_code(&source.name)));
    }
    let circles = circles::across_folders(&modules, &uses);
    for (folder, reason) in &layers.open {
        if !circles.iter().any(|circle| circle.folder == *folder) {
            found.wrong.push(format!("{TABLE}: {folder} has no circle any more\nhint: remove its row in [open]"));
        }
        let members = circles.iter().filter(|circle| circle.folder == *folder).map(|circle| circle.members.join(", "));
        found.open.extend(members.map(|members| format!("{folder}: a circle of {members}: {reason}")));
    }
    found.wrong.extend(circles.into_iter().filter(|c| !layers.open.contains_key(&c.folder)).map(|c| c.message));
    found
}

fn check_crates(layers: &Layers, sources: &[CrateSource], uses: &[Use]) -> Vec<String> {
    let mut wrong = Vec::new();
    let names: BTreeSet<&str> = sources.iter().map(|source| source.name.as_str()).collect();
    for source in sources {
        let Some(allowed) = layers.crates.get(&source.name) else {
            wrong.push(format!("{TABLE} has no row for the crate {} in [crates]", source.name));
            continue;
        };
        let needed = dependencies(&source.manifest, &names);
        let dev = layers.dev.get(&source.name).map_or(&[][..], Vec::as_slice);
        for Dependency { name, line, .. } in
            needed.iter().filter(|needed| !(allowed.contains(&needed.name) || needed.dev && dev.contains(&needed.name)))
        {
            wrong.push(format!(
                "{}/Cargo.toml:{line}: {} must not depend on {name}\nhint: move what is needed to a crate below both; \
                     a new downward dependency goes into {TABLE}",
                source.folder, source.name
            ));
        }
        for (names, is_dev) in [(allowed.as_slice(), false), (dev, true)] {
            let depends = |name: &&String| needed.iter().any(|needed| needed.name == **name && needed.dev == is_dev);
            for name in names.iter().filter(|name| !depends(name)) {
                wrong.push(format!(
                    "{TABLE}: {}{} may use {name}, but does not depend on it\nhint: remove {name} from its row",
                    if is_dev { "the tests of " } else { "" },
                    source.name
                ));
            }
        }
        for found in uses.iter().filter(|u| u.from.crate_name == in_code(&source.name)) {
            let to = &found.to.crate_name;
            if *to != found.from.crate_name && !allowed.iter().any(|name| in_code(name) == *to) {
                wrong.push(format!("{}:{}: {} must not use {to}", found.file, found.line, source.name));
            }
        }
    }
    for name in layers.crates.keys().chain(layers.dev.keys()).filter(|name| !names.contains(name.as_str())) {
        wrong.push(format!("{TABLE}: there is no crate {name}"));
    }
    wrong
}

/// One of our crates that a manifest depends on.
struct Dependency {
    name: String,
    /// Whether only the tests need it.
    dev: bool,
    /// Line of the manifest.
    line: usize,
}

/// The crates among `names` that a manifest depends on.
fn dependencies(manifest: &str, names: &BTreeSet<&str>) -> Vec<Dependency> {
    let mut out: Vec<Dependency> = Vec::new();
    let mut section = "";
    for (k, line) in manifest.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('[') {
            section = line;
            // [dependencies.NAME]
            let name = section.trim_matches(['[', ']']).rsplit_once("dependencies.").map(|(_, name)| name);
            let dependency = |name: &str| Dependency { name: name.to_owned(), dev: is_dev(section), line: k + 1 };
            out.extend(name.filter(|name| names.contains(name)).map(dependency));
        } else if section.trim_end_matches(']').ends_with("dependencies") {
            let name = line.split(['.', '=', ' ']).next().unwrap_or_default();
            if names.contains(name) {
                out.push(Dependency { name: name.to_owned(), dev: is_dev(section), line: k + 1 });
            }
        }
    }
    out
}

fn is_dev(section: &str) -> bool {
    section.contains("dev-dependencies")
}

/// The top-level modules of a crate.
fn top_level(modules: &Modules, crate_name: &str) -> Vec<String> {
    let all = modules.of(crate_name).into_iter().flatten();
    all.filter(|(path, module)| path.len() == 1 && module.in_file == **path).map(|(path, _)| path[0].clone()).collect()
}

/// Uses between different top-level modules of a crate: the first line of each.
fn between_modules<'a>(uses: &'a [Use], crate_name: &str) -> BTreeMap<(String, String), &'a Use> {
    let mut out = BTreeMap::new();
    for found in uses.iter().filter(|u| u.from.crate_name == crate_name && u.to.crate_name == crate_name) {
        if let (Some(from), Some(to)) = (found.from.path.first(), found.to.path.first())
            && from != to
        {
            out.entry((from.clone(), to.clone())).or_insert(found);
        }
    }
    out
}

fn check_modules(layers: &Layers, name: &str, modules: &Modules, uses: &[Use]) -> Vec<String> {
    let Some(rows) = layers.modules.get(name) else {
        return vec![format!("{TABLE} has no section [{name}] for the modules of that crate")];
    };
    let mut wrong = Vec::new();
    let present = top_level(modules, &in_code(name));
    for module in present.iter().filter(|module| !rows.row_of.contains_key(*module)) {
        wrong.push(format!("{TABLE} has no row for the module {module} in [{name}]"));
    }
    for (module, row) in &rows.row_of {
        if !present.contains(module) {
            wrong.push(format!("{TABLE}: {name} has no module {module}\nhint: remove it"));
        }
        let is_group = rows.row_of.values().filter(|other| *other == row).count() > 1;
        let all = modules.of(&in_code(name));
        if is_group && all.and_then(|all| all.get(&vec![module.clone()])).is_some_and(|module| module.has_folder) {
            wrong.push(format!("{TABLE}: {module} of {name} is a folder, which cannot be in a group"));
        }
    }
    let mut used = BTreeSet::new();
    for ((from, to), first) in between_modules(uses, &in_code(name)) {
        let (Some(from_row), Some(to_row)) = (rows.row_of.get(&from), rows.row_of.get(&to)) else { continue };
        if from_row != to_row && !rows.allowed.get(from_row).is_some_and(|allowed| allowed.contains(to_row)) {
            wrong.push(format!(
                "{}:{}: the module {from} of {name} must not use {to}\nhint: move what both need to a module below them; a \
                 new downward use goes into {TABLE}",
                first.file, first.line
            ));
        }
        used.insert((from_row, to_row));
    }
    for (from, allowed) in &rows.allowed {
        for to in allowed.iter().filter(|to| !used.contains(&(from, *to))) {
            wrong.push(format!("{TABLE}: {from} of {name} may use {to}, but does not\nhint: remove {to} from its row"));
        }
    }
    wrong
}

/// `use super::*` and its like.
fn hidden_uses(modules: &Modules, crate_name: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for module in modules.of(crate_name).into_iter().flat_map(BTreeMap::values) {
        for import in module.imports.iter().filter(|import| import.all) {
            if import.path.iter().all(|part| part == "super" || part == "crate") {
                wrong.push(format!(
                    "{}:{}: `use {}::*` hides what is used\nhint: name the items",
                    module.file,
                    import.line,
                    import.path.join("::")
                ));
            }
        }
    }
    wrong
}

#[cfg(test)]
mod tests;
