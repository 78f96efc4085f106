//! Own parameters in each direction.
use crate::{Friction, Input, Real, StateVector};

/// A law with its own parameters in each direction of motion.
///
/// The memory is shared, so it is continuous through a reversal; the force is too, if the parameters that
/// turn memory into force (stiffness) are the same in both directions. At `v = 0` the forward law applies,
/// except in `hold`, which is given the direction of impending motion. A slide that ends or turns is ended by the law of its own
/// direction, which may turn the sliding force into memory; only then does the law of the other direction take over.
///
/// **The set at rest.** Where the two laws turn the memory into different forces, the force jumps across `v = 0` though each law
/// by itself is continuous there. With forces F− and F+ just below and just above rest, an applied force between F− < F+ can be
/// met neither by sliding backwards nor by sliding forwards: the body is at rest, and the set at rest must contain both limits.
/// It reaches from the lower end of the set of the reverse law to the upper end of that of the forward law,
///
/// ```text
/// hold(dir) = hold_dir + dir (force_dir(0) - force_forward(0))
/// ```
///
/// where the law of direction `dir` has the memory that it jumps to when it begins to move that way. Then force(0) - hold(-1) <= F−
/// and F+ <= force(0) + hold(+1): a force above the set moves the body forwards, one below it backwards, one within it holds it.
/// There is always a solution. If F− > F+, no set is needed, because every force moves the body to one side or the other; the set
/// may then be empty, and a `hold` negative.
#[derive(Clone, Copy, Debug)]
pub struct Asymmetric<M> {
    /// The law for `v ≥ 0`.
    pub forward: M,
    /// The law for `v < 0`.
    pub reverse: M,
}

impl<R: Real, M: Friction<R>> Friction<R> for Asymmetric<M> {
    type State = M::State;
    type Guards = M::Guards;
    type With<S: Real> = Asymmetric<M::With<S>>;
    const ODD: bool = false;
    const EXACT: bool = M::EXACT;

    #[inline(always)]
    fn cast<S: Real>(&self, mut f: impl FnMut(R) -> S) -> Self::With<S> {
        Asymmetric { forward: self.forward.cast(&mut f), reverse: self.reverse.cast(&mut f) }
    }
    #[inline(always)]
    fn force(&self, z: &M::State, u: &Input<R>) -> R {
        R::select(backward(u.v), self.reverse.force(z, u), self.forward.force(z, u))
    }
    #[inline(always)]
    fn rate(&self, z: &M::State, u: &Input<R>) -> M::State {
        StateVector::select(backward(u.v), &self.reverse.rate(z, u), &self.forward.rate(z, u))
    }
    #[inline(always)]
    fn settles(&self) -> R::Mask {
        self.forward.settles() & self.reverse.settles()
    }
    #[inline(always)]
    fn flows(i: usize) -> bool {
        M::flows(i)
    }
    #[inline(always)]
    fn settled(&self, u: &Input<R>) -> M::State {
        StateVector::select(backward(u.v), &self.reverse.settled(u), &self.forward.settled(u))
    }
    #[inline(always)]
    fn steady(&self, u: &Input<R>) -> R {
        R::select(backward(u.v), self.reverse.steady(u), self.forward.steady(u))
    }
    #[inline(always)]
    fn step(&self, z: &M::State, u: &Input<R>, dt: R) -> M::State {
        let z = &self.end_slide(z, u);
        StateVector::select(backward(u.v), &self.reverse.step(z, u, dt), &self.forward.step(z, u, dt))
    }
    #[inline(always)]
    fn sample(&self, z: &M::State, u: &Input<R>, dt: R) -> (M::State, R) {
        let z = &self.end_slide(z, u);
        let (f, r) = (self.forward.sample(z, u, dt), self.reverse.sample(z, u, dt));
        let back = backward(u.v);
        (StateVector::select(back, &r.0, &f.0), R::select(back, r.1, f.1))
    }
    #[inline(always)]
    fn hold(&self, z: &M::State, u: &Input<R>, dir: R) -> R {
        let rest = u.with_v(R::lit(0.0));
        let about_to_move = u.with_v(dir * R::lit(ONLY_A_SIGN));
        let centre = self.forward.force(z, &rest);
        let side = |law: &M| {
            let z = law.jump(&self.end_slide(z, &about_to_move), &about_to_move);
            law.hold(&z, &rest, dir) + dir * (law.force(&z, &rest) - centre)
        };
        R::select(backward(dir), side(&self.reverse), side(&self.forward))
    }
    #[inline(always)]
    fn band(&self, u: &Input<R>) -> R {
        R::select(backward(u.v), self.reverse.band(u), self.forward.band(u))
    }
    #[inline(always)]
    fn has_modes(&self) -> R::Mask {
        self.forward.has_modes() | self.reverse.has_modes()
    }
    #[inline(always)]
    fn guards(&self, z: &M::State, u: &Input<R>) -> M::Guards {
        StateVector::select(backward(u.v), &self.reverse.guards(z, u), &self.forward.guards(z, u))
    }
    // parameters differ between the directions, the meaning of the memory does not
    #[inline(always)]
    fn extremum(&self, z: &M::State) -> R {
        self.forward.extremum(z)
    }
    #[inline(always)]
    fn slides(&self, z: &M::State) -> R {
        self.forward.slides(z)
    }
    #[inline(always)]
    fn jump(&self, z: &M::State, u: &Input<R>) -> M::State {
        let z = &self.end_slide(z, u);
        StateVector::select(backward(u.v), &self.reverse.jump(z, u), &self.forward.jump(z, u))
    }
}

impl<M> Asymmetric<M> {
    /// The memory after the slide that it belongs to, if `u` does not continue that.
    #[inline(always)]
    pub(crate) fn end_slide<R: Real>(&self, z: &M::State, u: &Input<R>) -> M::State
    where
        M: Friction<R>,
    {
        let (zero, slid) = (R::lit(0.0), self.forward.slides(z));
        let ends = zero.lt(slid.abs()) & !zero.lt(slid * u.v.sign());
        let rest = u.with_v(zero);
        let ended = StateVector::select(backward(slid), &self.reverse.jump(z, &rest), &self.forward.jump(z, &rest));
        StateVector::select(ends, &ended, z)
    }
}

/// A speed [m/s] that carries only a sign: far below every speed of a law, and a normal number in single precision.
pub(crate) const ONLY_A_SIGN: f64 = 1e-30;

#[inline(always)]
fn backward<R: Real>(v: R) -> R::Mask {
    v.lt(R::lit(0.0))
}
