//! An expression as a graph, for single rows: what occurs twice is computed once, and derivatives go backwards through it.
use super::compiled::Operation;
use super::operations::{Evaluation, function_slopes, not, operator, operator_slopes};
use stiction_io::expression::Operator;

/// An operation and the nodes that it takes its numbers from.
#[derive(Clone, Copy, Debug)]
struct Node {
    operation: Operation,
    inputs: [usize; 3],
}

/// Nodes in the order of their evaluation; the value of the expression is that of the last one.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
}

/// Nodes that need no allocation.
const USUAL: usize = 64;

impl Graph {
    /// The graph of operations on a stack.
    pub fn new(operations: &[Operation]) -> Self {
        let mut graph = Self::default();
        let mut stack: Vec<usize> = Vec::new();
        for operation in operations {
            let mut inputs = [0; 3];
            let count = operation.operands().min(stack.len());
            let taken = stack.split_off(stack.len() - count);
            inputs.iter_mut().zip(taken).for_each(|(to, from)| *to = from);
            stack.push(graph.node(Node { operation: *operation, inputs }));
        }
        stack.last().map(|&result| graph.reaching(result)).unwrap_or_default()
    }
    /// The nodes on which one depends, with that as the last.
    fn reaching(&self, result: usize) -> Self {
        let mut used = vec![false; result + 1];
        used[result] = true;
        for k in (0..=result).rev() {
            if used[k] {
                self.nodes[k].taken().iter().for_each(|&input| used[input] = true);
            }
        }
        let mut place = vec![0; result + 1];
        let mut out = Self::default();
        for k in (0..=result).filter(|&k| used[k]) {
            place[k] = out.nodes.len();
            let node = self.nodes[k];
            out.nodes.push(Node { inputs: node.inputs.map(|input| place[input]), ..node });
        }
        out
    }
    /// The index of a node, which is added if there is none like it.
    fn node(&mut self, node: Node) -> usize {
        let taken = node.taken();
        let of_constants = taken.iter().all(|&k| matches!(self.nodes[k].operation, Operation::Push(_)));
        let node = if !taken.is_empty() && of_constants {
            let value = node.value(&self.values());
            Node { operation: Operation::Push(value), inputs: [0; 3] }
        } else {
            node
        };
        self.nodes.iter().position(|known| known.equals(&node)).unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }
    /// Values of the nodes that are constants; others are missing.
    fn values(&self) -> Vec<f64> {
        let value = |node: &Node| if let Operation::Push(x) = node.operation { x } else { f64::NAN };
        self.nodes.iter().map(value).collect()
    }
    fn run(&self, columns: &[f64], values: &mut [f64]) {
        for (k, node) in self.nodes.iter().enumerate() {
            values[k] = match node.operation {
                Operation::Load(column) => columns[column],
                _ => node.value(values),
            };
        }
    }
    /// The value for one value of each column.
    pub fn evaluate(&self, columns: &[f64]) -> f64 {
        let (mut usual, mut long) = ([0.0; USUAL], Vec::new());
        let values = room(&mut usual, &mut long, self.nodes.len());
        self.run(columns, values);
        values.last().copied().unwrap_or(f64::NAN)
    }
    /// The value, with its derivatives by the columns. The chain rule is applied from the result to the columns, so that one pass gives them
    /// all.
    pub fn differentiate(&self, columns: &[f64], slopes: &mut [f64]) -> f64 {
        slopes.fill(0.0);
        let (mut usual, mut long) = ([0.0; USUAL], Vec::new());
        let values = room(&mut usual, &mut long, self.nodes.len());
        self.run(columns, values);
        let (mut usual, mut long) = ([0.0; USUAL], Vec::new());
        let by_node = room(&mut usual, &mut long, self.nodes.len());
        let Some(last) = by_node.last_mut() else { return f64::NAN };
        *last = 1.0;
        for (k, node) in self.nodes.iter().enumerate().rev() {
            // what the result does not depend on adds nothing, also where its own derivative is infinite
            if by_node[k] == 0.0 {
                continue;
            }
            if let Operation::Load(column) = node.operation {
                slopes[column] += by_node[k];
            }
            let constant = |k: usize| matches!(self.nodes[k].operation, Operation::Push(_));
            let own = node.slopes(values, values[k], constant);
            for (&input, slope) in node.taken().iter().zip(own) {
                by_node[input] += by_node[k] * slope;
            }
        }
        values.last().copied().unwrap_or(f64::NAN)
    }
}

/// So many zeros, on the stack if they are few.
fn room<'a>(usual: &'a mut [f64; USUAL], long: &'a mut Vec<f64>, count: usize) -> &'a mut [f64] {
    if count <= USUAL {
        &mut usual[..count]
    } else {
        long.resize(count, 0.0);
        long
    }
}

