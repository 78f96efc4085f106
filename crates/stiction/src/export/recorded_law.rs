//! Everything of a law as one recorded program, from which code, units and plugins take the parts they need.
use super::law_recording::{LawRecording, N, memory};
use super::law_wrapping::Wrapping;
use stiction_core::program::{Operation, OperationId, Program, ProgramLaw, Value};
use stiction_core::registry::LawEntry;
use stiction_core::{Friction, Input, Real, StateVector};

/// Inputs of all programs here: the first ones, then the memory, then the parameters.
pub(super) mod input {
    pub const V: usize = 0;
    pub const LOAD: usize = 1;
    pub const DT: usize = 2;
    pub const MASS: usize = 3;
    pub const APPLIED: usize = 4;
    pub const DIR: usize = 5;
    pub const MEMORY: usize = 6;
}

/// Everything of a law, in its wrappers: the outputs of one program, those of [`WholeLaw`].
#[derive(Clone)]
pub(super) struct RecordedLaw {
    pub program: Program,
    pub states: usize,
    pub params: usize,
}

/// Places of the outputs that do not depend on the number of states.
const STEADY: usize = 0;
const FORCE: usize = 1;
const HOLD: usize = 2;
const BAND: usize = 3;
const SLIDES: usize = 4;
const EXTREMUM: usize = 5;
const SAMPLED: usize = 6;
const AFTER: usize = 7;

impl RecordedLaw {
    /// A law in its wrappers; none if it is too long.
    pub fn new(law: &LawEntry, wrapping: &Wrapping) -> Option<Self> {
        let program = WholeLaw::record(law)?;
        let plain = Self { program, states: law.states.len(), params: law.params.len() };
        wrapping.around(plain)
    }
    fn parts(&self, from: usize, count: usize) -> Program {
        self.program.with_outputs(&(from..from + count).collect::<Vec<_>>())
    }
    pub fn steady(&self) -> Program {
        self.parts(STEADY, 1)
    }
    pub fn force(&self) -> Program {
        self.parts(FORCE, 1)
    }
    /// Half-width of the set of forces at rest, in the direction of impending motion; it does not depend on the velocity.
    pub fn hold(&self) -> Program {
        self.parts(HOLD, 1)
    }
    /// Speed that counts as rest.
    pub fn band(&self) -> Program {
        self.parts(BAND, 1)
    }
    /// The direction of the slide that the memory belongs to.
    pub fn slides(&self) -> Program {
        self.parts(SLIDES, 1)
    }
    /// The extremum of the speed that the memory waits for.
    pub fn extremum(&self) -> Program {
        self.parts(EXTREMUM, 1)
    }
    /// The force after a sample, and the memory.
    pub fn sample(&self) -> Program {
        self.parts(SAMPLED, 1 + self.states)
    }
    pub fn rate(&self) -> Program {
        self.parts(AFTER + self.states, self.states)
    }
    /// The force, then the rates.
    pub fn flow(&self) -> Program {
        let rates = (0..self.states).map(|i| AFTER + self.states + i);
        self.program.with_outputs(&std::iter::once(FORCE).chain(rates).collect::<Vec<_>>())
    }
    /// The memory just after a change of mode.
    pub fn jump(&self) -> Program {
        self.parts(AFTER + 2 * self.states, self.states)
    }
    /// Guards beside the velocity.
    pub fn guards(&self) -> Program {
        let first = AFTER + 3 * self.states;
        self.parts(first, self.program.outputs.len() - first)
    }
    /// The same with a half-width of zero where that follows for all finite numbers. The forces of two directions at rest are often the same
    /// number that two programs give; then there is no set.
    #[must_use]
    pub fn without_empty_set(mut self) -> Self {
        if self.program.vanishes(HOLD) && !self.program.is_zero(HOLD) {
            let Program { precision, mut operations, inputs, mut outputs } = self.program;
            outputs[HOLD] = operations.len() as OperationId;
            operations.push(Operation::Literal(Value::number(0.0)));
            self.program = Program::new(precision, &operations, inputs, &outputs);
        }
        self
    }
}

/// The steady force, the force, half-width of the forces at rest, band of rest, the direction of the slide that the memory belongs to, the
/// extremum of the speed that it waits for, the force after a sample, the memory after it, the rates, the memory after a change of mode, and the
/// guards beside the velocity.
struct WholeLaw;

impl LawRecording for WholeLaw {
    const INPUTS: usize = input::MEMORY;
    fn compiled<F: Friction<N>>(law: &F, x: &[N]) -> Vec<N> {
        let z = memory::<F>(x, input::MEMORY);
        let u = Input { v: x[input::V], load: x[input::LOAD] };
        let (rate, force) = law.flow(&z, &u);
        let (after, sampled) = law.sample(&z, &u, x[input::DT]);
        let hold = law.hold(&z, &u.with_v(N::lit(0.0)), x[input::DIR]);
        let mut out = vec![law.steady(&u), force, hold, law.band(&u), law.slides(&z), law.extremum(&z), sampled];
        let jumped = law.jump(&z, &u);
        for numbers in [after, rate, jumped] {
            out.extend((0..F::State::LEN).map(|i| numbers.get(i)));
        }
        let guards = law.guards(&z, &u);
        out.extend((1..F::Guards::LEN).map(|i| guards.get(i)));
        out
    }
    fn of_programs(law: &ProgramLaw<'_, N>, x: &[N]) -> Vec<N> {
        let zero = N::lit(0.0);
        let z = &x[input::MEMORY..input::MEMORY + law.len()];
        let u = Input { v: x[input::V], load: x[input::LOAD] };
        let (mut rate, mut after, mut jumped) = (z.to_vec(), z.to_vec(), z.to_vec());
        let force = law.flow(z, &u, &mut rate);
        let sampled = law.sample(&mut after, &u, x[input::DT]);
        law.jump(&mut jumped, &u);
        let hold = law.hold(z, &u.with_v(zero), x[input::DIR]);
        // no law of programs turns its sliding force into memory, or waits for an extremum of the speed
        let mut out = vec![law.steady(&u), force, hold, law.band(&u), zero, zero, sampled];
        [after, rate, jumped].into_iter().for_each(|numbers| out.extend(numbers));
        let mut guards = vec![zero; law.program().guard_count()];
        law.guards(z, &u, &mut guards);
        out.extend(guards);
        out
    }
}
