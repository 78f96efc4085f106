//! Nonlinear fits: bounds, losses, separable models, what the data do not tell.
use super::{N, reference, same, speeds, start, stribeck_force};
use stiction_numerics::NumericsError;
use stiction_numerics::fit::{
    Fit, FitOptions, LeastSquaresProblem, Loss, Parameter, SeparableModel, StopReason, nonlinear, nonlinear_from,
    separable,
};

/// `Fc, Fs, vs, fv`.
fn stribeck(parameters: &[Parameter], options: &FitOptions) -> Result<Fit, NumericsError> {
    let (v, f) = (speeds(), stribeck_force());
    let residual = |p: &[f64], out: &mut [f64]| {
        for ((out, v), f) in out.iter_mut().zip(&v).zip(&f) {
            *out = p[0] + (p[1] - p[0]) * (-(v / p[2]).powi(2)).exp() + p[3] * v - f;
        }
    };
    nonlinear(&LeastSquaresProblem::new(parameters, N, &residual), options)
}

#[test]
fn nonlinear_fits_robust_and_bounded() {
    let reference = reference();
    let tight = FitOptions { tolerance: 1e-14, central: true, ..FitOptions::default() };
    let fit = stribeck(&start(), &tight).unwrap();
    assert!(fit.reason.converged());
    // minima agree to the root of the rounding of the cost
    same(
        "stribeck",
        &[fit.values.clone(), fit.standard_errors(), vec![fit.cost]].concat(),
        &reference["stribeck"],
        1e-6,
    );
    for (loss, name) in [(Loss::Soft, "soft_l1"), (Loss::Huber, "huber"), (Loss::Cauchy, "cauchy")] {
        let fit = stribeck(&start(), &FitOptions { loss, scale: Some(0.004), ..tight.clone() }).unwrap();
        let got = [fit.values.clone(), vec![fit.cost]].concat();
        same(name, &got, &reference[&format!("stribeck {name}")], 2e-6);
    }
    let mut box_ = start();
    box_[2] = Parameter::new("vs", 0.006).within(1e-4, 0.008);
    box_[3] = Parameter::new("fv", 0.32).within(0.3, 0.35);
    let fit = stribeck(&box_, &tight).unwrap();
    // the reference stays inside by 1e-10 or so of its own
    same("box", &[fit.values.clone(), vec![fit.cost]].concat(), &reference["stribeck box"], 1e-6);
    assert_eq!(fit.bound, [false, false, true, true]);
    assert_eq!([fit.values[2], fit.values[3]], [0.008, 0.35]);
}

#[test]
fn a_separable_fit_is_the_whole_fit() {
    let (v, f) = (speeds(), stribeck_force());
    let terms = |p: &[f64], out: &mut [f64]| {
        let (one, rest) = out.split_at_mut(N);
        let (peak, line) = rest.split_at_mut(N);
        one.fill(1.0);
        peak.iter_mut().zip(&v).for_each(|(o, v)| *o = (-(v / p[0]).powi(2)).exp());
        line.copy_from_slice(&v);
    };
    let parameters = [Parameter::new("vs", 0.1).within(1e-4, 1.0).log()];
    let model =
        SeparableModel { parameters: &parameters, linear: &["fc", "rise", "fv"], y: &f, terms: &terms, weights: None };
    let fit = separable(&model, &FitOptions { central: true, tolerance: 1e-13, ..FitOptions::default() }).unwrap();
    let wanted = &reference()["stribeck"];
    let [fc, fs, vs, fv] = [wanted[0], wanted[1], wanted[2], wanted[3]];
    // minima agree to the root of the rounding of the cost; errors are made of slopes by differences
    same("separable", &fit.values, &[vs, fc, fs - fc, fv], 1e-6);
    same("separable error", &fit.standard_errors()[..2], &[wanted[6], wanted[4]], 1e-5);
    assert_eq!(fit.names, ["vs", "fc", "rise", "fv"]);
}

#[test]
fn a_fit_goes_on_from_where_it_was() {
    let (v, f) = (speeds(), stribeck_force());
    let residual = |p: &[f64], out: &mut [f64]| {
        for ((out, v), f) in out.iter_mut().zip(&v).zip(&f) {
            *out = p[0] + (p[1] - p[0]) * (-(v / p[2]).powi(2)).exp() + p[3] * v - f;
        }
    };
    let parameters = start();
    let problem = LeastSquaresProblem::new(&parameters, N, &residual);
    let options = FitOptions::default();
    let whole = nonlinear(&problem, &options).unwrap();
    let begin = problem.begin(&[0.8, 1.2, 0.02, 0.1]);
    let mut costs = Vec::new();
    let half = nonlinear_from(&problem, &options, &begin, &mut |progress| {
        costs.push(progress.cost);
        progress.state.iterations < 3
    })
    .unwrap();
    assert_eq!(half.reason, StopReason::Stopped);
    assert!(costs.windows(2).all(|c| c[1] < c[0]) && costs.len() == 4);
    let rest = nonlinear_from(&problem, &options, &half.state, &mut |_| true).unwrap();
    assert_eq!(rest.values, whole.values);
    assert_eq!(rest.state.iterations, whole.state.iterations);
    let few = nonlinear(&problem, &FitOptions { evaluations: 7, ..FitOptions::default() }).unwrap();
    assert_eq!(few.reason, StopReason::Evaluations);
}

