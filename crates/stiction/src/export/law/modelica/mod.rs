//! A law as a Modelica package: its functions, its parameters, and a model of a contact between two flanges.
//!
//! The functions are those of [`LawCode`]. The model `Friction` has the events that the law needs: see the module `model`.
mod language;
mod model;
mod random;
mod test;

use super::{FunctionKind, LawCode, Signal};
use crate::export::SourceFile;
use crate::export::source_text::{Syntax, statements, wrapped};
use language::{Modelica, identifier, quoted, unit};
use stiction_core::program::{Precision, Program};

/// The package, and a second one that compares its functions with the law.
pub fn files(code: &LawCode) -> Vec<SourceFile> {
    let package = Package::new(code);
    let file = |path: String, text: String| SourceFile { path, text };
    vec![
        file(format!("{}.mo", package.name), package.text()),
        file(format!("{}Test.mo", package.name), test::text(&package)),
    ]
}

/// A package in the making.
struct Package<'a> {
    code: &'a LawCode,
    /// In capitalised words.
    name: String,
    params: Vec<String>,
    states: Vec<String>,
    /// The half-width of the set of forces at rest, if there is one.
    hold: Option<Program>,
}

/// The name of the package: `stribeck-tanh` is `StribeckTanh`.
pub fn package_name(code: &LawCode) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
    };
    code.name.split('_').map(capital).collect()
}

/// An identifier for each name, all different.
fn identifiers<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for name in names {
        let mut name = identifier(name);
        while out.contains(&name) {
            name.push('_');
        }
        out.push(name);
    }
    out
}

/// The direction of impending motion.
const DIR: Signal = Signal { name: "dir", unit: "-", doc: "Direction of impending motion, 1 or -1" };

