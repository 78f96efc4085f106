//! Filters, derivatives and spectra against SciPy and NumPy; `reference/signals.csv` comes from `reference/signals.py`.
use std::collections::BTreeMap;
use std::path::Path;
use stiction_numerics::NumericsError;
use stiction_numerics::signal::{
    CutoffKind, DecimationGrid, Detrend, DriftCorrection, Filter, Padding, PassBand, SavitzkyGolay, SmoothingSpline,
    central_difference, choose_cutoff, compact_derivative, compact_derivative_of_fourth_order, decimate, gradient,
    gradient_at, integral, resample, sampling, welch,
};

const N: usize = 240;

fn sample(k: usize) -> f64 {
    let q = k as f64;
    (0.07 * q).sin() + 0.5 * (0.9 * q).cos() + ((k * k * 7919 + 31 * k) % 1009) as f64 / 1009.0 - 0.5
}

fn samples() -> Vec<f64> {
    (0..N).map(sample).collect()
}

fn times() -> Vec<f64> {
    (0..N).map(|k| 0.01 * k as f64 + 0.004 * (1.3 * k as f64).sin()).collect()
}

struct Reference(BTreeMap<String, Vec<(usize, f64)>>);

impl Reference {
    fn read() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/signals.csv");
        let text = std::fs::read_to_string(path).expect("the values");
        let mut out: BTreeMap<String, Vec<(usize, f64)>> = BTreeMap::new();
        for line in text.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let value = (cells[1].parse().expect("a place"), cells[2].parse().expect("a number"));
            out.entry(cells[0].to_owned()).or_default().push(value);
        }
        Self(out)
    }
    /// To `off` of the largest value.
    fn same(&self, case: &str, got: &[f64], off: f64) {
        let wanted = self.0.get(case).unwrap_or_else(|| panic!("no case {case}"));
        let size = wanted.iter().fold(0.0_f64, |most, (_, x)| most.max(x.abs()));
        for (k, wanted) in wanted {
            let got = got[*k];
            assert!((got - wanted).abs() <= off * size, "{case} at {k}: {got} for {wanted}");
        }
    }
}

#[test]
fn filters_of_every_order() {
    let (reference, x) = (Reference::read(), samples());
    for order in 1..=12 {
        for (band, name) in [(PassBand::Low, "low"), (PassBand::High, "high")] {
            let filter = Filter::butterworth(order, band, 0.075, 1.0).unwrap();
            // poles agree to rounding, 1e-16, and at order 12 lie within 0.03 of the circle and of each other
            reference.same(&format!("butter {order} {name}"), &filter.zero_phase(&x, Padding::Scipy).unwrap(), 1e-11);
            reference.same(&format!("butter {order} {name} forward"), &filter.forward(&x), 1e-11);
            let filter = Filter::chebyshev(order, 0.5, band, 0.15, 1.0).unwrap();
            reference.same(&format!("cheby {order} {name}"), &filter.zero_phase(&x, Padding::Scipy).unwrap(), 1e-11);
        }
    }
}

#[test]
fn padding_of_two_programs_and_decimation() {
    let (reference, x) = (Reference::read(), samples());
    let filter = Filter::butterworth(4, PassBand::Low, 0.075, 1.0).unwrap();
    // the reference uses one polynomial of order four: some digits less
    reference.same("filtfilt", &filter.zero_phase(&x, Padding::Scipy).unwrap(), 1e-10);
    reference.same("filtfilt matlab", &filter.zero_phase(&x, Padding::Matlab).unwrap(), 1e-10);
    let few = decimate(&x, 5, DecimationGrid::Scipy).unwrap();
    assert_eq!(few.len(), 48);
    // as the filters above
    reference.same("decimate 5", &few, 1e-11);
    // MATLAB keeps the last sample: 240 samples by 7 are number 1, 8, ..., 239
    assert_eq!(decimate(&x, 7, DecimationGrid::Matlab).unwrap().len(), 35);
    assert_eq!(decimate(&x, 1, DecimationGrid::Matlab).unwrap(), x);
}

#[test]
fn the_gain_at_the_cutoff_is_what_the_design_says() {
    for order in 1..=12 {
        for band in [PassBand::Low, PassBand::High] {
            // far below the sampling rate, too
            for cutoff in [1e-4, 0.01, 0.2, 0.49] {
                let half = Filter::butterworth(order, band, cutoff, 1.0).unwrap().gain(cutoff, 1.0);
                // coefficients near 2 hold (cutoff)² to 1e-16/(6e-4)², times the order
                assert!((half - 0.5_f64.sqrt()).abs() < 1e-7, "{order} {band:?} {cutoff}: {half}");
                let ripple = Filter::chebyshev(order, 0.05, band, cutoff, 1.0).unwrap().gain(cutoff, 1.0);
                assert!((20.0 * ripple.log10() + 0.05).abs() < 1e-4, "{order} {band:?} {cutoff}: {ripple}");
            }
        }
    }
}

