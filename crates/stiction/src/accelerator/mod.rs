//! Devices that run kernels of ensembles: a GPU with CUDA, with the feature `cuda`.
//!
//! ```
//! use stiction::accelerator;
//!
//! match accelerator::cuda() {
//!     Ok(device) => println!("{}", device.description()),
//!     Err(error) => println!("{error}; hint: {}", error.hint()),
//! }
//! ```
#[cfg(feature = "cuda")]
mod cuda_device;

use crate::error::AcceleratorError;
use crate::export::ensemble::EnsembleKernel;
use std::fmt::Debug;
use std::sync::Arc;

/// A device that runs kernels of ensembles.
pub trait Accelerator: Debug + Send + Sync {
    /// All of it that the last digits of results depend on: kind of device and compiler. Results of one sweep have one identity.
    fn identity(&self) -> String;
    /// Its name and size, for people.
    fn description(&self) -> String;
    /// Makes a kernel ready to run.
    ///
    /// # Errors
    /// [`AcceleratorError`] if it does not compile, or if the device fails.
    fn prepare(&self, kernel: &EnsembleKernel) -> Result<Arc<dyn PreparedKernel>, AcceleratorError>;
}

/// What a kernel reads and writes.
#[derive(Debug)]
pub struct KernelBuffers<'a> {
    /// The numbers of each point, as [`EnsembleKernel::row`] gives them.
    pub rows: &'a [f64],
    /// A place for each measure of each point.
    pub results: &'a mut [f64],
    /// A place for each sample of each point; none for a kernel without samples.
    pub samples: &'a mut [f64],
    /// A place for each point: zero, or why it ended early.
    pub status: &'a mut [i32],
}

/// A kernel that is ready to run.
pub trait PreparedKernel: Send + Sync {
    /// Runs points; returns the seconds that the device took, without copies.
    ///
    /// # Errors
    /// [`AcceleratorError`] if the device fails.
    fn run(&self, buffers: KernelBuffers<'_>) -> Result<f64, AcceleratorError>;
}

/// The GPU of this machine.
///
/// # Errors
/// [`AcceleratorError`] says why there is none.
pub fn cuda() -> Result<Arc<dyn Accelerator>, AcceleratorError> {
    #[cfg(feature = "cuda")]
    return Ok(Arc::new(cuda_device::CudaAccelerator::open()?));
    #[cfg(not(feature = "cuda"))]
    Err(AcceleratorError::NotBuilt)
}
