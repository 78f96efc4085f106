//! What a kernel computes of a law, as programs: force and rates, their derivatives, the set of forces at rest.
use crate::export::law_recording::{LawRecording, MOST_OPERATIONS, N, memory};
use crate::sim::batch::Ensemble;
use stiction_core::program::{Program, ProgramLaw, derivative};
use stiction_core::registry::LawEntry;
use stiction_core::{Friction, Input, Real, StateVector};

/// Places at which a law is compared with its mirror image.
const PLACES: usize = 64;

/// No law of programs has more guards.
const MOST_GUARDS: usize = 64;

/// Force and rates of a law, with the inputs velocity, load, memory, parameters.
struct FlowOfLaw;

impl LawRecording for FlowOfLaw {
    const INPUTS: usize = 2;
    fn compiled<F: Friction<N>>(law: &F, x: &[N]) -> Vec<N> {
        let (rate, force) = law.flow(&memory::<F>(x, 2), &Input { v: x[0], load: x[1] });
        let mut out = vec![force];
        out.extend((0..F::State::LEN).map(|i| rate.get(i)));
        // whether all of this changes its sign with velocity and memory
        out.push(N::lit(if F::ODD { 1.0 } else { 0.0 }));
        out
    }
    fn of_programs(law: &ProgramLaw<'_, N>, x: &[N]) -> Vec<N> {
        let mut rate = x[2..2 + law.len()].to_vec();
        let force = law.flow(&x[2..2 + law.len()], &Input { v: x[0], load: x[1] }, &mut rate);
        let mut out = vec![force];
        out.extend(rate);
        out.push(N::lit(0.0));
        out
    }
}

/// The set of forces at rest of a law without memory, with the input load: its lower and its upper end.
struct SetAtRest;

impl LawRecording for SetAtRest {
    const INPUTS: usize = 1;
    fn compiled<F: Friction<N>>(law: &F, x: &[N]) -> Vec<N> {
        let (z, u) = (memory::<F>(x, 1), Input { v: N::lit(0.0), load: x[0] });
        let middle = law.force(&z, &u);
        vec![middle - law.hold(&z, &u, N::lit(-1.0)), middle + law.hold(&z, &u, N::lit(1.0))]
    }
    fn of_programs(law: &ProgramLaw<'_, N>, x: &[N]) -> Vec<N> {
        let (z, u) = (&x[1..1 + law.len()], Input { v: N::lit(0.0), load: x[0] });
        let middle = law.force(z, &u);
        vec![middle - law.hold(z, &u, N::lit(-1.0)), middle + law.hold(z, &u, N::lit(1.0))]
    }
}

/// The guards of a law but for the velocity, its memory after a jump, and the extremum of the speed that it remembers, with the inputs velocity,
/// load, memory, parameters.
struct Modes;

impl LawRecording for Modes {
    const INPUTS: usize = 2;
    fn compiled<F: Friction<N>>(law: &F, x: &[N]) -> Vec<N> {
        let (z, u) = (memory::<F>(x, 2), Input { v: x[0], load: x[1] });
        let (guards, jumped) = (law.guards(&z, &u), law.jump(&z, &u));
        let mut out = vec![law.extremum(&z)];
        out.extend((0..F::State::LEN).map(|i| jumped.get(i)));
        out.extend((1..F::Guards::LEN).map(|k| guards.get(k)));
        out
    }
    fn of_programs(law: &ProgramLaw<'_, N>, x: &[N]) -> Vec<N> {
        let (z, u) = (x[2..2 + law.len()].to_vec(), Input { v: x[0], load: x[1] });
        let (mut jumped, mut guards) = (z.clone(), vec![N::lit(0.0); MOST_GUARDS]);
        law.jump(&mut jumped, &u);
        law.guards(&z, &u, &mut guards);
        let mut out = vec![N::lit(0.0)];
        out.extend(jumped);
        out.extend(guards);
        out
    }
}