impl<'a> Package<'a> {
    fn new(code: &'a LawCode) -> Self {
        Self {
            code,
            name: package_name(code),
            params: identifiers(code.params().iter().map(|p| p.name)),
            states: identifiers(code.law.states.iter().map(|state| state.name)),
            hold: code.hold(),
        }
    }
    /// Whether displacements are angles.
    fn turns(&self) -> bool {
        self.code.turns()
    }
    fn unit_of(&self, signal: &Signal) -> &'static str {
        match (signal.unit, self.turns()) {
            ("m/s", true) => "rad/s",
            ("N", true) => "N.m",
            ("kg", true) => "kg.m2",
            ("-", _) => "1",
            (unit, _) => unit,
        }
    }
    fn text(&self) -> String {
        let law = self.code.law;
        let summary = law.doc.lines().next().unwrap_or_default().trim();
        let mut out = String::new();
        for line in wrapped(&self.code.description(), 100) {
            out += format!("// {line}").trim_end();
            out.push('\n');
        }
        out += "//\n// Not compiled: no Modelica compiler has seen this code.\n";
        out += &format!("package {} {}\n  extends Modelica.Icons.Package;\n", self.name, quoted(summary));
        out += &self.parameters();
        for function in &self.code.functions {
            out += &self.function(function.kind, &function.program);
        }
        if let Some(hold) = &self.hold {
            out += &self.hold_function(hold);
        }
        out += &model::text(self);
        out += &Self::internal(&out);
        out += &format!(
            "  annotation (\n    uses(Modelica(version=\"4.0.0\")),\n    Documentation(info={}));\nend {};\n",
            quoted(&format!("<html><p>{}</p></html>", html(summary))),
            self.name
        );
        out
    }
    fn parameters(&self) -> String {
        let mut out =
            "\n  record Parameters \"Parameters of the law\"\n    extends Modelica.Icons.Record;\n".to_owned();
        for (p, name) in self.code.params().iter().zip(&self.params) {
            let number = |x: f64| Modelica::default().number(Precision::Double, x).trim_matches(['(', ')']).to_owned();
            let mut modifiers: Vec<String> = unit(p.unit).iter().map(|unit| format!("unit=\"{unit}\"")).collect();
            let mut doc = p.doc.trim_end_matches('.').to_owned();
            if modifiers.is_empty() {
                doc += &format!(" ({})", p.unit);
            }
            // bounds that are none are left out
            let bounds = [("min", p.min), ("max", p.max)].into_iter().filter(|(_, x)| x.abs() < f64::MAX);
            modifiers.extend(bounds.map(|(name, x)| format!("{name}={}", number(x))));
            let modifiers = if modifiers.is_empty() { String::new() } else { format!("({})", modifiers.join(", ")) };
            out += &format!("    Real {name}{modifiers} = {} {};\n", number(p.default), quoted(&doc));
        }
        out + "  end Parameters;\n"
    }
    /// The declarations of inputs: signals, memory, parameters.
    fn inputs(&self, signals: &[Signal], memory: bool) -> String {
        let mut out = String::new();
        for signal in signals {
            // a load in its own unit has one that is not known here
            let unit = match self.unit_of(signal) {
                "1" if self.code.maps_load() => String::new(),
                unit => format!("(unit=\"{unit}\")"),
            };
            out += &format!("    input Real {}{unit} {};\n", signal.name, quoted(self.code.doc_of(signal)));
        }
        for (state, name) in self.code.law.states.iter().zip(&self.states).filter(|_| memory) {
            out += &format!("    input Real {name}{} \"Memory\";\n", unit_modifier(state.unit));
        }
        out + "    input Parameters p \"Parameters\";\n"
    }
    fn function(&self, kind: FunctionKind, program: &Program) -> String {
        let states = &self.code.law.states;
        let mut outputs = Vec::new();
        let mut declared = String::new();
        for signal in kind.results() {
            let name = match signal.name {
                "v" => "v_next",
                "force" => "friction",
                name => name,
            };
            outputs.push(name.to_owned());
            let unit = self.unit_of(signal);
            declared += &format!("    output Real {name}(unit=\"{unit}\") {};\n", quoted(self.code.doc_of(signal)));
        }
        if kind.gives_memory() {
            for (state, name) in states.iter().zip(&self.states) {
                let (name, modifier, doc) = if kind == FunctionKind::Rate {
                    (
                        format!("der_{name}"),
                        String::new(),
                        format!("Time derivative of {} ({}/s)", state.name, state.unit),
                    )
                } else {
                    (format!("{name}_next"), unit_modifier(state.unit), "Memory after the sample".to_owned())
                };
                declared += &format!("    output Real {name}{modifier} {};\n", quoted(&doc));
                outputs.push(name);
            }
        }
        let signals: Vec<String> = kind.signals().iter().map(|signal| signal.name.to_owned()).collect();
        let inputs = self.inputs(kind.signals(), kind.takes_memory()) + &declared;
        self.body(kind.name(), kind.doc(), &inputs, &signals, kind.takes_memory(), &outputs, program)
    }
    fn hold_function(&self, program: &Program) -> String {
        let [_, load] = FunctionKind::Force.signals() else { return String::new() };
        let mut inputs = self.inputs(&[*load, DIR], true);
        let unit = if self.turns() { "N.m" } else { "N" };
        inputs += &format!("    output Real friction(unit=\"{unit}\") \"Half-width of the set of forces\";\n");
        let signals = ["load".to_owned(), "dir".to_owned()];
        let doc = "The force at rest lies within force(0) -/+ hold: the largest one beyond force(0) that friction holds against motion in a direction";
        self.body("hold", doc, &inputs, &signals, true, &["friction".to_owned()], program)
    }
    /// A function with the statements of a program.
    #[allow(clippy::too_many_arguments, reason = "the parts of a function")]
    fn body(
        &self,
        name: &str,
        doc: &str,
        declared: &str,
        signals: &[String],
        memory: bool,
        outputs: &[String],
        program: &Program,
    ) -> String {
        let states = self.states.iter().filter(|_| memory).cloned();
        let params = self.params.iter().map(|name| format!("p.{name}"));
        let inputs: Vec<String> = signals.iter().cloned().chain(states).chain(params).collect();
        let syntax = Modelica::checking_divisors(matches!(name, "step" | "contact"));
        let (lines, values) = statements(program, &syntax, |i| inputs.get(i as usize).cloned().unwrap_or_default());
        let mut out = format!("\n  function {name} {}\n    extends Modelica.Icons.Function;\n{declared}", quoted(doc));
        let variables = syntax.declarations();
        if !variables.is_empty() {
            out += &format!("  protected\n{}\n", variables.join("\n"));
        }
        out += "  algorithm\n";
        lines.iter().for_each(|line| out += &format!("{line}\n"));
        for (output, value) in outputs.iter().zip(&values) {
            out += &format!("    {output} := {value};\n");
        }
        out + &format!("  end {name};\n")
    }
    /// The elementary functions that Modelica does not have, or not for all arguments. Both branches of a choice are computed, so
    /// that also the one not taken must have a value.
    fn internal(functions: &str) -> String {
        let known =
            [("ln", LN), ("expm1", EXPM1), ("log1p", LOG1P), ("power", POWER), ("root", ROOT), ("quotient", QUOTIENT)];
        let called = |(name, _): &&(&str, &str)| functions.contains(&format!("Internal.{name}("));
        let mut text: String = known.iter().filter(called).map(|(_, text)| *text).collect();
        if functions.contains("Internal.uniform(") {
            text += &uniform();
        }
        if text.is_empty() {
            return text;
        }
        format!(
            "\n  package Internal \"Elementary functions\"\n    extends Modelica.Icons.InternalPackage;\n{text}  end Internal;\n"
        )
    }
}

