//! The usual small system: one body on one contact, all else linear in state and time. Such a system takes its steps
//! in a kernel that knows the law, and comes back when there is something to look at: a contact that may turn, a row
//! that is due, the end of a piece. Steps in between are taken without leaving.
//!
//! Nothing here is a method of its own: the steps are those of [`Step`], and what happens at an event is decided where
//! it is for all systems.
mod course;
mod fused;
mod inverse;
mod lap;
mod laws;
#[cfg(test)]
mod tests;

use super::SimulationOptions;
use super::components::{ContactMode, NormalLoad};
use super::flow::Flow;
use super::rodas5p::STAGES;
use super::rosenbrock::Step;
use super::step_size::StepSizeController;
use crate::ParameterGroup;
use crate::system::System;
use course::Course;

/// Numbers of the state that fit: position, velocity, and two more of memory or controllers.
const WIDE: usize = 4;
/// Parameters and guards that fit.
const VALUES: usize = 16;
const GUARDS: usize = 3;
/// Steps after which the kernel comes back in any case, so that whoever watches is asked.
const PATIENCE: u32 = 64;

/// A state, or its rates.
type Numbers = [f64; WIDE];

/// What the kernel works on.
pub(super) struct Solo {
    run: fn(&mut Solo),
    values: [f64; VALUES],
    course: Course,
    /// Which note of [`LinearPart`](super::linear_part::LinearPart) the course is from.
    number: u64,
    /// The sides of the law's guards but for the velocity.
    sides: [f64; GUARDS],
    /// Where a step must not pass, from when on somebody looks at every step, and the longest step.
    pub stop: f64,
    pub due: f64,
    pub limit: f64,
    /// The speed below which a contact may turn unseen.
    pub unseen: f64,
    /// Most steps.
    pub budget: u64,
    pub t: f64,
    /// The step that the error allows.
    pub h: f64,
    pub control: StepSizeController,
    y: Numbers,
    energies: Numbers,
    /// The last step: taken, but nobody has gone there yet.
    pub length: f64,
    pub lands: bool,
    y1: Numbers,
    desk: Desk,
    /// Whether no event is in it.
    pub clear: bool,
    /// No step can be found.
    pub stalled: bool,
    pub steps: u64,
    pub rejected: u64,
    /// The highest speed at which a step began.
    pub fastest: f64,
}

/// What a step leaves, and where it is worked out: in memory, because what is written there together is computed
/// together.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Desk {
    /// Where the stages are evaluated, their right-hand sides, and the stages.
    at: [Numbers; STAGES],
    rhs: [Numbers; STAGES],
    base: [Numbers; STAGES],
    k: [Numbers; STAGES],
    /// The coefficients of the dense output.
    dense: [Numbers; 3],
    /// The powers at each stage, and their derivatives by the state and by time at the beginning.
    powers: [Numbers; STAGES],
    power: [Numbers; WIDE],
    power_t: Numbers,
}

/// Adds `gain` times some numbers, rounded once.
#[inline(always)]
fn add(to: &mut Numbers, gain: f64, x: &Numbers) {
    for i in 0..WIDE {
        to[i] = gain.mul_add(x[i], to[i]);
    }
}

impl Solo {
    /// The kernel for a system, if it may be of this kind between some of its events.
    pub fn new(system: &System, flow: &Flow<'_>, options: &SimulationOptions, atol: &[f64]) -> Option<Box<Self>> {
        let ([joint], [contact], 1) = (&system.contacts[..], &flow.components.contacts[..], flow.components.n) else {
            return None;
        };
        let (spec, count) = (&joint.component.spec, flow.components.nu + 1);
        let dressed = [ParameterGroup::Reverse, ParameterGroup::Load, ParameterGroup::Noise]
            .into_iter()
            .any(|part| spec.has(part));
        let fits = count <= WIDE
            && contact.fully_continuous
            && contact.row.nq == 1
            && !dressed
            && contact.guard_signs.len() <= GUARDS;
        let given = spec.values(ParameterGroup::Law);
        if !fits || !matches!(contact.normal_load, NormalLoad::Constant(_)) || given.len() > VALUES {
            return None;
        }
        let mut values = [0.0; VALUES];
        values[..given.len()].copy_from_slice(&given);
        let zero = [0.0; WIDE];
        Some(Box::new(Self {
            run: laws::kernel(joint.component.entry.name)?,
            values,
            course: Course::new(options.rtol, atol),
            number: 0,
            sides: [0.0; GUARDS],
            stop: 0.0,
            due: 0.0,
            limit: 0.0,
            unseen: 0.0,
            budget: 0,
            t: 0.0,
            h: 0.0,
            control: StepSizeController::default(),
            y: zero,
            energies: zero,
            length: 0.0,
            lands: false,
            y1: zero,
            desk: Desk::default(),
            clear: false,
            stalled: false,
            steps: 0,
            rejected: 0,
            fastest: 0.0,
        }))
    }
    /// Whether the system is of this kind in the modes it is in.
    pub fn holds(flow: &Flow<'_>) -> bool {
        flow.linear_part.applies
            && flow.linear_part.nonlinear_forces.is_empty()
            && flow
                .components
                .contacts
                .iter()
                .all(|contact| matches!(contact.mode, ContactMode::Slip(_)) && !contact.singular_at_rest)
    }
    /// Takes steps from what is in `step.y0`, of at most `most`, and leaves the last one in `step`; false if there is none.
    pub fn go(&mut self, flow: &mut Flow<'_>, step: &mut Step, most: u64) -> bool {
        let contact = &flow.components.contacts[0];
        let ContactMode::Slip(side) = contact.mode else { return false };
        if self.number != flow.linear_part.revision {
            self.number = flow.linear_part.revision;
            self.course.note(&flow.linear_part, contact.load[0]);
        }
        (self.course.side, self.course.quiet) = (side, contact.slope_speed);
        self.sides[..contact.guard_signs.len()].copy_from_slice(&contact.guard_signs);
        let count = step.numbers();
        self.y[..count].copy_from_slice(&step.y0[..count]);
        self.energies[..3].copy_from_slice(&step.y0[count..count + 3]);
        (self.steps, self.rejected, self.fastest) = (0, 0, 0.0);
        self.budget = most.min(u64::from(PATIENCE));
        (self.run)(self);
        flow.evaluations += 8 * self.steps + 7 * self.rejected;
        step.y0[..count].copy_from_slice(&self.y[..count]);
        step.y0[count..count + 3].copy_from_slice(&self.energies[..3]);
        flow.from = self.t;
        flow.components.contacts[0].load_memory(&step.y0);
        if self.stalled {
            return false;
        }
        (step.t, step.h) = (self.t, self.length);
        step.y1[..count].copy_from_slice(&self.y1[..count]);
        let Desk { k, dense, powers, power, power_t, .. } = &self.desk;
        step.load(k, dense, powers, (power, power_t));
        true
    }
}
