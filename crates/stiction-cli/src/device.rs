//! What runs many trajectories: the processor, or a GPU.
use clap::ValueEnum;
use std::sync::Arc;
use stiction::Error;
use stiction::accelerator::{self, Accelerator};

/// What runs many trajectories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DeviceKind {
    #[default]
    Cpu,
    Cuda,
}

impl DeviceKind {
    /// The device; none for the processor.
    pub fn open(self) -> Result<Option<Arc<dyn Accelerator>>, Error> {
        match self {
            Self::Cpu => Ok(None),
            Self::Cuda => Ok(Some(accelerator::cuda()?)),
        }
    }
}
