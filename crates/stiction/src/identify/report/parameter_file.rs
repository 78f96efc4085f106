//! An identified law as a parameter file.
use super::IdentificationReport;
use crate::identification_record::IdentificationRecord;
use crate::identify::result::{Estimate, Identifiability, IdentificationResult};
use crate::{ParameterFile, ParameterGroup};
use stiction_core::Param;

/// Before the name of a fitted parameter of a scenario that is called like a parameter of the law and is another quantity.
const FREE: &str = "free.";

impl ParameterFile {
    /// The value of a fitted parameter of a scenario whose contact has this law: among what was identified with it, or one of its own
    /// parameters; none in a file that does not come from an identification.
    pub fn fitted_value(&self, name: &str) -> Option<f64> {
        let found = self.identified.as_ref()?;
        found.plant(&format!("{FREE}{name}")).or_else(|| found.plant(name)).or_else(|| self.spec.get(name).ok())
    }
}

impl IdentificationReport {
    /// The law of one of its results as a parameter file, with its uncertainty and provenance; none if it has no law.
    pub fn parameter_file(&self, result: &IdentificationResult) -> Option<ParameterFile> {
        let spec = result.law.as_ref()?;
        let parameter = |name: &str| {
            let has = |part: ParameterGroup| part.params(spec.law()).iter().any(|p: &Param| part.key(p.name) == name);
            ParameterGroup::ALL.into_iter().any(has)
        };
        let computed = !result.law_estimates.is_empty();
        // of friction that grows with load, the estimate is the part without load; the parameter is the level at the nominal load
        let name = |e: &Estimate| {
            let loaded = format!("{}.load", e.name);
            let grows = parameter(&e.name) && result.estimates.iter().any(|other| other.name == loaded);
            // one that the law takes as it is has its name
            let same = |own: &Estimate| own.name == e.name && own.value == e.value && own.error == e.error;
            if computed && parameter(&e.name) && !result.law_estimates.iter().any(same) {
                format!("{FREE}{}", e.name)
            } else if grows {
                format!("{} without load", e.name)
            } else {
                e.name.clone()
            }
        };
        let own = result.law_estimates.iter().map(|e| (e.name.clone(), e));
        let free = result.estimates.iter().map(|e| (name(e), e)).filter(|(name, _)| !computed || !parameter(name));
        let all: Vec<(String, &Estimate)> = own.chain(free).collect();
        let fitted = || all.iter().filter(|(_, e)| e.identifiability.is_estimated());
        let identified = IdentificationRecord {
            turns: self.rotational,
            fastest: self.fastest,
            loads: self.loads,
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
            error: fitted().map(|(name, e)| (name.clone(), e.error)).collect(),
            interval: fitted().map(|(name, e)| (name.clone(), e.interval)).collect(),
            unknown: fitted()
                .filter(|(_, e)| {
                    matches!(e.identifiability, Identifiability::Unidentifiable | Identifiability::AtBound)
                })
                .map(|(name, e)| if computed { name.clone() } else { e.name.clone() })
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
