//! A published identification from raw measured data: the electro-mechanical positioning system (Janot2019). The data are
//! not part of the repository.
use crate::published::data;
use stiction::fit::{LinearOptions, NoiseModel, linear};
use stiction::signal::{DecimationGrid, Filter, Padding, PassBand, decimate, gradient, sampling};

#[test]
fn published_parameters_from_raw_data() {
    let Some(path) = data("emps/DATA_EMPS.csv") else { return };
    let text = std::fs::read_to_string(path).expect("readable");
    let column = |k: usize| -> Vec<f64> {
        text.lines()
            .skip(1)
            .map(|line| line.split(',').nth(k).and_then(|x| x.parse().ok()).expect("a number"))
            .collect()
    };
    let (t, position, voltage) = (column(0), column(2), column(3));
    // force per volt, from the data set
    let force: Vec<f64> = voltage.iter().map(|u| 35.150_651_882_485_47 * u).collect();
    let step = (sampling(&t).expect("times").step * 1e5).round() / 1e5;
    assert_eq!(step, 1e-3);

    let filter = Filter::butterworth(4, PassBand::Low, 100.0, 1.0 / step).expect("a filter");
    let smooth = filter.zero_phase(&position, Padding::Matlab).expect("samples");
    let speed = gradient(&smooth, step).expect("samples");
    let acceleration = gradient(&speed, step).expect("samples");
    let sign: Vec<f64> = speed.iter().map(|v| v.signum()).collect();
    let one = vec![1.0; speed.len()];
    let few = |x: &[f64]| decimate(&x[49..], 10, DecimationGrid::Matlab).expect("samples");
    let columns = [&acceleration, &speed, &sign, &one].map(|c| few(c));
    let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    let force = few(&force);
    let fit = linear(&columns, &force, &LinearOptions::default()).expect("a fit");

    // all decimals that are printed; the errors there come from a sum of squares divided by one less than the samples, not by
    // the degrees of freedom
    let scale = (fit.degrees_of_freedom / (force.len() - 1) as f64).sqrt();
    let errors: Vec<f64> = fit.covariance.standard_errors().iter().map(|e| e * scale).collect();
    let shown: Vec<String> = fit.values.iter().chain(&errors).map(|x| format!("{x:.4}")).collect();
    assert_eq!(shown, ["95.1089", "203.5034", "20.3935", "-3.1648", "0.1085", "1.1460", "0.1012", "0.0444"]);
    assert_eq!(format!("{:.3} {:.2}", 100.0 * fit.relative, fit.condition), "4.083 25.99");

    // residuals of a real drive remember: honest errors are larger
    let honest = LinearOptions { noise: NoiseModel::correlated(), ..LinearOptions::default() };
    let honest = linear(&columns, &force, &honest).expect("a fit");
    assert_eq!(honest.values, fit.values);
    println!("white {:?}, correlated {:?}", fit.covariance.standard_errors(), honest.covariance.standard_errors());
    assert!(honest.covariance.standard_errors()[1] > 1.2 * fit.covariance.standard_errors()[1]);
}
