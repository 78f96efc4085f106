//! Odd records: whatever they hold, the procedures answer or say why not.
use stiction::fit::Random;
use stiction::identify::report::figures;
use stiction::identify::{MotionRecord, breakaway, presliding};

/// Pairs of records tried.
const COUNT: u32 = 14;

/// A record made of pieces that real ones have in the wrong places: rests, jumps, steps, spikes, walks.
fn odd(seed: u32) -> MotionRecord {
    let mut random = Random::new(seed);
    let n = 2 + random.below(if seed.is_multiple_of(3) { 60 } else { 400 });
    let t: Vec<f64> = (0..n).map(|k| 0.01 * k as f64).collect();
    let mut signal = |scale: f64| -> Vec<f64> {
        let (kind, rate, start) = (random.below(7), 1.0 + 30.0 * random.uniform(), scale * random.normal());
        let mut walk = 0.0;
        let wave = |k: usize| (rate * 0.01 * k as f64).sin();
        (0..n)
            .map(|k| match kind {
                0 => start,
                1 => scale * wave(k),
                2 => scale * random.normal(),
                3 => {
                    walk += 0.1 * scale * random.normal();
                    walk
                }
                4 => scale * (4.0 * wave(k)).round() / 4.0,
                5 => scale * (k as f64 / n as f64) + if k == n / 2 { 100.0 * scale } else { 0.0 },
                _ => scale * wave(k).max(0.3),
            })
            .collect()
    };
    let (position, velocity, acceleration, force, load) =
        (signal(1e-3), signal(0.1), signal(1.0), signal(10.0), signal(1.0));
    let empty = |list: Vec<f64>, drop: bool| if drop { Vec::new() } else { list };
    MotionRecord {
        name: format!("odd {seed}"),
        t,
        position: empty(position, seed.is_multiple_of(4)),
        velocity,
        acceleration: empty(acceleration, seed.is_multiple_of(5)),
        force,
        load: empty(load, seed.is_multiple_of(2)),
        weight: Vec::new(),
        slides: Vec::new(),
        saturated: Vec::new(),
        unresolved: Vec::new(),
        terms: Vec::new(),
        mass: [None, Some(0.0), Some(2.0)][seed as usize % 3],
        displaced: 0.0,
    }
}

#[test]
fn odd_records_are_answered() {
    let (mut answers, mut flaws) = (0, 0);
    for seed in 0..COUNT {
        let motions = [odd(seed), odd(seed + 1000)];
        for count in [1, 2] {
            let options = presliding::PreslidingOptions { without_gms: !seed.is_multiple_of(8) };
            let results = [
                breakaway::identify(&motions[..count], &breakaway::BreakawayOptions::default()),
                presliding::identify(&motions[..count], &options),
            ];
            for result in results {
                match result {
                    Ok(result) => {
                        assert!(figures(&result).iter().all(|picture| !picture.svg().is_empty()), "seed {seed}");
                        assert!(!result.remarks.is_empty(), "seed {seed}");
                        answers += 1;
                    }
                    Err(error) => {
                        assert!(!error.to_string().is_empty(), "seed {seed}");
                        flaws += 1;
                    }
                }
            }
        }
    }
    assert!(answers > 0 && flaws > 0, "{answers} answers, {flaws} flaws");
}
