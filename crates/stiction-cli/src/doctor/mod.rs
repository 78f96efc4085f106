//! What `stiction doctor` looks at: the build, the machine, the environment, and whether known numbers come out.
mod build;
mod checks;
mod environment;
mod machine;

use crate::text::{table, wrap};
use serde_json::{Value, json};

/// One thing that was looked at.
pub struct Finding {
    /// A key for JSON, and the words before the value.
    pub what: &'static str,
    /// What was found.
    pub value: String,
    /// What to do about it, if it is not as it should be.
    pub advice: Option<String>,
    /// It was compared with something, so that it is right or wrong.
    pub judged: bool,
}

impl Finding {
    /// A fact.
    fn fact(what: &'static str, value: impl Into<String>) -> Self {
        Self { what, value: value.into(), advice: None, judged: false }
    }
    /// Something that is right, or needs what `advice` says.
    fn judged(what: &'static str, value: impl Into<String>, right: bool, advice: &str) -> Self {
        Self { what, value: value.into(), advice: (!right).then(|| advice.to_owned()), judged: true }
    }
    /// Whether it is as it should be.
    fn right(&self) -> bool {
        self.advice.is_none()
    }
}

/// All that was looked at, under headings.
pub struct Health(Vec<(&'static str, Vec<Finding>)>);

impl Health {
    /// Looks.
    pub fn examine() -> Self {
        Self(vec![
            ("build", build::look()),
            ("machine", machine::look()),
            ("terminal", environment::terminal()),
            ("folders", environment::folders()),
            ("tools", environment::tools()),
            ("self-test", checks::run()),
        ])
    }
    /// How many things are not as they should be.
    pub fn wrong(&self) -> usize {
        self.all().filter(|finding| !finding.right()).count()
    }
    fn all(&self) -> impl Iterator<Item = &Finding> {
        self.0.iter().flat_map(|(_, findings)| findings)
    }
    /// For a reader.
    pub fn text(&self) -> String {
        let mut out = format!("stiction {}\n", env!("CARGO_PKG_VERSION"));
        for (head, findings) in &self.0 {
            let mut name = head.to_string();
            name[..1].make_ascii_uppercase();
            let rows: Vec<[String; 3]> = findings
                .iter()
                .map(|f| {
                    let mark = if !f.judged {
                        ""
                    } else if f.right() {
                        "ok"
                    } else {
                        "wrong"
                    };
                    [f.what.to_owned(), mark.to_owned(), f.value.clone()]
                })
                .collect();
            // facts alone need no column of marks
            let plain: Vec<[String; 2]> = rows.iter().map(|[what, _, value]| [what.clone(), value.clone()]).collect();
            let marked = findings.iter().any(|finding| finding.judged);
            out += &format!("\n{name}\n{}", if marked { table(&rows, &[]) } else { table(&plain, &[]) });
        }
        let wrong: Vec<&Finding> = self.all().filter(|finding| !finding.right()).collect();
        if wrong.is_empty() {
            return out + "\nAll is well.\n";
        }
        out += "\nWhat to do\n";
        for finding in wrong {
            let advice = finding.advice.as_deref().unwrap_or_default();
            out += &wrap("  ", &format!("{}: {advice}", finding.what), 4);
        }
        out
    }
    /// For programs.
    pub fn value(&self) -> Value {
        let one = |f: &Finding| {
            let mut value = json!({ "what": f.what, "value": f.value });
            if f.judged {
                value["ok"] = json!(f.right());
                value["advice"] = json!(f.advice);
            }
            value
        };
        let mut out = json!({ "stiction": env!("CARGO_PKG_VERSION"), "ok": self.wrong() == 0 });
        for (head, findings) in &self.0 {
            out[*head] = findings.iter().map(one).collect();
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::{Finding, Health};

    #[test]
    fn what_is_wrong_says_what_to_do() {
        let bad = Finding::judged("law", "1 for 2", false, "build it anew");
        let health = Health(vec![("self-test", vec![bad]), ("build", vec![Finding::fact("profile", "release")])]);
        assert_eq!(health.wrong(), 1);
        assert!(health.text().contains("law  wrong  1 for 2") && health.text().contains("law: build it anew"));
        assert_eq!(health.value()["ok"], false);
        assert_eq!(health.value()["self-test"][0]["advice"], "build it anew");
        assert!(health.value()["build"][0].get("ok").is_none());
    }
}
