//! Changes of a model under which its motion is known to stay the same, or to change little.
use crate::model::{Contact, LawChoice, Load, Model, Signal};
use crate::random::Random;
use stiction::core::models;

/// The same system seen in the mirror: all positions, velocities and forces with the other sign. None if noise, whose sign is
/// drawn, is part of it.
pub fn mirror(model: &Model) -> Option<Model> {
    let mut out = model.clone();
    if model.contacts.iter().any(|contact| !contact.law.noise.is_empty()) {
        return None;
    }
    for body in &mut out.bodies {
        (body.x, body.v) = (-body.x, -body.v);
    }
    for motion in &mut out.motions {
        negate(&mut motion.position);
    }
    for spring in &mut out.springs {
        spring.rest = -spring.rest;
        spring.table = spring.table.iter().rev().map(|[x, y]| [-x, -y]).collect();
    }
    for stop in &mut out.stops {
        (stop.lo, stop.hi) = (-stop.hi, -stop.lo);
    }
    for force in &mut out.forces {
        negate(&mut force.force);
    }
    for control in &mut out.controls {
        negate(&mut control.reference);
    }
    out.contacts.iter_mut().for_each(mirror_contact);
    Some(out)
}

fn mirror_contact(contact: &mut Contact) {
    mirror_law(&mut contact.law);
    // the load of `gear` has a sign, which belongs to the direction of motion
    let signed = contact.law.name == "gear";
    match &mut contact.load {
        Load::Nominal if signed && contact.map.is_none() => contact.load = Load::Signal(Signal::Constant(-1.0)),
        Load::Signal(load) if signed && contact.map.is_none() => negate(load),
        Load::Spring(_, gain) if !signed => *gain = -*gain,
        Load::Spring(_, gain) if contact.map.is_some() => *gain = -*gain,
        _ => {}
    }
    if let Some([base, slope]) = &mut contact.map
        && signed
    {
        (*base, *slope) = (-*base, -*slope);
    }
}

/// Exchanges the parameters of the two directions.
fn mirror_law(law: &mut LawChoice) {
    let default = |key: &str| {
        let entry = models::ALL.iter().find(|entry| entry.name == law.name);
        entry.and_then(|entry| entry.params.iter().find(|p| p.name == key)).map_or(0.0, |p| p.default)
    };
    let mut forward = law.values.clone();
    let mut backward = Vec::new();
    for (key, x) in &law.reverse {
        match forward.iter_mut().find(|(name, _)| name == key) {
            Some(entry) => {
                backward.push((*key, entry.1));
                entry.1 = *x;
            }
            None => {
                backward.push((*key, default(key)));
                forward.push((*key, *x));
            }
        }
    }
    (law.values, law.reverse) = (forward, backward);
}

/// A signal times −1.
fn negate(signal: &mut Signal) {
    match signal {
        Signal::Constant(x) => *x = -*x,
        Signal::Ramp { offset, slope, .. } => (*offset, *slope) = (-*offset, -*slope),
        Signal::Step { before, after, .. } | Signal::Move { before, after, .. } => {
            (*before, *after) = (-*before, -*after);
        }
        Signal::Sine { mean, amplitude, .. } => (*mean, *amplitude) = (-*mean, -*amplitude),
        Signal::Chirp { amplitude, .. } => *amplitude = -*amplitude,
        Signal::Table(points) => points.iter_mut().for_each(|point| point[1] = -point[1]),
        Signal::Sum(parts) => parts.iter_mut().for_each(negate),
    }
}

/// The same system, everything later by `delay`.
pub fn delay(model: &Model, delay: f64) -> Model {
    let mut out = model.clone();
    (out.start, out.end) = (out.start + delay, out.end + delay);
    out.signals_mut().into_iter().for_each(|signal| delay_signal(signal, delay));
    out
}

