//! The columns of the trace.
use super::Column;
use super::components::{ConstraintRow, ContactMode, StopMode};
use super::flow::Flow;
use crate::system::{Actuation, Contact, ControllerSlot, GROUND, Measurement, Node, NodeKind, System};
use stiction_core::Input;

/// The columns of a system.
pub(super) fn columns(system: &System) -> Vec<Column> {
    let mut out = vec![Column { name: "t".to_owned(), unit: "s" }];
    let mut push = |part: &str, name: &str, unit: &'static str| {
        out.push(Column { name: format!("{part}.{name}"), unit });
    };
    for place in system.nodes.iter().skip(1) {
        push(&place.name, "x", if place.rotates { "rad" } else { "m" });
        push(&place.name, "v", if place.rotates { "rad/s" } else { "m/s" });
    }
    let turns = |ends: &[Node; 2]| ends.iter().any(|&node| node != GROUND && system.nodes[node.0].rotates);
    let force = |turns: bool| if turns { "N·m" } else { "N" };
    for joint in &system.contacts {
        let turns = system.contact_turns(joint.ends, &joint.component);
        push(&joint.name, "force", force(turns));
        push(&joint.name, "v", if turns { "rad/s" } else { "m/s" });
        for (name, unit, _) in joint.component.shown_states() {
            push(&joint.name, name, unit);
        }
    }
    for joint in &system.springs {
        // a gear may join a place that turns and one that moves straight; it counts at the first
        let first = joint.ends.iter().find(|&&node| node != GROUND);
        let turns = first.is_some_and(|node| system.nodes[node.0].rotates);
        push(&joint.name, "force", force(turns));
        push(&joint.name, "stretch", if turns { "rad" } else { "m" });
    }
    for joint in &system.stops {
        push(&joint.name, "force", force(turns(&joint.ends)));
    }
    for joint in &system.freewheels {
        push(&joint.name, "force", force(turns(&joint.ends)));
    }
    for joint in &system.switched_gears {
        push(&joint.name, "force", force(system.nodes[joint.ends[0].0].rotates));
    }
    for joint in &system.lossy_gears {
        let turns = system.nodes[joint.ends[0].0].rotates;
        push(&joint.name, "force", force(turns));
        push(&joint.name, "loss", force(turns));
    }
    for (name, node, _) in &system.forces {
        push(name, "force", force(system.nodes[node.0].rotates));
    }
    for slot in &system.controllers {
        let unit = match slot.actuation {
            Actuation::Force(node) | Actuation::ThroughActuator(node) => force(system.nodes[node.0].rotates),
            Actuation::Load => "-",
        };
        push(&slot.name, "u", unit);
    }
    for slot in system.controllers.iter().filter(|slot| follows(slot)) {
        let unit = match slot.measurements[0] {
            Measurement::Position(node) if system.nodes[node.0].rotates => "rad",
            Measurement::Position(_) => "m",
            Measurement::Velocity(node) if system.nodes[node.0].rotates => "rad/s",
            Measurement::Velocity(_) => "m/s",
            Measurement::Command(_) => "-",
        };
        push(&slot.name, "reference", unit);
        push(&slot.name, "error", unit);
    }
    out
}

/// Whether a controller has a reference for what it measures first.
fn follows(slot: &ControllerSlot) -> bool {
    slot.controller.reference().is_some() && !slot.measurements.is_empty()
}

/// Computes rows of the trace: the row of each node, and the states shown for each contact.
pub(super) struct TraceLayout {
    nodes: Vec<ConstraintRow>,
    states: Vec<Vec<usize>>,
    /// Number of columns.
    width: usize,
    scratch: Vec<f64>,
}

