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
//!
//! Gears in series are a [train](super::gear_train); this is the case of one.
use super::EventKind;
use super::components::{Components, ConstraintRow, ContactMode};
use super::flow::{FRICTION, Flow};
use super::gear_train::GearTrain;
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
    pub mode: GearMode,
    /// Time at which it last began to turn \[s\].
    pub slip_start: f64,
    /// It has turned since the start of the run.
    pub has_moved: bool,
    /// The torques that it takes from the first place and gives to the second.
    pub torque: [f64; 2],
}

impl<'s> LossyGearState<'s> {
    /// The gears of a system.
    pub fn all(system: &'s System, vi: &[usize]) -> Vec<Self> {
        let gear = |joint: &'s crate::system::Connection<LossyGear>| {
            let row = ConstraintRow::new(system, joint.ends, [1.0, -joint.component.ratio], vi);
            let place = |k: usize| ConstraintRow {
                q: [row.q[k], (0, 0.0)],
                nq: 1,
                v: [row.v[k], 0],
                ..ConstraintRow::default()
            };
            Self {
                name: &joint.name,
                parameters: &joint.component,
                places: [place(0), place(1)],
                row,
                mode: GearMode::Held,
                slip_start: f64::NEG_INFINITY,
                has_moved: false,
                torque: [0.0; 2],
            }
        };
        system.lossy_gears.iter().map(gear).collect()
    }
    /// Speed of the first place.
    pub fn speed(&self, y: &[f64]) -> f64 {
        self.places[0].own_speed(y)
    }
    /// It is switched on or off. Its torques are those of the next decision.
    pub fn switch(&mut self, is_on: bool) {
        self.mode = if is_on { GearMode::Held } else { GearMode::Open };
        (self.torque, self.slip_start) = ([0.0; 2], f64::NEG_INFINITY);
    }
    /// The torque that it takes over the one that it gives while it turns to a side on a flank, and its slope over the absolute `speed`.
    pub fn ratio(&self, side: f64, flank: f64, speed: f64) -> (f64, f64) {
        if side * flank > 0.0 {
            let (eta, slope) = self.parameters.forward.at(speed);
            (1.0 / eta, -slope / (eta * eta))
        } else {
            self.parameters.backward.at(speed)
        }
    }
    /// The ratios at rest, between which all are possible.
    fn ratios_at_rest(&self) -> [f64; 2] {
        [1.0 / self.parameters.forward.at(0.0).0, self.parameters.backward.at(0.0).0]
    }
    /// The largest size of a ratio at rest.
    pub fn largest_ratio(&self) -> f64 {
        self.ratios_at_rest().iter().fold(0.0, |most: f64, ratio| most.max(ratio.abs()))
    }
    /// The least and the largest torque that it may take at rest while what it gives is in a range.
    pub fn taken_at_rest(&self, given: [f64; 2]) -> [f64; 2] {
        let [[a, b], [c, d]] = given.map(|s| self.ratios_at_rest().map(|ratio| ratio * s));
        [a.min(b).min(c.min(d)), a.max(b).max(c.max(d))]
    }
    /// The torque that it gives at rest while it takes `taken`: of those in a range the nearest to zero.
    pub fn given_at_rest(&self, taken: f64, range: [f64; 2]) -> f64 {
        let [forward, backward] = self.ratios_at_rest();
        let [low, high] = [range[0].min(range[1]), range[0].max(range[1])];
        let is_possible = |s: &f64| {
            let [a, b] = [forward * s, backward * s];
            let near = LIMIT_ROUNDING * (taken.abs() + a.abs() + b.abs() + low.abs() + high.abs());
            s.is_finite()
                && *s >= low - near
                && *s <= high + near
                && taken >= a.min(b) - near
                && taken <= a.max(b) + near
        };
        // at an end of its range, or where one of the ratios holds
        let ends = [0.0, taken / forward, taken / backward, low, high].into_iter().filter(is_possible);
        ends.min_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or((taken / forward).clamp(low, high))
    }
}

