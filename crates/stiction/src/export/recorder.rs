//! A number that records every operation on it. A law or controller evaluated over it becomes a straight-line program.
use super::constant_folding::fold;
use super::operation::{Arithmetic, Function, Operation, OperationId, Precision, Value, WordOperator};
use super::program::Program;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};
use stiction_core::control::registry::CompensatorNumber;
use stiction_core::math::{FloatBits, Word};
use stiction_core::{Mask, Real};

/// The operations recorded so far. Equal operations are recorded once (common subexpression elimination).
pub(super) struct Recorder {
    pub precision: Precision,
    pub operations: Vec<Operation>,
    ids: HashMap<Operation, OperationId>,
}

impl Recorder {
    fn new(precision: Precision) -> Self {
        Self { precision, operations: Vec::new(), ids: HashMap::new() }
    }
    /// The id of an operation, or of a simpler one that gives the same bits.
    pub fn push(&mut self, operation: Operation) -> OperationId {
        match fold(self, operation) {
            Ok(id) => id,
            Err(operation) => *self.ids.entry(operation).or_insert_with(|| {
                self.operations.push(operation);
                (self.operations.len() - 1) as OperationId
            }),
        }
    }
    /// The value, if the operation is a literal.
    pub fn literal(&self, id: OperationId) -> Option<Value> {
        match self.operations.get(id as usize) {
            Some(Operation::Literal(value)) => Some(*value),
            _ => None,
        }
    }
}

thread_local!(static RECORDER: RefCell<Recorder> = RefCell::new(Recorder::new(Precision::Double)));

// never inlined: every law is compiled over this number, and recording need not be fast
#[inline(never)]
fn push(operation: Operation) -> OperationId {
    RECORDER.with_borrow_mut(|recorder| recorder.push(operation))
}

/// Records the operations of `run` on `inputs` input values; operations that no output depends on are left out.
pub fn record(
    precision: Precision,
    inputs: u32,
    run: impl FnOnce(&[RecordedNumber]) -> Vec<RecordedNumber>,
) -> Program {
    let before = RECORDER.replace(Recorder::new(precision));
    let given: Vec<RecordedNumber> = (0..inputs).map(|i| RecordedNumber(push(Operation::Input(i)))).collect();
    let outputs = run(&given).into_iter().map(|node| node.0).collect();
    let recorder = RECORDER.replace(before);
    Program::new(precision, recorder.operations, inputs, outputs)
}

/// A number in the program being recorded on this thread.
#[derive(Clone, Copy, Debug)]
pub struct RecordedNumber(OperationId);
/// A boolean in the program being recorded.
#[derive(Clone, Copy, Debug)]
pub struct RecordedBool(OperationId);
/// A 64-bit word in the program being recorded.
#[derive(Clone, Copy, Debug)]
pub struct RecordedWord(OperationId);

macro_rules! binary {
    ($($T:ident: $($tr:ident $f:ident => $operation:expr),*;)*) => {$($(impl $tr for $T {
        type Output = Self;
        fn $f(self, o: Self) -> Self { Self(push($operation(self.0, o.0))) }
    })*)*};
}
binary! {
    RecordedNumber: Add add => |a, b| Operation::Arithmetic(Arithmetic::Add, a, b), Sub sub => |a, b| Operation::Arithmetic(Arithmetic::Subtract, a, b),
        Mul mul => |a, b| Operation::Arithmetic(Arithmetic::Multiply, a, b), Div div => |a, b| Operation::Arithmetic(Arithmetic::Divide, a, b);
    RecordedBool: BitAnd bitand => Operation::And, BitOr bitor => Operation::Or;
    RecordedWord: BitAnd bitand => |a, b| Operation::Word(WordOperator::And, a, b), BitOr bitor => |a, b| Operation::Word(WordOperator::Or, a, b),
        BitXor bitxor => |a, b| Operation::Word(WordOperator::Xor, a, b);
}
impl Neg for RecordedNumber {
    type Output = Self;
    fn neg(self) -> Self {
        Self(push(Operation::Negate(self.0)))
    }
}
impl Not for RecordedBool {
    type Output = Self;
    fn not(self) -> Self {
        Self(push(Operation::Not(self.0)))
    }
}
impl Mask for RecordedBool {}

macro_rules! functions {
    ($($f:ident $name:ident)*) => {$(
        fn $f(self) -> Self { Self(push(Operation::Call(Function::$name, self.0, self.0))) }
    )*};
}
impl CompensatorNumber for RecordedNumber {}
impl Real for RecordedNumber {
    type Mask = RecordedBool;
    #[inline(never)]
    fn lit(x: f64) -> Self {
        RECORDER.with_borrow_mut(|recorder| {
            let value = Value::number(recorder.precision.round(x));
            Self(recorder.push(Operation::Literal(value)))
        })
    }
    fn lt(self, rhs: Self) -> RecordedBool {
        RecordedBool(push(Operation::Less(self.0, rhs.0)))
    }
    fn select(m: RecordedBool, yes: Self, no: Self) -> Self {
        Self(push(Operation::Select(m.0, yes.0, no.0)))
    }
    fn abs(self) -> Self {
        Self(push(Operation::Abs(self.0)))
    }
    functions! { exp Exp exp_m1 ExpM1 ln Ln ln_1p Ln1p tanh Tanh sqrt Sqrt floor Floor }
    // as for f64: the exponents 0, 1 and 2 exactly, without a logarithm
    #[inline(never)]
    fn powf(self, y: Self) -> Self {
        let is = |x: f64| y.same(Self::lit(x));
        let hard = Self(push(Operation::Call(Function::Pow, self.0, y.0)));
        let rest = Self::select(is(1.0), self, Self::select(is(0.0), Self::lit(1.0), hard));
        Self::select(is(2.0), self * self, rest)
    }
    fn uniform(seed: Self, k: Self) -> Self {
        Self(push(Operation::Call(Function::Uniform, seed.0, k.0)))
    }
}

impl FloatBits for RecordedNumber {
    type Word = RecordedWord;
    fn bits(self) -> RecordedWord {
        RecordedWord(push(Operation::ToBits(self.0)))
    }
    fn of_bits(word: RecordedWord) -> Self {
        Self(push(Operation::FromBits(word.0)))
    }
    fn same(self, o: Self) -> RecordedBool {
        RecordedBool(push(Operation::Equal(self.0, o.0)))
    }
    fn nan(self) -> RecordedBool {
        RecordedBool(push(Operation::IsNan(self.0)))
    }
}
impl Word for RecordedWord {
    fn word(x: u64) -> Self {
        Self(push(Operation::Literal(Value::Word(x))))
    }
    fn plus(self, o: Self) -> Self {
        Self(push(Operation::Word(WordOperator::Add, self.0, o.0)))
    }
    fn minus(self, o: Self) -> Self {
        Self(push(Operation::Word(WordOperator::Subtract, self.0, o.0)))
    }
    fn times(self, o: Self) -> Self {
        Self(push(Operation::Word(WordOperator::Multiply, self.0, o.0)))
    }
    fn left(self, n: u32) -> Self {
        Self(push(Operation::ShiftLeft(self.0, n)))
    }
    fn right(self, n: u32) -> Self {
        Self(push(Operation::ShiftRight(self.0, n)))
    }
}
