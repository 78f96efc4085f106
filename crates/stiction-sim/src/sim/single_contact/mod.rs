//! A kernel for the usual small system: one body on one contact, everything else linear in state and time. It takes steps
//! one after another, and returns to the simulator's loop when a contact may turn, when a row of output is due, or at the
//! end of a piece.
//!
//! Stages of a step are computed one after another, as those of [`Step`], or in lanes: see [`collocation`]. Events are handled where they
//! are for all systems.
mod coefficients;
mod collocation;
mod fused;
mod fused_lanes;
mod inverse;
mod kernel;
mod law;
mod laws;
mod step;
#[cfg(test)]
mod tests;

use super::SimulationOptions;
use super::components::{ContactMode, NormalLoad};
use super::flow::Flow;
use super::rodas5p::STAGES;
use super::rosenbrock::Step;
use super::step_size::{RETAKE_OVERSHOOT, StepSizeController};
use crate::ParameterGroup;
use crate::system::System;
use coefficients::Coefficients;
use law::{LawFunctions, Parameters};
use stiction_core::registry::DynLaw;

/// Numbers of the state that fit: position, velocity, and two more of memory or controllers.
const STATE_MAX: usize = 4;
/// Parameters and guards that fit.
const PARAMS_MAX: usize = 16;
const GUARDS_MAX: usize = 3;
/// Steps after which the kernel returns in any case, so that an observer can end the run.
const STEPS_PER_CALL: u32 = 64;
/// Least length beyond a turn, relative to the step: the velocity there is well above its rounding.
const LEAST_BEYOND: f64 = 1e-6;

/// A state, or its rates.
type Numbers = [f64; STATE_MAX];

/// The system, and what the kernel computes.
pub(super) struct SingleContact {
    run: fn(&mut SingleContact),
    functions: LawFunctions,
    /// Whether the stages of a step are in lanes.
    in_lanes: bool,
    parameters: Parameters,
    model: Box<dyn DynLaw>,
    course: Coefficients,
    /// Which version of [`LinearPart`](super::linear_part::LinearPart) the coefficients are from.
    number: u64,
    /// The sides of the law's guards but for the velocity.
    sides: [f64; GUARDS_MAX],
    /// The latest end of a step, the time from which on every step is looked at, and the longest step.
    pub stop: f64,
    pub due: f64,
    pub limit: f64,
    /// The sliding velocities between which no critical speed of the law is passed.
    pub free: [f64; 2],
    /// Most steps.
    pub budget: u64,
    pub t: f64,
    /// The step that the error allows.
    pub h: f64,
    pub control: StepSizeController,
    y: Numbers,
    energies: Numbers,
    /// The last step: computed, but the state is still at its beginning.
    pub length: f64,
    pub lands: bool,
    y1: Numbers,
    /// What the energies grow by in it over its length, and the coefficients of the dense output of that.
    last_energies: [Numbers; 4],
    work: Workspace,
    /// Whether no event is in it.
    pub clear: bool,
    /// No step can be found.
    pub stalled: bool,
    pub steps: u64,
    pub rejected: u64,
    /// The highest speed at which a step began.
    pub fastest: f64,
}

/// The results of a step, kept in memory: values that are stored together are computed together, in vector registers.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Workspace {
    /// Where the stages are evaluated, their right-hand sides, and the stages.
    at: [Numbers; STAGES],
    rhs: [Numbers; STAGES],
    base: [Numbers; STAGES],
    k: [Numbers; STAGES],
    /// The squares of the errors of the last attempt.
    error: Numbers,
    /// Increments of position, velocity and memory at stages in lanes, and the contact's force there.
    increments: [Numbers; 3],
    forces: Numbers,
    /// The coefficients of the dense output.
    dense: [Numbers; 3],
    /// The powers at each stage, and their derivatives by the state and by time at the beginning.
    powers: [Numbers; STAGES],
    power: [Numbers; STATE_MAX],
    power_t: Numbers,
}

/// Adds `gain` times some numbers, rounded once.
#[inline(always)]
fn add(to: &mut Numbers, gain: f64, x: &Numbers) {
    for i in 0..STATE_MAX {
        to[i] = gain.mul_add(x[i], to[i]);
    }
}

