//! Columns of the trace as functions of state and time.
use super::point::Point;
use super::shape::{Shape, Spot};
use super::timed::Timed;

/// Where a column's value comes from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Source {
    Time,
    /// Position (0) or velocity (1) of a node.
    Spot(usize, usize),
    Force(usize),
    Slip(usize),
    Memory(usize, usize),
    SpringForce(usize),
    Stretch(usize),
    Push(usize),
}

/// The sources of all columns, in the order in which the simulator has them.
pub(super) fn sources(shape: &Shape) -> Vec<Source> {
    let mut out = vec![Source::Time];
    for i in 0..shape.spots.len() {
        out.extend([Source::Spot(i, 0), Source::Spot(i, 1)]);
    }
    for c in 0..shape.contacts.len() {
        out.extend([Source::Force(c), Source::Slip(c)]);
        out.extend((0..shape.memory).map(|z| Source::Memory(c, z)));
    }
    for s in 0..shape.springs.len() {
        out.extend([Source::SpringForce(s), Source::Stretch(s)]);
    }
    out.extend((0..shape.forces.len()).map(Source::Push));
    out
}

/// The numbers of the state that a column is linear in; the force of a contact is none.
pub(super) fn places(shape: &Shape, source: &Source) -> Vec<usize> {
    let n = shape.bodies;
    match source {
        Source::Time | Source::Force(_) | Source::Push(_) => Vec::new(),
        Source::Spot(i, order) => match shape.spots[*i] {
            Spot::Coordinate(j) => vec![order * n + j],
            Spot::Motion(_) | Spot::Ground => Vec::new(),
        },
        Source::Slip(c) => shape.contacts[*c].q.iter().map(|i| n + i).collect(),
        Source::Memory(c, z) => {
            let among = shape.flowing.iter().position(|i| i == z);
            among.map(|place| vec![2 * n + c * shape.flowing.len() + place]).unwrap_or_default()
        }
        Source::SpringForce(s) => shape.springs[*s].q.iter().flat_map(|i| [*i, n + i]).collect(),
        Source::Stretch(s) => shape.springs[*s].q.clone(),
    }
}

/// The weights of those numbers at a point, and what time adds.
pub(super) fn weights(shape: &Shape, source: &Source, point: &Point) -> (Vec<f64>, Timed) {
    let mut time = Timed::default();
    let motions = point.signals.len() - point.forces.len();
    let weights = match source {
        Source::Time | Source::Force(_) => Vec::new(),
        Source::Spot(i, order) => match shape.spots[*i] {
            Spot::Coordinate(_) => {
                let [scale, offset] = point.spots[*i];
                time.constant = if *order == 0 { offset } else { 0.0 };
                vec![scale]
            }
            Spot::Motion(k) => {
                time.add(k, if *order == 0 { [1.0, 0.0] } else { [0.0, 1.0] });
                Vec::new()
            }
            Spot::Ground => Vec::new(),
        },
        Source::Slip(c) => {
            time = point.belt(*c);
            point.contacts[*c].line.q.iter().map(|(_, w)| *w).collect()
        }
        Source::Memory(..) => vec![1.0; places(shape, source).len()],
        Source::SpringForce(s) => {
            let spring = &point.springs[*s];
            time.constant = spring.stiffness * (spring.line.offset - spring.rest);
            for (k, w) in &spring.line.m {
                time.add(*k, [spring.stiffness * w, spring.damping * w]);
            }
            spring.line.q.iter().flat_map(|(_, w)| [spring.stiffness * w, spring.damping * w]).collect()
        }
        Source::Stretch(s) => {
            let line = &point.springs[*s].line;
            time.constant = line.offset;
            line.m.iter().for_each(|(k, w)| time.add(*k, [*w, 0.0]));
            line.q.iter().map(|(_, w)| *w).collect()
        }
        Source::Push(k) => {
            time.add(motions + k, [1.0, 0.0]);
            Vec::new()
        }
    };
    (weights, time)
}
