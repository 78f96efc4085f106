//! How often a remark or a choice of model is chance: records of a symmetric joint without any other force, with noise of several colours.
use super::record::RATE;
use stiction::data::{DataFile, ReadOptions};
use stiction::fit::Random;
use stiction::identify::sliding::{self, SlidingOptions};
use stiction::identify::{ColumnRoles, Preparation, prepare};
use stiction::{Error, parallel};

/// Seconds of a record, and the levels of the joint: Coulomb, viscous, inertia.
const SECONDS: f64 = 10.0;
const LEVEL: f64 = 2.0;
const VISCOUS: f64 = 0.7;
const INERTIA: f64 = 0.8;
/// Standard deviation of the noise of the torque: a twentieth of the level.
const NOISE: f64 = 0.1;
/// Correlation times of the noise \[s\]; zero is white.
const COLOURS: [f64; 3] = [0.0, 0.03, 0.3];

/// What a joint has that the symmetric one has not.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Symmetric,
    /// A static level above the Coulomb level, the same in both directions.
    Stribeck,
    /// Levels and viscous coefficient differ by a tenth.
    Asymmetric,
    /// Gravity of a fifth of the level.
    Gravity,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Symmetric, Self::Stribeck, Self::Asymmetric, Self::Gravity];
    fn name(self) -> &'static str {
        match self {
            Self::Symmetric => "symmetric",
            Self::Stribeck => "symmetric Stribeck",
            Self::Asymmetric => "asymmetric by a tenth",
            Self::Gravity => "gravity of a fifth",
        }
    }
}

/// A record as a file: three sines whose sizes, frequencies and phases are random, noise that forgets itself over `memory` seconds.
fn text(kind: Kind, memory: f64, seed: u32) -> String {
    let mut random = Random::new(seed);
    let mut uniform = |low: f64, high: f64| low + (high - low) * random.uniform();
    let sines: Vec<[f64; 3]> = [(1.0, 0.2), (0.4, 0.5), (0.2, 1.1)]
        .iter()
        .map(|(size, hertz)| [size * uniform(0.6, 1.4), hertz * uniform(0.8, 1.2), uniform(0.0, std::f64::consts::TAU)])
        .collect();
    let keep = if memory > 0.0 { (-1.0 / (RATE * memory)).exp() } else { 0.0 };
    let mut noise = random.normal();
    let mut out = String::from("t [s],q [rad],tau [N·m]\n");
    for k in 0..(RATE * SECONDS) as usize {
        let t = k as f64 / RATE;
        let [mut q, mut v, mut a] = [0.0; 3];
        for [size, hertz, phase] in &sines {
            let w = std::f64::consts::TAU * hertz;
            let (sin, cos) = (w * t + phase).sin_cos();
            (q, v, a) = (q + size * sin, v + size * w * cos, a - size * w * w * sin);
        }
        let side = if kind == Kind::Asymmetric && v < 0.0 { 1.1 } else { 1.0 };
        let more = if kind == Kind::Stribeck { 0.5 * LEVEL * (-(v / 0.3).powi(2)).exp() } else { 0.0 };
        let gravity = if kind == Kind::Gravity { 0.2 * LEVEL * q.sin() } else { 0.0 };
        noise = keep * noise + (1.0 - keep * keep).sqrt() * random.normal();
        let torque = INERTIA * a + side * ((LEVEL + more) * v.signum() + VISCOUS * v) + 0.3 + gravity + NOISE * noise;
        out += &format!("{t},{},{torque}\n", (q * 1e4).round() / 1e4);
    }
    out
}

/// Whether each direction is taken by itself, and whether a force is said to repeat with the position.
fn found(text: &str) -> Result<[bool; 2], Error> {
    let raw =
        ColumnRoles::default().read(&DataFile::from_bytes("log.csv", text.as_bytes(), &ReadOptions::default())?)?;
    let (prepared, _) = prepare(&raw, &Preparation::default())?;
    let result = sliding::identify(&prepared, &SlidingOptions::default())?;
    Ok([
        result.title.contains("each direction"),
        result.remarks.iter().any(|remark| remark.text.contains("repeats with the position")),
    ])
}

/// Shares of records for which each is said.
pub(super) fn shares(seeds: u32) -> Result<(), Error> {
    let seeds: Vec<u32> = (1..=seeds).collect();
    for kind in Kind::ALL {
        for memory in COLOURS {
            let found: Vec<[bool; 2]> = parallel::map(&seeds, |seed| found(&text(kind, memory, *seed)))
                .into_iter()
                .collect::<Result<_, _>>()?;
            for (k, what) in ["each direction by itself", "a force that repeats with the position"].iter().enumerate() {
                let said = found.iter().filter(|said| said[k]).count();
                println!(
                    "said,{},correlated over {memory} s,{what},{:.3},of {},,,,",
                    kind.name(),
                    said as f64 / seeds.len() as f64,
                    seeds.len()
                );
            }
        }
    }
    Ok(())
}
