//! Why a device cannot run a sweep, or the fits of a scenario.

/// Why a device cannot run a sweep, or the fits of a scenario.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AcceleratorError {
    /// The program was built without.
    #[error("this program was built without CUDA")]
    NotBuilt,
    /// There is no device, or something that it needs is missing.
    #[error("{why}")]
    Unavailable {
        /// What is missing.
        why: String,
        /// What to do about it.
        hint: &'static str,
    },
    /// The device failed.
    #[error("{why}")]
    Failed {
        /// What happened.
        why: String,
        /// What to do about it.
        hint: &'static str,
    },
    /// The fits of a scenario cannot run on a device.
    #[error("these fits cannot run on the device: {why}")]
    UnsupportedFit {
        /// Why not.
        why: String,
    },
    /// The points of the sweep cannot run on a device.
    #[error("these points cannot run on the device: {why}")]
    UnsupportedSweep {
        /// Why not.
        why: String,
    },
}

impl AcceleratorError {
    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotBuilt => "build it with the feature 'cuda', or leave out --device cuda",
            Self::Unavailable { hint, .. } | Self::Failed { hint, .. } => hint,
            Self::UnsupportedFit { .. } => {
                "leave out --device cuda: the processor runs them; docs/identify.md says what a device can do"
            }
            Self::UnsupportedSweep { .. } => {
                "leave out --device cuda: the processor runs them; docs/sweep.md says what a device can do"
            }
        }
    }
}
