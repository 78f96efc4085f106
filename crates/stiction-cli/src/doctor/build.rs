//! What this program was built from, and with what.
use super::Finding;
use std::env::consts;

/// Facts of the build.
pub fn look() -> Vec<Finding> {
    let debug = cfg!(debug_assertions);
    let profile = if debug { "debug: ten times slower; build with --release to work with it" } else { "release" };
    vec![
        Finding::fact("profile", profile),
        Finding::fact("target", format!("{}-{}", consts::ARCH, consts::OS)),
        Finding::fact("features", list(true)),
        Finding::fact("left out", list(false)),
    ]
}

/// Parts of the program that a build may have or lack.
fn list(with: bool) -> String {
    let features = [
        ("png", "pictures as PNG", cfg!(feature = "png")),
        ("parquet", "tables as Parquet", cfg!(feature = "parquet")),
        ("mat", "MATLAB files up to 7.2", cfg!(feature = "mat")),
        ("hdf5", "MATLAB files of 7.3", cfg!(feature = "hdf5")),
    ];
    let chosen: Vec<String> =
        features.iter().filter(|f| f.2 == with).map(|(name, what, _)| format!("{name} ({what})")).collect();
    match (chosen.is_empty(), with) {
        (true, true) => "none".to_owned(),
        (true, false) => "nothing".to_owned(),
        (false, true) => chosen.join(", "),
        (false, false) => format!("{}; 'cargo build --release --features NAME' adds it", chosen.join(", ")),
    }
}
