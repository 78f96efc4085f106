//! The equations of motion of a model between events, in coordinates that rigid gears leave independent.
use super::linear::solve;
use super::signal::derivatives;
use crate::model::{Control, LawChoice, Load, Model, Node, Signal};
use stiction::core::{Input, models, registry::DynLaw, registry::Wrappers};

/// A displacement as a combination of coordinates and prescribed motions.
#[derive(Clone, Debug, Default)]
pub struct ConstraintRow {
    pub coordinates: Vec<(usize, f64)>,
    pub motions: Vec<(usize, f64)>,
    pub constant: f64,
}

impl ConstraintRow {
    /// The displacement, with the positions of motions.
    pub fn x(&self, q: &[f64], motions: &[[f64; 3]]) -> f64 {
        self.constant + self.linear(q) + self.driven(motions, 0)
    }
    /// The velocity.
    pub fn v(&self, v: &[f64], motions: &[[f64; 3]]) -> f64 {
        self.linear(v) + self.driven(motions, 1)
    }
    /// Multiplies the displacement by a factor.
    fn scale(&mut self, factor: f64) {
        self.constant *= factor;
        self.coordinates.iter_mut().chain(&mut self.motions).for_each(|(_, c)| *c *= factor);
    }
    /// Adds a factor times another displacement.
    fn add(&mut self, other: &Self, factor: f64) {
        self.constant += factor * other.constant;
        for (own, others) in [(&mut self.coordinates, &other.coordinates), (&mut self.motions, &other.motions)] {
            for (k, c) in others {
                match own.iter_mut().find(|(i, _)| i == k) {
                    Some((_, x)) => *x += factor * c,
                    None => own.push((*k, factor * c)),
                }
            }
        }
    }
    pub fn linear(&self, y: &[f64]) -> f64 {
        self.coordinates.iter().map(|(i, c)| c * y[*i]).sum()
    }
    pub fn driven(&self, motions: &[[f64; 3]], order: usize) -> f64 {
        self.motions.iter().map(|(i, c)| c * motions[*i][order]).sum()
    }
}

pub struct SpringElement {
    pub row: ConstraintRow,
    stiffness: f64,
    table: Vec<[f64; 2]>,
    rest: f64,
    damping: f64,
    gap: Option<[f64; 2]>,
    error: Option<KinematicError>,
}

/// The stretch of a gear without force: amplitude·sin(waves·angle + phase) of a body.
struct KinematicError {
    coordinate: usize,
    /// The angle is start + scale × coordinate.
    scale: f64,
    start: f64,
    wave: [f64; 3],
}

impl KinematicError {
    /// The error, and its derivative by the coordinate.
    fn at(&self, q: &[f64]) -> [f64; 2] {
        let [amplitude, waves, phase] = self.wave;
        let angle = waves * (self.start + self.scale * q[self.coordinate]) + phase;
        [amplitude * angle.sin(), amplitude * waves * self.scale * angle.cos()]
    }
}

impl SpringElement {
    /// The stretch and its speed.
    fn stretch(&self, q: &[f64], v: &[f64], motions: &[[f64; 3]]) -> [f64; 2] {
        let (mut x, mut speed) = (self.row.x(q, motions) - self.rest, self.row.v(v, motions));
        if let Some(error) = &self.error {
            let [ahead, slope] = error.at(q);
            x -= ahead;
            speed -= slope * v[error.coordinate];
        }
        [x, speed]
    }
    /// Whether its force has kinks.
    pub fn has_kinks(&self) -> bool {
        !self.table.is_empty() || self.gap.is_some()
    }
    /// How far it is pressed: above zero at the upper end of the gap, below at the lower end.
    fn depth(&self, x: f64) -> f64 {
        match self.gap {
            Some([_, high]) if x > high => x - high,
            Some([low, _]) if x < low => x - low,
            _ => 0.0,
        }
    }
    /// The force at a stretch and its speed.
    fn force(&self, x: f64, v: f64) -> f64 {
        if self.gap.is_some() {
            let press = self.stiffness * self.depth(x);
            return press + (self.damping * v).clamp(-press.abs(), press.abs());
        }
        let elastic = if self.table.is_empty() { self.stiffness * x } else { interpolate(&self.table, x) };
        elastic + self.damping * v
    }
}

pub struct ContactElement {
    pub row: ConstraintRow,
    pub law: Box<dyn DynLaw>,
    pub load: Load,
    /// Index of its memory in the state.
    pub at: usize,
    pub len: usize,
    /// Index of the temperature in the state, and heat capacity, conductance and softening.
    heating: Option<(usize, [f64; 3])>,
}

