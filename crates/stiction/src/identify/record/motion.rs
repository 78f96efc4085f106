//! A motion prepared for identification.
use crate::NumericsError;
use crate::check::{all_finite, enough_samples, increasing, same_length};

/// A force beside inertia and friction that is known but for its size: `coefficient × values`, as gravity on an arm, `sin(q)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForceTerm {
    /// Name of its coefficient.
    pub name: String,
    /// Its value for each sample.
    pub values: Vec<f64>,
}

impl ForceTerm {
    /// The same with other values.
    #[must_use]
    pub fn with(&self, values: Vec<f64>) -> Self {
        Self { name: self.name.clone(), values }
    }
}

/// Samples of one experiment, in SI units, evenly spaced in time. Positive friction opposes positive velocity:
/// `mass·acceleration = force − friction`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionRecord {
    /// Name: the file of the record.
    pub name: String,
    /// Time \[s\].
    pub t: Vec<f64>,
    /// Position \[m\]; empty if not measured.
    pub position: Vec<f64>,
    /// Velocity \[m/s\].
    pub velocity: Vec<f64>,
    /// Acceleration \[m/s²\].
    pub acceleration: Vec<f64>,
    /// Applied force, less known forces that are neither inertia nor friction \[N\].
    pub force: Vec<f64>,
    /// Normal load, pressure, or load factor; empty if constant.
    pub load: Vec<f64>,
    /// Statistical weight of each sample; empty if all are equal.
    pub weight: Vec<f64>,
    /// Whether the body surely slides at each sample; empty if all samples do. Elsewhere it rests, reverses, or is so slow that noise
    /// decides the sign of its velocity: a force that jumps with that sign is not known there.
    pub slides: Vec<bool>,
    /// Samples at which the force was cut off, so that it is only known to be this large or larger; no fit compares them. Empty if
    /// there are none.
    pub saturated: Vec<bool>,
    /// Samples at which the derivatives of the motion are not resolved, as where a jump of the force makes the acceleration jump between two
    /// samples; no fit along the motion compares them. Empty if all are resolved.
    pub unresolved: Vec<bool>,
    /// Forces whose size is estimated.
    pub terms: Vec<ForceTerm>,
    /// Moving mass, if known \[kg\]; zero if `force` is friction itself.
    pub mass: Option<f64>,
    /// How far the contact was displaced before the record, from no memory \[m\]; where a law is fitted, the first guess of it.
    pub displaced: f64,
}

impl MotionRecord {
    /// Number of samples.
    pub fn len(&self) -> usize {
        self.t.len()
    }
    /// Whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.t.is_empty()
    }
    /// Whether the force of a sample was cut off.
    pub fn is_saturated(&self, k: usize) -> bool {
        self.saturated.get(k).copied().unwrap_or(false)
    }
    /// Whether what a law predicts of a sample can be compared with its force: the force was not cut off, and the acceleration is known.
    pub fn is_comparable(&self, k: usize) -> bool {
        !self.is_saturated(k) && !self.unresolved.get(k).copied().unwrap_or(false)
    }
    /// Number of samples at which the force was cut off.
    pub fn saturated_samples(&self) -> usize {
        self.saturated.iter().filter(|saturated| **saturated).count()
    }
    /// Time between samples \[s\].
    pub fn step(&self) -> f64 {
        match self.t.as_slice() {
            [first, .., last] => (last - first) / (self.t.len() - 1) as f64,
            _ => 0.0,
        }
    }
    /// Friction for a given mass: force less inertia \[N\].
    pub fn friction(&self, mass: f64) -> Vec<f64> {
        self.force.iter().zip(&self.acceleration).map(|(f, a)| f - mass * a).collect()
    }
    /// Checks that all lists are finite and equally long, and that time increases.
    ///
    /// # Errors
    /// [`NumericsError`].
    pub fn check(&self) -> Result<(), NumericsError> {
        increasing(&self.t)?;
        enough_samples("samples", &self.t, 2)?;
        let lists: [(&'static str, &[f64], bool); 6] = [
            ("position", &self.position, true),
            ("velocity", &self.velocity, false),
            ("acceleration", &self.acceleration, true),
            ("force", &self.force, false),
            ("load", &self.load, true),
            ("weight", &self.weight, true),
        ];
        for (what, list, optional) in lists {
            if !(optional && list.is_empty()) {
                same_length(what, list.len(), self.len())?;
                all_finite(what, list)?;
            }
        }
        if !self.slides.is_empty() {
            same_length("slides", self.slides.len(), self.len())?;
        }
        if !self.saturated.is_empty() {
            same_length("saturated", self.saturated.len(), self.len())?;
        }
        if !self.unresolved.is_empty() {
            same_length("unresolved", self.unresolved.len(), self.len())?;
        }
        for term in &self.terms {
            same_length("term", term.values.len(), self.len())?;
            all_finite("term", &term.values)?;
        }
        Ok(())
    }
}
