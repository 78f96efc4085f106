//! The linear part of small systems: where springs and controllers are linear and motions piecewise linear in time, everything
//! but the contacts is linear in state and time, with coefficients that are constant from one event to the next.
#![allow(
    clippy::needless_range_loop,
    reason = "index loops of known length are what the compiler unrolls, and read like the formula"
)]
use super::components::{Components, ConstraintRow, ContactMode, ControllerKind, ControllerState, NormalLoad};
use super::flow::Flow;
use super::rodas5p::add;
use crate::system::{ControllerInput, SignalDerivatives};

/// Most coordinates, and most states, for which the arrays have room.
const MAX_COORDINATES: usize = 4;
pub(super) const MAX_STATES: usize = 8;

/// An affine function of time and state: `at + by_t·t + Σ by[i]·y[i]`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AffineForm {
    pub at: f64,
    pub by_t: f64,
    pub by: [f64; MAX_STATES],
}

impl AffineForm {
    /// A displacement.
    fn place(row: &ConstraintRow, motions: &[SignalDerivatives]) -> Self {
        let [x, v] = [0, 1].map(|order| row.driven(motions, order));
        let mut out = Self { at: row.offset + x, by_t: v, ..Self::default() };
        row.coordinates().for_each(|(i, c)| out.by[i] += c);
        out
    }
    /// The velocity of a displacement.
    fn speed(row: &ConstraintRow, motions: &[SignalDerivatives]) -> Self {
        let mut out = Self { at: row.driven(motions, 1), ..Self::default() };
        row.speeds().for_each(|(i, c)| out.by[i] += c);
        out
    }
    /// Output (`r = 0`) or state rate number `r` of a controller, from its derivatives at zero.
    fn control(controller: &ControllerState<'_>, r: usize, motions: &[SignalDerivatives]) -> Self {
        let ny = controller.measures.len();
        let row = &controller.rows[r * (2 + ny + controller.states)..][..2 + ny + controller.states];
        let mut out = Self { at: row[0], by_t: row[1], ..Self::default() };
        for ((measure, speed), slope) in controller.measures.iter().zip(&row[2..]) {
            let seen = if *speed { Self::speed(measure, motions) } else { Self::place(measure, motions) };
            out.add(&seen, *slope);
        }
        row[2 + ny..].iter().enumerate().for_each(|(k, slope)| out.by[controller.at + k] += slope);
        out
    }
    fn add(&mut self, other: &Self, gain: f64) {
        self.at += gain * other.at;
        self.by_t += gain * other.by_t;
        add(&mut self.by, gain, &other.by);
    }
    #[inline(always)]
    pub fn value<const W: usize>(&self, t: f64, y: &[f64; W]) -> f64 {
        let mut x = self.at + self.by_t * t;
        for i in 0..W.min(MAX_STATES) {
            x += self.by[i] * y[i];
        }
        x
    }
}

/// An affine function of time, positions and velocities alone: fewer products, for the evaluations that are most frequent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MotionForm {
    at: f64,
    by_t: f64,
    by_q: [f64; MAX_COORDINATES],
    by_v: [f64; MAX_COORDINATES],
}

impl MotionForm {
    fn new(full: &AffineForm, vi: &[usize]) -> Self {
        let mut out = Self { at: full.at, by_t: full.by_t, ..Self::default() };
        for (i, &v) in vi.iter().enumerate() {
            (out.by_q[i], out.by_v[i]) = (full.by[i], full.by[v]);
        }
        out
    }
    #[inline(always)]
    pub fn value<const N: usize>(&self, t: f64, q: &[f64; N], v: &[f64; N]) -> f64 {
        let mut x = self.at + self.by_t * t;
        for i in 0..N {
            x += self.by_q[i] * q[i] + self.by_v[i] * v[i];
        }
        x
    }
}

