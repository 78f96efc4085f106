//! Rigid gears whose mesh loses a part of the power that it transmits.
use super::build::{finite, problem};
use super::switch::{SwitchedPart, check_switch};
use super::{Connection, Curve, GROUND, Node, NodeKind, Signal, System, SystemError, SystemErrorKind};

/// The efficiency of a mesh in one direction of the power, over the speed of the gear's first place.
#[derive(Clone, Debug, PartialEq)]
pub enum Efficiency {
    /// The same at every speed.
    Constant(f64),
    /// Over the absolute speed; the values of the ends hold beyond them.
    Curve(Curve),
}

impl Efficiency {
    /// Value and slope at a speed.
    pub fn at(&self, speed: f64) -> (f64, f64) {
        match self {
            Self::Constant(value) => (*value, 0.0),
            Self::Curve(curve) => {
                let [low, high] = curve.range();
                let inside = speed.clamp(low, high);
                let (value, slope) = curve.at(inside);
                (value, if inside == speed { slope } else { 0.0 })
            }
        }
    }
    /// Its values at a number of speeds that tell its extremes: those of a spline lie at most a little beyond.
    fn samples(&self) -> impl Iterator<Item = f64> + '_ {
        const COUNT: u32 = 1000;
        let [low, high] = match self {
            Self::Constant(_) => [0.0; 2],
            Self::Curve(curve) => curve.range(),
        };
        (0..=COUNT).map(move |k| self.at(low + (high - low) * f64::from(k) / f64::from(COUNT)).0)
    }
}

/// A rigid gear with losses in proportion to the transmitted torque, as of Pelchen, Schweiger and Otter (2002).
///
/// With the torque `t` that it takes from the first place and the torque `s` that it gives to the second, counted at the first, each flank of
/// the teeth transmits in one direction of rotation by `s = η₁ t` (power from the first to the second), and in the other by `t = η₂ s`.
/// At rest every pair between these two is possible. An efficiency `η₂` of zero or less is that of a gear that locks itself: without a
/// torque at the first, none at the second moves it.
#[derive(Clone, Debug, PartialEq)]
pub struct LossyGear {
    /// Speed of the first place over speed of the second.
    pub ratio: f64,
    /// Efficiency while power goes from the first to the second, above zero and at most one.
    pub forward: Efficiency,
    /// Efficiency while power goes from the second to the first, at most one; zero or less for a gear that locks itself.
    pub backward: Efficiency,
}

