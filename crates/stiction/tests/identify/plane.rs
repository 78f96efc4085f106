//! Two coefficients of friction from a record of a tilted plane.
use crate::plant::NONE;
use stiction::fit::Random;
use stiction::identify::Identifiability;
use stiction::identify::dynamic::plant::{PlantLog, PlantOptions, fit};
use stiction::scenario::{Template, embedded};
use stiction::sim::Trace;

/// Positions of the embedded scenario's block with these coefficients, from this place on, with noise.
fn record(template: &Template, along: f64, across: f64, x: f64, noise: f64) -> PlantLog {
    let mut truth = template.clone();
    for (path, x) in [
        ("plane_body.block.fc", along),
        ("plane_body.block.across", across / along),
        ("plane_body.block.x", x),
        ("run.sample", 0.02),
    ] {
        truth.number(path, x).expect("a path");
    }
    let scenario = truth.build().expect("a scenario");
    let simulation = scenario.simulation().expect("a system");
    let mut trace = Trace::default();
    simulation.run(&scenario.options, &mut trace).expect("a run");
    let mut random = Random::new(5);
    let rows: Vec<[f64; 3]> = (0..=60)
        .map(|k| {
            let t = 0.02 * f64::from(k);
            let near = |a: &&Vec<f64>, b: &&Vec<f64>| (a[0] - t).abs().total_cmp(&(b[0] - t).abs());
            let row = trace.rows.iter().min_by(near).expect("a row");
            [t, row[1] + noise * random.normal(), row[2] + noise * random.normal()]
        })
        .collect();
    let column = |k: usize| rows.iter().map(|row| row[k]).collect::<Vec<f64>>();
    let columns = ["t", "x", "y"].iter().enumerate().map(|(k, name)| ((*name).to_owned(), column(k))).collect();
    PlantLog { name: "slope.csv".to_owned(), columns, ..PlantLog::default() }
}

#[test]
fn a_tilted_plane_gives_both_coefficients() {
    let entry = embedded::find("slope-record").expect("an embedded scenario");
    let template = Template::parse(entry.text, "slope-record.toml".as_ref(), NONE).expect("a scenario");
    let log = record(&template, 0.5, 0.38, 0.02, 2e-4);
    // with the global search of the program: from the initial values alone a fit may end elsewhere
    let options = PlantOptions { level: 0.999, ..PlantOptions::default() };
    let found = fit(&template, &[log], &options, &mut |_| true).expect("a fit");
    for (name, truth) in [("mu_along", 0.5), ("mu_across", 0.38)] {
        let estimate = found.result.estimate(name).expect("an estimate");
        let [low, high] = estimate.interval;
        assert!(low < truth && truth < high, "{name}: {low} to {high} for {truth}");
        // the noise is a thousandth of the way, in 61 rows
        assert!(high - low < 0.01, "{name}: {low} to {high}");
    }
}

/// A position of zero, known to less than a millimetre, was "not known": its error was compared with its value.
#[test]
fn a_position_near_zero_is_known() {
    let entry = embedded::find("slope-record").expect("an embedded scenario");
    let template = Template::parse(entry.text, "slope-record.toml".as_ref(), NONE).expect("a scenario");
    let log = record(&template, 0.5, 0.38, 0.0, 2e-4);
    let found = fit(&template, &[log], &PlantOptions::default(), &mut |_| true).expect("a fit");
    let x = found.result.estimate("x0").expect("an estimate");
    assert!(x.error > x.value.abs() && x.error < 1e-3, "{} ± {}: the record is not of this case", x.value, x.error);
    assert_eq!(x.identifiability, Identifiability::Good);
    let remarks: Vec<&str> = found.result.remarks.iter().map(|remark| remark.text.as_str()).collect();
    assert!(remarks.iter().all(|text| !text.contains("not known") && !text.contains("only together")), "{remarks:?}");
}
