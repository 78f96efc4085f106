//! Test vectors: samples of a varied motion with the expected commands of the controller.
use super::controller::{ControllerProgram, ExportPlan, OUTPUTS};
use crate::Error;
use stiction_core::Real;
use stiction_core::program::Precision;

/// Input samples with expected outputs.
#[derive(Clone, Debug)]
pub struct TestVector {
    /// Inputs of the controller, sample by sample.
    pub inputs: Vec<Vec<f64>>,
    /// Expected command at each sample.
    pub command: Vec<f64>,
    /// Expected fault code at each sample.
    pub fault: Vec<u8>,
}

/// Number of samples.
const SAMPLES: u32 = 240;
/// Seed of the random numbers.
const SEED: f64 = 11.0;

/// The inputs at sample `k`: references over four decades of speed with rests and reversals, a position that follows with
/// errors, and occasional invalid readings (NaN, infinity, a jump).
fn sample_inputs(plan: &ExportPlan, k: u32) -> Vec<f64> {
    let draw = |j: u32| 2.0 * f64::uniform(SEED, f64::from(16 * k + j)) - 1.0;
    // one phase of the motion has twenty samples
    let (stretch, within) = (k / 20, f64::from(k % 20) * plan.period);
    let pace = |j: u32| 2.0 * f64::uniform(SEED + 1.0, f64::from(8 * stretch + j)) - 1.0;
    let v = if stretch % 4 == 3 { 0.0 } else { 10_f64.powf(2.0 * pace(0) - 2.0) * pace(1).signum() };
    let (place, a) = (pace(2), if v == 0.0 { 0.0 } else { pace(3) });
    let wanted = [place + v * within + 0.5 * a * within * within, v + a * within, a];
    let x = wanted[0] + 1e-3 * pace(4) + 1e-5 * draw(0);
    let mut out = wanted.to_vec();
    match k {
        37 | 38 => out.push(f64::NAN),
        77 => out.push(f64::INFINITY),
        117 => out.push(x + 1e6),
        _ => out.push(x),
    }
    if !plan.estimates() {
        out.extend([wanted[1] * (1.0 + 0.1 * draw(1)), wanted[2] + draw(2)]);
    }
    if plan.load {
        out.push(1.0 + 0.5 * draw(3));
    }
    if k == 157 {
        out[1] = f64::NAN;
    }
    out
}

impl TestVector {
    /// Expected outputs: in double precision those of the controller itself; in single precision those of the recorded
    /// program, since the elementary functions of `f32` differ between libraries.
    ///
    /// # Errors
    /// As [`ExportPlan::block`].
    pub fn new(plan: &ExportPlan, controller: &ControllerProgram) -> Result<Self, Error> {
        let precision = plan.precision;
        let round = |k: u32| sample_inputs(plan, k).into_iter().map(|x| precision.round(x)).collect::<Vec<f64>>();
        let inputs: Vec<Vec<f64>> = (0..SAMPLES).map(round).collect();
        let (mut command, mut fault) = (Vec::new(), Vec::new());
        if precision == Precision::Double {
            let (block, names) = plan.block::<f64>()?;
            let mut memory = vec![0.0; names.len()];
            for now in &inputs {
                command.push(plan.sample(&block, now, &mut memory));
                fault.push(memory.last().map_or(0, |x| *x as u8));
            }
        } else {
            let mut memory = vec![0.0; controller.state.len()];
            for now in &inputs {
                let all = controller.program.evaluate(&[&now[..], &memory].concat());
                command.push(all[0]);
                fault.push(all[1] as u8);
                memory.copy_from_slice(&all[OUTPUTS..]);
            }
        }
        Ok(Self { inputs, command, fault })
    }
}
