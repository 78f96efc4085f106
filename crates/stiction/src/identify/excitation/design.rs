//! A test: what is asked of it, and what it is.
use super::Segment;
use crate::Spec;
use crate::identify::MassOption;
use crate::identify::{IdentificationResult, Motion};

/// What is asked of a test.
#[derive(Clone, Debug)]
pub struct DesignOptions {
    /// How long it may take \[s\].
    pub duration: f64,
    /// Samples to the second \[Hz\].
    pub rate: f64,
    /// Deviation of the noise of the force \[N\]; none: one part in a hundred of the largest friction.
    pub noise: Option<f64>,
    /// Parameters that count: `fc`, `reverse.fc`. Empty: all that a fit seeks, whether their values were given or not.
    pub free: Vec<String>,
    /// Whether the mass is sought, too.
    pub mass: MassOption,
    /// Whether a constant force is sought, too.
    pub offset: bool,
    /// The seed of the phases of multisines.
    pub seed: u32,
}

impl Default for DesignOptions {
    fn default() -> Self {
        let (free, mass, noise) = (Vec::new(), MassOption::Given, None);
        Self { duration: 60.0, rate: 1000.0, noise, free, mass, offset: true, seed: 1 }
    }
}

/// A segment of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChosenSegment {
    /// The segment.
    pub segment: Segment,
    /// How often, one after another.
    pub times: usize,
    /// When the first begins \[s\].
    pub from: f64,
    /// How long each takes \[s\].
    pub time: f64,
    /// Its largest speed \[m/s\].
    pub speed: f64,
}

/// How well a test will tell a number.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictedError {
    /// Its name.
    pub key: String,
    /// Its unit.
    pub unit: String,
    /// The value guessed.
    pub value: f64,
    /// The standard error after this test; infinite if the test does not tell it.
    pub error: f64,
    /// The same after the best single sine of the same duration.
    pub sine: f64,
}

/// A test.
#[derive(Clone, Debug)]
pub struct ExperimentDesign {
    /// The law, with the values guessed.
    pub law: Spec,
    /// The motion; its force is the one predicted, inertia and friction.
    pub motion: Motion,
    /// The friction predicted \[N\].
    pub friction: Vec<f64>,
    /// What it is made of.
    pub segments: Vec<ChosenSegment>,
    /// How well it tells each number.
    pub predicted: Vec<PredictedError>,
    /// The deviation of the noise that errors are for \[N\].
    pub noise: f64,
    /// The information beside that of the best shares of time, as the root of the determinants for one parameter.
    pub efficiency: f64,
    /// How much larger the error is, in the geometric mean over parameters, after the best single sine.
    pub gain: f64,
    /// Way and frequency of the best single sine.
    pub sine: Option<(f64, f64)>,
    /// All of this for a reader.
    pub result: IdentificationResult,
}

impl ExperimentDesign {
    /// Units of speed and force. A law is for rotation if its parameters are.
    pub fn units(&self) -> [&'static str; 2] {
        let turns = self.law.law().params.iter().any(|p| p.unit.contains("rad"));
        if turns { ["rad/s", "N·m"] } else { ["m/s", "N"] }
    }
}
