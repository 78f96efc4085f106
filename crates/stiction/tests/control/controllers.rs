//! Controllers by name answer as controllers by type.
use stiction::core::control::registry::{ALL, BuildError, DynControl, DynLoop, DynSum, Role, find, presliding};
use stiction::core::control::stability::ServoConditions;
use stiction::core::control::{
    AdaptiveScale, AdaptiveScaleGains, DisturbanceObserver, Feedforward, FeedforwardGains, FrictionObserver, Kalman,
    Loop, MotionSample, ObserverGains, ServoPlant, Signals, SmoothStop, StateFeedback, WithSmoothStop,
};
use stiction::core::models::{Dahl, LuGre};
use stiction::core::registry::Wrappers;
use stiction::core::{Params, Real, StateVector};
use stiction::scenario::{Scenario, keys};
use stiction::sim::NullObserver;

/// No wrapper.
const BARE: Wrappers<'_> = Wrappers { reverse: None, load: None, noise: None };

fn defaults(name: &str) -> Vec<f64> {
    find(name).unwrap().params.iter().map(|p| p.default).collect()
}
fn law_entry(name: &str) -> &'static stiction::core::registry::LawEntry {
    stiction::core::models::find(name).unwrap()
}
fn law(name: &str) -> Vec<f64> {
    law_entry(name).params.iter().map(|p| p.default).collect()
}
fn block(name: &str) -> Box<dyn DynControl> {
    find(name).unwrap().build(&defaults(name)).unwrap()
}

#[test]
fn an_assembly_is_the_loop_bit_for_bit() {
    let injection = ObserverGains { kx: 0.01, kv: 0.02, ..ObserverGains::nominal() };
    let observer = AdaptiveScale {
        control: FrictionObserver::new(LuGre::nominal(), injection),
        gains: AdaptiveScaleGains::nominal(),
    };
    let ahead = Feedforward { law: Dahl::nominal(), gains: FeedforwardGains::nominal() };
    let stop = SmoothStop::nominal();
    let typed = Loop {
        estimator: Kalman::<f64>::nominal(),
        // sums are taken in this order
        control: (
            ((WithSmoothStop { control: StateFeedback::nominal(), stop }, observer), ahead),
            DisturbanceObserver::nominal(),
        ),
        limit: 5.0,
    };
    let inner = find("observer")
        .unwrap()
        .build_with_law(&[0.01, 0.02, 0.0, 0.0], law_entry("lugre"), &law("lugre"), &BARE)
        .unwrap();
    let named = DynLoop {
        sensor: Some(find("kalman").unwrap().build_estimator(&defaults("kalman")).unwrap()),
        control: Box::new(DynSum(vec![
            find("smooth-stop").unwrap().build_around(&defaults("smooth-stop"), block("state-feedback")).unwrap(),
            find("adaptive-scale").unwrap().build_around(&defaults("adaptive-scale"), inner).unwrap(),
            find("feedforward")
                .unwrap()
                .build_with_law(&defaults("feedforward"), law_entry("dahl"), &law("dahl"), &BARE)
                .unwrap(),
            block("disturbance-observer"),
        ])),
        limit: 5.0,
    };
    let (mut w, mut memory) = (StateVector::zero(), vec![0.0; named.len()]);
    let mut rested = false;
    for k in 0..3000_u32 {
        let t = f64::from(k) * 1e-3;
        // a move, then a rest close by
        let v = if t < 1.0 { (3.0 * t).cos() } else { 0.0 };
        let reference = MotionSample { x: 0.5, v, a: 0.0 };
        let x = if t < 1.0 { (2.0 * t).sin() } else { 0.5 + 1e-4 * (t - 1.0) };
        let (u, named) = {
            let (next, u) = typed.step(&w, &reference, x, 1e-3);
            w = next;
            (u, named.step(&mut memory, &Signals::new(reference, MotionSample::rest(x)), 1e-3))
        };
        rested |= w.1.0.0.0.0.1[0] > 0.0;
        assert_eq!(u.to_bits(), named.to_bits(), "at {t} s: {u} and {named}");
    }
    assert!(rested, "the smooth stop was never commanded");
}

