//! Elements of XML with attributes, put together before they are written.
use std::fmt::Display;
use stiction_io::xml::XmlWriter;

/// An element.
#[derive(Clone, Debug)]
pub(super) struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    inside: Vec<Element>,
}

impl Element {
    pub fn new(name: &'static str) -> Self {
        Self { name, attributes: Vec::new(), inside: Vec::new() }
    }
    pub fn set(mut self, name: &'static str, value: impl Display) -> Self {
        self.attributes.push((name, value.to_string()));
        self
    }
    /// Sets an attribute if there is a value.
    pub fn maybe(self, name: &'static str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.set(name, value),
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
    fn write(&self, xml: &mut XmlWriter, depth: usize) {
        let indent = "  ".repeat(depth);
        xml.text(&indent).begin(self.name);
        self.attributes.iter().for_each(|(name, value)| _ = xml.attribute(name, value));
        if !self.inside.is_empty() {
            xml.newline();
            self.inside.iter().for_each(|element| element.write(xml, depth + 1));
            xml.text(&indent);
        }
        xml.end().newline();
    }
    /// The whole document.
    pub fn document(&self) -> String {
        let mut xml = XmlWriter::default();
        self.write(&mut xml, 0);
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", xml.finish().trim_end())
    }
}
