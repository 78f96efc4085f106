//! Whether an output is zero for all numbers that are finite.
use super::builder::Builder;
use super::operation::{Arithmetic, Operation, OperationId};
use super::straight_line::Program;
use alloc::vec::Vec;

impl Program {
    /// Whether an output is zero wherever all numbers in between are finite, as follows from `0·x = 0/x = 0`, `x − x = 0` and
    /// `x + 0 = x`. [`Program::is_zero`] does not use these, which change the bits of zeros, infinities and NaN.
    ///
    /// ```
    /// use stiction_core::program::{Builder, Precision};
    ///
    /// let mut builder = Builder::new(Precision::Double);
    /// let (x, y, zero) = (builder.input(0), builder.input(1), builder.number(0.0));
    /// let (product, sum) = (builder.multiply(x, zero), builder.add(x, y));
    /// let sum = builder.add(product, sum);
    /// let difference = builder.subtract(sum, sum);
    /// let program = builder.program(2, &[difference, sum]);
    /// assert!(program.vanishes(0) && !program.is_zero(0) && !program.vanishes(1));
    /// ```
    pub fn vanishes(&self, output: usize) -> bool {
        let mut builder = Builder::new(self.precision);
        let mut ids: Vec<OperationId> = Vec::with_capacity(self.operations.len());
        for operation in &self.operations {
            let operation = operation.clone().renumber(|id| ids[id as usize]);
            let id = push(&mut builder, operation);
            ids.push(id);
        }
        self.outputs.get(output).is_some_and(|id| is_zero(&builder, ids[*id as usize]))
    }
}

fn is_zero(builder: &Builder, id: OperationId) -> bool {
    builder.literal(id).is_some_and(|value| value.as_number() == 0.0)
}

fn push(builder: &mut Builder, operation: Operation) -> OperationId {
    let zero = |id: OperationId| is_zero(builder, id);
    match operation {
        Operation::Arithmetic(Arithmetic::Multiply, a, b) if zero(a) || zero(b) => builder.number(0.0),
        Operation::Arithmetic(Arithmetic::Divide, a, _) if zero(a) => builder.number(0.0),
        Operation::Arithmetic(Arithmetic::Subtract, a, b) if a == b => builder.number(0.0),
        Operation::Arithmetic(Arithmetic::Add | Arithmetic::Subtract, a, b) if zero(b) => a,
        Operation::Arithmetic(Arithmetic::Add, a, b) if zero(a) => b,
        operation => builder.push(operation),
    }
}
