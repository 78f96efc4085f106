//! Reads option values of the command line.
use stiction::core::models;
use stiction::core::registry::LawEntry;
use stiction::fit::Loss;
use stiction::identify::Smoothing;
use stiction::identify::rate_state::StepModel;
use stiction::identify::sliding::{CrossValidation, SlidingLaw};
use stiction::similar_names::similar;
use stiction::{ParameterFile, Spec, device, is_file_name};

/// The law to identify.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelChoice {
    /// The best of several.
    Auto,
    /// A law of sliding.
    Sliding(SlidingLaw),
    /// Any law, fitted along the motion.
    Law(Box<Spec>),
    /// Rate-and-state friction with this number of state variables.
    Steps(StepModel),
}

impl ModelChoice {
    /// The law of sliding, if one was selected.
    pub fn curve(&self) -> Option<SlidingLaw> {
        match self {
            Self::Sliding(curve) => Some(*curve),
            _ => None,
        }
    }
    /// The law that is fitted along the motion.
    pub fn law(&self) -> Option<&LawEntry> {
        match self {
            Self::Law(spec) => Some(spec.law()),
            _ => None,
        }
    }
}

pub fn model(text: &str) -> Result<ModelChoice, String> {
    Ok(match text {
        "auto" => ModelChoice::Auto,
        _ => match (SlidingLaw::find(text), text.strip_prefix("stribeck:")) {
            (Some(curve), _) => ModelChoice::Sliding(curve),
            (None, Some(_)) => return Err("write an exponent of 0.3 to 4, as in stribeck:2".to_owned()),
            (None, None) => match StepModel::find(text) {
                Some(model) => ModelChoice::Steps(model),
                None => match ParameterFile::find(text) {
                    Ok(file) => ModelChoice::Law(Box::new(file.spec)),
                    Err(error) if is_file_name(text) => {
                        let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
                        return Err(format!("{error}{hint}"));
                    }
                    Err(error) => {
                        let others = ["auto", "prz", "perrin", "nagata"]
                            .into_iter()
                            .chain(models::ALL.iter().map(|law| law.name))
                            .chain(device::ALL.iter().map(|device| device.name));
                        if let [first, ..] = similar(text, others)[..] {
                            return Err(format!("{error}; did you mean '{first}'?"));
                        }
                        return Err(format!(
                            "{error}; available are auto, coulomb, stiction, stribeck, stribeck:EXPONENT, dieterich, ruina, prz, nagata, every law of 'stiction models', every device of 'stiction devices' and law files (FILE.toml)"
                        ));
                    }
                },
            },
        },
    })
}

pub fn smooth(text: &str) -> Result<Smoothing, String> {
    text.parse()
}

pub fn drop(text: &str) -> Result<[usize; 2], String> {
    let (first, last) = text.split_once(',').unwrap_or((text, "0"));
    let whole = |text: &str| text.trim().parse::<usize>().map_err(|_| format!("'{text}' is not a number of samples"));
    Ok([whole(first)?, whole(last)?])
}

pub fn factor(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|factor| *factor > 0).ok_or_else(|| format!("'{text}' is not a whole number above zero"))
}

pub fn speed(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(speed) if speed >= 0.0 && speed.is_finite() => Ok(speed),
        _ => Err(format!("'{text}' is not a speed of zero or more")),
    }
}

pub fn loss(text: &str) -> Result<Loss, String> {
    Loss::find(text).ok_or_else(|| "write huber, soft, cauchy or tukey".to_owned())
}

pub fn leave(text: &str) -> Result<CrossValidation, String> {
    if text == "records" {
        return Ok(CrossValidation::LeaveOneRecordOut);
    }
    match text.parse() {
        Ok(folds) if (2..=100).contains(&folds) => Ok(CrossValidation::Blocks(folds)),
        _ => Err("write records, or the number of intervals of time, from 2 to 100".to_owned()),
    }
}
