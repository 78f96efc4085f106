//! Benchmarks. `cargo x bench [laws|lugre]` runs this in release and keeps the CSV in `bench/results/`.
mod clock;
mod laws;
mod lugre;

fn main() {
    let what = std::env::args().nth(1);
    let rows = match what.as_deref() {
        None => [lugre::run(), laws::run()].concat(),
        Some("laws") => laws::run(),
        Some("lugre") => lugre::run(),
        Some(other) => {
            eprintln!("error: no benchmark '{other}'\nhint: laws, lugre, or nothing for both");
            std::process::exit(2);
        }
    };
    clock::print(&rows);
}
