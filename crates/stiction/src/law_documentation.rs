//! The documentation of a law: summary, equations and remarks.
//!
//! ```
//! use stiction::{core::models, law_documentation::LawDocumentation};
//!
//! let page = LawDocumentation::parse(models::find("lugre").unwrap().doc);
//! assert!(page.summary.starts_with("LuGre"));
//! assert!(page.equations.iter().any(|line| line.contains("dz/dt")));
//! ```

/// Summary, equations and remarks of a law's doc comment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LawDocumentation {
    /// Summary on one line.
    pub summary: String,
    /// The equations in plain text, line by line.
    pub equations: Vec<String>,
    /// Remarks, one paragraph each.
    pub remarks: Vec<String>,
}

impl LawDocumentation {
    /// Splits a doc comment into its first paragraph, the fenced block, and the rest.
    pub fn parse(text: &str) -> Self {
        let (mut paragraphs, mut equations, mut fenced) = (vec![String::new()], Vec::new(), false);
        for line in text.lines() {
            let line = line.strip_prefix(' ').unwrap_or(line).trim_end();
            if line.starts_with("```") {
                fenced = !fenced;
                paragraphs.push(String::new());
            } else if fenced {
                equations.push(line.to_owned());
            } else if line.is_empty() {
                paragraphs.push(String::new());
            } else if let Some(paragraph) = paragraphs.last_mut() {
                if !paragraph.is_empty() {
                    paragraph.push(' ');
                }
                paragraph.push_str(line);
            }
        }
        let mut paragraphs = paragraphs.into_iter().filter(|p| !p.is_empty());
        Self { summary: paragraphs.next().unwrap_or_default(), equations, remarks: paragraphs.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::LawDocumentation;
    use stiction_core::models::ALL;

    #[test]
    fn takes_apart() {
        let doc = LawDocumentation::parse(" A: b\n c.\n\n ```text\n F = 1\n   + 2\n ```\n Note\n one.\n\n Two.\n");
        assert_eq!(doc.summary, "A: b c.");
        assert_eq!(doc.equations, ["F = 1", "  + 2"]);
        assert_eq!(doc.remarks, ["Note one.", "Two."]);
    }

    #[test]
    fn every_law_has_a_summary_and_equations() {
        for law in ALL {
            let doc = LawDocumentation::parse(law.doc);
            assert!(!doc.summary.is_empty() && !doc.equations.is_empty(), "{}", law.name);
            assert!(doc.equations.iter().chain(&doc.remarks).all(|line| !line.contains("```")), "{}", law.name);
        }
    }
}
