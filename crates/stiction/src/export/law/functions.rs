//! Records a law and composes its functions.
use super::{FunctionKind, LawFunction};
use crate::error::LawCodeError;
use crate::export::law_recording::{MOST_OPERATIONS, N};
use crate::export::law_wrapping::{ONLY_A_SIGN, Wrapping};
use crate::export::recorded_law::{RecordedLaw, input};
use crate::export::recorder::{call, record_at_most};
use stiction_core::contact::{ContactStep, SlidingBody, solve};
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

/// One step of a body: [`solve`] over the recorded programs of the law. None if it is too long.
fn contact(recording: &RecordedLaw) -> Option<Program> {
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
