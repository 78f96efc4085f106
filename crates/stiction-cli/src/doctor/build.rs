//! How this program was built.
use super::Check;
use std::env::consts;

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

/// Optional features of the program.
fn list(with: bool) -> String {
    let features = [
        ("png", "pictures as PNG", cfg!(feature = "png")),
        ("parquet", "tables as Parquet", cfg!(feature = "parquet")),
        ("mat", "MATLAB files up to 7.2", cfg!(feature = "mat")),
        ("hdf5", "MATLAB files of 7.3", cfg!(feature = "hdf5")),
        ("cuda", "sweeps on a GPU", cfg!(feature = "cuda")),
        ("mcap", "logs of robots as MCAP", cfg!(feature = "mcap")),
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
