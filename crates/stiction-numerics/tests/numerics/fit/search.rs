//! Profiles, many starts, evolution.
use super::{N, rough};
use stiction_numerics::fit::{
    CmaOptions, FitOptions, LeastSquaresProblem, Parameter, ScreeningOptions, SearchJournal, cma_search, minimise,
    multi_start, nonlinear, profile_likelihood, screen,
};

#[test]
fn profiles_find_the_ends_of_a_curved_valley() {
    // for a linear model the profile is a parabola: the interval is the textbook's
    let (x, y): (Vec<f64>, Vec<f64>) =
        rough().iter().enumerate().map(|(k, u)| (k as f64, 2.0 + 0.1 * k as f64 + u)).unzip();
    let residual = |p: &[f64], out: &mut [f64]| {
        out.iter_mut().zip(&x).zip(&y).for_each(|((o, x), y)| *o = p[0] + p[1] * x - y);
    };
    let parameters = [Parameter::new("a", 1.0), Parameter::new("b", 1.0)];
    let problem = LeastSquaresProblem::new(&parameters, N, &residual);
    let fit = nonlinear(&problem, &FitOptions::default()).unwrap();
    let found = profile_likelihood(&problem, &FitOptions::default(), &fit, 0, 0.95).unwrap();
    let [low, high] = fit.interval(0, 0.95);
    // an interval is four errors wide
    // ends are found to 1e-4 of an error
    assert!((found.interval[0].unwrap() - low).abs() < 1e-4 * (high - low), "{found:?} {low}");
    assert!((found.interval[1].unwrap() - high).abs() < 1e-4 * (high - low), "{found:?} {high}");
    // saturation: from the rising part alone there is no upper limit
    let data: Vec<(f64, f64)> =
        (1..20).map(|k| (0.05 * f64::from(k), 0.05 * f64::from(k) + 0.01 * rough()[k as usize])).collect();
    let residual = |p: &[f64], out: &mut [f64]| {
        out.iter_mut().zip(&data).for_each(|(o, (x, y))| *o = p[0] * (x / p[0]).tanh() - y);
    };
    let parameters = [Parameter::new("level", 3.0).within(0.1, 1e6).log()];
    let problem = LeastSquaresProblem::new(&parameters, 19, &residual);
    let fit = nonlinear(&problem, &FitOptions::default()).unwrap();
    let found = profile_likelihood(&problem, &FitOptions::default(), &fit, 0, 0.95).unwrap();
    assert!(found.interval[0].is_some_and(|low| low > 1.0) && found.interval[1].is_none(), "{found:?}");
}

#[test]
fn searches_find_the_deepest_valley_and_repeat_themselves() {
    // a wave of unknown frequency: a valley at every few parts of it
    let (x, y): (Vec<f64>, Vec<f64>) = rough()[..120]
        .iter()
        .enumerate()
        .map(|(k, u)| (0.1 * k as f64, (3.7 * 0.1 * k as f64).sin() * 1.4 + 0.1 * u))
        .unzip();
    let residual = |p: &[f64], out: &mut [f64]| {
        out.iter_mut().zip(&x).zip(&y).for_each(|((o, x), y)| *o = p[0] * (p[1] * x).sin() - y);
    };
    let parameters = [Parameter::new("size", 1.0).within(0.1, 10.0), Parameter::new("rate", 6.0).within(0.5, 8.0)];
    let problem = LeastSquaresProblem::new(&parameters, 120, &residual);
    let options = FitOptions::default();
    let alone = nonlinear(&problem, &options).unwrap();
    let many = multi_start(&problem, &options, 40, 3).unwrap();
    let evolved =
        cma_search(&problem, &options, &CmaOptions::default(), &mut SearchJournal::default(), &mut |_| true).unwrap();
    assert!(alone.cost > 10.0 * many.fit.cost);
    for fit in [&many.fit, &evolved] {
        // forty samples a wave, noise of 0.03: rate to 1e-3
        assert!((fit.values[1] - 3.7).abs() < 5e-3 && (fit.values[0] - 1.4).abs() < 0.02, "{:?}", fit.values);
    }
    assert!(many.agreeing >= 2 && many.minima.len() == 40, "{}", many.agreeing);
    assert_eq!(multi_start(&problem, &options, 40, 3).unwrap().minima, many.minima);
    assert_eq!(
        cma_search(&problem, &options, &CmaOptions::default(), &mut SearchJournal::default(), &mut |_| true)
            .unwrap()
            .values,
        evolved.values
    );
}

#[test]
fn evolution_finds_known_minima() {
    // Rosenbrock's valley, and one on the side of the box
    let rosenbrock = |x: &[f64]| {
        let p: Vec<f64> = x.iter().map(|x| 4.0 * x - 2.0).collect();
        p.windows(2).map(|p| 100.0 * (p[1] - p[0] * p[0]).powi(2) + (1.0 - p[0]).powi(2)).sum()
    };
    let found = minimise(&[0.2; 5], &rosenbrock, &CmaOptions { evaluations: 60_000, ..CmaOptions::default() });
    // (1, ..., 1) is at 0.75
    // the search stops when the widest deviation is 1e-9; along the valley the cost is flat to its root
    assert!(found.point.iter().all(|x| (x - 0.75).abs() < 1e-6), "{found:?}");
    let side = minimise(&[0.5; 3], &|x| x.iter().map(|x| (x + 0.2) * (x + 0.2)).sum(), &CmaOptions::default());
    // on the side of the box: deviations of 1e-9, cut off at zero
    assert!(side.point.iter().all(|x| *x < 1e-8), "{side:?}");
    let nowhere = minimise(&[0.5; 2], &|_| f64::NAN, &CmaOptions::default());
    assert!(nowhere.cost.is_infinite());
}

#[test]
fn a_survey_sees_the_right_valley() {
    // a frequency has a valley for every period that is missed
    let y: Vec<f64> = (0..N).map(|k| (0.37 * k as f64).sin()).collect();
    let residual = |p: &[f64], out: &mut [f64]| {
        out.iter_mut().enumerate().for_each(|(k, o)| *o = (p[0] * k as f64).sin() - y[k]);
    };
    let parameters = [Parameter::new("omega", 1.5).within(0.01, 3.0)];
    let problem = LeastSquaresProblem::new(&parameters, N, &residual);
    let alone = nonlinear(&problem, &FitOptions::default()).unwrap();
    assert!((alone.values[0] - 0.37).abs() > 0.01, "the start must be in another valley to prove anything");
    let how = ScreeningOptions { samples: 600, fits: 4, ..ScreeningOptions::default() };
    let mut looks = 0;
    let ends = screen(&problem, &FitOptions::default(), &how, &mut SearchJournal::default(), &mut |sight| {
        looks += 1;
        sight.done <= 1.0
    })
    .unwrap();
    // a screening stops at a tolerance of 1e-6
    assert!((ends[0].1[0] - 0.37).abs() < 1e-6 && looks > 0, "{ends:?}");
    assert!(ends.windows(2).all(|w| w[0].0 <= w[1].0), "best first");
    let again = screen(&problem, &FitOptions::default(), &how, &mut SearchJournal::default(), &mut |_| true).unwrap();
    assert_eq!(ends, again, "the same seed, the same ends");
}