#[test]
fn zero_phase_keeps_a_line_and_a_slow_wave_in_place() {
    let filter = Filter::butterworth(4, PassBand::Low, 10.0, 1000.0).unwrap();
    let line: Vec<f64> = (0..2000).map(|k| 3.0 + 0.01 * f64::from(k)).collect();
    let kept = filter.zero_phase(&line, Padding::Scipy).unwrap();
    // in the middle; the start of each pass is that of a constant
    // what begins at the ends falls as exp(-24 t), in a second to 4e-11 of 13
    assert!((kept[1000] - line[1000]).abs() < 1e-9);
}

#[test]
fn savitzky_golay_with_edges() {
    let (reference, x) = (Reference::read(), samples());
    for (window, order, derivative) in [(5, 2, 0), (7, 2, 1), (11, 4, 2), (21, 5, 1), (3, 0, 0), (9, 8, 3), (31, 3, 0)]
    {
        let got = SavitzkyGolay { window, order, derivative, step: 0.01 }.filter(&x).unwrap();
        // the reference solves the equations of the powers, whose condition is about 1e4 at order 8
        reference.same(&format!("savgol {window} {order} {derivative}"), &got, 1e-10);
    }
    // a polynomial of the order is kept, to the very ends, and so is its derivative
    let cubic: Vec<f64> = (0..50).map(|k| (0.1 * f64::from(k) - 2.0).powi(3)).collect();
    let got = SavitzkyGolay { window: 11, order: 3, derivative: 1, step: 0.1 }.filter(&cubic).unwrap();
    for (k, got) in got.iter().enumerate() {
        // weights of 11 values up to 27, divided by a step of 0.1: rounding
        assert!((got - 3.0 * (0.1 * k as f64 - 2.0).powi(2)).abs() < 1e-11);
    }
}

#[test]
fn differences_integral_and_resampling() {
    let (reference, x, t) = (Reference::read(), samples(), times());
    // the same operations, but for the order of sums
    reference.same("gradient", &gradient(&x, 0.01).unwrap(), 1e-14);
    reference.same("gradient at", &gradient_at(&x, &t).unwrap(), 1e-13);
    reference.same("trapezoid", &integral(&x, &t, &DriftCorrection::Keep).unwrap(), 1e-14);
    reference.same("resample", &resample(&t, &x, 0.007).unwrap(), 1e-13);
    assert_eq!(central_difference(&x, 0.01).unwrap(), gradient(&x, 0.01).unwrap()[1..N - 1]);
    let even = sampling(&(0..100).map(|k| 0.001 * f64::from(k)).collect::<Vec<_>>()).unwrap();
    assert!(even.is_even(1e-9) && even.gaps == 0);
    let mut torn = t.clone();
    torn.drain(100..103);
    assert!(sampling(&torn).unwrap().gaps >= 1 && !sampling(&t).unwrap().is_even(0.1));
}

#[test]
fn spectra() {
    let (reference, x) = (Reference::read(), samples());
    for length in [64, 100, 60] {
        for (detrend, name) in [(Detrend::None, "none"), (Detrend::Mean, "mean"), (Detrend::Line, "line")] {
            let got = welch(&x, 100.0, length, detrend).unwrap();
            // sums of a hundred products: rounding
            reference.same(&format!("welch {length} {name}"), &got.density, 1e-13);
        }
    }
}

#[test]
fn smoothing_splines() {
    let (reference, x, t) = (Reference::read(), samples(), times());
    let w: Vec<f64> = (0..N).map(|k| 1.0 + (k % 3) as f64).collect();
    let last = t[N - 1];
    for lambda in ["1e-08", "1e-05", "0.001", "1"] {
        let spline = SmoothingSpline::smooth(&t, &x, Some(&w), lambda.parse().unwrap()).unwrap();
        let at = [0.0, 0.123, 1.0, 1.111, 2.3, last].map(|t| spline.at(t));
        for d in 0..3 {
            // B-splines against second derivatives, steps from 0.003 to 0.017 s: h⁻⁴ in the equations
            reference.same(&format!("spline {lambda} {d}"), &at.map(|v| v[d]), 1e-8);
        }
        // beyond the end straight on
        let ([there, slope, _], [beyond, same, bend]) = (spline.at(last), spline.at(last + 0.5));
        // rounding of a sum
        assert!((beyond - there - 0.5 * slope).abs() < 1e-12 && same == slope && bend == 0.0);
    }
    let (x, t) = (&x[..40], &t[..40]);
    for lambda in ["1e-07", "1e-05", "0.001"] {
        let spline = SmoothingSpline::smooth(t, x, None, lambda.parse().unwrap()).unwrap();
        // as above
        reference.same(&format!("gcv {lambda}"), &[spline.score, spline.effective_parameters], 1e-8);
    }
    // least of all on a fine grid; at a minimum the grid is off by the square of its spacing
    reference.same("gcv best", &[SmoothingSpline::smooth_auto(t, x, None).unwrap().score], 1e-4);
}

