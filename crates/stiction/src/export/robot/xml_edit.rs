//! Changes of an XML file that leave every other byte as it is.
use crate::error::RobotError;
use roxmltree::{Document, Node, ParsingOptions};
use std::ops::Range;

/// Parses a file.
pub(super) fn parse(text: &str) -> Result<Document<'_>, RobotError> {
    // the text of an entity would be changed in all the places where it is used
    let options = ParsingOptions { allow_dtd: !text.contains("<!ENTITY"), ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        let at = error.pos();
        RobotError::Xml { message: error.to_string(), line: at.row, column: at.col }
    })
}

/// Whether a file names others by paths that are relative to its own.
pub(super) fn names_files(text: &str) -> bool {
    let relative = |path: &str| !path.trim().is_empty() && !path.trim().starts_with('/') && !path.contains("://");
    let names = ["file", "filename", "meshdir", "texturedir", "assetdir"];
    parse(text).is_ok_and(|document| {
        document.descendants().any(|node| {
            let of_element = node.has_tag_name("uri").then(|| node.text().unwrap_or_default());
            names.iter().filter_map(|name| node.attribute(*name)).chain(of_element).any(relative)
        })
    })
}

/// A value between quotation marks.
pub(in crate::export) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Attributes as they stand in a tag, each with a space before it.
pub(super) fn attributes(list: &[(&str, String)]) -> String {
    list.iter().map(|(name, value)| format!(" {name}=\"{}\"", escaped(value))).collect()
}

/// Changes to be made, in any order.
pub(super) struct Edits<'a> {
    text: &'a str,
    changes: Vec<(Range<usize>, String)>,
}

