//! The wrappers of a law as programs: its own parameters in each direction of motion, and the map from a load to the load factor.
//!
//! A wrapper is composed of the recorded programs of the law within, as [`DynWrapped`](stiction_core::registry) composes its calls, so that
//! laws written in Rust and laws of programs are wrapped alike and give the same bits.
use super::law_recording::{MOST_OPERATIONS, N};
use super::recorded_law::{RecordedLaw, input};
use super::recorder::{RecordedBool, call, record_at_most};
use crate::error::LawCodeError;
use crate::{ParameterGroup, Spec};
use stiction_core::program::Program;
use stiction_core::registry::{DynLaw, LawEntry, Wrappers};
use stiction_core::{Param, Real};

/// A speed that carries only a sign, as in the wrapper of the core \[m/s\].
pub(super) const ONLY_A_SIGN: f64 = 1e-30;

/// The wrappers of a law: their parameters come after those of the law.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Wrapping {
    /// The parameters that reverse motion has of its own, by their place among those of the law; the others have the forward value.
    pub reverse: Vec<usize>,
    /// Whether the load is given in its own unit: base and slope of the load factor.
    pub load: bool,
}

impl Wrapping {
    /// The wrappers that a law is given.
    ///
    /// # Errors
    /// [`LawCodeError::Noise`]: noise has memory of its own, which the functions of the law do not have.
    pub fn of(spec: &Spec) -> Result<Self, LawCodeError> {
        if spec.has(ParameterGroup::Noise) {
            return Err(LawCodeError::Noise);
        }
        let given = |p: &Param| spec.is_given(&ParameterGroup::Reverse.key(p.name));
        let params = spec.law().params.iter().enumerate();
        let reverse = params.filter(|(_, p)| given(p)).map(|(i, _)| i).collect();
        Ok(Self { reverse, load: spec.has(ParameterGroup::Load) })
    }
    /// Whether there is no wrapper.
    pub fn is_empty(&self) -> bool {
        self.reverse.is_empty() && !self.load
    }
    /// The keys of the wrappers' parameters, such as `reverse.fc`, and the parameters.
    pub fn params(&self, law: &LawEntry) -> Vec<(String, Param)> {
        let reverse = self.reverse.iter().map(|i| &law.params[*i]);
        let reverse = reverse.map(|p| (ParameterGroup::Reverse.key(p.name), *p));
        let load = ParameterGroup::Load.params(law).iter().filter(|_| self.load);
        reverse.chain(load.map(|p| (ParameterGroup::Load.key(p.name), *p))).collect()
    }
    /// The keys and the parameters of the law and of its wrappers.
    pub fn all_params(&self, law: &LawEntry) -> Vec<(String, Param)> {
        let own = law.params.iter().map(|p| (p.name.to_owned(), *p));
        own.chain(self.params(law)).collect()
    }
    /// The load at which the parameters hold, from the values of all parameters: 1, or where the load is given in its own unit, that of
    /// the factor 1.
    pub fn nominal_load(&self, values: &[f64]) -> f64 {
        match values {
            [.., base, slope] if self.load && *slope != 0.0 => (1.0 - base) / slope,
            _ => 1.0,
        }
    }
    /// Builds the law with the values of all parameters.
    pub fn build(&self, law: &LawEntry, values: &[f64]) -> Option<Box<dyn DynLaw>> {
        let (own, more) = values.split_at_checked(law.params.len())?;
        let (reverse, load) = more.split_at_checked(self.reverse.len())?;
        let mut other = own.to_vec();
        self.reverse.iter().zip(reverse).for_each(|(i, x)| other[*i] = *x);
        law.check(&other).ok()?;
        let wrappers = Wrappers {
            reverse: (!self.reverse.is_empty()).then_some(other.as_slice()),
            load: self.load.then_some(load),
            noise: None,
        };
        law.build_wrapped(own, &wrappers).ok()
    }
    /// The recording of the wrapped law; none if it is too long.
    pub fn around(&self, law: RecordedLaw) -> Option<RecordedLaw> {
        if self.is_empty() {
            return Some(law);
        }
        let (states, params) = (law.states, law.params + self.reverse.len() + if self.load { 2 } else { 0 });
        let inputs = (input::MEMORY + states + params) as u32;
        let sides = Sides { law: &law, wrapping: self };
        let program = record_at_most(MOST_OPERATIONS, inputs, |x| sides.outputs(x))?;
        Some(RecordedLaw { program, states, params }.without_empty_set())
    }
}

