//! A parsed expression: a list of operations on a stack of short pieces of columns.
use super::graph::Graph;
use super::operations::{Evaluation, not, operator};
use stiction_io::expression::{Function, Operator};

/// Rows that are evaluated at once.
const LANES: usize = 128;

/// One operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operation {
    Push(f64),
    /// A column, by its index among those that the expression needs.
    Load(usize),
    Negate,
    Not,
    Operator(Operator),
    /// A function; `min` and `max` take two numbers.
    Call(Function),
}

impl Operation {
    /// How many numbers it takes.
    pub fn operands(self) -> usize {
        match self {
            Self::Push(_) | Self::Load(_) => 0,
            Self::Negate | Self::Not => 1,
            Self::Operator(_) => 2,
            Self::Call(function) => Evaluation::of(function).operands(),
        }
    }
}

/// A parsed expression.
#[derive(Clone, Debug, Default)]
pub struct Expression {
    /// What it was parsed from.
    pub text: String,
    /// The columns it needs, by their index among all columns.
    pub columns: Vec<usize>,
    operations: Vec<Operation>,
    depth: usize,
    deepest: usize,
    /// The same operations for single rows, each done once.
    pub(super) graph: Graph,
}

impl Expression {
    /// The expression that is just a column.
    pub fn column(name: &str, column: usize) -> Self {
        let mut expression = Self { text: name.to_owned(), ..Self::default() };
        expression.load(column);
        expression.finish();
        expression
    }
    /// Prepares the evaluation of single rows, after the last operation.
    pub(super) fn finish(&mut self) {
        self.graph = Graph::new(&self.operations);
    }
    /// The column, if the expression is just a column.
    pub fn single_column(&self) -> Option<usize> {
        matches!(self.operations[..], [Operation::Load(_)]).then(|| self.columns[0])
    }
    /// The parts of a computed value that may end at a limit of their own: its columns, and what `min`, `max` and `clip` give. None of a single
    /// column, and not the whole.
    pub fn parts_with_limits(&self) -> Vec<Self> {
        let whole = self.operations.len();
        if self.single_column().is_some() {
            return Vec::new();
        }
        let mut parts: Vec<Self> = self.columns.iter().map(|&column| Self::column("", column)).collect();
        // of each number on the stack, the first operation that it comes from
        let mut begins: Vec<usize> = Vec::new();
        for (k, operation) in self.operations.iter().enumerate() {
            let taken = operation.operands().min(begins.len());
            let begin = if taken == 0 { k } else { begins[begins.len() - taken] };
            begins.truncate(begins.len() - taken);
            begins.push(begin);
            let Operation::Call(function @ (Function::Min | Function::Max | Function::Clip)) = operation else {
                continue;
            };
            let part = self.part(begin..k + 1, &format!("{}(...)", function.name()));
            if (begin, k + 1) != (0, whole) && !part.columns.is_empty() {
                parts.push(part);
            }
        }
        parts
    }
    /// These operations as an expression of their own.
    fn part(&self, operations: std::ops::Range<usize>, text: &str) -> Self {
        let mut part = Self { text: text.to_owned(), ..Self::default() };
        for operation in &self.operations[operations] {
            match *operation {
                Operation::Load(index) => part.load(self.columns[index]),
                other => part.push(other),
            }
        }
        part.finish();
        part
    }
    pub(super) fn load(&mut self, column: usize) {
        let index = self.columns.iter().position(|known| *known == column).unwrap_or_else(|| {
            self.columns.push(column);
            self.columns.len() - 1
        });
        self.push(Operation::Load(index));
    }
    pub(super) fn push(&mut self, op: Operation) {
        self.depth = (self.depth + 1).saturating_sub(op.operands());
        self.deepest = self.deepest.max(self.depth);
        self.operations.push(op);
    }
    /// Its value in every row, appended to `out`. `columns` are those of [`Expression::columns`], in that order and of one
    /// length; an expression without columns has one row.
    ///
    /// # Panics
    /// If there are not as many columns as it needs.
    pub fn evaluate(&self, columns: &[&[f64]], out: &mut Vec<f64>) {
        assert_eq!(columns.len(), self.columns.len(), "columns of an expression");
        self.evaluate_rows(columns, columns.first().map_or(1, |column| column.len()), out);
    }
    /// The same for `rows` rows, whether it needs columns or not.
    pub fn evaluate_rows(&self, columns: &[&[f64]], rows: usize, out: &mut Vec<f64>) {
        let mut stack = vec![[0.0; LANES]; self.deepest];
        for begin in (0..rows).step_by(LANES) {
            let end = rows.min(begin + LANES);
            self.piece(columns, begin..end, &mut stack);
            out.extend_from_slice(&stack[0][..end - begin]);
        }
    }
    /// Its value for one value of each of [`Expression::columns`], in that order.
    pub fn evaluate_one(&self, columns: &[f64]) -> f64 {
        self.graph.evaluate(columns)
    }
    /// The same, with its derivatives by the columns. At a kink they are those of one side, of `abs` and `sign` zero.
    pub fn differentiate_one(&self, columns: &[f64], slopes: &mut [f64]) -> f64 {
        self.graph.differentiate(columns, slopes)
    }
    fn piece(&self, columns: &[&[f64]], rows: std::ops::Range<usize>, stack: &mut [[f64; LANES]]) {
        let mut top = 0;
        for op in &self.operations {
            match *op {
                Operation::Push(x) => {
                    stack[top] = [x; LANES];
                    top += 1;
                }
                Operation::Load(column) => {
                    stack[top][..rows.len()].copy_from_slice(&columns[column][rows.clone()]);
                    top += 1;
                }
                Operation::Negate => one(&mut stack[top - 1], |x| -x),
                Operation::Not => one(&mut stack[top - 1], not),
                // loops of their own, which the compiler turns into vector instructions
                Operation::Operator(Operator::Add) => two(stack, &mut top, |a, b| a + b),
                Operation::Operator(Operator::Subtract) => two(stack, &mut top, |a, b| a - b),
                Operation::Operator(Operator::Multiply) => two(stack, &mut top, |a, b| a * b),
                Operation::Operator(Operator::Divide) => two(stack, &mut top, |a, b| a / b),
                Operation::Operator(of) => two(stack, &mut top, operator(of)),
                Operation::Call(function) => match Evaluation::of(function) {
                    Evaluation::One(f) => one(&mut stack[top - 1], f),
                    Evaluation::Two(f) => two(stack, &mut top, f),
                    Evaluation::Three(f) => three(stack, &mut top, f),
                },
            }
        }
    }
}

