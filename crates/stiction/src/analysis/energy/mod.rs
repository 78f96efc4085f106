//! The energy of a law: stored and dissipated energy, and whether the law is passive.
//!
//! ```
//! use stiction::{Spec, analysis::energy::{passivity, search::SearchEffort}, sim::StopFlag};
//!
//! // LuGre with constant damping is not passive: it supplies energy under alternating slow and fast sliding
//! let stop = StopFlag::default();
//! let found = passivity(&Spec::new("lugre")?, &SearchEffort::QUICK, &stop)?;
//! assert!(!found.conditions[0].holds && found.gains());
//! // the Dahl model only dissipates
//! assert!(!passivity(&Spec::new("dahl")?, &SearchEffort::QUICK, &stop)?.gains());
//! # Ok::<(), stiction::Error>(())
//! ```
//! A passive law dissipates energy under every periodic velocity once its states are periodic, too: the stored energy is
//! then the same at the end of a period. So one period with `∮ F v dt < 0` proves that a law is not passive; if none is
//! found, nothing is proved. Four families of velocities are searched, in the characteristic scales of the law (see
//! [`super::characteristic_scales`]): two harmonics about a mean; two alternating speeds; the same in both directions; and two speeds in
//! each direction. The result of the fast search is confirmed by the simulator.
mod excitation;
mod loop_energy;
mod passivity_condition;
pub mod search;
mod storage_function;

pub use excitation::{CycleWork, Excitation};
pub use loop_energy::{LoopEnergy, loop_energy};
pub use passivity_condition::{PassivityCondition, conditions};
pub use storage_function::StorageFunction;

use super::characteristic_scales::CharacteristicScales;
use super::hysteresis::is_random;
use super::test_rig::{TestRig, not_interrupted};
use crate::sim::StopFlag;
use crate::{Error, Spec};
use search::{SearchEffort, minimise};
use std::f64::consts::TAU;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Searched decades of speed, relative to the speed scale of the law.
const SPEED_DECADES: (f64, f64) = (-4.0, 3.0);
/// Searched decades of distance, relative to the length scale of the law.
const DISTANCE_DECADES: (f64, f64) = (-3.0, 2.0);
/// Number of simulated periods that confirm a result.
const CONFIRMATION_PERIODS: usize = 12;
/// Energy gain, relative to the largest friction force times the distance, that exceeds the error of the simulation.
pub const GAIN_TOLERANCE: f64 = 1e-5;

/// The result of a passivity analysis.
#[derive(Clone, Debug)]
pub struct Passivity {
    /// Conditions known to be sufficient; empty: none is known.
    pub conditions: Vec<PassivityCondition>,
    /// The scales of the law.
    pub scales: CharacteristicScales,
    /// The worst velocity found.
    pub worst: Excitation,
    /// Work of the law under it in a period, by the simulator.
    pub taken: CycleWork,
    /// Number of velocities that were tried.
    pub tried: usize,
}

impl Passivity {
    /// Dissipated energy relative to the largest friction force times the distance: 1 for Coulomb friction, negative for a
    /// gain.
    pub fn relative(&self) -> f64 {
        self.taken.work / (self.scales.peak * self.taken.travel)
    }
    /// Whether a velocity was found under which the law supplies energy in every period.
    pub fn gains(&self) -> bool {
        self.taken.is_certain() && self.relative() < -GAIN_TOLERANCE
    }
    /// Whether the worst velocity is at the upper limit of the search, so that faster ones may be worse.
    pub fn at_edge(&self) -> bool {
        let top = 0.99 * self.scales.speed * 10_f64.powf(SPEED_DECADES.1);
        match &self.worst {
            Excitation::Harmonic { speed, .. } => *speed >= top,
            Excitation::Pieces(pieces) => pieces.iter().any(|(v, _)| v.abs() >= top),
        }
    }
    /// Whether a sufficient condition proves that it is passive.
    pub fn proved(&self) -> bool {
        self.conditions.iter().any(|condition| condition.holds)
    }
    /// The verdict as a sentence.
    pub fn verdict(&self) -> &'static str {
        match (self.proved(), self.gains()) {
            (true, false) => "passive: a sufficient condition holds, and no velocity was found that gains energy",
            (true, true) => "contradiction: a sufficient condition holds, yet a velocity gains energy",
            (false, true) => "not passive: the velocity below gains energy in every period",
            (false, false) if self.conditions.is_empty() => {
                "open: no sufficient condition is known, and no velocity was found that gains energy"
            }
            (false, false) => {
                "open: the sufficient condition fails, yet no velocity was found that gains energy; that proves nothing"
            }
        }
    }
}

