//! Experiments without a number to compare with: what can be said of them all the same.
use std::collections::HashMap;
use stiction::figures;

fn values(id: &str) -> HashMap<String, f64> {
    let experiment = figures::all().find(|experiment| experiment.id == id).expect("an experiment");
    let outcome = (experiment.run)().expect("an outcome");
    outcome.values.into_iter().map(|value| (value.key, value.value)).collect()
}

#[test]
fn g3_an_adaptive_method_is_held_up_at_the_stop() {
    let found = values("G3");
    // as ode45 it arrives, with steps of far less than the 6 ms it may take
    assert_eq!(found["ode45.t_end"], 0.06);
    assert!(found["ode45.step_after"] < 6e-3 / 20.0, "{found:?}");
    // tightly it does not: the jump of the force within a step must stay below the tolerance of the velocity, near 1e-11
    assert!(found["tight.t_end"] < 0.0502, "{found:?}");
    assert!(found["tight.step_after"] < 1e-8, "{found:?}");
}

#[test]
fn b10_noise_has_its_deviation_and_frequency() {
    let found = values("B10");
    // 50 s of 50 Hz are some 5000 independent values: 1 % is one standard error of the deviation, 4 % are four
    assert!((found["deviation"] / 0.1 - 1.0).abs() < 0.04, "{found:?}");
    assert!((found["frequency"] / 50.0 - 1.0).abs() < 0.04, "{found:?}");
    // Fc + fv v, far above vs; the noise has next to no power at low frequencies, so its mean is small
    assert!((found["mean"] - 1.04).abs() < 1e-3, "{found:?}");
}

#[test]
fn b5_rings_below_the_stiffness_of_its_bristles() {
    // sqrt((Fmax/delta + k)/m), less the softening of a contact that carries half its force
    let stiff = (0.981_f64 / 1e-5 + 100.0).sqrt();
    let found = values("B5")["small.ringing"];
    assert!(found < stiff && found > stiff * 0.5_f64.sqrt(), "{found} below {stiff}");
}

#[test]
fn b1_a_step_too_small_moves_nothing() {
    assert_eq!(values("B1")["small.x(3)"], 0.0);
}
