//! Poincaré sections: hyperplanes in state space whose crossings are events.
use super::components::Components;
use super::event_driven::EventDrivenRun;
use super::root_finding::{NODES, first_zero};
use super::run_loop::Integrator;
use super::{Event, EventKind};
use crate::SimError;

/// A hyperplane: one state equals `value + drift·t`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoincareSection {
    /// Index of the state, in [`Simulation::states`](super::Simulation::states).
    pub state: usize,
    /// Its value at t = 0.
    pub value: f64,
    /// Change of that value per second.
    pub drift: f64,
}

/// A section, and the side of it on which the state is.
pub(super) struct SectionState {
    what: PoincareSection,
    side: f64,
}

impl SectionState {
    pub fn new(what: &PoincareSection) -> Self {
        Self { what: *what, side: 0.0 }
    }
}

impl EventDrivenRun<'_, '_> {
    /// Finds the side of each section at the start. A state that starts on a section first leaves it.
    pub(super) fn begin_sections(&mut self) {
        let Self { flow, step, scratch, sections, t, .. } = self;
        if sections.is_empty() {
            return;
        }
        flow.rhs(*t, &step.y0, scratch);
        for SectionState { what, side } in sections {
            let (y, at) = (step.y0[what.state], what.value + what.drift * *t);
            // within the rounding of the difference
            let on = (y - at).abs() <= 1e-12 * (y.abs() + at.abs());
            *side = if on { scratch[what.state] - what.drift } else { y - at }.signum();
        }
    }
    /// The first section crossed in the step before the fraction `end`.
    pub(super) fn first_section(&self, end: f64) -> Option<(f64, usize)> {
        let mut best: Option<(f64, usize)> = None;
        for (k, SectionState { what, side }) in self.sections.iter().enumerate() {
            let gap = |y: f64, theta: f64| y - what.value - what.drift * (self.step.t + theta * self.step.h);
            let y = self.step.at(what.state, NODES);
            let mut values = [0.0; 5];
            (0..5).for_each(|i| values[i] = gap(y[i], NODES[i]));
            let most = values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            let mut distance = |theta: f64| gap(self.step.at(what.state, [theta])[0], theta);
            if let Some(theta) = first_zero(&mut distance, &values, *side, 1e-13 * most)
                && theta < end
                && best.is_none_or(|(first, _)| theta < first)
            {
                best = Some((theta, k));
            }
        }
        best
    }
    /// Reports that section `k` has been crossed.
    pub(super) fn cross(&mut self, k: usize) -> Result<(), SimError> {
        self.write_row()?;
        let Components { contacts, stops, springs, .. } = &self.flow.components;
        let part = contacts.len() + stops.len() + springs.len() + k;
        let up = self.sections[k].side < 0.0;
        self.sections[k].side = -self.sections[k].side;
        let kind = if up { EventKind::CrossUp } else { EventKind::CrossDown };
        self.recorder.report(&Event { t: self.t, part, kind });
        Ok(())
    }
}
