//! Records a law and composes its functions.
use super::{FunctionKind, LawFunction};
use crate::error::LawCodeError;
use crate::export::law_recording::{MOST_OPERATIONS, N};
use crate::export::law_wrapping::{ONLY_A_SIGN, Wrapping};
use crate::export::recorded_law::{RecordedLaw, input};
use crate::export::recorder::{call, record_at_most};
use stiction_core::contact::{ContactStep, SlidingBody, solve, solve_in_loop};
use stiction_core::program::{Program, derivative};
use stiction_core::registry::LawEntry;
use stiction_core::{Input, Real};

/// The functions of a law in its wrappers.
pub(super) fn of(law: &'static LawEntry, wrapping: &Wrapping) -> Result<Vec<LawFunction>, LawCodeError> {
    let too_long =
        |kind: FunctionKind| LawCodeError::TooLong { law: law.name, function: kind.name(), most: MOST_OPERATIONS };
    let recording = RecordedLaw::new(law, wrapping).ok_or_else(|| too_long(FunctionKind::Step))?;
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
    at_rest(law, wrapping, RecordedLaw::hold)
}

/// The speed below which a body counts as at rest, with the same inputs; none for a law without such a band.
pub(super) fn band(law: &LawEntry, wrapping: &Wrapping) -> Option<Program> {
    at_rest(law, wrapping, RecordedLaw::band)
}

/// A program with the inputs load, direction, memory and parameters, as hardly any speed in the direction gives it; none if it is zero.
fn at_rest(law: &LawEntry, wrapping: &Wrapping, part: fn(&RecordedLaw) -> Program) -> Option<Program> {
    let recording = RecordedLaw::new(law, wrapping)?;
    let program = record_at_most(MOST_OPERATIONS, recording.program.inputs, |x| {
        let mut at = x.to_vec();
        at[input::V] = x[input::DIR] * N::lit(ONLY_A_SIGN);
        call(&part(&recording), &at)
    })?;
    if program.is_zero(0) {
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
fn arguments(kind: FunctionKind, program: Program, recording: &RecordedLaw) -> Program {
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

/// One step of a body: [`solve`] over the recorded programs of the law, or [`solve_in_loop`], which has the same numbers, if its sample is long.
/// None if it is too long.
fn contact(recording: &RecordedLaw) -> Option<Program> {
    let (sample, hold, band) = (recording.sample(), recording.hold(), recording.band());
    let states = recording.states;
    let by_speed = [input::V as u32];
    // the force after a sample and its derivative
    let force = derivative(&sample.with_outputs(&[0]), &by_speed)?;
    // the same and the memory
    let both: Vec<usize> = [0, 1 + states].into_iter().chain(1..=states).collect();
    let whole = derivative(&sample, &by_speed)?.with_outputs(&both);
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
        let u = Input { v: x[input::V], load: x[input::LOAD] };
        let body = SlidingBody { mass: x[input::MASS], applied: x[input::APPLIED] };
        let (dt, band) = (x[input::DT], call(&band, x)[0]);
        let held = |rested: &[N], dir: N| call(&hold, &with(zero, rested, dir))[0];
        let (ContactStep { v, force, stuck, .. }, after) = if sample.len() > LONG_SAMPLE {
            let sampled = |v: N| {
                let out = call(&whole, &with(v, memory, zero));
                (out[0], out[1], out[2..].to_vec())
            };
            let step = solve_in_loop(&u, &body, dt, band, memory.to_vec(), |z: &Vec<N>, dir| held(z, dir), sampled);
            let ContactStep { v, force, stuck, memory } = step;
            (ContactStep { v, force, stuck, memory: () }, memory)
        } else {
            let rested = call(&sample, &with(zero, memory, zero));
            let slope = || {
                |v: N| {
                    let out = call(&force, &with(v, memory, zero));
                    (out[0], out[1])
                }
            };
            let step = solve(&u, &body, dt, rested[0], |dir| held(&rested[1..], dir), band, slope);
            (step, call(&sample, &with(step.v, memory, zero))[1..].to_vec())
        };
        let mut out = vec![v, force, N::select(stuck, N::lit(1.0), zero)];
        out.extend(after);
        out
    })
}

/// Operations of a sample from which on a step of a body has it in one loop. Below it the step has some ten times as many, less than a tenth of
/// [`MOST_OPERATIONS`], which a compiler takes a second for and which run a little faster.
const LONG_SAMPLE: usize = 1000;
