//! Sliding friction from records whose truth is known.
use stiction::data::{DataFile, ReadOptions};
use stiction::fit::Random;
use stiction::identify::sliding::{self, Curve, Leave, Options};
use stiction::identify::{Finding, Known, Motion, Prepared, Raw, Recipe, Role, Roles, Tone, prepare};

/// Friction at a velocity, an acceleration and a time.
type Friction = fn(f64, f64, f64) -> f64;

/// What a body does in an experiment: a speed that is a sum of sines, known to all digits.
#[derive(Clone)]
struct Experiment {
    rate: f64,
    seconds: f64,
    sines: Vec<(f64, f64)>,
    friction: Friction,
    mass: f64,
    offset: f64,
    noise: f64,
    quantum: f64,
    seed: u32,
}

const SLOW: Friction = |v, _, _| (10.0 + 5.0 * (-(v.abs() / 4e-3)).exp()) * v.signum() + 50.0 * v;

impl Experiment {
    fn new(friction: Friction) -> Self {
        let sines = vec![(0.05, 0.11), (0.02, 0.37), (0.004, 1.7)];
        Self { rate: 200.0, seconds: 60.0, sines, friction, mass: 3.0, offset: 0.4, noise: 0.2, quantum: 1e-6, seed: 1 }
    }
    /// Position, velocity and acceleration.
    fn at(&self, t: f64) -> [f64; 3] {
        let mut out = [0.0; 3];
        for (k, (size, hertz)) in self.sines.iter().enumerate() {
            let w = std::f64::consts::TAU * hertz;
            let (sin, cos) = (w * t + k as f64).sin_cos();
            out[0] -= size / w * cos;
            out[1] += size * sin;
            out[2] += size * w * cos;
        }
        out
    }
    /// The record as a file would have it.
    fn text(&self) -> String {
        let mut random = Random::new(self.seed);
        let mut out = String::from("t [s],x [m],force [N]\n");
        for k in 0..(self.rate * self.seconds) as usize {
            let t = k as f64 / self.rate;
            let [x, v, a] = self.at(t);
            let x = ((x + 0.4 * self.quantum * random.normal()) / self.quantum).round() * self.quantum;
            let f = self.mass * a + (self.friction)(v, a, t) + self.offset + self.noise * random.normal();
            out += &format!("{t},{x},{f}\n");
        }
        out
    }
    fn raw(&self) -> Raw {
        let table = DataFile::from_bytes("log.csv", self.text().as_bytes(), &ReadOptions::default()).expect("a table");
        Roles::default().read(&table).expect("columns by their names")
    }
    fn prepared(&self) -> Vec<Prepared> {
        prepare(&self.raw(), &Recipe::default()).expect("a motion").0
    }
    fn find(&self, options: &Options) -> Finding {
        sliding::find(&self.prepared(), options).unwrap_or_else(|error| panic!("{error}"))
    }
}

fn fixed(curve: Curve) -> Options {
    Options { curve: Some(curve), leave: Leave::Blocks(4), ..Options::default() }
}

/// How many standard errors an estimate is off.
fn off(finding: &Finding, name: &str, truth: f64) -> f64 {
    let e = finding.estimate(name).unwrap_or_else(|| panic!("no {name}"));
    (e.value - truth).abs() / e.error
}

#[test]
fn a_stribeck_curve_is_found_within_its_errors() {
    // six parameters of three records: eighteen deviations, of which normal noise has one beyond three in twenty trials
    // and none beyond four in a thousand
    for seed in 1..=3 {
        let finding = Experiment { seed, ..Experiment::new(SLOW) }.find(&fixed(Curve::Stribeck(10)));
        for (name, truth) in [("mass", 3.0), ("offset", 0.4), ("fc", 10.0), ("fs", 15.0), ("vs", 4e-3), ("fv", 50.0)] {
            let off = off(&finding, name, truth);
            assert!(off < 4.0, "seed {seed}: {name} is off by {off:.1} standard errors");
            let e = finding.estimate(name).expect("an estimate");
            assert!(e.error < 0.1 * truth && e.known == Known::Well, "{name} ± {}", e.error);
        }
        let law = finding.law.expect("a law");
        assert_eq!(law.law().name, "stribeck");
        assert!((law.get("fs").expect("fs") - 15.0).abs() < 0.5);
    }
}

#[test]
fn the_simplest_law_that_tells_all_is_chosen() {
    let plain = |v: f64, _: f64, _: f64| 10.0 * v.signum() + 50.0 * v;
    let sided = |v: f64, _: f64, _: f64| if v > 0.0 { 10.0 + 50.0 * v } else { -12.0 + 30.0 * v };
    let cases: [(Friction, Curve, bool); 3] =
        [(plain, Curve::Viscous, false), (sided, Curve::Viscous, true), (SLOW, Curve::Stribeck(10), false)];
    for (friction, curve, sided) in cases {
        let finding = Experiment { seconds: 40.0, ..Experiment::new(friction) }.find(&Options::default());
        let wanted = sliding::Shape { curve, sided, offset: true, mass: true, load: false }.title();
        assert_eq!(finding.title, format!("Sliding friction: {wanted}"), "{:?}", finding.tables[0]);
    }
}

