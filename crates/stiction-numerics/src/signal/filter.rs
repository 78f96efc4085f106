//! Recursive filters as second-order sections, which are accurate where one polynomial of high order is not.

/// `H(z) = (b0 + b1/z + b2/z²) / (1 + a1/z + a2/z²)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecondOrderSection {
    /// Numerator.
    pub b: [f64; 3],
    /// Denominator without its leading one.
    pub a: [f64; 2],
}

impl SecondOrderSection {
    /// Gain at frequency zero.
    pub fn level(&self) -> f64 {
        self.b.iter().sum::<f64>() / (1.0 + self.a[0] + self.a[1])
    }
    /// One sample through the section, transposed direct form.
    #[inline(always)]
    fn step(&self, z: &mut [f64; 2], x: f64) -> f64 {
        let y = self.b[0] * x + z[0];
        z[0] = self.b[1] * x - self.a[0] * y + z[1];
        z[1] = self.b[2] * x - self.a[1] * y;
        y
    }
    /// Steady state for a constant input of one.
    fn settled(&self) -> [f64; 2] {
        let y = self.level();
        let second = self.b[2] - self.a[1] * y;
        [self.b[1] - self.a[0] * y + second, second]
    }
}

/// Sections in series. Made by [`Filter::butterworth`] or [`Filter::chebyshev`].
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// The sections, in order.
    pub sections: Vec<SecondOrderSection>,
    /// Order of the whole.
    pub order: usize,
}

impl Filter {
    /// Causal filtering from zero initial state.
    pub fn forward(&self, x: &[f64]) -> Vec<f64> {
        let mut out = x.to_vec();
        self.pass(&mut out, None);
        out
    }

    /// Filters in place, from zero state or from the steady state of a constant input `level`. Each sample passes all sections before
    /// the next one, so that their dependency chains overlap.
    pub(super) fn pass(&self, x: &mut [f64], level: Option<f64>) {
        let mut gain = level.unwrap_or(0.0);
        let mut memory: Vec<[f64; 2]> = Vec::with_capacity(self.sections.len());
        for section in &self.sections {
            memory.push(section.settled().map(|z| z * gain));
            gain *= section.level();
        }
        for x in x {
            for (section, z) in self.sections.iter().zip(&mut memory) {
                *x = section.step(z, *x);
            }
        }
    }

    /// How much a frequency passes, forwards once.
    pub fn gain(&self, frequency: f64, rate: f64) -> f64 {
        let w = std::f64::consts::TAU * frequency / rate;
        let size = |c: [f64; 3]| {
            (c[0] + c[1] * w.cos() + c[2] * (2.0 * w).cos()).hypot(c[1] * w.sin() + c[2] * (2.0 * w).sin())
        };
        self.sections.iter().map(|s| size(s.b) / size([1.0, s.a[0], s.a[1]])).product()
    }
}
