//! Equilibria against what can be worked out by hand.
use crate::{near, scenario};
use stiction::analysis::equilibrium::{Equilibrium, find};
use stiction::analysis::stability_over_speed::{StabilityChangeKind, stability_changes};
use stiction::scenario::Scenario;

fn equilibria(name: &str, set: &[&str]) -> Vec<Equilibrium> {
    let scenario = scenario(name, set);
    find(&scenario.system, scenario.options.end).expect("equilibria")
}
#[test]
fn sliding_of_the_slides_has_their_polynomial_and_their_critical_speed() {
    // Astrom2008: m = 1, k = 1, v = 0.3; a1, a2, a3 written out
    let (k, m, s0) = (1.0, 1.0, 3000.0_f64);
    let (s1, s2, v, vs) = (2.0 * (m * s0).sqrt(), 0.2, 0.3_f64, 0.1);
    let g = 0.001 + 0.001 * (-v / vs).exp();
    let by_v = -0.001 / vs * (-v / vs).exp();
    // z settles at g: the rate of z has the derivatives v·g'/g by v and −v/g by z
    let (c, d) = (v * by_v / g, v / g);
    let a1 = (s1 * c + s2) / m + d;
    let a2 = k / m + (s0 * c + s2 * d) / m;
    let a3 = k * d / m;
    let found = equilibria("a11", &[]);
    assert_eq!(found.len(), 1);
    let answer = &found[0].local_stability[0];
    for (got, wanted) in answer.polynomial[1..].iter().zip([a1, a2, a3]) {
        // derivatives by dual numbers; coefficients of a polynomial from its roots
        near(*got, wanted, 1e-11);
    }
    // the product of two determinants' terms, with the rounding of a2
    near(answer.hurwitz[1], a1 * a2 - a3, 1e-10);
    assert!(!found[0].stable);

    let mut a11 = scenario("a11", &[]);
    let found = stability_changes(&mut a11.system, 40.0, (1e-3, 10.0)).expect("changes");
    let slope_zero = vs * (s0 * 0.001 / (vs * s2)).ln();
    let rises: Vec<f64> =
        found.iter().filter(|c| matches!(c.what, StabilityChangeKind::Rises(_))).map(|c| c.v).collect();
    // a root found to rounding
    near(rises[0], slope_zero, 1e-12);
    let stable: Vec<f64> = found.iter().filter(|c| c.what == StabilityChangeKind::Stable).map(|c| c.v).collect();
    // "stable for v > 0.501"
    assert_eq!(stable.len(), 1);
    // printed with five digits
    near(stable[0], 0.50107, 2e-5);
}

#[test]
fn a_block_on_a_spring_sticks_within_the_friction_over_the_stiffness() {
    let found = equilibria("b1", &[]);
    assert_eq!(found.len(), 1);
    // wall at 0.1, friction 0.981 N, spring 100 N/m
    let (_, _, lo, hi) = &found[0].set[0];
    // a linear system: rounding
    near(*lo, 0.1 - 0.00981, 1e-12);
    near(*hi, 0.1 + 0.00981, 1e-12);
    assert!(found[0].stable && found[0].local_stability[0].states.is_empty(), "nothing can move");
}

#[test]
fn a_stuck_bristle_is_a_spring_with_a_damper() {
    // lugre at rest: m x'' + (sigma1 + sigma2) x' + (sigma0 + k) x = 0
    let found = equilibria("b11", &[]);
    let (frequency, damping) = found[0].local_stability[0].oscillations()[0];
    // sigma1 as the scenario has it, to ten digits
    let k = 0.981e5 + 100.0;
    // a linear system and its eigenvalues: rounding
    near(frequency, f64::sqrt(k), 1e-12);
    near(damping, 313.2091953 / (2.0 * f64::sqrt(k)), 1e-12);
}

#[test]
fn an_integrator_rests_anywhere_within_the_friction() {
    // the servo rests at its reference with any integral whose force the friction can carry
    let found = equilibria("a12", &[]);
    let rest = found.iter().find(|e| e.contacts[0].v == 0.0).expect("rest");
    let (name, _, lo, hi) = &rest.set[1];
    assert_eq!(name, "servo.integral");
    // and hunts nevertheless: x - z stays as it is, which is an eigenvalue of zero, and says nothing of a large swing
    assert_eq!((rest.local_stability[0].neutral(), rest.undecided), (1, true));
    assert!(!equilibria("b11", &[])[0].undecided);
    // ki 4, Fs 1.5
    // a linear system: rounding
    near(*hi - *lo, 2.0 * 1.5 / 4.0, 1e-12);
    let (_, _, lo, hi) = &rest.set[0];
    // the same
    near(*lo, 1.0, 1e-12);
    near(*hi, 1.0, 1e-12);
}

