//! Guards of stops, freewheels and springs whose force has kinks.
use super::super::components::{StopKind, StopMode};
use super::super::flow::Flow;
use super::super::root_finding::NODES;
use super::super::rosenbrock::Step;
use super::super::spring_state::PieceEnd;
use super::{EventLocator, GUARD_ROUNDING, Guard, ZeroCrossing, velocity_noise};

impl EventLocator {
    /// Ends of stops, and velocities of freewheels.
    pub(super) fn stops(
        &mut self,
        flow: &mut Flow<'_>,
        step: &Step,
        speed_tolerance: f64,
        best: &mut Option<ZeroCrossing>,
    ) {
        for b in 0..flow.components.stops.len() {
            let (row, what, mode) =
                (flow.components.stops[b].row, flow.components.stops[b].parameters, flow.components.stops[b].mode);
            if mode != StopMode::Free {
                continue;
            }
            if flow.components.stops[b].kind == StopKind::Velocity {
                // one that others keep at rest may not begin to move
                if flow.components.stops[b].is_on && !flow.groups.keeps(&row) {
                    self.freewheel(flow, step, b, speed_tolerance, best);
                }
                continue;
            }
            let mut size = 0.0_f64;
            let x = NODES.map(|theta| {
                flow.set_motions(step.t + theta * step.h);
                let (mut x, driven) = (row.offset, row.driven(&flow.motions, 0));
                let mut parts = x.abs() + driven.abs();
                for (i, c) in row.coordinates() {
                    let own = c * step.at(i, [theta])[0];
                    (x, parts) = (x + own, parts + own.abs());
                }
                size = size.max(parts);
                x + driven
            });
            // rounding, see `ConstraintRow::position_rounding`
            let rounding = 8.0 * f64::EPSILON * size;
            flow.set_motions(step.t);
            let rests = row.nonzero_speed(&step.y0, &flow.motions).is_none();
            let error: f64 = row.coordinates().map(|(_, c)| c.abs() * speed_tolerance).sum();
            for (guard, room) in
                [(Guard::Floor(b), x.map(|x| x - what.lo)), (Guard::Ceiling(b), x.map(|x| what.hi - x))]
            {
                if room[0].is_finite() {
                    // a body that leaves the end from rest is still there to within the error of the step
                    let noise = if rests && room[0].abs() <= rounding { rounding + error } else { rounding };
                    // a body that starts slightly beyond the end is leaving, unless it moves further in
                    let noise = noise + (-room[0] * (1.0 + 1e-9)).max(0.0);
                    self.consider(flow, step, guard, room, 1.0, noise, best);
                }
            }
        }
    }
    /// The velocity of a freewheel that overruns.
    fn freewheel(
        &mut self,
        flow: &mut Flow<'_>,
        step: &Step,
        b: usize,
        speed_tolerance: f64,
        best: &mut Option<ZeroCrossing>,
    ) {
        let values = NODES.map(|theta| self.value(flow, step, Guard::Engage(b), theta));
        // one that was just released starts with almost no acceleration: rounding must not block it again
        let starts = flow.components.stops[b].release_time == step.t;
        let most = values.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        let noise = velocity_noise(&values, speed_tolerance) + if starts { 1e-6 * most } else { 0.0 };
        let noise = noise + (-values[0] * (1.0 + 1e-9)).max(0.0);
        self.consider(flow, step, Guard::Engage(b), values, 1.0, noise, best);
    }
    /// Ends of the pieces of springs whose force has kinks.
    pub(super) fn spring_kinks(
        &mut self,
        flow: &mut Flow<'_>,
        step: &Step,
        tolerance: f64,
        best: &mut Option<ZeroCrossing>,
    ) {
        for s in 0..flow.components.springs.len() {
            let Some(piece) = flow.components.springs[s].piece else { continue };
            let row = flow.components.springs[s].row;
            for &kind in flow.components.springs[s].piece_ends(piece) {
                let guard = Guard::Spring(s, kind);
                let values = NODES.map(|theta| self.value(flow, step, guard, theta));
                if !values[0].is_finite() {
                    continue;
                }
                flow.set_motions(step.t);
                let rounding = match kind {
                    PieceEnd::Limit(_) => GUARD_ROUNDING * values.iter().fold(0.0_f64, |most, x| most.max(x.abs())),
                    // of a body that leaves the end from rest, the place is known to the error of the step
                    _ if row.nonzero_speed(&step.y0, &flow.motions).is_none() => {
                        let error: f64 = row.coordinates().map(|(_, c)| c.abs() * tolerance).sum();
                        row.position_rounding(&step.y0, &flow.motions) + if values[0] <= error { error } else { 0.0 }
                    }
                    _ => row.position_rounding(&step.y0, &flow.motions),
                };
                // a step begins where the event before was located, slightly beyond it or not quite there
                let noise = rounding + (-values[0] * (1.0 + 1e-9)).max(0.0);
                self.consider(flow, step, guard, values, 1.0, noise, best);
            }
        }
    }
}
