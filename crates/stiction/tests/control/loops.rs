//! Loops as they are in practice: what each scenario of them shows.
use std::collections::HashMap;
use stiction::scenario::Scenario;
use stiction::sim::NullObserver;
use stiction::system::Signal;

/// The measures of a scenario.
fn measures(name: &str, set: &[&str]) -> HashMap<String, f64> {
    let scenario = Scenario::named(name, set).unwrap();
    let summary = scenario.simulation().unwrap().run(&scenario.options, &mut NullObserver).unwrap();
    scenario.measures.iter().cloned().zip(summary.probes.iter().map(|x| x.unwrap())).collect()
}

#[test]
fn furuta_swings_without_compensation_and_stays_within_the_residual_of_the_slides_with_it() {
    let alone = measures("a14", &[]);
    // a limit cycle: both sides alike, period after period
    assert!(alone["arm_max"] > 0.04 && (alone["arm_max"] + alone["arm_min"]).abs() < 1e-3 * alone["arm_max"]);
    assert!(alone["angle_max"] > 4e-3 && alone["period"] > 1.0);
    let exact = measures("a14-compensated", &[]);
    assert!(exact["arm_max"].abs() < 1e-6 && exact["angle_max"].abs() < 1e-6);
    // published: θ to 4e-3 rad, φ within ±0.06 rad. Through encoders the motion is irregular: over tolerances of 1e-7 to
    // 1e-10 the largest θ of 40 s is anywhere from 3.7e-3 to 4.5e-3
    let lab = measures("a14-encoder", &[]);
    let most = |high: &str, low: &str| lab[high].max(-lab[low]);
    assert!(most("angle_max", "angle_min") < 5e-3 && most("arm_max", "arm_min") < 0.06, "{lab:?}");
    assert!(most("arm_max", "arm_min") < 0.3 * alone["arm_max"], "{lab:?}");
    // encoders, not the model, leave that
    assert!(most("angle_max", "angle_min") > 1e-4);
}

#[test]
fn acceleration_feedback_makes_stick_slip_small() {
    let [alone, fed] = ["a15", "a15-acceleration"].map(|name| measures(name, &[])["angle_max"]);
    // friction counts a tenth; the accelerometer's filter leaves a little more
    assert!(fed < 0.15 * alone && fed > 0.05 * alone, "{fed} and {alone}");
}

#[test]
fn a_brake_half_way_is_learned() {
    let learns = measures("a13-brake", &["run.end=50"]);
    let fixed = measures("a13-brake", &["run.end=50", "controller.servo.adaptive-scale.gamma=0"]);
    // without adaptation the brake makes the error twenty times as large; with it, the rms after contains the transient of
    // learning only, and the largest error is that before the gains have followed
    assert!(fixed["rms_before"] < 5e-3 && fixed["rms_after"] > 0.1, "{fixed:?}");
    assert!(learns["rms_after"] < 0.05 * fixed["rms_after"], "{learns:?}");
    assert!(learns["worst_after"] < 0.2 * fixed["worst_after"], "{learns:?}");
}

#[test]
fn a_loop_bears_a_short_lag_and_not_a_long_one() {
    let half = 0.5 * 1.5339807878856412e-3;
    let short = measures("servo-lag", &[]);
    assert!(short["rms"] < half, "{short:?}");
    assert!(measures("servo-lag", &["controller.servo.lag=0.1"])["rms"] > 2.0 * half);
    // the lag is a first-order one: the force rises as 1 - exp(-t/lag) after a command that jumps
    let text = "[run]\nend = 0.03\n[body.b]\nmass = 1\n[controller.c]\non = 'b'\nperiod = 1\nreference = 1\nlag = 0.01\n\
                state-feedback = { kx = 2, kv = 0, ki = 0 }\n[measure]\nf = { at = 0.02, column = 'c-drive.u' }\n\
                v = { at = 0.03, column = 'b.v' }\nu = { at = 0.02, column = 'c.u' }";
    let scenario = Scenario::parse(text, "lag.toml".as_ref(), &[""; 0]).unwrap();
    let found = scenario.simulation().unwrap().run(&scenario.options, &mut NullObserver).unwrap().probes;
    let [f, v, u] = [0, 1, 2].map(|k| found[k].unwrap());
    assert_eq!(u, 2.0);
    // a linear system: what the default tolerance of 1e-8 leaves in some steps
    assert!((f - 2.0 * (1.0 - (-2.0_f64).exp())).abs() < 1e-8, "{f}");
    assert!((v - 2.0 * (0.03 - 0.01 * (1.0 - (-3.0_f64).exp()))).abs() < 1e-9, "{v}");
}

