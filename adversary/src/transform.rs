//! Changes of a model under which its motion is known to stay the same, or to change little.
use crate::model::{Contact, Force, LawChoice, Load, Model, ROWS, Signal};
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
        spring.gap = spring.gap.map(|[low, high]| [-high, -low]);
        spring.table = spring.table.iter().rev().map(|[x, y]| [-x, -y]).collect();
    }
    for [_, _, phase] in out.gears.iter_mut().filter_map(|gear| gear.error.as_mut()) {
        *phase = -*phase;
    }
    for stop in &mut out.stops {
        (stop.lo, stop.hi) = (-stop.hi, -stop.lo);
    }
    for wheel in &mut out.freewheels {
        wheel.ends.reverse();
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
        Signal::Pulses { low, high, .. } => (*low, *high) = (-*low, -*high),
        Signal::Sum(parts) => parts.iter_mut().for_each(negate),
        Signal::Product(parts) => parts.iter_mut().take(1).for_each(negate),
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
        Signal::Move { start, .. } | Signal::Pulses { start, .. } => *start += by,
        Signal::Sine { omega, phase, .. } => *phase -= *omega * by,
        Signal::Chirp { omega, rate, phase, .. } => {
            *phase += *rate * by * by - *omega * by;
            *omega -= 2.0 * *rate * by;
        }
        Signal::Table(points) => points.iter_mut().for_each(|point| point[0] += by),
        Signal::Sum(parts) | Signal::Product(parts) => parts.iter_mut().for_each(|part| delay_signal(part, by)),
    }
}

/// How far a perturbation moves things.
#[derive(Clone, Copy, Debug)]
pub struct Perturbation {
    /// Largest relative change of a number.
    pub relative: f64,
    /// Largest absolute change of positions and velocities, beside the relative one of `scales`.
    pub absolute: f64,
}

/// What changes of a kind amount to, in [`Perturbation`]s: a factor drawn evenly between these bounds, up or down. Kinds that meet in one
/// threshold differ, so that no two changes cancel: a force reaches (1 + a) sigma0 z0 times a load.
const FORCES: [f64; 2] = [0.8, 1.0];
const LEVELS: [f64; 2] = [0.4, 0.5];
const LENGTHS: [f64; 2] = [0.2, 0.25];
const LOADS: [f64; 2] = [0.1, 0.12];

/// The system with all its numbers changed up or down at random: initial values, masses, stiffnesses, dampings, gains, the sizes of
/// signals, and the parameters of laws. A solution within the tolerance is the exact solution of some system within the tolerance
/// of the given one (its backward error), so what such a change moves is what the tolerance leaves open, and nothing less is: a
/// number that were left out would make a system look determined that is not. Times of signals and samples stay: an instant at which
/// something jumps is given, and met, exactly; so do numbers without a unit, which are exponents, counts and shapes.
///
/// The error of a step is not made once but in every step, also when the initial values are long forgotten: so every body is disturbed
/// throughout, see [`disturbance`].
///
/// `scales` are the largest values of the compared columns: position and velocity of every body first. Perturbations come in
/// pairs, `number` 2k and 2k + 1, that are each other's opposite: whatever threshold a system is at, one of them is beyond it.
pub fn perturb(model: &Model, by: Perturbation, scales: &[f64], number: u64) -> Model {
    let mut random = Random::new(7, number / 2);
    let opposite = if number.is_multiple_of(2) { 1.0 } else { -1.0 };
    let mut share = |[low, high]: [f64; 2]| opposite * random.sign() * random.between(low, high);
    let mut out = model.clone();
    let geared: Vec<usize> = model.gears.iter().filter(|g| g.stiffness.is_none()).flat_map(|g| g.ends).collect();
    for (i, body) in out.bodies.iter_mut().enumerate() {
        let change = |scale: f64, share: f64| share * (by.relative * scale + by.absolute);
        // not into a stop, and geared bodies keep their common speed
        let stopped = model.stops.iter().any(|stop| stop.ends.contains(&crate::model::Node::Body(i)));
        if !stopped {
            body.x += change(scales[2 * i], share(FORCES));
        }
        if !geared.contains(&i) {
            body.v += change(scales[2 * i + 1], share(FORCES));
        }
        scale(&mut body.mass, share(FORCES), by);
    }
    for spring in &mut out.springs {
        scale(&mut spring.stiffness, share(FORCES), by);
        scale(&mut spring.damping, share(FORCES), by);
        spring.table.iter_mut().for_each(|point| scale(&mut point[1], share(FORCES), by));
    }
    for gear in &mut out.gears {
        gear.stiffness.iter_mut().for_each(|x| scale(x, share(FORCES), by));
        scale(&mut gear.damping, share(FORCES), by);
        gear.error.iter_mut().for_each(|wave| scale(&mut wave[0], share(LENGTHS), by));
    }
    for control in &mut out.controls {
        control.gains.iter_mut().for_each(|x| scale(x, share(FORCES), by));
        scale(&mut control.ki, share(FORCES), by);
        scale_signal(&mut control.reference, &mut |x| scale(x, share(FORCES), by));
    }
    let motions = out.motions.iter_mut().map(|motion| &mut motion.position);
    for signal in motions.chain(out.forces.iter_mut().map(|force| &mut force.force)) {
        scale_signal(signal, &mut |x| scale(x, share(FORCES), by));
    }
    for contact in &mut out.contacts {
        match &mut contact.load {
            Load::Nominal => {}
            Load::Signal(signal) => scale_signal(signal, &mut |x| scale(x, share(LOADS), by)),
            Load::Spring(_, gain) => scale(gain, share(LOADS), by),
        }
    }
    for [capacity, conductance, _] in out.contacts.iter_mut().filter_map(|contact| contact.heating.as_mut()) {
        scale(capacity, share(LOADS), by);
        scale(conductance, share(LOADS), by);
    }
    let losses = out.gears.iter_mut().filter_map(|gear| gear.loss.as_mut());
    for law in out.contacts.iter_mut().map(|contact| &mut contact.law).chain(losses) {
        // all forces, and forces over something, alike: relations such as fs >= fc stay
        let level = share(LEVELS);
        let is_force = |unit: &str| unit == "N" || unit.starts_with("N/") || unit.starts_with("N·");
        change_parameters(law, is_force, |x| scale(x, level, by));
        let is_length = |unit: &str| ["m", "m/s", "rad/s", "s/m"].contains(&unit);
        change_parameters(law, is_length, |x| scale(x, share(LENGTHS), by));
    }
    for (i, body) in model.bodies.iter().enumerate() {
        let inertia = body.pendulum.map_or(body.mass, |[length, _]| body.mass * length * length);
        let force = disturbance(model, opposite * by.absolute * inertia, &mut random);
        out.forces.push(Force { name: format!("disturbance-{i}"), on: i, force });
    }
    out
}

