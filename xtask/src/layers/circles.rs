//! Circles of uses inside a folder that go through a sub-folder.
use super::modules::{ModulePath, child};
use super::uses::{Modules, Use};
use std::collections::{BTreeMap, BTreeSet};

/// The uses between the files and sub-folders of one folder.
type Neighbours<'a> = BTreeMap<(String, String), &'a Use>;

/// A circle of uses between files and sub-folders of a folder.
pub struct Circle {
    /// The folder, as `stiction_sim::sim`.
    pub folder: String,
    pub members: Vec<String>,
    pub message: String,
}

/// Every circle across folders, in all folders below the top level of each crate (the table orders the top level).
pub fn across_folders(modules: &Modules, uses: &[Use]) -> Vec<Circle> {
    let mut folders: BTreeMap<(String, ModulePath), Neighbours<'_>> = BTreeMap::new();
    for found in uses.iter().filter(|found| found.from.crate_name == found.to.crate_name) {
        let (from, to) = (&found.from.path, &found.to.path);
        let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        // below the top level, and neither is an ancestor of the other
        if common > 0
            && let (Some(a), Some(b)) = (from.get(common), to.get(common))
        {
            let folder = folders.entry((found.from.crate_name.clone(), from[..common].to_vec())).or_default();
            folder.entry((a.clone(), b.clone())).or_insert(found);
        }
    }
    let mut wrong = Vec::new();
    for ((crate_name, folder), uses) in &folders {
        let all = modules.of(crate_name);
        let is_folder = |name: &str| all.and_then(|all| all.get(&child(folder, name))).is_some_and(|m| m.has_folder);
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let names: BTreeSet<&String> = uses.keys().map(|(from, _)| from).collect();
        for name in names.into_iter().filter(|name| is_folder(name)) {
            if seen.contains(name) {
                continue;
            }
            if let Some(circle) = shortest_circle(name, uses) {
                seen.extend(circle.iter().cloned());
                let folder = format!("{crate_name}::{}", folder.join("::"));
                let message = message(&folder, &circle, uses);
                wrong.push(Circle { folder, members: circle, message });
            }
        }
    }
    wrong
}

/// The shortest way from a unit back to itself.
fn shortest_circle(start: &str, uses: &Neighbours<'_>) -> Option<Vec<String>> {
    let mut ways = vec![vec![start.to_owned()]];
    let mut reached = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            for (_, to) in uses.keys().filter(|(from, _)| Some(from) == way.last()) {
                if to == start {
                    return Some(way);
                }
                if reached.insert(to.clone()) {
                    longer.push(way.iter().chain([to]).cloned().collect());
                }
            }
        }
        ways = longer;
    }
    None
}

fn message(folder: &str, circle: &[String], uses: &Neighbours<'_>) -> String {
    let mut out = format!("{folder}: the modules {} use each other in a circle", circle.join(", "));
    for (k, from) in circle.iter().enumerate() {
        let to = &circle[(k + 1) % circle.len()];
        if let Some(found) = uses.get(&(from.clone(), to.clone())) {
            out += &format!("\n  {}:{}: {from} uses {to}", found.file, found.line);
        }
    }
    out + "\nhint: move what they share to a module of its own"
}

/// Modules in an order in which each uses only those before it; those that use each other in a circle together.
pub fn bottom_up(modules: &[String], uses: &BTreeSet<(String, String)>) -> Vec<Vec<String>> {
    let reached = |from: &String| {
        let mut out = BTreeSet::new();
        let mut left = vec![from];
        while let Some(at) = left.pop() {
            left.extend(uses.iter().filter(|(user, to)| user == at && out.insert(to)).map(|(_, to)| to));
        }
        out
    };
    let reach: BTreeMap<&String, BTreeSet<&String>> = modules.iter().map(|module| (module, reached(module))).collect();
    let mut groups: Vec<Vec<String>> = Vec::new();
    for module in modules {
        if groups.iter().any(|group| group.contains(module)) {
            continue;
        }
        let with = |other: &&String| reach[module].contains(*other) && reach[*other].contains(module);
        let others = modules.iter().filter(|other| *other != module).filter(with);
        groups.push([module].into_iter().chain(others).cloned().collect());
    }
    // who reaches fewer modules is below who reaches more
    groups.sort_by_key(|group| reach[&group[0]].iter().filter(|name| !group.contains(name)).count());
    groups
}
