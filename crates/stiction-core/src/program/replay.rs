//! A program in a form that runs quickly over any number: operations on a short list of registers.
use super::operation::{Arithmetic, Function, Loop, Operation, OperationId, Value};
use super::straight_line::Program;
use crate::Real;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// Index of a register.
type Register = u16;

/// One operation; the first register receives the result.
#[derive(Clone, Copy, Debug)]
enum Instruction {
    Add(Register, Register, Register),
    Subtract(Register, Register, Register),
    Multiply(Register, Register, Register),
    Divide(Register, Register, Register),
    Negate(Register, Register),
    Abs(Register, Register),
    Call(Function, Register, Register, Register),
    /// The mask comes first, then the two results.
    Select(Register, Register, Register, Register),
    // the result is a mask
    Less(Register, Register, Register),
    Equal(Register, Register, Register),
    IsNan(Register, Register),
    And(Register, Register, Register),
    Or(Register, Register, Register),
    Not(Register, Register),
    SelectMask(Register, Register, Register, Register),
    True(Register),
    False(Register),
    /// The loop with this index.
    Repeat(u16),
}

/// A loop with registers assigned.
#[derive(Clone, Debug)]
struct LoopReplay {
    count: usize,
    /// Where the carried numbers are before the first turn, and those captured.
    start: Vec<Register>,
    captured: Vec<Register>,
    /// Where the carried numbers go after the last turn; none where nobody uses one.
    results: Vec<Option<Register>>,
    body: Replay,
}

/// A program with registers assigned. A register is used again once nothing needs its value any more, so that a long program
/// needs few of them.
#[derive(Clone, Debug)]
pub struct Replay {
    instructions: Vec<Instruction>,
    /// Literals, in the first registers.
    literals: Vec<f64>,
    /// The inputs that are used, in the registers after the literals.
    inputs: Vec<usize>,
    outputs: Vec<Register>,
    /// Of the body of a loop: whether the loop is done.
    done: Option<Register>,
    loops: Vec<LoopReplay>,
    registers: usize,
    masks: usize,
}

/// Sizes of the register file for which the loop is compiled; powers of two, so that an index needs no check.
const SMALL: usize = 32;
const MEDIUM: usize = 128;
const LARGE: usize = 2048;

