//! The operations of a recorded program and their evaluation.
use super::straight_line::Program;
use crate::Real;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Index of an operation in its program.
pub type OperationId = u32;

/// The floating-point arithmetic of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Precision {
    /// Single, with functions rounded from double.
    Single,
    /// Double.
    Double,
}

impl Precision {
    /// `x` rounded to this precision.
    pub fn round(self, x: f64) -> f64 {
        match self {
            Self::Single => f64::from(x as f32),
            Self::Double => x,
        }
    }
}

/// An elementary function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Function {
    /// `e^x`
    Exp,
    /// `e^x − 1`
    ExpM1,
    /// Natural logarithm.
    Ln,
    /// `ln(1 + x)`
    Ln1p,
    /// Hyperbolic tangent.
    Tanh,
    /// Square root.
    Sqrt,
    /// Largest integer not above.
    Floor,
    /// `x^y` for `x ≥ 0`, as [`Real::powf`]; for the exponents 0, 1 and 2 it is 1, x and x·x, also for negative x.
    Pow,
    /// A pseudo-random number from two integers (seed and counter).
    Uniform,
}

impl Function {
    /// All of them.
    pub const ALL: [Self; 9] =
        [Self::Exp, Self::ExpM1, Self::Ln, Self::Ln1p, Self::Tanh, Self::Sqrt, Self::Floor, Self::Pow, Self::Uniform];
    /// Its name in programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exp => "exp",
            Self::ExpM1 => "exp_m1",
            Self::Ln => "ln",
            Self::Ln1p => "ln_1p",
            Self::Tanh => "tanh",
            Self::Sqrt => "sqrt",
            Self::Floor => "floor",
            Self::Pow => "pow",
            Self::Uniform => "uniform",
        }
    }
    /// Its name in the C library, if that has it.
    pub fn libm(self) -> Option<&'static str> {
        match self {
            Self::Exp => Some("exp"),
            Self::ExpM1 => Some("expm1"),
            Self::Ln => Some("log"),
            Self::Ln1p => Some("log1p"),
            Self::Tanh => Some("tanh"),
            Self::Sqrt => Some("sqrt"),
            Self::Floor => Some("floor"),
            Self::Pow => Some("pow"),
            Self::Uniform => None,
        }
    }
    /// Number of arguments.
    pub fn arity(self) -> usize {
        if matches!(self, Self::Pow | Self::Uniform) { 2 } else { 1 }
    }
    /// Its value in double precision.
    pub fn value(self, x: f64, y: f64) -> f64 {
        match self {
            Self::Exp => Real::exp(x),
            Self::ExpM1 => Real::exp_m1(x),
            Self::Ln => Real::ln(x),
            Self::Ln1p => Real::ln_1p(x),
            Self::Tanh => Real::tanh(x),
            Self::Sqrt => Real::sqrt(x),
            Self::Floor => Real::floor(x),
            Self::Pow => Real::powf(x, y),
            Self::Uniform => Real::uniform(x, y),
        }
    }
}

/// An arithmetic operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arithmetic {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient.
    Divide,
}

/// An operator on two 64-bit words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WordOperator {
    /// Bits in both.
    And,
    /// Bits in either.
    Or,
    /// Bits in one of them.
    Xor,
    /// Sum modulo 2⁶⁴.
    Add,
    /// Difference modulo 2⁶⁴.
    Subtract,
    /// Product modulo 2⁶⁴.
    Multiply,
}

/// A loop of bounded length, for iterations: see [`Real::repeat`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Loop {
    /// Most turns.
    pub count: u32,
    /// The carried numbers before the first turn.
    pub start: Vec<OperationId>,
    /// Numbers from outside that every turn uses.
    pub captured: Vec<OperationId>,
    /// One turn. Its inputs are the carried numbers, then the captured ones; its outputs the carried numbers after the turn, and
    /// last whether the loop is done.
    pub body: Program,
}

