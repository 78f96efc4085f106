//! Benchmarks. `cargo x bench [laws|lugre|control|sim|network]` runs this in release and keeps the CSV in `bench/results/`.
mod clock;
mod control;
mod laws;
mod lugre;
mod memory;
mod network;
mod sim;

fn main() {
    let what = std::env::args().nth(1);
    if what.as_deref() == Some("sim") {
        match sim::run() {
            Ok(points) => sim::print(&points),
            Err(error) => {
                eprintln!("error: {error}");
                std::process::exit(1);
            }
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
    let rows = match what.as_deref() {
        None => [lugre::run(), laws::run()].concat(),
        Some("laws") => laws::run(),
        Some("lugre") => lugre::run(),
        Some("control") => [lugre::run(), control::run()].concat(),
        Some(other) => {
            eprintln!(
                "error: no benchmark '{other}'\nhint: laws, lugre, control, sim, network, or nothing for the first two"
            );
            std::process::exit(2);
        }
    };
    clock::print(&rows);
}
