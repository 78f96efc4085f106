//! Functions of an expression.

/// How a function is applied to its arguments.
#[derive(Clone, Copy, Debug)]
pub enum FunctionKind {
    /// Of one number.
    One(fn(f64) -> f64),
    /// Of two or more numbers, applied pairwise from the left.
    Many(fn(f64, f64) -> f64),
    /// A number limited to the range between two others.
    Clip,
}

/// A function by name.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// Name.
    pub name: &'static str,
    pub(super) action: FunctionKind,
}

const fn one(name: &'static str, f: fn(f64) -> f64) -> Function {
    Function { name, action: FunctionKind::One(f) }
}

/// All functions.
pub const FUNCTIONS: [Function; 11] = [
    one("sin", f64::sin),
    one("cos", f64::cos),
    one("tan", f64::tan),
    one("exp", f64::exp),
    one("log", f64::ln),
    one("sqrt", f64::sqrt),
    one("abs", f64::abs),
    one("sign", sign),
    Function { name: "min", action: FunctionKind::Many(minimum) },
    Function { name: "max", action: FunctionKind::Many(maximum) },
    Function { name: "clip", action: FunctionKind::Clip },
];

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// The smaller of two numbers; NaN if one is NaN, which `f64::min` would hide.
pub(super) fn minimum(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
}

/// The larger of two numbers; NaN if one is NaN.
pub(super) fn maximum(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

impl Function {
    /// Arguments it takes, in words.
    pub fn arguments(&self) -> &'static str {
        match self.action {
            FunctionKind::One(_) => "1",
            FunctionKind::Many(_) => "2 or more",
            FunctionKind::Clip => "3",
        }
    }
    pub(super) fn takes(&self, count: usize) -> bool {
        match self.action {
            FunctionKind::One(_) => count == 1,
            FunctionKind::Many(_) => count >= 2,
            FunctionKind::Clip => count == 3,
        }
    }
}
