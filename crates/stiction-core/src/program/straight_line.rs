//! A recorded program: operations in order, and which of them are its outputs.
use super::dead_code;
use super::operation::{Function, Loop, Operation, OperationId, Precision, Value};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

/// A straight-line program: without branches, every operation is evaluated in every run. Iterations are loops of bounded length.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
        let (operations, outputs) = dead_code::remove(operations, outputs);
        Self { precision, operations, inputs, outputs }
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
        let input = |operation: &Operation| if let Operation::Input(i) = operation { Some(*i) } else { None };
        self.operations.iter().filter_map(input).collect()
    }
    /// The inputs that an output depends on.
    pub fn inputs_of(&self, output: usize) -> BTreeSet<u32> {
        self.with_outputs(&[output]).used_inputs()
    }
    /// Whether an output is zero whatever the inputs are.
    pub fn is_zero(&self, output: usize) -> bool {
        let operation = self.outputs.get(output).and_then(|id| self.operations.get(*id as usize));
        matches!(operation, Some(Operation::Literal(value)) if value.as_number() == 0.0)
    }
    /// Its loops.
    pub fn loops(&self) -> impl Iterator<Item = &Loop> {
        self.operations
            .iter()
            .filter_map(|operation| if let Operation::Repeat(repeat) = operation { Some(&**repeat) } else { None })
    }
    /// Whether an operation of it, or of one of its loops, is such a one.
    pub fn any(&self, wanted: &impl Fn(&Operation) -> bool) -> bool {
        self.operations.iter().any(wanted) || self.loops().any(|repeat| repeat.body.any(wanted))
    }
    /// The functions that it calls.
    pub fn functions(&self) -> BTreeSet<Function> {
        let call = |operation: &Operation| if let Operation::Call(f, ..) = operation { Some(*f) } else { None };
        let mut out: BTreeSet<Function> = self.operations.iter().filter_map(call).collect();
        self.loops().for_each(|repeat| out.extend(repeat.body.functions()));
        out
    }
    /// How many operations are written down, those of loops once.
    pub fn len(&self) -> usize {
        self.operations.len() + self.loops().map(|repeat| repeat.body.len()).sum::<usize>()
    }
    /// Whether it has no operation.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }
    /// The outputs for these inputs.
    pub fn evaluate(&self, inputs: &[f64]) -> Vec<f64> {
        self.values(inputs).into_iter().map(Value::as_number).collect()
    }
    fn values(&self, inputs: &[f64]) -> Vec<Value> {
        let mut values: Vec<Value> = Vec::with_capacity(self.operations.len());
        let mut carried: BTreeMap<OperationId, Vec<f64>> = BTreeMap::new();
        for (id, operation) in self.operations.iter().enumerate() {
            let of = |id: OperationId| values[id as usize];
            // a loop itself has no result
            let value = match operation {
                Operation::Repeat(repeat) => {
                    carried.insert(id as OperationId, run_loop(repeat, |id| of(id).as_number()));
                    Value::Boolean(false)
                }
                Operation::Carried(repeat, k) => {
                    let result = carried.get(repeat).and_then(|numbers| numbers.get(*k as usize));
                    Value::number(result.copied().unwrap_or(f64::NAN))
                }
                operation => operation.evaluate(self.precision, of, inputs).unwrap_or(Value::Boolean(false)),
            };
            values.push(value);
        }
        self.outputs.iter().map(|id| values[*id as usize]).collect()
    }
}

/// The carried numbers after the last turn.
fn run_loop(repeat: &Loop, of: impl Fn(OperationId) -> f64) -> Vec<f64> {
    let mut inputs: Vec<f64> = repeat.start.iter().chain(&repeat.captured).map(|id| of(*id)).collect();
    let carried = repeat.start.len();
    for _ in 0..repeat.count {
        let after = repeat.body.values(&inputs);
        inputs.iter_mut().zip(&after).take(carried).for_each(|(to, value)| *to = value.as_number());
        if after.last().is_some_and(|done| done.truth()) {
            break;
        }
    }
    inputs.truncate(carried);
    inputs
}
