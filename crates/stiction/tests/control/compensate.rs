//! Methods of compensation side by side.
use stiction::compensate::{
    Comparison, CompensationMethod, CompensationStudy, alternating_jumps, chatter_rms, compare, hunting,
    scale_law_forces, settling,
};
use stiction::core::Input;
use stiction::scenario::{Template, embedded};
use stiction::{Error, Spec};

fn template(name: &str, set: &[&str]) -> Template {
    Template::parse(embedded::find(name).unwrap().text, format!("{name}.toml").as_ref(), set).unwrap()
}
fn methods(names: &str) -> Vec<CompensationMethod> {
    names.split(',').map(|name| CompensationMethod::parse(name).unwrap()).collect()
}
fn study(names: &str, factors: &[f64]) -> CompensationStudy {
    CompensationStudy { methods: methods(names), factors: factors.to_vec(), ..CompensationStudy::default() }
}
fn rms(found: &Comparison, k: usize) -> f64 {
    found.results[k].performance.unwrap().rms
}

#[test]
fn the_exact_model_cuts_the_error_and_so_does_one_that_is_ten_percent_off() {
    // the servo of a12, following a sine; in the second half the integral has forgotten the start
    let servo = template("a13-adaptive", &["run.end=14"]);
    let found = compare(&servo, &study("none,feedforward", &[0.9, 1.0, 1.1])).unwrap();
    let (alone, row) = (rms(&found, 0), &found.results[1]);
    assert_eq!(row.robustness.iter().map(|p| p.0).collect::<Vec<_>>(), [0.9, 1.0, 1.1]);
    assert_eq!(row.robustness[1].1, row.performance.map(|s| s.rms));
    for (factor, rms) in &row.robustness {
        assert!(rms.unwrap() < alone / 4.0, "×{factor}: {rms:?} against {alone}");
    }
    assert!(
        found.results[0].robustness.is_empty() && found.results[0].worst().is_none(),
        "nothing is known, so nothing is off"
    );
    assert!(row.worst().unwrap().1 > row.performance.unwrap().rms);
    // the reference turns: swings of the error are its own
    assert!(!found.task.is_steady() && row.performance.unwrap().hunting.is_none());
    // what was run can be run again
    assert!(row.text.contains("feedforward") && !found.results[0].text.contains("feedforward"));
    assert!(Template::parse(&row.text, "again.toml".as_ref(), &[""; 0]).unwrap().build().is_ok());
}

#[test]
fn dither_and_a_disturbance_observer_end_hunting_at_low_speed() {
    let found = compare(&template("servo-slow", &[]), &study("none,dob,dither", &[])).unwrap();
    let count = found.task.servo.quantum;
    let [alone, dob, dither] = [0, 1, 2].map(|k| found.results[k].performance.unwrap());
    // below the rms of quantisation itself, count/√12 = 0.29 counts
    assert!(dither.hunting.is_none() && dither.rms < 0.25 * count, "{dither:?}");
    let hunts = alone.hunting.unwrap();
    // hunting that the encoder sees: more than a count, and far slower than the loop
    assert!(hunts.amplitude > count && hunts.period > 1.0, "{hunts:?}");
    assert!(dob.hunting.is_none() && !dob.is_inconclusive() && !dither.is_inconclusive());
    // half of it is too short to tell: the error turns once or twice
    let short =
        compare(&template("servo-slow", &["run.end=6"]), &CompensationStudy { from: Some(4.0), ..study("none", &[]) });
    let short = short.unwrap().results[0].performance.unwrap();
    assert!(short.hunting.is_none() && short.is_inconclusive(), "{short:?}");
    assert!(dob.rms < 0.5 * count && alone.rms > count, "{} and {} of {count}", dob.rms, alone.rms);
    // they pay with a command that is less quiet
    assert!(alone.command_change_rms < dob.command_change_rms && dob.command_change_rms < dither.command_change_rms);
    assert!(found.results[1].stability.iter().any(|(part, v)| *part == "disturbance-observer" && v.holds));
}

/// Samples at 1 kHz over ten seconds.
fn samples(x: impl Fn(f64) -> f64) -> (Vec<f64>, Vec<f64>) {
    let t: Vec<f64> = (0..10_000).map(|k| f64::from(k) * 1e-3).collect();
    let x = t.iter().map(|t| x(*t)).collect();
    (t, x)
}

