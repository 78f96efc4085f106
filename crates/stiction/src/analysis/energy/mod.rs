//! The energy of a law: what it stores, what it takes, and whether it can be made to give.
//!
//! ```
//! use stiction::{Spec, analysis::energy::{passivity, search::Effort}};
//!
//! // with constant damping LuGre is not passive: its own defaults gain energy from slow and fast in turn
//! let found = passivity(&Spec::new("lugre")?, &Effort::QUICK)?;
//! assert!(!found.conditions[0].holds && found.gains());
//! // Dahl's bristles only ever take
//! assert!(!passivity(&Spec::new("dahl")?, &Effort::QUICK)?.gains());
//! # Ok::<(), stiction::Error>(())
//! ```
//! A passive law takes energy from every velocity that repeats, once its memory repeats with it: whatever it stores is
//! the same at the end of a period. So one period with `∮ F v dt < 0` proves that a law is not passive, and none found
//! proves nothing. Four families are searched, in the law's own units (see [`super::scales`]): two harmonics about a
//! mean; two speeds in turn; the same there and back; and two speeds each way. What the quick search finds the simulator
//! confirms.
mod condition;
mod excite;
pub mod search;
mod split;
mod storage;

pub use condition::{Condition, conditions};
pub use excite::{Excitation, Taken};
pub use split::{Split, split};
pub use storage::Storage;

use super::drive::Rig;
use super::hysteresis::is_random;
use super::scales::Scales;
use crate::{Error, Spec};
use search::{Effort, least};
use std::f64::consts::TAU;

/// Decades of speed above and below the law's own that are searched.
const SPEEDS: (f64, f64) = (-4.0, 3.0);
/// Decades of way above and below the law's own.
const WAYS: (f64, f64) = (-3.0, 2.0);
/// Periods of the simulation that confirms.
const CONFIRM: usize = 12;
/// Energy gained, in parts of the largest friction force times the way, that is beyond the error of the simulation.
pub const GAIN: f64 = 1e-5;

/// What was found out about a law's passivity.
#[derive(Clone, Debug)]
pub struct Passivity {
    /// Conditions known to be sufficient; empty: none is known.
    pub conditions: Vec<Condition>,
    /// The scales of the law.
    pub scales: Scales,
    /// The worst velocity found.
    pub worst: Excitation,
    /// What the law takes from it in a period, by the simulator.
    pub taken: Taken,
    /// Velocities tried.
    pub tried: usize,
}

impl Passivity {
    /// Energy taken in parts of the largest friction force times the way: 1 for Coulomb friction, negative for a gain.
    pub fn relative(&self) -> f64 {
        self.taken.work / (self.scales.peak * self.taken.travel)
    }
    /// Whether a velocity was found from which the law gives energy in every period.
    pub fn gains(&self) -> bool {
        self.taken.sure() && self.relative() < -GAIN
    }
    /// Whether the worst velocity is as fast as the search goes, so that faster ones may be worse.
    pub fn at_edge(&self) -> bool {
        let top = 0.99 * self.scales.speed * 10_f64.powf(SPEEDS.1);
        match &self.worst {
            Excitation::Harmonic { speed, .. } => *speed >= top,
            Excitation::Pieces(pieces) => pieces.iter().any(|(v, _)| v.abs() >= top),
        }
    }
    /// Whether a condition says that it is passive.
    pub fn proved(&self) -> bool {
        self.conditions.iter().any(|condition| condition.holds)
    }
    /// In a sentence.
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
struct Family {
    axes: usize,
    make: fn(&[f64], &Scales) -> Excitation,
}

fn between(range: (f64, f64), part: f64) -> f64 {
    10_f64.powf(range.0 + (range.1 - range.0) * part)
}

/// A box of so many axes is wide.
const WIDE: usize = 8;

const FAMILIES: [Family; 4] = [
    Family {
        axes: 5,
        make: |at, scales| {
            let (speed, way) = (scales.speed * between(SPEEDS, at[0]), scales.length * between(WAYS, at[1]));
            let (mean, second, phase) = (1.5 * at[2], 1.5 * at[3], TAU * at[4]);
            Excitation::Harmonic { speed, omega: speed / way, mean, second, phase }
        },
    },
    Family { axes: 4, make: |at, scales| Excitation::Pieces(pieces(at, scales, &[1.0, 1.0])) },
    Family {
        axes: 4,
        make: |at, scales| {
            // from the middle of the way on, so that bristles need not find their mean first
            let mut all = pieces(at, scales, &[1.0, -1.0]);
            let back: Vec<_> = all.iter().map(|(v, way)| (-v, *way)).collect();
            all.extend(back);
            Excitation::Pieces(all)
        },
    },
    Family { axes: WIDE, make: |at, scales| Excitation::Pieces(pieces(at, scales, &[1.0, 1.0, -1.0, -1.0])) },
];

fn pieces(at: &[f64], scales: &Scales, signs: &[f64]) -> Vec<(f64, f64)> {
    let piece = |(at, sign): (&[f64], &f64)| {
        (sign * scales.speed * between(SPEEDS, at[0]), scales.length * between(WAYS, at[1]))
    };
    at.chunks_exact(2).zip(signs).map(piece).collect()
}

/// Looks for the velocity from which a law gives the most energy, for the way it goes.
///
/// # Errors
/// As [`Spec::build`] and [`Rig::run`].
pub fn passivity(spec: &Spec, effort: &Effort) -> Result<Passivity, Error> {
    let (law, scales) = (spec.build()?, Scales::measure(spec)?);
    let rig = Rig::new(spec);
    let random = is_random(&rig);
    let tried = std::cell::Cell::new(0);
    let value = |excitation: &Excitation| {
        tried.set(tried.get() + 1);
        let Taken { work, travel, repeats, .. } = excitation.taken(law.as_ref(), random);
        // what does not repeat may live on what was stored
        if repeats || random { work / (scales.peak * travel) } else { f64::INFINITY }
    };
    let mut found: Vec<(f64, Excitation)> = Vec::new();
    for Family { axes, make } in FAMILIES.into_iter().filter(|family| effort.wide || family.axes < WIDE) {
        let (at, value) = least(axes, effort, |at| value(&make(at, &scales)));
        found.push((value, make(&at, &scales)));
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut best: Option<(f64, Excitation, Taken)> = None;
    for (_, excitation) in found {
        // one that the simulator cannot follow proves nothing
        let Ok(taken) = excitation.simulated(&rig, CONFIRM) else { continue };
        let settled = random || taken.repeats && (taken.work >= 0.0 || taken.sure());
        let value = if settled { taken.work / (scales.peak * taken.travel) } else { f64::INFINITY };
        if best.as_ref().is_none_or(|(least, ..)| value < *least) {
            best = Some((value, excitation, taken));
        }
    }
    let Some((_, worst, taken)) = best else {
        return Err(Error::Analysis(super::AnalysisError::NotFound {
            what: "velocity that repeats",
            off: f64::INFINITY,
        }));
    };
    Ok(Passivity { conditions: conditions(spec), scales, worst, taken, tried: tried.get() })
}
