//! The task of a comparison: a servo, a model of its friction, and the reference motion.
use super::CompensationStudy;
use crate::analysis::characteristic_scales::CharacteristicScales;
use crate::scenario::{ControllerPart, ServoSettings, Template};
use crate::system::Signal;
use crate::{Error, Spec};
use stiction_core::Params;
use stiction_core::control::Kalman;
use stiction_core::control::stability::{Presliding, ServoConditions, ServoPlant};

/// The task that all methods have in common.
#[derive(Clone, Debug)]
pub struct ServoTask {
    /// The scenario, without measures and plots.
    pub template: Template,
    /// The servo.
    pub servo: ServoSettings,
    /// The friction model.
    pub model: Spec,
    /// Characteristic scales of the friction model.
    pub scales: CharacteristicScales,
    /// Mass or inertia; none if unknown.
    pub mass: Option<f64>,
    /// Start and end of the run \[s\].
    pub span: [f64; 2],
    /// Time from which errors are evaluated \[s\].
    pub from: f64,
    /// Settling band.
    pub band: f64,
    /// Operating conditions, for the stability conditions.
    pub setting: ServoConditions,
    /// Range of the reference, including the initial position.
    pub reference_range: f64,
    /// Whether the reference moves.
    pub reference_moves: bool,
    /// Whether the servo is a continuous controller that was discretised.
    pub continuous: bool,
    /// The end of the scenario, if the run was shortened \[s\].
    pub shortened_from: Option<f64>,
}

/// Instants at which the reference is sampled.
const REFERENCE_SAMPLES: u32 = 1000;
/// Maximum number of samples of a comparison; a longer run is shortened unless its end is given.
const MAX_SAMPLES: f64 = 1e5;
/// Default settling band as a share of the reference range.
const SETTLING_SHARE: f64 = 0.02;
/// Without an encoder, swings below this share of the reference range are ignored.
const RESOLUTION_SHARE: f64 = 1e-4;

impl ServoTask {
    /// Swings of the error up to this are ignored: one encoder count, or a small share of the reference range [m or rad].
    pub fn resolution(&self) -> f64 {
        if self.servo.quantum > 0.0 { self.servo.quantum } else { RESOLUTION_SHARE * self.reference_range }
    }
    /// The task of a scenario.
    ///
    /// # Errors
    /// Errors of the scenario; see [`Template::servo`].
    pub fn new(template: &Template, study: &CompensationStudy) -> Result<Self, Error> {
        let mut template = template.clone();
        template.remove_measures_and_plots();
        let name = study.controller.as_deref();
        let continuous = template.with_sampled_servo(name)?;
        let (mut template, name) = match &continuous {
            Some((other, name)) => (other.clone(), Some(name.as_str())),
            None => (template, name),
        };
        let servo = template.servo(name)?;
        let options = template.build()?.options;
        let enough = options.start + MAX_SAMPLES * servo.period;
        let end = study.end.unwrap_or(options.end.min(enough));
        let shortened_from = (study.end.is_none() && end < options.end).then_some(options.end);
        if end != options.end {
            template.number("run.end", end)?;
        }
        let span = [options.start, end];
        let model = match &study.model {
            Some(model) => model.clone(),
            None => friction(&servo, study.contact.as_deref())?,
        };
        let (scales, law) = (CharacteristicScales::measure(&model)?, model.presliding()?);
        let mass = study.mass.or(servo.mass);
        let seen = ReferenceExtent::sample(&servo.reference, span);
        let from = study.from.unwrap_or(0.5 * (span[0] + span[1]));
        let reference_range = seen.reach;
        let band = study.band.unwrap_or(servo.quantum.max(SETTLING_SHARE * reference_range));
        let lag = lag(&servo);
        let spread = (servo.noise.powi(2) + servo.quantum.powi(2) / 12.0).sqrt();
        let setting = ServoConditions {
            plant: ServoPlant {
                mass: mass.unwrap_or(1.0),
                damping: 0.0,
                period: servo.period,
                // at the frequencies of the loop a first-order lag acts as a delay by its time constant
                delay: servo.delay * servo.period + servo.lag,
            },
            gains: gains(&servo),
            law: Presliding { breakaway: law.breakaway.max(scales.peak), ..law },
            error: 0.0,
            quantum: servo.quantum,
            // over the averaging time of the estimator
            noise: if lag > 0.0 { spread / lag } else { 0.0 },
            speeds: [seen.slowest, seen.fastest],
            accel: seen.accel,
            lag,
        };
        let reference_moves = seen.fastest > 0.0;
        let continuous = continuous.is_some();
        Ok(Self {
            template,
            servo,
            model,
            scales,
            mass,
            span,
            from,
            band,
            setting,
            reference_range,
            reference_moves,
            continuous,
            shortened_from,
        })
    }
    /// The mass, or an error if it is unknown.
    pub(super) fn required_mass(&self) -> Result<f64, Error> {
        let key = "a body of its own under the controller";
        self.mass.ok_or(Error::MissingKey { name: String::new(), key, doc: "what mass is moved, with --mass NUMBER" })
    }
    /// Whether the reference velocity is constant during the evaluation: only then is an oscillation of the error hunting.
    pub fn is_steady(&self) -> bool {
        let end = self.span[1];
        let at = |k: u32| self.from + (end - self.from) * f64::from(k) / f64::from(REFERENCE_SAMPLES);
        let mut motions = (0..REFERENCE_SAMPLES).map(|k| self.servo.reference.eval(at(k), at(k)));
        let Some([_, speed, ..]) = motions.next() else { return true };
        motions.all(|[_, v, a, _]| a == 0.0 && (v - speed).abs() <= 1e-9 * speed.abs())
    }
}