impl Replay {
    /// Assigns registers. None if the program works on bits, which not every number has, gives a boolean, or needs more than
    /// 2048 registers.
    pub fn new(program: &Program) -> Option<Self> {
        Assignment::new(program).replay(program, &program.outputs, None)
    }
    /// The body of a loop, whose last output is a boolean.
    fn of_body(program: &Program) -> Option<Self> {
        let (done, outputs) = program.outputs.split_last()?;
        Assignment::new(program).replay(program, outputs, Some(*done))
    }
    /// How many outputs it has.
    pub fn len(&self) -> usize {
        self.outputs.len()
    }
    /// Whether it has no output.
    pub fn is_empty(&self) -> bool {
        self.outputs.is_empty()
    }
    /// How many operations it has, those of loops counted once.
    pub fn operations(&self) -> usize {
        self.instructions.len() + self.loops.iter().map(|repeat| repeat.body.operations()).sum::<usize>()
    }
    /// Runs it. `input` gives each input by its index; outputs without a place in `out` are left out.
    #[inline(always)]
    pub fn run<R: Real>(&self, input: impl Fn(usize) -> R, out: &mut [R]) {
        self.run_body(input, out);
    }
    /// Runs it, and says whether the loop is done whose body it is.
    #[inline(always)]
    fn run_body<R: Real>(&self, input: impl Fn(usize) -> R, out: &mut [R]) -> R::Mask {
        let needed = self.registers.max(2 * self.masks);
        if needed <= SMALL {
            self.run_in::<R, SMALL, { SMALL / 2 }>(input, out)
        } else if needed <= MEDIUM {
            self.run_in::<R, MEDIUM, { MEDIUM / 2 }>(input, out)
        } else {
            self.run_large(&input, out)
        }
    }
    #[inline(never)]
    fn run_large<R: Real>(&self, input: &dyn Fn(usize) -> R, out: &mut [R]) -> R::Mask {
        self.run_in::<R, LARGE, { LARGE / 2 }>(input, out)
    }
    /// `K` registers for numbers, `M` for masks.
    #[inline(always)]
    fn run_in<R: Real, const K: usize, const M: usize>(&self, input: impl Fn(usize) -> R, out: &mut [R]) -> R::Mask {
        let zero = R::lit(0.0);
        let mut number = [zero; K];
        let mut mask = [zero.lt(zero); M];
        for (to, x) in number.iter_mut().zip(&self.literals) {
            *to = R::lit(*x);
        }
        for (to, &i) in number.iter_mut().skip(self.literals.len()).zip(&self.inputs) {
            *to = input(i);
        }
        // the sizes are powers of two and hold every index: the remainder changes nothing, and saves the check
        let n = |i: Register| i as usize % K;
        let m = |i: Register| i as usize % M;
        for instruction in &self.instructions {
            match *instruction {
                Instruction::Add(to, a, b) => number[n(to)] = number[n(a)] + number[n(b)],
                Instruction::Subtract(to, a, b) => number[n(to)] = number[n(a)] - number[n(b)],
                Instruction::Multiply(to, a, b) => number[n(to)] = number[n(a)] * number[n(b)],
                Instruction::Divide(to, a, b) => number[n(to)] = number[n(a)] / number[n(b)],
                Instruction::Negate(to, a) => number[n(to)] = -number[n(a)],
                Instruction::Abs(to, a) => number[n(to)] = number[n(a)].abs(),
                Instruction::Call(function, to, a, b) => number[n(to)] = call(function, number[n(a)], number[n(b)]),
                Instruction::Select(to, which, a, b) => {
                    number[n(to)] = R::select(mask[m(which)], number[n(a)], number[n(b)]);
                }
                Instruction::Less(to, a, b) => mask[m(to)] = number[n(a)].lt(number[n(b)]),
                Instruction::Equal(to, a, b) => {
                    let (a, b) = (number[n(a)], number[n(b)]);
                    mask[m(to)] = is_number(a) & is_number(b) & !(a.lt(b) | b.lt(a));
                }
                Instruction::IsNan(to, a) => mask[m(to)] = !is_number(number[n(a)]),
                Instruction::And(to, a, b) => mask[m(to)] = mask[m(a)] & mask[m(b)],
                Instruction::Or(to, a, b) => mask[m(to)] = mask[m(a)] | mask[m(b)],
                Instruction::Not(to, a) => mask[m(to)] = !mask[m(a)],
                Instruction::SelectMask(to, which, a, b) => {
                    let which = mask[m(which)];
                    mask[m(to)] = (which & mask[m(a)]) | (!which & mask[m(b)]);
                }
                Instruction::True(to) => mask[m(to)] = !zero.lt(zero),
                Instruction::False(to) => mask[m(to)] = zero.lt(zero),
                Instruction::Repeat(i) => {
                    if let Some(repeat) = self.loops.get(i as usize) {
                        repeat.run(&mut number);
                    }
                }
            }
        }
        for (to, &from) in out.iter_mut().zip(&self.outputs) {
            *to = number[n(from)];
        }
        self.done.map_or(zero.lt(zero), |done| mask[m(done)])
    }
}

impl LoopReplay {
    #[inline(never)]
    fn run<R: Real>(&self, number: &mut [R]) {
        let all = |registers: &[Register]| registers.iter().map(|i| number[*i as usize]).collect::<Vec<R>>();
        let (start, captured) = (all(&self.start), all(&self.captured));
        let end = R::repeat(self.count, start, |now| {
            let input = |i: usize| if i < now.len() { now[i] } else { captured[i - now.len()] };
            let mut next = now.clone();
            let done = self.body.run_body(input, &mut next);
            (next, done)
        });
        for (to, x) in self.results.iter().zip(end) {
            if let Some(to) = to {
                number[*to as usize] = x;
            }
        }
    }
}

/// Every number but NaN is below infinity or above minus infinity.
#[inline(always)]
fn is_number<R: Real>(x: R) -> R::Mask {
    x.lt(R::lit(f64::INFINITY)) | R::lit(f64::NEG_INFINITY).lt(x)
}

#[inline(always)]
fn call<R: Real>(function: Function, x: R, y: R) -> R {
    match function {
        Function::Exp => x.exp(),
        Function::ExpM1 => x.exp_m1(),
        Function::Ln => x.ln(),
        Function::Ln1p => x.ln_1p(),
        Function::Tanh => x.tanh(),
        Function::Sqrt => x.sqrt(),
        Function::Floor => x.floor(),
        // the exponents that `powf` takes apart are taken apart in the program as well
        Function::Pow => x.powf(y),
        Function::Uniform => R::uniform(x, y),
    }
}

