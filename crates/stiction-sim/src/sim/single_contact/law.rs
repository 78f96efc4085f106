//! The evaluations of the contact's law in a step.
#![allow(
    clippy::needless_range_loop,
    reason = "index loops of known length are what the compiler unrolls, and read like the formula"
)]
use super::super::flow::TINY;
use super::super::rodas5p::dense_output;
use super::super::root_finding::{NODES as PLACES, bernstein, near_miss, unseen_minimum};
use super::coefficients::Coefficients;
use super::fused::Fused;
use super::fused_lanes::{FusedLanes, WIDTH};
use super::step::TrialStep;
use super::{GUARDS_MAX, Numbers, PARAMS_MAX};
use crate::dispatch::{InPlaceKernel, InstructionSet, Response, ResponseFn};
use std::marker::PhantomData;
use stiction_core::program::LawProgram;
use stiction_core::registry::DynLaw;
use stiction_core::{Dual, Friction, Input, Lanes, Law, Real, StateVector};

/// Speeds beyond which laws do not compute [m/s].
pub(super) const V_MAX: f64 = 1e15;

/// The parameters of a law, and the load it is under.
#[derive(Clone, Copy)]
pub(super) struct Parameters {
    pub values: [f64; PARAMS_MAX],
    pub load: f64,
    /// The programs of a law that is not compiled.
    pub program: Option<&'static LawProgram>,
}

impl Parameters {
    #[inline(always)]
    fn law<M: Law<f64>>(&self) -> M {
        M::from_slice(&self.values[..M::PARAMS.len().min(PARAMS_MAX)])
    }
}

/// The functions that are compiled for each law with the instructions of the kernel. All else goes through [`DynLaw`].
#[derive(Clone, Copy)]
pub(super) struct LawFunctions {
    /// Force and first rate at two numbers of memory and a sliding velocity; the second rate goes to where it is told.
    flow: ResponseFn<Parameters, f64>,
    /// The same with derivatives; returns the force and its derivative by the velocity, and writes everything.
    slopes: ResponseFn<Parameters, LawSlopes>,
    /// Force and rate at four numbers of memory and sliding velocities, for laws with at most one number of memory.
    at_stages: Option<ResponseFn<Parameters, LanesAt>>,
    /// Guards but for the velocity, for laws that have some.
    guards: Option<fn(&mut GuardsAt)>,
    guard_count: usize,
}

impl LawFunctions {
    pub fn of<M: Law<f64>, S: InstructionSet>() -> Option<Self> {
        let guard_count = (<M::Guards as StateVector<f64>>::LEN - 1).min(GUARDS_MAX);
        Some(Self {
            flow: S::response::<Typed<M>, _, _>()?,
            slopes: S::response::<Typed<M>, _, _>()?,
            at_stages: if Typed::<M>::LEN < 2 { S::response::<Typed<M>, _, LanesAt>() } else { None },
            guards: if <M::Guards as StateVector<f64>>::LEN > 1 { Some(S::job::<Typed<M>, _>()?) } else { None },
            guard_count,
        })
    }
}

impl LawFunctions {
    /// The functions of a law of programs.
    pub fn of_program<S: InstructionSet>(program: &LawProgram) -> Option<Self> {
        let guard_count = program.guard_count();
        Some(Self {
            flow: S::response::<ProgramResponse, _, _>()?,
            slopes: S::response::<ProgramResponse, _, _>()?,
            at_stages: None,
            guards: if guard_count > 0 { Some(S::job::<ProgramResponse, _>()?) } else { None },
            guard_count,
        })
    }
    /// The functions for a law with these parameters, with which it may have no modes.
    pub fn without_inert_guards(self, law: &dyn DynLaw) -> Self {
        if law.guard_count() > 1 { self } else { Self { guards: None, guard_count: 0, ..self } }
    }
}

/// A law of known type.
struct Typed<M>(PhantomData<M>);

impl<M: Law<f64>> Typed<M> {
    /// Numbers of its memory.
    const LEN: usize = {
        let len = <M::State as StateVector<f64>>::LEN;
        if len < 2 { len } else { 2 }
    };
}

