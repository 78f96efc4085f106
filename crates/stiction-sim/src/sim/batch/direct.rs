//! Points that differ in a few values: their numbers without building a system for each.
use super::Ensemble;
use crate::SimError;
use crate::system::System;

/// Where in the numbers of a point each of a few values stands.
#[derive(Clone, Debug)]
pub struct Direct {
    base: Vec<f64>,
    places: Vec<Vec<usize>>,
}

impl Direct {
    /// Writes the numbers of the point with these values.
    pub fn write(&self, values: &[f64], numbers: &mut Vec<f64>) {
        numbers.clone_from(&self.base);
        for (places, value) in self.places.iter().zip(values) {
            places.iter().for_each(|place| numbers[*place] = *value);
        }
    }
}

impl Ensemble {
    /// Finds out how values become numbers: `build` makes the system of some values, and is tried on `samples` of them, of
    /// which the first two must differ in every value.
    ///
    /// None if a value is not simply one of the numbers, as a quantity that a recipe computes with. Then the system of every
    /// point must be built, and [read](Ensemble::read); building takes longer than a trajectory.
    ///
    /// # Errors
    /// As `build` and [`Ensemble::read`].
    pub fn direct(
        &self,
        samples: &[Vec<f64>],
        build: &dyn Fn(&[f64]) -> Result<System, SimError>,
    ) -> Result<Option<Direct>, SimError> {
        let read = |values: &[f64]| {
            let mut numbers = Vec::new();
            self.read(&build(values)?, &mut numbers).map(|()| numbers)
        };
        let [first, second, ..] = samples else { return Ok(None) };
        let base = read(first)?;
        let mut places = Vec::with_capacity(first.len());
        for (j, (from, to)) in first.iter().zip(second).enumerate() {
            let mut values = first.clone();
            values[j] = *to;
            let other = read(&values)?;
            let moved: Vec<usize> = (0..base.len()).filter(|i| base[*i].to_bits() != other[*i].to_bits()).collect();
            if from == to || moved.is_empty() || moved.iter().any(|i| base[*i] != *from || other[*i] != *to) {
                return Ok(None);
            }
            places.push(moved);
        }
        let direct = Direct { base, places };
        let mut numbers = Vec::new();
        for sample in samples {
            direct.write(sample, &mut numbers);
            if read(sample)?.iter().zip(&numbers).any(|(a, b)| a.to_bits() != b.to_bits()) {
                return Ok(None);
            }
        }
        Ok(Some(direct))
    }
}
