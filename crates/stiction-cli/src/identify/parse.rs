//! Words of the command line, and what they stand for.
use stiction::Spec;
use stiction::core::models;
use stiction::fit::Loss;
use stiction::identify::Smooth;
use stiction::identify::rate_state::Evolution;
use stiction::identify::sliding::{Curve, Leave};
use stiction::near::near;

/// Which law.
#[derive(Clone, Debug, PartialEq)]
pub enum Model {
    /// The best of several.
    Auto,
    /// A law of sliding.
    Sliding(Curve),
    /// Any law, along the motion.
    Law(Box<Spec>),
    /// Rate and state, with so many states.
    Steps(Evolution, usize),
}

impl Model {
    /// The law of sliding, if one is chosen.
    pub fn curve(&self) -> Option<Curve> {
        match self {
            Self::Sliding(curve) => Some(*curve),
            _ => None,
        }
    }
}

pub fn model(text: &str) -> Result<Model, String> {
    Ok(match text {
        "auto" => Model::Auto,
        "coulomb" => Model::Sliding(Curve::Coulomb),
        "viscous" | "stiction" => Model::Sliding(Curve::Viscous),
        "stribeck" => Model::Sliding(Curve::Stribeck(0)),
        _ => match text.strip_prefix("stribeck:").map(str::parse::<f64>) {
            Some(Ok(exponent)) if (0.3..=4.0).contains(&exponent) => {
                Model::Sliding(Curve::Stribeck((10.0 * exponent).round() as u8))
            }
            Some(_) => return Err("write an exponent of 0.3 to 4, as in stribeck:2".to_owned()),
            None => match steps(text) {
                Some(steps) => steps,
                None => match Spec::new(text) {
                    Ok(spec) => Model::Law(Box::new(spec)),
                    Err(error) => {
                        let others = ["auto", "prz"].into_iter().chain(models::ALL.iter().map(|law| law.name));
                        if let [first, ..] = near(text, others)[..] {
                            return Err(format!("{error}; did you mean '{first}'?"));
                        }
                        return Err(format!(
                            "{error}; known are auto, coulomb, viscous, stribeck, stribeck:EXPONENT, dieterich, ruina, prz and every law of 'stiction models'"
                        ));
                    }
                },
            },
        },
    })
}

/// `ruina` and `ruina:2`.
fn steps(text: &str) -> Option<Model> {
    let (name, states) = text.split_once(':').unwrap_or((text, "1"));
    let evolution = match name {
        "dieterich" => Evolution::Ageing,
        "ruina" => Evolution::Slip,
        "prz" => Evolution::Prz,
        _ => return None,
    };
    let states = states.parse().ok().filter(|states| (1..=2).contains(states))?;
    Some(Model::Steps(evolution, states))
}

pub fn smooth(text: &str) -> Result<Smooth, String> {
    let parts: Vec<&str> = text.split(':').collect();
    let whole = |text: &str| text.parse::<usize>().map_err(|_| format!("'{text}' is not a whole number"));
    match parts[..] {
        ["auto"] => Ok(Smooth::Auto),
        ["none"] => Ok(Smooth::None),
        ["spline"] => Ok(Smooth::Spline),
        ["butterworth", order, cutoff] => {
            let cutoff: f64 = cutoff.parse().map_err(|_| format!("'{cutoff}' is not a frequency in hertz"))?;
            Ok(Smooth::Butterworth { order: whole(order)?, cutoff })
        }
        ["savgol", window, order] => Ok(Smooth::SavitzkyGolay { window: whole(window)?, order: whole(order)? }),
        _ => Err("write auto, none, spline, butterworth:ORDER:HERTZ or savgol:WINDOW:ORDER".to_owned()),
    }
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
    match text {
        "huber" => Ok(Loss::Huber),
        "soft" => Ok(Loss::Soft),
        "cauchy" => Ok(Loss::Cauchy),
        "tukey" => Ok(Loss::Tukey),
        _ => Err("write huber, soft, cauchy or tukey".to_owned()),
    }
}

pub fn leave(text: &str) -> Result<Leave, String> {
    if text == "records" {
        return Ok(Leave::Records);
    }
    match text.parse() {
        Ok(folds) if (2..=100).contains(&folds) => Ok(Leave::Blocks(folds)),
        _ => Err("write records, or how many stretches of time: 2 to 100".to_owned()),
    }
}
