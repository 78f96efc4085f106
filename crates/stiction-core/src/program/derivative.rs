//! Partial derivatives of a program, as a program: forward mode, by the rules of [`Dual`](crate::Dual).
use super::builder::Builder;
use super::operation::{Arithmetic, Function, Loop, Operation, OperationId, Value};
use super::straight_line::Program;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// The program whose outputs are those of `program`, then their derivatives by each of these inputs: all outputs by the first
/// input, all by the second, and so on. Where a derivative does not exist, it has the value that a dual number has.
///
/// None if the program works on bits.
pub fn derivative(program: &Program, by: &[u32]) -> Option<Program> {
    let mut builder = Builder::new(program.precision);
    let one = builder.number(1.0);
    let input = |builder: &mut Builder, i: u32| {
        (builder.input(i), by.iter().map(|by| (*by == i).then_some(one)).collect::<Slopes>())
    };
    let inputs = (0..program.inputs).map(|i| input(&mut builder, i)).collect();
    let mut forward =
        Forward { directions: by.len(), inputs, values: Vec::new(), slopes: Vec::new(), builder: &mut builder };
    forward.run(program)?;
    let mut outputs: Vec<OperationId> = program.outputs.iter().map(|id| forward.values[*id as usize]).collect();
    for k in 0..by.len() {
        outputs.extend(program.outputs.iter().map(|id| forward.slope_or_zero(*id, k)).collect::<Vec<_>>());
    }
    Some(builder.program(program.inputs, &outputs))
}

/// The program whose outputs are those of `program`, then their derivatives along a change of all inputs: input `i` changes by the
/// new input `program.inputs + i`. The derivatives are linear in these.
///
/// None if the program works on bits.
pub fn directional_derivative(program: &Program) -> Option<Program> {
    let mut builder = Builder::new(program.precision);
    let inputs =
        (0..program.inputs).map(|i| (builder.input(i), vec![Some(builder.input(program.inputs + i))])).collect();
    let mut forward = Forward { directions: 1, inputs, values: Vec::new(), slopes: Vec::new(), builder: &mut builder };
    forward.run(program)?;
    let mut outputs: Vec<OperationId> = program.outputs.iter().map(|id| forward.values[*id as usize]).collect();
    outputs.extend(program.outputs.iter().map(|id| forward.slope_or_zero(*id, 0)).collect::<Vec<_>>());
    Some(builder.program(2 * program.inputs, &outputs))
}

/// The derivatives of a number by each input; none where it is zero.
type Slopes = Vec<Option<OperationId>>;

struct Forward<'a> {
    /// How many derivatives each number has.
    directions: usize,
    /// Each input of the program in the new one, and its derivatives.
    inputs: Vec<(OperationId, Slopes)>,
    /// Each operation of the program in the new one.
    values: Vec<OperationId>,
    slopes: Vec<Slopes>,
    builder: &'a mut Builder,
}

