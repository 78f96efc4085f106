//! The parameters of an experiment as text, taken from its scenario.
use crate::number::short;
use crate::scenario::{Scenario, embedded, keys};
use crate::toml_tree::{SourceLocation, TomlNode, TomlTable, TomlValue};
use crate::{Error, laws};
use stiction_core::Param;

use stiction_core::registry::LawEntry;

/// Tables of a scenario that are not part of the system.
const NOT_SYSTEM: [&str; 6] = ["title", "about", "run", "measure", "plot", "record"];

/// The components of the embedded scenario `name`, one line each: `table: lugre, fc = 1 N, ...`.
pub(super) fn parameter_lines(name: &str) -> Result<Vec<String>, Error> {
    let Some(entry) = embedded::find(name) else {
        let none: [&str; 0] = [];
        return Scenario::named(name, &none).map(|_| Vec::new());
    };
    let root = TomlTable::parse(entry.text, &SourceLocation::top(entry.text, format!("{name}.toml").as_ref()))?;
    let mut lines = Vec::new();
    for part in root.0.iter().filter(|part| !NOT_SYSTEM.contains(&part.key.as_str())) {
        let TomlValue::Table(components) = &part.node.value else { continue };
        for component in &components.0 {
            if let TomlValue::Table(table) = &component.node.value {
                lines.push(format!("{}: {}", component.key, words(&part.key, table)));
            }
        }
    }
    Ok(lines)
}

fn words(part: &str, table: &TomlTable) -> String {
    let law = table.get("law").and_then(|node| node.text("law").ok()).and_then(laws::find);
    let mut out = Vec::new();
    for entry in &table.0 {
        match (entry.key.as_str(), &entry.node.value) {
            ("law" | "kind", TomlValue::Text(text)) => out.push(text.clone()),
            ("between", TomlValue::List(ends)) => {
                out.push(format!("between {}", ends.iter().map(plain).collect::<Vec<_>>().join(" and ")));
            }
            ("from", TomlValue::Table(known)) => {
                let unit = |name: &str| law.map_or("", |law| input(law, name));
                out.extend(known.0.iter().map(|entry| item(&entry.key, &entry.node, unit(&entry.key))));
            }
            (key, _) => {
                let param = law.and_then(|law| law.params.iter().find(|p| p.name == key)).map(|p| p.unit);
                let own = || keys::find(part).and_then(|c| c.key(key)).map_or("", |key| key.unit);
                out.push(item(key, &entry.node, param.unwrap_or_else(own)));
            }
        }
    }
    out.join(", ")
}

/// The unit of a quantity that a recipe of the law starts from.
fn input(law: &LawEntry, name: &str) -> &'static str {
    let inputs = law.recipes.iter().flat_map(|recipe| recipe.inputs);
    inputs.filter(|p: &&Param| p.name == name).map(|p| p.unit).next().unwrap_or("")
}

fn item(key: &str, node: &TomlNode, unit: &str) -> String {
    // of a unit for straight motion or rotation, the first; none for what has none
    let unit = match unit.split(", ").next().unwrap_or("") {
        "-" => "",
        unit if matches!(node.value, TomlValue::Number(_)) => unit,
        _ => "",
    };
    format!("{key} = {}{}{unit}", plain(node), if unit.is_empty() { "" } else { " " })
}

fn plain(node: &TomlNode) -> String {
    let list = |items: &[TomlNode]| items.iter().map(plain).collect::<Vec<_>>().join(", ");
    match &node.value {
        TomlValue::Number(x) => short(*x),
        TomlValue::Text(text) => text.clone(),
        TomlValue::Flag(flag) => flag.to_string(),
        TomlValue::List(items) => format!("[{}]", list(items)),
        TomlValue::Table(table) => {
            let item = |entry: &crate::toml_tree::TomlEntry| format!("{} {}", entry.key, plain(&entry.node));
            let items: Vec<String> = table.0.iter().map(item).collect();
            // { sine = { ... } } is a sine of ...
            if let [one] = &items[..] { one.clone() } else { format!("({})", items.join(", ")) }
        }
        TomlValue::Other => "?".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::parameter_lines;

    #[test]
    fn a_scenario_in_words() {
        let lines = parameter_lines("a7").expect("a scenario");
        assert_eq!(lines[0], "block: mass = 1 kg");
        assert_eq!(lines[1], "hand: position = ramp slope 2");
        assert_eq!(lines[2], "pull: between hand and block, stiffness = 2 N/m");
        let law = "table: between block and ground, lugre, mu = 0.3, normal = 10 N, lc = 0.003 m, mass = 1 kg, \
                   ls_over_lc = 2, vs = 0.1 m/s, exponent = 1, sigma2 = 0 N·(s/m)^γ";
        assert_eq!(lines[3], law);
        assert!(parameter_lines("no such").is_err());
    }
}
