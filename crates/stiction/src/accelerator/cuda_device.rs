//! NVIDIA devices.
use super::{Accelerator, FitBuffers, KernelBuffers, PreparedFits, PreparedKernel};
use crate::error::AcceleratorError;
use crate::export::ensemble::{EnsembleKernel, ProductsKernel};
use std::sync::Arc;
use stiction_cuda::{CudaDevice, CudaError, CudaFits, CudaKernel, FitArguments, cache_folder};

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
    fn prepare_fits(
        &self,
        trajectories: &EnsembleKernel,
        products: &ProductsKernel,
    ) -> Result<Arc<dyn PreparedFits>, AcceleratorError> {
        let folder = cache_folder();
        let compile = |text, entry, threads| {
            self.0.compile(text, entry, threads, folder.as_deref()).map_err(AcceleratorError::from)
        };
        let first = compile(trajectories.source(), EnsembleKernel::ENTRY, trajectories.threads_per_block())?;
        let second = compile(products.source(), ProductsKernel::ENTRY, products.threads_per_block())?;
        let most = ((SHARE_OF_MEMORY * self.0.memory() as f64) / (8 * products.samples()) as f64) as usize;
        let numbers = [trajectories.results(), products.samples(), products.products()];
        Ok(Arc::new(CudaPreparedFits {
            fits: CudaFits::new(first, second, numbers),
            most: most.clamp(1, MOST_TRAJECTORIES),
        }))
    }
}

/// Share of the device's memory that samples may take.
const SHARE_OF_MEMORY: f64 = 0.5;

/// Most trajectories of a call: their numbers are prepared in the memory of the processor.
const MOST_TRAJECTORIES: usize = 1 << 20;

struct CudaPreparedFits {
    fits: CudaFits,
    most: usize,
}

impl PreparedFits for CudaPreparedFits {
    fn most_trajectories(&self) -> usize {
        self.most
    }
    fn run(&self, buffers: FitBuffers<'_>) -> Result<f64, AcceleratorError> {
        let FitBuffers { rows, first, by_step, refit, products } = buffers;
        Ok(self.fits.run(&FitArguments { rows, first, by_step, refit }, products)?)
    }
}

struct CudaPrepared(CudaKernel);

impl PreparedKernel for CudaPrepared {
    fn run(&self, buffers: KernelBuffers<'_>) -> Result<f64, AcceleratorError> {
        Ok(self.0.run(buffers.rows, buffers.results, buffers.samples, buffers.status)?)
    }
}
