//! Reduces a failing model to a small one that still fails in the same comparison.
use crate::model::{ContactKind, Load, Model, Node, RunSettings, Signal};
use std::time::{Duration, Instant};

/// A model and its settings.
type Candidate = (Model, RunSettings);

/// Applies simplifications as long as `fails` holds for the result, until none helps or the time is over.
pub fn shrink(start: &Candidate, limit: Duration, fails: impl Fn(&Candidate) -> bool) -> Candidate {
    let deadline = Instant::now() + limit;
    let mut best = start.clone();
    let least = 1e-3 * (start.0.end - start.0.start);
    loop {
        let smaller = candidates(&best, least)
            .into_iter()
            .find(|candidate| Instant::now() < deadline && *candidate != best && fails(candidate));
        match smaller {
            Some(smaller) => best = smaller,
            None => return best,
        }
    }
}

/// Simpler versions, those that remove most first; no run is shorter than `least`.
fn candidates((model, settings): &Candidate, least: f64) -> Vec<Candidate> {
    let mut out = Vec::new();
    let mut add = |change: &dyn Fn(&mut Model)| {
        let mut model = model.clone();
        change(&mut model);
        out.push((model, *settings));
    };
    for i in 0..model.controls.len() {
        add(&|m| drop(m.controls.remove(i)));
    }
    for i in 0..model.forces.len() {
        add(&|m| drop(m.forces.remove(i)));
    }
    for i in 0..model.stops.len() {
        add(&|m| drop(m.stops.remove(i)));
    }
    for i in 0..model.freewheels.len() {
        add(&|m| drop(m.freewheels.remove(i)));
    }
    for i in 0..model.contacts.len() {
        add(&|m| drop(m.contacts.remove(i)));
    }
    for i in 0..model.gears.len() {
        add(&|m| drop(m.gears.remove(i)));
        add(&|m| m.gears[i].error = None);
    }
    for i in 0..model.springs.len() {
        add(&|m| remove_spring(m, i));
    }
    for i in 0..model.bodies.len() {
        add(&|m| remove_body(m, i));
    }
    for i in 0..model.motions.len() {
        add(&|m| remove_motion(m, i));
    }
    for share in [0.5, 0.75, 0.9] {
        add(&|m| m.end = m.start + round(share * (m.end - m.start), 2).max(least));
    }
    for i in 0..model.contacts.len() {
        add(&|m| m.contacts[i].load = Load::Nominal);
        add(&|m| m.contacts[i].map = None);
        add(&|m| m.contacts[i].heating = None);
        add(&|m| m.contacts[i].kind = ContactKind::Contact);
        add(&|m| m.contacts[i].law.reverse.clear());
        add(&|m| m.contacts[i].law.noise.clear());
        add(&|m| {
            let fs = m.contacts[i].law.values.iter().find(|(key, _)| *key == "fs").map(|(_, x)| *x);
            if let (Some(fs), Some(fc)) = (fs, m.contacts[i].law.values.iter_mut().find(|(key, _)| *key == "fc")) {
                fc.1 = fs;
            }
        });
        for k in 0..model.contacts[i].law.values.len() {
            if model.contacts[i].law.values[k].0 == "fv" {
                add(&|m| m.contacts[i].law.values[k].1 = 0.0);
            }
        }
    }
    for i in 0..model.springs.len() {
        add(&|m| m.springs[i].rest = 0.0);
        if model.springs[i].stiffness != 0.0 {
            add(&|m| m.springs[i].damping = 0.0);
            add(&|m| m.springs[i].gap = None);
        }
    }
    for i in 0..model.bodies.len() {
        add(&|m| m.bodies[i].x = 0.0);
        add(&|m| m.bodies[i].v = 0.0);
        if model.bodies[i].pendulum.is_none() {
            add(&|m| m.bodies.iter_mut().for_each(|body| body.rotates = false));
        }
    }
    add(&|m| m.bodies.iter_mut().for_each(|body| body.mass = 1.0));
    // all numbers with fewer digits, then one after the other
    for digits in [1, 2, 3, 6] {
        add(&|m| numbers(m).into_iter().for_each(|x| *x = round(*x, digits)));
    }
    let count = numbers(&mut model.clone()).len();
    for i in 0..count {
        for digits in [1, 2, 4] {
            add(&|m| {
                let mut list = numbers(m);
                *list[i] = round(*list[i], digits);
            });
        }
    }
    out.push((model.clone(), RunSettings { rtol: 1e-8, ..*settings }));
    out.push((model.clone(), RunSettings { atol: 0.0, ..*settings }));
    out
}

fn remove_spring(model: &mut Model, i: usize) {
    model.springs.remove(i);
    for contact in &mut model.contacts {
        match &mut contact.load {
            Load::Spring(s, _) if *s == i => contact.load = Load::Nominal,
            Load::Spring(s, _) if *s > i => *s -= 1,
            _ => {}
        }
    }
}

