//! Limits of the step size that follow from time signals: the next breakpoint, and the longest step that resolves them.
use super::components::{Components, ControllerKind, NormalLoad};
use super::event_driven::EventDrivenRun;
use super::flow::Flow;

/// Whether a signal, a noise or a controller limits the step size. Signals that are piecewise linear in time do not.
pub(super) fn has_step_limits(flow: &Flow<'_>) -> bool {
    let Components { motions, applied_forces, contacts, controllers, .. } = &flow.components;
    let uneven =
        |weight: &NormalLoad<'_>| matches!(weight, NormalLoad::Signal(signal) if !signal.is_piecewise_linear());
    let wild = |law: &ControllerKind<'_>| matches!(law, ControllerKind::Continuous(control) if !control.is_linear());
    motions
        .iter()
        .copied()
        .chain(applied_forces.iter().map(|applied| applied.signal))
        .any(|signal| !signal.is_piecewise_linear())
        || contacts.iter().any(|contact| contact.noisy || uneven(&contact.normal_load))
        || controllers.iter().any(|controller| wild(&controller.kind))
}

impl EventDrivenRun<'_, '_> {
    /// The next breakpoint in time.
    pub(super) fn next_breakpoint(&self) -> f64 {
        let parts = &self.flow.components;
        let t = self.t;
        let mut breakpoint = self.options.end;
        for signal in parts.motions.iter().copied().chain(parts.applied_forces.iter().map(|p| p.signal)) {
            breakpoint = breakpoint.min(signal.next_breakpoint(t));
        }
        for contact in &parts.contacts {
            if let NormalLoad::Signal(signal) = contact.normal_load {
                breakpoint = breakpoint.min(signal.next_breakpoint(t));
            }
        }
        for switch in &parts.switches {
            breakpoint = breakpoint.min(switch.signal.next_breakpoint(t));
        }
        for controller in &parts.controllers {
            breakpoint = breakpoint.min(match &controller.kind {
                ControllerKind::Continuous(control) => control.next_breakpoint(t),
                ControllerKind::Sampled { period, state, .. } => state.due(*period, self.options.start),
            });
        }
        breakpoint
    }
    /// The longest step that resolves the signals.
    pub(super) fn max_resolved_step(&self) -> f64 {
        let parts = &self.flow.components;
        let mut pace = self.options.max_step;
        for signal in parts.motions.iter().copied().chain(parts.applied_forces.iter().map(|p| p.signal)) {
            pace = pace.min(signal.max_resolved_step(self.t));
        }
        for contact in &parts.contacts {
            if let NormalLoad::Signal(signal) = contact.normal_load {
                pace = pace.min(signal.max_resolved_step(self.t));
            }
            if let Some(position) = contact.noise_position {
                // a quarter of a noise cell
                pace = pace.min(0.25 / contact.rates[position].abs());
            }
        }
        for controller in &parts.controllers {
            if let ControllerKind::Continuous(control) = controller.kind {
                pace = pace.min(control.max_resolved_step(self.t));
            }
        }
        pace
    }
}
