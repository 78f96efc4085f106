//! A functional mock-up unit: what it is and what its variables are.
use crate::Report;
use serde_json::{Value, json};
use stiction::export::fmu::{Causality, FmuPlan, Variable};

/// A unit, and whether it has a binary for this platform.
pub struct FmuReport {
    /// The unit.
    pub plan: FmuPlan,
    /// The C compiler that made its binary.
    pub compiler: Option<String>,
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
        let binary = match &self.compiler {
            Some(compiler) => format!("compiled from the sources by {compiler}"),
            None => "none: importers compile the sources".to_owned(),
        };
        out + &row("binary", &binary)
    }
    fn json(&self) -> Value {
        let plan = &self.plan;
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
            "compiler": self.compiler,
        })
    }
}
