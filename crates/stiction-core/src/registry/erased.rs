//! A law of known type behind [`DynLaw`].
use super::{DynLaw, STATES_MAX, partials};
use crate::{Dual, Friction, Input, Law, ParamError, StateVector};
use alloc::boxed::Box;

/// A law with its type erased.
pub(super) struct Erased<M>(pub M);

/// Checks the values and makes the law.
pub(super) fn build<M: Law<f64>>(values: &[f64]) -> Result<Box<dyn DynLaw>, ParamError> {
    // two more for noise
    const { assert!(M::State::LEN + 2 <= STATES_MAX) };
    M::check(values)?;
    Ok(Box::new(Erased(M::from_slice(values))))
}

// over the length of the state, which the compiler knows
#[inline(always)]
fn load<S: StateVector<f64>>(z: &[f64]) -> S {
    let mut s = S::zero();
    for i in 0..S::LEN {
        s.set(i, z.get(i).copied().unwrap_or(0.0));
    }
    s
}
#[inline(always)]
fn store<S: StateVector<f64>>(s: &S, z: &mut [f64]) {
    for i in 0..S::LEN {
        if let Some(x) = z.get_mut(i) {
            *x = s.get(i);
        }
    }
}

impl<M: Friction<f64>> DynLaw for Erased<M> {
    fn len(&self) -> usize {
        M::State::LEN
    }
    fn is_linear(&self) -> bool {
        M::LINEAR
    }
    fn settles(&self) -> bool {
        self.0.settles()
    }
    fn guard_count(&self) -> usize {
        if self.0.has_modes() { M::Guards::LEN } else { 1 }
    }
    fn force(&self, z: &[f64], u: &Input<f64>) -> f64 {
        self.0.force(&load(z), u)
    }
    fn rate(&self, z: &[f64], u: &Input<f64>, out: &mut [f64]) {
        store(&self.0.rate(&load(z), u), out);
    }
    fn flows(&self, i: usize) -> bool {
        M::flows(i)
    }
    fn flow(&self, z: &[f64], u: &Input<f64>, rate: &mut [f64]) -> f64 {
        let (flow, force) = self.0.flow(&load(z), u);
        store(&flow, rate);
        force
    }
    fn partials(&self, z: &[f64], u: &Input<f64>, which: &[usize], by_load: bool, rows: &mut [f64]) {
        partials::partials(&self.0, z, u, which, by_load, rows);
    }
    fn settled(&self, u: &Input<f64>, out: &mut [f64]) {
        store(&self.0.settled(u), out);
    }
    fn steady(&self, u: &Input<f64>) -> f64 {
        self.0.steady(u)
    }
    fn step(&self, z: &mut [f64], u: &Input<f64>, dt: f64) {
        store(&self.0.step(&load(z), u, dt), z);
    }
    fn sample(&self, z: &mut [f64], u: &Input<f64>, dt: f64) -> f64 {
        let (next, force) = self.0.sample(&load(z), u, dt);
        store(&next, z);
        force
    }
    fn tangent(&self, z: &[f64], u: &Input<f64>, dt: f64) -> [f64; 2] {
        type One = Dual<f64, 1>;
        let (law, zd) = (self.0.cast(One::constant), load::<M::State>(z).map_into(One::constant));
        let ud = Input { v: One::var(u.v, 0), load: One::constant(u.load) };
        let force = law.sample(&zd, &ud, One::constant(dt)).1;
        [force.re, force.eps[0]]
    }
    fn hold(&self, z: &[f64], u: &Input<f64>, dir: f64) -> f64 {
        self.0.hold(&load(z), u, dir)
    }
    fn band(&self, u: &Input<f64>) -> f64 {
        self.0.band(u)
    }
    fn guards(&self, z: &[f64], u: &Input<f64>, out: &mut [f64]) {
        store(&self.0.guards(&load(z), u), out);
    }
    fn extremum(&self, z: &[f64]) -> f64 {
        self.0.extremum(&load(z))
    }
    fn slides(&self, z: &[f64]) -> f64 {
        self.0.slides(&load(z))
    }
    fn jump(&self, z: &mut [f64], u: &Input<f64>) {
        store(&self.0.jump(&load(z), u), z);
    }
    fn jump_along(&self, z: &[f64], dz: &mut [f64], u: &Input<f64>, du: &Input<f64>, by: &[f64]) {
        partials::jump_along(&self.0, z, dz, (u, du), by);
    }
    fn flow_by_parameters(&self, z: &[f64], u: &Input<f64>, by: &[f64], rate: &mut [f64]) -> f64 {
        partials::flow_by_parameters(&self.0, z, u, by, rate)
    }
    fn parameters(&self, out: &mut [f64]) -> usize {
        let mut count = 0;
        self.0.cast(|x| {
            if let Some(to) = out.get_mut(count) {
                *to = x;
            }
            count += 1;
            x
        });
        count
    }
}
