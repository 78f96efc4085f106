//! Analysis of laws and of simulated runs.
mod breakaway;
mod cycle;
mod describe;
mod drive;
mod energy;
mod equilibrium;
mod hysteresis;
#[path = "../../../../tests/common/law.rs"]
mod law;
mod phenomena;

use law::law;
use stiction::Spec;
use stiction::analysis::test_rig::TestRig;
use stiction::scenario::Scenario;

/// A rig with a contact of this law.
fn rig(name: &str, values: &[(&str, f64)]) -> TestRig {
    TestRig::new(&law(name, values))
}

/// An embedded scenario with these assignments.
fn scenario(name: &str, set: &[&str]) -> Scenario {
    Scenario::named(name, set).expect("a scenario")
}

#[track_caller]
fn near(got: f64, expected: f64, relative: f64) {
    assert!((got - expected).abs() <= relative * expected.abs(), "{got} is not {expected}");
}
