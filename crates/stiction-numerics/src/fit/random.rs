//! Seeded random numbers, the same on every machine.
use stiction_core::Real;

/// A stream of random numbers: a pure function of its seed and of how many were drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Random {
    seed: f64,
    drawn: f64,
}

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u32) -> Self {
        Self { seed: f64::from(seed), drawn: 0.0 }
    }
    /// Uniform in `[0, 1)`.
    pub fn uniform(&mut self) -> f64 {
        self.drawn += 1.0;
        f64::uniform(self.seed, self.drawn)
    }
    /// A whole number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.uniform() * n as f64) as usize).min(n.saturating_sub(1))
    }
    /// Normal, with mean zero and deviation one.
    pub fn normal(&mut self) -> f64 {
        let (u, v) = (1.0 - self.uniform(), self.uniform());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }
    /// Whole numbers below `n` in random order.
    pub fn shuffled(&mut self, n: usize) -> Vec<usize> {
        let mut out: Vec<usize> = (0..n).collect();
        for k in (1..n).rev() {
            out.swap(k, self.below(k + 1));
        }
        out
    }
}
