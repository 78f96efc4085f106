//! Python with the packages that exported laws are tested with, that reference values are made with and that click in the lab, in a virtual environment in the target folder. The tests take it
//! from there; `STICTION_PYTHON` names another one.
use crate::{Error, built, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is installed: the name of a package, and that by which it is imported.
const PACKAGES: [(&str, &str); 12] = [
    ("numpy", "numpy"),
    ("scipy", "scipy"),
    ("statsmodels", "statsmodels"),
    ("mpmath", "mpmath"),
    ("fmpy", "fmpy"),
    ("casadi", "casadi"),
    ("mujoco", "mujoco"),
    ("yourdfpy", "yourdfpy"),
    ("usd-core", "pxr"),
    ("jax", "jax"),
    ("torch", "torch"),
    ("playwright", "playwright"),
];

/// Installs what is missing, which takes many minutes the first time: PyTorch brings gigabytes for graphics processors with it. The result lists what could not be installed.
pub fn prepare() -> Result<Vec<String>, Error> {
    if std::env::var_os("STICTION_PYTHON").is_some() {
        return Ok(Vec::new());
    }
    let folder = folder();
    let python = folder.join("bin/python");
    if !python.exists() && !succeeds(Command::new("python3").args(["-m", "venv"]).arg(&folder)) {
        return Ok(vec![
            "exported laws in Python, reference values and clicks in the lab: python3 cannot make a virtual environment here".to_owned(),
        ]);
    }
    Ok(PACKAGES.iter().filter_map(|(name, module)| install(&python, name, module)).collect())
}

fn folder() -> PathBuf {
    built().parent().map_or_else(|| root().join("target"), Path::to_owned).join("tools/python")
}

/// The Python with the packages, or that of the machine.
pub fn program() -> PathBuf {
    let own = folder().join("bin/python");
    let usual = || if own.exists() { own.clone() } else { PathBuf::from("python3") };
    std::env::var_os("STICTION_PYTHON").map_or_else(usual, PathBuf::from)
}

/// Why a package is not there in the end.
fn install(python: &Path, name: &str, module: &str) -> Option<String> {
    let there = || succeeds(Command::new(python).args(["-c", &format!("import {module}")]));
    if there() {
        return None;
    }
    eprintln!("installing {name} for {}", python.display());
    let installed = succeeds(Command::new(python).args(["-m", "pip", "install", "-q", name])) && there();
    let reason = || {
        format!(
            "exported laws in Python, reference values and clicks in the lab: {name} could not be installed; STICTION_PYTHON may name a Python that has it"
        )
    };
    (!installed).then(reason)
}

fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|out| out.status.success())
}
