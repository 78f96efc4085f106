//! Functions of an expression.

/// What a function does with its arguments.
#[derive(Clone, Copy, Debug)]
pub enum Action {
    /// Of one number.
    One(fn(f64) -> f64),
    /// Of two or more, taken pairwise from the left.
    Many(fn(f64, f64) -> f64),
    /// A number kept between two others.
    Clip,
}

/// A function by name.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// Name.
    pub name: &'static str,
    pub(super) action: Action,
}

const fn one(name: &'static str, f: fn(f64) -> f64) -> Function {
    Function { name, action: Action::One(f) }
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
    Function { name: "min", action: Action::Many(least) },
    Function { name: "max", action: Action::Many(most) },
    Function { name: "clip", action: Action::Clip },
];

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// The smaller one; a missing number stays missing, which `f64::min` would hide.
pub(super) fn least(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
}

/// The larger one; a missing number stays missing.
pub(super) fn most(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

impl Function {
    /// Arguments it takes, in words.
    pub fn arguments(&self) -> &'static str {
        match self.action {
            Action::One(_) => "1",
            Action::Many(_) => "2 or more",
            Action::Clip => "3",
        }
    }
    pub(super) fn takes(&self, count: usize) -> bool {
        match self.action {
            Action::One(_) => count == 1,
            Action::Many(_) => count >= 2,
            Action::Clip => count == 3,
        }
    }
}
