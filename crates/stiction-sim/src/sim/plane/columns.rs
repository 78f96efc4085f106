//! The columns of the trace of bodies on a plane.
use super::flow::{PlaneFlow, SlidingMode};
use crate::sim::{Column, StateRole};
use crate::system::PlaneSystem;

/// The columns.
pub(in crate::sim) fn columns(system: &PlaneSystem) -> Vec<Column> {
    let mut out = vec![Column { name: "t".to_owned(), unit: "s" }];
    let mut push = |part: &str, name: &str, unit: &'static str| {
        out.push(Column { name: format!("{part}.{name}"), unit });
    };
    for body in &system.bodies {
        for (name, unit) in [("x", "m"), ("y", "m"), ("vx", "m/s"), ("vy", "m/s"), ("speed", "m/s")] {
            push(&body.name, name, unit);
        }
        for name in ["fx", "fy", "force"] {
            push(&body.name, name, "N");
        }
        let has_bristles = !body.contact.law.is_empty();
        if body.radius.is_some() {
            for (name, unit) in [("angle", "rad"), ("omega", "rad/s"), ("moment", "N·m")] {
                push(&body.name, name, unit);
            }
        }
        if has_bristles {
            push(&body.name, "zx", "m");
            push(&body.name, "zy", "m");
        }
    }
    let springs = system.springs.iter().map(|spring| &spring.name);
    for name in springs.chain(system.forces.iter().map(|force| &force.name)) {
        push(name, "fx", "N");
        push(name, "fy", "N");
    }
    out
}

/// Name, unit and role of each state.
pub(in crate::sim) fn states(system: &PlaneSystem) -> Vec<(Column, StateRole)> {
    let column = |body: &str, name: &str, unit| Column { name: format!("{body}.{name}"), unit };
    let positions = system.bodies.iter().enumerate().flat_map(|(i, body)| {
        [("x", "m"), ("y", "m"), ("angle", "rad")]
            .into_iter()
            .zip(3 * i..)
            .map(|((name, unit), at)| (column(&body.name, name, unit), StateRole::Position(at)))
    });
    let velocities = system.bodies.iter().enumerate().flat_map(|(i, body)| {
        [("vx", "m/s"), ("vy", "m/s"), ("omega", "rad/s")]
            .into_iter()
            .zip(3 * i..)
            .map(|((name, unit), at)| (column(&body.name, name, unit), StateRole::Velocity(at)))
    });
    let bristles = system.bodies.iter().enumerate().filter(|(_, body)| !body.contact.law.is_empty());
    let deflections = bristles.flat_map(|(i, body)| {
        ["zx", "zy"].into_iter().map(move |name| (column(&body.name, name, "m"), StateRole::Memory(i)))
    });
    positions.chain(velocities).chain(deflections).collect()
}

/// Fills a row with the values at time `t` in state `y`, in a step that began at `from`.
pub(super) fn fill(flow: &PlaneFlow<'_>, modes: &[SlidingMode], (t, from): (f64, f64), y: &[f64], row: &mut Vec<f64>) {
    let signals = flow.signals(t, from);
    let (resultants, _) = flow.resultants(&signals, y);
    row.clear();
    row.push(t);
    for (i, resultant) in resultants.into_iter().enumerate() {
        let motion = flow.motion(i, y);
        let friction = match modes[i] {
            SlidingMode::Stick => resultant,
            SlidingMode::Slide => flow.friction(i, &signals, y).0,
        };
        row.extend(flow.position(i, y));
        row.extend([motion[0], motion[1], motion[0].hypot(motion[1])]);
        row.extend([friction[0], friction[1], friction[0].hypot(friction[1])]);
        if flow.system.bodies[i].radius.is_some() {
            row.extend([y[flow.position_at(i) + 2], motion[2], friction[2]]);
        }
        row.extend(flow.deflection(i, y).into_iter().flatten());
    }
    for k in 0..flow.system.springs.len() {
        row.extend(flow.spring(k, &signals, y).force);
    }
    for k in 0..flow.system.forces.len() {
        row.extend(&flow.applied(k, &signals)[..2]);
    }
    // no minus zero
    row.iter_mut().for_each(|x| *x += 0.0);
}
