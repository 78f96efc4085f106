//! A copy of the right-hand side that follows the modes of the run.
use super::super::columns::TraceLayout;
use super::super::components::{ContactMode, NormalLoad, StopKind, StopMode};
use super::super::flow::Flow;
use super::{Parameter, padded};
use crate::system::System;
use std::mem::discriminant;
use stiction_core::Input;
use stiction_core::registry::DynLaw;

/// A copy of the right-hand side, of the simulated system or of one with a changed parameter.
pub(super) struct Shadow<'s> {
    pub flow: Flow<'s>,
    pub layout: TraceLayout,
    /// The groups do not belong to the modes: they were never formed, or an impulse has changed them.
    pub stale: bool,
    /// Start and end of the present piece of the signals \[s\], which a parameter may move.
    pub piece_start: f64,
    pub piece_end: f64,
    /// Start of the next piece, within a transition at a breakpoint.
    pub next_piece: f64,
    /// Scratch: a state and rates.
    pub rates: Vec<f64>,
}

impl<'s> Shadow<'s> {
    pub fn new(system: &'s System) -> Self {
        let flow = Flow::new(system);
        let layout = TraceLayout::new(system, &flow);
        let rates = vec![0.0; padded(&flow)];
        Self {
            flow,
            layout,
            stale: true,
            piece_start: f64::NEG_INFINITY,
            piece_end: f64::INFINITY,
            next_piece: f64::NEG_INFINITY,
            rates,
        }
    }
    /// Whether it has the same components and states.
    pub fn has_shape_of(&self, other: &Self) -> bool {
        let (a, b) = (&self.flow.components, &other.flow.components);
        a.vi == b.vi
            && a.nu == b.nu
            && a.springs.len() == b.springs.len()
            && a.motions.len() == b.motions.len()
            && a.stops.len() == b.stops.len()
            && a.applied_forces.len() == b.applied_forces.len()
            && a.controllers.len() == b.controllers.len()
            && a.contacts.len() == b.contacts.len()
            && a.contacts.iter().zip(&b.contacts).all(|(a, b)| {
                a.at == b.at
                    && a.which == b.which
                    && a.memory.len() == b.memory.len()
                    && a.guard_signs.len() == b.guard_signs.len()
                    && discriminant(&a.normal_load) == discriminant(&b.normal_load)
            })
    }
    /// Zero derivatives of the states of all laws.
    pub fn memory_derivatives(&self) -> Vec<Vec<f64>> {
        self.flow.components.contacts.iter().map(|contact| vec![0.0; contact.memory.len()]).collect()
    }
    /// Whether contacts and stops are in the modes of the run.
    pub fn has_modes_of(&self, run: &Flow<'_>) -> bool {
        let (own, of) = (&self.flow.components, &run.components);
        own.contacts.iter().zip(&of.contacts).all(|(own, of)| own.mode == of.mode)
            && own.stops.iter().zip(&of.stops).all(|(own, of)| own.mode == of.mode)
    }
    /// Takes over the modes of the run, and its discrete states changed by `change` times `memory`.
    pub fn follow(&mut self, run: &Flow<'_>, memory: &[Vec<f64>], change: f64) {
        let flow = &mut self.flow;
        // in the same piece of every signal as the run
        flow.from = run.from.max(self.piece_start).min(self.piece_end.next_down());
        let mut changed = std::mem::take(&mut self.stale);
        for (k, (own, of)) in flow.components.contacts.iter_mut().zip(&run.components.contacts).enumerate() {
            changed |= own.mode != of.mode;
            own.mode = of.mode;
            own.memory.copy_from_slice(&of.memory);
            if change != 0.0 {
                own.memory.iter_mut().zip(&memory[k]).for_each(|(x, by)| *x += change * by);
            }
            own.guard_signs.copy_from_slice(&of.guard_signs);
        }
        for (own, of) in flow.components.stops.iter_mut().zip(&run.components.stops) {
            changed |= own.mode != of.mode;
            (own.mode, own.is_on) = (of.mode, of.is_on);
        }
        for (own, of) in flow.components.springs.iter_mut().zip(&run.components.springs) {
            own.piece = of.piece;
        }
        if changed {
            flow.regroup();
            // the coefficients of a linear part belong to the piece of a signal: the general right-hand side is always right
            flow.linear_part.applies = false;
            flow.taylor.applies = false;
        }
    }
    /// The rates at time `t` in state `y`.
    pub fn rates(&mut self, t: f64, y: &[f64]) -> &[f64] {
        self.flow.rhs(t, y, &mut self.rates);
        &self.rates
    }
    /// The piece of the signals that holds at time `t` ends with the next breakpoint.
    pub fn find_piece_end(&mut self, t: f64) {
        self.piece_end = self.breakpoints(t).into_iter().fold(f64::INFINITY, f64::min);
    }
    /// The times after `t` of the next breakpoint of every signal and controller.
    pub fn breakpoints(&self, t: f64) -> Vec<f64> {
        let parts = &self.flow.components;
        let loads = parts.contacts.iter().filter_map(|contact| match contact.normal_load {
            NormalLoad::Signal(signal) => Some(signal),
            _ => None,
        });
        let signals = parts.motions.iter().copied().chain(parts.applied_forces.iter().map(|applied| applied.signal));
        let signals = signals.chain(parts.switches.iter().map(|switch| switch.signal));
        let mut out: Vec<f64> = signals.chain(loads).map(|signal| signal.next_breakpoint(t)).collect();
        out.extend(parts.controllers.iter().map(|controller| match controller.kind {
            super::ControllerKind::Continuous(control) => control.next_breakpoint(t),
            super::ControllerKind::Sampled { .. } => f64::INFINITY,
        }));
        out
    }
    /// The displacements and velocities that are zero in the present modes: those of sticking contacts, whose velocity is zero,
    /// and those of stops in contact, whose distance from the end is zero, too. Pairs of distance and velocity; the distance of
    /// a contact, a freewheel or a gear is zero.
    pub fn constraints(&mut self, t: f64, y: &[f64]) -> Vec<[f64; 2]> {
        self.flow.set_motions(t);
        let (parts, motions) = (&self.flow.components, &self.flow.motions);
        let stuck = parts.contacts.iter().filter(|contact| contact.mode == ContactMode::Stuck && contact.row.nq > 0);
        let mut out: Vec<[f64; 2]> = stuck.map(|contact| [0.0, contact.row.v(y, motions)]).collect();
        for stop in parts.stops.iter().filter(|stop| stop.row.nq > 0) {
            if let StopMode::At(end) = stop.mode {
                let at = if end > 0.0 { stop.parameters.hi } else { stop.parameters.lo };
                let distance = if stop.kind != StopKind::Displacement { 0.0 } else { stop.row.x(y, motions) - at };
                out.push([distance, stop.row.v(y, motions)]);
            }
        }
        out
    }
}

