//! Large networks: time per block and step over the number of blocks, a run for statistics, and an explicit peer.
use crate::clock::print_machine;
use crate::memory;
use std::time::Instant;
use stiction::Error;
use stiction::sim::network::{BurridgeKnopoffChain, Network};

/// Step of the chain; its fastest wave takes a third of a unit of time.
const STEP: f64 = 0.02;

/// A chain loaded fast, so that every block slips: the most work a step can be.
fn busy(blocks: usize) -> BurridgeKnopoffChain {
    BurridgeKnopoffChain { blocks, wave_speed: 8.0, alpha: 4.0, plate_speed: 20.0, ..BurridgeKnopoffChain::default() }
}

/// What a chain of one size takes.
struct Size {
    blocks: usize,
    /// Nanoseconds per block: in a round, and in a step.
    round: f64,
    step: f64,
    /// Rounds per step.
    rounds: f64,
    /// Bytes per block, beside those of the system.
    bytes: f64,
}

/// Chains of several sizes, in turns: what slows the machine for a while slows all of them, and the best of many turns is
/// the machine's own. Every turn does as much work, on a chain that has just begun to slip, for the first steps after
/// a start take more rounds than those that follow.
fn sizes<const N: usize>(blocks: [usize; N]) -> Result<[Size; N], Error> {
    const STEPS: usize = 20;
    let work = blocks.iter().copied().max().unwrap_or(1);
    let systems = blocks.map(|blocks| busy(blocks).system());
    let systems = systems.into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut sizes =
        blocks.map(|blocks| Size { blocks, round: f64::INFINITY, step: f64::INFINITY, rounds: 0.0, bytes: 0.0 });
    for _ in 0..25 {
        for (size, system) in sizes.iter_mut().zip(&systems) {
            for _ in 0..work / size.blocks {
                let (network, bytes) = memory::kept(|| Network::new(system));
                let mut network = network?;
                network.step(STEP)?;
                let (before, start) = (network.statistics(), Instant::now());
                for _ in 0..STEPS {
                    network.step(STEP)?;
                }
                let spent = start.elapsed().as_nanos() as f64;
                let after = network.statistics();
                size.round = size.round.min(spent / (after.solved_rows - before.solved_rows) as f64);
                size.step = size.step.min(spent / (STEPS * size.blocks) as f64);
                size.rounds =
                    (after.newton_iterations - before.newton_iterations) as f64 / (after.steps - before.steps) as f64;
                size.bytes = bytes as f64 / size.blocks as f64;
            }
        }
    }
    Ok(sizes)
}

/// The classical explicit method with friction smoothed by tanh, as one writes it by hand; position of the first block
/// at `end`.
fn peer(chain: &BurridgeKnopoffChain, x: &mut [f64], v: &mut [f64], h: f64, end: f64, smooth: f64) {
    let n = x.len();
    let (k, fc) = (chain.wave_speed * chain.wave_speed, 1.0 - chain.stress_drop);
    let vs = 0.5 * fc / chain.alpha;
    let rate = |t: f64, x: &[f64], v: &[f64], a: &mut [f64]| {
        for i in 0..n {
            let (left, right) = (x[i.saturating_sub(1)], x[(i + 1).min(n - 1)]);
            let level = fc / (1.0 + v[i].abs() / vs);
            a[i] = k * (left - 2.0 * x[i] + right) - x[i] + chain.plate_speed * t - level * (v[i] / smooth).tanh();
        }
    };
    let mut stage = vec![vec![0.0; n]; 6];
    let steps = (end / h).round() as usize;
    for step in 0..steps {
        let t = step as f64 * h;
        let [a, dx, dv, xs, vs, _] = &mut stage[..] else { return };
        dx.fill(0.0);
        dv.fill(0.0);
        xs.copy_from_slice(x);
        vs.copy_from_slice(v);
        for (at, weight, next) in [(0.0, 1.0, 0.5), (0.5, 2.0, 0.5), (0.5, 2.0, 1.0), (1.0, 1.0, 0.0)] {
            rate(t + at * h, xs, vs, a);
            for i in 0..n {
                dx[i] += weight * vs[i];
                dv[i] += weight * a[i];
                xs[i] = x[i] + next * h * vs[i];
                vs[i] = v[i] + next * h * a[i];
            }
        }
        for i in 0..n {
            x[i] += h / 6.0 * dx[i];
            v[i] += h / 6.0 * dv[i];
        }
    }
}

/// Nanoseconds per block and step of the peer, on the same chain.
fn peer_step(blocks: usize) -> f64 {
    let (chain, steps) = (busy(blocks), 100);
    let (mut x, mut v) = (vec![0.0; blocks], vec![0.0; blocks]);
    let start = Instant::now();
    peer(&chain, &mut x, &mut v, 1e-3, 1e-3 * f64::from(steps), 1e-3);
    start.elapsed().as_nanos() as f64 / (f64::from(steps) * blocks as f64)
}

