//! A law as programs: force, rates, guards and jumps over the same inputs.
use super::derivative::derivative;
use super::elimination::SparsityPattern;
use super::implicit_step::Mode;
use super::operation::OperationId;
use super::replay::Replay;
use super::sample_step;
use super::straight_line::Program;
use super::switching::Switching;
use crate::model::LOAD_MAX;
use crate::{Input, Real};
use alloc::vec;
use alloc::vec::Vec;

/// The inputs of every program of a law: these, then the states, then the parameters.
pub mod inputs {
    /// Sliding velocity.
    pub const V: u32 = 0;
    /// Load factor.
    pub const LOAD: u32 = 1;
    /// Direction ±1 of impending motion, for the set of forces at rest.
    pub const DIR: u32 = 2;
    /// Length of a sample.
    pub const DT: u32 = 3;
    /// The first state.
    pub const STATES: u32 = 4;
}

/// Most states that a law of programs has. With two for noise a law by name has no more than 64.
pub const PROGRAM_STATES_MAX: usize = 62;

/// States for which room is kept on the stack without much work.
const FEW_STATES: usize = 8;

/// The programs of a law.
#[derive(Clone, Debug)]
pub struct LawProgram {
    /// The programs themselves, for printing and for writing code.
    pub equations: LawEquations,
    force: Replay,
    flow: Replay,
    partials: Replay,
    newton: Replay,
    /// Whether each rate depends on no other state than its own, and on that linearly.
    is_decoupled: bool,
    /// Which rate depends on which state.
    coupling: SparsityPattern,
    hold: Option<Replay>,
    band: Option<Replay>,
    guards: Replay,
    /// The guards, then their derivatives by each state; none if that is too long.
    guard_slopes: Option<Replay>,
    /// The rates in each mode, if they compare states.
    switching: Option<Switching>,
    jump: Option<Replay>,
    settled: Option<Replay>,
    step: Option<Replay>,
    /// Whether sliding long enough leads to a settled memory.
    pub settles: bool,
}

/// The equations of a law, each a program over the inputs of [`inputs`].
#[derive(Clone, Debug)]
pub struct LawEquations {
    /// Numbers of memory.
    pub states: usize,
    /// Number of parameters.
    pub params: usize,
    /// Whether the load factor has a sign; otherwise a negative one counts as zero.
    pub signed_load: bool,
    /// Whether each number of memory flows; the others change in jumps only.
    pub flows: Vec<bool>,
    /// The number of memory that is the position, whose rate is the velocity: it starts where the motion does.
    pub position: Option<usize>,
    /// Force, then the rate of each state.
    pub flow: Program,
    /// Half-width of the set of forces at rest; without it the force at rest is a single number.
    pub hold: Option<Program>,
    /// Speed that counts as rest.
    pub band: Option<Program>,
    /// Functions whose zeros are kinks or changes of mode, beside the velocity.
    pub guards: Program,
    /// The memory after a jump.
    pub jump: Option<Program>,
    /// The memory after each change of mode alone; a jump makes them one after the other.
    pub changes: Vec<Program>,
    /// The memory after sliding for ever.
    pub settled: Option<Program>,
    /// The memory after a sample.
    pub step: Option<Program>,
}

/// Why a law's programs cannot be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LawProgramError {
    /// More than [`PROGRAM_STATES_MAX`] states.
    States,
    /// The program of this name is too long.
    TooLong(&'static str),
}

