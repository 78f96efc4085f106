//! Where stick-slip dies: a block pulled through springs of different stiffness at different speeds, all runs side by side.
//!
//! `cargo run --release -p stiction --example 06_ensemble`
use stiction::Error;
use stiction::scenario::Scenario;
use stiction::sim::Probe;
use stiction::sim::batch::Ensemble;

/// Stiffnesses and pulls of the map.
const SIZE: [u64; 2] = [8, 24];

fn values(i: u64) -> [f64; 2] {
    let part = |k: u64, of: u64| (k as f64 + 0.5) / of as f64;
    [0.5 + 3.5 * part(i / SIZE[1], SIZE[0]), 0.5 + 2.5 * part(i % SIZE[1], SIZE[1])]
}

fn scenario(values: &[f64]) -> Result<Scenario, Error> {
    let [stiffness, pull] = [values[0], values[1]].map(|x| format!("{x:?}"));
    let set = [
        format!("spring.pull.stiffness={stiffness}"),
        format!("motion.hand.position.ramp.slope={pull}"),
        "contact.table.sigma2=0.2".to_owned(),
    ];
    Scenario::named("a7", &set)
}

fn main() -> Result<(), Error> {
    let first = scenario(&values(0))?;
    let mut options = first.options.clone();
    (options.end, options.rtol, options.atol) = (30.0, 1e-4, 1e-7);
    // arrested, the block turns back a little
    options.probes = vec![Probe::Count { part: "table".to_owned(), kind: "reverse-".to_owned() }];
    let ensemble = Ensemble::new(&first.system, &options)?.map_err(Error::Unsupported)?;

    // both values are numbers of the system as they are: no system is built for each point
    let samples: Vec<Vec<f64>> = [0, 101, 77].iter().map(|i| values(*i).to_vec()).collect();
    let direct = ensemble.direct(&samples, &|values| Ok(scenario(values)?.system))?;
    let Some(direct) = direct else { return Ok(()) };
    let outcomes = ensemble.run(0..SIZE[0] * SIZE[1], &|i, numbers| {
        direct.write(&values(i), numbers);
        Ok(())
    });

    println!("pull 0.5 to 3 m/s to the right, stiffness 0.5 to 4 N/m downwards; #: sticks again");
    let mut dead = 0;
    for row in outcomes.chunks(SIZE[1] as usize) {
        let sticks = |o: &stiction::sim::batch::Outcome| o.as_ref().is_ok_and(|o| o[0] > Some(0.0));
        println!("{}", row.iter().map(|o| if sticks(o) { '#' } else { '.' }).collect::<String>());
        dead += row.iter().filter(|o| !sticks(o)).count();
    }
    // slowly pulled by a soft spring it sticks, fast and by a stiff one it does not
    assert!(outcomes[0].as_ref().is_ok_and(|o| o[0] > Some(0.0)) && dead > 0);
    Ok(())
}
