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
    Dual, Friction, Input, Law, Param, ParamError, Recipe, Relation, State, StateInfo,
    contact::{self, Body, Outcome},
    params::Params,
    wrap::{Affine, Asymmetric, Dressed, Loaded, Noise, Stochastic},
};
use alloc::boxed::Box;

mod partials;
mod track;

pub use track::{HELD, Track};

/// A law with its parameters and wrappers, types erased. Memory is a slice of [`Model::len`] numbers;
/// missing ones read as zero.
pub trait Model: Send + Sync {
    /// Numbers of memory.
    fn len(&self) -> usize;
    /// Whether the law has no memory.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// See [`Friction::LINEAR`].
    fn is_linear(&self) -> bool;
    /// Numbers of [`Model::guards`].
    fn guard_count(&self) -> usize;
    /// See [`Friction::force`].
    fn force(&self, z: &[f64], u: &Input<f64>) -> f64;
    /// See [`Friction::rate`].
    fn rate(&self, z: &[f64], u: &Input<f64>, out: &mut [f64]);
    /// See [`Friction::flows`].
    fn flows(&self, i: usize) -> bool;
    /// Force and rate at once, for a law may share work between the two. Fills `rate` and returns the force.
    fn flow(&self, z: &[f64], u: &Input<f64>, rate: &mut [f64]) -> f64;
    /// Force and rates with their partial derivatives, exact by dual numbers.
    ///
    /// `rows` holds one row of `3 + which.len()` numbers for the force and one for the rate of each state in `which`:
    /// the value, its derivatives by `v` and by `load`, then by each state in `which`. The derivative by `load` is
    /// computed if `by_load`, else left as it is.
    fn partials(&self, z: &[f64], u: &Input<f64>, which: &[usize], by_load: bool, rows: &mut [f64]);
    /// See [`Friction::settled`].
    fn settled(&self, u: &Input<f64>, out: &mut [f64]);
    /// See [`Friction::steady`].
    fn steady(&self, u: &Input<f64>) -> f64;
    /// See [`Friction::step`]; in place.
    fn step(&self, z: &mut [f64], u: &Input<f64>, dt: f64);
    /// See [`Friction::sample`]: steps `z` in place and returns the force.
    fn sample(&self, z: &mut [f64], u: &Input<f64>, dt: f64) -> f64;
    /// The force of [`Model::sample`] and its derivative by the velocity, exact by dual numbers: what an implicit step of
    /// many bodies linearises. Leaves the memory as it is.
    fn tangent(&self, z: &[f64], u: &Input<f64>, dt: f64) -> [f64; 2];
    /// See [`contact::step`]: advances a body and `z`; returns velocity, force and whether the body is held.
    fn contact(&self, z: &mut [f64], u: &Input<f64>, body: &Body<f64>, dt: f64) -> Outcome<f64, ()>;
    /// See [`Friction::hold`].
    fn hold(&self, z: &[f64], u: &Input<f64>, dir: f64) -> f64;
    /// See [`Friction::band`].
    fn band(&self, u: &Input<f64>) -> f64;
    /// See [`Friction::guards`].
    fn guards(&self, z: &[f64], u: &Input<f64>, out: &mut [f64]);
    /// See [`Friction::jump`]; in place.
    fn jump(&self, z: &mut [f64], u: &Input<f64>);
}

/// A law, and how to differentiate it: a dressed law does so through the law within, whose code is there already.
struct Erased<M> {
    law: M,
    partials: Partials<M>,
}

/// [`Model::partials`] of a law.
type Partials<M> = fn(&M, &[f64], &Input<f64>, &[usize], bool, &mut [f64]);

// over the length of the state, which the compiler knows
#[inline(always)]
fn load<S: State<f64>>(z: &[f64]) -> S {
    let mut s = S::zero();
    for i in 0..S::LEN {
        s.set(i, z.get(i).copied().unwrap_or(0.0));
    }
    s
}
#[inline(always)]
fn store<S: State<f64>>(s: &S, z: &mut [f64]) {
    for i in 0..S::LEN {
        if let Some(x) = z.get_mut(i) {
            *x = s.get(i);
        }
    }
}

