//! A mass on a law, advanced in fine steps between the samples of a controller.
use stiction_core::contact::{SlidingBody, step};
use stiction_core::control::{Control, MotionSample, Signals};
use stiction_core::{Friction, Input, Real, StateVector};

/// A body and its friction.
#[derive(Clone, Copy)]
pub struct Rig<L: Friction<f64>> {
    pub law: L,
    pub mass: f64,
    /// Steps of the body per sample.
    pub fine: u32,
    pub at: MotionSample<f64>,
    /// By Runge and Kutta's method.
    pub exact: bool,
    z: L::State,
}

/// A sensor: rounds to counts, and adds a uniform noise of this half-width before.
#[derive(Clone, Copy)]
pub struct Encoder {
    pub quantum: f64,
    pub noise: f64,
    pub seed: f64,
}

/// The reference at time t.
pub type ReferenceMotion<'a> = &'a dyn Fn(f64) -> MotionSample<f64>;

/// What was at one sample.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub t: f64,
    pub reference: MotionSample<f64>,
    pub at: MotionSample<f64>,
}
impl Sample {
    pub fn error(&self) -> f64 {
        self.reference.x - self.at.x
    }
}

impl<L: Friction<f64>> Rig<L> {
    pub fn new(law: L, mass: f64, fine: u32) -> Self {
        Self { law, mass, fine, at: MotionSample::rest(0.0), exact: false, z: L::State::zero() }
    }
    /// Bends the first bristle.
    pub fn bend(&mut self, z: f64) {
        self.z.set(0, z);
    }
    /// Pushes for `dt`, in second order: the memory by its own step, then velocity and force in the middle; by the
    /// implicit contact where the law is a set at rest.
    pub fn push(&mut self, applied: f64, dt: f64) {
        let h = dt / f64::from(self.fine);
        let set = self.law.hold(&self.z, &Input::at(0.0), 1.0) > 0.0;
        for _ in 0..self.fine {
            let v = self.at.v;
            let next = if set {
                let out = step(&self.law, &self.z, &Input::at(v), &SlidingBody { mass: self.mass, applied }, h);
                self.z = out.memory;
                out.v
            } else if self.exact {
                self.flow(applied, h)
            } else {
                let (z, force) = self.law.sample(&self.z, &Input::at(v), h);
                let middle = v + 0.5 * h * (applied - force) / self.mass;
                self.z = z;
                v + h * (applied - self.law.force(&z, &Input::at(middle))) / self.mass
            };
            self.at = MotionSample { x: self.at.x + 0.5 * h * (v + next), v: next, a: (next - v) / h };
        }
    }
    /// One step of Runge and Kutta's method: nothing in it is the controller's. Not for fast sliding, where bristles are
    /// stiff.
    fn flow(&mut self, applied: f64, h: f64) -> f64 {
        let (v, z) = (self.at.v, self.z);
        let rates = |dv: f64, k: &L::State, share: f64| {
            let mut bent = z;
            for i in 0..L::State::LEN {
                bent.set(i, z.get(i) + share * h * k.get(i));
            }
            let speed = v + share * h * dv;
            let (rate, force) = self.law.flow(&bent, &Input::at(speed));
            ((applied - force) / self.mass, rate)
        };
        let one = rates(0.0, &z, 0.0);
        let two = rates(one.0, &one.1, 0.5);
        let three = rates(two.0, &two.1, 0.5);
        let four = rates(three.0, &three.1, 1.0);
        let mean = |[a, b, c, d]: [f64; 4]| (a + 2.0 * b + 2.0 * c + d) / 6.0;
        for i in 0..L::State::LEN {
            let rates = [&one, &two, &three, &four].map(|k| k.1.get(i));
            self.z.set(i, z.get(i) + h * mean(rates));
        }
        v + h * mean([one.0, two.0, three.0, four.0])
    }
    /// Runs a controller that sees all of the motion. `watch` is shown every sample and the memory after it.
    pub fn run<C: Control<f64>>(
        &mut self,
        c: &C,
        reference: ReferenceMotion<'_>,
        samples: u32,
        dt: f64,
        watch: impl FnMut(&Sample, &C::State),
    ) {
        self.drive(c, reference, samples, dt, |at, _| at, watch);
    }
    /// Runs a controller that sees the encoder alone.
    pub fn run_encoded<C: Control<f64>>(
        &mut self,
        c: &C,
        reference: ReferenceMotion<'_>,
        samples: u32,
        dt: f64,
        encoder: Encoder,
        watch: impl FnMut(&Sample, &C::State),
    ) {
        let count = |at: MotionSample<f64>, k: u32| MotionSample::rest(encoder.read(at.x, k));
        self.drive(c, reference, samples, dt, count, watch);
    }
    fn drive<C: Control<f64>>(
        &mut self,
        c: &C,
        reference: ReferenceMotion<'_>,
        samples: u32,
        dt: f64,
        sense: impl Fn(MotionSample<f64>, u32) -> MotionSample<f64>,
        mut watch: impl FnMut(&Sample, &C::State),
    ) {
        let (mut w, mut applied) = (C::State::zero(), 0.0);
        for k in 0..samples {
            let t = f64::from(k) * dt;
            let now = Signals { applied, ..Signals::new(reference(t), sense(self.at, k)) };
            (w, applied) = c.step(&w, &now, dt);
            watch(&Sample { t, reference: now.reference, at: self.at }, &w);
            self.push(applied, dt);
        }
    }
}

impl Encoder {
    pub fn read(&self, x: f64, k: u32) -> f64 {
        let noisy = x + self.noise * (2.0 * f64::uniform(self.seed, f64::from(k)) - 1.0);
        if self.quantum > 0.0 { (noisy / self.quantum).round() * self.quantum } else { noisy }
    }
}

/// A sine of this amplitude and angular frequency.
pub fn sine(amplitude: f64, omega: f64) -> impl Fn(f64) -> MotionSample<f64> {
    move |t| {
        let (s, c) = (omega * t).sin_cos();
        MotionSample { x: amplitude * s, v: amplitude * omega * c, a: -amplitude * omega * omega * s }
    }
}

/// Root mean square, gathered.
#[derive(Clone, Copy, Default)]
pub struct Rms(f64, f64);
impl Rms {
    pub fn add(&mut self, x: f64) {
        (self.0, self.1) = (self.0 + x * x, self.1 + 1.0);
    }
    pub fn get(&self) -> f64 {
        (self.0 / self.1).sqrt()
    }
}
