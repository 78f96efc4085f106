//! A block of trajectories that take their steps together, one in each lane.
use super::contact_law::Contact;
use super::laws::Kernels;
use crate::sim::rodas5p::STAGES;
use stiction_core::Lanes;
use stiction_core::program::LawProgram;

/// Most bodies and contacts of a system, and most numbers of a contact's memory.
pub(super) use crate::sim::unsupported::{MAX_BODIES as BODIES, MAX_CONTACTS as CONTACTS};
pub(super) const MEMORY: usize = 2;
/// Length of the state of a system of one body and one contact, and the largest length of any system.
pub(super) const SMALL: usize = 2 + MEMORY;
pub(super) const LARGE: usize = 2 * BODIES + MEMORY * CONTACTS;
/// Different times at which the stages of a step look at the signals.
pub(super) const TIMES: usize = 6;

/// What the equations of motion are made of, per lane:
///
/// ```text
/// dq/dt = v
/// dv/dt = drive(t) − stiff·q − damp·v − Σ arm_c·force_c(z_c, s_c)
/// dz_c/dt = rate_c(z_c, s_c)          at the sliding velocity s_c = row_c·v + belt_c(t)
/// ```
///
/// Springs and dampers are linear and signals known beforehand, so all but the laws is a matrix.
pub(super) struct Block<const N: usize> {
    pub bodies: usize,
    pub contacts: Vec<Contact<N>>,
    pub kernels: Kernels<N>,
    /// Numbers of memory of each contact.
    pub memory: usize,
    /// Places between one stage and the next in [`Block::k`].
    pub stride: usize,
    /// Accelerations by positions and by velocities, `bodies²` each.
    pub stiff: Vec<Lanes<N>>,
    pub damp: Vec<Lanes<N>>,
    /// Acceleration of each body by the force of each contact, body by body.
    pub arm: Vec<Lanes<N>>,
    /// Sliding velocity of each contact by the velocity of each body, contact by contact.
    pub row: Vec<Lanes<N>>,
    /// Time and length of the step.
    pub t: Lanes<N>,
    pub h: Lanes<N>,
    /// The state: positions, velocities, memories; at the beginning and at the end of the step.
    pub y: Vec<Lanes<N>>,
    pub y1: Vec<Lanes<N>>,
    /// What signals add to the accelerations and to the sliding velocities at the times of the stages, and the rates at
    /// the first.
    pub drive: Vec<[Lanes<N>; TIMES]>,
    pub drive_rate: Vec<Lanes<N>>,
    pub belt: Vec<[Lanes<N>; TIMES]>,
    pub belt_rate: Vec<Lanes<N>>,
    /// The stages, one after the other; the last is also the error.
    pub k: Vec<Lanes<N>>,
    /// Below zero where some stage saw a contact slide the other way.
    pub least: Vec<Lanes<N>>,
}

impl<const N: usize> Block<N> {
    pub fn new(
        kernels: Kernels<N>,
        bodies: usize,
        contacts: usize,
        memory: usize,
        params: usize,
        program: Option<&'static LawProgram>,
    ) -> Self {
        let zero = |count| vec![Lanes([0.0; N]); count];
        let stride = if bodies == 1 && contacts == 1 { SMALL } else { LARGE };
        Self {
            bodies,
            contacts: (0..contacts).map(|_| Contact::new(params, program)).collect(),
            kernels,
            memory,
            stride,
            stiff: zero(bodies * bodies),
            damp: zero(bodies * bodies),
            arm: zero(bodies * contacts),
            row: zero(contacts * bodies),
            t: Lanes([0.0; N]),
            h: Lanes([1.0; N]),
            y: zero(stride),
            y1: zero(stride),
            drive: vec![[Lanes([0.0; N]); TIMES]; bodies],
            drive_rate: zero(bodies),
            belt: vec![[Lanes([0.0; N]); TIMES]; contacts],
            belt_rate: zero(contacts),
            k: zero(STAGES * stride),
            least: zero(contacts),
        }
    }
    /// Numbers of the state that are in use.
    pub fn wide(&self) -> usize {
        2 * self.bodies + self.contacts.len() * self.memory
    }
}
