//! The steady motion of a system: bodies that are pulled at constant speed drift with it. A periodic motion is periodic
//! relative to this steady motion.
use super::AnalysisError;
use crate::sim::Linearisation;
use crate::system::{Connection, Controller, ControllerSlot, Load, Node, NodeKind, Signal, Spring, System};

/// The steady motion of a system: positions grow at constant velocity, and no force changes.
#[derive(Clone, Debug, PartialEq)]
pub struct SteadyMotion {
    /// Velocity of each coordinate; zero where it is not determined.
    pub velocity: Vec<f64>,
    /// Directions, over all coordinates, in which a part of the system can move at any speed, because no force depends on how far it has
    /// moved: a body that slides freely, or two bodies that a spring connects with each other alone.
    pub free: Vec<Vec<f64>>,
}

/// Relative error of the derivatives in a linearisation: those of a controller may be difference quotients.
const DERIVATIVE_ERROR: f64 = 1e-9;

impl SteadyMotion {
    /// The steady motion at time `t`. `linear` shows which positions affect the motion.
    ///
    /// # Errors
    /// [`AnalysisError`] if the ends of a spring move apart.
    pub fn new(system: &System, t: f64, linear: &Linearisation) -> Result<Self, AnalysisError> {
        let count = system.bodies.len();
        let (mut known, mut free): (Vec<Option<f64>>, Vec<Vec<f64>>) = (vec![None; count], Vec::new());
        loop {
            spread(system, |signal| mean_velocity(signal, t), &mut known)?;
            let is_free = |free: &[Vec<f64>], i: usize| free.iter().any(|d| d[i] != 0.0);
            let Some(i) = (0..count).find(|&i| known[i].is_none() && !is_free(&free, i)) else { break };
            // what moves along if this coordinate moves and all that is known stands still
            let mut along: Vec<Option<f64>> = known.iter().map(|v| v.map(|_| 0.0)).collect();
            along[i] = Some(1.0);
            let keeps_lengths = spread(system, |_| 0.0, &mut along).is_ok();
            let direction: Vec<f64> = along.iter().map(|v| v.unwrap_or(0.0)).collect();
            if keeps_lengths && !forces_change(system, linear, &direction) {
                free.push(direction);
            } else {
                // held by a controller, by gravity, or by an error that repeats with the angle
                known[i] = Some(0.0);
            }
        }
        Ok(Self { velocity: known.into_iter().map(|v| v.unwrap_or(0.0)).collect(), free })
    }
}

fn ties(system: &System) -> impl Iterator<Item = &Connection<Spring>> {
    system.springs.iter().filter(|joint| joint.component.stiffness != 0.0 || joint.component.curve.is_some())
}

/// Velocities of all coordinates that springs connect with what moves at a known velocity.
///
/// # Errors
/// [`AnalysisError`] names a spring whose ends move apart.
fn spread(system: &System, motion: impl Fn(&Signal) -> f64, known: &mut [Option<f64>]) -> Result<(), AnalysisError> {
    let speed = |known: &[Option<f64>], node: Node| match system.nodes[node.0].kind {
        NodeKind::Ground => Some(0.0),
        NodeKind::Coordinate { index, scale, .. } => known[index].map(|v| v * scale),
        NodeKind::Motion(k) => Some(motion(&system.motions[k])),
    };
    loop {
        let mut found = false;
        for joint in ties(system) {
            let ([a, b], ratio) = (joint.ends, joint.component.ratio);
            match (speed(known, a), speed(known, b)) {
                (Some(a), Some(b)) if (a - ratio * b).abs() > 1e-12 * (a.abs() + (ratio * b).abs()) => {
                    return Err(AnalysisError::DivergingSpring(joint.name.clone()));
                }
                (Some(v), None) => found |= tie(system, known, b, v / ratio),
                (None, Some(v)) => found |= tie(system, known, a, v * ratio),
                _ => {}
            }
        }
        if !found {
            return Ok(());
        }
    }
}

/// Whether a force changes as the system moves in a direction.
fn forces_change(system: &System, linear: &Linearisation, direction: &[f64]) -> bool {
    let turns = |node: Node| match system.nodes[node.0].kind {
        NodeKind::Coordinate { index, .. } => direction[index] != 0.0,
        _ => false,
    };
    if system.springs.iter().any(|joint| joint.component.error.is_some() && joint.ends.iter().any(|&end| turns(end))) {
        return true;
    }
    linear.matrix.chunks_exact(linear.rate.len()).any(|row| {
        let terms = || row.iter().zip(direction).map(|(a, d)| a * d);
        terms().sum::<f64>().abs() > DERIVATIVE_ERROR * terms().map(f64::abs).sum::<f64>()
    })
}

fn tie(system: &System, known: &mut [Option<f64>], node: Node, v: f64) -> bool {
    if let NodeKind::Coordinate { index, scale, .. } = system.nodes[node.0].kind {
        known[index] = Some(v / scale);
    }
    true
}

/// The velocity of a signal at time `t` without its oscillating parts.
pub fn mean_velocity(signal: &Signal, t: f64) -> f64 {
    match signal {
        Signal::Sine { .. } | Signal::Chirp { .. } => 0.0,
        Signal::Sum(all) => all.iter().map(|signal| mean_velocity(signal, t)).sum(),
        // several factors change: a product of bounded oscillations, as no other is accepted
        Signal::Product(all) if all.iter().filter(|signal| !derivative_vanishes(signal, t, 1)).count() > 1 => 0.0,
        Signal::Product(all) => {
            let factors = |skip: usize| all.iter().enumerate().filter(move |(k, _)| *k != skip).map(|(_, s)| s.at(t));
            all.iter().enumerate().map(|(k, signal)| mean_velocity(signal, t) * factors(k).product::<f64>()).sum()
        }
        _ => signal.eval(t, t)[1],
    }
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

/// Checks that a system has none of the components whose steady motions are not known.
///
/// # Errors
/// [`AnalysisError`] names a gear with an efficiency, which has no linearisation, a planetary gear, which leaves two speeds free, or a component that a
/// signal switches: where the rest position of a spring was moved to is no coordinate, and need not come back with a cycle.
pub fn check_components(system: &System) -> Result<(), AnalysisError> {
    if let Some((name, _)) = system.switches().next() {
        return Err(AnalysisError::HasSwitch(name.to_owned()));
    }
    if let Some(joint) = system.lossy_gears.first() {
        return Err(AnalysisError::HasLossyGear(joint.name.clone()));
    }
    match system.springs.iter().find(|joint| joint.component.third.is_some()) {
        Some(joint) => Err(AnalysisError::HasPlanetaryGear(joint.name.clone())),
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
    let switches = switches.chain(system.switches().map(|(name, switch)| (name, &switch.enable)));
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