#[test]
fn a_stiffer_spline_has_less_freedom_down_to_a_line() {
    let n = 1000;
    let t: Vec<f64> = (0..n).map(|k| 1e-3 * k as f64).collect();
    let x: Vec<f64> = (0..n).map(sample).collect();
    let mut before = n as f64;
    for decade in -13..=3 {
        let spline = SmoothingSpline::smooth(&t, &x, None, 10.0_f64.powi(decade)).unwrap();
        // never below a line's; the sums of a thousand terms round to 1e-9 at a condition of 1e12
        assert!(
            spline.effective_parameters < before && spline.effective_parameters > 2.0 - 1e-6,
            "{decade}: {}",
            spline.effective_parameters
        );
        before = spline.effective_parameters;
    }
    // the softest mode of a free beam, (4.73)⁴ = 500 at one second, on a thousand samples: 1/(1 + 500) and harder ones
    assert!(before < 2.01, "{before}");
    // noise of a known variance about a slow wave: the score is that variance, and the wave comes back
    let mut random = stiction_numerics::fit::Random::new(3);
    let noisy: Vec<f64> = t.iter().map(|t| (12.0 * t).sin() + 0.1 * random.normal()).collect();
    let spline = SmoothingSpline::smooth_auto(&t, &noisy, None).unwrap();
    // a variance from a thousand samples is known to 4.5 %; two deviations
    assert!((spline.score / 0.01 - 1.0).abs() < 0.1, "{}", spline.score);
    // some ten parameters share the noise: 0.1·√(10/1000) in the value; the speed is ten times the value, and so its noise
    for t in &t[50..950] {
        let [value, speed, _] = spline.at(*t);
        assert!((value - (12.0 * t).sin()).abs() < 0.04, "{t}");
        assert!((speed - 12.0 * (12.0 * t).cos()).abs() < 1.5, "{t}");
    }
}

#[test]
fn drift_of_an_integral() {
    // a body that moves, rests, and moves back; the sensor is off by 0.3
    let t: Vec<f64> = (0..4001).map(|k| 1e-3 * f64::from(k)).collect();
    let speed = |t: f64| match t {
        t if (0.5..1.5).contains(&t) => (std::f64::consts::PI * (t - 0.5)).sin().powi(2),
        t if (2.5..3.5).contains(&t) => -(std::f64::consts::PI * (t - 2.5)).sin().powi(2),
        _ => 0.0,
    };
    let v: Vec<f64> = t.iter().map(|t| speed(*t)).collect();
    let a: Vec<f64> = gradient(&v, 1e-3).unwrap().iter().map(|a| a + 0.3).collect();
    let rests = vec![0..500, 1501..2500, 3501..4001];
    let kept = integral(&a, &t, &DriftCorrection::Rest(rests)).unwrap();
    let off = kept.iter().zip(&v).fold(0.0_f64, |most, (k, v)| most.max((k - v).abs()));
    // an offset grows to a ramp, which is taken out whole; trapezoids of differences are means of three samples, off by
    // h²·v″/4, 4.9e-6
    assert!(off < 5e-6, "{off}");
    assert_eq!(kept[2000], 0.0);
    // a wave with an offset: the polynomial takes out the ramp, not the wave
    let wave: Vec<f64> = t.iter().map(|t| 0.3 + (20.0 * std::f64::consts::PI * t).cos()).collect();
    let got = integral(&wave, &t, &DriftCorrection::Polynomial(1)).unwrap();
    for (got, t) in got.iter().zip(&t) {
        let wanted = (20.0 * std::f64::consts::PI * t).sin() / (20.0 * std::f64::consts::PI);
        // a line through forty waves has a slope of its own, 6/(π·40) of their size at most
        assert!((got - wanted).abs() < 0.05 * 0.016, "{got} {wanted}");
    }
}

