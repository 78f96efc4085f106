//! What every method begins with, and does by the clock.
use super::SimulationOptions;
use super::flow::Flow;
use super::parts::{Law, Parts, Steer, Weight};
use super::run::Run;
use crate::system::{ControllerInput, System};
use stiction_core::Input;
use stiction_core::registry::Model;

/// Fills the state at the beginning.
pub(super) fn initial(system: &System, flow: &Flow<'_>, y: &mut [f64]) {
    for (i, body) in system.bodies.iter().enumerate() {
        y[i] = body.x;
        y[flow.parts.vi[i]] = body.v;
    }
    for rub in &flow.parts.rubs {
        rub.store(y);
    }
}

/// The absolute error allowed in positions and velocities, and that of each number of the state.
pub(super) fn tolerances(flow: &Flow<'_>, options: &SimulationOptions) -> (f64, Vec<f64>) {
    let rtol = options.rtol;
    let base = if options.atol > 0.0 { options.atol } else { 1e-3 * rtol };
    let mut atol = vec![base; flow.parts.n + flow.parts.nu];
    for rub in &flow.parts.rubs {
        let range = range(rub.law);
        for (k, &i) in rub.which.iter().enumerate() {
            atol[rub.at + k] = allowed(range[i], base, rtol);
        }
    }
    (base, atol)
}

/// Speeds below which nothing is known of a contact, over the tolerance of speeds: laws that come to their level so soon
/// matter over many decades of speed.
const CLOSER: f64 = 1e-3;

/// Marks the contacts that no step can follow at the lowest speeds, and asks for more digits of the speeds above.
pub(super) fn note_steep(flow: &mut Flow<'_>, options: &SimulationOptions, base: f64, atol: &mut [f64]) {
    let quiet = if options.atol > 0.0 { options.atol } else { CLOSER * base };
    for rub in &mut flow.parts.rubs {
        rub.note_steep(quiet, base);
        if rub.bent {
            rub.row.speeds().for_each(|(v, _)| atol[v] = rub.least);
        }
    }
}

/// The range of a law's memory: that of sliding at any speed.
pub(super) fn range(law: &dyn Model) -> Vec<f64> {
    let mut settled = vec![0.0; law.len()];
    let mut range = vec![0.0_f64; law.len()];
    for v in [1e-6, 1e-3, 0.1, 1.0] {
        law.settled(&Input::at(v), &mut settled);
        range.iter_mut().zip(&settled).for_each(|(range, x)| *range = range.max(x.abs()));
    }
    range
}

/// The absolute error allowed in a number of the memory that has this range.
pub(super) fn allowed(range: f64, base: f64, rtol: f64) -> f64 {
    if range > 0.0 && range < 1e6 { base.max(1e-3 * rtol) * range } else { base }
}

/// When a controller takes sample number `count`: not by adding up periods, which would drift.
pub(super) fn due(start: f64, period: f64, count: u64) -> f64 {
    start + count as f64 * period
}

/// Calls the sampled controllers that are due at time `t` in state `y`; true if there was one.
pub(super) fn controllers(flow: &mut Flow<'_>, y: &[f64], t: f64, start: f64) -> bool {
    flow.set_motions(t);
    let motions = &flow.motions;
    let mut any = false;
    for steer in &mut flow.parts.steers {
        steer.measure(y, motions);
        if let Law::Sampled { period, control, count } = &mut steer.law
            // a fixed step may miss it by rounding
            && due(start, *period, *count) <= t + 1e-9 * *period
        {
            steer.output = control.sample(&ControllerInput { t, from: t, y: &steer.y });
            *count += 1;
            any = true;
        }
    }
    if any {
        hand_on(&mut flow.parts.steers);
    }
    any
}

/// Actuators see the commands of the moment.
fn hand_on(steers: &mut [Steer<'_>]) {
    for i in 0..steers.len() {
        for k in 0..steers[i].commands.len() {
            let (measure, whose) = steers[i].commands[k];
            steers[i].measures[measure].0.offset = steers[whose].output;
        }
    }
}

/// Whether a signal, a noise or a controller limits steps by its own pace: nothing that is linear in time does.
pub(super) fn is_paced(flow: &Flow<'_>) -> bool {
    let Parts { motions, pushes, rubs, steers, .. } = &flow.parts;
    let uneven = |weight: &Weight<'_>| matches!(weight, Weight::Signal(signal) if !signal.is_piecewise_linear());
    let wild = |law: &Law<'_>| matches!(law, Law::Continuous(control) if !control.is_linear());
    motions.iter().copied().chain(pushes.iter().map(|push| push.signal)).any(|signal| !signal.is_piecewise_linear())
        || rubs.iter().any(|rub| rub.noisy || uneven(&rub.weight))
        || steers.iter().any(|steer| wild(&steer.law))
}

impl Run<'_, '_> {
    /// When something happens by the clock.
    pub(super) fn next_stop(&self) -> f64 {
        let parts = &self.flow.parts;
        let t = self.t;
        let mut stop = self.options.end;
        for signal in parts.motions.iter().copied().chain(parts.pushes.iter().map(|p| p.signal)) {
            stop = stop.min(signal.next_breakpoint(t));
        }
        for rub in &parts.rubs {
            if let Weight::Signal(signal) = rub.weight {
                stop = stop.min(signal.next_breakpoint(t));
            }
        }
        for steer in &parts.steers {
            stop = stop.min(match &steer.law {
                Law::Continuous(control) => control.next_breakpoint(t),
                Law::Sampled { period, count, .. } => due(self.options.start, *period, *count),
            });
        }
        stop
    }
    /// The longest step that still shows what the signals do.
    pub(super) fn max_resolved_step(&self) -> f64 {
        let parts = &self.flow.parts;
        let mut pace = self.options.max_step;
        for signal in parts.motions.iter().copied().chain(parts.pushes.iter().map(|p| p.signal)) {
            pace = pace.min(signal.max_resolved_step(self.t));
        }
        for rub in &parts.rubs {
            if let Weight::Signal(signal) = rub.weight {
                pace = pace.min(signal.max_resolved_step(self.t));
            }
            if rub.noisy {
                // a quarter of a cell of the noise; its place is the last state of a dressed law
                pace = pace.min(0.25 / rub.rates.last().map_or(0.0, |rate| rate.abs()));
            }
        }
        for steer in &parts.steers {
            if let Law::Continuous(control) = steer.law {
                pace = pace.min(control.max_resolved_step(self.t));
            }
        }
        pace
    }
}
