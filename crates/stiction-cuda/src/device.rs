//! A device, and kernels on it.
#![allow(unsafe_code, reason = "a kernel is launched with pointers")]
use crate::{CudaError, cache, compiler};
use cudarc::driver::sys::{self, CUdevice_attribute};
use cudarc::driver::{CudaContext, CudaFunction, CudaStream, DriverError, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::Ptx;
use std::fmt::{self, Debug, Formatter};
use std::path::Path;
use std::sync::Arc;

/// Threads that run the same instruction at once.
const WARP: u32 = 32;

/// A device on which kernels run.
pub struct CudaDevice {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    name: String,
    architecture: String,
    multiprocessors: u32,
    memory: usize,
    compiler: (i32, i32),
}

impl Debug for CudaDevice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("CudaDevice")
            .field("name", &self.name)
            .field("architecture", &self.architecture)
            .finish_non_exhaustive()
    }
}

pub(crate) fn failed(action: &'static str) -> impl Fn(DriverError) -> CudaError {
    move |error| CudaError::Driver { action, why: said(error) }
}

/// What the driver says about an error.
fn said(error: DriverError) -> String {
    match error.error_string() {
        Ok(text) => text.to_string_lossy().into_owned(),
        Err(_) => format!("{:?}", error.0),
    }
}

impl CudaDevice {
    /// The first device that the driver shows; `CUDA_VISIBLE_DEVICES` chooses among several.
    ///
    /// # Errors
    /// [`CudaError`] names what is missing.
    pub fn open() -> Result<Self, CudaError> {
        // SAFETY: the library only sets itself up when it is loaded.
        if !unsafe { sys::is_culib_present() } {
            return Err(CudaError::NoDriver);
        }
        let none = |error: DriverError| CudaError::NoDevice { why: said(error) };
        cudarc::driver::result::init().map_err(none)?;
        if CudaContext::device_count().map_err(none)? < 1 {
            return Err(CudaError::NoDevice { why: String::new() });
        }
        let compiler = compiler::version()?;
        let context = CudaContext::new(0).map_err(failed("be opened"))?;
        let ask = failed("say what it is");
        let (major, minor) = context.compute_capability().map_err(&ask)?;
        let multiprocessors =
            context.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT).map_err(&ask)?;
        Ok(Self {
            name: context.name().map_err(&ask)?,
            architecture: format!("sm_{major}{minor}"),
            multiprocessors: u32::try_from(multiprocessors).unwrap_or(1).max(1),
            memory: context.total_mem().map_err(&ask)?,
            stream: context.default_stream(),
            context,
            compiler,
        })
    }
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// What it understands: `sm_90`.
    pub fn architecture(&self) -> &str {
        &self.architecture
    }
    /// Its memory in bytes.
    pub fn memory(&self) -> usize {
        self.memory
    }
    /// How many multiprocessors it has.
    pub fn multiprocessors(&self) -> u32 {
        self.multiprocessors
    }
    /// The version of the compiler: `13.0`.
    pub fn compiler(&self) -> String {
        format!("{}.{}", self.compiler.0, self.compiler.1)
    }
    /// The kernel `entry` in a text, for blocks of so many threads; from `cache` if that folder has it, and kept there otherwise.
    ///
    /// # Errors
    /// [`CudaError::Compile`], [`CudaError::Driver`].
    pub fn compile(
        &self,
        source: &str,
        entry: &str,
        threads: u32,
        cache: Option<&Path>,
    ) -> Result<CudaKernel, CudaError> {
        // numbers are written in hexadecimal, which C++ has since 2017
        let options = [format!("--gpu-architecture={}", self.architecture), "--std=c++17".to_owned()];
        let path = cache.map(|folder| folder.join(cache::name(&[source, &options.join(" "), &self.compiler()])));
        if let Some(code) = path.as_deref().and_then(cache::read)
            && let Ok(kernel) = self.load(code, entry, threads)
        {
            return Ok(kernel);
        }
        let code = compiler::compile(source, &self.architecture, &options)?;
        let kernel = self.load(code.clone(), entry, threads)?;
        if let Some(path) = path {
            cache::write(&path, &code);
        }
        Ok(kernel)
    }
    fn load(&self, code: Vec<u8>, entry: &str, threads: u32) -> Result<CudaKernel, CudaError> {
        let load = failed("load the kernel");
        let module = self.context.load_module(Ptx::from_binary(code)).map_err(&load)?;
        let function = module.load_function(entry).map_err(&load)?;
        let resident = function.occupancy_max_active_blocks_per_multiprocessor(threads, 0, None).map_err(&load)?;
        let blocks = resident.max(1) * self.multiprocessors;
        Ok(CudaKernel { stream: self.stream.clone(), function, threads, blocks })
    }
}

