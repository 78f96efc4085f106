//! Two bodies with laws that a scenario writes as formulas: drag that grows with the square of the speed on the first, with a level of its own at rest, and an
//! eddy current between the two.
use super::{FamilyCase, Reference};
use crate::random::Random;
use crate::toml_text::number;

struct Drag {
    mass: [f64; 2],
    /// Mean, amplitude and angular frequency of the force on each.
    forces: [[f64; 3]; 2],
    /// Friction of the first: level, by the speed, and by its square.
    curve: [f64; 3],
    /// The force at rest over the level.
    peak: f64,
    /// Largest force between the bodies, and the speed at which it is.
    eddy: [f64; 2],
    stiffness: f64,
    start: [f64; 2],
}

impl Drag {
    /// Forces on both without the level, at these places and speeds.
    fn forces(&self, t: f64, x: f64, v: [f64; 2]) -> [f64; 2] {
        let [_, linear, square] = self.curve;
        let [most, critical] = self.eddy;
        let w = (v[0] - v[1]) / critical;
        let between = 2.0 * most * w / (1.0 + w * w);
        let outer = self.forces.map(|[mean, amplitude, omega]| mean + amplitude * (omega * t).sin());
        [outer[0] - self.stiffness * x - linear * v[0] - square * v[0] * v[0].abs() - between, outer[1] + between]
    }
}

impl Reference for Drag {
    fn start(&self) -> Vec<f64> {
        vec![0.0, 0.0, self.start[0], self.start[1]]
    }
    fn values(&self, state: &[f64]) -> Vec<f64> {
        state.to_vec()
    }
    fn step(&self, t: f64, h: f64, state: &mut [f64]) {
        let &mut [x, y, v, w] = state else { return };
        let [m1, m2] = self.mass;
        let level = self.curve[0] / m1;
        // what is left of a force per mass in slip from rest, or nothing
        let from_rest = |f: f64| if f.abs() <= self.peak * level { 0.0 } else { f - f.signum() * level };
        let rate = |v: f64, f: f64| if v == 0.0 { from_rest(f) } else { f - v.signum() * level };
        // speeds in the middle of the step, in which the first may have come to rest
        let now = self.forces(t, x, [v, w]);
        let half = v + 0.5 * h * rate(v, now[0] / m1);
        let half = if half * v < 0.0 { 0.0 } else { half };
        let middle = self.forces(t + 0.5 * h, x + 0.5 * h * v, [half, w + 0.5 * h * now[1] / m2]);
        let (force, other) = (middle[0] / m1, w + h * middle[1] / m2);
        if v == 0.0 {
            // the force jumps where the body is let go, which is to be found within the step
            let later = self.forces(t + h, x, [0.0, other])[0];
            let [before, after] = [now[0] / m1, later / m1].map(|f| f.abs() - self.peak * level);
            let left = if before > 0.0 { 1.0 } else { (after / (after - before)).max(0.0) };
            if after <= 0.0 || left == 0.0 {
                state.copy_from_slice(&[x, y + 0.5 * h * (w + other), 0.0, other]);
                return;
            }
            // sliding in the rest of the step, with the force in its middle
            let force = later / m1 + 0.5 * left * (now[0] - later) / m1;
            let (slipping, rest) = (force - force.signum() * level, left * h);
            let speed = rest * slipping;
            state.copy_from_slice(&[x + 0.5 * rest * speed, y + 0.5 * h * (w + other), speed, other]);
            return;
        }
        let next = v + h * rate(v, force);
        let (way, speed) = if next * v < 0.0 {
            let stop = -v / rate(v, force);
            let left = h - stop;
            (0.5 * stop * v + 0.5 * left * left * from_rest(force), left * from_rest(force))
        } else {
            (0.5 * h * (v + next), next)
        };
        state.copy_from_slice(&[x + way, y + 0.5 * h * (w + other), speed, other]);
    }
}

pub fn case(random: &mut Random) -> FamilyCase {
    let drag = Drag {
        mass: [0; 2].map(|_| random.decade(-0.5, 0.5)),
        forces: [0; 2].map(|_| {
            let mean = if random.chance(0.5) { random.between(-1.0, 1.0) } else { 0.0 };
            [mean, random.between(0.2, 3.0), random.between(0.5, 6.0)]
        }),
        curve: [random.between(0.1, 1.5), random.between(0.0, 0.5), random.between(0.0, 1.0)],
        peak: if random.chance(0.6) { random.between(1.0, 2.0) } else { 1.0 },
        eddy: [random.decade(-1.0, 0.5), random.decade(-1.0, 0.5)],
        stiffness: if random.chance(0.5) { random.decade(-0.5, 1.0) } else { 0.0 },
        start: [0; 2].map(|_| if random.chance(0.6) { random.between(-2.0, 2.0) } else { 0.0 }),
    };
    let n = number;
    let mut text = String::new();
    for (k, name) in ["a", "b"].into_iter().enumerate() {
        text += &format!("[body.{name}]\nmass = {}\nv = {}\n", n(drag.mass[k]), n(drag.start[k]));
        let [mean, amplitude, omega] = drag.forces[k].map(n);
        let sine = format!("{{ mean = {mean}, amplitude = {amplitude}, omega = {omega} }}");
        text += &format!("[force.f{name}]\non = \"{name}\"\nforce = {{ sine = {sine} }}\n");
    }
    let ([c0, c1, c2], peak) = (drag.curve.map(n), n(drag.peak));
    text += "[contact.road]\nbetween = [\"a\", \"ground\"]\nforce = \"c0*sign(v) + c1*v + c2*v*abs(v)\"\n";
    text += &format!("c0 = {c0}\nc1 = {c1}\nc2 = {c2}\npeak = {peak}\n");
    let [most, critical] = drag.eddy.map(n);
    text += "[contact.magnet]\nbetween = [\"a\", \"b\"]\nforce = \"2*most*(v/critical)/(1 + (v/critical)^2)\"\n";
    text += &format!("most = {most}\ncritical = {critical}\n");
    let stiffness = n(drag.stiffness);
    text += &format!("[spring.s]\nbetween = [\"a\", \"ground\"]\nstiffness = {stiffness}\n");
    FamilyCase { text, end: 6.0, columns: vec!["a.x", "b.x", "a.v", "b.v"], reference: Box::new(drag) }
}
