//! Benchmarks. `cargo x bench [laws|lugre|lawfile|control|export|sim|network|numerics|identify|sweep|gpu|python]` runs this in release and keeps
//! the CSV in `bench/results/`.
mod clock;
mod control;
mod export;
mod gpu;
mod identify;
mod law_file;
mod laws;
mod lugre;
mod memory;
mod network;
mod numerics;
mod python;
mod sim;
mod sweep;
mod work_precision;

fn main() {
    let what = std::env::args().nth(1);
    if what.as_deref() == Some("sim") {
        // problems, or one problem with its two tolerances
        let rest: Vec<String> = std::env::args().skip(2).collect();
        if let [what, table] = &rest[..]
            && what == "diagram"
        {
            // of a table in `bench/results`, measured before
            if let Err(error) = work_precision::draw(table) {
                eprintln!("error: {error}");
                std::process::exit(1);
            }
            return;
        }
        let tolerances: Vec<f64> = rest.iter().filter_map(|text| text.parse().ok()).collect();
        let points = match (&rest[..], &tolerances[..]) {
            ([name, ..], &[rtol, atol]) => sim::one(name, rtol, atol),
            _ => sim::run(&rest),
        };
        match points {
            Ok(points) => sim::print(&points),
            Err(error) => {
                eprintln!("error: {error}");
                std::process::exit(1);
            }
        }
        return;
    }
    if what.as_deref() == Some("sweep") {
        // up to a million trajectories
        let long = std::env::args().nth(2).as_deref() == Some("long");
        if let Err(error) = sweep::run(long) {
            eprintln!("error: {error}");
            std::process::exit(1);
        }
        return;
    }
    if what.as_deref() == Some("gpu") {
        // all, or some parts, and of laws some
        let named: Vec<String> = std::env::args().skip(2).collect();
        if let Err(error) = gpu::run(&named) {
            eprintln!("error: {error}");
            error.hint().iter().for_each(|hint| eprintln!("hint: {hint}"));
            std::process::exit(1);
        }
        return;
    }
    if what.as_deref() == Some("network") {
        if let Err(error) = network::run() {
            eprintln!("error: {error}");
            std::process::exit(1);
        }
        return;
    }
    if what.as_deref() == Some("numerics") {
        if let Err(error) = numerics::run() {
            eprintln!("error: {error}");
            std::process::exit(1);
        }
        return;
    }
    if what.as_deref() == Some("python") {
        if let Err(error) = python::run() {
            eprintln!("error: {error}");
            std::process::exit(1);
        }
        return;
    }
    if what.as_deref() == Some("export") {
        if let Err(error) = export::run() {
            eprintln!("error: {error}");
            std::process::exit(1);
        }
        return;
    }
    if what.as_deref() == Some("identify") {
        // records of each law
        let seeds = std::env::args().nth(2).map_or(Ok(100), |text| text.parse());
        let Ok(seeds) = seeds else {
            eprintln!(
                "error: the number of records is a whole number; 0 for times alone\nhint: cargo x bench identify 100, and laws after it for their coverage alone: 100 coulomb,stribeck,late; or 100 alarms"
            );
            std::process::exit(2);
        };
        if let Err(error) = identify::run(seeds, std::env::args().nth(3).as_deref()) {
            eprintln!("error: {error}");
            std::process::exit(1);
        }
        return;
    }
    let rows = match what.as_deref() {
        None => [lugre::run(), laws::run()].concat(),
        Some("laws") => laws::run(),
        Some("lugre") => lugre::run(),
        Some("lawfile") => match law_file::run() {
            Ok(rows) => rows,
            Err(error) => {
                eprintln!("error: {error}");
                std::process::exit(1);
            }
        },
        Some("control") => [lugre::run(), control::run()].concat(),
        Some(other) => {
            eprintln!(
                "error: no benchmark '{other}'\nhint: laws, lugre, lawfile, control, export, sim, network, numerics, identify, sweep, gpu, python, or nothing for the first two"
            );
            std::process::exit(2);
        }
    };
    clock::print(&rows);
}
