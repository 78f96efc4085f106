//! Interval arithmetic over a law's program: bounds that contain the value of every operation for all inputs within their own bounds.
//!
//! Every bound is rounded outwards. A zero that is exact stays exact, so that a slope that is zero, or of one sign, is told to be so.
use stiction_core::program::{Arithmetic, Function, Operation, OperationId, Program, Value};

/// Rounding of an elementary function, relative to its value.
const FUNCTION_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// All numbers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    pub const ALL: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };

    pub fn point(x: f64) -> Self {
        Self::new(x, x)
    }
    /// Everything, if a bound is not a number.
    pub fn new(low: f64, high: f64) -> Self {
        if low <= high { Self { low, high } } else { Self::ALL }
    }
    /// The sign of all its numbers, of which some may be zero; none if it has both signs.
    pub fn sign(self) -> Option<f64> {
        match self {
            Self { low: 0.0, high: 0.0 } => Some(0.0),
            Self { low, .. } if low >= 0.0 => Some(1.0),
            Self { high, .. } if high <= 0.0 => Some(-1.0),
            _ => None,
        }
    }
    fn is_point(self) -> bool {
        self.low == self.high
    }
    fn hull(self, other: Self) -> Self {
        Self::new(self.low.min(other.low), self.high.max(other.high))
    }
    fn negative(self) -> Self {
        Self { low: -self.high, high: -self.low }
    }
    fn abs(self) -> Self {
        match self.sign() {
            Some(sign) if sign < 0.0 => self.negative(),
            Some(_) => self,
            None => Self::new(0.0, self.high.max(-self.low)),
        }
    }
    fn plus(self, other: Self) -> Self {
        // a sum is zero only if it is so exactly
        let below = |x: f64| if x == 0.0 { 0.0 } else { x.next_down() };
        let above = |x: f64| if x == 0.0 { 0.0 } else { x.next_up() };
        Self::new(below(self.low + other.low), above(self.high + other.high))
    }
    fn times(self, other: Self) -> Self {
        let pairs = [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
        Self::extremes(pairs, |a, b| if a == 0.0 || b == 0.0 { 0.0 } else { a * b })
    }
    fn square(self) -> Self {
        let size = self.abs();
        size.times(size)
    }
    fn over(self, other: Self) -> Self {
        let Some(sign) = other.sign().filter(|sign| *sign != 0.0) else { return Self::ALL };
        // a divisor is not zero itself, however near it comes
        let divisor = if sign < 0.0 { other.negative() } else { other };
        let quotient = if divisor.low == 0.0 {
            match self.sign() {
                Some(0.0) => Self::point(0.0),
                Some(sign) if sign > 0.0 => Self::new(down(self.low / divisor.high, self.low), f64::INFINITY),
                Some(_) => Self::new(f64::NEG_INFINITY, up(self.high / divisor.high, self.high)),
                None => Self::ALL,
            }
        } else {
            let pairs = [
                (self.low, divisor.low),
                (self.low, divisor.high),
                (self.high, divisor.low),
                (self.high, divisor.high),
            ];
            Self::extremes(pairs, |a, b| a / b)
        };
        if sign < 0.0 { quotient.negative() } else { quotient }
    }
    /// The least and the largest result of an operation that is monotonic in each operand.
    fn extremes(pairs: [(f64, f64); 4], operation: impl Fn(f64, f64) -> f64) -> Self {
        let mut out = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };
        for (a, b) in pairs {
            let x = operation(a, b);
            if x.is_nan() {
                return Self::ALL;
            }
            // a result that vanishes by underflow still has its sign, and one of a zero is exact
            let sign = if a == 0.0 || b == 0.0 { 0.0 } else { a.signum() * b.signum() };
            out = Self { low: out.low.min(down(x, sign)), high: out.high.max(up(x, sign)) };
        }
        out
    }
    /// A function that rises everywhere, with values not below `least`.
    fn rising(self, function: Function, least: f64) -> Self {
        let [low, high] = [self.low, self.high].map(|x| function.value(x, x));
        let wider = |x: f64, by: f64| if x.is_finite() { x + by * FUNCTION_ROUNDING * x.abs() } else { x };
        let below = |x: f64| if x == 0.0 { x } else { wider(x, -1.0).next_down().max(least) };
        let above = |x: f64| if x == 0.0 && self.high == 0.0 { x } else { wider(x, 1.0).next_up() };
        Self::new(below(low), above(high))
    }
    fn call(self, other: Self, function: Function) -> Self {
        match function {
            Function::Exp => self.rising(function, 0.0),
            Function::ExpM1 | Function::Tanh => self.rising(function, -1.0),
            Function::Ln => Self { low: self.low.max(0.0), ..self }.rising(function, f64::NEG_INFINITY),
            Function::Ln1p => Self { low: self.low.max(-1.0), ..self }.rising(function, f64::NEG_INFINITY),
            Function::Sqrt if self.high >= 0.0 => Self { low: self.low.max(0.0), ..self }.rising(function, 0.0),
            Function::Floor => Self::new(self.low.floor(), self.high.floor()),
            Function::Pow if other == Self::point(1.0) => self,
            Function::Pow if other == Self::point(2.0) => self.square(),
            Function::Pow if self.low >= 0.0 => {
                let corner = |x: f64, y: f64| function.value(x, y);
                let values = [self.low, self.high].map(|x| [other.low, other.high].map(|y| corner(x, y)));
                let [low, high] =
                    [f64::min, f64::max].map(|choose| values.as_flattened().iter().copied().reduce(choose));
                let wide = FUNCTION_ROUNDING * 64.0;
                let (low, high) = (low.unwrap_or(f64::NAN), high.unwrap_or(f64::NAN));
                if low.is_nan() || values.as_flattened().iter().any(|x| x.is_nan()) {
                    return Self::ALL;
                }
                Self::new((low * (1.0 - wide)).max(0.0), (high * (1.0 + wide)).next_up())
            }
            Function::Sqrt | Function::Pow | Function::Uniform => Self::ALL,
        }
    }
}

