//! Why a device cannot be used.

/// Why a device cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CudaError {
    /// The library of the driver is not there.
    #[error("there is no CUDA driver on this machine")]
    NoDriver,
    /// The driver finds no device.
    #[error("the CUDA driver finds no device{}", if why.is_empty() { String::new() } else { format!(": {why}") })]
    NoDevice {
        /// What the driver says.
        why: String,
    },
    /// The library of the compiler is not there.
    #[error("there is no NVRTC, the compiler of CUDA, on this machine")]
    NoCompiler,
    /// The compiler refuses the text of a kernel.
    #[error("the kernel does not compile for {architecture}: {log}")]
    Compile {
        /// For which device.
        architecture: String,
        /// What the compiler says.
        log: String,
    },
    /// The driver cannot do what it is asked for.
    #[error("the device cannot {action}: {why}")]
    Driver {
        /// What it was to do.
        action: &'static str,
        /// What the driver says.
        why: String,
    },
}

impl CudaError {
    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoDriver => "install the driver of the device, or leave out --device cuda",
            Self::NoDevice { .. } => "see whether 'nvidia-smi' lists one, and whether CUDA_VISIBLE_DEVICES hides it",
            Self::NoCompiler => {
                "install the CUDA toolkit, version 12 or newer; if it is there, name its folder in CUDA_HOME, or that of libnvrtc in LD_LIBRARY_PATH"
            }
            Self::Compile { .. } => "report it, with the scenario; it runs without --device cuda",
            Self::Driver { .. } => "run it again with a smaller --chunk, or without --device cuda",
        }
    }
}
