//! Kernels of others for the same trajectories.
use std::path::Path;
use std::process::{Command, Stdio};

/// Lines of the table; none if there are no peers here.
pub fn run() -> Vec<String> {
    let Some(folder) = std::env::var_os("STICTION_GPU_PEERS") else {
        eprintln!("note: no peers: STICTION_GPU_PEERS names no folder with their kernels");
        return Vec::new();
    };
    let script = Path::new("bench/peers/gpu.py");
    let ran = Command::new("python3").arg(script).arg(&folder).stderr(Stdio::inherit()).output();
    match ran {
        Ok(out) if out.status.success() => {
            let text = String::from_utf8_lossy(&out.stdout).into_owned();
            text.lines().filter(|line| line.starts_with("peer ")).map(str::to_owned).collect()
        }
        Ok(out) => {
            eprintln!("note: no peers: {} ended with {}", script.display(), out.status);
            Vec::new()
        }
        Err(error) => {
            eprintln!("note: no peers: python3: {error}");
            Vec::new()
        }
    }
}