impl Node {
    /// The nodes that it takes its numbers from.
    fn taken(&self) -> &[usize] {
        &self.inputs[..self.operation.operands()]
    }
    /// Whether both give the same number, to the last bit.
    fn equals(&self, other: &Self) -> bool {
        let same = match (self.operation, other.operation) {
            (Operation::Push(a), Operation::Push(b)) => a.to_bits() == b.to_bits(),
            (a, b) => a == b,
        };
        same && self.inputs == other.inputs
    }
    /// The value, from those of the nodes before; missing for a column.
    fn value(&self, values: &[f64]) -> f64 {
        let [a, b, c] = self.inputs;
        match self.operation {
            Operation::Push(x) => x,
            Operation::Load(_) => f64::NAN,
            Operation::Negate => -values[a],
            Operation::Not => not(values[a]),
            // without a call
            Operation::Operator(Operator::Add) => values[a] + values[b],
            Operation::Operator(Operator::Subtract) => values[a] - values[b],
            Operation::Operator(Operator::Multiply) => values[a] * values[b],
            Operation::Operator(Operator::Divide) => values[a] / values[b],
            Operation::Operator(of) => operator(of)(values[a], values[b]),
            Operation::Call(function) => Evaluation::of(function).value(values[a], values[b], values[c]),
        }
    }
    /// The derivatives by the numbers that it takes, where its value is `y`. `constant` tells which of them are constants, by which nothing
    /// is differentiated.
    fn slopes(&self, values: &[f64], y: f64, constant: impl Fn(usize) -> bool) -> [f64; 3] {
        let [a, b, c] = self.inputs;
        match self.operation {
            Operation::Push(_) | Operation::Load(_) | Operation::Not => [0.0; 3],
            Operation::Negate => [-1.0, 0.0, 0.0],
            Operation::Operator(operator) => {
                let [by_a, by_b] = operator_slopes(operator, [values[a], values[b]], y, [a, b].map(constant));
                [by_a, by_b, 0.0]
            }
            Operation::Call(function) => {
                function_slopes(function, [values[a], values[b], values[c]], y, [a, b].map(constant))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::expression::{Expression, SymbolTable};

    const TEXTS: [&str; 9] = [
        "-k*sin(a)+b^2/c",
        "clip(a*c, -1, k)",
        "where(b > 0, a*b, c^2)",
        "max(a, min(b, c)) + abs(a)*sign(c)",
        "exp(-(abs(a)/k)^1.5)*(1 + k*abs(b*sin(a))) - tanh(b*sin(a))",
        "2^a + sqrt(1 + b^2) + ln(2 + cos(c)) + tan(0.3*a)",
        "abs(b*sin(a)) + k*abs(b*sin(a))",
        "(a + b)*(a + b) - 2*3*k",
        "c",
    ];

    fn expression(text: &str) -> Expression {
        let symbols = SymbolTable { columns: vec!["a", "b", "c"], constants: vec![("k", 0.3)], units: Vec::new() };
        Expression::parse(text, &symbols).expect("an expression")
    }

    #[test]
    fn derivatives_are_difference_quotients() {
        for text in TEXTS {
            let f = expression(text);
            for at in [[0.4, 1.1, -0.7], [-1.3, 0.6, 2.2], [0.9, -0.8, 0.5]] {
                let x: Vec<f64> = f.columns.iter().map(|&k| at[k]).collect();
                let mut slopes = vec![0.0; x.len()];
                assert_eq!(f.differentiate_one(&x, &mut slopes).to_bits(), f.evaluate_one(&x).to_bits());
                for (j, slope) in slopes.iter().enumerate() {
                    // error of the quotient: h² of the third derivative, and rounding over h
                    let h = 1e-5;
                    let at = |d: f64| {
                        let mut x = x.clone();
                        x[j] += d;
                        f.evaluate_one(&x)
                    };
                    let quotient = (at(h) - at(-h)) / (2.0 * h);
                    assert!((slope - quotient).abs() < 1e-8 * (1.0 + quotient.abs()), "{text}: {slope} {quotient}");
                }
            }
        }
    }

    #[test]
    fn what_occurs_twice_is_computed_once() {
        // a, b, sin, product, abs, k, k·abs, sum
        assert_eq!(expression("abs(b*sin(a)) + k*abs(b*sin(a))").graph.nodes.len(), 8);
        // a, the constant, product
        assert_eq!(expression("a*(2*3*k)").graph.nodes.len(), 3);
        assert_eq!(expression("0*(-0)*a").evaluate_one(&[1.0]).to_bits(), (-0.0_f64).to_bits());
    }

    #[test]
    fn a_branch_without_weight_has_no_slope() {
        // the derivative of the root at zero is infinite, that of the whole is not
        let f = expression("where(a > 0, sqrt(a), 2*b)");
        let mut slopes = [0.0; 2];
        assert_eq!(f.differentiate_one(&[0.0, 1.0], &mut slopes), 2.0);
        assert_eq!(slopes, [0.0, 2.0]);
    }
}
