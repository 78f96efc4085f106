//! Two kernels one after the other: trajectories, whose samples stay on the device, and what they are reduced to.
#![allow(unsafe_code, reason = "kernels are launched with pointers")]
use crate::device::failed;
use crate::{CudaError, CudaKernel};
use cudarc::driver::{CudaSlice, LaunchConfig, PushKernelArg};
use std::sync::{Mutex, PoisonError};

/// What the kernels read.
#[derive(Clone, Copy, Debug)]
pub struct FitArguments<'a> {
    /// The numbers of each trajectory.
    pub rows: &'a [f64],
    /// The first trajectory of each group, and after the last how many there are.
    pub first: &'a [i32],
    /// Of each trajectory one over the length by which its parameter was moved.
    pub by_step: &'a [f64],
    /// Of each group the number of the refit.
    pub refit: &'a [i32],
}

/// The kernel of the trajectories and that of the products, with the memory between them.
pub struct CudaFits {
    trajectories: CudaKernel,
    products: CudaKernel,
    /// Measures and samples of a trajectory, products of a group.
    numbers: [usize; 3],
    /// The samples of the last call: memory that the next uses again.
    samples: Mutex<Option<CudaSlice<f64>>>,
}

impl CudaFits {
    /// The kernels of one device; `numbers` are measures and samples of a trajectory, and products of a group.
    pub fn new(trajectories: CudaKernel, products: CudaKernel, numbers: [usize; 3]) -> Self {
        Self { trajectories, products, numbers, samples: Mutex::new(None) }
    }
    /// Runs all trajectories and reduces each group. Returns the time on the device in seconds, without the copies.
    ///
    /// # Errors
    /// [`CudaError::Driver`], as for too little memory.
    pub fn run(&self, from: &FitArguments<'_>, products: &mut [f64]) -> Result<f64, CudaError> {
        let stream = &self.trajectories.stream;
        let memory = failed("hold the fits");
        let (count, groups) = (from.by_step.len(), from.refit.len());
        let (Ok(points), Ok(all)) = (i32::try_from(count), i32::try_from(groups)) else {
            let why = format!("{count} trajectories are more than it can count");
            return Err(CudaError::Driver { action: "run the fits", why });
        };
        if groups == 0 {
            return Ok(0.0);
        }
        let [measures, each, of_group] = self.numbers;
        let rows = if from.rows.is_empty() { &[0.0][..] } else { from.rows };
        let rows = stream.clone_htod(rows).map_err(&memory)?;
        let first = stream.clone_htod(from.first).map_err(&memory)?;
        let by_step = stream.clone_htod(from.by_step).map_err(&memory)?;
        let refit = stream.clone_htod(from.refit).map_err(&memory)?;
        let mut results = stream.alloc_zeros::<f64>((count * measures).max(1)).map_err(&memory)?;
        // a trajectory that no thread has finished is told from one that ended well
        let mut ended = stream.clone_htod(&vec![-1; count]).map_err(&memory)?;
        let mut next = stream.alloc_zeros::<i32>(1).map_err(&memory)?;
        let mut reduced = stream.alloc_zeros::<f64>(groups * of_group).map_err(&memory)?;
        let mut kept = self.samples.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_none_or(|samples| samples.len() < count * each) {
            // the old one is freed before the new one is asked for
            *kept = None;
            *kept = Some(stream.alloc_zeros::<f64>((count * each).max(1)).map_err(&memory)?);
        }
        let Some(samples) = kept.as_mut() else { return Ok(0.0) };
        stream.synchronize().map_err(&memory)?;
        let begin = std::time::Instant::now();
        let mut call = stream.launch_builder(&self.trajectories.function);
        call.arg(&rows).arg(&points).arg(&mut results).arg(&mut *samples).arg(&mut ended).arg(&mut next);
        // SAFETY: the arguments are those of the kernel, and its places are as many as there are trajectories.
        unsafe { call.launch(self.trajectories.launch_config(count)) }.map_err(failed("launch the trajectories"))?;
        // a block for each group
        let LaunchConfig { block_dim, .. } = self.products.launch_config(1);
        let config = LaunchConfig { grid_dim: (groups as u32, 1, 1), block_dim, shared_mem_bytes: 0 };
        let mut call = stream.launch_builder(&self.products.function);
        call.arg(&*samples).arg(&ended).arg(&first).arg(&by_step).arg(&refit).arg(&all).arg(&mut reduced);
        // SAFETY: the same; groups are of the trajectories that there are.
        unsafe { call.launch(config) }.map_err(failed("launch the products"))?;
        stream.synchronize().map_err(failed("finish the fits"))?;
        let spent = begin.elapsed().as_secs_f64();
        let back = failed("return the products");
        stream.memcpy_dtoh(&reduced, products).map_err(&back)?;
        stream.synchronize().map_err(&back)?;
        Ok(spent)
    }
}
