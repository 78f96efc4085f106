//! The task: a servo, its friction as far as a model knows it, and the motion that is asked for.
use super::Study;
use crate::analysis::scales::Scales;
use crate::scenario::{Piece, Servo, Template};
use crate::system::Signal;
use crate::{Error, Spec};
use stiction_core::Params;
use stiction_core::control::Kalman;
use stiction_core::control::stability::{Bristles, Plant, Setting};

/// What all methods are given.
#[derive(Clone, Debug)]
pub struct Task {
    /// The scenario, without measures and pictures.
    pub template: Template,
    /// Its servo.
    pub servo: Servo,
    /// The model of friction.
    pub model: Spec,
    /// Its scales.
    pub scales: Scales,
    /// Mass or inertia; none if it is not known.
    pub mass: Option<f64>,
    /// Beginning and end of the run \[s\].
    pub span: [f64; 2],
    /// From when on errors count \[s\].
    pub from: f64,
    /// Errors within this have settled.
    pub band: f64,
    /// What is asked of the servo, for conditions of stability.
    pub setting: Setting,
    /// How far the reference goes, from where the body begins.
    pub reach: f64,
    /// Whether the reference moves.
    pub moves: bool,
    /// The servo is a continuous one, put on a processor.
    pub continuous: bool,
    /// The end of the scenario, where only its beginning is run \[s\].
    pub cut: Option<f64>,
}

/// Instants at which the reference is looked at.
const LOOKS: u32 = 1000;
/// Samples that are enough for a comparison; a longer run is cut unless its end is asked for.
const SAMPLES: f64 = 1e5;
/// Share of the way within which an error has settled.
const BAND: f64 = 0.02;
/// Without an encoder, swings below this part of the way are none.
const SMALL: f64 = 1e-4;

impl Task {
    /// Swings of the error up to this are none: a count of the encoder, or what stands for it without one [m or rad].
    pub fn count(&self) -> f64 {
        if self.servo.quantum > 0.0 { self.servo.quantum } else { SMALL * self.reach }
    }
    /// The task of a scenario.
    ///
    /// # Errors
    /// Whatever is wrong with the scenario, or missing in it; see [`Template::servo`].
    pub fn new(template: &Template, study: &Study) -> Result<Self, Error> {
        let mut template = template.clone();
        template.strip();
        let name = study.controller.as_deref();
        let continuous = template.on_a_processor(name)?;
        let (mut template, name) = match &continuous {
            Some((other, name)) => (other.clone(), Some(name.as_str())),
            None => (template, name),
        };
        let servo = template.servo(name)?;
        let options = template.build()?.options;
        let enough = options.start + SAMPLES * servo.period;
        let end = study.end.unwrap_or(options.end.min(enough));
        let cut = (study.end.is_none() && end < options.end).then_some(options.end);
        if end != options.end {
            template.number("run.end", end)?;
        }
        let span = [options.start, end];
        let model = match &study.model {
            Some(model) => model.clone(),
            None => friction(&servo, study.contact.as_deref())?,
        };
        let (scales, law) = (Scales::measure(&model)?, model.bristles()?);
        let mass = study.mass.or(servo.mass);
        let seen = Reference::look(&servo.reference, span);
        let from = study.from.unwrap_or(0.5 * (span[0] + span[1]));
        let reach = seen.reach;
        let band = study.band.unwrap_or(servo.quantum.max(BAND * reach));
        let lag = lag(&servo);
        let spread = (servo.noise.powi(2) + servo.quantum.powi(2) / 12.0).sqrt();
        let setting = Setting {
            plant: Plant {
                mass: mass.unwrap_or(1.0),
                damping: 0.0,
                period: servo.period,
                // a lag is late by its time constant wherever it matters
                delay: servo.delay * servo.period + servo.lag,
            },
            gains: gains(&servo),
            law: Bristles { breakaway: law.breakaway.max(scales.peak), ..law },
            error: 0.0,
            quantum: servo.quantum,
            // over the time in which the estimator looks
            noise: if lag > 0.0 { spread / lag } else { 0.0 },
            speeds: [seen.slowest, seen.fastest],
            accel: seen.accel,
            lag,
        };
        let moves = seen.fastest > 0.0;
        let continuous = continuous.is_some();
        Ok(Self { template, servo, model, scales, mass, span, from, band, setting, reach, moves, continuous, cut })
    }
    /// The mass, which some parts must know.
    pub(super) fn known_mass(&self) -> Result<f64, Error> {
        let key = "a body of its own under the controller";
        self.mass.ok_or(Error::Lacks { name: String::new(), key, doc: "what mass is moved, with --mass NUMBER" })
    }
    /// Whether the reference rests or goes steadily while errors count: only then is a swing to and fro hunting.
    pub fn is_steady(&self) -> bool {
        let end = self.span[1];
        let at = |k: u32| self.from + (end - self.from) * f64::from(k) / f64::from(LOOKS);
        let mut motions = (0..LOOKS).map(|k| self.servo.reference.eval(at(k), at(k)));
        let Some([_, speed, ..]) = motions.next() else { return true };
        motions.all(|[_, v, a, _]| a == 0.0 && (v - speed).abs() <= 1e-9 * speed.abs())
    }
}

