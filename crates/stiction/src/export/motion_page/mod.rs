//! A run as a page with a moving picture of its bodies: blocks slide on rails, discs turn, springs and dampers join them. It is one file of
//! HTML that needs no network and no server. The lab shows the same picture.
use super::law::wasm::quoted;
use crate::html_page::{self, ThemeColours};
use crate::number::{round, short};
use crate::plot::Figure;
use crate::sim::Column;
use crate::system::System;
use maud::{DOCTYPE, PreEscaped, html};

/// Makes elements of a page.
pub const ELEMENTS_SCRIPT: &str = include_str!("dom.js");
/// Draws the moving picture.
pub const FILM_SCRIPT: &str = include_str!("film.js");
/// The style of the moving picture.
pub const STYLE: &str = include_str!("film.css");
/// The style of the row of controls below it.
const ROW_STYLE: &str = include_str!("row.css");
const PAGE_STYLE: &str = include_str!("page.css");
const PAGE_SCRIPT: &str = include_str!("page.js");
/// Most bodies that are shown.
pub const MAX_BODIES: usize = 8;
/// Most instants of the picture: many times the frames of a screen in its twelve seconds.
const MAX_INSTANTS: usize = 3000;
/// Significant digits of a place: far finer than a pixel.
const DIGITS: usize = 6;

/// What moves: the columns of positions and angles, the first [`MAX_BODIES`] of them.
pub fn places(columns: &[Column]) -> Vec<usize> {
    let moves = |column: &Column| {
        let quantity = column.name.rsplit('.').next().unwrap_or_default();
        ["x", "angle", "q"].contains(&quantity) && ["m", "rad"].contains(&column.unit)
    };
    let nodes = (0..columns.len()).filter(|&k| moves(&columns[k]));
    nodes.take(MAX_BODIES).collect()
}

/// What joins two bodies: kind and names, as a list in JSON.
fn links(system: &System) -> String {
    let springs = system.springs.iter().map(|spring| {
        let part = &spring.component;
        let kind = if part.stiffness == 0.0 && part.curve.is_none() { "damper" } else { "spring" };
        let [a, b] = spring.ends.map(|node| quoted(&system.nodes[node.0].name));
        format!(r#"{{"kind":"{kind}","between":[{a},{b}]}}"#)
    });
    list(springs)
}

/// A list in JSON.
fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

/// A run as a page: its title, time and the columns at [`places`], and its pictures.
pub struct MotionPage<'a> {
    /// Title of the run.
    pub title: &'a str,
    /// The system that ran.
    pub system: &'a System,
    /// The column of time \[s\].
    pub times: &'a [f64],
    /// Name, unit and values of what moves.
    pub places: Vec<(&'a Column, Vec<f64>)>,
    /// Pictures below the moving one.
    pub figures: &'a [Figure],
}

impl MotionPage<'_> {
    /// The page.
    pub fn html(&self) -> String {
        let mut colours = ThemeColours::default();
        let figures: Vec<_> = self.figures.iter().map(|figure| colours.svg(figure, &figure.title)).collect();
        let style =
            html_page::style(&format!("{}{STYLE}{ROW_STYLE}{PAGE_STYLE}{}", super::live_page::STYLE, colours.css()));
        let script = script();
        // the less-than sign, which could end the element, is written as an escape
        let data = self.data().replace('<', "\\u003c");
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                (html_page::head(&format!("stiction: {}", self.title), &style, Some(&script)))
                body {
                    header { h1 { (self.title) } }
                    main {
                        figure id="motion" { noscript { p { "The picture moves with JavaScript." } } }
                        @for figure in figures { figure { (figure) } }
                    }
                    footer { p class="soft" { "Made by " code { "stiction " (env!("CARGO_PKG_VERSION")) } "." } }
                    script type="application/json" { (PreEscaped(data)) }
                    script { (PreEscaped(script.as_str())) }
                }
            }
        };
        page.into_string()
    }
    /// What the script needs, as JSON.
    pub fn data(&self) -> String {
        let every = self.times.len().div_ceil(MAX_INSTANTS).max(1);
        // the end is part of the picture
        let last = self.times.len().saturating_sub(1);
        let kept = || (0..last).step_by(every).chain([last]);
        let number = |x: &f64| if x.is_finite() { short(round(*x, DIGITS)) } else { "null".to_owned() };
        let thin = |values: &[f64]| list(kept().filter_map(|k| values.get(k)).map(number));
        let columns = list(std::iter::once(thin(self.times)).chain(self.places.iter().map(|(_, values)| thin(values))));
        let place = |column: &Column| format!(r#"{{"name":{},"unit":{}}}"#, quoted(&column.name), quoted(column.unit));
        let places = list(self.places.iter().map(|(column, _)| place(column)));
        format!(r#"{{"columns":{columns},"places":{places},"links":{}}}"#, links(self.system))
    }
}

/// The module that shows the picture in a cell of a notebook, as anywidget takes it: `_data` has what moves.
pub fn cell_script() -> String {
    functions() + html_page::CELL_SCRIPT + include_str!("cell.js")
}

/// What the cell shows before the script runs.
pub const CELL_MARKUP: &str = "<figure></figure>";

/// The style of the picture in a cell of a notebook.
pub fn cell_style() -> String {
    html_page::cell_style(&format!("{}{STYLE}{ROW_STYLE}", super::live_page::STYLE))
}

/// The scripts as one: what they import from each other is in it, so that it is no module and runs from a file.
fn script() -> String {
    functions() + PAGE_SCRIPT
}

fn functions() -> String {
    let plain = |text: &str| -> String {
        let lines = text.lines().filter(|line| !line.starts_with("import "));
        lines.map(|line| format!("{}\n", line.strip_prefix("export ").unwrap_or(line))).collect()
    };
    [super::live_page::PLOT_SCRIPT, ELEMENTS_SCRIPT, FILM_SCRIPT].map(plain).concat()
}

#[cfg(test)]
mod tests {
    use super::{MotionPage, places, script};
    use crate::scenario::Scenario;

    #[test]
    fn the_page_has_what_moves_and_nothing_from_outside() {
        let scenario = Scenario::named("a7", &[""; 0]).unwrap();
        let simulation = scenario.simulation().unwrap();
        let columns = simulation.columns();
        let chosen = places(columns);
        assert!(chosen.iter().any(|&k| columns[k].name == "block.x"), "{chosen:?}");
        let times: Vec<f64> = (0..10_000).map(|k| 1e-3 * f64::from(k)).collect();
        let shown = chosen.iter().map(|&k| (&columns[k], times.clone())).collect();
        let title = "</script><script>alert(1)";
        let page = MotionPage { title, system: &scenario.system, times: &times, places: shown, figures: &[] };
        let data = page.data();
        let first = data.split_once("[[").and_then(|(_, rest)| rest.split_once(']')).unwrap().0;
        let count = first.split(',').count();
        assert!((1000..=3002).contains(&count), "{count}");
        assert!(first.ends_with(",9.999"), "the end is shown");
        assert!(data.contains(r#"{"kind":"spring","between":["#), "{}", &data[data.len() - 200..]);
        let html = page.html();
        assert!(html.contains("Content-Security-Policy") && !html.contains("://"));
        // two scripts, the data and the program
        assert_eq!(html.matches("<script").count(), 2, "{}", &html[..600]);
        let script = script();
        assert!(!script.contains("import ") && !script.contains("export "));
    }
}
