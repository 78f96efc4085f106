//! The programs of a law that a unit runs.
use crate::error::LawCodeError;
use crate::export::law_conditions::Conditions;
use crate::export::law_recording::{LawRecording, MOST_OPERATIONS, N, memory};
use stiction_core::program::{Operation, Program, ProgramLaw, directional_derivative};
use stiction_core::registry::{DynLaw, LawEntry};
use stiction_core::{Friction, Input, Real, StateVector};

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
    /// Records a law; `built` is one with any parameters.
    ///
    /// # Errors
    /// [`LawCodeError::TooLong`].
    pub fn record(law: &'static LawEntry, built: &dyn DynLaw) -> Result<Self, LawCodeError> {
        let too_long = LawCodeError::TooLong { law: law.name, function: "rate", most: MOST_OPERATIONS };
        let Some(program) = FlowingLaw::record(law) else {
            return Err(too_long);
        };
        let (states, params) = (law.states.len(), law.params.len());
        let guards = program.outputs.len() - (4 + 2 * states);
        let conditions = Conditions::of(law, MEMORY);
        let part = |from: usize, count: usize| program.with_outputs(&(from..from + count).collect::<Vec<_>>());
        let flow = part(0, 1 + states);
        let known = |from: usize| {
            let program = part(from, 1);
            (!program.is_zero(0)).then_some(program)
        };
        let along = directional_derivative(&flow).filter(|program| program.len() <= MOST_OPERATIONS).ok_or(too_long)?;
        let first = 1 + states;
        let jump = part(first + 3 + guards, states);
        let moves = |(i, id): (usize, &u32)| !matches!(jump.operations.get(*id as usize), Some(Operation::Input(input)) if *input == MEMORY + i as u32);
        let jumps = jump.outputs.iter().enumerate().any(moves);
        Ok(Self {
            states,
            params,
            flows: (0..states).map(|i| built.flows(i)).collect(),
            flow_along: along.with_outputs(&(first..2 * first).collect::<Vec<_>>()),
            hold: known(first),
            band: known(first + 1),
            extremum: known(first + 2),
            guards: part(first + 3, guards),
            jump: jumps.then_some(jump),
            flow,
            conditions,
        })
    }
    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &Program> {
        let optional = [&self.hold, &self.band, &self.extremum, &self.jump].into_iter().flatten();
        [&self.flow, &self.flow_along, &self.guards, &self.conditions.program].into_iter().chain(optional)
    }
}

/// Everything at once, in this order: force, rates, hold, band, extremum, guards, memory after a jump.
struct FlowingLaw;

impl LawRecording for FlowingLaw {
    const INPUTS: usize = MEMORY as usize;
    fn compiled<F: Friction<N>>(law: &F, x: &[N]) -> Vec<N> {
        let z = memory::<F>(x, Self::INPUTS);
        let u = Input { v: x[V as usize], load: x[LOAD as usize] };
        let rest = u.with_v(N::lit(0.0));
        let (rate, force) = law.flow(&z, &u);
        let (guards, after) = (law.guards(&z, &u), law.jump(&z, &u));
        let mut out = vec![force];
        out.extend((0..F::State::LEN).map(|i| rate.get(i)));
        out.extend([law.hold(&z, &rest, x[DIR as usize]), law.band(&u), law.extremum(&z)]);
        out.extend((1..F::Guards::LEN).map(|i| guards.get(i)));
        out.extend((0..F::State::LEN).map(|i| after.get(i)));
        out
    }
    fn of_programs(law: &ProgramLaw<'_, N>, x: &[N]) -> Vec<N> {
        let z = &x[Self::INPUTS..Self::INPUTS + law.len()];
        let u = Input { v: x[V as usize], load: x[LOAD as usize] };
        let rest = u.with_v(N::lit(0.0));
        let guards = law.program().guard_count();
        let (mut rate, mut after, mut crossed) = (z.to_vec(), z.to_vec(), vec![N::lit(0.0); guards]);
        let force = law.flow(z, &u, &mut rate);
        law.guards(z, &u, &mut crossed);
        law.jump(&mut after, &u);
        let mut out = vec![force];
        out.extend(rate);
        out.extend([law.hold(z, &rest, x[DIR as usize]), law.band(&u), N::lit(0.0)]);
        out.extend(crossed);
        out.extend(after);
        out
    }
}
