//! Terminal, folders, and useful other programs.
use super::Check;
use crate::picture::screen;
use std::env;
use std::io::{self, IsTerminal};
use std::path::Path;
use stiction::output;

/// Where output goes, and how it can look there.
pub fn terminal() -> Vec<Check> {
    let terminal = io::stdout().is_terminal();
    let screen = screen(terminal);
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let colours = match screen.colour {
        true => "on; NO_COLOR=1 turns them off",
        false if !terminal => "off, because stdout is not a terminal",
        false if set("NO_COLOR") => "off, because NO_COLOR is set",
        false => "off, because TERM is dumb",
    };
    let letters = if screen.unicode { "all" } else { "ASCII only; LANG=C.UTF-8 gives finer plots" };
    vec![
        Check::property("stdout", if terminal { "a terminal" } else { "a pipe or a file" }),
        Check::property("width", format!("{} columns", screen.width)),
        Check::property("colours", colours),
        Check::property("letters", letters),
    ]
}

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