impl ContactElement {
    /// Its force over that of a cold contact.
    pub fn warm(&self, y: &[f64]) -> f64 {
        self.heating.map_or(1.0, |(at, [_, _, softening])| (-softening * y[at]).exp())
    }
}

pub struct StopElement {
    pub row: ConstraintRow,
    /// It limits the velocity, at any displacement: a freewheel.
    pub one_way: bool,
    pub lo: f64,
    pub hi: f64,
    pub restitution: f64,
}

pub struct ControlElement {
    pub control: Control,
    pub row: ConstraintRow,
    pub at: usize,
    /// Output held by a sampled controller, its integral, and how many samples it took.
    pub held: f64,
    pub integral: f64,
    pub count: usize,
}

/// The mode of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactMode {
    /// It slides towards this side.
    Slides(f64),
    /// It holds.
    Holds,
    /// It rests at its limit, held by others.
    Pinned(f64),
}

/// The mode of a stop: open, or closed at its lower (−1) or upper (+1) end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StopMode {
    Open,
    Closed(f64),
}

/// A compiled model.
pub struct Mechanics {
    pub n: usize,
    pub inertia: Vec<f64>,
    /// Position of each body where the coordinates are zero, and its coordinate and scale.
    pub bodies: Vec<(usize, f64, f64)>,
    weights: Vec<(usize, f64)>,
    pub springs: Vec<SpringElement>,
    pub contacts: Vec<ContactElement>,
    pub stops: Vec<StopElement>,
    forces: Vec<(usize, Signal)>,
    pub controls: Vec<ControlElement>,
    signals: Vec<Signal>,
    pub len: usize,
    /// Length of the run.
    pub span: f64,
    /// An instant within the present smooth piece of all signals.
    pub piece: f64,
    pub contact_modes: Vec<ContactMode>,
    pub stop_modes: Vec<StopMode>,
    // results of the last evaluation
    pub motions: Vec<[f64; 3]>,
    pub acceleration: Vec<f64>,
    /// Largest acceleration of every coordinate so far, without the forces of constraints.
    pub top_acceleration: Vec<f64>,
    pub spring_forces: Vec<f64>,
    pub loads: Vec<f64>,
    /// Constraint forces of contacts and stops, zero where there is none.
    pub reactions: Vec<f64>,
    outputs: Vec<f64>,
    references: Vec<f64>,
    pub dy: Vec<f64>,
    rates: Vec<f64>,
}

/// Speed in the direction of sliding at which a law is evaluated at rest.
const TINY: f64 = 1e-200;

