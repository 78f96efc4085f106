//! The equations of motion between events.
//!
//! The state: x, y and angle of all bodies, then their velocities, deflections of bristles, then work, energy taken by friction, and energy taken by dampers.
use super::friction::PlaneFriction;
use super::number::{Number, dot, length};
use crate::system::{PlaneAnchor, PlaneBody, PlaneSpring, PlaneSystem, Signal};
use stiction_core::Dual;

/// Whether a body rests or slides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlidingMode {
    Stick,
    Slide,
}

/// A function of time and its rate.
pub(super) type SignalRate<R> = [R; 2];

/// The bodies with what acts on them.
pub(super) struct PlaneFlow<'s> {
    pub system: &'s PlaneSystem,
    pub frictions: Vec<PlaneFriction<'s>>,
    /// In the order of [`PlaneSystem::signals`].
    signals: Vec<&'s Signal>,
    /// The first signal of each spring.
    anchors: Vec<usize>,
    slope: [f64; 2],
    /// Where the deflections of bodies with bristles are.
    bristles: Vec<Option<usize>>,
}

/// What a spring does to its body.
pub(super) struct SpringForce<R> {
    pub force: [R; 2],
    /// Energy that its damper takes, and work of its moving point \[W\].
    pub damping: R,
    pub work: R,
}

