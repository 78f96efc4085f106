//! Keys, numbers and strings as TOML writes them.
use crate::is_hidden;
use crate::number::short;
use std::fmt::Write;

/// A number with a decimal point or an exponent, which TOML reads as a float.
pub(crate) fn float(x: f64) -> String {
    let mut text = short(x);
    if !text.contains(['.', 'e']) {
        text += ".0";
    }
    text
}

/// A key, in quotes if it contains other characters than letters, digits, `-` and `_`.
pub(crate) fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { string(name) }
}

/// A string on one line.
pub(crate) fn string(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '\n' => out += "\\n",
            '\t' => out += "\\t",
            c => escape(c, &mut out),
        }
    }
    out + "\""
}

/// A string that keeps its line breaks: on several lines if the text has several.
pub(crate) fn multiline_string(text: &str) -> String {
    let lines = text.contains('\n');
    let mut out = String::from(if lines { "\"\"\"\n" } else { "\"" });
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(c),
            c => escape(c, &mut out),
        }
    }
    out += if lines { "\"\"\"" } else { "\"" };
    out
}

/// A text of several lines as it is, without escapes if it can be.
pub(crate) fn literal_text(text: &str) -> String {
    let plain = |c: char| c == '\n' || c == '\t' || !is_hidden(c);
    if text.contains("'''") || text.ends_with('\'') || !text.chars().all(plain) {
        return multiline_string(text);
    }
    format!("'''\n{text}'''")
}

fn escape(c: char, out: &mut String) {
    match c {
        '"' | '\\' => out.extend(['\\', c]),
        c if is_hidden(c) => {
            let _ = write!(out, "\\u{:04X}", u32::from(c));
        }
        c => out.push(c),
    }
}