impl<'a> Edits<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, changes: Vec::new() }
    }
    /// Replaces a part of the text.
    pub fn replace(&mut self, range: Range<usize>, text: String) {
        self.changes.push((range, text));
    }
    /// Sets attributes of an element: those that are there keep their place, new ones follow the last one.
    pub fn set(&mut self, node: Node<'_, '_>, list: &[(&str, String)]) {
        let mut added = String::new();
        for (name, value) in list {
            match node.attribute_node(*name) {
                Some(attribute) => {
                    // a value may stand between single quotation marks
                    let range = attribute.range_value();
                    let quote = if self.text[..range.start].ends_with('\'') { '\'' } else { '"' };
                    let value = escaped(value);
                    self.replace(range, if quote == '\'' { value.replace('\'', "&apos;") } else { value });
                }
                None => added += &attributes(&[(*name, value.clone())]),
            }
        }
        if !added.is_empty() {
            let at = self.attributes_end(node);
            self.replace(at..at, added);
        }
    }
    /// Replaces the text within an element.
    pub fn set_text(&mut self, node: Node<'_, '_>, text: &str) {
        let (open, is_empty) = self.start_tag_end(node);
        if is_empty {
            self.expand(node, text);
        } else {
            self.replace(open..self.close_tag(node), escaped(text));
        }
    }
    /// Adds an element, given as lines, at the end of another one.
    pub fn append(&mut self, node: Node<'_, '_>, lines: &[String]) {
        let (open, is_empty) = self.start_tag_end(node);
        let (own, end) = (self.indent(node.range().start), self.line_end());
        let child = node.first_element_child().map(|child| self.indent(child.range().start));
        let inside = child.filter(|inside| inside.len() > own.len()).unwrap_or_else(|| format!("{own}  "));
        let block: String = lines.iter().map(|line| format!("{inside}{line}{end}")).collect();
        if is_empty {
            return self.expand(node, &format!("{end}{block}{own}"));
        }
        let close = self.close_tag(node);
        match self.text[..close]
            .rfind('\n')
            .filter(|line| self.text[line + 1..close].trim().is_empty() && *line >= open)
        {
            Some(line) => self.replace(line + 1..line + 1, block),
            None => self.replace(close..close, format!("{end}{block}{own}")),
        }
    }
    /// Adds an element, given as lines, before all others of another one.
    pub fn prepend(&mut self, node: Node<'_, '_>, lines: &[String]) {
        let (open, is_empty) = self.start_tag_end(node);
        if is_empty {
            return self.append(node, lines);
        }
        let (own, end) = (self.indent(node.range().start), self.line_end());
        let child = node.first_element_child().map(|child| self.indent(child.range().start));
        let inside = child.filter(|inside| inside.len() > own.len()).unwrap_or_else(|| format!("{own}  "));
        self.replace(open..open, lines.iter().map(|line| format!("{end}{inside}{line}")).collect());
    }
    /// The text with all changes.
    pub fn apply(mut self) -> String {
        self.changes.sort_by_key(|(range, _)| range.start);
        let (mut out, mut done) = (String::with_capacity(self.text.len()), 0);
        for (range, text) in self.changes {
            out += &self.text[done..range.start];
            out += &text;
            done = range.end;
        }
        out + &self.text[done..]
    }

    /// Where an element without content ends is where its content goes.
    fn expand(&mut self, node: Node<'_, '_>, inside: &str) {
        let (open, _) = self.start_tag_end(node);
        let name = self.tag(node).to_owned();
        self.replace(open - 2..open, format!(">{inside}</{name}>"));
    }
    /// The name of an element as it is written, with its prefix.
    fn tag(&self, node: Node<'_, '_>) -> &'a str {
        let inside = &self.text[node.range().start + 1..];
        let end = inside.find(|c: char| c.is_whitespace() || matches!(c, '/' | '>')).unwrap_or(inside.len());
        &inside[..end]
    }
    /// The end of the last attribute, or of the name.
    fn attributes_end(&self, node: Node<'_, '_>) -> usize {
        let name = node.range().start + 1 + self.tag(node).len();
        // declarations of namespaces are not among the attributes: they may stand behind them
        node.attributes().map(|attribute| attribute.range().end).fold(name, usize::max)
    }
    /// The end of the first tag of an element, and whether that is all of it.
    fn start_tag_end(&self, node: Node<'_, '_>) -> (usize, bool) {
        let (mut quote, from) = (None, node.range().start);
        for (i, c) in self.text[from..].char_indices() {
            match (quote, c) {
                (None, '>') => return (from + i + 1, self.text[..from + i].ends_with('/')),
                (None, '"' | '\'') => quote = Some(c),
                (Some(open), c) if open == c => quote = None,
                _ => {}
            }
        }
        (node.range().end, true)
    }
    /// The beginning of the last tag of an element.
    fn close_tag(&self, node: Node<'_, '_>) -> usize {
        let range = node.range();
        self.text[range.clone()].rfind("</").map_or(range.end, |i| range.start + i)
    }
    /// The blanks before an element on its line.
    fn indent(&self, at: usize) -> String {
        let line = self.text[..at].rfind('\n').map_or(0, |i| i + 1);
        self.text[line..at].chars().take_while(|c| c.is_whitespace()).collect()
    }
    /// How lines end in this file.
    fn line_end(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(text: &str, change: impl Fn(&mut Edits<'_>, Node<'_, '_>)) -> String {
        let document = parse(text).unwrap();
        let node = document.descendants().find(|node| node.has_tag_name("j")).unwrap();
        let mut edits = Edits::new(text);
        change(&mut edits, node);
        let out = edits.apply();
        parse(&out).unwrap();
        out
    }

    #[test]
    fn attributes_change_in_place_or_follow_the_last_one() {
        let set = |text: &str| edited(text, |edits, node| edits.set(node, &[("a", "2".into()), ("b", "<\"".into())]));
        assert_eq!(set("<r><j a='1'  c=\"x>y\" /></r>"), "<r><j a='2'  c=\"x>y\" b=\"&lt;&quot;\" /></r>");
        assert_eq!(set("<r><j>t</j></r>"), "<r><j a=\"2\" b=\"&lt;&quot;\">t</j></r>");
        assert_eq!(set("<r><j\n  b=\"\"\n/></r>"), "<r><j\n  b=\"&lt;&quot;\" a=\"2\"\n/></r>");
    }

    #[test]
    fn elements_are_added_with_the_indent_of_their_neighbours() {
        let add = |text: &str| edited(text, |edits, node| edits.append(node, &["<n/>".to_owned()]));
        assert_eq!(add("<r>\n\t<j>\n\t\t<k/>\n\t</j>\n</r>"), "<r>\n\t<j>\n\t\t<k/>\n\t\t<n/>\n\t</j>\n</r>");
        assert_eq!(add("<r>\r\n <j a=\"/>\"/>\r\n</r>"), "<r>\r\n <j a=\"/>\">\r\n   <n/>\r\n </j>\r\n</r>");
        assert_eq!(add("<r><j><k/></j></r>"), "<r><j><k/>\n  <n/>\n</j></r>");
        let first = |text: &str| edited(text, |edits, node| edits.prepend(node, &["<n/>".to_owned()]));
        assert_eq!(first("<j>\n  <k/>\n</j>"), "<j>\n  <n/>\n  <k/>\n</j>");
    }

    #[test]
    fn the_text_of_an_element_is_replaced() {
        let set = |text: &str| edited(text, |edits, node| edits.set_text(node, "7"));
        assert_eq!(set("<r><j/> </r>"), "<r><j>7</j> </r>");
        assert_eq!(set("<r><j> 1 </j></r>"), "<r><j>7</j></r>");
    }
}
