//! Pictures of a run.
use super::builder::Builder;
use super::component_table::ComponentTable;
use super::keys::{Component, ValueKind, number, optional, optional_with_default, required};
use crate::Error;
use crate::sim::Column;
use crate::system::{Signal, System};
use crate::toml_tree::{TomlNode, TomlValue};

/// Largest number of lines in a panel of the usual picture.
const MAX_LINES: usize = 6;
/// The narrowest and the widest picture, and its lowest and highest, in units of the SVG.
const SIZES: [f64; 2] = [240.0, 20_000.0];
/// The smallest and the largest text.
const FONT_SIZES: [f64; 2] = [4.0, 100.0];

pub(super) static PLOT: Component = Component {
    name: "plot",
    form: "[[plot]]",
    doc: "A picture: one panel, or several above each other with the same horizontal axis.",
    keys: &[
        optional_with_default("name", ValueKind::Text, "", "plot-1, ...", "Name of its file."),
        optional_with_default("title", ValueKind::Text, "", "that of the scenario", "Title above the panels."),
        optional_with_default("x", ValueKind::Text, "", "t", "Column of the horizontal axis, or a formula; see below."),
        required(
            "y",
            ValueKind::Other,
            "",
            "A list of columns or formulas; or a list of such lists, one for each panel.",
        ),
        number("from", "s", f64::NEG_INFINITY, "Time from which it shows the run."),
        number("to", "s", f64::INFINITY, "Time up to which it shows the run."),
        optional(
            "x_limits",
            ValueKind::Numbers,
            "",
            "Ends of the horizontal axis, in its SI unit or the one in brackets.",
        ),
        optional(
            "y_limits",
            ValueKind::Other,
            "",
            "Ends of the vertical axis; or a list of such pairs, one for each panel, where [] leaves one free.",
        ),
        optional_with_default("x_log", ValueKind::Flag, "", "false", "Whether the horizontal axis is logarithmic."),
        optional_with_default("y_log", ValueKind::Flag, "", "false", "Whether the vertical axes are logarithmic."),
        number("width", "", 720.0, "Width; in the PNG file two pixels each. 720 fits a page, 420 a column of two."),
        optional_with_default("height", ValueKind::Number, "", "as needed", "Height."),
        number("font_size", "", 14.0, "Size of its text. Lines grow with it, the picture does not."),
        optional_with_default("decimal_comma", ValueKind::Flag, "", "false", "Whether numbers have a decimal comma."),
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
    /// Times between which it shows the run \[s\].
    pub window: [f64; 2],
    /// Its axes and size.
    pub style: PlotStyle,
}

/// The axes and the size of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotStyle {
    /// Ends of the horizontal axis; one that is not finite is free.
    pub x_limits: [f64; 2],
    /// Ends of the vertical axis of each panel, as far as given.
    pub y_limits: Vec<[f64; 2]>,
    /// Whether the horizontal axis is logarithmic.
    pub x_log: bool,
    /// Whether the vertical axes are logarithmic.
    pub y_log: bool,
    /// Width in units of the SVG.
    pub width: f64,
    /// Height, if given.
    pub height: Option<f64>,
    /// Size of text.
    pub font_size: f64,
    /// Whether numbers have a decimal comma.
    pub decimal_comma: bool,
}

/// Limits that leave an axis free.
const FREE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

impl Default for PlotStyle {
    fn default() -> Self {
        let (width, font_size) = (720.0, 14.0);
        let (y_limits, height) = (Vec::new(), None);
        Self { x_limits: FREE, y_limits, x_log: false, y_log: false, width, height, font_size, decimal_comma: false }
    }
}

/// Groups of quantities that the usual picture shows, from above; the members of a group share a panel if their units are the same.
const USUAL: [&[&str]; 10] = [
    &["x", "reference"],
    &["y"],
    &["angle"],
    &["error"],
    &["v", "speed"],
    &["omega"],
    &["force"],
    &["u"],
    &["stretch"],
    &["temperature"],
];