/// The law with its wrappers.
fn build(law: &LawChoice, map: Option<[f64; 2]>) -> Result<Box<dyn DynLaw>, String> {
    let entry = models::ALL.iter().find(|entry| entry.name == law.name).ok_or("no such law")?;
    let fill = |values: &[(&'static str, f64)], defaults: Vec<f64>| {
        let mut out = defaults;
        for (key, x) in values {
            if let Some(i) = entry.params.iter().position(|p| p.name == *key) {
                out[i] = *x;
            }
        }
        out
    };
    let values = fill(&law.values, entry.params.iter().map(|p| p.default).collect());
    let reverse = fill(&law.reverse, values.clone());
    let noise: Vec<f64> = ["amplitude", "frequency", "wave", "seed"]
        .map(|key| law.noise.iter().find(|(name, _)| *name == key).map_or(f64::from(u8::from(key == "seed")), |p| p.1))
        .to_vec();
    let wrappers = Wrappers {
        reverse: (!law.reverse.is_empty()).then_some(&reverse[..]),
        load: map.as_ref().map(|map| &map[..]),
        noise: (!law.noise.is_empty()).then_some(&noise[..]),
    };
    entry.build_wrapped(&values, &wrappers).map_err(|error| format!("{error:?}"))
}

impl Mechanics {
    /// Compiles a model; the error says why it is invalid.
    pub fn new(model: &Model) -> Result<(Self, Vec<f64>), String> {
        // every body on its own coordinate, then geared bodies on that of the second
        let count = model.bodies.len();
        let mut of: Vec<(usize, f64)> = (0..count).map(|i| (i, 1.0)).collect();
        for gear in model.gears.iter().filter(|gear| gear.stiffness.is_none()) {
            let [(from, a), (to, b)] = gear.ends.map(|i| of[i]);
            if from == to {
                return Err("a loop of gears".into());
            }
            let scale = gear.ratio * b / a;
            of.iter_mut().filter(|(c, _)| *c == from).for_each(|body| *body = (to, body.1 * scale));
        }
        let mut used: Vec<usize> = of.iter().map(|(c, _)| *c).collect();
        used.sort_unstable();
        used.dedup();
        let n = used.len();
        let index = |c: usize| used.binary_search(&c).unwrap_or(0);
        let bodies: Vec<(usize, f64, f64)> =
            of.iter().zip(&model.bodies).map(|((c, scale), body)| (index(*c), *scale, body.x)).collect();
        let row = |ends: [Node; 2], ratio: f64| {
            let mut row = ConstraintRow::default();
            for (end, sign) in ends.iter().zip([1.0, -ratio]) {
                match end {
                    Node::Ground => {}
                    Node::Body(i) => {
                        let (c, scale, start) = bodies[*i];
                        row.constant += sign * start;
                        match row.coordinates.iter_mut().find(|(k, _)| *k == c) {
                            Some((_, x)) => *x += sign * scale,
                            None => row.coordinates.push((c, sign * scale)),
                        }
                    }
                    Node::Motion(i) => row.motions.push((*i, sign)),
                }
            }
            row
        };
        let mut inertia = vec![0.0; n];
        let mut weights = vec![(0, 0.0); count];
        let mut start = vec![0.0; 2 * n];
        for ((body, (c, scale, _)), weight) in model.bodies.iter().zip(&bodies).zip(&mut weights) {
            let own = body.pendulum.map_or(body.mass, |[length, _]| body.mass * length * length);
            inertia[*c] += own * scale * scale;
            *weight = (*c, body.pendulum.map_or(0.0, |[length, gravity]| body.mass * length * gravity));
            start[n + c] = body.v / scale;
        }
        let mut springs: Vec<SpringElement> = model
            .springs
            .iter()
            .map(|s| SpringElement {
                row: row(s.ends, 1.0),
                stiffness: s.stiffness,
                table: s.table.clone(),
                rest: s.rest,
                damping: s.damping,
                gap: s.gap,
                error: None,
            })
            .collect();
        let mut at = 2 * n;
        let mut contacts = Vec::new();
        let mut add = |row: ConstraintRow, law: Box<dyn DynLaw>, load: Load, heating: Option<[f64; 3]>| {
            let len = law.len();
            let heating = heating.map(|heating| (at + len, heating));
            let wide = len + usize::from(heating.is_some());
            contacts.push(ContactElement { row, law, load, at, len, heating });
            at += wide;
        };
        for contact in &model.contacts {
            // the speed of a rim is the radius times the angular velocity
            let lever = |end: Node| match (contact.radius, end) {
                (Some(radius), Node::Body(i)) if model.bodies[i].rotates => radius,
                _ => 1.0,
            };
            let mut rim = row([contact.ends[0], Node::Ground], 1.0);
            let other = row([contact.ends[1], Node::Ground], 1.0);
            rim.scale(lever(contact.ends[0]));
            rim.add(&other, -lever(contact.ends[1]));
            add(rim, build(&contact.law, contact.map)?, contact.load.clone(), contact.heating);
        }
        for gear in &model.gears {
            let Some(stiffness) = gear.stiffness else { continue };
            let ends = gear.ends.map(Node::Body);
            let damping = gear.damping;
            springs.push(SpringElement {
                row: row(ends, gear.ratio),
                stiffness,
                table: Vec::new(),
                rest: 0.0,
                damping,
                gap: (gear.backlash > 0.0).then_some([-0.5 * gear.backlash, 0.5 * gear.backlash]),
                error: gear.error.map(|wave| {
                    let (coordinate, scale, start) = bodies[gear.ends[1]];
                    KinematicError { coordinate, scale, start, wave }
                }),
            });
            if let Some(law) = &gear.loss {
                add(row([ends[0], Node::Ground], 1.0), build(law, None)?, Load::Spring(springs.len() - 1, 1.0), None);
            }
        }
        let controls: Vec<ControlElement> = model
            .controls
            .iter()
            .map(|control| {
                at += 1;
                let row = row([Node::Body(control.on), Node::Ground], 1.0);
                ControlElement { control: control.clone(), row, at: at - 1, held: 0.0, integral: 0.0, count: 0 }
            })
            .collect();
        let stops: Vec<StopElement> = model
            .stops
            .iter()
            .map(|s| {
                let row = row(s.ends, 1.0);
                StopElement { row, one_way: false, lo: s.lo, hi: s.hi, restitution: s.restitution }
            })
            .chain(model.freewheels.iter().map(|wheel| StopElement {
                row: row(wheel.ends, 1.0),
                one_way: true,
                lo: f64::NEG_INFINITY,
                hi: f64::INFINITY,
                restitution: 0.0,
            }))
            .collect();
        start.resize(at, 0.0);
        let states = contacts.iter().map(|contact| contact.len).max().unwrap_or(0);
        let mechanics = Self {
            n,
            inertia,
            weights,
            contact_modes: vec![ContactMode::Slides(1.0); contacts.len()],
            stop_modes: vec![StopMode::Open; stops.len()],
            motions: vec![[0.0; 3]; model.motions.len()],
            acceleration: vec![0.0; n],
            top_acceleration: vec![0.0; n],
            spring_forces: vec![0.0; springs.len()],
            loads: vec![1.0; contacts.len()],
            reactions: vec![0.0; contacts.len() + stops.len()],
            outputs: vec![0.0; controls.len()],
            references: vec![0.0; controls.len()],
            dy: vec![0.0; at],
            rates: vec![0.0; states],
            forces: model.forces.iter().map(|force| (force.on, force.force.clone())).collect(),
            signals: model.motions.iter().map(|motion| motion.position.clone()).collect(),
            bodies,
            springs,
            contacts,
            stops,
            controls,
            len: at,
            span: model.end - model.start,
            piece: model.start,
        };
        Ok((mechanics, start))
    }
    /// The velocity of contact `c` as its law sees it.
    pub fn law_velocity(&self, c: usize, y: &[f64]) -> f64 {
        match self.contact_modes[c] {
            ContactMode::Slides(side) => {
                let v = self.contacts[c].row.v(&y[self.n..2 * self.n], &self.motions);
                let still = self.contacts[c].row.coordinates.is_empty()
                    && v == 0.0
                    && self.contacts[c].row.driven(&self.motions, 2) == 0.0;
                if still { 0.0 } else { side * (side * v).max(TINY) }
            }
            _ => 0.0,
        }
    }
    /// Input of the law of contact `c`; loads and motions are those of the last evaluation.
    pub fn input(&self, c: usize, y: &[f64]) -> Input<f64> {
        Input { v: self.law_velocity(c, y), load: self.loads[c] }
    }
    /// The limits of the force of contact `c` at rest.
    pub fn limits(&self, c: usize, y: &[f64]) -> [f64; 2] {
        let contact = &self.contacts[c];
        let (z, u) = (&y[contact.at..contact.at + contact.len], Input { v: 0.0, load: self.loads[c] });
        let middle = contact.law.force(z, &u);
        let warm = contact.warm(y);
        [middle - contact.law.hold(z, &u, -1.0), middle + contact.law.hold(z, &u, 1.0)].map(|force| warm * force)
    }
    fn set_springs(&mut self, y: &[f64]) {
        for (spring, force) in self.springs.iter().zip(&mut self.spring_forces) {
            let [x, v] = spring.stretch(&y[..self.n], &y[self.n..2 * self.n], &self.motions);
            *force = spring.force(x, v);
        }
    }
    /// Evaluates the motions, springs, loads and controllers at an instant.
    pub fn set_instant(&mut self, t: f64, y: &[f64]) {
        for (motion, signal) in self.motions.iter_mut().zip(&self.signals) {
            *motion = derivatives(signal, t, self.piece);
        }
        self.set_springs(y);
        for (contact, load) in self.contacts.iter().zip(&mut self.loads) {
            *load = match &contact.load {
                Load::Nominal => 1.0,
                Load::Signal(signal) => derivatives(signal, t, self.piece)[0],
                Load::Spring(spring, gain) => gain * self.spring_forces[*spring],
            };
        }
        for (k, element) in self.controls.iter().enumerate() {
            self.references[k] = derivatives(&element.control.reference, t, self.piece)[0];
            let limit = element.control.limit;
            let sampled = element.control.period.is_some();
            self.outputs[k] = if sampled { element.held } else { self.unlimited_output(k, y).clamp(-limit, limit) };
        }
    }
    /// The output of continuous controller `k` before it is limited.
    pub fn unlimited_output(&self, k: usize, y: &[f64]) -> f64 {
        let element = &self.controls[k];
        let error = self.references[k] - element.row.x(&y[..self.n], &self.motions);
        let v = element.row.v(&y[self.n..2 * self.n], &self.motions);
        let Control { gains, ki, .. } = &element.control;
        gains[0] * error - gains[1] * v + ki * y[element.at]
    }
    /// Lets the sampled controllers that are due at `t` act.
    pub fn sample(&mut self, t: f64, start: f64, y: &[f64]) {
        for element in &mut self.controls {
            let Control { gains, ki, reference, limit, period, .. } = &element.control;
            let Some(period) = period else { continue };
            if start + element.count as f64 * period > t + 1e-9 * period {
                continue;
            }
            let error = derivatives(reference, t, t)[0] - element.row.x(&y[..self.n], &self.motions);
            let v = element.row.v(&y[self.n..2 * self.n], &self.motions);
            element.held = (gains[0] * error - gains[1] * v + ki * element.integral).clamp(-limit, *limit);
            element.integral += error * period;
            element.count += 1;
        }
    }
    /// Evaluates the right-hand side in the present modes. `without`: leave out the forces of all constraints.
    pub fn evaluate(&mut self, t: f64, y: &[f64], without: bool) {
        self.set_instant(t, y);
        let n = self.n;
        let mut force = std::mem::take(&mut self.acceleration);
        force.fill(0.0);
        for (on, signal) in &self.forces {
            let (c, scale, _) = self.bodies[*on];
            force[c] += scale * derivatives(signal, t, self.piece)[0];
        }
        for ((c, weight), (_, scale, start)) in self.weights.iter().zip(&self.bodies) {
            if *weight != 0.0 {
                force[*c] -= scale * weight * (start + scale * y[*c]).sin();
            }
        }
        for (spring, f) in self.springs.iter().zip(&self.spring_forces) {
            spring.row.coordinates.iter().for_each(|(i, c)| force[*i] -= c * f);
            if let Some(error) = &spring.error {
                force[error.coordinate] += error.at(&y[..n])[1] * f;
            }
        }
        for (element, u) in self.controls.iter().zip(&self.outputs) {
            element.row.coordinates.iter().for_each(|(i, c)| force[*i] += c * u);
        }
        let mut rates = std::mem::take(&mut self.rates);
        for c in 0..self.contacts.len() {
            let u = self.input(c, y);
            let contact = &self.contacts[c];
            let f = contact.law.flow(&y[contact.at..contact.at + contact.len], &u, &mut rates[..contact.len]);
            let f = match self.contact_modes[c] {
                ContactMode::Slides(_) => contact.warm(y) * f,
                ContactMode::Holds => 0.0,
                ContactMode::Pinned(_) if without => 0.0,
                ContactMode::Pinned(side) => self.limits(c, y)[usize::from(side > 0.0)],
            };
            let contact = &self.contacts[c];
            contact.row.coordinates.iter().for_each(|(i, x)| force[*i] -= x * f);
            self.dy[contact.at..contact.at + contact.len].copy_from_slice(&rates[..contact.len]);
            if let Some((at, [capacity, conductance, _])) = contact.heating {
                // what rests has no power, whatever its force
                let power = f * contact.row.v(&y[n..2 * n], &self.motions);
                let power = if matches!(self.contact_modes[c], ContactMode::Slides(_)) { power } else { 0.0 };
                self.dy[at] = (power - conductance * y[at]) / capacity;
            }
        }
        self.rates = rates;
        force.iter_mut().zip(&self.inertia).for_each(|(force, m)| *force /= m);
        self.top_acceleration.iter_mut().zip(&force).for_each(|(top, a)| *top = top.max(a.abs()));
        self.acceleration = force;
        self.reactions.fill(0.0);
        if !without {
            self.constrain();
        }
        for (element, reference) in self.controls.iter().zip(&self.references) {
            self.dy[element.at] = reference - element.row.x(&y[..n], &self.motions);
        }
        self.dy[..n].copy_from_slice(&y[n..2 * n]);
        self.dy[n..2 * n].copy_from_slice(&self.acceleration);
    }
    /// The constraints that hold: indices of contacts, then of stops after them.
    pub fn held(&self) -> Vec<usize> {
        let contacts = self.contact_modes.iter().enumerate().filter(|(_, mode)| **mode == ContactMode::Holds);
        let stops = self.stop_modes.iter().enumerate().filter(|(_, mode)| **mode != StopMode::Open);
        let all: Vec<usize> = contacts.map(|(i, _)| i).chain(stops.map(|(i, _)| self.contacts.len() + i)).collect();
        all.into_iter().filter(|&i| !self.row(i).coordinates.is_empty()).collect()
    }
    /// The row of a contact, or of a stop after the contacts.
    pub fn row(&self, i: usize) -> &ConstraintRow {
        match self.contacts.get(i) {
            Some(contact) => &contact.row,
            None => &self.stops[i - self.contacts.len()].row,
        }
    }
    /// The matrix `J M⁻¹ Jᵀ` of these constraints.
    pub fn mobility(&self, which: &[usize]) -> Vec<Vec<f64>> {
        let entry = |a: usize, b: usize| {
            let (a, b) = (self.row(a), self.row(b));
            let pairs = a.coordinates.iter().flat_map(|x| b.coordinates.iter().map(move |y| (x, y)));
            pairs.filter(|(x, y)| x.0 == y.0).map(|(x, y)| x.1 * y.1 / self.inertia[x.0]).sum()
        };
        which.iter().map(|&a| which.iter().map(|&b| entry(a, b)).collect()).collect()
    }
    /// The accelerations of these constraints' displacements.
    pub fn row_accelerations(&self, which: &[usize]) -> Vec<f64> {
        let of = |row: &ConstraintRow| row.linear(&self.acceleration) + row.driven(&self.motions, 2);
        which.iter().map(|&i| of(self.row(i))).collect()
    }
    /// Adds the forces that keep the held constraints from accelerating.
    fn constrain(&mut self) {
        let held = self.held();
        if held.is_empty() {
            return;
        }
        let b = self.row_accelerations(&held);
        let Some(forces) = solve(&self.mobility(&held), &b, false) else { return };
        for (&i, force) in held.iter().zip(forces) {
            self.reactions[i] = force;
            for (k, c) in self.row(i).coordinates.clone() {
                self.acceleration[k] -= c * force / self.inertia[k];
            }
        }
        // what is held and accelerates by no more than the rounding of its forces stands still, for any time
        for &i in &held {
            for (k, _) in self.row(i).coordinates.clone() {
                if self.acceleration[k].abs() < 1e-13 * self.top_acceleration[k] {
                    self.acceleration[k] = 0.0;
                }
            }
        }
    }
    /// Changes velocities by impulses along these rows so that each row's velocity changes by this much.
    pub fn change_velocities(&self, y: &mut [f64], which: &[usize], change: &[f64]) {
        let Some(impulses) = solve(&self.mobility(which), change, false) else { return };
        self.apply_impulses(y, which, &impulses);
    }
    /// Changes positions, heavy bodies least, so that each row's displacement changes by this much.
    pub fn change_positions(&self, y: &mut [f64], which: &[usize], change: &[f64]) {
        let Some(shifts) = solve(&self.mobility(which), change, false) else { return };
        for (&i, p) in which.iter().zip(&shifts) {
            for (k, c) in &self.row(i).coordinates {
                y[*k] += c * p / self.inertia[*k];
            }
        }
    }
    pub fn apply_impulses(&self, y: &mut [f64], which: &[usize], impulses: &[f64]) {
        for (&i, p) in which.iter().zip(impulses) {
            for (k, c) in &self.row(i).coordinates {
                y[self.n + k] += c * p / self.inertia[*k];
            }
        }
    }
}

/// Straight lines through points, continued beyond the ends.
fn interpolate(points: &[[f64; 2]], x: f64) -> f64 {
    let i = points.iter().position(|point| x < point[0]).unwrap_or(points.len()).clamp(1, points.len() - 1);
    let ([x0, y0], [x1, y1]) = (points[i - 1], points[i]);
    y0 + (y1 - y0) / (x1 - x0) * (x - x0)
}

/// Which smooth piece of the force of spring `s` holds in a state, for events at its kinks: a line of its table; or the gap, one of
/// its surfaces, and there whether the damping force is limited.
pub fn spring_piece(mechanics: &Mechanics, s: usize, y: &[f64]) -> usize {
    let spring = &mechanics.springs[s];
    let x = spring.row.x(&y[..mechanics.n], &mechanics.motions) - spring.rest;
    if spring.gap.is_some() {
        let (press, v) =
            (spring.stiffness * spring.depth(x), spring.row.v(&y[mechanics.n..2 * mechanics.n], &mechanics.motions));
        let damping = spring.damping * v;
        let limited = if damping > press.abs() { 2 } else { usize::from(damping < -press.abs()) };
        return if press == 0.0 { 0 } else { 1 + 3 * usize::from(press > 0.0) + limited };
    }
    spring.table.iter().position(|point| x < point[0]).unwrap_or(spring.table.len())
}
