//! Shafts that gears with losses connect, and that therefore move in proportion: one gear, or several in series.
//!
//! The first place of a gear drives, so that every shaft is driven by one gear at most, and the shafts form a tree. All is counted at its first shaft: the speed `u`,
//! inertias `μ`, loads `f`, torques `t` and `s` of each gear. Shaft k needs from the gear that drives it
//!
//! ```text
//! s = μ u̇ − f + Σ t    over the gears that it drives,    t = r s
//! ```
//!
//! where the ratio r is that of the gear's ray: `1/η₁` while power goes forward, `η₂` while it goes backward. The first shaft needs nothing. From the last shafts to the first
//! this is a sum that rises with `u̇`, as long as the inertia seen at each shaft, `μ + Σ r` times that of the next, is positive, which is checked; so that there is one solution;
//! the flank of each gear is the sign of its `s`. With the products w of the ratios from the first shaft on, `Σ w μ u̇ = Σ w f`.
//!
//! At rest `t` may be anything between `s/η₁` and `η₂ s`, and what each shaft needs is an interval, with the friction of its contacts in it. Rest is possible if that of the
//! first shaft contains zero; if all of it is below zero the train turns forward, if above, backward.
use super::components::{Components, ContactState};
use super::lossy_gear::{GearMode, LossyGearState};

/// A shaft of a train.
pub(super) struct Shaft {
    /// Its coordinate, and the index of its velocity in the state vector.
    pub i: usize,
    pub v: usize,
    /// Its velocity over that of the first shaft.
    pub by: f64,
    /// Its inertia, as seen at the first shaft.
    pub inertia: f64,
    /// The gear that drives it; none for the first shaft.
    pub driven: Option<Drive>,
    /// Its contacts with the ground, and their sliding velocities over that of the first shaft.
    pub contacts: Vec<(usize, f64)>,
}

/// A gear of a train.
#[derive(Clone, Copy)]
pub(super) struct Drive {
    pub gear: usize,
    /// The shaft that drives.
    pub from: usize,
    /// Speed of the gear's first place over that of the first shaft.
    pub by: f64,
}

pub(super) struct GearTrain {
    /// Each after the one that drives it.
    pub shafts: Vec<Shaft>,
}

impl Components<'_> {
    /// Forms the trains of the gears that are on, and marks the contacts whose rest they decide.
    pub fn form_trains(&mut self) {
        self.contacts.iter_mut().for_each(|contact| contact.gear = None);
        let mut trains = Vec::new();
        let gears = &self.lossy_gears;
        let is_on = |gear: &&LossyGearState<'_>| gear.mode != GearMode::Open;
        let is_driven = |i: usize| gears.iter().filter(is_on).any(|gear| gear.row.q[1].0 == i);
        for (k, gear) in gears.iter().enumerate().filter(|(_, gear)| is_on(gear)) {
            let (first, _) = gear.row.q[0];
            // another gear may begin at the same shaft
            let is_known = gears[..k].iter().filter(is_on).any(|other| other.row.q[0].0 == first);
            if is_driven(first) || is_known {
                continue;
            }
            let mut shafts = vec![self.shaft(first, gear.row.v[0], 1.0, None)];
            let mut from = 0;
            while from < shafts.len() {
                let (i, by) = (shafts[from].i, shafts[from].by);
                for (g, gear) in gears.iter().enumerate().filter(|(_, gear)| is_on(gear) && gear.row.q[0].0 == i) {
                    let [(_, first), (second, c)] = gear.row.q;
                    let drive = Drive { gear: g, from, by: first * by };
                    shafts.push(self.shaft(second, gear.row.v[1], -first / c * by, Some(drive)));
                }
                from += 1;
            }
            trains.push(GearTrain { shafts });
        }
        for (k, train) in trains.iter().enumerate() {
            for &(c, _) in train.shafts.iter().flat_map(|shaft| &shaft.contacts) {
                self.contacts[c].gear = Some(k);
            }
        }
        self.gear_trains = trains;
    }
    fn shaft(&self, i: usize, v: usize, by: f64, driven: Option<Drive>) -> Shaft {
        let on = |contact: &ContactState<'_>| contact.row.nq == 1 && contact.row.nm == 0 && contact.row.q[0].0 == i;
        let contacts = self.contacts.iter().enumerate().filter(|(_, contact)| on(contact));
        let contacts = contacts.map(|(c, contact)| (c, contact.row.q[0].1 * by)).collect();
        Shaft { i, v, by, inertia: self.masses[i] * by * by, driven, contacts }
    }
}

