//! A contact's law in lanes: rates, force and their derivatives.
use super::block::MEMORY;
use crate::dispatch::InPlaceKernel;
use std::marker::PhantomData;
use stiction_core::program::LawProgram;
use stiction_core::{Dual, Friction, Input, Lanes, Law, Real, StateVector};

/// Speed at which a law is evaluated instead of zero, so that its direction is defined [m/s].
pub(super) const TINY: f64 = 1e-200;

/// The law over lanes, and its memory.
type Wide<M, const N: usize> = <M as Friction<f64>>::With<Lanes<N>>;
type Memory<M, const N: usize> = <Wide<M, N> as Friction<Lanes<N>>>::State;
/// A number with two derivatives, and the law over it.
type Slope<const N: usize> = Dual<Lanes<N>, 2>;
type Sloped<M, const N: usize> = <Wide<M, N> as Friction<Lanes<N>>>::With<Slope<N>>;

/// Rates and force.
#[derive(Clone, Copy)]
pub(super) struct Flow<const N: usize> {
    pub rates: [Lanes<N>; MEMORY],
    pub force: Lanes<N>,
}

/// Their derivatives by sliding velocity and memory.
#[derive(Clone, Copy)]
pub(super) struct Slopes<const N: usize> {
    pub by_v: Lanes<N>,
    pub by_z: [Lanes<N>; MEMORY],
    pub rate_by_v: [Lanes<N>; MEMORY],
    /// Of each rate by each number of the memory.
    pub rate_by_z: [[Lanes<N>; MEMORY]; MEMORY],
}

impl<const N: usize> Flow<N> {
    pub const ZERO: Self = Self { rates: [Lanes([0.0; N]); MEMORY], force: Lanes([0.0; N]) };
}
impl<const N: usize> Slopes<N> {
    pub const ZERO: Self = {
        let zero = Lanes([0.0; N]);
        Self { by_v: zero, by_z: [zero; MEMORY], rate_by_v: [zero; MEMORY], rate_by_z: [[zero; MEMORY]; MEMORY] }
    };
}

/// A contact: its parameters, load and direction of sliding; the state at which its law is evaluated, and the results.
pub(super) struct Contact<const N: usize> {
    pub params: Vec<Lanes<N>>,
    /// The programs of a law that is not compiled.
    pub program: Option<&'static LawProgram>,
    pub load: Lanes<N>,
    /// The direction in which it slides, ±1. Within a step the law is continued smoothly beyond zero.
    pub side: Lanes<N>,
    pub z: [Lanes<N>; MEMORY],
    pub v: Lanes<N>,
    pub flow: Flow<N>,
    pub slopes: Slopes<N>,
}

impl<const N: usize> Contact<N> {
    pub fn new(params: usize, program: Option<&'static LawProgram>) -> Self {
        let zero = Lanes([0.0; N]);
        Self {
            params: vec![zero; params],
            program,
            load: zero,
            side: Lanes([1.0; N]),
            z: [zero; MEMORY],
            v: zero,
            flow: Flow::ZERO,
            slopes: Slopes::ZERO,
        }
    }
}

/// A law of known type with its parameters.
pub(super) struct TypedLaw<M: Law<f64>, const N: usize> {
    law: Wide<M, N>,
    load: Lanes<N>,
    side: Lanes<N>,
}

impl<M: Law<f64>, const N: usize> TypedLaw<M, N> {
    #[inline(always)]
    pub fn new(contact: &Contact<N>) -> Self {
        let mut place = 0;
        let law = M::nominal().cast(|_| {
            let x = contact.params.get(place).copied().unwrap_or(Lanes([0.0; N]));
            place += 1;
            x
        });
        Self { law, load: contact.load, side: contact.side }
    }
    /// The velocity at which the law is evaluated: in the direction of sliding, and at least [`TINY`].
    #[inline(always)]
    fn onside(&self, v: Lanes<N>) -> Lanes<N> {
        v.abs().max(Lanes::lit(TINY)) * self.side
    }
    /// Rates and force at sliding velocity `v`. Beyond zero the law is continued by its reflection in the point at zero,
    /// so that a step that oversteps the kink does not see it.
    #[inline(always)]
    pub fn flow(&self, z: &[Lanes<N>; MEMORY], v: Lanes<N>) -> Flow<N> {
        let over = (v * self.side).lt(Lanes::lit(0.0));
        let z = recall::<M, N>(z);
        let mut u = Input { v: self.onside(v), load: self.load };
        let mut out = Flow::ZERO;
        // once, and again at rest if some lane oversteps; a loop, so that the law is compiled once
        for round in 0..if over.any() { 2 } else { 1 } {
            let (rate, force) = self.law.flow(&z, &u);
            let mut now = Flow { force, ..Flow::ZERO };
            for (i, r) in now.rates.iter_mut().enumerate() {
                *r = rate.get(i);
            }
            if round == 0 {
                out = now;
                u.v = Lanes::lit(TINY) * self.side;
                continue;
            }
            let two = Lanes::lit(2.0);
            out.force = Lanes::select(over, two * now.force - out.force, out.force);
            for (r, rest) in out.rates.iter_mut().zip(now.rates) {
                *r = Lanes::select(over, two * rest - *r, *r);
            }
        }
        out
    }
    /// The same with derivatives, by dual numbers: by the velocity and one number of the memory at a time. For the
    /// beginning of a step, where `v` is beyond zero by rounding at most.
    #[allow(clippy::needless_range_loop, reason = "index loops vectorise")]
    #[inline(always)]
    pub fn slopes(&self, z: &[Lanes<N>; MEMORY], v: Lanes<N>) -> (Flow<N>, Slopes<N>) {
        let len = Memory::<M, N>::LEN.min(MEMORY);
        let law = self.law.cast(Slope::<N>::constant);
        let u = Input { v: Dual::var(self.onside(v), 0), load: Dual::constant(self.load) };
        let (mut flow, mut slopes) = (Flow::ZERO, Slopes::ZERO);
        for j in 0..len.max(1) {
            let mut zd = <Sloped<M, N> as Friction<Slope<N>>>::State::zero();
            for i in 0..len {
                zd.set(i, if i == j { Dual::var(z[i], 1) } else { Dual::constant(z[i]) });
            }
            let (rate, force) = law.flow(&zd, &u);
            (flow.force, slopes.by_v) = (force.re, force.eps[0]);
            if len > 0 {
                slopes.by_z[j] = force.eps[1];
            }
            for i in 0..len {
                let rate = rate.get(i);
                (flow.rates[i], slopes.rate_by_v[i], slopes.rate_by_z[i][j]) = (rate.re, rate.eps[0], rate.eps[1]);
            }
        }
        (flow, slopes)
    }
}

