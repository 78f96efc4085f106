//! The columns of the trace, and a row of them.
use super::Column;
use super::flow::Flow;
use super::parts::{Mode, Rests, Row};
use crate::system::{Actuation, GROUND, Node, NodeKind, System};
use stiction_core::Input;

/// Which columns there are.
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
        let turns = turns(&joint.ends);
        push(&joint.name, "force", force(turns));
        push(&joint.name, "v", if turns { "rad/s" } else { "m/s" });
        for state in joint.component.entry.states {
            push(&joint.name, state.name, state.unit);
        }
    }
    for joint in &system.springs {
        let turns = turns(&joint.ends);
        push(&joint.name, "force", force(turns));
        push(&joint.name, "stretch", if turns { "rad" } else { "m" });
    }
    for joint in &system.stops {
        push(&joint.name, "force", force(turns(&joint.ends)));
    }
    for (name, node, _) in &system.forces {
        push(name, "force", force(system.nodes[node.0].rotates));
    }
    for slot in &system.controllers {
        let unit = match slot.actuation {
            Actuation::Force(node) | Actuation::Through(node) => force(system.nodes[node.0].rotates),
            Actuation::Load => "-",
        };
        push(&slot.name, "u", unit);
    }
    out
}

/// What a row needs beside the flow: where nodes are, how many states of a contact are shown.
pub(super) struct Layout {
    nodes: Vec<Row>,
    states: Vec<usize>,
    scratch: Vec<f64>,
}

impl Layout {
    pub fn new(system: &System, flow: &Flow<'_>) -> Self {
        let place = |kind: &NodeKind| match *kind {
            NodeKind::Ground => Row::default(),
            NodeKind::Coordinate { index, scale, offset } => {
                Row { q: [(index, scale), (0, 0.0)], nq: 1, v: [flow.parts.vi[index], 0], offset, ..Row::default() }
            }
            NodeKind::Motion(k) => Row { m: [(k, 1.0), (0, 0.0)], nm: 1, ..Row::default() },
        };
        Self {
            nodes: system.nodes.iter().skip(1).map(|p| place(&p.kind)).collect(),
            states: system.contacts.iter().map(|joint| joint.component.entry.states.len()).collect(),
            scratch: vec![0.0; flow.len()],
        }
    }
    /// The column of the force of contact `c`; its sliding velocity is next.
    pub fn force(&self, c: usize) -> usize {
        self.count_nodes() + self.states[..c].iter().map(|states| 2 + states).sum::<usize>()
    }
    /// The first columns of a row: time, and where everything is and how fast. They cost far less than the rest.
    pub fn nodes(&self, flow: &mut Flow<'_>, t: f64, y: &[f64], row: &mut Vec<f64>) {
        flow.set_motions(t);
        self.push_places(flow, t, y, row);
        clean(row);
    }
    /// How many columns that are.
    pub fn count_nodes(&self) -> usize {
        1 + 2 * self.nodes.len()
    }
    #[inline(always)]
    fn push_places(&self, flow: &Flow<'_>, t: f64, y: &[f64], row: &mut Vec<f64>) {
        row.clear();
        row.push(t);
        for place in &self.nodes {
            row.push(place.x(y, &flow.motions));
            row.push(place.v(y, &flow.motions));
        }
    }
    /// Fills a row with the state `y` at time `t`.
    pub fn fill(&mut self, flow: &mut Flow<'_>, t: f64, y: &[f64], row: &mut Vec<f64>) {
        flow.observe(t, y, &mut self.scratch);
        self.push_places(flow, t, y, row);
        for (rub, &states) in flow.parts.rubs.iter().zip(&self.states) {
            let (v, force) = match rub.mode {
                Mode::Slip(side) => {
                    let v = rub.row.v(y, &flow.motions);
                    (v, rub.law.force(&rub.memory, &Input { v: rub.asked(side, v), load: rub.load[0] }))
                }
                Mode::Stuck => (0.0, rub.held),
                Mode::Pinned(side) => {
                    let (low, high) = rub.limits();
                    (0.0, if side > 0.0 { high } else { low })
                }
            };
            row.push(force);
            row.push(v);
            row.extend_from_slice(&rub.memory[..states]);
        }
        for spring in &flow.parts.springs {
            row.push(spring.force);
            row.push(spring.row.x(y, &flow.motions));
        }
        for bump in &flow.parts.bumps {
            row.push(if bump.mode == Rests::Free { 0.0 } else { bump.held });
        }
        let from = flow.from;
        row.extend(flow.parts.pushes.iter().map(|push| push.signal.eval(t, from)[0]));
        row.extend(flow.parts.steers.iter().map(|steer| steer.output));
        clean(row);
    }
}

/// What comes of a speed that has only a sign is zero to the reader, and so is minus zero.
fn clean(row: &mut [f64]) {
    row.iter_mut().filter(|x| x.abs() < 1e-150).for_each(|x| *x = 0.0);
}
