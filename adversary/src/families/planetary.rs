//! Three shafts on a planetary gear, with friction on the ground.
use super::{FamilyCase, Reference};
use crate::random::Random;
use crate::toml_text::number;

struct Planetary {
    /// Of sun, ring and carrier.
    inertia: [f64; 3],
    /// Levels of the friction of each with the ground.
    friction: [f64; 3],
    /// Mean, amplitude and angular frequency of the torque on each.
    torques: [[f64; 3]; 3],
    /// Displacement of the teeth over that of each shaft.
    levers: [f64; 3],
    stiffness: f64,
    damping: f64,
    start: [f64; 3],
}

impl Reference for Planetary {
    fn start(&self) -> Vec<f64> {
        [[0.0; 3], self.start].concat()
    }
    fn values(&self, state: &[f64]) -> Vec<f64> {
        state.to_vec()
    }
    fn step(&self, t: f64, h: f64, state: &mut [f64]) {
        let along = |part: &[f64]| part.iter().zip(&self.levers).map(|(x, lever)| x * lever).sum::<f64>();
        let (x, v) = state.split_at_mut(3);
        // the displacement in the middle of the step, with the velocities before it
        let teeth = self.stiffness * (along(x) + 0.5 * h * along(v)) + self.damping * along(v);
        for (k, (x, v)) in x.iter_mut().zip(v).enumerate() {
            let [mean, amplitude, omega] = self.torques[k];
            let torque = mean + amplitude * (omega * (t + 0.5 * h)).sin() - self.levers[k] * teeth;
            let free = *v + h / self.inertia[k] * torque;
            let most = h / self.inertia[k] * self.friction[k];
            let next = free - free.clamp(-most, most);
            *x += 0.5 * h * (*v + next);
            *v = next;
        }
    }
}

pub fn case(random: &mut Random) -> FamilyCase {
    let ratio = if random.chance(0.3) { 1.0 } else { random.between(0.3, 4.0) };
    let ratio = if random.chance(0.2) { -1.0 - ratio } else { ratio };
    let levers = [1.0, ratio, -1.0 - ratio];
    // about equal as seen at the sun
    let inertia = levers.map(|lever| lever * lever * random.decade(-0.5, 0.5));
    let gear = Planetary {
        friction: levers
            .map(|lever: f64| if random.chance(0.7) { lever.abs() * random.between(0.1, 1.5) } else { 0.0 }),
        torques: levers.map(|lever| {
            let mean = if random.chance(0.5) { random.between(-1.0, 1.0) } else { 0.0 };
            [lever * mean, lever * random.between(0.2, 3.0), random.between(0.5, 8.0)]
        }),
        stiffness: random.decade(0.0, 2.0),
        damping: random.between(0.0, 0.5),
        start: levers.map(|lever| if random.chance(0.3) { random.between(-1.0, 1.0) / lever } else { 0.0 }),
        inertia,
        levers,
    };
    let n = number;
    let mut text = String::new();
    for (k, name) in ["s", "r", "c"].into_iter().enumerate() {
        text += &format!("[body.{name}]\ninertia = {}\nv = {}\n", n(gear.inertia[k]), n(gear.start[k]));
        let [mean, amplitude, omega] = gear.torques[k].map(n);
        let sine = format!("{{ mean = {mean}, amplitude = {amplitude}, omega = {omega} }}");
        text += &format!("[force.f{name}]\non = \"{name}\"\nforce = {{ sine = {sine} }}\n");
        if gear.friction[k] > 0.0 {
            let level = n(gear.friction[k]);
            text +=
                &format!("[contact.rub{name}]\nbetween = [\"{name}\", \"ground\"]\nlaw = \"coulomb\"\nfc = {level}\n");
        }
    }
    text += &format!(
        "[planetary.p]\nsun = \"s\"\nring = \"r\"\ncarrier = \"c\"\nratio = {}\nstiffness = {}\ndamping = {}\n",
        n(ratio),
        n(gear.stiffness),
        n(gear.damping)
    );
    let columns = vec!["s.x", "r.x", "c.x", "s.v", "r.v", "c.v"];
    FamilyCase { text, end: 5.0, columns, reference: Box::new(gear) }
}
