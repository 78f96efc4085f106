//! Parts common to all languages: one statement per operation, names of values, literals.
use super::controller::{ControllerProgram, ExportPlan, StructField};
use crate::number::short;
use crate::{ParameterGroup, Spec};
use stiction_core::Param;
use stiction_core::program::Program;
use stiction_core::program::{Arithmetic, Function, Loop, Operation, OperationId, Precision, Value, WordOperator};

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueKind {
    Number,
    Boolean,
    Word,
}

/// The syntax of a language. Operands are names or literals, so no parentheses are needed.
pub(super) trait Syntax {
    fn declare(&self, kind: ValueKind, precision: Precision, name: &str, value: &str) -> String;
    fn number(&self, precision: Precision, x: f64) -> String;
    fn boolean(&self, truth: bool) -> String {
        truth.to_string()
    }
    fn word(&self, x: u64) -> String;
    fn arithmetic(&self, operator: Arithmetic, a: &str, b: &str) -> String {
        let sign = match operator {
            Arithmetic::Add => '+',
            Arithmetic::Subtract => '-',
            Arithmetic::Multiply => '*',
            Arithmetic::Divide => '/',
        };
        format!("{a} {sign} {b}")
    }
    fn abs(&self, precision: Precision, a: &str) -> String;
    fn call(&self, precision: Precision, function: Function, args: &[&str]) -> String;
    fn same(&self, a: &str, b: &str) -> String;
    fn nan(&self, a: &str) -> String;
    fn not(&self, a: &str) -> String {
        format!("!{a}")
    }
    fn and(&self, a: &str, b: &str) -> String {
        format!("{a} & {b}")
    }
    fn or(&self, a: &str, b: &str) -> String {
        format!("{a} | {b}")
    }
    fn select(&self, m: &str, a: &str, b: &str) -> String;
    fn bits(&self, a: &str) -> String;
    fn of_bits(&self, a: &str) -> String;
    fn word_arithmetic(&self, operator: WordOperator, a: &str, b: &str) -> String;
    fn shift(&self, a: &str, left: bool, n: u32) -> String {
        format!("{a} {} {n}", if left { "<<" } else { ">>" })
    }
    /// A loop: see [`LoopText`].
    fn repeat(&self, precision: Precision, repeat: &LoopText) -> Vec<String>;
}

/// A loop in the making.
pub(super) struct LoopText {
    /// A number of its own.
    pub index: usize,
    /// Most turns.
    pub count: u32,
    /// The variables that are carried, with their value before the first turn and after each.
    pub carried: Vec<CarriedText>,
    /// The statements of a turn, with the indentation of the function.
    pub lines: Vec<String>,
    /// The condition to end after a turn; none if it never holds.
    pub done: Option<String>,
}

/// A variable that a loop carries.
pub(super) struct CarriedText {
    pub name: String,
    pub start: String,
    /// Its value after a turn. It names no carried variable but itself.
    pub next: String,
}

impl LoopText {
    /// A loop with braces: `declare` makes a variable, `head` begins the loop.
    pub fn with_braces(
        &self,
        declare: impl Fn(&CarriedText) -> String,
        head: &str,
        done: impl Fn(&str) -> String,
    ) -> Vec<String> {
        let mut out: Vec<String> = self.carried.iter().map(declare).collect();
        out.push(format!("    {head} {{"));
        out.extend(self.lines.iter().map(|line| format!("    {line}")));
        let changed = self.carried.iter().filter(|carried| carried.name != carried.next);
        out.extend(changed.map(|carried| format!("        {} = {};", carried.name, carried.next)));
        out.extend(self.done.iter().map(|condition| format!("        {}", done(condition))));
        out.push("    }".to_owned());
        out
    }
}

/// The statements of a program and the names of its outputs. `input` names the inputs.
pub(super) fn statements(
    program: &Program,
    syntax: &impl Syntax,
    input: impl Fn(u32) -> String,
) -> (Vec<String>, Vec<String>) {
    let mut names = Names { values: 0, loops: 0 };
    let inputs: Vec<String> = (0..program.inputs).map(input).collect();
    names.block(program, syntax, &inputs)
}

/// Counts what has been named.
struct Names {
    values: usize,
    loops: usize,
}

