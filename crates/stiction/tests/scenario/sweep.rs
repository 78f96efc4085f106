//! Sweeps: what a point is, what can be measured of it, and that nothing but the plan decides.
use std::path::Path;
use std::sync::atomic::AtomicBool;
use stiction::analysis::cycle;
use stiction::scenario::{Scenario, Template, embedded};
use stiction::sweep::{Design, Engine, SamplingMethod, SweepPlan, SweepRequest};

fn template(name: &str, set: &[&str]) -> Template {
    Template::parse(embedded::find(name).unwrap().text, Path::new("x.toml"), set).unwrap()
}

fn plan(template: &Template, vary: &[&str], measure: &str, design: Design) -> Result<SweepPlan, stiction::Error> {
    let vary: Vec<String> = vary.iter().map(|text| (*text).to_owned()).collect();
    SweepPlan::new(template, &SweepRequest { vary: &vary, design, measure: &[measure.to_owned()], from: None })
}

fn grid(template: &Template, vary: &[&str], measure: &str) -> SweepPlan {
    plan(template, vary, measure, Design::Grid).unwrap()
}

#[test]
fn paths_have_short_names_and_units() {
    let a7 = template("a7", &[]);
    for (name, path, unit) in [
        ("spring.pull.stiffness", "spring.pull.stiffness", "N/m"),
        ("pull.stiffness", "spring.pull.stiffness", "N/m"),
        ("k", "spring.pull.stiffness", "N/m"),
        ("hand.v", "motion.hand.position.ramp.slope", "m/s"),
        ("slope", "motion.hand.position.ramp.slope", "m/s"),
        ("vs", "contact.table.vs", "m/s"),
        ("mu", "contact.table.from.mu", ""),
        ("from.mass", "contact.table.from.mass", "kg"),
        ("run.end", "run.end", "s"),
        // not written, but a parameter of the law
        ("contact.table.sigma1", "contact.table.sigma1", "N·s/m"),
        ("sigma1", "contact.table.sigma1", "N·s/m"),
    ] {
        assert_eq!(a7.path(name).unwrap(), (path.to_owned(), unit.to_owned()), "{name}");
    }
    assert!(matches!(
        a7.path("m"),
        Err(stiction::Error::AmbiguousName { known, .. }) if known.len() == 2
    ));
    assert!(a7.path("kk").is_err() && a7.path("").is_err() && a7.path("body.nobody.mass").is_err());
    // what turns has the units of turning
    let gear = template("gear", &[]);
    let units: Vec<String> = gear.numbers().into_iter().map(|(_, _, unit)| unit).collect();
    assert!(units.iter().any(|unit| unit == "kg·m²"), "{units:?}");
}

#[test]
fn measures_are_those_of_a_run() {
    let o5 = template("o5", &[]);
    let scenario = o5.build().unwrap();
    let summary = scenario.simulation().unwrap().run(&scenario.options, &mut stiction::sim::NullObserver).unwrap();
    // a name that is no plain word stands in braces
    let own: Vec<String> = scenario.measures.iter().map(|name| format!("{{{name}}}")).collect();
    let end = summary.last("block.x").unwrap();
    let list = format!("{},energy.friction,x.final,double=2*x.final+k", own.join(","));
    let plan = grid(&o5, &["k=1:3:3"], &list);
    // the middle of the three is the scenario itself
    let k = plan.values(1)[0];
    let found = plan.measure(&plan.values(1)).unwrap();
    for (name, (ours, theirs)) in own.iter().zip(found.iter().zip(&summary.probes)) {
        assert_eq!(ours, theirs, "{name}");
    }
    let rest = &found[own.len()..];
    assert_eq!(rest, [Some(summary.energy.friction), Some(end), Some(2.0 * end + k)]);
}