impl LawProgram {
    /// Makes the programs ready to run.
    ///
    /// # Errors
    /// Too many states, or a program that is too long.
    pub fn new(equations: LawEquations) -> Result<Self, LawProgramError> {
        if equations.states > PROGRAM_STATES_MAX {
            return Err(LawProgramError::States);
        }
        let ready = |program: &Program, name| Replay::new(program).ok_or(LawProgramError::TooLong(name));
        let optional =
            |program: &Option<Program>, name| program.as_ref().map(|program| ready(program, name)).transpose();
        let states: Vec<u32> = (0..equations.states as u32).map(|i| inputs::STATES + i).collect();
        let mut by = vec![inputs::V, inputs::LOAD];
        by.extend(&states);
        let slopes = |program: &Program, by: &[u32], name| {
            ready(&derivative(program, by).ok_or(LawProgramError::TooLong(name))?, name)
        };
        let rates = equations.flow.with_outputs(&(1..=equations.states).collect::<Vec<_>>());
        let newton = derivative(&rates, &states).ok_or(LawProgramError::TooLong("derivatives of the rates"))?;
        let guard_slopes = derivative(&equations.guards, &states).ok_or(LawProgramError::TooLong("guards"))?;
        let switching = Switching::new(&equations, &guard_slopes).ok_or(LawProgramError::TooLong("rates in a mode"))?;
        Ok(Self {
            force: ready(&equations.flow.with_outputs(&[0]), "force")?,
            flow: ready(&equations.flow, "force and rates")?,
            partials: slopes(&equations.flow, &by, "derivatives of force and rates")?,
            newton: ready(&newton, "derivatives of the rates")?,
            is_decoupled: is_decoupled(&newton, &equations),
            coupling: SparsityPattern::new(equations.states, |i, j| !newton.is_zero(equations.states * (1 + j) + i)),
            hold: optional(&equations.hold, "hold")?,
            band: optional(&equations.band, "band")?,
            guards: ready(&equations.guards, "guards")?,
            guard_slopes: Replay::new(&guard_slopes),
            switching,
            jump: optional(&equations.jump, "jump")?,
            settled: optional(&equations.settled, "settled")?,
            step: optional(&equations.step, "step")?,
            equations,
            settles: true,
        })
    }
    /// Numbers of memory.
    pub fn len(&self) -> usize {
        self.equations.states
    }
    /// Whether the law has no memory.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Whether each rate depends on no other state than its own, and on that linearly while no comparison changes its side, so that the
    /// flow at constant velocity is known: every state approaches its limit exponentially, or moves at a constant rate.
    pub fn is_decoupled(&self) -> bool {
        match &self.switching {
            Some(switching) => switching.is_decoupled && switching.own_states.is_some(),
            None => self.is_decoupled,
        }
    }
    /// The rates in each mode, if they compare states.
    pub(super) fn switching(&self) -> Option<&Switching> {
        self.switching.as_ref()
    }
    /// Which rate depends on which state.
    pub(super) fn coupling(&self) -> &SparsityPattern {
        &self.coupling
    }
    /// Guards beside the velocity.
    pub fn guard_count(&self) -> usize {
        self.guards.len()
    }
    /// Whether the memory jumps.
    pub fn jumps(&self) -> bool {
        self.jump.is_some()
    }
    /// Whether it has a set of forces at rest.
    pub fn holds(&self) -> bool {
        self.hold.is_some()
    }
    /// Force and rates at a state; `out` has room for the force and one rate for each state.
    #[inline(always)]
    pub fn run_flow<R: Real>(&self, values: &[R], z: &[R], u: &Input<R>, out: &mut [R]) {
        self.run(&self.flow, values, z, u, R::lit(0.0), R::lit(0.0), out);
    }
    /// Force and rates, then their derivatives by the velocity, by the load, and by each state.
    #[inline(always)]
    pub fn run_partials<R: Real>(&self, values: &[R], z: &[R], u: &Input<R>, out: &mut [R]) {
        self.run(&self.partials, values, z, u, R::lit(0.0), R::lit(0.0), out);
    }
    /// The guards beside the velocity.
    #[inline(always)]
    pub fn run_guards<R: Real>(&self, values: &[R], z: &[R], u: &Input<R>, out: &mut [R]) {
        self.run(&self.guards, values, z, u, R::lit(0.0), R::lit(0.0), out);
    }
    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "the inputs of every program, one by one")]
    fn run<R: Real>(&self, replay: &Replay, values: &[R], z: &[R], u: &Input<R>, dir: R, dt: R, out: &mut [R]) {
        self.run_in(replay, values, &[], z, u, dir, dt, out);
    }
    /// Runs a program whose last inputs are the sides of comparisons.
    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "the inputs of every program, one by one")]
    fn run_in<R: Real>(
        &self,
        replay: &Replay,
        values: &[R],
        sides: &[R],
        z: &[R],
        u: &Input<R>,
        dir: R,
        dt: R,
        out: &mut [R],
    ) {
        const FIRST: usize = inputs::STATES as usize;
        let (len, v) = (self.len(), u.slip());
        let load = if self.equations.signed_load { u.load.clip(R::lit(LOAD_MAX)) } else { u.pressed() };
        let input = |i: usize| {
            let given = match i {
                0 => return v,
                1 => return load,
                2 => return dir,
                3 => return dt,
                i if i < FIRST + len => z.get(i - FIRST),
                i if i < FIRST + len + values.len() => values.get(i - FIRST - len),
                i => sides.get(i - FIRST - len - values.len()),
            };
            given.copied().unwrap_or(R::lit(0.0))
        };
        replay.run(input, out);
    }
}

