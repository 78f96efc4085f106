//! Converts a continuous servo into a sampled controller, so that methods of compensation can be added.
use super::template::Template;
use crate::Error;
use crate::toml_tree::{SourceLocation, TomlEntry, TomlNode, TomlTable, TomlValue};

/// Sample time of a servo that has none \[s\].
pub const DEFAULT_SAMPLE_TIME: f64 = 1e-3;

impl Template {
    /// The same scenario with its `[control.NAME]` as a `[controller.NAME]`, and that name: the only one, or the given one.
    /// It must act on the body whose position, and possibly velocity, it measures. None if there is a controller already,
    /// or no suitable one. Its friction model is left out, because methods have their own.
    ///
    /// # Errors
    /// [`Error::Conflict`] if it has a key that a sampled servo does not have.
    pub fn with_sampled_servo(&self, name: Option<&str>) -> Result<Option<(Self, String)>, Error> {
        if self.root.get("controller").is_some() {
            return Ok(None);
        }
        let Some(all) = self.root.get("control").map(|node| node.table("control")).transpose()? else {
            return Ok(None);
        };
        let mut servos = Vec::new();
        for line in &all.0 {
            let table = line.node.table(&line.key)?;
            if name.is_none_or(|name| name == line.key)
                && let Some(gains) = servo_gains(table)?
            {
                servos.push((line, table, gains));
            }
        }
        let [(line, table, [kx, kv])] = servos[..] else { return Ok(None) };
        if let Some(node) = table.get("extra") {
            let why = "is not supported in a sampled servo: remove it, or write a [controller.NAME]";
            return Err(node.at.error(Error::Conflict { key: "extra", why }));
        }
        let mut other = self.clone();
        // the identification task refers to the old one
        other.root.0.retain(|entry| entry.key != "control" && entry.key != "identify");
        let kept = all.0.iter().filter(|entry| entry.key != line.key).cloned().collect::<Vec<_>>();
        let at = &line.at;
        if !kept.is_empty() {
            other.root.0.push(entry("control", TomlNode::table_at(TomlTable(kept), at), at));
        }
        let servo = TomlNode::table_at(controller(table, [kx, kv], at), at);
        let node = TomlNode::table_at(TomlTable(vec![entry(&line.key, servo, at)]), at);
        other.root.0.push(entry("controller", node, at));
        Ok(Some((other, line.key.clone())))
    }
}

fn entry(key: &str, node: TomlNode, at: &SourceLocation) -> TomlEntry {
    TomlEntry { key: key.to_owned(), at: at.clone(), node }
}

/// Gains of position and velocity, if the table is a servo.
fn servo_gains(table: &TomlTable) -> Result<Option<[f64; 2]>, Error> {
    let (Some(on), Some(measure), Some(gains)) = (table.get("on"), table.get("measure"), table.get("gains")) else {
        return Ok(None);
    };
    let on = on.text("on")?;
    let seen: Vec<&str> = match &measure.value {
        TomlValue::Text(one) => vec![one],
        _ => measure.list("measure")?.iter().map(|item| item.text("measure")).collect::<Result<_, _>>()?,
    };
    let gains: Vec<f64> = gains.list("gains")?.iter().map(|item| item.number("gains")).collect::<Result<_, _>>()?;
    let [x, v] = ["x", "v"].map(|what| format!("{on}.{what}"));
    Ok(match (&seen[..], &gains[..]) {
        ([a], [kx]) if *a == x => Some([*kx, 0.0]),
        ([a, b], [kx, kv]) if *a == x && *b == v => Some([*kx, *kv]),
        _ => None,
    })
}

/// The table of the controller: the loop as state feedback, and the common keys unchanged.
fn controller(table: &TomlTable, [kx, kv]: [f64; 2], at: &SourceLocation) -> TomlTable {
    let common = |line: &&TomlEntry| ["on", "reference", "period"].contains(&line.key.as_str());
    let mut out: Vec<TomlEntry> = table.0.iter().filter(common).cloned().collect();
    let number = |key: &str, x: f64| entry(key, TomlNode::number_at(x, at), at);
    if table.get("period").is_none() {
        out.push(number("period", DEFAULT_SAMPLE_TIME));
    }
    // an infinite limit is left out
    let finite =
        |line: &&TomlEntry| line.key == "limit" && matches!(line.node.value, TomlValue::Number(x) if x.is_finite());
    out.extend(table.0.iter().filter(finite).cloned());
    if let Some(TomlValue::List(widths)) = table.get("quantum").map(|node| &node.value)
        && let [width] = &widths[..]
    {
        out.push(entry("quantum", width.clone(), at));
    }
    let integral = table.get("ki").cloned().unwrap_or_else(|| TomlNode::number_at(0.0, at));
    let gains = vec![number("kx", kx), number("kv", kv), entry("ki", integral, at)];
    out.push(entry("state-feedback", TomlNode::table_at(TomlTable(gains), at), at));
    TomlTable(out)
}
