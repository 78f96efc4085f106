//! A program as instructions of a stack machine with local variables.
use super::instruction as i;
use super::module::{ValueType, signed, unsigned};
use crate::export::source_text::{ValueKind, kind};
use stiction_core::program::{Arithmetic, Function, Loop, Operation, OperationId, Program, Value, WordOperator};

/// Where the result of an operation is.
#[derive(Clone, Debug)]
enum Location {
    Literal(Value),
    Local(u32),
    /// The local variables that a loop carries.
    Loop(Vec<u32>),
}

/// The instructions and local variables of a function, which takes the program's inputs and leaves its outputs on the stack.
/// `index` gives the functions that it calls.
pub(super) fn instructions(program: &Program, index: &impl Fn(Function) -> u32) -> (Vec<u8>, Vec<ValueType>) {
    let inputs: Vec<Location> = (0..program.inputs).map(Location::Local).collect();
    let mut body = Body { arguments: program.inputs, ..Body::default() };
    let outputs = body.block(program, &inputs, index);
    outputs.iter().for_each(|location| body.push(location));
    (body.code, body.locals)
}

#[derive(Default)]
struct Body {
    code: Vec<u8>,
    arguments: u32,
    locals: Vec<ValueType>,
    /// Local variables whose value is needed no more.
    free: Vec<u32>,
    /// The last instruction, if it assigns the result of an operation: where it begins, where it ends, and the variable.
    assigned: Option<(usize, usize, u32)>,
}

impl Body {
    /// The operations of a program or of a turn of a loop. Returns the locations of its outputs.
    fn block(&mut self, program: &Program, inputs: &[Location], index: &impl Fn(Function) -> u32) -> Vec<Location> {
        let mut last_use = vec![0; program.operations.len()];
        for (k, operation) in program.operations.iter().enumerate() {
            operation.operands().for_each(|id| last_use[id as usize] = k);
        }
        program.outputs.iter().for_each(|id| last_use[*id as usize] = usize::MAX);
        let mut locations: Vec<Location> = Vec::with_capacity(program.operations.len());
        // the variables of operations here; those of inputs and of loops are not given to others
        let mut own: Vec<Option<u32>> = vec![None; program.operations.len()];
        for (k, operation) in program.operations.iter().enumerate() {
            let known = match operation {
                Operation::Input(input) => inputs.get(*input as usize).cloned(),
                Operation::Literal(value) => Some(Location::Literal(*value)),
                Operation::Repeat(repeat) => Some(Location::Loop(self.repeat(repeat, &locations, index))),
                Operation::Carried(id, carried) => match &locations[*id as usize] {
                    Location::Loop(variables) => variables.get(*carried as usize).copied().map(Location::Local),
                    _ => None,
                },
                operation => {
                    let (operands, instructions) = stack_instructions(operation, index);
                    self.operands(&operands, &locations, |id| last_use[id as usize] == k);
                    self.code.extend(instructions);
                    None
                }
            };
            let dying = operation.operands().filter(|id| last_use[*id as usize] == k);
            self.free.extend(dying.filter_map(|id| own[id as usize].take()));
            locations.push(known.unwrap_or_else(|| {
                let variable = self.variable(value_type(operation));
                let begin = self.code.len();
                self.set(variable);
                self.assigned = Some((begin, self.code.len(), variable));
                own[k] = Some(variable);
                Location::Local(variable)
            }));
        }
        program.outputs.iter().map(|id| locations[*id as usize].clone()).collect()
    }
    /// Puts operands on the stack. A value that was assigned just now and is needed here alone has stayed there.
    fn operands(&mut self, operands: &[OperationId], locations: &[Location], last: impl Fn(OperationId) -> bool) {
        let mut rest = operands;
        if let (Some((begin, end, variable)), Some((first, others))) = (self.assigned, operands.split_first())
            && end == self.code.len()
            && matches!(locations[*first as usize], Location::Local(of) if of == variable)
        {
            if last(*first) && !others.contains(first) {
                self.code.truncate(begin);
            } else {
                self.code[begin] = i::LOCAL_TEE;
            }
            rest = others;
        }
        rest.iter().for_each(|id| self.push(&locations[*id as usize]));
    }
    fn push(&mut self, location: &Location) {
        match location {
            Location::Literal(Value::Number(bits)) => {
                self.code.push(i::F64_CONST);
                self.code.extend(bits.to_le_bytes());
            }
            Location::Literal(Value::Word(word)) => self.with(i::I64_CONST, &signed(word.cast_signed())),
            Location::Literal(Value::Boolean(truth)) => self.with(i::I32_CONST, &signed(i64::from(*truth))),
            Location::Local(variable) => self.with(i::LOCAL_GET, &unsigned(u64::from(*variable))),
            // a loop is no operand of anything but its results
            Location::Loop(_) => {}
        }
    }
    fn with(&mut self, instruction: u8, immediate: &[u8]) {
        self.code.push(instruction);
        self.code.extend(immediate);
    }
    fn set(&mut self, variable: u32) {
        self.with(i::LOCAL_SET, &unsigned(u64::from(variable)));
    }
    /// A variable of this type: one that is free, or a new one.
    fn variable(&mut self, of: ValueType) -> u32 {
        let known = self.free.iter().rposition(|free| self.locals[(*free - self.arguments) as usize] == of);
        if let Some(known) = known {
            return self.free.remove(known);
        }
        self.locals.push(of);
        self.arguments + (self.locals.len() - 1) as u32
    }
    /// A loop with an early exit. Returns the variables that it carries.
    fn repeat(&mut self, repeat: &Loop, locations: &[Location], index: &impl Fn(Function) -> u32) -> Vec<u32> {
        let carried: Vec<u32> = repeat.start.iter().map(|_| self.variable(ValueType::F64)).collect();
        repeat.start.iter().for_each(|id| self.push(&locations[*id as usize]));
        carried.iter().rev().for_each(|variable| self.set(*variable));
        if repeat.count == 0 {
            return carried;
        }
        let turns = self.variable(ValueType::I32);
        self.with(i::I32_CONST, &signed(i64::from(repeat.count)));
        self.set(turns);
        self.code.extend([i::BLOCK, i::NO_RESULT, i::LOOP, i::NO_RESULT]);
        let captured = repeat.captured.iter().map(|id| locations[*id as usize].clone());
        let inputs: Vec<Location> = carried.iter().map(|variable| Location::Local(*variable)).chain(captured).collect();
        // what is free here may be used by every turn; what a turn still needs was assigned in that turn
        let outputs = self.block(&repeat.body, &inputs, index);
        let (next, done) = outputs.split_at(carried.len());
        // all are read before the first is written
        next.iter().for_each(|location| self.push(location));
        carried.iter().rev().for_each(|variable| self.set(*variable));
        if let Some(done) = done.first().filter(|done| !matches!(done, Location::Literal(Value::Boolean(false)))) {
            self.push(done);
            self.code.extend([i::BR_IF, 1]);
        }
        self.push(&Location::Local(turns));
        self.code.extend([i::I32_CONST, 1, i::I32_SUB]);
        self.with(i::LOCAL_TEE, &unsigned(u64::from(turns)));
        self.code.extend([i::BR_IF, 0, i::END, i::END]);
        carried
    }
}

