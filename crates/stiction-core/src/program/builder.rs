//! Builds a program operation by operation: equal operations are kept once, operations on literals are evaluated at once.
use super::constant_folding::fold;
use super::operation::{Arithmetic, Function, Operation, OperationId, Precision, Value};
use super::straight_line::Program;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The operations so far.
#[derive(Clone, Debug)]
pub struct Builder {
    precision: Precision,
    operations: Vec<Operation>,
    /// Every operation by what it is (common subexpression elimination).
    ids: BTreeMap<Operation, OperationId>,
}

impl Builder {
    /// No operations yet.
    pub fn new(precision: Precision) -> Self {
        Self { precision, operations: Vec::new(), ids: BTreeMap::new() }
    }
    /// Its arithmetic.
    pub fn precision(&self) -> Precision {
        self.precision
    }
    /// The operation with this id.
    pub fn operation(&self, id: OperationId) -> Option<&Operation> {
        self.operations.get(id as usize)
    }
    /// The value, if the operation is a literal.
    pub fn literal(&self, id: OperationId) -> Option<Value> {
        match self.operation(id) {
            Some(Operation::Literal(value)) => Some(*value),
            _ => None,
        }
    }
    /// How many operations there are.
    pub fn len(&self) -> usize {
        self.operations.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }
    /// The id of an operation, or of a simpler one that gives the same bits.
    pub fn push(&mut self, operation: Operation) -> OperationId {
        match fold(self, operation) {
            Ok(id) => id,
            Err(operation) => {
                if let Some(id) = self.ids.get(&operation) {
                    return *id;
                }
                let id = self.operations.len() as OperationId;
                self.operations.push(operation.clone());
                self.ids.insert(operation, id);
                id
            }
        }
    }
    /// The program that gives these operations, without those that none of them depends on.
    pub fn program(&self, inputs: u32, outputs: &[OperationId]) -> Program {
        Program::new(self.precision, &self.operations, inputs, outputs)
    }
}

/// The operations of [`Real`](crate::Real) on ids, each in the same way as there, so that the bits agree.
impl Builder {
    /// The input with this index.
    pub fn input(&mut self, i: u32) -> OperationId {
        self.push(Operation::Input(i))
    }
    /// A literal.
    pub fn number(&mut self, x: f64) -> OperationId {
        let value = Value::number(self.precision.round(x));
        self.push(Operation::Literal(value))
    }
    /// `a + b`
    pub fn add(&mut self, a: OperationId, b: OperationId) -> OperationId {
        self.push(Operation::Arithmetic(Arithmetic::Add, a, b))
    }
    /// `a − b`
    pub fn subtract(&mut self, a: OperationId, b: OperationId) -> OperationId {
        self.push(Operation::Arithmetic(Arithmetic::Subtract, a, b))
    }
    /// `a·b`
    pub fn multiply(&mut self, a: OperationId, b: OperationId) -> OperationId {
        self.push(Operation::Arithmetic(Arithmetic::Multiply, a, b))
    }
    /// `a/b`
    pub fn divide(&mut self, a: OperationId, b: OperationId) -> OperationId {
        self.push(Operation::Arithmetic(Arithmetic::Divide, a, b))
    }
    /// `−a`
    pub fn negate(&mut self, a: OperationId) -> OperationId {
        self.push(Operation::Negate(a))
    }
    /// `|a|`
    pub fn abs(&mut self, a: OperationId) -> OperationId {
        self.push(Operation::Abs(a))
    }
    /// A function of one argument.
    pub fn call(&mut self, function: Function, a: OperationId) -> OperationId {
        self.push(Operation::Call(function, a, a))
    }
    /// `a < b`
    pub fn less(&mut self, a: OperationId, b: OperationId) -> OperationId {
        self.push(Operation::Less(a, b))
    }
    /// `a == b`
    pub fn equal(&mut self, a: OperationId, b: OperationId) -> OperationId {
        self.push(Operation::Equal(a, b))
    }
    /// Logical and.
    pub fn and(&mut self, a: OperationId, b: OperationId) -> OperationId {
        self.push(Operation::And(a, b))
    }
    /// Logical or.
    pub fn or(&mut self, a: OperationId, b: OperationId) -> OperationId {
        self.push(Operation::Or(a, b))
    }
    /// Logical not.
    pub fn not(&mut self, a: OperationId) -> OperationId {
        self.push(Operation::Not(a))
    }
    /// `if m { yes } else { no }`
    pub fn select(&mut self, m: OperationId, yes: OperationId, no: OperationId) -> OperationId {
        self.push(Operation::Select(m, yes, no))
    }
    /// The smaller of the two.
    pub fn min(&mut self, a: OperationId, b: OperationId) -> OperationId {
        let m = self.less(b, a);
        self.select(m, b, a)
    }
    /// The larger of the two.
    pub fn max(&mut self, a: OperationId, b: OperationId) -> OperationId {
        let m = self.less(a, b);
        self.select(m, b, a)
    }
    /// −1, 0 or +1.
    pub fn sign(&mut self, a: OperationId) -> OperationId {
        let (zero, one) = (self.number(0.0), self.number(1.0));
        let (below, above, minus) = (self.less(a, zero), self.less(zero, a), self.negate(one));
        let positive = self.select(above, one, zero);
        self.select(below, minus, positive)
    }
    /// `x^y`; see [`Function::Pow`].
    pub fn power(&mut self, x: OperationId, y: OperationId) -> OperationId {
        self.push(Operation::Call(Function::Pow, x, y))
    }
}
