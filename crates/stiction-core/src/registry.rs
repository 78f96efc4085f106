//! Laws by name, with their types erased. Files, command line and bindings see laws only through this.
//!
//! ```
//! use stiction_core::{Input, models};
//!
//! let entry = models::find("viscous").unwrap();
//! let mut values: Vec<f64> = entry.params.iter().map(|p| p.default).collect();
//! values[0] = 0.4;
//! let law = entry.build(&values).unwrap();
//! assert_eq!((entry.params[0].name, law.steady(&Input::at(2.0))), ("fv", 0.8));
//! ```
use crate::{
    Input, Law, Param, ParamError, Recipe, Relation, StateInfo,
    contact::{self, ContactStep, SlidingBody},
    params::{Params, check},
    program::LawProgram,
    wrap::{Affine, Noise},
};
use alloc::boxed::Box;

mod erased;
mod motion;
mod partials;
mod program;
mod wrapped;

pub use motion::{MeasuredMotion, NO_DERIVATIVE};
pub(crate) use wrapped::DynWrapped;

/// A law with its parameters and wrappers, types erased. Memory is a slice of [`DynLaw::len`] numbers;
/// missing ones read as zero.
pub trait DynLaw: Send + Sync {
    /// Numbers of memory.
    fn len(&self) -> usize;
    /// Whether the law has no memory.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// See [`Friction::LINEAR`](crate::Friction::LINEAR).
    fn is_linear(&self) -> bool;
    /// See [`Friction::settles`](crate::Friction::settles).
    fn settles(&self) -> bool;
    /// Numbers of [`DynLaw::guards`].
    fn guard_count(&self) -> usize;
    /// See [`Friction::force`](crate::Friction::force).
    fn force(&self, z: &[f64], u: &Input<f64>) -> f64;
    /// See [`Friction::rate`](crate::Friction::rate).
    fn rate(&self, z: &[f64], u: &Input<f64>, out: &mut [f64]);
    /// See [`Friction::flows`](crate::Friction::flows).
    fn flows(&self, i: usize) -> bool;
    /// See [`Friction::flow`](crate::Friction::flow): fills `rate` and returns the force.
    fn flow(&self, z: &[f64], u: &Input<f64>, rate: &mut [f64]) -> f64;
    /// Force and rates with their partial derivatives, exact by dual numbers.
    ///
    /// `rows` holds one row of `3 + which.len()` numbers for the force and one for the rate of each state in `which`:
    /// the value, its derivatives by `v` and by `load`, then by each state in `which`. The derivative by `load` is
    /// computed if `by_load`, else left as it is.
    fn partials(&self, z: &[f64], u: &Input<f64>, which: &[usize], by_load: bool, rows: &mut [f64]);
    /// See [`Friction::settled`](crate::Friction::settled).
    fn settled(&self, u: &Input<f64>, out: &mut [f64]);
    /// See [`Friction::steady`](crate::Friction::steady).
    fn steady(&self, u: &Input<f64>) -> f64;
    /// See [`Friction::step`](crate::Friction::step); in place.
    fn step(&self, z: &mut [f64], u: &Input<f64>, dt: f64);
    /// See [`Friction::sample`](crate::Friction::sample): steps `z` in place and returns the force.
    fn sample(&self, z: &mut [f64], u: &Input<f64>, dt: f64) -> f64;
    /// The force of [`DynLaw::sample`] and its derivative by the velocity, exact by dual numbers: what an implicit step of
    /// many bodies linearises. Leaves the memory as it is.
    fn tangent(&self, z: &[f64], u: &Input<f64>, dt: f64) -> [f64; 2];
    /// See [`Friction::hold`](crate::Friction::hold).
    fn hold(&self, z: &[f64], u: &Input<f64>, dir: f64) -> f64;
    /// See [`Friction::band`](crate::Friction::band).
    fn band(&self, u: &Input<f64>) -> f64;
    /// See [`Friction::guards`](crate::Friction::guards).
    fn guards(&self, z: &[f64], u: &Input<f64>, out: &mut [f64]);
    /// See [`Friction::extremum`](crate::Friction::extremum).
    fn extremum(&self, z: &[f64]) -> f64;
    /// See [`Friction::slides`](crate::Friction::slides).
    fn slides(&self, z: &[f64]) -> f64;
    /// See [`Friction::jump`](crate::Friction::jump); in place.
    fn jump(&self, z: &mut [f64], u: &Input<f64>);
    /// The derivative of [`DynLaw::jump`], exact by dual numbers, along a change of everything: `dz` of the memory, replaced by
    /// that of the memory after the jump, `du` of the input, and `by` of the [`DynLaw::parameters`].
    fn jump_along(&self, z: &[f64], dz: &mut [f64], u: &Input<f64>, du: &Input<f64>, by: &[f64]);
    /// The derivative of [`DynLaw::flow`] along a change `by` of the [`DynLaw::parameters`], exact by dual numbers: fills `rate` with
    /// those of the rates and returns that of the force.
    fn flow_by_parameters(&self, z: &[f64], u: &Input<f64>, by: &[f64], rate: &mut [f64]) -> f64;
    /// Writes the parameters, those of wrappers included, and returns their number.
    fn parameters(&self, out: &mut [f64]) -> usize;
}