#[test]
fn the_cutoff_is_where_signal_meets_noise() {
    // white noise through one pole at 1 Hz, fourth order in all, on a floor: the densities cross where
    // (f/f0)⁴ = signal/noise
    let mut random = stiction_numerics::fit::Random::new(7);
    let (rate, n) = (1000.0, 1 << 16);
    let white: Vec<f64> = (0..n).map(|_| random.normal()).collect();
    let low = Filter::butterworth(2, PassBand::Low, 5.0, rate).unwrap();
    let signal = low.forward(&white);
    let noisy: Vec<f64> = signal.iter().map(|s| s + 1e-3 * random.normal()).collect();
    let found = choose_cutoff(&noisy, rate).unwrap();
    // |H|² = 1e-6 at f = 5·10^1.5 Hz; a median over nine lines, and an octave that stays quiet, leave a fifth
    let wanted = 5.0 * 10.0_f64.powf(1.5);
    assert!(found.kind == CutoffKind::Floor && (found.frequency / wanted - 1.0).abs() < 0.2, "{found:?} {wanted}");
    // 1e-6·2/rate per hertz; the median of a mean of many exponentials is a little below the mean
    assert!((found.floor / (2e-6 / rate) - 1.0).abs() < 0.1, "{found:?}");
    let only_noise: Vec<f64> = (0..4096).map(|_| random.normal()).collect();
    assert_eq!(choose_cutoff(&only_noise, rate).unwrap().kind, CutoffKind::NoSignal);
    // white below 300 Hz, on a floor: in the upper half of the band
    let high = Filter::butterworth(10, PassBand::Low, 300.0, rate).unwrap();
    let noisy: Vec<f64> = high.forward(&white).iter().map(|s| s + 0.03 * random.normal()).collect();
    let found = choose_cutoff(&noisy, rate).unwrap();
    // in tan(πf/rate) the gain falls to 0.03 in a third of a decade over ten: at 345 Hz
    assert!(found.kind == CutoffKind::Floor && (found.frequency / 345.0 - 1.0).abs() < 0.05, "{found:?}");
    // the same without noise: its spectrum falls up to half the sampling rate
    let found = choose_cutoff(&high.forward(&white), rate).unwrap();
    assert!(found.kind == CutoffKind::NoFloor && found.frequency == 0.5 * rate, "{found:?}");
    // a body that stops and starts: the spectrum of its kinks falls with the sixth power and, folded at half the sampling rate, looks
    // like a floor there; white noise of that density is one
    let kinked = |noise: f64| -> Vec<f64> {
        let mut random = stiction_numerics::fit::Random::new(5);
        let place = |k: usize| {
            let t = (k % 400) as f64 / 400.0 * (1.0 + 0.1 * ((k / 400) as f64).sin());
            // each start ends 0.125 further
            let far = 0.125 * (k / 400) as f64;
            far + (t - 0.3).max(0.0).powi(2) - 2.0 * (t - 0.55).max(0.0).powi(2) + (t - 0.8).max(0.0).powi(2)
        };
        (0..n).map(|k| (k as f64 * 1e-3).sin() + place(k) + noise * random.normal()).collect()
    };
    assert_eq!(choose_cutoff(&kinked(0.0), rate).unwrap().kind, CutoffKind::NoFloor);
    assert_eq!(choose_cutoff(&kinked(1e-4), rate).unwrap().kind, CutoffKind::Floor);
}

