//! A number that records every operation on it. A law or controller evaluated over it becomes a straight-line program.
use std::cell::RefCell;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};
use stiction_core::control::registry::CompensatorNumber;
use stiction_core::math::{self, FloatBits, Word};
use stiction_core::program::{
    Arithmetic, Builder, Function, Operation, OperationId, Precision, Program, Value, WordOperator,
};
use stiction_core::{Mask, Real};

thread_local!(static RECORDER: RefCell<Builder> = RefCell::new(Builder::new(Precision::Double)));

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
    let before = RECORDER.replace(Builder::new(precision));
    let given: Vec<RecordedNumber> = (0..inputs).map(|i| RecordedNumber(push(Operation::Input(i)))).collect();
    let outputs: Vec<_> = run(&given).into_iter().map(|node| node.0).collect();
    RECORDER.replace(before).program(inputs, &outputs)
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
        RECORDER.with_borrow_mut(|recorder| Self(recorder.number(x)))
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
    #[inline(never)]
    fn powf(self, y: Self) -> Self {
        RECORDER.with_borrow_mut(|recorder| Self(recorder.power(self.0, y.0)))
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

/// An elementary function as a program in double precision: `stiction_core::math` evaluated over recorded numbers.
pub fn function_program(function: Function) -> Program {
    record(Precision::Double, function.arity() as u32, |x| {
        let y = x.get(1).copied().unwrap_or(x[0]);
        vec![recorded_function(function, x[0], y)]
    })
}

fn recorded_function(function: Function, x: RecordedNumber, y: RecordedNumber) -> RecordedNumber {
    match function {
        Function::Exp => math::exp(x),
        Function::ExpM1 => math::exp_m1(x),
        Function::Ln => math::ln(x),
        Function::Ln1p => math::ln_1p(x),
        Function::Tanh => math::tanh(x),
        Function::Sqrt => math::sqrt(x),
        Function::Floor => math::floor(x),
        Function::Pow => math::pow(x, y),
        Function::Uniform => math::uniform(x, y),
    }
}
