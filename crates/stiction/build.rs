//! Compiles the library that runs any functional mock-up unit, so that the program can put it into units where there is no C compiler. A
//! machine that builds Rust programs has one nearly always, because it links with it. Without one the program says so.
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    checksum_sources();
    let sources = Path::new("src/export/fmu/sources");
    println!("cargo::rerun-if-changed={}", sources.display());
    println!("cargo::rerun-if-env-changed=CC");
    println!("cargo::rerun-if-env-changed=TARGET_CC");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let library = out.join("unit_library");
    // this script runs whenever a source of the program changes; those of the library rarely do
    let mut sum = Checksum::default();
    sum.folder(sources);
    ["CC", "TARGET_CC", "TARGET"].iter().for_each(|name| sum.bytes(env::var(name).unwrap_or_default().as_bytes()));
    let (stamp, made_from) = (out.join("unit_library.stamp"), format!("{:016x}", sum.0));
    if library.is_file() && fs::read_to_string(&stamp).is_ok_and(|text| text == made_from) {
        return;
    }
    let text = match compile(sources, &library) {
        Ok(()) => format!("Ok(include_bytes!({:?}))", library.display().to_string()),
        Err(reason) => format!("Err({reason:?})"),
    };
    if let Err(error) = fs::write(out.join("unit_library.rs"), text) {
        println!("cargo::error=cannot write to {}: {error}", out.display());
    }
    // without it the library is compiled again, which does no harm
    let _ = fs::write(stamp, made_from);
}

/// The crates that a scenario in a unit runs through, besides this one. Those that are not beside it, as in a package, are told by its version.
const CRATES: [&str; 6] =
    ["stiction-core", "stiction-io", "stiction-numerics", "stiction-data", "stiction-sim", "stiction-unit"];

/// Tells the program which sources it is made from: a library of scenarios that is built from others is refused.
fn checksum_sources() {
    let folders = CRATES.iter().map(|name| Path::new("..").join(name).join("src")).chain([PathBuf::from("src")]);
    let mut sum = Checksum::default();
    for folder in folders.filter(|folder| folder.is_dir()) {
        println!("cargo::rerun-if-changed={}", folder.display());
        sum.folder(&folder);
    }
    println!("cargo::rustc-env=STICTION_SOURCES={:016x}", sum.0);
}

/// The checksum of Fowler, Noll and Vo, of 64 bits: it is to tell accidents, not intentions.
struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    /// All files below a folder, with their names, in the order of these.
    fn folder(&mut self, folder: &Path) {
        let mut paths: Vec<PathBuf> =
            fs::read_dir(folder).map(|all| all.flatten().map(|entry| entry.path()).collect()).unwrap_or_default();
        paths.sort();
        for path in paths {
            self.bytes(path.file_name().unwrap_or_default().as_encoded_bytes());
            if path.is_dir() {
                self.folder(&path);
            } else {
                self.bytes(&fs::read(&path).unwrap_or_default());
            }
        }
    }
}

/// Compiles the library, or says why it cannot be compiled.
fn compile(sources: &Path, library: &Path) -> Result<(), String> {
    let of = |name: &str| env::var(name).unwrap_or_default();
    if !["linux", "macos"].contains(&of("CARGO_CFG_TARGET_OS").as_str()) {
        return Err("on this platform it is not compiled".to_owned());
    }
    let is_cross = of("HOST") != of("TARGET");
    let names = if is_cross { vec!["TARGET_CC"] } else { vec!["TARGET_CC", "CC"] };
    let named = names.into_iter().map(of).find(|name| !name.trim().is_empty());
    let compiler = match named {
        Some(name) => name,
        None if is_cross => return Err("TARGET_CC named no C compiler for this platform".to_owned()),
        None => "cc".to_owned(),
    };
    let mut words = compiler.split_whitespace();
    let output = Command::new(words.next().unwrap_or_default())
        .args(words)
        .args(["-std=c99", "-O2", "-s", "-shared", "-fPIC", "-fvisibility=hidden"])
        .arg(sources.join("prebuilt.c"))
        .arg("-o")
        .arg(library)
        .arg("-lm")
        .output()
        .map_err(|error| format!("{compiler}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said.lines().find(|line| line.contains("error")).or(said.lines().next());
    Err(format!("{compiler}: {}", line.unwrap_or("it says nothing")))
}
