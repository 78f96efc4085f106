use super::{Control, ServoPlant, Signals, StabilityCheck, block, period, stability};
use crate::{Real, params};

params! {
    /// PID: proportional, integral and derivative of the position error.
    ///
    /// ```text
    /// u = kp e + I + D,   e = reference - measured
    /// dI/dt = ki e + (sat(u) - u)/windup
    /// filter dD/dt = kd d(kick reference - measured)/dt - D
    /// ```
    /// The integral follows the limit back (back-calculation), so it does not wind up. With kick = 0 a step of the
    /// reference does not jolt the derivative. Needs no velocity. Stable on a mass m with damping d if
    /// m s^3 + (d + kd) s^2 + kp s + ki has all roots on the left and filter, hold and delay leave phase margin.
    pub struct Pid = "pid";
    cite ["AstromHagglund1995"];
    shows ["no offset under a constant force", "no windup"];
    states { integral: "N", derivative: "N", last: "m", begun: "-" }
    params {
        /// Proportional gain.
        kp: "N/m" = 3.0 in 0.0..=1e9,
        /// Integral gain.
        ki: "N/(m·s)" = 4.0 in 0.0..=1e9,
        /// Derivative gain.
        kd: "N·s/m" = 6.0 in 0.0..=1e9,
        /// Time constant of the derivative's filter.
        filter: "s" = 1e-3 in 0.0..=1e3,
        /// Share of the reference in the derivative.
        kick: "-" = 0.0 in 0.0..=1.0,
        /// Time in which the integral follows the limit.
        windup: "s" = 0.1 in 1e-6..=1e6,
        /// Largest output.
        limit: "N" = 1e6 in 1e-9..=1e9,
    }
}

impl<R: Real> Control<R> for Pid<R> {
    block!(Pid, 4);

    #[inline(always)]
    fn step(&self, w: &[R; 4], now: &Signals<R>, dt: R) -> ([R; 4], R) {
        let ([integral, derivative, last, begun], now, dt) = (*w, now.clamped(), period(dt));
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let e = now.position_error();
        let y = self.kick * now.reference.x - now.measured.x;
        let change = R::select(zero.lt(begun), y - last, zero);
        // backward Euler: a filter shorter than the sample gives the plain difference
        let derivative = (self.filter * derivative + self.kd * change) / (self.filter + dt);
        let u = self.kp * e + integral + derivative;
        let out = u.clip(self.limit);
        let integral = grow(integral, self.ki, e, out - u, dt, self.windup).clip(self.limit);
        ([integral, derivative, y, one], out)
    }
}

/// One sample of an integral that follows the limit back: `excess` is what the limit took.
#[inline(always)]
pub(super) fn grow<R: Real>(integral: R, ki: R, e: R, excess: R, dt: R, windup: R) -> R {
    let zero = R::lit(0.0);
    // without an integral gain there is no integral to follow
    let back = R::select(zero.lt(ki), excess * (dt / windup).min(R::lit(1.0)), zero);
    integral + dt * ki * e + back
}

impl Pid<f64> {
    /// Whether the linear loop on `plant` is stable, first as written, then with filter, hold and delay.
    pub fn stability(&self, plant: &ServoPlant) -> [StabilityCheck; 2] {
        let d = plant.damping + self.kd;
        [
            stability::hurwitz("the closed loop has its roots on the left", &[self.ki, self.kp, d, plant.mass]),
            plant.phase_margin(&[self.ki, self.kp, self.kd], self.filter),
        ]
    }
}