#[test]
fn an_encoder_on_the_load_of_a_soft_shaft_makes_it_unstable() {
    let motor = measures("servo-gear", &[]);
    assert!(motor["rms"] < 1e-3 && motor["twist"] < 5e-3, "{motor:?}");
    // it grows by itself, so that a short run tells
    assert!(measures("servo-gear", &["run.end=4", "controller.servo.measure=load"])["twist"] > 0.1);
    assert!(measures("servo-gear", &["controller.servo.feedforward.share=0"])["rms"] > 10.0 * motor["rms"]);
}

#[test]
fn friction_of_a_pneumatic_drive_follows_its_pressure() {
    let found = measures("pneumatic", &[]);
    // pushing against the load the seal is pressed more than coming back
    assert!(found["friction_max"] > 1.05 * -found["friction_min"], "{found:?}");
    let alone = measures("pneumatic", &["controller.servo.feedforward.share=0"]);
    assert!(found["rms_loaded"] < 0.25 * alone["rms_loaded"] && found["rms_free"] < 0.1 * alone["rms_free"]);
}

#[test]
fn a_stage_does_not_settle_by_its_integral() {
    use stiction::compensate::{CompensationMethod, CompensationStudy, compare};
    use stiction::scenario::{Template, embedded};
    let template = Template::parse(embedded::find("stage").unwrap().text, "stage.toml".as_ref(), &[""; 0]).unwrap();
    let methods = ["none", "feedforward", "observer"].map(|name| CompensationMethod::parse(name).unwrap()).to_vec();
    let study = CompensationStudy {
        methods,
        from: Some(4.4),
        band: Some(5e-6),
        factors: Vec::new(),
        ..CompensationStudy::default()
    };
    let found = compare(&template, &study).unwrap();
    let [alone, model, observer] = [0, 1, 2].map(|k| found.results[k].performance.unwrap());
    assert!(alone.settling.is_none() && alone.rms > 2e-5, "{alone:?}");
    for score in [model, observer] {
        assert!(score.settling.is_some() && score.rms < 2e-6 && score.hunting.is_none(), "{score:?}");
    }
}

#[test]
fn a_move_begins_and_ends_at_rest() {
    let go = Signal::MinimumJerk { before: 1.0, after: -2.0, start: 0.5, time: 2.0 };
    assert_eq!([go.at(0.0), go.at(0.5), go.at(1.5), go.at(2.5), go.at(9.0)], [1.0, 1.0, -0.5, -2.0, -2.0]);
    for t in [0.5, 2.5] {
        let [_, v, a, _] = go.eval(t, 0.5 + 1e-9);
        // 1e-9 s beyond the corner, where the acceleration rises by 22 m/s³
        assert!(v.abs() < 1e-8 && a.abs() < 1e-7, "{v} and {a} at {t}");
    }
    // each derivative is the difference quotient of the one before; its error is h² of the next but one
    let h = 1e-5;
    for t in [0.7, 1.1, 2.3] {
        let [before, at, after] = [t - h, t, t + h].map(|t| go.eval(t, t));
        for k in 0..3 {
            let slope = (after[k] - before[k]) / (2.0 * h);
            assert!((slope - at[k + 1]).abs() < 1e-6 * (1.0 + at[k + 1].abs()), "derivative {k} at {t}");
        }
    }
    assert_eq!((go.next_breakpoint(0.0), go.next_breakpoint(1.0), go.next_breakpoint(3.0)), (0.5, 2.5, f64::INFINITY));
    assert!(go.integral(0.0).is_none());
}