/// Exponent of a density `m^{−1−b}` between `lo` and `hi`, by maximum likelihood.
fn exponent(moments: &[f64], lo: f64, hi: f64) -> f64 {
    let inside: Vec<f64> = moments.iter().filter(|m| (lo..hi).contains(*m)).map(|m| (m / lo).ln()).collect();
    let (mean, range) = (inside.iter().sum::<f64>() / inside.len() as f64, (hi / lo).ln());
    let (mut low, mut high) = (1e-6, 20.0);
    for _ in 0..60 {
        let b: f64 = 0.5 * (low + high);
        if 1.0 / b - range / (b * range).exp_m1() > mean { low = b } else { high = b }
    }
    low
}

/// The chain of the power law: the parameters of (Carlson1991), driven so slowly that the plate stands still in a quake.
fn fault(seed: u32) -> BurridgeKnopoffChain {
    BurridgeKnopoffChain {
        blocks: 200,
        wave_speed: 10.0,
        alpha: 3.0,
        stress_drop: 0.01,
        plate_speed: 1e-5,
        roughness: 0.01,
        seed,
    }
}

/// A run for statistics with steps of `h`: its seconds, and the moments of its quakes once every block has slipped by
/// three lengths.
fn quakes(seed: u32, h: f64, theta: f64) -> Result<(f64, Vec<f64>), Error> {
    let chain = fault(seed);
    let system = chain.system()?;
    let (mut network, mut moments, start) = (Network::new(&system)?.with_theta(theta)?, Vec::new(), Instant::now());
    network.run_until(23.0 / chain.plate_speed, h, |quake| {
        moments.extend((quake.start * chain.plate_speed > 3.0).then_some(quake.moment));
    })?;
    Ok((start.elapsed().as_secs_f64(), moments))
}

/// A chain of 200 at rest under nine tenths of its limit for 100 units of time: seconds and drift of ours and the peer's.
/// The smoothing allows a creep of atanh(0.9) times its width, so the peer pays for every digit with its step.
fn hold() -> Result<[[f64; 2]; 2], Error> {
    let chain = BurridgeKnopoffChain {
        blocks: 200,
        wave_speed: 8.0,
        alpha: 4.0,
        plate_speed: 0.009,
        roughness: 0.0,
        ..BurridgeKnopoffChain::default()
    };
    let system = chain.system()?;
    let start = Instant::now();
    let mut network = Network::new(&system)?;
    network.run_until(100.0, STEP, |_| {})?;
    let ours = [start.elapsed().as_secs_f64(), network.positions()[0].abs()];
    let (mut x, mut v) = (vec![0.0; 200], vec![0.0; 200]);
    let start = Instant::now();
    // stable up to 2.8 times the width, which is the time constant of the smoothed law
    peer(&chain, &mut x, &mut v, 2e-3, 100.0, 1e-3);
    Ok([ours, [start.elapsed().as_secs_f64(), x[0].abs()]])
}

/// Runs all and prints CSV.
pub fn run() -> Result<(), Error> {
    print_machine();
    println!("what,blocks,value,unit");
    for Size { blocks, round, step, rounds, bytes } in sizes([1_000, 10_000, 100_000])? {
        println!("all slip,{blocks},{round:.1},ns per block and round");
        println!("all slip,{blocks},{rounds:.2},rounds per step");
        println!("all slip,{blocks},{step:.1},ns per block and step");
        println!("all slip,{blocks},{bytes:.0},bytes per block");
    }
    println!("peer RK4 tanh: all slip,1000,{:.1},ns per block and step", peer_step(1000));
    // from twice the least quake to those that run away; small quakes come in swarms, so that the
    // exponent scatters from seed to seed by more than their number says: all of them belong in the table
    let (lo, hi) = (2.0 * fault(0).smallest_moment(), fault(0).runaway_moment());
    for (h, theta) in [(0.02, 0.5), (0.01, 0.5), (0.005, 0.5), (0.02, 1.0), (0.005, 1.0)] {
        for seed in 1..=4 {
            let (seconds, moments) = quakes(seed, h, theta)?;
            let inside = moments.iter().filter(|m| (lo..hi).contains(*m)).count();
            println!("quakes h {h} theta {theta} seed {seed},200,{seconds:.3},s for {}", moments.len());
            println!(
                "quakes h {h} theta {theta} seed {seed},200,{:.3},exponent b of {inside}",
                exponent(&moments, lo, hi)
            );
        }
    }
    for (name, [seconds, drift]) in ["hold", "peer RK4 tanh: hold"].into_iter().zip(hold()?) {
        println!("{name},200,{seconds:.3e},s");
        println!("{name},200,{drift:.3e},drift");
    }
    Ok(())
}
