//! A recorded program: operations in order, and which of them are its outputs.
use super::operation::{Function, Operation, OperationId, Precision, Value};
use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;

/// A straight-line program: without branches, every operation is evaluated in every run.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its arithmetic.
    pub precision: Precision,
    /// The operations; operands are earlier operations.
    pub operations: Vec<Operation>,
    /// Number of inputs.
    pub inputs: u32,
    /// The operations whose results are the outputs.
    pub outputs: Vec<OperationId>,
}

impl Program {
    /// A program without the operations that no output depends on (dead code).
    pub fn new(precision: Precision, operations: &[Operation], inputs: u32, outputs: &[OperationId]) -> Self {
        let needed = needed(operations, outputs);
        let mut place: Vec<OperationId> = vec![0; operations.len()];
        let mut kept = Vec::new();
        for (i, operation) in operations.iter().enumerate().filter(|(i, _)| needed[*i]) {
            place[i] = kept.len() as OperationId;
            kept.push(operation.renumber(|id| place[id as usize]));
        }
        let outputs = outputs.iter().map(|id| place[*id as usize]).collect();
        Self { precision, operations: kept, inputs, outputs }
    }
    /// The same program with only these outputs.
    #[must_use]
    pub fn with_outputs(&self, outputs: &[usize]) -> Self {
        let outputs: Vec<_> = outputs.iter().filter_map(|i| self.outputs.get(*i).copied()).collect();
        Self::new(self.precision, &self.operations, self.inputs, &outputs)
    }
    /// The same program with renumbered inputs.
    #[must_use]
    pub fn renumber_inputs(mut self, inputs: u32, place: impl Fn(u32) -> u32) -> Self {
        for operation in &mut self.operations {
            if let Operation::Input(i) = operation {
                *i = place(*i);
            }
        }
        self.inputs = inputs;
        self
    }
    /// The inputs that it uses.
    pub fn used_inputs(&self) -> BTreeSet<u32> {
        self.operations
            .iter()
            .filter_map(|operation| if let Operation::Input(i) = operation { Some(*i) } else { None })
            .collect()
    }
    /// The inputs that an output depends on.
    pub fn inputs_of(&self, output: usize) -> BTreeSet<u32> {
        let needed = needed(&self.operations, self.outputs.get(output..=output).unwrap_or(&[]));
        let used = self.operations.iter().zip(needed).filter(|(_, needed)| *needed);
        used.filter_map(|(operation, _)| if let Operation::Input(i) = operation { Some(*i) } else { None }).collect()
    }
    /// Whether an output is zero whatever the inputs are.
    pub fn is_zero(&self, output: usize) -> bool {
        let operation = self.outputs.get(output).and_then(|id| self.operations.get(*id as usize));
        matches!(operation, Some(Operation::Literal(value)) if value.as_number() == 0.0)
    }
    /// The functions that it calls.
    pub fn functions(&self) -> BTreeSet<Function> {
        self.operations
            .iter()
            .filter_map(|operation| if let Operation::Call(f, ..) = operation { Some(*f) } else { None })
            .collect()
    }
    /// The outputs for these inputs.
    pub fn evaluate(&self, inputs: &[f64]) -> Vec<f64> {
        let mut values: Vec<Value> = Vec::with_capacity(self.operations.len());
        for operation in &self.operations {
            let value = operation.evaluate(self.precision, |id| values[id as usize], inputs);
            values.push(value);
        }
        self.outputs.iter().map(|id| values[*id as usize].as_number()).collect()
    }
}

fn needed(operations: &[Operation], outputs: &[OperationId]) -> Vec<bool> {
    let mut needed = vec![false; operations.len()];
    for id in outputs {
        needed[*id as usize] = true;
    }
    for i in (0..operations.len()).rev() {
        if needed[i] {
            for id in operations[i].operands() {
                needed[id as usize] = true;
            }
        }
    }
    needed
}
