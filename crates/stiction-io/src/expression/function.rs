//! The functions of expressions.
use crate::similar_names::similar;

/// A function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Tangent.
    Tan,
    /// `e^x`
    Exp,
    /// Natural logarithm; also called `log`.
    Ln,
    /// Hyperbolic tangent.
    Tanh,
    /// Square root.
    Sqrt,
    /// Absolute value.
    Abs,
    /// −1, 0 or +1.
    Sign,
    /// The smallest of two or more.
    Min,
    /// The largest of two or more.
    Max,
    /// `pow(x, y)` is `x^y`.
    Pow,
    /// `clip(x, lo, hi)`: limited to a range.
    Clip,
    /// `where(condition, yes, no)`
    Where,
}

impl Function {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Sin,
        Self::Cos,
        Self::Tan,
        Self::Exp,
        Self::Ln,
        Self::Tanh,
        Self::Sqrt,
        Self::Abs,
        Self::Sign,
        Self::Min,
        Self::Max,
        Self::Pow,
        Self::Clip,
        Self::Where,
    ];
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Tan => "tan",
            Self::Exp => "exp",
            Self::Ln => "ln",
            Self::Tanh => "tanh",
            Self::Sqrt => "sqrt",
            Self::Abs => "abs",
            Self::Sign => "sign",
            Self::Min => "min",
            Self::Max => "max",
            Self::Pow => "pow",
            Self::Clip => "clip",
            Self::Where => "where",
        }
    }
    /// The function of this name, in small or capital letters.
    pub fn find(name: &str) -> Option<Self> {
        let name = if name.eq_ignore_ascii_case("log") { "ln" } else { name };
        Self::ALL.into_iter().find(|function| function.name().eq_ignore_ascii_case(name))
    }
    /// The functions that a name which none has may mean: that of another language or of textbooks, or similar names.
    pub fn meant_by(name: &str) -> Vec<&'static str> {
        const ELSEWHERE: [(&str, Function); 5] = [
            ("sgn", Function::Sign),
            ("signum", Function::Sign),
            ("fabs", Function::Abs),
            ("clamp", Function::Clip),
            ("if", Function::Where),
        ];
        match ELSEWHERE.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)) {
            Some((_, function)) => vec![function.name()],
            None => similar(name, Self::ALL.map(Self::name)),
        }
    }
    /// Arguments it takes, in words.
    pub fn arguments(self) -> &'static str {
        match self {
            Self::Min | Self::Max => "2 or more",
            Self::Pow => "2",
            Self::Clip | Self::Where => "3",
            _ => "1",
        }
    }
    pub(super) fn takes(self, count: usize) -> bool {
        match self {
            Self::Min | Self::Max => count >= 2,
            Self::Pow => count == 2,
            Self::Clip | Self::Where => count == 3,
            _ => count == 1,
        }
    }
}
