//! NVIDIA devices.
use super::{Accelerator, KernelBuffers, PreparedKernel};
use crate::error::AcceleratorError;
use crate::export::ensemble::EnsembleKernel;
use std::sync::Arc;
use stiction_cuda::{CudaDevice, CudaError, CudaKernel, cache_folder};

/// A GPU with CUDA.
#[derive(Debug)]
pub(super) struct CudaAccelerator(CudaDevice);

impl CudaAccelerator {
    /// The first device.
    pub fn open() -> Result<Self, AcceleratorError> {
        CudaDevice::open().map(Self).map_err(AcceleratorError::from)
    }
}

impl From<CudaError> for AcceleratorError {
    fn from(error: CudaError) -> Self {
        let (why, hint) = (error.to_string(), error.hint());
        match error {
            CudaError::NoDriver | CudaError::NoDevice { .. } | CudaError::NoCompiler => Self::Unavailable { why, hint },
            CudaError::Compile { .. } | CudaError::Driver { .. } => Self::Failed { why, hint },
        }
    }
}

impl Accelerator for CudaAccelerator {
    fn identity(&self) -> String {
        format!("cuda {}, NVRTC {}", self.0.architecture(), self.0.compiler())
    }
    fn description(&self) -> String {
        let device = &self.0;
        let memory = (device.memory() as f64 / f64::from(1 << 30)).round();
        format!(
            "{}, {memory} GiB, {} multiprocessors, {}, NVRTC {}",
            device.name(),
            device.multiprocessors(),
            device.architecture(),
            device.compiler()
        )
    }
    fn prepare(&self, kernel: &EnsembleKernel) -> Result<Arc<dyn PreparedKernel>, AcceleratorError> {
        let folder = cache_folder();
        let threads = kernel.threads_per_block();
        let kernel = self.0.compile(kernel.source(), EnsembleKernel::ENTRY, threads, folder.as_deref())?;
        Ok(Arc::new(CudaPrepared(kernel)))
    }
}

struct CudaPrepared(CudaKernel);

impl PreparedKernel for CudaPrepared {
    fn run(&self, buffers: KernelBuffers<'_>) -> Result<f64, AcceleratorError> {
        Ok(self.0.run(buffers.rows, buffers.results, buffers.samples, buffers.status)?)
    }
}
