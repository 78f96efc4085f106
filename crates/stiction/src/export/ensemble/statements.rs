//! Programs as statements of a kernel: plain operators, so that a compiler may fuse products and sums.
use crate::export::language_c::C;
use crate::export::source_text::Syntax;
use stiction_core::program::{Arithmetic, Operation, OperationId, Precision, Program, Value};

/// The prefix of elementary functions.
pub(super) const PREFIX: &str = "law";

/// Under which condition a value is used: the id of a boolean, and whether it holds. A value that is used elsewhere has none.
type Condition = Option<(OperationId, bool)>;

/// The conditions under which the operations of a program matter.
fn conditions(program: &Program) -> Vec<Condition> {
    #[derive(Clone, Copy, PartialEq)]
    enum Use {
        Never,
        Under(OperationId, bool),
        Always,
    }
    let mut uses = vec![Use::Never; program.operations.len()];
    let meet = |a: Use, b: Use| match (a, b) {
        (Use::Never, x) | (x, Use::Never) => x,
        (a, b) if a == b => a,
        _ => Use::Always,
    };
    program.outputs.iter().for_each(|id| uses[*id as usize] = Use::Always);
    for (id, operation) in program.operations.iter().enumerate().rev() {
        let own = uses[id];
        if let Operation::Select(mask, yes, no) = operation {
            uses[*mask as usize] = meet(uses[*mask as usize], own);
            for (arm, holds) in [(yes, true), (no, false)] {
                // a condition within a condition is not needed: the outer one alone saves as much
                let inner = if own == Use::Always { Use::Under(*mask, holds) } else { own };
                uses[*arm as usize] = meet(uses[*arm as usize], inner);
            }
        } else {
            operation.operands().for_each(|of| uses[of as usize] = meet(uses[of as usize], own));
        }
    }
    uses.iter().map(|used| if let Use::Under(mask, holds) = used { Some((*mask, *holds)) } else { None }).collect()
}

/// The statements of a program without loops, and the texts of its outputs. Calls whose result is not always used are made only where it is.
pub(super) fn statements(program: &Program, input: impl Fn(u32) -> String) -> (String, Vec<String>) {
    let syntax = C(PREFIX);
    let number = |x: f64| syntax.number(Precision::Double, x);
    let conditions = conditions(program);
    let mut names: Vec<String> = Vec::with_capacity(program.operations.len());
    let mut out = String::new();
    for (id, operation) in program.operations.iter().enumerate() {
        let of = |id: &OperationId| names[*id as usize].as_str();
        let value = match operation {
            Operation::Input(i) => {
                names.push(input(*i));
                continue;
            }
            Operation::Literal(value) => {
                names.push(match value {
                    Value::Number(bits) => match number(f64::from_bits(*bits)) {
                        text if text.starts_with('-') => format!("({text})"),
                        text => text,
                    },
                    Value::Word(word) => syntax.word(*word),
                    Value::Boolean(truth) => syntax.boolean(*truth),
                });
                continue;
            }
            Operation::Arithmetic(Arithmetic::Divide, a, b) if of(a) == "1.0" => format!("reciprocal({})", of(b)),
            Operation::Arithmetic(operator, a, b) => syntax.arithmetic(*operator, of(a), of(b)),
            Operation::Negate(a) => format!("-{}", of(a)),
            Operation::Abs(a) => format!("fabs({})", of(a)),
            Operation::Call(function, a, b) => {
                let args = [of(a), of(b)];
                let call = syntax.call(Precision::Double, *function, &args[..function.arity()]);
                // laws compare with bounds that are rarely exceeded: what holds within them is nearly always used
                match conditions[id] {
                    Some((mask, true)) if (mask as usize) < id => format!("{} ? {call} : 0.0", of(&mask)),
                    _ => call,
                }
            }
            Operation::Less(a, b) => format!("{} < {}", of(a), of(b)),
            Operation::Equal(a, b) => syntax.same(of(a), of(b)),
            Operation::IsNan(a) => syntax.nan(of(a)),
            Operation::And(a, b) => syntax.and(of(a), of(b)),
            Operation::Or(a, b) => syntax.or(of(a), of(b)),
            Operation::Not(a) => syntax.not(of(a)),
            Operation::Select(mask, a, b) => syntax.select(of(mask), of(a), of(b)),
            Operation::ToBits(a) => syntax.bits(of(a)),
            Operation::FromBits(a) => syntax.of_bits(of(a)),
            Operation::Word(operator, a, b) => syntax.word_arithmetic(*operator, of(a), of(b)),
            Operation::ShiftLeft(a, n) => syntax.shift(of(a), true, *n),
            Operation::ShiftRight(a, n) => syntax.shift(of(a), false, *n),
            // laws with loops are refused before
            Operation::Repeat(_) | Operation::Carried(..) => "0.0".to_owned(),
        };
        let (kind, letter) = match operation {
            operation if operation.is_boolean() => ("int", 'm'),
            Operation::ToBits(_) | Operation::Word(..) | Operation::ShiftLeft(..) | Operation::ShiftRight(..) => {
                ("uint64_t", 'w')
            }
            _ => ("double", 't'),
        };
        let name = format!("{letter}{id}");
        out += &format!("    const {kind} {name} = {value};\n");
        names.push(name);
    }
    (out, program.outputs.iter().map(|id| names[*id as usize].clone()).collect())
}
