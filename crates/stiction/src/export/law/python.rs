//! What the Python modules of a law have in common: the statements, the class of the parameters, the functions that a user calls.
//!
//! A module has a kernel for each function, which takes the inputs of the program one by one and gives its outputs as a tuple, and
//! around it a function with the arguments that a user has: signals, memory, parameters.
mod names;
mod runner;

use super::{FunctionKind, LawCode, LawFunction, Signal};
use crate::export::SourceFile;
use crate::export::recorder::function_program;
use crate::export::source_text::{LoopText, Syntax, ValueKind, decimal, statements, wrapped};
use crate::number::short;
use names::identifiers;
use std::collections::BTreeSet;
use stiction_core::Param;
use stiction_core::program::{Function, Precision, Program, WordOperator, directional_derivative};

/// The library that computes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Library {
    NumPy,
    Jax,
    PyTorch,
}

impl Library {
    /// The module with the functions of arrays, as the generated code calls it.
    fn prefix(self) -> &'static str {
        match self {
            Self::NumPy => "np",
            Self::Jax => "jnp",
            Self::PyTorch => "torch",
        }
    }
    /// The end of the names of modules.
    fn ending(self) -> &'static str {
        match self {
            Self::NumPy => "numpy",
            Self::Jax => "jax",
            Self::PyTorch => "torch",
        }
    }
    /// The name of the module. It ends with the library, so that a law hides no package, and modules of several libraries can be
    /// in one folder.
    pub fn module(self, code: &LawCode) -> String {
        format!("{}_{}", code.name, self.ending())
    }
}

impl Syntax for Library {
    fn declare(&self, _: ValueKind, _: Precision, name: &str, value: &str) -> String {
        format!("    {name} = {value}")
    }
    fn number(&self, precision: Precision, x: f64) -> String {
        let prefix = self.prefix();
        match x {
            x if x.is_nan() => format!("{prefix}.nan"),
            f64::INFINITY => format!("{prefix}.inf"),
            f64::NEG_INFINITY => format!("-{prefix}.inf"),
            x => decimal(precision, x),
        }
    }
    fn boolean(&self, truth: bool) -> String {
        if truth { "True" } else { "False" }.to_owned()
    }
    fn word(&self, x: u64) -> String {
        match self {
            // PyTorch has no arithmetic of unsigned words; sums and products of signed ones have the same bits
            Self::PyTorch => (x as i64).to_string(),
            _ => format!("{}.uint64(0x{x:016X})", self.prefix()),
        }
    }
    fn abs(&self, _: Precision, a: &str) -> String {
        format!("{}.abs({a})", self.prefix())
    }
    fn call(&self, _: Precision, function: Function, args: &[&str]) -> String {
        let args = args.join(", ");
        match function.libm() {
            // the powers of negative numbers are not those of the libraries
            Some(name) if function != Function::Pow => format!("{}.{name}({args})", self.prefix()),
            _ => format!("_{}({args})", function.name()),
        }
    }
    fn same(&self, a: &str, b: &str) -> String {
        format!("{a} == {b}")
    }
    fn nan(&self, a: &str) -> String {
        format!("{}.isnan({a})", self.prefix())
    }
    fn not(&self, a: &str) -> String {
        format!("~{a}")
    }
    fn select(&self, m: &str, a: &str, b: &str) -> String {
        // of two literals, PyTorch would make a number in single precision
        let literal = |x: &str| !x.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') || x.contains('.');
        let own = *self == Self::PyTorch && literal(a) && literal(b);
        format!("{}where({m}, {a}, {b})", if own { "_".to_owned() } else { self.prefix().to_owned() + "." })
    }
    fn bits(&self, a: &str) -> String {
        match self {
            Self::NumPy => format!("{a}.view(np.uint64)"),
            Self::Jax => format!("lax.bitcast_convert_type({a}, jnp.uint64)"),
            Self::PyTorch => format!("{a}.view(torch.int64)"),
        }
    }
    fn of_bits(&self, a: &str) -> String {
        match self {
            Self::NumPy => format!("{a}.view(np.float64)"),
            Self::Jax => format!("lax.bitcast_convert_type({a}, jnp.float64)"),
            Self::PyTorch => format!("{a}.view(torch.float64)"),
        }
    }
    fn word_arithmetic(&self, operator: WordOperator, a: &str, b: &str) -> String {
        let sign = match operator {
            WordOperator::Add => '+',
            WordOperator::Subtract => '-',
            WordOperator::Multiply => '*',
            WordOperator::And => '&',
            WordOperator::Or => '|',
            WordOperator::Xor => '^',
        };
        format!("{a} {sign} {b}")
    }
    fn shift(&self, a: &str, left: bool, n: u32) -> String {
        let sign = if left { "<<" } else { ">>" };
        match self {
            // the shift of a signed word repeats its sign
            Self::PyTorch if !left && n > 0 => format!("({a} >> {n}) & {}", self.word(u64::MAX >> n)),
            Self::PyTorch => format!("{a} {sign} {n}"),
            _ => format!("{a} {sign} {}.uint64({n})", self.prefix()),
        }
    }
    fn repeat(&self, _: Precision, repeat: &LoopText) -> Vec<String> {
        let list = |texts: Vec<&str>| tuple(&texts);
        let names = || repeat.carried.iter().map(|carried| carried.name.as_str()).collect::<Vec<_>>();
        let after = list(repeat.carried.iter().map(|carried| carried.next.as_str()).collect());
        let start = list(repeat.carried.iter().map(|carried| carried.start.as_str()).collect());
        let (index, count) = (repeat.index, repeat.count);
        let mut out = vec![String::new(), format!("    def turn{index}({}):", names().join(", "))];
        out.extend(repeat.lines.iter().map(|line| if line.is_empty() { String::new() } else { format!("    {line}") }));
        out.push(format!("        return {after}, {}", repeat.done.as_deref().unwrap_or("False")));
        out.push(String::new());
        out.push(format!("    {} = _repeat({count}, {start}, turn{index})", list(names())));
        out
    }
}

