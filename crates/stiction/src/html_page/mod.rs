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
