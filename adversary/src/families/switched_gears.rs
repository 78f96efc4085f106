//! Three bodies with friction on the ground and rigid gears between them that signals switch: two without losses, or one with an efficiency.
use super::switches::{Switch, slide};
use super::{FamilyCase, Reference};
use crate::random::Random;
use crate::toml_text::number;

struct Shafts {
    mass: [f64; 3],
    /// Speed of the first over that of the second, and of the second over that of the third.
    ratios: [f64; 2],
    /// Efficiencies of the first gear; the second is then always off.
    eta: Option<[f64; 2]>,
    /// Mean, amplitude and angular frequency of the force on each.
    forces: [[f64; 3]; 3],
    levels: [f64; 3],
    /// Stiffness and damping between the third and the ground.
    spring: [f64; 2],
    start: [f64; 3],
    switches: [Switch; 2],
    /// A gear is on within the times of its switch, and not outside of them.
    within: [bool; 2],
}

impl Shafts {
    fn is_on(&self, k: usize, t: f64) -> bool {
        self.switches[k].is_on(t) != self.within[k]
    }
    /// A gear with losses: the velocity after a step in which `outer` act, both counted at the first place. It is on one of four rays, or at rest.
    fn mesh(&self, [e1, e2]: [f64; 2], u: [f64; 2], outer: [f64; 2], friction: [f64; 2], h: f64) -> f64 {
        let [m1, m2] = [self.mass[0], self.mass[1] / (self.ratios[0] * self.ratios[0])];
        let rays = [(1.0, [1.0, e1]), (1.0, [-e2, -1.0]), (-1.0, [e2, 1.0]), (-1.0, [-1.0, -e1])];
        let next = rays.into_iter().find_map(|(side, [r1, r2])| {
            // m1 v = p1 − n r1 and m2 v = p2 + n r2
            let p1 = m1 * u[0] + h * (outer[0] - side * friction[0]);
            let p2 = m2 * u[1] + h * (outer[1] - side * friction[1]);
            let n = (m2 * p1 - m1 * p2) / (m2 * r1 + m1 * r2);
            let v = (p1 - n * r1) / m1;
            (n >= 0.0 && v * side > 0.0).then_some(v)
        });
        next.unwrap_or(0.0)
    }
}

impl Reference for Shafts {
    fn start(&self) -> Vec<f64> {
        vec![0.0, 0.0, 0.0, self.start[0], self.start[1], self.start[2]]
    }
    fn values(&self, state: &[f64]) -> Vec<f64> {
        state.to_vec()
    }
    fn step(&self, t: f64, h: f64, state: &mut [f64]) {
        let middle = t + 0.5 * h;
        let on = [self.is_on(0, middle), self.is_on(1, middle) && self.eta.is_none()];
        let mut force = self.forces.map(|[mean, amplitude, omega]| mean + amplitude * (omega * middle).sin());
        force[2] -= self.spring[0] * (state[2] + 0.5 * h * state[5]) + self.spring[1] * state[5];
        let mut alone = 0;
        if let (Some(eta), true) = (self.eta, on[0]) {
            let r = self.ratios[0];
            // a blow first, if it has just closed, with the momenta alone
            let u = self.mesh(eta, [state[3], r * state[4]], [0.0; 2], [0.0; 2], 0.0);
            let outer = [force[0], force[1] / r];
            let v = self.mesh(eta, [u; 2], outer, [self.levels[0], self.levels[1] / r.abs()], h);
            for (k, by) in [1.0, 1.0 / r].into_iter().enumerate() {
                state[k] += by * 0.5 * h * (u + v);
                state[3 + k] = by * v;
            }
            alone = 2;
        }
        // the others in groups that gears couple, each with the speed of its first
        while alone < 3 {
            let mut shape = vec![(alone, 1.0)];
            while let Some(&(last, by)) = shape.last()
                && last < 2
                && on[last]
                && self.eta.is_none()
            {
                shape.push((last + 1, by / self.ratios[last]));
            }
            let sum = |of: &dyn Fn(usize, f64) -> f64| shape.iter().map(|&(k, by)| of(k, by)).sum::<f64>();
            let mass = sum(&|k, by| self.mass[k] * by * by);
            let v = sum(&|k, by| self.mass[k] * by * state[3 + k]) / mass;
            let (pull, level) = (sum(&|k, by| by * force[k]), sum(&|k, by| by.abs() * self.levels[k]));
            let (way, speed) = slide(v, pull / mass, level / mass, h);
            for &(k, by) in &shape {
                state[k] += by * way;
                state[3 + k] = by * speed;
            }
            alone += shape.len();
        }
    }
}