impl Names {
    fn block(&mut self, program: &Program, syntax: &impl Syntax, inputs: &[String]) -> (Vec<String>, Vec<String>) {
        let precision = program.precision;
        let mut names: Vec<String> = Vec::with_capacity(program.operations.len());
        let mut lines = Vec::new();
        for operation in &program.operations {
            let name = match operation {
                Operation::Input(i) => inputs.get(*i as usize).cloned().unwrap_or_default(),
                Operation::Literal(Value::Number(bits)) => syntax.number(precision, f64::from_bits(*bits)),
                Operation::Literal(Value::Word(word)) => syntax.word(*word),
                Operation::Literal(Value::Boolean(truth)) => syntax.boolean(*truth),
                Operation::Repeat(repeat) => {
                    let index = self.loops;
                    let text = self.repeat(repeat, syntax, &names);
                    lines.extend(syntax.repeat(precision, &text));
                    format!("r{index}")
                }
                Operation::Carried(repeat, k) => format!("{}_{k}", names[*repeat as usize]),
                operation => {
                    let name = self.next(kind(operation));
                    let value = value(operation, syntax, precision, &names);
                    lines.push(syntax.declare(kind(operation), precision, &name, &value));
                    name
                }
            };
            names.push(name);
        }
        let outputs = program.outputs.iter().map(|id| names[*id as usize].clone()).collect();
        (lines, outputs)
    }
    fn next(&mut self, kind: ValueKind) -> String {
        let letter = match kind {
            ValueKind::Number => 't',
            ValueKind::Boolean => 'm',
            ValueKind::Word => 'w',
        };
        self.values += 1;
        format!("{letter}{}", self.values - 1)
    }
    fn repeat(&mut self, repeat: &Loop, syntax: &impl Syntax, names: &[String]) -> LoopText {
        let index = self.loops;
        self.loops += 1;
        let of = |id: &OperationId| names[*id as usize].clone();
        let variables: Vec<String> = (0..repeat.start.len()).map(|k| format!("r{index}_{k}")).collect();
        let inputs: Vec<String> = variables.iter().cloned().chain(repeat.captured.iter().map(of)).collect();
        let (mut lines, mut outputs) = self.block(&repeat.body, syntax, &inputs);
        let done = outputs.pop().filter(|done| *done != syntax.boolean(false));
        // what another variable was before the turn is kept until all are assigned
        for (k, next) in outputs.iter_mut().enumerate() {
            if variables.iter().enumerate().any(|(other, name)| other != k && name == next) {
                let kept = self.next(ValueKind::Number);
                lines.push(syntax.declare(ValueKind::Number, repeat.body.precision, &kept, next));
                *next = kept;
            }
        }
        let start = repeat.start.iter().map(of);
        let carried = variables.into_iter().zip(start).zip(outputs);
        let carried = carried.map(|((name, start), next)| CarriedText { name, start, next }).collect();
        LoopText { index, count: repeat.count, carried, lines, done }
    }
}

/// Whether an operation gives a number, a boolean or a word.
pub(super) fn kind(operation: &Operation) -> ValueKind {
    match operation {
        Operation::Literal(Value::Word(_))
        | Operation::ToBits(_)
        | Operation::Word(..)
        | Operation::ShiftLeft(..)
        | Operation::ShiftRight(..) => ValueKind::Word,
        operation if operation.is_boolean() => ValueKind::Boolean,
        _ => ValueKind::Number,
    }
}

fn value(operation: &Operation, syntax: &impl Syntax, precision: Precision, names: &[String]) -> String {
    let of = |id: &OperationId| names[*id as usize].as_str();
    let between = |a: &OperationId, sign: &str, b: &OperationId| format!("{} {sign} {}", of(a), of(b));
    match operation {
        Operation::Arithmetic(operator, a, b) => syntax.arithmetic(*operator, of(a), of(b)),
        Operation::Negate(a) => format!("-{}", of(a)),
        Operation::Abs(a) => syntax.abs(precision, of(a)),
        Operation::Call(function, a, b) => syntax.call(precision, *function, &[of(a), of(b)][..function.arity()]),
        Operation::Less(a, b) => between(a, "<", b),
        Operation::Equal(a, b) => syntax.same(of(a), of(b)),
        Operation::IsNan(a) => syntax.nan(of(a)),
        Operation::And(a, b) => syntax.and(of(a), of(b)),
        Operation::Or(a, b) => syntax.or(of(a), of(b)),
        Operation::Not(a) => syntax.not(of(a)),
        Operation::Select(m, a, b) => syntax.select(of(m), of(a), of(b)),
        Operation::ToBits(a) => syntax.bits(of(a)),
        Operation::FromBits(a) => syntax.of_bits(of(a)),
        Operation::Word(operator, a, b) => syntax.word_arithmetic(*operator, of(a), of(b)),
        Operation::ShiftLeft(a, n) => syntax.shift(of(a), true, *n),
        Operation::ShiftRight(a, n) => syntax.shift(of(a), false, *n),
        Operation::Input(_) | Operation::Literal(_) | Operation::Repeat(_) | Operation::Carried(..) => String::new(),
    }
}

