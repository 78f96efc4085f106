//! How the program or the module was built.
use super::Check;
use std::env::consts;
use stiction::FEATURES;

/// Properties of the build.
pub fn look() -> Vec<Check> {
    let debug = cfg!(debug_assertions);
    let profile = if debug { "debug, ten times slower: use a build with --release for work" } else { "release" };
    vec![
        Check::property("profile", profile),
        Check::property("target", format!("{}-{}", consts::ARCH, consts::OS)),
        Check::property("features", list(true)),
        Check::property("left out", list(false)),
    ]
}

/// Optional features of the build.
fn list(with: bool) -> String {
    let chosen: Vec<String> =
        FEATURES.iter().filter(|f| f.2 == with).map(|(name, what, _)| format!("{name} ({what})")).collect();
    match (chosen.is_empty(), with) {
        (true, true) => "none".to_owned(),
        (true, false) => "nothing".to_owned(),
        (false, true) => chosen.join(", "),
        (false, false) => format!("{}; 'cargo build --release --features NAME' adds it", chosen.join(", ")),
    }
}
