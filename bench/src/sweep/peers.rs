//! Compiled loops of peers: `bench/peers/sweep.c` with SUNDIALS, `sweep.py` with numbalsoda.
use super::cpu::Spent;
use super::{CHECKED, PEER_ROUND, SAMPLES, Setting, point, worst};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Relative tolerances, and absolute ones relative to them.
const RTOL: [f64; 8] = [1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 3e-8];
const RATIO: [f64; 2] = [1.0, 1e-2];
/// Names of CVODE's runs and their highest order.
const CVODE: [(&str, &str); 2] = [("cvode-bdf", "5"), ("cvode-bdf3", "3")];
const NUMBALSODA: &str = "numbalsoda-lsoda";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("peers")
}

fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("stiction-sweep-{name}"))
}

/// Writes the first points to a file.
fn points(count: usize) -> PathBuf {
    let mut text = String::new();
    for i in 0..count as u64 {
        let [stiffness, pull] = point(i);
        // a string takes whatever is written
        let _ = writeln!(text, "{stiffness:?} {pull:?}");
    }
    let path = scratch(&format!("{count}.txt"));
    if let Err(error) = std::fs::write(&path, text) {
        eprintln!("note: cannot write {}: {error}", path.display());
    }
    path
}

/// The compiled loop over CVODE; says why if there is none.
fn cvode() -> Option<PathBuf> {
    let target = scratch("cvode");
    let prefix = std::env::var("SUNDIALS").ok();
    let build = |core: bool| {
        let mut cc = Command::new(std::env::var("CC").unwrap_or("cc".to_owned()));
        cc.args(["-O3", "-march=native"]).arg(folder().join("sweep.c")).arg("-o").arg(&target);
        if let Some(prefix) = &prefix {
            cc.args([format!("-I{prefix}/include"), format!("-L{prefix}/lib"), format!("-Wl,-rpath,{prefix}/lib")]);
        }
        for part in ["cvode", "nvecserial", "sunmatrixdense", "sunlinsoldense"] {
            cc.arg(format!("-lsundials_{part}"));
        }
        if core {
            cc.arg("-lsundials_core");
        }
        cc.arg("-lm").output().is_ok_and(|out| out.status.success())
    };
    // 7 has a core library, 6 has not
    let built = build(true) || build(false);
    if !built {
        eprintln!("note: sweep.c does not build here; SUNDIALS names the prefix of the library (see bench/peers)");
    }
    built.then_some(target)
}

fn python() -> Option<String> {
    let python = std::env::var("STICTION_PEERS").ok();
    if python.is_none() {
        eprintln!("note: no numbalsoda; STICTION_PEERS names a Python that has it (see bench/peers)");
    }
    python
}

/// Runs a command and reads the numbers it prints.
fn numbers(command: &mut Command) -> Option<Vec<f64>> {
    let out = command.output().ok().filter(|out| out.status.success())?;
    Some(String::from_utf8_lossy(&out.stdout).split_whitespace().filter_map(|x| x.parse().ok()).collect())
}

/// Runs a setting over the points of a file: what it took, and positions at `samples` times of each.
fn run(setting: &Setting, processes: usize, file: &Path, samples: usize) -> Option<Vec<f64>> {
    let (rtol, atol) = (format!("{:e}", setting.rtol), format!("{:e}", setting.atol));
    let (processes, samples) = (processes.to_string(), samples.to_string());
    if let Some((_, order)) = CVODE.iter().find(|(name, _)| *name == setting.solver) {
        let mut command = Command::new(scratch("cvode"));
        return numbers(command.arg(file).args([&processes, *order, &rtol, &atol, &samples]));
    }
    let mut command = Command::new(python()?);
    command.arg(folder().join("sweep.py")).arg(file);
    numbers(command.args([&processes, &format!("{rtol}:{atol}"), &samples]))
}

/// Every setting of every peer that is there, with its error.
pub fn check(processes: usize, exact: &[f64]) -> Vec<Setting> {
    let mut names = Vec::new();
    if cvode().is_some() {
        names.extend(CVODE.iter().map(|(name, _)| *name));
    }
    if python().is_some() {
        names.push(NUMBALSODA);
    }
    let file = points(CHECKED);
    let mut out = Vec::new();
    for name in names {
        for rtol in RTOL {
            for ratio in RATIO {
                let mut setting =
                    Setting { solver: name.to_owned(), rtol, atol: ratio * rtol, error: 0.0, spent: Spent::NEVER };
                let Some(all) = run(&setting, processes, &file, SAMPLES) else { continue };
                let [wall, cpu, found @ ..] = &all[..] else { continue };
                setting.error = worst(found, exact);
                setting.spent = Spent { wall: *wall, cpu: *cpu }.per(CHECKED as f64);
                out.push(setting);
            }
        }
    }
    out
}

/// What a trajectory takes at a setting.
pub fn time(setting: &Setting, processes: usize) -> Option<Spent> {
    let all = run(setting, processes, &points(PEER_ROUND), 0)?;
    let [wall, cpu, ..] = all[..] else { return None };
    Some(Spent { wall, cpu }.per(PEER_ROUND as f64))
}