impl Flow<'_> {
    /// Gears that were switched on between places of different speeds close by a blow, which changes the velocities in state `y`. Returns their numbers.
    pub fn close_lossy_gears(&mut self, y: &mut [f64]) -> Vec<usize> {
        let Components { lossy_gears: gears, gear_trains, .. } = &mut self.components;
        let mut closed = Vec::new();
        for train in gear_trains.iter() {
            let differs = |g: &usize| gears[*g].row.nonzero_speed(y, &self.motions).is_some();
            let apart: Vec<usize> = train.drives().map(|drive| drive.gear).filter(differs).collect();
            if apart.is_empty() {
                continue;
            }
            let speeds: Vec<f64> = train.shafts.iter().map(|shaft| y[shaft.v] / shaft.by).collect();
            let u = train.speed_after_blow(gears, &speeds);
            train.shafts.iter().for_each(|shaft| y[shaft.v] = shaft.by * u);
            for drive in train.drives() {
                let turning = GearMode::Turning { side: (drive.by * u).signum(), flank: 1.0 };
                gears[drive.gear].mode = if u == 0.0 { GearMode::Held } else { turning };
            }
            closed.extend(apart);
        }
        closed
    }
    /// The sizes of the sums in the load of each shaft of a train, from the forces of the last [`Flow::rhs`].
    fn load_sizes(&self, train: &GearTrain) -> Vec<f64> {
        // forces are sums of a few terms, which may cancel: the largest of each place
        let Components { springs, contacts, applied_forces, controllers, .. } = &self.components;
        let mut sizes: Vec<f64> = train.loads(&self.force).iter().map(|load| load.abs()).collect();
        let mut add = |row: &ConstraintRow, force: f64| {
            for (shaft, size) in train.shafts.iter().zip(&mut sizes) {
                let part = row.coordinates().find(|(j, _)| *j == shaft.i);
                *size += part.map_or(0.0, |(_, own)| (own * shaft.by * force).abs());
            }
        };
        springs.iter().for_each(|spring| add(&spring.row, spring.force));
        applied_forces.iter().for_each(|applied| add(&applied.row, applied.force));
        controllers.iter().filter_map(|c| c.on.as_ref().map(|row| (row, c.output))).for_each(|(r, u)| add(r, u));
        for contact in contacts.iter().filter(|contact| matches!(contact.mode, ContactMode::Slip(_))) {
            // the force of the last derivatives
            add(&contact.row, contact.rows[0]);
        }
        sizes
    }
    /// Accelerations of the shafts of trains that turn, from the forces on them; adds the power that they lose.
    pub(super) fn turn_gears(&mut self, y: &[f64], power: &mut [f64; 3]) {
        let Self { components: Components { lossy_gears: gears, gear_trains, .. }, force, acceleration, .. } = self;
        for train in gear_trains {
            if !train.turns(gears) {
                continue;
            }
            let (u, loads) = (train.speed(y), train.loads(force));
            let a = train.motion(gears, u, &loads).acceleration;
            train.shafts.iter().for_each(|shaft| acceleration[shaft.i] = shaft.by * a);
            let given = train.given(gears, (u, a), &loads);
            for (shaft, s) in train.shafts.iter().zip(given) {
                let Some(drive) = shaft.driven else { continue };
                let gear = &mut gears[drive.gear];
                if let GearMode::Turning { side, flank } = gear.mode {
                    gear.torque = [gear.ratio(side, flank, (u * drive.by).abs()).0 * s, s];
                }
            }
            power[FRICTION] += u * (loads.iter().sum::<f64>() - train.inertia() * a);
        }
    }
    /// The rows of the Jacobian of the shafts of trains that turn, from the derivatives of forces `rows`, which are those by
    /// positions and then those by velocities and other states; and the derivatives of the power that they lose.
    pub(super) fn turn_gear_rows(&self, y: &[f64], out: &mut Jacobian) {
        let (n, nu, vi) = (self.components.n, self.components.nu, &self.components.vi);
        let gears = &self.components.lossy_gears;
        for train in self.components.gear_trains.iter().filter(|train| train.turns(gears)) {
            let (u, loads, inertia) = (train.speed(y), train.loads(&self.force), train.inertia());
            let motion = train.motion(gears, u, &loads);
            // the acceleration and the lost power for changes of the forces
            let answer = |force: &dyn Fn(usize) -> f64| {
                let loads = train.shafts.iter().map(|shaft| shaft.by * force(shaft.i));
                let (mut a, mut sum) = (0.0, 0.0);
                for (load, by) in loads.zip(&motion.by) {
                    (a, sum) = (a + by * load, sum + load);
                }
                (a, u * (sum - inertia * a))
            };
            for (half, matrix) in [&mut out.by_q, &mut out.by_u].into_iter().enumerate() {
                for column in 0..nu {
                    let (a, lost) = answer(&|i| self.rows[(half * n + i) * nu + column]);
                    train.shafts.iter().for_each(|shaft| matrix.set(shaft.v - n, column, shaft.by * a));
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
            let (a, by_time) = answer(&|i| self.force_by_t[i]);
            out.power_t[FRICTION] += by_time;
            // the efficiency changes with the speed
            let speed = train.shafts[0].v - n;
            for shaft in &train.shafts {
                out.by_t[shaft.v - n] = shaft.by * a;
                out.by_u.add(shaft.v - n, speed, shaft.by * motion.slope);
            }
            let lost = loads.iter().sum::<f64>() - inertia * motion.acceleration;
            out.power[n + speed][FRICTION] += lost - u * inertia * motion.slope;
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
        let Self { components: Components { lossy_gears: gears, gear_trains, contacts, .. }, force, .. } = self;
        for train in gear_trains {
            if !train.turns(gears) {
                train.share_at_rest(gears, contacts, &train.loads(force));
            }
        }
    }
    /// Decides about the gears: those at rest turn if their torques cannot hold them, and those that turn do so with the flank that transmits.
    pub(super) fn decide_gears(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        if self.components.lossy_gears.is_empty() {
            return;
        }
        let mut resting = Vec::new();
        let Components { lossy_gears: gears, gear_trains, contacts, .. } = &mut self.components;
        for (k, train) in gear_trains.iter().enumerate() {
            let u = train.speed(y);
            if u == 0.0 && gears[train.leader()].slip_start >= t {
                continue;
            }
            for drive in train.drives() {
                let gear = &mut gears[drive.gear];
                if u == 0.0 {
                    gear.mode = GearMode::Held;
                } else if gear.mode == GearMode::Held {
                    gear.mode = GearMode::Turning { side: (drive.by * u).signum(), flank: 1.0 };
                }
            }
            if u == 0.0 {
                resting.push(k);
                // the contacts with the ground stick, as far as they can
                for &(c, _) in train.shafts.iter().flat_map(|shaft| &shaft.contacts) {
                    if contacts[c].can_stick() {
                        (contacts[c].mode, contacts[c].came_to_rest) = (ContactMode::Stuck, false);
                    }
                }
            }
        }
        self.form_groups();
        self.rhs(t, y, dy);
        for k in resting {
            let leader = self.components.gear_trains[k].leader();
            let turns = |side: &f64| {
                let (room, rounding) = self.gear_room(leader, *side);
                room < -rounding
            };
            if let Some(side) = [1.0, -1.0].into_iter().find(turns) {
                self.let_gear_go(leader, side, t);
            }
        }
        self.choose_flanks(t, y, dy);
    }
    /// The train of gear `g`, and the number of the shaft that the gear drives.
    fn train_of(&self, g: usize) -> Option<(&GearTrain, usize)> {
        self.components.gear_trains.iter().find_map(|train| {
            let shaft = train.shafts.iter().position(|shaft| shaft.driven.is_some_and(|drive| drive.gear == g));
            Some((train, shaft?))
        })
    }
    /// The train that gear `g` leads begins to turn at time `t`, its first shaft to this side, and its contacts with the ground slide.
    pub(super) fn let_gear_go(&mut self, g: usize, side: f64, t: f64) {
        let Components { lossy_gears: gears, gear_trains, contacts, .. } = &mut self.components;
        for train in gear_trains.iter().filter(|train| train.leader() == g) {
            for drive in train.drives() {
                let gear = &mut gears[drive.gear];
                let side = side * drive.by.signum();
                // power goes forward until the torques are known
                (gear.mode, gear.slip_start) = (GearMode::Turning { side, flank: side }, t);
            }
            for &(c, lever) in train.shafts.iter().flat_map(|shaft| &shaft.contacts) {
                let contact = &mut contacts[c];
                let direction = side * lever.signum();
                (contact.mode, contact.slip_start, contact.came_to_rest) = (ContactMode::Slip(direction), t, false);
            }
        }
    }
    /// Gears that turn do so with the flank that transmits. Where nothing is transmitted the flank stays.
    pub(super) fn choose_flanks(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        self.form_groups();
        self.rhs(t, y, dy);
        for k in 0..self.components.gear_trains.len() {
            let (gears, train) = (&self.components.lossy_gears, &self.components.gear_trains[k]);
            let Some(Ok(side)) = train.drives().next().map(|drive| match gears[drive.gear].mode {
                GearMode::Turning { side, .. } => Ok(side * drive.by.signum()),
                other => Err(other),
            }) else {
                continue;
            };
            let sizes: f64 = self.load_sizes(train).iter().sum();
            let given = train.given_on_all_flanks(gears, (side, train.speed(y)), &train.loads(&self.force));
            let Components { lossy_gears: gears, gear_trains, .. } = &mut self.components;
            for (shaft, s) in gear_trains[k].shafts.iter().zip(given) {
                let Some(drive) = shaft.driven else { continue };
                if let GearMode::Turning { flank, .. } = &mut gears[drive.gear].mode
                    && (s * drive.by).abs() > LIMIT_ROUNDING * sizes
                {
                    *flank = s.signum();
                }
            }
        }
    }
    /// The torque that gear `g` gives, whose sign is that of the flank in contact, and its rounding, from the forces of the last [`Flow::rhs`] in state `y`.
    pub(super) fn flank_torque(&self, g: usize, y: &[f64]) -> (f64, f64) {
        let Some((train, shaft)) = self.train_of(g) else { return (0.0, f64::INFINITY) };
        let (gears, u, loads) = (&self.components.lossy_gears, train.speed(y), train.loads(&self.force));
        let acceleration = train.motion(gears, u, &loads).acceleration;
        let by = train.shafts[shaft].driven.map_or(1.0, |drive| drive.by.abs());
        let sizes: f64 = self.load_sizes(train).iter().sum();
        (train.given(gears, (u, acceleration), &loads)[shaft], LIMIT_ROUNDING * sizes / by)
    }
    /// How far the train that gear `g` leads, at rest, is from turning its first shaft to a side, and the rounding of that, from the forces of the last [`Flow::rhs`].
    pub(super) fn gear_room(&self, g: usize, side: f64) -> (f64, f64) {
        let Some((train, _)) = self.train_of(g) else { return (f64::INFINITY, 0.0) };
        let (loads, sizes) = (train.loads(&self.force), self.load_sizes(train));
        let Components { lossy_gears, contacts, .. } = &self.components;
        let (need, size) = train.needed_at_rest(lossy_gears, contacts, (&loads, &sizes));
        let [low, high] = need[0];
        (if side > 0.0 { high } else { -low }, LIMIT_ROUNDING * size)
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
