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
use crate::export::ensemble::{EnsembleKernel, ProductsKernel};
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
    /// Makes the kernels of fits ready to run: trajectories, and what they are reduced to.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare).
    fn prepare_fits(
        &self,
        trajectories: &EnsembleKernel,
        products: &ProductsKernel,
    ) -> Result<Arc<dyn PreparedFits>, AcceleratorError>;
}

/// What the kernels of fits read and write: groups of trajectories, as `stiction_products` has them.
#[derive(Debug)]
pub struct FitBuffers<'a> {
    /// The numbers of each trajectory, as [`EnsembleKernel::row`] gives them.
    pub rows: &'a [f64],
    /// The first trajectory of each group, and after the last how many there are.
    pub first: &'a [i32],
    /// Of each trajectory one over the length by which its parameter was moved; 0 for the first of a group; not a number where it counts
    /// as failed.
    pub by_step: &'a [f64],
    /// Of each group the number of the refit, or -1 for the record as it was measured.
    pub refit: &'a [i32],
    /// A place for the products of each group.
    pub products: &'a mut [f64],
}

/// Kernels of fits that are ready to run.
pub trait PreparedFits: Send + Sync {
    /// How many trajectories may run in one call: their samples stay in the memory of the device.
    fn most_trajectories(&self) -> usize;
    /// Runs trajectories and reduces them; returns the seconds that the device took, without copies.
    ///
    /// # Errors
    /// [`AcceleratorError`] if the device fails.
    fn run(&self, buffers: FitBuffers<'_>) -> Result<f64, AcceleratorError>;
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
