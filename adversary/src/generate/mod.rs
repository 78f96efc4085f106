//! Random systems: shapes that friction is simulated in, with every law and component, at thresholds and at wild scales.
mod drives;
mod laws;
mod parts;
mod special;

pub use laws::NAMES;

use crate::model::{
    Body, Contact, ContactKind, Control, Drive, Force, Freewheel, Gear, Load, Model, Motion, Node, RunSettings, Signal,
    Spring, Stop,
};
use crate::random::Random;
use laws::{STICKING, Scales, draw};

/// A system and how to run it.
pub struct TestCase {
    pub model: Model,
    pub settings: RunSettings,
    /// The shape of the system, for the report.
    pub shape: &'static str,
}

type Shape = fn(&mut Builder);

/// All shapes, with their weights.
const SHAPES: [(&str, u32, Shape); 18] = [
    ("one body", 3, Builder::one_body),
    ("slowing down", 1, Builder::slowing_down),
    ("near the threshold", 4, Builder::near_threshold),
    ("belt", 2, Builder::belt),
    ("stack", 3, Builder::stack),
    ("chain", 2, Builder::chain),
    ("driven contact", 2, Builder::driven_contact),
    ("parallel contacts", 2, Builder::parallel),
    ("stops", 3, Builder::stops),
    ("collision", 2, Builder::collision),
    ("gears", 2, Builder::gears),
    ("wheel", 2, Builder::wheel),
    ("drive", 2, Builder::drive),
    ("load", 3, Builder::load),
    ("servo", 2, Builder::servo),
    ("pendulum", 1, Builder::pendulum),
    ("closed form", 2, Builder::closed_form),
    ("laboratory", 2, Builder::laboratory),
];

/// Names of all shapes.
pub fn shapes() -> impl Iterator<Item = &'static str> {
    SHAPES.iter().map(|(name, _, _)| *name)
}

/// What a case must have, if anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Restriction<'a> {
    pub law: Option<&'a str>,
    pub shape: Option<&'a str>,
}

/// Case `number` of the series with this seed.
pub fn case(seed: u64, number: u64, restriction: Restriction<'_>) -> TestCase {
    let mut random = Random::new(seed, number);
    let total: u32 = SHAPES.iter().map(|(_, weight, _)| weight).sum();
    let mut place = random.below(total as usize) as u32;
    let mut chosen = SHAPES[0];
    for shape in SHAPES {
        if place < shape.1 {
            chosen = shape;
            break;
        }
        place -= shape.1;
    }
    if let Some(wanted) = restriction.shape {
        chosen = SHAPES.into_iter().find(|(name, _, _)| *name == wanted).unwrap_or(chosen);
    }
    let law = restriction.law.and_then(|law| NAMES.into_iter().find(|name| *name == law));
    let mut builder = Builder::new(random, law);
    (chosen.2)(&mut builder);
    let random = &mut builder.random;
    let rtol = random.pick(&[1e-5, 1e-6, 1e-7, 1e-8, 1e-8, 1e-9, 1e-10]);
    let mut settings = RunSettings::with_rtol(rtol);
    // the absolute tolerance follows the size of the motion, where that is far from a metre
    if !(1e-3..1e3).contains(&builder.scales.length) || !(1e-3..1e3).contains(&builder.scales.speed()) {
        settings.atol = (1e-3 * rtol * builder.scales.length.min(builder.scales.speed())).clamp(1e-300, 1.0);
    }
    TestCase { model: builder.model, settings, shape: chosen.0 }
}

/// A model under construction.
struct Builder {
    random: Random,
    scales: Scales,
    model: Model,
    /// The law that the case is about.
    law: &'static str,
}

