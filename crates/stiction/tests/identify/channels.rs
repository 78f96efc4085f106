//! Channels that are late, clocks that are wrong, samples that count more than others, rows without a time.
use crate::rig::{CHANCE, off};
use stiction::data::{DataFile, ReadOptions};
use stiction::fit::Random;
use stiction::identify::sliding::{self, SlidingLaw, SlidingOptions};
use stiction::identify::{ColumnRoles, IdentificationResult, Preparation, RawRecord, prepare};

const RATE: f64 = 500.0;
const MASS: f64 = 2.0;
const NOISE: f64 = 0.1;

/// Delay of the force and errors of the sampling instants.
#[derive(Default)]
struct SamplingErrors {
    /// How late the force was measured \[s\].
    late: f64,
    /// Deviation of the instants that are written, in samples; the samples themselves are even.
    wrong: f64,
    /// Deviation of the instants at which samples are taken, in samples; those are written.
    early: f64,
}

/// Coulomb and viscous friction, mass and offset along a speed of several sines; `weight` is one in the first half, and in
/// the second, where the force is nonsense, zero.
fn record(row: &SamplingErrors, nonsense: bool) -> String {
    let mut random = Random::new(7);
    let motion = |t: f64| {
        let sines = [(0.025, 0.55, 0.0), (0.015, 1.3, 1.0), (0.01, 2.9, 2.5)];
        sines.iter().fold([0.0; 3], |[x, v, a], (size, hertz, phase)| {
            let w = std::f64::consts::TAU * hertz;
            let (sin, cos) = (w * t + phase).sin_cos();
            [x + size * sin, v + size * w * cos, a - size * w * w * sin]
        })
    };
    let rows = (8.0 * RATE) as usize;
    let mut out = String::from("t [s],x [m],force [N],w\n");
    for k in 0..rows {
        let even = k as f64 / RATE;
        let taken = even + row.early / RATE * random.normal();
        let said = if k == 0 { taken } else { taken + row.wrong / RATE * random.normal() };
        let [_, v, a] = motion(taken - row.late);
        let garbage = nonsense && k > rows / 2;
        let f = if garbage { 40.0 * random.normal() } else { MASS * a + 10.0 * v.signum() + 50.0 * v + 0.3 };
        let (f, w) = (f + NOISE * random.normal(), u8::from(!garbage));
        out += &format!("{said},{},{f},{w}\n", motion(taken)[0]);
    }
    out
}

fn raw(text: &str, roles: &ColumnRoles) -> RawRecord {
    roles
        .read(&DataFile::from_bytes("log.csv", text.as_bytes(), &ReadOptions::default()).expect("a table"))
        .expect("columns")
}

fn find(raw: &RawRecord, delay: f64) -> (IdentificationResult, String) {
    let (prepared, remarks) = prepare(raw, &Preparation { delay, ..Preparation::default() }).expect("a motion");
    let result =
        sliding::identify(&prepared, &SlidingOptions { curve: Some(SlidingLaw::Viscous), ..SlidingOptions::default() })
            .expect("a fit");
    let told: Vec<String> = remarks.iter().chain(&result.remarks).map(|r| r.text.clone()).collect();
    (result, told.join("\n"))
}

#[test]
fn a_late_force_is_noticed_and_moved_back() {
    // not a whole number of samples
    let late = 3.4 / RATE;
    let raw = raw(&record(&SamplingErrors { late, ..SamplingErrors::default() }, false), &ColumnRoles::default());
    let (wrong, told) = find(&raw, 0.0);
    let line = told.lines().find(|line| line.contains("later than the motion")).expect("a remark on the delay");
    let numbers: Vec<f64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [seen, error, option] = numbers[..] else { panic!("three numbers in: {line}") };
    // three digits are told
    assert!((seen - late).abs() < CHANCE * error + 1e-3 * late && option > 0.0, "{line}");
    assert!(off(&wrong, "fv", 50.0) > 2.0 * CHANCE, "the delay does no harm: {:?}", wrong.estimate("fv"));
    let (right, told) = find(&raw, late);
    assert!(!told.contains("than the motion"), "{told}");
    for (name, truth) in [("mass", MASS), ("fc", 10.0), ("fv", 50.0)] {
        assert!(off(&right, name, truth) < CHANCE, "{name}: {:?}", right.estimate(name));
    }
    // and an early one
    let early = raw_early();
    let (_, told) = find(&early, 0.0);
    assert!(told.contains("earlier than the motion") && told.contains("--delay -"), "{told}");
}