impl<'s> PlaneFlow<'s> {
    pub fn new(system: &'s PlaneSystem) -> Self {
        let mut next = system.bodies.len() + 3 * system.forces.len();
        let anchors = system.springs.iter().map(|spring| {
            let first = next;
            next += if matches!(spring.anchor, PlaneAnchor::Point(_)) { 2 } else { 0 };
            first
        });
        let anchors = anchors.collect();
        let frictions: Vec<_> = system.bodies.iter().map(|body| PlaneFriction::new(&system.plane, body)).collect();
        let mut next = 6 * system.bodies.len();
        let bristles = frictions.iter().map(|friction| {
            friction.bristles().map(|_| {
                next += 2;
                next - 2
            })
        });
        Self {
            anchors,
            system,
            bristles: bristles.collect(),
            frictions,
            signals: system.signals().collect(),
            slope: system.plane.slope_acceleration(),
        }
    }
    pub fn bodies(&self) -> usize {
        self.system.bodies.len()
    }
    /// Number of states.
    pub fn len(&self) -> usize {
        self.energies_at() + 3
    }
    /// Where the energies begin.
    pub fn energies_at(&self) -> usize {
        6 * self.bodies() + 2 * self.bristles.iter().flatten().count()
    }
    /// Where the velocity of a body is.
    pub fn velocity_at(&self, body: usize) -> usize {
        3 * self.bodies() + 3 * body
    }
    /// Where the position of a body is.
    pub fn position_at(&self, body: usize) -> usize {
        3 * body
    }
    pub fn position<R: Number>(&self, body: usize, y: &[R]) -> [R; 2] {
        [y[3 * body], y[3 * body + 1]]
    }
    pub fn velocity<R: Number>(&self, body: usize, y: &[R]) -> [R; 2] {
        let [vx, vy, _] = self.motion(body, y);
        [vx, vy]
    }
    /// Velocity and spin.
    pub fn motion<R: Number>(&self, body: usize, y: &[R]) -> [R; 3] {
        let at = self.velocity_at(body);
        [y[at], y[at + 1], y[at + 2]]
    }
    /// The deflection of a body's bristles, if it has any.
    pub fn deflection<R: Number>(&self, body: usize, y: &[R]) -> Option<[R; 2]> {
        self.bristles[body].map(|at| [y[at], y[at + 1]])
    }
    /// Force and moment of friction on a body that slides, and the rate of its bristles.
    pub fn friction<R: Number>(&self, body: usize, signals: &[SignalRate<R>], y: &[R]) -> ([R; 3], [R; 2]) {
        let (friction, load) = (&self.frictions[body], self.load(body, signals));
        match (friction.bristles(), self.deflection(body, y)) {
            (Some(bristles), Some(z)) => {
                let [rate, [x, y]] = friction.bristle_flow(bristles, z, self.velocity(body, y), load);
                ([x, y, R::lit(0.0)], rate)
            }
            _ => (friction.force(self.motion(body, y), load), [R::lit(0.0); 2]),
        }
    }
    /// Masses for both components of the velocity, and inertia.
    pub fn inertias(&self, body: usize) -> [f64; 3] {
        let PlaneBody { mass, .. } = self.system.bodies[body];
        [mass, mass, self.system.bodies[body].inertia()]
    }
    /// The speed of a body with its spin: twice its kinetic energy is the mass times the square of it.
    pub fn speed(&self, body: usize, motion: [f64; 3]) -> f64 {
        (self.product(body, motion, motion)).sqrt()
    }
    /// The product of two motions of a body to which that speed belongs.
    pub fn product(&self, body: usize, a: [f64; 3], b: [f64; 3]) -> f64 {
        let [mass, _, inertia] = self.inertias(body);
        a[0] * b[0] + a[1] * b[1] + inertia / mass * a[2] * b[2]
    }
    /// All signals at `t`, on the pieces that hold at `from`.
    pub fn signals(&self, t: f64, from: f64) -> Vec<SignalRate<f64>> {
        self.signals.iter().map(|signal| signal.eval(t, from)).map(|[x, v, ..]| [x, v]).collect()
    }
    /// The same with derivatives by time as derivative number `i`.
    pub fn signals_by_time<const N: usize>(&self, t: f64, from: f64, i: usize) -> Vec<SignalRate<Dual<f64, N>>> {
        let dual = |re: f64, rate: f64| {
            let mut dual = Dual::constant(re);
            if let Some(eps) = dual.eps.get_mut(i) {
                *eps = rate;
            }
            dual
        };
        self.signals.iter().map(|signal| signal.eval(t, from)).map(|[x, v, a, _]| [dual(x, v), dual(v, a)]).collect()
    }
    pub fn next_breakpoint(&self, t: f64) -> f64 {
        self.signals.iter().map(|signal| signal.next_breakpoint(t)).fold(f64::INFINITY, f64::min)
    }
    pub fn max_resolved_step(&self, t: f64) -> f64 {
        self.signals.iter().map(|signal| signal.max_resolved_step(t)).fold(f64::INFINITY, f64::min)
    }
    /// The load factor of a body.
    pub fn load<R: Number>(&self, body: usize, signals: &[SignalRate<R>]) -> R {
        signals[body][0]
    }
    /// An applied force, and moment.
    pub fn applied<R: Number>(&self, k: usize, signals: &[SignalRate<R>]) -> [R; 3] {
        let first = self.bodies() + 3 * k;
        [0, 1, 2].map(|i| signals[first + i][0])
    }
    /// The displacement of a spring's body from its other end, its rate, and the velocity of a moving point.
    fn displacement<R: Number>(&self, k: usize, signals: &[SignalRate<R>], y: &[R]) -> [[R; 2]; 3] {
        let spring = &self.system.springs[k];
        let (r, v) = (self.position(spring.on, y), self.velocity(spring.on, y));
        let (to, rate, driven) = match spring.anchor {
            PlaneAnchor::Body(other) => (self.position(other, y), self.velocity(other, y), [R::lit(0.0); 2]),
            PlaneAnchor::Point(_) => {
                let [x, y] = [0, 1].map(|i| signals[self.anchors[k] + i]);
                ([x[0], y[0]], [x[1], y[1]], [x[1], y[1]])
            }
        };
        [[r[0] - to[0], r[1] - to[1]], [v[0] - rate[0], v[1] - rate[1]], driven]
    }
    /// The force of a spring on its body.
    pub fn spring<R: Number>(&self, k: usize, signals: &[SignalRate<R>], y: &[R]) -> SpringForce<R> {
        let spring = &self.system.springs[k];
        let [d, rate, driven] = self.displacement(k, signals, y);
        let (stiffness, damping) = (R::lit(spring.stiffness), R::lit(spring.damping));
        let (force, lost) = match line(spring, d) {
            Some((direction, stretch)) => {
                let speed = dot(rate, direction);
                let pull = -(stiffness * stretch + damping * speed);
                (direction.map(|e| pull * e), damping * speed * speed)
            }
            None => {
                let force = [0, 1].map(|i| -(stiffness * d[i] + damping * rate[i]));
                (force, damping * dot(rate, rate))
            }
        };
        SpringForce { force, damping: lost, work: dot(force, driven) }
    }
    /// Resultant force and moment on each body of all but friction; and the powers of forces and moving points, and of dampers.
    pub fn resultants<R: Number>(&self, signals: &[SignalRate<R>], y: &[R]) -> (Vec<[R; 3]>, [R; 2]) {
        let [mut work, mut damping] = [R::lit(0.0); 2];
        let weight = |mass: f64| [self.slope[0], self.slope[1], 0.0].map(|g| R::lit(mass * g));
        let mut out: Vec<[R; 3]> = self.system.bodies.iter().map(|body| weight(body.mass)).collect();
        let mut add = |body: usize, force: [R; 3]| {
            out[body].iter_mut().zip(force).for_each(|(out, force)| *out = *out + force);
        };
        for (k, applied) in self.system.forces.iter().enumerate() {
            let force = self.applied(k, signals);
            work = work + dot(force, self.motion(applied.on, y));
            add(applied.on, force);
        }
        for (k, spring) in self.system.springs.iter().enumerate() {
            let SpringForce { force: [x, y], damping: lost, work: done } = self.spring(k, signals, y);
            (work, damping) = (work + done, damping + lost);
            add(spring.on, [x, y, R::lit(0.0)]);
            if let PlaneAnchor::Body(other) = spring.anchor {
                add(other, [-x, -y, R::lit(0.0)]);
            }
        }
        (out, [work, damping])
    }
    /// The rates of all states.
    pub fn rates<R: Number>(&self, modes: &[SlidingMode], signals: &[SignalRate<R>], y: &[R], out: &mut [R]) {
        let (resultants, [work, damping]) = self.resultants(signals, y);
        let mut lost = R::lit(0.0);
        out.fill(R::lit(0.0));
        for (i, resultant) in resultants.into_iter().enumerate() {
            if modes[i] == SlidingMode::Stick {
                continue;
            }
            let motion = self.motion(i, y);
            let (friction, rate) = self.friction(i, signals, y);
            if let Some(at) = self.bristles[i] {
                out[at..at + 2].copy_from_slice(&rate);
            }
            lost = lost + dot(friction, motion);
            let (q, v, inertias) = (self.position_at(i), self.velocity_at(i), self.inertias(i));
            for k in 0..3 {
                out[q + k] = motion[k];
                out[v + k] = (resultant[k] - friction[k]) * R::lit(1.0 / inertias[k]);
            }
        }
        let at = self.energies_at();
        out[at..at + 3].copy_from_slice(&[work, lost, damping]);
    }
    /// Kinetic energy, and potential energy of gravity and springs \[J\].
    pub fn energy(&self, signals: &[SignalRate<f64>], y: &[f64]) -> f64 {
        let of_body = |(i, body): (usize, &PlaneBody)| {
            let (r, motion) = (self.position(i, y), self.motion(i, y));
            body.mass * (0.5 * self.product(i, motion, motion) - dot(self.slope, r))
        };
        let of_spring = |(k, spring): (usize, &PlaneSpring)| {
            let [d, ..] = self.displacement(k, signals, y);
            let square = line(spring, d).map_or(dot(d, d), |(_, stretch)| stretch * stretch);
            0.5 * spring.stiffness * square
        };
        self.system.bodies.iter().enumerate().map(of_body).sum::<f64>()
            + self.system.springs.iter().enumerate().map(of_spring).sum::<f64>()
    }
}

/// Direction and stretch of a spring that acts along a line; none for one that acts on the displacement as a vector.
fn line<R: Number>(spring: &PlaneSpring, d: [R; 2]) -> Option<([R; 2], R)> {
    if let Some(angle) = spring.direction {
        let (sin, cos) = angle.sin_cos();
        let direction = [cos, sin].map(R::lit);
        return Some((direction, dot(d, direction) - R::lit(spring.length)));
    }
    if spring.length == 0.0 {
        return None;
    }
    let distance = length(d);
    // at the other end itself every direction is as good as another, and their mean is none
    let inverse = distance.function(R::lit(0.0), |distance, _| match 1.0 / distance {
        inverse if inverse.is_finite() => [inverse, -inverse * inverse, 0.0],
        _ => [0.0; 3],
    });
    Some((d.map(|d| d * inverse), distance - R::lit(spring.length)))
}
