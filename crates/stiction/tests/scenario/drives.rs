//! Screws, belts, gears with a kinematic error, and gears with an efficiency.
use crate::machine::{last, near, parse, run};
use crate::sensitivity;
use std::f64::consts::TAU;

const SCREW: &str = "[run]
end = 0.01
[body.table]
mass = 30
[body.motor]
inertia = 2e-3
v = 40
[gear.screw]
between = ['table', 'motor']
lead = 0.01
stiffness = 2e7
";

/// The stretch of two bodies joined by a spring swings with `k (1/m + r^2/J)`, whichever is first.
#[test]
fn a_screw_has_the_resonance_of_two_inertias() {
    let (r, k, m, j, w, t) = (0.01 / TAU, 2e7, 30.0, 2e-3, 40.0, 0.01_f64);
    let omega = f64::sqrt(k * (1.0 / m + r * r / j));
    let stretch = -r * w / omega * (omega * t).sin();
    let (_, summary) = run(SCREW);
    near(last(&summary, "screw.stretch"), stretch, "stretch");
    near(last(&summary, "screw.force"), k * stretch, "force");
    // momentum, as the screw transmits it: J w / r + m v
    near(j * last(&summary, "motor.v") / r + 30.0 * last(&summary, "table.v"), j * w / r, "momentum");
    let units: Vec<(&str, &str)> = summary.columns.iter().map(|c| (c.name.as_str(), c.unit)).collect();
    assert!(units.contains(&("screw.force", "N")) && units.contains(&("screw.stretch", "m")), "{units:?}");
    // seen from the motor: torque over angle, with the stiffness there
    let turned = SCREW.replace("['table', 'motor']", "['motor', 'table']");
    let (_, summary) = run(&turned.replace("2e7", &format!("{}", 2e7 * r * r)));
    near(last(&summary, "screw.force"), -r * k * stretch, "torque");
    let units: Vec<(&str, &str)> = summary.columns.iter().map(|c| (c.name.as_str(), c.unit)).collect();
    assert!(units.contains(&("screw.force", "N·m")), "{units:?}");
}

/// Rigid: the motor accelerates itself and the reflected mass.
#[test]
fn a_rigid_drive_reflects_inertia() {
    let torque = "[force.torque]\non = 'motor'\nforce = 0.5\n";
    for (key, r) in [("lead = 0.01", 0.01 / TAU), ("lead = -0.01", -0.01 / TAU), ("radii = [1, 0.02]", 0.02)] {
        let rigid = SCREW.replace("stiffness = 2e7\n", torque).replace("lead = 0.01", key).replace("v = 40", "");
        let (_, summary) = run(&rigid);
        let speed = 0.5 * 0.01 / (2e-3 + 30.0 * r * r);
        near(last(&summary, "motor.v"), speed, key);
        near(last(&summary, "table.v"), r * speed, key);
    }
}

/// Two pulleys: the belt moves with equal speed at both.
#[test]
fn a_belt_has_the_resonance_of_two_pulleys() {
    let text = "[run]
end = 0.05
[body.motor]
inertia = 1e-3
v = 10
[body.roll]
inertia = 0.02
[gear.belt]
between = ['motor', 'roll']
radii = [0.02, 0.06]
stiffness = 40
";
    let (k, t) = (40.0, 0.05_f64);
    let omega = f64::sqrt(k * (1.0 / 1e-3 + 9.0 / 0.02));
    near(last(&run(text).1, "belt.stretch"), 10.0 / omega * (omega * t).sin(), "stretch");
    let crossed = run(&text.replace("0.06]", "-0.06]")).1;
    near(last(&crossed, "roll.v"), -last(&run(text).1, "roll.v"), "a crossed belt turns the other way");
}

const HARMONIC: &str = "[run]
end = 3
[body.load]
inertia = 0.4
[motion.motor]
velocity = 15
turns = true
[gear.drive]
between = ['load', 'motor']
ratio = 0.01
stiffness = 4000
error = { amplitude = 1e-3 }
";

