//! Linear and nonlinear fits against statsmodels and SciPy (`reference/fits.csv`, from `reference/fits.py`), closed forms,
//! and what is promised of them.
mod errors;
mod linear;
mod nonlinear;
mod search;

use std::collections::BTreeMap;
use std::path::Path;
use stiction_numerics::fit::Parameter;

const N: usize = 300;

fn reference() -> BTreeMap<String, Vec<f64>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/fits.csv");
    let text = std::fs::read_to_string(path).expect("the values");
    let mut out: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        out.entry(cells[0].to_owned()).or_default().push(cells[2].parse().expect("a number"));
    }
    out
}

fn same(case: &str, got: &[f64], wanted: &[f64], off: f64) {
    assert_eq!(got.len(), wanted.len(), "{case}");
    for (k, (got, wanted)) in got.iter().zip(wanted).enumerate() {
        assert!((got - wanted).abs() <= off * wanted.abs(), "{case} {k}: {got} for {wanted}");
    }
}

/// Whole numbers that look random.
fn rough() -> Vec<f64> {
    (0..N).map(|k| ((k * k * 7919 + 31 * k) % 1009) as f64 / 1009.0 - 0.5).collect()
}

fn slices(columns: &[Vec<f64>]) -> Vec<&[f64]> {
    columns.iter().map(Vec::as_slice).collect()
}

/// Acceleration, velocity, its sign, one; and a force with noise that remembers.
fn motion() -> (Vec<Vec<f64>>, Vec<f64>) {
    let phase: Vec<f64> = (0..N).map(|k| 0.05 * k as f64).collect();
    let speed: Vec<f64> = phase.iter().map(|p| p.sin()).collect();
    let sign = speed.iter().map(|v| if *v == 0.0 { 0.0 } else { v.signum() }).collect();
    let columns = vec![phase.iter().map(|p| p.cos()).collect(), speed, sign, vec![1.0; N]];
    let mut memory = 0.0;
    let force = rough().into_iter().enumerate().map(|(k, u)| {
        memory = u + 0.6 * memory;
        let parts = [2.0, 1.5, 3.0, -0.5];
        parts.iter().zip(&columns).map(|(p, c): (&f64, &Vec<f64>)| p * c[k]).sum::<f64>() + memory
    });
    let force = force.collect();
    (columns, force)
}

fn speeds() -> Vec<f64> {
    (0..N).map(|k| 0.002 * 1.02_f64.powi(k as i32)).collect()
}

fn stribeck_force() -> Vec<f64> {
    let curve = |v: f64| 1.0 + 0.5 * (-(v / 0.01).powi(2)).exp() + 0.4 * v;
    speeds().iter().zip(rough()).map(|(v, u)| curve(*v) + 0.02 * u).collect()
}

fn start() -> Vec<Parameter> {
    vec![
        Parameter::new("fc", 0.8).within(0.0, 5.0),
        Parameter::new("fs", 1.2).within(0.0, 5.0),
        Parameter::new("vs", 0.02).within(1e-4, 1.0).log(),
        Parameter::new("fv", 0.1).within(-1.0, 5.0),
    ]
}
