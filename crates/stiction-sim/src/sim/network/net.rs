//! What of a system does not change: masses, the bands of stiffness and damping, what acts on each body, who rubs where.
use super::band::Band;
use crate::SimError;
use crate::sim::parts::{Elastic, Parts, Row, Weight};
use crate::system::{Signal, System, SystemError, SystemErrorKind};
use stiction_core::registry::Model;

/// A time signal that acts on a body with `value·signal + speed·d(signal)/dt`.
pub(super) struct Drive {
    pub signal: usize,
    pub value: f64,
    pub speed: f64,
}

/// A contact.
pub(super) struct Rub<'s> {
    pub name: &'s str,
    /// Which contact of the system it is.
    pub index: usize,
    pub law: &'s dyn Model,
    pub row: Row,
    pub weight: Weight<'s>,
    /// Where its memory stands.
    pub at: usize,
    /// The one contact that holds its body to the ground or to a motion: held, it takes the body out of the equations.
    /// Others are held by a stiff spring whose force is corrected until it does not stretch.
    pub firm: bool,
    /// Its first body, if it has one, and how fast it slips as that moves.
    pub body: usize,
    pub per: f64,
    /// Its share of the lightest of its bodies.
    pub mass: f64,
    /// Its limits never change: no memory, constant load.
    pub plain: bool,
}

impl Rub<'_> {
    /// Its speed where bodies have velocities `v` and motions stand still.
    #[inline(always)]
    pub fn rate(&self, v: &[f64]) -> f64 {
        if self.firm { self.per * v[self.body] } else { self.row.coordinates().map(|(i, c)| c * v[i]).sum() }
    }
}

/// The constants of a network.
pub(super) struct Net<'s> {
    pub n: usize,
    pub masses: Vec<f64>,
    /// Stiffness and damping of the linear springs.
    pub stiffness: Band,
    pub damping: Band,
    /// Force on each body from the springs' rest lengths.
    pub preload: Vec<f64>,
    /// What acts on body `i`: `drives[from[i]..from[i + 1]]`.
    pub from: Vec<usize>,
    pub drives: Vec<Drive>,
    /// Positions of the motions, then forces.
    pub signals: Vec<&'s Signal>,
    pub motions: usize,
    pub springs: Vec<Elastic<'s>>,
    /// Springs with a curve, by index: linearised anew in every step.
    pub bent: Vec<usize>,
    /// In the order of their first bodies.
    pub rubs: Vec<Rub<'s>>,
    /// The memory of all contacts at the beginning.
    pub memory: Vec<f64>,
    /// Once all contacts hold, nothing but forces changes, and these linearly between kinks of the signals: every body
    /// has one contact, with the ground, of constant limits. Contact `i` is then that of body `i`.
    pub rests: bool,
}

impl<'s> Net<'s> {
    pub fn new(system: &'s System) -> Result<Self, SimError> {
        check_supported(system)?;
        system.check()?;
        let Parts { n, masses, motions, springs, rubs, pushes, .. } = Parts::new(system);
        let rows = springs.iter().map(|s| &s.row).chain(rubs.iter().map(|rub| &rub.row));
        let reach = |row: &Row| if row.nq == 2 { row.q[0].0.abs_diff(row.q[1].0) } else { 0 };
        let band = rows.map(reach).max().unwrap_or(0);
        let (mut stiffness, mut damping) = (Band::new(n, band), Band::new(n, band));
        let mut preload = vec![0.0; n];
        let mut drives: Vec<(usize, Drive)> = Vec::new();
        let mut bent = Vec::new();
        for (k, spring) in springs.iter().enumerate() {
            let (row, what) = (&spring.row, spring.what);
            let straight = what.curve.is_none();
            let hard = if straight { what.stiffness } else { 0.0 };
            if !straight {
                bent.push(k);
            }
            for (a, (i, ci)) in row.coordinates().enumerate() {
                for (j, cj) in row.coordinates().take(a + 1) {
                    stiffness.add(i, j, hard * ci * cj);
                    damping.add(i, j, what.damping * ci * cj);
                }
                preload[i] -= ci * hard * (row.offset - what.rest);
                for (signal, c) in row.m[..row.nm].iter().copied() {
                    drives.push((i, Drive { signal, value: -ci * hard * c, speed: -ci * what.damping * c }));
                }
            }
        }
        for (k, push) in pushes.iter().enumerate() {
            let drive = |c| Drive { signal: motions.len() + k, value: c, speed: 0.0 };
            drives.extend(push.row.coordinates().map(|(i, c)| (i, drive(c))));
        }
        drives.sort_by_key(|(i, _)| *i);
        let mut from = vec![0; n + 1];
        drives.iter().for_each(|(i, _)| from[i + 1] += 1);
        (0..n).for_each(|i| from[i + 1] += from[i]);
        let (rubs, memory) = contacts(rubs, &masses);
        let signals: Vec<&Signal> = motions.iter().copied().chain(pushes.iter().map(|push| push.signal)).collect();
        let alone = |(i, rub): (usize, &Rub<'_>)| {
            let limits = rub.law.hold(&[], &stiction_core::Input::at(0.0), 1.0);
            rub.plain && rub.firm && rub.body == i && rub.row.nm == 0 && limits > 0.0
        };
        let steady = bent.is_empty() && signals.iter().all(|s| is_straight(s));
        let rests = rubs.len() == n && rubs.iter().enumerate().all(alone) && steady;
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
            bent,
            rubs,
            memory,
            rests,
        })
    }
}

