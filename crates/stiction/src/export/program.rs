//! A recorded program: instructions in order, and which of them are its outputs.
use super::op::{Function, Id, Op, Precision, Value};
use super::tape::{Node, record};
use std::collections::BTreeSet;
use stiction_core::math;

/// A straight-line program: every instruction is computed, each time.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its arithmetic.
    pub precision: Precision,
    /// Its instructions; each looks at earlier ones only.
    pub ops: Vec<Op>,
    /// How many inputs it has.
    pub inputs: u32,
    /// The instructions that give its outputs.
    pub outputs: Vec<Id>,
}

impl Program {
    /// The program without what its outputs do not depend on.
    pub fn new(precision: Precision, ops: Vec<Op>, inputs: u32, outputs: Vec<Id>) -> Self {
        let needed = needed(&ops, &outputs);
        let mut place: Vec<Id> = vec![0; ops.len()];
        let mut kept = Vec::new();
        for (i, op) in ops.iter().enumerate().filter(|(i, _)| needed[*i]) {
            place[i] = kept.len() as Id;
            kept.push(op.renumber(|id| place[id as usize]));
        }
        let outputs = outputs.iter().map(|id| place[*id as usize]).collect();
        Self { precision, ops: kept, inputs, outputs }
    }
    /// The same program with these outputs alone.
    #[must_use]
    pub fn keep(&self, outputs: &[usize]) -> Self {
        let outputs = outputs.iter().filter_map(|i| self.outputs.get(*i).copied()).collect();
        Self::new(self.precision, self.ops.clone(), self.inputs, outputs)
    }
    /// The same program with its inputs in other places.
    #[must_use]
    pub fn with_inputs(mut self, inputs: u32, place: impl Fn(u32) -> u32) -> Self {
        for op in &mut self.ops {
            if let Op::Input(i) = op {
                *i = place(*i);
            }
        }
        self.inputs = inputs;
        self
    }
    /// The inputs that it looks at.
    pub fn used(&self) -> BTreeSet<u32> {
        self.ops.iter().filter_map(|op| if let Op::Input(i) = op { Some(*i) } else { None }).collect()
    }
    /// The functions that it calls.
    pub fn functions(&self) -> BTreeSet<Function> {
        self.ops.iter().filter_map(|op| if let Op::Call(f, ..) = op { Some(*f) } else { None }).collect()
    }
    /// Its outputs.
    pub fn run(&self, inputs: &[f64]) -> Vec<f64> {
        let mut values: Vec<Value> = Vec::with_capacity(self.ops.len());
        for op in &self.ops {
            let value = op.value(self.precision, |id| values[id as usize], inputs);
            values.push(value);
        }
        self.outputs.iter().map(|id| values[*id as usize].as_number()).collect()
    }
}

fn needed(ops: &[Op], outputs: &[Id]) -> Vec<bool> {
    let mut needed = vec![false; ops.len()];
    for id in outputs {
        needed[*id as usize] = true;
    }
    for i in (0..ops.len()).rev() {
        if needed[i] {
            for id in ops[i].operands() {
                needed[id as usize] = true;
            }
        }
    }
    needed
}

impl Function {
    /// The function itself as a program, in double: `stiction_core::math` run over a number that records.
    pub fn program(self) -> Program {
        record(Precision::Double, self.arity() as u32, |x| {
            let y = x.get(1).copied().unwrap_or(x[0]);
            vec![self.recorded(x[0], y)]
        })
    }
    fn recorded(self, x: Node, y: Node) -> Node {
        match self {
            Self::Exp => math::exp(x),
            Self::ExpM1 => math::exp_m1(x),
            Self::Ln => math::ln(x),
            Self::Ln1p => math::ln_1p(x),
            Self::Tanh => math::tanh(x),
            Self::Sqrt => math::sqrt(x),
            Self::Floor => math::floor(x),
            Self::Pow => math::pow(x, y),
            Self::Uniform => math::uniform(x, y),
        }
    }
}
