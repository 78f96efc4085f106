//! The shared library of a unit: one that was compiled with this program and runs any unit, or one compiled from the unit's sources.
use super::{FmiVersion, FmuError, FmuPlan};
use crate::export::OutputFile;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, io};

/// A platform whose binaries the standard gives a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Platform {
    /// The folder of its binaries in FMI 2.0.
    pub two: &'static str,
    /// The folder of its binaries in FMI 3.0.
    pub three: &'static str,
    /// The ending of a shared library.
    pub ending: &'static str,
}

impl Platform {
    /// This one, if it has a name and its compiler is called as is usual there.
    pub fn here() -> Option<Self> {
        match (env::consts::OS, env::consts::ARCH) {
            ("linux", "x86_64") => Some(Self { two: "linux64", three: "x86_64-linux", ending: "so" }),
            ("linux", "aarch64") => Some(Self { two: "aarch64-linux", three: "aarch64-linux", ending: "so" }),
            ("macos", "x86_64") => Some(Self { two: "darwin64", three: "x86_64-darwin", ending: "dylib" }),
            ("macos", "aarch64") => Some(Self { two: "darwin64", three: "aarch64-darwin", ending: "dylib" }),
            _ => None,
        }
    }
    /// The place of the library of a unit.
    pub(super) fn path(self, version: FmiVersion, identifier: &str) -> String {
        let folder = match version {
            FmiVersion::Two => self.two,
            FmiVersion::Three => self.three,
        };
        format!("binaries/{folder}/{identifier}.{}", self.ending)
    }
}

/// The library that runs any unit, for the platform of this program, or why there is none.
const PREBUILT: Result<&[u8], &str> = include!(concat!(env!("OUT_DIR"), "/unit_library.rs"));

/// The binary of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnitBinary {
    /// None: importers compile the sources.
    None,
    /// The library that was compiled with this program. It reads the programs of the law from a file in the unit, and interprets them.
    Prebuilt,
    /// A library compiled from the sources of the unit.
    Compiled(Compiler),
}

impl UnitBinary {
    /// What is to be had here: the prebuilt library, or one compiled from the sources, or none.
    pub fn here() -> Self {
        match (PREBUILT, Compiler::here()) {
            (Ok(_), _) => Self::Prebuilt,
            (Err(_), Some(compiler)) => Self::Compiled(compiler),
            (Err(_), None) => Self::None,
        }
    }
}

/// A C compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    program: PathBuf,
    /// What comes before all other arguments.
    arguments: Vec<String>,
}

impl Compiler {
    /// The compiler of this machine: `CC`, which may have arguments, or `cc`, where it runs; none on a platform whose binaries have no name in
    /// the standard.
    pub fn here() -> Option<Self> {
        Platform::here()?;
        let named = env::var("CC").ok().filter(|name| !name.trim().is_empty()).unwrap_or_else(|| "cc".to_owned());
        // a path may have blanks
        [Self { program: PathBuf::from(&named), arguments: Vec::new() }, Self::parse(&named)]
            .into_iter()
            .find(|compiler| compiler.command().arg("--version").output().is_ok_and(|out| out.status.success()))
    }
    /// A program and its arguments, between blanks.
    pub fn parse(text: &str) -> Self {
        let mut words = text.split_whitespace().map(str::to_owned);
        Self { program: PathBuf::from(words.next().unwrap_or_default()), arguments: words.collect() }
    }
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        command
    }
    /// As on a command line.
    pub fn name(&self) -> String {
        let words = [self.program.display().to_string()].into_iter().chain(self.arguments.iter().cloned());
        words.collect::<Vec<_>>().join(" ")
    }
}

/// The library that runs any unit.
pub(super) fn prebuilt(plan: &FmuPlan) -> Result<OutputFile, FmuError> {
    let bytes = PREBUILT.map_err(|reason| FmuError::NoPrebuilt { reason })?;
    let platform = Platform::here().ok_or(FmuError::NoPrebuilt { reason: NO_PLATFORM })?;
    Ok(OutputFile { path: platform.path(plan.version, &plan.identifier), bytes: bytes.to_vec() })
}

const NO_PLATFORM: &str = "binaries of this platform have no name in the standard";

/// A folder that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> io::Result<Self> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("stiction-fmu-{}-{count}", std::process::id()));
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Compiles the sources.
pub(super) fn compile(plan: &FmuPlan, files: &[OutputFile], compiler: &Compiler) -> Result<OutputFile, FmuError> {
    let failed =
        |error: &dyn std::fmt::Display| FmuError::Compiler { compiler: compiler.name(), error: error.to_string() };
    let Some(platform) = Platform::here() else {
        return Err(failed(&NO_PLATFORM));
    };
    let scratch = Scratch::new().map_err(|error| failed(&error))?;
    for file in files {
        let name = file.path.rsplit('/').next().unwrap_or(&file.path);
        fs::write(scratch.0.join(name), &file.bytes).map_err(|error| failed(&error))?;
    }
    let output = compiler
        .command()
        .current_dir(&scratch.0)
        .args(["-std=c99", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", "unit.c", "-o", "unit.library", "-lm"])
        .output()
        .map_err(|error| failed(&error))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(failed(&text.lines().next().unwrap_or("it says nothing")));
    }
    let bytes = fs::read(scratch.0.join("unit.library")).map_err(|error| failed(&error))?;
    Ok(OutputFile { path: platform.path(plan.version, &plan.identifier), bytes })
}