/// The shortest decimal that reads back as the same number in this precision, with a point or an exponent.
pub(super) fn decimal(precision: Precision, x: f64) -> String {
    let mut text = match precision {
        Precision::Double => short(x),
        Precision::Single => {
            let x = x as f32;
            if x == 0.0 || (1e-3..1e5).contains(&x.abs()) { x.to_string() } else { format!("{x:e}") }
        }
    };
    if !text.contains(['.', 'e']) {
        text += ".0";
    }
    text
}

/// The header comment of a file: its purpose, its source, its operation count.
pub(super) fn file_header(plan: &ExportPlan, controller: &ControllerProgram) -> Vec<String> {
    let mut out = vec![format!("{}: a controller, one sample of {} s at a time.", plan.name, short(plan.period))];
    out.push(String::new());
    let source = plan.source.replace(char::is_control, " ");
    out.push(format!("Made by stiction {} from {source}. Do not edit: generate it again.", env!("CARGO_PKG_VERSION")));
    out.push("SI units; where the body turns, rad for m and N·m for N.".to_owned());
    out.push(String::new());
    for part in &plan.parts {
        let rows = part.entry.params.iter().zip(&part.values).map(|(p, x)| (p, *x));
        out.push(format!("{}: {}", part.entry.name, values(rows)));
        if let Some(law) = &part.law {
            out.extend(law_lines(law));
        }
    }
    out.push(format!("limit of the command: {} N", short(plan.limit)));
    if let Some(jump) = plan.jump {
        out.push(format!("largest change of the position in a sample: {} m", short(jump)));
    }
    out.push(String::new());
    let loops = controller.program.loops().next().is_some();
    let most =
        if loops { "at most: iterations end when nothing changes any more" } else { "constant, there are no branches" };
    out.push(format!("Operations per sample ({most}):"));
    out.push(format!("  {}", controller.cost));
    let all = controller.cost.expanded();
    if !controller.cost.calls.is_empty() {
        out.push(format!("with what is within functions: {all}"));
    }
    out.push(format!("{} operations in all; {} numbers of memory.", all.total(), controller.state.len()));
    out
}

/// Numbers with their names and units.
fn values<'a>(rows: impl Iterator<Item = (&'a Param, f64)>) -> String {
    let unit = |p: &Param| if p.unit == "-" { String::new() } else { format!(" {}", p.unit) };
    rows.map(|(p, x)| format!("{} = {}{}", p.name, short(x), unit(p))).collect::<Vec<_>>().join(", ")
}

/// The comment of a field, with its unit.
pub(super) fn field_comment(field: &StructField) -> String {
    if field.unit == "-" { field.doc.clone() } else { format!("{} ({})", field.doc, field.unit) }
}

fn law_lines(law: &Spec) -> Vec<String> {
    let mut out = Vec::new();
    for part in [ParameterGroup::Law, ParameterGroup::Reverse, ParameterGroup::Load] {
        let rows = law.rows(part);
        if part == ParameterGroup::Law || !rows.is_empty() {
            let prefix = if part == ParameterGroup::Law { String::new() } else { format!(" {}", part.prefix()) };
            out.push(format!("  law {}{prefix}: {}", law.law().name, values(rows.into_iter())));
        }
    }
    out
}

/// Wraps lines at spaces to at most `width` characters.
pub(super) fn wrapped(lines: &[String], width: usize) -> Vec<String> {
    let mut out = Vec::new();
    for line in lines {
        let indent: String = line.chars().take_while(|c| *c == ' ').collect();
        let mut current = String::new();
        for word in line.split(' ').filter(|word| !word.is_empty()) {
            if !current.is_empty() && current.chars().count() + 1 + word.chars().count() > width {
                out.push(std::mem::take(&mut current));
            }
            current += if current.is_empty() { &indent } else { " " };
            current += word;
        }
        out.push(current);
    }
    out
}

/// The comment of the field `fault`.
pub(super) const FAULT_DOC: &str = "0: none; 1: measurement not finite; 2: reference not finite; 4: position jump; codes add up. In a faulty sample the memory stays as it was and the command is the last good one";
