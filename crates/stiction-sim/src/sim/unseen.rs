//! What a step did not see of a law: it ends there instead. Its ends lie on the solution, and the error estimate sees the law at them.
use super::event_driven::EventDrivenRun;
use super::event_locator::EventLocator;
use super::flow::Flow;
use super::root_finding::unseen_minimum;
use super::rosenbrock::Step;

impl EventLocator {
    /// Notes a minimum of a sliding speed that the step did not see. Speeds below the tolerance are not known.
    pub(super) fn note_unseen_minimum(&mut self, velocities: &[f64; 5], side: f64, speed_tolerance: f64) {
        let most = velocities.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        if most >= speed_tolerance {
            self.note_unseen(unseen_minimum(velocities, side));
        }
    }
    /// Notes a critical speed of the law of contact `c` that the step passes.
    pub(super) fn note_passed_speed(&mut self, flow: &mut Flow<'_>, step: &Step, c: usize, velocities: &[f64; 5]) {
        if flow.components.contacts[c].critical_speeds.is_none() {
            return;
        }
        let tolerance = speed_tolerance_in(flow, c, &step.y0, &self.atol);
        if let Some(speeds) = &mut flow.components.contacts[c].critical_speeds {
            let passed = speeds.first_passed(velocities, tolerance);
            self.note_unseen(passed);
        }
    }
    fn note_unseen(&mut self, theta: Option<f64>) {
        self.unseen = [self.unseen, theta].into_iter().flatten().reduce(f64::min);
    }
}

impl EventDrivenRun<'_, '_> {
    /// The sliding velocities between which the only contact passes no critical speed of its law from the present state.
    pub(super) fn free_range_of_speeds(&mut self) -> [f64; 2] {
        let Self { flow, step, atol, .. } = self;
        if flow.components.contacts[0].critical_speeds.is_none() {
            return [f64::NEG_INFINITY, f64::INFINITY];
        }
        let tolerance = speed_tolerance_in(flow, 0, &step.y0, atol);
        let contact = &mut flow.components.contacts[0];
        let start = contact.row.v(&step.y0, &flow.motions);
        contact.critical_speeds.as_mut().map_or([start; 2], |speeds| speeds.free_range(start, tolerance))
    }
}

/// What the tolerances of a run allow the sliding velocity of contact `c` in state `y` to be wrong by in a step.
fn speed_tolerance_in(flow: &Flow<'_>, c: usize, y: &[f64], atol: &[f64]) -> f64 {
    let row = &flow.components.contacts[c].row;
    let own: f64 = row.speeds().map(|(i, c)| c.abs() * (atol[i] + flow.rtol * y[i].abs())).sum();
    own + flow.rtol * row.driven(&flow.motions, 1).abs()
}
