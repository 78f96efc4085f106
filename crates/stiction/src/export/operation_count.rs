//! Number of operations of a program. There are no branches, so every run costs the same.
use super::recorder::function_program;
use stiction_core::program::{Arithmetic, Function, Operation, Program};

/// Number of operations of a program, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperationCount {
    /// Sums and differences.
    pub add: usize,
    /// Products.
    pub multiply: usize,
    /// Quotients.
    pub divide: usize,
    /// Comparisons.
    pub compare: usize,
    /// Selections by a boolean.
    pub select: usize,
    /// Logical operations: and, or, not.
    pub logic: usize,
    /// Operations on bits, changes of sign included.
    pub bits: usize,
    /// Calls of elementary functions, with their number.
    pub calls: Vec<(Function, usize)>,
}

impl OperationCount {
    /// Counts the operations of a program; a function counts as one call.
    pub fn of(program: &Program) -> Self {
        let mut cost = Self::default();
        for operation in &program.operations {
            match operation {
                Operation::Input(_) | Operation::Literal(_) => {}
                Operation::Arithmetic(Arithmetic::Add | Arithmetic::Subtract, ..) => cost.add += 1,
                Operation::Arithmetic(Arithmetic::Multiply, ..) => cost.multiply += 1,
                Operation::Arithmetic(Arithmetic::Divide, ..) => cost.divide += 1,
                Operation::Less(..) | Operation::Equal(..) | Operation::IsNan(_) => cost.compare += 1,
                Operation::Select(..) => cost.select += 1,
                Operation::And(..) | Operation::Or(..) | Operation::Not(_) => cost.logic += 1,
                Operation::Negate(_)
                | Operation::Abs(_)
                | Operation::ToBits(_)
                | Operation::FromBits(_)
                | Operation::Word(..)
                | Operation::ShiftLeft(..)
                | Operation::ShiftRight(..) => {
                    cost.bits += 1;
                }
                Operation::Call(function, ..) => match cost.calls.iter_mut().find(|(known, _)| known == function) {
                    Some((_, count)) => *count += 1,
                    None => cost.calls.push((*function, 1)),
                },
            }
        }
        cost.calls.sort();
        cost
    }
    /// The same with function calls replaced by the operations inside them.
    #[must_use]
    pub fn expanded(&self) -> Self {
        let mut all = Self { calls: Vec::new(), ..self.clone() };
        for (function, count) in &self.calls {
            let one = Self::of(&function_program(*function));
            for (sum, part) in [
                (&mut all.add, one.add),
                (&mut all.multiply, one.multiply),
                (&mut all.divide, one.divide),
                (&mut all.compare, one.compare),
                (&mut all.select, one.select),
                (&mut all.logic, one.logic),
                (&mut all.bits, one.bits),
            ] {
                *sum += count * part;
            }
        }
        all
    }
    /// Names and counts, without calls.
    pub fn rows(&self) -> [(&'static str, usize); 7] {
        [
            ("add", self.add),
            ("multiply", self.multiply),
            ("divide", self.divide),
            ("compare", self.compare),
            ("select", self.select),
            ("logic", self.logic),
            ("bits", self.bits),
        ]
    }
    /// All operations; a call counts as one.
    pub fn total(&self) -> usize {
        self.rows().iter().map(|(_, count)| count).sum::<usize>() + self.calls.iter().map(|(_, n)| n).sum::<usize>()
    }
}

impl std::fmt::Display for OperationCount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rows = self.rows().into_iter().map(|(name, count)| format!("{count} {name}"));
        let calls = self.calls.iter().map(|(function, count)| format!("{count} times {}", function.name()));
        f.write_str(&rows.chain(calls).collect::<Vec<_>>().join(", "))
    }
}
