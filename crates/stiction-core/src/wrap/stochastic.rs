//! Band-limited noise on top of a law.
#[cfg(feature = "alloc")]
use crate::Dual;
use crate::{Friction, Input, Real, StateVector, params};

params! {
    /// Noise: adds a band-limited random force of given standard deviation and typical frequency.
    ///
    /// ```text
    /// F = F_law + P(phase),   |P| <= |F_law|,   dphase/dt = (frequency + wave |v|)/0.292
    /// P = amplitude sum_k a_k h(phase - k - u_k),   h(t) ~ t (1 - t^2/4)^3 on |t| < 2, unit energy
    /// ```
    /// a_k (variance 1) and u_k in [0, 1) are pure functions of seed and k. One pulse at an even place in every
    /// cell makes the process stationary with spectrum |H|^2: no mean, no white noise, power falling with the
    /// eighth power of frequency. The typical frequency is the mean rate of upward zero crossings.
    /// wave > 0 ties the noise to distance, as asperities do; then it stands still with the body. Noise never exceeds
    /// the friction it is part of, |P| <= |F_law|, so it can neither drive a body nor move one at rest. It repeats
    /// after 4194304 cells.
    pub struct Noise = "noise";
    cite ["Andersson2007", "Rice1944"];
    shows ["randomness"];
    require { "seed is a whole number" |p| p.seed == libm::floor(p.seed) }
    params {
        /// Standard deviation A of the force.
        amplitude: "N" = 0.0 in 0.0..=1e9,
        /// Typical frequency f in time.
        frequency: "Hz" = 0.0 in 0.0..=1e9,
        /// Typical frequency in distance.
        wave: "1/m" = 0.0 in 0.0..=1e9,
        /// Seed, a whole number.
        seed: "-" = 1.0 in 0.0..=1e6,
    }
}

/// Half the length of a pulse, in cells.
const PULSE_HALF_LENGTH: usize = 2;
/// √(1/∫h²) for h(t) = τ(1−τ²)³ with τ = t/PULSE_HALF_LENGTH: ∫τ²(1−τ²)⁶dτ = 2048/45045 on [−1, 1].
const PULSE_NORM: f64 = 3.316_219_904_216_999;
/// Zero crossings per cell: √(∫h'²/∫h²)/2π = √13.5/(2π·PULSE_HALF_LENGTH) by Rice's formula.
const CROSSINGS: f64 = 0.292_386_300_462_628_54;
/// √12 and √3: a uniform number times one minus the other has mean 0 and variance 1.
const SQRT_12: f64 = 3.464_101_615_137_754_6;
const SQRT_3: f64 = 1.732_050_807_568_877_2;
/// Cells after which the noise repeats; small enough for exact counting in `f32`.
const PERIOD_CELLS: f64 = 4_194_304.0;

/// A law plus [`Noise`]. Its memory is the law's, then the cell number and the position within the cell.
#[derive(Clone, Copy, Debug)]
pub struct Stochastic<M, R> {
    /// The law.
    pub law: M,
    /// The noise.
    pub noise: Noise<R>,
}

impl<R: Real> Noise<R> {
    /// Cells per second at velocity `v`.
    #[inline(always)]
    pub(crate) fn pace(&self, v: R) -> R {
        (self.frequency + self.wave * v.abs()) * R::lit(1.0 / CROSSINGS)
    }
    /// Cell and position within it after one sample.
    #[inline(always)]
    pub(crate) fn advance(&self, [cell, within]: [R; 2], u: &Input<R>, dt: R) -> [R; 2] {
        let place = within + (self.pace(u.slip()) * dt).min(R::lit(PERIOD_CELLS));
        let ahead = place.floor();
        [wrap(cell + ahead), place - ahead]
    }
    /// The force at position `within` of cell number `cell`.
    #[inline(always)]
    pub fn force(&self, cell: R, within: R) -> R {
        let (one, ahead) = (R::lit(1.0), within.floor());
        let (cell, t) = (cell + ahead, within - ahead);
        let mut sum = R::lit(0.0);
        for k in 0..=2 * PULSE_HALF_LENGTH {
            let offset = R::lit(k as f64 - PULSE_HALF_LENGTH as f64);
            let number = wrap(cell + offset);
            let a = R::uniform(self.seed, number + number) * R::lit(SQRT_12) - R::lit(SQRT_3);
            let place = R::uniform(self.seed, number + number + one);
            let tau = ((t - offset - place) * R::lit(1.0 / PULSE_HALF_LENGTH as f64)).clip(one);
            let b = one - tau * tau;
            sum = sum + a * tau * (b * b * b);
        }
        self.amplitude * R::lit(PULSE_NORM) * sum
    }
}

/// The present noise and its derivatives.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slopes {
    /// Force.
    pub force: f64,
    /// Its derivative by the position within the cell.
    pub force_by_place: f64,
    /// Rate of that position.
    pub pace: f64,
    /// Its derivative by velocity.
    pub pace_by_v: f64,
}

#[cfg(feature = "alloc")]
impl Noise<f64> {
    /// Force and pace with their derivatives.
    pub(crate) fn slopes(&self, cell: f64, within: f64, v: f64) -> Slopes {
        type D = Dual<f64, 1>;
        let noise: Noise<D> = self.map(D::constant);
        let (force, pace) = (noise.force(D::constant(cell), D::var(within, 0)), noise.pace(D::var(v, 0)));
        Slopes { force: force.re, force_by_place: force.eps[0], pace: pace.re, pace_by_v: pace.eps[0] }
    }
}

