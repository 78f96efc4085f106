//! Laws that stand in the scenario itself, as formulas and tables, and contacts that hold more than they slide with.
use crate::machine::{last, near, parse, run};
use crate::sensitivity;

const COAST: &str = "[run]
end = 200
[body.car]
mass = 1200
v = 30
[contact.road]
between = ['car', 'ground']
force = 'c0*sign(v) + c2*v*abs(v)'
c0 = 150
c2 = 0.4
";

/// `m v' = -(c0 + c2 v^2)` has `v = sqrt(c0/c2) tan(...)`: the car stops after a finite time, and stays.
#[test]
fn a_car_coasts_down_as_in_closed_form() {
    let (m, v, c0, c2) = (1200.0, 30.0_f64, 150.0_f64, 0.4_f64);
    let time = m / (c0 * c2).sqrt() * (v * (c2 / c0).sqrt()).atan();
    let way = 0.5 * m / c2 * (1.0 + c2 * v * v / c0).ln();
    let (events, summary) = run(COAST);
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!(events[0].0, "road.stick");
    near(events[0].1, time, "time");
    near(last(&summary, "car.x"), way, "way");
    assert_eq!(last(&summary, "car.v"), 0.0);
    // it holds the force with which sliding begins, in both directions
    for (push, moves) in [(149.9, false), (-149.9, false), (150.1, true), (-150.1, true)] {
        let pushed = COAST.replace("v = 30", "v = 0") + &format!("[force.push]\non = 'car'\nforce = {push}\n");
        let (_, summary) = run(&pushed);
        assert_eq!(last(&summary, "car.x") != 0.0, moves, "{push}");
    }
}

/// Also under half of its load, which scales the whole force; and where the formula says what the load scales.
#[test]
fn the_load_scales_the_force() {
    let (m, v, c0, c2) = (1200.0, 30.0_f64, 75.0_f64, 0.2_f64);
    let stop = |c0: f64, c2: f64| m / (c0 * c2).sqrt() * (v * (c2 / c0).sqrt()).atan();
    let (events, _) = run(&COAST.replace("c0 = 150", "load = 0.5\nc0 = 150").replace("end = 200", "end = 400"));
    near(events[0].1, stop(c0, c2), "half of the load");
    let own = COAST.replace("c0*sign", "load*c0*sign").replace("c0 = 150", "load = 0.5\nc0 = 150");
    let (events, _) = run(&own.replace("end = 200", "end = 400"));
    near(events[0].1, stop(c0, 2.0 * c2), "half of the load on the wheels");
}

/// `J w' = -a w/(1 + (w/w0)^2)`: `ln w + w^2/(2 w0^2) + a t/J` stays.
#[test]
fn an_eddy_current_brake_has_its_integral() {
    let text = "[run]
end = 2
[body.disc]
inertia = 0.5
v = 100
[contact.magnet]
between = ['disc', 'ground']
force = 'a*v/(1 + (v/v0)^2)'
a = 2
v0 = 20
";
    let (events, summary) = run(text);
    assert!(events.is_empty(), "{events:?}");
    let first = |w: f64, t: f64| w.ln() + w * w / 800.0 + 2.0 * t / 0.5;
    near(first(last(&summary, "disc.v"), 2.0), first(100.0, 0.0), "first integral");
    // a law without a level at rest gives way to any push
    let (_, summary) = run(&(text.replace("v = 100", "v = 0") + "[force.push]\non = 'disc'\nforce = 1e-3\n"));
    assert!(last(&summary, "disc.v") > 1e-4);
}

/// Powers of the speed above one: `m v' = -f v^2` gives `v0/(1 + f v0 t/m)`, and the power 3/2 the square of such a fraction.
#[test]
fn a_power_of_the_speed_may_be_above_one() {
    let text = "[run]
end = 7
[body.boat]
mass = 3
v = 2
[contact.water]
between = ['boat', 'ground']
law = 'viscous'
fv = 1.7
gamma = 2
";
    near(last(&run(text).1, "boat.v"), 2.0 / (1.0 + 1.7 * 2.0 * 7.0 / 3.0), "square");
    let root = text.replace("gamma = 2", "gamma = 1.5");
    let root_of_v = 2.0_f64.sqrt() / (1.0 + 0.5 * 1.7 * 2.0_f64.sqrt() * 7.0 / 3.0);
    near(last(&run(&root).1, "boat.v"), root_of_v * root_of_v, "power of 3/2");
    let formula = root.replace("law = 'viscous'", "force = 'fv*v*sqrt(abs(v))'").replace("gamma = 1.5", "");
    near(last(&run(&formula).1, "boat.v"), root_of_v * root_of_v, "formula");
    // and drives: under a constant force it goes to the speed at which both are equal
    let driven = text.replace("end = 7", "end = 100") + "[force.sail]\non = 'boat'\nforce = 6.8\n";
    near(last(&run(&driven).1, "boat.v"), 2.0, "steady speed");
}

