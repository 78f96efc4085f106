//! What pages of HTML have in common: colours and type, the policy that lets nothing but their own script run, and pictures that follow the
//! light or dark theme of the reader's screen.
//!
//! ```
//! use stiction::html_page;
//!
//! let head = html_page::head("Friction", &html_page::style("main { margin: 0; }"), None).into_string();
//! assert!(head.contains("--ink") && head.contains("default-src 'none'"));
//! ```
mod theme_colours;

pub use theme_colours::ThemeColours;

use base64::prelude::{BASE64_STANDARD, Engine};
use maud::{Markup, PreEscaped, html};

/// Colours and type, and what all pages write alike.
pub const COMMON_STYLE: &str = include_str!("page.css");

/// The style sheet of a page: the common one, then its own.
pub fn style(own: &str) -> String {
    format!("{COMMON_STYLE}{own}")
}

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
    use super::cell_style;

    /// Rules for the page itself would not meet anything within a part.
    #[test]
    fn the_style_of_a_cell_has_no_rule_for_the_page() {
        let style = cell_style("");
        assert!(!style.contains(":root") && !style.contains("body {"), "{style}");
        assert_eq!(style.matches(":host([data-theme=\"dark\"]) {").count(), 1);
    }
}