/// A kernel that stays on its device: as many threads as the device holds at once, each of which takes the next point that nobody has
/// taken.
pub struct CudaKernel {
    pub(crate) stream: Arc<CudaStream>,
    pub(crate) function: CudaFunction,
    threads: u32,
    blocks: u32,
}

impl CudaKernel {
    /// Threads that run at once.
    pub fn threads(&self) -> u64 {
        u64::from(self.threads) * u64::from(self.blocks)
    }
    /// Registers of a thread; none if the driver does not say.
    pub fn registers(&self) -> Option<i32> {
        self.function.num_regs().ok()
    }
    /// As many blocks as so many points can use. Few points are spread over all multiprocessors: their threads take them as they come.
    pub(crate) fn launch_config(&self, points: usize) -> LaunchConfig {
        let wanted = u32::try_from(points).unwrap_or(u32::MAX).div_ceil(WARP).max(1);
        LaunchConfig { grid_dim: (self.blocks.min(wanted), 1, 1), block_dim: (self.threads, 1, 1), shared_mem_bytes: 0 }
    }
    /// Runs all points: as many as there are places in `status`. The kernel's arguments are the numbers of the points, how many points there
    /// are, results, samples, status, and the counter of points that were taken. Returns the time on the device in seconds, without
    /// the copies.
    ///
    /// # Errors
    /// [`CudaError::Driver`], as for too little memory.
    pub fn run(
        &self,
        rows: &[f64],
        results: &mut [f64],
        samples: &mut [f64],
        status: &mut [i32],
    ) -> Result<f64, CudaError> {
        let Ok(points) = i32::try_from(status.len()) else {
            let why = format!("{} points are more than it can count", status.len());
            return Err(CudaError::Driver { action: "run the points", why });
        };
        let memory = failed("hold the points");
        let stream = &self.stream;
        // a kernel without numbers of points still gets a pointer
        let from = if rows.is_empty() { stream.clone_htod(&[0.0][..]) } else { stream.clone_htod(rows) };
        let from = from.map_err(&memory)?;
        let mut to = stream.alloc_zeros::<f64>(results.len().max(1)).map_err(&memory)?;
        let mut sampled = stream.alloc_zeros::<f64>(samples.len().max(1)).map_err(&memory)?;
        // a point that no thread has finished is told from one that ended well
        let mut ended = stream.clone_htod(&vec![-1; status.len().max(1)]).map_err(&memory)?;
        let mut next = stream.alloc_zeros::<i32>(1).map_err(&memory)?;
        stream.synchronize().map_err(&memory)?;
        let begin = std::time::Instant::now();
        let config = self.launch_config(status.len());
        let mut call = stream.launch_builder(&self.function);
        call.arg(&from).arg(&points).arg(&mut to).arg(&mut sampled).arg(&mut ended).arg(&mut next);
        // SAFETY: the arguments are those of the kernel, and its places are as many as there are points.
        unsafe { call.launch(config) }.map_err(failed("launch the kernel"))?;
        stream.synchronize().map_err(failed("finish the kernel"))?;
        let spent = begin.elapsed().as_secs_f64();
        let back = failed("return the results");
        if !results.is_empty() {
            stream.memcpy_dtoh(&to, results).map_err(&back)?;
        }
        if !samples.is_empty() {
            stream.memcpy_dtoh(&sampled, samples).map_err(&back)?;
        }
        if !status.is_empty() {
            stream.memcpy_dtoh(&ended, status).map_err(&back)?;
        }
        stream.synchronize().map_err(&back)?;
        Ok(spent)
    }
}