/// A bound that is not above the exact result, which has this sign.
fn down(x: f64, sign: f64) -> f64 {
    if x == 0.0 && sign >= 0.0 { 0.0 } else { x.next_down() }
}

/// A bound that is not below the exact result, which has this sign.
fn up(x: f64, sign: f64) -> f64 {
    if x == 0.0 && sign <= 0.0 { 0.0 } else { x.next_up() }
}

/// What is known of the result of an operation.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ResultBounds {
    Number(Interval),
    /// None if it is true for some inputs and false for others.
    Truth(Option<bool>),
}

impl ResultBounds {
    fn number(self) -> Interval {
        if let Self::Number(x) = self { x } else { Interval::ALL }
    }
    fn truth(self) -> Option<bool> {
        if let Self::Truth(x) = self { x } else { None }
    }
}

/// Bounds of the outputs of a program for inputs within these bounds. Bits, and what loops compute, may be anything.
pub(super) fn bounds(program: &Program, inputs: &[Interval]) -> Vec<Interval> {
    let mut known: Vec<ResultBounds> = Vec::with_capacity(program.operations.len());
    for operation in &program.operations {
        let result = bound(operation, &known, inputs);
        known.push(result);
    }
    program.outputs.iter().map(|id| known[*id as usize].number()).collect()
}

