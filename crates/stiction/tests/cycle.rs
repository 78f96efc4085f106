//! Cycles against values found otherwise.
use stiction::analysis::cycle::{self, Follow, follow};
use stiction::scenario::Scenario;

fn scenario(name: &str, set: &[&str]) -> Scenario {
    Scenario::named(name, set).expect("a scenario")
}

#[test]
fn try_them() {
    for (name, set) in [("a7", vec![]), ("a12", vec![]), ("o5", vec![]), ("g5", vec![]), ("lugre1995", vec![])] {
        let at = std::time::Instant::now();
        match cycle::find(&scenario(name, &set)) {
            Ok(c) => println!(
                "{name}: {:.9} {:?} {:?}\n {:?} {:?}",
                c.period,
                c.multipliers,
                c.stable,
                c.phases,
                at.elapsed()
            ),
            Err(e) => println!("{name}: {e} {:?}", at.elapsed()),
        }
    }
}

#[test]
fn try_follow() {
    for (path, range, set) in [
        ("contact.table.sigma2", (0.0, 0.4), vec![]),
        ("motion.hand.position.ramp.slope", (0.1, 5.0), vec!["contact.table.sigma2=0.2"]),
        ("spring.pull.stiffness", (0.1, 8.0), vec!["contact.table.sigma2=0.2"]),
    ] {
        let at = std::time::Instant::now();
        let make = |p: f64| {
            let mut all: Vec<String> = set.iter().map(|s: &&str| s.to_string()).collect();
            all.push(format!("{path}={p:e}"));
            Scenario::named("a7", &all)
        };
        println!("BORDER {path} {:?} {:?}", cycle::borders(&make, range), at.elapsed());
        match follow(&Follow { at: &make, start: None, range, points: 60 }) {
            Ok(b) => {
                for p in &b.points {
                    println!(
                        "{:.9} T {:.6} A {:.5} {:?}",
                        p.p,
                        p.cycle.period,
                        p.cycle.amplitude("block.v").unwrap(),
                        p.cycle.multipliers.first()
                    );
                }
                println!("RES {path} {:?} {:?} {:?}", b.changes, b.ends, at.elapsed());
            }
            Err(e) => println!("{path}: {e} {:?}", at.elapsed()),
        }
    }
}