impl TraceLayout {
    pub fn new(system: &System, flow: &Flow<'_>) -> Self {
        let place = |kind: &NodeKind| match *kind {
            NodeKind::Ground => ConstraintRow::default(),
            NodeKind::Coordinate { index, scale, offset } => ConstraintRow {
                q: [(index, scale), (0, 0.0)],
                nq: 1,
                v: [flow.components.vi[index], 0],
                offset,
                ..ConstraintRow::default()
            },
            NodeKind::Motion(k) => ConstraintRow { m: [(k, 1.0), (0, 0.0)], nm: 1, ..ConstraintRow::default() },
        };
        let nodes: Vec<ConstraintRow> = system.nodes.iter().skip(1).map(|p| place(&p.kind)).collect();
        let shown = |contact: &Contact| contact.shown_states().map(|(.., i)| i).collect();
        let states: Vec<Vec<usize>> = system.contacts.iter().map(|joint| shown(&joint.component)).collect();
        let System { springs, stops, freewheels, switched_gears, lossy_gears, forces, controllers, .. } = system;
        let contacts: usize = states.iter().map(|states| 2 + states.len()).sum();
        let references = controllers.iter().filter(|slot| follows(slot)).count();
        let commands = controllers.len() + 2 * references;
        let gears = 2 * lossy_gears.len();
        let stops = stops.len() + freewheels.len() + switched_gears.len();
        let others = 2 * springs.len() + stops + gears + forces.len() + commands;
        Self { width: 1 + 2 * nodes.len() + contacts + others, nodes, states, scratch: vec![0.0; flow.len()] }
    }
    /// The column of the force of contact `c`; that of its sliding velocity is the next.
    pub fn force(&self, c: usize) -> usize {
        self.count_nodes() + self.states[..c].iter().map(|states| 2 + states.len()).sum::<usize>()
    }
    /// Fills only the first columns of a row: time, positions and velocities of the nodes. They cost far less than the rest.
    pub fn nodes(&self, flow: &mut Flow<'_>, t: f64, y: &[f64], row: &mut Vec<f64>) {
        flow.set_motions(t);
        row.resize(self.count_nodes(), 0.0);
        self.write_places(flow, t, y, &mut RowWriter(row.iter_mut()));
    }
    /// The row of each node.
    pub fn node_rows(&self) -> &[ConstraintRow] {
        &self.nodes
    }
    /// Number of these columns.
    pub fn count_nodes(&self) -> usize {
        1 + 2 * self.nodes.len()
    }
    #[inline(always)]
    fn write_places(&self, flow: &Flow<'_>, t: f64, y: &[f64], row: &mut RowWriter<'_>) {
        row.put(t);
        for place in &self.nodes {
            row.put(place.x(y, &flow.motions));
            row.put(place.v(y, &flow.motions));
        }
    }
    /// Fills a row with the state `y` at time `t`.
    pub fn fill(&mut self, flow: &mut Flow<'_>, t: f64, y: &[f64], row: &mut Vec<f64>) {
        flow.observe(t, y, &mut self.scratch);
        row.resize(self.width, 0.0);
        let mut row = RowWriter(row.iter_mut());
        self.write_places(flow, t, y, &mut row);
        for (contact, states) in flow.components.contacts.iter().zip(&self.states) {
            let (v, force) = match contact.mode {
                ContactMode::Slip(side) => {
                    let v = contact.known_speed(contact.row.v(y, &flow.motions));
                    (
                        v,
                        contact.law.force(
                            &contact.memory,
                            &Input { v: contact.regularised_velocity(side, v), load: contact.load[0] },
                        ),
                    )
                }
                ContactMode::Stuck => (0.0, contact.constraint_force),
                ContactMode::Pinned(side) => (0.0, contact.pinned_force(side)),
            };
            row.put(force);
            row.put(v);
            states.iter().for_each(|&i| row.put(contact.memory[i]));
        }
        for spring in &flow.components.springs {
            row.put(spring.force);
            row.put(spring.x(y, &flow.motions));
        }
        for stop in &flow.components.stops {
            row.put(if stop.mode == StopMode::Free { 0.0 } else { stop.constraint_force });
        }
        for gear in &flow.components.lossy_gears {
            row.put(gear.torque[0]);
            row.put(gear.torque[0] - gear.torque[1]);
        }
        flow.components.applied_forces.iter().for_each(|applied| row.put(applied.force));
        flow.components.controllers.iter().for_each(|controller| row.put(controller.output));
        for controller in &flow.components.controllers {
            if let (Some(signal), Some((measured, speed))) = (controller.kind.reference(), controller.measures.first())
            {
                let reference = signal.value(t, flow.from);
                let now = if *speed { measured.v(y, &flow.motions) } else { measured.x(y, &flow.motions) };
                row.put(reference);
                row.put(reference - now);
            }
        }
    }
}

/// Writes the columns of a row one after the other.
struct RowWriter<'r>(std::slice::IterMut<'r, f64>);

impl RowWriter<'_> {
    /// The next column. Values that come from evaluating a law at ±TINY, and minus zero, become zero.
    #[inline(always)]
    fn put(&mut self, x: f64) {
        if let Some(column) = self.0.next() {
            *column = if x.abs() < 1e-150 { 0.0 } else { x };
        }
    }
}