/// A tuple, also of one.
fn tuple(items: &[impl AsRef<str>]) -> String {
    let all = items.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    if items.len() == 1 { format!("({all},)") } else { format!("({all})") }
}

/// Text that ends neither a comment nor a string.
fn plain(text: &str) -> String {
    text.replace(char::is_control, " ").replace('\\', "/").replace('"', "'")
}

/// A quantity with its unit.
fn with_unit(text: &str, unit: &str) -> String {
    let text = plain(text.trim().trim_end_matches('.'));
    if unit == "-" || unit.is_empty() { text } else { format!("{text} ({})", plain(unit)) }
}

/// The text at the top of a module: the law, its source, and what `about` says of the module.
/// What the text of one library consists of, beside the law.
pub(super) struct ModuleText<'a> {
    /// Paragraphs of the comment at its head.
    pub about: &'a [&'a str],
    pub imports: &'a str,
    pub helpers: &'a str,
    /// The function that runs a loop, for laws that have one.
    pub repeat: &'a str,
    /// The function of the law that does the work.
    pub kernel: fn(Library, &LawCode, &LawFunction) -> String,
}

/// The module of a law and its test.
pub(super) fn module_files(library: Library, code: &LawCode, text: &ModuleText<'_>) -> Vec<SourceFile> {
    let mut out = module_comment(code, text.about) + text.imports + &tables(code);
    code.functions.iter().for_each(|function| out += &public(library, code, function));
    out += &(memory_check(code) + text.helpers);
    if has_loops(code) {
        out += text.repeat;
    }
    out += &own_functions(library, code);
    code.functions.iter().for_each(|function| out += &(text.kernel)(library, code, function));
    vec![SourceFile { path: format!("{}.py", library.module(code)), text: out }, runner::file(library, code)]
}

fn module_comment(code: &LawCode, about: &[&str]) -> String {
    let mut lines = code.origin();
    lines.extend(about.iter().flat_map(|text| [String::new(), (*text).to_owned()]));
    let lines: Vec<String> = lines.iter().map(|line| plain(line)).collect();
    let lines: Vec<String> = wrapped(&lines, 100).iter().map(|line| line.trim_end().to_owned()).collect();
    format!("\"\"\"{}\n\"\"\"\n", lines.join("\n"))
}

