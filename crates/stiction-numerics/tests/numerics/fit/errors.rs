//! What cannot be fitted.
use stiction_numerics::NumericsError;
use stiction_numerics::fit::{
    FitOptions, LeastSquaresProblem, LinearOptions, Loss, Parameter, bootstrap, linear, multi_start, nonlinear,
    nonlinear_from,
};

#[test]
fn what_cannot_be_fitted_is_told() {
    let plain = LinearOptions::default();
    assert!(linear(&[], &[1.0], &plain).is_err() && linear(&[&[]], &[], &plain).is_err());
    assert!(linear(&[&[1.0, 2.0]], &[1.0], &plain).is_err());
    assert!(matches!(linear(&[&[1.0, f64::NAN, 1.0]], &[1.0; 3], &plain), Err(NumericsError::NotFinite { at: 1, .. })));
    let error = linear(&[&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.0]], &[1.0, 2.0, 3.0], &plain).unwrap_err();
    assert!(matches!(&error, NumericsError::DependentColumns { sum } if sum.len() == 2), "{error}");
    assert!(linear(&[&[0.0; 3]], &[1.0; 3], &plain).is_err());
    // an exact fit has errors of zero, also a robust one
    let exact = linear(&[&[1.0, 2.0, 3.0, 4.0]], &[2.0, 4.0, 6.0, 8.0], &LinearOptions { loss: Loss::Tukey, ..plain });
    // rounding
    assert!((exact.unwrap().values[0] - 2.0).abs() < 1e-14);
    let nothing = |_: &[f64], out: &mut [f64]| out.fill(f64::NAN);
    let parameters = [Parameter::new("a", 1.0)];
    assert_eq!(
        nonlinear(&LeastSquaresProblem::new(&parameters, 3, &nothing), &FitOptions::default()).unwrap_err(),
        NumericsError::NotFiniteAtStart { at: 0 }
    );
    assert!(nonlinear(&LeastSquaresProblem::new(&[], 3, &nothing), &FitOptions::default()).is_err());
    assert!(nonlinear(&LeastSquaresProblem::new(&parameters, 0, &nothing), &FitOptions::default()).is_err());
    let zero = |_: &[f64], out: &mut [f64]| out.fill(0.0);
    for bad in [
        Parameter::new("a", f64::NAN),
        Parameter::new("a", 1.0).within(2.0, 1.0),
        Parameter::new("a", -1.0).log(),
        Parameter::new("a", 1.0).with_scale(0.0),
    ] {
        assert!(nonlinear(&LeastSquaresProblem::new(&[bad], 3, &zero), &FitOptions::default()).is_err());
    }
    // a model that does not depend on its parameter
    let still = nonlinear(&LeastSquaresProblem::new(&parameters, 3, &zero), &FitOptions::default()).unwrap();
    assert!(still.reason.converged() && still.standard_errors()[0].is_infinite());
    let flat = |_: &[f64], out: &mut [f64]| out.fill(1.0);
    let flat = nonlinear(&LeastSquaresProblem::new(&parameters, 3, &flat), &FitOptions::default()).unwrap();
    assert!(!flat.identifiability(0.5).is_identifiable());
    assert!(multi_start(&LeastSquaresProblem::new(&parameters, 3, &zero), &FitOptions::default(), 4, 1).is_err());
    // a model that exists only where its parameter is above zero
    let half = |p: &[f64], out: &mut [f64]| out.fill(p[0].sqrt() - 0.1);
    let fit =
        nonlinear(&LeastSquaresProblem::new(&[Parameter::new("a", 4.0)], 3, &half), &FitOptions::default()).unwrap();
    // the default tolerance of 1e-10, in a root whose slope is 5
    assert!((fit.values[0] - 0.01).abs() < 1e-8, "{:?}", fit.values);
    assert!(bootstrap(&[1.0], None, 10, 1, |_| None).is_err());
    assert!(bootstrap(&[1.0; 5], None, 10, 1, |_| None).is_err());
}

