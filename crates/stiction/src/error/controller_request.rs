//! Why a controller that is asked for cannot be exported.

/// Why a controller that is asked for cannot be exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ControllerRequestError {
    /// The name of a servo beside a law.
    #[error("--controller is for scenarios")]
    ForScenarios,
    /// An estimator beside a scenario.
    #[error("--estimator is for laws")]
    ForLaws,
    /// A law without a sample time.
    #[error("a law has no sample time")]
    NoSampleTime,
    /// A mass that is zero or negative.
    #[error("--mass is not above 0")]
    Mass,
    /// A name that C or Rust do not accept.
    #[error("--name is not a valid name in both languages")]
    Name,
}

impl ControllerRequestError {
    /// What to do about it.
    pub fn hint(self) -> &'static str {
        match self {
            Self::ForScenarios => "leave it out, or name a scenario",
            Self::ForLaws => "a scenario has its own in [controller.NAME]",
            Self::NoSampleTime => "give it with --sample SECONDS",
            Self::Mass => "a mass in kg, or an inertia in kg·m²",
            Self::Name => {
                "a name has lower-case letters, digits and '_', begins with a letter, and is not a keyword of Rust or C"
            }
        }
    }
}
