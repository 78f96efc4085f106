//! Sources of the laws: the entries of `docs/references.bib`, with the fields that are printed.
use serde::Serialize;

const BIB: &str = include_str!("../../../docs/references.bib");

/// LaTeX in the file, and the text that replaces it.
const LATEX_REPLACEMENTS: &[(&str, &str)] = &[
    ("\\AA", "Å"),
    ("\\\"o", "ö"),
    ("\\\"u", "ü"),
    ("\\\"e", "ë"),
    ("\\'e", "é"),
    ("\\`a", "à"),
    ("--", "–"),
    ("{", ""),
    ("}", ""),
];

/// One source; fields that the file does not give are left out.
#[derive(Serialize)]
pub struct Source {
    /// The key in `cite`.
    pub key: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// Journal, proceedings, publisher or institution.
    #[serde(skip_serializing_if = "Option::is_none")]
    journal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    year: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    doi: Option<String>,
}

impl Source {
    /// The source with this key.
    pub fn new(key: &'static str) -> Self {
        let is = |entry: &&str| entry.split_once('{').is_some_and(|(_, rest)| rest.starts_with(&format!("{key},")));
        let entry = BIB.split("\n@").find(is).unwrap_or("");
        let get = |name: &str| field(entry, name);
        let places = ["journal", "booktitle", "institution", "publisher", "organization"];
        let year = get("year").and_then(|year| year.parse().ok());
        let (author, title, journal, doi) = (get("author"), get("title"), places.into_iter().find_map(get), get("doi"));
        Self { key, author, title, journal, year, doi }
    }
    /// All keys, in the order of the file.
    pub fn keys() -> impl Iterator<Item = &'static str> {
        BIB.split("\n@").skip(1).filter_map(|entry| Some(entry.split_once('{')?.1.split_once(',')?.0))
    }
    /// Its anchor on the page of sources.
    pub fn anchor(&self) -> String {
        self.key.to_lowercase()
    }
    /// For the book: also with a link.
    pub fn markdown(&self) -> String {
        let link = self.doi.as_ref().map(|doi| format!(". [doi:{doi}](https://doi.org/{doi})"));
        self.text() + &link.unwrap_or_default()
    }
    /// For a reader: `Author: Title. Journal, year`.
    pub fn text(&self) -> String {
        let author = self.author.as_ref().map(|names| names.replace(" and ", "; ") + ": ");
        let title = self.title.as_ref().map(|title| format!("{title}. "));
        let year = self.year.map(|year| year.to_string());
        let place: Vec<String> = self.journal.clone().into_iter().chain(year).collect();
        author.unwrap_or_default() + &title.unwrap_or_default() + &place.join(", ")
    }
}

/// The text between the braces after `name =`.
fn field(entry: &str, name: &str) -> Option<String> {
    let start = entry.find(&format!("\n  {name} "))?;
    let (_, value) = entry[start..].split_once('{')?;
    let mut depth = 1;
    let end = value.find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    })?;
    let text = value[..end].split_whitespace().collect::<Vec<_>>().join(" ");
    Some(LATEX_REPLACEMENTS.iter().fold(text, |text, (from, to)| text.replace(from, to)))
}

#[cfg(test)]
mod tests {
    use super::Source;
    use stiction::core::{models::ALL, registry::WRAPPERS};

    #[test]
    fn reads_names_and_lines() {
        let text = Source::new("Astrom2008").text();
        assert_eq!(
            text,
            "Åström, Karl Johan; Canudas de Wit, Carlos: Revisiting the LuGre Friction Model. \
             IEEE Control Systems Magazine, 2008"
        );
        assert_eq!(Source::new("Astrom2008").doi.as_deref(), Some("10.1109/MCS.2008.929425"));
        assert!(Source::new("Reynolds1886").text().contains("Including an Experimental Determination"));
        assert_eq!(Source::new("Nobody1900").text(), "");
    }

    #[test]
    fn every_source_of_a_law_is_known() {
        for key in ALL.iter().chain(WRAPPERS).flat_map(|entry| entry.cite) {
            let text = Source::new(key).text();
            assert!(text.len() > 20 && !text.contains(['{', '}', '\\']), "{key}: {text}");
        }
    }
}
