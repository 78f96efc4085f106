//! Shapes with a purpose of their own: motions that have a closed form, and the laboratory test of rate-and-state friction.
use super::laws::Scales;
use super::{Builder, Load, Model, Node, Signal};
use crate::model::LawChoice;

impl Builder {
    /// A block by Coulomb's law that has a motion in closed form, or a bouncing ball.
    pub(super) fn closed_form(&mut self) {
        let b = self.body(false);
        let (force, length, speed, time) =
            (self.scales.force(), self.scales.length, self.scales.speed(), self.scales.time);
        let ground = [Node::Body(b), Node::Ground];
        let kind = self.random.below(4);
        if kind == 0 {
            let restitution = self.random.pick(&[0.0, 0.3, 0.5, 0.8]);
            self.force(b, Signal::Constant(-force));
            self.stop(ground, 0.0, f64::INFINITY);
            self.model.stops[0].restitution = restitution;
            self.model.bodies[b].x = length * self.random.between(0.5, 2.0);
            return;
        }
        let level = force * self.random.decade(-1.0, 0.0);
        let law = self.random.pick(&["coulomb", "stiction"]);
        let c = self.contact_with(law, ground, level);
        let law = &mut self.model.contacts[c].law;
        law.values.iter_mut().filter(|(key, _)| *key == "fv").for_each(|(_, x)| *x = 0.0);
        let let_go = super::laws::break_away(law);
        match kind {
            1 => {
                let share = if self.random.chance(0.7) {
                    1.0 - self.random.decade(-4.0, -0.7)
                } else {
                    self.random.between(0.3, 1.0)
                };
                let omega = self.random.between(0.5, 3.0) / time;
                self.force(b, Signal::Sine { mean: 0.0, amplitude: let_go / share, omega, phase: 0.0 });
            }
            2 => {
                let k = level / length * self.random.decade(0.5, 2.0);
                let s = self.spring(ground, k);
                self.model.springs[s].damping = 0.0;
                self.model.bodies[b].x = length * self.random.between(0.5, 2.0);
            }
            _ => {
                let k = level / length * self.random.decade(0.0, 1.5);
                let s = self.spring(ground, k);
                self.model.springs[s].damping = 0.0;
                let slope = speed * self.random.decade(-1.5, -0.3);
                let m = self.motion(Signal::Ramp { offset: 0.0, slope, start: 0.0, end: f64::INFINITY });
                self.model.contacts[c].ends = [Node::Body(b), Node::Motion(m)];
            }
        }
    }
    /// A block pulled slowly through a spring on a rate-and-state law, under a load or a force that swings.
    pub(super) fn laboratory(&mut self) {
        let name = match self.law {
            "ruina" => "ruina",
            "rate-state" => "rate-state",
            _ => self.random.pick(&["dieterich", "dieterich", "ruina", "rate-state"]),
        };
        let r = &mut self.random;
        let (pull, dc, normal) = (r.decade(-7.0, -4.0), r.decade(-6.0, -4.0), r.decade(1.0, 4.0));
        let (a, mu0) = (r.decade(-2.5, -1.7), r.between(0.4, 0.8));
        let b = a * r.pick(&[0.5, 0.9, 1.2, 2.0]);
        // above and below the stiffness at which steady sliding loses its stability
        let critical = normal * (b - a).abs().max(0.1 * a) / dc;
        let stiffness = critical * r.decade(-0.5, 1.0);
        let time = dc / pull;
        self.scales = Scales { mass: r.decade(-1.0, 1.0), length: dc, time };
        self.model = Model::new(time * r.decade(1.0, 2.3));
        let (swing, omega) = (r.pick(&[0.0, 0.02, 0.05, 0.2]), r.decade(-0.5, 1.0) / time);
        let block = self.body(true);
        let ramp = Signal::Ramp { offset: 0.0, slope: pull, start: 0.0, end: f64::INFINITY };
        let m = self.motion(ramp);
        let s = self.spring([Node::Motion(m), Node::Body(block)], stiffness);
        self.model.springs[s].damping = 0.0;
        let c = self.contact_with("coulomb", [Node::Body(block), Node::Ground], normal);
        let mut values = vec![("mu0", mu0), ("a", a), ("b", b), ("v0", 1e-6), ("normal", normal)];
        match name {
            "rate-state" => values.extend([("theta0", time), ("d0", dc)]),
            _ => values.push(("dc", dc)),
        }
        self.model.contacts[c].law = LawChoice { name, values, reverse: Vec::new(), noise: Vec::new() };
        if self.random.chance(0.7) {
            self.model.contacts[c].load = Load::Signal(Signal::Sine { mean: 1.0, amplitude: swing, omega, phase: 0.0 });
        } else {
            let amplitude = swing * mu0 * normal;
            self.force(block, Signal::Sine { mean: 0.0, amplitude, omega, phase: 0.0 });
        }
    }
}
