//! What a program costs: a count of its operations. There is no branch, so the worst case is every case.
use super::op::{Arith, Function, Op};
use super::program::Program;

/// Operations of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Sums and differences.
    pub add: usize,
    /// Products.
    pub multiply: usize,
    /// Quotients.
    pub divide: usize,
    /// Comparisons.
    pub compare: usize,
    /// Choices by a comparison.
    pub select: usize,
    /// What is done to truths: and, or, not.
    pub logic: usize,
    /// What is done to bits, signs included.
    pub bits: usize,
    /// Calls of functions: which, and how many.
    pub calls: Vec<(Function, usize)>,
}

impl Cost {
    /// Counts a program, functions as one call each.
    pub fn of(program: &Program) -> Self {
        let mut cost = Self::default();
        for op in &program.ops {
            match op {
                Op::Input(_) | Op::Lit(_) => {}
                Op::Arith(Arith::Add | Arith::Sub, ..) => cost.add += 1,
                Op::Arith(Arith::Mul, ..) => cost.multiply += 1,
                Op::Arith(Arith::Div, ..) => cost.divide += 1,
                Op::Less(..) | Op::Same(..) | Op::Nan(_) => cost.compare += 1,
                Op::Select(..) => cost.select += 1,
                Op::And(..) | Op::Or(..) | Op::Not(_) => cost.logic += 1,
                Op::Neg(_) | Op::Abs(_) | Op::Bits(_) | Op::OfBits(_) | Op::Word(..) | Op::Left(..) | Op::Right(..) => {
                    cost.bits += 1;
                }
                Op::Call(function, ..) => match cost.calls.iter_mut().find(|(known, _)| known == function) {
                    Some((_, count)) => *count += 1,
                    None => cost.calls.push((*function, 1)),
                },
            }
        }
        cost.calls.sort();
        cost
    }
    /// The same with the operations within functions, and no calls.
    #[must_use]
    pub fn expanded(&self) -> Self {
        let mut all = Self { calls: Vec::new(), ..self.clone() };
        for (function, count) in &self.calls {
            let one = Self::of(&function.program());
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

impl std::fmt::Display for Cost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rows = self.rows().into_iter().map(|(name, count)| format!("{count} {name}"));
        let calls = self.calls.iter().map(|(function, count)| format!("{count} times {}", function.name()));
        f.write_str(&rows.chain(calls).collect::<Vec<_>>().join(", "))
    }
}
