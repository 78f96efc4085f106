//! Circles of uses inside a folder that go through a sub-folder.
use super::modules::{ModulePath, child};
use super::uses::{Modules, Use};
use std::collections::{BTreeMap, BTreeSet};

/// The uses between the files and sub-folders of one folder.
type Neighbours<'a> = BTreeMap<(String, String), &'a Use>;

/// Every circle across folders, in all folders below the top level of each crate (the table orders the top level).
pub fn across_folders(modules: &Modules, uses: &[Use]) -> Vec<String> {
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
                wrong.push(message(crate_name, folder, &circle, uses));
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

fn message(crate_name: &str, folder: &[String], circle: &[String], uses: &Neighbours<'_>) -> String {
    let mut out =
        format!("{crate_name}::{}: the modules {} use each other in a circle", folder.join("::"), circle.join(", "));
    for (k, from) in circle.iter().enumerate() {
        let to = &circle[(k + 1) % circle.len()];
        if let Some(found) = uses.get(&(from.clone(), to.clone())) {
            out += &format!("\n  {}:{}: {from} uses {to}", found.file, found.line);
        }
    }
    out + "\nhint: move what they share to a module of its own"
}
