//! Presliding in records whose truth is known.
mod rig;

use rig::{Sensors, lines, measured, record, spec};
use stiction::analysis::drive::{Drive, Rig};
use stiction::identify::presliding::{Options, find};
use stiction::identify::{Finding, Motion};

const NESTED: [f64; 13] = [0.0, 0.5, -0.4, 0.3, -0.2, 0.1, -0.05, 0.1, -0.2, 0.3, -0.4, 0.5, 0.6];
const FULL: [f64; 5] = [0.0, -1.0, 1.0, -1.0, 1.0];
const FLAT: [(&str, f64); 4] = [("fc1", 80.0), ("fc2", 80.0), ("fv1", 0.0), ("fv2", 0.0)];

/// A law moved to places [mm], one second each.
fn moved(name: &str, values: &[(&str, f64)], places: &[f64], step: f64) -> Motion {
    let points: Vec<(f64, f64)> = places.iter().enumerate().map(|(t, x)| (t as f64, 1e-3 * x)).collect();
    let rig = Rig::new(&spec(name, values));
    record(&rig, &Drive::Position(lines(&points)), (places.len() - 1) as f64, step)
}

fn show(f: &Finding) {
    for e in &f.estimates {
        println!(
            "  {} = {:.6e} ± {:.2e} [{:.5e}, {:.5e}] {:?}",
            e.name, e.value, e.error, e.interval[0], e.interval[1], e.known
        );
    }
    for s in &f.scores {
        println!("  {} {:.4e}", s.key, s.value);
    }
    for r in &f.remarks {
        println!("  {:?}: {}", r.tone, r.text);
    }
    for t in &f.tables {
        println!("  {} {:?}", t.title, t.heads);
        for r in t.rows.iter().take(6) {
            println!("    {} {:?}", r.0, r.1.iter().map(|x| format!("{x:.4e}")).collect::<Vec<_>>());
        }
    }
}

#[test]
fn explore() {
    for (name, places) in [("nested", &NESTED[..]), ("full", &FULL[..])] {
        let clean = moved("hysteresis", &FLAT, places, 0.01);
        let now = std::time::Instant::now();
        println!("{name} clean");
        show(&find(&[clean.clone()], &Options::default()).unwrap());
        println!("{:?}", now.elapsed());
        let s = Sensors { position: 5e-7, quantum: 1e-6, acceleration: Some(0.0), force: 0.4 };
        let clean = Motion { acceleration: vec![0.0; clean.len()], ..clean };
        println!("{name} noisy");
        show(&find(&[measured(&clean, &s, 1)], &Options::default()).unwrap());
        println!("{:?}", now.elapsed());
    }
    for law in ["lugre", "gms", "dahl"] {
        println!("{law}");
        let clean = moved(law, &[], &NESTED.map(|x| 0.1 * x), 0.01);
        show(&find(&[clean.clone()], &Options::default()).unwrap());
    }
}
