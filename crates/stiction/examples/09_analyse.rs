//! What a system with friction does in the long run: where it can stay, the cycle it falls into, the loop of its law.
//!
//! Run: `cargo run --release -p stiction --example 09_analyse`
use stiction::analysis::hysteresis::{HarmonicMotion, drive_harmonic};
use stiction::analysis::test_rig::TestRig;
use stiction::analysis::{cycle, equilibrium};
use stiction::scenario::Scenario;
use stiction::{Error, Spec};

fn main() -> Result<(), Error> {
    // a block pulled through a spring
    let scenario = Scenario::named("a7", &[""; 0])?;
    let even = equilibrium::find(&scenario.system, scenario.options.end)?;
    println!(
        "it could slide evenly: {}, but that is {}",
        even.len(),
        if even[0].stable { "stable" } else { "unstable" }
    );
    let found = cycle::find(&scenario)?;
    let [stick, slip] = [found.stick_slip[0].stick, found.stick_slip[0].slip];
    println!("it sticks for {stick:.4} s and slips for {slip:.4} s: a period of {:.6} s", found.period);
    assert!(!even[0].stable && found.stable);
    // the period that other solvers give, crates/stiction/tests/reference/figures.csv
    assert!((found.period - 4.63855268794).abs() < 1e-6);
    assert!((stick + slip - found.period).abs() < 1e-9);

    // Dahl's bristles to and fro: a loop whose area is the work it takes
    let driven = drive_harmonic(&TestRig::new(&Spec::new("dahl")?), &HarmonicMotion::new(1e-3))?;
    let points = driven.points();
    let work: f64 = points.windows(2).map(|p| 0.5 * (p[0].1 + p[1].1) * (p[1].0 - p[0].0)).sum();
    println!("a loop of ±1 mm takes {:.3} mJ a turn", 1e3 * work);
    // no more than sliding at the full level of 1 N, there and back
    assert!(work > 0.0 && work < 4e-3);
    Ok(())
}
