//! Describing functions against closed forms, and harmonic balance against a case that can be solved by hand.
use crate::rig;
use std::f64::consts::PI;
use stiction::analysis::describing_function::{LinearPlant, approximate_gain, describe, grid, harmonic_balance};
use stiction::scenario::Scenario;

/// Coulomb 4Fc/(πV), viscous c; for |v|^γ, Fv·V^(γ−1)·2/√π·Γ(γ/2 + 1)/Γ((γ + 3)/2).
#[test]
fn laws_of_speed_have_their_textbook_gains() {
    for (x, omega) in [(1e-6, 1.0), (1e-3, 7.0), (0.2, 0.1)] {
        let n = describe(&rig("coulomb", &[("fc", 3.0)]), x, omega).unwrap();
        let v = n.on_velocity();
        // rows 1/2001 of a cycle apart, a cubic through them
        assert!((v.re * PI * x * omega / 12.0 - 1.0).abs() < 1e-9 && v.im.abs() < 1e-9 * v.re, "{n:?}");
        // a square wave
        assert!((n.third - 1.0 / 3.0).abs() < 1e-8, "{n:?}");
        let n = describe(&rig("viscous", &[("fv", 0.7)]), x, omega).unwrap();
        // the same cubics
        assert!((n.on_velocity().re / 0.7 - 1.0).abs() < 1e-9 && n.third < 1e-9, "{n:?}");
    }
    // γ = 1/2: Γ(5/4)/Γ(7/4)·2/√π = 1.112837..., by tables: Γ(1.25) = 0.9064024771, Γ(1.75) = 0.9190625268
    let n = describe(&rig("viscous", &[("gamma", 0.5)]), 0.5, 2.0).unwrap();
    let exact = 2.0 / PI.sqrt() * 0.906_402_477_1 / 0.919_062_526_8;
    // the root bends without end where it turns: rows there carry an error of 1e-5
    assert!((n.on_velocity().re / exact - 1.0).abs() < 1e-4, "{n:?} {exact}");
}

#[test]
fn bristles_are_springs_for_small_swings_and_coulomb_friction_for_large_ones() {
    let dahl = rig("dahl", &[]);
    // σ = 1e4, Fc = 1, length 1e-4: to first order in X/length the spring is σ
    let small = describe(&dahl, 1e-8, 1.0).unwrap();
    assert!((small.gain.re / 1e4 - 1.0).abs() < 1e-4 && small.gain.im < 1e-3 * small.gain.re, "{small:?}");
    let large = describe(&dahl, 1.0, 1.0).unwrap();
    // the knee takes (length/X)·ln 2 or so of a half cycle
    assert!((large.gain.im * PI / 4.0 - 1.0).abs() < 1e-3, "{large:?}");
    // an elastic range is a spring with a damper, exactly: σ0 + jω(σ1 + σ2)
    let n = describe(&rig("elasto-plastic", &[]), 1e-6, 50.0).unwrap();
    // cubics through 2000 rows of a circle
    assert!((n.gain.re / 1e5 - 1.0).abs() < 1e-8 && (n.gain.im / (50.0 * 316.627_766_016_837_96) - 1.0).abs() < 1e-8);
}

#[test]
fn the_quick_gain_has_three_digits() {
    for (law, x, omega) in [("coulomb", 1e-3, 1.0), ("lugre", 1e-4, 10.0), ("gms", 1e-5, 1.0), ("dahl", 1e-4, 3.0)] {
        let rig = rig(law, &[]);
        let [fine, quick] = [
            describe(&rig, x, omega).unwrap().gain,
            approximate_gain(rig.spec.build().unwrap().as_ref(), 1.0, x, omega),
        ];
        // 256 samples a period
        assert!((quick - fine).abs() < 2e-3 * fine.abs(), "{law}: {quick:?} {fine:?}");
    }
}

#[test]
fn a_grid_is_in_the_order_of_its_axes() {
    let rows = grid(&rig("viscous", &[]), &[1e-3, 1e-2], &[1.0, 2.0, 3.0]).unwrap();
    assert_eq!(rows.len(), 2);
    let places: Vec<_> = rows[1].iter().map(|d| (d.amplitude, d.omega)).collect();
    assert_eq!(places, [(1e-2, 1.0), (1e-2, 2.0), (1e-2, 3.0)]);
}

const UNSTABLE: &str = r#"
    [run]
    end = 5
    [body.cart]
    mass = 2
    [spring.tie]
    between = ["cart", "ground"]
    stiffness = 50
    [contact.rail]
    between = ["cart", "ground"]
    law = "coulomb"
    fc = 3
    [control.servo]
    on = "cart"
    measure = ["cart.x", "cart.v"]
    gains = [0, -0.8]
"#;

/// A controller that pushes along, Coulomb friction against it: small swings fade, large ones grow, and in between
/// 4Fc/(πX) = c·ω with ω = √(k/m): an unstable cycle, as Loeb says.
#[test]
fn balance_finds_the_unstable_cycle_between_friction_and_a_pushing_controller() {
    let scenario = Scenario::parse(UNSTABLE, "push.toml".as_ref(), &[""; 0]).unwrap();
    let plant = LinearPlant::new(&scenario.system, 0.0).unwrap();
    // 1/(k − mω² − jcω)
    let g = plant.compliance(2.0);
    let (re, im) = (50.0 - 8.0, -0.8 * 2.0);
    let size: f64 = re * re + im * im;
    // a quotient: rounding
    assert!((g.re - re / size).abs() < 1e-12 && (g.im + im / size).abs() < 1e-12, "{g:?}");
    let found = harmonic_balance(&scenario).unwrap();
    assert_eq!(found.predictions.len(), 1, "{:?}", found.predictions);
    let p = &found.predictions[0];
    let omega = 5.0;
    let amplitude = 4.0 * 3.0 / (PI * 0.8 * omega);
    // the quick gain that is balanced is good to 1e-4
    assert!((p.at.omega / omega - 1.0).abs() < 1e-3 && (p.at.amplitude / amplitude - 1.0).abs() < 1e-3, "{p:?}");
    assert!(!p.stable && p.residual < 1e-2);
    // from rest it stays at rest
    assert!(found.simulated.is_none());
}

/// The slides' servo hunts at 24.4368 s, yet no sine balances: the integral that drives it grows while the contact rests.
#[test]
fn balance_misses_the_hunting_of_the_slides() {
    let found = harmonic_balance(&Scenario::named("a12", &[""; 0]).unwrap()).unwrap();
    assert!(found.predictions.is_empty() && found.nearest[2] > 0.05, "{found:?}");
    let cycle = found.simulated.unwrap();
    // published with six and three digits
    assert!((cycle.period - 24.4368).abs() < 1e-4 && (cycle.amplitude.unwrap() - 0.0639).abs() < 5e-5, "{cycle:?}");
    assert!(cycle.still > 0.5);
}

#[test]
fn what_is_no_loop_is_refused() {
    // a hand that goes on pulling
    let scenario = Scenario::named("a7", &[""; 0]).unwrap();
    let error = harmonic_balance(&scenario).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("a prescribed motion moves it"), "{error}");
}