/// A sliding contact: indices and coefficients of the velocities in its sliding velocity `c·v + drift`, and the accelerations
/// per unit of force. An absent second end has coefficients of zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlidingContact {
    pub v: [usize; 2],
    pub c: [f64; 2],
    pub gain: [f64; 2],
    pub drift: f64,
}

impl SlidingContact {
    #[inline(always)]
    pub fn speed(&self, y: &[f64]) -> f64 {
        self.c[0] * y[self.v[0]] + self.c[1] * y[self.v[1]] + self.drift
    }
}

/// The coefficients of the linear part.
#[derive(Clone, Debug, Default)]
pub(super) struct LinearPart {
    /// Whether the system has this form in its present modes.
    pub applies: bool,
    /// Revision number: changes whenever the coefficients do.
    pub revision: u64,
    /// Start of time for the coefficients \[s\].
    pub from: f64,
    /// Rates of all states: constant term, derivatives by time and by each state.
    pub at: [f64; MAX_STATES],
    pub by_t: [f64; MAX_STATES],
    pub by: [[f64; MAX_STATES]; MAX_STATES],
    /// Whether controllers have states; if not, accelerations are computed from `accelerations`.
    pub has_controller_states: bool,
    pub accelerations: [MotionForm; MAX_COORDINATES],
    /// Power of the springs at prescribed motions.
    pub work: AffineForm,
    pub work_line: MotionForm,
    /// Forces of signals and controllers on the coordinates, if any; they do work.
    pub has_outer_forces: bool,
    pub outer: [AffineForm; MAX_COORDINATES],
    /// Forces that are not linear in time: index of the force, index of the velocity it acts on, coefficient, acceleration per
    /// force.
    pub nonlinear_forces: Vec<(usize, usize, f64, f64)>,
    /// Damping coefficients, if any.
    pub has_damping: bool,
    pub damping: [[f64; MAX_COORDINATES]; MAX_COORDINATES],
    pub vi: [usize; MAX_COORDINATES],
    pub sliding_contacts: Vec<SlidingContact>,
}

