//! Which module uses which: paths and imports followed to the module they name.
use super::modules::{Import, Module, ModulePath, child, modules};
use crate::workspace::CrateSource;
use std::collections::BTreeMap;

/// All modules of all crates.
pub struct Modules {
    /// By the name of the crate in code (`stiction_core`), then by path.
    crates: BTreeMap<String, BTreeMap<ModulePath, Module>>,
}

/// A module that names something in another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Use {
    pub from: Location,
    pub to: Location,
    /// The file and line, for messages.
    pub file: String,
    pub line: usize,
}

/// A module of a crate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// The crate's name in code.
    pub crate_name: String,
    pub path: ModulePath,
}

/// Re-exports of re-exports are followed this far; more would be a circle of imports.
const LONGEST_CHAIN: usize = 16;

impl Modules {
    pub fn new(sources: &[CrateSource]) -> Self {
        Self { crates: sources.iter().map(|source| (in_code(&source.name), modules(source))).collect() }
    }

    /// Modules of one crate, by path.
    pub fn of(&self, crate_name: &str) -> Option<&BTreeMap<ModulePath, Module>> {
        self.crates.get(crate_name)
    }

    /// Every use of one module by another, except those within a module and its descendants.
    pub fn uses(&self) -> Vec<Use> {
        let mut out = Vec::new();
        for (crate_name, modules) in &self.crates {
            for (path, module) in modules {
                let here = Location { crate_name: crate_name.clone(), path: path.clone() };
                let imports = module.imports.iter().map(|import| (&import.path, import.line));
                let paths = module.paths.iter().map(|(path, line)| (path, *line));
                for (named, line) in imports.chain(paths) {
                    let Some(to) = self.first_outside(&here, named) else { continue };
                    let from = Location { crate_name: crate_name.clone(), path: module.in_file.clone() };
                    out.push(Use { from, to, file: module.file.clone(), line });
                }
            }
        }
        out.sort();
        out.dedup();
        out
    }

    fn module(&self, at: &Location) -> Option<&Module> {
        self.crates.get(&at.crate_name)?.get(&at.path)
    }

    /// The first module on a path that is neither the module it is written in nor an ancestor of that. Names that an
    /// ancestor re-exports are followed to where they come from.
    fn first_outside(&self, here: &Location, path: &[String]) -> Option<Location> {
        let (mut at, mut rest) = self.begin(here, path, 0)?;
        for _ in 0..=path.len() + LONGEST_CHAIN {
            if at.crate_name != here.crate_name || !here.path.starts_with(&at.path) {
                return Some(self.file_module(at));
            }
            let (name, after) = rest.split_first()?;
            let (next, more) = self.step(&at, name, 0)?;
            rest = more.into_iter().chain(after.iter().cloned()).collect();
            at = next;
        }
        None
    }

    /// The module whose file the module is in.
    fn file_module(&self, at: Location) -> Location {
        let path = self.module(&at).map_or(at.path, |module| module.in_file.clone());
        Location { path, ..at }
    }

    /// Where a path begins, and what remains of it.
    fn begin(&self, here: &Location, path: &[String], depth: usize) -> Option<(Location, Vec<String>)> {
        let (first, rest) = path.split_first()?;
        let found = match first.as_str() {
            "crate" => Location { crate_name: here.crate_name.clone(), path: Vec::new() },
            "self" => here.clone(),
            "super" => {
                let parent = here.path.split_last()?.1.to_vec();
                let above = Location { crate_name: here.crate_name.clone(), path: parent };
                return if rest.first().is_some_and(|next| next == "super") {
                    self.begin(&above, rest, depth)
                } else {
                    Some((above, rest.to_vec()))
                };
            }
            name => match self.step(here, name, depth) {
                Some((at, mut more)) => {
                    more.extend_from_slice(rest);
                    return Some((at, more));
                }
                None if self.crates.contains_key(name) => Location { crate_name: name.to_owned(), path: Vec::new() },
                None => return None,
            },
        };
        Some((found, rest.to_vec()))
    }

    /// One name further, from a module: a module in it, or what an import of it stands for. None if it is an item of the
    /// module itself, or comes from a crate that is not ours.
    fn step(&self, at: &Location, name: &str, depth: usize) -> Option<(Location, Vec<String>)> {
        if depth > LONGEST_CHAIN {
            return None;
        }
        let below = Location { crate_name: at.crate_name.clone(), path: child(&at.path, name) };
        let module = self.module(at)?;
        if self.module(&below).is_some() {
            return Some((below, Vec::new()));
        }
        let named = |import: &&Import| import.name.as_deref() == Some(name);
        if let Some(import) = module.imports.iter().find(named) {
            // `use stiction_core;` names itself
            let own = import.path.first().is_some_and(|first| first == name);
            if own && !self.crates.contains_key(name) {
                return None;
            }
            if own {
                let rest = import.path[1..].to_vec();
                return Some((Location { crate_name: name.to_owned(), path: Vec::new() }, rest));
            }
            return self.begin(at, &import.path, depth + 1);
        }
        if module.items.contains(name) {
            return None;
        }
        let all = module.imports.iter().filter(|import| import.all);
        all.filter_map(|import| self.end(at, &import.path, depth + 1)).find_map(|there| {
            let declares = self.module(&there).is_some_and(|module| module.items.contains(name));
            if declares { Some((there, Vec::new())) } else { self.step(&there, name, depth + 1) }
        })
    }

    /// The module that a whole path names.
    fn end(&self, here: &Location, path: &[String], depth: usize) -> Option<Location> {
        let (mut at, mut rest) = self.begin(here, path, depth)?;
        for _ in 0..=path.len() + LONGEST_CHAIN {
            let Some((name, after)) = rest.split_first() else { return Some(at) };
            let (next, more) = self.step(&at, name, depth + 1)?;
            rest = more.into_iter().chain(after.iter().cloned()).collect();
            at = next;
        }
        None
    }
}

/// `stiction-core` is `stiction_core` in code.
pub fn in_code(name: &str) -> String {
    name.replace('-', "_")
}
