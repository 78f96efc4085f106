//! A digital servo controller: quantised position, sampling, and a command with dead time, limit and zero-order hold.
use super::{ControllerInput, SampledController, Signal};
use std::collections::VecDeque;
use std::sync::Arc;
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
    plan: Arc<ServoConfig>,
    memory: Vec<f64>,
    /// Commands delayed by the dead time.
    late: VecDeque<f64>,
    count: u64,
    speed: f64,
}

impl Servo {
    /// A servo in its initial state.
    pub fn new(plan: ServoConfig) -> Self {
        Self::begin(Arc::new(plan))
    }
    fn begin(plan: Arc<ServoConfig>) -> Self {
        let (memory, late) = (vec![0.0; plan.assembly.len()], VecDeque::from(vec![0.0; plan.delay]));
        Self { plan, memory, late, count: 0, speed: 0.0 }
    }
}

impl SampledController for Servo {
    fn fresh(&self) -> Box<dyn SampledController> {
        Box::new(Self::begin(self.plan.clone()))
    }
    fn sample(&mut self, now: &ControllerInput<'_>) -> f64 {
        let ServoConfig { assembly, reference, encoder, period, .. } = &*self.plan;
        let [x, v] = [0, 1].map(|i| now.y.get(i).copied().unwrap_or(0.0));
        let a = if self.count == 0 { 0.0 } else { (v - self.speed) / period };
        let measured = MotionSample { x: encoder.read(x, self.count), v, a };
        let [x, reference_v, reference_a, _] = reference.eval(now.t, now.from);
        let reference = MotionSample { x, v: reference_v, a: reference_a };
        let command = assembly.step(&mut self.memory, &Signals::new(reference, measured), *period);
        (self.speed, self.count) = (v, self.count + 1);
        self.late.push_back(command);
        self.late.pop_front().unwrap_or(command)
    }
}
