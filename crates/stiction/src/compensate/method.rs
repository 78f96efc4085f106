//! Methods of compensation by name: which parts a controller gets beside its linear loop.
use crate::{Error, near::near};
use stiction_core::control::registry::{self, Role};

/// A method: its name, and the parts it adds to the linear loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// As it was asked for.
    pub name: String,
    /// Names of parts, in the order in which they were named.
    pub parts: Vec<&'static str>,
}

/// Names of methods and the parts they stand for. Names of parts are methods, too.
pub static NAMES: &[(&str, &[&str])] = &[
    ("none", &[]),
    ("feedforward", &["feedforward"]),
    ("observer", &["observer"]),
    ("adaptive", &["adaptive"]),
    ("adaptive-scale", &["adaptive-scale"]),
    ("dither", &["dither"]),
    ("acceleration", &["acceleration-feedback"]),
    ("dob", &["disturbance-observer"]),
    ("smooth-stop", &["smooth-stop"]),
];

/// Parts that know friction, those with a law first.
const MODELS: [&str; 3] = ["feedforward", "observer", "adaptive"];
/// Parts that belong to the linear loop and stay whatever the method.
pub(crate) const LOOP: [&str; 2] = ["pid", "state-feedback"];

/// Whether a part stays whatever the method: the loop and the estimator.
pub(super) fn stays(entry: &registry::Entry) -> bool {
    LOOP.contains(&entry.name) || entry.role() == Role::Estimator
}

impl Method {
    /// The method of this name; several are joined by `+`, as in `dob+smooth-stop`.
    ///
    /// # Errors
    /// [`Error::UnknownName`], or [`Error::Clash`] for parts that do not go together.
    pub fn parse(name: &str) -> Result<Self, Error> {
        let mut parts = Vec::new();
        for word in name.split('+').map(str::trim) {
            for part in find(word).ok_or_else(|| unknown(word))? {
                if !parts.contains(part) {
                    parts.push(*part);
                }
            }
        }
        if parts.contains(&"adaptive-scale") && !parts.iter().any(|part| MODELS[..2].contains(part)) {
            // what it multiplies
            parts.insert(0, "feedforward");
        }
        let models = parts.iter().filter(|part| MODELS.contains(part)).count();
        if models > 1 || (models == 1 && parts.contains(&"disturbance-observer")) {
            let why = "compensates one friction twice: take one of feedforward, observer, adaptive and dob";
            return Err(Error::Clash { key: "--with", why });
        }
        Ok(Self { name: name.trim().to_owned(), parts })
    }
}

/// The part that a word stands for: a part's own name, or a method's that has one part.
pub(crate) fn part(word: &str) -> &str {
    match find(word) {
        Some([part]) => part,
        _ => word,
    }
}

fn find(word: &str) -> Option<&'static [&'static str]> {
    let known = NAMES.iter().find(|(name, parts)| *name == word || (parts.len() == 1 && parts[0] == word));
    known.map(|(_, parts)| *parts)
}

fn unknown(word: &str) -> Error {
    let names = || NAMES.iter().map(|(name, _)| *name);
    let near = near(word, names()).into_iter().map(str::to_owned).collect();
    Error::UnknownName { what: "method", name: word.to_owned(), near, known: names().map(str::to_owned).collect() }
}
