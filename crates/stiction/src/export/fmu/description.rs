//! `modelDescription.xml` and `buildDescription.xml`.
use super::variables::{Causality, Variable};
use super::xml::Element;
use super::{FmiVersion, FmuPlan, UnitKind, units};
use crate::number::short;

/// What a model description says.
pub(super) struct ModelDescription<'a> {
    pub version: FmiVersion,
    pub identifier: &'a str,
    pub token: &'a str,
    pub description: String,
    /// How the names of variables are made up.
    pub naming: &'a str,
    /// Model exchange, co-simulation.
    pub interfaces: Vec<Element>,
    pub variables: &'a [Variable],
    /// Number of event indicators, in FMI 2.0 with model exchange.
    pub indicators: Option<usize>,
    /// Start and end of the proposed experiment \[s\], and its step.
    pub start: f64,
    pub stop: f64,
    pub step: f64,
}

impl ModelDescription<'_> {
    pub fn document(self) -> String {
        let (variables, is_two) = (self.variables, self.version == FmiVersion::Two);
        let variable = |variable| if is_two { scalar_variable(variable, variables) } else { typed_variable(variable) };
        let experiment = Element::new("DefaultExperiment")
            .set("startTime", short(self.start))
            .set("stopTime", short(self.stop))
            // some importers hold the inputs over each step of their solver, which a stricter one does not forgive
            .set("tolerance", "1e-6")
            .set("stepSize", short(self.step));
        let categories = Element::new("LogCategories").with(Element::new("Category").set("name", "logStatusError"));
        Element::new("fmiModelDescription")
            .set("fmiVersion", self.version.name())
            .set("modelName", self.identifier)
            .set(if is_two { "guid" } else { "instantiationToken" }, self.token)
            .set("description", self.description)
            .set("generationTool", format!("stiction {}", env!("CARGO_PKG_VERSION")))
            .set("variableNamingConvention", self.naming)
            .maybe("numberOfEventIndicators", self.indicators)
            .with_all(self.interfaces)
            .with(units::definitions(variables))
            .with(categories)
            .with(experiment)
            .with(Element::new("ModelVariables").with_all(variables.iter().map(variable)))
            .with(if is_two { structure_2(variables) } else { structure_3(variables) })
            .document()
    }
}

/// The model description of a law or of a body.
pub(super) fn model_description(plan: &FmuPlan, token: &str) -> String {
    let summary = plan.law.doc.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let what = match plan.kind {
        UnitKind::Law => "friction law",
        UnitKind::Body => "body on the friction law",
    };
    ModelDescription {
        version: plan.version,
        identifier: &plan.identifier,
        token,
        description: format!("{what} {}: {summary}", plan.law.name),
        naming: "structured",
        interfaces: interfaces(plan),
        variables: &plan.variables(),
        indicators: (plan.version == FmiVersion::Two).then(|| plan.indicators()),
        start: 0.0,
        stop: 1.0,
        step: 1e-3,
    }
    .document()
}

/// An interface that can do this.
pub(super) fn able(element: Element, names: &[&'static str]) -> Element {
    names.iter().fold(element, |element, name| element.set(name, "true"))
}

/// Model exchange and co-simulation, with what they can do.
fn interfaces(plan: &FmuPlan) -> Vec<Element> {
    let [exchange, cosimulation] =
        ["ModelExchange", "CoSimulation"].map(|name| Element::new(name).set("modelIdentifier", &plan.identifier));
    match plan.version {
        FmiVersion::Two => {
            let common = [
                "canNotUseMemoryManagementFunctions",
                "canGetAndSetFMUstate",
                "canSerializeFMUstate",
                "providesDirectionalDerivative",
            ];
            let sources = || Element::new("SourceFiles").with(Element::new("File").set("name", "unit.c"));
            let steps = ["canHandleVariableCommunicationStepSize", "canInterpolateInputs"];
            vec![able(exchange, &common).with(sources()), able(able(cosimulation, &steps), &common).with(sources())]
        }
        FmiVersion::Three => {
            let common = [
                "canGetAndSetFMUState",
                "canSerializeFMUState",
                "providesDirectionalDerivatives",
                "providesAdjointDerivatives",
            ];
            vec![
                able(exchange, &common),
                able(
                    able(cosimulation, &common),
                    &["canHandleVariableCommunicationStepSize", "mightReturnEarlyFromDoStep", "hasEventMode"],
                ),
            ]
        }
    }
}

fn causality(variable: &Variable) -> &'static str {
    match variable.causality {
        Causality::Independent => "independent",
        Causality::Input => "input",
        Causality::Output => "output",
        Causality::Local => "local",
        Causality::Parameter => "parameter",
    }
}

fn variability(variable: &Variable) -> &'static str {
    match variable.causality {
        Causality::Parameter => {
            if variable.is_fixed {
                "fixed"
            } else {
                "tunable"
            }
        }
        _ if variable.is_boolean => "discrete",
        _ => "continuous",
    }
}