#[test]
fn what_was_not_moved_is_not_known() {
    // all of it far above the Stribeck speed: nothing can be said of fs and vs
    let fast = Experiment { sines: vec![(0.5, 0.3), (0.1, 0.9)], quantum: 1e-5, ..Experiment::new(SLOW) };
    let prepared = fast.prepared();
    let options = Options { rest: Some(0.1), ..fixed(Curve::Stribeck(10)) };
    let finding = sliding::find(&prepared, &options).expect("a fit");
    let text: Vec<_> = finding.remarks.iter().filter(|r| r.tone >= Tone::Doubt).map(|r| r.text.as_str()).collect();
    assert!(text.iter().any(|t| t.contains("fs") && t.contains("needs sliding below")), "{text:?}");
    assert_ne!(finding.estimate("fs").expect("fs").known, Known::Well);
    // the rest is
    assert!(off(&finding, "fv", 50.0) < 4.0);
}

#[test]
fn friction_that_grows_with_load() {
    // mu 0.2 on top of 4 N, at 20, 40 and 80 N
    let mut all = Vec::new();
    for (load, seed) in [(20.0, 1), (40.0, 2), (80.0, 3)] {
        let friction: Friction = match seed {
            1 => |v, _, _| 8.0 * v.signum() + 50.0 * v,
            2 => |v, _, _| 12.0 * v.signum() + 50.0 * v,
            _ => |v, _, _| 20.0 * v.signum() + 50.0 * v,
        };
        let experiment = Experiment { seconds: 20.0, seed, ..Experiment::new(friction) };
        let recipe = Recipe { load: Some(load), mass: Some(3.0), ..Recipe::default() };
        all.extend(prepare(&experiment.raw(), &recipe).expect("a motion").0);
    }
    let finding = sliding::find(&all, &fixed(Curve::Viscous)).expect("a fit");
    assert!(off(&finding, "fc.load", 0.2) < 4.0 && off(&finding, "fc", 4.0) < 4.0);
    let law = finding.law.clone().expect("a law");
    // at 40 N it must give 12 N
    let fc = law.get("fc").expect("fc") * law.load_factor(40.0);
    assert!((fc - 12.0).abs() < 0.1, "{fc}");
    assert_eq!(finding.estimate("mass").map(|e| e.known), Some(Known::Given));
}

#[test]
fn lag_and_branches_are_seen() {
    // friction follows the speed of 10 ms before
    let lag: Friction = |v, a, _| SLOW(v - 0.01 * a, a, 0.0);
    let experiment = Experiment { noise: 0.05, ..Experiment::new(lag) };
    let finding = experiment.find(&fixed(Curve::Stribeck(10)));
    let e = finding.estimate("lag").expect("a lag");
    // the curve is fitted as if there were none, so that the estimate is a little low
    assert!((e.value - 0.01).abs() < 2e-3 && e.known == Known::Well, "{} ± {}", e.value, e.error);
    let none = Experiment { noise: 0.05, ..Experiment::new(SLOW) }.find(&fixed(Curve::Stribeck(10)));
    let e = none.estimate("lag").expect("a lag");
    assert!(e.value.abs() < 4.0 * e.error && e.error < 1e-3, "{} ± {}", e.value, e.error);
    // falling speed with two newton less
    let two: Friction = |v, a, _| (10.0 + if v * a > 0.0 { 1.0 } else { -1.0 }) * v.signum() + 50.0 * v;
    let finding = Experiment::new(two).find(&fixed(Curve::Viscous));
    assert!(finding.remarks.iter().any(|r| r.text.starts_with("rising and falling speed differ")));
    assert!(!none.remarks.iter().any(|r| r.text.starts_with("rising and falling speed differ")));
}