/// The memory in the type of the law's state.
#[inline(always)]
fn recall<M: Law<f64>, const N: usize>(z: &[Lanes<N>; MEMORY]) -> Memory<M, N> {
    let mut out = Memory::<M, N>::zero();
    for (i, z) in z.iter().enumerate() {
        out.set(i, *z);
    }
    out
}

/// Answers with rates and force, for law `M`.
pub(super) struct FlowKernel<M>(PhantomData<M>);
impl<M: Law<f64>, const N: usize> InPlaceKernel<Contact<N>> for FlowKernel<M> {
    #[inline(always)]
    fn run(contact: &mut Contact<N>) {
        contact.flow = TypedLaw::<M, N>::new(contact).flow(&contact.z, contact.v);
    }
}

/// Answers with derivatives as well.
pub(super) struct SlopesKernel<M>(PhantomData<M>);
impl<M: Law<f64>, const N: usize> InPlaceKernel<Contact<N>> for SlopesKernel<M> {
    #[inline(always)]
    fn run(contact: &mut Contact<N>) {
        (contact.flow, contact.slopes) = TypedLaw::<M, N>::new(contact).slopes(&contact.z, contact.v);
    }
}

/// Answers with rates and force, for a law of programs.
pub(super) struct ProgramFlowKernel;
impl<const N: usize> InPlaceKernel<Contact<N>> for ProgramFlowKernel {
    #[allow(clippy::needless_range_loop, reason = "index loops vectorise")]
    #[inline(always)]
    fn run(contact: &mut Contact<N>) {
        let Some(program) = contact.program else { return };
        let (side, v, len) = (contact.side, contact.v, program.len().min(MEMORY));
        let over = (v * side).lt(Lanes::lit(0.0));
        let mut u = Input { v: v.abs().max(Lanes::lit(TINY)) * side, load: contact.load };
        // as `TypedLaw::flow`: once, and again at rest if some lane oversteps
        for round in 0..if over.any() { 2 } else { 1 } {
            let mut now = [Lanes::lit(0.0); 1 + MEMORY];
            program.run_flow(&contact.params, &contact.z[..len], &u, &mut now);
            let [force, rates @ ..] = now;
            let out = &mut contact.flow;
            if round == 0 {
                *out = Flow { force, rates };
                u.v = Lanes::lit(TINY) * side;
                continue;
            }
            let two = Lanes::lit(2.0);
            out.force = Lanes::select(over, two * force - out.force, out.force);
            for i in 0..MEMORY {
                out.rates[i] = Lanes::select(over, two * rates[i] - out.rates[i], out.rates[i]);
            }
        }
    }
}

/// Answers with derivatives as well.
pub(super) struct ProgramSlopesKernel;
impl<const N: usize> InPlaceKernel<Contact<N>> for ProgramSlopesKernel {
    #[allow(clippy::needless_range_loop, reason = "index loops vectorise")]
    #[inline(always)]
    fn run(contact: &mut Contact<N>) {
        let Some(program) = contact.program else { return };
        let len = program.len().min(MEMORY);
        let u = Input { v: contact.v.abs().max(Lanes::lit(TINY)) * contact.side, load: contact.load };
        // values, then their derivatives by the velocity, by the load, and by each state
        let mut all = [Lanes::lit(0.0); (1 + MEMORY) * (3 + MEMORY)];
        program.run_partials(&contact.params, &contact.z[..len], &u, &mut all);
        let count = 1 + len;
        let (mut flow, mut slopes) = (Flow::ZERO, Slopes::ZERO);
        (flow.force, slopes.by_v) = (all[0], all[count]);
        for i in 0..len {
            (flow.rates[i], slopes.rate_by_v[i]) = (all[1 + i], all[count + 1 + i]);
        }
        for j in 0..len {
            slopes.by_z[j] = all[(3 + j) * count];
            for i in 0..len {
                slopes.rate_by_z[i][j] = all[(3 + j) * count + 1 + i];
            }
        }
        (contact.flow, contact.slopes) = (flow, slopes);
    }
}
