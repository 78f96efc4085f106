//! How well a law that was identified elsewhere predicts records, without a fit.
use super::dynamic::{PlantForces, validate};
use super::sliding::DELAY;
use super::{IdentificationError, IdentificationResult, PreparedMotion};
use crate::{Error, ParameterFile};

/// A law with what was identified beside it: the mass, a constant force, the sizes of other forces, the delay of the force.
pub struct LawCheck<'a> {
    /// The law.
    pub file: &'a ParameterFile,
    /// Whether the constant force that was identified with it counts.
    pub offset: bool,
    /// Speed below which the body rests; none: from the noise.
    pub rest: Option<f64>,
}

impl LawCheck<'_> {
    fn plant(&self, name: &str) -> Option<f64> {
        self.file.identified.as_ref().and_then(|found| found.plant(name))
    }
    /// The delay of the force that was identified with the law.
    pub fn delay(&self) -> Option<f64> {
        self.plant(DELAY)
    }
    /// Names and expressions of the forces that were identified with the law; those that are given replace its own.
    ///
    /// # Errors
    /// [`IdentificationError::TermName`] for one that the law was not identified with.
    pub fn terms(&self, given: &[(String, String)]) -> Result<Vec<(String, String)>, IdentificationError> {
        let known = self.file.identified.as_ref().map_or(&[][..], |found| &found.terms);
        if let Some((name, _)) = given.iter().find(|(name, _)| !known.iter().any(|(known, _)| known == name)) {
            let why = "the file to be checked has no such term";
            return Err(IdentificationError::TermName { name: name.clone(), why });
        }
        let own = known.iter().filter(|(name, _)| !given.iter().any(|(given, _)| given == name));
        Ok(given.iter().chain(own).cloned().collect())
    }
    /// Compares the law with records.
    ///
    /// # Errors
    /// [`IdentificationError::NoMass`] if neither the records nor the law have a mass; as [`validate`].
    pub fn run(&self, prepared: &[PreparedMotion]) -> Result<IdentificationResult, Error> {
        let first = prepared.first().map(|prepared| &prepared.motion);
        let given = first.and_then(|motion| motion.mass);
        let mass = given.or_else(|| self.plant("mass")).ok_or(IdentificationError::NoMass)?;
        let offset = if self.offset { self.plant("offset").unwrap_or(0.0) } else { 0.0 };
        let terms = first.map_or(&[][..], |motion| &motion.terms);
        let terms = terms.iter().map(|term| self.plant(&term.name).unwrap_or(0.0)).collect();
        validate(prepared, &self.file.spec, &PlantForces { mass, offset, terms }, self.rest)
    }
}
