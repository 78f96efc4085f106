//! Forces and loads by a formula: a motor, a load of friction, whatever is a function of places, speeds and signals.
use super::builder::Builder;
use super::component_table::{ComponentTable, unknown_name};
use super::keys::{Component, ValueKind, optional, optional_with_default, required};
use super::signal;
use crate::data::expression::{Expression, SymbolTable};
use crate::system::{
    Actuation, ContinuousController, Controller, ControllerInput, Measurement, Signal, central_differences,
};
use crate::toml_tree::{TomlEntry, TomlTable};
use crate::{DataError, Error, data};

pub(super) static FORMULA: Component = Component {
    name: "formula",
    form: "[formula.NAME]",
    doc: "A force, or the load of a contact, as a function of positions, velocities, signals and constants: the torque of a motor, the friction of gears under load. It should be continuous; a signal may jump.",
    keys: &[
        required("formula", ValueKind::Text, "", "The expression, as in 'stiction data'."),
        optional_with_default(
            "on",
            ValueKind::Node,
            "",
            "no force",
            "What its force acts on; without it, only contacts whose load names it as a control use its value.",
        ),
        optional("measure", ValueKind::Table, "", "NAME = \"PLACE.x\" or \"PLACE.v\": positions and velocities."),
        optional("signals", ValueKind::Table, "", "NAME = signal: functions of time."),
        optional("constants", ValueKind::Table, "", "NAME = number."),
    ],
    law: false,
};

/// A formula as a controller without states.
struct FormulaController {
    expression: Expression,
    /// For each column of the expression.
    inputs: Vec<FormulaInput>,
}

enum FormulaInput {
    Measured(usize),
    Signal(Signal),
}

/// Inputs that need no allocation.
const USUAL_INPUTS: usize = 12;

impl ContinuousController for FormulaController {
    fn signals(&self) -> Vec<&Signal> {
        let mut out = Vec::new();
        for input in &self.inputs {
            if let FormulaInput::Signal(signal) = input {
                out.push(signal);
            }
        }
        out
    }
    fn eval(&self, now: &ControllerInput<'_>, _: &[f64], _: &mut [f64]) -> f64 {
        let value = |input: &FormulaInput| match input {
            FormulaInput::Measured(k) => now.y[*k],
            FormulaInput::Signal(signal) => signal.eval(now.t, now.from)[0],
        };
        if self.inputs.len() > USUAL_INPUTS {
            return self.expression.evaluate_one(&self.inputs.iter().map(value).collect::<Vec<f64>>());
        }
        let mut values = [0.0; USUAL_INPUTS];
        values.iter_mut().zip(&self.inputs).for_each(|(x, input)| *x = value(input));
        self.expression.evaluate_one(&values)
    }
    fn partials(&self, now: &ControllerInput<'_>, w: &[f64], rows: &mut [f64]) {
        let count = self.inputs.len();
        let (mut usual, mut long) = ([[0.0; USUAL_INPUTS]; 3], [const { Vec::new() }; 3]);
        let [values, rates, slopes] = if count <= USUAL_INPUTS {
            usual.each_mut().map(|list| &mut list[..count])
        } else {
            long.each_mut().map(|list| {
                list.resize(count, 0.0);
                list.as_mut_slice()
            })
        };
        for (k, input) in self.inputs.iter().enumerate() {
            if let FormulaInput::Signal(signal) = input {
                [values[k], rates[k], ..] = signal.eval(now.t, now.from);
            }
            if let FormulaInput::Measured(at) = input {
                values[k] = now.y[*at];
            }
        }
        rows.fill(0.0);
        rows[0] = self.expression.differentiate_one(values, slopes);
        for ((input, slope), rate) in self.inputs.iter().zip(&*slopes).zip(&*rates) {
            match input {
                FormulaInput::Measured(at) => rows[2 + at] += slope,
                FormulaInput::Signal(_) => rows[1] += slope * rate,
            }
        }
        if rows[1..].iter().any(|slope| !slope.is_finite()) {
            // a formula that is infinitely steep here: its slope over a small distance serves the solver
            central_differences(self, now, w, rows);
        }
    }
    fn next_breakpoint(&self, t: f64) -> f64 {
        self.signals().iter().map(|signal| signal.next_breakpoint(t)).fold(f64::INFINITY, f64::min)
    }
    fn max_resolved_step(&self, t: f64) -> f64 {
        self.signals().iter().map(|signal| signal.max_resolved_step(t)).fold(f64::INFINITY, f64::min)
    }
}

fn entries<'a>(s: &ComponentTable<'a>, key: &str) -> Result<&'a [TomlEntry], Error> {
    let Some(node) = s.get(key) else { return Ok(&[]) };
    let TomlTable(entries) = node.table(key)?;
    Ok(entries)
}

/// Adds formulas.
pub(super) fn formulas(build: &mut Builder<'_>) -> Result<(), Error> {
    for s in build.each(&FORMULA)? {
        let mut names: Vec<&str> = Vec::new();
        let (mut measures, mut inputs, mut constants) = (Vec::new(), Vec::new(), Vec::new());
        for TomlEntry { key, at, node } in entries(&s, "measure")? {
            let text = node.text(key)?;
            let measure =
                build.measurement(text).map_err(|known| at.error(unknown_name("measurement", text, &known)))?;
            names.push(key);
            inputs.push(FormulaInput::Measured(measures.len()));
            measures.push(measure);
        }
        for TomlEntry { key, node, .. } in entries(&s, "signals")? {
            names.push(key);
            inputs.push(FormulaInput::Signal(signal::signal(key, node, build.folder)?));
        }
        for TomlEntry { key, node, .. } in entries(&s, "constants")? {
            constants.push((key.as_str(), node.number(key)?));
        }
        let node = s.required("formula")?;
        let text = node.text("formula")?;
        let expression = Expression::parse(text, &SymbolTable { columns: names, constants, units: Vec::new() })
            .map_err(|error| {
                let content = data::ContentError::Expression { text: text.to_owned(), error };
                node.at.error(DataError::content(&s.path, content))
            })?;
        let mut all: Vec<Option<FormulaInput>> = inputs.into_iter().map(Some).collect();
        let inputs = expression.columns.iter().filter_map(|&k| all.get_mut(k)?.take()).collect();
        let acts = match s.get("on") {
            Some(_) => Actuation::Force(build.named_node(&s, "on")?),
            None => Actuation::Load,
        };
        let control = Controller::Continuous(Box::new(FormulaController { expression, inputs }));
        build.system.control(s.name(), control, measures, acts).map_err(|error| s.at_key(error))?;
    }
    Ok(())
}

impl Builder<'_> {
    /// `block.x`: the position of `block`; `block.v`: its velocity. Else all that can be measured.
    pub(super) fn measurement(&self, text: &str) -> Result<Measurement, Vec<String>> {
        let split = text.rsplit_once('.').and_then(|(place, what)| Some((self.system.node(place)?, what)));
        match split {
            Some((node, "x")) => Ok(Measurement::Position(node)),
            Some((node, "v")) => Ok(Measurement::Velocity(node)),
            _ => {
                let names = self.system.nodes().skip(1);
                Err(names.flat_map(|name| ["x", "v"].map(|what| format!("{name}.{what}"))).collect())
            }
        }
    }
}