#[test]
fn a_constant_force_may_rest_or_slide() {
    // a6: lugre with mu m g = 3 N, Fs = 6 N, vs 0.1, no viscous part: 4 N is carried at rest, and balanced in sliding at
    // 3 (1 + exp(-v/vs)) = 4, where a push grows
    let found = equilibria("a6", &["force.push.force=4"]);
    let slides: Vec<_> = found.iter().filter(|e| e.contacts[0].v != 0.0).collect();
    assert_eq!(slides.len(), 1, "{found:?}");
    // a root found to rounding; forces balance there
    near(slides[0].contacts[0].v, 0.1 * 3f64.ln(), 1e-12);
    assert!(!slides[0].stable);
    let rest = found.iter().find(|e| e.contacts[0].v == 0.0).expect("rest");
    near(rest.contacts[0].force, 4.0, 1e-12);
    assert!(rest.stable);
    // beyond Fs nothing holds it
    assert!(equilibria("a6", &["force.push.force=7"]).is_empty());
}

/// Where a gap is open there is no stiffness, and where it is closed another: an equilibrium of the one is none of the other.
#[test]
fn a_gap_is_refused() {
    let scenario = scenario("buffer", &[]);
    let error = find(&scenario.system, scenario.options.end).expect_err("refused").to_string();
    assert!(error.contains("'buffer' has a gap"), "{error}");
}

fn written(text: &str) -> Vec<Equilibrium> {
    let none: [&str; 0] = [];
    let scenario = Scenario::parse(text, "written.toml".as_ref(), &none).expect("a scenario");
    find(&scenario.system, scenario.options.end).expect("equilibria")
}

/// Gains 3 and 6 and a feed-forward of 0.5: it rests where 3 (1 − x) + 0.5 = 0.
#[test]
fn a_servo_without_integral_gain_has_no_integral() {
    let found = written(
        "[run]\nend = 5\n[body.cart]\nmass = 1\nx = 0.3\n[contact.oil]\nbetween = [\"cart\", \"ground\"]\nlaw = \"viscous\"\n\
         fv = 0.4\n[control.servo]\non = \"cart\"\nmeasure = [\"cart.x\", \"cart.v\"]\ngains = [3, 6]\nreference = 1\nextra = 0.5\n",
    );
    assert_eq!(found.len(), 1);
    assert!(found[0].stable && !found[0].undecided);
    // a linear system: rounding
    near(found[0].state.y[0], 7.0 / 6.0, 1e-12);
    for (got, wanted) in found[0].local_stability[0].polynomial.iter().zip([1.0, 6.4, 3.0]) {
        near(*got, wanted, 1e-12);
    }
}

/// A force of 2 N on the second of two bodies that a spring connects, friction 0.4 N·s/m on the first: they slide at 5 m/s, stretched by 2/100 m.
#[test]
fn connected_bodies_that_nothing_holds_slide_together() {
    let found = written(
        "[run]\nend = 5\n[body.a]\nmass = 1\n[body.b]\nmass = 2\n[spring.s]\nbetween = [\"a\", \"b\"]\nstiffness = 100\ndamping = 1\n\
         [contact.oil]\nbetween = [\"a\", \"ground\"]\nlaw = \"viscous\"\nfv = 0.4\n[force.f]\non = \"b\"\nforce = 2\n",
    );
    assert_eq!(found.len(), 1);
    assert!(found[0].stable);
    let y = &found[0].state.y;
    near(y[1] - y[0], 0.02, 1e-12);
    near(y[2], 5.0, 1e-12);
    near(y[3], 5.0, 1e-12);
    // in the distance r and both speeds: s³ + (0.4 + 1 + 0.5) s² + (150 + 0.2) s + 100·0.4/2
    for (got, wanted) in found[0].local_stability[0].polynomial.iter().zip([1.0, 1.9, 150.2, 20.0]) {
        near(*got, wanted, 1e-11);
    }
}

/// Sliding with a friction that does not depend on the speed: no damping, whatever mass and stiffness. With a damper of a millionth of the
/// critical damping it is stable, and with a falling curve of that size it is not.
#[test]
fn an_undamped_oscillation_is_neither_stable_nor_unstable() {
    for (k, m) in [(1.0, 1.0), (3.0, 0.7), (7.3, 1.9), (123.4, 0.01), (1e6, 3.3)] {
        let verdict = |fv: f64, fs: f64| {
            let found = written(&format!(
                "[run]\nend = 5\n[body.b]\nmass = {m}\n[motion.belt]\nvelocity = 0.3\n[spring.s]\nbetween = [\"b\", \"ground\"]\n\
                 stiffness = {k}\n[contact.c]\nbetween = [\"b\", \"belt\"]\nlaw = \"stribeck\"\nfc = 1\nfs = {fs}\nvs = 0.3\nexponent = 1\nfv = {fv}\n"
            ));
            let slides: Vec<_> = found.iter().filter(|e| e.contacts[0].v != 0.0).collect();
            assert_eq!(slides.len(), 1, "k {k}, m {m}");
            (slides[0].stable, slides[0].undecided)
        };
        let damping = 1e-6 * 2.0 * f64::sqrt(k * m);
        assert_eq!(verdict(0.0, 1.0), (true, true), "k {k}, m {m}");
        assert_eq!(verdict(damping, 1.0), (true, false), "k {k}, m {m}");
        // the slope of fs − fc over vs at v = vs is 1/e of it
        let falls = damping * 0.3 * std::f64::consts::E;
        assert_eq!(verdict(0.0, 1.0 + falls), (false, false), "k {k}, m {m}");
    }
}
