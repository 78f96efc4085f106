//! Seeded random numbers. The generator is the counter-based one of the core, which random laws need in every number type, so
//! a stream costs no further code: a pure function of seed and index.
use stiction_core::Real;

/// A stream of random numbers.
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
    /// Stream `index` of a seed: 2³² numbers of the seed's own stream.
    pub fn stream(seed: u32, index: u32) -> Self {
        Self { seed: f64::from(seed), drawn: f64::from(index) * f64::from(u32::MAX) }
    }
    /// Uniform in `[0, 1)`.
    pub fn uniform(&mut self) -> f64 {
        self.drawn += 1.0;
        f64::uniform(self.seed, self.drawn)
    }
    /// An integer below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.uniform() * n as f64) as usize).min(n.saturating_sub(1))
    }
    /// Standard normal (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        let (u, v) = (1.0 - self.uniform(), self.uniform());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }
    /// The integers below `n` in random order (Fisher and Yates).
    pub fn shuffled(&mut self, n: usize) -> Vec<usize> {
        let mut out: Vec<usize> = (0..n).collect();
        for k in (1..n).rev() {
            out.swap(k, self.below(k + 1));
        }
        out
    }
}