/// The parameters and the names of the memory.
fn tables(code: &LawCode) -> String {
    let mut out =
        "class Params(NamedTuple):\n    \"\"\"The parameters of the law, each with its default.\"\"\"\n\n".to_owned();
    for (param, name) in code.params().iter().zip(fields(code)) {
        let Param { unit, doc, default, min, max, .. } = *param;
        let range = format!("{} to {}", short(min), short(max));
        out += &format!("    # {}, {range}\n", with_unit(doc, unit));
        out += &format!("    {name}: float = {}\n", decimal(Precision::Double, default));
    }
    if code.params().is_empty() {
        out += "    pass\n";
    }
    let states: Vec<String> = code.law.states.iter().map(|state| format!("\"{}\"", state.name)).collect();
    out += "\n\n# the numbers of the memory, in their order";
    out += if states.is_empty() { ": the law has none\n" } else { "\n" };
    out += &format!("STATES = {}\n", tuple(&states));
    out
}

/// The parameters as fields of the class.
fn fields(code: &LawCode) -> Vec<String> {
    // a field must not begin with an underscore
    let open = |name: &str| if name.starts_with('_') { format!("p{name}") } else { name.to_owned() };
    identifiers(code.params().iter().map(|p| open(p.name)), &["self", "cls"])
}

/// A function `def NAME(INPUTS):` with a statement for each operation of a program; `give` writes the outputs. Inputs of the program
/// beyond `inputs` are their changes.
fn definition(
    library: Library,
    (name, doc): (&str, &str),
    program: &Program,
    inputs: &[&str],
    give: impl Fn(&[String]) -> String,
) -> String {
    let changes = inputs.iter().map(|input| format!("d_{input}"));
    let all = inputs.iter().map(|input| (*input).to_owned()).chain(changes).take(program.inputs as usize);
    let arguments = identifiers(all, &[library.prefix(), "lax"]);
    let (lines, results) = statements(program, &library, |i| arguments.get(i as usize).cloned().unwrap_or_default());
    let mut out = format!("\n\ndef {name}({}):\n", arguments.join(", "));
    if out.len() > 100 {
        let arguments = wrapped(&[arguments.join(", ")], 92).join("\n    ");
        out = format!("\n\ndef {name}(\n    {arguments},\n):\n");
    }
    out += &format!("    # {doc}\n");
    // definitions of loops are set apart by one empty line
    let mut before = "";
    for line in &lines {
        if !line.is_empty() || !before.is_empty() {
            out += &format!("{line}\n");
        }
        before = line;
    }
    out + &format!("    return {}\n", give(&results))
}

/// A definition that gives its results as a tuple.
fn kernel(library: Library, name: &str, doc: &str, program: &Program, inputs: &[&str]) -> String {
    definition(library, (name, doc), program, inputs, tuple)
}

/// The functions that the libraries lack, if a kernel calls them.
fn own_functions(library: Library, code: &LawCode) -> String {
    let derivatives = code.functions.iter().filter_map(|function| directional_derivative(&function.program));
    let programs = code.functions.iter().map(|function| function.program.clone()).chain(derivatives);
    let called: BTreeSet<Function> = programs.flat_map(|program| program.functions()).collect();
    let mut out = String::new();
    if called.contains(&Function::Pow) {
        out += "\n\ndef _pow(x, y):\n";
        if library == Library::PyTorch {
            out += "    x = _number(x)\n";
        }
        out += "    # for a negative x, only these exponents\n";
        out += "    without = (x < 0.0) & (y != 0.0) & (y != 1.0) & (y != 2.0)\n";
        out += match library {
            Library::NumPy => "    return np.where(without, np.nan, np.power(x, y))\n",
            Library::Jax => "    return jnp.where(without, jnp.nan, jnp.power(x, y))\n",
            Library::PyTorch => "    return torch.where(without, torch.nan, torch.pow(x, y))\n",
        };
    }
    if called.contains(&Function::Uniform) {
        let doc = "a random number in [0, 1), always the same for a seed and a counter, which are whole numbers";
        let program = function_program(Function::Uniform);
        out += &definition(library, ("_uniform", doc), &program, &["seed", "counter"], |results| results.join(", "));
    }
    out
}

