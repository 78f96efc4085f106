//! What is the same in every language: one statement for each instruction, names of values, literals.
use super::controller::{Field, Plan, Step};
use super::op::{Arith, Function, Id, Op, Precision, Value, Wordy};
use super::program::Program;
use crate::number::short;
use crate::{Part, Spec};
use stiction_core::Param;

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Number,
    Truth,
    Word,
}

/// How a language says things. Operands are names or literals, so nothing needs brackets.
pub(super) trait Dialect {
    fn declare(&self, kind: Kind, precision: Precision, name: &str, value: &str) -> String;
    fn number(&self, precision: Precision, x: f64) -> String;
    fn word(&self, x: u64) -> String;
    fn abs(&self, precision: Precision, a: &str) -> String;
    fn call(&self, precision: Precision, function: Function, args: &[&str]) -> String;
    fn same(&self, a: &str, b: &str) -> String;
    fn nan(&self, a: &str) -> String;
    fn select(&self, m: &str, a: &str, b: &str) -> String;
    fn bits(&self, a: &str) -> String;
    fn of_bits(&self, a: &str) -> String;
    fn arithmetic(&self, op: Wordy, a: &str, b: &str) -> String;
}

/// The statements of a program, and how its outputs are called. `input` names inputs.
pub(super) fn statements(
    program: &Program,
    dialect: &impl Dialect,
    input: impl Fn(u32) -> String,
) -> (Vec<String>, Vec<String>) {
    let precision = program.precision;
    let mut names: Vec<String> = Vec::with_capacity(program.ops.len());
    let (mut lines, mut count) = (Vec::new(), 0);
    for op in &program.ops {
        let name = match op {
            Op::Input(i) => input(*i),
            Op::Lit(Value::Number(bits)) => dialect.number(precision, f64::from_bits(*bits)),
            Op::Lit(Value::Word(word)) => dialect.word(*word),
            Op::Lit(Value::Truth(truth)) => truth.to_string(),
            op => {
                let kind = kind(op);
                let letter = match kind {
                    Kind::Number => 't',
                    Kind::Truth => 'm',
                    Kind::Word => 'w',
                };
                let name = format!("{letter}{count}");
                count += 1;
                lines.push(dialect.declare(kind, precision, &name, &value(op, dialect, precision, &names)));
                name
            }
        };
        names.push(name);
    }
    let outputs = program.outputs.iter().map(|id| names[*id as usize].clone()).collect();
    (lines, outputs)
}

fn kind(op: &Op) -> Kind {
    match op {
        Op::Less(..) | Op::Same(..) | Op::Nan(_) | Op::And(..) | Op::Or(..) | Op::Not(_) => Kind::Truth,
        Op::Bits(_) | Op::Word(..) | Op::Left(..) | Op::Right(..) => Kind::Word,
        _ => Kind::Number,
    }
}

fn value(op: &Op, dialect: &impl Dialect, precision: Precision, names: &[String]) -> String {
    let of = |id: &Id| names[*id as usize].as_str();
    let between = |a: &Id, sign: &str, b: &Id| format!("{} {sign} {}", of(a), of(b));
    match op {
        Op::Arith(Arith::Add, a, b) => between(a, "+", b),
        Op::Arith(Arith::Sub, a, b) => between(a, "-", b),
        Op::Arith(Arith::Mul, a, b) => between(a, "*", b),
        Op::Arith(Arith::Div, a, b) => between(a, "/", b),
        Op::Neg(a) => format!("-{}", of(a)),
        Op::Abs(a) => dialect.abs(precision, of(a)),
        Op::Call(function, a, b) => dialect.call(precision, *function, &[of(a), of(b)][..function.arity()]),
        Op::Less(a, b) => between(a, "<", b),
        Op::Same(a, b) => dialect.same(of(a), of(b)),
        Op::Nan(a) => dialect.nan(of(a)),
        Op::And(a, b) | Op::Word(Wordy::And, a, b) => between(a, "&", b),
        Op::Or(a, b) | Op::Word(Wordy::Or, a, b) => between(a, "|", b),
        Op::Word(Wordy::Xor, a, b) => between(a, "^", b),
        Op::Not(a) => format!("!{}", of(a)),
        Op::Select(m, a, b) => dialect.select(of(m), of(a), of(b)),
        Op::Bits(a) => dialect.bits(of(a)),
        Op::OfBits(a) => dialect.of_bits(of(a)),
        Op::Word(op, a, b) => dialect.arithmetic(*op, of(a), of(b)),
        Op::Left(a, n) => format!("{} << {n}", of(a)),
        Op::Right(a, n) => format!("{} >> {n}", of(a)),
        Op::Input(_) | Op::Lit(_) => String::new(),
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

/// The head of a file: what it is, from what it was made, what it costs.
pub(super) fn head(plan: &Plan, step: &Step) -> Vec<String> {
    let mut out = vec![format!("{}: a controller, one sample of {} s at a time.", plan.name, short(plan.period))];
    out.push(String::new());
    let source = plan.source.replace(char::is_control, " ");
    out.push(format!("Made by stiction {} from {source}. Do not edit: make it anew.", env!("CARGO_PKG_VERSION")));
    out.push("SI units; where the body turns, rad for m and N·m for N.".to_owned());
    out.push(String::new());
    for piece in &plan.pieces {
        let rows = piece.entry.params.iter().zip(&piece.values).map(|(p, x)| (p, *x));
        out.push(format!("{}: {}", piece.entry.name, values(rows)));
        if let Some(law) = &piece.law {
            out.extend(law_lines(law));
        }
    }
    out.push(format!("limit of the command: {} N", short(plan.limit)));
    if let Some(jump) = plan.jump {
        out.push(format!("largest change of the position in a sample: {} m", short(jump)));
    }
    out.push(String::new());
    out.push("Each sample costs, always, for nothing branches:".to_owned());
    out.push(format!("  {}", step.cost));
    let all = step.cost.expanded();
    if !step.cost.calls.is_empty() {
        out.push(format!("with what is within functions: {all}"));
    }
    out.push(format!("{} operations in all; {} numbers of memory.", all.total(), step.state.len()));
    out
}

/// Numbers with their names and units.
fn values<'a>(rows: impl Iterator<Item = (&'a Param, f64)>) -> String {
    let unit = |p: &Param| if p.unit == "-" { String::new() } else { format!(" {}", p.unit) };
    rows.map(|(p, x)| format!("{} = {}{}", p.name, short(x), unit(p))).collect::<Vec<_>>().join(", ")
}

/// What a field is, with its unit.
pub(super) fn described(field: &Field) -> String {
    if field.unit == "-" { field.doc.clone() } else { format!("{} ({})", field.doc, field.unit) }
}

fn law_lines(law: &Spec) -> Vec<String> {
    let mut out = Vec::new();
    for part in [Part::Law, Part::Reverse, Part::Load] {
        let rows = law.rows(part);
        if part == Part::Law || !rows.is_empty() {
            let prefix = if part == Part::Law { String::new() } else { format!(" {}", part.prefix()) };
            out.push(format!("  law {}{prefix}: {}", law.law().name, values(rows.into_iter())));
        }
    }
    out
}

/// Breaks lines at spaces so that none with its margin is longer than a page is wide.
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

/// What a fault means, for the comment of the field.
pub(super) const FAULT: &str = "0: none; 1: what is measured is not a number; 2: what is wanted is not a number; 4: the position jumped; they add up. In a faulty sample the memory stays as it was and the command is the last good one";
