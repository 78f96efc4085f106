//! Laws written as files: against the built-in laws of the same equations, in every use, and as users get them wrong.
mod built_in;
mod checked;
mod comparisons;
mod exchanged;
mod many_states;
mod mistakes;
mod position;
mod rate_cusp;
mod sampling;
mod tables;

use std::path::Path;
use stiction::{LawFile, Spec};

/// Built-in laws that are rewritten as files: name, and text of the file.
pub const REWRITTEN: [(&str, &str); 6] = [
    ("lugre", include_str!("laws/file-lugre.toml")),
    ("gms", include_str!("laws/file-gms.toml")),
    ("armstrong", include_str!("laws/file-armstrong.toml")),
    ("reset-integrator", include_str!("laws/file-reset-integrator.toml")),
    ("gear", include_str!("laws/file-gear.toml")),
    ("karnopp", include_str!("laws/file-karnopp.toml")),
];

/// The law of a text.
pub fn law(text: &str) -> Spec {
    match LawFile::parse(text, Path::new("law.toml")) {
        Ok(law) => law.spec(),
        Err(error) => panic!("{error}; {}", error.hint().unwrap_or_default()),
    }
}

/// The file and the built-in law with the same values: the defaults times a factor of each parameter.
pub fn pair(name: &str, text: &str, factor: impl Fn(usize) -> f64) -> [Spec; 2] {
    let mut file = law(text);
    let mut built_in = Spec::new(name).expect("a law");
    for (i, param) in file.law().params.iter().enumerate() {
        let value = (param.default * factor(i)).clamp(param.min, param.max);
        file.set(param.name, value).expect("within bounds");
        let known = if param.name == "width" { "band" } else { param.name };
        built_in.set(known, value).expect("the same parameter");
    }
    [file, built_in]
}
