//! The steady motion of a system: bodies that are pulled at constant speed drift with it. A periodic motion is periodic
//! relative to this steady motion.
use super::AnalysisError;
use crate::sim::Linearisation;
use crate::system::{Controller, ControllerSlot, Load, Node, NodeKind, Signal, System};

/// Velocity of each coordinate in steady motion; none where nothing determines it.
pub type SteadyVelocities = Vec<Option<f64>>;

/// The steady motion at time `t`. `linear` shows which positions affect the motion.
///
/// # Errors
/// [`AnalysisError`] if the ends of a spring move apart.
pub fn steady_velocities(system: &System, t: f64, linear: &Linearisation) -> Result<SteadyVelocities, AnalysisError> {
    let mut frame: SteadyVelocities = vec![None; system.bodies.len()];
    let speed = |frame: &SteadyVelocities, node: Node| match system.nodes[node.0].kind {
        NodeKind::Ground => Some(0.0),
        NodeKind::Coordinate { index, scale, .. } => frame[index].map(|v| v * scale),
        NodeKind::Motion(k) => Some(mean_velocity(&system.motions[k], t)),
    };
    loop {
        let mut found = false;
        for joint in
            system.springs.iter().filter(|joint| joint.component.stiffness != 0.0 || joint.component.curve.is_some())
        {
            let ([a, b], ratio) = (joint.ends, joint.component.ratio);
            match (speed(&frame, a), speed(&frame, b)) {
                (Some(a), Some(b)) if (a - ratio * b).abs() > 1e-12 * (a.abs() + b.abs()) => {
                    return Err(AnalysisError::DivergingSpring(joint.name.clone()));
                }
                (Some(v), None) => found |= tie(system, &mut frame, b, v / ratio),
                (None, Some(v)) => found |= tie(system, &mut frame, a, v * ratio),
                _ => {}
            }
        }
        if found {
            continue;
        }
        // a position that affects the motion, but has no spring to a moving body: held by a controller or by gravity
        let n = linear.rate.len();
        let matters = |i: usize| (0..n).any(|row| linear.matrix[row * n + i] != 0.0);
        match (0..frame.len()).find(|&i| frame[i].is_none() && matters(i)) {
            Some(i) => frame[i] = Some(0.0),
            None => return Ok(frame),
        }
    }
}

/// The velocity of a signal at time `t` without its oscillating parts.
pub fn mean_velocity(signal: &Signal, t: f64) -> f64 {
    match signal {
        Signal::Sine { .. } | Signal::Chirp { .. } => 0.0,
        Signal::Sum(all) => all.iter().map(|signal| mean_velocity(signal, t)).sum(),
        _ => signal.eval(t, t)[1],
    }
}

fn tie(system: &System, frame: &mut SteadyVelocities, node: Node, v: f64) -> bool {
    if let NodeKind::Coordinate { index, scale, .. } = system.nodes[node.0].kind {
        frame[index] = Some(v / scale);
    }
    true
}

/// Checks that all inputs are steady after time `t`: motions at constant speed, constant forces and loads.
///
/// # Errors
/// [`AnalysisError`] names the input that is not.
pub fn check_steady_inputs(system: &System, t: f64) -> Result<(), AnalysisError> {
    no_hidden_memory(system)?;
    for (k, signal) in system.motions.iter().enumerate() {
        if !derivative_vanishes(signal, t, 2) {
            let name = system.nodes.iter().find(|place| matches!(place.kind, NodeKind::Motion(m) if m == k));
            return Err(AnalysisError::TimeVaryingInput(name.map_or_else(String::new, |place| place.name.clone())));
        }
    }
    for (name, _, signal) in &system.forces {
        if !derivative_vanishes(signal, t, 1) {
            return Err(AnalysisError::TimeVaryingInput(name.clone()));
        }
    }
    for joint in &system.contacts {
        if let Load::Signal(signal) = &joint.component.load
            && !derivative_vanishes(signal, t, 1)
        {
            return Err(AnalysisError::TimeVaryingInput(joint.name.clone()));
        }
    }
    for slot in &system.controllers {
        if let Controller::Continuous(control) = &slot.controller
            && (control.max_resolved_step(t).is_finite() || control.next_breakpoint(t).is_finite())
        {
            return Err(AnalysisError::TimeVaryingInput(slot.name.clone()));
        }
    }
    Ok(())
}

/// Checks that the state vector determines the future of the system.
///
/// # Errors
/// [`AnalysisError`] names the component with other internal states.
pub fn no_hidden_memory(system: &System) -> Result<(), AnalysisError> {
    if let Some(joint) = system.contacts.iter().find(|joint| joint.component.noisy) {
        return Err(AnalysisError::RandomForce(joint.name.clone()));
    }
    let sampled = |slot: &&ControllerSlot| matches!(slot.controller, Controller::Sampled { .. });
    match system.controllers.iter().find(sampled) {
        Some(slot) => Err(AnalysisError::SampledController(slot.name.clone())),
        None => Ok(()),
    }
}

/// Whether derivative `order` of a signal and all above vanish from `t` on.
fn derivative_vanishes(signal: &Signal, t: f64, order: usize) -> bool {
    match signal {
        Signal::Constant(_) => true,
        Signal::Ramp { slope, start, end, .. } => {
            *slope == 0.0 || t >= *end || t >= *start && end.is_infinite() && order == 2
        }
        Signal::Step { at, .. } => t >= *at,
        Signal::Sine { amplitude, .. } | Signal::Chirp { amplitude, .. } => *amplitude == 0.0,
        Signal::Table(_) | Signal::TableIntegral(_) | Signal::MinimumJerk { .. } | Signal::Pulses { .. } => {
            signal.next_breakpoint(t).is_infinite() && signal.eval(t, t)[order] == 0.0
        }
        Signal::Noise { deviation, .. } => *deviation == 0.0,
        Signal::Sum(all) => all.iter().all(|signal| derivative_vanishes(signal, t, order)),
        // a product of constants, and of one factor that changes
        Signal::Product(all) => {
            all.iter().filter(|signal| !derivative_vanishes(signal, t, 1)).count() <= 1
                && all.iter().all(|signal| derivative_vanishes(signal, t, order))
        }
    }
}

/// The period of the slowest harmonic input, if there is one. Other periods must be whole fractions of it.
pub fn excitation_period(system: &System) -> Option<f64> {
    let mut out: Vec<f64> = Vec::new();
    let mut add = |signal: &Signal| collect_frequencies(signal, &mut out);
    system.motions.iter().for_each(&mut add);
    system.forces.iter().for_each(|(_, _, signal)| add(signal));
    for joint in &system.contacts {
        if let Load::Signal(signal) = &joint.component.load {
            add(signal);
        }
    }
    let slowest = out.iter().copied().fold(f64::INFINITY, f64::min);
    slowest.is_finite().then(|| std::f64::consts::TAU / slowest)
}

fn collect_frequencies(signal: &Signal, out: &mut Vec<f64>) {
    match signal {
        Signal::Sine { amplitude, omega, .. } if *amplitude != 0.0 && *omega != 0.0 => out.push(omega.abs()),
        Signal::Pulses { low, high, period, count, .. } if low != high && count.is_infinite() => {
            out.push(std::f64::consts::TAU / period);
        }
        Signal::Sum(all) | Signal::Product(all) => all.iter().for_each(|signal| collect_frequencies(signal, out)),
        _ => {}
    }
}
