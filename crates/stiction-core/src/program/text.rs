//! A program as text: one operation a line. It prints, reads back as the same program, and two of them can be compared.
//!
//! ```text
//! program double 2
//! %0 = input 0
//! %1 = input 1
//! %2 = multiply %0 %1
//! return %2
//! ```
//!
//! The lines of a loop are indented. Its inputs are the carried numbers and those captured `with` it; it returns the next carried
//! numbers `until` a condition holds, at most so often:
//!
//! ```text
//! %3 = repeat 20 %2 with %0
//!   %0 = input 0
//!   %1 = input 1
//!   %2 = add %0 %1
//!   %3 = less %1 %2
//!   return %2 until %3
//! %4 = carried %3 0
//! ```
use super::operation::{Arithmetic, Function, Loop, Operation, OperationId, Precision, Value, WordOperator};
use super::straight_line::Program;
use alloc::boxed::Box;
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
        write_block(self, 0, f)?;
        f.write_str("return")?;
        write_ids(f, &self.outputs)?;
        f.write_str("\n")
    }
}

fn write_ids(f: &mut fmt::Formatter<'_>, ids: &[OperationId]) -> fmt::Result {
    ids.iter().try_for_each(|id| write!(f, " %{id}"))
}

/// The operations, with two spaces for each loop around them.
fn write_block(program: &Program, depth: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (i, operation) in program.operations.iter().enumerate() {
        write!(f, "{:1$}%{i} = ", "", 2 * depth)?;
        match operation {
            Operation::Input(input) => write!(f, "input {input}")?,
            Operation::Literal(Value::Number(bits)) => write!(f, "number {:?}", f64::from_bits(*bits))?,
            Operation::Literal(Value::Boolean(truth)) => write!(f, "boolean {truth}")?,
            Operation::Literal(Value::Word(word)) => write!(f, "word {word:#018x}")?,
            Operation::Carried(of, k) => write!(f, "carried %{of} {k}")?,
            Operation::Repeat(repeat) => {
                write!(f, "repeat {}", repeat.count)?;
                write_ids(f, &repeat.start)?;
                f.write_str(" with")?;
                write_ids(f, &repeat.captured)?;
                f.write_str("\n")?;
                write_block(&repeat.body, depth + 1, f)?;
                write!(f, "{:1$}return", "", 2 * depth + 2)?;
                if let Some((done, next)) = repeat.body.outputs.split_last() {
                    write_ids(f, next)?;
                    write!(f, " until %{done}")?;
                }
            }
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
    Ok(())
}

fn arity(operation: &Operation) -> usize {
    if let Operation::Call(function, ..) = operation { function.arity() } else { 3 }
}

impl Operation {
    /// Its name in the text of a program; empty for an input, a literal, a loop and what a loop carries.
    pub fn name(&self) -> &'static str {
        name(self)
    }
}

fn name(operation: &Operation) -> &'static str {
    match operation {
        Operation::Input(_) | Operation::Literal(_) | Operation::Repeat(_) | Operation::Carried(..) => "",
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
        let (at, head) = lines.next().ok_or(fail(0, "'program double' and the number of inputs"))?;
        let head: Vec<&str> = head.split_whitespace().collect();
        let (precision, inputs) = match head[..] {
            ["program", "single", inputs] => (Precision::Single, inputs.parse()),
            ["program", "double", inputs] => (Precision::Double, inputs.parse()),
            _ => return Err(fail(at, "'program double' and the number of inputs")),
        };
        let inputs = inputs.map_err(|_| fail(at, "the number of inputs"))?;
        let end = text.lines().count();
        let program = Block { precision, inputs, end, depth: 0 }.read(&mut lines)?;
        match lines.next() {
            Some((at, _)) => Err(fail(at, "nothing after 'return'")),
            None => Ok(program),
        }
    }
}

fn fail(line: usize, expected: &'static str) -> ParseError {
    ParseError { line: line + 1, expected }
}

/// Loops within loops that are read; a law has two.
const MAX_DEPTH: usize = 16;

/// The lines of a program or of a loop, up to its `return`.
struct Block {
    precision: Precision,
    inputs: u32,
    /// Number of lines in the text.
    end: usize,
    /// Loops around it.
    depth: usize,
}

impl Block {
    fn read<'t>(&self, lines: &mut impl Iterator<Item = (usize, &'t str)>) -> Result<Program, ParseError> {
        let Self { precision, inputs, end, depth } = *self;
        let mut operations: Vec<Operation> = Vec::new();
        while let Some((at, line)) = lines.next() {
            let words: Vec<&str> = line.split_whitespace().collect();
            // an earlier operation
            let id = |word: &str| {
                let id = word.strip_prefix('%').and_then(|id| id.parse::<OperationId>().ok());
                let earlier = |id: &OperationId| {
                    operations.get(*id as usize).is_some_and(|operation| !matches!(operation, Operation::Repeat(_)))
                };
                id.filter(earlier).ok_or(fail(at, "an earlier operation, as %3,"))
            };
            let ids = |words: &[&str]| words.iter().map(|word| id(word)).collect::<Result<Vec<_>, _>>();
            let next = match words[..] {
                ["return", ref outputs @ .., "until", done] if depth > 0 => {
                    let mut outputs = ids(outputs)?;
                    outputs.push(id(done)?);
                    return Ok(Program { precision, operations, inputs, outputs });
                }
                ["return", ref outputs @ ..] if depth == 0 => {
                    let outputs = ids(outputs)?;
                    return Ok(Program { precision, operations, inputs, outputs });
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
                    ["repeat", count, ref numbers @ ..] => {
                        let with = numbers.iter().position(|word| *word == "with").unwrap_or(numbers.len());
                        let (start, captured) = (ids(&numbers[..with])?, ids(numbers.get(with + 1..).unwrap_or(&[]))?);
                        let count = count.parse().map_err(|_| fail(at, "the number of turns"))?;
                        if depth == MAX_DEPTH {
                            return Err(fail(at, "at most 16 loops within each other"));
                        }
                        let inner = (start.len() + captured.len()) as u32;
                        let body = Self { precision, inputs: inner, end, depth: depth + 1 }.read(lines)?;
                        if body.outputs.len() != start.len() + 1 {
                            return Err(fail(at, "a loop that returns as many numbers as it carries"));
                        }
                        Some(Operation::Repeat(Box::new(Loop { count, start, captured, body })))
                    }
                    ["carried", of, k] => {
                        let of = of.strip_prefix('%').and_then(|id| id.parse::<OperationId>().ok());
                        let of = of.ok_or(fail(at, "an earlier loop"))?;
                        let carried = match operations.get(of as usize) {
                            Some(Operation::Repeat(repeat)) => repeat.start.len(),
                            _ => return Err(fail(at, "an earlier loop")),
                        };
                        k.parse().ok().filter(|k| (*k as usize) < carried).map(|k| Operation::Carried(of, k))
                    }
                    [name, ref of @ ..] => operation(name, &ids(of)?, 0),
                    [] => None,
                },
                _ => return Err(fail(at, "the next operation, numbered in order, or 'return'")),
            };
            operations.push(next.ok_or(fail(at, "an operation with its operands"))?);
        }
        Err(fail(end, "'return' and the outputs"))
    }
}

fn numbered(i: usize) -> String {
    let mut out = String::from("%");
    out += &i.to_string();
    out
}
