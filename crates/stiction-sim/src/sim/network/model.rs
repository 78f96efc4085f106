//! The constant data of a network: masses, banded stiffness and damping matrices, signals that act on the bodies, contacts.
use super::symmetric_band::SymmetricBand;
use crate::SimError;
use crate::sim::components::{Components, ConstraintRow, NormalLoad, SpringState};
use crate::system::{Signal, System, SystemError, SystemErrorKind};
use stiction_core::registry::DynLaw;

/// A time signal that acts on a body with `value·signal + speed·d(signal)/dt`.
pub(super) struct SignalInput {
    pub signal: usize,
    pub value: f64,
    pub speed: f64,
}

/// A contact.
pub(super) struct NetworkContact<'s> {
    pub name: &'s str,
    /// Index of the contact in the system.
    pub index: usize,
    pub law: &'s dyn DynLaw,
    pub row: ConstraintRow,
    pub normal_load: NormalLoad<'s>,
    /// Index of its first state.
    pub at: usize,
    /// Whether it is the contact that, when sticking, eliminates its body from the equations: the first with the ground or a
    /// motion. Other sticking contacts are penalty springs whose forces are corrected until they do not stretch.
    pub eliminates_body: bool,
    /// Its first body, if it has one, and its sliding velocity per velocity of that body.
    pub body: usize,
    pub slip_per_speed: f64,
    /// Effective mass: the smallest share of the masses of its bodies.
    pub mass: f64,
    /// Its limits are constant: no states, constant load.
    pub has_constant_limits: bool,
}

impl NetworkContact<'_> {
    /// Sum of the parts that the body velocities `v` have in its sliding velocity.
    pub fn speeds(&self, v: &[f64]) -> f64 {
        self.row.coordinates().map(|(i, c)| (c * v[i]).abs()).sum()
    }
    /// Its sliding velocity for body velocities `v`, without prescribed motions.
    #[inline(always)]
    pub fn rate(&self, v: &[f64]) -> f64 {
        if self.eliminates_body {
            self.slip_per_speed * v[self.body]
        } else {
            self.row.coordinates().map(|(i, c)| c * v[i]).sum()
        }
    }
}

/// The constants of a network.
pub(super) struct NetworkModel<'s> {
    pub n: usize,
    pub masses: Vec<f64>,
    /// Stiffness and damping of the linear springs.
    pub stiffness: SymmetricBand,
    pub damping: SymmetricBand,
    /// Force on each body from the rest lengths of the springs.
    pub preload: Vec<f64>,
    /// Signals acting on body `i`: `drives[from[i]..from[i + 1]]`.
    pub from: Vec<usize>,
    pub drives: Vec<SignalInput>,
    /// Positions of the motions, then applied forces.
    pub signals: Vec<&'s Signal>,
    pub motions: usize,
    pub springs: Vec<SpringState<'s>>,
    /// Indices of the nonlinear springs, which are linearised in every step.
    pub nonlinear_springs: Vec<usize>,
    /// Sorted by their first bodies.
    pub contacts: Vec<NetworkContact<'s>>,
    /// Initial states of all contacts.
    pub memory: Vec<f64>,
    /// Whether rest can be predicted: once all contacts stick, the forces on them are linear in time between kinks of the
    /// signals. This holds if every body has one contact with the ground, of constant limits. Contact `i` is then that of body
    /// `i`.
    pub rest_is_predictable: bool,
}

impl<'s> NetworkModel<'s> {
    pub fn new(system: &'s System) -> Result<Self, SimError> {
        check_supported(system)?;
        system.check()?;
        let Components { n, masses, motions, springs, contacts, applied_forces, .. } = Components::new(system);
        let rows = springs.iter().map(|s| &s.row).chain(contacts.iter().map(|contact| &contact.row));
        let reach = |row: &ConstraintRow| if row.nq == 2 { row.q[0].0.abs_diff(row.q[1].0) } else { 0 };
        let band = rows.map(reach).max().unwrap_or(0);
        let (mut stiffness, mut damping) = (SymmetricBand::new(n, band), SymmetricBand::new(n, band));
        let mut preload = vec![0.0; n];
        let mut drives: Vec<(usize, SignalInput)> = Vec::new();
        let mut nonlinear_springs = Vec::new();
        for (k, spring) in springs.iter().enumerate() {
            let (row, what) = (&spring.row, spring.parameters);
            let straight = what.curve.is_none();
            let hard = if straight { what.stiffness } else { 0.0 };
            if !straight {
                nonlinear_springs.push(k);
            }
            for (a, (i, ci)) in row.coordinates().enumerate() {
                for (j, cj) in row.coordinates().take(a + 1) {
                    stiffness.add(i, j, hard * ci * cj);
                    damping.add(i, j, what.damping * ci * cj);
                }
                preload[i] -= ci * hard * (row.offset - what.rest);
                for (signal, c) in row.m[..row.nm].iter().copied() {
                    drives.push((i, SignalInput { signal, value: -ci * hard * c, speed: -ci * what.damping * c }));
                }
            }
        }
        for (k, applied) in applied_forces.iter().enumerate() {
            let drive = |c| SignalInput { signal: motions.len() + k, value: c, speed: 0.0 };
            drives.extend(applied.row.coordinates().map(|(i, c)| (i, drive(c))));
        }
        drives.sort_by_key(|(i, _)| *i);
        let mut from = vec![0; n + 1];
        drives.iter().for_each(|(i, _)| from[i + 1] += 1);
        (0..n).for_each(|i| from[i + 1] += from[i]);
        let (contacts, memory) = order_contacts(contacts, &masses);
        let signals: Vec<&Signal> =
            motions.iter().copied().chain(applied_forces.iter().map(|applied| applied.signal)).collect();
        let alone = |(i, contact): (usize, &NetworkContact<'_>)| {
            let limits = contact.law.hold(&[], &stiction_core::Input::at(0.0), 1.0);
            contact.has_constant_limits
                && contact.eliminates_body
                && contact.body == i
                && contact.row.nm == 0
                && limits > 0.0
        };
        let steady = nonlinear_springs.is_empty() && signals.iter().all(|s| is_straight(s));
        let rest_is_predictable = contacts.len() == n && contacts.iter().enumerate().all(alone) && steady;
        let motions = motions.len();
        let drives = drives.into_iter().map(|(_, drive)| drive).collect();
        Ok(Self {
            n,
            masses,
            stiffness,
            damping,
            preload,
            from,
            drives,
            signals,
            motions,
            springs,
            nonlinear_springs,
            contacts,
            memory,
            rest_is_predictable,
        })
    }
}