#[test]
fn the_compact_derivative_is_of_sixth_order() {
    let worst = |n: f64| {
        // at the ends the order is four, and they reach in by a factor of 0.38 per sample
        let w = 2.0 * std::f64::consts::PI / n;
        let x: Vec<f64> = (0..201).map(|k| (w * f64::from(k)).sin()).collect();
        let got = compact_derivative(&x, 0.5).unwrap();
        let off = |k: usize| (got[k] / (2.0 * w) - (w * k as f64).cos()).abs();
        ((40..161).map(off).fold(0.0, f64::max), (0..201).map(off).fold(0.0, f64::max))
    };
    for (n, wanted) in [(4.0, 9.703e-3), (5.0, 2.272e-3), (10.0, 3.070e-5), (20.0, 4.631e-7)] {
        // the gain of the scheme at this frequency, (14/9 sin w + sin 2w/18)/(1 + 2/3 cos w)/w
        let (inner, all) = worst(n);
        assert!((inner / wanted - 1.0).abs() < 2e-3, "{n}: {inner}");
        assert!(all < 30.0 * wanted.powf(4.0 / 6.0), "{n}: {all}");
    }
    // exact for polynomials of fourth degree, ends included
    let x: Vec<f64> = (0..9).map(|k| f64::from(k).powi(4) - 3.0 * f64::from(k)).collect();
    for (k, got) in compact_derivative(&x, 1.0).unwrap().iter().enumerate() {
        let wanted = 4.0 * (k as f64).powi(3) - 3.0;
        assert!((got - wanted).abs() < 1e-9, "{k}: {got} {wanted}");
    }
    assert!(compact_derivative(&[1.0; 4], 1.0).is_err() && compact_derivative(&[1.0; 9], 0.0).is_err());
    // that of fourth order is exact for these too, and has the gain 3 sin w/(2 + cos w)/w
    for (k, got) in compact_derivative_of_fourth_order(&x, 1.0).unwrap().iter().enumerate() {
        assert!((got - (4.0 * (k as f64).powi(3) - 3.0)).abs() < 1e-9, "{k}: {got}");
    }
    let w = 2.0 * std::f64::consts::PI / 10.0;
    let x: Vec<f64> = (0..201).map(|k| (w * f64::from(k)).sin()).collect();
    let gain = 3.0 * w.sin() / (2.0 + w.cos());
    let got = compact_derivative_of_fourth_order(&x, 1.0).unwrap();
    // what the ends leave in the middle is 0.27^60
    assert!((60..140).all(|k| (got[k] - gain * (w * k as f64).cos()).abs() < 1e-14));
}

#[test]
fn what_cannot_be_filtered_is_told() {
    let filter = Filter::butterworth(4, PassBand::Low, 0.1, 1.0).unwrap();
    assert_eq!(
        filter.zero_phase(&[1.0; 15], Padding::Scipy),
        Err(NumericsError::TooFew { what: "samples for this filter", need: 16, have: 15 })
    );
    let mut holed = samples();
    holed[17] = f64::NAN;
    assert!(matches!(filter.zero_phase(&holed, Padding::Scipy), Err(NumericsError::NotFinite { at: 17, .. })));
    let steps = SavitzkyGolay { window: 5, order: 2, derivative: 0, step: 1.0 };
    assert!(steps.filter(&[]).is_err() && SavitzkyGolay { window: 4, ..steps }.filter(&samples()).is_err());
    assert!(SavitzkyGolay { order: 5, ..steps }.filter(&samples()).is_err());
    for bad in [0.0, 0.5, -0.1, f64::NAN, f64::INFINITY] {
        assert!(Filter::butterworth(2, PassBand::Low, bad, 1.0).is_err(), "{bad}");
    }
    assert!(Filter::butterworth(0, PassBand::Low, 0.1, 1.0).is_err());
    assert!(Filter::butterworth(13, PassBand::Low, 0.1, 1.0).is_err());
    assert!(Filter::chebyshev(0, 0.1, PassBand::Low, 0.1, 1.0).is_err());
    assert!(Filter::chebyshev(2, f64::NAN, PassBand::Low, 0.1, 1.0).is_err());
    assert!(
        decimate(&samples(), 0, DecimationGrid::Scipy).is_err() && decimate(&[], 1, DecimationGrid::Scipy).is_err()
    );
    assert!(gradient(&[1.0], 1.0).is_err() && gradient(&[1.0, 2.0], 0.0).is_err());
    assert!(matches!(gradient_at(&[1.0; 3], &[0.0, 2.0, 2.0]), Err(NumericsError::TimeNotIncreasing { at: 2, .. })));
    assert!(welch(&[1.0; 10], 1.0, 11, Detrend::Mean).is_err() && welch(&[1.0; 10], 1.0, 0, Detrend::Mean).is_err());
    assert!(choose_cutoff(&[2.0; 1000], 1.0).is_err() && choose_cutoff(&[], 1.0).is_err());
    assert!(SmoothingSpline::smooth_auto(&[0.0, 1.0, 2.0], &[0.0; 3], None).is_err());
    assert!(integral(&[0.0; 3], &[0.0, 1.0, 2.0], &DriftCorrection::Rest(vec![])).is_err());
    assert!(integral(&[0.0; 3], &[0.0, 1.0, 2.0], &DriftCorrection::Rest(vec![0..1, 2..9])).is_err());
    assert!(resample(&[0.0, 1.0], &[0.0, 1.0], 1e-12).is_err());
    let line: Vec<f64> = (0..40).map(f64::from).collect();
    assert!(SmoothingSpline::smooth_auto(&line, &line, None).unwrap().values().iter().all(|x| x.is_finite()));
}
