//! A program as text: one operation a line. It prints, reads back as the same program, and two of them can be compared.
//!
//! ```text
//! program double 2
//! %0 = input 0
//! %1 = input 1
//! %2 = multiply %0 %1
//! return %2
//! ```
use super::operation::{Arithmetic, Function, Operation, OperationId, Precision, Value, WordOperator};
use super::straight_line::Program;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// What is wrong in the text of a program, and in which line, from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line.
    pub line: usize,
    /// What was expected there.
    pub expected: &'static str,
}
impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the program: {} expected", self.line, self.expected)
    }
}
impl core::error::Error for ParseError {}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let precision = match self.precision {
            Precision::Single => "single",
            Precision::Double => "double",
        };
        writeln!(f, "program {precision} {}", self.inputs)?;
        for (i, operation) in self.operations.iter().enumerate() {
            write!(f, "%{i} = ")?;
            match operation {
                Operation::Input(input) => write!(f, "input {input}")?,
                Operation::Literal(Value::Number(bits)) => write!(f, "number {:?}", f64::from_bits(*bits))?,
                Operation::Literal(Value::Boolean(truth)) => write!(f, "boolean {truth}")?,
                Operation::Literal(Value::Word(word)) => write!(f, "word {word:#018x}")?,
                operation => {
                    f.write_str(name(operation))?;
                    let count = arity(operation);
                    for id in operation.operands().take(count) {
                        write!(f, " %{id}")?;
                    }
                    if let Operation::ShiftLeft(_, n) | Operation::ShiftRight(_, n) = operation {
                        write!(f, " {n}")?;
                    }
                }
            }
            f.write_str("\n")?;
        }
        f.write_str("return")?;
        self.outputs.iter().try_for_each(|id| write!(f, " %{id}"))?;
        f.write_str("\n")
    }
}

fn arity(operation: &Operation) -> usize {
    if let Operation::Call(function, ..) = operation { function.arity() } else { 3 }
}

fn name(operation: &Operation) -> &'static str {
    match operation {
        Operation::Input(_) | Operation::Literal(_) => "",
        Operation::Arithmetic(Arithmetic::Add, ..) => "add",
        Operation::Arithmetic(Arithmetic::Subtract, ..) => "subtract",
        Operation::Arithmetic(Arithmetic::Multiply, ..) => "multiply",
        Operation::Arithmetic(Arithmetic::Divide, ..) => "divide",
        Operation::Negate(_) => "negate",
        Operation::Abs(_) => "abs",
        Operation::Call(function, ..) => function.name(),
        Operation::Less(..) => "less",
        Operation::Equal(..) => "equal",
        Operation::IsNan(_) => "is_nan",
        Operation::And(..) => "and",
        Operation::Or(..) => "or",
        Operation::Not(_) => "not",
        Operation::Select(..) => "select",
        Operation::ToBits(_) => "to_bits",
        Operation::FromBits(_) => "from_bits",
        Operation::Word(operator, ..) => match operator {
            WordOperator::And => "word_and",
            WordOperator::Or => "word_or",
            WordOperator::Xor => "word_xor",
            WordOperator::Add => "word_add",
            WordOperator::Subtract => "word_subtract",
            WordOperator::Multiply => "word_multiply",
        },
        Operation::ShiftLeft(..) => "shift_left",
        Operation::ShiftRight(..) => "shift_right",
    }
}

/// One operation of each name, to be given its operands.
fn operation(name: &str, of: &[OperationId], shift: u32) -> Option<Operation> {
    let [a, b, c] = [0, 1, 2].map(|i| of.get(i).copied().unwrap_or(0));
    let all = [
        Operation::Arithmetic(Arithmetic::Add, a, b),
        Operation::Arithmetic(Arithmetic::Subtract, a, b),
        Operation::Arithmetic(Arithmetic::Multiply, a, b),
        Operation::Arithmetic(Arithmetic::Divide, a, b),
        Operation::Negate(a),
        Operation::Abs(a),
        Operation::Less(a, b),
        Operation::Equal(a, b),
        Operation::IsNan(a),
        Operation::And(a, b),
        Operation::Or(a, b),
        Operation::Not(a),
        Operation::Select(a, b, c),
        Operation::ToBits(a),
        Operation::FromBits(a),
        Operation::Word(WordOperator::And, a, b),
        Operation::Word(WordOperator::Or, a, b),
        Operation::Word(WordOperator::Xor, a, b),
        Operation::Word(WordOperator::Add, a, b),
        Operation::Word(WordOperator::Subtract, a, b),
        Operation::Word(WordOperator::Multiply, a, b),
        Operation::ShiftLeft(a, shift),
        Operation::ShiftRight(a, shift),
    ];
    let calls = Function::ALL.map(|f| Operation::Call(f, a, if f.arity() == 1 { a } else { b }));
    let found = all.into_iter().chain(calls).find(|operation| self::name(operation) == name)?;
    (found.operands().take(arity(&found)).count() == of.len()).then_some(found)
}

impl core::str::FromStr for Program {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let fail = |line: usize, expected: &'static str| ParseError { line: line + 1, expected };
        let (at, head) = lines.next().ok_or(fail(0, "'program double' and the number of inputs"))?;
        let head: Vec<&str> = head.split_whitespace().collect();
        let (precision, inputs) = match head[..] {
            ["program", "single", inputs] => (Precision::Single, inputs.parse()),
            ["program", "double", inputs] => (Precision::Double, inputs.parse()),
            _ => return Err(fail(at, "'program double' and the number of inputs")),
        };
        let inputs = inputs.map_err(|_| fail(at, "the number of inputs"))?;
        let mut operations: Vec<Operation> = Vec::new();
        for (at, line) in lines {
            let words: Vec<&str> = line.split_whitespace().collect();
            // an earlier operation
            let id = |word: &str| {
                let id = word.strip_prefix('%').and_then(|id| id.parse::<OperationId>().ok());
                id.filter(|id| (*id as usize) < operations.len()).ok_or(fail(at, "an earlier operation, as %3,"))
            };
            let next = match words[..] {
                ["return", ref outputs @ ..] => {
                    let outputs = outputs.iter().map(|word| id(word)).collect::<Result<Vec<_>, _>>()?;
                    return Ok(Self { precision, operations, inputs, outputs });
                }
                [name, "=", ref what @ ..] if name == numbered(operations.len()) => match *what {
                    ["input", i] => i.parse().ok().filter(|i| *i < inputs).map(Operation::Input),
                    ["number", x] => x.parse().ok().map(|x| Operation::Literal(Value::number(x))),
                    ["boolean", x] => x.parse().ok().map(|x| Operation::Literal(Value::Boolean(x))),
                    ["word", x] => {
                        let word = x.strip_prefix("0x").and_then(|x| u64::from_str_radix(x, 16).ok());
                        word.map(|word| Operation::Literal(Value::Word(word)))
                    }
                    [name @ ("shift_left" | "shift_right"), of, n] => match n.parse() {
                        Ok(n) if n < u64::BITS => operation(name, &[id(of)?], n),
                        _ => None,
                    },
                    [name, ref of @ ..] => {
                        let of = of.iter().map(|word| id(word)).collect::<Result<Vec<_>, _>>()?;
                        operation(name, &of, 0)
                    }
                    [] => None,
                },
                _ => return Err(fail(at, "the next operation, numbered in order, or 'return'")),
            };
            operations.push(next.ok_or(fail(at, "an operation with its operands"))?);
        }
        Err(fail(text.lines().count(), "'return' and the outputs"))
    }
}

fn numbered(i: usize) -> String {
    let mut out = String::from("%");
    out += &i.to_string();
    out
}