#[test]
fn every_controller_can_be_built_and_says_what_it_needs() {
    for entry in ALL {
        let values = defaults(entry.name);
        let plain = entry.build::<f64>(&values);
        match entry.role() {
            Role::Control => assert!(plain.is_ok_and(|b| b.len() == entry.states.len()), "{}", entry.name),
            role => assert!(matches!(plain, Err(BuildError::Role(r)) if r == role), "{}", entry.name),
        }
        let with_law = entry.build_with_law::<f64>(&values, law_entry("gms"), &law("gms"), &BARE);
        assert_eq!(with_law.is_ok(), entry.role() == Role::Compensator, "{}", entry.name);
        let around = entry.build_around(&values, block("pid"));
        assert_eq!(around.is_ok(), entry.role() == Role::Wrapper, "{}", entry.name);
        assert_eq!(entry.build_estimator::<f64>(&values).is_ok(), entry.role() == Role::Estimator, "{}", entry.name);
        // a summary, equations, and a word on stability
        assert!(entry.doc.contains("```text"), "{}", entry.name);
        let words = ["table", "Hunting", "grow", "positive real"];
        assert!(words.iter().any(|w| entry.doc.contains(w)), "{} says nothing on stability", entry.name);
    }
    let ahead = find("feedforward").unwrap();
    assert!(matches!(
        ahead.build_with_law::<f64>(&defaults("feedforward"), law_entry("dahl"), &[1.0], &BARE),
        Err(BuildError::Param(_))
    ));
    assert!(matches!(
        ahead.build_with_law::<f64>(&[9.0, 0.0, 0.0], law_entry("dahl"), &law("dahl"), &BARE),
        Err(BuildError::Param(_))
    ));
}

#[test]
fn every_law_can_be_compensated() {
    // slow sliding, long enough to settle: the compensator gives the steady force
    for entry in stiction::core::models::ALL {
        let values: Vec<f64> = entry.params.iter().map(|p| p.default).collect();
        let model = entry.build(&values).unwrap();
        for name in ["feedforward", "observer"] {
            let part = find(name).unwrap().build_with_law(&defaults(name), entry, &values, &BARE).unwrap();
            let mut w = vec![0.0; part.len()];
            let at = MotionSample { x: 0.0, v: 0.02, a: 0.0 };
            let mut u = 0.0;
            for _ in 0..3000 {
                u = part.step(&mut w, &Signals::new(at, at), 0.01);
            }
            let steady = model.steady(&stiction::core::Input::at(0.02));
            // a random law only on average
            let allowed = if ["bristle"].contains(&entry.name) { 1.0 } else { 1e-6 };
            assert!((u - steady).abs() <= allowed * steady.abs(), "{name} of {}: {u} and {steady}", entry.name);
        }
    }
}

#[test]
fn a_compensator_wears_what_its_law_wears() {
    // twice the level backwards
    let (forward, mut backward) = (law("coulomb"), law("coulomb"));
    backward[0] = 2.0 * forward[0];
    let wrappers = Wrappers { reverse: Some(&backward), ..BARE };
    let part = find("feedforward").unwrap();
    let part = part.build_with_law(&defaults("feedforward"), law_entry("coulomb"), &forward, &wrappers).unwrap();
    let mut w = vec![0.0; part.len()];
    let mut at =
        |v: f64| part.step(&mut w, &Signals::new(MotionSample { x: 0.0, v, a: 0.0 }, MotionSample::rest(0.0)), 1e-3);
    assert_eq!((at(0.1), at(-0.1)), (forward[0], -2.0 * forward[0]));
}

/// A scenario of the servo of the slides with these parts, run to its end: the position there.
fn place(law: &str, parts: &str, period: f64, set: &[&str]) -> Result<f64, stiction::Error> {
    let text = format!(
        "[run]\nend = 2\n[body.cart]\nmass = 1\n[contact.friction]\nbetween = [\"cart\", \"ground\"]\n{law}\n\
         [controller.servo]\non = \"cart\"\nperiod = {period}\nreference = 1\n{parts}\n\
         [measure]\nx = {{ at = 2, column = \"cart.x\" }}"
    );
    let scenario = Scenario::parse(&text, "servo.toml".as_ref(), set)?;
    let summary = scenario.simulation()?.run(&scenario.options, &mut NullObserver)?;
    Ok(summary.probes[0].unwrap())
}
const BASE: &str = "state-feedback = { kx = 3, kv = 6, ki = 4 }";
const NONE: [&str; 0] = [];