/// Removes a body and all that is attached to it.
fn remove_body(model: &mut Model, i: usize) {
    let gone = Node::Body(i);
    while let Some(s) = model.springs.iter().position(|spring| spring.ends.contains(&gone)) {
        remove_spring(model, s);
    }
    model.contacts.retain(|contact| !contact.ends.contains(&gone));
    model.stops.retain(|stop| !stop.ends.contains(&gone));
    model.freewheels.retain(|wheel| !wheel.ends.contains(&gone));
    model.gears.retain(|gear| !gear.ends.contains(&i));
    model.forces.retain(|force| force.on != i);
    model.controls.retain(|control| control.on != i);
    model.bodies.remove(i);
    let later = |place: &mut Node| {
        if let Node::Body(k) = place
            && *k > i
        {
            *k -= 1;
        }
    };
    rename(model, later);
    model.gears.iter_mut().flat_map(|gear| &mut gear.ends).filter(|k| **k > i).for_each(|k| *k -= 1);
    model.forces.iter_mut().filter(|force| force.on > i).for_each(|force| force.on -= 1);
    model.controls.iter_mut().filter(|control| control.on > i).for_each(|control| control.on -= 1);
}

/// Puts the ground in the place of a motion.
fn remove_motion(model: &mut Model, i: usize) {
    model.motions.remove(i);
    rename(model, |place: &mut Node| match place {
        Node::Motion(k) if *k == i => *place = Node::Ground,
        Node::Motion(k) if *k > i => *k -= 1,
        _ => {}
    });
}

fn rename(model: &mut Model, change: impl Fn(&mut Node)) {
    model.springs.iter_mut().flat_map(|spring| &mut spring.ends).for_each(&change);
    model.contacts.iter_mut().flat_map(|contact| &mut contact.ends).for_each(&change);
    model.stops.iter_mut().flat_map(|stop| &mut stop.ends).for_each(&change);
    model.freewheels.iter_mut().flat_map(|wheel| &mut wheel.ends).for_each(&change);
}

/// All numbers of a model but its end and whole numbers.
fn numbers(model: &mut Model) -> Vec<&mut f64> {
    let mut out: Vec<&mut f64> = Vec::new();
    for body in &mut model.bodies {
        out.extend([&mut body.mass, &mut body.x, &mut body.v]);
        out.extend(body.pendulum.iter_mut().flatten());
    }
    for motion in &mut model.motions {
        signal_numbers(&mut motion.position, &mut out);
    }
    for spring in &mut model.springs {
        out.extend([&mut spring.stiffness, &mut spring.rest, &mut spring.damping]);
        out.extend(spring.table.iter_mut().flatten());
        out.extend(spring.gap.iter_mut().flatten().filter(|x| x.is_finite()));
    }
    for stop in &mut model.stops {
        out.extend([&mut stop.lo, &mut stop.hi]);
    }
    for gear in &mut model.gears {
        out.extend(gear.stiffness.iter_mut().chain([&mut gear.damping, &mut gear.backlash]));
        out.extend(gear.loss.iter_mut().flat_map(|law| &mut law.values).map(|(_, x)| x));
    }
    for contact in &mut model.contacts {
        out.extend(contact.law.values.iter_mut().chain(&mut contact.law.reverse).map(|(_, x)| x));
        match &mut contact.load {
            Load::Signal(signal) => signal_numbers(signal, &mut out),
            Load::Spring(_, gain) => out.push(gain),
            Load::Nominal => {}
        }
        out.extend(contact.map.iter_mut().flatten());
    }
    for force in &mut model.forces {
        signal_numbers(&mut force.force, &mut out);
    }
    for control in &mut model.controls {
        out.extend(control.gains.iter_mut().chain([&mut control.ki]));
        signal_numbers(&mut control.reference, &mut out);
    }
    out
}

fn signal_numbers<'a>(signal: &'a mut Signal, out: &mut Vec<&'a mut f64>) {
    match signal {
        Signal::Constant(x) => out.push(x),
        Signal::Ramp { offset, slope, start, end } => out.extend([offset, slope, start, end]),
        Signal::Step { at, before, after } => out.extend([at, before, after]),
        Signal::Sine { mean, amplitude, omega, phase } => out.extend([mean, amplitude, omega, phase]),
        Signal::Chirp { amplitude, omega, rate, phase } => out.extend([amplitude, omega, rate, phase]),
        Signal::Move { start, time, before, after } => out.extend([start, time, before, after]),
        Signal::Pulses { low, high, start, width, period, .. } => out.extend([low, high, start, width, period]),
        Signal::Table(points) => out.extend(points.iter_mut().flatten()),
        Signal::Sum(parts) | Signal::Product(parts) => parts.iter_mut().for_each(|part| signal_numbers(part, out)),
    }
}

/// The number with so many significant digits.
fn round(x: f64, digits: usize) -> f64 {
    if !x.is_finite() {
        return x;
    }
    format!("{:.*e}", digits - 1, x).parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn a_failure_is_reduced_to_what_causes_it() {
        // pretend that every system with a stribeck contact and more than 1 s fails
        let case = (0..)
            .map(|number| {
                generate::case(3, number, generate::Restriction { law: Some("stribeck"), shape: Some("stack") })
            })
            .find(|case| case.model.bodies.len() >= 3)
            .expect("a stack of three");
        let fails = |(model, _): &Candidate| {
            model.end > 1e-3 && model.contacts.iter().any(|contact| contact.law.name == "stribeck")
        };
        let (model, _) = shrink(&(case.model, case.settings), Duration::from_secs(10), fails);
        assert_eq!(model.contacts.len(), 1);
        assert!(model.forces.is_empty() && model.springs.is_empty() && model.motions.is_empty());
        assert!(model.bodies.len() <= 2, "the ends of the contact are left: {:?}", model.bodies);
    }
    #[test]
    fn numbers_are_rounded_to_significant_digits() {
        assert_eq!([round(1234.56, 2), round(0.001_234_56, 3), round(0.0, 1)], [1200.0, 0.00123, 0.0]);
    }
}
