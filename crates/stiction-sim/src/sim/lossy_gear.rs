//! Rigid gears with losses in proportion to the transmitted torque.
//!
//! Everything is counted at the first place: speed `u`, the torque `t` that the gear takes there, the torque `s` that it gives to the second,
//! the other torques `f₁` and `f₂` on both, their inertias `μ₁` and `μ₂`:
//!
//! ```text
//! μ₁ u̇ = f₁ − t        μ₂ u̇ = f₂ + s
//! u > 0: (t, s) on one of the rays N·(1, η₁) and N·(−η₂, −1), N ≥ 0
//! u < 0: (t, s) on one of the rays N·(η₂, 1) and N·(−1, −η₁), N ≥ 0
//! u = 0: (t, s) in the cone between (1, η₁) and (η₂, 1), those of one flank of the teeth, or in that of the other flank
//! ```
//!
//! In motion `N` has the sign of `κ = μ₂ f₁ − μ₁ f₂` on the ray's flank, since `μ₂ t + μ₁ s = κ`, and `μ₂ + η₁ μ₁` and `μ₁ + η₂ μ₂` are
//! positive; so there is one solution, `(w₁ μ₁ + w₂ μ₂) u̇ = w₁ f₁ + w₂ f₂` with the weights `(η₁, 1)` where power goes forward, `u κ > 0`,
//! and `(1, η₂)` where it goes backward. The friction of a rolling mesh is continuous where `κ` changes its sign.
//!
//! At rest `t = f₁` and `s = −f₂`, less any force within the limits of the contacts of each place with the ground: a rectangle. What both cones
//! leave out are two convex wedges, `min(η₁ t − s, t − η₂ s) > 0`, where it turns forward, and `max(η₁ t − s, t − η₂ s) < 0`. A rectangle without a
//! point in a cone lies within one of them, so that either rest is possible or motion in one direction is: all contacts at their limits against it, and
//! `w₁ f₁ + w₂ f₂` of both weights has its sign. For `η₂ < 0` friction at the second place may allow both; the gear then stays at rest.
use super::EventKind;
use super::components::{Components, ConstraintRow, ContactMode, ContactState};
use super::flow::{FRICTION, Flow};
use super::jacobian::Jacobian;
use super::modes::LIMIT_ROUNDING;
use crate::system::{LossyGear, System};

/// What a gear does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum GearMode {
    /// A signal has switched it off.
    Open,
    /// It is at rest.
    Held,
    /// It turns, or is about to turn, in this direction (±1), with this flank of the teeth in contact: the sign of the torque.
    Turning { side: f64, flank: f64 },
}

pub(super) struct LossyGearState<'s> {
    pub name: &'s str,
    pub parameters: &'s LossyGear,
    /// Velocity of the first place less ratio times that of the second.
    pub row: ConstraintRow,
    /// Its two places alone: displacements `u` and `−u`.
    pub places: [ConstraintRow; 2],
    /// The contacts of each place with the ground.
    pub contacts: [Vec<usize>; 2],
    /// Both inertias.
    pub inertia: [f64; 2],
    pub mode: GearMode,
    /// Time at which it last began to turn \[s\].
    pub slip_start: f64,
    /// It has turned since the start of the run.
    pub has_moved: bool,
    /// The torques that it takes from the first place and gives to the second.
    pub torque: [f64; 2],
}

/// Torques on both places without that of the gear, and sums of their sizes.
#[derive(Clone, Copy, Debug)]
pub(super) struct OuterTorques {
    pub f: [f64; 2],
    pub size: [f64; 2],
}