impl PlotDefinition {
    /// What most want to see over time, a panel for each quantity and unit: places with the references of servos, what is left of these,
    /// speeds, forces, commands of controllers, the stretch of springs with play, and temperatures.
    pub fn usual(columns: &[Column], system: &System) -> Self {
        let has_play = |name: &str| {
            let spring = system.springs.iter().find(|spring| name.strip_suffix(".stretch") == Some(&spring.name));
            spring.is_some_and(|spring| spring.component.gap.is_some())
        };
        // a reference at zero, and the distance from it, tell nothing that the place does not
        let follows = |name: &str| {
            let slot = name.rsplit_once('.').and_then(|(name, _)| system.controllers.iter().find(|c| c.name == name));
            let reference = slot.and_then(|slot| slot.controller.reference());
            reference.is_some_and(|signal| *signal != Signal::Constant(0.0))
        };
        let shown = |column: &&Column| match column.name.rsplit('.').next() {
            Some("stretch") => has_play(&column.name),
            Some("reference" | "error") => follows(&column.name),
            _ => true,
        };
        let mut panels: Vec<Vec<String>> = Vec::new();
        for group in USUAL {
            let of = || {
                let all = group.iter().flat_map(|quantity| {
                    columns.iter().skip(1).filter(move |column| column.name.rsplit('.').next() == Some(*quantity))
                });
                all.filter(shown)
            };
            let mut units: Vec<&str> = Vec::new();
            for column in of() {
                if !units.contains(&column.unit) {
                    units.push(column.unit);
                }
            }
            let names = |unit| of().filter(move |column| column.unit == unit).map(|column| column.name.clone());
            panels.extend(units.into_iter().map(|unit| names(unit).take(MAX_LINES).collect()));
        }
        let (name, title, x) = ("plot".to_owned(), String::new(), "t".to_owned());
        Self { name, title, x, panels, window: FREE, style: PlotStyle::default() }
    }
}

/// Columns and formulas in one panel.
pub type PanelColumns = Vec<String>;

/// Reads the pictures.
pub(super) fn plots(build: &mut Builder<'_>) -> Result<Vec<PlotDefinition>, Error> {
    let mut plots: Vec<PlotDefinition> = Vec::new();
    for (i, s) in build.list(&PLOT)?.into_iter().enumerate() {
        let text = |key: &str| s.text(key).map(|text| text.map(str::to_owned));
        let x = match s.get("x") {
            Some(node) => build.quantity(node.text("x")?, &node.at),
            None => "t".to_owned(),
        };
        let node = s.required("y")?;
        let list = node.list("y")?;
        let nested = list.iter().any(|item| matches!(item.value, TomlValue::List(_)));
        let groups =
            if nested { list.iter().map(|item| item.list("y")).collect::<Result<_, _>>()? } else { vec![list] };
        let mut panels = Vec::new();
        for group in groups {
            let panel = group.iter().map(|item| Ok(build.quantity(item.text("y")?, &item.at)));
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
        let window = [s.number("from")?, s.number("to")?];
        s.check("to", window[1], window[0] < window[1], "later than from")?;
        let style = style(&s, panels.len())?;
        plots.push(PlotDefinition { name, title: text("title")?.unwrap_or_default(), x, panels, window, style });
    }
    Ok(plots)
}

/// The axes and the size of a picture with so many panels.
fn style(s: &ComponentTable<'_>, panels: usize) -> Result<PlotStyle, Error> {
    let within = |key: &'static str, [least, most]: [f64; 2], x: f64, must: &'static str| {
        s.check(key, x, (least..=most).contains(&x), must).map(|()| x)
    };
    let height = s.optional_number("height")?;
    let y_limits = match s.get("y_limits") {
        None => Vec::new(),
        Some(node) => {
            let list = node.list("y_limits")?;
            if list.iter().any(|item| matches!(item.value, TomlValue::List(_))) {
                if list.len() != panels {
                    return Err(node.wrong("y_limits", "pair of numbers, or a list of one for each panel"));
                }
                list.iter().map(|item| limits(item, "y_limits")).collect::<Result<_, _>>()?
            } else {
                vec![limits(node, "y_limits")?; panels]
            }
        }
    };
    Ok(PlotStyle {
        x_limits: s.get("x_limits").map_or(Ok(FREE), |node| limits(node, "x_limits"))?,
        y_limits,
        x_log: s.flag("x_log")?,
        y_log: s.flag("y_log")?,
        width: within("width", SIZES, s.number("width")?, "from 240 to 20000")?,
        height: height.map(|x| within("height", SIZES, x, "from 240 to 20000")).transpose()?,
        font_size: within("font_size", FONT_SIZES, s.number("font_size")?, "from 4 to 100")?,
        decimal_comma: s.flag("decimal_comma")?,
    })
}

/// The ends of an axis: two numbers, the lower first, or none.
fn limits(node: &TomlNode, key: &'static str) -> Result<[f64; 2], Error> {
    let numbers = node.list(key)?.iter().map(|item| item.number(key)).collect::<Result<Vec<f64>, _>>()?;
    match numbers[..] {
        [] => Ok(FREE),
        [low, high] if low < high => Ok([low, high]),
        _ => Err(node.wrong(key, "pair of numbers, the lower first")),
    }
}
