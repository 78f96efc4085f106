//! The cost of evaluating a law.
use crate::{Error, Spec};
use std::hint::black_box;
use std::time::Instant;
use stiction_core::Input;

/// Samples per timing, and number of timings, of which the fastest counts.
const SAMPLES: u32 = 4000;
const TIMINGS: u32 = 5;

/// Cost of a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvaluationCost {
    /// Time for a sample, step and force, by name \[ns\]; of this machine, at this moment.
    pub ns: f64,
    /// Number of states.
    pub states: usize,
    /// Number of parameters.
    pub params: usize,
}

impl EvaluationCost {
    /// Times a law.
    ///
    /// # Errors
    /// As [`Spec::build`].
    pub fn measure(spec: &Spec) -> Result<Self, Error> {
        let law = spec.build()?;
        let mut memory = vec![0.0; law.len()];
        let mut best = f64::INFINITY;
        for _ in 0..TIMINGS {
            let begin = Instant::now();
            let mut sum = 0.0;
            for k in 0..SAMPLES {
                // velocities of both signs, so that branches vary
                let v = 1e-3 * (f64::from(k % 64) - 31.5);
                sum += law.sample(&mut memory, &Input::at(black_box(v)), 1e-4);
            }
            black_box(sum);
            best = best.min(begin.elapsed().as_secs_f64() / f64::from(SAMPLES));
        }
        Ok(Self { ns: 1e9 * best, states: law.len(), params: spec.law().params.len() })
    }
    /// A cost that does not depend on the machine: states first, then parameters.
    pub fn size(&self) -> (usize, usize) {
        (self.states, self.params)
    }
}
