//! Processors, and which of their instructions are used.
use super::Check;
use stiction::accelerator;
use stiction::dispatch::Level;
use stiction::parallel::processors;

/// Properties of the machine.
pub fn look() -> Vec<Check> {
    let has = instructions();
    let has = if has.is_empty() { "nothing beyond the baseline".to_owned() } else { has.join(" ") };
    let path =
        format!("{}, {} numbers at once; results are the same on all", name(Level::best()), lanes(Level::best()));
    let threads = processors();
    let pinned = if cfg!(target_os = "linux") { ", or 'taskset -c 0 stiction ...'" } else { "" };
    let how = format!("fewer with 'stiction sweep --threads N'{pinned}");
    vec![
        Check::property("processor has", has),
        Check::property("path chosen", path),
        Check::property("threads", format!("{threads}, one to a processor; {how}")),
        Check::property("GPU", gpu()),
    ]
}

/// The device of `sweep --device cuda`, or why there is none. Nothing else needs one.
fn gpu() -> String {
    match accelerator::cuda() {
        Ok(device) => format!("{}; for 'stiction sweep --device cuda'", device.description()),
        Err(error) => format!("none: {error}"),
    }
}

/// A level by the name of its instructions.
pub fn name(level: Level) -> &'static str {
    match level {
        Level::Baseline if cfg!(target_arch = "x86_64") => "SSE2",
        Level::Baseline if cfg!(target_arch = "aarch64") => "NEON",
        Level::Baseline => "baseline",
        Level::Avx2 => "AVX2",
        Level::Avx512 => "AVX-512",
    }
}

/// Doubles in a register.
fn lanes(level: Level) -> u32 {
    match level {
        Level::Baseline => 2,
        Level::Avx2 => 4,
        Level::Avx512 => 8,
    }
}

#[cfg(target_arch = "x86_64")]
fn instructions() -> Vec<&'static str> {
    let all = [
        ("sse2", is_x86_feature_detected!("sse2")),
        ("avx", is_x86_feature_detected!("avx")),
        ("avx2", is_x86_feature_detected!("avx2")),
        ("fma", is_x86_feature_detected!("fma")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
        ("avx512dq", is_x86_feature_detected!("avx512dq")),
        ("avx512vl", is_x86_feature_detected!("avx512vl")),
        ("avx512bw", is_x86_feature_detected!("avx512bw")),
    ];
    all.into_iter().filter(|(_, has)| *has).map(|(name, _)| name).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn instructions() -> Vec<&'static str> {
    Vec::new()
}
