//! Folders, and useful other programs.
use super::Check;
use std::env;
use std::path::Path;
use stiction::output;

/// Whether files can be written to the usual folders.
pub fn folders() -> Vec<Check> {
    let here = env::current_dir();
    let here = here.as_deref().unwrap_or(Path::new("."));
    let advice = "nothing can be written here: change to a folder of your own, or give -o a path to one";
    vec![
        writable("current", here, advice),
        writable("temporary", &env::temp_dir(), "make this folder writable, or set TMPDIR to one that is"),
    ]
}

fn writable(what: &'static str, dir: &Path, advice: &str) -> Check {
    let probe = dir.join(format!(".stiction-doctor-{}", std::process::id()));
    let written = output::write(&probe, |out| out.write_all(b"well"));
    let _ = std::fs::remove_file(&probe);
    Check::tested(what, dir.display().to_string(), written.is_ok(), advice)
}

/// Compilers for exported code; nothing else needs them.
pub fn tools() -> Vec<Check> {
    let found = |name: &&&str| {
        let path = env::var_os("PATH").unwrap_or_default();
        env::split_paths(&path).any(|dir| dir.join(name).is_file() || dir.join(format!("{name}.exe")).is_file())
    };
    let compilers: Vec<&str> = ["cc", "gcc", "clang", "rustc"].iter().filter(found).copied().collect();
    let compilers = if compilers.is_empty() { "none".to_owned() } else { compilers.join(", ") };
    vec![Check::property("compilers", format!("{compilers}; only for what 'stiction export' writes"))]
}
