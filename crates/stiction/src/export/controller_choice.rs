//! A controller for a law: the parts of a compensation method chosen by name, with parameters that suit the law.
use crate::analysis::characteristic_scales::CharacteristicScales;
use crate::compensate::{CompensationMethod, initial_parameters, method};
use crate::scenario::ControllerPart;
use crate::similar_names::similar;
use crate::{Error, Spec};
use stiction_core::Param;
use stiction_core::control::registry::{self, Role};

/// A controller for a law.
#[derive(Clone, Debug)]
pub struct ControllerChoice<'a> {
    /// Parts joined by `+`: those of [`CompensationMethod`], and `pid` or `state-feedback`.
    pub method: &'a str,
    /// Name of the velocity estimator; `none`: velocity and acceleration are measured.
    pub estimator: &'a str,
    /// Mass or inertia, if it is known.
    pub mass: Option<f64>,
    /// Parameters of the parts and of the law: `part.name`, `law.name`, or the bare name if it is unique.
    pub numbers: Vec<(&'a str, f64)>,
}

/// Names of the estimators.
pub fn estimators() -> impl Iterator<Item = &'static str> {
    registry::ALL.iter().filter(|entry| entry.role() == Role::Estimator).map(|entry| entry.name)
}

fn unknown(what: &'static str, name: &str, known: Vec<String>) -> Error {
    let near = similar(name, known.iter().map(String::as_str)).into_iter().map(str::to_owned).collect();
    Error::UnknownName { what, name: name.to_owned(), near, known }
}

/// The parts of a method, including the linear loop.
///
/// # Errors
/// [`Error::UnknownName`], or [`Error::Conflict`] for parts that do not go together.
pub fn parts(method: &str) -> Result<Vec<&'static str>, Error> {
    let linear = |word: &str| method::LOOP_PARTS.iter().find(|part| **part == word).copied();
    let mut out: Vec<&'static str> = method.split('+').filter_map(|word| linear(word.trim())).collect();
    if out.len() > 1 {
        return Err(Error::Conflict {
            key: "--method",
            why: "has two linear loops: take one of pid and state-feedback",
        });
    }
    let others: Vec<&str> = method.split('+').map(str::trim).filter(|word| linear(word).is_none()).collect();
    if !others.is_empty() {
        let found = CompensationMethod::parse(&others.join("+")).map_err(|error| match error {
            Error::Conflict { why, .. } => Error::Conflict { key: "--method", why },
            Error::UnknownName { what, name, mut known, .. } => {
                known.splice(0..1, method::LOOP_PARTS.map(str::to_owned));
                unknown(what, &name, known)
            }
            error => error,
        })?;
        out.extend(found.parts);
    }
    if out.is_empty() {
        return Err(Error::Conflict { key: "--method", why: "makes no command: take a part that does" });
    }
    Ok(out)
}

/// Sets parameters of parts; names that no part has are parameters of the law.
///
/// # Errors
/// [`Error::UnknownName`] for an unknown part or parameter, [`Error::AmbiguousGain`] for a name that several parts have,
/// and values out of bounds.
pub fn set_numbers(parts: &mut [ControllerPart], law: Option<&mut Spec>, numbers: &[(&str, f64)]) -> Result<(), Error> {
    let mut law = law;
    for (key, value) in numbers {
        if let (Some(name), Some(law)) = (key.strip_prefix("law."), law.as_deref_mut()) {
            law.set(name, *value)?;
            continue;
        }
        if let Some((part_key, name)) = key.split_once('.')
            && let Some(part) = parts.iter_mut().find(|part| part.entry.name == method::part_name(part_key))
        {
            part.put(name, *value)?;
            continue;
        }
        let in_law = law.as_deref().is_some_and(|law| law.get(key).is_ok());
        let having: Vec<usize> = (0..parts.len()).filter(|i| parts[*i].get(key).is_some()).collect();
        match (&having[..], law.as_deref_mut()) {
            ([], Some(law)) if in_law => drop(law.set(key, *value)?),
            ([i], _) if !in_law => parts[*i].put(key, *value)?,
            ([], law) => {
                let own = parts.iter().flat_map(|part| {
                    part.entry.params.iter().map(|p| format!("{}.{}", part.entry.name, p.name)).collect::<Vec<_>>()
                });
                let known = own.chain(law.iter().flat_map(|law| law.law().params.iter().map(|p| p.name.to_owned())));
                return Err(unknown("number", key, known.collect()));
            }
            _ => {
                let parts = having.iter().map(|i| parts[*i].entry.name).chain(in_law.then_some("law"));
                return Err(Error::AmbiguousGain { name: (*key).to_owned(), value: *value, parts: parts.collect() });
            }
        }
    }
    Ok(())
}

