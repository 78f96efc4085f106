//! The functions of one and of two numbers in expressions, and their derivatives.

/// A function of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Not,
    Sin,
    Cos,
    Tan,
    Exp,
    Ln,
    Tanh,
    Sqrt,
    Abs,
    Sign,
}

impl Unary {
    pub fn function(self) -> fn(f64) -> f64 {
        match self {
            Self::Not => |x| both_present(x, x, x == 0.0),
            Self::Sin => f64::sin,
            Self::Cos => f64::cos,
            Self::Tan => f64::tan,
            Self::Exp => f64::exp,
            Self::Ln => f64::ln,
            Self::Tanh => f64::tanh,
            Self::Sqrt => f64::sqrt,
            Self::Abs => f64::abs,
            Self::Sign => sign,
        }
    }
    /// The derivative at `x`, where the value is `y`.
    pub fn slope(self, x: f64, y: f64) -> f64 {
        match self {
            Self::Not | Self::Sign => 0.0,
            Self::Sin => x.cos(),
            Self::Cos => -x.sin(),
            Self::Tan => 1.0 + y * y,
            Self::Exp => y,
            Self::Ln => 1.0 / x,
            Self::Tanh => 1.0 - y * y,
            Self::Sqrt => 0.5 / y,
            Self::Abs => sign(x),
        }
    }
}

/// A function of two numbers beside arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Minimum,
    Maximum,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

impl Binary {
    pub fn function(self) -> fn(f64, f64) -> f64 {
        match self {
            Self::Minimum => minimum,
            Self::Maximum => maximum,
            Self::Less => |a, b| both_present(a, b, a < b),
            Self::LessOrEqual => |a, b| both_present(a, b, a <= b),
            Self::Greater => |a, b| both_present(a, b, a > b),
            Self::GreaterOrEqual => |a, b| both_present(a, b, a >= b),
            Self::Equal => |a, b| both_present(a, b, a == b),
            Self::NotEqual => |a, b| both_present(a, b, a != b),
            Self::And => |a, b| both_present(a, b, a != 0.0 && b != 0.0),
            Self::Or => |a, b| both_present(a, b, a != 0.0 || b != 0.0),
        }
    }
    /// The derivatives by both numbers, where the value is `y`.
    pub fn slopes(self, a: f64, b: f64, y: f64) -> [f64; 2] {
        match self {
            Self::Minimum | Self::Maximum if y == a => [1.0, 0.0],
            Self::Minimum | Self::Maximum if y == b => [0.0, 1.0],
            _ => [0.0, 0.0],
        }
    }
}

/// `x` within a range.
pub(super) fn clip(x: f64, low: f64, high: f64) -> f64 {
    maximum(low, minimum(x, high))
}

/// The second if the first is not zero, else the third; missing where the first is.
pub(super) fn choose(which: f64, yes: f64, no: f64) -> f64 {
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
