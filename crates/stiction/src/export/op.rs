//! The instructions of a recorded program, and what they compute.
use stiction_core::{Real, math};

/// Number of an instruction.
pub type Id = u32;

/// In which arithmetic a program computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Single, with functions rounded from double.
    Single,
    /// Double.
    Double,
}

impl Precision {
    /// The number nearest to `x` that it has.
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
    /// `x^y`
    Pow,
    /// A pseudo-random number of two whole numbers.
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
    /// How many numbers it takes.
    pub fn arity(self) -> usize {
        if matches!(self, Self::Pow | Self::Uniform) { 2 } else { 1 }
    }
    /// Its value, in double.
    pub fn value(self, x: f64, y: f64) -> f64 {
        match self {
            Self::Exp => Real::exp(x),
            Self::ExpM1 => Real::exp_m1(x),
            Self::Ln => Real::ln(x),
            Self::Ln1p => Real::ln_1p(x),
            Self::Tanh => Real::tanh(x),
            Self::Sqrt => Real::sqrt(x),
            Self::Floor => Real::floor(x),
            // the usual exponents were taken care of when it was recorded
            Self::Pow => math::pow(x, y),
            Self::Uniform => Real::uniform(x, y),
        }
    }
}

/// Arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arith {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
}

/// What two words make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wordy {
    /// Bits in both.
    And,
    /// Bits in either.
    Or,
    /// Bits in one of them.
    Xor,
    /// Sum modulo 2⁶⁴.
    Plus,
    /// Difference modulo 2⁶⁴.
    Minus,
    /// Product modulo 2⁶⁴.
    Times,
}

/// One instruction; operands are numbers of earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Input number so-and-so.
    Input(u32),
    /// A literal, by its value or its bits.
    Lit(Value),
    /// Arithmetic.
    Arith(Arith, Id, Id),
    /// The other sign.
    Neg(Id),
    /// Without its sign.
    Abs(Id),
    /// A function of one or two numbers; with one, it is there twice.
    Call(Function, Id, Id),
    /// `a < b`
    Less(Id, Id),
    /// `a == b`
    Same(Id, Id),
    /// Whether it is not a number.
    Nan(Id),
    /// Both hold.
    And(Id, Id),
    /// One of them holds.
    Or(Id, Id),
    /// It does not hold.
    Not(Id),
    /// If the first holds, the second, else the third.
    Select(Id, Id, Id),
    /// The bits of a double.
    Bits(Id),
    /// The double of these bits.
    OfBits(Id),
    /// What two words make.
    Word(Wordy, Id, Id),
    /// A word shifted to the left.
    Left(Id, u32),
    /// A word shifted to the right.
    Right(Id, u32),
}

/// What an instruction gives. Numbers are kept as the bits of a double, so that equal means the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A number.
    Number(u64),
    /// True or false.
    Truth(bool),
    /// 64 bits.
    Word(u64),
}

impl Value {
    /// A number.
    pub fn number(x: f64) -> Self {
        Self::Number(x.to_bits())
    }
    /// As a number; NaN if it is none.
    pub fn as_number(self) -> f64 {
        if let Self::Number(bits) = self { f64::from_bits(bits) } else { f64::NAN }
    }
    fn truth(self) -> bool {
        self == Self::Truth(true)
    }
    fn word(self) -> u64 {
        if let Self::Word(word) = self { word } else { 0 }
    }
}

