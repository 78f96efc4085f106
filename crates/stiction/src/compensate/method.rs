//! Compensation methods by name: the parts that a method adds to the linear loop.
use crate::{Error, similar_names::similar};
use stiction_core::control::registry::{self, Role};

/// A compensation method: its name, and the parts it adds to the linear loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompensationMethod {
    /// Name as given by the user.
    pub name: String,
    /// Names of the parts, in the given order.
    pub parts: Vec<&'static str>,
}

/// Names of methods with their parts. Names of parts are also accepted as methods.
pub static METHODS: &[(&str, &[&str])] = &[
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

/// Parts that model friction; those with a law first.
const FRICTION_MODEL_PARTS: [&str; 3] = ["feedforward", "observer", "adaptive"];
/// Parts of the linear loop, kept by every method.
pub(crate) const LOOP_PARTS: [&str; 2] = ["pid", "state-feedback"];

/// Whether a part is kept by every method: linear loop and estimator.
pub(super) fn belongs_to_loop(entry: &registry::ControllerEntry) -> bool {
    LOOP_PARTS.contains(&entry.name) || entry.role() == Role::Estimator
}

impl CompensationMethod {
    /// The method with this name; methods are combined by `+`, as in `dob+smooth-stop`.
    ///
    /// # Errors
    /// [`Error::UnknownName`], or [`Error::Conflict`] for parts that exclude each other.
    pub fn parse(name: &str) -> Result<Self, Error> {
        let mut parts = Vec::new();
        for word in name.split('+').map(str::trim) {
            for part in find(word).ok_or_else(|| unknown(word))? {
                if !parts.contains(part) {
                    parts.push(*part);
                }
            }
        }
        if parts.contains(&"adaptive-scale") && !parts.iter().any(|part| FRICTION_MODEL_PARTS[..2].contains(part)) {
            // the part that it scales
            parts.insert(0, "feedforward");
        }
        let models = parts.iter().filter(|part| FRICTION_MODEL_PARTS.contains(part)).count();
        if models > 1 || (models == 1 && parts.contains(&"disturbance-observer")) {
            let why = "compensates one friction twice: take one of feedforward, observer, adaptive and dob";
            return Err(Error::Conflict { key: "--with", why });
        }
        Ok(Self { name: name.trim().to_owned(), parts })
    }
}

/// The part with this name: its own name, or the name of a method with a single part.
pub(crate) fn part_name(word: &str) -> &str {
    match find(word) {
        Some([part]) => part,
        _ => word,
    }
}

fn find(word: &str) -> Option<&'static [&'static str]> {
    let known = METHODS.iter().find(|(name, parts)| *name == word || (parts.len() == 1 && parts[0] == word));
    known.map(|(_, parts)| *parts)
}

fn unknown(word: &str) -> Error {
    let names = || METHODS.iter().map(|(name, _)| *name);
    let near = similar(word, names()).into_iter().map(str::to_owned).collect();
    Error::UnknownName { what: "method", name: word.to_owned(), near, known: names().map(str::to_owned).collect() }
}