/// A motor at constant speed: `J x'' = -k (x - r w t - A sin 2 w t)`. At low speed the load follows the error; nearer to resonance by more.
#[test]
fn a_kinematic_error_shakes_the_load_as_in_closed_form() {
    let (r, a, t) = (0.01, 1e-3, 3.0_f64);
    let omega = f64::sqrt(4000.0 / 0.4);
    for (w, share) in [(0.5, 1.0001), (15.0, 1.1), (45.0, 5.3)] {
        let gain = 1.0 / (1.0 - (2.0 * w / omega) * (2.0 * w / omega));
        assert!((gain / share - 1.0).abs() < 0.01, "{gain}");
        let v = r * w + 2.0 * w * a * gain;
        let text = HARMONIC.replace("velocity = 15", &format!("velocity = {w}"));
        let (_, summary) = run(&text.replace("inertia = 0.4", &format!("inertia = 0.4\nv = {v}")));
        let wave = a * gain * (2.0 * w * t).sin();
        let got = last(&summary, "load.x") - r * w * t;
        assert!((got - wave).abs() < 1e-6 * a * gain, "{w}: {got} for {wave}");
        let stretch = wave - a * (2.0 * w * t).sin();
        assert!((last(&summary, "drive.stretch") - stretch).abs() < 1e-6 * a * gain, "{w}");
    }
}

const FREE: &str = "[run]
end = 0.5
[body.motor]
inertia = 1e-4
v = 30
[body.load]
inertia = 0.3
[gear.drive]
between = ['motor', 'load']
ratio = 50
stiffness = 0.8
damping = 1e-4
error = [{ amplitude = 0.05 }, { amplitude = -0.02, per_turn = 4, phase = 0.7 }]
";

