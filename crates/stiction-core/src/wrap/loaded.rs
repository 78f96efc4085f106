//! A normal load in its own unit.
use crate::{Friction, Input, Real, params};

params! {
    /// Load: turns what is measured (newtons, bar) into the load factor of a law.
    ///
    /// ```text
    /// load factor = base + slope x load(t)
    /// ```
    /// Proportional to a normal force N0: base 0, slope 1/N0. Nouri's seal, 3 % per bar: base 1, slope 0.03.
    pub struct Affine = "load";
    cite ["Nouri2004"];
    shows ["load dependence"];
    params {
        /// Load factor at zero load.
        base: "-" = 0.0 in -1e6..=1e6,
        /// Load factor per unit of load.
        slope: "1/load" = 1.0 in -1e9..=1e9,
    }
}

/// A law under a normal load given in its own unit: every force level scales with the load factor.
#[derive(Clone, Copy, Debug)]
pub struct Loaded<M, R> {
    /// The law.
    pub law: M,
    /// From load to load factor.
    pub map: Affine<R>,
}

impl<M, R: Real> Loaded<M, R> {
    #[inline(always)]
    fn inner(&self, u: &Input<R>) -> Input<R> {
        Input { load: self.map.base + self.map.slope * u.load, ..*u }
    }
}

impl<R: Real, M: Friction<R>> Friction<R> for Loaded<M, R> {
    type State = M::State;
    type Guards = M::Guards;
    type With<S: Real> = Loaded<M::With<S>, S>;
    const ODD: bool = M::ODD;
    const EXACT: bool = M::EXACT;

    #[inline(always)]
    fn cast<S: Real>(&self, mut f: impl FnMut(R) -> S) -> Self::With<S> {
        Loaded { law: self.law.cast(&mut f), map: self.map.map(&mut f) }
    }
    #[inline(always)]
    fn force(&self, z: &M::State, u: &Input<R>) -> R {
        self.law.force(z, &self.inner(u))
    }
    #[inline(always)]
    fn rate(&self, z: &M::State, u: &Input<R>) -> M::State {
        self.law.rate(z, &self.inner(u))
    }
    #[inline(always)]
    fn settles(&self) -> R::Mask {
        self.law.settles()
    }
    #[inline(always)]
    fn flows(i: usize) -> bool {
        M::flows(i)
    }
    #[inline(always)]
    fn settled(&self, u: &Input<R>) -> M::State {
        self.law.settled(&self.inner(u))
    }
    #[inline(always)]
    fn steady(&self, u: &Input<R>) -> R {
        self.law.steady(&self.inner(u))
    }
    #[inline(always)]
    fn step(&self, z: &M::State, u: &Input<R>, dt: R) -> M::State {
        self.law.step(z, &self.inner(u), dt)
    }
    #[inline(always)]
    fn sample(&self, z: &M::State, u: &Input<R>, dt: R) -> (M::State, R) {
        self.law.sample(z, &self.inner(u), dt)
    }
    #[inline(always)]
    fn hold(&self, z: &M::State, u: &Input<R>, dir: R) -> R {
        self.law.hold(z, &self.inner(u), dir)
    }
    #[inline(always)]
    fn band(&self, u: &Input<R>) -> R {
        self.law.band(&self.inner(u))
    }
    #[inline(always)]
    fn has_modes(&self) -> R::Mask {
        self.law.has_modes()
    }
    #[inline(always)]
    fn guards(&self, z: &M::State, u: &Input<R>) -> M::Guards {
        self.law.guards(z, &self.inner(u))
    }
    #[inline(always)]
    fn extremum(&self, z: &M::State) -> R {
        self.law.extremum(z)
    }
    #[inline(always)]
    fn slides(&self, z: &M::State) -> R {
        self.law.slides(z)
    }
    #[inline(always)]
    fn jump(&self, z: &M::State, u: &Input<R>) -> M::State {
        self.law.jump(z, &self.inner(u))
    }
}
