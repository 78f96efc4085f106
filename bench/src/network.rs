//! Large networks: time per block and step over the number of blocks, a run for statistics, and an explicit peer.
use std::time::Instant;
use stiction::Error;
use stiction::sim::network::{Chain, Network};

/// Step of the chain; its fastest wave takes a third of a unit of time.
const STEP: f64 = 0.02;

/// A chain loaded fast, so that every block slips: the most work a step can be.
fn busy(blocks: usize) -> Chain {
    Chain { blocks, l: 8.0, alpha: 4.0, drive: 20.0, ..Chain::default() }
}

/// Nanoseconds per block and step, and rounds per step.
fn own(blocks: usize) -> Result<(f64, f64), Error> {
    let system = busy(blocks).system()?;
    // as many steps for every size: the first ones after a start take more rounds than those that follow
    let (steps, repeats) = (20, (300_000 / blocks).clamp(5, 100));
    let (mut best, mut rounds) = (f64::INFINITY, 0.0);
    for _ in 0..repeats {
        let mut network = Network::new(&system)?;
        network.step(STEP)?;
        let (before, start) = (network.cost(), Instant::now());
        for _ in 0..steps {
            network.step(STEP)?;
        }
        best = best.min(start.elapsed().as_nanos() as f64 / (steps * blocks) as f64);
        rounds = (network.cost().rounds - before.rounds) as f64 / (network.cost().steps - before.steps) as f64;
    }
    Ok((best, rounds))
}

/// The classical explicit method with friction smoothed by tanh, as one writes it by hand; position of the first block
/// at `end`.
fn peer(chain: &Chain, x: &mut [f64], v: &mut [f64], h: f64, end: f64, smooth: f64) {
    let n = x.len();
    let (k, vs) = (chain.l * chain.l, 0.5 * (1.0 - chain.floor) / chain.alpha);
    let rate = |t: f64, x: &[f64], v: &[f64], a: &mut [f64]| {
        for i in 0..n {
            let (left, right) = (x[i.saturating_sub(1)], x[(i + 1).min(n - 1)]);
            let level = chain.floor + (1.0 - chain.floor) * (-v[i].abs() / vs).exp();
            a[i] = k * (left - 2.0 * x[i] + right) - x[i] + chain.drive * t - level * (v[i] / smooth).tanh();
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

/// Exponent of a density `m^{−1−b}` between 1e-5 and 1e-2, by maximum likelihood.
fn exponent(moments: &[f64]) -> f64 {
    let (lo, hi) = (1e-5, 1e-2);
    let inside: Vec<f64> = moments.iter().filter(|m| (lo..hi).contains(*m)).map(|m| (m / lo).ln()).collect();
    let (mean, range) = (inside.iter().sum::<f64>() / inside.len() as f64, (hi / lo).ln());
    let (mut low, mut high) = (1e-6, 20.0);
    for _ in 0..60 {
        let b: f64 = 0.5 * (low + high);
        if 1.0 / b - range / (b * range).exp_m1() > mean { low = b } else { high = b }
    }
    low
}

/// A run for statistics: its seconds, and the moments of its quakes after the first cycle.
fn quakes(seed: u32) -> Result<(f64, Vec<f64>), Error> {
    let system = Chain { blocks: 200, l: 8.0, alpha: 4.0, drive: 0.003, seed, ..Chain::default() }.system()?;
    let (mut network, mut moments, start) = (Network::new(&system)?, Vec::new(), Instant::now());
    network.run_until(1600.0, STEP, |quake| moments.extend((quake.start > 400.0).then_some(quake.moment)))?;
    Ok((start.elapsed().as_secs_f64(), moments))
}

/// A chain of 200 at rest under nine tenths of its limit for 100 units of time: seconds and drift of ours and the peer's.
/// The smoothing allows a creep of atanh(0.9) times its width, so the peer pays for every digit with its step.
fn hold() -> Result<[[f64; 2]; 2], Error> {
    let chain = Chain { blocks: 200, l: 8.0, alpha: 4.0, drive: 0.009, rough: 0.0, ..Chain::default() };
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
    println!("what,blocks,value,unit");
    for blocks in [1_000, 10_000, 100_000] {
        let (ns, rounds) = own(blocks)?;
        println!("all slip,{blocks},{ns:.1},ns per block and step");
        println!("all slip,{blocks},{rounds:.2},rounds per step");
    }
    println!("peer RK4 tanh: all slip,1000,{:.1},ns per block and step", peer_step(1000));
    // the exponent scatters from seed to seed, because small quakes come in swarms: all of them belong in the table
    for seed in 1..=12 {
        let (seconds, moments) = quakes(seed)?;
        println!("quakes seed {seed},200,{seconds:.3},s for {}", moments.len());
        println!("quakes seed {seed},200,{:.3},exponent b", exponent(&moments));
    }
    for (name, [seconds, drift]) in ["hold", "peer RK4 tanh: hold"].into_iter().zip(hold()?) {
        println!("{name},200,{seconds:.3e},s");
        println!("{name},200,{drift:.3e},drift");
    }
    Ok(())
}