#[test]
fn a_value_may_stand_in_several_places() {
    let a7 = template("a7", &["run.end=1"]);
    let plan = grid(&a7, &["body.block.mass,from.mass=1,2"], "x.final");
    assert_eq!((plan.axes[0].name.as_str(), plan.axes[0].unit.as_str()), ("body.block.mass", "kg"));
    assert_eq!(plan.axes[0].path, "body.block.mass,contact.table.from.mass");
    let both = template("a7", &["run.end=1", "body.block.mass=2", "contact.table.from.mass=2"]);
    assert_eq!(plan.measure(&[2.0]).unwrap(), grid(&both, &["k=2"], "x.final").measure(&[2.0]).unwrap());
}

#[test]
fn cycles_are_found_where_there_are_some() {
    let a7 = template("a7", &["run.end=31"]);
    let plan = grid(&a7, &["sigma2=0,0.25"], "cycle.exists,cycle.period,cycle.stable,cycle.amplitude");
    let found = plan.measure(&[0.0]).unwrap();
    let known = cycle::find(&Scenario::named("a7", &["run.end=31"]).unwrap()).unwrap();
    assert_eq!(found[..3], [Some(1.0), Some(known.period), Some(1.0)]);
    // beyond sigma2 = 0.19 there is none, and that is no failure
    assert_eq!(plan.measure(&[0.25]).unwrap(), [Some(0.0), None, None, None]);
}

#[test]
fn the_border_of_stick_slip_is_where_it_should_be() {
    // at sigma2 = 0.2 the block no longer comes back to rest beyond these; from tests/reference/figures.csv, A10
    let (pull_critical, k_critical) = (1.93684181544, 1.51051686888);
    let a7 = template("a7", &["contact.table.sigma2=0.2", "run.end=40"]);
    let both = |name: &str, border: f64| {
        // a hundredth above there is none; just below, the first motion from rest comes back, but a later one may not
        let plan = grid(&a7, &[&format!("{name}={},{}", 0.9 * border, 1.01 * border)], "sticks");
        [0, 1].map(|i| plan.measure(&plan.values(i)).unwrap()[0].unwrap())
    };
    for (name, border) in [("hand.v", pull_critical), ("k", k_critical)] {
        let [below, above] = both(name, border);
        assert!(below > 5.0 && above == 0.0, "{name}: {below} {above}");
    }
}

#[test]
fn threads_do_not_matter() {
    let o5 = template("o5", &["run.end=10"]);
    let design = Design::Random { kind: SamplingMethod::Latin, points: 12, seed: 3 };
    let plan = plan(&o5, &["k=0.5:8", "mass=log:0.5:2"], "v.max,x.final,sticks", design).unwrap();
    let stop = AtomicBool::new(false);
    let run = |threads| Engine { threads, stop: &stop, tick: &|| {} }.run(&plan, 0..12).unwrap().unwrap();
    let one = run(1);
    assert!(one.iter().all(Result::is_ok));
    assert_eq!(one, run(2));
    assert_eq!(one, run(5));
    // a part of it is that part
    assert_eq!(one[3..7], Engine { threads: 2, stop: &stop, tick: &|| {} }.run(&plan, 3..7).unwrap().unwrap());
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(Engine { threads: 1, stop: &stop, tick: &|| {} }.run(&plan, 0..12).unwrap().is_none());
}

#[test]
fn a_point_that_makes_no_sense_has_its_reason() {
    let o5 = template("o5", &["run.end=5"]);
    let plan = grid(&o5, &["mass=-1,2"], "x.final");
    let stop = AtomicBool::new(false);
    let found = Engine { threads: 1, stop: &stop, tick: &|| {} }.run(&plan, 0..2).unwrap().unwrap();
    assert!(found[0].as_ref().is_err_and(|reason| reason.contains("mass")), "{found:?}");
    assert!(found[1].is_ok());
}