/// The function that draws random numbers.
fn uniform() -> String {
    let syntax = Modelica::default();
    let inputs = ["seed", "k"];
    let (lines, values) = statements(&random::program(), &syntax, |i| inputs[i as usize].to_owned());
    let declared = "    function uniform \"A number in [0, 1) of two whole numbers: 52 bits of SplitMix, with digits of 16 bits\"\n      extends Modelica.Icons.Function;\n      input Real seed;\n      input Real k;\n      output Real x;\n    protected";
    let variables = syntax.declarations();
    let indented = |lines: &[String]| lines.iter().map(|line| format!("  {line}\n")).collect::<String>();
    format!(
        "\n{declared}\n{}    algorithm\n{}      x := {};\n    end uniform;\n",
        indented(&variables),
        indented(&lines),
        values.first().map_or("0", String::as_str)
    )
}

/// The unit of a state, in the parentheses of its declaration.
fn unit_modifier(text: &str) -> String {
    unit(text).map_or(String::new(), |unit| format!("(unit=\"{unit}\")"))
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

const ROOT: &str = r#"
    function root "Square root; 0 below zero, where it does not exist"
      extends Modelica.Icons.Function;
      input Real x;
      output Real y;
    algorithm
      y := if x > 0.0 then sqrt(x) else 0.0;
    end root;
"#;

const QUOTIENT: &str = r#"
    function quotient "a/b; the largest number where b is zero"
      extends Modelica.Icons.Function;
      input Real a;
      input Real b;
      output Real y;
    algorithm
      if b == 0.0 then
        y := if a < 0.0 then -1.7976931348623157e308 else 1.7976931348623157e308;
      else
        y := a/b;
      end if;
    end quotient;
"#;

const LN: &str = r#"
    function ln "Natural logarithm; the lowest number where it does not exist"
      extends Modelica.Icons.Function;
      input Real x;
      output Real y;
    algorithm
      y := if x > 0.0 then log(x) else -1.7976931348623157e308;
    end ln;
"#;

const EXPM1: &str = r#"
    function expm1 "exp(x) - 1, to the last digits also near zero"
      extends Modelica.Icons.Function;
      input Real x;
      output Real y;
    protected
      Real u;
    algorithm
      if abs(x) > 0.5 then
        y := exp(x) - 1.0;
      else
        // the rounding of u is the same in both factors and cancels
        u := exp(x);
        y := if u == 1.0 then x else (u - 1.0)*x/log(u);
      end if;
    end expm1;
"#;

const LOG1P: &str = r#"
    function log1p "log(1 + x), to the last digits also near zero; the lowest number where it does not exist"
      extends Modelica.Icons.Function;
      input Real x;
      output Real y;
    protected
      Real u;
    algorithm
      u := 1.0 + x;
      if u <= 0.0 then
        y := -1.7976931348623157e308;
      elseif abs(x) > 0.5 then
        y := log(u);
      else
        // the rounding of u is the same in both factors and cancels
        y := if u == 1.0 then x else log(u)*x/(u - 1.0);
      end if;
    end log1p;
"#;

const POWER: &str = r#"
    function power "x^y for x >= 0; below zero it exists for y = 0, 1, 2 and is 0 otherwise"
      extends Modelica.Icons.Function;
      input Real x;
      input Real y;
      output Real z;
    algorithm
      if y == 0.0 or x == 1.0 then
        z := 1.0;
      elseif y == 1.0 then
        z := x;
      elseif y == 2.0 then
        z := x*x;
      elseif x > 0.0 then
        z := x^y;
      elseif y < 0.0 then
        z := 1.7976931348623157e308;
      else
        z := 0.0;
      end if;
    end power;
"#;
