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
    /// Finds out how values become numbers: `build` makes the system of some values, and is tried on `samples` of them, among which every
    /// value must differ somewhere.
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
        let [first, ..] = samples else { return Ok(None) };
        let all = samples.iter().map(|values| read(values)).collect::<Result<Vec<_>, _>>()?;
        let base = all[0].clone();
        let same = |a: f64, b: f64| a.to_bits() == b.to_bits();
        let mut direct = Direct { base, places: vec![Vec::new(); first.len()] };
        for i in 0..direct.base.len() {
            if all.iter().all(|numbers| same(numbers[i], direct.base[i])) {
                continue;
            }
            let follows = |j: &usize| samples.iter().zip(&all).all(|(values, numbers)| same(values[*j], numbers[i]));
            let followed: Vec<usize> = (0..first.len()).filter(follows).collect();
            let owner = match followed[..] {
                [j] => Some(j),
                _ => followed.into_iter().find(|j| {
                    // values that are equal in all samples are told apart by changing one alone
                    let others = samples.iter().map(|values| values[*j]).filter(|x| *x != first[*j]);
                    let alone = |x: f64| {
                        let mut values = first.clone();
                        values[*j] = x;
                        read(&values).ok().map(|numbers| same(numbers[i], x))
                    };
                    others.into_iter().find_map(alone).unwrap_or(false)
                }),
            };
            let Some(owner) = owner else { return Ok(None) };
            direct.places[owner].push(i);
        }
        // a value that no number follows acts otherwise
        if direct.places.iter().any(Vec::is_empty) {
            return Ok(None);
        }
        // samples that change all values together may hide a number that several of them make: each by itself, where that can be built
        let mut written = Vec::new();
        for j in 0..first.len() {
            let Some(x) = samples.iter().map(|values| values[j]).find(|x| *x != first[j]) else { continue };
            let mut values = first.clone();
            values[j] = x;
            if let Ok(numbers) = read(&values) {
                direct.write(&values, &mut written);
                if !written.iter().zip(&numbers).all(|(a, b)| same(*a, *b)) {
                    return Ok(None);
                }
            }
        }
        Ok(Some(direct))
    }
}
