//! A body on a tilted plane with a grain, on a spring and under a force, by Moreau's time stepping.
use super::{FamilyCase, Reference};
use crate::random::Random;
use crate::toml_text::number;

struct Block {
    mass: f64,
    /// Force of gravity along the plane.
    slope: [f64; 2],
    /// Levels of friction in motion and at rest, and the Stribeck speed.
    level: [f64; 2],
    vs: f64,
    viscous: f64,
    /// Amplitude and angular frequency of the factor on the normal force, which is one on average.
    load: [f64; 2],
    grain: f64,
    across: f64,
    spring: [f64; 2],
    /// Amplitudes of the other end of the spring, and of the force; their angular frequencies.
    swing: [f64; 2],
    force: [f64; 2],
    omega: [f64; 2],
    start: [f64; 4],
}

impl Block {
    /// The force of friction over the normal factor, at a speed.
    fn friction(&self, speed: f64) -> (f64, f64) {
        let [fc, fs] = self.level;
        (fc + (fs - fc) * (-(speed / self.vs).powi(2)).exp(), self.viscous)
    }
}

impl Reference for Block {
    fn start(&self) -> Vec<f64> {
        self.start.to_vec()
    }
    fn values(&self, state: &[f64]) -> Vec<f64> {
        state.to_vec()
    }
    fn step(&self, t: f64, h: f64, state: &mut [f64]) {
        let &mut [x, y, vx, vy] = state else { return };
        let (middle, m) = (t + 0.5 * h, self.mass);
        let load = 1.0 + self.load[0] * (self.load[1] * middle).sin();
        let (level, viscous) = self.friction(vx.hypot(vy));
        let [k, d] = self.spring;
        let [(sin, cos), (fsin, _)] = self.omega.map(|omega| (omega * middle).sin_cos());
        let free = [(x, vx), (y, vy)].map(|(x, v)| x + 0.5 * h * v);
        let v = [vx, vy];
        let resultant = [0, 1].map(|i| {
            let end = [self.swing[i] * sin, self.swing[i] * self.omega[0] * cos];
            self.slope[i] + self.force[i] * fsin + k * (end[0] - free[i]) + d * (end[1] - v[i])
        });
        // in the axes of the grain: m v' = m v + h P − h λ, and λ = F·B²v'/|Bv'|, or v' = 0 for |B⁻¹(m v/h + P)| ≤ F
        let (s, c) = self.grain.sin_cos();
        let push = [0, 1].map(|i| m * v[i] + h * resultant[i]);
        let [p, q] = [push[0] * c + push[1] * s, push[1] * c - push[0] * s];
        let (b, f) = (self.across, h * load * level);
        // viscous friction has the direction of B²v/|Bv|, too, at the speed before
        let f = f + h * viscous * vx.hypot(vy);
        let next = if p.hypot(q / b) <= f {
            [0.0; 2]
        } else {
            // v' = ((p/(m + μ), q/(m + μ b²)) with μ = f/|Bv'|: |Bv'| μ rises with μ
            let at = |mu: f64| [p / (m + mu), q / (m + mu * b * b)];
            let excess = |mu: f64| at(mu)[0].hypot(b * at(mu)[1]) * mu - f;
            let (mut low, mut high) = (0.0, m);
            while excess(high) < 0.0 && high < 1e300 {
                high *= 4.0;
            }
            for _ in 0..80 {
                let half = 0.5 * (low + high);
                *(if excess(half) < 0.0 { &mut low } else { &mut high }) = half;
            }
            at(high)
        };
        let w = [next[0] * c - next[1] * s, next[0] * s + next[1] * c];
        state.copy_from_slice(&[x + 0.5 * h * (vx + w[0]), y + 0.5 * h * (vy + w[1]), w[0], w[1]]);
    }
}

pub fn case(random: &mut Random) -> FamilyCase {
    let (mass, tilt, downhill) = (random.decade(-0.7, 0.7), random.between(0.0, 0.5), random.between(-3.0, 3.0));
    let normal = mass * 9.81 * tilt.cos();
    let fc = normal * random.between(0.1, 0.7);
    let stribeck = random.chance(0.5);
    let fs = if stribeck { fc * random.between(1.0, 1.6) } else { fc };
    let vs = random.between(0.05, 0.5);
    let gravity = mass * 9.81 * tilt.sin();
    let at_rest = random.chance(0.4);
    let block = Block {
        mass,
        slope: [gravity * downhill.cos(), gravity * downhill.sin()],
        level: [fc, fs],
        vs,
        viscous: if stribeck { fc * random.between(0.0, 0.2) } else { 0.0 },
        load: if random.chance(0.4) { [random.between(0.0, 0.8), random.between(0.5, 6.0)] } else { [0.0, 1.0] },
        grain: random.between(-3.0, 3.0),
        across: if random.chance(0.5) { random.between(0.3, 2.0) } else { 1.0 },
        spring: [mass * random.between(0.0, 30.0), mass * random.between(0.0, 1.0)],
        swing: [0; 2].map(|_| random.between(-0.5, 0.5)),
        force: [0; 2].map(|_| fc * random.between(-1.5, 1.5)),
        omega: [0; 2].map(|_| random.between(0.5, 6.0)),
        start: [0; 4].map(|_| if at_rest { 0.0 } else { random.between(-1.0, 1.0) }),
    };
    let n = number;
    let sine =
        |amplitude: f64, omega: f64| format!("{{ sine = {{ amplitude = {}, omega = {} }} }}", n(amplitude), n(omega));
    let [x, y, vx, vy] = block.start.map(n);
    let mut text =
        format!("[plane]\ntilt = {}\ndownhill = {}\n[plane_body.b]\nmass = {}\n", n(tilt), n(downhill), n(mass));
    text +=
        &format!("x = {x}\ny = {y}\nvx = {vx}\nvy = {vy}\ngrain = {}\nacross = {}\n", n(block.grain), n(block.across));
    text += &match stribeck {
        true => {
            let [fc, fs, vs, fv] = [fc, fs, vs, block.viscous].map(n);
            format!("law = \"stribeck\"\nfc = {fc}\nfs = {fs}\nvs = {vs}\nexponent = 2\nfv = {fv}\n")
        }
        false => format!("law = \"coulomb\"\nfc = {}\n", n(fc)),
    };
    if block.load[0] > 0.0 {
        let [amplitude, omega] = block.load.map(n);
        text += &format!("load = {{ sine = {{ mean = 1, amplitude = {amplitude}, omega = {omega} }} }}\n");
    }
    let [fx, fy] = block.force.map(|force| sine(force, block.omega[1]));
    text += &format!("[plane_force.f]\non = \"b\"\nx = {fx}\ny = {fy}\n");
    let [sx, sy] = block.swing.map(|swing| sine(swing, block.omega[0]));
    let [k, d] = block.spring.map(n);
    text += &format!("[plane_spring.s]\non = \"b\"\nx = {sx}\ny = {sy}\nstiffness = {k}\ndamping = {d}\n");
    FamilyCase { text, end: 5.0, columns: vec!["b.x", "b.y", "b.vx", "b.vy"], reference: Box::new(block) }
}
