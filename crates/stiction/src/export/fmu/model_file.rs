//! `resources/model.txt`: the unit for the prebuilt library, which interprets the programs of the law. `model_file.c` reads it.
use super::FmuPlan;
use super::tables::Tables;
use crate::export::language_c::to_ascii;
use std::fmt::Write as _;
use stiction_core::program::{Loop, Operation, OperationId, Program, Value};

/// The name of the file in the unit.
pub(super) const PATH: &str = "resources/model.txt";

/// The most that the library takes of everything; `interpreter.c` says the same.
const MOST: [(&str, usize); 4] = [("MEMORY", 64), ("LAW_PARAMETERS", 256), ("LAW_GUARDS", 128), ("CONDITIONS", 64)];

/// The file; none if the law has more of something than the library takes.
pub(super) fn text(plan: &FmuPlan, token: &str) -> Option<String> {
    let tables = Tables::of(plan);
    let fits = |(name, most): &(&str, usize)| tables.sizes.iter().any(|(other, size)| name == other && size <= most);
    if !MOST.iter().all(fits) {
        return None;
    }
    let mut out = format!("stiction-unit 2\n{token}\n");
    out += &line(tables.sizes.iter().map(|(_, size)| size.to_string()));
    for (_, values) in &tables.numbers {
        out += &line(values.iter().map(|x| format!("{:016x}", x.to_bits())));
    }
    out += &line(tables.flows.iter().map(|flows| u8::from(*flows).to_string()));
    for text in tables.names.iter().chain(&tables.conditions) {
        out += &line([to_ascii(text)]);
    }
    let programs = &plan.programs;
    let all = [
        ("flow", Some(&programs.flow)),
        ("flow_along", Some(&programs.flow_along)),
        ("hold", programs.hold.as_ref()),
        ("band", programs.band.as_ref()),
        ("extremum", programs.extremum.as_ref()),
        ("guards", Some(&programs.guards)),
        ("jump", programs.jump.as_ref()),
        ("conditions", Some(&programs.conditions.program)),
    ];
    all.into_iter().for_each(|(name, program)| out += &Slots::text(name, program));
    Some(out)
}

fn line(words: impl IntoIterator<Item = String>) -> String {
    words.into_iter().collect::<Vec<_>>().join(" ") + "\n"
}

/// Gives every result of a program a place. A loop has its own instructions and places among those around it: what it carries is moved to its
/// places before the first turn and after each.
#[derive(Default)]
struct Slots {
    count: usize,
    literals: Vec<String>,
    inputs: Vec<String>,
    instructions: Vec<String>,
}

impl Slots {
    fn text(name: &str, program: Option<&Program>) -> String {
        let mut slots = Self::default();
        let outputs = program.map(|program| {
            let inputs: Vec<Option<usize>> = vec![None; program.inputs as usize];
            slots.block(program, inputs)
        });
        let outputs = outputs.unwrap_or_default();
        let Self { count, literals, inputs, instructions } = slots;
        let sizes = [count, literals.len(), inputs.len(), instructions.len(), outputs.len()];
        let mut out = format!("program {name} {}", line(sizes.map(|size| size.to_string())));
        literals.iter().chain(&inputs).chain(&instructions).for_each(|line| out += &format!("{line}\n"));
        out + &line(outputs.iter().map(usize::to_string))
    }
    fn slot(&mut self) -> usize {
        self.count += 1;
        self.count - 1
    }
    /// The places of the outputs. An input without a place is one of the program.
    fn block(&mut self, program: &Program, mut inputs: Vec<Option<usize>>) -> Vec<usize> {
        let mut places: Vec<usize> = Vec::with_capacity(program.operations.len());
        // the places of what a loop carries
        let mut carried: Vec<Vec<usize>> = Vec::new();
        for operation in &program.operations {
            carried.push(Vec::new());
            let place = match operation {
                Operation::Input(i) => match inputs[*i as usize] {
                    Some(place) => place,
                    None => {
                        let place = self.slot();
                        self.inputs.push(format!("{place} {i}"));
                        inputs[*i as usize] = Some(place);
                        place
                    }
                },
                Operation::Literal(value) => {
                    let bits = match value {
                        Value::Number(bits) | Value::Word(bits) => *bits,
                        Value::Boolean(truth) => u64::from(*truth),
                    };
                    let place = self.slot();
                    self.literals.push(format!("{place} {bits:016x}"));
                    place
                }
                Operation::Repeat(repeat) => {
                    let own = self.repeat(repeat, &places);
                    if let Some(last) = carried.last_mut() {
                        *last = own;
                    }
                    0
                }
                Operation::Carried(repeat, k) => carried[*repeat as usize][*k as usize],
                operation => self.instruction(operation, &places),
            };
            places.push(place);
        }
        program.outputs.iter().map(|id| places[*id as usize]).collect()
    }
    fn instruction(&mut self, operation: &Operation, places: &[usize]) -> usize {
        let to = self.slot();
        let of = |id: OperationId| places[id as usize];
        let mut text = match operation {
            // the bits of a number are those in its place
            Operation::ToBits(_) | Operation::FromBits(_) => format!("move {to}"),
            operation => format!("{} {to}", operation.name()),
        };
        let arity = if let Operation::Call(function, ..) = operation { function.arity() } else { 3 };
        // writing to a text does not fail
        operation.operands().take(arity).for_each(|id| _ = write!(text, " {}", of(id)));
        if let Operation::ShiftLeft(_, n) | Operation::ShiftRight(_, n) = operation {
            _ = write!(text, " {n}");
        }
        self.instructions.push(text);
        to
    }
    /// The places of what a loop carries.
    fn repeat(&mut self, repeat: &Loop, places: &[usize]) -> Vec<usize> {
        let own: Vec<usize> = repeat.start.iter().map(|_| self.slot()).collect();
        let moves = |to: &[usize], from: &[usize]| -> Vec<String> {
            to.iter().zip(from).filter(|(to, from)| to != from).map(|(to, from)| format!("move {to} {from}")).collect()
        };
        let of = |ids: &[OperationId]| ids.iter().map(|id| places[*id as usize]).collect::<Vec<_>>();
        self.instructions.extend(moves(&own, &of(&repeat.start)));
        if repeat.count == 0 {
            return own;
        }
        let turns = self.slot();
        self.instructions.push(format!("repeat {turns}"));
        let first = self.instructions.len();
        let inputs = own.iter().copied().chain(of(&repeat.captured)).map(Some).collect();
        let mut next = self.block(&repeat.body, inputs);
        let done = next.pop().unwrap_or_default();
        // what another carried number was before the turn is kept until all are moved
        let overwritten =
            |(k, from): (usize, &usize)| own.iter().enumerate().any(|(other, place)| other != k && place == from);
        if next.iter().enumerate().any(overwritten) {
            let kept: Vec<usize> = next.iter().map(|_| self.slot()).collect();
            self.instructions.extend(moves(&kept, &next));
            next = kept;
        }
        self.instructions.extend(moves(&own, &next));
        self.instructions.push(format!("until {turns} {done} {first} {}", repeat.count));
        own
    }
}
