//! Events of lossy gears within a step.
use super::event_locator::{EventLocator, Guard, ZeroCrossing, velocity_noise};
use super::flow::Flow;
use super::lossy_gear::GearMode;
use super::root_finding::NODES;
use super::rosenbrock::Step;

impl Flow<'_> {
    /// The value of a guard of a lossy gear in a state.
    pub(super) fn gear_guard(&mut self, guard: Guard, t: f64, y: &[f64], scratch: &mut [f64]) -> f64 {
        if let Guard::GearSpeed(g) = guard {
            return self.components.lossy_gears[g].speed(y);
        }
        self.rhs(t, y, scratch);
        match guard {
            Guard::GearFlank(g) => self.flank_torque(g, y).0,
            Guard::GearLimit(g, side) => self.gear_room(g, side).0,
            _ => f64::INFINITY,
        }
    }
}

impl EventLocator {
    /// What follows from the forces at the sample points, and the largest of its roundings.
    fn at_nodes(
        &mut self,
        flow: &mut Flow<'_>,
        step: &Step,
        read: impl Fn(&Flow<'_>, &[f64]) -> (f64, f64),
    ) -> ([f64; 5], f64) {
        let (mut values, mut noise) = ([0.0; 5], 0.0_f64);
        for node in 0..5 {
            flow.rhs(step.t + NODES[node] * step.h, &self.nodes[node], &mut self.scratch);
            let (value, rounding) = read(flow, &self.nodes[node]);
            (values[node], noise) = (value, noise.max(rounding));
        }
        (values, noise)
    }
    /// Speeds and flanks of lossy gears that turn, and limits of those at rest.
    pub(super) fn gears(
        &mut self,
        flow: &mut Flow<'_>,
        step: &Step,
        speed_tolerance: f64,
        best: &mut Option<ZeroCrossing>,
    ) {
        for k in 0..flow.components.gear_trains.len() {
            let train = &flow.components.gear_trains[k];
            let (g, gears): (usize, Vec<usize>) = (train.leader(), train.drives().map(|drive| drive.gear).collect());
            self.fill(step);
            for &g in &gears {
                if let GearMode::Turning { flank, .. } = flow.components.lossy_gears[g].mode {
                    let (values, noise) = self.at_nodes(flow, step, |flow, y| flow.flank_torque(g, y));
                    self.consider(flow, step, Guard::GearFlank(g), values, flank, noise, best);
                }
            }
            let leader = &flow.components.lossy_gears[g];
            let (place, starts) = (leader.places[0], leader.slip_start == step.t);
            match leader.mode {
                GearMode::Open => (),
                GearMode::Turning { side, .. } => {
                    let (values, rounding) = self.velocities(flow, step, &place);
                    let most = values.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
                    self.note_unseen_minimum(&values, side, speed_tolerance);
                    // one that was just released starts with almost no acceleration: rounding must not hold it again
                    let noise = velocity_noise((&values, rounding), speed_tolerance);
                    let noise = noise + if starts { 1e-6 * most } else { 0.0 };
                    self.consider(flow, step, Guard::GearSpeed(g), values, side, noise, best);
                }
                GearMode::Held => {
                    for side in [1.0, -1.0] {
                        let (values, noise) = self.at_nodes(flow, step, |flow, _| flow.gear_room(g, side));
                        self.consider(flow, step, Guard::GearLimit(g, side), values, 1.0, noise, best);
                    }
                }
            }
        }
    }
}
