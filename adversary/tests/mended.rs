//! Every finding that is mended stays so: the systems in `adversary/mended` come to their end, and agree with themselves.
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use stiction::scenario::Scenario;
use stiction::sim::Trace;

/// Most steps of a run. The longest takes half as many at its own tolerance, and took six times as many before it was mended.
const MOST_STEPS: u64 = 100_000;

/// The error that a comparison of two runs allows, in tolerances: a hundred that the system carries along, for each.
const ALLOWED: f64 = 200.0;

/// The scenarios of the folder.
fn scenarios() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("mended");
    let files = std::fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let mut files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|end| end == "toml")).collect();
    files.sort();
    assert!(!files.is_empty(), "no mended findings");
    files
}

/// A run: positions and velocities of bodies at the instants of its rows, by the number of the row.
struct Motion {
    rows: BTreeMap<i64, Vec<f64>>,
    /// The largest value of each column.
    scales: Vec<f64>,
    rtol: f64,
    atol: f64,
}

/// Runs the scenario of a file, with a tolerance that is closer by up to this factor.
fn run(file: &Path, closer: f64) -> Motion {
    let text = std::fs::read_to_string(file).expect("a scenario");
    let scenario = Scenario::parse(&text, file, &[""; 0]).expect("a scenario");
    let simulation = scenario.simulation().expect("a simulation");
    let (rtol, spacing) = (scenario.options.rtol, scenario.options.sample);
    let atol = if scenario.options.atol > 0.0 { scenario.options.atol } else { 1e-3 * rtol };
    // as far as double precision goes
    let factor = (1.0 / closer).max(1e-12 / rtol);
    let mut options = scenario.options.clone();
    (options.rtol, options.atol, options.max_steps) = (factor * rtol, factor * atol, MOST_STEPS);
    let mut trace = Trace::default();
    let summary = simulation.run(&options, &mut trace).expect("a run");
    assert!(summary.complete, "{}: {:?}", file.display(), summary.failure);
    let is_body = |name: &str| name.starts_with('b') && (name.ends_with(".x") || name.ends_with(".v"));
    let columns: Vec<usize> =
        (0..simulation.columns().len()).filter(|&i| is_body(&simulation.columns()[i].name)).collect();
    assert!(!columns.is_empty(), "{}: no body to compare", file.display());
    let mut rows = BTreeMap::new();
    for row in &trace.rows {
        // events have rows of their own
        let number = (row[0] - options.start) / spacing;
        if (number - number.round()).abs() < 1e-6 {
            rows.insert(number.round() as i64, columns.iter().map(|&i| row[i]).collect::<Vec<f64>>());
        }
    }
    let largest = |c: usize| rows.values().fold(0.0_f64, |most, row: &Vec<f64>| most.max(row[c].abs()));
    let scales = (0..columns.len()).map(largest).collect();
    Motion { rows, scales, rtol, atol }
}

/// Two runs agree, the second times `sign`.
fn assert_agreement(file: &Path, what: &str, a: &Motion, b: &Motion, sign: f64) {
    assert!(a.rows.len() > 2 && a.rows.keys().eq(b.rows.keys()), "{}: {what}: other rows", file.display());
    for ((k, row), other) in a.rows.iter().zip(b.rows.values()) {
        for (c, (x, y)) in row.iter().zip(other).enumerate() {
            let allowed = ALLOWED * (a.rtol * a.scales[c] + a.atol);
            let error = (x - sign * y).abs();
            assert!(
                error <= allowed,
                "{}: {what}, row {k}, column {c}: {x} and {y}, allowed {allowed:e}",
                file.display()
            );
        }
    }
}

#[test]
fn mended_findings_stay_mended() {
    for file in scenarios() {
        let motion = run(&file, 1.0);
        assert_agreement(&file, "a hundredth of the tolerance", &motion, &run(&file, 100.0), 1.0);
        let image = file.with_extension("mirror.toml");
        if image.exists() {
            assert_agreement(&file, "in the mirror", &motion, &run(&image, 1.0), -1.0);
        }
    }
}