/// Most numbers of memory that a law in its wrappers has.
pub(crate) const STATES_MAX: usize = 64;

impl dyn DynLaw + '_ {
    /// See [`contact::step`]: advances a body and `z`; returns velocity, force and whether the body is held.
    ///
    /// Compiled once for all laws, which it calls through this trait.
    pub fn contact(&self, z: &mut [f64], u: &Input<f64>, body: &SlidingBody<f64>, dt: f64) -> ContactStep<f64, ()> {
        let mut rested = [0.0; STATES_MAX];
        rested.iter_mut().zip(&*z).for_each(|(to, x)| *to = *x);
        let rest = u.with_v(0.0);
        let middle = self.sample(&mut rested, &rest, dt);
        let hold = |dir: f64| self.hold(&rested, &rest, dir);
        let now = &*z;
        let slope = || {
            |v: f64| {
                let [force, slope] = self.tangent(now, &u.with_v(v), dt);
                (force, slope)
            }
        };
        let ContactStep { v, force, stuck, memory } = contact::solve(u, body, dt, middle, hold, self.band(u), slope);
        self.step(z, &u.with_v(v), dt);
        ContactStep { v, force, stuck, memory }
    }
}

/// Values of the wrappers; `None` leaves one out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wrappers<'a> {
    /// Parameters of the law for `v < 0`.
    pub reverse: Option<&'a [f64]>,
    /// Parameters of [`Affine`].
    pub load: Option<&'a [f64]>,
    /// Parameters of [`Noise`].
    pub noise: Option<&'a [f64]>,
}

impl Wrappers<'_> {
    /// Whether there is no wrapper at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.reverse.is_none() && self.load.is_none() && self.noise.is_none()
    }
}

/// A law as front ends see it: its tables, and how to build it.
#[derive(Clone, Copy)]
pub struct LawEntry {
    /// Name.
    pub name: &'static str,
    /// Documentation: a summary line, then equations and remarks.
    pub doc: &'static str,
    /// Keys into `docs/references.bib`.
    pub cite: &'static [&'static str],
    /// Effects that the law is known to reproduce.
    pub shows: &'static [&'static str],
    /// Parameters.
    pub params: &'static [Param],
    /// Memory.
    pub states: &'static [StateInfo],
    /// Conditions between parameters.
    pub relations: &'static [Relation],
    /// Ways to compute parameters from other quantities.
    pub recipes: &'static [Recipe],
    /// Parameters that a fit holds unless it is asked for them, where the law says so itself; none for a law in Rust.
    pub held: Option<&'static [&'static str]>,
    source: LawSource,
}

/// What makes the law of an entry.
#[derive(Clone, Copy)]
enum LawSource {
    /// A law written in Rust.
    Compiled { build: Build, slopes: motion::Slopes, signed_load: bool },
    /// A law of programs.
    Program(&'static LawProgram),
    /// The parameters of a wrapper, which is not a law.
    None,
}

/// The tables of a law that is not compiled into the program.
#[derive(Clone, Copy, Debug)]
pub struct LawTables {
    /// Name.
    pub name: &'static str,
    /// Documentation: a summary line, then equations and remarks.
    pub doc: &'static str,
    /// Where it was published.
    pub cite: &'static [&'static str],
    /// Parameters.
    pub params: &'static [Param],
    /// Memory.
    pub states: &'static [StateInfo],
    /// Conditions between parameters.
    pub relations: &'static [Relation],
    /// Parameters that a fit holds unless it is asked for them.
    pub held: &'static [&'static str],
}

/// Checks the values and makes the law.
type Build = fn(&[f64]) -> Result<Box<dyn DynLaw>, ParamError>;