impl<M: Law<f64>> Response<Parameters, f64> for Typed<M> {
    #[inline(always)]
    fn evaluate(of: &Parameters, z0: f64, z1: f64, v: f64, second: &mut f64) -> (f64, f64) {
        let law = of.law::<M>().cast(Fused);
        let mut z = <M::With<Fused> as Friction<Fused>>::State::zero();
        for (i, x) in [z0, z1].into_iter().enumerate().take(Self::LEN) {
            z.set(i, Fused(x));
        }
        let (rates, force) = law.flow(&z, &Input { v: Fused(v), load: Fused(of.load) });
        if Self::LEN > 1 {
            *second = rates.get(1).0;
        }
        (force.0, rates.get(0).0)
    }
}

/// Four numbers of memory and sliding velocities, and the law's answers.
pub(super) struct LanesAt {
    memory: [f64; WIDTH],
    slips: [f64; WIDTH],
    forces: [f64; WIDTH],
    rates: [f64; WIDTH],
}

impl<M: Law<f64>> Response<Parameters, LanesAt> for Typed<M> {
    #[inline(always)]
    fn evaluate(of: &Parameters, _: f64, _: f64, _: f64, at: &mut LanesAt) -> (f64, f64) {
        let law = of.law::<M>().cast(FusedLanes::lit);
        let mut z = <M::With<FusedLanes> as Friction<FusedLanes>>::State::zero();
        if Self::LEN > 0 {
            z.set(0, FusedLanes(Lanes(at.memory)));
        }
        let (rates, force) = law.flow(&z, &Input { v: FusedLanes(Lanes(at.slips)), load: FusedLanes::lit(of.load) });
        at.forces = force.0.0;
        if Self::LEN > 0 {
            at.rates = rates.get(0).0.0;
        }
        (0.0, 0.0)
    }
}

impl<M: Law<f64>> Response<Parameters, LawSlopes> for Typed<M> {
    #[inline(always)]
    fn evaluate(of: &Parameters, z0: f64, z1: f64, v: f64, out: &mut LawSlopes) -> (f64, f64) {
        *out = if Self::LEN < 2 { dual::<M, 2>(of, [z0, z1], v) } else { dual::<M, 3>(of, [z0, z1], v) };
        (out.f, out.by_v)
    }
}

#[inline(always)]
fn dual<M: Law<f64>, const N: usize>(of: &Parameters, memory: [f64; 2], v: f64) -> LawSlopes {
    let law = of.law::<M>().cast(|x| Dual::<Fused, N>::constant(Fused(x)));
    let mut z = <<M::With<Dual<Fused, N>> as Friction<Dual<Fused, N>>>::State as StateVector<Dual<Fused, N>>>::zero();
    for i in 0..Typed::<M>::LEN {
        z.set(i, Dual::var(Fused(memory[i]), 1 + i));
    }
    let u = Input { v: Dual::var(Fused(v), 0), load: Dual::constant(Fused(of.load)) };
    let (rate, force) = law.flow(&z, &u);
    let mut out = LawSlopes { f: force.re.0, by_v: force.eps[0].0, ..LawSlopes::default() };
    for i in 0..Typed::<M>::LEN {
        let rate = rate.get(i);
        out.by_w[i] = force.eps[1 + i].0;
        (out.rate[i], out.rate_by_v[i]) = (rate.re.0, rate.eps[0].0);
        for j in 0..Typed::<M>::LEN {
            out.rate_by_w[i][j] = rate.eps[1 + j].0;
        }
    }
    out
}

/// A law of programs.
struct ProgramResponse;

impl Response<Parameters, f64> for ProgramResponse {
    #[inline(always)]
    fn evaluate(of: &Parameters, z0: f64, z1: f64, v: f64, second: &mut f64) -> (f64, f64) {
        let mut out = [0.0; 3];
        if let Some(program) = of.program {
            program.run_flow(&of.values, &[z0, z1], &Input { v, load: of.load }, &mut out);
        }
        *second = out[2];
        (out[0], out[1])
    }
}

impl Response<Parameters, LawSlopes> for ProgramResponse {
    #[inline(always)]
    fn evaluate(of: &Parameters, z0: f64, z1: f64, v: f64, out: &mut LawSlopes) -> (f64, f64) {
        let Some(program) = of.program else { return (0.0, 0.0) };
        let (len, mut all) = (program.len().min(2), [0.0; 15]);
        program.run_partials(&of.values, &[z0, z1], &Input { v, load: of.load }, &mut all);
        // values, then their derivatives by the velocity, by the load, and by each state
        let count = 1 + len;
        *out = LawSlopes { f: all[0], by_v: all[count], ..LawSlopes::default() };
        for i in 0..len {
            (out.rate[i], out.rate_by_v[i]) = (all[1 + i], all[count + 1 + i]);
        }
        for j in 0..len {
            out.by_w[j] = all[(3 + j) * count];
            for i in 0..len {
                out.rate_by_w[i][j] = all[(3 + j) * count + 1 + i];
            }
        }
        (out.f, out.by_v)
    }
}

