//! Certified fits of the Statistical Reference Datasets; data and certified values are in `reference/nist.csv`.
use std::path::Path;
use stiction_numerics::fit::{
    Descent, Fit, FitOptions, LeastSquaresProblem, Parameter, SeparableModel, nonlinear, separable,
};

struct Set {
    /// First start, second start, value, standard deviation.
    parameters: Vec<[f64; 4]>,
    squares: f64,
    x: Vec<f64>,
    y: Vec<f64>,
}

const NAMES: [&str; 8] = ["Misra1a", "Rat43", "BoxBOD", "Lanczos3", "MGH09", "MGH10", "Eckerle4", "Thurber"];

fn set(name: &str) -> Set {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/nist.csv");
    let text = std::fs::read_to_string(path).expect("the data");
    let mut out = Set { parameters: Vec::new(), squares: 0.0, x: Vec::new(), y: Vec::new() };
    for line in text.lines() {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |k: usize| -> f64 { cells[k].parse().expect("a number") };
        match cells[..] {
            [of, "parameter", ..] if of == name => out.parameters.push([2, 3, 4, 5].map(number)),
            [of, "squares", _] if of == name => out.squares = number(2),
            [of, "sample", _, _] if of == name => {
                out.y.push(number(2));
                out.x.push(number(3));
            }
            _ => {}
        }
    }
    out
}

fn model(name: &str, b: &[f64], x: f64) -> f64 {
    match name {
        "Misra1a" | "BoxBOD" => b[0] * (1.0 - (-b[1] * x).exp()),
        "Rat43" => b[0] / (1.0 + (b[1] - b[2] * x).exp()).powf(1.0 / b[3]),
        "Lanczos1" | "Lanczos3" => b[0] * (-b[1] * x).exp() + b[2] * (-b[3] * x).exp() + b[4] * (-b[5] * x).exp(),
        "MGH09" => b[0] * (x * x + x * b[1]) / (x * x + x * b[2] + b[3]),
        "MGH10" => b[0] * (b[1] / (x + b[2])).exp(),
        "Eckerle4" => b[0] / b[1] * (-0.5 * ((x - b[2]) / b[1]).powi(2)).exp(),
        "Thurber" => {
            let above = b[0] + x * (b[1] + x * (b[2] + x * b[3]));
            above / (1.0 + x * (b[4] + x * (b[5] + x * b[6])))
        }
        _ => f64::NAN,
    }
}

fn fit(name: &str, start: usize, tolerance: f64) -> (Fit, Set) {
    let set = set(name);
    let parameters: Vec<Parameter> = set.parameters.iter().map(|p| Parameter::new("b", p[start])).collect();
    let residual = |b: &[f64], out: &mut [f64]| {
        for ((out, x), y) in out.iter_mut().zip(&set.x).zip(&set.y) {
            *out = model(name, b, *x) - y;
        }
    };
    let options = FitOptions { central: true, tolerance, ..FitOptions::default() };
    let fit = nonlinear(&LeastSquaresProblem::new(&parameters, set.y.len(), &residual), &options).expect("a fit");
    (fit, set)
}

fn worst(fit: &Fit, set: &Set) -> [f64; 3] {
    let errors = fit.standard_errors();
    let off = |got: f64, wanted: f64| (got / wanted - 1.0).abs();
    let value = set.parameters.iter().zip(&fit.values).fold(0.0_f64, |most, (p, x)| most.max(off(*x, p[2])));
    let error = set.parameters.iter().zip(&errors).fold(0.0_f64, |most, (p, x)| most.max(off(*x, p[3])));
    [value, error, off(2.0 * fit.cost, set.squares)]
}

#[test]
fn certified_values_from_both_starts() {
    for name in NAMES {
        for start in 0..2 {
            let (fit, set) = fit(name, start, 1e-13);
            let [value, error, squares] = worst(&fit, &set);
            assert!(fit.reason.converged(), "{name} {start}: {:?}", fit.reason);
            // certified to eleven digits; slopes by differences have ten, and the condition of Lanczos3 takes four
            assert!(value < 1e-6 && squares < 1e-9, "{name} {start}: {:?}", [value, error, squares]);
            // errors are made of slopes alone
            assert!(error < 1e-5, "{name} {start}: {:?}", [value, error, squares]);
        }
    }
}

