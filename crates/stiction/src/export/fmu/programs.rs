//! The programs of a law that a unit runs.
use crate::error::LawCodeError;
use crate::export::recorder::{RecordedNumber, record_at_most};
use stiction_core::models::{self, LawVisitor};
use stiction_core::program::{Operation, Program, ProgramLaw, directional_derivative};
use stiction_core::registry::LawEntry;
use stiction_core::{Friction, Input, Law, Real, StateVector};

/// Inputs of all programs here; then the memory, then the parameters.
pub(super) const V: u32 = 0;
pub(super) const LOAD: u32 = 1;
pub(super) const DIR: u32 = 2;
pub(super) const MEMORY: u32 = 3;

/// A longer program takes a C compiler more than half a minute.
const MOST_OPERATIONS: usize = 100_000;

/// A number in the program being recorded.
type N = RecordedNumber;

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
}

/// Everything at once, in this order: force, rates, hold, band, extremum, guards, memory after a jump.
struct Recording {
    program: Program,
    states: usize,
    params: usize,
    guards: usize,
    flows: Vec<bool>,
}

impl UnitPrograms {
    /// Records a law.
    ///
    /// # Errors
    /// [`LawCodeError::TooLong`].
    pub fn record(law: &'static LawEntry) -> Result<Self, LawCodeError> {
        let too_long = LawCodeError::TooLong { law: law.name, function: "rate", most: MOST_OPERATIONS };
        let Some(Recording { program, states, params, guards, flows }) = recording(law) else {
            return Err(too_long);
        };
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
            flows,
            flow_along: along.with_outputs(&(first..2 * first).collect::<Vec<_>>()),
            hold: known(first),
            band: known(first + 1),
            extremum: known(first + 2),
            guards: part(first + 3, guards),
            jump: jumps.then_some(jump),
            flow,
        })
    }
    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &Program> {
        let optional = [&self.hold, &self.band, &self.extremum, &self.jump].into_iter().flatten();
        [&self.flow, &self.flow_along, &self.guards].into_iter().chain(optional)
    }
}

struct Find {
    name: &'static str,
    found: Option<Recording>,
}
impl LawVisitor for Find {
    fn visit<M: Law<f64>>(&mut self) {
        if M::NAME == self.name {
            self.found = compiled::<M>();
        }
    }
}

/// A law that is written in Rust. None if it is too long.
fn compiled<M: Law<f64>>() -> Option<Recording> {
    let (states, params) = (M::State::LEN, M::PARAMS.len());
    let program = record_at_most(MOST_OPERATIONS, MEMORY + (states + params) as u32, |x| {
        let mut next = MEMORY as usize + states;
        let law = M::nominal().cast(|_| {
            next += 1;
            x[next - 1]
        });
        of_law(&law, x)
    })?;
    let flows = (0..states).map(M::flows).collect();
    Some(Recording { program, states, params, guards: M::Guards::LEN - 1, flows })
}

fn of_law<F: Friction<N>>(law: &F, x: &[N]) -> Vec<N> {
    let mut z = F::State::zero();
    (0..F::State::LEN).for_each(|i| z.set(i, x[MEMORY as usize + i]));
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

/// None if it is too long.
fn recording(law: &'static LawEntry) -> Option<Recording> {
    let Some(equations) = law.program() else {
        let mut find = Find { name: law.name, found: None };
        models::for_each(&mut find);
        // every law that is not made of programs is in the list
        return find.found;
    };
    let (states, params, guards) = (law.states.len(), law.params.len(), equations.guard_count());
    let first = MEMORY as usize;
    let program = record_at_most(MOST_OPERATIONS, (first + states + params) as u32, |x| {
        let law = ProgramLaw::new(equations, x[first + states..].to_vec());
        let z = &x[first..first + states];
        let u = Input { v: x[V as usize], load: x[LOAD as usize] };
        let rest = u.with_v(N::lit(0.0));
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
    })?;
    Some(Recording { program, states, params, guards, flows: equations.equations.flows.clone() })
}
