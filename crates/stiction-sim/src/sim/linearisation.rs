//! The linearisation of a system about a state, for stability analysis.
use super::components::ContactMode;
use super::event_driven::EventDrivenRun;
use super::flow::Flow;
use super::jacobian::Jacobian;
use super::probes::Probes;
use super::recorder::Recorder;
use super::run_loop::Integrator;
use super::{NullObserver, SimErrorKind, Simulation, SimulationOptions, SystemState};
use crate::SimError;
use stiction_core::Input;

/// A slow sliding speed, for the limits of laws without static friction [m/s or rad/s].
const SLOW_SLIDING: f64 = 1e-12;
/// A time in which every contact state reaches its steady value \[s\].
const SETTLING_TIME: f64 = 1e12;

/// A system linearised about a state: `d(y + δ)/dt = rate + matrix·δ`.
#[derive(Clone, Debug, PartialEq)]
pub struct Linearisation {
    /// Rates of the states.
    pub rate: Vec<f64>,
    /// The Jacobian, row by row.
    pub matrix: Vec<f64>,
    /// The contacts.
    pub contacts: Vec<LinearisedContact>,
}

/// A contact in a [`Linearisation`].
#[derive(Clone, Debug, PartialEq)]
pub struct LinearisedContact {
    /// Its sliding velocity [m/s or rad/s].
    pub v: f64,
    /// Its normal load.
    pub load: f64,
    /// Largest absolute value of its states in steady sliding.
    pub memory: f64,
    /// Its force [N or N·m].
    pub force: f64,
    /// It sticks: its displacement cannot change.
    pub held: bool,
    /// Smallest and largest force at rest. For a law with bristles, which does not stick in this sense, the forces at which
    /// sliding would begin under a slowly increasing load.
    pub limits: (f64, f64),
    /// Its displacement: coordinates and their coefficients.
    pub row: Vec<(usize, f64)>,
    /// Rates per unit of its force.
    pub push: Vec<f64>,
    /// Slope of its steady-state curve at this sliding velocity.
    pub slope: f64,
}

/// How a contact at zero sliding velocity is linearised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RestTreatment {
    /// In its present mode: sticking, or on the side in which it would slide.
    Natural,
    /// If it does not stick, on this side of `v = 0`.
    Side(f64),
    /// Without its force.
    Free,
}

impl Simulation<'_> {
    /// The linearisation about a state at time `t`; derivatives are exact.
    ///
    /// # Errors
    /// [`SimError::Run`] if a run cannot start there.
    pub fn linearise(&self, state: &SystemState, t: f64, rest: RestTreatment) -> Result<Linearisation, SimError> {
        let options = SimulationOptions { start: t, end: t + 1.0, ..SimulationOptions::default() };
        if self.system.is_planar() {
            return self.not_on_plane(&options, "linearisations");
        }
        if let Some(joint) = self.system.lossy_gears.first() {
            let kind = SimErrorKind::NotWithLossyGear { gear: joint.name.clone(), what: "linearisations" };
            return Err(SimError::Run { t, kind });
        }
        let mut ignore = NullObserver;
        let probes = Probes::new(&options, &self.columns, &[])?;
        let mut run = EventDrivenRun::new(self.system, &options, Recorder::new(&options, &mut ignore, probes));
        run.load(Some(state));
        run.begin()?;
        let EventDrivenRun { flow, step, .. } = &mut run;
        let mut touches: Vec<LinearisedContact> =
            (0..flow.components.contacts.len()).map(|c| touch(flow, c, &step.y0)).collect();
        for (contact, touch) in flow.components.contacts.iter_mut().zip(&mut touches) {
            match rest {
                RestTreatment::Natural => {}
                RestTreatment::Side(side) if matches!(contact.mode, ContactMode::Slip(_)) && touch.v == 0.0 => {
                    contact.mode = ContactMode::Slip(side)
                }
                RestTreatment::Free if touch.v == 0.0 => {
                    contact.mode = ContactMode::Pinned(1.0);
                    touch.force = contact.limits().1;
                }
                _ => {}
            }
        }
        flow.regroup();
        let (n, nu, len) = (flow.components.n, flow.components.nu, step.y0.len());
        let mut jacobian = Jacobian::new(n, nu, None);
        let (mut rate, mut powers) = (vec![0.0; len], [0.0; 4]);
        flow.jacobian(t, &step.y0, &mut rate, &mut powers, &mut jacobian);
        let (size, vi) = (n + nu, flow.components.vi.clone());
        let mut matrix = vec![0.0; size * size];
        for (i, &at) in vi.iter().enumerate() {
            matrix[i * size + at] = 1.0;
            rate[i] = step.y0[at];
        }
        for i in 0..nu {
            let row = &mut matrix[(n + i) * size..(n + i + 1) * size];
            (0..nu).for_each(|j| row[n + j] = jacobian.by_u.get(i, j));
            vi.iter().enumerate().for_each(|(j, &at)| row[j] = jacobian.by_q.get(i, at - n));
        }
        rate.truncate(size);
        let mut answer = vec![0.0; n];
        for (c, touch) in touches.iter_mut().enumerate() {
            let row = flow.components.contacts[c].row;
            flow.answer(&row, &mut answer);
            touch.push = vec![0.0; size];
            vi.iter().zip(&answer).for_each(|(&at, a)| touch.push[at] = -a);
            if rest == RestTreatment::Free && touch.v == 0.0 {
                rate.iter_mut().zip(&touch.push).for_each(|(rate, push)| *rate -= push * touch.force);
                touch.force = 0.0;
            }
        }
        Ok(Linearisation { rate, matrix, contacts: touches })
    }
}

/// Contact number `c` in state `y`.
fn touch(flow: &Flow<'_>, c: usize, y: &[f64]) -> LinearisedContact {
    let contact = &flow.components.contacts[c];
    let held = !matches!(contact.mode, ContactMode::Slip(_));
    let v = if held { 0.0 } else { contact.row.v(y, &flow.motions) };
    let u = Input { v, load: contact.load[0] };
    let (mut low, mut high) = contact.limits();
    if low == high {
        // slow sliding: the law has no static friction
        [low, high] = [-SLOW_SLIDING, SLOW_SLIDING].map(|v| contact.law.steady(&Input { v, ..u }));
    }
    let mut settled = vec![0.0; contact.law.len()];
    contact.law.settled(&u, &mut settled);
    let force = match contact.mode {
        ContactMode::Slip(_) => contact.law.force(&contact.memory, &u),
        ContactMode::Stuck => contact.constraint_force,
        ContactMode::Pinned(0.0) => contact.pinned_force(0.0),
        ContactMode::Pinned(side) => {
            if side > 0.0 {
                high
            } else {
                low
            }
        }
    };
    let memory = settled.iter().fold(0.0_f64, |most, z| most.max(z.abs()));
    let slope = contact.law.tangent(&settled, &u, SETTLING_TIME)[1];
    LinearisedContact {
        v,
        load: u.load,
        memory,
        force,
        held,
        limits: (low, high),
        row: contact.row.coordinates().collect(),
        push: Vec::new(),
        slope,
    }
}
