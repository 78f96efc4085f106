use super::{Estimator, FORCE_MAX, MOTION_MAX, MotionSample, StabilityCheck, block, period};
use crate::{Real, params};

params! {
    /// Tracking differentiator: follows the position in the shortest time that a limit on the acceleration allows.
    ///
    /// ```text
    /// dx/dt = v,   dv/dt = fhan(x - measured, v, accel, smooth dt)
    /// ```
    /// fhan is the time-optimal control of a double integrator in discrete time: no overshoot, and no chatter, because
    /// within `smooth` samples of the goal it is linear. Noise is smoothed more with a larger `smooth`. Stable for
    /// smooth >= 1; to follow a motion, accel must be above its largest acceleration.
    pub struct TrackingDifferentiator = "tracker";
    cite ["Han2009"];
    shows ["velocity from position"];
    states { x: "m", v: "m/s", begun: "-" }
    params {
        /// Largest acceleration.
        accel: "m/s²" = 100.0 in 1e-9..=1e9,
        /// Samples over which it smooths.
        smooth: "-" = 10.0 in 1.0..=1e4,
    }
}

/// Han's time-optimal acceleration towards zero, of at most `r`, with a linear zone of `h` seconds.
#[inline(always)]
fn fhan<R: Real>(x: R, v: R, r: R, h: R) -> R {
    let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
    let d = r * h * h;
    let a0 = h * v;
    let y = x + a0;
    let far = (d * (d + R::lit(8.0) * y.abs())).sqrt();
    let bent = a0 + y.sign() * (far - d) * half;
    let a = R::select(y.abs().lt(d), a0 + y, bent);
    let linear = a / R::select(zero.lt(d), d, one);
    -(r * R::select(a.abs().lt(d), linear, a.sign()))
}

impl<R: Real> Estimator<R> for TrackingDifferentiator<R> {
    block!(TrackingDifferentiator, 3);

    #[inline(always)]
    fn step(&self, w: &[R; 3], x: R, dt: R) -> ([R; 3], MotionSample<R>) {
        let ([place, v, begun], x, dt) = (*w, x.clip(R::lit(MOTION_MAX)), period(dt));
        let place = R::select(R::lit(0.0).lt(begun), place, x);
        // half of it for f32: the square of accel·h² must stay in range
        let h = (self.smooth * dt).min(R::lit(1e4));
        let a = fhan(place - x, v, self.accel, h);
        let speed = (v + dt * a).clip(R::lit(MOTION_MAX));
        let place = (place + dt * v).clip(R::lit(MOTION_MAX));
        ([place, speed, R::lit(1.0)], MotionSample { x: place, v: speed, a: a.clip(R::lit(FORCE_MAX)) })
    }
}

impl TrackingDifferentiator<f64> {
    /// Whether it does not chatter, and whether it can follow a motion of this largest acceleration.
    pub fn stability(&self, accel: f64) -> [StabilityCheck; 2] {
        [
            StabilityCheck::new("it smooths over more than one sample", self.smooth - 1.0),
            StabilityCheck::new("it can accelerate as the body does", self.accel / accel - 1.0),
        ]
    }
}