#[test]
fn hunting_is_found_with_its_amplitude_and_period() {
    let (t, x) = samples(|t| 0.3 + 2e-3 * (std::f64::consts::TAU * t / 1.7).sin());
    let found = hunting(&t, &x, 1e-3).unwrap();
    // a sample may miss the top: amplitude to (π·1 ms/1.7 s)²/2, period to a sample over ten turns
    assert!((found.amplitude / 2e-3 - 1.0).abs() < 1e-5 && (found.period - 1.7).abs() < 1e-3, "{found:?}");
    // of twelve extremes the last, at 9.775 s, is not yet left by a count
    assert_eq!(found.turns, 11);
    // stick and jump: a saw of one count and a half
    let (t, x) = samples(|t| 1.5e-3 * (t / 2.0).fract());
    let saw = hunting(&t, &x, 1e-3).unwrap();
    // to a sample: 1 ms of the ramp is 0.75e-6, and a period has one at either end
    assert!((saw.amplitude - 0.75e-3).abs() < 1e-6 && (saw.period - 2.0).abs() < 2e-3, "{saw:?}");
}

#[test]
fn what_stays_within_a_count_or_dies_out_is_no_hunting() {
    let none = |x: &dyn Fn(f64) -> f64| {
        let (t, x) = samples(x);
        assert_eq!(hunting(&t, &x, 1e-3), None);
    };
    none(&|t| 0.4e-3 * (9.0 * t).sin());
    none(&|t| 0.1 * (-2.0 * t).exp() * (9.0 * t).sin());
    none(&|t| 0.1 * (-0.3 * t).exp() * (9.0 * t).sin());
    none(&|t| t);
    none(&|_| 0.0);
    // it swung for two seconds, and rests
    none(&|t| if t < 2.0 { (9.0 * t).sin() } else { (18.0_f64).sin() });
    assert_eq!(hunting(&[], &[], 1.0), None);
}

#[test]
fn settling_is_the_last_time_out_of_the_band() {
    let t = [1.0, 2.0, 3.0, 4.0];
    assert_eq!(settling(&t, &[3.0, 0.1, 2.0, 0.1], 1.0), Some(3.0));
    assert_eq!(settling(&t, &[0.1, -0.1, 0.0, 1.0], 1.0), Some(0.0));
    assert_eq!(settling(&t, &[0.0, 0.0, 0.0, -2.0], 1.0), None);
}

#[test]
fn a_shake_is_what_is_faster_than_the_loop() {
    // a sine of 50 samples to a period on a slow ramp: over 200 samples both vanish from the mean but for the ends
    let (_, u) = samples(|t| 0.1 * t + 3.0 * (std::f64::consts::TAU * t / 0.05).sin());
    // a mean over four periods leaves the ends of the window, a hundredth
    assert!((chatter_rms(&u, 200.0) / (3.0 / 2.0_f64.sqrt()) - 1.0).abs() < 0.02, "{}", chatter_rms(&u, 200.0));
    let (_, slow) = samples(|t| 0.1 * t);
    // at the two ends the window is cut, and the mean is off by up to 50 ms of ramp
    assert!(chatter_rms(&slow, 200.0) < 5e-3, "{}", chatter_rms(&slow, 200.0));
    assert_eq!(chatter_rms(&[], 3.0), 0.0);
}

/// A command of ±65 N that jumps ten times a second was no chatter, because the loop is faster than that.
#[test]
fn a_square_wave_slower_than_the_loop_chatters() {
    let (_, square) = samples(|t| 65.0 * (31.4 * t).sin().signum());
    // the RMS of what is faster than a loop of 10 ms says ±18 N, which is less than half of a break-away force of 80 N
    assert!(2.0_f64.sqrt() * chatter_rms(&square, 10.0) < 40.0, "{}", chatter_rms(&square, 10.0));
    assert_eq!(alternating_jumps(&square, 80.0, 10, &[]), Some(65.0));
    // jumps at the turns of the motion are those of friction, and a sine of that period does not jump
    let turns: Vec<usize> = (1..square.len()).filter(|k| square[*k] != square[k - 1]).collect();
    assert_eq!(alternating_jumps(&square, 80.0, 10, &turns), None);
    let (_, sine) = samples(|t| 65.0 * (31.4 * t).sin());
    assert_eq!(alternating_jumps(&sine, 80.0, 10, &[]), None);
    assert_eq!(alternating_jumps(&square[..450], 80.0, 10, &[]), None, "four jumps are those of a move");
    assert_eq!(alternating_jumps(&[], 80.0, 10, &[]), None);
}

/// Too much of a law without memory, on the velocity that is seen, drives an axis at rest to and fro: it hunts, by a square wave.
#[test]
fn the_command_of_an_overcompensated_axis_jumps() {
    let gain = |name: &str, value: f64| ("feedforward".to_owned(), name.to_owned(), value);
    let gains = vec![gain("ahead", 0.0), gain("share", 1.3)];
    let axis = template("axis", &["control.servo.reference=0.05"]);
    let found = compare(&axis, &CompensationStudy { gains, end: Some(6.0), ..study("none,feedforward", &[]) }).unwrap();
    let [alone, model] = [0, 1].map(|k| found.results[k].performance.unwrap());
    assert!(alone.jumps.is_none() && !alone.chatters && alone.chatter_amplitude == 0.0);
    // by more than half of the break-away force, 15 N
    assert!(model.hunting.is_some() && model.jumps.unwrap() > 7.5, "{model:?}");
}