impl Op {
    /// What it looks at.
    pub fn operands(self) -> impl Iterator<Item = Id> {
        let list = match self {
            Self::Input(_) | Self::Lit(_) => [None; 3],
            Self::Neg(a)
            | Self::Abs(a)
            | Self::Nan(a)
            | Self::Not(a)
            | Self::Bits(a)
            | Self::OfBits(a)
            | Self::Left(a, _)
            | Self::Right(a, _) => [Some(a), None, None],
            Self::Arith(_, a, b)
            | Self::Call(_, a, b)
            | Self::Less(a, b)
            | Self::Same(a, b)
            | Self::And(a, b)
            | Self::Or(a, b)
            | Self::Word(_, a, b) => [Some(a), Some(b), None],
            Self::Select(m, a, b) => [Some(m), Some(a), Some(b)],
        };
        list.into_iter().flatten()
    }
    /// The same with other numbers for what it looks at.
    #[must_use]
    pub fn renumber(self, f: impl Fn(Id) -> Id) -> Self {
        match self {
            Self::Input(_) | Self::Lit(_) => self,
            Self::Arith(op, a, b) => Self::Arith(op, f(a), f(b)),
            Self::Neg(a) => Self::Neg(f(a)),
            Self::Abs(a) => Self::Abs(f(a)),
            Self::Call(name, a, b) => Self::Call(name, f(a), f(b)),
            Self::Less(a, b) => Self::Less(f(a), f(b)),
            Self::Same(a, b) => Self::Same(f(a), f(b)),
            Self::Nan(a) => Self::Nan(f(a)),
            Self::And(a, b) => Self::And(f(a), f(b)),
            Self::Or(a, b) => Self::Or(f(a), f(b)),
            Self::Not(a) => Self::Not(f(a)),
            Self::Select(m, a, b) => Self::Select(f(m), f(a), f(b)),
            Self::Bits(a) => Self::Bits(f(a)),
            Self::OfBits(a) => Self::OfBits(f(a)),
            Self::Word(op, a, b) => Self::Word(op, f(a), f(b)),
            Self::Left(a, n) => Self::Left(f(a), n),
            Self::Right(a, n) => Self::Right(f(a), n),
        }
    }
    /// What it gives, in this arithmetic; `of` tells what earlier ones gave.
    pub fn value(self, precision: Precision, of: impl Fn(Id) -> Value, inputs: &[f64]) -> Value {
        let number = |id: Id| of(id).as_number();
        match self {
            Self::Input(i) => Value::number(precision.round(inputs.get(i as usize).copied().unwrap_or(f64::NAN))),
            Self::Lit(value) => value,
            Self::Arith(op, a, b) => Value::number(match precision {
                Precision::Single => f64::from(arith(op, number(a) as f32, number(b) as f32)),
                Precision::Double => arith(op, number(a), number(b)),
            }),
            Self::Neg(a) => Value::number(-number(a)),
            Self::Abs(a) => Value::number(f64::abs(number(a))),
            Self::Call(function, a, b) => Value::number(precision.round(function.value(number(a), number(b)))),
            Self::Less(a, b) => Value::Truth(number(a) < number(b)),
            Self::Same(a, b) => Value::Truth(number(a) == number(b)),
            Self::Nan(a) => Value::Truth(number(a).is_nan()),
            Self::And(a, b) => Value::Truth(of(a).truth() && of(b).truth()),
            Self::Or(a, b) => Value::Truth(of(a).truth() || of(b).truth()),
            Self::Not(a) => Value::Truth(!of(a).truth()),
            Self::Select(m, a, b) => of(if of(m).truth() { a } else { b }),
            Self::Bits(a) => Value::Word(number(a).to_bits()),
            Self::OfBits(a) => Value::Number(of(a).word()),
            Self::Word(op, a, b) => Value::Word(wordy(op, of(a).word(), of(b).word())),
            Self::Left(a, n) => Value::Word(of(a).word() << n),
            Self::Right(a, n) => Value::Word(of(a).word() >> n),
        }
    }
}

fn arith<R: Real>(op: Arith, a: R, b: R) -> R {
    match op {
        Arith::Add => a + b,
        Arith::Sub => a - b,
        Arith::Mul => a * b,
        Arith::Div => a / b,
    }
}

fn wordy(op: Wordy, a: u64, b: u64) -> u64 {
    match op {
        Wordy::And => a & b,
        Wordy::Or => a | b,
        Wordy::Xor => a ^ b,
        Wordy::Plus => a.wrapping_add(b),
        Wordy::Minus => a.wrapping_sub(b),
        Wordy::Times => a.wrapping_mul(b),
    }
}
