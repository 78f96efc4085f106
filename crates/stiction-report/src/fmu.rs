//! A functional mock-up unit: what it is and what its variables are.
use crate::Report;
use serde_json::{Value, json};
use stiction::export::fmu::{Causality, FmuPlan, UnitBinary, Variable};

/// A unit and its binary.
pub struct FmuReport {
    /// The unit.
    pub plan: FmuPlan,
    /// Its binary.
    pub binary: UnitBinary,
}

impl FmuReport {
    fn names(&self, causality: Causality) -> Vec<String> {
        let is = |variable: &Variable| variable.causality == causality;
        self.plan.variables().into_iter().filter(is).map(|variable| variable.name).collect()
    }
    fn states(&self) -> Vec<String> {
        self.plan.variables().into_iter().filter(Variable::is_state).map(|variable| variable.name).collect()
    }
}

impl Report for FmuReport {
    fn text(&self) -> String {
        let row = |name: &str, value: &str| format!("{name:<11} {value}\n");
        let mut out = row("unit", &format!("{}, {}", self.plan.identifier, self.plan.kind.name()));
        out += &row("interface", &format!("FMI {}, model exchange and co-simulation", self.plan.version.name()));
        out += &row("inputs", &self.names(Causality::Input).join(", "));
        out += &row("outputs", &self.names(Causality::Output).join(", "));
        out += &row("states", &self.states().join(", "));
        out += &row("parameters", &self.names(Causality::Parameter).join(", "));
        let binary = match &self.binary {
            UnitBinary::Prebuilt => "prebuilt: it interprets the law".to_owned(),
            UnitBinary::Compiled(compiler) => format!("compiled from the sources by {}", compiler.name()),
            UnitBinary::None => "none: importers compile the sources".to_owned(),
        };
        out + &row("binary", &binary)
    }
    fn json(&self) -> Value {
        let plan = &self.plan;
        let (binary, compiler) = match &self.binary {
            UnitBinary::Prebuilt => ("prebuilt", None),
            UnitBinary::Compiled(compiler) => ("compiled", Some(compiler.name())),
            UnitBinary::None => ("none", None),
        };
        let variables = plan.variables().into_iter().map(|v| {
            json!({ "name": v.name, "reference": v.reference, "unit": v.unit, "start": v.start, "bounds": v.bounds })
        });
        json!({
            "law": plan.law.name,
            "unit": plan.kind.name(),
            "fmi": plan.version.name(),
            "identifier": plan.identifier,
            "inputs": self.names(Causality::Input),
            "outputs": self.names(Causality::Output),
            "states": self.states(),
            "parameters": self.names(Causality::Parameter),
            "event_indicators": plan.indicators(),
            "variables": variables.collect::<Vec<_>>(),
            "binary": binary,
            "compiler": compiler,
        })
    }
}