/// What the shafts of a train that turns answer to loads.
pub(super) struct TrainMotion {
    /// Acceleration of the first shaft, and its slope over the speed.
    pub acceleration: f64,
    pub slope: f64,
    /// The factor with which the acceleration answers to the load of each shaft.
    pub by: Vec<f64>,
}

impl GearTrain {
    /// The gears, each after that which drives it.
    pub fn drives(&self) -> impl Iterator<Item = Drive> + '_ {
        self.shafts.iter().filter_map(|shaft| shaft.driven)
    }
    /// The gear whose speed and rest stand for those of all.
    pub fn leader(&self) -> usize {
        self.drives().next().map_or(0, |drive| drive.gear)
    }
    /// Whether it turns.
    pub fn turns(&self, gears: &[LossyGearState<'_>]) -> bool {
        matches!(gears[self.leader()].mode, GearMode::Turning { .. })
    }
    /// Speed of the first shaft.
    pub fn speed(&self, y: &[f64]) -> f64 {
        y[self.shafts[0].v]
    }
    /// The load of each shaft, from generalised forces.
    pub fn loads(&self, force: &[f64]) -> Vec<f64> {
        self.shafts.iter().map(|shaft| shaft.by * force[shaft.i]).collect()
    }
    /// Sum of the inertias.
    pub fn inertia(&self) -> f64 {
        self.shafts.iter().map(|shaft| shaft.inertia).sum()
    }
    /// The motion in the present modes of the gears, at speed `u` of the first shaft.
    pub fn motion(&self, gears: &[LossyGearState<'_>], u: f64, loads: &[f64]) -> TrainMotion {
        let (mut weights, mut slopes) = (Vec::with_capacity(loads.len()), Vec::with_capacity(loads.len()));
        for shaft in &self.shafts {
            let (weight, slope) = shaft.driven.map_or((1.0, 0.0), |Drive { gear, from, by }| {
                let gear = &gears[gear];
                let GearMode::Turning { side, flank } = gear.mode else { return (weights[from], slopes[from]) };
                let (ratio, by_speed) = gear.ratio(side, flank, (u * by).abs());
                // the ratio is a function of the speed of the gear without its sign
                let by_speed = by_speed * if u < 0.0 { -by.abs() } else { by.abs() };
                (weights[from] * ratio, slopes[from] * ratio + weights[from] * by_speed)
            });
            weights.push(weight);
            slopes.push(slope);
        }
        let sum =
            |of: &dyn Fn(usize, &Shaft) -> f64| self.shafts.iter().enumerate().map(|(k, s)| of(k, s)).sum::<f64>();
        let inertia = sum(&|k, shaft| weights[k] * shaft.inertia);
        let acceleration = sum(&|k, _| weights[k] * loads[k]) / inertia;
        let slope = sum(&|k, shaft| slopes[k] * (loads[k] - shaft.inertia * acceleration)) / inertia;
        weights.iter_mut().for_each(|weight| *weight /= inertia);
        TrainMotion { acceleration, slope, by: weights }
    }
    /// What the first shaft still needs at a `rate`, an acceleration or, for momenta as loads, a speed; `given` gets the torque that each gear gives,
    /// by the number of the shaft that it drives, counted at the gear's first place. `ratio`: torque taken over torque given, of a gear that gives this torque.
    pub fn needed(&self, loads: &[f64], rate: f64, given: &mut [f64], ratio: impl Fn(Drive, f64) -> f64) -> f64 {
        let mut need: Vec<f64> = self.shafts.iter().zip(loads).map(|(shaft, f)| shaft.inertia * rate - f).collect();
        for k in (1..need.len()).rev() {
            let Some(drive) = self.shafts[k].driven else { continue };
            given[k] = need[k] / drive.by;
            need[drive.from] += ratio(drive, given[k]) * need[k];
        }
        need[0]
    }
    /// The torques that the gears give with an acceleration in their present modes.
    pub fn given(&self, gears: &[LossyGearState<'_>], (u, acceleration): (f64, f64), loads: &[f64]) -> Vec<f64> {
        let mut given = vec![0.0; loads.len()];
        self.needed(loads, acceleration, &mut given, |drive, _| {
            let gear = &gears[drive.gear];
            match gear.mode {
                GearMode::Turning { side, flank } => gear.ratio(side, flank, (u * drive.by).abs()).0,
                _ => 1.0,
            }
        });
        given
    }
    /// The torques that the gears give with the flanks on which they can transmit, while the first shaft turns or begins to turn to a `side` at speed `u`.
    pub fn given_on_all_flanks(&self, gears: &[LossyGearState<'_>], (side, u): (f64, f64), loads: &[f64]) -> Vec<f64> {
        let mut given = vec![0.0; loads.len()];
        let ratio = |drive: Drive, s: f64| {
            gears[drive.gear].ratio(side * drive.by.signum(), s.signum(), (u * drive.by).abs()).0
        };
        // at the largest acceleration that a shaft would have alone nothing is needed less, at the least nothing more
        let alone = || self.shafts.iter().zip(loads).map(|(shaft, f)| f / shaft.inertia);
        let ends = (alone().fold(f64::INFINITY, f64::min), alone().fold(f64::NEG_INFINITY, f64::max));
        let mut needed = |rate| self.needed(loads, rate, &mut given, ratio);
        let ends = widened(ends, &mut needed);
        root(ends, needed);
        given
    }
    /// The speed of the first shaft after the blow of gears that were switched on between shafts of different `speeds`, all counted at the first.
    ///
    /// The impulses of each gear on its places are in the ratio of its law at the speed after the blow: the equations of motion with momenta for loads and the speed for the
    /// acceleration. Where all speeds have one sign, so has the speed of each mesh all the time, and this is what friction in proportion to the torque takes of any course of
    /// the blow. If neither direction has a solution, the impulses are possible at rest, and the train stops. No energy is gained: what each gear takes is
    /// `(T − S) u + …`, with the power of its law.
    pub fn speed_after_blow(&self, gears: &[LossyGearState<'_>], speeds: &[f64]) -> f64 {
        let momenta: Vec<f64> = self.shafts.iter().zip(speeds).map(|(shaft, u)| shaft.inertia * u).collect();
        let mut given = vec![0.0; speeds.len()];
        for side in [1.0, -1.0] {
            let mut needed = |u: f64| {
                let ratio = |drive: Drive, s: f64| {
                    gears[drive.gear].ratio(side * drive.by.signum(), s.signum(), (u * drive.by).abs()).0
                };
                self.needed(&momenta, u, &mut given, ratio)
            };
            let fastest = side * speeds.iter().fold(0.0_f64, |most, u| most.max(side * u));
            if side * needed(0.0) < 0.0 {
                let ends = if side > 0.0 { (0.0, fastest) } else { (fastest, 0.0) };
                return root(ends, needed);
            }
        }
        0.0
    }
    /// What the contacts of shaft `k` may take against the motion of the first shaft: least and most.
    fn friction_limits(&self, contacts: &[ContactState<'_>], k: usize) -> [f64; 2] {
        let mut out = [0.0; 2];
        for &(c, lever) in self.shafts[k].contacts.iter().filter(|(c, _)| contacts[*c].can_stick()) {
            let (low, high) = contacts[c].limits();
            let [a, b] = [low, high].map(|force| force * lever);
            out = [out[0] + a.min(b), out[1] + a.max(b)];
        }
        out
    }
    /// What each shaft may need at rest, least and most, and the size of the sums for the first.
    pub fn needed_at_rest(
        &self,
        gears: &[LossyGearState<'_>],
        contacts: &[ContactState<'_>],
        (loads, sizes): (&[f64], &[f64]),
    ) -> (Vec<[f64; 2]>, f64) {
        let mut size = sizes.to_vec();
        let mut need: Vec<[f64; 2]> = (0..loads.len())
            .map(|k| {
                let [low, high] = self.friction_limits(contacts, k);
                size[k] += low.abs() + high.abs();
                [low - loads[k], high - loads[k]]
            })
            .collect();
        for k in (1..need.len()).rev() {
            let Some(drive) = self.shafts[k].driven else { continue };
            let taken = gears[drive.gear].taken_at_rest(need[k].map(|x| x / drive.by));
            let taken = taken.map(|t| t * drive.by);
            let into = &mut need[drive.from];
            *into = [into[0] + taken[0].min(taken[1]), into[1] + taken[0].max(taken[1])];
            size[drive.from] += gears[drive.gear].largest_ratio() * size[k];
        }
        (need, size[0])
    }
    /// Torques of the gears at rest, as small as they can be from the first shaft on, and what is left for the contacts of each shaft: a share of the width of their limits.
    pub fn share_at_rest(&self, gears: &mut [LossyGearState<'_>], contacts: &mut [ContactState<'_>], loads: &[f64]) {
        let none = vec![0.0; loads.len()];
        let (need, _) = self.needed_at_rest(gears, contacts, (loads, &none));
        let mut wanted = vec![0.0; loads.len()];
        for (k, shaft) in self.shafts.iter().enumerate() {
            let [low, high] = self.friction_limits(contacts, k);
            let below: Vec<usize> = (0..self.shafts.len())
                .filter(|&j| self.shafts[j].driven.is_some_and(|drive| drive.from == k))
                .collect();
            let ranges: Vec<[f64; 2]> = below
                .iter()
                .filter_map(|&j| {
                    let drive = self.shafts[j].driven?;
                    let taken = gears[drive.gear].taken_at_rest(need[j].map(|x| x / drive.by)).map(|t| t * drive.by);
                    Some([taken[0].min(taken[1]), taken[0].max(taken[1])])
                })
                .collect();
            let ends = ranges.iter().fold([0.0; 2], |sum: [f64; 2], one| [sum[0] + one[0], sum[1] + one[1]]);
            // wanted = friction − load + what the gears take, which is as near to zero as friction allows
            let least =
                0.0_f64.max(wanted[k] + loads[k] - high).min(wanted[k] + loads[k] - low).clamp(ends[0], ends[1]);
            let share = |[low, high]: [f64; 2], at: f64| {
                if high > low { ((at - low) / (high - low)).clamp(0.0, 1.0) } else { 0.5 }
            };
            let part = share(ends, least);
            for (&j, range) in below.iter().zip(&ranges) {
                let Some(drive) = self.shafts[j].driven else { continue };
                // one alone takes exactly this
                let taken = if below.len() == 1 { least } else { range[0] + part * (range[1] - range[0]) };
                let t = taken / drive.by;
                let s = gears[drive.gear].given_at_rest(t, need[j].map(|x| x / drive.by));
                gears[drive.gear].torque = [t, s];
                wanted[j] = s * drive.by;
            }
            let part = share([low, high], wanted[k] + loads[k] - least);
            for &(c, lever) in shaft.contacts.iter() {
                if contacts[c].can_stick() {
                    let (low, high) = contacts[c].limits();
                    contacts[c].constraint_force = low + (high - low) * if lever > 0.0 { part } else { 1.0 - part };
                }
            }
        }
    }
}

/// Ends between which a rising function changes its sign: these, or further away where they are not. With a gear that locks itself a torque may add to what
/// drives it, and a train accelerate more than any of its shafts alone.
fn widened((mut low, mut high): (f64, f64), mut rises: impl FnMut(f64) -> f64) -> (f64, f64) {
    let mut width = (high - low).max(f64::EPSILON * low.abs().max(high.abs()));
    while width > 0.0 && width.is_finite() {
        let (below, above) = (rises(low) > 0.0, rises(high) < 0.0);
        if !below && !above {
            break;
        }
        (low, high) = (if below { low - width } else { low }, if above { high + width } else { high });
        width *= 2.0;
    }
    (low, high)
}

/// The zero of a function that rises between two ends, to the last digit; the last evaluation is there.
fn root((mut low, mut high): (f64, f64), mut rises: impl FnMut(f64) -> f64) -> f64 {
    loop {
        let middle = 0.5 * low + 0.5 * high;
        let is_between = middle > low && middle < high;
        if !is_between {
            rises(high);
            return high;
        }
        if rises(middle) < 0.0 { low = middle } else { high = middle }
    }
}