/// The kernel of a function, named `_NAME` with this ending.
pub(super) fn values(library: Library, code: &LawCode, function: &LawFunction, ending: &str) -> String {
    let name = function.kind.name();
    let doc = format!("gives {}", plain(&code.outputs(function.kind).join(", ")));
    kernel(library, &format!("_{name}{ending}"), &doc, &function.program, &code.inputs(function.kind))
}

/// The kernel `_NAME_slopes` of a function's values and their derivatives along a change of all inputs; none without derivatives.
fn slopes(library: Library, code: &LawCode, function: &LawFunction) -> Option<String> {
    let name = format!("_{}_slopes", function.kind.name());
    let program = directional_derivative(&function.program)?;
    let doc = "the same, then the change of each result where the inputs change by d_...";
    Some(kernel(library, &name, doc, &program, &code.inputs(function.kind)))
}

/// A function that differentiates: its kernels and what joins them.
pub(super) fn differentiable(library: Library, code: &LawCode, function: &LawFunction) -> String {
    let name = function.kind.name();
    let mut out = values(library, code, function, "_values");
    match slopes(library, code, function) {
        Some(slopes) => out += &(slopes + &format!("\n\n_{name} = _differentiable(_{name}_values, _{name}_slopes)\n")),
        None => out += &format!("\n\n_{name} = _{name}_values\n"),
    }
    out
}

/// Whether a function has an iteration.
fn has_loops(code: &LawCode) -> bool {
    code.functions.iter().any(|function| function.program.loops().next().is_some())
}

/// The function that takes a memory apart, if the law has one.
fn memory_check(code: &LawCode) -> String {
    if code.law.states.is_empty() {
        return String::new();
    }
    r#"

def _split(memory):
    if len(memory) != len(STATES):
        raise ValueError(f"memory has {len(memory)} numbers along its first axis instead of {len(STATES)}")
    return tuple(memory)
"#
    .to_owned()
}

/// The function that a user calls.
fn public(library: Library, code: &LawCode, function: &LawFunction) -> String {
    let kind = function.kind;
    let memory = kind.takes_memory() && !code.law.states.is_empty();
    let signals: Vec<&str> = kind.signals().iter().map(|signal| signal.name).collect();
    let mut arguments = signals.clone();
    arguments.extend(memory.then_some("memory"));
    arguments.push("params=Params()");
    let mut out = format!("\n\ndef {}({}):\n", kind.name(), arguments.join(", "));
    out += &documentation(code, kind, memory);
    let memory = if memory { ", *_split(memory)" } else { "" };
    out += &format!("    out = _run(_{}, ({}{memory}, *params))\n", kind.name(), signals.join(", "));
    let count = kind.results().len();
    let mut results: Vec<String> = (0..count).map(|k| format!("out[{k}]")).collect();
    if kind.gives_memory() && !code.law.states.is_empty() {
        let rest = if count == 0 { "out".to_owned() } else { format!("out[{count}:]") };
        results.push(format!("{}.stack({rest})", library.prefix()));
    }
    out + &format!("    return {}\n", results.join(", "))
}

fn documentation(code: &LawCode, kind: FunctionKind, memory: bool) -> String {
    let states =
        || code.law.states.iter().map(|state| with_unit(state.name, state.unit)).collect::<Vec<_>>().join(", ");
    let signal =
        |signal: &Signal| format!("    {}: {}", signal.name, with_unit(code.doc_of(signal), code.unit_of(signal)));
    let mut lines = vec![format!("{}.", plain(kind.doc())), String::new()];
    lines.extend(kind.signals().iter().map(signal));
    if memory {
        lines.push(format!("    memory: {}, along the first axis", states()));
    }
    lines.push("    params: the parameters".to_owned());
    let mut results: Vec<String> = kind.results().iter().map(|s| with_unit(s.name, code.unit_of(s))).collect();
    if kind.gives_memory() && !code.law.states.is_empty() {
        let what = if kind == FunctionKind::Rate { "the rate of each number of the memory" } else { "memory" };
        results.push(format!("{what} along the first axis"));
    }
    lines.push(String::new());
    lines.push(format!("Returns {}.", results.join(", ")));
    let lines: Vec<String> =
        wrapped(&lines, 92).iter().map(|line| format!("    {line}").trim_end().to_owned()).collect();
    format!("    \"\"\"{}\n    \"\"\"\n", lines.join("\n").trim_start())
}

