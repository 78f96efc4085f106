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
    if let Some(joint) = system.contacts.iter().find(|joint| joint.component.heating.is_some()) {
        return Err(AnalysisError::WarmsUp(joint.name.clone()));
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

/// Longest common period of inputs, in periods of the slowest.
const MAX_PERIODS: u32 = 8;

/// The common period of the inputs from `t` on, if they do not settle.
///
/// # Errors
/// [`AnalysisError`] for an input that neither settles nor repeats, and for inputs that do not repeat together.
pub fn excitation_period(system: &System, t: f64) -> Result<Option<f64>, AnalysisError> {
    let mut omegas: Vec<f64> = Vec::new();
    for (name, signal) in inputs(system) {
        if !collect_frequencies(signal, t, &mut omegas) {
            return Err(AnalysisError::AperiodicInput(name.to_owned()));
        }
    }
    let slowest = omegas.iter().copied().fold(f64::INFINITY, f64::min);
    if slowest.is_infinite() {
        return Ok(None);
    }
    // a ratio of two numbers that were given as decimals is rounded in its last digits
    let whole = |x: f64| (x - x.round()).abs() <= 1e-9 * x;
    let count =
        (1..=MAX_PERIODS).map(f64::from).find(|count| omegas.iter().all(|omega| whole(count * omega / slowest)));
    match count {
        Some(count) => Ok(Some(count * std::f64::consts::TAU / slowest)),
        None => Err(AnalysisError::IncommensurateInputs),
    }
}

/// All functions of time that drive a system, with the names of what they drive.
fn inputs(system: &System) -> Vec<(&str, &Signal)> {
    let motions = system.nodes.iter().filter_map(|node| match node.kind {
        NodeKind::Motion(k) => Some((node.name.as_str(), &system.motions[k])),
        _ => None,
    });
    let forces = system.forces.iter().map(|(name, _, signal)| (name.as_str(), signal));
    let loads = system.contacts.iter().filter_map(|joint| match &joint.component.load {
        Load::Signal(signal) => Some((joint.name.as_str(), signal)),
        _ => None,
    });
    let controllers = system.controllers.iter().flat_map(|slot| match &slot.controller {
        Controller::Continuous(control) => control.signals().into_iter().map(|s| (slot.name.as_str(), s)).collect(),
        Controller::Sampled { .. } => Vec::new(),
    });
    let switches = system.freewheels.iter().map(|joint| (joint.name.as_str(), &joint.component.enable));
    motions.chain(forces).chain(loads).chain(controllers).chain(switches).collect()
}

/// Adds the angular frequencies of a signal, and says whether it repeats with them from `t` on; a straight line counts as steady.
fn collect_frequencies(signal: &Signal, t: f64, out: &mut Vec<f64>) -> bool {
    match signal {
        Signal::Sine { amplitude, omega, .. } if *amplitude != 0.0 && *omega != 0.0 => {
            out.push(omega.abs());
            true
        }
        Signal::Pulses { low, high, period, count, .. } if low != high && count.is_infinite() => {
            out.push(std::f64::consts::TAU / period);
            true
        }
        Signal::Sum(all) => all.iter().all(|signal| collect_frequencies(signal, t, out)),
        // a factor that grows makes a product grow, unless it is the only one that changes
        Signal::Product(all) => {
            let constant = |signal: &&Signal| derivative_vanishes(signal, t, 1);
            let changing: Vec<&Signal> = all.iter().filter(|signal| !constant(signal)).collect();
            let grows = |signal: &&&Signal| derivative_vanishes(signal, t, 2);
            (changing.len() < 2 || !changing.iter().any(|signal| grows(&signal)))
                && changing.iter().all(|signal| collect_frequencies(signal, t, out))
        }
        _ => derivative_vanishes(signal, t, 2),
    }
}