pub fn case(random: &mut Random) -> FamilyCase {
    let end = 5.0;
    let mut shafts = Shafts {
        mass: [0; 3].map(|_| random.decade(-0.7, 0.7)),
        ratios: [0; 2].map(|_| random.sign() * random.decade(-0.7, 0.7)),
        eta: random.chance(0.4).then(|| [random.between(0.1, 1.0), random.between(-0.3, 1.0)]),
        forces: [0; 3].map(|_| {
            let mean = if random.chance(0.5) { random.between(-1.0, 1.0) } else { 0.0 };
            [mean, random.between(0.2, 3.0), random.between(0.5, 8.0)]
        }),
        levels: [0; 3].map(|_| if random.chance(0.7) { random.between(0.1, 1.5) } else { 0.0 }),
        spring: [if random.chance(0.5) { random.decade(0.0, 1.5) } else { 0.0 }, random.between(0.0, 0.3)],
        start: [0; 3].map(|_| if random.chance(0.6) { random.between(-2.0, 2.0) } else { 0.0 }),
        switches: [0; 2].map(|_| Switch::random(random, end)),
        within: [0; 2].map(|_| random.chance(0.5)),
    };
    if random.chance(0.3) {
        // both at one instant
        (shafts.switches[1], shafts.within[1]) = (shafts.switches[0], shafts.within[0]);
    }
    // off at the start, so that the speeds may be any
    for (switch, within) in shafts.switches.iter_mut().zip(shafts.within) {
        switch.off = if within { switch.off.max(0.5 * switch.on) } else { 0.0 };
    }
    if let Some([_, backward]) = &mut shafts.eta {
        if shafts.levels[1] > 0.0 {
            // else both rest and motion may satisfy the law, and steps prefer motion
            *backward = backward.abs();
        }
        // else it may jam
        let second = shafts.mass[1] / (shafts.ratios[0] * shafts.ratios[0]);
        shafts.mass[0] = shafts.mass[0].max(1.5 * (-*backward).max(0.0) * second);
    }
    let n = number;
    let mut text = String::new();
    for (k, name) in ["a", "b", "c"].into_iter().enumerate() {
        text += &format!("[body.{name}]\ninertia = {}\nv = {}\n", n(shafts.mass[k]), n(shafts.start[k]));
        let [mean, amplitude, omega] = shafts.forces[k].map(n);
        let sine = format!("{{ mean = {mean}, amplitude = {amplitude}, omega = {omega} }}");
        text += &format!("[force.f{name}]\non = \"{name}\"\nforce = {{ sine = {sine} }}\n");
        if shafts.levels[k] > 0.0 {
            let level = n(shafts.levels[k]);
            text +=
                &format!("[contact.rub{name}]\nbetween = [\"{name}\", \"ground\"]\nlaw = \"coulomb\"\nfc = {level}\n");
        }
    }
    let count = if shafts.eta.is_some() { 1 } else { 2 };
    for (k, [first, second]) in [["a", "b"], ["b", "c"]].into_iter().take(count).enumerate() {
        let ratio = n(shafts.ratios[k]);
        text += &format!("[gear.{first}{second}]\nbetween = [\"{first}\", \"{second}\"]\nratio = {ratio}\n");
        if let Some([forward, backward]) = shafts.eta.map(|eta| eta.map(n)) {
            text += &format!("efficiency = {{ forward = {forward}, backward = {backward} }}\n");
        }
        let pulses = shafts.switches[k].text();
        text += &if shafts.within[k] { pulses.replace("low = 1, high = 0", "low = 0, high = 1") } else { pulses };
    }
    let [stiffness, damping] = shafts.spring.map(n);
    text += &format!("[spring.s]\nbetween = [\"c\", \"ground\"]\nstiffness = {stiffness}\ndamping = {damping}\n");
    let columns = vec!["a.x", "b.x", "c.x", "a.v", "b.v", "c.v"];
    FamilyCase { text, end, columns, reference: Box::new(shafts) }
}
