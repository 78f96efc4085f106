//! Two bodies with a spring between them and a friction contact on the ground each, which signals switch off and on again.
use super::{FamilyCase, Reference, TIMES};
use crate::random::Random;
use crate::toml_text::number;

/// When something is off: switching times are multiples of a share of the run, which are ends of steps of every length.
#[derive(Clone, Copy)]
pub(super) struct Switch {
    pub off: f64,
    pub on: f64,
}

impl Switch {
    /// In 40 parts of the time between two rows.
    pub(super) fn random(random: &mut Random, end: f64) -> Self {
        let part = end / (40 * TIMES) as f64;
        let first = 1 + random.below(12 * 40);
        // it may begin off
        let begin = if random.chance(0.2) { 0 } else { first };
        let last = first + 1 + random.below(40 * TIMES - first);
        Self { off: begin as f64 * part, on: last as f64 * part }
    }
    pub(super) fn is_on(&self, t: f64) -> bool {
        t < self.off || t >= self.on
    }
    pub(super) fn text(&self) -> String {
        let (start, width) = (number(self.off), number(self.on - self.off));
        format!("enable = {{ pulses = {{ low = 1, high = 0, start = {start}, width = {width} }} }}\n")
    }
}

struct Switches {
    mass: [f64; 2],
    /// Mean, amplitude and angular frequency of the force on each.
    forces: [[f64; 3]; 2],
    stiffness: f64,
    damping: f64,
    rest: f64,
    gap: Option<[f64; 2]>,
    /// Levels of the contacts with the ground, and the stiffness of the bristles of the second.
    levels: [f64; 2],
    bristle: f64,
    start: [f64; 2],
    /// Of the spring and of both contacts.
    switches: [Option<Switch>; 3],
}

/// Of the state: positions, velocities, the bristle's deflection, what the rest position has moved, whether the spring and the second contact
/// were on in the last step.
const BRISTLE: usize = 4;
const SHIFT: usize = 5;
const SPRING_ON: usize = 6;
const CONTACT_ON: usize = 7;

impl Switches {
    fn is_on(&self, k: usize, t: f64) -> bool {
        self.switches[k].is_none_or(|switch| switch.is_on(t))
    }
    /// How far the spring is pressed or stretched beyond where it has no force.
    fn deflection(&self, x: f64) -> f64 {
        let [low, high] = self.gap.unwrap_or_default();
        x - x.clamp(low, high)
    }
}

/// Way and speed after a time `h` under these forces per mass, with rest or a reversal within it.
pub(super) fn slide(v: f64, force: f64, level: f64, h: f64) -> (f64, f64) {
    let side = if v == 0.0 { 0.0 } else { v.signum() };
    let first = force - side * level;
    // from rest
    let slipping = force - force.clamp(-level, level);
    if v == 0.0 {
        return (0.5 * h * h * slipping, h * slipping);
    }
    let speed = v + h * first;
    if speed * side >= 0.0 {
        return (0.5 * h * (v + speed), speed);
    }
    let stop = -v / first;
    let left = h - stop;
    (0.5 * stop * v + 0.5 * left * left * slipping, left * slipping)
}