const TABLE: &str = "[run]
end = 4
[body.shaft]
inertia = 0.1
v = 3
[contact.bearing]
between = ['shaft', 'ground']
table = [[0, 0.5], [10, 1.5]]
";

/// Two points are a line: `J w' = -(a + b w)`, exponential until rest.
#[test]
fn a_table_is_a_law() {
    let (a, b, j, w) = (0.5_f64, 0.1_f64, 0.1_f64, 3.0_f64);
    let time = j / b * (1.0 + b * w / a).ln();
    let (events, summary) = run(TABLE);
    near(events[0].1, time, "time");
    near(last(&summary, "shaft.x"), j / b * (w - a / b * (1.0 + b * w / a).ln()), "angle");
}

/// A ramp of torque breaks away at the peak, and the force falls to that of sliding.
#[test]
fn a_contact_may_hold_more_than_it_slides_with() {
    let ramp = "[force.ramp]\non = 'shaft'\nforce = { ramp = { slope = 0.4 } }\n";
    let laws = [
        ("table = [[0, 0.5], [10, 1.5]]", 0.5),
        ("law = 'stribeck'\nfc = 0.4\nfs = 0.5\nvs = 10\nfv = 0.1", 0.5),
        ("force = 'fc*sign(v) + fv*v'\nfc = 0.3\nfv = 0.1", 0.3),
    ];
    for (law, level) in laws {
        for peak in [1.0, 1.6] {
            let text = TABLE.replace("v = 3", "").replace("table = [[0, 0.5], [10, 1.5]]", law)
                + &format!("peak = {peak}\n{ramp}");
            let (events, _) = run(&text);
            assert_eq!(events.len(), 1, "{law}: {events:?}");
            assert_eq!(events[0].0, "bearing.slip+");
            near(events[0].1, peak * level / 0.4, law);
            // just after it the body is accelerated by the difference
            let t = events[0].1 + 1e-4;
            let (_, summary) = run(&text.replace("end = 4", &format!("end = {t}")));
            let speed = (peak - 1.0) * level * 1e-4 / 0.1;
            assert!((last(&summary, "shaft.v") - speed).abs() < 2e-3 * speed + 1e-6, "{law}, {peak}");
        }
    }
}

#[test]
fn derivatives_by_constants_are_those_of_runs() {
    sensitivity::check(COAST, 100.0, &["c0", "c2", "mass"], &["car.x", "car.v"], 1e-6);
    let pulled = "[run]
end = 4
[body.block]
mass = 1
[motion.hand]
position = { ramp = { slope = 0.5 } }
[spring.pull]
between = ['hand', 'block']
stiffness = 20
[contact.table]
between = ['block', 'ground']
force = '(fc + df*exp(-abs(v)/vs))*sign(v) + fv*v'
fc = 2
df = 1
vs = 0.2
fv = 0.3
peak = 1.3
";
    sensitivity::check(pulled, 1.2, &["fc", "df", "vs", "fv", "peak", "k"], &["block.x", "block.v"], 1e-5);
}

#[test]
fn mistakes_in_a_formula_are_told_where_they_are() {
    for (old, new, words) in [
        ("c2*v*abs(v)", "c3*v*abs(v)", "test.toml:8:23: a value of 'c3' is missing"),
        ("c2*v*abs(v)", "c2*v*abs(v", "test.toml:8:"),
        ("c2*v*abs(v)", "c2*sin(v)", "test.toml:8:"),
        ("c2 = 0.4", "c2 = 0.4\nc3 = 1", "test.toml:11:1: there is no key 'c3' here"),
        ("c2 = 0.4", "c2 = 0.4\nlaw = 'coulomb'", "test.toml:8:"),
        ("c2 = 0.4", "c2 = 0.4\ndefinition = 'x'", "test.toml:11:"),
        ("c2 = 0.4", "c2 = 0.4\npeak = 0.5", "test.toml:11:8: 'contact.road': peak = 0.5 must be 1 or more"),
        ("c0*sign(v) + c2*v*abs(v)", "c2*v + c0*v", "peak"),
    ] {
        let text = COAST.replace(old, new);
        let text = if words == "peak" { text + "peak = 2\n" } else { text };
        let error = parse(&text).err().unwrap_or_else(|| panic!("{new} is accepted"));
        assert!(error.to_string().contains(words), "{new}: {error}");
        assert!(error.hint().is_some(), "{new}: {error}");
    }
    let text = TABLE.replace("[10, 1.5]", "[10, -1.5]");
    assert!(parse(&text).is_err());
}
