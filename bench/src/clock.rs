//! Timing and output.
use std::time::Instant;

/// One measurement.
#[derive(Clone, Debug)]
pub struct Timing {
    /// What was run.
    pub name: String,
    /// Over which number.
    pub number: String,
    /// Nanoseconds per step (and lane).
    pub ns: f64,
}

/// A table of velocities through stick and slip that fits the first-level cache.
pub fn velocities() -> [f64; 256] {
    std::array::from_fn(|i| 2e-3 * (i as f64 * 0.37).sin() * (i as f64 * 0.011).cos())
}

/// Nanoseconds per unit of work: the fastest of several rounds, because a shared machine only ever adds time.
/// `round` does the work once and says how many units that was.
pub fn time(round: &mut dyn FnMut() -> usize) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..15 {
        let start = Instant::now();
        let units = round();
        best = best.min(start.elapsed().as_nanos() as f64 / units as f64);
    }
    best
}

/// Prints CSV to standard output, with the machine as a comment.
pub fn print(rows: &[Timing]) {
    print_machine();
    // beside each time its ratio to the peer measured in the same run, if there is one
    let peer = rows.iter().find(|r| r.name.starts_with("peer")).map(|r| r.ns);
    println!("law,number,ns,of peer");
    for r in rows {
        let ratio = peer.map(|p| format!("{:.2}", r.ns / p)).unwrap_or_default();
        println!("{},{},{:.2},{ratio}", r.name, r.number, r.ns);
    }
}

/// Prints the machine as a comment: `cargo x bench` names the file after it.
pub fn print_machine() {
    println!("# {}, {}, stiction {}", cpu(), stiction::dispatch::instruction_set_name(), env!("CARGO_PKG_VERSION"));
}

/// The processor's name, where the system tells.
fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = info.lines().find(|l| l.starts_with("model name"));
    line.and_then(|l| l.split(": ").nth(1)).unwrap_or(std::env::consts::ARCH).to_owned()
}
