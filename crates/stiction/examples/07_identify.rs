//! From a log to a law: an axis is moved, its force is logged, and the friction comes back with its errors.
//!
//! Run: `cargo run -p stiction --example 07_identify`
use std::f64::consts::TAU;
use stiction::Error;
use stiction::core::Input;
use stiction::data::{DataFile, ReadOptions};
use stiction::fit::Random;
use stiction::identify::sliding::{self, SlidingLaw, SlidingOptions};
use stiction::identify::{ColumnRoles, Preparation, prepare};

/// What is to be found: mass [kg], Coulomb level [N], viscous coefficient [N·s/m].
const TRUTH: [(&str, f64); 3] = [("mass", 3.0), ("fc", 10.0), ("fv", 50.0)];

/// Half a minute at 200 Hz; force with a noise of 0.2 N.
fn log() -> String {
    let [(_, mass), (_, fc), (_, fv)] = TRUTH;
    let mut random = Random::new(1);
    let mut out = String::from("t [s],x [m],force [N]\n");
    for k in 0..6000 {
        let t = f64::from(k) / 200.0;
        let [mut x, mut v, mut a] = [0.0; 3];
        for (size, hertz) in [(0.05, 0.13), (0.03, 0.71)] {
            let (sin, cos) = (TAU * hertz * t).sin_cos();
            x -= size / (TAU * hertz) * cos;
            v += size * sin;
            a += size * TAU * hertz * cos;
        }
        out += &format!("{t},{x},{}\n", mass * a + fc * v.signum() + fv * v + 0.2 * random.normal());
    }
    out
}

fn main() -> Result<(), Error> {
    let table = DataFile::from_bytes("log.csv", log().as_bytes(), &ReadOptions::default())?;
    let raw = ColumnRoles::default().read(&table)?; // which column is what, by its name
    let (motions, _) = prepare(&raw, &Preparation::default())?; // even, smooth, differentiated
    let found =
        sliding::identify(&motions, &SlidingOptions { curve: Some(SlidingLaw::Viscous), ..SlidingOptions::default() })?;

    for e in &found.estimates {
        println!("{:7} {:9.4} ± {:.4} {}", e.name, e.value, e.error, e.unit);
    }
    for (name, truth) in TRUTH {
        let e = found.estimates.iter().find(|e| e.name == name).expect("an estimate");
        // within four standard errors: chance is off by more once in 16 000 logs, and this one is always the same
        assert!((e.value - truth).abs() < 4.0 * e.error, "{name}: {} ± {}", e.value, e.error);
    }
    // the law runs wherever a law does
    let law = found.law.expect("a law").build()?;
    assert!((law.steady(&Input::at(0.02)) - 11.0).abs() < 0.1);
    Ok(())
}
