//! Gears with an efficiency against runs by SciPy: `tests/reference/lossy_gear.py`.
use crate::machine::{RTOL, last, run};

const BEARING: &str = "[run]
end = 6
[body.a]
inertia = 0.02
[body.b]
inertia = 3
[body.c]
inertia = 1.5
[gear.g]
between = ['a', 'b']
ratio = 8
efficiency = { forward = 0.7, backward = 0.35 }
bearing = { law = 'stiction', fc = 0.15, fs = 0.25, fv = 0 }
[contact.rub]
between = ['b', 'ground']
law = 'coulomb'
fc = 0.8
[spring.s]
between = ['c', 'b']
stiffness = 40
damping = 0.6
[spring.w]
between = ['c', 'ground']
stiffness = 25
[force.t1]
on = 'a'
force = { sum = [{ sine = { amplitude = 1.5, omega = 3 } }, { sine = { amplitude = 0.4, omega = 11 } }] }
[force.t2]
on = 'b'
force = { sine = { mean = -3, amplitude = 2, omega = 1.3 } }
";

const TABLE: &str = "[run]
end = 6
[body.a]
inertia = 0.02
v = 30
[body.b]
inertia = 3
[body.c]
inertia = 1.5
x = 0.2
[gear.g]
between = ['a', 'b']
ratio = -8
[gear.g.efficiency]
forward = { points = [[0, 0.5], [5, 0.62], [20, 0.8], [60, 0.7]], interpolation = 'cubic' }
backward = { points = [[0, 0.2], [15, 0.4], [60, 0.6]], interpolation = 'cubic' }
[spring.s]
between = ['c', 'b']
stiffness = 40
damping = 0.6
[spring.w]
between = ['c', 'ground']
stiffness = 25
[contact.slide]
between = ['c', 'ground']
law = 'coulomb'
fc = 2
[force.t1]
on = 'a'
force = { sine = { amplitude = 3, omega = 3 } }
[force.t2]
on = 'b'
force = { sine = { mean = -3, amplitude = 2, omega = 1.3 } }
";

const WORM: &str = "[run]
end = 6
[body.a]
inertia = 0.05
[body.b]
inertia = 3
[body.c]
inertia = 2.5
x = 0.1
[gear.g]
between = ['a', 'b']
ratio = 20
efficiency = { forward = 0.45, backward = -0.25 }
bearing = { law = 'coulomb', fc = 0.1 }
[spring.s]
between = ['c', 'b']
stiffness = 300
damping = 3
[spring.w]
between = ['c', 'ground']
stiffness = 10
[contact.slide]
between = ['c', 'ground']
law = 'coulomb'
fc = 1
[force.t1]
on = 'a'
force = { sine = { mean = 0.3, amplitude = 1.2, omega = 4 } }
[force.t2]
on = 'b'
force = { sine = { amplitude = 8, omega = 2.3 } }
";

#[test]
fn drives_agree_with_independent_runs() {
    let table = include_str!("../reference/lossy_gear.csv");
    for (name, text) in [("bearing", BEARING), ("table", TABLE), ("worm", WORM)] {
        let rows = table.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(',')?.split_once(','));
        let rows: Vec<(&str, f64)> = rows.map(|(what, value)| (what, value.parse().expect("a number"))).collect();
        let (events, summary) = run(text);
        let is_change = |event: &str| ["stick", "slip", "reverse"].iter().any(|kind| event.starts_with(kind));
        let found = events.iter().filter(|(event, _)| event.strip_prefix("g.").is_some_and(is_change));
        let found: Vec<f64> = found.map(|(_, t)| *t).collect();
        let wanted: Vec<f64> = rows.iter().filter(|(what, _)| *what == "event").map(|(_, t)| *t).collect();
        assert_eq!(found.len(), wanted.len(), "{name}: {found:?}, not {wanted:?}");
        // a hundred times the tolerance, of values of about one
        let near = |found: f64, wanted: f64, what: &str| {
            let error = (found - wanted).abs();
            assert!(error < 100.0 * RTOL * wanted.abs().max(1.0), "{name}, {what}: {found} is not {wanted}");
        };
        found.iter().zip(&wanted).for_each(|(found, wanted)| near(*found, *wanted, "event"));
        for (what, wanted) in rows.iter().filter(|(what, _)| *what != "event") {
            let found = if *what == "lost" { summary.energy.friction } else { last(&summary, what) };
            near(found, *wanted, what);
        }
    }
}