impl Flow<'_> {
    /// Updates the coefficients that are constant up to the next event.
    pub(super) fn update_linear_part(&mut self) {
        let Components { n, nu, springs, contacts, controllers, stops, motions, lossy_gears, .. } = &self.components;
        let linear =
            |law: &ControllerKind<'_>| !matches!(law, ControllerKind::Continuous(control) if !control.is_linear());
        self.linear_part.applies = (1..=MAX_COORDINATES).contains(n)
            && n + nu <= MAX_STATES
            && self.groups.is_simple
            && stops.is_empty()
            && lossy_gears.is_empty()
            && motions.len() <= MAX_COORDINATES
            && motions.iter().all(|signal| signal.is_piecewise_linear())
            && controllers.iter().all(|controller| linear(&controller.kind))
            && springs.iter().all(|s| {
                let what = s.parameters;
                what.is_linear() && (what.damping == 0.0 || s.row.nm == 0)
            })
            && contacts.iter().all(|contact| {
                let flows = match contact.mode {
                    ContactMode::Slip(_) => contact.fully_continuous,
                    // a law without states does not change while it sticks
                    ContactMode::Stuck => contact.fully_continuous && contact.which.is_empty(),
                    ContactMode::Pinned(_) => false,
                };
                flows && contact.row.nq > 0 && matches!(contact.normal_load, NormalLoad::Constant(_))
            });
        if self.linear_part.applies {
            self.collect_linear_part();
        }
        self.update_taylor();
    }
    fn collect_linear_part(&mut self) {
        let Self { components, groups, linear_part: s, from, .. } = self;
        let (n, from) = (components.n, *from);
        (s.revision, s.from) = (s.revision + 1, from);
        let mut jets = [[0.0; 4]; MAX_COORDINATES];
        for (jet, signal) in jets.iter_mut().zip(&components.motions) {
            *jet = signal.eval(from, from);
        }
        let (mut force, mut rates) = ([AffineForm::default(); MAX_COORDINATES], [AffineForm::default(); MAX_STATES]);
        (s.work, s.outer, s.damping) = (AffineForm::default(), force, [[0.0; MAX_COORDINATES]; MAX_COORDINATES]);
        for spring in &components.springs {
            let (row, damping) = (&spring.row, spring.parameters.damping);
            let mut f = AffineForm::default();
            f.add(&AffineForm::place(row, &jets), spring.parameters.stiffness);
            f.at -= spring.parameters.stiffness * spring.parameters.rest;
            f.add(&AffineForm::speed(row, &jets), damping);
            s.work.add(&f, row.driven(&jets, 1));
            for (i, a) in row.coordinates() {
                force[i].add(&f, -a);
                row.coordinates().for_each(|(j, b)| s.damping[i][j] += damping * a * b);
            }
        }
        s.has_damping = components.springs.iter().any(|spring| spring.parameters.damping != 0.0);
        s.has_outer_forces = !components.applied_forces.is_empty()
            || components.controllers.iter().any(|controller| controller.on.is_some());
        s.nonlinear_forces.clear();
        for (k, applied) in components.applied_forces.iter().enumerate() {
            let [at, by_t, ..] = applied.signal.eval(from, from);
            let f = AffineForm { at, by_t, ..AffineForm::default() };
            for ((i, c), (v, _)) in applied.row.coordinates().zip(applied.row.speeds()) {
                if applied.signal.is_piecewise_linear() {
                    s.outer[i].add(&f, c);
                } else {
                    s.nonlinear_forces.push((k, v, c, c * groups.inverse[i]));
                }
            }
        }
        for controller in &mut components.controllers {
            let mut output = AffineForm { at: controller.output, ..AffineForm::default() };
            if let ControllerKind::Continuous(control) = controller.kind {
                controller.y.fill(0.0);
                control.partials(
                    &ControllerInput { t: from, from, y: &controller.y },
                    &[0.0; MAX_STATES][..controller.states],
                    &mut controller.rows,
                );
                output = AffineForm::control(controller, 0, &jets);
                (0..controller.states)
                    .for_each(|k| rates[controller.at + k] = AffineForm::control(controller, 1 + k, &jets));
            }
            if let Some(row) = &controller.on {
                row.coordinates().for_each(|(i, c)| s.outer[i].add(&output, c));
            }
        }
        for i in 0..n {
            s.vi[i] = components.vi[i];
            rates[i].by[components.vi[i]] = 1.0;
            rates[components.vi[i]].add(&force[i], groups.inverse[i]);
            rates[components.vi[i]].add(&s.outer[i], groups.inverse[i]);
            s.accelerations[i] = MotionForm::new(&rates[components.vi[i]], &components.vi);
        }
        s.has_controller_states = components.controllers.iter().any(|controller| controller.states > 0);
        s.work_line = MotionForm::new(&s.work, &components.vi);
        for i in 0..MAX_STATES {
            (s.at[i], s.by_t[i]) = (rates[i].at, rates[i].by_t);
            (0..MAX_STATES).for_each(|j| s.by[j][i] = rates[i].by[j]);
        }
        s.sliding_contacts.clear();
        for contact in &mut components.contacts {
            if let NormalLoad::Constant(load) = contact.normal_load {
                contact.load[0] = load;
                let ConstraintRow { q, v, .. } = contact.row;
                let gain = q.map(|(i, c)| c * groups.inverse[i]);
                s.sliding_contacts.push(SlidingContact {
                    v,
                    c: q.map(|(_, c)| c),
                    gain,
                    drift: contact.row.driven(&jets, 1),
                });
            }
        }
    }
}

impl LinearPart {
    /// Time since the start of the coefficients \[s\].
    pub fn since(&self, t: f64) -> f64 {
        t - self.from
    }
}