impl System {
    /// Couples two bodies by a rigid gear with losses. Bodies keep their coordinates; the gear keeps their speeds in proportion.
    ///
    /// # Errors
    /// [`SystemError`] for a value out of range, or two places that cannot be coupled.
    pub fn lossy_gear(&mut self, name: &str, a: Node, b: Node, gear: LossyGear) -> Result<(), SystemError> {
        self.couple(name, a, b, gear)?;
        // v_a = ratio·v_b; a body without a given velocity follows the other, also through gears that were added before
        for _ in 0..self.lossy_gears.len() {
            for g in 0..self.lossy_gears.len() {
                let is_switched = self.switches.iter().any(|switch| switch.part == SwitchedPart::LossyGear(g));
                let (ends, ratio) = (self.lossy_gears[g].ends, self.lossy_gears[g].component.ratio);
                if let [Some((ia, sa)), Some((ib, sb))] = ends.map(|end| self.coordinate_of(end))
                    && !is_switched
                {
                    self.follow(ia, ib, sa / (ratio * sb));
                }
            }
        }
        Ok(())
    }
    /// The same while a signal is 1. When it becomes 1 while speeds are not in proportion, a plastic impact brings them there.
    ///
    /// # Errors
    /// As [`System::lossy_gear`] and [`System::switch`].
    pub fn switched_lossy_gear(
        &mut self,
        name: &str,
        [a, b]: [Node; 2],
        gear: LossyGear,
        enable: Signal,
    ) -> Result<(), SystemError> {
        check_switch(name, &enable)?;
        self.couple(name, a, b, gear)?;
        self.switch(name, enable)
    }
    fn couple(&mut self, name: &str, a: Node, b: Node, gear: LossyGear) -> Result<(), SystemError> {
        self.free(name)?;
        finite(name, &[("ratio", gear.ratio)])?;
        if gear.ratio == 0.0 {
            let kind = SystemErrorKind::InvalidValue { key: "ratio", value: 0.0, requirement: "other than zero" };
            return Err(problem(name, kind));
        }
        for efficiency in [&gear.forward, &gear.backward] {
            if let Some(value) = efficiency.samples().find(|value| !(value.is_finite() && *value <= 1.0)) {
                return Err(problem(name, SystemErrorKind::EfficiencyAboveOne { value }));
            }
            if let Efficiency::Curve(curve) = efficiency
                && curve.range()[0] < 0.0
            {
                let kind = SystemErrorKind::InvalidValue {
                    key: "speed",
                    value: curve.range()[0],
                    requirement: "zero or more: an efficiency is over the absolute speed",
                };
                return Err(problem(name, kind));
            }
        }
        if let Some(value) = gear.forward.samples().find(|value| *value <= 0.0) {
            return Err(problem(name, SystemErrorKind::LocksForward { value }));
        }
        let (Some((ia, _)), Some((ib, _))) = (self.coordinate_of(a), self.coordinate_of(b)) else {
            return Err(problem(name, SystemErrorKind::InvalidGear));
        };
        if ia == ib || self.bodies[ia].mass == 0.0 || self.bodies[ib].mass == 0.0 {
            return Err(problem(name, SystemErrorKind::InvalidGear));
        }
        let name = self.take(name);
        self.lossy_gears.push(Connection { name, ends: [a, b], component: gear });
        Ok(())
    }
    /// Gives a coordinate without a velocity at the start that of the other, of which the second is `factor` times the first.
    fn follow(&mut self, first: usize, second: usize, factor: f64) {
        if self.bodies[second].v == 0.0 {
            self.bodies[second].v = factor * self.bodies[first].v;
        } else if self.bodies[first].v == 0.0 {
            self.bodies[first].v = self.bodies[second].v / factor;
        }
    }
    /// Two places begin with speeds in the ratio of a gear that is on at the start: one without a velocity follows the other. Whether one did.
    ///
    /// # Errors
    /// [`SystemErrorKind::InconsistentStart`] if both have velocities, in another ratio.
    pub fn begin_geared(&mut self, name: &str, [a, b]: [Node; 2], ratio: f64) -> Result<bool, SystemError> {
        let (Some((ia, sa)), Some((ib, sb))) = (self.coordinate_of(a), self.coordinate_of(b)) else {
            return Err(problem(name, SystemErrorKind::InvalidGear));
        };
        let before = [self.bodies[ia].v, self.bodies[ib].v];
        self.follow(ia, ib, sa / (ratio * sb));
        let (given, expected) = (sa * self.bodies[ia].v, ratio * sb * self.bodies[ib].v);
        if (given - expected).abs() > 1e-12 * given.abs().max(expected.abs()) {
            return Err(problem(name, SystemErrorKind::InconsistentStart { expected, given }));
        }
        Ok(before != [self.bodies[ia].v, self.bodies[ib].v])
    }
    pub(super) fn coordinate_of(&self, node: Node) -> Option<(usize, f64)> {
        match self.nodes[node.0].kind {
            NodeKind::Coordinate { index, scale, .. } => Some((index, scale)),
            _ => None,
        }
    }
    /// Checks what is attached to the places of lossy gears. The gear decides alone about its rest, so that nothing else may hold one
    /// of its places but contacts with the ground, whose limits it adds to its own.
    pub(super) fn check_lossy_gears(&self) -> Result<(), SystemError> {
        let mut taken: Vec<usize> = Vec::new();
        // the gear that drives each coordinate
        let mut driven: Vec<Option<usize>> = vec![None; self.bodies.len()];
        for (g, Connection { name, ends, component: gear }) in self.lossy_gears.iter().enumerate() {
            let invalid = || problem(name, SystemErrorKind::InvalidGear);
            let (Some((ia, sa)), Some((ib, sb))) = (self.coordinate_of(ends[0]), self.coordinate_of(ends[1])) else {
                return Err(invalid());
            };
            if ia == ib {
                return Err(invalid());
            }
            if driven[ib].replace(g).is_some() {
                return Err(problem(name, SystemErrorKind::DrivenTwice));
            }
            taken.extend([ia, ib]);
            let (first, second) = (self.bodies[ia], self.bodies[ib]);
            let expected = second.v * gear.ratio * sb / sa;
            // one that is switched on later closes by an impact
            let is_switched = self.switches.iter().any(|switch| switch.part == SwitchedPart::LossyGear(g));
            if !is_switched && (first.v - expected).abs() > 1e-12 * first.v.abs().max(expected.abs()) {
                return Err(problem(name, SystemErrorKind::InconsistentStart { expected, given: first.v }));
            }
        }
        self.check_inertias(&driven)?;
        let on_gear =
            |ends: &[Node; 2]| ends.iter().any(|&end| self.coordinate_of(end).is_some_and(|(i, _)| taken.contains(&i)));
        for joint in self.contacts.iter().filter(|joint| on_gear(&joint.ends)) {
            if joint.component.holds() && !joint.ends.contains(&GROUND) {
                let what = "a contact that sticks to anything but the ground";
                return Err(problem(&joint.name, SystemErrorKind::OnLossyGear { what }));
            }
        }
        let stop = self.stops.iter().find(|joint| on_gear(&joint.ends)).map(|joint| (&joint.name, "a stop"));
        let freewheel =
            self.freewheels.iter().find(|joint| on_gear(&joint.ends)).map(|joint| (&joint.name, "a freewheel"));
        let gear = self.switched_gears.iter().find(|joint| on_gear(&joint.ends));
        let gear = gear.map(|joint| (&joint.name, "a rigid gear that a signal switches"));
        match stop.or(freewheel).or(gear) {
            Some((name, what)) => Err(problem(name, SystemErrorKind::OnLossyGear { what })),
            None => Ok(()),
        }
    }
    /// Checks that the gears have no loop, and that a shaft with all that it drives, as seen there, has a positive inertia on any flanks: else there may be no acceleration
    /// at which torques balance. `driven`: the gear that drives each coordinate.
    fn check_inertias(&self, driven: &[Option<usize>]) -> Result<(), SystemError> {
        let ends = |g: usize| self.lossy_gears[g].ends.map(|end| self.coordinate_of(end).unwrap_or_default());
        // from the last shafts on: those that drive others are counted after them
        let depth = |mut i: usize| {
            let mut depth = 0;
            while let Some(g) = driven[i] {
                (i, depth) = (ends(g)[0].0, depth + 1);
                if depth > self.lossy_gears.len() {
                    return Err(problem(&self.lossy_gears[g].name, SystemErrorKind::InvalidGear));
                }
            }
            Ok(depth)
        };
        let mut order = Vec::new();
        for i in (0..driven.len()).filter(|&i| driven[i].is_some()) {
            order.push((depth(i)?, i));
        }
        order.sort_unstable();
        // least and largest, in the coordinate itself
        let mut seen: Vec<[f64; 2]> = self.bodies.iter().map(|body| [body.mass; 2]).collect();
        for (_, i) in order.into_iter().rev() {
            let Some(g) = driven[i] else { continue };
            let gear = &self.lossy_gears[g].component;
            let [(first, sa), (_, sb)] = ends(g);
            let factor = (sa / (gear.ratio * sb)).powi(2);
            let [low, high] = seen[i].map(|inertia| factor * inertia);
            let forward = gear.forward.samples().map(|eta| [low / eta, high / eta]);
            let backward =
                gear.backward.samples().map(|eta| [(eta * low).min(eta * high), (eta * low).max(eta * high)]);
            let all = forward.chain(backward);
            let [least, most] =
                all.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], [a, b]| [least.min(a), most.max(b)]);
            // one that is switched off adds nothing
            let is_switched = self.switches.iter().any(|switch| switch.part == SwitchedPart::LossyGear(g));
            let least = if is_switched { least.min(0.0) } else { least };
            seen[first] = [seen[first][0] + least, seen[first][1] + most];
            if seen[first][0] <= 0.0 {
                return Err(problem(&self.lossy_gears[g].name, SystemErrorKind::JammingGear));
            }
        }
        Ok(())
    }
}
