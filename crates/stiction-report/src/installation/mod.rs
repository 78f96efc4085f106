//! The installation: the build, the machine, the environment, and computations with known results.
mod build;
mod checks;
mod environment;
mod machine;

use crate::Report;
use crate::text::{table, wrap};
use serde_json::{Value, json};

/// One property of the installation, or one check.
pub struct Check {
    /// Its name, also the key in JSON.
    pub what: &'static str,
    /// Its value.
    pub value: String,
    /// How to fix it, if it has failed.
    pub advice: Option<String>,
    /// Whether it was checked, and so has passed or failed.
    pub tested: bool,
}

impl Check {
    /// A property without a check.
    pub fn property(what: &'static str, value: impl Into<String>) -> Self {
        Self { what, value: value.into(), advice: None, tested: false }
    }
    /// The result of a check, with `advice` on how to fix it if it has failed.
    pub fn tested(what: &'static str, value: impl Into<String>, passed: bool, advice: &str) -> Self {
        Self { what, value: value.into(), advice: (!passed).then(|| advice.to_owned()), tested: true }
    }
    /// Whether no fault was found.
    fn passed(&self) -> bool {
        self.advice.is_none()
    }
}

/// All checks, grouped under headings.
pub struct InstallationReport(Vec<(&'static str, Vec<Check>)>);

impl InstallationReport {
    /// Runs all checks; `surroundings` are those of what the library runs in: a terminal, an interpreter.
    pub fn examine(surroundings: (&'static str, Vec<Check>)) -> Self {
        Self(vec![
            ("build", build::look()),
            ("machine", machine::look()),
            surroundings,
            ("folders", environment::folders()),
            ("tools", environment::tools()),
            ("self-test", checks::run()),
        ])
    }
    /// Number of failed checks.
    pub fn failed(&self) -> usize {
        self.all().filter(|check| !check.passed()).count()
    }
    fn all(&self) -> impl Iterator<Item = &Check> {
        self.0.iter().flat_map(|(_, group)| group)
    }
}

impl Report for InstallationReport {
    fn text(&self) -> String {
        let mut out = format!("stiction {}\n", env!("CARGO_PKG_VERSION"));
        for (head, group) in &self.0 {
            let mut name = head.to_string();
            name[..1].make_ascii_uppercase();
            let rows: Vec<[String; 3]> = group
                .iter()
                .map(|f| {
                    let mark = if !f.tested {
                        ""
                    } else if f.passed() {
                        "ok"
                    } else {
                        "wrong"
                    };
                    [f.what.to_owned(), mark.to_owned(), f.value.clone()]
                })
                .collect();
            // without checks there is no column of marks
            let plain: Vec<[String; 2]> = rows.iter().map(|[what, _, value]| [what.clone(), value.clone()]).collect();
            let marked = group.iter().any(|check| check.tested);
            out += &format!("\n{name}\n{}", if marked { table(&rows, &[]) } else { table(&plain, &[]) });
        }
        let failed: Vec<&Check> = self.all().filter(|check| !check.passed()).collect();
        if failed.is_empty() {
            return out + "\nEverything is in order.\n";
        }
        out += "\nHow to fix it\n";
        for check in failed {
            let advice = check.advice.as_deref().unwrap_or_default();
            out += &wrap("  ", &format!("{}: {advice}", check.what), 4);
        }
        out
    }
    fn json(&self) -> Value {
        let one = |f: &Check| {
            let mut value = json!({ "what": f.what, "value": f.value });
            if f.tested {
                value["ok"] = json!(f.passed());
                value["advice"] = json!(f.advice);
            }
            value
        };
        let mut out = json!({ "stiction": env!("CARGO_PKG_VERSION"), "ok": self.failed() == 0 });
        for (head, group) in &self.0 {
            out[*head] = group.iter().map(one).collect();
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::{Check, InstallationReport};
    use crate::Report;

    #[test]
    fn what_is_wrong_says_what_to_do() {
        let bad = Check::tested("law", "1 for 2", false, "build it anew");
        let health =
            InstallationReport(vec![("self-test", vec![bad]), ("build", vec![Check::property("profile", "release")])]);
        assert_eq!(health.failed(), 1);
        assert!(health.text().contains("law  wrong  1 for 2") && health.text().contains("law: build it anew"));
        assert_eq!(health.json()["ok"], false);
        assert_eq!(health.json()["self-test"][0]["advice"], "build it anew");
        assert!(health.json()["build"][0].get("ok").is_none());
    }
}