impl Builder {
    fn new(mut random: Random, law: Option<&'static str>) -> Self {
        let drawn = random.pick(&NAMES);
        let law = law.unwrap_or(drawn);
        let scales = if random.chance(0.25) {
            Scales { mass: random.decade(-6.0, 6.0), length: random.decade(-5.0, 2.0), time: random.decade(-3.0, 2.0) }
        } else {
            Scales { mass: random.decade(-1.0, 1.0), length: random.decade(-2.0, 0.5), time: random.decade(-1.0, 0.5) }
        };
        let end = scales.time * random.between(2.0, 12.0);
        Self { random, scales, model: Model::new(end), law }
    }
    /// A body of about the scale of masses; `equal`: exactly of it.
    fn body(&mut self, equal: bool) -> usize {
        let mass = self.scales.mass * if equal { 1.0 } else { self.random.decade(-1.0, 1.0) };
        let name = format!("b{}", self.model.bodies.len());
        self.model.bodies.push(Body { name, mass, rotates: false, x: 0.0, v: 0.0, pendulum: None });
        self.model.bodies.len() - 1
    }
    fn motion(&mut self, position: Signal) -> usize {
        let name = format!("m{}", self.model.motions.len());
        self.model.motions.push(Motion { name, position, rotates: false });
        self.model.motions.len() - 1
    }
    fn force(&mut self, on: usize, force: Signal) {
        let name = format!("f{}", self.model.forces.len());
        self.model.forces.push(Force { name, on, force });
    }
    fn spring(&mut self, ends: [Node; 2], stiffness: f64) -> usize {
        let name = format!("s{}", self.model.springs.len());
        let damping = if self.random.chance(0.3) { 0.2 * self.scales.damping() * self.random.unit() } else { 0.0 };
        self.model.springs.push(Spring { name, ends, stiffness, table: Vec::new(), rest: 0.0, damping, gap: None });
        self.model.springs.len() - 1
    }
    fn stiffness(&mut self) -> f64 {
        self.scales.stiffness() * self.random.decade(-0.5, 1.5)
    }
    fn stop(&mut self, ends: [Node; 2], lo: f64, hi: f64) {
        let name = format!("p{}", self.model.stops.len());
        let restitution = self.random.pick(&[0.0, 0.0, 0.3, 0.5, 0.5, 0.8, 0.9, 1.0]);
        self.model.stops.push(Stop { name, ends, lo, hi, restitution });
    }
    /// A freewheel in one direction or the other.
    fn freewheel(&mut self, mut ends: [Node; 2]) {
        if self.random.chance(0.5) {
            ends.reverse();
        }
        let name = format!("w{}", self.model.freewheels.len());
        self.model.freewheels.push(Freewheel { name, ends });
    }
    /// A contact with this law and about this level.
    fn contact_with(&mut self, law: &'static str, ends: [Node; 2], level: f64) -> usize {
        let law = draw(law, level, &self.scales, &mut self.random);
        let name = format!("c{}", self.model.contacts.len());
        let (kind, load, map) = (ContactKind::Contact, Load::Nominal, None);
        self.model.contacts.push(Contact { name, kind, ends, law, load, map, heating: None, radius: None });
        self.model.contacts.len() - 1
    }
    /// A contact with the law of the case, sometimes in a wrapper.
    fn contact(&mut self, ends: [Node; 2]) -> usize {
        let level = self.scales.force() * self.random.decade(-0.7, 0.3);
        let c = self.contact_with(self.law, ends, level);
        self.wrap(c);
        c
    }
    /// A contact with a law that holds.
    fn sticking(&mut self, ends: [Node; 2]) -> usize {
        let level = self.scales.force() * self.random.decade(-0.7, 0.3);
        let law = self.random.pick(&STICKING);
        self.contact_with(law, ends, level)
    }
    fn omega(&mut self) -> f64 {
        self.random.between(0.5, 6.0) / self.scales.time
    }
    /// A force of about `size`.
    fn signal(&mut self, size: f64) -> Signal {
        let (s, end) = (self.scales, self.model.end);
        let omega = self.omega();
        let r = &mut self.random;
        match r.below(12) {
            0 => Signal::Constant(size * r.sign()),
            1 => Signal::Ramp { offset: 0.0, slope: 2.0 * size / end * r.sign(), start: 0.0, end: f64::INFINITY },
            2 => Signal::Ramp { offset: 0.0, slope: size / s.time, start: 0.1 * end, end: 0.1 * end + s.time },
            3 => Signal::Step { at: r.between(0.1, 0.5) * end, before: 0.0, after: size * r.sign() },
            4 => Signal::Move { start: 0.1 * end, time: r.between(0.1, 0.5) * end, before: 0.0, after: size },
            5 => Signal::Chirp { amplitude: size, omega, rate: omega / end, phase: 0.0 },
            6 => {
                let points = (0..5).map(|k| [k as f64 * end / 4.0, size * r.between(-1.0, 1.0)]).collect();
                Signal::Table(points)
            }
            7 => Signal::Sum(vec![
                Signal::Sine { mean: 0.0, amplitude: size, omega, phase: 0.0 },
                Signal::Constant(0.5 * size * r.unit()),
            ]),
            8 => {
                let period = r.between(0.05, 0.4) * end;
                let (width, count) = (period * r.between(0.1, 1.0), r.pick(&[1.0, 3.0, 20.0]));
                Signal::Pulses { low: 0.0, high: size * r.sign(), start: 0.1 * end, width, period, count }
            }
            9 => Signal::Product(vec![
                Signal::Sine { mean: 0.0, amplitude: size, omega, phase: 0.0 },
                Signal::Pulses {
                    low: 0.2,
                    high: 1.0,
                    start: 0.2 * end,
                    width: 0.3 * end,
                    period: 0.5 * end,
                    count: 2.0,
                },
            ]),
            10 => {
                let at = r.between(0.2, 0.6) * end;
                let mut height = || size * r.between(-1.0, 1.0);
                Signal::Table(vec![[0.0, height()], [at, height()], [at, height()], [end, height()]])
            }
            _ => Signal::Sine { mean: 0.0, amplitude: size, omega, phase: r.pick(&[0.0, 0.0, 1.0]) },
        }
    }
}
