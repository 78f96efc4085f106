//! Displacements between two places.

/// A displacement as a combination of coordinates and prescribed motions.
#[derive(Clone, Debug, Default)]
pub struct ConstraintRow {
    pub coordinates: Vec<(usize, f64)>,
    pub motions: Vec<(usize, f64)>,
    pub constant: f64,
}

impl ConstraintRow {
    /// The displacement, with the positions of motions.
    pub fn x(&self, q: &[f64], motions: &[[f64; 3]]) -> f64 {
        self.constant + self.linear(q) + self.driven(motions, 0)
    }
    /// The velocity.
    pub fn v(&self, v: &[f64], motions: &[[f64; 3]]) -> f64 {
        self.linear(v) + self.driven(motions, 1)
    }
    /// Multiplies the displacement by a factor.
    pub fn scale(&mut self, factor: f64) {
        self.constant *= factor;
        self.coordinates.iter_mut().chain(&mut self.motions).for_each(|(_, c)| *c *= factor);
    }
    /// Adds a factor times another displacement.
    pub fn add(&mut self, other: &Self, factor: f64) {
        self.constant += factor * other.constant;
        for (own, others) in [(&mut self.coordinates, &other.coordinates), (&mut self.motions, &other.motions)] {
            for (k, c) in others {
                match own.iter_mut().find(|(i, _)| i == k) {
                    Some((_, x)) => *x += factor * c,
                    None => own.push((*k, factor * c)),
                }
            }
        }
    }
    pub fn linear(&self, y: &[f64]) -> f64 {
        self.coordinates.iter().map(|(i, c)| c * y[*i]).sum()
    }
    pub fn driven(&self, motions: &[[f64; 3]], order: usize) -> f64 {
        self.motions.iter().map(|(i, c)| c * motions[*i][order]).sum()
    }
}