/// The delay is a parameter of the fit: neither a whole number of samples nor half of one, nor several, nor a negative one is missed.
#[test]
fn the_delay_is_estimated_with_the_law() {
    for late in [0.5, 3.4, -2.5, 12.0] {
        let late = late / RATE;
        let raw = raw(&record(&SamplingErrors { late, ..SamplingErrors::default() }, false), &ColumnRoles::default());
        let (prepared, _) = prepare(&raw, &Preparation::default()).expect("a motion");
        let options = SlidingOptions { curve: Some(SlidingLaw::Viscous), delay: true, ..SlidingOptions::default() };
        let found = sliding::identify(&prepared, &options).expect("a fit");
        for (name, truth) in [("delay", late), ("mass", MASS), ("fc", 10.0), ("fv", 50.0)] {
            assert!(off(&found, name, truth) < CHANCE, "{late}, {name}: {:?}", found.estimate(name));
        }
        // a twentieth of a sample, from 8 s with one part in a hundred of noise
        assert!(found.estimate("delay").expect("a delay").error < 0.05 / RATE);
        assert!(!found.remarks.iter().any(|r| r.text.contains("than the motion")));
    }
    // a single sine with constant friction: of inertia and a delayed level nothing can be told apart
    let text: String = (0..4000).map(|k| 0.002 * f64::from(k)).fold("t [s],x [m],force [N]\n".to_owned(), |text, t| {
        let (sin, cos) = (6.0 * t).sin_cos();
        text + &format!("{t},{},{}\n", 0.05 * sin, 10.0 * (0.3 * cos) - 1.8 * sin)
    });
    let (prepared, _) = prepare(&raw(&text, &ColumnRoles::default()), &Preparation::default()).expect("a motion");
    let options = SlidingOptions { curve: Some(SlidingLaw::Viscous), delay: true, ..SlidingOptions::default() };
    let found = sliding::identify(&prepared, &options).expect("a fit");
    assert!(found.remarks.iter().any(|r| r.text.contains("cannot be told")), "{:?}", found.estimates);
}

fn raw_early() -> RawRecord {
    raw(&record(&SamplingErrors { late: -2.5 / RATE, ..SamplingErrors::default() }, false), &ColumnRoles::default())
}

#[test]
fn what_is_on_time_is_not_called_late() {
    for row in [SamplingErrors::default(), SamplingErrors { early: 0.03, ..SamplingErrors::default() }] {
        let (result, told) = find(&raw(&record(&row, false), &ColumnRoles::default()), 0.0);
        assert!(!told.contains("than the motion"), "{told}");
        assert!(off(&result, "mass", MASS) < CHANCE, "{:?}", result.estimate("mass"));
    }
}

#[test]
fn the_motion_tells_whether_stamps_or_samples_are_off() {
    let (stamps, told) = find(
        &raw(&record(&SamplingErrors { wrong: 0.03, ..SamplingErrors::default() }, false), &ColumnRoles::default()),
        0.0,
    );
    assert!(told.contains("the stamps are taken to be wrong"), "{told}");
    let (samples, told) = find(
        &raw(&record(&SamplingErrors { early: 0.03, ..SamplingErrors::default() }, false), &ColumnRoles::default()),
        0.0,
    );
    assert!(told.contains("not evenly spaced") && !told.contains("stamps"), "{told}");
    for result in [stamps, samples] {
        for (name, truth) in [("mass", MASS), ("fc", 10.0), ("fv", 50.0)] {
            assert!(off(&result, name, truth) < CHANCE, "{name}: {:?}", result.estimate(name));
        }
    }
}

#[test]
fn coarse_times_and_single_spikes_are_told() {
    let clean = record(&SamplingErrors::default(), false);
    let change = |row: &dyn Fn(usize, f64, f64) -> (f64, f64)| -> String {
        let rows = clean.lines().skip(1).enumerate().map(|(k, line)| {
            let x: Vec<f64> = line.split(',').map(|x| x.parse().expect("a number")).collect();
            let (t, force) = row(k, x[0], x[2]);
            format!("{t},{},{force},1\n", x[1])
        });
        "t [s],x [m],force [N],w\n".to_owned() + &rows.collect::<String>()
    };
    let told = |text: &str| find(&raw(text, &ColumnRoles::default()), 0.0).1;
    // a clock of ten milliseconds for samples of two
    let coarse = change(&|_, t, force| ((100.0 * t).floor() / 100.0, force));
    let said = told(&coarse);
    assert!(said.contains("--rate HERTZ"), "{said}");
    // three spikes in 4000 samples
    let spiky = change(&|k, t, force| (t, if [700, 1900, 3100].contains(&k) { force + 500.0 } else { force }));
    let said = told(&spiky);
    assert!(said.contains("--robust tukey"), "{said}");
    let said = told(&clean);
    assert!(!said.contains("--rate") && !said.contains("--robust"), "{said}");
}

