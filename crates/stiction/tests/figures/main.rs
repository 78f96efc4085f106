//! Experiments and published figures against independent values.
mod experiments;
mod papers;
mod papers_gnb;

use std::collections::HashMap;
use std::path::Path;

/// Six digits: figures promise them. Runs keep 1e-8 a step, and errors add up over some cycles of stick and slip.
const SAME: f64 = 1e-6;

/// Values by experiment and key. `reference/figures.csv` comes from `reference/figures.py`: other solvers, or closed forms,
/// from the equations alone.
fn reference() -> HashMap<(String, String), f64> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/figures.csv");
    let text = std::fs::read_to_string(path).expect("the values");
    let row = |line: &str| {
        // a key has no comma
        let cells: Vec<&str> = line.split(',').collect();
        ((cells[0].to_owned(), cells[1].to_owned()), cells[2].parse().expect("a number"))
    };
    text.lines().skip(1).map(row).collect()
}
