//! Ensembles on a GPU: LuGre stick-slip (the scenario a7, 20 s) with stiffness and pull varied, other laws, and a whole sweep from the plan
//! to the table.
//!
//! Points are in random order. Error of a trajectory: the largest deviation of the position at 200 even times from the simulator at
//! 1e-11 on the processor, over the largest position. Times are the best of several rounds: on the device alone, and by the clock with
//! the copies of numbers and results. If `STICTION_GPU_PEERS` names a folder with kernels of others, `bench/peers/gpu.py` times them.
mod ensemble;
mod fits;
mod peers;
mod whole_sweep;

use ensemble::{Case, Timed};
use stiction::Error;
use stiction::accelerator::{self, Accelerator};

/// The scenario a7 at two settings, the first for an error of 1e-4, the second of 1e-6.
const SETTINGS: [[f64; 2]; 2] = [[8e-5, 8e-6], [3.5e-7, 3e-8]];

/// Laws of a block that is pulled through a spring.
const LAWS: [(&str, &str); 11] = [
    ("lugre", "fc = 0.6\nfs = 1\nvs = 0.1\nsigma0 = 300\nsigma1 = 10\nsigma2 = 0.1"),
    ("dahl", "fc = 0.6\nsigma = 300"),
    ("bliman-sorine", ""),
    ("stribeck-tanh", "fc = 0.6\nfs = 1"),
    ("coulomb-tanh", "fc = 0.6"),
    ("simscape", ""),
    ("dankowicz", ""),
    ("coulomb", "fc = 1"),
    ("stiction", "fc = 0.6\nfs = 1\nfv = 0.1"),
    ("stribeck", "fc = 0.6\nfs = 1\nvs = 0.05\nfv = 0.1"),
    ("gms", "fc = 0.6\nfs = 1\nvs = 0.05\nsigma2 = 0.1\nc = 10\nk1 = 200\nk2 = 100\nk3 = 50\nk4 = 25"),
];

/// The parts of the benchmark; `huge` runs only if it is named.
const PARTS: [&str; 7] = ["a7", "g5", "sweep", "large", "huge", "fits", "laws"];

/// Runs the parts that are named, or all, and prints each line of the table as soon as it is known. After `laws` some may be named.
pub fn run(named: &[String]) -> Result<(), Error> {
    let device = accelerator::cuda()?;
    print_head(&*device);
    let show = |row: Timed| {
        println!("{}", row.line());
        eprintln!("{}", row.line());
    };
    let note = |what: String, x: f64| {
        println!("# {what}: {x:.4e}");
        eprintln!("{what}: {x:.4e}");
    };
    let wanted =
        |part: &str| !named.iter().any(|name| PARTS.contains(&name.as_str())) || named.iter().any(|n| n == part);
    if wanted("a7") {
        for [rtol, atol] in SETTINGS {
            show(Case::a7(rtol, atol, true)?.time(&*device, 1 << 20)?);
        }
        for [rtol, atol] in SETTINGS {
            show(Case::a7(rtol, atol, false)?.time(&*device, 1 << 24)?);
        }
        peers::run().iter().for_each(|line| println!("{line}"));
    }
    if wanted("sweep") {
        whole_sweep::run(&*device)?.into_iter().for_each(|(what, seconds)| note(format!("{what} [s]"), seconds));
    }
    if wanted("large") {
        whole_sweep::large(&*device)?.into_iter().for_each(|(what, x)| note(what, x));
    }
    if named.iter().any(|name| name == "huge") {
        whole_sweep::huge(&*device, &note)?;
    }
    if wanted("fits") {
        fits::run(&*device, &note)?;
    }
    if wanted("g5") {
        for [rtol, atol] in [[1e-4, 1e-5], [1e-6, 1e-7]] {
            show(Case::g5(rtol, atol)?.time(&*device, 1 << 20)?);
        }
    }
    if wanted("laws") {
        let some = |law: &str| LAWS.iter().any(|(other, _)| *other == law);
        let chosen: Vec<&String> = named.iter().filter(|name| some(name)).collect();
        for (law, parameters) in LAWS.iter().filter(|(law, _)| chosen.is_empty() || chosen.iter().any(|c| c == law)) {
            show(Case::law(law, parameters)?.time(&*device, 1 << 20)?);
        }
    }
    Ok(())
}

fn print_head(device: &dyn Accelerator) {
    let description = device.description();
    let name = description.split(',').next().unwrap_or("GPU");
    println!("# {name}, stiction {}", env!("CARGO_PKG_VERSION"));
    println!("# {description}");
    println!(
        "what,rtol,atol,points,per second on the device,per second with copies,p50,p99,p99.9,above 1e-4,above 1e-6,not finished"
    );
}