/// Contacts in the order of their first bodies, and their memory.
fn contacts<'s>(rubs: Vec<crate::sim::parts::Rub<'s>>, masses: &[f64]) -> (Vec<Rub<'s>>, Vec<f64>) {
    let mut rubs: Vec<_> = rubs.into_iter().enumerate().collect();
    rubs.sort_by_key(|(_, rub)| rub.row.coordinates().map(|(i, _)| i).min().unwrap_or(usize::MAX));
    let (mut taken, mut memory) = (vec![false; masses.len()], Vec::new());
    let mut count = vec![0.0; masses.len()];
    rubs.iter().flat_map(|(_, rub)| rub.row.coordinates()).for_each(|(i, _)| count[i] += 1.0);
    let rubs = rubs.into_iter().map(|(index, rub)| {
        let at = memory.len();
        memory.extend_from_slice(&rub.memory);
        let firm = rub.row.nq == 1 && !std::mem::replace(&mut taken[rub.row.q[0].0], true);
        let plain = rub.memory.is_empty() && matches!(rub.weight, Weight::Constant(_));
        // s·(c₁v₁ + c₂v₂)² is at most 2s·(c₁²v₁² + c₂²v₂²)
        let share = |(i, c): (usize, f64)| masses[i] / (c * c * count[i] * rub.row.nq as f64);
        let mass = rub.row.coordinates().map(share).fold(f64::INFINITY, f64::min);
        Rub {
            name: rub.name,
            index,
            law: rub.law,
            row: rub.row,
            weight: rub.weight,
            at,
            firm,
            body: rub.row.q[0].0,
            per: rub.row.q[0].1,
            mass,
            plain,
        }
    });
    (rubs.collect(), memory)
}

/// Straight lines between kinks.
fn is_straight(signal: &Signal) -> bool {
    match signal {
        Signal::Constant(_) | Signal::Ramp { .. } | Signal::Step { .. } => true,
        Signal::Sine { .. } | Signal::Chirp { .. } | Signal::TableIntegral(_) | Signal::MinimumJerk { .. } => false,
        Signal::Table(curve) => !curve.kinks().is_empty(),
        Signal::Sum(parts) => parts.iter().all(is_straight),
    }
}

/// Whether it has only what a network can have.
pub fn check_supported(system: &System) -> Result<(), SystemError> {
    let plants = system.plants.iter().map(|plant| (&plant.0, "a plant"));
    let stops = system.stops.iter().map(|stop| (&stop.name, "a stop"));
    let controllers = system.controllers.iter().map(|slot| (&slot.name, "a controller"));
    match plants.chain(stops).chain(controllers).next() {
        None => Ok(()),
        Some((name, what)) => {
            Err(SystemError { name: name.clone(), kind: SystemErrorKind::UnsupportedInNetwork { what } })
        }
    }
}