/// The same law: of one name, and made of the same programs if it is made of programs.
impl PartialEq for LawEntry {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && match (self.program(), other.program()) {
                (Some(one), Some(other)) => core::ptr::eq(one, other),
                (None, None) => true,
                _ => false,
            }
    }
}

impl core::fmt::Debug for LawEntry {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("LawEntry").field(&self.name).finish()
    }
}

impl LawEntry {
    /// The entry of law `M`.
    pub const fn of<M: Law<f64>>() -> Self {
        let (build, slopes, signed_load) = (erased::build::<M>, motion::slopes::<M>, M::SIGNED_LOAD);
        let source = LawSource::Compiled { build, slopes, signed_load };
        Self { source, ..Self::describe::<M>() }
    }
    /// The entry of a law of programs.
    pub const fn of_program(tables: LawTables, program: &'static LawProgram) -> Self {
        let LawTables { name, doc, cite, params, states, relations, held } = tables;
        let source = LawSource::Program(program);
        let held = Some(held);
        Self { name, doc, cite, shows: &[], params, states, relations, recipes: &[], held, source }
    }
    /// Its programs, if it is a law of programs.
    pub fn program(&self) -> Option<&'static LawProgram> {
        if let LawSource::Program(program) = self.source { Some(program) } else { None }
    }
    /// Whether the load factor has a sign; otherwise a negative one counts as zero.
    pub fn signed_load(&self) -> bool {
        match self.source {
            LawSource::Compiled { signed_load, .. } => signed_load,
            LawSource::Program(program) => program.equations.signed_load,
            LawSource::None => false,
        }
    }
    /// Checks number, bounds and relations of these values.
    ///
    /// # Errors
    /// The first that is refused.
    pub fn check(&self, values: &[f64]) -> Result<(), ParamError> {
        check(self.params, self.relations, values)
    }
    /// The tables of a parameter struct that is not a law, such as a wrapper's.
    const fn describe<P: Params<f64>>() -> Self {
        Self {
            name: P::NAME,
            doc: P::DOC,
            cite: P::CITE,
            shows: P::SHOWS,
            params: P::PARAMS,
            states: P::STATES,
            relations: P::RELATIONS,
            recipes: P::RECIPES,
            held: None,
            source: LawSource::None,
        }
    }
    /// The law with these parameters.
    ///
    /// # Errors
    /// A wrong count, a value out of bounds, or a relation that does not hold.
    pub fn build(&self, values: &[f64]) -> Result<Box<dyn DynLaw>, ParamError> {
        match self.source {
            LawSource::Compiled { build, .. } => build(values),
            LawSource::Program(program) => {
                self.check(values)?;
                Ok(Box::new(program::Erased::new(program, values)))
            }
            LawSource::None => Err(ParamError::Count { expected: 0, given: values.len() }),
        }
    }
    /// The law with these parameters, in wrappers.
    ///
    /// # Errors
    /// As [`LawEntry::build`], for the law and for each wrapper.
    pub fn build_wrapped(&self, values: &[f64], wrappers: &Wrappers<'_>) -> Result<Box<dyn DynLaw>, ParamError> {
        if wrappers.is_empty() {
            return self.build(values);
        }
        Ok(Box::new(DynWrapped::new(self, values, wrappers, Some(Noise::from_slice(wrappers.noise.unwrap_or(&[]))))?))
    }
    /// The law's force along a measured motion, at the end of every sample, and its derivatives by parameters, exact by
    /// dual numbers.
    ///
    /// The order of parameters is: law, reverse law, map of the load. `slots` has for each the number of its derivative, or
    /// [`NO_DERIVATIVE`]; several may share one, such as a parameter of the law and the same of the reverse law. `slopes` has one
    /// column of `track.dt.len()` numbers after another; if it is empty, none is computed. Noise is left out.
    ///
    /// # Errors
    /// As [`LawEntry::build_wrapped`].
    pub fn force_along(
        &self,
        values: &[f64],
        wrappers: &Wrappers<'_>,
        track: &MeasuredMotion<'_>,
        slots: &[usize],
        force: &mut [f64],
        slopes: &mut [f64],
    ) -> Result<(), ParamError> {
        motion::track(self, values, wrappers, track, slots, force, slopes)
    }
}

/// The wrappers' own parameters, described like a law's. `reverse` has those of the law it wraps.
pub static WRAPPERS: &[LawEntry] = &[LawEntry::describe::<Affine<f64>>(), LawEntry::describe::<Noise<f64>>()];