fn bound(operation: &Operation, known: &[ResultBounds], inputs: &[Interval]) -> ResultBounds {
    let number = |id: OperationId| known[id as usize].number();
    let truth = |id: OperationId| known[id as usize].truth();
    ResultBounds::Number(match *operation {
        Operation::Input(i) => inputs.get(i as usize).copied().unwrap_or(Interval::ALL),
        Operation::Literal(Value::Boolean(yes)) => return ResultBounds::Truth(Some(yes)),
        Operation::Literal(value) => Interval::point(value.as_number()),
        Operation::Arithmetic(Arithmetic::Add, a, b) => number(a).plus(number(b)),
        Operation::Arithmetic(Arithmetic::Subtract, a, b) if a == b => Interval::point(0.0),
        Operation::Arithmetic(Arithmetic::Subtract, a, b) => number(a).plus(number(b).negative()),
        Operation::Arithmetic(Arithmetic::Multiply, a, b) if a == b => number(a).square(),
        Operation::Arithmetic(Arithmetic::Multiply, a, b) => number(a).times(number(b)),
        Operation::Arithmetic(Arithmetic::Divide, a, b) => number(a).over(number(b)),
        Operation::Negate(a) => number(a).negative(),
        Operation::Abs(a) => number(a).abs(),
        Operation::Call(function, a, b) => number(a).call(number(b), function),
        Operation::Select(which, a, b) => match (truth(which), known[a as usize], known[b as usize]) {
            (Some(true), a, _) => return a,
            (Some(false), _, b) => return b,
            (None, ResultBounds::Truth(a), ResultBounds::Truth(b)) => return ResultBounds::Truth(a.filter(|_| a == b)),
            (None, a, b) => a.number().hull(b.number()),
        },
        Operation::Less(a, b) => {
            let (a, b) = (number(a), number(b));
            return ResultBounds::Truth(if a.high < b.low {
                Some(true)
            } else if a.low >= b.high {
                Some(false)
            } else {
                None
            });
        }
        Operation::Equal(a, b) => {
            let (a, b) = (number(a), number(b));
            return ResultBounds::Truth(if a.is_point() && a == b {
                Some(true)
            } else if a.high < b.low || b.high < a.low {
                Some(false)
            } else {
                None
            });
        }
        Operation::IsNan(_) => return ResultBounds::Truth(Some(false)),
        Operation::And(a, b) => {
            return ResultBounds::Truth(match (truth(a), truth(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            });
        }
        Operation::Or(a, b) => {
            return ResultBounds::Truth(match (truth(a), truth(b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            });
        }
        Operation::Not(a) => return ResultBounds::Truth(truth(a).map(|yes| !yes)),
        Operation::ToBits(_)
        | Operation::FromBits(_)
        | Operation::Word(..)
        | Operation::ShiftLeft(..)
        | Operation::ShiftRight(..)
        | Operation::Repeat(_)
        | Operation::Carried(..) => Interval::ALL,
    })
}

#[cfg(test)]
mod tests {
    use super::{Interval, bounds};
    use stiction_core::program::{Builder, Function, Precision};

    #[test]
    fn bounds_contain_the_values_at_all_inputs() {
        let mut builder = Builder::new(Precision::Double);
        let (x, y) = (builder.input(0), builder.input(1));
        let (sum, product, quotient) = (builder.add(x, y), builder.multiply(x, y), builder.divide(x, y));
        let difference = builder.subtract(x, y);
        let mut outputs = vec![sum, product, quotient, difference];
        for function in [Function::Exp, Function::ExpM1, Function::Tanh, Function::Floor] {
            outputs.push(builder.call(function, difference));
        }
        let size = builder.abs(x);
        outputs.push(builder.call(Function::Sqrt, size));
        outputs.push(builder.power(size, y));
        let one_is_less = builder.less(x, y);
        outputs.push(builder.select(one_is_less, x, quotient));
        let program = builder.program(2, &outputs);
        let box_of = [Interval::new(-1.3, 0.7), Interval::new(0.2, 2.9)];
        let wide = bounds(&program, &box_of);
        for i in 0..=50 {
            for j in 0..=50 {
                let at = |k: usize, n: i32| {
                    let Interval { low, high } = box_of[k];
                    (low + (high - low) * f64::from(n) / 50.0).min(high)
                };
                let values = program.evaluate(&[at(0, i), at(1, j)]);
                for (value, bound) in values.iter().zip(&wide) {
                    assert!(bound.low <= *value && *value <= bound.high, "{value} in {bound:?}");
                }
            }
        }
    }

    #[test]
    fn a_zero_stays_exact_and_what_underflows_keeps_its_sign() {
        let zero = Interval::point(0.0);
        assert_eq!(zero.times(Interval::ALL), zero);
        assert_eq!(Interval::point(1.0).plus(Interval::point(-1.0)), zero);
        let small = Interval::new(0.0, 1e-200);
        assert_eq!(small.times(small).sign(), Some(1.0));
        // a zero that was negated is one as well
        assert_eq!(small.negative().negative().times(Interval::new(1.0, 2.0)).sign(), Some(1.0));
        assert_eq!(small.negative().times(Interval::new(1.0, 2.0)).sign(), Some(-1.0));
        assert_eq!(small.negative().times(Interval::new(-2.0, -1.0)).sign(), Some(1.0));
        assert_eq!(Interval::new(-2000.0, -1000.0).call(zero, Function::Exp).sign(), Some(1.0));
    }
}
