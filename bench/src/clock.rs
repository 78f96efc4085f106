//! Timing and output.
use std::time::Instant;

/// One measurement.
#[derive(Clone, Debug)]
pub struct Row {
    /// What was run.
    pub name: String,
    /// Over which number.
    pub number: String,
    /// Nanoseconds per step (and lane).
    pub ns: f64,
}

/// Nanoseconds per unit of work: the fastest of several rounds, because a shared machine only ever adds time.
/// `round` does the work once and says how many units that was.
pub fn time(mut round: impl FnMut() -> usize) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..15 {
        let start = Instant::now();
        let units = round();
        best = best.min(start.elapsed().as_nanos() as f64 / units as f64);
    }
    best
}

/// Prints CSV to standard output, with the machine as a comment.
pub fn print(rows: &[Row]) {
    println!("# {}, {}, stiction {}", cpu(), stiction::dispatch::path(), env!("CARGO_PKG_VERSION"));
    println!("law,number,ns");
    for r in rows {
        println!("{},{},{:.2}", r.name, r.number, r.ns);
    }
}

/// The processor's name, where the system tells.
fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = info.lines().find(|l| l.starts_with("model name"));
    line.and_then(|l| l.split(": ").nth(1)).unwrap_or(std::env::consts::ARCH).to_owned()
}