impl Reference for Switches {
    fn start(&self) -> Vec<f64> {
        let on = [0, 2].map(|k| f64::from(u8::from(self.is_on(k, 0.0))));
        vec![0.0, 0.0, self.start[0], self.start[1], 0.0, 0.0, on[0], on[1]]
    }
    fn values(&self, state: &[f64]) -> Vec<f64> {
        state[..4].to_vec()
    }
    fn step(&self, t: f64, h: f64, state: &mut [f64]) {
        let middle = t + 0.5 * h;
        let on = [0, 1, 2].map(|k| self.is_on(k, middle));
        if on[0] && state[SPRING_ON] == 0.0 {
            // it is coupled without a force where it lies
            let x = state[0] - state[1] - self.rest - state[SHIFT];
            state[SHIFT] += self.deflection(x);
        }
        if !on[2] || state[CONTACT_ON] == 0.0 {
            state[BRISTLE] = 0.0;
        }
        (state[SPRING_ON], state[CONTACT_ON]) = (f64::from(u8::from(on[0])), f64::from(u8::from(on[2])));
        let v = [state[2], state[3]];
        let x = state[0] - state[1] - self.rest - state[SHIFT] + 0.5 * h * (v[0] - v[1]);
        let pull = if on[0] {
            let elastic = self.stiffness * self.deflection(x);
            let damping = self.damping * (v[0] - v[1]);
            // a gap presses and does not pull
            elastic + if self.gap.is_some() { damping.clamp(-elastic.abs(), elastic.abs()) } else { damping }
        } else {
            0.0
        };
        let slope = |v: f64, z: f64| v - self.bristle * v.abs() / self.levels[1] * z;
        let z = state[BRISTLE] + 0.5 * h * slope(v[1], state[BRISTLE]);
        for k in 0..2 {
            let [mean, amplitude, omega] = self.forces[k];
            let force = mean + amplitude * (omega * middle).sin() + if k == 0 { -pull } else { pull };
            let level = if k == 0 && on[1] { self.levels[k] } else { 0.0 };
            let force = if k == 1 && on[2] { force - self.bristle * z } else { force };
            let (way, speed) = slide(v[k], force / self.mass[k], level / self.mass[k], h);
            state[k] += way;
            state[2 + k] = speed;
        }
        if on[2] {
            state[BRISTLE] += h * slope(0.5 * (v[1] + state[3]), z);
        }
    }
}

pub fn case(random: &mut Random) -> FamilyCase {
    let end = 5.0;
    let switch = |random: &mut Random| random.chance(0.7).then(|| Switch::random(random, end));
    let gap = random.chance(0.3).then(|| [-random.between(0.0, 0.3), random.between(0.0, 0.3)]);
    let bodies = Switches {
        mass: [random.decade(-0.5, 0.5), random.decade(-0.5, 0.5)],
        forces: [0; 2].map(|_| {
            let mean = if random.chance(0.5) { random.between(-1.0, 1.0) } else { 0.0 };
            [mean, random.between(0.2, 3.0), random.between(0.5, 8.0)]
        }),
        stiffness: random.decade(0.5, 2.0),
        damping: if random.chance(0.5) { random.between(0.0, 0.5) } else { 0.0 },
        rest: if random.chance(0.5) { random.between(-0.3, 0.3) } else { 0.0 },
        gap,
        levels: [random.between(0.1, 1.5), random.between(0.1, 1.5)],
        bristle: random.decade(1.0, 2.0),
        start: [0; 2].map(|_| if random.chance(0.5) { random.between(-1.0, 1.0) } else { 0.0 }),
        switches: [switch(random), switch(random), switch(random)],
    };
    let n = number;
    let mut text = String::new();
    for (k, name) in ["a", "b"].into_iter().enumerate() {
        text += &format!("[body.{name}]\nmass = {}\nv = {}\n", n(bodies.mass[k]), n(bodies.start[k]));
        let [mean, amplitude, omega] = bodies.forces[k].map(n);
        let sine = format!("{{ mean = {mean}, amplitude = {amplitude}, omega = {omega} }}");
        text += &format!("[force.f{name}]\non = \"{name}\"\nforce = {{ sine = {sine} }}\n");
        let law = if k == 0 { "coulomb" } else { "dahl" };
        text += &format!("[contact.rub{name}]\nbetween = [\"{name}\", \"ground\"]\nlaw = \"{law}\"\n");
        text += &format!("fc = {}\n", n(bodies.levels[k]));
        if k == 1 {
            text += &format!("sigma = {}\n", n(bodies.bristle));
        }
        text += &bodies.switches[1 + k].map_or_else(String::new, |switch| switch.text());
    }
    let [stiffness, damping, rest] = [bodies.stiffness, bodies.damping, bodies.rest].map(n);
    text += "[spring.s]\nbetween = [\"a\", \"b\"]\n";
    text += &format!("stiffness = {stiffness}\ndamping = {damping}\nrest = {rest}\n");
    if let Some([low, high]) = bodies.gap {
        text += &format!("gap = [{}, {}]\n", n(low), n(high));
    }
    text += &bodies.switches[0].map_or_else(String::new, |switch| switch.text());
    let columns = vec!["a.x", "b.x", "a.v", "b.v"];
    FamilyCase { text, end, columns, reference: Box::new(bodies) }
}
