//! The programs of a law that a unit runs.
use crate::error::LawCodeError;
use crate::export::law_conditions::Conditions;
use crate::export::law_recording::MOST_OPERATIONS;
use crate::export::law_wrapping::Wrapping;
use crate::export::recorded_law::{RecordedLaw, input};
use stiction_core::program::{Function, Operation, Program, directional_derivative};
use stiction_core::registry::{DynLaw, LawEntry};

/// Inputs of all programs here; then the memory, then the parameters.
pub(super) const V: u32 = 0;
pub(super) const LOAD: u32 = 1;
pub(super) const DIR: u32 = 2;
pub(super) const MEMORY: u32 = 3;

/// What a unit runs. Parts that a law does not have are left out.
#[derive(Clone, Debug)]
pub(super) struct UnitPrograms {
    /// Numbers of memory.
    pub states: usize,
    /// Number of parameters.
    pub params: usize,
    /// Which numbers of memory flow; the others change in jumps only.
    pub flows: Vec<bool>,
    /// Force, then rates.
    pub flow: Program,
    /// The derivatives of force and rates along a change of all inputs, which come after the inputs themselves.
    pub flow_along: Program,
    /// Half-width of the set of forces at rest.
    pub hold: Option<Program>,
    /// Speed that counts as rest.
    pub band: Option<Program>,
    /// Guards beside the velocity.
    pub guards: Program,
    /// The extremum of the speed that the memory waits for.
    pub extremum: Option<Program>,
    /// The memory after a jump.
    pub jump: Option<Program>,
    /// What the parameters must satisfy.
    pub conditions: Conditions,
}

impl UnitPrograms {
    /// Records a law in its wrappers; `built` is one with any parameters.
    ///
    /// # Errors
    /// [`LawCodeError::TooLong`].
    pub fn record(law: &'static LawEntry, wrapping: &Wrapping, built: &dyn DynLaw) -> Result<Self, LawCodeError> {
        let too_long = LawCodeError::TooLong { law: law.name, function: "rate", most: MOST_OPERATIONS };
        let Some(recorded) = RecordedLaw::new(law, wrapping) else {
            return Err(too_long);
        };
        let (states, params) = (recorded.states, recorded.params);
        let inputs = MEMORY + (states + params) as u32;
        let place = |i: u32| match i as usize {
            input::V => V,
            input::LOAD => LOAD,
            input::DIR => DIR,
            // length of a sample, mass and applied force do not occur
            input::DT | input::MASS | input::APPLIED => 0,
            i => MEMORY + (i - input::MEMORY) as u32,
        };
        let own = |program: Program| program.renumber_inputs(inputs, place);
        let known = |program: Program| (!program.is_zero(0)).then(|| own(program));
        let flow = own(recorded.flow());
        let along = directional_derivative(&flow).filter(|program| program.len() <= MOST_OPERATIONS).ok_or(too_long)?;
        let first = 1 + states;
        let jump = own(recorded.jump());
        let moves = |(i, id): (usize, &u32)| !matches!(jump.operations.get(*id as usize), Some(Operation::Input(input)) if *input == MEMORY + i as u32);
        let jumps = jump.outputs.iter().enumerate().any(moves);
        Ok(Self {
            states,
            params,
            flows: (0..states).map(|i| built.flows(i)).collect(),
            flow_along: along.with_outputs(&(first..2 * first).collect::<Vec<_>>()),
            hold: known(recorded.hold()),
            band: known(recorded.band()),
            extremum: known(recorded.extremum()),
            guards: own(recorded.guards()),
            jump: jumps.then_some(jump),
            flow,
            conditions: Conditions::in_each_direction(law, MEMORY, &wrapping.reverse, params, &[]),
        })
    }
    /// Whether force or rates have a power whose base depends on the memory.
    pub fn has_power_of_memory(&self) -> bool {
        let memory = MEMORY..MEMORY + self.states as u32;
        let mut of_memory: Vec<bool> = Vec::new();
        self.flow.operations.iter().any(|operation| {
            let is_one = match operation {
                Operation::Input(i) => memory.contains(i),
                operation => operation.operands().any(|id| of_memory[id as usize]),
            };
            of_memory.push(is_one);
            matches!(operation, Operation::Call(Function::Pow, base, _) if of_memory[*base as usize])
        })
    }
    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &Program> {
        let optional = [&self.hold, &self.band, &self.extremum, &self.jump].into_iter().flatten();
        [&self.flow, &self.flow_along, &self.guards, &self.conditions.program].into_iter().chain(optional)
    }
}
