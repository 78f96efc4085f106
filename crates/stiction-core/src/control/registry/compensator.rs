//! Compensators around a law whose type is erased, so that they are compiled once per number, not once per law.
use super::erased::DynControl;
use crate::control::feedforward::anticipate;
use crate::control::observer::Deflection;
use crate::control::stability::AtRest;
use crate::control::{FORCE_MAX, FeedforwardGains, ObserverGains, Signals, period};
use crate::models::{self, LawVisitor};
use crate::program::ProgramLaw;
use crate::registry::{DynLaw, DynWrapped, LawEntry, STATES_MAX, Wrappers};
use crate::wrap::Affine;
use crate::{Dual, Friction, Input, Lanes, Law, ParamError, Params, Real, StateVector};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// A law over a number with its type erased: what a compensator needs of it.
pub trait CompensatorLaw<R: Real>: Send + Sync {
    /// Numbers of memory.
    fn len(&self) -> usize;
    /// Whether it has no memory.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// See [`Friction::sample`]; in place.
    fn sample(&self, z: &mut [R], u: &Input<R>, dt: R) -> R;
    /// See [`Friction::force`].
    fn force(&self, z: &[R], u: &Input<R>) -> R;
}

/// A number over which compensators are built.
pub trait CompensatorNumber: Real {
    /// The law of an entry in its wrappers, over this number. Noise is left out.
    ///
    /// # Errors
    /// Values that are refused.
    fn law(
        entry: &LawEntry,
        values: &[f64],
        wrappers: &Wrappers<'_>,
    ) -> Result<Box<dyn CompensatorLaw<Self>>, ParamError> {
        let forward = typed(entry, values)?;
        if wrappers.reverse.is_none() && wrappers.load.is_none() {
            return Ok(forward);
        }
        let reverse = typed(entry, wrappers.reverse.unwrap_or(values))?;
        wrappers.load.map_or(Ok(()), Affine::<f64>::check)?;
        let map = Affine::<f64>::from_slice(wrappers.load.unwrap_or(&[])).map(Self::lit);
        Ok(Box::new(Directional { forward, reverse, map }))
    }
}
impl CompensatorNumber for f64 {
    // the code of the registry's laws is there already
    fn law(
        entry: &LawEntry,
        values: &[f64],
        wrappers: &Wrappers<'_>,
    ) -> Result<Box<dyn CompensatorLaw<Self>>, ParamError> {
        Ok(Box::new(without_noise(entry, values, wrappers)?))
    }
}
impl CompensatorNumber for f32 {}
impl<R: Real, const N: usize> CompensatorNumber for Dual<R, N> {}
impl<const N: usize> CompensatorNumber for Lanes<N> {}

impl CompensatorLaw<f64> for Box<dyn DynLaw> {
    fn len(&self) -> usize {
        (**self).len()
    }
    fn sample(&self, z: &mut [f64], u: &Input<f64>, dt: f64) -> f64 {
        (**self).sample(z, u, dt)
    }
    fn force(&self, z: &[f64], u: &Input<f64>) -> f64 {
        (**self).force(z, u)
    }
}

/// The law of an entry in its wrappers but for the noise.
fn without_noise(entry: &LawEntry, values: &[f64], wrappers: &Wrappers<'_>) -> Result<Box<dyn DynLaw>, ParamError> {
    if wrappers.reverse.is_none() && wrappers.load.is_none() {
        return entry.build(values);
    }
    Ok(Box::new(DynWrapped::new(entry, values, wrappers, None)?))
}

/// The law of an entry over a number, its type known for a moment.
fn typed<R: Real>(entry: &LawEntry, values: &[f64]) -> Result<Box<dyn CompensatorLaw<R>>, ParamError> {
    entry.check(values)?;
    if let Some(program) = entry.program() {
        return Ok(Box::new(ProgramLaw::new(program, values.iter().map(|x| R::lit(*x)).collect())));
    }
    let mut find = Find { name: entry.name, values, found: None };
    models::for_each(&mut find);
    find.found.ok_or(ParamError::Count { expected: 0, given: values.len() })
}

/// The law of a name over a number.
struct Find<'a, R: Real> {
    name: &'a str,
    values: &'a [f64],
    found: Option<Box<dyn CompensatorLaw<R>>>,
}
impl<R: Real> LawVisitor for Find<'_, R> {
    fn visit<M: Law<f64>>(&mut self) {
        if M::NAME == self.name {
            self.found = Some(Box::new(Typed(M::from_slice(self.values).cast(R::lit))));
        }
    }
}

impl<R: Real> CompensatorLaw<R> for ProgramLaw<'static, R> {
    fn len(&self) -> usize {
        ProgramLaw::len(self)
    }
    fn sample(&self, z: &mut [R], u: &Input<R>, dt: R) -> R {
        let len = ProgramLaw::len(self).min(z.len());
        ProgramLaw::sample(self, &mut z[..len], u, dt)
    }
    fn force(&self, z: &[R], u: &Input<R>) -> R {
        ProgramLaw::force(self, z, u)
    }
}

/// A law of known type.
struct Typed<L>(L);
impl<R: Real, L: Friction<R>> CompensatorLaw<R> for Typed<L> {
    fn len(&self) -> usize {
        L::State::LEN
    }
    fn sample(&self, z: &mut [R], u: &Input<R>, dt: R) -> R {
        let (next, force) = self.0.sample(&load::<R, L>(z), u, dt);
        for (i, x) in z.iter_mut().enumerate().take(L::State::LEN) {
            *x = next.get(i);
        }
        force
    }
    fn force(&self, z: &[R], u: &Input<R>) -> R {
        self.0.force(&load::<R, L>(z), u)
    }
}