/// Both bodies free: against the equations of Lagrange, by a Runge-Kutta method of fixed step.
#[test]
fn a_kinematic_error_acts_on_both_sides() {
    let rates = |y: [f64; 4]| {
        let [q, x, w, v] = y;
        let error = 0.05 * (2.0 * q).sin() - 0.02 * (4.0 * q + 0.7).sin();
        let slope = 0.1 * (2.0 * q).cos() - 0.08 * (4.0 * q + 0.7).cos();
        let stretch = q - 50.0 * x - error;
        let force = 0.8 * stretch + 1e-4 * ((1.0 - slope) * w - 50.0 * v);
        [w, v, -(1.0 - slope) * force / 1e-4, 50.0 * force / 0.3]
    };
    let add = |y: [f64; 4], h: f64, k: [f64; 4]| [0, 1, 2, 3].map(|i| y[i] + h * k[i]);
    let solve = |steps: usize| {
        let (mut y, h) = ([0.0, 0.0, 30.0, 0.0], 0.5 / steps as f64);
        for _ in 0..steps {
            let a = rates(y);
            let b = rates(add(y, 0.5 * h, a));
            let c = rates(add(y, 0.5 * h, b));
            let d = rates(add(y, h, c));
            y = [0, 1, 2, 3].map(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
        }
        y
    };
    let (coarse, fine) = (solve(20_000), solve(40_000));
    let (_, summary) = run(FREE);
    for (i, column) in ["motor.x", "load.x", "motor.v", "load.v"].into_iter().enumerate() {
        // fourth order: the finer one is better by 16, and the coarser one says by how much it may be wrong
        let allowed = (fine[i] - coarse[i]).abs() / 8.0 + 1e-6 * fine[i].abs();
        assert!(
            (last(&summary, column) - fine[i]).abs() < allowed,
            "{column}: {} for {}",
            last(&summary, column),
            fine[i]
        );
    }
    // without the damper nothing is lost: checked by the balance of every run
    let (_, summary) = run(&FREE.replace("damping = 1e-4\n", ""));
    assert_eq!(summary.energy.damping, 0.0);
}

#[test]
fn derivatives_of_a_harmonic_drive_are_those_of_runs() {
    let paths = ["gear.drive.stiffness", "gear.drive.damping", "motor.inertia"];
    sensitivity::check(FREE, 0.2, &paths, &["motor.x", "load.v"], 1e-5);
    let single = HARMONIC.replace("1e-3 }", "1e-3, per_turn = 2, phase = 0.4 }");
    let paths =
        ["gear.drive.error.amplitude", "gear.drive.error.phase", "gear.drive.error.per_turn", "gear.drive.ratio"];
    sensitivity::check(&single, 0.3, &paths, &["load.x", "load.v"], 1e-5);
}

#[test]
fn mistakes_of_drives_are_told() {
    for (text, old, new, words) in [
        (SCREW, "mass = 30", "inertia = 1", "lead"),
        (SCREW, "lead = 0.01", "lead = 0", "lead = 0 must be other than zero"),
        (SCREW, "lead = 0.01", "lead = 0.01\nratio = 2", "lead"),
        (SCREW, "lead = 0.01", "", "ratio"),
        (SCREW, "lead = 0.01", "radii = [1]", "radii"),
        (SCREW, "lead = 0.01", "radii = [0, 1]", "radii"),
        (SCREW, "lead = 0.01", "radii = [2, 0.1]", "1 for the place that moves straight"),
        (SCREW, "lead = 0.01", "radii = [0.1, 1]", "1 for the place that moves straight"),
        (HARMONIC, "stiffness = 4000\n", "", "rigid"),
        (HARMONIC, "stiffness = 4000", "stiffness = 4000\nbacklash = 0.01", "backlash"),
        (HARMONIC, "1e-3 }", "1e-3, of = 'ground' }", "not one of the two places"),
        (HARMONIC, "amplitude = 1e-3", "per_turn = 2", "amplitude"),
        (
            HARMONIC,
            "{ amplitude = 1e-3 }",
            "[{ amplitude = 1, of = 'load' }, { amplitude = 1, of = 'motor' }]",
            "same place",
        ),
    ] {
        assert!(text.contains(old), "{old}");
        let error = parse(&text.replace(old, new)).err().unwrap_or_else(|| panic!("{new} is accepted"));
        assert!(error.to_string().contains(words), "{new}: {error}");
        assert!(error.hint().is_some(), "{new}: {error}");
    }
}

const WORM: &str = "[run]
end = 1
[body.motor]
inertia = 2e-3
[body.hook]
mass = 200
[gear.worm]
between = ['motor', 'hook']
ratio = 400
efficiency = { forward = 0.4, backward = -0.2 }
bearing = { law = 'coulomb', fc = 0.3 }
[force.current]
on = 'motor'
force = 0
[force.weight]
on = 'hook'
force = -2000
";

/// The weight is 5 N·m at the worm, and the hook's inertia 1.25e-3 kg·m².
#[test]
fn a_worm_hoist_holds_and_needs_power_both_ways() {
    let (events, summary) = run(WORM);
    assert!(events.is_empty() && last(&summary, "hook.v") == 0.0, "{events:?}");
    // torque at the worm and of the bearing are zero, and the mesh carries all
    assert_eq!([last(&summary, "worm.force"), last(&summary, "worm-bearing.force")], [0.0, 0.0]);
    near(last(&summary, "worm.loss"), -5.0, "loss");
    let (_, summary) = run(&WORM.replace("force = 0\n", "force = 15\n"));
    near(last(&summary, "motor.v"), (0.4 * 14.7 - 5.0) / (0.4 * 2e-3 + 1.25e-3), "up");
    let (_, summary) = run(&WORM.replace("force = 0\n", "force = -2\n"));
    near(last(&summary, "motor.v"), -(1.7 - 0.2 * 5.0) / (2e-3 - 0.2 * 1.25e-3), "down");
    near(last(&summary, "worm.force"), -0.2 * (5.0 + 1.25e-3 * last(&summary, "motor.v")), "torque");
    let (events, _) = run(&WORM.replace("force = 0\n", "force = { ramp = { slope = -2 } }\n"));
    assert!(events.iter().any(|(name, t)| name == "worm.slip-" && (t - 1.3 / 2.0).abs() < 1e-12), "{events:?}");
}

#[test]
fn an_efficiency_may_be_a_table() {
    let table = "{ forward = { points = [[0, 0.4], [1000, 0.6]] }, backward = 0.1 }";
    let text = WORM.replace("{ forward = 0.4, backward = -0.2 }", table).replace("force = 0\n", "force = 15\n");
    let (_, summary) = run(&text);
    // dv/dt = (η 14.7 − 5)/(η 2e-3 + 1.25e-3), by steps of Runge and Kutta
    let rate = |v: f64| {
        let eta = 0.4 + 0.2 * v.clamp(0.0, 1000.0) / 1000.0;
        (eta * 14.7 - 5.0) / (eta * 2e-3 + 1.25e-3)
    };
    let (mut v, h) = (0.0, 1e-4);
    for _ in 0..10_000 {
        let k1 = rate(v);
        let k2 = rate(v + 0.5 * h * k1);
        let k3 = rate(v + 0.5 * h * k2);
        v += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + rate(v + h * k3));
    }
    near(last(&summary, "motor.v"), v, "speed");
}