#[test]
fn a_state_from_elsewhere_does_no_harm() {
    let residual = |p: &[f64], out: &mut [f64]| out.fill(p[0] - 3.0);
    let parameters = [Parameter::new("a", 1.0).within(0.0, 2.0)];
    let problem = LeastSquaresProblem::new(&parameters, 4, &residual);
    let mut state = problem.begin(&[1.0]);
    state.coordinates = vec![99.0];
    let fit = nonlinear_from(&problem, &FitOptions::default(), &state, &mut |_| true).unwrap();
    assert_eq!((fit.values[0], fit.bound[0]), (2.0, true));
    for bad in [vec![f64::NAN], vec![], vec![1.0, 1.0]] {
        state.coordinates = bad;
        assert!(nonlinear_from(&problem, &FitOptions::default(), &state, &mut |_| true).is_err());
    }
    // as many residuals as parameters leave nothing to judge by
    let one = nonlinear(&LeastSquaresProblem::new(&[Parameter::new("a", 1.0)], 1, &residual), &FitOptions::default())
        .unwrap();
    // linear: one step and rounding
    assert!((one.values[0] - 3.0).abs() < 1e-12 && !one.identifiability(0.5).is_identifiable());
}

/// A parameter at its bound had no interval.
#[test]
fn a_bound_has_a_one_sided_interval() {
    // a slope that the data have below zero, and an offset: y = -0.1 x + 1 with noise of alternating sign
    let x: Vec<f64> = (0..40).map(|k| f64::from(k) / 40.0 - 0.4875).collect();
    let y: Vec<f64> = (0..40).map(|k| 1.0 - 0.1 * x[k] + if k % 4 < 2 { 0.3 } else { -0.3 }).collect();
    let residual = |p: &[f64], out: &mut [f64]| {
        for (k, out) in out.iter_mut().enumerate() {
            *out = p[0] * x[k] + p[1] - y[k];
        }
    };
    let parameters = [Parameter::new("slope", 0.5).within(0.0, 9.0), Parameter::new("offset", 0.0)];
    let fit = nonlinear(&LeastSquaresProblem::new(&parameters, 40, &residual), &FitOptions::default()).unwrap();
    assert!(fit.bound[0] && !fit.bound[1] && fit.reach_from_bound(1, 0.95).is_none());
    let reach = fit.reach_from_bound(0, 0.95).unwrap();
    // where the sum of squares, with the offset fitted anew, is t² σ² above its least: searched, with x of zero mean
    let squares = |slope: f64| {
        let left: Vec<f64> = (0..40).map(|k| y[k] - slope * x[k]).collect();
        let mean = left.iter().sum::<f64>() / 40.0;
        left.iter().map(|r| (r - mean) * (r - mean)).sum::<f64>()
    };
    let variance = squares(0.0) / 39.0;
    let t = stiction_numerics::statistics::student_t_quantile(0.975, 39.0);
    let (mut low, mut high) = (0.0, 9.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if squares(middle) - squares(0.0) < t * t * variance { low = middle } else { high = middle }
    }
    // derivatives by differences have some eight digits
    assert!((reach / low - 1.0).abs() < 1e-6, "{reach} for {low}");
    // nothing depends on it
    let flat = |p: &[f64], out: &mut [f64]| out.iter_mut().zip(&y).for_each(|(out, y)| *out = p[1] - y);
    let fit = nonlinear(
        &LeastSquaresProblem::new(&[Parameter::new("none", 0.0).within(0.0, 9.0), parameters[1].clone()], 40, &flat),
        &FitOptions::default(),
    )
    .unwrap();
    assert_eq!(fit.reach_from_bound(0, 0.95), Some(f64::INFINITY));
}

/// The exponential of a logarithm may be below the number by rounding: a parameter that ended at its upper bound then had a standard error and an
/// interval that reached over the bound, as if it were known.
#[test]
fn a_logarithmic_parameter_at_its_upper_bound_is_at_a_bound() {
    let x: Vec<f64> = (0..50).map(f64::from).collect();
    let mut rounded = 0;
    for high in (1..=40).map(|k| 100.0 * f64::from(k)) {
        rounded += usize::from(high.ln().exp() < high);
        // the minimum lies at twice the bound
        let residual = |p: &[f64], out: &mut [f64]| {
            for (out, x) in out.iter_mut().zip(&x) {
                *out = (p[0] - 2.0 * high) * (1.0 + x) + 0.1 * high * x.sin();
            }
        };
        let parameters = [Parameter::new("k", 0.3 * high).within(1e-3 * high, high).log()];
        let problem = LeastSquaresProblem::new(&parameters, x.len(), &residual);
        let fit = nonlinear(&problem, &FitOptions::default()).unwrap();
        assert!(fit.bound[0] && fit.values[0] == high, "{high}: {} {:?}", fit.values[0], fit.bound);
    }
    assert!(rounded > 0, "no bound that rounding would miss");
}
