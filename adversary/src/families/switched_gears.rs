//! Three bodies with friction on the ground and two rigid gears between them that signals switch: without losses, or with efficiencies.
use super::switches::{Switch, slide};
use super::{FamilyCase, Reference};
use crate::random::Random;
use crate::toml_text::number;

struct Shafts {
    mass: [f64; 3],
    /// Speed of the first over that of the second, and of the second over that of the third.
    ratios: [f64; 2],
    /// Efficiencies of both, forward and backward.
    eta: Option<[[f64; 2]; 2]>,
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
    /// Shafts from `first` to `last` that gears with losses couple: the velocity of the first after a step `h` in which forces and friction act, and before which the shafts
    /// have `speeds`, all counted at the first. On each side and with each direction of the power the balance is linear; the one that agrees with what it assumes holds.
    fn row(
        &self,
        eta: [[f64; 2]; 2],
        (first, last): (usize, usize),
        (speeds, force, level): (&[f64], &[f64], &[f64]),
        h: f64,
    ) -> f64 {
        let by = self.shape(first, last);
        let mass: Vec<f64> = by.iter().enumerate().map(|(k, by)| self.mass[first + k] * by * by).collect();
        let gears = last - first;
        for side in [1.0, -1.0] {
            for forward in 0..1 << gears {
                // torque taken over torque given
                let ratio = |j: usize| if forward >> j & 1 == 1 { 1.0 / eta[first + j][0] } else { eta[first + j][1] };
                let momentum = |k: usize| {
                    mass[k] * speeds[k] + h * (by[k] * force[first + k] - side * by[k].abs() * level[first + k])
                };
                let (mut weight, mut sum, mut inertia) = (1.0, 0.0, 0.0);
                for (k, mass) in mass.iter().enumerate() {
                    weight *= if k > 0 { ratio(k - 1) } else { 1.0 };
                    (sum, inertia) = (sum + weight * momentum(k), inertia + weight * mass);
                }
                let v = sum / inertia;
                let mut given = 0.0_f64;
                let agrees = (1..=gears).rev().all(|k| {
                    let size = (mass[k] * v).abs() + momentum(k).abs() + given.abs();
                    given = mass[k] * v - momentum(k) + if k < gears { ratio(k) * given } else { 0.0 };
                    // nothing but rounding agrees with both
                    (side * given >= 0.0) == (forward >> (k - 1) & 1 == 1) || given.abs() <= 1e-13 * size
                });
                if agrees && v * side > 0.0 {
                    return v;
                }
            }
        }
        0.0
    }
    /// Speeds of shafts `first` to `last` over that of the first.
    fn shape(&self, first: usize, last: usize) -> Vec<f64> {
        let mut out = vec![1.0];
        for ratio in &self.ratios[first..last] {
            out.push(out[out.len() - 1] / ratio);
        }
        out
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
        let on = [0, 1].map(|k| self.is_on(k, middle));
        let mut force = self.forces.map(|[mean, amplitude, omega]| mean + amplitude * (omega * middle).sin());
        force[2] -= self.spring[0] * (state[2] + 0.5 * h * state[5]) + self.spring[1] * state[5];
        // in groups that gears couple, each with the speed of its first
        let mut first = 0;
        while first < 3 {
            let mut last = first;
            while last < 2 && on[last] {
                last += 1;
            }
            let shape = self.shape(first, last);
            if let Some(eta) = self.eta
                && last > first
            {
                let speeds: Vec<f64> = shape.iter().enumerate().map(|(k, by)| state[3 + first + k] / by).collect();
                // a blow first, if one has just closed, with the momenta alone
                let u = self.row(eta, (first, last), (&speeds, &[0.0; 3], &[0.0; 3]), 0.0);
                let after =
                    |u: f64, h: f64| self.row(eta, (first, last), (&vec![u; shape.len()], &force, &self.levels), h);
                let mut v = after(u, h);
                let way = if u != 0.0 && v * u <= 0.0 {
                    // it comes to rest within the step, and may go on from there
                    let (mut low, mut high) = (0.0, h);
                    for _ in 0..50 {
                        let middle = 0.5 * (low + high);
                        if after(u, middle) * u > 0.0 { low = middle } else { high = middle }
                    }
                    v = after(0.0, h - low);
                    0.5 * (low * u + (h - low) * v)
                } else {
                    0.5 * h * (u + v)
                };
                for (k, by) in shape.iter().enumerate() {
                    state[first + k] += by * way;
                    state[3 + first + k] = by * v;
                }
            } else {
                let sum = |of: &dyn Fn(usize, f64) -> f64| {
                    shape.iter().enumerate().map(|(k, by)| of(first + k, *by)).sum::<f64>()
                };
                let mass = sum(&|k, by| self.mass[k] * by * by);
                let v = sum(&|k, by| self.mass[k] * by * state[3 + k]) / mass;
                let (pull, level) = (sum(&|k, by| by * force[k]), sum(&|k, by| by.abs() * self.levels[k]));
                let (way, speed) = slide(v, pull / mass, level / mass, h);
                for (k, by) in shape.iter().enumerate() {
                    state[first + k] += by * way;
                    state[3 + first + k] = by * speed;
                }
            }
            first = last + 1;
        }
    }
}

pub fn case(random: &mut Random) -> FamilyCase {
    let end = 5.0;
    let mut shafts = Shafts {
        mass: [0; 3].map(|_| random.decade(-0.7, 0.7)),
        ratios: [0; 2].map(|_| random.sign() * random.decade(-0.7, 0.7)),
        // below zero both rest and motion may satisfy the law, and steps prefer motion
        eta: random.chance(0.5).then(|| [0; 2].map(|_| [random.between(0.1, 1.0), random.between(0.0, 1.0)])),
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
    for (k, [first, second]) in [["a", "b"], ["b", "c"]].into_iter().enumerate() {
        let ratio = n(shafts.ratios[k]);
        text += &format!("[gear.{first}{second}]\nbetween = [\"{first}\", \"{second}\"]\nratio = {ratio}\n");
        if let Some([forward, backward]) = shafts.eta.map(|eta| eta[k].map(n)) {
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
