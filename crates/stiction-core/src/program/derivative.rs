//! Partial derivatives of a program, as a program: forward mode, by the rules of [`Dual`](crate::Dual).
use super::builder::Builder;
use super::operation::{Arithmetic, Function, Operation, OperationId, Value};
use super::straight_line::Program;
use alloc::vec;
use alloc::vec::Vec;

/// The program whose outputs are those of `program`, then their derivatives by each of these inputs: all outputs by the first
/// input, all by the second, and so on. Where a derivative does not exist, it has the value that a dual number has.
///
/// None if the program works on bits.
pub fn derivative(program: &Program, by: &[u32]) -> Option<Program> {
    let mut builder = Builder::new(program.precision);
    let mut forward = Forward { by, values: Vec::new(), slopes: Vec::new(), builder: &mut builder };
    for operation in &program.operations {
        forward.push(*operation)?;
    }
    let (values, slopes) = (forward.values, forward.slopes);
    let mut outputs: Vec<OperationId> = program.outputs.iter().map(|id| values[*id as usize]).collect();
    for k in 0..by.len() {
        for id in &program.outputs {
            let slope = slopes[*id as usize].get(k).copied().flatten();
            outputs.push(slope.unwrap_or_else(|| builder.number(0.0)));
        }
    }
    Some(builder.program(program.inputs, &outputs))
}

struct Forward<'a> {
    by: &'a [u32],
    /// Each operation of the program in the new one.
    values: Vec<OperationId>,
    /// Its derivative by each input; none where it is zero.
    slopes: Vec<Vec<Option<OperationId>>>,
    builder: &'a mut Builder,
}

