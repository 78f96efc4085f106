//! A digital servo controller: quantised position, sampling, and a command with dead time, limit and zero-order hold.
use super::{ControllerInput, SampledController, Signal};
use stiction_core::Real;
use stiction_core::control::registry::{DynControl, DynLoop};
use stiction_core::control::{MotionSample, Signals};

/// A position encoder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encoder {
    /// Width of one count; 0: no quantisation.
    pub quantum: f64,
    /// Standard deviation of the noise before quantisation; uniformly distributed.
    pub noise: f64,
    /// Seed of the noise, a whole number.
    pub seed: f64,
}

impl Encoder {
    /// Its reading of position `x` at sample number `count`.
    pub fn read(&self, x: f64, count: u64) -> f64 {
        // a uniform distribution with standard deviation 1 extends to ±√3
        let noise = self.noise * 3.0_f64.sqrt() * (2.0 * f64::uniform(self.seed, count as f64) - 1.0);
        let x = x + noise;
        if self.quantum > 0.0 { (x / self.quantum).round() * self.quantum } else { x }
    }
}

/// The configuration of a [`Servo`].
pub struct ServoConfig {
    /// Estimator, controllers and limit.
    pub assembly: DynLoop,
    /// Reference position.
    pub reference: Signal,
    /// The position encoder.
    pub encoder: Encoder,
    /// Sample time \[s\].
    pub period: f64,
    /// Dead time from measurement to command, in samples. The controller does not compensate for it.
    pub delay: usize,
}

/// An [`DynLoop`] of controllers at sample times. It measures a position and a velocity; the velocity, and the acceleration
/// as its difference quotient, are used where the assembly has no estimator.
pub struct Servo {
    plan: ServoConfig,
}

impl Servo {
    /// A servo with this configuration.
    pub fn new(plan: ServoConfig) -> Self {
        Self { plan }
    }
}

impl SampledController for Servo {
    fn reference(&self) -> Option<&Signal> {
        Some(&self.plan.reference)
    }
    fn reference_mut(&mut self) -> Option<&mut Signal> {
        Some(&mut self.plan.reference)
    }
    /// How many samples it took, the last speed, the commands delayed by the dead time in a ring, and the memory of the assembly.
    fn memory(&self) -> usize {
        2 + self.plan.delay + self.plan.assembly.len()
    }
    fn sample(&self, memory: &mut [f64], now: &ControllerInput<'_>) -> f64 {
        let ServoConfig { assembly, reference, encoder, period, delay } = &self.plan;
        let [count, speed, rest @ ..] = memory else { return 0.0 };
        let (late, memory) = rest.split_at_mut(*delay);
        let [x, v] = [0, 1].map(|i| now.y.get(i).copied().unwrap_or(0.0));
        let a = if *count == 0.0 { 0.0 } else { (v - *speed) / period };
        let measured = MotionSample { x: encoder.read(x, *count as u64), v, a };
        let [x, reference_v, reference_a, _] = reference.eval(now.t, now.from);
        let reference = MotionSample { x, v: reference_v, a: reference_a };
        let command = assembly.step(memory, &Signals::new(reference, measured), *period);
        let place = (*count as usize).checked_rem(*delay).unwrap_or(0);
        (*speed, *count) = (v, *count + 1.0);
        match late.get_mut(place) {
            Some(oldest) => std::mem::replace(oldest, command),
            None => command,
        }
    }
}
