//! A functional mock-up unit: what it is and what its variables are.
use crate::Report;
use serde_json::{Value, json};
use std::path::PathBuf;
use stiction::export::fmu::{Causality, FmuPlan, ScenarioUnit, UnitBinary, Variable};

/// A unit and its binary.
pub struct FmuReport {
    /// The unit.
    pub plan: FmuPlan,
    /// Its binary.
    pub binary: UnitBinary,
}

fn row(name: &str, value: &str) -> String {
    format!("{name:<11} {value}\n")
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

/// A unit of a scenario.
pub struct ScenarioUnitReport {
    /// The unit.
    pub unit: ScenarioUnit,
    /// The library with the simulator.
    pub library: PathBuf,
}

impl ScenarioUnitReport {
    fn names(&self, causality: Causality) -> Vec<&str> {
        self.unit.variables().iter().filter(|v| v.causality == causality).map(|v| v.name.as_str()).collect()
    }
}

impl Report for ScenarioUnitReport {
    fn text(&self) -> String {
        let unit = &self.unit;
        [
            row("unit", &format!("{}, scenario", unit.identifier)),
            row("interface", &format!("FMI {}, co-simulation", unit.version.name())),
            row("inputs", &self.names(Causality::Input).join(", ")),
            row("outputs", &self.names(Causality::Output).join(", ")),
            row("parameters", &self.names(Causality::Parameter).join(", ")),
            row("binary", &format!("the simulator, {}", self.library.display())),
        ]
        .concat()
    }
    fn json(&self) -> Value {
        json!({
            "unit": "scenario",
            "fmi": self.unit.version.name(),
            "identifier": self.unit.identifier,
            "inputs": self.names(Causality::Input),
            "outputs": self.names(Causality::Output),
            "parameters": self.names(Causality::Parameter),
            "library": self.library.display().to_string(),
        })
    }
}
