//! XML text: elements with attributes.
use std::fmt;

/// An element.
#[derive(Clone, Debug)]
pub(super) struct Element {
    name: &'static str,
    attributes: Vec<(String, String)>,
    inside: Vec<Element>,
}

impl Element {
    pub fn new(name: &'static str) -> Self {
        Self { name, attributes: Vec::new(), inside: Vec::new() }
    }
    pub fn set(mut self, name: &str, value: &str) -> Self {
        self.attributes.push((name.to_owned(), value.to_owned()));
        self
    }
    /// Sets an attribute if there is a value.
    pub fn maybe(self, name: &str, value: Option<impl fmt::Display>) -> Self {
        match value {
            Some(value) => self.set(name, &value.to_string()),
            None => self,
        }
    }
    pub fn with(mut self, inside: Self) -> Self {
        self.inside.push(inside);
        self
    }
    pub fn with_all(mut self, inside: impl IntoIterator<Item = Self>) -> Self {
        self.inside.extend(inside);
        self
    }
    fn write(&self, out: &mut String, indent: usize) {
        let space = "  ".repeat(indent);
        *out += &format!("{space}<{}", self.name);
        self.attributes.iter().for_each(|(name, value)| *out += &format!(" {name}=\"{}\"", escaped(value)));
        if self.inside.is_empty() {
            *out += "/>\n";
            return;
        }
        *out += ">\n";
        self.inside.iter().for_each(|element| element.write(out, indent + 1));
        *out += &format!("{space}</{}>\n", self.name);
    }
    /// The whole document.
    pub fn document(&self) -> String {
        let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
        self.write(&mut out, 0);
        out
    }
}

/// A value between quotation marks. Characters that XML does not have become spaces.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
