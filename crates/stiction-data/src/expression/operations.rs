//! What the operators and functions of expressions compute with numbers of which some may be missing, and their derivatives. Which there are, is said by
//! the grammar, [`stiction_io::expression`].
use stiction_io::expression::{Function, Operator};

/// What a function computes, by the numbers that it takes; `min` and `max` of more than two are those of two, several times.
#[derive(Clone, Copy)]
pub(super) enum Evaluation {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
    Three(fn(f64, f64, f64) -> f64),
}

impl Evaluation {
    pub fn of(function: Function) -> Self {
        match function {
            Function::Sin => Self::One(f64::sin),
            Function::Cos => Self::One(f64::cos),
            Function::Tan => Self::One(f64::tan),
            Function::Exp => Self::One(f64::exp),
            Function::Ln => Self::One(f64::ln),
            Function::Tanh => Self::One(f64::tanh),
            Function::Sqrt => Self::One(f64::sqrt),
            Function::Abs => Self::One(f64::abs),
            Function::Sign => Self::One(sign),
            Function::Min => Self::Two(minimum),
            Function::Max => Self::Two(maximum),
            Function::Pow => Self::Two(f64::powf),
            Function::Clip => Self::Three(clip),
            Function::Where => Self::Three(choose),
        }
    }
    /// How many numbers it takes.
    pub fn operands(self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Two(_) => 2,
            Self::Three(_) => 3,
        }
    }
    /// Its value; numbers that it does not take are left aside.
    pub fn value(self, a: f64, b: f64, c: f64) -> f64 {
        match self {
            Self::One(f) => f(a),
            Self::Two(f) => f(a, b),
            Self::Three(f) => f(a, b, c),
        }
    }
}

/// What an operator computes.
pub(super) fn operator(operator: Operator) -> fn(f64, f64) -> f64 {
    match operator {
        Operator::Add => |a, b| a + b,
        Operator::Subtract => |a, b| a - b,
        Operator::Multiply => |a, b| a * b,
        Operator::Divide => |a, b| a / b,
        Operator::Power => f64::powf,
        Operator::Less => |a, b| both_present(a, b, a < b),
        Operator::LessOrEqual => |a, b| both_present(a, b, a <= b),
        Operator::Greater => |a, b| both_present(a, b, a > b),
        Operator::GreaterOrEqual => |a, b| both_present(a, b, a >= b),
        Operator::Equal => |a, b| both_present(a, b, a == b),
        Operator::NotEqual => |a, b| both_present(a, b, a != b),
        Operator::And => |a, b| both_present(a, b, a != 0.0 && b != 0.0),
        Operator::Or => |a, b| both_present(a, b, a != 0.0 || b != 0.0),
    }
}

/// One if the number is zero, else zero.
pub(super) fn not(x: f64) -> f64 {
    both_present(x, x, x == 0.0)
}

/// The derivatives of an operator by both numbers, where its value is `y`. By a number that is constant nothing is differentiated.
pub(super) fn operator_slopes(operator: Operator, [a, b]: [f64; 2], y: f64, is_constant: [bool; 2]) -> [f64; 2] {
    match operator {
        Operator::Add => [1.0, 1.0],
        Operator::Subtract => [1.0, -1.0],
        Operator::Multiply => [b, a],
        Operator::Divide => [1.0 / b, -y / b],
        Operator::Power => {
            let by_base = if is_constant[0] { 0.0 } else { b * a.powf(b - 1.0) };
            // x^y is continuous in y at x = 0, where it is zero
            let by_power = if is_constant[1] || y == 0.0 { 0.0 } else { y * a.ln() };
            [by_base, by_power]
        }
        _ => [0.0, 0.0],
    }
}

/// The derivatives of a function by the numbers that it takes, where its value is `y`.
pub(super) fn function_slopes(function: Function, x: [f64; 3], y: f64, is_constant: [bool; 2]) -> [f64; 3] {
    let [a, b, c] = x;
    let one = |slope: f64| [slope, 0.0, 0.0];
    match function {
        Function::Sign => one(0.0),
        Function::Sin => one(a.cos()),
        Function::Cos => one(-a.sin()),
        Function::Tan => one(1.0 + y * y),
        Function::Exp => one(y),
        Function::Ln => one(1.0 / a),
        Function::Tanh => one(1.0 - y * y),
        Function::Sqrt => one(0.5 / y),
        Function::Abs => one(sign(a)),
        Function::Min | Function::Max if y == a => [1.0, 0.0, 0.0],
        Function::Min | Function::Max if y == b => [0.0, 1.0, 0.0],
        Function::Min | Function::Max => [0.0; 3],
        Function::Pow => {
            let [by_base, by_power] = operator_slopes(Operator::Power, [a, b], y, is_constant);
            [by_base, by_power, 0.0]
        }
        Function::Clip if y == b => [0.0, 1.0, 0.0],
        Function::Clip if y == c => [0.0, 0.0, 1.0],
        Function::Clip => [1.0, 0.0, 0.0],
        Function::Where if a == 0.0 => [0.0, 0.0, 1.0],
        Function::Where => [0.0, 1.0, 0.0],
    }
}

/// `x` within a range.
fn clip(x: f64, low: f64, high: f64) -> f64 {
    maximum(low, minimum(x, high))
}

/// The second if the first is not zero, else the third; missing where the first is.
fn choose(which: f64, yes: f64, no: f64) -> f64 {
    match which {
        x if x.is_nan() => f64::NAN,
        0.0 => no,
        _ => yes,
    }
}

/// The smaller of two numbers; NaN if one is NaN, which `f64::min` would hide.
fn minimum(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
}

/// The larger of two numbers; NaN if one is NaN.
fn maximum(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// The result of a comparison, missing where a number that it depends on is.
fn both_present(a: f64, b: f64, holds: bool) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { f64::from(u8::from(holds)) }
}