/// Where a value is.
#[derive(Clone, Copy, PartialEq)]
enum Location {
    None,
    Number(Register),
    Mask(Register),
}

/// Assigns registers: a value keeps its register until its last use.
struct Assignment {
    /// The last operation that uses each one; `usize::MAX` for outputs.
    last_use: Vec<usize>,
    places: Vec<Location>,
    free_numbers: Vec<Register>,
    free_masks: Vec<Register>,
    numbers: usize,
    masks: usize,
}

impl Assignment {
    fn new(program: &Program) -> Self {
        let mut last_use = vec![0; program.operations.len()];
        for (i, operation) in program.operations.iter().enumerate() {
            for id in operation.operands() {
                last_use[id as usize] = i;
            }
        }
        for id in &program.outputs {
            last_use[*id as usize] = usize::MAX;
        }
        Self {
            last_use,
            places: vec![Location::None; program.operations.len()],
            free_numbers: Vec::new(),
            free_masks: Vec::new(),
            numbers: 0,
            masks: 0,
        }
    }
    fn replay(mut self, program: &Program, outputs: &[OperationId], done: Option<OperationId>) -> Option<Replay> {
        let mut literals: Vec<f64> = Vec::new();
        let mut inputs: Vec<usize> = Vec::new();
        let mut known: BTreeMap<u64, Register> = BTreeMap::new();
        for (i, operation) in program.operations.iter().enumerate() {
            if let Operation::Literal(Value::Number(bits)) = operation {
                let register = *known.entry(*bits).or_insert_with(|| {
                    literals.push(f64::from_bits(*bits));
                    (literals.len() - 1) as Register
                });
                self.places[i] = Location::Number(register);
            }
        }
        for (i, operation) in program.operations.iter().enumerate() {
            if let Operation::Input(input) = operation {
                self.places[i] = Location::Number((literals.len() + inputs.len()) as Register);
                inputs.push(*input as usize);
            }
        }
        self.numbers = literals.len() + inputs.len();
        let (mut instructions, mut loops) = (Vec::new(), Vec::new());
        for (i, operation) in program.operations.iter().enumerate() {
            if matches!(operation, Operation::Input(_) | Operation::Literal(Value::Number(_))) {
                continue;
            }
            // registers of operands that are used here for the last time may hold the result: operands are read before it is written
            for id in operation.operands() {
                self.release(id, i, &program.operations);
            }
            match operation {
                Operation::Repeat(repeat) => {
                    loops.push(self.repeat(i, repeat, &program.operations)?);
                    instructions.push(Instruction::Repeat(u16::try_from(loops.len() - 1).ok()?));
                }
                // its register was assigned with the loop
                Operation::Carried(..) => {}
                operation => instructions.push(self.instruction(i, operation)?),
            }
        }
        let outputs = outputs.iter().map(|id| self.number(*id)).collect::<Option<Vec<_>>>()?;
        let done = match done {
            Some(id) => Some(self.mask(id)?),
            None => None,
        };
        let fits = self.numbers <= LARGE && self.masks <= LARGE / 2;
        let (registers, masks) = (self.numbers, self.masks);
        fits.then_some(Replay { instructions, literals, inputs, outputs, done, loops, registers, masks })
    }
    /// A loop, whose results get their registers now. They may be those of its operands, which are copied before the first turn.
    fn repeat(&mut self, id: usize, repeat: &Loop, operations: &[Operation]) -> Option<LoopReplay> {
        let body = Replay::of_body(&repeat.body)?;
        let all = |of: &Self, ids: &[OperationId]| ids.iter().map(|id| of.number(*id)).collect::<Option<Vec<_>>>();
        let (start, captured) = (all(self, &repeat.start)?, all(self, &repeat.captured)?);
        let mut results = vec![None; repeat.start.len()];
        for (i, operation) in operations.iter().enumerate().skip(id) {
            if let Operation::Carried(of, k) = operation
                && *of as usize == id
            {
                let place = results.get_mut(*k as usize)?;
                *place = Some(self.new_number(i));
            }
        }
        Some(LoopReplay { count: repeat.count as usize, start, captured, results, body })
    }
    /// Frees the register of an operand after its last use; an operand that occurs twice in an operation is freed once.
    fn release(&mut self, id: OperationId, now: usize, operations: &[Operation]) {
        let id = id as usize;
        let kept = matches!(operations[id], Operation::Input(_) | Operation::Literal(Value::Number(_)));
        if kept || self.last_use[id] != now {
            return;
        }
        match self.places[id] {
            Location::Number(register) if !self.free_numbers.contains(&register) => self.free_numbers.push(register),
            Location::Mask(register) if !self.free_masks.contains(&register) => self.free_masks.push(register),
            _ => {}
        }
    }
    fn number(&self, id: OperationId) -> Option<Register> {
        match self.places.get(id as usize) {
            Some(Location::Number(register)) => Some(*register),
            _ => None,
        }
    }
    fn mask(&self, id: OperationId) -> Option<Register> {
        match self.places.get(id as usize) {
            Some(Location::Mask(register)) => Some(*register),
            _ => None,
        }
    }
    fn new_number(&mut self, id: usize) -> Register {
        let register = self.free_numbers.pop().unwrap_or_else(|| {
            self.numbers += 1;
            (self.numbers - 1) as Register
        });
        self.places[id] = Location::Number(register);
        register
    }
    fn new_mask(&mut self, id: usize) -> Register {
        let register = self.free_masks.pop().unwrap_or_else(|| {
            self.masks += 1;
            (self.masks - 1) as Register
        });
        self.places[id] = Location::Mask(register);
        register
    }
    fn instruction(&mut self, id: usize, operation: &Operation) -> Option<Instruction> {
        // more would not fit into an index
        if self.numbers > LARGE || self.masks > LARGE {
            return None;
        }
        Some(match *operation {
            Operation::Arithmetic(arithmetic, a, b) => {
                let (a, b, to) = (self.number(a)?, self.number(b)?, self.new_number(id));
                match arithmetic {
                    Arithmetic::Add => Instruction::Add(to, a, b),
                    Arithmetic::Subtract => Instruction::Subtract(to, a, b),
                    Arithmetic::Multiply => Instruction::Multiply(to, a, b),
                    Arithmetic::Divide => Instruction::Divide(to, a, b),
                }
            }
            Operation::Negate(a) => {
                let a = self.number(a)?;
                Instruction::Negate(self.new_number(id), a)
            }
            Operation::Abs(a) => {
                let a = self.number(a)?;
                Instruction::Abs(self.new_number(id), a)
            }
            Operation::Call(function, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                Instruction::Call(function, self.new_number(id), a, b)
            }
            Operation::Less(a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                Instruction::Less(self.new_mask(id), a, b)
            }
            Operation::Equal(a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                Instruction::Equal(self.new_mask(id), a, b)
            }
            Operation::IsNan(a) => {
                let a = self.number(a)?;
                Instruction::IsNan(self.new_mask(id), a)
            }
            Operation::And(a, b) => {
                let (a, b) = (self.mask(a)?, self.mask(b)?);
                Instruction::And(self.new_mask(id), a, b)
            }
            Operation::Or(a, b) => {
                let (a, b) = (self.mask(a)?, self.mask(b)?);
                Instruction::Or(self.new_mask(id), a, b)
            }
            Operation::Not(a) => {
                let a = self.mask(a)?;
                Instruction::Not(self.new_mask(id), a)
            }
            Operation::Select(which, a, b) => {
                let which = self.mask(which)?;
                match (self.number(a), self.number(b)) {
                    (Some(a), Some(b)) => Instruction::Select(self.new_number(id), which, a, b),
                    _ => {
                        let (a, b) = (self.mask(a)?, self.mask(b)?);
                        Instruction::SelectMask(self.new_mask(id), which, a, b)
                    }
                }
            }
            Operation::Literal(Value::Boolean(true)) => Instruction::True(self.new_mask(id)),
            Operation::Literal(Value::Boolean(false)) => Instruction::False(self.new_mask(id)),
            Operation::Input(_)
            | Operation::Literal(_)
            | Operation::ToBits(_)
            | Operation::FromBits(_)
            | Operation::Word(..)
            | Operation::ShiftLeft(..)
            | Operation::ShiftRight(..)
            | Operation::Repeat(_)
            | Operation::Carried(..) => return None,
        })
    }
}