/// A fit that is told the products alone of its residuals and derivatives ends at the certified minima, too. Products of slopes by forward
/// differences have eight digits: of the costs, which are squares, more are right.
#[test]
fn certified_minima_from_products_alone() {
    for name in NAMES {
        for start in 0..2 {
            let set = set(name);
            let parameters: Vec<Parameter> = set.parameters.iter().map(|p| Parameter::new("b", p[start])).collect();
            let residual =
                |b: &[f64]| -> Vec<f64> { set.x.iter().zip(&set.y).map(|(x, y)| model(name, b, *x) - y).collect() };
            let options = FitOptions { tolerance: 1e-8, ..FitOptions::default() };
            let from: Vec<f64> = parameters.iter().map(|p| p.start).collect();
            let mut fit = Descent::new(&parameters, &options, &from).unwrap();
            while let Some(request) = fit.request() {
                let here = residual(&request.values);
                let slope = |(values, length): &(Vec<f64>, f64)| -> Vec<f64> {
                    residual(values).iter().zip(&here).map(|(there, here)| (there - here) / length).collect()
                };
                let columns: Vec<Vec<f64>> =
                    std::iter::once(here.clone()).chain(request.moved.iter().map(slope)).collect();
                let product = |(i, j): (usize, usize)| columns[i].iter().zip(&columns[j]).map(|(a, b)| a * b).sum();
                let n = columns.len();
                let pairs = (0..n).flat_map(|i| (i..n).map(move |j| (i, j)));
                fit.answer(&pairs.map(product).collect::<Vec<f64>>());
            }
            let more = 2.0 * fit.cost() / set.squares - 1.0;
            assert!(fit.reason().is_some_and(|reason| reason.converged()), "{name} {start}: {:?}", fit.reason());
            assert!(more < 1e-6, "{name} {start}: {more:e} {:?} {:?}", fit.reason(), fit.values());
        }
    }
}

/// However loose a tolerance, a fit does not end on a slope that its steps are too short to see.
#[test]
fn a_tolerance_bounds_what_a_fit_leaves() {
    for name in NAMES {
        for start in 0..2 {
            for tolerance in [1e-4, 1e-6, 1e-8, 1e-10] {
                let (fit, set) = fit(name, start, tolerance);
                let more = 2.0 * fit.cost / set.squares - 1.0;
                assert!(more <= tolerance, "{name} {start}: {more:e} for {tolerance:e}, {:?}", fit.reason);
            }
        }
    }
}

#[test]
fn lanczos_as_a_separable_model() {
    let set = set("Lanczos3");
    let terms = |p: &[f64], out: &mut [f64]| {
        for (column, p) in out.chunks_exact_mut(set.x.len()).zip(p) {
            column.iter_mut().zip(&set.x).for_each(|(o, x)| *o = (-p * x).exp());
        }
    };
    let rates: Vec<Parameter> = [1, 3, 5].map(|k| Parameter::new("rate", set.parameters[k][0])).to_vec();
    let model =
        SeparableModel { parameters: &rates, linear: &["a", "b", "c"], y: &set.y, terms: &terms, weights: None };
    let options = FitOptions { central: true, tolerance: 1e-12, ..FitOptions::default() };
    let fit = separable(&model, &options).expect("a fit");
    for (k, got) in [1, 3, 5, 0, 2, 4].into_iter().zip(fit.values.iter().zip(fit.standard_errors())) {
        let [_, _, value, error] = set.parameters[k];
        // the condition of three exponentials takes five digits of the slopes
        assert!((got.0 / value - 1.0).abs() < 1e-6, "{k}: {} for {value}", got.0);
        assert!((got.1 / error - 1.0).abs() < 1e-4, "{k}: {} for {error}", got.1);
    }
}
