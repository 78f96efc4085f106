//! Whether a loop is stable, for given numbers: the parts of the function `stability` of every controller.
//!
//! A [`StabilityCheck`] has a condition, whether it holds, and its margin. Work is bounded: frequencies are swept over
//! fifteen decades, roots are counted by Hurwitz' determinants.
use crate::{Dual, Friction, Input, Real, StateVector, models::LuGre};
use core::f64::consts::{FRAC_PI_2, PI};

/// A condition and its margin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StabilityCheck {
    /// The condition, in words.
    pub condition: &'static str,
    /// Whether it holds.
    pub holds: bool,
    /// The distance from violating it; negative where it does not hold.
    pub margin: f64,
}
impl StabilityCheck {
    /// A condition that holds where `margin` is positive.
    pub fn new(condition: &'static str, margin: f64) -> Self {
        Self { condition, holds: margin > 0.0, margin }
    }
}

/// The controlled body, as a linear loop sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServoPlant {
    /// Mass or inertia [kg or kg·m²].
    pub mass: f64,
    /// Damping [N·s/m or N·m·s/rad].
    pub damping: f64,
    /// Sample time of the controller \[s\].
    pub period: f64,
    /// Time from the sample to the command \[s\].
    pub delay: f64,
}

/// Frequencies of a sweep, in rad/s: 1e-6 to 1e9.
const DECADES: f64 = 15.0;
const POINTS: u32 = 3840;

fn sweep() -> impl Iterator<Item = f64> {
    (0..=POINTS).map(|k| libm::exp10(DECADES * f64::from(k) / f64::from(POINTS) - 6.0))
}

impl ServoPlant {
    /// Phase margin \[rad\] of this mass under `ki/s + kp + kd s/(filter s + 1)`, with half a sample of hold and the delay:
    /// the smallest where the gain of the open loop crosses one.
    pub fn phase_margin(&self, gains: &[f64; 3], filter: f64) -> StabilityCheck {
        let [ki, kp, kd] = *gains;
        let late = 0.5 * self.period + self.delay;
        let open = |w: f64| {
            let filtered = 1.0 + (w * filter) * (w * filter);
            let re = kp + kd * w * w * filter / filtered;
            let im = kd * w / filtered - ki / w;
            let gain = libm::hypot(re, im) / (w * libm::hypot(self.mass * w, self.damping));
            let phase = libm::atan2(im, re) - FRAC_PI_2 - libm::atan2(self.mass * w, self.damping) - w * late;
            (gain, phase)
        };
        let (mut above, mut margin) = (true, f64::INFINITY);
        for (gain, phase) in sweep().map(open) {
            if above != (gain > 1.0) {
                above = gain > 1.0;
                margin = margin.min(PI + phase);
            }
        }
        StabilityCheck::new("phase margin with filter, hold and delay", margin)
    }
}

/// Whether `c0 + c1 s + c2 s² + c3 s³` has all roots on the left; the margin is how much `c0 c3` may still grow,
/// relative, or the smallest coefficient where the degree is lower. Roots at zero that come from gains of zero are left
/// out.
pub fn hurwitz(condition: &'static str, c: &[f64; 4]) -> StabilityCheck {
    let [c0, c1, c2, c3] = *c;
    let least = c1.min(c2);
    let margin = match (c0 == 0.0, c3 == 0.0) {
        // neither an integral nor a spring
        (true, _) if c1 == 0.0 => c2.min(c3),
        (true, true) => least,
        (true, false) => least.min(c3),
        (false, true) => least.min(c0),
        (false, false) if least.min(c0).min(c3) <= 0.0 => -1.0,
        (false, false) => c1 * c2 / (c0 * c3) - 1.0,
    };
    StabilityCheck::new(condition, margin)
}

/// Whether `num/den`, polynomials with the lowest power first, is strictly positive real: den with its roots on the left
/// and a phase within ±90° at every frequency. The margin is what is left of 90° at the worst one \[rad\].
pub fn positive_real(condition: &'static str, num: &[f64; 4], den: &[f64; 4]) -> StabilityCheck {
    let phase = |c: &[f64; 4], w: f64| {
        let [c0, c1, c2, c3] = *c;
        libm::atan2(c1 * w - c3 * w * w * w, c0 - c2 * w * w)
    };
    let mut margin = f64::INFINITY;
    for w in sweep() {
        let turn = libm::fabs(phase(num, w) - phase(den, w));
        let turn = if turn > PI { 2.0 * PI - turn } else { turn };
        margin = margin.min(FRAC_PI_2 - turn);
    }
    if !hurwitz(condition, den).holds {
        margin = margin.min(-FRAC_PI_2);
    }
    StabilityCheck::new(condition, margin)
}

/// The behaviour of any law in presliding: break-away, and the linear stiffness and damping at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Presliding {
    /// Force that sets a body in motion: what the law holds, or what slow sliding gives \[N\].
    pub breakaway: f64,
    /// Force per displacement [N/m].
    pub stiffness: f64,
    /// Force per rate of the bristles [N·s/m]; viscous friction is not part of it.
    pub damping: f64,
}

