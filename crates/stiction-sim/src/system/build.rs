//! Building a system, with a check of every component.
use super::SystemError;
use super::switch::{SwitchedPart, check_switch};
use super::{
    Actuation, Body, Connection, Contact, Controller, ControllerSlot, Freewheel, GROUND, Load, Measurement, NamedNode,
    Node, NodeKind, PlaneAnchor, PlaneSpring, PlaneSystem, Plant, Signal, Spring, Stop, System, SystemErrorKind,
};
use std::collections::HashSet;

impl Default for System {
    fn default() -> Self {
        Self::new()
    }
}

impl System {
    /// A system that contains only the ground.
    pub fn new() -> Self {
        let ground = NamedNode { name: "ground".to_owned(), rotates: false, kind: NodeKind::Ground };
        Self {
            names: HashSet::from(["ground".to_owned()]),
            nodes: vec![ground],
            bodies: Vec::new(),
            plants: Vec::new(),
            motions: Vec::new(),
            springs: Vec::new(),
            contacts: Vec::new(),
            stops: Vec::new(),
            freewheels: Vec::new(),
            switched_gears: Vec::new(),
            lossy_gears: Vec::new(),
            switches: Vec::new(),
            forces: Vec::new(),
            controllers: Vec::new(),
            plane_system: PlaneSystem::default(),
        }
    }
    /// The node called `name`.
    pub fn node(&self, name: &str) -> Option<Node> {
        self.nodes.iter().position(|place| place.name == name).map(Node)
    }
    /// The names of all nodes.
    pub fn nodes(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().map(|place| place.name.as_str())
    }
    /// The names of the components that have events, in the order of their numbers: bodies on a plane, or contacts, stops, freewheels, switched
    /// rigid gears, springs, lossy gears.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        let stops = self.stops.iter().map(|joint| &joint.name);
        let freewheels = self.freewheels.iter().map(|joint| &joint.name);
        let springs = self.springs.iter().map(|joint| &joint.name);
        let planar = self.plane_system.bodies.iter().map(|body| &body.name);
        let contacts = self.contacts.iter().map(|joint| &joint.name);
        let switched = self.switched_gears.iter().map(|joint| &joint.name);
        let gears = self.lossy_gears.iter().map(|joint| &joint.name);
        let stops = stops.chain(freewheels).chain(switched);
        planar.chain(contacts).chain(stops).chain(springs).chain(gears).map(String::as_str)
    }
    /// Adds a body.
    ///
    /// # Errors
    /// [`SystemError`] if its mass is not positive, a value is not finite, or the name is invalid or in use.
    pub fn body(&mut self, name: &str, body: Body) -> Result<Node, SystemError> {
        self.free(name)?;
        positive(name, if body.rotates { "inertia" } else { "mass" }, body.mass)?;
        finite(name, &[("x", body.x), ("v", body.v)])?;
        Ok(self.coordinate(name, body))
    }
    /// Adds a plant with initial coordinates `x` and velocities `v`; returns a node for each of its coordinates.
    ///
    /// # Errors
    /// [`SystemError`] for an invalid value.
    pub fn plant(&mut self, name: &str, plant: Plant, x: &[f64], v: &[f64]) -> Result<Vec<Node>, SystemError> {
        self.free(name)?;
        for (key, value, strictly) in plant.values() {
            if strictly {
                positive(name, key, value)?;
            } else {
                not_negative(name, key, value)?;
            }
        }
        let first = self.bodies.len();
        let taken = self.take(name);
        self.plants.push((taken, plant, first));
        let axes = plant.axes().iter().enumerate();
        axes.map(|(i, axis)| {
            let [x, v] = [x, v].map(|list| list.get(i).copied().unwrap_or(0.0));
            finite(name, &[("x", x), ("v", v)])?;
            Ok(self.coordinate(&format!("{name}.{}", axis.name), Body { mass: 0.0, x, v, rotates: axis.rotates }))
        })
        .collect()
    }
    /// Adds a node with a prescribed motion.
    ///
    /// # Errors
    /// [`SystemError`] if the name is invalid or in use.
    pub fn motion(&mut self, name: &str, position: Signal, rotates: bool) -> Result<Node, SystemError> {
        self.free(name)?;
        self.motions.push(position);
        let kind = NodeKind::Motion(self.motions.len() - 1);
        let name = self.take(name);
        self.nodes.push(NamedNode { name, rotates, kind });
        Ok(Node(self.nodes.len() - 1))
    }
    /// Connects two nodes by a spring, a damper, or both.
    ///
    /// # Errors
    /// [`SystemError`] for an invalid value or pair of nodes.
    pub fn spring(&mut self, name: &str, a: Node, b: Node, spring: Spring) -> Result<(), SystemError> {
        finite(name, &[("stiffness", spring.stiffness), ("rest", spring.rest)])?;
        not_negative(name, "damping", spring.damping)?;
        if let Some([low, high]) = spring.gap {
            not_negative(name, "stiffness", spring.stiffness)?;
            // an end may be infinite
            not_negative(name, "width of the gap", (high - low).min(f64::MAX))?;
        }
        if let Some(error) = &spring.error {
            for wave in &error.waves {
                finite(name, &[("amplitude", wave.amplitude), ("per_turn", wave.per_turn), ("phase", wave.phase)])?;
            }
            if spring.gap.is_some() {
                return Err(problem(name, SystemErrorKind::ErrorWithGap));
            }
        }
        if let Some(third) = spring.third {
            self.check_three(name, [a, b, third.node], &spring)?;
        } else if spring.ratio == 1.0 {
            self.pair(name, a, b, spring.damping > 0.0, false)?;
        } else {
            self.free(name)?;
            let moves = |node: Node| matches!(self.nodes[node.0].kind, NodeKind::Coordinate { .. });
            if a == b || !(moves(a) || moves(b)) {
                return Err(problem(name, SystemErrorKind::NoRelativeMotion));
            }
        }
        let name = self.take(name);
        self.springs.push(Connection { name, ends: [a, b], component: spring });
        Ok(())
    }
    /// Checks the three places of a planetary gear.
    fn check_three(&self, name: &str, places: [Node; 3], spring: &Spring) -> Result<(), SystemError> {
        self.free(name)?;
        if spring.gap.is_some() || spring.error.is_some() {
            return Err(problem(name, SystemErrorKind::ErrorWithGap));
        }
        let [first, second, third] = places;
        let named = |node: Node| &self.nodes[node.0];
        let moves = |node: &Node| matches!(named(*node).kind, NodeKind::Coordinate { .. });
        if first == second || first == third || second == third || !places.iter().any(moves) {
            return Err(problem(name, SystemErrorKind::NotThreePlaces));
        }
        let jumps = |place: &&Node| matches!(named(**place).kind, NodeKind::Motion(i) if self.motions[i].jumps());
        if spring.damping > 0.0
            && let Some(place) = places.iter().find(jumps)
        {
            return Err(problem(name, SystemErrorKind::MotionJumps { motion: named(*place).name.clone() }));
        }
        let moving = || places.iter().filter(|place| **place != GROUND).map(|place| named(*place));
        if let (Some(turning), Some(straight)) = (moving().find(|p| p.rotates), moving().find(|p| !p.rotates)) {
            let [translating, rotating] = [straight, turning].map(|place| place.name.clone());
            return Err(problem(name, SystemErrorKind::MixedUnits { translating, rotating }));
        }
        Ok(())
    }
    /// Adds a friction contact between two nodes.
    ///
    /// # Errors
    /// [`SystemError`] for an invalid value or pair of nodes.
    pub fn contact(&mut self, name: &str, a: Node, b: Node, contact: Contact) -> Result<(), SystemError> {
        match contact.radius {
            None => self.pair(name, a, b, true, true)?,
            Some(radius) => {
                positive(name, "radius", radius)?;
                let turning = [a, b].iter().filter(|node| self.nodes[node.0].rotates).count();
                if turning != 1 {
                    return Err(problem(name, SystemErrorKind::NoLever));
                }
                self.moving_pair(name, a, b, true, true)?;
            }
        }
        let (expected, given) = (contact.law.len(), contact.memory.len());
        if given > 0 && given != expected {
            return Err(problem(name, SystemErrorKind::MemoryLength { expected, given }));
        }
        let list: Vec<_> = contact.memory.iter().map(|&x| ("memory", x)).collect();
        finite(name, &list)?;
        if let Some(heating) = contact.heating {
            let capacity = heating.capacity;
            positive(name, "capacity", if capacity == f64::INFINITY { 1.0 } else { capacity })?;
            not_negative(name, "conductance", heating.conductance)?;
            finite(name, &[("softening", heating.softening)])?;
        }
        let name = self.take(name);
        self.contacts.push(Connection { name, ends: [a, b], component: contact });
        Ok(())
    }
    /// Limits the displacement between two nodes by a stop.
    ///
    /// # Errors
    /// [`SystemError`] for an invalid value or pair of nodes.
    pub fn stop(&mut self, name: &str, a: Node, b: Node, stop: Stop) -> Result<(), SystemError> {
        self.pair(name, a, b, true, false)?;
        if !(0.0..=1.0).contains(&stop.restitution) {
            let (key, value) = ("restitution", stop.restitution);
            return Err(problem(name, SystemErrorKind::InvalidValue { key, value, requirement: "from 0 to 1" }));
        }
        if stop.hi.is_nan() || stop.lo.is_nan() || stop.hi <= stop.lo {
            return Err(problem(
                name,
                SystemErrorKind::InvalidValue { key: "hi", value: stop.hi, requirement: "above lo" },
            ));
        }
        let name = self.take(name);
        self.stops.push(Connection { name, ends: [a, b], component: stop });
        Ok(())
    }
    /// Adds a freewheel, a one-way clutch: the velocity of `a` does not exceed that of `b`.
    ///
    /// # Errors
    /// [`SystemError`] for an invalid pair of nodes, or a signal that is not 0 or 1.
    pub fn freewheel(&mut self, name: &str, a: Node, b: Node, freewheel: Freewheel) -> Result<(), SystemError> {
        self.pair(name, a, b, true, false)?;
        check_switch(name, &freewheel.enable)?;
        let name = self.take(name);
        self.freewheels.push(Connection { name, ends: [a, b], component: freewheel });
        Ok(())
    }
    /// Couples two bodies rigidly: `v_b = ratio·v_a`. The second then has no coordinate of its own.
    ///
    /// # Errors
    /// [`SystemError`] if the ratio is zero or the two cannot be coupled.
    pub fn gear(&mut self, name: &str, a: Node, b: Node, ratio: f64) -> Result<(), SystemError> {
        self.free(name)?;
        if !ratio.is_finite() || ratio == 0.0 {
            return Err(problem(
                name,
                SystemErrorKind::InvalidValue { key: "ratio", value: ratio, requirement: "finite and not zero" },
            ));
        }
        let gear = || problem(name, SystemErrorKind::InvalidGear);
        let NodeKind::Coordinate { index: ia, scale, .. } = self.nodes[a.0].kind else { return Err(gear()) };
        let NodeKind::Coordinate { index: ib, scale: old, .. } = self.nodes[b.0].kind else { return Err(gear()) };
        if ia == ib || self.bodies[ia].mass == 0.0 || self.bodies[ib].mass == 0.0 {
            return Err(gear());
        }
        // coordinate ib becomes a multiple of coordinate ia, for every node on it
        let factor = ratio * scale / old;
        let (from, to) = (self.bodies[ib], &mut self.bodies[ia]);
        if to.v == 0.0 {
            to.v = from.v / factor;
        }
        if from.v != 0.0 && (from.v - factor * to.v).abs() > 1e-12 * from.v.abs() {
            return Err(problem(name, SystemErrorKind::InconsistentStart { expected: factor * to.v, given: from.v }));
        }
        to.mass += factor * factor * from.mass;
        let start = (from.x, to.x);
        for place in &mut self.nodes {
            if let NodeKind::Coordinate { index, scale, offset } = &mut place.kind
                && *index == ib
            {
                (*offset, *scale, *index) = (*offset + *scale * (start.0 - factor * start.1), *scale * factor, ia);
            }
        }
        self.remove(ib);
        self.take(name);
        Ok(())
    }
    /// Applies a force to a node.
    ///
    /// # Errors
    /// [`SystemError`] if the node is not a body or a coordinate of a plant.
    pub fn force(&mut self, name: &str, node: Node, force: Signal) -> Result<(), SystemError> {
        self.free(name)?;
        self.movable(name, node)?;
        let name = self.take(name);
        self.forces.push((name, node, force));
        Ok(())
    }
    /// Adds a controller.
    ///
    /// # Errors
    /// [`SystemError`] if it acts on a node that cannot move, or its sample time is not positive.
    pub fn control(
        &mut self,
        name: &str,
        controller: Controller,
        measurements: Vec<Measurement>,
        actuation: Actuation,
    ) -> Result<(), SystemError> {
        self.free(name)?;
        if let Actuation::Force(node) | Actuation::ThroughActuator(node) = actuation {
            self.movable(name, node)?;
        }
        let sampled = |slot: &ControllerSlot, of: &String| {
            slot.name == *of && matches!(slot.controller, Controller::Sampled { .. })
        };
        for measure in &measurements {
            if let Measurement::Command(of) = measure
                && !self.controllers.iter().any(|slot| sampled(slot, of))
            {
                return Err(problem(name, SystemErrorKind::UnknownCommand { name: of.clone() }));
            }
        }
        if let Controller::Sampled { period, .. } = controller {
            positive(name, "period", period)?;
        }
        let name = self.take(name);
        self.controllers.push(ControllerSlot { name, controller, measurements, actuation });
        Ok(())
    }
    /// Checks the system as a whole; called by the simulator.
    ///
    /// # Errors
    /// [`SystemError`].
    pub fn check(&self) -> Result<(), SystemError> {
        // a system without bodies is valid if a contact is driven: both its ends have prescribed motions
        self.check_plane()?;
        if self.bodies.is_empty() && self.contacts.is_empty() && !self.is_planar() {
            return Err(problem("system", SystemErrorKind::NothingMoves));
        }
        for Connection { name, component, .. } in &self.contacts {
            let (wanted, there) = match &component.load {
                Load::Signal(_) => continue,
                Load::Spring { name, .. } => (name, self.springs.iter().any(|s| s.name == *name)),
                Load::Control(name) => (name, self.controllers.iter().any(|c| c.name == *name)),
            };
            if !there {
                return Err(problem(name, SystemErrorKind::UnknownLoad { name: wanted.clone() }));
            }
        }
        for Connection { name, ends, .. } in &self.switched_gears {
            self.check_coupling(name, *ends)?;
        }
        self.check_lossy_gears()
    }

    /// Checks the conditions at the start time `t` of a run.
    pub fn check_start(&self, t: f64) -> Result<(), SystemError> {
        for (k, Connection { name, ends, component }) in self.stops.iter().enumerate() {
            if !self.is_on(SwitchedPart::Stop(k), t) {
                continue;
            }
            let x = self.start(ends[0], t) - self.start(ends[1], t);
            if x < component.lo || x > component.hi {
                return Err(problem(name, SystemErrorKind::OutsideStop { x }));
            }
        }
        let plane = &self.plane_system;
        let has_no_direction = |spring: &&PlaneSpring| {
            let place = match &spring.anchor {
                PlaneAnchor::Body(other) => plane.bodies[*other].position,
                PlaneAnchor::Point(point) => [point[0].at(t), point[1].at(t)],
            };
            spring.length > 0.0 && spring.direction.is_none() && place == plane.bodies[spring.on].position
        };
        match plane.springs.iter().find(has_no_direction) {
            Some(spring) => Err(problem(&spring.name, SystemErrorKind::NoSpringDirection)),
            None => Ok(()),
        }
    }
    /// Position of a node at the start time `t` of a run.
    pub fn start(&self, node: Node, t: f64) -> f64 {
        match self.nodes[node.0].kind {
            NodeKind::Ground => 0.0,
            NodeKind::Coordinate { index, scale, offset } => scale * self.bodies[index].x + offset,
            NodeKind::Motion(i) => self.motions[i].at(t),
        }
    }
    fn coordinate(&mut self, name: &str, body: Body) -> Node {
        self.bodies.push(body);
        let kind = NodeKind::Coordinate { index: self.bodies.len() - 1, scale: 1.0, offset: 0.0 };
        let name = self.take(name);
        self.nodes.push(NamedNode { name, rotates: body.rotates, kind });
        Node(self.nodes.len() - 1)
    }
    /// Removes a coordinate that no node uses.
    fn remove(&mut self, gone: usize) {
        self.bodies.remove(gone);
        for place in &mut self.nodes {
            if let NodeKind::Coordinate { index, .. } = &mut place.kind
                && *index > gone
            {
                *index -= 1;
            }
        }
        for (_, _, first) in &mut self.plants {
            if *first > gone {
                *first -= 1;
            }
        }
    }
    pub(super) fn free(&self, name: &str) -> Result<(), SystemError> {
        let fits = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(fits) {
            return Err(problem(name, SystemErrorKind::InvalidName));
        }
        if self.names.contains(name) { Err(problem(name, SystemErrorKind::NameTaken)) } else { Ok(()) }
    }
    /// Registers a name that is known to be unused.
    pub(super) fn take(&mut self, name: &str) -> String {
        self.names.insert(name.to_owned());
        name.to_owned()
    }
    fn movable(&self, name: &str, node: Node) -> Result<(), SystemError> {
        match self.nodes[node.0].kind {
            NodeKind::Coordinate { .. } => Ok(()),
            _ => Err(problem(name, SystemErrorKind::NoRelativeMotion)),
        }
    }
    /// Checks that two nodes have the same unit, and all that [`System::moving_pair`] does.
    fn pair(&self, name: &str, a: Node, b: Node, firm: bool, driven: bool) -> Result<(), SystemError> {
        self.moving_pair(name, a, b, firm, driven)?;
        let ends = [a, b].map(|node| &self.nodes[node.0]);
        if a != GROUND && b != GROUND && ends[0].rotates != ends[1].rotates {
            let (rotating, translating) = if ends[0].rotates { (ends[0], ends[1]) } else { (ends[1], ends[0]) };
            let [translating, rotating] = [translating, rotating].map(|place| place.name.clone());
            return Err(problem(name, SystemErrorKind::MixedUnits { translating, rotating }));
        }
        Ok(())
    }
    /// Checks that two nodes can move relative to each other. `firm`: the component cannot follow a jump of position; `driven`: a
    /// prescribed motion counts as movable.
    fn moving_pair(&self, name: &str, a: Node, b: Node, firm: bool, driven: bool) -> Result<(), SystemError> {
        self.free(name)?;
        let ends = [a, b].map(|node| &self.nodes[node.0]);
        let moves = |place: &&NamedNode| match place.kind {
            NodeKind::Coordinate { .. } => true,
            NodeKind::Motion(_) => driven,
            NodeKind::Ground => false,
        };
        if a == b || !ends.iter().any(moves) {
            return Err(problem(name, SystemErrorKind::NoRelativeMotion));
        }
        let jumps = |place: &&NamedNode| matches!(place.kind, NodeKind::Motion(i) if self.motions[i].jumps());
        if firm && let Some(place) = ends.iter().find(|place| jumps(place)) {
            return Err(problem(name, SystemErrorKind::MotionJumps { motion: place.name.clone() }));
        }
        Ok(())
    }
}

pub fn problem(name: &str, kind: SystemErrorKind) -> SystemError {
    SystemError { name: name.to_owned(), kind }
}

pub(super) fn positive(name: &str, key: &'static str, value: f64) -> Result<(), SystemError> {
    if value > 0.0 && value < f64::INFINITY {
        return Ok(());
    }
    Err(problem(name, SystemErrorKind::InvalidValue { key, value, requirement: "positive" }))
}

pub(super) fn not_negative(name: &str, key: &'static str, value: f64) -> Result<(), SystemError> {
    if (0.0..f64::INFINITY).contains(&value) {
        return Ok(());
    }
    Err(problem(name, SystemErrorKind::InvalidValue { key, value, requirement: "zero or more" }))
}

pub(super) fn finite(name: &str, values: &[(&'static str, f64)]) -> Result<(), SystemError> {
    match values.iter().find(|(_, x)| !x.is_finite()) {
        Some(&(key, value)) => Err(problem(name, SystemErrorKind::InvalidValue { key, value, requirement: "finite" })),
        None => Ok(()),
    }
}
