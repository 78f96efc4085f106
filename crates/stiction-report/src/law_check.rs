//! Whether a law keeps to what it claims.
use crate::Report;
use crate::text::wrap;
use serde_json::{Value, json};
use stiction::analysis::law_check::{LawCheck, Property, Verdict};
use stiction::sim::StopFlag;
use stiction::{Error, LawFile, Spec};

/// The properties of a law, tried.
pub struct LawCheckReport {
    spec: Spec,
    check: LawCheck,
    /// What is said of tables and curves of which not all rows are kept.
    kept_rows: Vec<String>,
}

impl LawCheckReport {
    /// Tries a law, and searches for a motion that gains energy.
    ///
    /// # Errors
    /// As [`LawCheck::new`] and [`LawCheck::with_passivity`].
    pub fn check(spec: &Spec, stop: &StopFlag) -> Result<Self, Error> {
        let kept_rows = LawFile::of(spec.law()).map_or(Ok(Vec::new()), |law| law.kept_rows())?;
        Ok(Self { spec: spec.clone(), check: LawCheck::new(spec)?.with_passivity(spec, stop)?, kept_rows })
    }
    /// The properties that it should have and has not.
    pub fn broken(&self) -> Vec<&'static str> {
        self.check.properties.iter().filter(|p| p.verdict == Verdict::Broken).map(|p| p.name).collect()
    }
}

impl Report for LawCheckReport {
    fn text(&self) -> String {
        let mut out = format!("{}\n\n", self.spec.law().name);
        if let Some(program) = LawFile::of(self.spec.law()).and_then(|law| law.entry().program()) {
            let equations = &program.equations;
            let way = if equations.step.is_some() {
                "by its own equation"
            } else if program.is_empty() {
                "no memory"
            } else if program.is_decoupled() {
                "in closed form: each rate is linear in its own state"
            } else {
                "by steps of controlled error, order five"
            };
            let count = equations.flow.operations.len();
            out += &wrap(
                "  program     ",
                &format!("{count} operations for force and rates; guards beside v: {}", program.guard_count()),
                14,
            );
            out += &wrap("  samples     ", way, 14);
            self.kept_rows.iter().for_each(|line| out += &wrap("  rows        ", line, 14));
            out.push('\n');
        }
        for property in &self.check.properties {
            out += &wrap(&format!("  {:<8}  {:<13}", word(property.verdict), property.name), &property.found, 25);
        }
        out
    }
    fn json(&self) -> Value {
        let property = |p: &Property| json!({ "name": p.name, "verdict": word(p.verdict), "found": p.found });
        let properties = self.check.properties.iter().map(property).collect::<Vec<_>>();
        json!({
            "law": self.spec.law().name, "sound": self.check.is_sound(), "rows": self.kept_rows, "properties": properties
        })
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Broken => "fails",
        Verdict::Differs => "differs",
    }
}