impl Presliding {
    /// Of a law: `stiffness = Σ ∂F/∂z ∂(dz/dt)/∂v`, both at rest.
    pub fn of<L: Friction<f64>>(law: &L) -> Self {
        Self::at_rest(law)
    }
    pub(super) fn at_rest(law: &(impl AtRest<f64> + ?Sized)) -> Self {
        let (mut stiffness, mut total_damping) = (0.0, 0.0);
        for i in 0..law.state_count() {
            let gain = displacement_gain(law, i);
            stiffness += law.slopes(i, 0.0)[0] * gain;
            total_damping += damping(law, i) * gain;
        }
        let hold = law.hold_at_rest(1.0).max(law.hold_at_rest(-1.0));
        let breakaway = [1e-12, -1e-12].iter().fold(hold, |most, v| most.max(law.steady_force(*v).abs()));
        Self { breakaway, stiffness, damping: total_damping }
    }
}

/// A servo and its task: everything that the stability of a controller depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServoConditions {
    /// What is controlled.
    pub plant: ServoPlant,
    /// Gains of the linear loop: integral, position, velocity.
    pub gains: [f64; 3],
    /// The friction.
    pub law: Presliding,
    /// How far the levels of a model may be off, relative.
    pub error: f64,
    /// Width of one count of the encoder \[m\].
    pub quantum: f64,
    /// Standard deviation of the noise in the tracking error that adaptation sees [m/s].
    pub noise: f64,
    /// Slowest and fastest speed of interest [m/s].
    pub speeds: [f64; 2],
    /// Largest acceleration [m/s²].
    pub accel: f64,
    /// Time constant of the velocity's filter \[s\].
    pub lag: f64,
}
impl ServoConditions {
    /// The bandwidth of the linear loop [rad/s], by its stiffness or its damping, whichever is faster.
    pub fn bandwidth(&self) -> f64 {
        let [_, kx, kv] = self.gains;
        libm::sqrt(kx / self.plant.mass).max(kv / self.plant.mass)
    }
}

/// A speed at which bristles already creep [m/s].
const CREEP_SPEED: f64 = 1e-4;

/// A law with zero memory, at nominal load: implemented for laws of known type, and for those whose type is erased.
pub(super) trait AtRest<R: Real> {
    /// Numbers of memory.
    fn state_count(&self) -> usize;
    /// Whether number `i` of the memory flows, and settles in steady sliding.
    fn settles(&self, i: usize) -> bool;
    /// The rate of number `i` of the memory at speed `v`.
    fn rate(&self, i: usize, v: f64) -> R;
    /// Number `i` of the memory after sliding for ever at speed `v`.
    fn settled(&self, i: usize, v: f64) -> R;
    /// Derivatives of force and rate by number `i` of the memory, at speed `v`.
    fn slopes(&self, i: usize, v: f64) -> [R; 2];
    /// See [`Friction::hold`].
    fn hold_at_rest(&self, dir: f64) -> R;
    /// See [`Friction::steady`].
    fn steady_force(&self, v: f64) -> R;
}

impl<R: Real, L: Friction<R>> AtRest<R> for L {
    fn state_count(&self) -> usize {
        L::State::LEN
    }
    fn settles(&self, i: usize) -> bool {
        R::all(Friction::settles(self)) && L::flows(i)
    }
    fn rate(&self, i: usize, v: f64) -> R {
        Friction::rate(self, &L::State::zero(), &Input::at(R::lit(v))).get(i)
    }
    fn settled(&self, i: usize, v: f64) -> R {
        Friction::settled(self, &Input::at(R::lit(v))).get(i)
    }
    fn slopes(&self, i: usize, v: f64) -> [R; 2] {
        type D<R> = Dual<R, 1>;
        let law = self.cast(D::constant);
        let mut z = <<L::With<D<R>> as Friction<D<R>>>::State as StateVector<D<R>>>::zero();
        z.set(i, D::var(R::lit(0.0), 0));
        let (rate, force) = law.flow(&z, &Input::at(D::lit(v)));
        [force.eps[0], rate.get(i).eps[0]]
    }
    fn hold_at_rest(&self, dir: f64) -> R {
        self.hold(&L::State::zero(), &Input::at(R::lit(0.0)), R::lit(dir))
    }
    fn steady_force(&self, v: f64) -> R {
        self.steady(&Input::at(R::lit(v)))
    }
}

/// How number `i` of the memory moves with displacement.
pub(super) fn displacement_gain<R: Real>(law: &(impl AtRest<R> + ?Sized), i: usize) -> R {
    (law.rate(i, CREEP_SPEED) - law.rate(i, 0.0)) / R::lit(CREEP_SPEED)
}

/// `∂F/∂(dz/dt)` of number `i` of the memory. With F = σ0 z + σ1 dz/dt, and dz/dt falling with z by α, ∂F/∂z is
/// σ0 − σ1 α: compared at rest, where α is 0, and at a creep.
pub(super) fn damping<R: Real>(law: &(impl AtRest<R> + ?Sized), i: usize) -> R {
    let ([f0, r0], [f1, r1]) = (law.slopes(i, 0.0), law.slopes(i, CREEP_SPEED));
    let fades = (r1 - r0).lt(R::lit(0.0));
    R::select(fades, (f1 - f0) / R::select(fades, r1 - r0, R::lit(1.0)), R::lit(0.0))
}

/// Whether LuGre with constant damping dissipates energy at every velocity: sigma2 above
/// sigma1 (fs - fc)/fc (CanudasDeWit1995). The margin is in N·s/m.
pub fn dissipative(law: &LuGre<f64>) -> StabilityCheck {
    let least = law.sigma1 * (law.fs - law.fc) / law.fc;
    StabilityCheck::new("sigma2 > sigma1 (fs - fc)/fc", law.sigma2 - least)
}
