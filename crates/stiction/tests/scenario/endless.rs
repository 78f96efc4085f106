//! Runs that did not end: elastic bounces against a stop, slowed by laws whose friction grows with the speed.
use std::path::Path;
use stiction::scenario::Scenario;
use stiction::sim::Trace;

/// Runs a scenario, and checks that the body is at rest at the end of its range.
fn assert_rests_at(text: &str, x: f64) {
    let scenario = Scenario::parse(text, Path::new("test.toml"), &[""; 0]).expect("a scenario");
    let simulation = scenario.simulation().expect("a system");
    let mut trace = Trace::default();
    let summary = simulation.run(&scenario.options, &mut trace).expect("a run to the end");
    assert_eq!((summary.last("b0.x"), summary.last("b0.v")), (Some(x), Some(0.0)));
    // local errors of some thousand steps
    let (energy, rtol) = (summary.energy, scenario.options.rtol);
    assert!(energy.error().abs() < 100.0 * rtol * energy.size(), "{energy:?}");
    // the end of the flights takes no more energy than their height is worth, a quarter of the tolerance of the position, with
    // the force that presses; it is less than the largest energy per metre of travel
    assert!(energy.impact >= -rtol * energy.size() && energy.impact < rtol * energy.size(), "{energy:?}");
}

#[test]
fn elastic_bounces_slowed_by_a_slip_variable_end() {
    let text = r#"
[run]
end = 0.69
rtol = 1e-8
max_steps = 20000
[body.b0]
mass = 0.9932493209594306
[stop.p0]
between = ["b0", "ground"]
lo = -0.3458039375903502
hi = 0.399845122186575
restitution = 1
[contact.c0]
between = ["b0", "ground"]
law = "slip-variable"
fs = 40.670881819751386
fc = 31.71943136534325
fv = 0
ks = 1991.565086195523
ds = 210.2223478977237
tau_lag = 0.0029099903077372787
tau_reset = 0.0008729970923211836
vs = 0.09232924826971203
[force.f0]
on = "b0"
force = 38.71758397525745
"#;
    assert_rests_at(text, 0.399845122186575);
}

#[test]
fn elastic_bounces_slowed_by_a_saturated_coulomb_law_end() {
    let text = r#"
[run]
end = 0.018
rtol = 1e-9
max_steps = 20000
[body.b0]
mass = 1
[spring.s0]
between = ["b0", "ground"]
stiffness = 3.5446377640684985e7
rest = 0.13509732699288235
[stop.p0]
between = ["b0", "ground"]
lo = -0.012083045491486014
hi = 0.03291998896704807
restitution = 1
[contact.c0]
between = ["b0", "ground"]
law = "coulomb-sat"
fc = 364975.40386145125
ksat = 30.756017891456388
"#;
    assert_rests_at(text, 0.03291998896704807);
}

#[test]
fn elastic_bounces_slowed_by_lugre_bristles_end() {
    let text = r#"
[run]
end = 0.37
rtol = 1e-8
max_steps = 20000
[body.b0]
mass = 0.026
[spring.s0]
between = ["b0", "ground"]
stiffness = 8.6
rest = 0.65
[stop.p0]
between = ["b0", "ground"]
lo = -0.81
hi = 0.46
restitution = 1
[contact.c0]
between = ["b0", "ground"]
law = "lugre"
fc = 1.2
fs = 2.1
vs = 0.021
exponent = 2
sigma0 = 520
sigma1 = 21
sigma2 = 0
"#;
    assert_rests_at(text, 0.46);
}
