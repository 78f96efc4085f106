//! A law that is written as a file beside the built-in law with the same equations: LuGre in stick-slip, one run after the other and in lanes.
use crate::clock::{Timing, time};
use std::path::Path;
use stiction::Error;
use stiction::scenario::Scenario;
use stiction::sim::batch::Ensemble;
use stiction::sim::{NullObserver, Probe, Simulation, SimulationOptions};

/// LuGre as a file, which the tests compare with the built-in law.
const FILE: &str = include_str!("../../crates/stiction/tests/law_file/laws/file-lugre.toml");
/// Stick-slip, with the built-in law.
const SCENARIO: &str = r#"
[run]
end = 20
[body.block]
mass = 1
[motion.hand]
position = { ramp = { slope = 2 } }
[spring.pull]
between = ["hand", "block"]
stiffness = 2
[contact.table]
between = ["block", "ground"]
law = "lugre"
fc = 3
fs = 6
vs = 0.1
exponent = 1
sigma0 = 2000
sigma1 = 89
sigma2 = 0
"#;
/// Runs of a round.
const POINTS: u64 = 64;

/// Runs all.
pub fn run() -> Result<Vec<Timing>, Error> {
    let folder = std::env::temp_dir().join(format!("stiction-bench-{}", std::process::id()));
    let path = folder.join("file-lugre.toml");
    let told = |io| Error::File(stiction::FileError { path: path.clone(), action: "write", io });
    std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, FILE)).map_err(told)?;
    let rows = measure(&folder.join("stick-slip.toml"));
    let _ = std::fs::remove_dir_all(&folder);
    rows
}

fn measure(scenario: &Path) -> Result<Vec<Timing>, Error> {
    let at = |law: &str, i: u64| {
        let set = [format!("contact.table.law=\"{law}\""), format!("spring.pull.stiffness={}", 1.0 + 0.05 * i as f64)];
        Scenario::parse(SCENARIO, scenario, &set)
    };
    let probes = vec![Probe::Final { column: "block.x".to_owned() }];
    let options = SimulationOptions { end: 20.0, probes, ..SimulationOptions::default() };
    let mut rows = Vec::new();
    // the built-in law first: it is the peer
    for (name, law) in [("peer: built-in lugre", "lugre"), ("lugre as a file", "file-lugre.toml")] {
        let scenarios = (0..POINTS).map(|i| at(law, i)).collect::<Result<Vec<_>, _>>()?;
        let single = time(&mut || {
            for scenario in scenarios.iter().take(4) {
                let _ = Simulation::new(&scenario.system).map(|simulation| simulation.run(&options, &mut NullObserver));
            }
            4
        });
        rows.push(Timing { name: name.into(), number: "single run".into(), ns: single });
        let engine = Ensemble::new(&scenarios[0].system, &options)?.map_err(Error::Unsupported)?;
        let lanes = time(&mut || {
            engine.run(0..POINTS, &|i, numbers| engine.read(&scenarios[i as usize].system, numbers));
            POINTS as usize
        });
        rows.push(Timing { name: name.into(), number: "run in lanes".into(), ns: lanes });
    }
    Ok(rows)
}
