//! Numerical routines: times of filters and splines on a million samples, and the coverage of confidence intervals.
use crate::clock::print_machine;
use std::hint::black_box;
use std::time::Instant;
use stiction::NumericsError;
use stiction::fit::{LinearOptions, NoiseModel, Random, linear};
use stiction::signal::{
    DecimationGrid, Detrend, Filter, Padding, PassBand, SavitzkyGolay, SmoothingSpline, choose_cutoff, decimate,
    gradient, resample, welch,
};

/// Records for each coverage: its standard deviation is √(0.95·0.05/2000) = 0.005.
const RECORDS: u32 = 2000;

/// Prints both tables.
pub fn run() -> Result<(), NumericsError> {
    print_machine();
    println!("routine,ms for a million samples");
    times()?;
    println!("samples,memory,white,Newey-West,whitened");
    for n in [200, 1000, 5000] {
        for memory in [0.0, 0.5, 0.9, 0.97] {
            let plain = NoiseModel::Correlated { lag: None, whiten: false, breaks: vec![] };
            let [white, plain, whitened] =
                [NoiseModel::White, plain, NoiseModel::correlated()].map(|noise| coverage(n, memory, &noise));
            println!("{n},{memory},{:.3},{:.3},{:.3}", white?, plain?, whitened?);
        }
    }
    Ok(())
}

fn times() -> Result<(), NumericsError> {
    let sample = |k: u64| {
        let q = k as f64;
        (0.07 * q).sin() + 0.5 * (0.9 * q).cos() + ((k * k * 7919 + 31 * k) % 1009) as f64 / 1009.0 - 0.5
    };
    let x: Vec<f64> = (0..1_000_000).map(sample).collect();
    let t: Vec<f64> = (0..1_000_000).map(|k| 1e-3 * f64::from(k)).collect();
    let filter = Filter::butterworth(4, PassBand::Low, 50.0, 1000.0)?;
    let window = SavitzkyGolay { window: 21, order: 3, derivative: 1, step: 1e-3 };
    time("filter and two derivatives", &|| {
        let smooth = filter.zero_phase(&x, Padding::Scipy)?;
        Ok(gradient(&gradient(&smooth, 1e-3)?, 1e-3)?[500_000])
    })?;
    time("decimate", &|| Ok(decimate(&x, 10, DecimationGrid::Scipy)?[50_000]))?;
    time("Savitzky-Golay", &|| Ok(window.filter(&x)?[500_000]))?;
    time("Welch", &|| Ok(welch(&x, 1000.0, 4096, Detrend::Line)?.density[10]))?;
    time("cut-off", &|| Ok(choose_cutoff(&x, 1000.0)?.frequency))?;
    time("spline", &|| Ok(SmoothingSpline::smooth(&t, &x, None, 1e-8)?.score))?;
    time("spline with chosen lambda", &|| Ok(SmoothingSpline::smooth_auto(&t, &x, None)?.score))?;
    time("resample", &|| Ok(resample(&t, &x, 0.7e-3)?[500_000]))
}

fn time(name: &str, run: &dyn Fn() -> Result<f64, NumericsError>) -> Result<(), NumericsError> {
    let start = Instant::now();
    black_box(run()?);
    println!("{name},{:.1}", 1e3 * start.elapsed().as_secs_f64());
    Ok(())
}

/// How often the 95 % interval of a slope contains the true value, of records with noise of order one.
fn coverage(n: usize, memory: f64, noise: &NoiseModel) -> Result<f64, NumericsError> {
    let v: Vec<f64> = (0..n).map(|k| (0.02 * k as f64).sin()).collect();
    let one = vec![1.0; n];
    let mut contained = 0;
    for record in 0..RECORDS {
        let mut random = Random::new(record + 1);
        let mut e = random.normal() / (1.0 - memory * memory).sqrt();
        let y: Vec<f64> = v
            .iter()
            .map(|v| {
                e = memory * e + random.normal();
                1.0 + 2.0 * v + e
            })
            .collect();
        let options = LinearOptions { noise: noise.clone(), ..LinearOptions::default() };
        let [low, high] = linear(&[&one, &v], &y, &options)?.interval(1, 0.95);
        contained += u32::from(low < 2.0 && 2.0 < high);
    }
    Ok(f64::from(contained) / f64::from(RECORDS))
}
