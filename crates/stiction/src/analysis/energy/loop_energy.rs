//! The energy of a hysteresis loop: stored and dissipated.
use super::StorageFunction;
use crate::Error;
use crate::analysis::hysteresis::{HarmonicMotion, drive_harmonic};
use crate::analysis::test_rig::TestRig;
use std::f64::consts::TAU;

/// A loop's energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopEnergy {
    /// Amplitude of the displacement [m or rad].
    pub amplitude: f64,
    /// Dissipated in a cycle \[J\].
    pub dissipated: f64,
    /// Largest minus smallest stored energy \[J\]; none if the storage function of the law is not known.
    pub stored: Option<f64>,
}

impl LoopEnergy {
    /// Loss factor: dissipated energy over 2π times the stored energy. None if nothing is stored.
    pub fn loss(&self) -> Option<f64> {
        self.stored.filter(|stored| *stored > 0.0).map(|stored| self.dissipated / (TAU * stored))
    }
}

/// The energy of the steady loop under a harmonic motion with this amplitude and largest speed.
///
/// # Errors
/// As [`drive_harmonic`].
pub fn loop_energy(rig: &TestRig, amplitude: f64, speed: f64) -> Result<LoopEnergy, Error> {
    let motion = HarmonicMotion { omega: Some(speed / amplitude), ..HarmonicMotion::new(amplitude) };
    let driven = drive_harmonic(rig, &motion)?;
    let spec = &rig.spec;
    let stored = StorageFunction::of(spec).map(|storage| {
        let rows = driven.last.rows.begin..=driven.last.end.row;
        let at = |row: usize| {
            let memory: Vec<f64> = driven.trace.memory.iter().map(|list| list[row]).collect();
            storage.at(spec, &memory)
        };
        let (lo, hi) = rows.map(at).fold((f64::INFINITY, 0.0_f64), |(lo, hi), v| (lo.min(v), hi.max(v)));
        hi - lo
    });
    Ok(LoopEnergy { amplitude, dissipated: driven.last.area, stored })
}
