//! Where the sensitivities meet the run: each hook does nothing in a run without them.
use super::Event;
use super::event_driven::EventDrivenRun;
use super::impact_law::StopContact;
use super::sensitivity::{Cause, Sensitivity, SensitivityReport, VariedParameter};
use crate::SimError;
use crate::system::System;
use stiction_core::Input;

impl<'s> EventDrivenRun<'_, 's> {
    /// Follows the run with sensitivities; the trace has `columns` columns.
    pub(super) fn differentiate(
        &mut self,
        system: &'s System,
        parameters: &[VariedParameter<'s>],
        columns: usize,
    ) -> Result<(), SimError> {
        let mut sensitivity = Sensitivity::new(system, parameters, self.options)?;
        sensitivity.prepare(&self.flow, &self.atol, self.options.start)?;
        self.recorder.set_columns(columns);
        self.sensitivity = Some(Box::new(sensitivity));
        Ok(())
    }
    pub(super) fn take_sensitivities(&mut self) -> SensitivityReport {
        self.sensitivity.take().map_or_else(SensitivityReport::default, |sensitivity| sensitivity.report)
    }
    /// An accepted step, of which the part up to `theta` counts.
    pub(super) fn follow_step(&mut self, theta: f64) {
        if let Some(sensitivity) = &mut self.sensitivity {
            sensitivity.follow_step(&self.flow, &self.step, theta.min(1.0));
        }
    }
    /// The run has moved to the end of the step.
    pub(super) fn follow_to_end(&mut self) {
        if let Some(sensitivity) = &mut self.sensitivity {
            sensitivity.end_step();
        }
    }
    /// Before anything changes in a transition.
    pub(super) fn begin_transition(&mut self, cause: Cause) {
        if let Some(sensitivity) = &mut self.sensitivity {
            let (span, exact) = (self.step.h.max(self.h), self.step.series.is_on);
            sensitivity.begin_transition(&self.flow, &cause, (self.t, &self.step.y0), span, exact);
        }
    }
    /// After everything has changed in a transition.
    pub(super) fn end_transition(&mut self) {
        if let Some(sensitivity) = &mut self.sensitivity {
            sensitivity.end_transition(&self.flow, (self.t, &self.step.y0));
        }
    }
    /// After the modes at the start were decided.
    pub(super) fn check_first_sensitivities(&mut self) {
        if let Some(sensitivity) = &mut self.sensitivity {
            sensitivity.start(&self.flow, (self.t, &self.step.y0));
        }
    }
    /// An impact; `speeds` are the velocities before it.
    pub(super) fn pass_impact(&mut self, contacts: &[StopContact], restitution: &[f64], speeds: &[f64]) {
        if let Some(sensitivity) = &mut self.sensitivity {
            let mut y = self.step.y0.clone();
            self.flow.components.vi.iter().zip(speeds).for_each(|(&v, speed)| y[v] = *speed);
            sensitivity.pass_impact(contacts, restitution, (self.t, &y));
        }
    }
    /// The states of contact `c` have jumped at sliding velocity `v`; those before the jump are in its rates.
    pub(super) fn pass_jump(&mut self, c: usize, v: f64) {
        if let Some(sensitivity) = &mut self.sensitivity {
            let contact = &self.flow.components.contacts[c];
            let u = Input { v, load: contact.load[0] };
            sensitivity.pass_jump(c, &contact.rates, u, (self.t, &self.step.y0));
        }
    }
    /// The sliding velocity of contact `c` is about to be brought to zero by an impulse.
    pub(super) fn pass_arrest(&mut self, c: usize, closed: &[StopContact]) {
        if let Some(sensitivity) = &mut self.sensitivity {
            sensitivity.pass_arrest(c, closed, (self.t, &self.step.y0));
        }
    }
    pub(super) fn note_event(&mut self, event: &Event) {
        if let Some(sensitivity) = &mut self.sensitivity {
            sensitivity.note_event(event);
        }
    }
    /// Appends derivatives to the recorder's row.
    pub(super) fn append_derivatives(&mut self) {
        if let Some(sensitivity) = &mut self.sensitivity {
            sensitivity.append_now(&self.flow, (self.t, &self.step.y0), &mut self.recorder.row);
        }
    }
    /// Appends derivatives to the kept row.
    pub(super) fn append_derivatives_to_kept(&mut self) {
        if let Some(sensitivity) = &mut self.sensitivity {
            sensitivity.append_now(&self.flow, (self.t, &self.step.y0), &mut self.kept);
        }
    }
}