#[cfg(test)]
mod tests {
    use crate::Spec;
    use crate::export::law::{FunctionKind, LawCode};
    use stiction_core::program::{Builder, Precision, directional_derivative};
    use stiction_core::{Dual, Real};

    /// At the exponents 0, 1 and 2, of bases of both signs: those of dual numbers, and those of calculus.
    #[test]
    fn a_power_has_its_derivatives_at_every_exponent() {
        let mut builder = Builder::new(Precision::Double);
        let (x, y) = (builder.input(0), builder.input(1));
        let power = builder.power(x, y);
        let slopes = directional_derivative(&builder.program(2, &[power])).unwrap();
        for (x, y) in
            [(3.0, 0.0), (3.0, 1.0), (3.0, 2.0), (3.0, 1.5), (-3.0, 0.0), (-3.0, 1.0), (-3.0, 2.0), (0.0, 2.0)]
        {
            let dual = Dual::<f64, 2>::var(x, 0).powf(Dual::var(y, 1));
            let by_x = slopes.evaluate(&[x, y, 1.0, 0.0]);
            let by_y = slopes.evaluate(&[x, y, 0.0, 1.0]);
            assert_eq!([dual.re, dual.eps[0], dual.eps[1]], [by_x[0], by_x[1], by_y[1]], "{x}^{y}");
            let want = if y == 0.0 { 0.0 } else { y * x.powf(y - 1.0) };
            let by_exponent = if x > 0.0 { x.powf(y) * x.ln() } else { 0.0 };
            // some units in the last place
            assert!(
                (by_x[1] - want).abs() < 1e-14 && (by_y[1] - by_exponent).abs() < 1e-13,
                "{x}^{y}: {by_x:?} {by_y:?}"
            );
        }
    }

    #[test]
    fn derivatives_by_exponents_are_right_at_their_defaults() {
        let code = LawCode::new(Spec::new("lugre").unwrap().law()).unwrap();
        for kind in [FunctionKind::Steady, FunctionKind::Step, FunctionKind::Contact] {
            let program = &code.function(kind).unwrap().program;
            let slopes = directional_derivative(program).unwrap();
            let names = code.inputs(kind);
            let value = |name: &str| code.params().iter().find(|p| p.name == name).map_or(0.0, |p| p.default);
            let inputs: Vec<f64> = names
                .iter()
                .map(|name| match *name {
                    "v" => 7e-4,
                    "load" | "mass" => 1.0,
                    "dt" => 1e-3,
                    "applied" => 3.0,
                    "z" => 1e-5,
                    name => value(name),
                })
                .collect();
            for name in ["exponent", "gamma"] {
                let i = names.iter().position(|known| *known == name).unwrap();
                let moved = |h: f64| {
                    let mut at = inputs.clone();
                    at[i] += h;
                    program.evaluate(&at)[0]
                };
                let h = 1e-6;
                let want = (moved(h) - moved(-h)) / (2.0 * h);
                let mut at = inputs.clone();
                at.extend((0..inputs.len()).map(|k| f64::from(u8::from(k == i))));
                let got = slopes.evaluate(&at)[slopes.outputs.len() / 2];
                // the difference of values with rounding errors of 1e-16, divided by 2e-6; its error of second order is less
                assert!(
                    want != 0.0 && (got - want).abs() < 1e-9 + 1e-6 * want.abs(),
                    "{kind:?} by {name}: {got}, {want}"
                );
                assert_eq!(slopes.evaluate(&at)[0].to_bits(), program.evaluate(&inputs)[0].to_bits(), "{kind:?}");
            }
        }
    }
}
