//! A record of many swings, over which the sum of squares has many minima.
use crate::plant::NONE;
use stiction::fit::Random;
use stiction::identify::dynamic::plant::{PlantLog, PlantOptions, fit};
use stiction::scenario::Template;
use stiction::sim::Trace;

const SCENARIO: &str = r#"
[run]
end = 8
sample = 0.01
[body.m]
mass = 1
x = 0.1
[spring.s]
between = ["m", "ground"]
stiffness = 400
[spring.stop]
between = ["m", "ground"]
stiffness = 3000
gap = [-inf, 0.05]
[contact.c]
between = ["m", "ground"]
law = "coulomb"
fc = 0.3
[identify]
match = { "m.x" = "x" }
[identify.free]
fc = [0.0, 2.0]
k = [50, 2000]
stop = [200, 10000]
[identify.set]
"contact.c.fc" = "fc"
"spring.s.stiffness" = "k"
"spring.stop.stiffness" = "stop"
"#;

/// A fit of a mass that swings against a stop ended with fc = 1.2 ± 0.2, periods away from the record.
#[test]
fn a_fit_of_many_swings_ends_in_the_best_minimum() {
    let template = Template::parse(SCENARIO, "swings.toml".as_ref(), NONE).expect("a scenario");
    let scenario = template.build().expect("a scenario");
    let mut trace = Trace::default();
    scenario.simulation().expect("a system").run(&scenario.options, &mut trace).expect("a run");
    let mut random = Random::new(1);
    let even = |row: &&Vec<f64>| (row[0] / 0.01 - (row[0] / 0.01).round()).abs() < 1e-6;
    let mut rows: Vec<[f64; 2]> =
        trace.rows.iter().filter(even).map(|row| [row[0], row[1] + 1e-3 * random.normal()]).collect();
    rows.dedup_by(|a, b| a[0] - b[0] < 1e-6);
    let column = |k: usize| rows.iter().map(|row| row[k]).collect::<Vec<f64>>();
    let columns = vec![("t".to_owned(), column(0)), ("x".to_owned(), column(1))];
    let log = PlantLog { name: "swings.csv".to_owned(), columns, ..PlantLog::default() };
    let found = fit(&template, &[log], &PlantOptions::default(), &mut |_| true);
    let found = found.expect("a fit").result;
    for (name, truth) in [("fc", 0.3), ("k", 400.0), ("stop", 3000.0)] {
        let e = found.estimate(name).expect("an estimate");
        // other minima are tens of percent away; noise of a hundredth of the swing, in 800 rows, moves values by less than a percent
        assert!((e.value / truth - 1.0).abs() < 0.02, "{name}: {} ± {} for {truth}", e.value, e.error);
        assert!(e.error < 0.02 * truth, "{name}: {} ± {}", e.value, e.error);
    }
}
