use super::feedforward::anticipate;
use super::stability::{AtRest, Presliding, ServoPlant, damping, displacement_gain, positive_real};
use super::{Control, FORCE_MAX, MOTION_MAX, Signals, StabilityCheck, period, within};
use crate::{Friction, Real, StateVector, params};

params! {
    /// Friction observer: a bristle law driven by the measured velocity, its bristles corrected by the tracking error.
    ///
    /// ```text
    /// dz/dt = law's own + b (kx (x_d - x) + kv (v_d - v)),   u = F(z, dz/dt, v)
    /// LuGre:  dz/dt = v - sigma0 |v|/g(v) z + ...,   b = 1
    /// ```
    /// While the body sticks, the tracking error deflects the modelled bristles until break-away; in sliding the
    /// correction decays. With the exact law and a linear loop of characteristic m s^2 + H(s), error and observer vanish if
    /// (sigma1 s + sigma0)(kv s + kx)/(m s^2 + H(s)) is strictly positive real. Projection keeps the bristles within what
    /// the law can hold, which does not impair stability.
    pub struct ObserverGains = "observer";
    cite ["CanudasDeWit1995", "AstromSlides", "Olsson1998"];
    shows ["friction compensation", "presliding displacement"];
    params {
        /// Injection of the position error.
        kx: "1/s" = 0.0 in 0.0..=1e6,
        /// Injection of the velocity error.
        kv: "-" = 0.0 in 0.0..=1e6,
        /// 1: the law runs on the reference velocity, 0: on the measured one, and between.
        ahead: "-" = 0.0 in 0.0..=1.0,
        /// Mass with which the measured velocity is predicted half a sample ahead; 0: not at all.
        mass: "kg" = 0.0 in 0.0..=1e9,
    }
}

/// Any law as an [`observer`](ObserverGains). Its memory is the law's.
#[derive(Clone, Copy, Debug)]
pub struct FrictionObserver<L: Friction<R>, R: Real> {
    law: L,
    gains: ObserverGains<R>,
    /// How each number of the memory changes with displacement, and the damping force per rate.
    bend: L::State,
    damping: L::State,
    /// The limits of each number.
    low: L::State,
    high: L::State,
}

/// How an observer moves one number of a law's memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deflection<R> {
    /// How it changes with displacement, and the damping force per rate.
    pub bend: R,
    pub damping: R,
    /// Its limits.
    pub low: R,
    pub high: R,
}

impl<R: Real> Deflection<R> {
    /// Of number `i` of the memory of a law: see [`FrictionObserver::new`].
    pub fn of(law: &(impl AtRest<R> + ?Sized), i: usize) -> Self {
        let (zero, far) = (R::lit(0.0), R::lit(1e30));
        if !law.settles(i) {
            return Self { bend: zero, damping: zero, low: -far, high: far };
        }
        // the slowest sliding bends the bristles most
        let (back, forth) = (law.settled(i, -1e-12), law.settled(i, 1e-12));
        let b = displacement_gain(law, i);
        let fades = zero.lt(law.slopes(i, 0.0)[1].abs());
        let (from, to) = (back.min(forth), back.max(forth));
        let bristle = zero.lt(b.abs()) & from.lt(to) & !fades;
        Self {
            bend: R::select(bristle, b, zero),
            damping: R::select(bristle, damping(law, i), zero),
            low: R::select(bristle, from, -far),
            high: R::select(bristle, to, far),
        }
    }
    /// The number after a sample with this injection, and what the force gains by damping, times the sample time.
    #[inline(always)]
    pub fn moved(&self, z: R, push: R, dt: R) -> (R, R) {
        let kept = within(z + dt * self.bend * push, self.low, self.high);
        (kept, self.damping * (kept - z))
    }
}

impl<R: Real> ObserverGains<R> {
    /// The injection into the rate of a bristle.
    #[inline(always)]
    pub(super) fn push(&self, now: &Signals<R>) -> R {
        (self.kx * now.position_error() + self.kv * now.velocity_error()).clip(R::lit(MOTION_MAX))
    }
}

