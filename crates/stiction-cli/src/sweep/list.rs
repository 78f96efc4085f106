//! What can be varied in a scenario, and what can be measured.
use crate::error::CommandError;
use crate::stream;
use serde_json::{Value, json};
use stiction::number::short;
use stiction::scenario::Template;
use stiction::sweep::available_measures;
use stiction_report::text::table;

/// Prints both lists.
pub fn show(name: &str, template: &Template, json: bool) -> Result<(), CommandError> {
    let numbers = template.numbers();
    let measures = available_measures(&template.build()?)?;
    if json {
        let vary: Vec<Value> =
            numbers.iter().map(|(path, x, unit)| json!({ "path": path, "value": x, "unit": unit })).collect();
        let measure: Vec<Value> = measures.iter().map(|(name, unit)| json!({ "name": name, "unit": unit })).collect();
        return stream::json(&json!({ "vary": vary, "measure": measure }));
    }
    let unit = |unit: &str| if unit.is_empty() { String::new() } else { format!("[{unit}]") };
    let mut out = format!("{name}: what --vary can take; the end of a path is enough if it is unique\n");
    let rows: Vec<_> = numbers.iter().map(|(path, x, u)| [path.clone(), short(*x), unit(u)]).collect();
    out += &table(&rows, &[1]);
    out += "\nWhat --measure can take, also in expressions\n";
    // all statistics of a column on one line
    let columns: Vec<&str> = measures.iter().filter_map(|(name, _)| name.strip_suffix(".max")).collect();
    let of_column = |name: &str| columns.iter().find(|column| name.starts_with(&format!("{column}.")));
    let single = measures.iter().filter(|(name, _)| {
        of_column(name.strip_prefix("cycle.").filter(|rest| rest.contains('.')).unwrap_or(name)).is_none()
    });
    let mut rows: Vec<_> = single.map(|(name, u)| [name.clone(), unit(u)]).collect();
    let most = measures.iter().filter_map(|(name, u)| Some((name.strip_suffix(".max")?, u)));
    rows.extend(most.map(|(column, u)| [format!("{column}.STAT"), unit(u)]));
    out += &table(&rows, &[]);
    out += "\nSTAT is max, min, range, amplitude, mean, rms or final; also cycle.COLUMN.amplitude\n";
    stream::text(&out)
}