impl<M: Friction<f64> + Send + Sync> Model for Erased<M> {
    fn len(&self) -> usize {
        M::State::LEN
    }
    fn is_linear(&self) -> bool {
        M::LINEAR
    }
    fn guard_count(&self) -> usize {
        M::Guards::LEN
    }
    fn force(&self, z: &[f64], u: &Input<f64>) -> f64 {
        self.law.force(&load(z), u)
    }
    fn rate(&self, z: &[f64], u: &Input<f64>, out: &mut [f64]) {
        store(&self.law.rate(&load(z), u), out);
    }
    fn flows(&self, i: usize) -> bool {
        M::flows(i)
    }
    fn flow(&self, z: &[f64], u: &Input<f64>, rate: &mut [f64]) -> f64 {
        let (flow, force) = self.law.flow(&load(z), u);
        store(&flow, rate);
        force
    }
    fn partials(&self, z: &[f64], u: &Input<f64>, which: &[usize], by_load: bool, rows: &mut [f64]) {
        (self.partials)(&self.law, z, u, which, by_load, rows);
    }
    fn settled(&self, u: &Input<f64>, out: &mut [f64]) {
        store(&self.law.settled(u), out);
    }
    fn steady(&self, u: &Input<f64>) -> f64 {
        self.law.steady(u)
    }
    fn step(&self, z: &mut [f64], u: &Input<f64>, dt: f64) {
        store(&self.law.step(&load(z), u, dt), z);
    }
    fn sample(&self, z: &mut [f64], u: &Input<f64>, dt: f64) -> f64 {
        let (next, force) = self.law.sample(&load(z), u, dt);
        store(&next, z);
        force
    }
    fn tangent(&self, z: &[f64], u: &Input<f64>, dt: f64) -> [f64; 2] {
        type One = Dual<f64, 1>;
        let (law, zd) = (self.law.cast(One::constant), load::<M::State>(z).map_into(One::constant));
        let ud = Input { v: One::var(u.v, 0), load: One::constant(u.load) };
        let force = law.sample(&zd, &ud, One::constant(dt)).1;
        [force.re, force.eps[0]]
    }
    fn contact(&self, z: &mut [f64], u: &Input<f64>, body: &Body<f64>, dt: f64) -> Outcome<f64, ()> {
        let Outcome { v, force, stuck, memory } = contact::step(&self.law, &load(z), u, body, dt);
        store(&memory, z);
        Outcome { v, force, stuck, memory: () }
    }
    fn hold(&self, z: &[f64], u: &Input<f64>, dir: f64) -> f64 {
        self.law.hold(&load(z), u, dir)
    }
    fn band(&self, u: &Input<f64>) -> f64 {
        self.law.band(u)
    }
    fn guards(&self, z: &[f64], u: &Input<f64>, out: &mut [f64]) {
        store(&self.law.guards(&load(z), u), out);
    }
    fn jump(&self, z: &mut [f64], u: &Input<f64>) {
        store(&self.law.jump(&load(z), u), z);
    }
}

/// Values for the wrappers; `None` leaves one out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dress<'a> {
    /// Parameters of the law for `v < 0`.
    pub reverse: Option<&'a [f64]>,
    /// Parameters of [`Affine`].
    pub load: Option<&'a [f64]>,
    /// Parameters of [`Noise`].
    pub noise: Option<&'a [f64]>,
}

