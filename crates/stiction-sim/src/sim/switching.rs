//! The transition at an instant at which signals switch components on or off.
use super::event_driven::EventDrivenRun;
use super::run_loop::Integrator;
use super::switches::Switched;
use crate::SimError;

impl EventDrivenRun<'_, '_> {
    /// Where something is switched, writes a row with the values just before.
    pub(super) fn write_row_before_switching(&mut self) -> Result<(), SimError> {
        if self.flow.components.has_switched(self.t) { self.write_row() } else { Ok(()) }
    }
    /// Switches the components whose signals change now, decides all modes anew, and writes a row with the values just after.
    pub(super) fn switch_components(&mut self) -> Result<(), SimError> {
        if !self.flow.components.has_switched(self.t) {
            return Ok(());
        }
        let mut switched = Ok(Switched::default());
        self.update_modes(|run| {
            let Self { flow, step, t, speed_tolerance, .. } = run;
            switched = flow.switch_components(*t, &mut step.y0, *speed_tolerance);
            if let Ok(switched) = &switched {
                flow.update_regularisations(&step.y0);
                let motions = &flow.motions;
                let rests = |&c: &usize| flow.components.contacts[c].row.nonzero_speed(&step.y0, motions).is_none();
                let resting: Vec<usize> = switched.contacts.iter().copied().filter(rests).collect();
                run.mark_at_rest(&resting);
                run.flow.regroup();
                run.settle_modes();
            }
        })?;
        self.switching += switched?.lost;
        self.write_row()
    }
}
