//! The ensemble of this library.
use super::cpu::{self, Spent};
use super::{CHECKED, END, SAMPLES, Setting, point, worst};
use stiction::scenario::{Scenario, Template};
use stiction::sim::batch::{Direct, Ensemble, Unsupported};
use stiction::sim::{NullObserver, Probe, Simulation, SimulationOptions};
use stiction::{Error, parallel};

/// Relative tolerance, and the absolute one relative to it.
pub const SETTINGS: [(f64, f64); 9] = [
    (1e-3, 1e-3),
    (5.6e-4, 1e-3),
    (3.2e-4, 1e-3),
    (2.4e-4, 1e-3),
    (1.8e-4, 1e-3),
    (1e-4, 1e-3),
    (1.8e-4, 1e-2),
    (1e-4, 1e-2),
    (5.6e-5, 1e-2),
];

const STIFFNESS: &str = "spring.pull.stiffness";
const PULL: &str = "motion.hand.position.ramp.slope";

/// The scenario at a point.
fn scenario([stiffness, pull]: [f64; 2], set: &[&str]) -> Result<Scenario, Error> {
    let text = stiction::scenario::embedded::find("a7").map_or("", |entry| entry.text);
    let mut template = Template::parse(text, "a7.toml".as_ref(), set)?;
    template.remove_measures_and_plots();
    template.number(STIFFNESS, stiffness)?.number(PULL, pull)?.build()
}

fn at(i: usize) -> Probe {
    Probe::At { column: "block.x".to_owned(), t: END * i as f64 / SAMPLES as f64 }
}

/// Positions of the trajectories that are checked, by the ordinary simulator.
pub fn reference() -> Result<Vec<f64>, Error> {
    let points: Vec<u64> = (0..CHECKED as u64).collect();
    let options = SimulationOptions {
        end: END,
        rtol: 1e-11,
        atol: 1e-14,
        probes: (1..=SAMPLES).map(at).collect(),
        ..SimulationOptions::default()
    };
    let runs = parallel::map(&points, |i| {
        let scenario = scenario(point(*i), &[])?;
        let summary = Simulation::new(&scenario.system)?.run(&options, &mut NullObserver)?;
        Ok::<_, Error>(summary.probes.into_iter().map(|x| x.unwrap_or(f64::NAN)).collect::<Vec<_>>())
    });
    runs.into_iter().collect::<Result<Vec<_>, _>>().map(|runs| runs.concat())
}

/// The engine, and how stiffness and pull become numbers.
pub struct Ours {
    engine: Ensemble,
    options: SimulationOptions,
    direct: Direct,
    settings: [f64; 2],
}

impl Ours {
    pub fn new(rtol: f64, atol: f64) -> Result<Self, Error> {
        let probes = vec![Probe::Final { column: "block.x".to_owned() }];
        Self::with(SimulationOptions { end: END, rtol, atol, probes, ..SimulationOptions::default() }, &[])
    }
    fn with(options: SimulationOptions, set: &[&str]) -> Result<Self, Error> {
        let first = scenario([2.0, 2.0], set)?;
        let engine = Ensemble::new(&first.system, &options)?.map_err(Error::Unsupported)?;
        let samples: Vec<Vec<f64>> = (0..4).map(|i| point(i).to_vec()).collect();
        let build = |values: &[f64]| Ok(scenario([values[0], values[1]], set)?.system);
        let direct = engine.direct(&samples, &build)?.ok_or(Error::Unsupported(Unsupported::Shape))?;
        let settings = [options.rtol, options.atol];
        Ok(Self { engine, options, direct, settings })
    }
    /// The error, and what a trajectory takes on one thread.
    pub fn check(self, exact: &[f64]) -> Result<Setting, Error> {
        let spent = self.time(1, 4096);
        let [rtol, atol] = self.settings;
        let probes = (1..=SAMPLES).map(at).collect();
        let checked = Self::with(SimulationOptions { probes, ..self.options }, &[])?;
        let outcomes = checked.engine.run(0..CHECKED as u64, &|i, numbers| {
            checked.direct.write(&point(i), numbers);
            Ok(())
        });
        let found: Vec<f64> = outcomes
            .into_iter()
            .flat_map(|o| o.map_or(vec![None; SAMPLES], |o| o).into_iter().map(|x| x.unwrap_or(f64::NAN)))
            .collect();
        Ok(Setting { solver: "stiction".to_owned(), rtol, atol, error: worst(&found, exact), spent })
    }
    /// What a trajectory takes: by the clock per trajectory, of one processor per trajectory.
    pub fn time(&self, threads: usize, count: u64) -> Spent {
        cpu::time(|| {
            // piece by piece, as results would be written
            let mut first = 0;
            while first < count {
                let last = (first + (1 << 16)).min(count);
                let outcomes = self.engine.run_on(threads, first..last, &|i, numbers| {
                    self.direct.write(&point(i), numbers);
                    Ok(())
                });
                assert!(
                    outcomes.len() as u64 == last - first && outcomes.iter().all(Result::is_ok),
                    "all points arrive"
                );
                first = last;
            }
        })
        .per(count as f64)
    }
    /// Attempts per trajectory.
    pub fn attempts(&self) -> f64 {
        let before = self.engine.attempts();
        let count = 4096;
        self.time(1, count);
        (self.engine.attempts() - before) as f64 / count as f64
    }
}

/// The map of stick-slip over stiffness and pull with viscous friction: whether the block is arrested again.
pub fn map() -> Result<Spent, Error> {
    let size = 400_u64;
    let probes = vec![Probe::Count { part: "table".to_owned(), kind: "reverse-".to_owned() }];
    let options = SimulationOptions { end: END, rtol: 2.4e-4, atol: 2.4e-7, probes, ..SimulationOptions::default() };
    let ours = Ours::with(options, &["contact.table.sigma2=0.2"])?;
    let mut slips = 0;
    let spent = cpu::time(|| {
        let outcomes = ours.engine.run(0..size * size, &|i, numbers| {
            let part = |k: u64| (k as f64 + 0.5) / size as f64;
            ours.direct.write(&[0.5 + 3.5 * part(i / size), 0.5 + 2.5 * part(i % size)], numbers);
            Ok(())
        });
        slips = outcomes.iter().flatten().filter(|o| o[0] > Some(0.0)).count();
    });
    eprintln!("map: {slips} of {} points stick again", size * size);
    Ok(spent)
}
