//! The shared library of a unit, compiled from its sources.
use super::{FmiVersion, FmuError, FmuPlan};
use crate::export::SourceFile;
use std::path::{Path, PathBuf};
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
}

/// A shared library, and its place in the unit.
pub(super) struct Binary {
    pub path: String,
    pub bytes: Vec<u8>,
}

/// See [`super::compiler`].
pub(super) fn compiler() -> Option<PathBuf> {
    Platform::here()?;
    let named = env::var_os("CC").filter(|name| !name.is_empty()).map_or_else(|| PathBuf::from("cc"), PathBuf::from);
    let runs = Command::new(&named).arg("--version").output().is_ok_and(|out| out.status.success());
    runs.then_some(named)
}

/// A folder that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> io::Result<Self> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("stiction-fmu-{}-{count}", std::process::id()));
        fs::create_dir_all(path.join("sources"))?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Compiles the sources.
pub(super) fn compile(plan: &FmuPlan, files: &[SourceFile], compiler: &Path) -> Result<Binary, FmuError> {
    let failed = |error: &dyn std::fmt::Display| FmuError::Compiler {
        compiler: compiler.display().to_string(),
        error: error.to_string(),
    };
    let Some(platform) = Platform::here() else {
        return Err(failed(&"binaries of this platform have no name in the standard"));
    };
    let scratch = Scratch::new().map_err(|error| failed(&error))?;
    for file in files {
        fs::write(scratch.0.join(&file.path).with_file_name(file_name(&file.path)), &file.text)
            .map_err(|error| failed(&error))?;
    }
    let library = format!("{}.{}", plan.identifier, platform.ending);
    let output = Command::new(compiler)
        .current_dir(&scratch.0)
        .args(["-std=c99", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", "sources/unit.c", "-o", &library, "-lm"])
        .output()
        .map_err(|error| failed(&error))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(failed(&text.lines().next().unwrap_or("it says nothing")));
    }
    let bytes = fs::read(scratch.0.join(&library)).map_err(|error| failed(&error))?;
    let folder = match plan.version {
        FmiVersion::Two => platform.two,
        FmiVersion::Three => platform.three,
    };
    Ok(Binary { path: format!("binaries/{folder}/{library}"), bytes })
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