impl Dress<'_> {
    /// Whether there is no wrapper at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.reverse.is_none() && self.load.is_none() && self.noise.is_none()
    }
    /// The law in these wrappers, their values checked.
    pub(crate) fn around<M: Law<f64>>(&self, law: M) -> Result<Dressed<M, f64>, ParamError> {
        self.reverse.map_or(Ok(()), M::check)?;
        self.load.map_or(Ok(()), Affine::<f64>::check)?;
        self.noise.map_or(Ok(()), Noise::<f64>::check)?;
        Ok(Stochastic {
            law: Loaded {
                law: Asymmetric { forward: law, reverse: self.reverse.map_or(law, M::from_slice) },
                map: Affine::from_slice(self.load.unwrap_or(&[])),
            },
            noise: Noise::from_slice(self.noise.unwrap_or(&[])),
        })
    }
}

/// Everything a front end may know about a law.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Name.
    pub name: &'static str,
    /// Documentation: a summary line, then equations and remarks.
    pub doc: &'static str,
    /// Keys into `docs/references.bib`.
    pub cite: &'static [&'static str],
    /// What the law is known to capture.
    pub shows: &'static [&'static str],
    /// Parameters.
    pub params: &'static [Param],
    /// Memory.
    pub states: &'static [StateInfo],
    /// Conditions between parameters.
    pub relations: &'static [Relation],
    /// Ways to compute parameters from other quantities.
    pub recipes: &'static [Recipe],
    /// Checks bounds and relations.
    pub check: fn(&[f64]) -> Result<(), ParamError>,
    build: Build,
    track: track::Run,
}

/// Checks the values and makes the law.
type Build = fn(&[f64], &Dress<'_>) -> Result<Box<dyn Model>, ParamError>;

impl core::fmt::Debug for Entry {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Entry").field(&self.name).finish()
    }
}

impl Entry {
    /// The entry of law `M`.
    pub const fn of<M: Law<f64>>() -> Self {
        Self { build: build::<M>, track: track::track::<M>, ..Self::describe::<M>() }
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
            check: P::check,
            build: |_, _| Err(ParamError::Count { expected: 0, given: 0 }),
            track: |_, _, _, _, _, _| Err(ParamError::Count { expected: 0, given: 0 }),
        }
    }
    /// The law with these parameters.
    ///
    /// # Errors
    /// A wrong count, a value out of bounds, or a relation that does not hold.
    pub fn build(&self, values: &[f64]) -> Result<Box<dyn Model>, ParamError> {
        (self.build)(values, &Dress::default())
    }
    /// The law with these parameters, in wrappers.
    ///
    /// # Errors
    /// As [`Entry::build`], for the law and for each wrapper.
    pub fn build_dressed(&self, values: &[f64], dress: &Dress<'_>) -> Result<Box<dyn Model>, ParamError> {
        (self.build)(values, dress)
    }
    /// The law's force along a measured motion, at the end of every sample, and its derivatives by parameters, exact by
    /// dual numbers.
    ///
    /// Parameters stand in the order: law, reverse law, map of the load. `slots` has for each the number of the derivative
    /// it belongs to, or [`HELD`]; several may share one, as a law's own and its reverse that follows it. `slopes` has one
    /// column of `track.dt.len()` numbers after another; if it is empty, none is computed. Noise is left out.
    ///
    /// # Errors
    /// As [`Entry::build_dressed`].
    pub fn track(
        &self,
        values: &[f64],
        dress: &Dress<'_>,
        track: &Track<'_>,
        slots: &[usize],
        force: &mut [f64],
        slopes: &mut [f64],
    ) -> Result<(), ParamError> {
        (self.track)(values, dress, track, slots, force, slopes)
    }
}

fn build<M: Law<f64>>(values: &[f64], dress: &Dress<'_>) -> Result<Box<dyn Model>, ParamError> {
    M::check(values)?;
    let law = M::from_slice(values);
    if dress.is_empty() {
        return Ok(Box::new(Erased { law, partials: partials::plain }));
    }
    Ok(Box::new(Erased { law: dress.around(law)?, partials: partials::dressed }))
}

/// The wrappers' own parameters, described like a law's. `reverse` has those of the law it wraps.
pub static WRAPPERS: &[Entry] = &[Entry::describe::<Affine<f64>>(), Entry::describe::<Noise<f64>>()];