fn load<R: Real, L: Friction<R>>(z: &[R]) -> L::State {
    let mut s = L::State::zero();
    for (i, x) in z.iter().enumerate().take(L::State::LEN) {
        s.set(i, *x);
    }
    s
}

/// A law per direction of motion at its own load, as [`crate::wrap::Loaded`] around [`crate::wrap::Asymmetric`].
struct Directional<R: Real> {
    forward: Box<dyn CompensatorLaw<R>>,
    reverse: Box<dyn CompensatorLaw<R>>,
    map: Affine<R>,
}
impl<R: Real> Directional<R> {
    fn inner(&self, u: &Input<R>) -> Input<R> {
        Input { load: self.map.base + self.map.slope * u.load, ..*u }
    }
}
impl<R: Real> CompensatorLaw<R> for Directional<R> {
    fn len(&self) -> usize {
        self.forward.len()
    }
    fn sample(&self, z: &mut [R], u: &Input<R>, dt: R) -> R {
        let u = self.inner(u);
        let mut reversed = z.to_vec();
        let (forward, reverse) = (self.forward.sample(z, &u, dt), self.reverse.sample(&mut reversed, &u, dt));
        let back = u.v.lt(R::lit(0.0));
        for (x, other) in z.iter_mut().zip(reversed) {
            *x = R::select(back, other, *x);
        }
        R::select(back, reverse, forward)
    }
    fn force(&self, z: &[R], u: &Input<R>) -> R {
        let u = self.inner(u);
        let back = u.v.lt(R::lit(0.0));
        R::select(back, self.reverse.force(z, &u), self.forward.force(z, &u))
    }
}

/// [`crate::control::Feedforward`] with the type of its law erased.
pub(super) struct Feedforward<R: Real> {
    pub law: Box<dyn CompensatorLaw<R>>,
    pub gains: FeedforwardGains<R>,
}
impl<R: Real> DynControl<R> for Feedforward<R> {
    fn len(&self) -> usize {
        self.law.len()
    }
    fn step(&self, w: &mut [R], now: &Signals<R>, dt: R) -> R {
        let (now, dt) = (now.clamped(), period(dt));
        let FeedforwardGains { share, ahead, mass } = self.gains;
        share * force(&*self.law, w, &now, ahead, mass, dt)
    }
}

/// [`crate::control::FrictionObserver`] with the type of its law erased.
pub(super) struct FrictionObserver<R: Real> {
    pub law: Box<dyn CompensatorLaw<R>>,
    pub gains: ObserverGains<R>,
    pub deflections: Vec<Deflection<R>>,
}
impl<R: Real> DynControl<R> for FrictionObserver<R> {
    fn len(&self) -> usize {
        self.law.len()
    }
    fn step(&self, w: &mut [R], now: &Signals<R>, dt: R) -> R {
        let (now, dt) = (now.clamped(), period(dt));
        let push = self.gains.push(&now);
        let mut damped = R::lit(0.0);
        for (z, deflection) in w.iter_mut().zip(&self.deflections) {
            let (kept, more) = deflection.moved(*z, push, dt);
            damped = damped + more;
            *z = kept;
        }
        let force = force(&*self.law, w, &now, self.gains.ahead, self.gains.mass, dt);
        (force + damped / dt).clip(R::lit(FORCE_MAX))
    }
}

/// See [`anticipate`].
fn force<R: Real>(law: &dyn CompensatorLaw<R>, w: &mut [R], now: &Signals<R>, ahead: R, mass: R, dt: R) -> R {
    let sample = |u: &Input<R>| {
        let force = law.sample(w, u, dt);
        (w, force)
    };
    anticipate(now, ahead, mass, dt, sample, |w, u| law.force(w, u)).1
}

/// How an observer moves each number of the memory of a law in its wrappers. In f64, whatever it then runs in.
pub(super) fn deflections<R: Real>(
    entry: &LawEntry,
    values: &[f64],
    wrappers: &Wrappers<'_>,
) -> Result<Vec<Deflection<R>>, ParamError> {
    let law = without_noise(entry, values, wrappers)?;
    let lift = |Deflection { bend, damping, low, high }: Deflection<f64>| Deflection {
        bend: R::lit(bend),
        damping: R::lit(damping),
        low: R::lit(low),
        high: R::lit(high),
    };
    Ok((0..law.len()).map(|i| lift(Deflection::of(&*law, i))).collect())
}

impl AtRest<f64> for dyn DynLaw + '_ {
    fn state_count(&self) -> usize {
        self.len()
    }
    fn settles(&self, i: usize) -> bool {
        DynLaw::settles(self) && self.flows(i)
    }
    fn rate(&self, i: usize, v: f64) -> f64 {
        let mut out = [0.0; STATES_MAX];
        DynLaw::rate(self, &[], &Input::at(v), &mut out);
        out.get(i)
    }
    fn settled(&self, i: usize, v: f64) -> f64 {
        let mut out = [0.0; STATES_MAX];
        DynLaw::settled(self, &Input::at(v), &mut out);
        out.get(i)
    }
    fn slopes(&self, i: usize, v: f64) -> [f64; 2] {
        // value, by v, by load, by the state; of the force, then of the rate
        let mut rows = [0.0; 8];
        self.partials(&[], &Input::at(v), &[i], false, &mut rows);
        [rows[3], rows[7]]
    }
    fn hold_at_rest(&self, dir: f64) -> f64 {
        self.hold(&[], &Input::at(0.0), dir)
    }
    fn steady_force(&self, v: f64) -> f64 {
        self.steady(&Input::at(v))
    }
}