impl<R: Real, L: Friction<R>> FrictionObserver<L, R> {
    /// The observer of a law: finds by exact derivatives which numbers of its memory are bristle deflections. A deflection
    /// moves with displacement, keeps its value at rest and has different limits in the two directions. All other numbers,
    /// and those of a random law, are left to the law.
    pub fn new(law: L, gains: ObserverGains<R>) -> Self {
        let rest = L::State::zero();
        let (mut bend, mut damping, mut low, mut high) = (rest, rest, rest, rest);
        for i in 0..L::State::LEN {
            let one = Deflection::of(&law, i);
            bend.set(i, one.bend);
            damping.set(i, one.damping);
            low.set(i, one.low);
            high.set(i, one.high);
        }
        Self { law, gains, bend, damping, low, high }
    }
    /// The law within.
    pub fn law(&self) -> &L {
        &self.law
    }
}

impl<R: Real, L: Friction<R>> Control<R> for FrictionObserver<L, R> {
    type State = L::State;
    type With<S: Real> = FrictionObserver<L::With<S>, S>;
    #[inline(always)]
    fn cast<S: Real>(&self, mut f: impl FnMut(R) -> S) -> Self::With<S> {
        FrictionObserver {
            law: self.law.cast(&mut f),
            gains: self.gains.map(&mut f),
            bend: self.bend.map_into(&mut f),
            damping: self.damping.map_into(&mut f),
            low: self.low.map_into(&mut f),
            high: self.high.map_into(&mut f),
        }
    }
    #[inline(always)]
    fn step(&self, w: &L::State, now: &Signals<R>, dt: R) -> (L::State, R) {
        let (now, dt) = (now.clamped(), period(dt));
        let push = self.gains.push(&now);
        let (mut z, mut damped) = (*w, R::lit(0.0));
        for i in 0..L::State::LEN {
            let (bend, damping) = (self.bend.get(i), self.damping.get(i));
            let one = Deflection { bend, damping, low: self.low.get(i), high: self.high.get(i) };
            let (kept, more) = one.moved(z.get(i), push, dt);
            damped = damped + more;
            z.set(i, kept);
        }
        let ObserverGains { ahead, mass, .. } = self.gains;
        let (z, force) = anticipate(&now, ahead, mass, dt, |u| self.law.sample(&z, u, dt), |z, u| self.law.force(z, u));
        (z, (force + damped / dt).clip(R::lit(FORCE_MAX)))
    }
}

impl ObserverGains<f64> {
    /// Whether the error model `(sigma1 s + sigma0)(kv s + kx)/(m s^2 + H(s))` is strictly positive real, for a base
    /// controller `H = gains[0]/s + gains[1] + gains[2] s` (integral, position, velocity) on `plant`. The margin is
    /// what is left of 90 degrees at the worst frequency \[rad\].
    pub fn stability(&self, law: &Presliding, plant: &ServoPlant, gains: &[f64; 3]) -> [StabilityCheck; 1] {
        let Presliding { stiffness, damping, .. } = *law;
        let Self { kx, kv, .. } = *self;
        let [ki, kp, kd] = *gains;
        let num = [stiffness * kx, stiffness * kv + damping * kx, damping * kv];
        let kd = plant.damping + kd;
        let condition = if ki > 0.0 {
            // its phase begins at 90 degrees
            "(sigma1 s + sigma0)(kv s + kx)/(m s^2 + H(s)) positive real, not strictly because of the integral"
        } else {
            "(sigma1 s + sigma0)(kv s + kx)/(m s^2 + H(s)) strictly positive real"
        };
        // an integral multiplies both by s
        let (num, den) = if ki > 0.0 {
            ([0.0, num[0], num[1], num[2]], [ki, kp, kd, plant.mass])
        } else {
            ([num[0], num[1], num[2], 0.0], [kp, kd, plant.mass, 0.0])
        };
        [positive_real(condition, &num, &den)]
    }
}