#[test]
fn what_makes_no_difference_is_named() {
    let gain = |part: &str, name: &str, value: f64| (part.to_owned(), name.to_owned(), value);
    // the law has no bristles: nothing to correct by an error
    let gains = vec![gain("observer", "kx", 3.0), gain("dob", "cutoff", 30.0)];
    let axis = template("axis", &["run.end=2"]);
    let found = compare(&axis, &CompensationStudy { gains, ..study("none,observer,dob,smooth-stop", &[]) }).unwrap();
    let idle: Vec<&[String]> = found.results.iter().map(|row| &row.without_effect[..]).collect();
    assert_eq!(idle, [&[][..], &["observer.kx".to_owned()], &[], &[]]);
    let same: Vec<bool> = found.results.iter().map(|row| row.as_without).collect();
    // the reference never rests: a smooth stop waits for nothing
    assert_eq!(same, [false, false, false, true]);
}

#[test]
fn the_servo_of_the_slides_hunts_and_a_model_ends_it() {
    let long =
        CompensationStudy { end: Some(90.0), from: Some(40.0), ..study("none,feedforward,observer,dither", &[]) };
    let found = compare(&template("a12", &[]), &long).unwrap();
    assert!(found.task.continuous && found.task.shortened_from.is_none());
    let [alone, model, observer, dither] = [0, 1, 2, 3].map(|k| found.results[k].performance.unwrap());
    // published: half amplitude 0.0639 m, period 24.44 s in continuous time; the hold at 1 kHz changes it by some 1e-3
    let hunts = alone.hunting.unwrap();
    assert!((hunts.amplitude / 0.06390251 - 1.0).abs() < 0.01 && (hunts.period / 24.436786 - 1.0).abs() < 0.01);
    // the hold at 1 kHz leaves a tremor of some 1e-3 m
    assert!(observer.hunting.is_none() && model.hunting.is_none_or(|h| h.amplitude < 0.05 * hunts.amplitude));
    assert!(model.rms < 0.05 * alone.rms && observer.rms < 1e-6, "{} and {}", model.rms, observer.rms);
    // who shakes chatters, at 125 Hz; that is no hunting, though what is left of it may be
    assert!(dither.chatters && dither.hunting.is_none_or(|h| h.period > 1.0), "{dither:?}");
    assert!(!alone.chatters && !model.chatters && !observer.chatters);
}

#[test]
fn a_law_is_scaled_by_its_newtons() {
    let mut law = Spec::new("lugre").unwrap();
    law.set("reverse.fc", 0.7).unwrap();
    let other = scale_law_forces(&law, 1.5).unwrap();
    for v in [1e-5, -0.3] {
        let [a, b] = [&law, &other].map(|law| law.build().unwrap().steady(&Input::at(v)));
        // every force times the same factor: rounding
        assert!((b / a - 1.5).abs() < 1e-12, "{a} and {b}");
    }
    assert_eq!(other.get("vs").unwrap(), law.get("vs").unwrap());
}

#[test]
fn a_loop_that_runs_away_is_told_in_its_row() {
    // a delay of a fifth of a second is more than this loop can bear
    let servo = template("servo-slow", &["controller.servo.delay=200"]);
    let found = compare(&servo, &study("none", &[])).unwrap();
    let row = &found.results[0];
    assert!(row.run.failure.is_some() && row.performance.is_none(), "{:?}", row.performance);
    assert!(row.stability.iter().any(|(_, v)| !v.holds), "{:?}", row.stability);
}

#[test]
fn mistakes_are_refused() {
    let says = |error: Error, message: &str| assert!(error.to_string().contains(message), "{error}");
    says(CompensationMethod::parse("feedforwad").unwrap_err(), "no method 'feedforwad'");
    says(CompensationMethod::parse("dob+feedforward").unwrap_err(), "twice");
    assert_eq!(CompensationMethod::parse("adaptive-scale").unwrap().parts, ["feedforward", "adaptive-scale"]);
    says(compare(&template("a14", &[]), &study("none", &[])).unwrap_err(), "lacks [controller.NAME]");
    let slow = template("servo-slow", &["run.end=0.1"]);
    says(compare(&slow, &CompensationStudy { from: Some(9.0), ..study("none", &[]) }).unwrap_err(), "from");
    says(compare(&slow, &study("dob", &[3.0])).unwrap_err(), "factors");
    says(
        compare(&slow, &CompensationStudy { controller: Some("x".into()), ..study("none", &[]) }).unwrap_err(),
        "no controller 'x'",
    );
    let gains = vec![("dob".to_owned(), "cutof".to_owned(), 1.0)];
    says(compare(&slow, &CompensationStudy { gains, ..study("dob", &[]) }).unwrap_err(), "no key 'cutof'");
}
