//! A number that records every operation on it. A law or controller evaluated over it becomes a straight-line program.
//!
//! A loop ([`Real::repeat`]) is recorded once, as a program of its own. An operation belongs to the innermost loop whose numbers it
//! uses; what depends on none of them is computed before the loop.
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};
use stiction_core::control::registry::CompensatorNumber;
use stiction_core::math::{self, FloatBits, Word};
use stiction_core::program::{
    Arithmetic, Builder, Function, Loop, Operation, OperationId, Precision, Program, Value, WordOperator,
};
use stiction_core::real::Carried;
use stiction_core::{Mask, Real};

thread_local! {
    static RECORDER: RefCell<Recorder> = RefCell::new(Recorder::new(Block::new(Precision::Double), usize::MAX));
}

/// A result in the program being recorded: the operation, and how many loops are around it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Recorded {
    depth: u32,
    id: OperationId,
}

/// The program being recorded and the loops that are open in it, outermost first.
struct Recorder {
    blocks: Vec<Block>,
    /// How many more operations are recorded. Afterwards nothing is, and the program is of no use.
    left: usize,
}

/// The operations of the program or of one loop.
struct Block {
    builder: Builder,
    /// Numbers that the loop carries; its first inputs.
    carried: usize,
    /// What is used from the block around it; its further inputs.
    captured: Vec<OperationId>,
}

impl Block {
    fn new(precision: Precision) -> Self {
        Self { builder: Builder::new(precision), carried: 0, captured: Vec::new() }
    }
}

impl Recorder {
    fn new(block: Block, most: usize) -> Self {
        Self { blocks: vec![block], left: most }
    }
    /// Records an operation.
    fn add(&mut self, depth: u32, operation: Operation) -> Recorded {
        let builder = &mut self.blocks[depth as usize].builder;
        let before = builder.len();
        let id = builder.push(operation);
        self.left = self.left.saturating_sub(builder.len() - before);
        Recorded { depth, id }
    }
    /// Stands for every result once the program is too long: computing on is then quick, and of no use.
    fn too_long(&self) -> Option<Recorded> {
        (self.left == 0).then_some(Recorded { depth: 0, id: 0 })
    }
    /// The operation that `operands` becomes of, in the innermost block that one of them belongs to.
    fn push<const N: usize>(
        &mut self,
        operands: [Recorded; N],
        operation: impl FnOnce([OperationId; N]) -> Operation,
    ) -> Recorded {
        if let Some(nothing) = self.too_long() {
            return nothing;
        }
        let depth = operands.iter().map(|operand| operand.depth).max().unwrap_or(0);
        let operands = operands.map(|operand| self.bring(operand, depth));
        self.add(depth, operation(operands))
    }
    /// An operation of another program, whose operands are these results.
    fn take(&mut self, operation: &Operation, results: &[Recorded]) -> Recorded {
        if let Some(nothing) = self.too_long() {
            return nothing;
        }
        let depth = operation.operands().map(|id| results[id as usize].depth).max().unwrap_or(0);
        let brought: BTreeMap<OperationId, OperationId> =
            operation.operands().map(|id| (id, self.bring(results[id as usize], depth))).collect();
        let operation = operation.clone().renumber(|id| brought.get(&id).copied().unwrap_or(id));
        // a loop is as long as its body
        if let Operation::Repeat(repeat) = &operation {
            self.left = self.left.saturating_sub(repeat.body.len());
        }
        self.add(depth, operation)
    }
    /// A result in a block of this depth: itself, or an input of the loop.
    fn bring(&mut self, from: Recorded, depth: u32) -> OperationId {
        if from.depth == depth {
            return from.id;
        }
        let origin = &mut self.blocks[from.depth as usize].builder;
        let operation = origin.operation(from.id).cloned();
        if let Some(literal @ Operation::Literal(_)) = operation {
            return self.blocks[depth as usize].builder.push(literal);
        }
        // inputs of loops are numbers: a boolean is brought as 1 or 0, a word as the number of its bits
        match operation {
            Some(operation) if operation.is_boolean() => {
                let (one, zero) = (origin.number(1.0), origin.number(0.0));
                let number = Recorded { depth: from.depth, id: origin.select(from.id, one, zero) };
                let id = self.bring_number(number, depth);
                let builder = &mut self.blocks[depth as usize].builder;
                let zero = builder.number(0.0);
                builder.less(zero, id)
            }
            Some(Operation::ToBits(_) | Operation::Word(..) | Operation::ShiftLeft(..) | Operation::ShiftRight(..)) => {
                let number = Recorded { depth: from.depth, id: origin.push(Operation::FromBits(from.id)) };
                let id = self.bring_number(number, depth);
                self.blocks[depth as usize].builder.push(Operation::ToBits(id))
            }
            _ => self.bring_number(from, depth),
        }
    }
    fn bring_number(&mut self, from: Recorded, depth: u32) -> OperationId {
        if from.depth == depth {
            return from.id;
        }
        let outside = self.bring_number(from, depth - 1);
        let block = &mut self.blocks[depth as usize];
        let known = block.captured.iter().position(|id| *id == outside);
        let i = known.unwrap_or_else(|| {
            block.captured.push(outside);
            block.captured.len() - 1
        });
        block.builder.input((block.carried + i) as u32)
    }
    /// Opens a loop. Returns its depth.
    fn open(&mut self) -> u32 {
        let precision = self.blocks[0].builder.precision();
        self.blocks.push(Block::new(precision));
        (self.blocks.len() - 1) as u32
    }
    /// The next number that the loop carries.
    fn carry(&mut self, depth: u32) -> Recorded {
        let block = &mut self.blocks[depth as usize];
        block.carried += 1;
        Recorded { depth, id: block.builder.input((block.carried - 1) as u32) }
    }
    /// Closes the innermost loop and records it in the innermost block that its numbers belong to.
    fn close(&mut self, count: usize, start: &[Recorded], next: &[Recorded], done: Recorded) -> Recorded {
        let depth = (self.blocks.len() - 1) as u32;
        let outputs: Vec<OperationId> = next.iter().chain([&done]).map(|output| self.bring(*output, depth)).collect();
        let outside = depth - 1;
        let start = start.iter().map(|number| self.bring(*number, outside)).collect();
        let Some(block) = self.blocks.pop() else { return done };
        let inputs = (block.carried + block.captured.len()) as u32;
        let body = block.builder.program(inputs, &outputs);
        let repeat = Loop { count: count as u32, start, captured: block.captured, body };
        let id = self.blocks[outside as usize].builder.push(Operation::Repeat(Box::new(repeat)));
        Recorded { depth: outside, id }
    }
}

