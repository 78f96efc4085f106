use super::stability::Presliding;
use super::{Control, ServoPlant, Signals, StabilityCheck, block, period};
use crate::{Real, params};

params! {
    /// Dither: a fast vibration that keeps the contact sliding, so that the average friction is smooth.
    ///
    /// ```text
    /// u = amplitude shape(phase),   dphase/dt = frequency
    /// shape 0: sine,  1: square,  2: pulses of width duty in the direction of the position error
    /// ```
    /// To free the contact the amplitude must exceed break-away. A mass m then shakes by amplitude/(m (2 pi f)^2), and a
    /// Coulomb level Fc becomes on average a damper of 2 Fc/(pi V) for speeds below V = amplitude/(2 pi f m). Open loop:
    /// stable if the frequency is above the loop's bandwidth and below half the sample rate. Pulses push only where there
    /// is an error beyond `dead`, as in a sticking valve.
    pub struct Dither = "dither";
    cite ["AstromSlides", "Armstrong1994", "Hagglund2002"];
    shows ["no sticking"];
    states { phase: "-" }
    require { "shape is 0, 1 or 2" |p| p.shape == 0.0 || p.shape == 1.0 || p.shape == 2.0 }
    params {
        /// Amplitude.
        amplitude: "N" = 2.0 in 0.0..=1e9,
        /// Frequency.
        frequency: "Hz" = 100.0 in 0.0..=1e6,
        /// 0: sine, 1: square, 2: pulses.
        shape: "-" = 0.0 in 0.0..=2.0,
        /// Width of a pulse, as a share of the period.
        duty: "-" = 0.2 in 0.0..=1.0,
        /// Position errors below this get no pulse.
        dead: "m" = 0.0 in 0.0..=1e6,
    }
}

/// `sin 2πp` for p in [0, 1): Taylor's polynomial on a quarter turn, to 6e-8.
#[inline(always)]
fn sine<R: Real>(p: R) -> R {
    let (quarter, half) = (R::lit(0.25), R::lit(0.5));
    // folded to [-1/4, 1/4]
    let q = R::select(p.lt(quarter), p, R::select(p.lt(R::lit(0.75)), half - p, p - R::lit(1.0)));
    let x = q * R::lit(core::f64::consts::TAU);
    let y = x * x;
    let mut sum = R::lit(0.0);
    for c in [-1.0 / 39_916_800.0, 1.0 / 362_880.0, -1.0 / 5040.0, 1.0 / 120.0, -1.0 / 6.0, 1.0] {
        sum = sum * y + R::lit(c);
    }
    x * sum
}

impl<R: Real> Control<R> for Dither<R> {
    block!(Dither, 1);

    #[inline(always)]
    fn step(&self, w: &[R; 1], now: &Signals<R>, dt: R) -> ([R; 1], R) {
        let (now, p, one) = (now.clamped(), w[0], R::lit(1.0));
        let square = R::select(p.lt(R::lit(0.5)), one, -one);
        let lag = now.position_error();
        let pulse = R::select(p.lt(self.duty) & self.dead.lt(lag.abs()), lag.sign(), R::lit(0.0));
        let wave = R::select(self.shape.lt(R::lit(1.0)), sine(p), R::select(self.shape.lt(R::lit(2.0)), square, pulse));
        let next = p + (self.frequency * period(dt)).min(R::lit(1e6));
        ([next - next.floor()], self.amplitude * wave)
    }
}

impl Dither<f64> {
    /// A sine for a law with this break-away, on this plant: a third above break-away, as fast as the sample time allows without aliasing
    /// (eight samples a period) but no faster than keeps the shake within `ripple`.
    pub fn for_law(law: &Presliding, plant: &ServoPlant, ripple: f64) -> Self {
        let amplitude = law.breakaway * (4.0 / 3.0);
        let gentle = libm::sqrt(amplitude / (plant.mass * ripple)) / core::f64::consts::TAU;
        let frequency = gentle.min(1.0 / (8.0 * plant.period));
        Self { amplitude, frequency, shape: 0.0, duty: 0.2, dead: 0.0 }
    }
    /// How far a free mass shakes \[m\].
    pub fn ripple(&self, mass: f64) -> f64 {
        let omega = core::f64::consts::TAU * self.frequency;
        self.amplitude / (mass * omega * omega)
    }
    /// Whether it frees a contact with this law, whether the processor can play it, and whether a loop of this `bandwidth`
    /// \[rad/s\] does not follow it (the margin is the ratio less three).
    pub fn stability(&self, law: &Presliding, plant: &ServoPlant, bandwidth: f64) -> [StabilityCheck; 3] {
        let omega = core::f64::consts::TAU * self.frequency;
        [
            StabilityCheck::new("amplitude above break-away", self.amplitude / law.breakaway - 1.0),
            StabilityCheck::new("four samples a period or more", 1.0 - 4.0 * self.frequency * plant.period),
            StabilityCheck::new("three times faster than the loop", omega / bandwidth - 3.0),
        ]
    }
}
