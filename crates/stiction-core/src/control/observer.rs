use super::feedforward::anticipate;
use super::stability::{Bristles, CREEP, Plant, positive_real, rubbing, slopes};
use super::{Control, FORCE_MAX, MOTION_MAX, Signals, Verdict, period, within};
use crate::{Friction, Input, Real, State, params};

params! {
    /// Friction observer: a bristle law run on the seen velocity, its bristles corrected by the tracking error.
    ///
    /// ```text
    /// dz/dt = law's own + b (kx (x_d - x) + kv (v_d - v)),   u = F(z, dz/dt, v)
    /// LuGre:  dz/dt = v - sigma0 |v|/g(v) z + ...,   b = 1
    /// ```
    /// While the body sticks, the error bends the modelled bristles until it lets go; in sliding they forget. With the
    /// exact law and a linear loop of characteristic m s^2 + H(s), error and observer vanish if
    /// (sigma1 s + sigma0)(kv s + kx)/(m s^2 + H(s)) is strictly positive real. The bristles stay within what the law
    /// can hold, a projection that does not harm.
    pub struct Injection = "observer";
    cite ["CanudasDeWit1995", "AstromSlides", "Olsson1998"];
    shows ["friction compensation", "presliding displacement"];
    params {
        /// Injection of the position error.
        kx: "1/s" = 0.0 in 0.0..=1e6,
        /// Injection of the velocity error.
        kv: "-" = 0.0 in 0.0..=1e6,
        /// 1: the law runs on the wanted velocity, 0: on the seen one, and between.
        ahead: "-" = 0.0 in 0.0..=1.0,
        /// Mass with which the seen velocity is predicted half a sample ahead; 0: not at all.
        mass: "kg" = 0.0 in 0.0..=1e9,
    }
}

/// Any law as an [`observer`](Injection). Its memory is the law's.
#[derive(Clone, Copy, Debug)]
pub struct Observer<L: Friction<R>, R: Real> {
    law: L,
    gains: Injection<R>,
    /// How each number of the memory bends with displacement, and how the force damps that.
    bend: L::State,
    damping: L::State,
    /// What each number can be.
    low: L::State,
    high: L::State,
}

impl<R: Real, L: Friction<R>> Observer<L, R> {
    /// The observer of a law: asks it how its memory bends, by exact derivatives. A bristle is a number that moves with
    /// displacement, keeps its value at rest and has two different ends; all else is left to the law, and so is all of a
    /// random law.
    pub fn new(law: L, gains: Injection<R>) -> Self {
        let (zero, far) = (R::lit(0.0), R::lit(1e30));
        let rest = L::State::zero();
        let at = |v: f64| Input::at(R::lit(v));
        let (still, moving) = (law.rate(&rest, &at(0.0)), law.rate(&rest, &at(CREEP)));
        // the slowest sliding bends the bristles most
        let (back, forth) = (law.settled(&at(-1e-12)), law.settled(&at(1e-12)));
        let (mut bend, mut damping, mut low, mut high) = (rest, rest, rest, rest);
        for i in 0..L::State::LEN {
            low.set(i, -far);
            high.set(i, far);
            if !(L::SETTLES && L::flows(i)) {
                continue;
            }
            let b = (moving.get(i) - still.get(i)) / R::lit(CREEP);
            let fades = zero.lt(slopes(&law, i, zero)[1].abs());
            let (from, to) = (back.get(i).min(forth.get(i)), back.get(i).max(forth.get(i)));
            let bristle = zero.lt(b.abs()) & from.lt(to) & !fades;
            bend.set(i, R::select(bristle, b, zero));
            damping.set(i, R::select(bristle, rubbing(&law, i), zero));
            low.set(i, R::select(bristle, from, -far));
            high.set(i, R::select(bristle, to, far));
        }
        Self { law, gains, bend, damping, low, high }
    }
    /// The law within.
    pub fn law(&self) -> &L {
        &self.law
    }
}

impl<R: Real, L: Friction<R>> Control<R> for Observer<L, R> {
    type State = L::State;
    type With<S: Real> = Observer<L::With<S>, S>;
    #[inline(always)]
    fn cast<S: Real>(&self, mut f: impl FnMut(R) -> S) -> Self::With<S> {
        Observer {
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
        let (now, dt) = (now.sane(), period(dt));
        let push = (self.gains.kx * now.lag() + self.gains.kv * now.slow()).clip(R::lit(MOTION_MAX));
        let (mut z, mut damped) = (*w, R::lit(0.0));
        for i in 0..L::State::LEN {
            let bent = z.get(i) + dt * self.bend.get(i) * push;
            let kept = within(bent, self.low.get(i), self.high.get(i));
            damped = damped + self.damping.get(i) * (kept - z.get(i));
            z.set(i, kept);
        }
        let (z, force) = anticipate(&self.law, &z, &now, self.gains.ahead, self.gains.mass, dt);
        (z, (force + damped / dt).clip(R::lit(FORCE_MAX)))
    }
}

impl Injection<f64> {
    /// Whether the error model `(sigma1 s + sigma0)(kv s + kx)/(m s^2 + H(s))` is strictly positive real, for a base
    /// controller `H = gains[0]/s + gains[1] + gains[2] s` (integral, position, velocity) on `plant`. The margin is
    /// what is left of 90 degrees at the worst frequency \[rad\].
    pub fn stability(&self, law: &Bristles, plant: &Plant, gains: &[f64; 3]) -> [Verdict; 1] {
        let Bristles { stiffness, damping, .. } = *law;
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