// never inlined: every law is compiled over this number, and recording need not be fast
#[inline(never)]
fn push1(a: Recorded, operation: impl FnOnce(OperationId) -> Operation) -> Recorded {
    RECORDER.with_borrow_mut(|recorder| recorder.push([a], |[a]| operation(a)))
}
#[inline(never)]
fn push2(a: Recorded, b: Recorded, operation: impl FnOnce(OperationId, OperationId) -> Operation) -> Recorded {
    RECORDER.with_borrow_mut(|recorder| recorder.push([a, b], |[a, b]| operation(a, b)))
}
#[inline(never)]
fn push3(of: [Recorded; 3], operation: impl FnOnce([OperationId; 3]) -> Operation) -> Recorded {
    RECORDER.with_borrow_mut(|recorder| recorder.push(of, operation))
}
#[inline(never)]
fn literal(value: Value) -> Recorded {
    RECORDER.with_borrow_mut(|recorder| recorder.push([], |[]| Operation::Literal(value)))
}

/// Takes a program into the one being recorded: its outputs for these inputs.
pub fn call(program: &Program, inputs: &[RecordedNumber]) -> Vec<RecordedNumber> {
    RECORDER.with_borrow_mut(|recorder| {
        let mut results: Vec<Recorded> = Vec::with_capacity(program.operations.len());
        for operation in &program.operations {
            let result = match operation {
                Operation::Input(i) => inputs[*i as usize].0,
                operation => recorder.take(operation, &results),
            };
            results.push(result);
        }
        program.outputs.iter().map(|id| RecordedNumber(results[*id as usize])).collect()
    })
}

/// Records the operations of `run` on `inputs` input values; operations that no output depends on are left out.
pub fn record(
    precision: Precision,
    inputs: u32,
    run: impl FnOnce(&[RecordedNumber]) -> Vec<RecordedNumber>,
) -> Program {
    recording(precision, inputs, usize::MAX, run).0
}

/// As [`record`]; none once there are more than `most` operations, those of loops counted once.
pub fn record_at_most(
    most: usize,
    inputs: u32,
    run: impl FnOnce(&[RecordedNumber]) -> Vec<RecordedNumber>,
) -> Option<Program> {
    let (program, left) = recording(Precision::Double, inputs, most, run);
    (left > 0).then_some(program)
}

/// The program, and how many operations more were allowed.
fn recording(
    precision: Precision,
    inputs: u32,
    most: usize,
    run: impl FnOnce(&[RecordedNumber]) -> Vec<RecordedNumber>,
) -> (Program, usize) {
    let mut block = Block::new(precision);
    let input = |i: u32| RecordedNumber(Recorded { depth: 0, id: block.builder.input(i) });
    let given: Vec<RecordedNumber> = (0..inputs).map(input).collect();
    let before = RECORDER.replace(Recorder::new(block, most));
    let outputs: Vec<_> = run(&given).into_iter().map(|number| number.0.id).collect();
    let recorder = RECORDER.replace(before);
    (recorder.blocks[0].builder.program(inputs, &outputs), recorder.left)
}

/// A number in the program being recorded on this thread.
#[derive(Clone, Copy, Debug)]
pub struct RecordedNumber(Recorded);
/// A boolean in the program being recorded.
#[derive(Clone, Copy, Debug)]
pub struct RecordedBool(Recorded);
/// A 64-bit word in the program being recorded.
#[derive(Clone, Copy, Debug)]
pub struct RecordedWord(Recorded);

