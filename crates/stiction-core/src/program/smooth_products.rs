//! Absolute values that make no kink: `x·|x|` has a slope at zero, `2|x|`, which is continuous.
use super::operation::{Arithmetic, Operation, OperationId};
use super::straight_line::Program;
use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;

/// The absolute values `|x|` of a program that occur in products with `x` alone.
pub(super) fn smooth_absolute_values(program: &Program) -> BTreeSet<OperationId> {
    let products = Products::new(program);
    let ids = program.operations.iter().enumerate();
    ids.filter_map(|(id, operation)| match operation {
        Operation::Abs(x) => products.all_uses_have_factor(id as OperationId, *x).then_some(id as OperationId),
        _ => None,
    })
    .collect()
}

struct Products<'p> {
    program: &'p Program,
    /// The operations that use each operation.
    uses: Vec<Vec<OperationId>>,
}

impl<'p> Products<'p> {
    fn new(program: &'p Program) -> Self {
        let mut uses: Vec<Vec<OperationId>> = program.operations.iter().map(|_| Vec::new()).collect();
        for (id, operation) in program.operations.iter().enumerate() {
            for operand in operation.operands() {
                if let Some(list) = uses.get_mut(operand as usize) {
                    list.push(id as OperationId);
                }
            }
        }
        Self { program, uses }
    }
    /// Whether every product that `id` becomes a factor of has the factor `x`, too.
    fn all_uses_have_factor(&self, id: OperationId, x: OperationId) -> bool {
        let (mut stack, mut seen) = (vec![id], BTreeSet::new());
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            let uses = self.uses.get(id as usize).map_or(&[][..], Vec::as_slice);
            if uses.is_empty() || self.program.outputs.contains(&id) {
                return false;
            }
            for user in uses {
                match self.program.operations.get(*user as usize) {
                    Some(Operation::Arithmetic(Arithmetic::Multiply, a, b)) if a != b => {
                        if !self.has_factor(if *a == id { *b } else { *a }, x) {
                            stack.push(*user);
                        }
                    }
                    Some(Operation::Arithmetic(Arithmetic::Divide, a, b)) if *a == id && *b != id => stack.push(*user),
                    Some(Operation::Negate(_)) => stack.push(*user),
                    _ => return false,
                }
            }
        }
        true
    }
    fn has_factor(&self, id: OperationId, x: OperationId) -> bool {
        let (mut stack, mut seen) = (vec![id], BTreeSet::new());
        while let Some(id) = stack.pop() {
            if id == x {
                return true;
            }
            if !seen.insert(id) {
                continue;
            }
            match self.program.operations.get(id as usize) {
                Some(Operation::Arithmetic(Arithmetic::Multiply, a, b)) => stack.extend([*a, *b]),
                Some(Operation::Arithmetic(Arithmetic::Divide, a, _) | Operation::Negate(a)) => stack.push(*a),
                _ => {}
            }
        }
        false
    }
}
