//! A law as source code: its functions, and how they were checked.
use crate::Report;
use serde_json::{Value, json};
use stiction::export::law::{LawCode, LawFunction, LawTarget};
use stiction::{Error, Spec};

/// A law in a language.
pub struct LawCodeReport {
    /// The functions.
    pub code: LawCode,
    /// The language.
    pub target: LawTarget,
}

impl LawCodeReport {
    /// Records a law, whose values are the defaults of the code.
    ///
    /// # Errors
    /// As [`LawCode::of`].
    pub fn record(spec: &Spec, target: LawTarget) -> Result<Self, Error> {
        Ok(Self { code: LawCode::of(spec)?, target })
    }
}

impl Report for LawCodeReport {
    fn text(&self) -> String {
        let row = |function: &LawFunction| {
            format!(
                "{:<8} {} numbers in, {} out, {} operations\n",
                function.kind.name(),
                self.code.inputs(function.kind).len(),
                self.code.outputs(function.kind).len(),
                function.program.len()
            )
        };
        self.code.functions.iter().map(row).collect()
    }
    /// Everything about it except the code.
    fn json(&self) -> Value {
        let Self { code, target } = self;
        let params = code.params().iter().map(|p| json!({ "name": p.name, "unit": p.unit, "default": p.default }));
        let functions = code.functions.iter().map(|function| {
            json!({
                "name": function.kind.name(),
                "inputs": code.inputs(function.kind),
                "outputs": code.outputs(function.kind),
                "operations": function.program.len(),
            })
        });
        json!({
            "law": code.law.name,
            "target": target.name(),
            "name": code.name,
            "params": params.collect::<Vec<_>>(),
            "functions": functions.collect::<Vec<_>>(),
            "test": target.test_command(code),
            "checked": target.checked(code.law),
        })
    }
}
