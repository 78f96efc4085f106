//! Wheels: a contact between what turns and what moves straight.
use crate::machine::{last, near, parse, run};

/// A ball of mass m, radius r and inertia I; friction mu m g = 3.5.
const BALL: &str = "[run]
end = 3
[body.ball]
mass = 0.7
v = 2
[body.spin]
inertia = 4e-4
[contact.lane]
between = ['ball', 'spin']
radius = 0.05
law = 'coulomb'
fc = 3.5
";

/// What slides goes over to rolling when the rim is as fast as the ball: `m v0 + I w0/r = (m + I/r^2) v`.
#[test]
fn a_sliding_ball_goes_over_to_rolling() {
    let (m, i, r, f) = (0.7, 4e-4, 0.05, 3.5);
    for w in [0.0, -30.0, 25.0, 60.0] {
        let v = (m * 2.0 + i * w / r) / (m + i / (r * r));
        let (events, summary) = run(&BALL.replace("inertia = 4e-4", &format!("inertia = 4e-4\nv = {w}")));
        assert_eq!(events.len(), 1, "{events:?}");
        assert_eq!(events[0].0, "lane.stick");
        near(events[0].1, f64::abs(m * (2.0 - v)) / f, "time");
        near(last(&summary, "ball.v"), v, "speed");
        near(last(&summary, "spin.v"), v / r, "angular speed");
        // rolling takes no force, and nothing slides
        assert!(last(&summary, "lane.force").abs() < 1e-12 && last(&summary, "lane.v") == 0.0);
        let lost = 0.5 * m * 4.0 + 0.5 * i * w * w - 0.5 * (m + i / (r * r)) * v * v;
        near(summary.energy.friction, lost, "energy");
    }
    let (_, summary) = run(BALL);
    let unit = |name: &str| summary.columns.iter().find(|c| c.name == name).map(|c| c.unit);
    assert_eq!([unit("lane.v"), unit("lane.force")], [Some("m/s"), Some("N")]);
}

/// A wheel that carries a car, braked from 20 m/s; friction with the road up to 4000 N.
fn braked(torque: f64) -> String {
    format!(
        "[run]
end = 20
[body.car]
mass = 500
v = 20
[body.wheel]
inertia = 1.5
v = 66.66666666666667
[contact.road]
between = ['car', 'wheel']
radius = 0.3
law = 'coulomb'
fc = 4000
[brake.pads]
on = 'wheel'
law = 'coulomb'
fc = {torque}
command = 1
"
    )
}

/// Below the limit the wheel rolls to the end, `(m + I/r^2) v' = -T/r`; above it locks, and the car slides with the friction of the road.
#[test]
fn a_brake_locks_the_wheel_above_the_limit() {
    let (m, i, r, f, v) = (500.0, 1.5, 0.3, 4000.0, 20.0);
    let whole = m + i / (r * r);
    // the friction that rolling needs is m T/(r whole)
    let limit = f * r * whole / m;
    for torque in [0.5 * limit, 0.999 * limit] {
        let (events, summary) = run(&braked(torque));
        // wheel and car stop together
        assert!(events.iter().all(|(name, _)| name == "pads.stick"), "{events:?}");
        near(events[0].1, v * whole * r / torque, "time to rest");
        near(last(&summary, "car.x"), 0.5 * v * v * whole * r / torque, "way to rest");
        near(last(&summary, "wheel.x") * r, last(&summary, "car.x"), "rolled");
    }
    let torque = 1.4 * limit;
    let (events, summary) = run(&braked(torque));
    let time = |wanted: &str| events.iter().find(|(name, _)| name == wanted).map(|(_, t)| *t).expect(wanted);
    near(time("pads.stick"), v / r * i / (torque - f * r), "time to lock");
    near(time("road.stick"), v * m / f, "time to rest");
    near(last(&summary, "car.x"), 0.5 * v * v * m / f, "way to rest");
}

/// A torque drives the car: by rolling up to the limit, then by what the road gives. Rolling resistance acts on the wheel.
#[test]
fn a_torque_drives_the_car() {
    let (m, i, r, f, t) = (500.0, 1.5, 0.3, 4000.0, 20.0);
    let whole = m + i / (r * r);
    let driven = |torque: f64, more: &str| {
        let text = braked(0.0).replace("v = 20", "").replace("v = 66.66666666666667", "");
        let text = text.split("[brake.pads]").next().unwrap_or_default().to_owned();
        run(&(text + &format!("[force.motor]\non = 'wheel'\nforce = {torque}\n{more}"))).1
    };
    near(last(&driven(600.0, ""), "car.v"), 600.0 / r / whole * t, "rolling");
    let bearing = "[contact.bearing]\nbetween = ['wheel', 'ground']\nlaw = 'coulomb'\nfc = 40\n";
    near(last(&driven(600.0, bearing), "car.v"), 560.0 / r / whole * t, "with rolling resistance");
    let spinning = driven(2000.0, "");
    near(last(&spinning, "car.v"), f / m * t, "spinning");
    near(last(&spinning, "wheel.v"), (2000.0 - f * r) / i * t, "angular speed");
}

/// The axle at rest: a grinding wheel on the ground of the workshop, whose rim speed counts.
#[test]
fn a_rim_may_touch_what_is_fixed() {
    let text = "[run]
end = 4
[body.wheel]
inertia = 0.2
v = 50
[contact.tool]
between = ['wheel', 'ground']
radius = 0.1
law = 'coulomb'
fc = 30
";
    let (events, summary) = run(text);
    near(events[0].1, 50.0 * 0.2 / (30.0 * 0.1), "time to rest");
    near(summary.energy.friction, 0.5 * 0.2 * 2500.0, "energy");
}

#[test]
fn mistakes_of_wheels_are_told() {
    for (old, new, words) in [
        ("inertia = 4e-4", "mass = 1", "a radius needs one end that rotates"),
        ("radius = 0.05", "radius = 0", "radius = 0 must be positive"),
        ("radius = 0.05", "", "'ball' translates but 'spin' rotates"),
    ] {
        let error = parse(&BALL.replace(old, new)).err().unwrap_or_else(|| panic!("{new} is accepted"));
        assert!(error.to_string().contains(words), "{new}: {error}");
        assert!(error.hint().is_some(), "{new}: {error}");
    }
}
