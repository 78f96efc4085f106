//! Initial state, tolerances and sampled controllers: shared by all integration methods.
use super::SimulationOptions;
use super::components::{ControllerKind, ControllerState};
use super::flow::Flow;
use super::step_size::min_step;
use crate::system::{ControllerInput, System};
use stiction_core::Input;
use stiction_core::registry::DynLaw;

/// Writes the initial state.
pub(super) fn initial(system: &System, flow: &Flow<'_>, y: &mut [f64]) {
    for (i, body) in system.bodies.iter().enumerate() {
        y[i] = body.x;
        y[flow.components.vi[i]] = body.v;
    }
    for contact in &flow.components.contacts {
        contact.store(y);
    }
}

/// The absolute tolerance of positions and velocities, and that of each state.
pub(super) fn tolerances(flow: &Flow<'_>, options: &SimulationOptions) -> (f64, Vec<f64>) {
    let rtol = options.rtol;
    let base = if options.atol > 0.0 { options.atol } else { 1e-3 * rtol };
    let mut atol = vec![base; flow.components.n + flow.components.nu];
    for contact in &flow.components.contacts {
        let range = range(contact.law);
        for (k, &i) in contact.which.iter().enumerate() {
            atol[contact.at + k] = allowed(range[i], base, rtol);
        }
    }
    (base, atol)
}

/// Largest regularisation speed over the absolute tolerance of velocities, where `atol` is not given: laws that are singular at
/// rest vary over many decades of speed, so that their speeds are resolved further.
const MAX_REGULARISATION_RATIO: f64 = 1e-3;
/// Smallest regularisation speed [m/s], however long the run.
const MIN_REGULARISATION_SPEED: f64 = 1e-100;

/// Detects the contacts that are singular at rest, and tightens the absolute tolerance of their velocities. What creeps more slowly than the
/// regularisation speed moves by less than the tolerance of positions in the whole run.
pub(super) fn detect_singular_slopes(flow: &mut Flow<'_>, options: &SimulationOptions, base: f64, atol: &mut [f64]) {
    let most = if options.atol > 0.0 { 1.0 } else { MAX_REGULARISATION_RATIO };
    let ratio = most.min(1.0 / (options.end - options.start));
    let quiet = (ratio * base).max(MIN_REGULARISATION_SPEED);
    let resolution = min_step(options.start.abs().max(options.end.abs()));
    for contact in &mut flow.components.contacts {
        contact.detect_singular_slopes(quiet, base, resolution);
        contact.has_rate_cusp = contact.may_have_rate_cusp();
        if contact.singular_at_rest && contact.cusp.is_none() {
            contact.row.speeds().for_each(|(v, _)| atol[v] = contact.min_regularisation_speed);
        }
    }
}

/// The range of the states of a law: the largest steady values at sliding speeds from 1e-6 to 1 m/s.
pub(super) fn range(law: &dyn DynLaw) -> Vec<f64> {
    let mut settled = vec![0.0; law.len()];
    let mut range = vec![0.0_f64; law.len()];
    for v in [1e-6, 1e-3, 0.1, 1.0] {
        law.settled(&Input::at(v), &mut settled);
        range.iter_mut().zip(&settled).for_each(|(range, x)| *range = range.max(x.abs()));
    }
    range
}

/// The absolute tolerance of a contact state with this range.
pub(super) fn allowed(range: f64, base: f64, rtol: f64) -> f64 {
    if range > 0.0 && range < 1e6 { base.max(1e-3 * rtol) * range } else { base }
}

/// Calls the sampled controllers that are due at time `t` in state `y`; true if there was one.
pub(super) fn sample_controllers(flow: &mut Flow<'_>, y: &[f64], t: f64, start: f64) -> bool {
    flow.set_motions(t);
    let motions = &flow.motions;
    let mut any = false;
    for controller in &mut flow.components.controllers {
        controller.measure(y, motions);
        if let ControllerKind::Sampled { period, control, state } = &mut controller.kind
            // a fixed step may miss the sample time by rounding
            && state.due(*period, start) <= t + 1e-9 * *period
        {
            controller.output = control.sample(&mut state.memory, &ControllerInput { t, from: t, y: &controller.y });
            state.first.get_or_insert(start);
            (state.count, state.output) = (state.count + 1, controller.output);
            any = true;
        }
    }
    if any {
        update_commands(&mut flow.components.controllers);
    }
    any
}

/// Passes the latest commands to the actuators.
pub(super) fn update_commands(controllers: &mut [ControllerState<'_>]) {
    for i in 0..controllers.len() {
        for k in 0..controllers[i].commands.len() {
            let (measure, whose) = controllers[i].commands[k];
            controllers[i].measures[measure].0.offset = controllers[whose].output;
        }
    }
}