impl InPlaceKernel<GuardsAt> for ProgramResponse {
    #[inline(always)]
    fn run(at: &mut GuardsAt) {
        let Some(program) = at.parameters.program else { return };
        for place in 0..5 {
            let mut guards = [0.0; GUARDS_MAX];
            let u = Input { v: at.v[place], load: at.parameters.load };
            program.run_guards(&at.parameters.values, &at.z[place], &u, &mut guards);
            for i in 0..GUARDS_MAX {
                at.out[i][place] = guards[i];
            }
        }
    }
}

/// Five places of a step at which guards are asked for, and the result.
pub(super) struct GuardsAt {
    parameters: Parameters,
    v: [f64; 5],
    z: [[f64; 2]; 5],
    out: [[f64; 5]; GUARDS_MAX],
}

impl<M: Law<f64>> InPlaceKernel<GuardsAt> for Typed<M> {
    #[inline(always)]
    fn run(at: &mut GuardsAt) {
        let law = at.parameters.law::<M>();
        for place in 0..5 {
            let mut z = M::State::zero();
            for i in 0..Self::LEN {
                z.set(i, at.z[place][i]);
            }
            let guards = law.guards(&z, &Input { v: at.v[place], load: at.parameters.load });
            for i in 0..GUARDS_MAX {
                at.out[i][place] = guards.get(i + 1);
            }
        }
    }
}

/// Force and rates of the memory, and their derivatives by sliding velocity and memory.
#[derive(Clone, Copy, Default)]
pub(super) struct LawSlopes {
    pub f: f64,
    pub by_v: f64,
    pub by_w: [f64; 2],
    pub rate: [f64; 2],
    pub rate_by_v: [f64; 2],
    pub rate_by_w: [[f64; 2]; 2],
}

/// Force, and rates of the memory.
#[derive(Clone, Copy)]
pub(super) struct LawResponse {
    pub f: f64,
    pub rates: [f64; 2],
}

/// The contact, whose law has `LEN` numbers of memory.
pub(super) struct Contact<'a, const LEN: usize> {
    pub functions: LawFunctions,
    pub parameters: &'a Parameters,
    /// The law behind `dyn`, for guards and other rare calls.
    pub model: &'a dyn DynLaw,
}

