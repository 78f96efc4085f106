//! Ensembles.
use std::time::Instant;
use stiction::Error;
use stiction::core::Real;
use stiction::scenario::Scenario;
use stiction::sim::batch::Ensemble;
use stiction::sim::{Options, Probe, Simulation, Trace};

pub fn run() -> Result<(), Error> {
    let a7 = Scenario::named("a7", &["run.end=20"])?;
    let rtol: f64 = std::env::var("RTOL").ok().and_then(|x| x.parse().ok()).unwrap_or(1e-4);
    let atol: f64 = std::env::var("ATOL").ok().and_then(|x| x.parse().ok()).unwrap_or(1e-3 * rtol);
    let count: u64 = std::env::var("COUNT").ok().and_then(|x| x.parse().ok()).unwrap_or(4096);
    let threads: usize = std::env::var("T").ok().and_then(|x| x.parse().ok()).unwrap_or(1);
    let options = Options {
        end: 20.0,
        rtol,
        atol,
        probes: vec![Probe::Final { column: "block.x".into() }],
        ..Options::default()
    };
    let Ok(ensemble) = Ensemble::new(&a7.system, &options)? else { panic!("unsupported") };
    let ensemble = ensemble.on(threads);
    let mut base = Vec::new();
    ensemble.read(&a7.system, &mut base)?;
    eprintln!("{base:?}");
    let stiff = base.iter().position(|x| *x == 2.0).unwrap();
    let slope = base.iter().rposition(|x| *x == 2.0).unwrap();
    eprintln!("{stiff} {slope}");
    let point =
        |i: u64| (1.0 + 3.0 * f64::uniform(1.0, (2 * i) as f64), 0.5 + 2.5 * f64::uniform(1.0, (2 * i + 1) as f64));
    let make = |i: u64, numbers: &mut Vec<f64>| {
        numbers.clone_from(&base);
        (numbers[stiff], numbers[slope]) = point(i);
        Ok(())
    };
    for i in 0..4 {
        let (k, v) = point(i);
        let s = Scenario::named(
            "a7",
            &[format!("spring.pull.stiffness={k}"), format!("motion.hand.position.ramp.slope={v}")],
        )?;
        let sum = Simulation::new(&s.system)?.run(&Options { rtol: 1e-9, ..options.clone() }, &mut Trace::default())?;
        let out = ensemble.run(i..i + 1, &make);
        eprintln!("{:?} {:?}", sum.last("block.x"), out);
    }
    for _ in 0..5 {
        let t = Instant::now();
        let out = ensemble.run(0..count, &make);
        let s = t.elapsed().as_secs_f64();
        let tries: f64 = 1.0;
        let fails = out.iter().filter(|o| o.is_err()).count();
        eprintln!("{:.2} us per trajectory, {fails} failed {tries}", 1e6 * s / count as f64);
    }
    Ok(())
}
