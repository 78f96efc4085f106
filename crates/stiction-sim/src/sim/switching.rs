//! The transition at an instant at which signals switch components on or off.
use super::EventKind;
use super::components::{StopKind, StopMode};
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
        self.report_switches(&self.flow.components.switching_at(self.t));
        let mut switched = Ok(Switched::default());
        self.update_modes(|run| {
            let Self { flow, step, t, speed_tolerance, .. } = run;
            switched = flow.switch_components(*t, &mut step.y0, *speed_tolerance);
            if let Ok(switched) = &switched {
                run.close_gears();
                let Self { flow, step, .. } = run;
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
    /// Reports what signals switch now, as events: number of the component, and whether it is on.
    pub(super) fn report_switches(&mut self, switched: &[(usize, bool)]) {
        for &(part, is_on) in switched {
            self.report_event(part, if is_on { EventKind::Enable } else { EventKind::Disable });
        }
    }
    /// Rigid gears that were switched on between places whose speeds are not in their ratio are closed by a plastic impact.
    pub(super) fn close_gears(&mut self) {
        self.close_lossy_gears();
        let stops = &self.flow.components.stops;
        if stops.iter().any(|stop| stop.kind == StopKind::Gear && stop.is_on && stop.mode == StopMode::Free) {
            self.strike_in_turn(None);
        }
    }
    /// Those with losses: no stop or other gear is on their places, so that each closes alone.
    fn close_lossy_gears(&mut self) {
        let before = self.flow.energy(self.t, &self.step.y0);
        let closed = self.flow.close_lossy_gears(&mut self.step.y0);
        if closed.is_empty() {
            return;
        }
        self.impact += before - self.flow.energy(self.t, &self.step.y0);
        let Self { flow, step, .. } = self;
        flow.renew_spring_pieces(&step.y0);
        // the list of what is struck counts as `System::parts` do, from the stops on
        let first = flow.components.stops.len() + flow.components.springs.len();
        self.struck.extend(closed.into_iter().map(|g| first + g));
        self.release_moving_contacts();
    }
}
