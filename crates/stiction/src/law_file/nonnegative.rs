//! Values that are never negative, as far as the form of their operations shows it.
use std::collections::BTreeSet;
use stiction_core::program::{Arithmetic, Builder, Function, Operation, OperationId};

/// Which operations give no negative number.
#[derive(Default)]
pub struct NonNegative {
    /// Inputs that are not negative: parameters by their bounds, a load that presses.
    inputs: BTreeSet<u32>,
    /// For each operation that was looked at.
    known: Vec<bool>,
}

impl NonNegative {
    /// With these inputs, none of which is negative.
    pub fn new(inputs: BTreeSet<u32>) -> Self {
        Self { inputs, known: Vec::new() }
    }
    /// Whether a value is never negative; false if its form does not show it.
    pub fn holds(&mut self, builder: &Builder, id: OperationId) -> bool {
        // operands come before what is made of them
        for id in self.known.len()..builder.len() {
            let shown = builder.operation(id as OperationId).is_some_and(|operation| self.shows(builder, operation));
            self.known.push(shown);
        }
        self.known[id as usize]
    }
    fn shows(&self, builder: &Builder, operation: &Operation) -> bool {
        let is = |id: OperationId| self.known[id as usize];
        match *operation {
            Operation::Input(i) => self.inputs.contains(&i),
            Operation::Literal(value) => value.as_number() >= 0.0,
            Operation::Abs(_) | Operation::Call(Function::Exp | Function::Sqrt, ..) => true,
            Operation::Arithmetic(Arithmetic::Multiply, a, b) => a == b || is(a) && is(b),
            Operation::Arithmetic(Arithmetic::Add | Arithmetic::Divide, a, b) => is(a) && is(b),
            Operation::Call(Function::Pow, a, _) => is(a),
            Operation::Select(which, a, b) => {
                // the larger of two is not negative if one of them is not
                let larger = builder.operation(which) == Some(&Operation::Less(b, a));
                is(a) && is(b) || larger && (is(a) || is(b))
            }
            _ => false,
        }
    }
}