fn delay_signal(signal: &mut Signal, by: f64) {
    match signal {
        Signal::Constant(_) => {}
        Signal::Ramp { start, end, .. } => (*start, *end) = (*start + by, *end + by),
        Signal::Step { at, .. } => *at += by,
        Signal::Move { start, .. } => *start += by,
        Signal::Sine { omega, phase, .. } => *phase -= *omega * by,
        Signal::Chirp { omega, rate, phase, .. } => {
            *phase += *rate * by * by - *omega * by;
            *omega -= 2.0 * *rate * by;
        }
        Signal::Table(points) => points.iter_mut().for_each(|point| point[0] += by),
        Signal::Sum(parts) => parts.iter_mut().for_each(|part| delay_signal(part, by)),
    }
}

/// How far a perturbation moves things.
#[derive(Clone, Copy, Debug)]
pub struct Perturbation {
    /// Relative change of forces, stiffnesses and force levels.
    pub relative: f64,
    /// Absolute change of positions and velocities, beside the relative one of `scales`.
    pub absolute: f64,
}

/// The system with initial values, forces, stiffnesses and friction levels changed up or down at random. `scales` are the largest
/// values of the compared columns: position and velocity of every body first. Perturbations come in pairs, `number` 2k and 2k + 1,
/// that differ in the direction of the friction levels only: near a threshold what counts is a force over a level, which does not
/// change where both go up.
pub fn perturb(model: &Model, by: Perturbation, scales: &[f64], number: u64) -> Model {
    let mut random = Random::new(7, number / 2);
    let opposite = if number.is_multiple_of(2) { 1.0 } else { -1.0 };
    let mut out = model.clone();
    let geared: Vec<usize> = model.gears.iter().filter(|g| g.stiffness.is_none()).flat_map(|g| g.ends).collect();
    for (i, body) in out.bodies.iter_mut().enumerate() {
        let change = |scale: f64, sign: f64| sign * (by.relative * scale + by.absolute);
        // not into a stop, and geared bodies keep their common speed
        let stopped = model.stops.iter().any(|stop| stop.ends.contains(&crate::model::Node::Body(i)));
        if !stopped {
            body.x += change(scales[2 * i], random.sign());
        }
        if !geared.contains(&i) {
            body.v += change(scales[2 * i + 1], random.sign());
        }
    }
    let mut scale = |x: &mut f64| *x *= 1.0 + random.sign() * by.relative;
    for spring in &mut out.springs {
        scale(&mut spring.stiffness);
        spring.table.iter_mut().for_each(|point| scale(&mut point[1]));
    }
    for force in &mut out.forces {
        scale_signal(&mut force.force, &mut scale);
    }
    for motion in &mut out.motions {
        scale_signal(&mut motion.position, &mut scale);
    }
    let mut scale = |x: &mut f64| *x *= 1.0 + opposite * random.sign() * by.relative;
    for contact in &mut out.contacts {
        scale_level(&mut contact.law, &mut scale);
    }
    out
}

fn scale_signal(signal: &mut Signal, scale: &mut impl FnMut(&mut f64)) {
    match signal {
        Signal::Constant(x) => scale(x),
        Signal::Ramp { slope, .. } => scale(slope),
        Signal::Step { after, .. } | Signal::Move { after, .. } => scale(after),
        Signal::Sine { amplitude, .. } | Signal::Chirp { amplitude, .. } => scale(amplitude),
        Signal::Table(points) => points.iter_mut().for_each(|point| scale(&mut point[1])),
        Signal::Sum(parts) => parts.iter_mut().for_each(|part| scale_signal(part, scale)),
    }
}

/// All force levels together, so that relations such as fs ≥ fc stay.
fn scale_level(law: &mut LawChoice, scale: &mut impl FnMut(&mut f64)) {
    let mut factor = 1.0;
    scale(&mut factor);
    let levels = ["fc", "fs", "fc1", "fc2", "f1", "f2", "fmax", "normal", "fv"];
    for (key, x) in law.values.iter_mut().chain(&mut law.reverse) {
        if levels.contains(key) {
            *x *= factor;
        }
    }
}
