//! An identified law as a parameter file.
use super::IdentificationReport;
use crate::identification_record::IdentificationRecord;
use crate::identify::result::{Estimate, Identifiability, IdentificationResult};
use crate::{ParameterFile, ParameterGroup};
use stiction_core::Param;

impl IdentificationReport {
    /// The law of one of its results as a parameter file, with its uncertainty and provenance; none if it has no law.
    pub fn parameter_file(&self, result: &IdentificationResult) -> Option<ParameterFile> {
        let spec = result.law.as_ref()?;
        let parameter = |name: &str| {
            let has = |part: ParameterGroup| part.params(spec.law()).iter().any(|p: &Param| part.key(p.name) == name);
            ParameterGroup::ALL.into_iter().any(has)
        };
        // of friction that grows with load, the estimate is the part without load; the parameter is the level at the nominal load
        let name = |e: &Estimate| {
            let loaded = format!("{}.load", e.name);
            let grows = parameter(&e.name) && result.estimates.iter().any(|other| other.name == loaded);
            if grows { format!("{} without load", e.name) } else { e.name.clone() }
        };
        let fitted = || result.estimates.iter().filter(|e| e.identifiability != Identifiability::Given);
        let identified = IdentificationRecord {
            turns: self.rotational,
            version: self.version.clone(),
            command: self.command.clone(),
            files: self.inputs.iter().map(|input| input.name.clone()).collect(),
            sha256: self.inputs.iter().map(|input| input.sha256.clone()).collect(),
            // a negative mass is a sign of wrong data; a parameter file with one could not be read again
            plant: result
                .estimates
                .iter()
                .map(|e| (name(e), e.value))
                .filter(|(name, value)| !(parameter(name) || name == "mass" && *value < 0.0))
                .collect(),
            terms: self.terms.clone(),
            error: fitted().map(|e| (name(e), e.error)).collect(),
            interval: fitted().map(|e| (name(e), e.interval)).collect(),
            unknown: fitted()
                .filter(|e| matches!(e.identifiability, Identifiability::Unidentifiable | Identifiability::AtBound))
                .map(|e| e.name.clone())
                .collect(),
        };
        Some(ParameterFile {
            provenance: Some(result.title.clone()),
            spec: spec.clone(),
            identified: Some(identified),
            device: None,
        })
    }
}
