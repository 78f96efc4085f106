//! What pages of HTML have in common: colours and type, the policy that lets nothing but their own script run, and pictures that follow the
//! light or dark theme of the reader's screen.
//!
//! ```
//! use stiction::html_page;
//!
//! let head = html_page::head("Friction", &html_page::style("main { margin: 0; }"), None).into_string();
//! assert!(head.contains("--ink") && head.contains("default-src 'none'"));
//! ```
mod formulas;
mod theme_colours;

pub use formulas::{formula, typeset};
pub use theme_colours::ThemeColours;

use base64::prelude::{BASE64_STANDARD, Engine};
use maud::{Markup, PreEscaped, html};

/// Colours and type, and what all pages write alike.
pub const COMMON_STYLE: &str = include_str!("page.css");

/// The style sheet of a page: the common one, then its own.
pub fn style(own: &str) -> String {
    format!("{COMMON_STYLE}{FORMULA_STYLE}{own}")
}

/// What formulas need: where the cells of their tables stand.
const FORMULA_STYLE: &str = include_str!("formulas.css");

/// Puts a part of a page in a cell of a notebook.
pub const CELL_SCRIPT: &str = include_str!("cell.js");

/// The style sheet of a part of a page that has a tree of its own, as in a cell of a notebook: the part takes the place of the page.
pub fn cell_style(own: &str) -> String {
    let page = COMMON_STYLE.replace(":root[data-theme=\"light\"]", ":host([data-theme=\"light\"])");
    let page = page.replace(":root[data-theme=\"dark\"]", ":host([data-theme=\"dark\"])");
    let page =
        page.replace(":root[data-theme]", ":host([data-theme])").replace(":root", ":host").replace("body {", ":host {");
    // the size of type is that of the notebook
    format!("{page}:host {{ display: block; padding: 0.5rem; font-size: 14px; }}\n{own}")
}

/// The head of a page that loads nothing: its policy allows this style and this script alone, by their digests, the WebAssembly that the
/// script brings along, and pictures that are within the page.
pub fn head(title: &str, style: &str, script: Option<&str>) -> Markup {
    let script = script.map(|text| format!("; script-src 'sha256-{}' 'wasm-unsafe-eval'", hash(text)));
    let policy =
        format!("default-src 'none'; img-src data:; style-src 'sha256-{}'{}", hash(style), script.unwrap_or_default());
    html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(policy);
            meta name="viewport" content="width=device-width, initial-scale=1";
            title { (title) }
            style { (PreEscaped(style)) }
        }
    }
}

/// The digest of a script or style, as a policy names it.
fn hash(text: &str) -> String {
    // reading from memory does not fail
    let hex = crate::digest::sha256(text.as_bytes()).unwrap_or_default();
    let byte = |k: usize| u8::from_str_radix(&hex[2 * k..2 * k + 2], 16).unwrap_or_default();
    BASE64_STANDARD.encode((0..hex.len() / 2).map(byte).collect::<Vec<u8>>())
}

#[cfg(test)]
mod tests {
    use super::{COMMON_STYLE, cell_style};

    /// A colour of the style sheet on a light page and on a dark one: red, green and blue.
    fn colour(name: &str) -> [[f64; 3]; 2] {
        let (_, rest) = COMMON_STYLE.split_once(&format!("--{name}: light-dark(#")).unwrap();
        let (pair, _) = rest.split_once(')').unwrap();
        let (light, dark) = pair.split_once(", #").unwrap();
        [light, dark].map(|hex| {
            let digits: Vec<f64> = hex.chars().map(|c| f64::from(c.to_digit(16).unwrap())).collect();
            let short = digits.len() == 3;
            [0, 1, 2].map(|k| if short { 17.0 * digits[k] } else { 16.0 * digits[2 * k] + digits[2 * k + 1] })
        })
    }

    /// Ratio of the luminances of two colours as the guidelines for accessible web content define it (WCAG 2.2).
    fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
        let linear = |c: f64| if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
        let luminance = |c: [f64; 3]| {
            let [r, g, b] = c.map(|part| linear(part / 255.0));
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Level AA of the guidelines: 4.5 for text, 3 for lines of plots and the borders of fields.
    #[test]
    fn colours_can_be_told_from_what_is_behind_them() {
        // the definition's own example: black on white
        assert!((contrast([0.0; 3], [255.0; 3]) - 21.0).abs() < 1e-12);
        let text = ["ink", "soft", "link", "good", "doubt", "bad"].map(|name| (name, 4.5));
        for (name, least) in text.into_iter().chain(["a", "b", "c", "d"].map(|name| (name, 3.0))) {
            for behind in ["paper", "back"] {
                for (a, b) in colour(name).into_iter().zip(colour(behind)) {
                    assert!(contrast(a, b) >= least, "{name} on {behind}: {:.2}", contrast(a, b));
                }
            }
        }
    }

    /// Rules for the page itself would not meet anything within a part.
    #[test]
    fn the_style_of_a_cell_has_no_rule_for_the_page() {
        let style = cell_style("");
        assert!(!style.contains(":root") && !style.contains("body {"), "{style}");
        assert_eq!(style.matches(":host([data-theme=\"dark\"]) {").count(), 1);
    }
}