/// One operation; its operands are the ids of earlier operations.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operation {
    /// The input with this index.
    Input(u32),
    /// A literal.
    Literal(Value),
    /// Arithmetic.
    Arithmetic(Arithmetic, OperationId, OperationId),
    /// Negation.
    Negate(OperationId),
    /// Absolute value.
    Abs(OperationId),
    /// An elementary function of one or two arguments; a single argument is stored twice.
    Call(Function, OperationId, OperationId),
    /// `a < b`
    Less(OperationId, OperationId),
    /// `a == b`
    Equal(OperationId, OperationId),
    /// Whether the operand is NaN.
    IsNan(OperationId),
    /// Logical and.
    And(OperationId, OperationId),
    /// Logical or.
    Or(OperationId, OperationId),
    /// Logical not.
    Not(OperationId),
    /// The second operand if the first is true, else the third.
    Select(OperationId, OperationId, OperationId),
    /// The bits of a double.
    ToBits(OperationId),
    /// The double with these bits.
    FromBits(OperationId),
    /// An operator on two words.
    Word(WordOperator, OperationId, OperationId),
    /// A word shifted to the left.
    ShiftLeft(OperationId, u32),
    /// A word shifted to the right.
    ShiftRight(OperationId, u32),
    /// A loop. It has no result itself, [`Operation::Carried`] takes its results.
    Repeat(Box<Loop>),
    /// Number `k` of those that a loop carries, after its last turn.
    Carried(OperationId, u32),
}

/// The result of an operation. Numbers are stored as the bits of a double, so that equality means identical bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A number.
    Number(u64),
    /// True or false.
    Boolean(bool),
    /// 64 bits.
    Word(u64),
}

impl Value {
    /// A number.
    pub fn number(x: f64) -> Self {
        Self::Number(x.to_bits())
    }
    /// As a number; NaN for a boolean or a word.
    pub fn as_number(self) -> f64 {
        if let Self::Number(bits) = self { f64::from_bits(bits) } else { f64::NAN }
    }
    pub(super) fn truth(self) -> bool {
        self == Self::Boolean(true)
    }
    fn word(self) -> u64 {
        if let Self::Word(word) = self { word } else { 0 }
    }
}

