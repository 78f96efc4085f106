use super::{Estimator, FORCE_MAX, MOTION_MAX, MotionSample, StabilityCheck, block, period};
use crate::{Real, params};

params! {
    /// Kalman filter: position and velocity of a body with random acceleration, from a quantised, noisy position.
    ///
    /// ```text
    /// index = accel dt^2/sqrt(noise^2 + quantum^2/12)
    /// r = 4/(4 + index + sqrt(8 index + index^2)),   alpha = 1 - r^2,   beta = 2 (1 - r)^2
    /// x = x_p + alpha (measured - x_p),   v = v + beta/dt (measured - x_p),   x_p = x + v dt
    /// ```
    /// The stationary gains of the filter in closed form, for acceleration that is drawn anew each sample with this
    /// standard deviation. Rounding to a quantum counts as noise of quantum/sqrt 12. Always stable: alpha and beta lie
    /// within the triangle alpha > 0, beta > 0, 2 alpha + beta < 4.
    pub struct Kalman = "kalman";
    cite ["Kalata1984"];
    shows ["velocity from position"];
    states { x: "m", v: "m/s", a: "m/s²", begun: "-" }
    params {
        /// Standard deviation of the acceleration.
        accel: "m/s²" = 1.0 in 1e-9..=1e9,
        /// Width of one count of the encoder.
        quantum: "m" = 1e-4 in 0.0..=1e3,
        /// Standard deviation of the sensor's noise.
        noise: "m" = 1e-6 in 1e-12..=1e3,
    }
}

impl<R: Real> Kalman<R> {
    /// `[alpha, beta]` at this sample time.
    #[inline(always)]
    pub fn gains(&self, dt: R) -> [R; 2] {
        let one = R::lit(1.0);
        // by the larger of the two: the squares of both may be below the smallest f32
        let big = self.quantum.max(self.noise);
        let (q, n) = (self.quantum / big, self.noise / big);
        let deviation = big * (n * n + q * q * R::lit(1.0 / 12.0)).sqrt();
        let index = (self.accel * dt * dt / deviation).min(R::lit(1e12));
        let r = R::lit(4.0) / (R::lit(4.0) + index + (index * (R::lit(8.0) + index)).sqrt());
        [one - r * r, R::lit(2.0) * (one - r) * (one - r)]
    }
}

impl<R: Real> Estimator<R> for Kalman<R> {
    block!(Kalman, 4);

    #[inline(always)]
    fn step(&self, w: &[R; 4], x: R, dt: R) -> ([R; 4], MotionSample<R>) {
        let ([place, v, a, begun], x, dt) = (*w, x.clip(R::lit(MOTION_MAX)), period(dt));
        let place = R::select(R::lit(0.0).lt(begun), place, x);
        let [alpha, beta] = self.gains(dt);
        let guess = place + dt * v;
        let news = x - guess;
        let place = guess + alpha * news;
        let jump = beta * news / dt;
        let speed = (v + jump).clip(R::lit(MOTION_MAX));
        // the acceleration is no part of the model: the jumps of the velocity, as smooth as the position is
        let a = (a + alpha * (jump / dt - a)).clip(R::lit(FORCE_MAX));
        ([place, speed, a, R::lit(1.0)], MotionSample { x: place, v: speed, a })
    }
}

impl Kalman<f64> {
    /// Whether the gains at this sample time lie within the triangle of stability.
    pub fn stability(&self, dt: f64) -> [StabilityCheck; 1] {
        let [alpha, beta] = self.gains(dt);
        [StabilityCheck::new("gains within the triangle of stability", alpha.min(beta).min(4.0 - 2.0 * alpha - beta))]
    }
}