#[test]
fn mistakes_of_efficiencies_are_told() {
    for (old, new, words) in [
        ("ratio = 400", "ratio = 400\nstiffness = 100", "efficiency"),
        ("{ forward = 0.4, backward = -0.2 }", "1.1", "at most one"),
        ("{ forward = 0.4, backward = -0.2 }", "80", "efficiency = 80 must be at most one"),
        ("{ forward = 0.4, backward = -0.2 }", "0", "the forward efficiency 0 must be above zero"),
        ("forward = 0.4", "forward = -0.4", "must be above zero"),
        ("forward = 0.4", "forward = { points = [[-10, 0.4], [10, 0.5]] }", "speed = -10 must be zero or more"),
        ("between = ['motor', 'hook']", "between = ['motor', 'motor']", "cannot be coupled by a rigid gear"),
        ("between = ['motor', 'hook']", "between = ['motor', 'ground']", "cannot be coupled by a rigid gear"),
        ("between = ['motor', 'hook']", "between = ['motor', 'hok']", "'hok'"),
        ("ratio = 400", "ratio = 0", "other than zero"),
        (
            "[force.current]",
            "[gear.two]\nbetween = ['hook', 'motor']\nratio = 2\nefficiency = 0.9\n[force.current]",
            "cannot be coupled by a rigid gear",
        ),
        (
            "[force.current]",
            "[gear.two]\nbetween = ['motor', 'hook']\nratio = 2\nefficiency = 0.9\n[force.current]",
            "its second place is that of another gear with an efficiency",
        ),
        (
            "[force.current]",
            "[gear.two]\nbetween = ['hook', 'motor']\nratio = 2\n[force.current]",
            "cannot be coupled by a rigid gear",
        ),
        ("{ forward = 0.4, backward = -0.2 }", "{ backward = 0.1 }", "forward"),
        ("{ forward = 0.4, backward = -0.2 }", "'much'", "efficiency"),
        ("backward = -0.2", "backward = -2", "jams"),
        ("[force.current]", "[stop.floor]\nbetween = ['hook', 'ground']\nlo = 0\n[force.current]", "stop"),
        ("end = 1", "end = 1\nmethod = 'dormand-prince'", "efficiency"),
    ] {
        assert!(WORM.contains(old), "{old}");
        let told = match parse(&WORM.replace(old, new)) {
            Err(error) => error.to_string(),
            Ok(scenario) => {
                let error = scenario.simulation().map(|simulation| {
                    simulation.run(&scenario.options, &mut stiction::sim::NullObserver).err().map(|e| e.to_string())
                });
                error.unwrap_or_else(|error| Some(error.to_string())).unwrap_or_default()
            }
        };
        assert!(told.contains(words), "{new}: {told}");
    }
}
