//! A designed experiment and the options of the design.
use super::Segment;
use crate::Spec;
use crate::identify::MassOption;
use crate::identify::{IdentificationResult, MotionRecord};

/// Options of the design.
#[derive(Clone, Debug)]
pub struct DesignOptions {
    /// Maximum duration \[s\].
    pub duration: f64,
    /// Sampling rate \[Hz\].
    pub rate: f64,
    /// Standard deviation of the noise of the force \[N\]; by default one percent of the largest friction.
    pub noise: Option<f64>,
    /// Parameters to determine: `fc`, `reverse.fc`. Empty: all parameters that are free by default.
    pub free: Vec<String>,
    /// Whether the mass is to be estimated as well.
    pub mass: MassOption,
    /// Whether a constant force is to be estimated as well.
    pub offset: bool,
    /// Seed of the phases of multisines.
    pub seed: u32,
}

impl Default for DesignOptions {
    fn default() -> Self {
        let (free, mass, noise) = (Vec::new(), MassOption::Given, None);
        Self { duration: 60.0, rate: 1000.0, noise, free, mass, offset: true, seed: 1 }
    }
}

/// A segment of the experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChosenSegment {
    /// The segment.
    pub segment: Segment,
    /// Number of consecutive repetitions.
    pub times: usize,
    /// Start of the first repetition \[s\].
    pub from: f64,
    /// Duration of each repetition \[s\].
    pub time: f64,
    /// Largest speed \[m/s\].
    pub speed: f64,
}

/// Predicted standard error of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictedError {
    /// Its name.
    pub key: String,
    /// Its unit.
    pub unit: String,
    /// Assumed value.
    pub value: f64,
    /// Predicted standard error; infinite if the experiment does not determine the parameter.
    pub error: f64,
    /// The same for the best single sine of the same duration.
    pub sine: f64,
}

/// A designed experiment.
#[derive(Clone, Debug)]
pub struct ExperimentDesign {
    /// The law with the assumed parameters.
    pub law: Spec,
    /// The motion; its force is the predicted inertia and friction.
    pub motion: MotionRecord,
    /// Predicted friction \[N\].
    pub friction: Vec<f64>,
    /// Its segments.
    pub segments: Vec<ChosenSegment>,
    /// Predicted standard errors.
    pub predicted: Vec<PredictedError>,
    /// Assumed standard deviation of the noise \[N\].
    pub noise: f64,
    /// D-efficiency relative to the bound of the continuous design.
    pub efficiency: f64,
    /// Geometric mean of the ratio of standard errors of the best single sine to those of the experiment.
    pub gain: f64,
    /// Peak-to-peak amplitude and frequency of the best single sine.
    pub sine: Option<(f64, f64)>,
    /// The design as a result, for reports.
    pub result: IdentificationResult,
}

impl ExperimentDesign {
    /// Units of speed and force, by the units of the law's parameters.
    pub fn units(&self) -> [&'static str; 2] {
        let turns = self.law.law().params.iter().any(|p| p.unit.contains("rad"));
        if turns { ["rad/s", "N·m"] } else { ["m/s", "N"] }
    }
}
