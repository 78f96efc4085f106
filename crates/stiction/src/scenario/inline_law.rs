//! A law that stands in the scenario itself: a formula of the velocity with its constants, or rows of velocity and force.
//!
//! Either becomes the text of a law file, and so a law like any other: with exact derivatives, true rest and `reverse` parameters.
use super::component_table::ComponentTable;
use super::keys::{Key, ValueKind, optional};
use crate::error::LawFileError;
use crate::toml_text::literal_text;
use crate::toml_tree::TomlNode;
use crate::{Error, LawFile, Spec};
use std::path::Path;
use stiction_io::expression::{Node, parse};

pub(super) const FORCE: Key = optional(
    "force",
    ValueKind::Text,
    "N, N·m",
    "Instead of a law: the friction force as a formula of v, as in \"c0*sign(v) + c2*v*abs(v)\". Its constants stand beside it, c0 = 10.",
);
pub(super) const TABLE: Key = optional(
    "table",
    ValueKind::Other,
    "m/s and N, rad/s and N·m",
    "Instead of a law: rows of velocity and friction force, as in [[0, 12], [0.1, 8], [2, 9]]; a row at rest is what it holds.",
);

/// The law of a formula; a name in it that every law does not know is a parameter, whose value stands beside it.
pub(super) fn formula(s: &ComponentTable<'_>, node: &TomlNode) -> Result<Spec, Error> {
    let text = node.text(FORCE.name)?;
    let place = |position: usize, error: LawFileError| node.at.within_text(position).error(error);
    let parts = parse(text).map_err(|error| place(error.position, LawFileError::Syntax(error.kind)))?;
    let (mut names, mut has_load) = (Vec::new(), false);
    for part in &parts {
        let Node::Name(name) = &part.node else { continue };
        match name.as_str() {
            "v" | "pi" => {}
            "load" => has_load = true,
            name if names.contains(&name) => {}
            name if s.component.key(name).is_some() || s.table.get(name).is_none() => {
                let (key, example) = (format!("a value of '{name}'"), format!("{name} = 1.0 beside the formula"));
                return Err(place(part.position, LawFileError::Missing { key, example }));
            }
            name => names.push(name),
        }
    }
    let force = if has_load { text.to_owned() } else { format!("load*({text})") };
    // with the values themselves as defaults every value would make a law of its own
    let one = |_: &str| Ok(1.0);
    let own = |name: &str| s.table.get(name).map_or(Ok(1.0), |node| node.number(name));
    let law = |values: &dyn Fn(&str) -> Result<f64, Error>| {
        let mut out = format!("name = \"{}\"\nunits = \"unchecked\"\n\n[params]\n", law_name(s));
        for name in &names {
            out += &format!("{name} = {{ unit = \"-\", default = {:?} }}\n", values(name)?);
        }
        out += &format!("\n[equations]\nforce = {}\nhold = \"jump\"\n", literal_text(&force));
        parse_law(&out, node)
    };
    // but a formula may not be defined where all its constants are one
    law(&one).or_else(|_| law(&own))
}

/// The law of a table.
pub(super) fn table(s: &ComponentTable<'_>, node: &TomlNode) -> Result<Spec, Error> {
    let mut rows = Vec::new();
    for row in node.list(TABLE.name)? {
        let numbers =
            row.list(TABLE.name)?.iter().map(|x| x.number(TABLE.name)).collect::<Result<Vec<f64>, Error>>()?;
        if numbers.len() != 2 {
            return Err(row.wrong(TABLE.name, "row of velocity and force"));
        }
        rows.push(format!("{numbers:?}"));
    }
    parse_law(&format!("name = \"{}\"\n\n[table]\nrows = [{}]\n", law_name(s), rows.join(", ")), node)
}

/// The name of the law of a component: that of the component, with what the name of a law may contain.
fn law_name(s: &ComponentTable<'_>) -> String {
    let sound = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
    let name = s.name().to_ascii_lowercase();
    let own = name.chars().map(|c| if sound(c) { c } else { '_' });
    format!("law-of-{}", own.take(50).collect::<String>())
}

fn parse_law(text: &str, node: &TomlNode) -> Result<Spec, Error> {
    let law = LawFile::parse(text, Path::new("law")).map_err(|error| node.at.error(error.into_unplaced()))?;
    Ok(law.spec())
}