fn value_type(operation: &Operation) -> ValueType {
    match kind(operation) {
        ValueKind::Number => ValueType::F64,
        ValueKind::Boolean => ValueType::I32,
        ValueKind::Word => ValueType::I64,
    }
}

/// The operands of an operation in the order of the stack, and the instructions on them.
fn stack_instructions(operation: &Operation, index: &impl Fn(Function) -> u32) -> (Vec<OperationId>, Vec<u8>) {
    let one = |instruction: u8| vec![instruction];
    let shift = |n: u32, instruction: u8| [vec![i::I64_CONST], signed(i64::from(n)), vec![instruction]].concat();
    match operation {
        Operation::Arithmetic(operator, a, b) => (
            vec![*a, *b],
            one(match operator {
                Arithmetic::Add => i::F64_ADD,
                Arithmetic::Subtract => i::F64_SUB,
                Arithmetic::Multiply => i::F64_MUL,
                Arithmetic::Divide => i::F64_DIV,
            }),
        ),
        Operation::Negate(a) => (vec![*a], one(i::F64_NEG)),
        Operation::Abs(a) => (vec![*a], one(i::F64_ABS)),
        // exactly rounded everywhere by the standard of floating-point numbers
        Operation::Call(Function::Sqrt, a, _) => (vec![*a], one(i::F64_SQRT)),
        Operation::Call(Function::Floor, a, _) => (vec![*a], one(i::F64_FLOOR)),
        Operation::Call(function, a, b) => {
            ([*a, *b][..function.arity()].to_vec(), [vec![i::CALL], unsigned(u64::from(index(*function)))].concat())
        }
        Operation::Less(a, b) => (vec![*a, *b], one(i::F64_LT)),
        Operation::Equal(a, b) => (vec![*a, *b], one(i::F64_EQ)),
        Operation::IsNan(a) => (vec![*a, *a], one(i::F64_NE)),
        Operation::And(a, b) => (vec![*a, *b], one(i::I32_AND)),
        Operation::Or(a, b) => (vec![*a, *b], one(i::I32_OR)),
        Operation::Not(a) => (vec![*a], one(i::I32_EQZ)),
        Operation::Select(m, a, b) => (vec![*a, *b, *m], one(i::SELECT)),
        Operation::ToBits(a) => (vec![*a], one(i::I64_REINTERPRET_F64)),
        Operation::FromBits(a) => (vec![*a], one(i::F64_REINTERPRET_I64)),
        Operation::Word(operator, a, b) => (
            vec![*a, *b],
            one(match operator {
                WordOperator::And => i::I64_AND,
                WordOperator::Or => i::I64_OR,
                WordOperator::Xor => i::I64_XOR,
                WordOperator::Add => i::I64_ADD,
                WordOperator::Subtract => i::I64_SUB,
                WordOperator::Multiply => i::I64_MUL,
            }),
        ),
        Operation::ShiftLeft(a, n) => (vec![*a], shift(*n, i::I64_SHL)),
        Operation::ShiftRight(a, n) => (vec![*a], shift(*n, i::I64_SHR_U)),
        // these have a location of their own
        Operation::Input(_) | Operation::Literal(_) | Operation::Repeat(_) | Operation::Carried(..) => {
            (Vec::new(), Vec::new())
        }
    }
}