/// A direction of motion.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Forward,
    Reverse,
}

/// The recorded law, called with the parameters of either direction.
struct Sides<'a> {
    law: &'a RecordedLaw,
    wrapping: &'a Wrapping,
}

impl Sides<'_> {
    /// The inputs of the law within, from those of the wrapped law, with another velocity, direction and memory.
    fn inputs(&self, x: &[N], side: Side, [v, dir]: [N; 2], memory: &[N]) -> Vec<N> {
        let first = input::MEMORY + self.law.states;
        let (own, more) = x[first..].split_at(self.law.params);
        let mut at = x[..first].to_vec();
        at.extend(own);
        at[input::V] = v;
        at[input::DIR] = dir;
        at[input::MEMORY..first].copy_from_slice(memory);
        let (reverse, load) = more.split_at(self.wrapping.reverse.len());
        if side == Side::Reverse {
            self.wrapping.reverse.iter().zip(reverse).for_each(|(i, value)| at[first + i] = *value);
        }
        if let [base, slope] = load {
            at[input::LOAD] = *base + *slope * x[input::LOAD];
        }
        at
    }
    /// The outputs of a part of the law for one direction, or for the direction of `v`.
    fn select(&self, x: &[N], part: &Program, backward: RecordedBool, at: [N; 2], memory: &[N]) -> Vec<N> {
        let [forward, reverse] =
            [Side::Forward, Side::Reverse].map(|side| call(part, &self.inputs(x, side, at, memory)));
        forward.into_iter().zip(reverse).map(|(f, r)| N::select(backward, r, f)).collect()
    }
    /// The memory after the slide that it belongs to, if `v` does not continue that.
    fn end_slide(&self, x: &[N], v: N, memory: &[N]) -> Vec<N> {
        let zero = N::lit(0.0);
        let slid = call(&self.law.slides(), &self.inputs(x, Side::Forward, [zero, zero], memory))[0];
        let ends = zero.lt(slid.abs()) & !zero.lt(slid * v.sign());
        let ended = self.select(x, &self.law.jump(), slid.lt(zero), [zero, zero], memory);
        ended.into_iter().zip(memory).map(|(ended, z)| N::select(ends, ended, *z)).collect()
    }
    /// Half-width of the set of forces at rest, from the centre of the forward law.
    fn hold(&self, x: &[N], memory: &[N]) -> N {
        let (zero, dir) = (N::lit(0.0), x[input::DIR]);
        let about_to_move = dir * N::lit(ONLY_A_SIGN);
        let ended = self.end_slide(x, about_to_move, memory);
        let centre = call(&self.law.force(), &self.inputs(x, Side::Forward, [zero, dir], memory))[0];
        let [forward, reverse] = [Side::Forward, Side::Reverse].map(|side| {
            let jumped = call(&self.law.jump(), &self.inputs(x, side, [about_to_move, dir], &ended));
            let at = self.inputs(x, side, [zero, dir], &jumped);
            call(&self.law.hold(), &at)[0] + dir * (call(&self.law.force(), &at)[0] - centre)
        });
        N::select(dir.lt(zero), reverse, forward)
    }
    /// All outputs of a recording.
    fn outputs(&self, x: &[N]) -> Vec<N> {
        let law = self.law;
        let memory = &x[input::MEMORY..input::MEMORY + law.states];
        let (v, dir) = (x[input::V], x[input::DIR]);
        let backward = v.lt(N::lit(0.0));
        let now = |part: &Program, memory: &[N]| self.select(x, part, backward, [v, dir], memory);
        let ended = self.end_slide(x, v, memory);
        let forward = |part: &Program| call(part, &self.inputs(x, Side::Forward, [v, dir], memory))[0];
        let mut out = now(&law.steady(), memory);
        out.extend(now(&law.force(), memory));
        out.push(self.hold(x, memory));
        out.extend(now(&law.band(), memory));
        // parameters differ between the directions, the meaning of the memory does not
        out.extend([forward(&law.slides()), forward(&law.extremum())]);
        out.extend(now(&law.sample(), &ended));
        out.extend(now(&law.rate(), memory));
        out.extend(now(&law.jump(), &ended));
        out.extend(now(&law.guards(), memory));
        out
    }
}