/// A family of velocities over a unit box.
struct ExcitationFamily {
    axes: usize,
    make: fn(&[f64], &CharacteristicScales) -> Excitation,
}

fn between(range: (f64, f64), part: f64) -> f64 {
    10_f64.powf(range.0 + (range.1 - range.0) * part)
}

/// Number of parameters of the largest family.
const MOST_DIMENSIONS: usize = 8;

const FAMILIES: [ExcitationFamily; 4] = [
    ExcitationFamily {
        axes: 5,
        make: |at, scales| {
            let (speed, way) =
                (scales.speed * between(SPEED_DECADES, at[0]), scales.length * between(DISTANCE_DECADES, at[1]));
            let (mean, second, phase) = (1.5 * at[2], 1.5 * at[3], TAU * at[4]);
            Excitation::Harmonic { speed, omega: speed / way, mean, second, phase }
        },
    },
    ExcitationFamily { axes: 4, make: |at, scales| Excitation::Pieces(pieces(at, scales, &[1.0, 1.0])) },
    ExcitationFamily {
        axes: 4,
        make: |at, scales| {
            // from the middle of the stroke, so that the bristles start near their mean
            let mut all = pieces(at, scales, &[1.0, -1.0]);
            let back: Vec<_> = all.iter().map(|(v, way)| (-v, *way)).collect();
            all.extend(back);
            Excitation::Pieces(all)
        },
    },
    ExcitationFamily {
        axes: MOST_DIMENSIONS,
        make: |at, scales| Excitation::Pieces(pieces(at, scales, &[1.0, 1.0, -1.0, -1.0])),
    },
];

fn pieces(at: &[f64], scales: &CharacteristicScales, signs: &[f64]) -> Vec<(f64, f64)> {
    let piece = |(at, sign): (&[f64], &f64)| {
        (sign * scales.speed * between(SPEED_DECADES, at[0]), scales.length * between(DISTANCE_DECADES, at[1]))
    };
    at.chunks_exact(2).zip(signs).map(piece).collect()
}

/// Searches for the periodic velocity with the least dissipation per distance, until the flag is raised.
///
/// # Errors
/// As [`Spec::build`] and [`TestRig::run`].
pub fn passivity(spec: &Spec, effort: &SearchEffort, stop: &StopFlag) -> Result<Passivity, Error> {
    let (law, scales) = (spec.build()?, CharacteristicScales::measure(spec)?);
    let rig = TestRig::new(spec).with_stop(stop);
    let random = is_random(&rig);
    let tried = AtomicUsize::new(0);
    let value = |excitation: &Excitation| {
        // the search then ends at once
        if stop.is_raised() {
            return f64::INFINITY;
        }
        tried.fetch_add(1, Ordering::Relaxed);
        let CycleWork { work, travel, repeats, .. } = excitation.work_by_steps(law.as_ref(), random);
        // without periodicity a gain may come from stored energy
        if repeats || random { work / (scales.peak * travel) } else { f64::INFINITY }
    };
    let mut found: Vec<(f64, Excitation)> = Vec::new();
    for ExcitationFamily { axes, make } in
        FAMILIES.into_iter().filter(|family| effort.largest_family || family.axes < MOST_DIMENSIONS)
    {
        let (at, value) = minimise(axes, effort, |at| value(&make(at, &scales)));
        found.push((value, make(&at, &scales)));
    }
    not_interrupted(stop)?;
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut best: Option<(f64, Excitation, CycleWork)> = None;
    for (_, excitation) in found {
        // a failed simulation proves nothing
        let Ok(taken) = excitation.work_by_simulation(&rig, CONFIRMATION_PERIODS) else { continue };
        let settled = random || taken.repeats && (taken.work >= 0.0 || taken.is_certain());
        let value = if settled { taken.work / (scales.peak * taken.travel) } else { f64::INFINITY };
        if best.as_ref().is_none_or(|(least, ..)| value < *least) {
            best = Some((value, excitation, taken));
        }
    }
    not_interrupted(stop)?;
    let Some((_, worst, taken)) = best else {
        return Err(Error::Analysis(super::AnalysisError::NotConverged {
            what: "velocity that repeats",
            off: f64::INFINITY,
        }));
    };
    Ok(Passivity { conditions: conditions(spec), scales, worst, taken, tried: tried.into_inner() })
}
