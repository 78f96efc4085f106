//! Laws as Python modules: each passes the test that comes with it.
use crate::awkward::awkward_laws;
use crate::build::{folder, run, save};
use crate::skip::skip;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use stiction::LawFile;
use stiction::core::models;
use stiction::core::registry::LawEntry;
use stiction::export::law::{LawCode, LawTarget};

/// A law whose names mean something in Python or in the code around it.
const AWKWARD: &str = r#"
name = "lambda"
summary = "A \"spring\" with \\ losses: names that Python has, too."

[params]
lambda = { unit = "N", default = 2.0, min = 1e-9, max = 1e9, doc = "Level, 'fc' \"elsewhere\" \\" }
load2 = { unit = "1/m", default = 50.0, min = 1e-3, max = 1e9, doc = "Stiffness over level" }
t0 = { unit = "N·s/m", default = 0.5, min = 0.0, max = 1e9, doc = "Viscous coefficient" }
np = { unit = "-", default = 1.5, min = 0.1, max = 10.0, doc = "Exponent" }
_repeat = { unit = "-", default = 0.3, min = 0.0, max = 10.0, doc = "Share of the second state" }
mass = { unit = "m/s", default = 0.1, min = 1e-6, max = 10.0, doc = "A speed" }
count = { unit = "-", default = 1.0, min = 0.1, max = 10.0, doc = "A factor" }

[states]
in = "m"
class = "m"

[equations]
rate.in = "v - abs(v)*load2*in"
rate.class = "v - abs(v)*load2*(class - _repeat*in)*count"
force = "load*lambda*load2*(in + _repeat*class) + t0*v*(1 + (abs(v)/mass)^np)*2^(-abs(v)/mass)"
"#;

/// Python with these packages: the one that the environment names, that of `cargo x check --all`, or the usual one.
pub fn python(packages: &[&str]) -> Option<PathBuf> {
    let tools = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().map(|target| target.join("tools/python/bin/python"));
    let usual = || tools.filter(|path| path.exists()).unwrap_or_else(|| "python3".into());
    let program = std::env::var_os("STICTION_PYTHON").map_or_else(usual, PathBuf::from);
    let import = format!("import {}", packages.join(", "));
    let found = Command::new(&program).args(["-c", &import]).output().is_ok_and(|out| out.status.success());
    if !found {
        skip(&format!("{} has no {}, so no law runs there", program.display(), packages.join(" or ")));
    }
    found.then_some(program)
}

fn laws() -> Vec<&'static LawEntry> {
    let file = |text: &str| LawFile::parse(text, Path::new("law.toml")).unwrap().entry();
    let files = [AWKWARD, include_str!("../law_file/laws/file-gms.toml")].map(file);
    models::ALL.iter().chain(files).chain(awkward_laws()).collect()
}

/// Writes all laws into a folder, and a program that runs their tests one after the other; runs it. The result is what it printed,
/// a line for each law.
fn run_all(target: LawTarget, ending: &str, python: &Path, prepare: impl Fn(&LawCode) -> String) -> String {
    let at = folder(&format!("law-{}", target.name()));
    let mut main = String::new();
    for law in laws() {
        let code = LawCode::new(law).unwrap();
        save(&at, target.files(&code).unwrap());
        let module = format!("{}_{ending}_test", code.name);
        main += &format!("import {module} as test\ntest.main()\n{}", prepare(&code));
    }
    fs::write(at.join("all.py"), main).unwrap();
    let said = run(Command::new(python).current_dir(&at).arg("all.py"));
    let said = String::from_utf8(said).unwrap();
    print!("{said}");
    said
}

/// Rest, nearly rest, great speeds, no load: with the law's own results there.
fn extremes(code: &LawCode) -> String {
    let mut out = String::new();
    for function in &code.functions {
        let points = code.test_points(function.kind);
        let mut rows = Vec::new();
        for (k, v) in [0.0, -0.0, 1e-12, -1e-12, 1e-300, 1e3, -1e3, 1e12].into_iter().enumerate() {
            for load in [0.0, 1.0] {
                let mut inputs = points[5 * k + 1].inputs.clone();
                (inputs[0], inputs[1]) = (v, load);
                rows.push((inputs.clone(), function.program.evaluate(&inputs)));
            }
        }
        out += &format!("test.POINTS[\"{}\"] = {rows:?}\n", function.kind.name());
    }
    format!("from math import inf, nan as NaN\n{out}test.main()\n")
}

#[test]
fn every_law_in_numpy_agrees() {
    let Some(python) = python(&["numpy"]) else { return };
    let said = run_all(LawTarget::NumPy, "numpy", &python, extremes);
    assert_eq!(said.matches("points agree").count(), 2 * laws().len(), "{said}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "compiles for minutes: in release builds only")]
fn every_law_in_jax_agrees_with_its_derivatives() {
    let Some(python) = python(&["jax", "numpy"]) else { return };
    let said = run_all(LawTarget::Jax, "jax", &python, |_| String::new());
    assert_eq!(said.matches("and their derivatives").count(), laws().len(), "{said}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes: in release builds only")]
fn every_law_in_pytorch_agrees_with_its_derivatives() {
    let Some(python) = python(&["torch"]) else { return };
    let said = run_all(LawTarget::PyTorch, "torch", &python, |_| String::new());
    assert_eq!(said.matches("and their derivatives").count(), laws().len(), "{said}");
}
