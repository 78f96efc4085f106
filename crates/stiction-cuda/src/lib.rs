//! Kernels on NVIDIA devices: a device is opened, the text of a kernel compiled for it, and the kernel launched.
//!
//! The driver and the compiler (NVRTC, of CUDA's toolkit) are loaded when they are first used. Without them a program builds and
//! runs; [`CudaDevice::open`] then says what is missing.
//!
//! ```
//! use stiction_cuda::CudaDevice;
//!
//! match CudaDevice::open() {
//!     Ok(device) => println!("{}, {}", device.name(), device.architecture()),
//!     Err(error) => println!("{error}; {}", error.hint()),
//! }
//! ```
mod cache;
mod compiler;
mod device;
mod error;
mod fits;

pub use cache::folder as cache_folder;
pub use device::{CudaDevice, CudaKernel};
pub use error::CudaError;
pub use fits::{CudaFits, FitArguments};
