//! A program rewritten for the numbers of a simulation: finite, smaller than [`LARGE`], and zero below [`SMALL`].
//!
//! Products with zero vanish, quotients become products with a reciprocal, and comparisons whose outcome is then known are decided: a
//! saturation at a speed that no body has, the sign of an absolute value. Results differ from those of the program in the last places.
//! The kernel rejects a step whose state is not such numbers.
use stiction_core::program::{Arithmetic, Builder, Function, Operation, OperationId, Program, Value};

/// No number of a state is as large; the kernel checks it.
pub(super) const LARGE: f64 = 1e15;
/// A term as small as this adds nothing.
const SMALL: f64 = 1e-150;

/// What is known of the sign of a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Sign {
    Unknown,
    NotNegative,
    Positive,
}

/// The program, rewritten. It has no loop.
pub(super) fn finite(program: &Program) -> Program {
    let mut rewriter = Rewriter { builder: Builder::new(program.precision), signs: Vec::new() };
    let mut ids: Vec<OperationId> = Vec::with_capacity(program.operations.len());
    for operation in &program.operations {
        let operation = operation.clone().renumber(|id| ids[id as usize]);
        ids.push(rewriter.rewrite(operation));
    }
    let outputs: Vec<OperationId> = program.outputs.iter().map(|id| ids[*id as usize]).collect();
    rewriter.builder.program(program.inputs, &outputs)
}

struct Rewriter {
    builder: Builder,
    /// Of the operations so far.
    signs: Vec<Sign>,
}

impl Rewriter {
    fn number(&self, id: OperationId) -> Option<f64> {
        match self.builder.literal(id) {
            Some(value @ Value::Number(_)) => Some(value.as_number()),
            _ => None,
        }
    }
    fn sign(&self, id: OperationId) -> Sign {
        match self.number(id) {
            Some(x) if x > 0.0 => Sign::Positive,
            Some(x) if x >= 0.0 => Sign::NotNegative,
            Some(_) => Sign::Unknown,
            None => self.signs.get(id as usize).copied().unwrap_or(Sign::Unknown),
        }
    }
    fn push(&mut self, operation: Operation) -> OperationId {
        let sign = self.sign_of(&operation);
        let id = self.builder.push(operation);
        self.signs.resize(self.builder.len(), Sign::Unknown);
        if let Some(known) = self.signs.get_mut(id as usize).filter(|known| **known == Sign::Unknown) {
            *known = sign;
        }
        id
    }
    fn sign_of(&self, operation: &Operation) -> Sign {
        let both = |a: &OperationId, b: &OperationId| {
            let (a, b) = (self.sign(*a), self.sign(*b));
            if a < b { a } else { b }
        };
        match operation {
            Operation::Abs(a) => self.sign(*a).max_with(Sign::NotNegative),
            Operation::Call(Function::Exp, ..) => Sign::NotNegative,
            Operation::Arithmetic(Arithmetic::Multiply | Arithmetic::Divide | Arithmetic::Add, a, b) => both(a, b),
            // the larger of two
            Operation::Select(mask, a, b) if self.is_less(*mask, *b, *a) => self.sign(*a).max_with(self.sign(*b)),
            Operation::Select(_, a, b) => both(a, b),
            _ => Sign::Unknown,
        }
    }
    fn is_less(&self, mask: OperationId, a: OperationId, b: OperationId) -> bool {
        self.builder.operation(mask) == Some(&Operation::Less(a, b))
    }
    /// Whether one of them is one over the other.
    fn are_reciprocal(&self, a: OperationId, b: OperationId) -> bool {
        let over = |x: OperationId, y: OperationId| match self.builder.operation(y) {
            Some(Operation::Arithmetic(Arithmetic::Divide, one, by)) => *by == x && self.number(*one) == Some(1.0),
            _ => false,
        };
        over(a, b) || over(b, a)
    }
    fn rewrite(&mut self, operation: Operation) -> OperationId {
        match operation {
            Operation::Arithmetic(operator, a, b) => self.arithmetic(operator, a, b),
            Operation::Abs(a) if self.sign(a) != Sign::Unknown => a,
            Operation::Less(a, b) => self.less(a, b),
            operation => self.push(operation),
        }
    }
    fn less(&mut self, a: OperationId, b: OperationId) -> OperationId {
        let (of_a, of_b) = (self.number(a), self.number(b));
        let decided = match (of_a, of_b) {
            (Some(x), _) if x >= LARGE => Some(false),
            (Some(x), _) if x <= -LARGE => Some(true),
            (_, Some(x)) if x >= LARGE => Some(true),
            (_, Some(x)) if x <= -LARGE => Some(false),
            (_, Some(x)) if x <= 0.0 && self.sign(a) != Sign::Unknown => Some(false),
            (Some(x), _) if x < 0.0 && self.sign(b) != Sign::Unknown => Some(true),
            (Some(x), _) if x <= 0.0 && self.sign(b) == Sign::Positive => Some(true),
            _ => None,
        };
        match decided {
            Some(truth) => self.push(Operation::Literal(Value::Boolean(truth))),
            None => self.push(Operation::Less(a, b)),
        }
    }
    fn arithmetic(&mut self, operator: Arithmetic, a: OperationId, b: OperationId) -> OperationId {
        let (of_a, of_b) = (self.number(a), self.number(b));
        let small = |x: Option<f64>| x.is_some_and(|x| x.abs() < SMALL);
        match operator {
            Arithmetic::Multiply if small(of_a) || small(of_b) => self.push(Operation::Literal(Value::number(0.0))),
            Arithmetic::Multiply if self.are_reciprocal(a, b) => self.push(Operation::Literal(Value::number(1.0))),
            Arithmetic::Multiply if of_a == Some(-1.0) => self.push(Operation::Negate(b)),
            Arithmetic::Multiply if of_b == Some(-1.0) => self.push(Operation::Negate(a)),
            Arithmetic::Add if small(of_a) => b,
            Arithmetic::Add | Arithmetic::Subtract if small(of_b) => a,
            Arithmetic::Subtract if small(of_a) => self.push(Operation::Negate(b)),
            Arithmetic::Divide if small(of_a) => self.push(Operation::Literal(Value::number(0.0))),
            Arithmetic::Divide if of_a != Some(1.0) => {
                let one = self.push(Operation::Literal(Value::number(1.0)));
                let by = self.push(Operation::Arithmetic(Arithmetic::Divide, one, b));
                self.arithmetic(Arithmetic::Multiply, a, by)
            }
            _ => self.push(Operation::Arithmetic(operator, a, b)),
        }
    }
}

impl Sign {
    fn max_with(self, other: Self) -> Self {
        if self < other { other } else { self }
    }
}
