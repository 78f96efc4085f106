//! Planetary gears and differentials against closed forms.
use crate::machine::{last, near, parse, root, run};
use crate::sensitivity;

const JS: f64 = 0.02;
const JR: f64 = 0.5;
const JC: f64 = 0.3;
const RATIO: f64 = 2.5;
const K: f64 = 200.0;

/// Three shafts, and a planetary gear between them.
const GEAR: &str = "[run]
end = 0.8
[body.sun]
inertia = 0.02
[body.ring]
inertia = 0.5
[body.carrier]
inertia = 0.3
[planetary.gear]
sun = 'sun'
ring = 'ring'
carrier = 'carrier'
ratio = 2.5
stiffness = 200
[force.motor]
on = 'sun'
force = 3
[force.load]
on = 'carrier'
force = -4
[force.drag]
on = 'ring'
force = 1
";

/// The displacement d = x_s + i x_r − (1 + i) x_c swings about that at which the teeth pass on what inertia leaves.
#[test]
fn free_shafts_swing_as_the_closed_form_says() {
    let square = K * (1.0 / JS + RATIO * RATIO / JR + (1.0 + RATIO).powi(2) / JC);
    let (omega, t) = (square.sqrt(), 0.8);
    let (ts, tc, tr) = (3.0, -4.0, 1.0);
    let mean = (ts / JS + RATIO * tr / JR - (1.0 + RATIO) * tc / JC) / square;
    let travel = mean * (t - (omega * t).sin() / omega);
    let (_, summary) = run(GEAR);
    near(last(&summary, "sun.v"), (ts * t - K * travel) / JS, "sun");
    near(last(&summary, "ring.v"), (tr * t - RATIO * K * travel) / JR, "ring");
    near(last(&summary, "carrier.v"), (tc * t + (1.0 + RATIO) * K * travel) / JC, "carrier");
    near(last(&summary, "gear.force"), K * mean * (1.0 - (omega * t).cos()), "torque at the sun");
}

/// A brake holds the ring until the torque of the teeth there reaches its limit.
#[test]
fn a_braked_ring_breaks_away_at_its_limit() {
    let text = GEAR.replace("force = 3\n", "force = { ramp = { slope = 5 } }\n").replace("force = 1\n", "force = 0\n");
    let text = text.replace("force = -4\n", "force = 0\n")
        + "[contact.brake]\nbetween = ['ring', 'ground']\nlaw = 'coulomb'\nfc = 3\n";
    let square = K * (1.0 / JS + (1.0 + RATIO).powi(2) / JC);
    let omega = square.sqrt();
    let torque = |t: f64| K * 5.0 / JS / square * (t - (omega * t).sin() / omega);
    let slip = root(|t| RATIO * torque(t) - 3.0, [0.0, 0.8]);
    let (events, summary) = run(&text);
    let (name, at) = &events[0];
    assert_eq!(name, "brake.slip-");
    near(*at, slip, "the instant");
    assert!(summary.energy.friction > 0.0);
}

/// A clutch that holds sun and carrier together makes one shaft of the three.
#[test]
fn a_clutch_between_sun_and_carrier_locks_it() {
    let text = GEAR.replace("force = -4\n", "force = 0\n").replace("force = 1\n", "force = 0\n")
        + "[contact.lock]\nbetween = ['sun', 'carrier']\nlaw = 'coulomb'\nfc = 50\n";
    let (pair, t) = (JS + JC, 0.8);
    let square = RATIO * RATIO * K * (1.0 / JR + 1.0 / pair);
    let omega = square.sqrt();
    // the ring lags by y, y″ = −3/pair − square·y
    let rate = -3.0 / pair / omega * (omega * t).sin();
    let (events, summary) = run(&text);
    assert!(events.is_empty(), "{events:?}");
    let v = (3.0 * t - JR * rate) / (pair + JR);
    near(last(&summary, "sun.v"), v, "sun");
    near(last(&summary, "carrier.v"), v, "carrier");
    near(last(&summary, "ring.v"), v + rate, "ring");
}

/// A differential passes on the same torque to both sides, whatever their speeds; one side with friction stands until half the torque exceeds it.
#[test]
fn a_differential_divides_the_torque() {
    let text = "[run]
end = 2
[body.cage]
inertia = 0.1
[body.left]
inertia = 0.2
[body.right]
inertia = 0.2
[planetary.differential]
sun = 'left'
ring = 'right'
carrier = 'cage'
ratio = 1
stiffness = 1000
damping = 2
[contact.road]
between = ['right', 'ground']
law = 'coulomb'
fc = 3
[force.shaft]
on = 'cage'
force = 4
";
    let (events, summary) = run(text);
    // the left side takes all motion, at twice the speed of the cage: half of the torque is 2, less what the cage takes
    assert!(events.is_empty(), "{events:?}");
    assert_eq!(last(&summary, "right.x"), 0.0);
    let a = 4.0 / (0.1 + 4.0 * 0.2);
    let (v, w) = (last(&summary, "left.v"), last(&summary, "cage.v"));
    // after two seconds the swing of the teeth has died down
    assert!((w - 2.0 * a).abs() < 1e-3 * w && (v - 2.0 * w).abs() < 1e-6 * v, "{v} and {w}, not {}", 2.0 * a);
    assert!(
        (last(&summary, "differential.force") + 0.2 * 2.0 * a).abs() < 1e-6,
        "{:?}",
        last(&summary, "differential.force")
    );
}

#[test]
fn derivatives_of_a_planetary_gear_are_those_of_runs() {
    let text = GEAR.replace("stiffness = 200\n", "stiffness = 200\ndamping = 0.3\n");
    let text = text + "[contact.brake]\nbetween = ['ring', 'ground']\nlaw = 'coulomb'\nfc = 2\n";
    let paths =
        ["planetary.gear.stiffness", "planetary.gear.damping", "planetary.gear.ratio", "sun.inertia", "brake.fc"];
    sensitivity::check(&text, 0.3, &paths, &["sun.v", "ring.x", "carrier.v"], 1e-5);
}

#[test]
fn mistakes_of_planetary_gears_are_told() {
    for (old, new, words) in [
        ("ring = 'ring'\n", "ring = 'sun'\n", "all different"),
        ("ring = 'ring'\n", "", "ring"),
        ("ring = 'ring'\n", "ring = 'rung'\n", "rung"),
        ("ratio = 2.5", "ratio = 0", "other than 0 and -1"),
        ("ratio = 2.5", "ratio = -1", "other than 0 and -1"),
        ("stiffness = 200", "stiffness = 0", "above zero"),
        ("stiffness = 200\n", "", "stiffness"),
        ("[body.ring]\ninertia", "[body.ring]\nmass", "'ring' translates"),
        ("end = 0.8", "end = 0.8\nmethod = 'network'", "planetary"),
    ] {
        assert!(GEAR.contains(old), "{old}");
        let error = parse(&GEAR.replace(old, new)).err().unwrap_or_else(|| panic!("{new}"));
        assert!(error.to_string().contains(words), "{new}: {error}");
        assert!(error.hint().is_some(), "{new}: {error}");
    }
}
