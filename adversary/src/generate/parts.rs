//! The shapes of systems.
use super::laws::{STICKING, break_away, draw};
use super::{Builder, ContactKind, Control, Drive, Gear, Load, Node, Signal};

/// Shares of a threshold: just below it, at it and above it.
const LEVELS: [f64; 6] = [0.8, 0.9, 0.99, 0.999, 0.9999, 1.0];

impl Builder {
    /// Wrappers around the law of contact `c`, now and then.
    pub(super) fn wrap(&mut self, c: usize) {
        let force = self.scales.force();
        let frequency = 1.0 / self.scales.time;
        let r = &mut self.random;
        let law = &mut self.model.contacts[c].law;
        if r.chance(0.12) {
            // levels for the other direction, all by one factor
            let factor = r.between(0.7, 1.4);
            let keys = ["fc", "fs", "fmax", "fc1", "fc2", "normal"];
            law.reverse =
                law.values.iter().filter(|(key, _)| keys.contains(key)).map(|(key, x)| (*key, x * factor)).collect();
        }
        let energy = force * self.scales.length;
        let heating = r.chance(0.1).then(|| {
            // some kelvins by the energy of the motion, which are gone soon or late
            let capacity = energy * r.decade(-1.0, 1.0);
            [capacity, capacity * frequency * r.decade(-1.5, 0.5), r.pick(&[0.0, 0.02, 0.1, 0.3])]
        });
        if r.chance(0.03) {
            law.noise =
                vec![("amplitude", 0.05 * force), ("frequency", frequency), ("seed", (100.0 * r.unit()).floor())];
        }
        self.model.contacts[c].heating = heating;
    }
    /// A body that friction slows down to about the speeds at which friction varies most, until a rising force takes it away again.
    pub(super) fn slowing_down(&mut self) {
        let b = self.body(false);
        let level = self.scales.force() * self.random.decade(-0.7, 0.3);
        let c = self.contact_with(self.law, [Node::Body(b), Node::Ground], level);
        let speed = self.scales.speed() * self.random.between(0.3, 3.0);
        // constant friction F and a force that rises at the rate r take F^2/(2 m r) of the speed
        let (lowest, friction) = (speed * self.random.decade(-4.0, -0.3), break_away(&self.model.contacts[c].law));
        let friction = friction * self.random.between(0.7, 1.0);
        let rate = friction * friction / (2.0 * self.model.bodies[b].mass * (speed - lowest));
        let side = self.random.sign();
        self.model.bodies[b].v = side * speed;
        self.force(b, Signal::Ramp { offset: 0.0, slope: side * rate, start: 0.0, end: f64::INFINITY });
        self.model.end = self.random.between(1.2, 3.0) * friction / rate;
    }
    /// One body on the ground, with some of everything.
    pub(super) fn one_body(&mut self) {
        let b = self.body(false);
        let speed = self.scales.speed();
        if self.random.chance(0.6) {
            self.model.bodies[b].v = speed * self.random.between(-1.0, 1.0);
        }
        self.contact([Node::Body(b), Node::Ground]);
        if self.random.chance(0.6) {
            let k = self.stiffness();
            let s = self.spring([Node::Body(b), Node::Ground], k);
            self.model.springs[s].rest = self.scales.length * self.random.between(-1.0, 1.0);
            if self.random.chance(0.25) {
                let (f, l) = (k * self.scales.length, self.scales.length);
                let bend = self.random.between(0.3, 3.0);
                self.model.springs[s].stiffness = 0.0;
                self.model.springs[s].table =
                    vec![[-l, -f * bend], [-0.3 * l, -0.3 * f], [0.3 * l, 0.3 * f], [l, f * bend]];
            }
        }
        if self.random.chance(0.3) {
            let damping = self.scales.damping() * self.random.decade(-2.0, 0.0);
            let s = self.spring([Node::Body(b), Node::Ground], 0.0);
            self.model.springs[s].damping = damping;
        }
        if self.random.chance(0.7) {
            let level = break_away(&self.model.contacts[0].law);
            let size = level * self.random.between(0.5, 3.0);
            let signal = self.signal(size);
            self.force(b, signal);
        }
        self.turn_or_not();
        if self.random.chance(0.25) {
            let gap = self.gap();
            let linear = self.model.springs.iter_mut().find(|spring| spring.stiffness != 0.0);
            linear.into_iter().for_each(|spring| spring.gap = Some(gap));
        }
        if self.random.chance(0.08) {
            // a ratchet
            self.freewheel([Node::Body(b), Node::Ground]);
        }
    }
    /// A gap that the motion crosses: about its size, on both sides or on one.
    fn gap(&mut self) -> [f64; 2] {
        let length = self.scales.length;
        let wide = length * self.random.between(0.0, 0.7);
        match self.random.below(4) {
            0 => [-wide, f64::INFINITY],
            1 => [f64::NEG_INFINITY, wide],
            _ => [-wide, length * self.random.between(0.0, 0.7)],
        }
    }
    /// Bodies that rotate instead of translating, half the time: the same equations under other keys.
    fn turn_or_not(&mut self) {
        if self.random.chance(0.3) {
            self.model.bodies.iter_mut().filter(|body| body.pendulum.is_none()).for_each(|body| body.rotates = true);
            self.model.motions.iter_mut().for_each(|motion| motion.rotates = true);
        }
    }
    /// A body at rest under a force that swings to its break-away level or just beyond.
    pub(super) fn near_threshold(&mut self) {
        let count = 1 + usize::from(self.random.chance(0.3));
        for _ in 0..count {
            let b = self.body(count > 1);
            let c = if self.random.chance(0.5) {
                let level = self.scales.force();
                let law = self.random.pick(&STICKING);
                self.contact_with(law, [Node::Body(b), Node::Ground], level)
            } else {
                self.contact([Node::Body(b), Node::Ground])
            };
            let level = break_away(&self.model.contacts[c].law);
            let share =
                if self.random.chance(0.4) { self.random.between(0.8, 0.9999) } else { self.random.pick(&LEVELS) };
            // the force reaches its peak just above the level, or just not
            let amplitude = if self.random.chance(0.8) { level / share } else { level * share };
            let omega = 1.0 / self.scales.time;
            let force = match self.random.below(4) {
                0 => {
                    let (slope, end) = (amplitude / self.scales.time, self.scales.time);
                    Signal::Ramp { offset: 0.0, slope, start: 0.0, end }
                }
                1 => Signal::Move { start: 0.0, time: 2.0 * self.scales.time, before: 0.0, after: amplitude },
                _ => Signal::Sine { mean: 0.0, amplitude, omega, phase: 0.0 },
            };
            self.force(b, force);
        }
        if count > 1 && self.random.chance(0.7) {
            let k = self.stiffness() * 0.1;
            self.spring([Node::Body(0), Node::Body(1)], k);
        }
    }
    /// A body on a moving belt, held by a spring.
    pub(super) fn belt(&mut self) {
        let b = self.body(false);
        let speed = self.scales.speed() * self.random.decade(-1.5, 0.0);
        let position = match self.random.below(3) {
            0 => Signal::Sine { mean: 0.0, amplitude: self.scales.length, omega: self.omega(), phase: 0.0 },
            _ => Signal::Ramp { offset: 0.0, slope: speed, start: 0.0, end: f64::INFINITY },
        };
        let m = self.motion(position);
        if self.random.chance(0.7) {
            self.contact([Node::Body(b), Node::Motion(m)]);
            let k = self.stiffness();
            self.spring([Node::Body(b), Node::Ground], k);
        } else {
            self.contact([Node::Body(b), Node::Ground]);
            let k = self.stiffness();
            self.spring([Node::Motion(m), Node::Body(b)], k);
        }
        if self.random.chance(0.3) {
            self.model.bodies[b].x = self.scales.length * self.random.between(-0.5, 0.5);
        }
        self.turn_or_not();
    }
    /// Bodies on each other, on the ground or on a shaking table.
    pub(super) fn stack(&mut self) {
        let count = 2 + self.random.below(3);
        let equal = self.random.chance(0.4);
        let base = if self.random.chance(0.5) {
            let (amplitude, omega) = (self.scales.length * self.random.decade(-1.0, 0.0), self.omega());
            Node::Motion(self.motion(Signal::Sine { mean: 0.0, amplitude, omega, phase: 0.0 }))
        } else {
            Node::Ground
        };
        let special = self.random.below(count);
        let mut below = base;
        for i in 0..count {
            let b = self.body(equal);
            if self.random.chance(0.4) {
                self.model.bodies[b].v = self.scales.speed() * self.random.between(-1.0, 1.0);
            }
            if i == special {
                self.contact([Node::Body(b), below]);
            } else {
                self.sticking([Node::Body(b), below]);
            }
            below = Node::Body(b);
        }
        if base == Node::Ground || self.random.chance(0.3) {
            let on = self.random.below(count);
            let size = self.scales.force() * self.random.between(0.3, 3.0);
            let signal = self.signal(size);
            self.force(on, signal);
        }
        if self.random.chance(0.5) {
            let (on, k) = (self.random.below(count), self.stiffness());
            self.spring([Node::Body(on), Node::Ground], k);
        }
        if self.random.chance(0.3) {
            // beside the contact between two bodies, or instead of it
            self.freewheel([Node::Body(1), Node::Body(0)]);
            if self.random.chance(0.5) && special != 1 {
                self.model.contacts.remove(1);
            }
        }
    }
    /// Bodies in a row, joined by springs, each with friction on the ground, pulled or shaken.
    pub(super) fn chain(&mut self) {
        let count = 2 + self.random.below(4);
        let equal = self.random.chance(0.5);
        let law = if self.random.chance(0.5) { self.law } else { "stiction" };
        let level = self.scales.force() * self.random.decade(-0.7, 0.0);
        let k = self.stiffness();
        for _ in 0..count {
            let b = self.body(equal);
            self.contact_with(law, [Node::Body(b), Node::Ground], level);
            if b > 0 {
                self.spring([Node::Body(b - 1), Node::Body(b)], k);
            }
        }
        let speed = self.scales.speed() * self.random.decade(-1.0, 0.0);
        let m = self.motion(Signal::Ramp { offset: 0.0, slope: speed, start: 0.0, end: f64::INFINITY });
        self.spring([Node::Motion(m), Node::Body(0)], k);
        if self.random.chance(0.5) {
            let signal = self.signal(level * 3.0);
            self.force(count - 1, signal);
        }
    }
    /// A contact whose motion is prescribed.
    pub(super) fn driven_contact(&mut self) {
        let reach = self.scales.length * self.random.decade(-2.5, 0.3);
        let (omega, end) = (self.omega(), self.model.end);
        let position = match self.random.below(4) {
            0 => Signal::Ramp { offset: 0.0, slope: reach / end, start: 0.0, end: 0.6 * end },
            1 => Signal::Sum(vec![
                Signal::Sine { mean: 0.0, amplitude: reach, omega, phase: 0.0 },
                Signal::Sine { mean: 0.0, amplitude: 0.4 * reach, omega: 2.7 * omega, phase: 0.5 },
            ]),
            2 => Signal::Move { start: 0.1 * end, time: 0.6 * end, before: 0.0, after: reach },
            _ => Signal::Sine { mean: 0.0, amplitude: reach, omega, phase: 0.0 },
        };
        let m = self.motion(position);
        let c = self.contact([Node::Motion(m), Node::Ground]);
        if self.random.chance(0.3) {
            let load = self.load_signal();
            self.model.contacts[c].load = Load::Signal(load);
        }
    }
    /// One body held by several contacts.
    pub(super) fn parallel(&mut self) {
        let b = self.body(false);
        for i in 0..2 + self.random.below(2) {
            if i == 0 {
                self.contact([Node::Body(b), Node::Ground]);
            } else {
                self.sticking([Node::Body(b), Node::Ground]);
            }
        }
        let level: f64 = self.model.contacts.iter().map(|contact| break_away(&contact.law)).sum();
        let share = self.random.pick(&[0.5, 0.99, 1.0, 1.01, 1.5, 3.0]);
        let signal = self.signal(level * share);
        self.force(b, signal);
        if self.random.chance(0.5) {
            let k = self.stiffness();
            self.spring([Node::Body(b), Node::Ground], k);
        }
    }
    /// One body between stops, pressed by a spring or a force.
    pub(super) fn stops(&mut self) {
        let b = self.body(false);
        let (length, force) = (self.scales.length, self.scales.force());
        if self.random.chance(0.7) {
            let k = self.stiffness();
            let s = self.spring([Node::Body(b), Node::Ground], k);
            // pressed against the stop at rest, or not
            self.model.springs[s].rest = length * self.random.between(-1.0, 2.0);
        }
        if self.random.chance(0.6) {
            let size = force * self.random.between(0.3, 3.0);
            let signal = if self.random.chance(0.5) { Signal::Constant(size) } else { self.signal(size) };
            self.force(b, signal);
        }
        let lo = if self.random.chance(0.5) { -length * self.random.between(0.1, 1.0) } else { f64::NEG_INFINITY };
        let hi = length * self.random.between(0.1, 1.0);
        self.stop([Node::Body(b), Node::Ground], lo, hi);
        if self.random.chance(0.5) {
            self.contact([Node::Body(b), Node::Ground]);
        }
        if self.random.chance(0.5) {
            self.model.bodies[b].v = self.scales.speed() * self.random.between(-1.0, 1.0);
        }
        self.turn_or_not();
        if self.random.chance(0.3) {
            // surfaces that give, instead of hard ones or behind them
            let k = self.stiffness();
            let s = self.spring([Node::Body(b), Node::Ground], k);
            let room = self.random.pick(&[0.7, 1.0, 1.5]);
            self.model.springs[s].gap = Some([room * lo, room * hi]);
            if self.random.chance(0.6) {
                self.model.stops.clear();
            }
        }
    }
    /// Bodies in a row that run into each other, symmetric now and then.
    pub(super) fn collision(&mut self) {
        let count = 2 + self.random.below(2);
        let symmetric = self.random.chance(0.6);
        let (length, speed) = (self.scales.length, self.scales.speed());
        for i in 0..count {
            let b = self.body(symmetric);
            let place = i as f64 - 0.5 * (count - 1) as f64;
            self.model.bodies[b].x = length * place;
            let v = if symmetric {
                -place.signum() * f64::from(u8::from(place != 0.0))
            } else {
                self.random.between(-1.0, 1.0)
            };
            self.model.bodies[b].v = speed * v;
            if b > 0 {
                self.stop([Node::Body(b), Node::Body(b - 1)], 0.3 * length, f64::INFINITY);
            }
        }
        if symmetric {
            let e = self.model.stops[0].restitution;
            self.model.stops.iter_mut().for_each(|stop| stop.restitution = e);
        }
        if self.random.chance(0.5) {
            let level = self.scales.force() * self.random.decade(-1.5, -0.3);
            let law = if self.random.chance(0.5) { "coulomb" } else { self.law };
            for b in 0..count {
                self.contact_with(law, [Node::Body(b), Node::Ground], level);
            }
        }
        if self.random.chance(0.4) {
            let k = self.stiffness();
            self.spring([Node::Body(0), Node::Body(count - 1)], k);
        }
    }
    /// Two bodies on a gear, rigid or elastic.
    pub(super) fn gears(&mut self) {
        let (a, b) = (self.body(false), self.body(false));
        let ratio = self.random.pick(&[1.0, -1.0, 2.0, 5.0, 0.5, -3.0]);
        let (stiffness, loss) = if self.random.chance(0.5) {
            (None, None)
        } else {
            let level = self.scales.force() * self.random.decade(-1.5, -0.3);
            let scales = self.scales;
            let loss = self.random.chance(0.5).then(|| {
                let mut law = draw("gear", level, &scales, &mut self.random);
                // the load is the torque itself
                law.values.iter_mut().filter(|(key, _)| *key == "torque").for_each(|(_, x)| *x = 1.0);
                law
            });
            (Some(self.stiffness()), loss)
        };
        let damping = if stiffness.is_some() { 0.1 * self.scales.damping() * self.random.unit() } else { 0.0 };
        let (drive, error) = (Drive::Ratio, None);
        let ends = [a, b];
        self.model.gears.push(Gear {
            name: "g0".into(),
            ends,
            ratio,
            stiffness,
            damping,
            backlash: 0.0,
            loss,
            drive,
            error,
        });
        if self.random.chance(0.7) {
            self.contact([Node::Body(a), Node::Ground]);
        }
        if self.random.chance(0.5) {
            self.sticking([Node::Body(b), Node::Ground]);
        }
        let v = self.scales.speed() * self.random.between(-1.0, 1.0);
        if self.random.chance(0.5) {
            self.model.bodies[b].v = v;
            self.model.bodies[a].v = ratio * v;
        }
        let size = self.scales.force() * self.random.between(0.5, 3.0);
        let signal = self.signal(size);
        self.force(a, signal);
        if self.random.chance(0.4) {
            let k = self.stiffness();
            self.spring([Node::Body(b), Node::Ground], k);
        }
        self.model.bodies.iter_mut().for_each(|body| body.rotates = true);
        if stiffness.is_some() && self.random.chance(0.4) {
            self.model.gears[0].backlash = self.scales.length * self.random.decade(-2.0, 0.0);
        }
    }
    /// A load factor that swings, falls to zero or below, or rises from there.
    fn load_signal(&mut self) -> Signal {
        let (omega, end, time) = (self.omega(), self.model.end, self.scales.time);
        let r = &mut self.random;
        match r.below(5) {
            0 => Signal::Ramp {
                offset: 1.0,
                slope: -1.0 / time,
                start: 0.1 * end,
                end: 0.1 * end + time * r.between(0.5, 1.5),
            },
            1 => Signal::Ramp { offset: 0.0, slope: 1.0 / time, start: 0.1 * end, end: 0.1 * end + time },
            2 => Signal::Sine { mean: 0.5, amplitude: 1.0, omega, phase: 0.0 },
            3 => Signal::Step { at: 0.4 * end, before: 1.0, after: r.pick(&[0.0, 0.5, 2.0]) },
            _ => Signal::Sine { mean: 1.0, amplitude: r.between(0.05, 0.9), omega, phase: 0.0 },
        }
    }
    /// A contact whose normal load changes; a clutch or a brake.
    pub(super) fn load(&mut self) {
        let b = self.body(false);
        let clutch = self.random.chance(0.3);
        if self.random.chance(0.7) {
            self.model.bodies[b].v = self.scales.speed() * self.random.between(-1.0, 1.0);
        }
        let other = if clutch { Node::Body(self.body(false)) } else { Node::Ground };
        let c = self.contact([Node::Body(b), other]);
        if self.random.chance(0.25) {
            let k = self.stiffness();
            let s = self.spring([Node::Body(b), Node::Ground], k);
            let gain = self.random.decade(-0.5, 0.5) / self.scales.force();
            self.model.contacts[c].load = Load::Spring(s, gain);
        } else {
            let load = self.load_signal();
            let kind = if clutch { ContactKind::Clutch } else { ContactKind::Brake };
            self.model.contacts[c].load = Load::Signal(load);
            if self.random.chance(0.6) {
                self.model.contacts[c].kind = kind;
                let law = &mut self.model.contacts[c].law;
                // the default of a clutch or brake is none
                if let Some(fv) = law.values.iter_mut().find(|(key, _)| *key == "fv") {
                    fv.1 = 0.0;
                }
            }
        }
        if self.random.chance(0.15) {
            self.model.contacts[c].map = Some([self.random.between(0.0, 1.0), self.random.between(0.2, 1.0)]);
        }
        let level = break_away(&self.model.contacts[c].law);
        if self.random.chance(0.8) {
            let size = level * self.random.between(0.2, 2.0);
            let signal = if self.random.chance(0.4) { Signal::Constant(size) } else { self.signal(size) };
            self.force(b, signal);
        }
        self.turn_or_not();
        if clutch && self.random.chance(0.3) {
            self.freewheel([Node::Body(b), other]);
        }
    }
    /// A position servo.
    pub(super) fn servo(&mut self) {
        let b = self.body(false);
        let mass = self.model.bodies[b].mass;
        self.contact([Node::Body(b), Node::Ground]);
        let bandwidth = self.random.between(2.0, 8.0) / self.scales.time;
        let gains = [mass * bandwidth * bandwidth, 2.0 * self.random.between(0.4, 1.2) * mass * bandwidth];
        let ki = if self.random.chance(0.6) { 0.2 * gains[0] * bandwidth } else { 0.0 };
        let (end, length) = (self.model.end, self.scales.length);
        let omega = self.omega();
        let reference = match self.random.below(3) {
            0 => Signal::Step { at: 0.1 * end, before: 0.0, after: length },
            1 => Signal::Sine { mean: 0.0, amplitude: length, omega, phase: 0.0 },
            _ => Signal::Move { start: 0.1 * end, time: 0.4 * end, before: 0.0, after: length },
        };
        let limit =
            if self.random.chance(0.25) { 2.0 * break_away(&self.model.contacts[0].law) } else { f64::INFINITY };
        let period = self.random.chance(0.3).then(|| self.scales.time / 64.0);
        let name = "servo".to_owned();
        self.model.controls.push(Control { name, on: b, gains, ki, reference, limit, period });
    }
    /// A pendulum with friction in its joint.
    pub(super) fn pendulum(&mut self) {
        let b = self.body(false);
        // the angle is a number of order one whatever the scales; its time is that of the system
        self.scales.length = 1.0;
        let (length, mass, time) = (self.random.decade(-1.0, 0.5), self.model.bodies[b].mass, self.scales.time);
        self.scales.mass = mass * length * length;
        let gravity = length / (time * time);
        let body = &mut self.model.bodies[b];
        (body.pendulum, body.rotates, body.name) = (Some([length, gravity]), true, "q0".to_owned());
        body.x = self.random.between(-2.0, 2.0);
        let level = self.scales.mass / (time * time) * self.random.decade(-1.5, -0.3);
        self.contact_with(self.law, [Node::Body(b), Node::Ground], level);
    }
}
