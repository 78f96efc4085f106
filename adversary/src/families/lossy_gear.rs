//! Two bodies with a lossy gear between them, and a third on a spring.
use super::{FamilyCase, Reference};
use crate::random::Random;
use crate::toml_text::number;

/// Counted at the gear's first place: all of the second and third is divided by the ratio.
struct Gear {
    /// Inertias of the first, the second and the third.
    inertia: [f64; 3],
    eta: [f64; 2],
    /// Friction with the ground of the first and the second.
    friction: [f64; 2],
    /// A spring with a damper between the second and the third, and one between the third and the ground.
    springs: [[f64; 2]; 2],
    /// Mean, amplitude and angular frequency of the torques on the first and the second.
    torques: [[f64; 3]; 2],
    start: f64,
}

impl Reference for Gear {
    fn start(&self) -> Vec<f64> {
        vec![0.0, self.start, 0.0, 0.0]
    }
    fn values(&self, state: &[f64]) -> Vec<f64> {
        state.to_vec()
    }
    fn step(&self, t: f64, h: f64, state: &mut [f64]) {
        let &mut [x, u, z, w] = state else { return };
        let middle = t + 0.5 * h;
        let torque = self.torques.map(|[mean, amplitude, omega]| mean + amplitude * (omega * middle).sin());
        let [m1, m2, m3] = self.inertia;
        let [[k, d], [k3, d3]] = self.springs;
        // forces in the middle of the step, with the velocities before it
        let pull = k * (z + 0.5 * h * w - x - 0.5 * h * u) + d * (w - u);
        let third = w + h * (-pull - k3 * (z + 0.5 * h * w) - d3 * w) / m3;
        let outer = [torque[0], torque[1] + pull];
        let [e1, e2] = self.eta;
        let rays = [(1.0, [1.0, e1]), (1.0, [-e2, -1.0]), (-1.0, [e2, 1.0]), (-1.0, [-1.0, -e1])];
        let next = rays.into_iter().find_map(|(side, [r1, r2])| {
            // m1 (v − u) = h (g1 − n r1) and m2 (v − u) = h (g2 + n r2)
            let [g1, g2] = [outer[0] - side * self.friction[0], outer[1] - side * self.friction[1]];
            let n = (m2 * g1 - m1 * g2) / (m2 * r1 + m1 * r2);
            let v = u + h * (g1 - n * r1) / m1;
            (n >= 0.0 && v * side > 0.0).then_some(v)
        });
        let v = next.unwrap_or(0.0);
        state.copy_from_slice(&[x + 0.5 * h * (u + v), v, z + 0.5 * h * (w + third), third]);
    }
}

pub fn case(random: &mut Random) -> FamilyCase {
    let mut gear = Gear {
        inertia: [0; 3].map(|_| random.decade(-0.5, 0.5)),
        eta: [random.between(0.1, 1.0), random.between(-0.3, 1.0)],
        friction: [0; 2].map(|_| if random.chance(0.5) { random.between(0.05, 0.6) } else { 0.0 }),
        springs: [0; 2].map(|_| [random.between(0.0, 8.0), random.between(0.0, 0.4)]),
        torques: [0; 2].map(|_| {
            let mean = if random.chance(0.5) { random.between(-2.0, 2.0) } else { 0.0 };
            [mean, random.between(0.2, 4.0), random.between(0.5, 8.0)]
        }),
        start: if random.chance(0.3) { random.between(-2.0, 2.0) } else { 0.0 },
    };
    if gear.friction[1] > 0.0 {
        // else both rest and motion may satisfy the law, and steps prefer motion
        gear.eta[1] = gear.eta[1].abs();
    }
    // else it may jam
    gear.inertia[0] = gear.inertia[0].max(1.5 * (-gear.eta[1]).max(0.0) * gear.inertia[1]);
    let ratio = random.sign() * random.decade(-1.0, 1.0);
    let (square, n) = (ratio * ratio, number);
    let Gear { inertia: [m1, m2, m3], eta: [e1, e2], friction, springs: [[k, d], [k3, d3]], torques, start } = &gear;
    let body = |name: &str, inertia: f64, v: f64| format!("[body.{name}]\ninertia = {}\nv = {}\n", n(inertia), n(v));
    let torque = |name: &str, on: &str, [mean, amplitude, omega]: [f64; 3], by: f64| {
        let [mean, amplitude, omega] = [by * mean, by * amplitude, omega].map(n);
        let sine = format!("{{ mean = {mean}, amplitude = {amplitude}, omega = {omega} }}");
        format!("[force.{name}]\non = \"{on}\"\nforce = {{ sine = {sine} }}\n")
    };
    let spring = |name: &str, ends: &str, k: f64, d: f64| {
        let [k, d] = [square * k, square * d].map(n);
        format!("[spring.{name}]\nbetween = {ends}\nstiffness = {k}\ndamping = {d}\n")
    };
    let mut text = [
        body("a", *m1, *start),
        body("b", square * m2, start / ratio),
        body("c", square * m3, 0.0),
        torque("fa", "a", torques[0], 1.0),
        torque("fb", "b", torques[1], ratio),
        spring("bc", "[\"b\", \"c\"]", *k, *d),
        spring("cg", "[\"c\", \"ground\"]", *k3, *d3),
    ]
    .concat();
    let efficiency = format!("{{ forward = {}, backward = {} }}", n(*e1), n(*e2));
    text += &format!("[gear.g]\nbetween = [\"a\", \"b\"]\nratio = {}\nefficiency = {efficiency}\n", n(ratio));
    if friction[0] > 0.0 {
        text += &format!("bearing = {{ law = \"coulomb\", fc = {} }}\n", n(friction[0]));
    }
    if friction[1] > 0.0 {
        let level = n(ratio.abs() * friction[1]);
        text += &format!("[contact.rub]\nbetween = [\"b\", \"ground\"]\nlaw = \"coulomb\"\nfc = {level}\n");
    }
    // the third body starts at rest beside the second
    let reference = Scaled { gear, ratio };
    FamilyCase { text, end: 6.0, columns: vec!["a.x", "a.v", "c.x", "c.v"], reference: Box::new(reference) }
}

/// The same with the third body in its own coordinate.
struct Scaled {
    gear: Gear,
    ratio: f64,
}

impl Reference for Scaled {
    fn start(&self) -> Vec<f64> {
        self.gear.start()
    }
    fn step(&self, t: f64, h: f64, state: &mut [f64]) {
        self.gear.step(t, h, state);
    }
    fn values(&self, state: &[f64]) -> Vec<f64> {
        let own = |(k, x): (usize, &f64)| if k < 2 { *x } else { x / self.ratio };
        state.iter().enumerate().map(own).collect()
    }
}