/// See [`LawProgram::is_decoupled`]; `newton` gives the rates, then their derivatives by the first state, by the second, and so on.
pub(super) fn is_decoupled(newton: &Program, equations: &LawEquations) -> bool {
    let count = equations.states;
    let flowing: Vec<u32> =
        (0..count).filter(|i| equations.flows.get(*i) == Some(&true)).map(|i| inputs::STATES + i as u32).collect();
    (0..count).filter(|j| flowing.contains(&(inputs::STATES + *j as u32))).all(|j| {
        (0..count).all(|i| {
            let slope = count * (1 + j) + i;
            if i == j {
                newton.inputs_of(slope).iter().all(|input| !flowing.contains(input))
            } else {
                newton.is_zero(slope)
            }
        })
    })
}

impl LawEquations {
    /// The input of a parameter.
    pub fn param(&self, i: usize) -> OperationId {
        inputs::STATES + (self.states + i) as u32
    }
}

/// A law of programs with its parameters, over any number. The same methods as [`Friction`](crate::Friction), with the memory
/// as a slice.
#[derive(Clone, Debug)]
pub struct ProgramLaw<'p, R> {
    program: &'p LawProgram,
    values: Vec<R>,
}

impl<'p, R: Real> ProgramLaw<'p, R> {
    /// The law with these parameters.
    pub fn new(program: &'p LawProgram, values: Vec<R>) -> Self {
        Self { program, values }
    }
    /// The programs.
    pub fn program(&self) -> &'p LawProgram {
        self.program
    }
    /// Its parameters.
    pub fn values(&self) -> &[R] {
        &self.values
    }
    /// Numbers of memory.
    pub fn len(&self) -> usize {
        self.program.len()
    }
    /// Whether it has no memory.
    pub fn is_empty(&self) -> bool {
        self.program.is_empty()
    }
    fn run(&self, replay: &Replay, z: &[R], u: &Input<R>, dir: R, dt: R, out: &mut [R]) {
        self.program.run(replay, &self.values, z, u, dir, dt, out);
    }
    fn plain(&self, replay: &Replay, z: &[R], u: &Input<R>, out: &mut [R]) {
        self.run(replay, z, u, R::lit(0.0), R::lit(0.0), out);
    }
    /// See [`Friction::force`](crate::Friction::force).
    pub fn force(&self, z: &[R], u: &Input<R>) -> R {
        let mut out = [R::lit(0.0)];
        self.plain(&self.program.force, z, u, &mut out);
        out[0]
    }
    /// See [`Friction::flow`](crate::Friction::flow): fills `rate` and returns the force.
    pub fn flow(&self, z: &[R], u: &Input<R>, rate: &mut [R]) -> R {
        let (mut few, mut many);
        let out: &mut [R] = if self.len() <= FEW_STATES {
            few = [R::lit(0.0); 1 + FEW_STATES];
            &mut few
        } else {
            many = [R::lit(0.0); 1 + PROGRAM_STATES_MAX];
            &mut many
        };
        self.plain(&self.program.flow, z, u, out);
        rate.iter_mut().zip(&out[1..=self.len()]).for_each(|(to, x)| *to = *x);
        out[0]
    }
    /// Rates, then the derivatives of all rates by the first state, by the second, and so on.
    pub(super) fn newton(&self, z: &[R], u: &Input<R>, out: &mut [R]) {
        self.plain(&self.program.newton, z, u, out);
    }
    /// The same in a mode.
    pub(super) fn newton_in(&self, mode: &Mode<R>, z: &[R], u: &Input<R>, out: &mut [R]) {
        if let Some(switching) = &self.program.switching {
            self.in_mode(&switching.newton, mode, z, u, out);
        }
    }
    /// The rates in a mode.
    pub(super) fn rates_in(&self, mode: &Mode<R>, z: &[R], u: &Input<R>, out: &mut [R]) {
        if let Some(switching) = &self.program.switching {
            self.in_mode(&switching.rates, mode, z, u, out);
        }
    }
    fn in_mode(&self, replay: &Replay, mode: &Mode<R>, z: &[R], u: &Input<R>, out: &mut [R]) {
        self.program.run_in(replay, &self.values, mode, z, u, R::lit(0.0), R::lit(0.0), out);
    }
    /// The guards beside the velocity, then their derivatives by each state; zeros where these are not known.
    pub(super) fn guard_slopes(&self, z: &[R], u: &Input<R>) -> Vec<R> {
        let count = self.program.guard_count();
        let mut out = vec![R::lit(0.0); count * (1 + self.len())];
        let replay = self.program.guard_slopes.as_ref().unwrap_or(&self.program.guards);
        self.plain(replay, z, u, &mut out);
        out
    }
    /// Force and rates, then their derivatives; see [`LawProgram::run_partials`].
    pub fn partials(&self, z: &[R], u: &Input<R>, out: &mut [R]) {
        self.plain(&self.program.partials, z, u, out);
    }
    /// See [`Friction::hold`](crate::Friction::hold).
    pub fn hold(&self, z: &[R], u: &Input<R>, dir: R) -> R {
        let mut out = [R::lit(0.0)];
        if let Some(hold) = &self.program.hold {
            self.run(hold, z, u, dir, R::lit(0.0), &mut out);
        }
        out[0]
    }
    /// See [`Friction::band`](crate::Friction::band).
    pub fn band(&self, u: &Input<R>) -> R {
        let mut out = [R::lit(0.0)];
        if let Some(band) = &self.program.band {
            self.plain(band, &[], u, &mut out);
        }
        out[0]
    }
    /// The guards beside the velocity.
    pub fn guards(&self, z: &[R], u: &Input<R>, out: &mut [R]) {
        self.plain(&self.program.guards, z, u, out);
    }
    /// See [`Friction::jump`](crate::Friction::jump); in place.
    pub fn jump(&self, z: &mut [R], u: &Input<R>) {
        if let Some(jump) = &self.program.jump {
            self.assign(jump, z, u, R::lit(0.0));
        }
    }
    fn assign(&self, replay: &Replay, z: &mut [R], u: &Input<R>, dt: R) {
        let mut out = [R::lit(0.0); PROGRAM_STATES_MAX];
        self.run(replay, z, u, R::lit(0.0), dt, &mut out);
        z.iter_mut().zip(&out[..self.len()]).for_each(|(to, x)| *to = *x);
    }
    /// See [`Friction::step`](crate::Friction::step); in place. Without an equation of its own it is an implicit step, see
    /// the module `sample_step`.
    pub fn step(&self, z: &mut [R], u: &Input<R>, dt: R) {
        match &self.program.step {
            Some(step) => {
                self.assign(step, z, u, dt);
                self.jump(z, u);
            }
            None => sample_step::step(self, z, u, dt),
        }
    }
    /// See [`Friction::sample`](crate::Friction::sample): steps `z` and returns the force.
    pub fn sample(&self, z: &mut [R], u: &Input<R>, dt: R) -> R {
        self.step(z, u, dt);
        self.force(z, u)
    }
    /// See [`Friction::settled`](crate::Friction::settled). Without an equation of its own: the limit of the flow from zero
    /// memory. At rest it is the limit for ever slower motion forwards.
    pub fn settled(&self, u: &Input<R>, out: &mut [R]) {
        out.iter_mut().for_each(|z| *z = R::lit(0.0));
        match &self.program.settled {
            Some(settled) => self.assign(settled, out, u, R::lit(0.0)),
            None => {
                sample_step::settle(self, out, u);
            }
        }
    }
    /// The limit of the flow from zero memory, whether or not the law has an equation for it. The result is the largest size that
    /// each number has on the way: what is small beside it is a zero that was not quite reached.
    pub fn settle(&self, u: &Input<R>, out: &mut [R]) -> [R; PROGRAM_STATES_MAX] {
        out.iter_mut().for_each(|z| *z = R::lit(0.0));
        sample_step::settle(self, out, u)
    }
    /// See [`Friction::steady`](crate::Friction::steady).
    pub fn steady(&self, u: &Input<R>) -> R {
        let mut z = [R::lit(0.0); PROGRAM_STATES_MAX];
        self.settled(u, &mut z[..self.len()]);
        self.force(&z[..self.len()], u)
    }
}
