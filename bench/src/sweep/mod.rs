//! Ensembles: LuGre stick-slip (the scenario a7, 20 s) with stiffness and pull varied, against compiled loops of peers.
//!
//! Error of a trajectory: the largest deviation of the position at 200 even times from a reference at 1e-11, over the
//! largest position; of a solver: the worst of all trajectories that are checked. Every solver is taken at the setting at
//! which it is fastest with an error of at most 1e-4. Times are the best of several rounds in which the solvers take
//! turns, on as many processes or threads as the machine has processors; the time of the processors is told beside the
//! clock's, for on a shared machine the clock runs on while others work.
mod arithmetic;
mod cpu;
mod ours;
mod peers;

use cpu::Spent;
use ours::Ours;
use std::thread;
use stiction::Error;
use stiction::core::Real;

/// The error that all are held to.
const ERROR: f64 = 1e-4;
/// Trajectories whose error is measured, and times at which it is.
const CHECKED: usize = 256;
const SAMPLES: usize = 200;
/// End of a trajectory \[s\].
const END: f64 = 20.0;
/// Rounds in which the solvers take turns.
const ROUNDS: usize = 5;
/// Trajectories of a round, ours and theirs.
const ROUND: u64 = 1 << 15;
const PEER_ROUND: usize = 1024;

/// Stiffness and pull of point `i`, drawn evenly from 1 to 4 N/m and from 0.5 to 3 m/s.
fn point(i: u64) -> [f64; 2] {
    let draw = |k: u64| f64::uniform(1.0, (2 * i + k) as f64);
    [1.0 + 3.0 * draw(0), 0.5 + 2.5 * draw(1)]
}

/// A solver at one setting.
#[derive(Clone, Debug)]
struct Setting {
    solver: String,
    rtol: f64,
    atol: f64,
    error: f64,
    /// Per trajectory and processor.
    spent: Spent,
}

/// The worst error of trajectories, each of [`SAMPLES`] positions.
fn worst(found: &[f64], exact: &[f64]) -> f64 {
    let each = found.chunks_exact(SAMPLES).zip(exact.chunks_exact(SAMPLES)).map(|(a, b)| {
        let size = b.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        let far = a.iter().zip(b).map(|(a, b)| (a - b).abs());
        // what is not a number is as wrong as can be
        far.fold(0.0, |most: f64, x| if x <= most { most } else { x }) / size
    });
    each.fold(0.0, |most: f64, x| if x <= most { most } else { x })
}

/// The fastest setting that is good enough.
fn best(settings: &[Setting]) -> Option<Setting> {
    settings.iter().filter(|s| s.error <= ERROR).min_by(|a, b| a.spent.cpu.total_cmp(&b.spent.cpu)).cloned()
}

/// Runs all; `long` goes on to a million trajectories.
pub fn run(long: bool) -> Result<(), Error> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let exact = ours::reference()?;
    let mut rows = Vec::new();
    let mut mine = Vec::new();
    for (rtol, ratio) in ours::SETTINGS {
        mine.push(Ours::new(rtol, ratio * rtol)?.check(&exact)?);
    }
    let theirs = peers::check(threads, &exact);
    let Some(chosen) = best(&mine) else {
        eprintln!("note: no setting of ours is within {ERROR:e}");
        return Ok(());
    };
    let names: Vec<String> = theirs.iter().fold(Vec::new(), |mut names, s| {
        if !names.contains(&s.solver) {
            names.push(s.solver.clone());
        }
        names
    });
    let mut rivals: Vec<Setting> = names
        .iter()
        .filter_map(|name| best(&theirs.iter().filter(|s| s.solver == *name).cloned().collect::<Vec<_>>()))
        .collect();
    rows.extend(mine.iter().chain(&theirs).cloned());
    let engine = Ours::new(chosen.rtol, chosen.atol)?;
    let (mut all, mut one) = (Spent::NEVER, Spent::NEVER);
    rivals.iter_mut().for_each(|rival| rival.spent = Spent::NEVER);
    for _ in 0..ROUNDS {
        all = all.best(engine.time(threads, ROUND));
        one = one.best(engine.time(1, ROUND / 2));
        for rival in &mut rivals {
            if let Some(spent) = peers::time(rival, threads) {
                rival.spent = rival.spent.best(spent);
            }
        }
    }
    let tell = |name: &str, spent: &Spent| {
        eprintln!("{name:<24} {:>10.2} {:>10.2}", 1e6 * spent.wall, 1e6 * spent.cpu);
    };
    eprintln!("\nerror at most {ERROR:e} on {threads} processors; µs per trajectory by the clock, µs of processor");
    tell("stiction", &all);
    tell("stiction, one thread", &one);
    for rival in &rivals {
        tell(&rival.solver, &rival.spent);
        let (wall, cpu) = (rival.spent.wall / all.wall, rival.spent.cpu / all.cpu);
        eprintln!("  as fast as this: {wall:.1} times by the clock, {cpu:.1} times by the processor");
    }
    eprintln!("threads: {threads} are {:.2} times as fast as one", one.wall / all.wall);
    eprintln!("a million trajectories: {:.0} s", 1e6 * all.wall);
    let attempts = engine.attempts();
    arithmetic::report(one.cpu, attempts);
    eprintln!("\ncost by count");
    let most = if long { 6 } else { 5 };
    let mut counts = Vec::new();
    for power in 3..=most {
        let count = 10_u64.pow(power);
        let rounds = if power < 5 { ROUNDS } else { 1 };
        let spent = (0..rounds).fold(Spent::NEVER, |best, _| best.best(engine.time(threads, count)));
        tell(&format!("10^{power}"), &spent);
        counts.push((count, spent));
    }
    let map = ours::map()?;
    eprintln!(
        "map of 400 × 400, sigma2 = 0.2, 20 s each: {:.1} s by the clock, {:.1} s of processor",
        map.wall, map.cpu
    );
    crate::clock::print_machine();
    println!("what,rtol,atol,error,wall us,cpu us");
    for s in &rows {
        println!(
            "checked {},{:e},{:e},{:.2e},{:.3},{:.3}",
            s.solver,
            s.rtol,
            s.atol,
            s.error,
            1e6 * s.spent.wall,
            1e6 * s.spent.cpu
        );
    }
    let line = |name: &str, s: &Setting, spent: &Spent| {
        println!("{name},{:e},{:e},{:.2e},{:.3},{:.3}", s.rtol, s.atol, s.error, 1e6 * spent.wall, 1e6 * spent.cpu);
    };
    line(&format!("stiction on {threads}"), &chosen, &all);
    line("stiction on 1", &chosen, &one);
    for rival in &rivals {
        line(&format!("{} on {threads}", rival.solver), rival, &rival.spent);
    }
    for (count, spent) in &counts {
        line(&format!("stiction {count} trajectories"), &chosen, spent);
    }
    println!("map 400x400 [s],{:e},{:e},,{:.3},{:.3}", chosen.rtol, chosen.atol, map.wall, map.cpu);
    Ok(())
}