#[test]
fn a_force_that_repeats_with_the_position_is_told() {
    let clean = record(&SamplingErrors::default(), false);
    let rows: Vec<[f64; 3]> = clean
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<f64> = line.split(',').map(|x| x.parse().expect("a number")).collect();
            [cells[0], cells[1], cells[2]]
        })
        .collect();
    let (far, end) = rows.iter().fold((0.0_f64, 0.0_f64), |(far, _), row| (far.max(row[1].abs()), row[0]));
    let with = |more: &dyn Fn(f64, f64) -> f64| {
        let lines = rows.iter().map(|[t, x, force]| format!("{t},{x},{}\n", force + more(*t, *x)));
        "t [s],x [m],force [N]\n".to_owned() + &lines.collect::<String>()
    };
    let told = |text: &str, terms: &[(&str, &str)]| {
        let terms = terms.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        find(&raw(text, &ColumnRoles { terms, ..ColumnRoles::default() }), 0.0).1
    };
    let said = "repeats with the position";
    // a spring that pulls with 1 N at the farthest point, and gravity as of an arm that swings by a right angle to each side: small beside the
    // friction of 10 N, and ten times the noise
    let spring = with(&|_, x| x / far);
    let gravity = with(&|_, x| (1.57 * x / far).sin());
    assert!(told(&spring, &[]).contains(said), "{}", told(&spring, &[]));
    assert!(told(&gravity, &[]).contains(said), "{}", told(&gravity, &[]));
    // a curve whose fall is not told apart from it is held, and its values lie in their intervals all the same
    for text in [&spring, &gravity] {
        let (prepared, _) = prepare(&raw(text, &ColumnRoles::default()), &Preparation::default()).expect("a motion");
        let curve = Some(SlidingLaw::Stribeck(0));
        let result =
            sliding::identify(&prepared, &SlidingOptions { curve, ..SlidingOptions::default() }).expect("a fit");
        for e in &result.estimates {
            assert!((e.interval[0]..=e.interval[1]).contains(&e.value), "{e:?}");
        }
    }
    // no more once the model has it
    assert!(!told(&spring, &[("spring", "x")]).contains(said));
    // neither noise nor a drift of 1 N over the record depends on position
    assert!(!told(&clean, &[]).contains(said));
    let drift = with(&|t, _| t / end);
    assert!(!told(&drift, &[]).contains(said), "{}", told(&drift, &[]));
}

#[test]
fn a_weight_of_zero_leaves_nonsense_out() {
    let text = record(&SamplingErrors::default(), true);
    let weighed = ColumnRoles { weight: Some("w".to_owned()), ..ColumnRoles::default() };
    for curve in [SlidingLaw::Viscous, SlidingLaw::Stribeck(20)] {
        let fit = |roles: &ColumnRoles| {
            let (prepared, _) = prepare(&raw(&text, roles), &Preparation::default()).expect("a motion");
            sliding::identify(&prepared, &SlidingOptions { curve: Some(curve), ..SlidingOptions::default() })
                .expect("a fit")
        };
        let (plain, sound) = (fit(&ColumnRoles::default()), fit(&weighed));
        let errors = [&plain, &sound].map(|result| result.estimate("mass").expect("a mass").error);
        // nonsense of 40 N in half of the samples, against noise of 0.1 N
        assert!(errors[0] > 50.0 * errors[1], "{curve:?}: {errors:?}");
        assert!(off(&sound, "mass", MASS) < CHANCE, "{curve:?}: {:?}", sound.estimate("mass"));
        assert!(sound.estimate("mass").expect("a mass").error < 0.01, "{curve:?}");
    }
    let below = ColumnRoles { weight: Some("w-2".to_owned()), ..ColumnRoles::default() };
    let refused = prepare(&raw(&text, &below), &Preparation::default()).expect_err("a weight below zero");
    assert!(refused.to_string().contains("weight"), "{refused}");
}

#[test]
fn rows_are_counted_without_a_column_of_time() {
    let text: String = record(&SamplingErrors::default(), false)
        .lines()
        .map(|line| line.split_once(',').map_or("", |(_, rest)| rest).to_owned() + "\n")
        .collect();
    let table = DataFile::from_bytes("log.csv", text.as_bytes(), &ReadOptions::default()).expect("a table");
    assert!(ColumnRoles::default().read(&table).is_err());
    let raw = ColumnRoles { counted: true, ..ColumnRoles::default() }.read(&table).expect("columns");
    let (prepared, _) = prepare(&raw, &Preparation { rate: Some(RATE), ..Preparation::default() }).expect("a motion");
    let result =
        sliding::identify(&prepared, &SlidingOptions { curve: Some(SlidingLaw::Viscous), ..SlidingOptions::default() })
            .expect("a fit");
    assert!(off(&result, "mass", MASS) < CHANCE, "{:?}", result.estimate("mass"));
}