#[test]
fn in_a_scenario_the_exact_model_leaves_the_linear_loop() {
    let model = format!("{BASE}\nfeedforward = {{ law = \"lugre\", ahead = 0, mass = 1 }}");
    let free = |period: f64| place("law = \"viscous\"\nfv = 0", BASE, period, &NONE).unwrap();
    let with = |period: f64| place("law = \"lugre\"", &model, period, &NONE).unwrap();
    let off = (with(5e-4) - free(5e-4)).abs();
    // 1 kHz leaves 1e-5, and it falls with the square of the period
    assert!(off < 5e-6, "{off}");
    let alone = place("law = \"lugre\"", BASE, 5e-4, &NONE).unwrap();
    assert!((alone - free(5e-4)).abs() > 0.1, "friction shows: {alone}");
}

#[test]
fn an_encoder_counts_and_a_command_is_late_and_limited() {
    let at = |set: &[&str]| place("law = \"lugre\"", &format!("{BASE}\nkalman = {{}}"), 1e-3, set).unwrap();
    let plain = at(&[]);
    let coarse = at(&["controller.servo.quantum=0.05"]);
    // the counts show, far above rounding, and move the body by a few of them at most (0.3 is six)
    assert!((coarse - plain).abs() > 1e-4 && (coarse - plain).abs() < 0.3, "{coarse} and {plain}");
    let noisy = |seed: u32| at(&["controller.servo.noise=0.02", &format!("controller.servo.seed={seed}")]);
    assert_eq!(noisy(1), noisy(1));
    assert_ne!(noisy(1), noisy(2));
    // less than friction: the cart stays on its bristles
    assert!(at(&["controller.servo.limit=0.5"]).abs() < 1e-4);
    assert_ne!(at(&["controller.servo.delay=20"]), plain);
}

#[test]
fn mistakes_are_told_with_their_place() {
    let says = |parts: &str, message: &str| {
        let error = place("law = \"lugre\"", parts, 1e-3, &NONE).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert!(error.contains("servo.toml:"), "{error}");
    };
    says("", "[controller.servo] needs pid or state-feedback");
    says("pid = { kq = 1 }", "there is no key 'kq' here");
    says("pid = { kp = -1 }", "parameter 'kp' = -1 is outside");
    says("pid = 3", "'pid' must be a table");
    says("feedforward = {}", "[feedforward] lacks law");
    says("feedforward = { law = \"lugr\" }", "there is no law 'lugr'");
    says("pid = {}\nadaptive-scale = {}", "needs a feedforward or an observer");
    says("pid = {}\nsmooth-stop = { band = 0.1 }", "'smooth-stop' requires that release >= band");
    says("pid = {}\nkalman = {}\ntracker = {}", "only one of them is allowed");
    says("pid = {}\nadaptive = {}\ndisturbance-observer = {}", "instead of a friction model");
    says("pid = {}\ndelay = 0.5", "whole number");
    says("pid = {}\nquantum = -1", "0 or more");
    says("pid = {}\nlimit = 0", "above 0");
}

#[test]
fn every_part_has_a_key_and_a_page() {
    let component = keys::find("controller").unwrap();
    let page = include_str!("../../../../docs/scenario/controller.md");
    for entry in ALL {
        assert!(component.key(entry.name).is_some(), "{} is not a key of [controller.NAME]", entry.name);
        assert!(page.contains(&format!("<!-- keys {} -->", entry.name)), "{} has no page", entry.name);
        let (_, keys) = keys::part(entry.name).unwrap();
        assert!(keys.len() >= entry.params.len() && keys.iter().all(|key| key.doc.ends_with('.')), "{}", entry.name);
    }
}

/// Inputs nobody should send, and some that everybody does.
const WILD: [f64; 14] = [0.0, -0.0, 1e-3, -1e-3, 1.0, -0.7, 1e-12, 5e-324, 1e6, -1e6, 1e30, -1e150, f64::MAX, f64::MIN];