/// Whether force and rates change their sign with velocity and memory, at random places. A law says so of its force alone: a memory may be a
/// mean speed, or a time, which mirroring leaves as it is.
fn is_mirrored(all: &Program, law: &LawEntry) -> bool {
    (0..PLACES).all(|place| {
        let random = |k: usize| f64::uniform(17.0, (64 * place + k) as f64);
        let memory = law.states.len();
        let mut inputs = vec![10.0_f64.powf(7.0 * random(0) - 6.0), 0.5 + random(1)];
        inputs.extend((0..memory).map(|z| (random(2 + 2 * z) - 0.5) * 10.0_f64.powf(8.0 * random(3 + 2 * z) - 7.0)));
        // a parameter that is zero as a rule is not at every place
        inputs.extend(law.params.iter().enumerate().map(|(k, param)| {
            let size = if param.default == 0.0 { 1.0 } else { param.default };
            (size * (0.5 + random(2 + 2 * memory + k))).clamp(param.min, param.max)
        }));
        let mut mirrored = inputs.clone();
        mirrored[0] = -mirrored[0];
        mirrored[2..2 + memory].iter_mut().for_each(|z| *z = -*z);
        let (here, there) = (all.evaluate(&inputs), all.evaluate(&mirrored));
        here.iter()
            .zip(&there)
            .take(1 + memory)
            .all(|(here, there)| here + there == 0.0 || here.is_nan() && there.is_nan())
    })
}

/// The programs of a law with modes.
pub(super) struct ModePrograms {
    /// The guards but for the velocity.
    pub guards: Program,
    /// The memory after a jump.
    pub jump: Program,
}

/// A law as the step needs it.
pub(super) struct LawPrograms {
    /// Force, then rates.
    pub flow: Program,
    /// The same, then their derivatives by the velocity, then by each number of the memory.
    pub slopes: Program,
    /// The ends of the set of forces at rest, where the contact sticks.
    pub set_at_rest: Option<Program>,
    /// Guards and jumps, where the law has modes.
    pub modes: Option<ModePrograms>,
    /// Numbers of memory, and those of them that change continuously.
    pub memory: usize,
    pub flowing: Vec<usize>,
    /// Whether force and rates change their sign with velocity and memory, all of it.
    pub odd: bool,
}

impl LawPrograms {
    /// The programs of the law of an ensemble, or why it has none.
    pub fn new(ensemble: &Ensemble) -> Result<Self, String> {
        let (law, memory, flowing) = (ensemble.law(), ensemble.law().states.len(), ensemble.flowing().to_vec());
        let too_long = || format!("the program of '{}' has a loop, or no derivatives", law.name);
        let all = FlowOfLaw::record(law).ok_or_else(too_long)?;
        let odd = !all.is_zero(1 + memory) && is_mirrored(&all, law);
        let flow = all.with_outputs(&[0].into_iter().chain(flowing.iter().map(|i| 1 + i)).collect::<Vec<_>>());
        let by: Vec<u32> = [0].into_iter().chain(flowing.iter().map(|i| 2 + *i as u32)).collect();
        let slopes = derivative(&flow, &by).filter(|program| program.len() <= MOST_OPERATIONS).ok_or_else(too_long)?;
        if flow.loops().next().is_some() {
            return Err(too_long());
        }
        let set_at_rest = if ensemble.sticks() { Some(SetAtRest::record(law).ok_or_else(too_long)?) } else { None };
        let mut modes = None;
        if ensemble.guards() > 0 || flowing.len() < memory {
            let all = Modes::record(law).filter(|all| all.loops().next().is_none()).ok_or_else(too_long)?;
            if ensemble.sticks() {
                return Err(format!("'{}' holds a body at rest and has modes", law.name));
            }
            if !all.is_zero(0) {
                return Err(format!("'{}' remembers extrema of the speed", law.name));
            }
            let jumped: Vec<usize> = (1..=memory).collect();
            let guards: Vec<usize> = (1 + memory..1 + memory + ensemble.guards()).collect();
            modes = Some(ModePrograms { guards: all.with_outputs(&guards), jump: all.with_outputs(&jumped) });
        }
        Ok(Self { flow, slopes, set_at_rest, modes, memory, flowing, odd })
    }
}