/// The parameters of each part that must suit the axis, unlike shares, filters and limits. Those that are derived from
/// the law or the mass are not among them.
const TUNED: [(&str, &[&str]); 11] = [
    ("pid", &["kp", "ki", "kd"]),
    ("state-feedback", &["kx", "kv", "ki"]),
    ("kalman", &["accel", "quantum", "noise"]),
    ("difference", &["tau"]),
    ("tracker", &["accel", "smooth"]),
    ("adaptive", &["gain_c", "gain_v", "lambda"]),
    ("adaptive-scale", &["gamma", "lambda"]),
    ("disturbance-observer", &["cutoff"]),
    ("acceleration-feedback", &["gain", "tau"]),
    ("dither", &["amplitude", "frequency"]),
    ("smooth-stop", &["band", "release", "still"]),
];

impl ControllerChoice<'_> {
    /// Parameters that must suit the axis and were not given: part, parameter and its default.
    pub fn default_gains(&self, parts: &[ControllerPart]) -> Vec<(&'static str, &'static Param)> {
        let given = |part: &str, name: &str| {
            self.numbers.iter().any(|(key, _)| match key.split_once('.') {
                Some((prefix, rest)) => method::part_name(prefix) == part && rest == name,
                None => *key == name,
            })
        };
        let of = |part: &ControllerPart| {
            let entry = part.entry;
            let tuned = TUNED.iter().find(|(name, _)| *name == entry.name).map_or(&[][..], |(_, names)| names);
            let open = entry.params.iter().filter(|p| tuned.contains(&p.name) && !given(entry.name, p.name));
            open.map(|p| (entry.name, p)).collect::<Vec<_>>()
        };
        // the loop first: its gains matter most
        let is_estimator = |part: &&ControllerPart| part.entry.role() == Role::Estimator;
        let others = parts.iter().filter(|part| !is_estimator(part));
        others.chain(parts.iter().filter(is_estimator)).flat_map(of).collect()
    }
    /// The parts with their parameters for this law. Parameters that are not given keep the default of the part; friction
    /// levels of adaptive friction come from the law, masses from the body.
    ///
    /// # Errors
    /// As [`parts`] and [`set_numbers`]; [`Error::MissingKey`] if a part needs a mass and none is given.
    pub fn parts(&self, law: &Spec) -> Result<Vec<ControllerPart>, Error> {
        let mut names = parts(self.method)?;
        if self.estimator != "none" {
            let known = || estimators().chain(["none"]).map(str::to_owned).collect();
            let found = estimators().find(|name| *name == self.estimator);
            names.insert(0, found.ok_or_else(|| unknown("estimator", self.estimator, known()))?);
        }
        let mut law = law.clone();
        let bare = || names.iter().filter_map(|name| ControllerPart::new(name)).collect::<Vec<_>>();
        // the law first: friction levels are derived from it
        set_numbers(&mut bare(), Some(&mut law), &self.numbers)?;
        law.check()?;
        let mut parts = bare();
        for part in &mut parts {
            if part.entry.role() == Role::Compensator {
                part.law = Some(law.clone());
            }
            if part.entry.name == "adaptive" {
                initial_parameters::set_friction_levels(part, &law, &CharacteristicScales::measure(&law)?, 0.0)?;
            }
            // the linear loop keeps its own: there a mass would change more than the compensation
            if part.get("mass").is_some() && !method::LOOP_PARTS.contains(&part.entry.name) {
                let must = part.entry.role() == Role::Control;
                let given = self.numbers.iter().any(|(key, _)| key.rsplit('.').next() == Some("mass"));
                match self.mass {
                    Some(mass) => part.set("mass", mass),
                    None if must && !given => {
                        let doc = "what mass is moved, with --mass NUMBER";
                        return Err(Error::MissingKey { name: part.entry.name.to_owned(), key: "mass", doc });
                    }
                    None => {}
                }
            }
        }
        set_numbers(&mut parts, Some(&mut law), &self.numbers)?;
        Ok(parts)
    }
}
