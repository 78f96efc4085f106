//! A published identification from raw measured data: the electro-mechanical positioning system (Janot2019). The data are
//! not part of the repository.
use crate::law;
use crate::published::data;
use stiction::Spec;
use stiction::core::Input;
use stiction::data::{DataFile, ReadOptions};
use stiction::fit::{LinearOptions, NoiseModel, Random, linear};
use stiction::identify::dynamic::{DynamicOptions, identify};
use stiction::identify::sliding::{SlidingOptions, identify as sliding_of, mark_sliding};
use stiction::identify::{ColumnRoles, MassOption, Preparation, prepare, warn_about_sliding_misfit};
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

/// An axis of the size of that one whose friction builds up over millimetres after a turn: 20 N on bristles of 20 N/mm. The law of the axis was blamed for
/// disagreeing with the law of sliding, which is the one that lacks the bristles.
#[test]
fn a_law_that_tells_sliding_better_is_not_blamed() {
    let values = [("fc", 20.0), ("fs", 20.0), ("sigma0", 2e4), ("sigma1", 0.0), ("sigma2", 200.0)];
    let model = law("lugre", &values).build().expect("admissible values");
    let (step, fine) = (2e-3, 20);
    let place = |t: f64| 0.025 * (1.04 * t).sin() + 0.015 * (2.45 * t + 1.0).sin() + 0.01 * (5.47 * t + 2.5).sin();
    let mut random = Random::new(6);
    let mut z = vec![0.0; model.len()];
    let mut text = "t [s],x [m],force [N]\n".to_owned();
    for k in -1000..6000 {
        let t = |part: i32| step * (f64::from(k) + f64::from(part) / f64::from(fine));
        let (now, by) = (t(0), 1e-4);
        let [before, here, after] = [now - by, now, now + by].map(place);
        let (v, a) = ((after - before) / (2.0 * by), (after - 2.0 * here + before) / (by * by));
        if k >= 0 {
            let force = 95.0 * a + model.force(&z, &Input::at(v)) - 3.0 + 0.5 * random.normal();
            text += &format!("{now},{},{force}\n", (here / 2e-7).round() * 2e-7);
        }
        let dt = step / f64::from(fine);
        (0..fine).for_each(|part| model.step(&mut z, &Input::at((place(t(part + 1)) - place(t(part))) / dt), dt));
    }
    let table = DataFile::from_bytes("axis.csv", text.as_bytes(), &ReadOptions::default()).expect("a table");
    let raw = ColumnRoles::default().read(&table).expect("columns");
    let (prepared, _) = prepare(&raw, &Preparation::default()).expect("a motion");
    let motions = mark_sliding(&prepared, None);
    let options =
        DynamicOptions { mass: MassOption::Estimated, offset: true, level: 0.999, ..DynamicOptions::default() };
    let mut result = identify(&motions, &Spec::new("lugre").expect("a law"), &options).expect("a fit");
    for (key, truth) in [("mass", 95.0), ("fc", 20.0), ("sigma0", 2e4), ("sigma2", 200.0), ("offset", -3.0)] {
        let e = result.estimate(key).expect("an estimate");
        assert!(e.interval[0] <= truth && truth <= e.interval[1], "{key}: {e:?}");
    }
    warn_about_sliding_misfit(&mut result, &prepared, &SlidingOptions::default()).expect("a law of sliding");
    let blamed = result.remarks.iter().find(|remark| remark.text.contains("disagrees with sliding alone"));
    assert!(blamed.is_none(), "{blamed:?}");
    // which a law of sliding alone would be
    let alone = sliding_of(&prepared, &SlidingOptions::default()).expect("a law of sliding");
    let off = |name: &str, truth: f64| (alone.estimate(name).map_or(f64::NAN, |e| e.value) / truth - 1.0).abs();
    assert!(off("fc", 20.0) > 0.2 || off("fv", 200.0) > 0.2, "{:?}", alone.estimates);
}
