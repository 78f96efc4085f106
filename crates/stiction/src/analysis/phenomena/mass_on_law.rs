//! A mass on the contact, sized to the law: with an applied force, pulled by a spring, or held by a servo.
use crate::analysis::characteristic_scales::CharacteristicScales;
use crate::analysis::test_rig::{BODY, CONTACT, PUSH, TestRig, not_interrupted, rotates};
use crate::sim::{NullObserver, Probe, Simulation, SimulationOptions, StopFlag};
use crate::system::{
    Actuation, Body, Contact, Controller, Feedback, GROUND, Measurement, Node, Signal, Spring, System,
};
use crate::{Error, Spec};

/// A law with its characteristic scales and a mass.
pub struct MassOnLaw<'a> {
    /// The law.
    pub spec: &'a Spec,
    /// Its scales.
    pub scales: &'a CharacteristicScales,
    /// Mass on it \[kg\].
    pub mass: f64,
    /// Ends its runs when it is raised.
    pub stop: &'a StopFlag,
}

/// Maximum number of steps of an experiment.
pub const MAX_STEPS: u64 = 250_000;

/// Position of the mass.
pub fn position() -> String {
    format!("{BODY}.x")
}
/// Velocity of the mass.
pub fn velocity() -> String {
    format!("{BODY}.v")
}

impl<'a> MassOnLaw<'a> {
    /// A law with the mass that its scales suggest.
    pub fn new(spec: &'a Spec, scales: &'a CharacteristicScales, stop: &'a StopFlag) -> Self {
        Self { spec, scales, mass: scales.mass(), stop }
    }
    /// The law alone, with a prescribed motion.
    pub fn rig(&self) -> TestRig {
        TestRig::new(self.spec).with_stop(self.stop)
    }
    /// The same with a multiple of the mass.
    pub fn heavier(&self, times: f64) -> Self {
        Self { mass: times * self.mass, ..*self }
    }
    fn system(&self) -> Result<(System, Node), Error> {
        let mut system = System::new();
        let body = Body { mass: self.mass, rotates: rotates(self.spec), ..Body::default() };
        let body = system.body(BODY, body)?;
        system.contact(CONTACT, body, GROUND, Contact::new(self.spec)?)?;
        Ok((system, body))
    }
    /// The values of the probes after a run until `end`.
    fn measure(&self, system: &System, end: f64, probes: Vec<Probe>) -> Result<Vec<f64>, Error> {
        let atol = self.scales.atol();
        let options = SimulationOptions {
            end,
            sample: end,
            rtol: 1e-7,
            atol,
            max_steps: MAX_STEPS,
            probes,
            stop: self.stop.clone(),
            ..SimulationOptions::default()
        };
        let summary = Simulation::new(system)?.run(&options, &mut NullObserver)?;
        not_interrupted(self.stop)?;
        Ok(summary.probes.into_iter().map(|answer| answer.unwrap_or(f64::NAN)).collect())
    }
    /// The mass pushed by a force: its position at the given times. A damper, critical for the presliding spring, prevents
    /// oscillations; it carries no static force.
    ///
    /// # Errors
    /// As [`Simulation::run`].
    pub fn pushed(&self, force: Signal, times: &[f64]) -> Result<Vec<f64>, Error> {
        let (mut system, body) = self.system()?;
        system.force(PUSH, body, force)?;
        let damping = 2.0 * (self.scales.stiffness.unwrap_or(0.0) * self.mass).sqrt();
        if damping > 0.0 {
            system.spring("damper", body, GROUND, Spring::damper(damping))?;
        }
        let end = times.iter().fold(0.0_f64, |most, t| most.max(*t));
        self.measure(&system, end, times.iter().map(|t| Probe::At { column: position(), t: *t }).collect())
    }
    /// The mass pulled by a spring whose far end moves at `speed`; least and largest of a column in the last two thirds of
    /// the time.
    ///
    /// # Errors
    /// As [`Simulation::run`].
    pub fn pulled(&self, spring: Spring, speed: f64, end: f64) -> Result<[[f64; 2]; 2], Error> {
        let (mut system, body) = self.system()?;
        let ramp = Signal::Ramp { offset: 0.0, slope: speed, start: 0.0, end: f64::INFINITY };
        let hand = system.motion("hand", ramp, rotates(self.spec))?;
        system.spring("pull", hand, body, spring)?;
        self.swings(&system, &velocity(), end)
    }
    /// The mass held by a servo; least and largest of its position in the last two thirds of the time.
    ///
    /// # Errors
    /// As [`Simulation::run`].
    pub fn under_servo(&self, gains: [f64; 3], step: f64, end: f64) -> Result<[[f64; 2]; 2], Error> {
        let (mut system, body) = self.system()?;
        let [kp, kv, ki] = gains;
        let (reference, extra) = (Signal::Constant(step), Signal::Constant(0.0));
        let servo = Feedback { gains: vec![kp, kv], ki, reference, extra, friction: None };
        let measures = vec![Measurement::Position(body), Measurement::Velocity(body)];
        system.control("servo", Controller::Continuous(Box::new(servo)), measures, Actuation::Force(body))?;
        self.swings(&system, &position(), end)
    }
    fn swings(&self, system: &System, column: &str, end: f64) -> Result<[[f64; 2]; 2], Error> {
        let window = |k: f64| (end * k / 3.0, end * (k + 1.0) / 3.0);
        let mut probes = Vec::new();
        for (from, to) in [window(1.0), window(2.0)] {
            let column = || column.to_owned();
            probes.push(Probe::Min { column: column(), from, to });
            probes.push(Probe::Max { column: column(), from, to });
        }
        let found = self.measure(system, end, probes)?;
        Ok([[found[0], found[1]], [found[2], found[3]]])
    }
}
