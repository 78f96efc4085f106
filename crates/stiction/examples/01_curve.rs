//! The steady curve of a law chosen by name, with parameters set by name. Prints CSV.
//!
//! Run: `cargo run -p stiction --example 01_curve`
use stiction::{Error, Spec, core::Input};

fn main() -> Result<(), Error> {
    let mut spec = Spec::new("stribeck")?;
    spec.set("fc", 1.0)?.set("fs", 1.5)?.set("vs", 0.1)?.set("exponent", 1.0)?.set("fv", 0.4)?;
    spec.set("reverse.fc", 1.2)?; // for v < 0; every other value is as forwards
    let law = spec.build()?;

    println!("v [m/s],force [N]");
    for v in [-0.2, -0.1, -0.01, 0.01, 0.1, 0.2] {
        println!("{v},{}", law.steady(&Input::at(v)));
    }

    // Andersson et al. 2007, eq. (10), by crates/stiction-core/tests/reference/values.py
    assert!((law.steady(&Input::at(0.2)) - 1.14766764161831).abs() < 1e-12);
    // 0.2 N more in reverse, less what the smaller Stribeck excess takes back: 0.2 (1 - e^-2)
    assert!(law.steady(&Input::at(-0.2)) < -1.3);
    Ok(())
}
