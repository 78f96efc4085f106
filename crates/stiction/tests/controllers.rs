//! Controllers by name answer as controllers by type.
use stiction::core::control::registry::{ALL, Assembly, Block, BuildError, Role, Sum, find};
use stiction::core::control::{
    Ahead, DisturbanceObserver, Feedforward, Injection, Kalman, Loop, Motion, Observer, Quiet, Scale, Scaled, Signals,
    SmoothStop, StateFeedback,
};
use stiction::core::models::{Dahl, LuGre};
use stiction::core::registry::Dress;
use stiction::core::{Params, State};

/// No wrapper.
const BARE: Dress<'_> = Dress { reverse: None, load: None, noise: None };

fn defaults(name: &str) -> Vec<f64> {
    find(name).unwrap().params.iter().map(|p| p.default).collect()
}
fn law(name: &str) -> Vec<f64> {
    stiction::core::registry::find(name).unwrap().params.iter().map(|p| p.default).collect()
}
fn block(name: &str) -> Box<dyn Block> {
    find(name).unwrap().build(&defaults(name)).unwrap()
}

#[test]
fn an_assembly_is_the_loop_bit_for_bit() {
    let injection = Injection { kx: 0.01, kv: 0.02, ..Injection::nominal() };
    let observer = Scaled { control: Observer::new(LuGre::nominal(), injection), gains: Scale::nominal() };
    let ahead = Feedforward { law: Dahl::nominal(), gains: Ahead::nominal() };
    let stop = SmoothStop::nominal();
    let typed = Loop {
        estimator: Kalman::<f64>::nominal(),
        // sums are taken in this order
        control: (
            ((Quiet { control: StateFeedback::nominal(), stop }, observer), ahead),
            DisturbanceObserver::nominal(),
        ),
        limit: 5.0,
    };
    let inner =
        find("observer").unwrap().build_with_law(&[0.01, 0.02, 0.0, 0.0], "lugre", &law("lugre"), &BARE).unwrap();
    let named = Assembly {
        sensor: Some(find("kalman").unwrap().build_sensor(&defaults("kalman")).unwrap()),
        control: Box::new(Sum(vec![
            find("smooth-stop").unwrap().build_around(&defaults("smooth-stop"), block("state-feedback")).unwrap(),
            find("adaptive-scale").unwrap().build_around(&defaults("adaptive-scale"), inner).unwrap(),
            find("feedforward").unwrap().build_with_law(&defaults("feedforward"), "dahl", &law("dahl"), &BARE).unwrap(),
            block("disturbance-observer"),
        ])),
        limit: 5.0,
    };
    let (mut w, mut memory) = (State::zero(), vec![0.0; named.len()]);
    let mut rested = false;
    for k in 0..3000_u32 {
        let t = f64::from(k) * 1e-3;
        // a move, then a rest close by
        let v = if t < 1.0 { (3.0 * t).cos() } else { 0.0 };
        let wanted = Motion { x: 0.5, v, a: 0.0 };
        let x = if t < 1.0 { (2.0 * t).sin() } else { 0.5 + 1e-4 * (t - 1.0) };
        let (u, named) = {
            let (next, u) = typed.step(&w, &wanted, x, 1e-3);
            w = next;
            (u, named.step(&mut memory, &Signals::new(wanted, Motion::rest(x)), 1e-3))
        };
        rested |= w.1.0.0.0.0.1[0] > 0.0;
        assert_eq!(u.to_bits(), named.to_bits(), "at {t} s: {u} and {named}");
    }
    assert!(rested, "the smooth stop was never asked");
}

#[test]
fn every_controller_can_be_built_and_says_what_it_needs() {
    for entry in ALL {
        let values = defaults(entry.name);
        let plain = entry.build(&values);
        match entry.role() {
            Role::Control => assert!(plain.is_ok_and(|b| b.len() == entry.states.len()), "{}", entry.name),
            role => assert!(matches!(plain, Err(BuildError::Role(r)) if r == role), "{}", entry.name),
        }
        let with_law = entry.build_with_law(&values, "gms", &law("gms"), &BARE);
        assert_eq!(with_law.is_ok(), entry.role() == Role::Compensator, "{}", entry.name);
        let around = entry.build_around(&values, block("pid"));
        assert_eq!(around.is_ok(), entry.role() == Role::Wrapper, "{}", entry.name);
        assert_eq!(entry.build_sensor(&values).is_ok(), entry.role() == Role::Estimator, "{}", entry.name);
        // a summary, equations, and a word on stability
        assert!(entry.doc.contains("```text"), "{}", entry.name);
        let words = ["table", "Hunting", "grow", "positive real"];
        assert!(words.iter().any(|w| entry.doc.contains(w)), "{} says nothing on stability", entry.name);
    }
    let ahead = find("feedforward").unwrap();
    assert!(matches!(ahead.build_with_law(&defaults("feedforward"), "nobody", &[], &BARE), Err(BuildError::Law)));
    assert!(matches!(ahead.build_with_law(&defaults("feedforward"), "dahl", &[1.0], &BARE), Err(BuildError::Param(_))));
    assert!(matches!(ahead.build_with_law(&[9.0, 0.0, 0.0], "dahl", &law("dahl"), &BARE), Err(BuildError::Param(_))));
}

#[test]
fn every_law_can_be_compensated() {
    // slow sliding, long enough to settle: the compensator gives the steady force
    for entry in stiction::core::models::ALL {
        let values: Vec<f64> = entry.params.iter().map(|p| p.default).collect();
        let model = entry.build(&values).unwrap();
        for name in ["feedforward", "observer"] {
            let part = find(name).unwrap().build_with_law(&defaults(name), entry.name, &values, &BARE).unwrap();
            let mut w = vec![0.0; part.len()];
            let at = Motion { x: 0.0, v: 0.02, a: 0.0 };
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
    let dress = Dress { reverse: Some(&backward), ..BARE };
    let part = find("feedforward").unwrap();
    let part = part.build_with_law(&defaults("feedforward"), "coulomb", &forward, &dress).unwrap();
    let mut w = vec![0.0; part.len()];
    let mut at = |v: f64| part.step(&mut w, &Signals::new(Motion { x: 0.0, v, a: 0.0 }, Motion::rest(0.0)), 1e-3);
    assert_eq!((at(0.1), at(-0.1)), (forward[0], -2.0 * forward[0]));
}