/// The law of the contact that the servo works against.
fn friction(servo: &Servo, name: Option<&str>) -> Result<Spec, Error> {
    let names = || servo.contacts.iter().map(|(name, _)| name.as_str());
    match (name, &servo.contacts[..]) {
        (Some(name), all) => {
            let found = all.iter().find(|(known, _)| known == name).map(|(_, spec)| spec.clone());
            found.ok_or_else(|| Error::UnknownName {
                what: "contact of the body",
                name: name.to_owned(),
                near: crate::near::near(name, names()).into_iter().map(str::to_owned).collect(),
                known: names().map(str::to_owned).collect(),
            })
        }
        (None, [(_, spec)]) => Ok(spec.clone()),
        (None, []) => {
            let (key, doc) = ("[contact.NAME] on the body", "what rubs there, or give a model with --model FILE.toml");
            Err(Error::Lacks { name: String::new(), key, doc })
        }
        (None, _) => Err(Error::Clash {
            key: "contact",
            why: "is there more than once: say which is compensated with --contact",
        }),
    }
}

/// Gains of the linear loop: integral, position, velocity.
fn gains(servo: &Servo) -> [f64; 3] {
    let of = |names: [&str; 2]| {
        let linear = |p: &&Piece| super::method::LOOP.contains(&p.entry.name);
        servo.pieces.iter().filter(linear).flat_map(|p| names.map(|n| p.get(n))).flatten().sum::<f64>()
    };
    [of(["ki", ""]), of(["kx", "kp"]), of(["kv", "kd"])]
}

/// By how much the seen velocity is late \[s\].
fn lag(servo: &Servo) -> f64 {
    let of = |piece: &Piece| match piece.entry.name {
        "difference" => Some(piece.get("tau")? + 0.5 * servo.period),
        "tracker" => Some(piece.get("smooth")? * servo.period),
        "kalman" => {
            // where the acceleration is constant the velocity stays behind by this
            let [alpha, beta] = Kalman::<f64>::from_slice(&piece.values).gains(servo.period);
            Some(servo.period * (alpha / beta - 0.5))
        }
        _ => None,
    };
    servo.pieces.iter().find_map(of).unwrap_or(0.0)
}

/// What is seen of a reference over a run.
struct Reference {
    reach: f64,
    slowest: f64,
    fastest: f64,
    accel: f64,
}

impl Reference {
    fn look(signal: &Signal, [start, end]: [f64; 2]) -> Self {
        let at = |k: u32| start + (end - start) * f64::from(k) / f64::from(LOOKS);
        let (mut out, mut low, mut high) =
            (Self { reach: 0.0, slowest: 0.0, fastest: 0.0, accel: 0.0 }, 0.0_f64, 0.0_f64);
        let mut slowest = f64::INFINITY;
        for k in 0..=LOOKS {
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
