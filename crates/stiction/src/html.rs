//! Text in a page of HTML.

/// Plain text, with the letters that HTML takes for its own written out.
pub fn text(plain: &str) -> String {
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