/// The noise, limited to the friction force that it is part of.
#[inline(always)]
pub(crate) fn carried<R: Real>(noise: R, limit: R) -> R {
    noise.clip(limit.abs())
}

/// Half-width of the set of forces at rest with noise, from the force at rest and the half-width without it: both ends of the
/// set carry the noise that sliding with their force does.
#[inline(always)]
pub(crate) fn noisy_hold<R: Real>(noise: R, centre: R, hold: R, dir: R) -> R {
    hold + dir * (carried(noise, centre + dir * hold) - carried(noise, centre))
}

/// Guards of the limit of the noise: `F + clip(P, |F|)` has a kink where |P| reaches |F|, and one where F changes its sign, beyond which
/// the limited noise cancels the friction instead of doubling it. Both are negative where friction opposes motion and exceeds the noise.
/// A contact at rest has friction limits instead of a force.
#[inline(always)]
pub(crate) fn noise_guards<R: Real>(noise: R, limit: R, u: &Input<R>) -> [R; 2] {
    let rests = !R::lit(0.0).lt(u.v.abs());
    [noise.abs() - limit.abs(), -limit * u.v.sign()].map(|guard| R::select(rests, R::lit(-1.0), guard))
}

/// Cell numbers are periodic.
#[inline(always)]
fn wrap<R: Real>(cell: R) -> R {
    cell - R::lit(PERIOD_CELLS) * (cell * R::lit(1.0 / PERIOD_CELLS)).floor()
}

impl<R: Real, M: Friction<R>> Friction<R> for Stochastic<M, R> {
    type State = (M::State, [R; 2]);
    type Guards = (M::Guards, [R; 2]);
    type With<S: Real> = Stochastic<M::With<S>, S>;
    const ODD: bool = false;
    const EXACT: bool = M::EXACT;

    #[inline(always)]
    fn cast<S: Real>(&self, mut f: impl FnMut(R) -> S) -> Self::With<S> {
        Stochastic { law: self.law.cast(&mut f), noise: self.noise.map(&mut f) }
    }
    #[inline(always)]
    fn force(&self, z: &Self::State, u: &Input<R>) -> R {
        let [cell, within] = z.1;
        let law = self.law.force(&z.0, u);
        law + carried(self.noise.force(cell, within), law)
    }
    #[inline(always)]
    fn rate(&self, z: &Self::State, u: &Input<R>) -> Self::State {
        (self.law.rate(&z.0, u), [R::lit(0.0), self.noise.pace(u.slip())])
    }
    #[inline(always)]
    fn settles(&self) -> R::Mask {
        R::lit(0.0).lt(R::lit(0.0))
    }
    #[inline(always)]
    fn flows(i: usize) -> bool {
        // the position within the cell flows, the cell number jumps
        if i < M::State::LEN { M::flows(i) } else { i == M::State::LEN + 1 }
    }
    #[inline(always)]
    fn settled(&self, u: &Input<R>) -> Self::State {
        (self.law.settled(u), StateVector::zero())
    }
    // the steady curve is the law's own: the noise has no mean
    #[inline(always)]
    fn steady(&self, u: &Input<R>) -> R {
        self.law.steady(u)
    }
    #[inline(always)]
    fn step(&self, z: &Self::State, u: &Input<R>, dt: R) -> Self::State {
        (self.law.step(&z.0, u, dt), self.noise.advance(z.1, u, dt))
    }
    #[inline(always)]
    fn sample(&self, z: &Self::State, u: &Input<R>, dt: R) -> (Self::State, R) {
        let (law, force) = self.law.sample(&z.0, u, dt);
        let place = self.noise.advance(z.1, u, dt);
        ((law, place), force + carried(self.noise.force(place[0], place[1]), force))
    }
    #[inline(always)]
    fn hold(&self, z: &Self::State, u: &Input<R>, dir: R) -> R {
        let [cell, within] = z.1;
        let (centre, hold) = (self.law.force(&z.0, &u.with_v(R::lit(0.0))), self.law.hold(&z.0, u, dir));
        noisy_hold(self.noise.force(cell, within), centre, hold, dir)
    }
    #[inline(always)]
    fn band(&self, u: &Input<R>) -> R {
        self.law.band(u)
    }
    #[inline(always)]
    fn guards(&self, z: &Self::State, u: &Input<R>) -> Self::Guards {
        let [cell, within] = z.1;
        (self.law.guards(&z.0, u), noise_guards(self.noise.force(cell, within), self.law.force(&z.0, u), u))
    }
    #[inline(always)]
    fn extremum(&self, z: &Self::State) -> R {
        self.law.extremum(&z.0)
    }
    #[inline(always)]
    fn slides(&self, z: &Self::State) -> R {
        self.law.slides(&z.0)
    }
    #[inline(always)]
    fn jump(&self, z: &Self::State, u: &Input<R>) -> Self::State {
        // the flow only changes the position; here it is carried over into the cell number
        (self.law.jump(&z.0, u), self.noise.advance(z.1, u, R::lit(0.0)))
    }
}