#[test]
fn points_in_lanes_are_points_one_by_one() {
    let a7 = template("a7", &["contact.table.sigma2=0.2", "run.end=20"]);
    let vary = ["k=0.8:6:3", "hand.v=0.1:1.2:3"];
    let side_by_side = grid(&a7, &vary, "period,v.max,x.mean,x.final,sticks");
    assert_eq!(side_by_side.scalar_reason(), None);
    let engine = Engine { threads: 2, stop: &AtomicBool::new(false), tick: &|| {} };
    let outcomes = engine.run(&side_by_side, 0..9).unwrap().unwrap();
    let mut compared = 0;
    for (i, outcome) in (0..).zip(outcomes) {
        let alone = side_by_side.measure(&side_by_side.values(i)).unwrap();
        for ((fast, alone), name) in outcome.unwrap().iter().zip(&alone).zip(["period", "v", "mean", "x", "sticks"]) {
            match (fast, alone) {
                // both at a tolerance of 1e-8 a step; instants in stick-slip differ by some hundred steps of it
                (Some(a), Some(b)) => assert!((a - b).abs() <= 1e-5 * b.abs().max(0.1), "{name} of {i}: {a} and {b}"),
                (a, b) => assert_eq!(a.is_some(), b.is_some(), "{name} of {i}"),
            }
            compared += u32::from(alone.is_some());
        }
    }
    assert!(compared > 40, "{compared}");
    // what lanes cannot do is said
    let why = |plan: &SweepPlan| plan.scalar_reason().unwrap().to_owned();
    assert!(why(&grid(&a7, &vary, "energy.friction")).contains("more than probes"));
    assert!(why(&grid(&a7, &["run.end=1:2:2"], "v.max")).contains("run.end"));
    assert!(why(&grid(&template("g5", &[]), &["fc=0.5:1:2"], "v.max")).contains("table"));
}

#[test]
fn rest_and_odd_numbers_in_lanes() {
    let engine = Engine { threads: 1, stop: &AtomicBool::new(false), tick: &|| {} };
    let both = |plan: &SweepPlan| {
        assert_eq!(plan.scalar_reason(), None);
        let lanes = engine.run(plan, 0..plan.count()).unwrap().unwrap();
        let alone =
            (0..plan.count()).map(|i| plan.measure(&plan.values(i)).map_err(|e| e.without_position().to_string()));
        lanes.into_iter().zip(alone).collect::<Vec<_>>()
    };
    // nothing pulls, or hardly: the block rests; a spring that pushes is odd, but has an answer
    let a7 = template("a7", &["run.end=10"]);
    for vary in ["k=0,1", "hand.v=0,0.1", "k=1,-0.5"] {
        for (lanes, alone) in both(&grid(&a7, &[vary], "v.max,sticks")) {
            let (lanes, alone) = (lanes.unwrap(), alone.unwrap());
            // both at a tolerance of 1e-8 a step, over some hundred steps
            let near =
                |a: &Option<f64>, b: &Option<f64>| a.zip(*b).is_some_and(|(a, b)| (a - b).abs() <= 1e-6 * (1.0 + b));
            assert!(lanes.iter().zip(&alone).all(|(a, b)| near(a, b)), "{vary}: {lanes:?} and {alone:?}");
        }
    }
    // what is wrong with a point is said as the simulator says it
    let masses = both(&grid(&a7, &["body.block.mass=1,-1,2"], "v.max"));
    let (lanes, alone) = &masses[1];
    assert_eq!(lanes.as_ref().unwrap_err(), alone.as_ref().unwrap_err());
    assert!(masses[0].0.is_ok() && masses[2].0.is_ok());
    // a block that comes to rest swings on its bristles, and does not turn for ever
    let text = "[run]\nend = 5\n[body.block]\nmass = 1\nv = 1\n[contact.table]\nbetween = [\"block\", \"ground\"]\nlaw = \"lugre\"\nsigma0 = 1e3\nsigma1 = 20\n";
    let stops = Template::parse(text, Path::new("x.toml"), &[""; 0]).unwrap();
    for (lanes, alone) in both(&grid(&stops, &["block.v=0.5,1"], "x.final,sticks")) {
        let (lanes, alone) = (lanes.unwrap(), alone.unwrap());
        // the same, in metres
        assert!((lanes[0].unwrap() - alone[0].unwrap()).abs() < 1e-6, "{lanes:?} and {alone:?}");
        // the last swings are below what either resolves
        assert!((lanes[1].unwrap() - alone[1].unwrap()).abs() <= 2.0, "{lanes:?} and {alone:?}");
    }
}