impl<'s> LossyGearState<'s> {
    /// The gears of a system. Contacts of their places with the ground are marked.
    pub fn all(system: &'s System, vi: &[usize], masses: &[f64], contacts: &mut [ContactState<'s>]) -> Vec<Self> {
        let gear = |(g, joint): (usize, &'s crate::system::Connection<LossyGear>)| {
            let row = ConstraintRow::new(system, joint.ends, [1.0, -joint.component.ratio], vi);
            let place = |k: usize| ConstraintRow {
                q: [row.q[k], (0, 0.0)],
                nq: 1,
                v: [row.v[k], 0],
                ..ConstraintRow::default()
            };
            let places = [place(0), place(1)];
            let on = |k: usize| {
                let (i, _) = row.q[k];
                move |contact: &ContactState<'_>| contact.row.nq == 1 && contact.row.nm == 0 && contact.row.q[0].0 == i
            };
            let of = [0, 1].map(|k| (0..contacts.len()).filter(|&c| on(k)(&contacts[c])).collect::<Vec<_>>());
            for &c in of.iter().flatten() {
                contacts[c].gear = Some(g);
            }
            Self {
                name: &joint.name,
                parameters: &joint.component,
                inertia: [0, 1].map(|k| masses[row.q[k].0] / (row.q[k].1 * row.q[k].1)),
                row,
                places,
                contacts: of,
                mode: GearMode::Held,
                slip_start: f64::NEG_INFINITY,
                has_moved: false,
                torque: [0.0; 2],
            }
        };
        system.lossy_gears.iter().enumerate().map(gear).collect()
    }
    /// Speed of the first place.
    pub fn speed(&self, y: &[f64]) -> f64 {
        self.places[0].own_speed(y)
    }
    /// The factors of the two torques in the equation of motion, and their slopes over the speed.
    fn weights(&self, (side, flank): (f64, f64), u: f64) -> [(f64, f64); 2] {
        let slope = if u < 0.0 { -1.0 } else { 1.0 };
        let at = |efficiency: &crate::system::Efficiency| {
            let (value, by_speed) = efficiency.at(u.abs());
            (value, slope * by_speed)
        };
        if side * flank > 0.0 {
            [at(&self.parameters.forward), (1.0, 0.0)]
        } else {
            [(1.0, 0.0), at(&self.parameters.backward)]
        }
    }
    /// The acceleration of the first place, and the factor with which it answers to each of the two torques.
    fn accelerate(&self, turning: (f64, f64), u: f64, f: [f64; 2]) -> (f64, [f64; 2]) {
        let [(w1, _), (w2, _)] = self.weights(turning, u);
        let inertia = w1 * self.inertia[0] + w2 * self.inertia[1];
        let by = [w1 / inertia, w2 / inertia];
        (by[0] * f[0] + by[1] * f[1], by)
    }
    /// The torque on place `k` of these generalised forces.
    fn torque_on(&self, k: usize, force: &[f64]) -> f64 {
        let (i, c) = self.row.q[k];
        if k == 0 { force[i] / c } else { -force[i] / c }
    }
    /// `κ`: the flank in contact is its sign; and its rounding.
    fn flank_torque(&self, outer: &OuterTorques) -> (f64, f64) {
        let [m1, m2] = self.inertia;
        let OuterTorques { f, size } = outer;
        (m2 * f[0] - m1 * f[1], LIMIT_ROUNDING * (m2 * size[0] + m1 * size[1]))
    }
    /// The torques `(t, s)` that the gear may have at rest: least and largest of each, with any forces of the contacts within their limits.
    fn rectangle(&self, contacts: &[ContactState<'_>], f: [f64; 2]) -> [[f64; 2]; 2] {
        // t = f₁ − x₁ and s = −(f₂ − x₂), where x is the sum of forces of contacts against the motion of u
        let friction = [0, 1].map(|k| self.friction_limits(contacts, k));
        let ([t, s], [first, second]) = ([f[0], -f[1]], friction);
        [[t - first[1], t - first[0]], [s + second[0], s + second[1]]]
    }
    /// Least and largest torque against `u` of the contacts of place `k` with the ground, those that can stick.
    fn friction_limits(&self, contacts: &[ContactState<'_>], k: usize) -> [f64; 2] {
        let mut out = [0.0; 2];
        for contact in self.contacts[k].iter().map(|&c| &contacts[c]).filter(|contact| contact.can_stick()) {
            let (low, high) = contact.limits();
            let [a, b] = [low, high].map(|force| force * self.lever(contact, k));
            out = [out[0] + a.min(b), out[1] + a.max(b)];
        }
        out
    }
    /// The velocity of a contact at place `k` over that of the first place.
    fn lever(&self, contact: &ContactState<'_>, k: usize) -> f64 {
        let c = self.row.q[k].1;
        contact.row.q[0].1 / if k == 0 { c } else { -c }
    }
    /// The two functions that are both positive where nothing holds the gear from turning forward (`side` 1), or backward (−1, with their
    /// signs changed): at the corner of the rectangle at which each is least; and the corners.
    fn excess(&self, side: f64, rectangle: [[f64; 2]; 2]) -> [(f64, [f64; 2]); 2] {
        let [e1, e2] = [&self.parameters.forward, &self.parameters.backward].map(|efficiency| efficiency.at(0.0).0);
        [[e1, -1.0], [1.0, -e2]].map(|by| {
            // the end of each side at which by·(t, s) is least
            let end = |k: usize| rectangle[k][usize::from(side * by[k] < 0.0)];
            let corner = [end(0), end(1)];
            (side * (by[0] * corner[0] + by[1] * corner[1]), corner)
        })
    }
    /// How far the torques are from turning the gear to a side, which is zero where it breaks away; and its rounding.
    pub fn room(&self, side: f64, contacts: &[ContactState<'_>], outer: &OuterTorques) -> (f64, f64) {
        let rectangle = self.rectangle(contacts, outer.f);
        let excess = self.excess(side, rectangle);
        let size: f64 = outer.size.iter().sum::<f64>() + rectangle.iter().flatten().map(|x| x.abs()).sum::<f64>();
        (-excess[0].0.min(excess[1].0), LIMIT_ROUNDING * size)
    }
    /// The torques `(t, s)` at rest: of those that are possible, the nearest to zero where these are in a cone, else the first of them on the way
    /// to the corner of the rectangle where the gear is held best.
    fn torque_at_rest(&self, rectangle: [[f64; 2]; 2]) -> [f64; 2] {
        let least = rectangle.map(|[low, high]| 0.0_f64.max(low).min(high));
        for side in [1.0, -1.0] {
            let at = |torque: [f64; 2]| self.excess(side, torque.map(|x| [x, x])).map(|(excess, _)| excess);
            let here = at(least);
            if here[0] <= 0.0 || here[1] <= 0.0 {
                continue;
            }
            // one of the two is not positive in the whole rectangle
            let Some((_, corner)) = self.excess(side, rectangle).into_iter().find(|(excess, _)| *excess <= 0.0) else {
                return least;
            };
            let there = at(corner);
            let part = (0..2).filter(|&k| there[k] <= 0.0).map(|k| here[k] / (here[k] - there[k])).fold(1.0, f64::min);
            return [0, 1].map(|k| least[k] + part * (corner[k] - least[k]));
        }
        least
    }
}

impl LossyGearState<'_> {
    /// It is switched on or off. Its torques are those of the next decision.
    pub fn switch(&mut self, is_on: bool) {
        self.mode = if is_on { GearMode::Held } else { GearMode::Open };
        (self.torque, self.slip_start) = ([0.0; 2], f64::NEG_INFINITY);
    }
    /// The speeds of both places, the second as seen at the first.
    pub fn speeds(&self, y: &[f64]) -> [f64; 2] {
        [self.places[0].own_speed(y), -self.places[1].own_speed(y)]
    }
    /// The speed after the blow of a gear that is switched on between places of different `speeds`.
    ///
    /// The impulses of the gear on both places are in the ratio of its law at the speed after the blow, as the torques of a gear of that speed are: the
    /// equation of motion with momenta for torques and `u` for the acceleration,
    ///
    /// ```text
    /// w₁ (μ₁ u − μ₁ u₁) + w₂ (μ₂ u − μ₂ u₂) = 0
    /// ```
    ///
    /// Where both speeds have one sign, so has the speed of the mesh all the time, and this is what friction in proportion to the torque takes of any
    /// course of the blow. If neither direction has a solution, the impulses are possible at rest, and the mesh stops.
    /// The energy lost is `(T − S) u + T²/2μ₁ + S²/2μ₂`, never negative: `(T − S) u` is the power of the law.
    fn speed_after_blow(&self, speeds: [f64; 2]) -> f64 {
        let flank = (speeds[0] - speeds[1]).signum();
        for side in [1.0, -1.0] {
            let missing = |u: f64| {
                let weights = self.weights((side, flank), u);
                let part = |k: usize| weights[k].0 * self.inertia[k] * (u - speeds[k]);
                side * (part(0) + part(1))
            };
            // it lies between rest and the speed of the faster, where the sum is not negative
            let (mut low, mut high) = (0.0, side * speeds.iter().fold(0.0_f64, |most, u| most.max(side * u)));
            if missing(low) >= 0.0 {
                continue;
            }
            loop {
                let middle = 0.5 * (low + high);
                if middle == low || middle == high {
                    return high;
                }
                if missing(middle) < 0.0 { low = middle } else { high = middle }
            }
        }
        0.0
    }
}

impl Flow<'_> {
    /// Gears that were switched on between places of different speeds close by a blow, which changes the velocities in state `y`. Returns their numbers.
    pub fn close_lossy_gears(&mut self, y: &mut [f64]) -> Vec<usize> {
        let mut closed = Vec::new();
        for (g, gear) in self.components.lossy_gears.iter_mut().enumerate() {
            let differs = gear.mode != GearMode::Open && gear.row.nonzero_speed(y, &self.motions).is_some();
            if !differs {
                continue;
            }
            let speeds = gear.speeds(y);
            let u = gear.speed_after_blow(speeds);
            for (place, u) in gear.places.iter().zip([u, -u]) {
                y[place.v[0]] = u / place.q[0].1;
            }
            let flank = (speeds[0] - speeds[1]).signum();
            gear.mode = if u == 0.0 { GearMode::Held } else { GearMode::Turning { side: u.signum(), flank } };
            closed.push(g);
        }
        closed
    }
    /// The torques on the places of gear `g`, of the generalised forces of the last [`Flow::rhs`].
    pub fn outer_torques(&self, g: usize) -> OuterTorques {
        let gear = &self.components.lossy_gears[g];
        let f = [0, 1].map(|k| gear.torque_on(k, &self.force));
        // forces are sums of a few terms, which may cancel: the largest of each place
        let Components { springs, contacts, applied_forces, controllers, .. } = &self.components;
        let mut size = f.map(f64::abs);
        let mut add = |row: &ConstraintRow, force: f64| {
            for (k, size) in size.iter_mut().enumerate() {
                let (i, c) = gear.row.q[k];
                let part = row.coordinates().find(|(j, _)| *j == i);
                *size += part.map_or(0.0, |(_, own)| (own / c * force).abs());
            }
        };
        springs.iter().for_each(|spring| add(&spring.row, spring.force));
        applied_forces.iter().for_each(|applied| add(&applied.row, applied.force));
        controllers.iter().filter_map(|c| c.on.as_ref().map(|row| (row, c.output))).for_each(|(r, u)| add(r, u));
        for contact in contacts.iter().filter(|contact| matches!(contact.mode, ContactMode::Slip(_))) {
            // the force of the last derivatives
            add(&contact.row, contact.rows[0]);
        }
        OuterTorques { f, size }
    }
    /// Accelerations of the places of gears that turn, from the forces on them; adds the power that they lose.
    pub(super) fn turn_gears(&mut self, y: &[f64], power: &mut [f64; 3]) {
        let Self { components: Components { lossy_gears, .. }, force, acceleration, .. } = self;
        for gear in lossy_gears {
            let GearMode::Turning { side, flank } = gear.mode else { continue };
            let (u, f) = (gear.speed(y), [0, 1].map(|k| gear.torque_on(k, force)));
            let (a, _) = gear.accelerate((side, flank), u, f);
            let [(i, ci), (j, cj)] = gear.row.q;
            (acceleration[i], acceleration[j]) = (a / ci, -a / cj);
            gear.torque = [f[0] - gear.inertia[0] * a, gear.inertia[1] * a - f[1]];
            power[FRICTION] += (gear.torque[0] - gear.torque[1]) * u;
        }
    }
    /// The rows of the Jacobian of the places of gears that turn, from the derivatives of forces `rows`, which are those by
    /// positions and then those by velocities and other states; and the derivatives of the power that they lose.
    pub(super) fn turn_gear_rows(&self, y: &[f64], out: &mut Jacobian) {
        let (n, nu, vi) = (self.components.n, self.components.nu, &self.components.vi);
        for gear in &self.components.lossy_gears {
            let GearMode::Turning { side, flank } = gear.mode else { continue };
            let [(i, ci), (j, cj)] = gear.row.q;
            let u = gear.speed(y);
            let f = [0, 1].map(|k| gear.torque_on(k, &self.force));
            let (_, by) = gear.accelerate((side, flank), u, f);
            let weights = gear.weights((side, flank), u);
            let both: f64 = gear.inertia.iter().sum();
            let inertia: f64 = weights.iter().zip(&gear.inertia).map(|((w, _), m)| w * m).sum();
            let lost = gear.torque[0] - gear.torque[1];
            let accelerate = |f: [f64; 2]| {
                let a = by[0] * f[0] + by[1] * f[1];
                (a, u * (f[0] + f[1] - both * a))
            };
            for (half, matrix) in [&mut out.by_q, &mut out.by_u].into_iter().enumerate() {
                for column in 0..nu {
                    let at = |i: usize| self.rows[(half * n + i) * nu + column];
                    let (a, lost) = accelerate([at(i) / ci, -at(j) / cj]);
                    matrix.set(vi[i] - n, column, a / ci);
                    matrix.set(vi[j] - n, column, -a / cj);
                    // the column of a position has the index of its velocity
                    match half {
                        1 => out.power[n + column][FRICTION] += lost,
                        _ => {
                            if let Some(q) = vi.iter().position(|v| v - n == column) {
                                out.power[q][FRICTION] += lost;
                            }
                        }
                    }
                }
            }
            let (a, by_time) = accelerate([self.force_by_t[i] / ci, -self.force_by_t[j] / cj]);
            (out.by_t[vi[i] - n], out.by_t[vi[j] - n]) = (a / ci, -a / cj);
            out.power_t[FRICTION] += by_time;
            // the efficiency changes with the speed
            let [first, second] = gear.torque;
            let slope = (weights[0].1 * first - weights[1].1 * second) / inertia;
            let speed = gear.row.v[0] - n;
            out.by_u.add(vi[i] - n, speed, slope * ci / ci);
            out.by_u.add(vi[j] - n, speed, -slope * ci / cj);
            out.power[n + speed][FRICTION] += ci * (lost - u * both * slope);
        }
    }
    /// Holds together what gears hold together.
    pub(super) fn hold_gears(&mut self) {
        for gear in &self.components.lossy_gears {
            match gear.mode {
                GearMode::Turning { .. } => {
                    self.groups.hold(&gear.row);
                }
                GearMode::Held => gear.places.iter().for_each(|place| {
                    self.groups.hold(place);
                }),
                GearMode::Open => (),
            }
        }
    }
    /// Computes the torques of gears at rest, and of their contacts with the ground, from the forces of the last [`Flow::rhs`].
    pub(super) fn share_torques_at_rest(&mut self) {
        for g in 0..self.components.lossy_gears.len() {
            let outer = self.outer_torques(g);
            let Components { lossy_gears, contacts, .. } = &mut self.components;
            let gear = &mut lossy_gears[g];
            if gear.mode != GearMode::Held {
                continue;
            }
            gear.torque = gear.torque_at_rest(gear.rectangle(contacts, outer.f));
            // what is left for the contacts, shared in proportion to the width of their limits
            for k in 0..2 {
                let left = if k == 0 { outer.f[0] - gear.torque[0] } else { outer.f[1] + gear.torque[1] };
                let [low, high] = gear.friction_limits(contacts, k);
                let part = if high > low { ((left - low) / (high - low)).clamp(0.0, 1.0) } else { 0.5 };
                for &c in &gear.contacts[k] {
                    if contacts[c].can_stick() {
                        let (low, high) = contacts[c].limits();
                        let forward = gear.lever(&contacts[c], k) > 0.0;
                        contacts[c].constraint_force = low + (high - low) * if forward { part } else { 1.0 - part };
                    }
                }
            }
        }
    }
    /// Decides about the gears: those at rest turn if their torques cannot hold them, and those that turn do so with the flank that transmits.
    pub(super) fn decide_gears(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        if self.components.lossy_gears.is_empty() {
            return;
        }
        let mut resting = Vec::new();
        let gears = self.components.lossy_gears.iter_mut().enumerate();
        for (g, gear) in gears.filter(|(_, gear)| gear.mode != GearMode::Open) {
            let u = gear.speed(y);
            if u != 0.0 {
                if gear.mode == GearMode::Held {
                    gear.mode = GearMode::Turning { side: u.signum(), flank: 1.0 };
                }
            } else if gear.slip_start < t {
                gear.mode = GearMode::Held;
                resting.push(g);
            }
        }
        for &g in &resting {
            self.hold_contacts(g);
        }
        self.form_groups();
        self.rhs(t, y, dy);
        for g in resting {
            let outer = self.outer_torques(g);
            let gear = &self.components.lossy_gears[g];
            let turns = |side: &f64| {
                let (room, rounding) = gear.room(*side, &self.components.contacts, &outer);
                room < -rounding
            };
            if let Some(side) = [1.0, -1.0].into_iter().find(turns) {
                self.let_gear_go(g, side, t);
            }
        }
        self.choose_flanks(t, y, dy);
    }
    /// The contacts of gear `g` with the ground stick, as far as they can.
    fn hold_contacts(&mut self, g: usize) {
        let Components { lossy_gears, contacts, .. } = &mut self.components;
        for &c in lossy_gears[g].contacts.iter().flatten() {
            if contacts[c].can_stick() {
                (contacts[c].mode, contacts[c].came_to_rest) = (ContactMode::Stuck, false);
            }
        }
    }
    /// Gear `g` begins to turn at time `t`, and its contacts with the ground slide.
    pub(super) fn let_gear_go(&mut self, g: usize, side: f64, t: f64) {
        let Components { lossy_gears, contacts, .. } = &mut self.components;
        let gear = &mut lossy_gears[g];
        // power goes forward until the torques are known
        (gear.mode, gear.slip_start) = (GearMode::Turning { side, flank: side }, t);
        for k in 0..2 {
            for &c in &gear.contacts[k] {
                let direction = side * gear.lever(&contacts[c], k).signum();
                let contact = &mut contacts[c];
                (contact.mode, contact.slip_start, contact.came_to_rest) = (ContactMode::Slip(direction), t, false);
            }
        }
    }
    /// Gears that turn do so with the flank that transmits. Where nothing is transmitted the flank stays.
    pub(super) fn choose_flanks(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        self.form_groups();
        self.rhs(t, y, dy);
        for g in 0..self.components.lossy_gears.len() {
            let outer = self.outer_torques(g);
            let gear = &mut self.components.lossy_gears[g];
            let (torque, rounding) = gear.flank_torque(&outer);
            if let GearMode::Turning { flank, .. } = &mut gear.mode
                && torque.abs() > rounding
            {
                *flank = torque.signum();
            }
        }
    }
    /// `κ` of gear `g`, and its rounding, from the forces of the last [`Flow::rhs`].
    pub(super) fn flank_torque(&self, g: usize) -> (f64, f64) {
        self.components.lossy_gears[g].flank_torque(&self.outer_torques(g))
    }
    /// How far gear `g` at rest is from turning to a side, and the rounding of that, from the forces of the last [`Flow::rhs`].
    pub(super) fn gear_room(&self, g: usize, side: f64) -> (f64, f64) {
        self.components.lossy_gears[g].room(side, &self.components.contacts, &self.outer_torques(g))
    }
}

/// The event between two modes of a gear, if there is one.
pub(super) fn gear_event(gear: &LossyGearState<'_>, old: GearMode) -> Option<EventKind> {
    let up = |side: f64, up, down| if side > 0.0 { up } else { down };
    Some(match (old, gear.mode) {
        (GearMode::Held, GearMode::Turning { side, .. }) => up(side, EventKind::SlipUp, EventKind::SlipDown),
        (GearMode::Turning { .. }, GearMode::Held) => EventKind::Stick,
        (GearMode::Turning { side: before, .. }, GearMode::Turning { side, .. }) if before != side => {
            up(side, EventKind::ReverseUp, EventKind::ReverseDown)
        }
        (GearMode::Turning { flank: before, .. }, GearMode::Turning { flank, .. }) if before != flank => {
            up(flank, EventKind::TouchHigh, EventKind::TouchLow)
        }
        _ => return None,
    })
}