impl<const LEN: usize> Contact<'_, LEN> {
    #[inline(always)]
    pub fn slopes(&self, course: &Coefficients, y: &Numbers, slip: f64) -> LawSlopes {
        let moves = slip * course.side >= course.slope_speed;
        let v = if moves { slip } else { course.side * course.slope_speed.max(TINY) };
        let mut out = LawSlopes::default();
        (self.functions.slopes)(self.parameters, y[2], y[3], v, &mut out);
        if !moves {
            // slopes at a speed that differs from rest, as for all systems, but force and rates as they are
            let rest = self.reflected(course, &[y[2], y[3]], course.side * (slip * course.side).max(0.0));
            out.f = rest.f;
            out.rate[..LEN].copy_from_slice(&rest.rates[..LEN]);
        }
        out
    }
    /// Force and rates; beyond zero the law is continued by its reflection, as for all systems.
    #[inline(always)]
    pub fn flow(&self, course: &Coefficients, memory: &[f64; 2], slip: f64) -> LawResponse {
        let over = slip * course.side;
        if !(over > 0.0 && over < V_MAX) {
            return self.reflected(course, memory, slip);
        }
        let mut second = 0.0;
        let (f, first) = (self.functions.flow)(self.parameters, memory[0], memory[1], slip, &mut second);
        LawResponse { f, rates: [first, if LEN > 1 { second } else { 0.0 }] }
    }
    /// Forces and rates of the first number of the memory at four states.
    #[inline(always)]
    pub fn flow_at_stages(
        &self,
        course: &Coefficients,
        memory: &[f64; WIDTH],
        slips: &[f64; WIDTH],
    ) -> ([f64; WIDTH], [f64; WIDTH]) {
        let mut at = LanesAt { memory: *memory, slips: *slips, forces: [0.0; WIDTH], rates: [0.0; WIDTH] };
        let mut regular = true;
        for slip in slips {
            let over = slip * course.side;
            regular &= over > 0.0 && over < V_MAX;
        }
        match self.functions.at_stages {
            Some(evaluate) if regular => {
                evaluate(self.parameters, 0.0, 0.0, 0.0, &mut at);
            }
            _ => self.one_by_one(course, &mut at),
        }
        (at.forces, at.rates)
    }
    #[cold]
    #[inline(never)]
    fn one_by_one(&self, course: &Coefficients, at: &mut LanesAt) {
        for i in 0..WIDTH {
            let response = self.flow(course, &[at.memory[i], 0.0], at.slips[i]);
            (at.forces[i], at.rates[i]) = (response.f, response.rates[0]);
        }
    }
    #[cold]
    #[inline(never)]
    fn reflected(&self, course: &Coefficients, memory: &[f64; 2], slip: f64) -> LawResponse {
        let at = |v: f64| {
            let mut rates = [0.0; 2];
            let f = self.model.flow(&memory[..LEN], &Input { v, load: self.parameters.load }, &mut rates);
            LawResponse { f, rates }
        };
        if slip * course.side > 0.0 {
            return at(slip);
        }
        let rest = at(course.side * TINY);
        if slip == 0.0 {
            return rest;
        }
        let mirrored = at(-slip);
        let reflect = |rest: f64, other: f64| 2.0 * rest - other;
        LawResponse { f: reflect(rest.f, mirrored.f), rates: [0, 1].map(|i| reflect(rest.rates[i], mirrored.rates[i])) }
    }
    /// Whether neither the velocity nor a guard of the law comes near zero in the step, it has seen the lowest speed, and the velocity stays
    /// within the `free` range.
    #[inline(always)]
    pub fn is_clear(
        &self,
        course: &Coefficients,
        step: &TrialStep<'_>,
        sides: &[f64; GUARDS_MAX],
        free: [f64; 2],
    ) -> bool {
        let slips = slips(course, step);
        let is_free = slips.iter().all(|v| free[0] <= *v && *v <= free[1]);
        let mut clear = stays(&slips, course.side) && unseen_minimum(&slips, course.side).is_none() && is_free;
        if let Some(evaluate) = self.functions.guards {
            let guards = self.guards(evaluate, course, step, &slips);
            for i in 0..self.functions.guard_count {
                clear &= stays(&guards[i], sides[i]) && near_miss(&guards[i], sides[i]).is_none();
            }
        }
        clear
    }
    /// The guards of the law at five places of the step.
    #[inline(never)]
    fn guards(
        &self,
        evaluate: fn(&mut GuardsAt),
        course: &Coefficients,
        step: &TrialStep<'_>,
        slips: &[f64; 5],
    ) -> [[f64; 5]; GUARDS_MAX] {
        let z = PLACES.map(|theta| [dense(step, 2, theta), dense(step, 3, theta)]);
        // on the side of the mode, also beyond the zero of the velocity
        let v = slips.map(|slip| if slip * course.side <= 0.0 { course.side * TINY } else { slip });
        let mut at = GuardsAt { parameters: *self.parameters, v, z, out: [[0.0; 5]; GUARDS_MAX] };
        evaluate(&mut at);
        at.out
    }
}

/// Number `i` of the state at a fraction of the step.
#[inline(always)]
fn dense(step: &TrialStep<'_>, i: usize, theta: f64) -> f64 {
    let d = &step.work.dense;
    dense_output(theta, step.y0[i], step.y1[i], [d[0][i], d[1][i], d[2][i]])
}

/// The sliding velocity at five places of the step.
#[inline(always)]
fn slips(course: &Coefficients, step: &TrialStep<'_>) -> [f64; 5] {
    // not `array::map`, which is not always inlined and then compiled without the kernel's instructions
    let mut out = [0.0; 5];
    for (to, theta) in out.iter_mut().zip(PLACES) {
        *to = course.c * dense(step, 1, theta) + course.drift;
    }
    out
}

/// Whether a number with these values at five places of the step keeps its sign.
#[inline(always)]
fn stays(values: &[f64; 5], side: f64) -> bool {
    let most = values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    bernstein(values)[1..].iter().all(|x| x * side > 1e-13 * most)
}
