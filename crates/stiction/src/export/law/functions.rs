//! Records a law and composes its functions.
use super::wrapping::Wrapping;
use super::{FunctionKind, LawFunction};
use crate::error::LawCodeError;
use crate::export::law_recording::{LawRecording, MOST_OPERATIONS, N, memory};
use crate::export::recorder::{call, record, record_at_most};
use stiction_core::contact::{ContactStep, SlidingBody, solve};
use stiction_core::program::{Operation, Precision, Program, ProgramLaw, derivative};
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

/// What is recorded of a law, as the outputs of one program: those of [`SampledLaw`].
#[derive(Clone)]
pub(super) struct Recording {
    pub program: Program,
    pub states: usize,
    pub params: usize,
}

impl Recording {
    /// A law in its wrappers; none if it is too long.
    pub fn new(law: &LawEntry, wrapping: &Wrapping) -> Option<Self> {
        let program = SampledLaw::record(law)?;
        let plain = Self { program, states: law.states.len(), params: law.params.len() };
        wrapping.around(plain)
    }
    pub fn steady(&self) -> Program {
        self.program.with_outputs(&[0])
    }
    pub fn force(&self) -> Program {
        self.program.with_outputs(&[1])
    }
    pub fn hold(&self) -> Program {
        self.program.with_outputs(&[2])
    }
    pub fn band(&self) -> Program {
        self.program.with_outputs(&[3])
    }
    /// The force after a sample, and the memory.
    pub fn sample(&self) -> Program {
        self.program.with_outputs(&(4..5 + self.states).collect::<Vec<_>>())
    }
    pub fn rate(&self) -> Program {
        self.program.with_outputs(&(5 + self.states..5 + 2 * self.states).collect::<Vec<_>>())
    }
    /// The direction of the slide that the memory belongs to.
    pub fn slides(&self) -> Program {
        self.program.with_outputs(&[5 + 2 * self.states])
    }
    /// The memory just after a change of mode.
    pub fn jump(&self) -> Program {
        self.program.with_outputs(&(6 + 2 * self.states..6 + 3 * self.states).collect::<Vec<_>>())
    }
}

/// The steady force, the force, half-width of the forces at rest and band of rest, the force after a sample, the memory after it, the
/// rates, the direction of the slide that the memory belongs to, and the memory after a change of mode.
struct SampledLaw;

impl LawRecording for SampledLaw {
    const INPUTS: usize = input::MEMORY;
    fn compiled<F: Friction<N>>(law: &F, x: &[N]) -> Vec<N> {
        let z = memory::<F>(x, input::MEMORY);
        let u = Input { v: x[input::V], load: x[input::LOAD] };
        let (rate, force) = law.flow(&z, &u);
        let (after, sampled) = law.sample(&z, &u, x[input::DT]);
        let mut out = vec![law.steady(&u), force, law.hold(&z, &u, x[input::DIR]), law.band(&u), sampled];
        out.extend((0..F::State::LEN).map(|i| after.get(i)));
        out.extend((0..F::State::LEN).map(|i| rate.get(i)));
        out.push(law.slides(&z));
        let jumped = law.jump(&z, &u);
        out.extend((0..F::State::LEN).map(|i| jumped.get(i)));
        out
    }
    fn of_programs(law: &ProgramLaw<'_, N>, x: &[N]) -> Vec<N> {
        let states = law.len();
        let z = &x[input::MEMORY..input::MEMORY + states];
        let u = Input { v: x[input::V], load: x[input::LOAD] };
        let (mut rate, mut after) = (z.to_vec(), z.to_vec());
        let force = law.flow(z, &u, &mut rate);
        let sampled = law.sample(&mut after, &u, x[input::DT]);
        let mut out = vec![law.steady(&u), force, law.hold(z, &u, x[input::DIR]), law.band(&u), sampled];
        out.extend(after);
        out.extend(rate);
        // no law of programs turns its sliding force into memory
        out.push(N::lit(0.0));
        let mut jumped = z.to_vec();
        law.jump(&mut jumped, &u);
        out.extend(jumped);
        out
    }
}

