//! Speeds at the start of places that rigid gears connect.
use std::path::Path;
use stiction::scenario::Scenario;
use stiction::sim::Trace;

/// A shaft turns, and drives two others through two gears that are on at the start: their speeds follow, in whatever order the gears stand in the file.
#[test]
fn speeds_are_passed_on_in_any_order_of_the_gears() {
    let gear = |name: &str, ends: &str, more: &str| {
        format!(
            "[gear.{name}]\nbetween = {ends}\nratio = 2\nenable = {{ pulses = {{ start = 0.5, width = 0.2, low = 1, high = 0 }} }}\n{more}"
        )
    };
    let bodies = "[run]\nend = 0.4\n[body.a]\ninertia = 1\nv = 10\n[body.b]\ninertia = 1\n[body.c]\ninertia = 1\n";
    for more in ["", "efficiency = 0.9\n"] {
        let gears = [gear("one", "[\"a\", \"b\"]", more), gear("two", "[\"b\", \"c\"]", more)];
        for order in [[0, 1], [1, 0]] {
            let text = format!("{bodies}{}{}", gears[order[0]], gears[order[1]]);
            let scenario = Scenario::parse(&text, Path::new("gears.toml"), &[""; 0]).expect("a scenario");
            let simulation = scenario.simulation().expect("a simulation");
            let mut trace = Trace::default();
            let summary = simulation.run(&scenario.options, &mut trace).expect("a run");
            for (column, expected) in [("a.v", 10.0), ("b.v", 5.0), ("c.v", 2.5)] {
                let v = summary.last(column).expect("a column");
                // nothing acts on them: rounding
                assert!((v - expected).abs() < 1e-12, "{column}: {v}, {order:?}, {more}");
            }
            assert!(trace.events.is_empty(), "{:?}", trace.events);
        }
    }
}
