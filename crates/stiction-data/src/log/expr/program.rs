//! A parsed expression, ready to run: a list of operations on a stack of short pieces of columns.
use super::function::{least, most};

/// Rows that are worked on at once.
const LANES: usize = 128;

/// One operation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Push(f64),
    /// A column, by its place among those the program needs.
    Load(usize),
    Neg,
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    Call(fn(f64) -> f64),
    Pair(fn(f64, f64) -> f64),
    Clip,
}

/// A parsed expression.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// What it was parsed from.
    pub text: String,
    /// The columns it needs, by their place among all columns.
    pub columns: Vec<usize>,
    ops: Vec<Op>,
    depth: usize,
    deepest: usize,
}

impl Program {
    /// The column as it is.
    pub fn column(name: &str, column: usize) -> Self {
        let mut program = Self { text: name.to_owned(), ..Self::default() };
        program.load(column);
        program
    }
    /// The column that it hands on unchanged, if it does no more.
    pub fn plain(&self) -> Option<usize> {
        matches!(self.ops[..], [Op::Load(_)]).then(|| self.columns[0])
    }
    pub(super) fn load(&mut self, column: usize) {
        let place = self.columns.iter().position(|known| *known == column).unwrap_or_else(|| {
            self.columns.push(column);
            self.columns.len() - 1
        });
        self.push(Op::Load(place));
    }
    pub(super) fn push(&mut self, op: Op) {
        match op {
            Op::Push(_) | Op::Load(_) => self.depth += 1,
            Op::Neg | Op::Call(_) => {}
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Pow | Op::Pair(_) => self.depth = self.depth.saturating_sub(1),
            Op::Clip => self.depth = self.depth.saturating_sub(2),
        }
        self.deepest = self.deepest.max(self.depth);
        self.ops.push(op);
    }
    /// Its value in every row, appended to `out`. `columns` are those of [`Program::columns`], in that order and of one
    /// length; without any there is one row.
    ///
    /// # Panics
    /// If there are not as many columns as it needs.
    pub fn run(&self, columns: &[&[f64]], out: &mut Vec<f64>) {
        assert_eq!(columns.len(), self.columns.len(), "columns of an expression");
        self.rows(columns, columns.first().map_or(1, |column| column.len()), out);
    }
    /// The same for `rows` rows, whether it needs columns or not.
    pub fn rows(&self, columns: &[&[f64]], rows: usize, out: &mut Vec<f64>) {
        let mut stack = vec![[0.0; LANES]; self.deepest];
        for begin in (0..rows).step_by(LANES) {
            let end = rows.min(begin + LANES);
            self.piece(columns, begin..end, &mut stack);
            out.extend_from_slice(&stack[0][..end - begin]);
        }
    }
    fn piece(&self, columns: &[&[f64]], rows: std::ops::Range<usize>, stack: &mut [[f64; LANES]]) {
        let mut top = 0;
        for op in &self.ops {
            match *op {
                Op::Push(x) => {
                    stack[top] = [x; LANES];
                    top += 1;
                }
                Op::Load(column) => {
                    stack[top][..rows.len()].copy_from_slice(&columns[column][rows.clone()]);
                    top += 1;
                }
                Op::Neg => one(&mut stack[top - 1], |x| -x),
                Op::Call(f) => one(&mut stack[top - 1], f),
                Op::Clip => {
                    let [x, low, high] = &mut stack[top - 3..top] else { return };
                    for ((x, low), high) in x.iter_mut().zip(low).zip(high) {
                        *x = most(*low, least(*x, *high));
                    }
                    top -= 2;
                }
                Op::Add => two(stack, &mut top, |a, b| a + b),
                Op::Sub => two(stack, &mut top, |a, b| a - b),
                Op::Mul => two(stack, &mut top, |a, b| a * b),
                Op::Div => two(stack, &mut top, |a, b| a / b),
                Op::Pow => two(stack, &mut top, f64::powf),
                Op::Pair(f) => two(stack, &mut top, f),
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