/// The functions of a law in its wrappers.
pub(super) fn of(law: &'static LawEntry, wrapping: &Wrapping) -> Result<Vec<LawFunction>, LawCodeError> {
    let too_long =
        |kind: FunctionKind| LawCodeError::TooLong { law: law.name, function: kind.name(), most: MOST_OPERATIONS };
    let recording = Recording::new(law, wrapping).ok_or_else(|| too_long(FunctionKind::Step))?;
    let mut out = vec![(FunctionKind::Steady, recording.steady())];
    if recording.states > 0 {
        out.push((FunctionKind::Force, recording.force()));
        out.push((FunctionKind::Rate, recording.rate()));
        out.push((FunctionKind::Step, recording.sample()));
    } else {
        out.push((FunctionKind::Force, recording.force()));
    }
    out.push((FunctionKind::Contact, contact(&recording).ok_or_else(|| too_long(FunctionKind::Contact))?));
    let function = |(kind, program)| LawFunction { kind, program: arguments(kind, program, &recording) };
    Ok(out.into_iter().map(function).collect())
}

/// The half-width of the set of forces at rest, with the inputs load, direction, memory and parameters; none for a law whose force at
/// rest is a single number.
pub(super) fn hold(law: &LawEntry, wrapping: &Wrapping) -> Option<Program> {
    at_rest(law, wrapping, Recording::hold)
}

/// The speed below which a body counts as at rest, with the same inputs; none for a law without such a band.
pub(super) fn band(law: &LawEntry, wrapping: &Wrapping) -> Option<Program> {
    at_rest(law, wrapping, Recording::band)
}

/// A program with the inputs load, direction, memory and parameters, at rest; none if it is zero.
fn at_rest(law: &LawEntry, wrapping: &Wrapping, part: fn(&Recording) -> Program) -> Option<Program> {
    let recording = Recording::new(law, wrapping)?;
    let program = record(Precision::Double, recording.program.inputs, |x| {
        let mut at = x.to_vec();
        at[input::V] = N::lit(0.0);
        call(&part(&recording), &at)
    });
    let zero = program.outputs.first().and_then(|id| program.operations.get(*id as usize));
    if matches!(zero, Some(Operation::Literal(value)) if value.as_number() == 0.0) {
        return None;
    }
    let place = |i: u32| match i as usize {
        input::LOAD => 0,
        input::DIR => 1,
        // velocity, length of a sample, mass and applied force do not occur
        ..input::MEMORY => 0,
        i => (2 + i - input::MEMORY) as u32,
    };
    Some(program.renumber_inputs((2 + recording.states + recording.params) as u32, place))
}

/// The program with the arguments of the function alone.
fn arguments(kind: FunctionKind, program: Program, recording: &Recording) -> Program {
    let signals = kind.signals().len();
    let memory = if kind.takes_memory() { recording.states } else { 0 };
    let place = |i: u32| {
        let i = i as usize;
        let place = match i {
            // in the same order
            ..input::MEMORY => i,
            _ if i < input::MEMORY + recording.states => signals + i - input::MEMORY,
            _ => signals + memory + i - input::MEMORY - recording.states,
        };
        place as u32
    };
    program.renumber_inputs((signals + memory + recording.params) as u32, place)
}

/// One step of a body: [`solve`] over the recorded programs of the law. None if it is too long.
fn contact(recording: &Recording) -> Option<Program> {
    let (sample, hold, band) = (recording.sample(), recording.hold(), recording.band());
    let tangent = derivative(&sample.with_outputs(&[0]), &[input::V as u32])?;
    let states = recording.states;
    record_at_most(MOST_OPERATIONS, recording.program.inputs, |x| {
        // the inputs with another velocity, memory and direction
        let with = |v: N, z: &[N], dir: N| {
            let mut at = x.to_vec();
            at[input::V] = v;
            at[input::DIR] = dir;
            at[input::MEMORY..input::MEMORY + states].copy_from_slice(z);
            at
        };
        let zero = N::lit(0.0);
        let memory = &x[input::MEMORY..input::MEMORY + states];
        let rested = call(&sample, &with(zero, memory, zero));
        let u = Input { v: x[input::V], load: x[input::LOAD] };
        let body = SlidingBody { mass: x[input::MASS], applied: x[input::APPLIED] };
        let hold = |dir: N| call(&hold, &with(zero, &rested[1..], dir))[0];
        let band = call(&band, x)[0];
        let slope = || {
            |v: N| {
                let out = call(&tangent, &with(v, memory, zero));
                (out[0], out[1])
            }
        };
        let ContactStep { v, force, stuck, .. } = solve(&u, &body, x[input::DT], rested[0], hold, band, slope);
        let after = call(&sample, &with(v, memory, zero));
        let mut out = vec![v, force, N::select(stuck, N::lit(1.0), zero)];
        out.extend(&after[1..]);
        out
    })
}
