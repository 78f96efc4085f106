//! A number that records what is done to it: run over it, a law or a controller becomes a straight-line program.
use super::fold::simpler;
use super::op::{Arith, Function, Id, Op, Precision, Value, Wordy};
use super::program::Program;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};
use stiction_core::math::{Double, Word};
use stiction_core::{Mask, Real};

/// What was recorded so far. The same instruction is recorded once.
pub(super) struct Tape {
    pub precision: Precision,
    pub ops: Vec<Op>,
    known: HashMap<Op, Id>,
}

impl Tape {
    fn new(precision: Precision) -> Self {
        Self { precision, ops: Vec::new(), known: HashMap::new() }
    }
    /// The number of an instruction, or of a simpler one that gives the same bits.
    pub fn push(&mut self, op: Op) -> Id {
        match simpler(self, op) {
            Ok(id) => id,
            Err(op) => *self.known.entry(op).or_insert_with(|| {
                self.ops.push(op);
                (self.ops.len() - 1) as Id
            }),
        }
    }
    /// The value of an instruction that is a literal.
    pub fn literal(&self, id: Id) -> Option<Value> {
        match self.ops.get(id as usize) {
            Some(Op::Lit(value)) => Some(*value),
            _ => None,
        }
    }
}

thread_local!(static TAPE: RefCell<Tape> = RefCell::new(Tape::new(Precision::Double)));

// out of line: every law runs over this number, and speed is of no matter here
#[inline(never)]
fn push(op: Op) -> Id {
    TAPE.with_borrow_mut(|tape| tape.push(op))
}

/// Records what `run` does to so many inputs, as far as its outputs depend on it.
pub fn record(precision: Precision, inputs: u32, run: impl FnOnce(&[Node]) -> Vec<Node>) -> Program {
    let before = TAPE.replace(Tape::new(precision));
    let given: Vec<Node> = (0..inputs).map(|i| Node(push(Op::Input(i)))).collect();
    let outputs = run(&given).into_iter().map(|node| node.0).collect();
    let tape = TAPE.replace(before);
    Program::new(precision, tape.ops, inputs, outputs)
}

/// A number of the program that is being recorded on this thread.
#[derive(Clone, Copy, Debug)]
pub struct Node(Id);
/// A comparison in it.
#[derive(Clone, Copy, Debug)]
pub struct Truth(Id);
/// The bits of a number in it.
#[derive(Clone, Copy, Debug)]
pub struct Bits(Id);

macro_rules! binary {
    ($($T:ident: $($tr:ident $f:ident => $op:expr),*;)*) => {$($(impl $tr for $T {
        type Output = Self;
        fn $f(self, o: Self) -> Self { Self(push($op(self.0, o.0))) }
    })*)*};
}
binary! {
    Node: Add add => |a, b| Op::Arith(Arith::Add, a, b), Sub sub => |a, b| Op::Arith(Arith::Sub, a, b),
        Mul mul => |a, b| Op::Arith(Arith::Mul, a, b), Div div => |a, b| Op::Arith(Arith::Div, a, b);
    Truth: BitAnd bitand => Op::And, BitOr bitor => Op::Or;
    Bits: BitAnd bitand => |a, b| Op::Word(Wordy::And, a, b), BitOr bitor => |a, b| Op::Word(Wordy::Or, a, b),
        BitXor bitxor => |a, b| Op::Word(Wordy::Xor, a, b);
}
impl Neg for Node {
    type Output = Self;
    fn neg(self) -> Self {
        Self(push(Op::Neg(self.0)))
    }
}
impl Not for Truth {
    type Output = Self;
    fn not(self) -> Self {
        Self(push(Op::Not(self.0)))
    }
}
impl Mask for Truth {}

macro_rules! functions {
    ($($f:ident $name:ident)*) => {$(
        fn $f(self) -> Self { Self(push(Op::Call(Function::$name, self.0, self.0))) }
    )*};
}
impl Real for Node {
    type Mask = Truth;
    #[inline(never)]
    fn lit(x: f64) -> Self {
        TAPE.with_borrow_mut(|tape| {
            let value = Value::number(tape.precision.round(x));
            Self(tape.push(Op::Lit(value)))
        })
    }
    fn lt(self, rhs: Self) -> Truth {
        Truth(push(Op::Less(self.0, rhs.0)))
    }
    fn select(m: Truth, yes: Self, no: Self) -> Self {
        Self(push(Op::Select(m.0, yes.0, no.0)))
    }
    fn abs(self) -> Self {
        Self(push(Op::Abs(self.0)))
    }
    functions! { exp Exp exp_m1 ExpM1 ln Ln ln_1p Ln1p tanh Tanh sqrt Sqrt floor Floor }
    // as numbers do it: the usual exponents exactly and without a logarithm
    #[inline(never)]
    fn powf(self, y: Self) -> Self {
        let is = |x: f64| y.same(Self::lit(x));
        let hard = Self(push(Op::Call(Function::Pow, self.0, y.0)));
        let rest = Self::select(is(1.0), self, Self::select(is(0.0), Self::lit(1.0), hard));
        Self::select(is(2.0), self * self, rest)
    }
    fn uniform(seed: Self, k: Self) -> Self {
        Self(push(Op::Call(Function::Uniform, seed.0, k.0)))
    }
}

impl Double for Node {
    type Word = Bits;
    fn bits(self) -> Bits {
        Bits(push(Op::Bits(self.0)))
    }
    fn of_bits(word: Bits) -> Self {
        Self(push(Op::OfBits(word.0)))
    }
    fn same(self, o: Self) -> Truth {
        Truth(push(Op::Same(self.0, o.0)))
    }
    fn nan(self) -> Truth {
        Truth(push(Op::Nan(self.0)))
    }
}
impl Word for Bits {
    fn word(x: u64) -> Self {
        Self(push(Op::Lit(Value::Word(x))))
    }
    fn plus(self, o: Self) -> Self {
        Self(push(Op::Word(Wordy::Plus, self.0, o.0)))
    }
    fn minus(self, o: Self) -> Self {
        Self(push(Op::Word(Wordy::Minus, self.0, o.0)))
    }
    fn times(self, o: Self) -> Self {
        Self(push(Op::Word(Wordy::Times, self.0, o.0)))
    }
    fn left(self, n: u32) -> Self {
        Self(push(Op::Left(self.0, n)))
    }
    fn right(self, n: u32) -> Self {
        Self(push(Op::Right(self.0, n)))
    }
}