impl Operation {
    /// Whether its result is true or false.
    pub fn is_boolean(&self) -> bool {
        matches!(
            self,
            Self::Less(..)
                | Self::Equal(..)
                | Self::IsNan(_)
                | Self::And(..)
                | Self::Or(..)
                | Self::Not(_)
                | Self::Literal(Value::Boolean(_))
        )
    }
    /// The ids of its operands.
    pub fn operands(&self) -> impl Iterator<Item = OperationId> + '_ {
        let (list, of_loop) = match self {
            Self::Input(_) | Self::Literal(_) => ([None; 3], None),
            Self::Negate(a)
            | Self::Abs(a)
            | Self::IsNan(a)
            | Self::Not(a)
            | Self::ToBits(a)
            | Self::FromBits(a)
            | Self::ShiftLeft(a, _)
            | Self::ShiftRight(a, _)
            | Self::Carried(a, _) => ([Some(*a), None, None], None),
            Self::Arithmetic(_, a, b)
            | Self::Call(_, a, b)
            | Self::Less(a, b)
            | Self::Equal(a, b)
            | Self::And(a, b)
            | Self::Or(a, b)
            | Self::Word(_, a, b) => ([Some(*a), Some(*b), None], None),
            Self::Select(m, a, b) => ([Some(*m), Some(*a), Some(*b)], None),
            Self::Repeat(repeat) => ([None; 3], Some(repeat)),
        };
        let of_loop = of_loop.into_iter().flat_map(|repeat| repeat.start.iter().chain(&repeat.captured).copied());
        list.into_iter().flatten().chain(of_loop)
    }
    /// The same operation with renumbered operands.
    #[must_use]
    pub fn renumber(self, f: impl Fn(OperationId) -> OperationId) -> Self {
        match self {
            Self::Input(_) | Self::Literal(_) => self,
            Self::Arithmetic(operation, a, b) => Self::Arithmetic(operation, f(a), f(b)),
            Self::Negate(a) => Self::Negate(f(a)),
            Self::Abs(a) => Self::Abs(f(a)),
            Self::Call(name, a, b) => Self::Call(name, f(a), f(b)),
            Self::Less(a, b) => Self::Less(f(a), f(b)),
            Self::Equal(a, b) => Self::Equal(f(a), f(b)),
            Self::IsNan(a) => Self::IsNan(f(a)),
            Self::And(a, b) => Self::And(f(a), f(b)),
            Self::Or(a, b) => Self::Or(f(a), f(b)),
            Self::Not(a) => Self::Not(f(a)),
            Self::Select(m, a, b) => Self::Select(f(m), f(a), f(b)),
            Self::ToBits(a) => Self::ToBits(f(a)),
            Self::FromBits(a) => Self::FromBits(f(a)),
            Self::Word(operation, a, b) => Self::Word(operation, f(a), f(b)),
            Self::ShiftLeft(a, n) => Self::ShiftLeft(f(a), n),
            Self::ShiftRight(a, n) => Self::ShiftRight(f(a), n),
            Self::Repeat(mut repeat) => {
                repeat.start.iter_mut().chain(&mut repeat.captured).for_each(|id| *id = f(*id));
                Self::Repeat(repeat)
            }
            Self::Carried(a, k) => Self::Carried(f(a), k),
        }
    }
    /// Its result in this arithmetic; `of` gives the results of earlier operations. None for a loop, whose results are several, and
    /// for what takes one of them.
    pub(super) fn evaluate(
        &self,
        precision: Precision,
        of: impl Fn(OperationId) -> Value,
        inputs: &[f64],
    ) -> Option<Value> {
        let number = |id: OperationId| of(id).as_number();
        Some(match *self {
            Self::Input(i) => Value::number(precision.round(inputs.get(i as usize).copied().unwrap_or(f64::NAN))),
            Self::Literal(value) => value,
            Self::Arithmetic(operation, a, b) => Value::number(match precision {
                Precision::Single => f64::from(arithmetic_result(operation, number(a) as f32, number(b) as f32)),
                Precision::Double => arithmetic_result(operation, number(a), number(b)),
            }),
            Self::Negate(a) => Value::number(-number(a)),
            Self::Abs(a) => Value::number(f64::abs(number(a))),
            Self::Call(function, a, b) => Value::number(precision.round(function.value(number(a), number(b)))),
            Self::Less(a, b) => Value::Boolean(number(a) < number(b)),
            Self::Equal(a, b) => Value::Boolean(number(a) == number(b)),
            Self::IsNan(a) => Value::Boolean(number(a).is_nan()),
            Self::And(a, b) => Value::Boolean(of(a).truth() && of(b).truth()),
            Self::Or(a, b) => Value::Boolean(of(a).truth() || of(b).truth()),
            Self::Not(a) => Value::Boolean(!of(a).truth()),
            Self::Select(m, a, b) => of(if of(m).truth() { a } else { b }),
            Self::ToBits(a) => Value::Word(number(a).to_bits()),
            Self::FromBits(a) => Value::Number(of(a).word()),
            Self::Word(operation, a, b) => Value::Word(word_result(operation, of(a).word(), of(b).word())),
            Self::ShiftLeft(a, n) => Value::Word(of(a).word() << n),
            Self::ShiftRight(a, n) => Value::Word(of(a).word() >> n),
            Self::Repeat(_) | Self::Carried(..) => return None,
        })
    }
}

fn arithmetic_result<R: Real>(operation: Arithmetic, a: R, b: R) -> R {
    match operation {
        Arithmetic::Add => a + b,
        Arithmetic::Subtract => a - b,
        Arithmetic::Multiply => a * b,
        Arithmetic::Divide => a / b,
    }
}

fn word_result(operation: WordOperator, a: u64, b: u64) -> u64 {
    match operation {
        WordOperator::And => a & b,
        WordOperator::Or => a | b,
        WordOperator::Xor => a ^ b,
        WordOperator::Add => a.wrapping_add(b),
        WordOperator::Subtract => a.wrapping_sub(b),
        WordOperator::Multiply => a.wrapping_mul(b),
    }
}