/// Periods of the slow part of a disturbance in a run: no whole number, and few, so that it is slow against every motion that a run was
/// made for.
const DISTURBANCE_PERIODS: f64 = 4.7;

/// A force on one body, of about `impulse` from one row to the next. An error e of the motion obeys e′ = J e + d, where d are the errors
/// of the steps: it is their sum, each carried along by the flow from its own instant on. What d excites and the flow lets grow
/// cannot be seen from the start. A body that creeps on its micro-slip loses its stability when the friction force turns: until then
/// the flow damps whatever the initial values and parameters set going, and from then on it makes an oscillation grow that was never
/// excited, but by the errors of the steps. So the disturbance has
/// - a slow swing, which decides whether a body that comes to rest ever more slowly turns;
/// - jumps between all rows, which excite every frequency at every time: back and forth, so that velocities change by `impulse` over the
///   inertia and do not run away, and at random, so that no frequency is left out.
fn disturbance(model: &Model, impulse: f64, random: &mut Random) -> Signal {
    let span = model.end - model.start;
    let omega = std::f64::consts::TAU * DISTURBANCE_PERIODS / span;
    let amplitude = random.sign() * impulse * omega;
    let mut parts = vec![Signal::Sine { mean: 0.0, amplitude, omega, phase: -omega * model.start }];
    let mut level = 0.0;
    for k in 0..ROWS {
        let next = if k % 2 == 0 { random.sign() * impulse * ROWS as f64 / span } else { -level };
        let at = model.start + span * (k as f64 + 0.5) / ROWS as f64;
        parts.push(Signal::Step { at, before: 0.0, after: next - level });
        level = next;
    }
    Signal::Sum(parts)
}

/// By which shares of its size a memory is led astray from each row to the next: there and back, so that it does not run away, at random. In pairs, as in [`perturb`].
pub fn memory_errors(by: Perturbation, number: u64) -> Vec<f64> {
    let mut random = Random::new(11, number / 2);
    let share = if number.is_multiple_of(2) { by.relative } else { -by.relative };
    let pairs = (0..ROWS.div_ceil(2)).map(|_| share * random.sign());
    pairs.flat_map(|share| [share, -share]).take(ROWS).collect()
}

/// Changes a number by a share of the relative perturbation.
fn scale(x: &mut f64, share: f64, by: Perturbation) {
    *x *= 1.0 + share * by.relative;
}

fn scale_signal(signal: &mut Signal, scale: &mut impl FnMut(&mut f64)) {
    match signal {
        Signal::Constant(x) => scale(x),
        Signal::Ramp { slope, .. } => scale(slope),
        Signal::Step { after, .. } | Signal::Move { after, .. } => scale(after),
        Signal::Sine { amplitude, .. } | Signal::Chirp { amplitude, .. } => scale(amplitude),
        Signal::Table(points) => points.iter_mut().for_each(|point| scale(&mut point[1])),
        Signal::Pulses { high, .. } => scale(high),
        Signal::Sum(parts) => parts.iter_mut().for_each(|part| scale_signal(part, scale)),
        Signal::Product(parts) => parts.iter_mut().take(1).for_each(|part| scale_signal(part, scale)),
    }
}

/// Changes the parameters of a law with certain units, those that have their default included; within their bounds.
fn change_parameters(law: &mut LawChoice, is_meant: impl Fn(&str) -> bool, mut change: impl FnMut(&mut f64)) {
    let Some(entry) = models::ALL.iter().find(|entry| entry.name == law.name) else { return };
    for param in entry.params.iter().filter(|param| is_meant(param.unit)) {
        let mut factor = 1.0;
        change(&mut factor);
        let scaled = |x: f64| (x * factor).clamp(param.min, param.max);
        match law.values.iter_mut().find(|(key, _)| *key == param.name) {
            Some((_, x)) => *x = scaled(*x),
            None => law.values.push((param.name, scaled(param.default))),
        }
        if let Some((_, x)) = law.reverse.iter_mut().find(|(key, _)| *key == param.name) {
            *x = scaled(*x);
        }
    }
}