#[inline]
fn one(x: &mut [f64; LANES], f: impl Fn(f64) -> f64) {
    for x in x {
        *x = f(*x);
    }
}

#[inline]
fn two(stack: &mut [[f64; LANES]], top: &mut usize, f: impl Fn(f64, f64) -> f64) {
    let [a, b] = &mut stack[*top - 2..*top] else { return };
    for (a, b) in a.iter_mut().zip(b) {
        *a = f(*a, *b);
    }
    *top -= 1;
}

#[inline]
fn three(stack: &mut [[f64; LANES]], top: &mut usize, f: impl Fn(f64, f64, f64) -> f64) {
    let [a, b, c] = &mut stack[*top - 3..*top] else { return };
    for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
        *a = f(*a, *b, *c);
    }
    *top -= 2;
}

#[cfg(test)]
mod tests {
    use super::Expression;
    use crate::expression::SymbolTable;

    #[test]
    fn parts_with_limits_are_columns_and_what_is_cut_off() {
        let symbols = SymbolTable { columns: vec!["a", "b"], constants: Vec::new(), units: Vec::new() };
        let parts = |text: &str| {
            let found = Expression::parse(text, &symbols).expect("an expression").parts_with_limits();
            found
                .iter()
                .map(|part| part.evaluate_one(&part.columns.iter().map(|k| [7.0, 5.0][*k]).collect::<Vec<_>>()))
                .collect::<Vec<_>>()
        };
        // a, b
        assert_eq!(parts("2*a - b"), [7.0, 5.0]);
        // the whole is not a part of itself
        assert_eq!(parts("min(a, 3)"), [7.0]);
        // the argument of max, then the result
        assert_eq!(parts("b + 2*max(min(a, 3), -3)"), [5.0, 7.0, 3.0, 3.0]);
        assert_eq!(parts("a"), [0.0; 0]);
    }

    #[test]
    fn one_row_is_a_row() {
        let symbols = SymbolTable { columns: vec!["a", "b", "c"], constants: vec![("k", 0.3)], units: Vec::new() };
        let [a, b, c] = [[0.4, -1.5, 2.0], [1.0, 0.0, -3.0], [5.0, 0.25, -0.1]];
        let deep = format!("{}a{}", "(b+".repeat(40), ")".repeat(40));
        for text in
            ["-k*sin(a)+b^2/c", "clip(a*c, -1, k)", "where(b, a, c)", "max(a, min(b, c))", "exp(-abs(a))", &deep]
        {
            let expression = Expression::parse(text, &symbols).expect("an expression");
            let all = [&a[..], &b[..], &c[..]];
            let used: Vec<&[f64]> = expression.columns.iter().map(|&k| all[k]).collect();
            let mut rows = Vec::new();
            expression.evaluate(&used, &mut rows);
            for (k, row) in rows.iter().enumerate() {
                let one: Vec<f64> = used.iter().map(|column| column[k]).collect();
                assert_eq!(expression.evaluate_one(&one).to_bits(), row.to_bits(), "{text}");
            }
        }
    }
}