#[test]
fn gaps_missing_numbers_and_uneven_time() {
    let experiment = Experiment { seconds: 30.0, ..Experiment::new(SLOW) };
    let text = experiment.text();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // a gap of a second, a missing force, an instant twice
    lines.drain(2000..2200);
    lines[1001] = lines[1001].rsplit_once(',').map(|(left, _)| format!("{left},")).expect("cells");
    lines[500] = lines[499].clone();
    let table = DataFile::from_bytes("log.csv", lines.join("\n").as_bytes(), &ReadOptions::default()).expect("a table");
    let raw = Roles::default().read(&table).expect("columns");
    let (prepared, remarks) = prepare(&raw, &Recipe::default()).expect("motions");
    let text: Vec<&str> = remarks.iter().map(|r| r.text.as_str()).collect();
    assert!(text.iter().any(|t| t.contains("1 rows lack a number, the first is line 1002")), "{text:?}");
    assert!(text.iter().any(|t| t.contains("1 rows repeat an instant")), "{text:?}");
    // a missing row is filled in, a second without rows is not
    assert!(text.iter().any(|t| t.contains("cut at 1 gaps in time into 2 parts")), "{text:?}");
    assert_eq!(prepared.len(), 2);
    let finding = sliding::find(&prepared, &fixed(Curve::Stribeck(10))).expect("a fit");
    assert!(off(&finding, "fc", 10.0) < 4.0 && off(&finding, "mass", 3.0) < 4.0);
    // an hour that is told in milliseconds, and jitters by a tenth of a step
    let mut random = Random::new(9);
    let mut jittered = String::from("time [ms],x [mm],force [N]\n");
    for k in 0..4000 {
        let t = (f64::from(k) + 0.1 * random.normal()) / 200.0;
        let [x, v, a] = experiment.at(t);
        jittered += &format!("{},{},{}\n", 1e3 * t, 1e3 * x, 3.0 * a + SLOW(v, a, t) + 0.05 * random.normal());
    }
    let table = DataFile::from_bytes("log.csv", jittered.as_bytes(), &ReadOptions::default()).expect("a table");
    let raw = Roles::default().read(&table).expect("columns");
    assert!(raw.get(Role::Position).is_some_and(|x| x.iter().all(|x| x.abs() < 0.1)));
    let (prepared, remarks) = prepare(&raw, &Recipe::default()).expect("motions");
    assert!(remarks.iter().any(|r| r.text.contains("not evenly spaced")), "{remarks:?}");
    let finding = sliding::find(&prepared, &fixed(Curve::Stribeck(10))).expect("a fit");
    let mass = finding.estimate("mass").expect("mass");
    // a grid through jittered samples blurs by its own error; two percent are left
    assert!((mass.value - 3.0).abs() < 0.1, "{}", mass.value);
}

#[test]
fn what_cannot_be_fitted_is_refused() {
    let still = |force: f64| Motion {
        t: (0..200).map(f64::from).collect(),
        velocity: vec![0.0; 200],
        acceleration: vec![0.0; 200],
        force: (0..200).map(|k| force * f64::from(k)).collect(),
        ..Motion::default()
    };
    let prepared = Prepared { motion: still(1.0), cutoff: 0.1, rest: 1e-6 };
    let error = sliding::find(&[prepared], &Options::default()).expect_err("nothing slides");
    assert!(error.to_string().contains("samples that slide"), "{error}");
    // one column of a file that does not move
    let text: String = (0..100).map(|k| format!("{k},1,2\n")).collect();
    let table =
        DataFile::from_bytes("log.csv", format!("t,x,f\n{text}").as_bytes(), &ReadOptions::default()).expect("a table");
    let raw = Roles::default().read(&table).expect("columns");
    let error = prepare(&raw, &Recipe::default()).expect_err("it does not move");
    assert!(error.to_string().contains("positions do not change"), "{error}");
}

#[test]
fn a_force_of_the_wrong_sign_makes_no_law() {
    let mut raw = Experiment { seconds: 20.0, ..Experiment::new(SLOW) }.raw();
    let force = raw.columns[Role::Force as usize].as_mut().expect("a force");
    force.iter_mut().for_each(|f| *f = -*f);
    let prepared = prepare(&raw, &Recipe::default()).expect("a motion").0;
    let finding = sliding::find(&prepared, &fixed(Curve::Viscous)).expect("a fit");
    assert!(finding.law.is_none());
    assert!(finding.remarks.iter().any(|r| r.tone == Tone::Bad && r.text.contains("sign")), "{:?}", finding.remarks);
}

#[test]
fn rows_are_counted_where_the_clock_is_not_to_be_trusted() {
    let experiment = Experiment { seconds: 20.0, ..Experiment::new(SLOW) };
    let mut raw = experiment.raw();
    // a clock of 50 ms on samples every 5 ms, and a row without a number
    raw.columns[Role::Time as usize].as_mut().expect("a time").iter_mut().for_each(|t| *t = (*t * 20.0).floor() / 20.0);
    raw.columns[Role::Force as usize].as_mut().expect("a force")[777] = f64::NAN;
    let recipe = Recipe { rate: Some(200.0), ..Recipe::default() };
    let prepared = prepare(&raw, &recipe).expect("a motion").0;
    let finding = sliding::find(&prepared, &fixed(Curve::Stribeck(10))).expect("a fit");
    assert!(off(&finding, "mass", 3.0) < 4.0 && off(&finding, "fc", 10.0) < 4.0);
}

#[test]
fn a_far_worse_fit_has_the_higher_criterion() {
    let prepared = Experiment::new(SLOW).prepared();
    let finding = sliding::find(&prepared, &Options::default()).expect("a fit");
    let table = finding.tables.iter().find(|t| t.heads.iter().any(|head| head == "BIC")).expect("a table of laws");
    let [rms, bic] = ["rms [N]", "BIC"].map(|head| table.heads.iter().position(|h| h == head).expect("a column") - 1);
    for (name, row) in &table.rows {
        for (other, than) in &table.rows {
            assert!(row[rms] < 1.5 * than[rms] || row[bic] > than[bic], "{name}: {row:?}, {other}: {than:?}");
        }
    }
    assert!(table.rows.iter().any(|(_, row)| row[rms] > 1.5 * table.rows[0].1[rms]), "all are alike");
}
