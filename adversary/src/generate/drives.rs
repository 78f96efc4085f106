//! Wheels that roll and slip, screws, belts, and gears with a kinematic error.
use super::laws::{STICKING, Scales};
use super::{Builder, Drive, Gear, Node};
use std::f64::consts::TAU;

impl Builder {
    /// A body that turns, of about the same reflected mass as the others at this radius, and the scales of its rotation.
    fn turning_body(&mut self, radius: f64) -> (usize, Scales) {
        let b = self.body(false);
        self.model.bodies[b].mass *= radius * radius;
        self.model.bodies[b].rotates = true;
        let Scales { mass, length, time } = self.scales;
        (b, Scales { mass: mass * radius * radius, length: length / radius, time })
    }
    /// Lets `build` draw with other scales.
    fn scaled(&mut self, scales: Scales, build: impl FnOnce(&mut Self)) {
        let kept = std::mem::replace(&mut self.scales, scales);
        build(self);
        self.scales = kept;
    }
    /// A wheel on its car: driven, braked, with friction in its bearing, on a surface whose law is that of the case.
    pub(super) fn wheel(&mut self) {
        let car = self.body(false);
        let radius = self.scales.length * self.random.decade(-1.0, 0.5);
        let (wheel, turning) = self.turning_body(radius);
        let ends = if self.random.chance(0.5) { [car, wheel] } else { [wheel, car] };
        let c = self.contact(ends.map(Node::Body));
        self.model.contacts[c].radius = Some(radius);
        let v = self.scales.speed() * self.random.between(-1.0, 1.0);
        if self.random.chance(0.7) {
            self.model.bodies[car].v = v;
        }
        if self.random.chance(0.4) {
            // rolls at first
            self.model.bodies[wheel].v = self.model.bodies[car].v / radius;
        }
        if self.random.chance(0.7) {
            self.scaled(turning, |b| {
                let torque = b.scales.force() * b.random.between(0.3, 2.0);
                let signal = b.signal(torque);
                b.force(wheel, signal);
            });
        }
        if self.random.chance(0.5) {
            self.scaled(turning, |b| {
                b.sticking([Node::Body(wheel), Node::Ground]);
            });
        }
        if self.random.chance(0.4) {
            let size = self.scales.force() * self.random.between(0.3, 1.5);
            let signal = self.signal(size);
            self.force(car, signal);
        }
        if self.random.chance(0.3) {
            let k = self.stiffness();
            self.spring([Node::Body(car), Node::Ground], k);
        }
    }
    /// A carriage on a screw or a belt, rigid or elastic, or two shafts on a gear with a kinematic error.
    pub(super) fn drive(&mut self) {
        let first = self.body(false);
        let radius = self.scales.length * self.random.decade(-1.0, 0.0);
        let (second, turning) = self.turning_body(radius);
        let ratio = radius * self.random.sign();
        let drive = self.random.pick(&[Drive::Lead, Drive::Radii, Drive::Ratio]);
        if drive == Drive::Ratio {
            // both turn, with the same numbers
            self.model.bodies[first].rotates = true;
        }
        let stiffness = self.random.chance(0.7).then(|| self.stiffness());
        let damping = if stiffness.is_some() { 0.2 * self.scales.damping() * self.random.unit() } else { 0.0 };
        let mut gear = Gear {
            name: "g0".into(),
            ends: [first, second],
            ratio,
            stiffness,
            damping,
            backlash: 0.0,
            loss: None,
            drive,
            error: None,
        };
        if stiffness.is_some() {
            if self.random.chance(0.6) {
                // some waves in the motion, of a share of the stretch
                let waves = (radius / self.scales.length * TAU * self.random.between(0.2, 2.0)).max(1e-3);
                let amplitude = self.scales.length * self.random.decade(-2.5, -1.0);
                gear.error = Some([amplitude, waves, self.random.between(-3.0, 3.0)]);
            } else if self.random.chance(0.3) {
                gear.backlash = self.scales.length * self.random.decade(-2.0, 0.0);
            }
        }
        self.model.gears.push(gear);
        self.contact([Node::Body(first), Node::Ground]);
        if self.random.chance(0.5) {
            let law = self.random.pick(&STICKING);
            self.scaled(turning, |b| {
                let level = b.scales.force() * b.random.decade(-1.0, 0.0);
                b.contact_with(law, [Node::Body(second), Node::Ground], level);
            });
        }
        if self.random.chance(0.5) {
            let v = turning.speed() * self.random.between(-1.0, 1.0);
            self.model.bodies[second].v = v;
            self.model.bodies[first].v = ratio * v;
        }
        self.scaled(turning, |b| {
            let torque = b.scales.force() * b.random.between(0.5, 3.0);
            let signal = b.signal(torque);
            b.force(second, signal);
        });
        if self.random.chance(0.3) {
            let k = self.stiffness();
            self.spring([Node::Body(first), Node::Ground], k);
        }
    }
}