#[test]
fn known_derivatives_give_the_same_fit_with_less_work() {
    let (x, y): (Vec<f64>, Vec<f64>) =
        (0..40).map(|k| (0.1 * f64::from(k), (-0.03 * f64::from(k)).exp() * 2.0)).unzip();
    let residual = |p: &[f64], out: &mut [f64]| {
        out.iter_mut().zip(&x).zip(&y).for_each(|((o, x), y)| *o = p[0] * (-p[1] * x).exp() - y);
    };
    let slopes = |p: &[f64], out: &mut [f64]| {
        let (a, b) = out.split_at_mut(40);
        for ((a, b), x) in a.iter_mut().zip(b).zip(&x) {
            *a = (-p[1] * x).exp();
            *b = -p[0] * x * (-p[1] * x).exp();
        }
    };
    let parameters = [Parameter::new("a", 1.0).log(), Parameter::new("b", 1.0)];
    let problem = LeastSquaresProblem::new(&parameters, 40, &residual);
    let by_differences = nonlinear(&problem, &FitOptions::default()).unwrap();
    let known = nonlinear(&problem.with_jacobian(&slopes), &FitOptions::default()).unwrap();
    // the data are exact: 2·exp(−0.3·x)
    // slopes that are known leave rounding, slopes by differences the default tolerance of 1e-10
    same("known", &known.values, &[2.0, 0.3], 1e-12);
    same("differences", &by_differences.values, &[2.0, 0.3], 1e-10);
    assert!(known.state.evaluations < by_differences.state.evaluations);
}

#[test]
fn outliers_do_not_move_a_robust_fit() {
    let v = speeds();
    let mut f = stribeck_force();
    (0..N).filter(|k| k % 11 == 5).for_each(|k| f[k] += 3.0);
    let residual = |p: &[f64], out: &mut [f64]| {
        for ((out, v), f) in out.iter_mut().zip(&v).zip(&f) {
            *out = p[0] + (p[1] - p[0]) * (-(v / p[2]).powi(2)).exp() + p[3] * v - f;
        }
    };
    let parameters = start();
    let problem = LeastSquaresProblem::new(&parameters, N, &residual);
    let plain = nonlinear(&problem, &FitOptions::default()).unwrap();
    assert!((plain.values[0] - 1.0).abs() > 0.2);
    for loss in [Loss::Huber, Loss::Soft, Loss::Cauchy, Loss::Tukey] {
        let fit = nonlinear(&problem, &FitOptions { loss, ..FitOptions::default() }).unwrap();
        // noise of 0.006; one in eleven pulls by at most its clipped size, a tenth of a deviation
        for (got, wanted) in fit.values.iter().zip([1.0, 1.5, 0.01, 0.4]) {
            assert!((got / wanted - 1.0).abs() < 0.03, "{loss:?}: {:?}", fit.values);
        }
    }
}

/// A tolerance bounds what a robust fit leaves, too: of its cost no more is to be had than that share, whatever many samples pull with a force that does
/// not grow. Where the loss is concave, a residual over the root of its curvature is huge, and so hid the gradient before.
#[test]
fn a_robust_fit_goes_on_until_nothing_more_is_to_be_had() {
    let v = speeds();
    let mut f = stribeck_force();
    (0..N).filter(|k| k % 11 == 5).for_each(|k| f[k] += 0.04);
    let residual = |p: &[f64], out: &mut [f64]| {
        for ((out, v), f) in out.iter_mut().zip(&v).zip(&f) {
            *out = p[0] + (p[1] - p[0]) * (-(v / p[2]).powi(2)).exp() + p[3] * v - f;
        }
    };
    let parameters = start();
    let problem = LeastSquaresProblem::new(&parameters, N, &residual);
    for loss in [Loss::Huber, Loss::Soft, Loss::Cauchy, Loss::Tukey] {
        let with =
            |tolerance: f64| FitOptions { loss, scale: Some(0.02), tolerance, central: true, ..FitOptions::default() };
        let exact = nonlinear(&problem, &with(1e-15)).unwrap();
        for tolerance in [1e-4, 1e-6, 1e-8, 1e-10] {
            let fit = nonlinear(&problem, &with(tolerance)).unwrap();
            let more = fit.cost / exact.cost - 1.0;
            // a step whose gain is the tolerance leaves as much again
            assert!(more <= 2.0 * tolerance, "{loss:?}: {more:e} for {tolerance:e}, {:?}", fit.reason);
        }
    }
}

#[test]
fn what_the_data_do_not_tell_is_named() {
    // only the product of the first two can be seen
    let residual = |p: &[f64], out: &mut [f64]| {
        for (k, o) in out.iter_mut().enumerate() {
            let x = 0.1 * k as f64;
            *o = p[0] * p[1] * x + p[2] - 6.0 * x - 1.0 - 0.01 * (7.0 * x).sin();
        }
    };
    let parameters = [
        Parameter::new("vs", 2.0),
        Parameter::new("fs", 2.0),
        Parameter::new("fc", 0.5),
        Parameter::new("d", 1.0).fixed(1.0),
    ];
    let fit = nonlinear(&LeastSquaresProblem::new(&parameters, 50, &residual), &FitOptions::default()).unwrap();
    let found = fit.identifiability(0.5);
    assert_eq!(found.unidentifiable.len(), 1);
    let text = found.to_string();
    assert!(text.contains("not identifiable: 1.00·vs - 1.00·fs") || text.contains("1.00·fs - 1.00·vs"), "{text}");
    assert_eq!(found.uncertain.iter().map(|l| l.0.as_str()).collect::<Vec<_>>(), ["vs", "fs"]);
    let errors = fit.standard_errors();
    assert!(errors[0].is_infinite() && errors[2] < 0.01 && errors[3] == 0.0, "{errors:?}");
    assert!(stribeck(&start(), &FitOptions::default()).unwrap().identifiability(0.5).is_identifiable());
}