impl Forward<'_> {
    fn push(&mut self, operation: Operation) -> Option<()> {
        let value = self.builder.push(operation.renumber(|id| self.values[id as usize]));
        self.values.push(value);
        let slopes = match operation {
            Operation::Input(input) => {
                let one = self.builder.number(1.0);
                self.by.iter().map(|by| (*by == input).then_some(one)).collect()
            }
            Operation::ToBits(_)
            | Operation::FromBits(_)
            | Operation::Word(..)
            | Operation::ShiftLeft(..)
            | Operation::ShiftRight(..)
            | Operation::Literal(Value::Word(_)) => return None,
            // constant, or not a number
            Operation::Literal(_)
            | Operation::Less(..)
            | Operation::Equal(..)
            | Operation::IsNan(_)
            | Operation::And(..)
            | Operation::Or(..)
            | Operation::Not(_)
            | Operation::Call(Function::Floor | Function::Uniform, ..) => vec![None; self.by.len()],
            Operation::Arithmetic(arithmetic, a, b) => self.arithmetic(arithmetic, a, b, value),
            Operation::Negate(a) => self.each(a, |builder, slope| builder.negate(slope)),
            Operation::Abs(a) => {
                let x = self.values[a as usize];
                self.each(a, |builder, slope| {
                    let (zero, one) = (builder.number(0.0), builder.number(1.0));
                    let (minus, below) = (builder.negate(one), builder.less(x, zero));
                    let side = builder.select(below, minus, one);
                    builder.multiply(slope, side)
                })
            }
            Operation::Call(Function::Pow, a, b) => self.power(a, b, value),
            Operation::Call(function, a, _) => self.function(function, a, value),
            Operation::Select(which, a, b) => {
                let which = self.values[which as usize];
                self.both(a, b, |builder, a, b| {
                    let zero = builder.number(0.0);
                    builder.select(which, a.unwrap_or(zero), b.unwrap_or(zero))
                })
            }
        };
        self.slopes.push(slopes);
        Some(())
    }
    /// The slopes of a function of one operand.
    fn each(
        &mut self,
        a: OperationId,
        mut slope: impl FnMut(&mut Builder, OperationId) -> OperationId,
    ) -> Vec<Option<OperationId>> {
        let Self { slopes, builder, .. } = self;
        slopes[a as usize].iter().map(|a| a.map(|a| slope(builder, a))).collect()
    }
    /// The slopes of a function of two operands; none where neither has one.
    fn both(
        &mut self,
        a: OperationId,
        b: OperationId,
        mut slope: impl FnMut(&mut Builder, Option<OperationId>, Option<OperationId>) -> OperationId,
    ) -> Vec<Option<OperationId>> {
        let Self { slopes, builder, .. } = self;
        let pairs = slopes[a as usize].iter().zip(&slopes[b as usize]);
        pairs.map(|(a, b)| (a.is_some() || b.is_some()).then(|| slope(builder, *a, *b))).collect()
    }
    fn arithmetic(
        &mut self,
        arithmetic: Arithmetic,
        a: OperationId,
        b: OperationId,
        value: OperationId,
    ) -> Vec<Option<OperationId>> {
        let (x, y) = (self.values[a as usize], self.values[b as usize]);
        self.both(a, b, |builder, a, b| match (arithmetic, a, b) {
            (Arithmetic::Add, Some(a), Some(b)) => builder.add(a, b),
            (Arithmetic::Add | Arithmetic::Subtract, Some(a), None) => a,
            (Arithmetic::Add, _, Some(b)) => b,
            (Arithmetic::Subtract, Some(a), Some(b)) => builder.subtract(a, b),
            (Arithmetic::Subtract, _, Some(b)) => builder.negate(b),
            (Arithmetic::Multiply, Some(a), Some(b)) => {
                let (first, second) = (builder.multiply(a, y), builder.multiply(x, b));
                builder.add(first, second)
            }
            (Arithmetic::Multiply, Some(a), None) => builder.multiply(a, y),
            (Arithmetic::Multiply, _, Some(b)) => builder.multiply(x, b),
            (Arithmetic::Divide, a, b) => {
                let above = match (a, b) {
                    (Some(a), Some(b)) => {
                        let lost = builder.multiply(value, b);
                        builder.subtract(a, lost)
                    }
                    (Some(a), None) => a,
                    (_, b) => {
                        let lost = builder.multiply(value, b.unwrap_or(value));
                        builder.negate(lost)
                    }
                };
                builder.divide(above, y)
            }
            // neither has a slope: `both` does not ask
            (_, None, None) => builder.number(0.0),
        })
    }
    fn function(&mut self, function: Function, a: OperationId, value: OperationId) -> Vec<Option<OperationId>> {
        let x = self.values[a as usize];
        let one = self.builder.number(1.0);
        let builder = &mut *self.builder;
        let slope = match function {
            Function::Exp => value,
            Function::ExpM1 => builder.add(value, one),
            Function::Ln => builder.divide(one, x),
            Function::Ln1p => {
                let y = builder.add(one, x);
                builder.divide(one, y)
            }
            Function::Tanh => {
                let square = builder.multiply(value, value);
                builder.subtract(one, square)
            }
            Function::Sqrt => {
                let half = builder.number(0.5);
                builder.divide(half, value)
            }
            Function::Floor | Function::Uniform | Function::Pow => builder.number(0.0),
        };
        self.each(a, |builder, by| builder.multiply(by, slope))
    }
    /// As the power of dual numbers: at `x = 0` the slope is 1 for `y = 1` and 0 otherwise.
    fn power(&mut self, a: OperationId, b: OperationId, value: OperationId) -> Vec<Option<OperationId>> {
        let (x, y) = (self.values[a as usize], self.values[b as usize]);
        let builder = &mut *self.builder;
        let (zero, one) = (builder.number(0.0), builder.number(1.0));
        let positive = builder.less(zero, x);
        let safe = builder.select(positive, x, one);
        let linear = builder.equal(y, one);
        let at_zero = builder.select(linear, one, zero);
        let scaled = builder.multiply(y, value);
        let inside = builder.divide(scaled, safe);
        let by_x = builder.select(positive, inside, at_zero);
        self.both(a, b, |builder, a, b| {
            let first = a.map(|a| builder.multiply(a, by_x));
            let second = b.map(|b| {
                let log = builder.call(Function::Ln, safe);
                let slope = builder.multiply(value, log);
                let slope = builder.select(positive, slope, zero);
                builder.multiply(b, slope)
            });
            match (first, second) {
                (Some(first), Some(second)) => builder.add(first, second),
                (Some(one), None) | (None, Some(one)) => one,
                (None, None) => zero,
            }
        })
    }
}