impl SingleContact {
    /// The kernel for a system, if it can be of this kind between some of its events.
    pub fn new(system: &System, flow: &Flow<'_>, options: &SimulationOptions, atol: &[f64]) -> Option<Box<Self>> {
        let ([joint], [contact], 1) = (&system.contacts[..], &flow.components.contacts[..], flow.components.n) else {
            return None;
        };
        let (spec, count) = (&joint.component.spec, flow.components.nu + 1);
        let wrapped = [ParameterGroup::Reverse, ParameterGroup::Load, ParameterGroup::Noise]
            .into_iter()
            .any(|part| spec.has(part));
        let fits = count <= STATE_MAX
            && contact.fully_continuous
            && contact.row.nq == 1
            && !wrapped
            && joint.component.heating.is_none()
            && flow.components.switches.is_empty()
            && contact.guard_signs.len() <= GUARDS_MAX;
        let given = spec.values(ParameterGroup::Law);
        if !fits || !matches!(contact.normal_load, NormalLoad::Constant(_)) || given.len() > PARAMS_MAX {
            return None;
        }
        let mut parameters =
            Parameters { values: [0.0; PARAMS_MAX], load: 0.0, program: joint.component.entry.program() };
        parameters.values[..given.len()].copy_from_slice(&given);
        let entry = joint.component.entry;
        let in_lanes = laws::suits_lanes(entry, count > 2 + entry.states.len());
        let (run, functions) = laws::kernel(entry, in_lanes)?;
        let model = entry.build(&given).ok()?;
        let zero = [0.0; STATE_MAX];
        Some(Box::new(Self {
            run,
            functions: functions.without_inert_guards(&*model),
            in_lanes,
            parameters,
            model,
            course: Coefficients::new(options.rtol, atol),
            number: 0,
            sides: [0.0; GUARDS_MAX],
            stop: 0.0,
            due: 0.0,
            limit: 0.0,
            free: [f64::NEG_INFINITY, f64::INFINITY],
            budget: 0,
            t: 0.0,
            h: 0.0,
            control: StepSizeController::default(),
            y: zero,
            energies: zero,
            length: 0.0,
            lands: false,
            y1: zero,
            last_energies: [zero; 4],
            work: Workspace::default(),
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
            && flow.components.contacts.iter().all(|contact| {
                matches!(contact.mode, ContactMode::Slip(_)) && !contact.singular_at_rest && !contact.has_rate_cusp
            })
    }
    /// How far beyond the turn that is seen at the fraction `theta` of the last step its repetition ends, relative to its length. Where stages
    /// are in lanes the last one alone then sees the law beyond, reflected, and the error goes with the square of this length: so it is no
    /// longer than the uncertainty of the place, as far as the terms of the third and fourth degree of the velocity move it.
    pub fn beyond_turn(&self, theta: f64) -> Option<f64> {
        if !self.in_lanes {
            return None;
        }
        let (most, rest) = (RETAKE_OVERSHOOT - 1.0, 1.0 - theta);
        let [a, b, c] = self.work.dense.map(|row| row[1]);
        let slope = self.y1[1] - self.y[1]
            + (rest - theta) * (a + theta * (b + theta * c))
            + theta * rest * (b + 2.0 * theta * c);
        let doubt = rest * theta * (b.abs() + theta * c.abs()) / slope.abs();
        // a velocity without slope leaves everything in doubt
        Some(if doubt < most { doubt.max(LEAST_BEYOND) } else { most })
    }
    /// Takes at most `most` steps from the state in `step.y0` and leaves the last one in `step`; false if no step was found.
    pub fn go(&mut self, flow: &mut Flow<'_>, step: &mut Step, most: u64) -> bool {
        let contact = &flow.components.contacts[0];
        let ContactMode::Slip(side) = contact.mode else { return false };
        if self.number != flow.linear_part.revision {
            self.number = flow.linear_part.revision;
            self.course.update(&flow.linear_part);
            self.parameters.load = contact.load[0];
        }
        (self.course.side, self.course.slope_speed) = (side, contact.slope_speed);
        self.sides[..contact.guard_signs.len()].copy_from_slice(&contact.guard_signs);
        let count = step.numbers();
        self.y[..count].copy_from_slice(&step.y0[..count]);
        self.energies[..3].copy_from_slice(&step.y0[count..count + 3]);
        (self.steps, self.rejected, self.fastest) = (0, 0, 0.0);
        self.budget = most.min(u64::from(STEPS_PER_CALL));
        (self.run)(self);
        // in lanes four stages twice
        let again = if self.in_lanes { 8 } else { 7 };
        flow.evaluations += (1 + again) * self.steps + again * self.rejected;
        step.y0[..count].copy_from_slice(&self.y[..count]);
        step.y0[count..count + 3].copy_from_slice(&self.energies[..3]);
        flow.from = self.t;
        flow.components.contacts[0].load_memory(&step.y0);
        if self.stalled {
            return false;
        }
        (step.t, step.h) = (self.t, self.length);
        step.y1[..count].copy_from_slice(&self.y1[..count]);
        step.load(&self.work.dense, &self.last_energies);
        true
    }
}