macro_rules! binary {
    ($($T:ident: $($tr:ident $f:ident => $operation:expr),*;)*) => {$($(impl $tr for $T {
        type Output = Self;
        fn $f(self, o: Self) -> Self { Self(push2(self.0, o.0, $operation)) }
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
        Self(push1(self.0, Operation::Negate))
    }
}
impl Not for RecordedBool {
    type Output = Self;
    fn not(self) -> Self {
        Self(push1(self.0, Operation::Not))
    }
}
impl Mask for RecordedBool {}

macro_rules! functions {
    ($($f:ident $name:ident)*) => {$(
        fn $f(self) -> Self { Self(push1(self.0, |x| Operation::Call(Function::$name, x, x))) }
    )*};
}
impl CompensatorNumber for RecordedNumber {}
impl Real for RecordedNumber {
    type Mask = RecordedBool;
    #[inline(never)]
    fn lit(x: f64) -> Self {
        let precision = RECORDER.with_borrow(|recorder| recorder.blocks[0].builder.precision());
        Self(literal(Value::number(precision.round(x))))
    }
    fn lt(self, rhs: Self) -> RecordedBool {
        RecordedBool(push2(self.0, rhs.0, Operation::Less))
    }
    fn select(m: RecordedBool, yes: Self, no: Self) -> Self {
        Self(push3([m.0, yes.0, no.0], |[m, yes, no]| Operation::Select(m, yes, no)))
    }
    fn abs(self) -> Self {
        Self(push1(self.0, Operation::Abs))
    }
    functions! { exp Exp exp_m1 ExpM1 ln Ln ln_1p Ln1p tanh Tanh sqrt Sqrt floor Floor }
    fn powf(self, y: Self) -> Self {
        Self(push2(self.0, y.0, |x, y| Operation::Call(Function::Pow, x, y)))
    }
    fn uniform(seed: Self, k: Self) -> Self {
        Self(push2(seed.0, k.0, |seed, k| Operation::Call(Function::Uniform, seed, k)))
    }
    fn repeat<C: Carried<Self>>(count: usize, start: C, mut turn: impl FnMut(C) -> (C, RecordedBool)) -> C {
        let depth = RECORDER.with_borrow_mut(Recorder::open);
        let mut before: Vec<Recorded> = Vec::new();
        let inside = start.clone().zip_with(start.clone(), |number, _| {
            before.push(number.0);
            Self(RECORDER.with_borrow_mut(|recorder| recorder.carry(depth)))
        });
        let (next, done) = turn(inside);
        let mut after: Vec<Recorded> = Vec::new();
        let _ = next.clone().zip_with(next, |number, _| {
            after.push(number.0);
            number
        });
        let repeat = RECORDER.with_borrow_mut(|recorder| recorder.close(count, &before, &after, done.0));
        let mut k = 0;
        start.clone().zip_with(start, |_, _| {
            k += 1;
            Self(push1(repeat, |repeat| Operation::Carried(repeat, k - 1)))
        })
    }
}

impl FloatBits for RecordedNumber {
    type Word = RecordedWord;
    fn bits(self) -> RecordedWord {
        RecordedWord(push1(self.0, Operation::ToBits))
    }
    fn of_bits(word: RecordedWord) -> Self {
        Self(push1(word.0, Operation::FromBits))
    }
    fn same(self, o: Self) -> RecordedBool {
        RecordedBool(push2(self.0, o.0, Operation::Equal))
    }
    fn nan(self) -> RecordedBool {
        RecordedBool(push1(self.0, Operation::IsNan))
    }
}
impl Word for RecordedWord {
    fn word(x: u64) -> Self {
        Self(literal(Value::Word(x)))
    }
    fn plus(self, o: Self) -> Self {
        Self(push2(self.0, o.0, |a, b| Operation::Word(WordOperator::Add, a, b)))
    }
    fn minus(self, o: Self) -> Self {
        Self(push2(self.0, o.0, |a, b| Operation::Word(WordOperator::Subtract, a, b)))
    }
    fn times(self, o: Self) -> Self {
        Self(push2(self.0, o.0, |a, b| Operation::Word(WordOperator::Multiply, a, b)))
    }
    fn left(self, n: u32) -> Self {
        Self(push1(self.0, |a| Operation::ShiftLeft(a, n)))
    }
    fn right(self, n: u32) -> Self {
        Self(push1(self.0, |a| Operation::ShiftRight(a, n)))
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
        // as `powf` of a double
        Function::Pow => {
            let is = |n: f64| y.same(RecordedNumber::lit(n));
            let rest = RecordedNumber::select(is(0.0), RecordedNumber::lit(1.0), math::pow(x, y));
            RecordedNumber::select(is(2.0), x * x, RecordedNumber::select(is(1.0), x, rest))
        }
        Function::Uniform => math::uniform(x, y),
    }
}
