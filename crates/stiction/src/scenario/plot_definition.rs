//! Pictures of a run.
use super::builder::Builder;
use super::keys::{Component, ValueKind, optional_with_default, required};
use crate::Error;
use crate::sim::Column;
use crate::toml_tree::TomlValue;

/// Largest number of lines in a panel of the usual picture.
const MAX_LINES: usize = 6;

pub(super) static PLOT: Component = Component {
    name: "plot",
    form: "[[plot]]",
    doc: "A picture: one panel, or several above each other with the same horizontal axis.",
    keys: &[
        optional_with_default("name", ValueKind::Text, "", "plot-1, ...", "Name of its file."),
        optional_with_default("title", ValueKind::Text, "", "that of the scenario", "Title above the panels."),
        optional_with_default("x", ValueKind::Text, "", "t", "Column of the horizontal axis."),
        required("y", ValueKind::Other, "", "A list of columns; or a list of such lists, one for each panel."),
    ],
    law: false,
};

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotDefinition {
    /// Name of its file, without ending.
    pub name: String,
    /// Title above the panels.
    pub title: String,
    /// Column of the horizontal axis.
    pub x: String,
    /// Panels, from above.
    pub panels: Vec<PanelColumns>,
}

impl PlotDefinition {
    /// Positions, velocities, forces and commands of controllers over time, a panel for each quantity and unit.
    pub fn usual(columns: &[Column]) -> Self {
        let mut panels: Vec<Vec<String>> = Vec::new();
        for quantity in ["x", "v", "force", "u"] {
            let end = format!(".{quantity}");
            let of = || columns.iter().skip(1).filter(|column| column.name.ends_with(&end));
            let mut units: Vec<&str> = Vec::new();
            for column in of() {
                if !units.contains(&column.unit) {
                    units.push(column.unit);
                }
            }
            let names = |unit| of().filter(move |column| column.unit == unit).map(|column| column.name.clone());
            panels.extend(units.into_iter().map(|unit| names(unit).take(MAX_LINES).collect()));
        }
        Self { name: "plot".to_owned(), title: String::new(), x: "t".to_owned(), panels }
    }
}

/// Columns in one panel.
pub type PanelColumns = Vec<String>;

/// Reads the pictures.
pub(super) fn plots(build: &mut Builder<'_>) -> Result<Vec<PlotDefinition>, Error> {
    let mut plots: Vec<PlotDefinition> = Vec::new();
    for (i, s) in build.list(&PLOT)?.into_iter().enumerate() {
        let text = |key: &str| s.text(key).map(|text| text.map(str::to_owned));
        let x = match s.get("x") {
            Some(node) => build.column(node.text("x")?, &node.at),
            None => "t".to_owned(),
        };
        let node = s.required("y")?;
        let list = node.list("y")?;
        let nested = list.iter().any(|item| matches!(item.value, TomlValue::List(_)));
        let groups =
            if nested { list.iter().map(|item| item.list("y")).collect::<Result<_, _>>()? } else { vec![list] };
        let mut panels = Vec::new();
        for group in groups {
            let panel = group.iter().map(|item| Ok(build.column(item.text("y")?, &item.at)));
            panels.push(panel.collect::<Result<PanelColumns, Error>>()?);
        }
        if panels.iter().any(Vec::is_empty) {
            return Err(node.wrong("y", "list of columns"));
        }
        let name = text("name")?.unwrap_or_else(|| format!("plot-{}", i + 1));
        let fits = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(fits) || plots.iter().any(|plot| plot.name == name) {
            let at = s.get("name").map_or(s.head, |node| &node.at);
            return Err(
                at.error(Error::Conflict { key: "name", why: "must be of letters, digits, - and _, and its own" })
            );
        }
        plots.push(PlotDefinition { name, title: text("title")?.unwrap_or_default(), x, panels });
    }
    Ok(plots)
}
