//! Number of operations of a program. There are no branches, so every run costs the same, but for loops that end early.
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
    /// Counts the operations of a program; a function counts as one call, a loop with all the turns it may take.
    pub fn of(program: &Program) -> Self {
        let mut cost = Self::default();
        cost.count(program, 1);
        cost.calls.sort();
        cost
    }
    /// Adds those of a program that runs so often.
    fn count(&mut self, program: &Program, times: usize) {
        for operation in &program.operations {
            match operation {
                Operation::Input(_) | Operation::Literal(_) | Operation::Carried(..) => {}
                Operation::Repeat(repeat) => self.count(&repeat.body, times * repeat.count as usize),
                Operation::Arithmetic(Arithmetic::Add | Arithmetic::Subtract, ..) => self.add += times,
                Operation::Arithmetic(Arithmetic::Multiply, ..) => self.multiply += times,
                Operation::Arithmetic(Arithmetic::Divide, ..) => self.divide += times,
                Operation::Less(..) | Operation::Equal(..) | Operation::IsNan(_) => self.compare += times,
                Operation::Select(..) => self.select += times,
                Operation::And(..) | Operation::Or(..) | Operation::Not(_) => self.logic += times,
                Operation::Negate(_)
                | Operation::Abs(_)
                | Operation::ToBits(_)
                | Operation::FromBits(_)
                | Operation::Word(..)
                | Operation::ShiftLeft(..)
                | Operation::ShiftRight(..) => {
                    self.bits += times;
                }
                Operation::Call(function, ..) => match self.calls.iter_mut().find(|(known, _)| known == function) {
                    Some((_, count)) => *count += times,
                    None => self.calls.push((*function, times)),
                },
            }
        }
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