/// The law of the contact to compensate.
fn friction(servo: &ServoSettings, name: Option<&str>) -> Result<Spec, Error> {
    let names = || servo.contacts.iter().map(|(name, _)| name.as_str());
    match (name, &servo.contacts[..]) {
        (Some(name), all) => {
            let found = all.iter().find(|(known, _)| known == name).map(|(_, spec)| spec.clone());
            found.ok_or_else(|| Error::UnknownName {
                what: "contact of the body",
                name: name.to_owned(),
                near: crate::similar_names::similar(name, names()).into_iter().map(str::to_owned).collect(),
                known: names().map(str::to_owned).collect(),
            })
        }
        (None, [(_, spec)]) => Ok(spec.clone()),
        (None, []) => {
            let (key, doc) =
                ("[contact.NAME] on the body", "the friction contact, or give a model with --model FILE.toml");
            Err(Error::MissingKey { name: String::new(), key, doc })
        }
        (None, _) => Err(Error::Conflict {
            key: "contact",
            why: "is there more than once: say which is compensated with --contact",
        }),
    }
}

/// Gains of the linear loop: integral, position, velocity.
fn gains(servo: &ServoSettings) -> [f64; 3] {
    let of = |names: [&str; 2]| {
        let linear = |p: &&ControllerPart| super::method::LOOP_PARTS.contains(&p.entry.name);
        servo.parts.iter().filter(linear).flat_map(|p| names.map(|n| p.get(n))).flatten().sum::<f64>()
    };
    [of(["ki", ""]), of(["kx", "kp"]), of(["kv", "kd"])]
}

/// Delay of the estimated velocity \[s\].
fn lag(servo: &ServoSettings) -> f64 {
    let of = |part: &ControllerPart| match part.entry.name {
        "difference" => Some(part.get("tau")? + 0.5 * servo.period),
        "tracker" => Some(part.get("smooth")? * servo.period),
        "kalman" => {
            // steady-state lag of the velocity at constant acceleration
            let [alpha, beta] = Kalman::<f64>::from_slice(&part.values).gains(servo.period);
            Some(servo.period * (alpha / beta - 0.5))
        }
        _ => None,
    };
    servo.parts.iter().find_map(of).unwrap_or(0.0)
}

/// Range, speeds and acceleration of a reference over a run.
struct ReferenceExtent {
    reach: f64,
    slowest: f64,
    fastest: f64,
    accel: f64,
}

impl ReferenceExtent {
    fn sample(signal: &Signal, [start, end]: [f64; 2]) -> Self {
        let at = |k: u32| start + (end - start) * f64::from(k) / f64::from(REFERENCE_SAMPLES);
        let (mut out, mut low, mut high) =
            (Self { reach: 0.0, slowest: 0.0, fastest: 0.0, accel: 0.0 }, 0.0_f64, 0.0_f64);
        let mut slowest = f64::INFINITY;
        for k in 0..=REFERENCE_SAMPLES {
            let [x, v, a, _] = signal.eval(at(k), at(k));
            (low, high) = (low.min(x), high.max(x));
            out.fastest = out.fastest.max(v.abs());
            out.accel = out.accel.max(a.abs());
            if v != 0.0 {
                slowest = slowest.min(v.abs());
            }
        }
        Self { reach: high - low, slowest: if slowest.is_finite() { slowest } else { 0.0 }, ..out }
    }
}