/// The contacts sorted by their first bodies, and their states.
fn order_contacts<'s>(
    contacts: Vec<crate::sim::components::ContactState<'s>>,
    masses: &[f64],
) -> (Vec<NetworkContact<'s>>, Vec<f64>) {
    let mut contacts: Vec<_> = contacts.into_iter().enumerate().collect();
    contacts.sort_by_key(|(_, contact)| contact.row.coordinates().map(|(i, _)| i).min().unwrap_or(usize::MAX));
    let (mut taken, mut memory) = (vec![false; masses.len()], Vec::new());
    let mut count = vec![0.0; masses.len()];
    contacts.iter().flat_map(|(_, contact)| contact.row.coordinates()).for_each(|(i, _)| count[i] += 1.0);
    let contacts = contacts.into_iter().map(|(index, contact)| {
        let at = memory.len();
        memory.extend_from_slice(&contact.memory);
        let eliminates_body = contact.row.nq == 1 && !std::mem::replace(&mut taken[contact.row.q[0].0], true);
        let has_constant_limits = contact.memory.is_empty() && matches!(contact.normal_load, NormalLoad::Constant(_));
        // s·(c₁v₁ + c₂v₂)² is at most 2s·(c₁²v₁² + c₂²v₂²)
        let share = |(i, c): (usize, f64)| masses[i] / (c * c * count[i] * contact.row.nq as f64);
        let mass = contact.row.coordinates().map(share).fold(f64::INFINITY, f64::min);
        NetworkContact {
            name: contact.name,
            index,
            law: contact.law,
            row: contact.row,
            normal_load: contact.normal_load,
            at,
            eliminates_body,
            body: contact.row.q[0].0,
            slip_per_speed: contact.row.q[0].1,
            mass,
            has_constant_limits,
        }
    });
    (contacts.collect(), memory)
}

/// Whether a signal is piecewise linear.
fn is_straight(signal: &Signal) -> bool {
    match signal {
        Signal::Table(curve) => !curve.kinks().is_empty(),
        Signal::Sum(parts) => parts.iter().all(is_straight),
        _ => signal.is_piecewise_linear(),
    }
}

/// Checks that a system has only components that a network supports.
pub fn check_supported(system: &System) -> Result<(), SystemError> {
    let plants = system.plants.iter().map(|plant| (&plant.0, "a plant"));
    let stops = system.stops.iter().map(|stop| (&stop.name, "a stop"));
    let freewheels = system.freewheels.iter().map(|joint| (&joint.name, "a freewheel"));
    let controllers = system.controllers.iter().map(|slot| (&slot.name, "a controller"));
    let gaps =
        system.springs.iter().filter(|spring| spring.component.gap.is_some()).map(|spring| (&spring.name, "a gap"));
    let errors = system
        .springs
        .iter()
        .filter(|spring| spring.component.error.is_some())
        .map(|spring| (&spring.name, "a kinematic error"));
    let planets = system
        .springs
        .iter()
        .filter(|spring| spring.component.third.is_some())
        .map(|spring| (&spring.name, "a planetary gear"));
    let warm = system
        .contacts
        .iter()
        .filter(|contact| contact.component.heating.is_some())
        .map(|contact| (&contact.name, "a contact that warms up"));
    let switched: Vec<(String, &str)> =
        system.switches().map(|(name, _)| (name.to_owned(), "a component that a signal switches")).collect();
    let switched = switched.iter().map(|(name, what)| (name, *what));
    let gears = system.lossy_gears.iter().map(|joint| (&joint.name, "a gear with an efficiency"));
    match plants
        .chain(stops)
        .chain(freewheels)
        .chain(gears)
        .chain(planets)
        .chain(gaps)
        .chain(errors)
        .chain(warm)
        .chain(switched)
        .chain(controllers)
        .next()
    {
        None => Ok(()),
        Some((name, what)) => {
            Err(SystemError { name: name.clone(), kind: SystemErrorKind::UnsupportedInNetwork { what } })
        }
    }
}