impl<'s> Parameter<'s> {
    /// Derivatives of the parameters of all laws.
    pub fn differentiate_laws(&mut self, base: &Shadow<'s>) {
        let values = |law: &dyn DynLaw| {
            let mut out = vec![0.0; law.parameters(&mut [])];
            law.parameters(&mut out);
            out
        };
        for (c, contact) in base.flow.components.contacts.iter().enumerate() {
            let own = values(contact.law);
            let [a, b] = [0, 1].map(|k: usize| values(self.varied[k].flow.components.contacts[c].law));
            let by: Vec<f64> = (0..own.len()).map(|i| self.quotient(own[i], [a[i], b[i]])).collect();
            self.laws.push(if by.iter().any(|x| *x != 0.0) { by } else { Vec::new() });
        }
    }
    /// Calls `evaluate` while the copies have the laws of the simulated system: what depends on the parameters of laws is
    /// differentiated by dual numbers instead.
    pub fn with_laws_of(&mut self, base: &Shadow<'s>, evaluate: impl FnOnce(&mut [Shadow<'s>; 2])) {
        let mut kept: Vec<(usize, usize, &'s dyn DynLaw)> = Vec::new();
        for (k, varied) in self.varied.iter_mut().enumerate() {
            for (c, contact) in varied.flow.components.contacts.iter_mut().enumerate() {
                // a contact that is kept from sliding exerts its limit
                if !self.laws[c].is_empty() && !matches!(contact.mode, ContactMode::Pinned(_)) {
                    kept.push((k, c, contact.law));
                    contact.law = base.flow.components.contacts[c].law;
                }
            }
        }
        evaluate(&mut self.varied);
        for (k, c, law) in kept {
            self.varied[k].flow.components.contacts[c].law = law;
        }
    }
    /// The derivatives of force and rates of contact `c` by the parameters of its law, in state `y`; the load and the motions are
    /// those of the last evaluation of `base`.
    pub fn law_by_parameters(&self, base: &mut Shadow<'s>, c: usize, y: &[f64], rates: &mut [f64]) -> f64 {
        let motions = &base.flow.motions;
        let contact = &mut base.flow.components.contacts[c];
        contact.load_memory(y);
        let load = contact.load[0];
        let ContactMode::Slip(side) = contact.mode else {
            contact.law.flow_by_parameters(&contact.memory, &Input { v: 0.0, load }, &self.laws[c], rates);
            return 0.0;
        };
        let v = contact.row.v(y, motions);
        let u = Input { v: contact.one_sided_velocity(side, v), load };
        let force = contact.law.flow_by_parameters(&contact.memory, &u, &self.laws[c], rates);
        if v * side >= -contact.regularisation_speed {
            return force;
        }
        // beyond zero the law is reflected about its value at zero, as in the right-hand side
        let mut other = vec![0.0; rates.len()];
        let u = Input { v: -v, load };
        let mirrored = contact.law.flow_by_parameters(&contact.memory, &u, &self.laws[c], &mut other);
        rates.iter_mut().zip(other).for_each(|(rate, other)| *rate = 2.0 * *rate - other);
        2.0 * force - mirrored
    }
    /// Derivatives of the initial discrete states.
    pub fn differentiate_initial_memory(&mut self, base: &Shadow<'_>) {
        for (c, contact) in base.flow.components.contacts.iter().enumerate() {
            let [a, b] = [0, 1].map(|k: usize| &self.varied[k].flow.components.contacts[c].memory);
            for i in (0..contact.memory.len()).filter(|i| !contact.which.contains(i)) {
                self.memory[c][i] = self.quotient(contact.memory[i], [a[i], b[i]]);
            }
        }
    }
    /// Both copies take over the modes of the run.
    pub fn follow(&mut self, run: &Flow<'_>) {
        for (varied, change) in self.varied.iter_mut().zip(self.changes) {
            let change = if self.lost { 0.0 } else { change };
            varied.follow(run, &self.memory, change);
        }
    }
}