#[test]
fn never_a_nan_for_any_admissible_parameters() {
    let draw = |k: &mut f64| {
        *k += 1.0;
        f64::uniform(5.0, *k)
    };
    let mut k = 0.0;
    for entry in ALL {
        let mut tried = 0;
        for _ in 0..400 {
            // one in five on a bound, else by decades where there are any
            let value = |p: &stiction::core::Param, k: &mut f64| {
                let (x, lo) = (draw(k), p.min.max(1e-12 * p.max));
                if p.name == "shape" {
                    (3.0 * x).floor()
                } else if x < 0.1 {
                    p.min
                } else if x > 0.9 {
                    p.max
                } else {
                    (lo * (p.max / lo).powf(x)).clamp(p.min, p.max)
                }
            };
            let values: Vec<f64> = entry.params.iter().map(|p| value(p, &mut k)).collect();
            if (entry.check)(&values).is_err() {
                continue;
            }
            tried += 1;
            let block: Box<dyn DynControl> = match entry.role() {
                Role::Control => entry.build(&values).unwrap(),
                Role::Compensator => entry.build_with_law(&values, law_entry("lugre"), &law("lugre"), &BARE).unwrap(),
                Role::Wrapper => entry.build_around(&values, block("pid")).unwrap(),
                Role::Estimator => {
                    let sensor = Some(entry.build_estimator(&values).unwrap());
                    Box::new(DynLoop { sensor, control: block("state-feedback"), limit: 10.0 })
                }
            };
            let mut w = vec![0.0; block.len()];
            for _ in 0..12 {
                let mut wild = || WILD[(draw(&mut k) * WILD.len() as f64) as usize];
                let mut motion = || MotionSample { x: wild(), v: wild(), a: wild() };
                let (reference, measured) = (motion(), motion());
                let now =
                    Signals { load: wild(), commanded: wild(), applied: wild(), ..Signals::new(reference, measured) };
                let dt = wild().abs();
                let u = block.step(&mut w, &now, dt);
                let sane = u.is_finite() && w.iter().all(|x| x.is_finite());
                assert!(sane, "{} with {values:?} gives {u} and {w:?}", entry.name);
            }
        }
        assert!(tried > 30, "{}: {tried}", entry.name);
    }
}

#[test]
fn every_controller_tells_by_name_whether_it_is_stable() {
    let plant = ServoPlant { mass: 1.0, damping: 0.0, period: 1e-3, delay: 0.0 };
    let rest = presliding(law_entry("lugre"), &law("lugre"), &BARE).unwrap();
    // the force at a creep of 1e-12 m/s, and slopes: rounding
    assert!((rest.breakaway - 1.5).abs() < 1e-12 && (rest.stiffness / 1e5 - 1.0).abs() < 1e-9, "{rest:?}");
    let setting = ServoConditions {
        plant,
        gains: [4.0, 3.0, 6.0],
        law: rest,
        error: 0.1,
        quantum: 1e-3,
        noise: 0.01,
        speeds: [1e-3, 1.0],
        accel: 1.0,
        lag: 0.01,
    };
    for entry in ALL {
        let verdicts = entry.stability(&defaults(entry.name), &setting);
        assert!(!verdicts.is_empty() && verdicts.iter().all(|v| v.holds == (v.margin > 0.0)), "{}", entry.name);
    }
    // as by type
    let named = find("state-feedback").unwrap().stability(&defaults("state-feedback"), &setting);
    assert_eq!(named, StateFeedback::nominal().stability(&plant));
    assert!(named.iter().all(|v| v.holds), "{named:?}");
    // no adaptation without a remedy against noise
    let scale = find("adaptive-scale").unwrap().stability(&defaults("adaptive-scale"), &setting);
    assert!(scale[0].holds && !scale[1].holds, "{scale:?}");
}

#[test]
fn an_observer_of_a_law_with_two_directions_is_corrected_by_the_error() {
    // at rest, where only the error bends the bristles
    let (forward, mut backward) = (law("lugre"), law("lugre"));
    backward[0] *= 1.2;
    let wrappers = Wrappers { reverse: Some(&backward), ..BARE };
    let observer = find("observer").unwrap();
    for wrappers in [&BARE, &wrappers] {
        let part =
            observer.build_with_law::<f64>(&[0.01, 0.0, 0.0, 0.0], law_entry("lugre"), &forward, wrappers).unwrap();
        let mut w = vec![0.0; part.len()];
        let now = Signals::new(MotionSample::rest(1e-3), MotionSample::rest(0.0));
        let force = (0..20).map(|_| part.step(&mut w, &now, 1e-3)).last().unwrap();
        assert!(force > 0.01, "{force}");
    }
}