/// How the value at the start comes about; inputs and the time have none.
fn initial(variable: &Variable) -> Option<&'static str> {
    match variable.causality {
        Causality::Independent | Causality::Input => None,
        _ => Some(if variable.start.is_some() { "exact" } else { "calculated" }),
    }
}

/// A number's own attributes; `derivative` names the state that it is the derivative of, as the version does.
fn number_attributes(element: Element, variable: &Variable, derivative: Option<usize>) -> Element {
    element
        .maybe("unit", variable.unit.as_deref())
        .maybe("min", variable.bounds.map(|(min, _)| short(min)))
        .maybe("max", variable.bounds.map(|(_, max)| short(max)))
        .maybe("nominal", variable.nominal.map(short))
        .maybe("start", variable.start.map(short))
        .maybe("derivative", derivative)
        .maybe("reinit", variable.is_state().then_some(true))
}

/// What both versions say of a variable first.
fn head(kind: &'static str, variable: &Variable) -> Element {
    Element::new(kind)
        .set("name", &variable.name)
        .set("valueReference", variable.reference)
        .maybe("description", (!variable.doc.is_empty()).then_some(&variable.doc))
        .set("causality", causality(variable))
        .set("variability", variability(variable))
        .maybe("initial", initial(variable))
}

/// A variable of FMI 2.0.
fn scalar_variable(variable: &Variable, all: &[Variable]) -> Element {
    let element = head("ScalarVariable", variable);
    if variable.is_boolean {
        return element.with(Element::new("Boolean"));
    }
    let derivative = variable.derivative_of.and_then(|state| index(state, all));
    element.with(number_attributes(Element::new("Real"), variable, derivative))
}

/// The place of a variable in the list, counted from one.
fn index(reference: usize, all: &[Variable]) -> Option<usize> {
    all.iter().position(|variable| variable.reference == reference).map(|at| at + 1)
}

/// A variable of FMI 3.0.
fn typed_variable(variable: &Variable) -> Element {
    if variable.is_boolean {
        return head("Boolean", variable);
    }
    number_attributes(head("Float64", variable), variable, variable.derivative_of)
}

fn structure_2(variables: &[Variable]) -> Element {
    let list = |name: &'static str, wanted: &dyn Fn(&Variable) -> bool| {
        // what may depend on all has no attribute
        let unknown = |(i, v): (usize, &Variable)| {
            let known = v.equals.and_then(|state| index(state, variables));
            Element::new("Unknown").set("index", i + 1).maybe("dependencies", known)
        };
        let found: Vec<Element> = variables.iter().enumerate().filter(|(_, v)| wanted(v)).map(unknown).collect();
        (!found.is_empty()).then(|| Element::new(name).with_all(found))
    };
    let lists = [
        list("Outputs", &|v| v.causality == Causality::Output),
        list("Derivatives", &|v| v.derivative_of.is_some()),
        list("InitialUnknowns", &Variable::is_initial_unknown),
    ];
    Element::new("ModelStructure").with_all(lists.into_iter().flatten())
}

fn structure_3(variables: &[Variable]) -> Element {
    // where all of them may matter, they are listed: leaving them out means the same, but not every importer knows
    let references = |wanted: &dyn Fn(&Variable) -> bool| {
        variables.iter().filter(|v| wanted(v)).map(|v| v.reference.to_string()).collect::<Vec<_>>().join(" ")
    };
    let known = references(&|v| v.is_state() || v.causality == Causality::Input);
    let known_at_start = references(&|v| v.start.is_some() && v.causality != Causality::Output || v.is_state());
    let list = |name: &'static str, known: &str, wanted: &dyn Fn(&Variable) -> bool| {
        let unknown = |v: &Variable| {
            let known = v.equals.map_or_else(|| known.to_owned(), |state| state.to_string());
            Element::new(name).set("valueReference", v.reference).set("dependencies", known)
        };
        variables.iter().filter(|v| wanted(v)).map(unknown).collect::<Vec<_>>()
    };
    Element::new("ModelStructure")
        .with_all(list("Output", &known, &|v| v.causality == Causality::Output))
        .with_all(list("ContinuousStateDerivative", &known, &|v| v.derivative_of.is_some()))
        .with_all(list("InitialUnknown", &known_at_start, &Variable::is_initial_unknown))
        .with_all(list("EventIndicator", &known, &|v| v.is_indicator))
}

/// How the sources are compiled, for FMI 3.0.
pub(super) fn build_description(plan: &FmuPlan) -> String {
    let files =
        Element::new("SourceFileSet").set("language", "C99").with(Element::new("SourceFile").set("name", "unit.c"));
    let configuration = Element::new("BuildConfiguration").set("modelIdentifier", &plan.identifier).with(files);
    Element::new("fmiBuildDescription").set("fmiVersion", plan.version.name()).with(configuration).document()
}
