//! Identified values beside the true ones.
use super::steps::IdentificationSteps;
use super::test_rig::TrueValues;
use stiction::Error;
use stiction::identify::Estimate;

/// An identified number whose true value is known.
pub struct ComparedValue {
    /// The step that identified it.
    pub step: &'static str,
    /// Its name.
    pub name: String,
    /// Description.
    pub doc: String,
    /// True value.
    pub truth: f64,
    /// Identified value.
    pub found: Estimate,
}

impl ComparedValue {
    /// Whether the interval contains the true value.
    pub fn holds(&self) -> bool {
        let [low, high] = self.found.interval;
        (low..=high).contains(&self.truth)
    }
    /// Relative error.
    pub fn off(&self) -> f64 {
        self.found.value / self.truth - 1.0
    }
    /// Its name for a reader: the load is a pressure here.
    pub fn label(&self) -> String {
        self.name.replace("without load", "at 0 bar").replace("per load", "per bar")
    }
    /// Why an interval misses the true value, as far as is known.
    pub fn reason(&self) -> String {
        if self.step == "sliding" {
            return "A law without memory has one force for each speed. Here friction is larger while the speed rises than \
                    while it falls, and the fit takes that for inertia."
                .to_owned();
        }
        let errors = (self.found.value - self.truth).abs() / self.found.error;
        let chance =
            if errors < MAX_CHANCE_ERRORS { "one interval in twenty misses by chance" } else { "more than chance" };
        // smoothing and sampling cause an error of the fit that the interval does not include
        let blur = if self.step == "dynamic" {
            "; an interval includes the noise, but not the effect of smoothing and sampling on a force that jumps"
        } else {
            ""
        };
        format!("These are {errors:.1} standard errors: {chance}{blur}.")
    }
}

/// Number of standard errors beyond which chance is not an explanation: 1 in 370.
const MAX_CHANCE_ERRORS: f64 = 3.0;

/// Parameters of the law that each step identifies.
const PRESLIDING: [&str; 6] = ["k0", "k1", "k2", "f1", "z2", "fs"];
const DYNAMIC: [&str; 7] = ["fs", "fc1", "fc2", "vs", "exponent", "fv1", "fv2"];

/// All numbers of all steps.
pub fn rows(truth: &TrueValues, found: &IdentificationSteps) -> Result<Vec<ComparedValue>, Error> {
    let mut out = Vec::new();
    let law = truth.law.law();
    let mut add = |step, from: &super::steps::Step, name: &str, doc: String, truth: f64| {
        let estimate = from.result().and_then(|result| result.estimate(name));
        if let Some(estimate) = estimate.filter(|e| e.identifiability.is_estimated()) {
            out.push(ComparedValue { step, name: name.to_owned(), doc, truth, found: estimate.clone() });
        }
    };
    let doc = |name: &str| {
        let param = law.params.iter().find(|p| p.name == name);
        param.map_or(String::new(), |p| p.doc.trim().trim_end_matches('.').to_owned())
    };
    let (fs, base, slope) = (truth.law.get("fs")?, truth.law.get("load.base")?, truth.law.get("load.slope")?);
    add("break-away", &found.breakaway, "fs without load", "Break-away without pressure".into(), fs * base);
    add("break-away", &found.breakaway, "fs per load", "Break-away per bar".into(), fs * slope);
    for name in PRESLIDING {
        add("presliding", &found.presliding, name, doc(name), truth.at_nominal(name)?);
    }
    add("sliding", &found.sliding, "mass", "Moving mass, by a law without memory".into(), truth.mass);
    for name in DYNAMIC {
        add("dynamic", &found.dynamic, name, doc(name), truth.at_nominal(name)?);
    }
    add("dynamic", &found.dynamic, "load.slope", "Change of the dry forces per bar".into(), truth.slope()?);
    add("dynamic", &found.dynamic, "mass", "Moving mass".into(), truth.mass);
    Ok(out)
}