impl Forward<'_> {
    fn run(&mut self, program: &Program) -> Option<()> {
        program.operations.iter().try_for_each(|operation| self.push(operation))
    }
    fn slope_or_zero(&mut self, id: OperationId, k: usize) -> OperationId {
        let slope = self.slopes[id as usize].get(k).copied().flatten();
        slope.unwrap_or_else(|| self.builder.number(0.0))
    }
    fn push(&mut self, operation: &Operation) -> Option<()> {
        let (value, slopes) = match operation {
            Operation::Repeat(repeat) => (self.repeat(repeat)?, Vec::new()),
            Operation::Carried(repeat, k) => {
                let (repeat, carried) = (self.values[*repeat as usize], self.carried(*repeat));
                let mut take = |i: usize| self.builder.push(Operation::Carried(repeat, i as u32));
                let slopes = (1..=self.directions).map(|d| Some(take(d * carried + *k as usize))).collect();
                (take(*k as usize), slopes)
            }
            Operation::Input(i) => self.inputs.get(*i as usize).cloned()?,
            operation => {
                let value = self.builder.push(operation.clone().renumber(|id| self.values[id as usize]));
                (value, self.simple(operation, value)?)
            }
        };
        self.values.push(value);
        self.slopes.push(slopes);
        Some(())
    }
    /// The slopes of an operation with a single result.
    fn simple(&mut self, operation: &Operation, value: OperationId) -> Option<Slopes> {
        Some(match *operation {
            Operation::ToBits(_)
            | Operation::FromBits(_)
            | Operation::Word(..)
            | Operation::ShiftLeft(..)
            | Operation::ShiftRight(..)
            // these were handled before
            | Operation::Input(_)
            | Operation::Repeat(_)
            | Operation::Carried(..)
            | Operation::Literal(Value::Word(_)) => return None,
            // constant, or not a number
            Operation::Literal(_)
            | Operation::Less(..)
            | Operation::Equal(..)
            | Operation::IsNan(_)
            | Operation::And(..)
            | Operation::Or(..)
            | Operation::Not(_)
            | Operation::Call(Function::Floor | Function::Uniform, ..) => vec![None; self.directions],
            Operation::Arithmetic(arithmetic, a, b) => self.arithmetic(arithmetic, a, b, value),
            Operation::Negate(a) => self.each(a, |builder, slope| builder.negate(slope)),
            Operation::Abs(a) => {
                let x = self.values[a as usize];
                self.each(a, |builder, slope| {
                    let (zero, one) = (builder.number(0.0), builder.number(1.0));
                    let (minus, below) = (builder.negate(one), builder.less(x, zero));
                    let side = builder.select(below, minus, one);
                    builder.multiply(slope, side)
                })
            }
            Operation::Call(Function::Pow, a, b) => self.power(a, b, value),
            Operation::Call(function, a, _) => self.function(function, a, value),
            Operation::Select(which, a, b) => {
                let which = self.values[which as usize];
                self.both(a, b, |builder, a, b| {
                    let zero = builder.number(0.0);
                    builder.select(which, a.unwrap_or(zero), b.unwrap_or(zero))
                })
            }
        })
    }
    /// How many numbers a loop of the program carries; in the new program the derivatives come after them, direction by direction.
    fn carried(&self, repeat: OperationId) -> usize {
        match self.builder.operation(self.values[repeat as usize]) {
            Some(Operation::Repeat(repeat)) => repeat.start.len() / (1 + self.directions),
            _ => 0,
        }
    }
    /// The loop that carries the derivatives of its numbers beside them. It ends with the numbers, so an iteration has to make
    /// one turn after its numbers have converged, as one over dual numbers has.
    fn repeat(&mut self, repeat: &Loop) -> Option<OperationId> {
        let carried = repeat.start.len() as u32;
        let mut body = Builder::new(repeat.body.precision);
        let derivatives = |i: u32| (1..=self.directions as u32).map(move |d| d * carried + i);
        let mut inputs: Vec<(OperationId, Slopes)> = (0..carried)
            .map(|i| (body.input(i), derivatives(i).map(|input| Some(body.input(input))).collect()))
            .collect();
        // a captured number comes with those of its derivatives that are not zero
        let mut captured: Vec<OperationId> = Vec::new();
        let before = carried * (1 + self.directions as u32);
        for id in &repeat.captured {
            let mut capture = |id: OperationId| {
                captured.push(id);
                body.input(before + captured.len() as u32 - 1)
            };
            let value = capture(self.values[*id as usize]);
            inputs.push((value, self.slopes[*id as usize].iter().map(|slope| slope.map(&mut capture)).collect()));
        }
        let mut forward =
            Forward { directions: self.directions, inputs, values: Vec::new(), slopes: Vec::new(), builder: &mut body };
        forward.run(&repeat.body)?;
        let (done, next) = repeat.body.outputs.split_last()?;
        let mut outputs: Vec<OperationId> = next.iter().map(|id| forward.values[*id as usize]).collect();
        for k in 0..self.directions {
            outputs.extend(next.iter().map(|id| forward.slope_or_zero(*id, k)).collect::<Vec<_>>());
        }
        outputs.push(forward.values[*done as usize]);
        let body = body.program(before + captured.len() as u32, &outputs);
        let mut start: Vec<OperationId> = repeat.start.iter().map(|id| self.values[*id as usize]).collect();
        for k in 0..self.directions {
            start.extend(repeat.start.iter().map(|id| self.slope_or_zero(*id, k)).collect::<Vec<_>>());
        }
        Some(self.builder.push(Operation::Repeat(Box::new(Loop { count: repeat.count, start, captured, body }))))
    }
    /// The slopes of a function of one operand.
    fn each(&mut self, a: OperationId, mut slope: impl FnMut(&mut Builder, OperationId) -> OperationId) -> Slopes {
        let Self { slopes, builder, .. } = self;
        slopes[a as usize].iter().map(|a| a.map(|a| slope(builder, a))).collect()
    }
    /// The slopes of a function of two operands; none where neither has one.
    fn both(
        &mut self,
        a: OperationId,
        b: OperationId,
        mut slope: impl FnMut(&mut Builder, Option<OperationId>, Option<OperationId>) -> OperationId,
    ) -> Slopes {
        let Self { slopes, builder, .. } = self;
        let pairs = slopes[a as usize].iter().zip(&slopes[b as usize]);
        pairs.map(|(a, b)| (a.is_some() || b.is_some()).then(|| slope(builder, *a, *b))).collect()
    }
    fn arithmetic(&mut self, arithmetic: Arithmetic, a: OperationId, b: OperationId, value: OperationId) -> Slopes {
        let (x, y) = (self.values[a as usize], self.values[b as usize]);
        self.both(a, b, |builder, a, b| match (arithmetic, a, b) {
            (Arithmetic::Add, Some(a), Some(b)) => builder.add(a, b),
            (Arithmetic::Add | Arithmetic::Subtract, Some(a), None) => a,
            (Arithmetic::Add, _, Some(b)) => b,
            (Arithmetic::Subtract, Some(a), Some(b)) => builder.subtract(a, b),
            (Arithmetic::Subtract, _, Some(b)) => builder.negate(b),
            (Arithmetic::Multiply, Some(a), Some(b)) => {
                let (first, second) = (builder.multiply(a, y), builder.multiply(x, b));
                builder.add(first, second)
            }
            (Arithmetic::Multiply, Some(a), None) => builder.multiply(a, y),
            (Arithmetic::Multiply, _, Some(b)) => builder.multiply(x, b),
            (Arithmetic::Divide, a, b) => {
                let above = match (a, b) {
                    (Some(a), Some(b)) => {
                        let lost = builder.multiply(value, b);
                        builder.subtract(a, lost)
                    }
                    (Some(a), None) => a,
                    (_, b) => {
                        let lost = builder.multiply(value, b.unwrap_or(value));
                        builder.negate(lost)
                    }
                };
                builder.divide(above, y)
            }
            // neither has a slope: `both` does not ask
            (_, None, None) => builder.number(0.0),
        })
    }
    fn function(&mut self, function: Function, a: OperationId, value: OperationId) -> Slopes {
        let x = self.values[a as usize];
        let one = self.builder.number(1.0);
        let builder = &mut *self.builder;
        let slope = match function {
            Function::Exp => value,
            Function::ExpM1 => builder.add(value, one),
            Function::Ln => builder.divide(one, x),
            Function::Ln1p => {
                let y = builder.add(one, x);
                builder.divide(one, y)
            }
            Function::Tanh => {
                let square = builder.multiply(value, value);
                builder.subtract(one, square)
            }
            Function::Sqrt => {
                let half = builder.number(0.5);
                builder.divide(half, value)
            }
            Function::Floor | Function::Uniform | Function::Pow => builder.number(0.0),
        };
        self.each(a, |builder, by| builder.multiply(by, slope))
    }
    /// As the power of dual numbers: where x is not positive, the slope is 1 for `y = 1`, 2x for `y = 2`, and 0 otherwise.
    fn power(&mut self, a: OperationId, b: OperationId, value: OperationId) -> Slopes {
        let (x, y) = (self.values[a as usize], self.values[b as usize]);
        let builder = &mut *self.builder;
        let (zero, one) = (builder.number(0.0), builder.number(1.0));
        let positive = builder.less(zero, x);
        let safe = builder.select(positive, x, one);
        let linear = builder.equal(y, one);
        let two = builder.number(2.0);
        let (square, double) = (builder.equal(y, two), builder.add(x, x));
        let below = builder.select(square, double, zero);
        let below = builder.select(linear, one, below);
        let scaled = builder.multiply(y, value);
        let inside = builder.divide(scaled, safe);
        let by_x = builder.select(positive, inside, below);
        self.both(a, b, |builder, a, b| {
            let first = a.map(|a| builder.multiply(a, by_x));
            let second = b.map(|b| {
                let log = builder.call(Function::Ln, safe);
                let slope = builder.multiply(value, log);
                let slope = builder.select(positive, slope, zero);
                builder.multiply(b, slope)
            });
            match (first, second) {
                (Some(first), Some(second)) => builder.add(first, second),
                (Some(one), None) | (None, Some(one)) => one,
                (None, None) => zero,
            }
        })
    }
}
