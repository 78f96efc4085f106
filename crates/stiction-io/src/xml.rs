//! Writes XML. Every text and every value of an attribute is escaped here, and characters that XML 1.0 forbids are replaced,
//! so that the document is well-formed whatever the texts are.
//!
//! ```
//! use stiction_io::xml::XmlWriter;
//!
//! let mut xml = XmlWriter::default();
//! xml.begin("law").attribute("name", "Stribeck & Coulomb").begin("force").attribute("unit", "N");
//! assert_eq!(xml.finish(), "<law name=\"Stribeck &amp; Coulomb\"><force unit=\"N\"/></law>\n");
//! ```
use std::fmt::{Display, Write};

/// An XML document, written element by element.
#[derive(Default)]
pub struct XmlWriter {
    out: String,
    /// The open elements, from the outermost.
    open: Vec<&'static str>,
    /// Whether the start tag of the innermost open element can still take attributes.
    in_tag: bool,
}

impl XmlWriter {
    /// Begins an element.
    pub fn begin(&mut self, name: &'static str) -> &mut Self {
        self.end_tag();
        self.out.push('<');
        self.out.push_str(name);
        self.open.push(name);
        self.in_tag = true;
        self
    }
    /// Adds an attribute to the element that was begun last and has no content yet.
    pub fn attribute(&mut self, name: &'static str, value: impl Display) -> &mut Self {
        debug_assert!(self.in_tag, "an attribute after the content of its element");
        // writing to a string cannot fail
        let _ = write!(self.out, " {name}=\"");
        let _ = write!(Escaped { out: &mut self.out, attribute: true }, "{value}");
        self.out.push('"');
        self
    }
    /// Adds text to the innermost open element.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.end_tag();
        let _ = Escaped { out: &mut self.out, attribute: false }.write_str(text);
        self
    }
    /// Ends a line between elements.
    pub fn newline(&mut self) -> &mut Self {
        self.end_tag();
        self.out.push('\n');
        self
    }
    /// Ends the innermost open element.
    pub fn end(&mut self) -> &mut Self {
        let name = self.open.pop().unwrap_or_default();
        if self.in_tag {
            self.out.push_str("/>");
            self.in_tag = false;
        } else {
            let _ = write!(self.out, "</{name}>");
        }
        self
    }
    /// Ends all elements and returns the document.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.end();
        }
        self.out.push('\n');
        self.out
    }
    fn end_tag(&mut self) {
        if self.in_tag {
            self.out.push('>');
            self.in_tag = false;
        }
    }
}

/// Escapes what is written to it.
struct Escaped<'a> {
    out: &'a mut String,
    /// Whether it is the value of an attribute.
    attribute: bool,
}

impl Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for character in text.chars() {
            match character {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' if self.attribute => self.out.push_str("&quot;"),
                // a parser would turn the character itself into a blank
                '\t' | '\n' | '\r' if self.attribute => write!(self.out, "&#{};", character as u32)?,
                '\t' | '\n' => self.out.push(character),
                _ if is_forbidden(character) => self.out.push(char::REPLACEMENT_CHARACTER),
                _ => self.out.push(character),
            }
        }
        Ok(())
    }
}

/// Characters outside of the production `Char` of XML 1.0, and the control characters that it discourages.
fn is_forbidden(character: char) -> bool {
    character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::XmlWriter;

    #[test]
    fn text_and_attributes_are_escaped() {
        let mut xml = XmlWriter::default();
        xml.begin("a").attribute("b", "\"<&>\n").begin("c").end().text("x ]]> \u{1b}\u{0}\u{ffff} & y");
        let wanted = "<a b=\"&quot;&lt;&amp;&gt;&#10;\"><c/>x ]]&gt; \u{fffd}\u{fffd}\u{fffd} &amp; y</a>\n";
        assert_eq!(xml.finish(), wanted);
    }
}
